package opt

import "github.com/qdgen/qd/ssa"

// isAggregate reports whether the op makes an aggregate or takes a part of one.
func isAggregate(in *ssa.Instr) bool {
	switch in.Op {
	case ssa.OpZero, ssa.OpMake, ssa.OpField, ssa.OpElem:
		return true
	}
	return false
}

// aggregate folds an operation on an aggregate: the value that its result always
// equals, or nil. The part of a zero value becomes a zero in place.
func (fd *folder) aggregate(in *ssa.Instr) *ssa.Value {
	switch in.Op {
	case ssa.OpMake:
		return remade(in)
	case ssa.OpField, ssa.OpElem:
		from := in.Args[0].Def
		if from == nil {
			return nil
		}
		switch from.Op {
		case ssa.OpZero:
			becomeZero(in)
			fd.changed = true
		case ssa.OpMake:
			k := int(in.Index)
			if in.Op == ssa.OpElem {
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
func becomeZero(in *ssa.Instr) {
	if ssa.IsConstType(in.Result().Type) {
		become(in, ssa.Const{})
		return
	}
	in.Op, in.Args, in.Index = ssa.OpZero, nil, 0
}

// remade is the struct all of whose fields, in order, an OpMake puts together
// again, or nil.
func remade(in *ssa.Instr) *ssa.Value {
	var whole *ssa.Value
	for i, a := range in.Args {
		d := a.Def
		if d == nil || d.Op != ssa.OpField || int(d.Index) != i || whole != nil && d.Args[0] != whole {
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
func simplifyLen(in *ssa.Instr) (changed bool) {
	d := in.Args[0].Def
	if d == nil {
		return false
	}
	n := 0
	switch d.Op {
	case ssa.OpSubslice:
		in.Op, in.Args = ssa.OpSub, []*ssa.Value{d.Args[2], d.Args[1]}
		return true
	case ssa.OpSliceOf:
		n = d.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array).Len
	case ssa.OpShared:
		n = int(d.Len)
	case ssa.OpZero:
	default:
		return false
	}
	become(in, ssa.IntConst(ssa.Int64, uint64(n)))
	return true
}

// simplifyIsNil is about a slice whose origin tells whether it is nil. A part of a
// slice is nil if the slice is.
func simplifyIsNil(in *ssa.Instr) (changed bool) {
	d := in.Args[0].Def
	if d == nil {
		return false
	}
	switch d.Op {
	case ssa.OpSubslice:
		in.Args = d.Args[:1:1]
	case ssa.OpSliceOf, ssa.OpShared:
		become(in, ssa.BoolConst(false))
	case ssa.OpZero:
		become(in, ssa.BoolConst(true))
	default:
		return false
	}
	return true
}

// holdsFloats reports whether a value of the type may differ from itself, by a NaN.
func holdsFloats(t ssa.Type) bool {
	switch t := t.(type) {
	case ssa.Array:
		return holdsFloats(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if holdsFloats(f.Type) {
				return true
			}
		}
	}
	return ssa.IsFloat(t)
}
