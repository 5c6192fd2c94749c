package gradient

import (
	"math"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// This file is about values that are computed in front of a branch, or a loop, and used in it only. Where the branch is
// not taken, nothing depends on such a value, so that its derivative must not matter, even if it is infinite or NaN, as
// that of a root of a negative number. There its adjoint is zero. But zero times an infinity is NaN: a rule is used
// only where the adjoint is not zero.

// mayBeNone reports whether an adjoint may be the zero of a branch in which nothing depends on its value.
func (r *sweep) mayBeNone(a *ssa.Value) bool {
	if none, ok := r.none[a]; ok {
		return none
	}
	none := false
	switch in := a.Def; {
	case in == nil: // of a loop: no turn has asked for it, if it is zero at first
		if owner := a.Block.Owner; owner != nil && owner.Op == ssa.OpLoop {
			none = r.mayBeNone(owner.Args[a.Index()])
		}
	case in.Op == ssa.OpConst || in.Op == ssa.OpZero:
		none = isZero(a)
	case in.Op == ssa.OpIf:
		for _, b := range in.Blocks {
			none = none || r.mayBeNone(b.Terminator().Args[a.Index()])
		}
	case in.Op == ssa.OpLoop: // it may not have run
		none = r.mayBeNone(in.Args[a.Index()])
	case in.Op == ssa.OpAdd || in.Op == ssa.OpSub || in.Op == ssa.OpMake:
		none = true
		for _, x := range in.Args {
			none = none && r.mayBeNone(x)
		}
	case in.Op == ssa.OpMul:
		none = r.mayBeNone(in.Args[0]) && isFinite(in.Args[1]) || r.mayBeNone(in.Args[1]) && isFinite(in.Args[0])
	case in.Op == ssa.OpDiv:
		none = r.mayBeNone(in.Args[0]) && isFinite(in.Args[1])
	case in.Op == ssa.OpLoad: // of what a variable holds
		none = in.Args[0].Root().IsLocal()
	case in.Op == ssa.OpNeg || in.Op == ssa.OpConvert || in.Op == ssa.OpField || in.Op == ssa.OpElem:
		none = r.mayBeNone(in.Args[0])
	}
	r.none[a] = none
	return none
}

// noneWhere is a condition under which an adjoint is the zero of a branch, which has no derivative either; nil if there is
// none that is known here. There may be other cases.
func (r *sweep) noneWhere(a *ssa.Value) *ssa.Value {
	in := a.Def
	if in == nil {
		return nil
	}
	switch in.Op {
	case ssa.OpIf:
		k := a.Index()
		switch then, els := in.Then().Terminator(), in.Else().Terminator(); {
		case isZero(then.Args[k]):
			return in.Args[0]
		case isZero(els.Args[k]):
			return r.op(ssa.OpNot, ssa.Bool, in.Args[0])
		}
	case ssa.OpAdd, ssa.OpSub:
		x, y := r.noneWhere(in.Args[0]), r.noneWhere(in.Args[1])
		if x != nil && y != nil {
			return r.op(ssa.OpAnd, ssa.Bool, x, y)
		}
	case ssa.OpNeg, ssa.OpConvert:
		return r.noneWhere(in.Args[0])
	case ssa.OpMul, ssa.OpDiv:
		if none := r.noneWhere(in.Args[0]); none != nil || in.Op == ssa.OpDiv {
			return none
		}
		return r.noneWhere(in.Args[1])
	}
	return nil
}

// isFiniteRule reports whether what a rule gives is finite wherever the adjoint is.
func isFiniteRule(rule string, in *ssa.Instr) bool {
	if !strings.ContainsAny(rule, "*/") { // it chooses, or adds
		return true
	}
	switch in.Op {
	case ssa.OpMul:
		return isFinite(in.Args[0]) && rule == "a * x" || isFinite(in.Args[1]) && rule == "a * y"
	case ssa.OpDiv:
		c, ok := in.Args[1].Const()
		return ok && rule == "a / y" && c.Float(in.Args[1].Type) != 0
	}
	return false
}

// isFinite reports whether a float is known to be neither an infinity nor NaN.
func isFinite(v *ssa.Value) bool {
	if c, ok := v.Const(); ok {
		x := c.Float(v.Type)
		return x-x == 0 && math.Abs(x) < math.MaxFloat64
	}
	return v.Def != nil && v.Def.Op == ssa.OpConvert && ssa.IsInteger(v.Def.Args[0].Type)
}

// someOf is whether any float of some adjoints is not zero, nil if one of them is not the zero of a branch.
func (r *sweep) someOf(adjoints []*ssa.Value) (some *ssa.Value) {
	for _, a := range adjoints {
		if hasFloats(a.Type) && !r.mayBeNone(a) {
			return nil
		}
	}
	var each func(v *ssa.Value)
	each = func(v *ssa.Value) {
		if ssa.IsFloat(v.Type) {
			is := r.op(ssa.OpNe, ssa.Bool, v, r.zero(v.Type))
			if some != nil {
				is = r.op(ssa.OpOr, ssa.Bool, some, is)
			}
			some = is
			return
		}
		for i := range parts(v.Type) {
			if hasFloats(partType(v.Type, i)) {
				each(r.part(v, i))
			}
		}
	}
	for _, a := range adjoints {
		if isHalf(a.Type) || isLong(a.Type) {
			return nil
		}
		each(a)
	}
	return some
}
