package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// The contents of string(b) are not known at compile time, and no kernel has such strings. To compare one with another
// string, the bytes do: as Go's compiler, the front end makes no string of them.

// compareBytes is string(a) == string(b), or !=, where the bytes of one at least are those of a slice of the running
// kernel. It is not ok of another comparison.
func (b *builder) compareBytes(e *ast.BinaryExpr) (v *ssa.Value, ok bool) {
	if e.Op != token.EQL && e.Op != token.NEQ {
		return nil, false
	}
	x, y := b.bytesOf(e.X), b.bytesOf(e.Y)
	if x == nil && y == nil {
		return nil, false
	}
	operand := func(e ast.Expr, call *ast.CallExpr) *ssa.Value {
		if call == nil {
			return b.expr(e)
		}
		v := b.expr(call.Args[0])
		if eval.IsFront(v) {
			return b.StringConversion(call, v)
		}
		return v
	}
	vals := []*ssa.Value{operand(e.X, x), operand(e.Y, y)}
	if eval.AnyPoison(vals) {
		return eval.Poison, true
	}
	if eval.IsFront(vals[0]) && eval.IsFront(vals[1]) {
		return b.Compare(e, e.Op, vals[0], vals[1]), true
	}
	for i, of := range [...]ast.Expr{e.X, e.Y} {
		if eval.IsFront(vals[i]) {
			vals[i] = b.SlicedString(of, of, types.NewSlice(types.Typ[types.Byte]), vals[i])
		}
		if vals[i] == eval.Poison {
			return eval.Poison, true
		}
		if t, ok := vals[i].Type.(ssa.Slice); !ok || t.Elem != ssa.Uint8 {
			return b.NoValue("a comparison of a string and a " + vals[i].Type.String()), true
		}
	}
	call := &ast.CallExpr{Fun: &ast.BadExpr{From: e.OpPos, To: e.OpPos + 1}, Lparen: e.OpPos, Rparen: e.OpPos}
	equal := b.caller.callBound(call, &eval.Func{Obj: b.m.Prog.StringEquality()}, vals)
	switch {
	case len(equal) != 1 || equal[0] == eval.Poison:
		return eval.Poison, true
	case e.Op == token.NEQ:
		return b.Op(e.OpPos, ssa.OpNot, ssa.Bool, equal[0]), true
	}
	return equal[0], true
}

// bytesOf is the conversion of a slice of bytes to a string that an expression is, nil of another one.
func (b *builder) bytesOf(e ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !b.Info.Types[call.Fun].IsType() || !check.IsBasic(b.GoType(call.Fun), types.IsString) {
		return nil
	}
	t, ok := b.m.TypeOf(b.GoType(call.Args[0]))
	if slice, isSlice := t.(ssa.Slice); !ok || !isSlice || slice.Elem != ssa.Uint8 {
		return nil
	}
	return call
}
