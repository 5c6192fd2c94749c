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

// compareBytes lowers string(a) == string(b), or !=, if at least one operand has the bytes of a slice of the running
// kernel. It is not ok for any other comparison.
func (b *builder) compareBytes(e *ast.BinaryExpr) (v *ssa.Value, ok bool) {
	if e.Op != token.EQL && e.Op != token.NEQ {
		return nil, false
	}
	x, y := b.bytesOf(e.X), b.bytesOf(e.Y)
	if x == nil && y == nil {
		return nil, false
	}
	return b.equalBytes(e, e.OpPos, e.Op, [2]ast.Expr{e.X, e.Y}, []*ssa.Value{b.comparedBytes(e.X, x), b.comparedBytes(e.Y, y)}), true
}

// comparedBytes are the bytes of an operand that is a conversion of a slice of bytes, and the value of another one.
func (b *builder) comparedBytes(e ast.Expr, conversion *ast.CallExpr) *ssa.Value {
	if conversion == nil {
		return b.expr(e)
	}
	v := b.expr(conversion.Args[0])
	if eval.IsFront(v) {
		return b.StringConversion(conversion, v)
	}
	return v
}

// equalBytes is == or != of two strings, or slices of bytes in their place.
func (b *builder) equalBytes(e ast.Expr, pos token.Pos, op token.Token, exprs [2]ast.Expr, vals []*ssa.Value) *ssa.Value {
	if eval.AnyPoison(vals) {
		return eval.Poison
	}
	if eval.IsFront(vals[0]) && eval.IsFront(vals[1]) {
		return b.Compare(e, op, vals[0], vals[1])
	}
	for i, of := range exprs {
		if eval.IsFront(vals[i]) {
			vals[i] = b.BytesOfString(of, vals[i])
		}
		if vals[i] == eval.Poison {
			return eval.Poison
		}
		if t, ok := vals[i].Type.(ssa.Slice); !ok || t.Elem != ssa.Uint8 {
			return b.NoValue("a comparison of a string and a " + vals[i].Type.String())
		}
	}
	call := &ast.CallExpr{Fun: &ast.BadExpr{From: pos, To: pos + 1}, Lparen: pos, Rparen: pos}
	equal := b.caller.callBound(call, &eval.Func{Obj: b.m.Prog.StringEquality()}, vals)
	switch {
	case len(equal) != 1 || equal[0] == eval.Poison:
		return eval.Poison
	case op == token.NEQ:
		return b.Op(pos, ssa.OpNot, ssa.Bool, equal[0])
	}
	return equal[0]
}

// switchedBytes is the conversion of a slice of bytes to a string that a switch is about. The bytes do where they are
// those that they were when it began: no case calls a function. It is nil for another switch.
func (b *builder) switchedBytes(s *ast.SwitchStmt) *ast.CallExpr {
	tag := b.bytesOf(s.Tag)
	if tag == nil {
		return nil
	}
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			if b.Info.Types[e].Value != nil {
				continue
			}
			if of := b.bytesOf(e); of == nil && hasCalls(e) || of != nil && hasCalls(of.Args[0]) {
				return nil
			}
		}
	}
	return tag
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
