package interp

import (
	"fmt"
	"math/bits"

	"github.com/qdgen/qd/ssa"
)

// value compiles what computes values from values.
func (c *compiler) value(in *ssa.Instr) step {
	switch in.Op {
	case ssa.OpMath:
		return c.math(in)
	case ssa.OpMulWide:
		x, y, hi, lo := c.at(in.Args[0]), c.at(in.Args[1]), c.at(in.Results[0]), c.at(in.Results[1])
		return plain(func(fr *frame) {
			h, l := bits.Mul64(fr.get(x), fr.get(y))
			fr.set(hi, h)
			fr.set(lo, l)
		})
	case ssa.OpDivWide:
		x, y, z, quo, rem := c.at(in.Args[0]), c.at(in.Args[1]), c.at(in.Args[2]), c.at(in.Results[0]), c.at(in.Results[1])
		return plain(func(fr *frame) {
			q, r := ssa.DivWide(fr.get(x), fr.get(y), fr.get(z))
			fr.set(quo, q)
			fr.set(rem, r)
		})
	case ssa.OpEq, ssa.OpNe:
		if _, ok := in.Args[0].Type.(ssa.Basic); !ok {
			return c.compare(in)
		}
	}
	d := c.at(in.Result())
	t := in.Result().Type
	switch in.Op {
	case ssa.OpConst:
		if t == ssa.String {
			return plain(func(fr *frame) {})
		}
		bits := in.Const.Uint()
		return plain(func(fr *frame) { fr.set(d, bits) })
	case ssa.OpZero:
		size := room(t)
		return plain(func(fr *frame) { clear(fr.b[d : d+size]) })
	case ssa.OpMake:
		return c.make(in)
	case ssa.OpField:
		s := in.Args[0].Type.(*ssa.Struct)
		from := c.at(in.Args[0]) + s.Offset(int(in.Index))
		size := t.Size()
		return plain(func(fr *frame) { fr.setBytes(d, t, fr.b[from:from+size]) })
	case ssa.OpElem:
		a := in.Args[0].Type.(ssa.Array)
		from, at, size := c.at(in.Args[0]), c.at(in.Args[1]), t.Size()
		n := uint64(a.Len)
		zero := make([]byte, size)
		return plain(func(fr *frame) {
			i := fr.get(at)
			if i >= n { // below zero too: anything, but always the same
				fr.setBytes(d, t, zero)
				return
			}
			p := from + int(i)*size
			fr.setBytes(d, t, fr.b[p:p+size])
		})
	case ssa.OpConvert:
		x, f := c.at(in.Args[0]), conversion(t, in.Args[0].Type)
		return plain(func(fr *frame) { fr.set(d, f(fr.get(x))) })
	case ssa.OpBitcast, ssa.OpOpaque:
		x := c.at(in.Args[0])
		return plain(func(fr *frame) { fr.set(d, fr.get(x)) })
	case ssa.OpBits:
		x, f := c.at(in.Args[0]), bitsOf(in.Bits, in.Args[0].Type)
		return plain(func(fr *frame) { fr.set(d, f(fr.get(x))) })
	case ssa.OpNeg, ssa.OpCom, ssa.OpNot:
		x, f := c.at(in.Args[0]), operation(in.Op, in.Args[0].Type)
		return plain(func(fr *frame) { fr.set(d, f(fr.get(x), 0)) })
	}
	if len(in.Args) != 2 {
		panic(fmt.Sprintf("BUG: cannot run %v", in.Op))
	}
	x, y := c.at(in.Args[0]), c.at(in.Args[1])
	if in.Args[0].Type == ssa.Int64 {
		if s := onInt64(in.Op, d, x, y); s != nil {
			return s
		}
	}
	f := operation(in.Op, in.Args[0].Type)
	return plain(func(fr *frame) { fr.set(d, f(fr.get(x), fr.get(y))) })
}

// onInt64 compiles what indices are mostly computed by without a call.
func onInt64(op ssa.Op, d, x, y int) step {
	switch op {
	case ssa.OpAdd:
		return plain(func(fr *frame) { fr.set(d, fr.get(x)+fr.get(y)) })
	case ssa.OpSub:
		return plain(func(fr *frame) { fr.set(d, fr.get(x)-fr.get(y)) })
	case ssa.OpMul:
		return plain(func(fr *frame) { fr.set(d, fr.get(x)*fr.get(y)) })
	case ssa.OpLt:
		return plain(func(fr *frame) { fr.setBool(d, int64(fr.get(x)) < int64(fr.get(y))) })
	}
	return nil
}

// make compiles an OpMake: each part is copied to where it lies in memory, and what
// is between them is zero.
func (c *compiler) make(in *ssa.Instr) step {
	d, size := c.at(in.Result()), room(in.Result().Type)
	type part struct{ from, to, size int }
	parts := make([]part, len(in.Args))
	for i, a := range in.Args {
		offset := 0
		switch t := in.Result().Type.(type) {
		case *ssa.Struct:
			offset = t.Offset(i)
		case ssa.Array:
			offset = i * t.Elem.Size()
		}
		parts[i] = part{c.at(a), d + offset, a.Type.Size()}
	}
	return plain(func(fr *frame) {
		clear(fr.b[d : d+size])
		for _, p := range parts {
			copy(fr.b[p.to:p.to+p.size], fr.b[p.from:p.from+p.size])
		}
	})
}

// compare compiles == and != of pointers and aggregates.
func (c *compiler) compare(in *ssa.Instr) step {
	t := in.Args[0].Type
	d, x, y, size := c.at(in.Result()), c.at(in.Args[0]), c.at(in.Args[1]), t.Size()
	same, want := equal(t), in.Op == ssa.OpEq
	return plain(func(fr *frame) { fr.setBool(d, same(fr.b[x:x+size], fr.b[y:y+size]) == want) })
}

// equal compares two values of a type by their bytes in memory.
func equal(t ssa.Type) func(a, b []byte) bool {
	switch t := t.(type) {
	case ssa.Array:
		same, size := equal(t.Elem), t.Elem.Size()
		return func(a, b []byte) bool {
			for i := range t.Len {
				if !same(a[i*size:(i+1)*size], b[i*size:(i+1)*size]) {
					return false
				}
			}
			return true
		}
	case *ssa.Struct:
		fields := make([]func(a, b []byte) bool, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = equal(f.Type)
		}
		return func(a, b []byte) bool {
			for i, f := range t.Fields {
				at := t.Offset(i)
				end := at + f.Type.Size()
				if f.Name != "_" && !fields[i](a[at:end], b[at:end]) {
					return false
				}
			}
			return true
		}
	case ssa.Basic:
		if ssa.IsFloat(t) {
			f := operation(ssa.OpEq, t)
			return func(a, b []byte) bool { return f(word(a), word(b)) != 0 }
		}
	}
	return func(a, b []byte) bool { return string(a) == string(b) }
}

// word is up to eight bytes as a number.
func word(p []byte) uint64 {
	var x uint64
	for i, b := range p {
		x |= uint64(b) << (8 * i)
	}
	return x
}
