package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// as is the value of an expression where one of a type is expected: one of an interface type is made of a
// value of another type. All other conversions need no more than the value.
func (b *builder) as(e ast.Expr, v *ssa.Value, to types.Type) *ssa.Value {
	return b.boxed(e, v, b.GoType(e), to)
}

// asAll is as of the values of a list of expressions, or of the one call that gives them all.
func (b *builder) asAll(list []ast.Expr, vals []*ssa.Value, to func(i int) types.Type) []*ssa.Value {
	if len(list) == len(vals) {
		for i, v := range vals {
			vals[i] = b.as(list[i], v, to(i))
		}
		return vals
	}
	if len(list) != 1 {
		return vals
	}
	if from, ok := b.GoType(list[0]).(*types.Tuple); ok && from.Len() == len(vals) {
		for i, v := range vals {
			vals[i] = b.boxed(list[0], v, b.Subst(from.At(i).Type()), to(i))
		}
	}
	return vals
}

func (b *builder) boxed(e ast.Expr, v *ssa.Value, from, to types.Type) *ssa.Value {
	if to = b.Subst(to); to == nil || !types.IsInterface(to) || v == eval.Poison {
		return v
	}
	return b.Box(e.Pos(), v, from)
}

// comparedWith is the value of an operand of a comparison: with an interface value, one is compared.
func (b *builder) comparedWith(x ast.Expr, v *ssa.Value, y ast.Expr) *ssa.Value {
	if t := b.GoType(y); t != nil && types.IsInterface(t) {
		return b.as(x, v, t)
	}
	return v
}

// errorIs lowers errors.Is of errors that are what they are, and wrap no others.
func (is intrinsics) errorIs(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	params, variadic := is.b.m.paramsOf(f)
	args, ok := is.b.caller.callArgs(e, params, variadic)
	if !ok || eval.AnyPoison(args) {
		return eval.Poisons(1)
	}
	for _, name := range [...]string{"Is", "Unwrap"} {
		if t := is.b.HasMethod(e, args[0], name); t != nil {
			is.b.m.Refuse(e, "compare the errors with ==, or assert the type", "errors.Is of a %s, which has a method %s, is not supported in a kernel", is.b.m.TypeString(t), name)
			return eval.Poisons(1)
		}
	}
	return []*ssa.Value{is.b.Compare(e, token.EQL, args[0], args[1])}
}

// errorNew lowers errors.New.
func (is intrinsics) errorNew(e *ast.CallExpr, _ *eval.Func) []*ssa.Value {
	if !is.b.m.Arity(e, 1) {
		return eval.Poisons(1)
	}
	text, ok := is.b.texts.of(e.Args[0])
	if !ok {
		return eval.Poisons(1)
	}
	return []*ssa.Value{is.b.NewError(e.Pos(), text, eval.ErrorString())}
}
