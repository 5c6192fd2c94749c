package emit_test

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/qdgen/qd/ssa"
)

// A machine runs SSA: what the emitted text must do too.
type machine struct {
	flat  uint64
	steps int
}

// A datum is a value: the bits of a scalar, the bytes of a struct or an array, or
// where a pointer or a slice points to. Structs hold no pointers here.
type datum struct {
	bits  uint64
	bytes []byte
	in    *array // nil for nil
	at    int    // in bytes
	len   int
}

func scalar(bits uint64) datum { return datum{bits: bits} }

// read takes a value of a type out of bytes, write puts one in.
func read(t ssa.Type, from []byte) datum {
	if ssa.IsAggregate(t) {
		return datum{bytes: append([]byte(nil), from[:t.Size()]...)}
	}
	var b [8]byte
	copy(b[:], from[:t.Size()])
	return scalar(*(*uint64)(unsafe.Pointer(&b)))
}

func write(t ssa.Type, to []byte, x datum) {
	if ssa.IsAggregate(t) {
		copy(to[:t.Size()], x.bytes)
		return
	}
	b := *(*[8]byte)(unsafe.Pointer(&x.bits))
	copy(to[:t.Size()], b[:])
}

// leaves calls f for each scalar in a value of type t that begins at a place; blank fields
// are none if named is set.
func leaves(t ssa.Type, at int, named bool, f func(t ssa.Type, at int)) {
	switch t := t.(type) {
	case *ssa.Struct:
		for i, field := range t.Fields {
			if !named || field.Name != "_" {
				leaves(field.Type, at+t.Offset(i), named, f)
			}
		}
	case ssa.Array:
		for i := range t.Len {
			leaves(t.Elem, at+i*t.Elem.Size(), named, f)
		}
	default:
		f(t, at)
	}
}

func zero(t ssa.Type) datum {
	if ssa.IsAggregate(t) {
		return datum{bytes: make([]byte, t.Size())}
	}
	return datum{}
}

// equal is Go's ==.
func equal(t ssa.Type, a, b datum) bool {
	switch t.(type) {
	case ssa.Basic:
		return goOp(ssa.OpEq, t, a.bits, b.bits) != 0
	case ssa.Pointer:
		return a.in == b.in && a.at == b.at
	}
	same := true
	leaves(t, 0, true, func(t ssa.Type, at int) {
		same = same && equal(t, read(t, a.bytes[at:]), read(t, b.bytes[at:]))
	})
	return same
}

// frame is a running function.
type frame struct {
	m      *machine
	values map[*ssa.Value]datum
}

// leaving says how a block was left: by its terminator, with these values.
type leaving struct {
	by   *ssa.Instr
	args []datum
}

func (m *machine) call(f *ssa.Func, args []datum) []datum {
	fr := &frame{m, make(map[*ssa.Value]datum)}
	fr.set(f.Params(), args)
	return fr.block(f.Body).args
}

func (fr *frame) set(vs []*ssa.Value, xs []datum) {
	for i, v := range vs {
		fr.values[v] = xs[i]
	}
}

func (fr *frame) get(vs []*ssa.Value) []datum {
	xs := make([]datum, len(vs))
	for i, v := range vs {
		xs[i] = fr.values[v]
	}
	return xs
}

func (fr *frame) block(b *ssa.Block) leaving {
	for _, in := range b.Instrs {
		if fr.m.steps++; fr.m.steps > 1e6 {
			panic("the program does not end")
		}
		switch {
		case in.Op == ssa.OpUnreachable, in.Op == ssa.OpPanic:
			panic(in.Op.String() + " was reached")
		case in.Op.IsTerminator():
			return leaving{in, fr.get(in.Args)}
		case in.Op == ssa.OpIf:
			taken := in.Else()
			if fr.values[in.Args[0]].bits != 0 {
				taken = in.Then()
			}
			out := fr.block(taken)
			if out.by.Op != ssa.OpYield {
				return out
			}
			fr.set(in.Results, out.args)
		case in.Op == ssa.OpLoop:
			if out, left := fr.loop(in); left {
				return out
			}
		default:
			fr.set(in.Results, fr.eval(in))
		}
	}
	panic("a block without a terminator")
}

// loop runs a loop; left tells that it was left for further out.
func (fr *frame) loop(in *ssa.Instr) (out leaving, left bool) {
	vars := fr.get(in.Args)
	for {
		fr.set(in.Cond().Params, vars)
		if out = fr.block(in.Cond()); out.args[0].bits == 0 {
			fr.set(in.Results, vars)
			return out, false
		}
		switch out = fr.block(in.Do()); {
		case out.by.Op == ssa.OpContinue && out.by.Target == in:
			fr.set(in.Post().Params, out.args)
			vars = fr.block(in.Post()).args
		case out.by.Op == ssa.OpBreak && out.by.Target == in:
			fr.set(in.Results, out.args)
			return out, false
		default:
			return out, true
		}
	}
}

func (fr *frame) eval(in *ssa.Instr) []datum {
	x := fr.get(in.Args)
	var t, r ssa.Type
	if len(in.Args) > 0 {
		t = in.Args[0].Type
	}
	if len(in.Results) == 1 {
		r = in.Results[0].Type
	}
	one := func(bits uint64) []datum { return []datum{scalar(bits)} }
	switch in.Op {
	case ssa.OpConst:
		bits := in.Const.Uint()
		if ssa.IsInteger(r) {
			bits &= ^uint64(0) >> (64 - ssa.Bits(r))
		}
		return one(bits)
	case ssa.OpShl, ssa.OpShr:
		return one(goShift(in.Op, t, x[0].bits, extend(in.Args[1].Type, x[1].bits)))
	case ssa.OpConvert:
		return one(goConvert(r, t, x[0].bits))
	case ssa.OpEq, ssa.OpNe:
		return one(toBits(equal(t, x[0], x[1]) == (in.Op == ssa.OpEq)))
	case ssa.OpThreadID:
		return one(fr.m.flat)
	case ssa.OpCall:
		return fr.m.call(in.Callee, x)
	case ssa.OpBits:
		return one(goBits(in.Bits, t, x[0].bits))
	case ssa.OpMulWide:
		hi, lo := bits.Mul64(x[0].bits, x[1].bits)
		return []datum{scalar(hi), scalar(lo)}
	case ssa.OpDivWide:
		if x[2].bits <= x[0].bits {
			return []datum{scalar(0), scalar(0)}
		}
		quo, rem := bits.Div64(x[0].bits, x[1].bits, x[2].bits)
		return []datum{scalar(quo), scalar(rem)}
	case ssa.OpOpaque:
		return one(x[0].bits)
	case ssa.OpNeg, ssa.OpCom, ssa.OpNot:
		return one(goOp(in.Op, t, x[0].bits, 0))
	case ssa.OpZero, ssa.OpMake, ssa.OpField, ssa.OpElem:
		return []datum{aggregate(in, x, t, r)}
	case ssa.OpLocal, ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpIndexAddr, ssa.OpSliceOf, ssa.OpSubslice:
		return []datum{address(in, x, t)}
	case ssa.OpLen:
		return one(uint64(x[0].len))
	case ssa.OpIsNil:
		return one(toBits(x[0].in == nil))
	case ssa.OpApart:
		end := func(i int) int { return x[i].at + x[i].len*in.Args[i].Type.(ssa.Slice).Elem.Size() }
		return one(toBits(x[0].in == nil || x[1].in == nil || x[0].in != x[1].in || end(0) <= x[1].at || end(1) <= x[0].at))
	case ssa.OpLoad:
		return []datum{read(r, x[0].in.data[x[0].at:])}
	case ssa.OpStore:
		write(in.Args[1].Type, x[0].in.data[x[0].at:], x[1])
		return nil
	case ssa.OpCopy:
		n, size := min(x[0].len, x[1].len), t.(ssa.Slice).Elem.Size()
		if n > 0 {
			copy(x[0].in.data[x[0].at:x[0].at+n*size], x[1].in.data[x[1].at:])
		}
		return one(uint64(n))
	case ssa.OpCheck:
		if ok := x[0].bits != 0; in.Check == ssa.CheckAssert && !ok || in.Check == ssa.CheckIndex && x[0].bits >= x[1].bits {
			panic("a check fails")
		}
		return nil
	case ssa.OpAtomic:
		return one(atomic(in, x))
	}
	if len(x) == 2 {
		return one(goOp(in.Op, t, x[0].bits, x[1].bits))
	}
	panic(fmt.Sprint("cannot run ", in.Op))
}

// aggregate makes structs and arrays and takes them apart.
func aggregate(in *ssa.Instr, x []datum, t, r ssa.Type) datum {
	switch in.Op {
	case ssa.OpZero:
		return zero(r)
	case ssa.OpField:
		return read(r, x[0].bytes[t.(*ssa.Struct).Offset(int(in.Index)):])
	case ssa.OpElem:
		return read(r, x[0].bytes[int(x[1].bits)*r.Size():])
	}
	out := zero(r)
	for i, part := range x {
		at := 0
		switch r := r.(type) {
		case *ssa.Struct:
			at = r.Offset(i)
		case ssa.Array:
			at = i * r.Elem.Size()
		}
		write(in.Args[i].Type, out.bytes[at:], part)
	}
	return out
}

// address makes pointers and slices.
func address(in *ssa.Instr, x []datum, t ssa.Type) datum {
	out := x[0]
	switch in.Op {
	case ssa.OpLocal:
		out = datum{in: newArray(1, t.Size())}
		write(t, out.in.data, x[0])
	case ssa.OpFieldAddr:
		out.at += t.(ssa.Pointer).Elem.(*ssa.Struct).Offset(int(in.Index))
	case ssa.OpElemAddr:
		out.at += int(x[1].bits) * t.(ssa.Pointer).Elem.(ssa.Array).Elem.Size()
	case ssa.OpIndexAddr:
		out.at += int(x[1].bits) * t.(ssa.Slice).Elem.Size()
		out.len = 0
	case ssa.OpSliceOf:
		out.len = t.(ssa.Pointer).Elem.(ssa.Array).Len
	case ssa.OpSubslice:
		out.at += int(x[1].bits) * t.(ssa.Slice).Elem.Size()
		out.len = int(x[2].bits - x[1].bits)
	}
	return out
}

func atomic(in *ssa.Instr, x []datum) uint64 {
	t := in.Args[1].Type
	at := x[0].in.data[x[0].at:]
	old := read(t, at).bits
	o, ok := map[ssa.Atomic]ssa.Op{ssa.AtomicAdd: ssa.OpAdd, ssa.AtomicMin: ssa.OpMin, ssa.AtomicMax: ssa.OpMax,
		ssa.AtomicAnd: ssa.OpAnd, ssa.AtomicOr: ssa.OpOr, ssa.AtomicXor: ssa.OpXor}[in.Atomic]
	switch {
	case ok:
		write(t, at, scalar(goOp(o, t, old, x[1].bits)))
	case in.Atomic == ssa.AtomicExch:
		write(t, at, x[1])
	case old == x[1].bits: // cas
		write(t, at, x[2])
	}
	return old
}
