package ssa

import "math/bits"

// isAggregate reports whether the op makes an aggregate or takes a part of one.
func (in *Instr) isAggregate() bool {
	switch in.Op {
	case OpZero, OpMake, OpField, OpElem:
		return true
	}
	return false
}

// aggregate folds an operation on an aggregate: the value that its result always
// equals, or nil. The part of a zero value becomes a zero in place.
func (fd *folder) aggregate(in *Instr) *Value {
	switch in.Op {
	case OpMake:
		return in.remade()
	case OpField, OpElem:
		from := in.Args[0].Def
		if from == nil {
			return nil
		}
		switch from.Op {
		case OpZero:
			in.becomeZero()
			fd.changed = true
		case OpMake:
			k := in.Index
			if in.Op == OpElem {
				c, ok := in.Args[1].Const()
				if !ok || c.Int() < 0 || c.Int() >= int64(len(from.Args)) {
					return nil
				}
				k = int(c.Int())
			}
			return from.Args[k]
		}
	}
	return nil
}

// becomeZero turns an instruction of one result into the zero value of its type.
func (in *Instr) becomeZero() {
	if isConstType(in.Result().Type) {
		in.become(Const{})
		return
	}
	in.Op, in.Args, in.Index = OpZero, nil, 0
}

// remade is the struct all of whose fields, in order, an OpMake puts together
// again, or nil.
func (in *Instr) remade() *Value {
	var whole *Value
	for i, a := range in.Args {
		d := a.Def
		if d == nil || d.Op != OpField || d.Index != i || whole != nil && d.Args[0] != whole {
			return nil
		}
		whole = d.Args[0]
	}
	if whole == nil || whole.Type != in.Result().Type {
		return nil
	}
	return whole
}

// simplifyLen is about the length of a slice whose origin tells it.
func (in *Instr) simplifyLen() (changed bool) {
	d := in.Args[0].Def
	if d == nil {
		return false
	}
	n := 0
	switch d.Op {
	case OpSubslice:
		in.Op, in.Args = OpSub, []*Value{d.Args[2], d.Args[1]}
		return true
	case OpSliceOf:
		n = d.Args[0].Type.(Pointer).Elem.(Array).Len
	case OpShared:
		n = d.Len
	case OpZero:
	default:
		return false
	}
	in.become(IntConst(Int64, uint64(n)))
	return true
}

// simplifyIsNil is about a slice whose origin tells whether it is nil. A part of a
// slice is nil if the slice is.
func (in *Instr) simplifyIsNil() (changed bool) {
	d := in.Args[0].Def
	if d == nil {
		return false
	}
	switch d.Op {
	case OpSubslice:
		in.Args = d.Args[:1:1]
	case OpSliceOf, OpShared:
		in.become(BoolConst(false))
	case OpZero:
		in.become(BoolConst(true))
	default:
		return false
	}
	return true
}

// holdsFloats reports whether a value of the type may differ from itself, by a NaN.
func holdsFloats(t Type) bool {
	switch t := t.(type) {
	case Array:
		return holdsFloats(t.Elem)
	case *Struct:
		for _, f := range t.Fields {
			if holdsFloats(f.Type) {
				return true
			}
		}
	}
	return IsFloat(t)
}

// evalBits computes an OpBits on a constant.
func evalBits(op BitsOp, t Type, x Const) Const {
	width := Bits(t)
	switch op {
	case BitsLen:
		return Const{bits: uint64(bits.Len64(x.bits))}
	case BitsTrailingZeros:
		return Const{bits: uint64(min(bits.TrailingZeros64(x.bits), width))}
	case BitsOnesCount:
		return Const{bits: uint64(bits.OnesCount64(x.bits))}
	case BitsReverse:
		return Const{bits: bits.Reverse64(x.bits) >> (64 - width)}
	default:
		return Const{bits: bits.ReverseBytes64(x.bits) >> (64 - width)}
	}
}
