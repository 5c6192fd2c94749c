package interp

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/qdgen/qd/ssa"
)

// Scalar is the bytes of a number or a bool of type t.
func Scalar(t ssa.Type, c ssa.Const) []byte {
	return binary.LittleEndian.AppendUint64(nil, c.Uint())[:t.Size()]
}

// ToConst is the number or the bool of type t that has the bytes.
func ToConst(t ssa.Type, p []byte) ssa.Const {
	return constant(t, extend(t.(ssa.Basic), word(p[:t.Size()])))
}

// constant is a Const of the bits that one has.
func constant(t ssa.Type, bits uint64) ssa.Const {
	switch {
	case t == ssa.Bool:
		return ssa.BoolConst(bits != 0)
	case t == ssa.Float32:
		return ssa.Float32Const(math.Float32frombits(uint32(bits)))
	case t == ssa.Float64:
		return ssa.Float64Const(math.Float64frombits(bits))
	}
	return ssa.IntConst(t, bits)
}

// SliceArg is the bytes of a slice of n elements at an address.
func SliceArg(addr uint64, n int) []byte {
	p := binary.LittleEndian.AppendUint64(nil, addr)
	return binary.LittleEndian.AppendUint64(p, uint64(n))
}

// Buffers is a [Memory] of Go byte slices, for tests: what is read and written must
// lie in one of them.
type Buffers struct{ buffers [][]byte }

// Add gives a byte slice an address, from which it is read and written in place.
func (b *Buffers) Add(p []byte) (addr uint64) {
	b.buffers = append(b.buffers, p)
	return uint64(len(b.buffers)) << bufferShift
}

// AddShared gives the memory of an OpShared an address, which is what an [Env] needs of it where each run has its own.
// Memory that a program has to write before it reads is not zero.
func (b *Buffers) AddShared(in *ssa.Instr) (addr uint64, err error) {
	fill := byte(0)
	if in.Storage == ssa.ScratchStorage || in.Storage == ssa.RegisterStorage {
		fill = 0xb5 // whoever reads what was not written finds this
	}
	return b.Add(bytes.Repeat([]byte{fill}, int(in.Len)*in.Result().Type.(ssa.Slice).Elem.Size())), nil
}

// bufferShift is how the addresses of buffers are apart.
const bufferShift = 40

func (b *Buffers) at(addr uint64, n int) ([]byte, error) {
	i, offset := addr>>bufferShift, addr&(1<<bufferShift-1)
	if i == 0 || i > uint64(len(b.buffers)) || offset+uint64(n) > uint64(len(b.buffers[i-1])) {
		return nil, fmt.Errorf("access of %d bytes at %#x, outside of all buffers", n, addr)
	}
	return b.buffers[i-1][offset : offset+uint64(n)], nil
}

// Of is the byte slice in which an address lies, and its own address. There is none of an address that is nobody's.
func (b *Buffers) Of(addr uint64) (base uint64, p []byte) {
	i := addr >> bufferShift
	if i == 0 || i > uint64(len(b.buffers)) {
		return 0, nil
	}
	return i << bufferShift, b.buffers[i-1]
}

// Read implements [Memory].
func (b *Buffers) Read(p []byte, addr uint64) error {
	from, err := b.at(addr, len(p))
	copy(p, from)
	return err
}

// Write implements [Memory].
func (b *Buffers) Write(addr uint64, p []byte) error {
	to, err := b.at(addr, len(p))
	copy(to, p)
	return err
}
