package interp

import (
	"encoding/binary"

	"github.com/qdgen/qd/ssa"
)

// A frame is one call of a function. Each value has a place, the offset of its first
// byte: a number or a bool takes eight bytes and is as an [ssa.Const] has it, a
// pointer is its address, a slice its address and its length; an aggregate is as it
// is in memory. In little-endian order the bytes of a number in memory are the first
// ones of its place.
type frame struct {
	m *machine
	b []byte
}

// get is a number, a bool or an address.
func (fr *frame) get(at int) uint64 { return binary.LittleEndian.Uint64(fr.b[at : at+8]) }

func (fr *frame) set(at int, x uint64) { binary.LittleEndian.PutUint64(fr.b[at:at+8], x) }

func (fr *frame) setBool(at int, x bool) {
	if x {
		fr.set(at, 1)
	} else {
		fr.set(at, 0)
	}
}

// setBytes sets a value to what lies in memory.
func (fr *frame) setBytes(at int, t ssa.Type, p []byte) {
	copy(fr.b[at:at+len(p)], p)
	if b, ok := t.(ssa.Basic); ok {
		fr.set(at, extend(b, fr.get(at)))
	}
}

// extend makes the canonical bits of a basic type from its bytes and others after them.
func extend(t ssa.Basic, x uint64) uint64 {
	switch t {
	case ssa.Bool, ssa.Uint8:
		return uint64(uint8(x))
	case ssa.Int8:
		return uint64(int8(x))
	case ssa.Int16:
		return uint64(int16(x))
	case ssa.Uint16:
		return uint64(uint16(x))
	case ssa.Int32:
		return uint64(int32(x))
	case ssa.Uint32, ssa.Float32:
		return uint64(uint32(x))
	}
	return x
}

// room is how many bytes the place of a value takes.
func room(t ssa.Type) int {
	if b, ok := t.(ssa.Basic); ok && b.Size() > 0 {
		return 8
	}
	if lanes := ssa.LanesOf(t); lanes > 0 {
		return 8 * lanes // each as a number or a bool
	}
	return (t.Size() + 7) &^ 7
}

// A step executes an instruction; what it gives is how the block goes on.
type step func(fr *frame) exit

// An exit says how a block is left: next, if it is not yet; one of those below; or
// for a loop the number that is the loop's, odd for a continue.
type exit int

const (
	next exit = iota
	yielded
	testFalse
	testTrue
	returned
	firstLoop = 16
)

// code is a block.
type code struct {
	steps  []step
	locals bool // makes local variables
}

func (c *code) run(fr *frame) exit {
	m := fr.m
	if m.limited {
		if m.steps -= int64(len(c.steps)); m.steps < 0 {
			panic(stop{ErrSteps})
		}
	}
	top := len(m.locals)
	for _, s := range c.steps {
		if e := s(fr); e != next {
			if c.locals {
				m.locals = m.locals[:top]
			}
			return e
		}
	}
	panic("BUG: a block without a terminator")
}
