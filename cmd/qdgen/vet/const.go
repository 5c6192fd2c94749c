package vet

import (
	"fmt"
	"go/ast"
	"go/types"
)

// constProblem says what is wrong with an argument for a parameter of type qd.Const[elem], ""
// if nothing is, and what to do.
func constProblem(info *types.Info, arg ast.Expr, elem types.Type) (msg, hint string) {
	tv := info.Types[arg]
	if tv.Type == nil || types.IsInterface(tv.Type) || hasTypeParam(tv.Type) {
		return "", "" // seen when the launch happens
	}
	name := func(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }
	given := elemOf(tv.Type, "Const")
	if _, pointer := types.Unalias(tv.Type).(*types.Pointer); given == nil || pointer {
		return "is of type " + name(tv.Type), fmt.Sprintf("write qd.C(%s)", types.ExprString(arg))
	}
	if hasTypeParam(given) || types.AssignableTo(given, elem) {
		return "", ""
	}
	value := types.TypeAndValue{Type: given}
	if call, ok := ast.Unparen(arg).(*ast.CallExpr); ok && len(call.Args) == 1 {
		if inner := info.Types[call.Args[0]]; inner.Value != nil {
			value = inner // its value is known
		}
	}
	if constantFits(value, elem) {
		return "", ""
	}
	isString := func(t types.Type) bool {
		basic, ok := t.Underlying().(*types.Basic)
		return ok && basic.Info()&types.IsString != 0
	}
	if given == types.Typ[types.String] && isString(elem) {
		return "", ""
	}
	if types.ConvertibleTo(given, elem) && isString(given) == isString(elem) {
		return "is a qd.C of type " + name(given), fmt.Sprintf("write qd.C(%s(...))", name(elem))
	}
	return fmt.Sprintf("is a qd.C of type %s, but the parameter is one of type %s", name(given), name(elem)), ""
}
