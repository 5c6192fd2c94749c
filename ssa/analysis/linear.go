package analysis

import "github.com/qdgen/qd/ssa"

// PlusConst is an integer as a value plus a constant. Constants whose difference is a multiple of the numbers of the type are
// the same there: v-1 and v+255 of a uint8.
func PlusConst(v *ssa.Value) (base *ssa.Value, c int64) {
	if v.Def == nil || v.Def.Op != ssa.OpAdd && v.Def.Op != ssa.OpSub {
		return v, 0
	}
	x, y := v.Def.Args[0], v.Def.Args[1]
	if v.Def.Op == ssa.OpAdd && ssa.IsConst(x) {
		x, y = y, x
	}
	n, ok := y.Const()
	switch {
	case !ok:
		return v, 0
	case v.Def.Op == ssa.OpSub:
		return x, -n.Int()
	}
	return x, n.Int()
}

// Stride is how much an integer is more in the next thread of a row, if that is a constant. A row is the
// threads, or the lanes, whose indices differ in the last axis.
func Stride(v *ssa.Value) (int64, bool) {
	steps := maxStrideSteps
	return stride(v, &steps)
}

// maxStrideSteps is how many values are looked at: a sum of sums of the same values could have more
// paths than anybody can walk.
const maxStrideSteps = 100

func stride(v *ssa.Value, steps *int) (int64, bool) {
	if *steps--; *steps < 0 {
		return 0, false
	}
	in := v.Def
	if in == nil {
		if o := v.Block.Owner; o != nil {
			return 1, o.Op == ssa.OpFor && v == v.Block.Params[len(v.Block.Params)-1]
		}
		return 0, v.Block.Func.Kernel
	}
	switch in.Op {
	case ssa.OpConst, ssa.OpThreadDim, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpLen:
		return 0, true
	case ssa.OpLane:
		return 1, true
	case ssa.OpThreadID:
		if in.Axis == in.Rank-1 {
			return 1, true
		}
		return 0, true
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
	default:
		return 0, false
	}
	x, ok := stride(in.Args[0], steps)
	if !ok {
		return 0, false
	}
	y, ok := stride(in.Args[1], steps)
	if !ok {
		return 0, false
	}
	switch in.Op {
	case ssa.OpAdd:
		return x + y, true
	case ssa.OpSub:
		return x - y, true
	}
	if a, ok := in.Args[0].Const(); ok {
		return a.Int() * y, true
	}
	if b, ok := in.Args[1].Const(); ok {
		return x * b.Int(), true
	}
	return 0, x == 0 && y == 0
}
