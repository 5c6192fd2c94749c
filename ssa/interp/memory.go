package interp

import (
	"errors"
	"fmt"

	"github.com/qdgen/qd/ssa"
)

// Memory is the memory of the caller's slices and pointers.
type Memory interface {
	// Read copies the len(p) bytes at addr to p.
	Read(p []byte, addr uint64) error
	// Write copies p to addr.
	Write(addr uint64, p []byte) error
}

// LocalBase is the lowest address of the interpreter's own variables. The caller's
// are below.
const LocalBase uint64 = 1 << 63

const (
	// wild is what an index out of range gives an address of; what is computed from
	// it stays above, and an access is an error.
	wild uint64 = 3 << 62
	// maxLocals bounds the bytes of the variables of a run.
	maxLocals = 1 << 28
)

var (
	errNil    = errors.New("access through a nil pointer")
	errWild   = errors.New("access with an index out of range")
	errLocals = fmt.Errorf("local variables of more than %d bytes", maxLocals)
	errNone   = errors.New("nothing here can do this")
)

// read copies what is at an address.
func (m *machine) read(in *ssa.Instr, p []byte, addr uint64) {
	if addr >= LocalBase {
		copy(p, m.local(in, addr, len(p)))
		return
	}
	if len(p) == 0 {
		return
	}
	if err := m.reachable(addr); err != nil {
		fail(in, err)
	}
	if err := m.env.Memory.Read(p, addr); err != nil {
		fail(in, err)
	}
}

func (m *machine) write(in *ssa.Instr, addr uint64, p []byte) {
	if addr >= LocalBase {
		copy(m.local(in, addr, len(p)), p)
		return
	}
	if len(p) == 0 {
		return
	}
	if err := m.reachable(addr); err != nil {
		fail(in, err)
	}
	if err := m.env.Memory.Write(addr, p); err != nil {
		fail(in, err)
	}
}

func (m *machine) reachable(addr uint64) error {
	switch {
	case addr == 0:
		return errNil
	case m.env.Memory == nil:
		return errNone
	}
	return nil
}

// local is n bytes of the local variables.
func (m *machine) local(in *ssa.Instr, addr uint64, n int) []byte {
	at := addr - LocalBase
	if addr >= wild || at+uint64(n) > uint64(len(m.locals)) {
		fail(in, errWild)
	}
	return m.locals[at : at+uint64(n)]
}

// newLocal makes a variable.
func (m *machine) newLocal(in *ssa.Instr, init []byte) uint64 {
	at := (len(m.locals) + 15) &^ 15
	end := at + len(init)
	if end > maxLocals {
		fail(in, errLocals)
	}
	if end > cap(m.locals) {
		grown := make([]byte, len(m.locals), max(2*cap(m.locals), end, 1024))
		copy(grown, m.locals)
		m.locals = grown
	}
	m.locals = m.locals[:end]
	copy(m.locals[at:], init)
	return LocalBase + uint64(at)
}

// memory compiles what has to do with memory and slices, else gives nil.
func (c *compiler) memory(in *ssa.Instr) step {
	var x [3]int
	for i, a := range in.Args {
		if i < len(x) {
			x[i] = c.at(a)
		}
	}
	d := -1
	if len(in.Results) > 0 {
		d = c.at(in.Results[0])
	}
	switch in.Op {
	case ssa.OpLocal:
		size := in.Args[0].Type.Size()
		return plain(func(fr *frame) { fr.set(d, fr.m.newLocal(in, fr.b[x[0]:x[0]+size])) })
	case ssa.OpFieldAddr:
		offset := uint64(in.Args[0].Type.(ssa.Pointer).Elem.(*ssa.Struct).Offset(int(in.Index)))
		return plain(func(fr *frame) { fr.set(d, displace(fr.get(x[0]), offset)) })
	case ssa.OpElemAddr:
		a := in.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array)
		n, size := uint64(a.Len), uint64(a.Elem.Size())
		return plain(func(fr *frame) { fr.set(d, element(fr.get(x[0]), fr.get(x[1]), n, size)) })
	case ssa.OpIndexAddr:
		size := uint64(in.Args[0].Type.(ssa.Slice).Elem.Size())
		return plain(func(fr *frame) { fr.set(d, element(fr.get(x[0]), fr.get(x[1]), fr.get(x[0]+8), size)) })
	case ssa.OpSliceOf:
		n := uint64(in.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array).Len)
		return plain(func(fr *frame) {
			fr.set(d, fr.get(x[0]))
			fr.set(d+8, n)
		})
	case ssa.OpSubslice:
		size := uint64(in.Args[0].Type.(ssa.Slice).Elem.Size())
		ends := c.program.endsAtLength(in.Args[0])
		return plain(func(fr *frame) {
			base, n, lo, hi := fr.get(x[0]), fr.get(x[0]+8), fr.get(x[1]), fr.get(x[2])
			switch {
			case lo > hi || int64(hi) < 0 || ends && hi > n: // as unsigned: lo below zero too
				base = wild
			case base != 0:
				base = displace(base, lo*size)
			}
			fr.set(d, base)
			fr.set(d+8, hi-lo)
		})
	case ssa.OpLen:
		return plain(func(fr *frame) { fr.set(d, fr.get(x[0]+8)) })
	case ssa.OpApart:
		sizes := [2]uint64{uint64(in.Args[0].Type.(ssa.Slice).Elem.Size()), uint64(in.Args[1].Type.(ssa.Slice).Elem.Size())}
		return plain(func(fr *frame) {
			a, b := fr.get(x[0]), fr.get(x[1])
			fr.setBool(d, a+fr.get(x[0]+8)*sizes[0] <= b || b+fr.get(x[1]+8)*sizes[1] <= a)
		})
	case ssa.OpIsNil:
		return plain(func(fr *frame) { fr.setBool(d, fr.get(x[0]) == 0) })
	case ssa.OpLoad:
		size := in.Result().Type.Size()
		if b, ok := in.Result().Type.(ssa.Basic); ok {
			return plain(func(fr *frame) {
				fr.m.read(in, fr.b[d:d+size], fr.get(x[0]))
				fr.set(d, extend(b, fr.get(d)))
			})
		}
		return plain(func(fr *frame) { fr.m.read(in, fr.b[d:d+size], fr.get(x[0])) })
	case ssa.OpStore:
		size := in.Args[1].Type.Size()
		return plain(func(fr *frame) { fr.m.write(in, fr.get(x[0]), fr.b[x[1]:x[1]+size]) })
	case ssa.OpCopy:
		size := uint64(in.Args[0].Type.(ssa.Slice).Elem.Size())
		return plain(func(fr *frame) {
			n := min(fr.get(x[0]+8), fr.get(x[1]+8))
			if bytes := make([]byte, n*size); n > 0 {
				fr.m.read(in, bytes, fr.get(x[1]))
				fr.m.write(in, fr.get(x[0]), bytes)
			}
			fr.set(d, n)
		})
	case ssa.OpCopyRow:
		size := int(in.Len) * in.Args[0].Type.(ssa.Pointer).Elem.Size()
		return plain(func(fr *frame) {
			bytes := make([]byte, size)
			fr.m.read(in, bytes, fr.get(x[1]))
			fr.m.write(in, fr.get(x[0]), bytes)
		})
	case ssa.OpAtomic:
		return c.atomic(in)
	}
	return nil
}

// displace adds to an address. Nil plus something is an address that is no one's.
func displace(addr, by uint64) uint64 {
	if addr == 0 && by != 0 {
		return wild
	}
	return addr + by
}

func element(base, i, n, size uint64) uint64 {
	if i >= n { // below zero too
		return wild
	}
	return displace(base, i*size)
}

// atomicOps are the operations by which atomic ones make one number of two.
var atomicOps = map[ssa.Atomic]ssa.Op{ssa.AtomicAdd: ssa.OpAdd, ssa.AtomicMin: ssa.OpMin, ssa.AtomicMax: ssa.OpMax,
	ssa.AtomicAnd: ssa.OpAnd, ssa.AtomicOr: ssa.OpOr, ssa.AtomicXor: ssa.OpXor}

// atomic compiles a read-modify-write: of a run that has its memory alone.
func (c *compiler) atomic(in *ssa.Instr) step {
	t := in.Result().Type
	size, d, p, x := t.Size(), c.at(in.Result()), c.at(in.Args[0]), c.at(in.Args[1])
	exchange := func(fr *frame, new func(old uint64) uint64) {
		m, addr := fr.m, fr.get(p)
		b, _ := t.(ssa.Basic)
		clear(m.buf[:])
		m.read(in, m.buf[:size], addr)
		word := frame{b: m.buf[:]}
		old := extend(b, word.get(0))
		word.set(0, new(old))
		m.write(in, addr, m.buf[:size])
		fr.set(d, old)
	}
	switch in.Atomic {
	case ssa.AtomicExch:
		return plain(func(fr *frame) { exchange(fr, func(uint64) uint64 { return fr.get(x) }) })
	case ssa.AtomicCAS:
		to := c.at(in.Args[2])
		same := equal(t)
		return plain(func(fr *frame) {
			exchange(fr, func(old uint64) uint64 {
				word := frame{b: make([]byte, 8)}
				word.set(0, old)
				if same(word.b[:size], fr.b[x:x+size]) {
					return fr.get(to)
				}
				return old
			})
		})
	}
	f := operation(atomicOps[in.Atomic], t)
	return plain(func(fr *frame) { exchange(fr, func(old uint64) uint64 { return f(old, fr.get(x)) }) })
}

// endsAtLength reports whether nothing that belongs to a slice is behind its elements: it is an argument of the run.
func (p *program) endsAtLength(v *ssa.Value) bool {
	return v.Def == nil && v.Block.Owner == nil && v.Block.Func == p.entry || v.Def != nil && v.Def.Op == ssa.OpZero
}
