package lower

import (
	"go/ast"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// Packages slices, in Insert and Replace, and crypto ask whether two slices share memory, and compare addresses for
// that. A kernel has none, but it knows which arrays slices are parts of, and where they begin there.

// An origin is what a slice is a part of.
type origin struct {
	array *ssa.Value // a local variable, shared memory, or another slice
	own   bool       // it is an array of the kernel's own
	given bool       // it is a slice that the kernel is given
	from  *ssa.Value // where the slice begins
}

// originOf is the origin of a slice.
func (is intrinsics) originOf(e ast.Expr, v *ssa.Value) (o origin) {
	b, pos := is.b, e.Pos()
	o.from = b.Zero(pos, ssa.Int64)
	for v.Def != nil && v.Def.Op == ssa.OpSubslice {
		o.from = b.Op(pos, ssa.OpAdd, ssa.Int64, o.from, v.Def.Args[1])
		v = v.Def.Args[0]
	}
	o.array = v
	switch d := v.Def; {
	case b.IsGiven(v):
		o.given = true
	case d == nil:
	case d.Op == ssa.OpShared || d.Op == ssa.OpZero:
		o.own = true
	case d.Op == ssa.OpSliceOf && d.Args[0].IsLocal():
		o.array, o.own = d.Args[0], true
	}
	return o
}

// overlaps lowers slices.overlaps, and AnyOverlap of package crypto/internal/fips140/alias.
func (is intrinsics) overlaps(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	b, pos := is.b, e.Pos()
	if !b.m.Arity(e, 2) {
		return eval.Poisons(1)
	}
	args := b.exprList(e.Args)
	if len(args) != 2 || eval.AnyPoison(args) {
		return eval.Poisons(1)
	}
	var at [2]origin
	for i, arg := range args {
		at[i] = is.originOf(e.Args[i], arg)
	}
	no := b.Constant(pos, ssa.Bool, ssa.BoolConst(false))
	switch {
	case at[0].array != at[1].array && at[0].own && (at[1].own || at[1].given), at[1].own && at[0].given:
		return []*ssa.Value{no}
	case at[0].array != at[1].array && f.Obj.Pkg().Path() == "slices" && (b.variadics[args[0].Def] || b.variadics[args[1].Def]):
		// All arguments of a variadic call. Insert and Replace ask only if there is room for them behind the other
		// slice: then that is no part of their array.
		return []*ssa.Value{no}
	case at[0].array != at[1].array:
		b.m.Refuse(e, "copy one of them into an array of the kernel's own first", "whether two slices share memory is not known at compile time")
		return eval.Poisons(1)
	}
	// Both have elements, and each begins before the other ends.
	zero := b.Zero(pos, ssa.Int64)
	yes := b.Constant(pos, ssa.Bool, ssa.BoolConst(true))
	for i := range args {
		n, other := b.Op(pos, ssa.OpLen, ssa.Int64, args[i]), at[1-i]
		end := b.Op(pos, ssa.OpAdd, ssa.Int64, at[i].from, n)
		yes = b.Op(pos, ssa.OpAnd, ssa.Bool, yes, b.Op(pos, ssa.OpGt, ssa.Bool, n, zero))
		yes = b.Op(pos, ssa.OpAnd, ssa.Bool, yes, b.Op(pos, ssa.OpLt, ssa.Bool, other.from, end))
	}
	return []*ssa.Value{yes}
}
