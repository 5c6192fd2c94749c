package vet

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
)

// A Call launches, binds or wraps a declared kernel.
type Call struct {
	*ast.CallExpr
	Kernel   *types.Func // as it is declared, where it is generic
	Receiver ast.Expr    // of a kernel that is a method, nil of others
	TypeArgs []types.Type
	Args     []ast.Expr // for the kernel's parameters after the first; nil where the call has none
}

// Calls finds the calls of package qd in files of a package that name a declared kernel, or a value
// that has one among its methods.
func Calls(info *types.Info, files []*ast.File) (found []Call) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if c := callOf(info, call); c.Kernel != nil {
					found = append(found, c)
				}
			}
			return true
		})
	}
	return found
}

// callOf is what a call launches; one without a kernel launches none.
func callOf(info *types.Info, call *ast.CallExpr) (c Call) {
	at, ok := launcherOf(info, call)
	if !ok {
		return c
	}
	c.CallExpr = call
	if at.first >= 0 && at.first <= len(call.Args) && !call.Ellipsis.IsValid() {
		c.Args = call.Args[at.first:]
	}
	kernel := ast.Unparen(call.Args[at.kernel])
	if _, ok := info.TypeOf(kernel).(*types.Signature); !ok {
		if c.Kernel = kernelMethod(info.TypeOf(kernel)); c.Kernel != nil {
			c.Kernel, c.Receiver = c.Kernel.Origin(), kernel
		}
		return c
	}
	if f, ok := info.Uses[lastName(kernel)].(*types.Func); ok && f.Signature().Recv() == nil {
		c.Kernel = f.Origin()
		for t := range info.Instances[lastName(kernel)].TypeArgs.Types() {
			c.TypeArgs = append(c.TypeArgs, t)
		}
	}
	return c // without a kernel it is a variable, a literal, or a method value, which is refused
}

// ConstArg is the x of an argument qd.C(x), nil of others.
func ConstArg(info *types.Info, arg ast.Expr) ast.Expr {
	call, ok := ast.Unparen(arg).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	f, ok := info.Uses[lastName(call.Fun)].(*types.Func)
	if !ok || f.Name() != "C" || f.Pkg() == nil || f.Pkg().Path() != load.QDPath {
		return nil
	}
	return call.Args[0]
}
