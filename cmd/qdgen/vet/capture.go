package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
)

// A launch refuses some uses of qd.Capture and qd.NewFunc before the front end sees a kernel: what is wrong with them
// can be told from the calls alone.

// captureProblems are those of a package, in the words of the launch.
func captureProblems(pass *analysis.Pass) (found []diag.Diagnostic) {
	report := func(n ast.Node, hint, format string, a ...any) {
		found = append(found, problemAt(pass, n, hint, format, a...))
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || call.Ellipsis.IsValid() {
				return true
			}
			switch {
			case isQD(pass, call.Fun, "C"):
				unnamedCapture(pass, call.Args[0], report)
				heldReceiver(pass, call.Args[0], report)
			case isQD(pass, call.Fun, "Capture") && len(call.Args) == 2:
				unnamedCapture(pass, call.Args[1], report)
				if !heldReceiver(pass, call.Args[1], report) {
					noConstant(pass, call, report)
				}
			case isQD(pass, call.Fun, "NewKernel") && len(call.Args) > 1:
				noLiteral(pass, call.Args[0], report)
				wrongOptions(pass, "qd.NewKernel", call.Args[1:], report)
			case isQD(pass, call.Fun, "NewFunc") && len(call.Args) > 1:
				if f := declaredFunc(pass, call.Args[0]); f != nil && f.Signature().Recv() == nil {
					report(call.Args[0], "write "+types.ExprString(call.Args[0])+" without qd.NewFunc", "a declared function captures nothing")
				}
				pointerReceiver(pass, call.Args[0], report)
				wrongOptions(pass, "qd.NewFunc", call.Args[1:], report)
			}
			return true
		})
	}
	return found
}

// reporter reports what is wrong with a piece of code.
type reporter func(n ast.Node, hint, format string, a ...any)

// declaredFunc is the declared function or method that an expression names, nil for none.
func declaredFunc(pass *analysis.Pass, e ast.Expr) *types.Func {
	f, _ := pass.TypesInfo.Uses[lastName(e)].(*types.Func)
	return f
}

// noLiteral reports a kernel that captures nothing, although it is given captures.
func noLiteral(pass *analysis.Pass, kernel ast.Expr, report reporter) {
	const remove = "remove the qd.Capture"
	t := pass.TypesInfo.TypeOf(kernel)
	switch t.(type) {
	case *types.Signature:
		if f := declaredFunc(pass, kernel); f != nil && f.Signature().Recv() == nil {
			report(kernel, remove, "a declared function captures nothing; qd.Capture is for function literals")
		}
	default:
		if isHandle(types.NewParam(kernel.Pos(), nil, "", t)) {
			report(kernel, "", "put qd.Capture into the call of qd.NewKernel that has the function literal")
		} else if kernelMethod(t) != nil {
			report(kernel, remove, "a kernel that is a method captures only its receiver")
		}
	}
}

// wrongOptions reports options that are nil, and variables that two of them name.
func wrongOptions(pass *analysis.Pass, maker string, options []ast.Expr, report reporter) {
	seen := map[string]bool{}
	for _, o := range options {
		if pass.TypesInfo.Types[o].IsNil() {
			report(o, "remove it", "an option of %s is nil", maker)
		}
		call, ok := ast.Unparen(o).(*ast.CallExpr)
		if !ok || !isQD(pass, call.Fun, "Capture") || len(call.Args) != 2 {
			continue
		}
		name := pass.TypesInfo.Types[call.Args[0]].Value
		if name == nil || name.Kind() != constant.String || !token.IsIdentifier(constant.StringVal(name)) {
			continue // which the front end reports, or only the running program knows
		}
		if seen[constant.StringVal(name)] {
			report(o, "remove one of the two", "qd.Capture(%q) is given twice", constant.StringVal(name))
		}
		seen[constant.StringVal(name)] = true
	}
}

// noConstant reports a captured value of a type that compile-time values do not have.
func noConstant(pass *analysis.Pass, call *ast.CallExpr, report reporter) {
	name := pass.TypesInfo.Types[call.Args[0]].Value
	t := pass.TypesInfo.TypeOf(call.Args[1])
	if name == nil || name.Kind() != constant.String || t == nil || types.IsInterface(t) {
		return
	}
	if pass.TypesInfo.Types[call.Args[1]].IsNil() {
		report(call, "write the variable's name in place of nil", "qd.Capture(%s): nil has no type", name)
		return
	}
	if err := unsupported(t, 0); err != nil {
		report(call, "", "qd.Capture(%s): %v", name, err)
	}
}

// maxNested ends types that contain themselves.
const maxNested = 50

// unsupported is what is wrong with a type for compile-time values; nil if nothing is.
func unsupported(t types.Type, depth int) error {
	if hasTypeParam(t) || depth > maxNested {
		return nil
	}
	kind := reflect.Invalid
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return nil
	case *types.Array:
		if err := unsupported(u.Elem(), depth+1); err != nil {
			return fmt.Errorf("element 0: %w", err)
		}
		return nil
	case *types.Struct:
		for f := range u.Fields() {
			if err := unsupported(f.Type(), depth+1); err != nil {
				return fmt.Errorf("field %s: %w", f.Name(), err)
			}
		}
		return nil
	case *types.Signature:
		return nil
	case *types.Interface:
		return nil // the value decides
	case *types.Slice:
		kind = reflect.Slice
	case *types.Map:
		kind = reflect.Map
	case *types.Pointer:
		kind = reflect.Pointer
	}
	return comptime.Unsupported(kind, types.TypeString(t, (*types.Package).Name))
}

// heldReceiver reports a method value that is to be a compile-time value, without its receiver, and whether it is one.
func heldReceiver(pass *analysis.Pass, e ast.Expr, report reporter) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || pass.TypesInfo.Selections[sel] == nil || pass.TypesInfo.Selections[sel].Kind() != types.MethodVal {
		return false
	}
	if pointerReceiver(pass, e, report) {
		return true
	}
	recv := types.ExprString(sel.X)
	hint := fmt.Sprintf("write qd.NewFunc(%s, qd.Capture(%q, %s))", types.ExprString(sel), lastNameText(sel.X), recv)
	report(e, hint, "%s is a method value, which holds its receiver", types.ExprString(sel))
	return true
}

// unnamedCapture reports a function literal that is to be a compile-time value and does not name what it captures.
func unnamedCapture(pass *analysis.Pass, e ast.Expr, report reporter) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		v, ok := pass.TypesInfo.Uses[id].(*types.Var)
		if !ok || v.Parent() == pass.Pkg.Scope() { // of which the front end knows the initial value
			return
		}
		e = writtenOf(pass, v).value
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 && isQD(pass, call.Fun, "NewFunc") {
		e = call.Args[0]
	}
	lit := literalOf(pass, e)
	if lit == nil {
		return
	}
	if id := firstCaptured(pass, lit); id != nil {
		report(id, fmt.Sprintf("name it where the function is made: qd.NewFunc(func..., qd.Capture(%q, %[1]s)), or make the function a method of a struct that holds it", id.Name),
			"the function captures %s, which is declared in the function around it, without naming it", id.Name)
	}
}

// lastNameText is how a capture of an expression may be called.
func lastNameText(e ast.Expr) string {
	if id := lastName(e); id != nil {
		return id.Name
	}
	return "s"
}

// pointerReceiver reports a method value whose receiver is a pointer or an interface, and whether it is one.
func pointerReceiver(pass *analysis.Pass, e ast.Expr, report reporter) bool {
	sel, why, hint := check.UnseenReceiver(e, pass.TypesInfo)
	if sel == nil || ast.Unparen(e) != sel {
		return false
	}
	report(e, hint, "%s %s", types.ExprString(sel), why)
	return true
}
