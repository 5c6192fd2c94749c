package initial

import (
	"go/ast"
	"go/types"
	"reflect"
)

// This file is about operands that are variables, or elements of something, beside calls. Go makes the calls in their
// order, and leaves open whether it reads the variables before a call or after it. What depends on that is refused.

// after does something that evaluates an expression when others have been evaluated, and makes sure that it changes
// nothing that these read.
func (f *frame) after(earlier []ast.Expr, e ast.Expr, do func() any) any {
	if !f.hasCall(e) {
		return do()
	}
	var read []ast.Expr
	var was []any
	for _, x := range earlier {
		for _, r := range f.reads(x) {
			read, was = append(read, r), append(was, f.expr(r))
		}
	}
	v := do()
	for i, r := range read {
		now := f.expr(r)
		if t := reflect.TypeOf(now); t != nil && t.Comparable() && now != was[i] {
			panic(f.machine.failed("it reads what a call beside it changes, in an order that Go leaves open"))
		}
	}
	return v
}

// hasCall reports whether functions are called in an expression, other than those of literals in it.
func (f *frame) hasCall(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if tv := f.info.Types[x.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				found = true
			}
		}
		return !found
	})
	return found
}

// reads are the variables, and the parts of them, that an expression reads in none of its calls.
func (f *frame) reads(e ast.Expr) (all []ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			if v, ok := f.info.Uses[x].(*types.Var); !ok || v.IsField() {
				return true
			}
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			if f.hasCall(x) {
				return true
			}
		default:
			return true
		}
		if tv := f.info.Types[x]; !tv.IsValue() || tv.Value != nil {
			return true
		}
		if _, isFunc := f.typeOf(x).Underlying().(*types.Signature); isFunc {
			return true
		}
		all = append(all, x)
		return false
	})
	return all
}
