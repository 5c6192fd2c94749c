package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// A launch is a call that launches, binds or wraps a kernel, a declared function or a
// function literal.
type launch struct {
	call *ast.CallExpr
	name string           // of the kernel, as messages show it
	ref  load.Ref         // the kernel
	own  bool             // it is
	sig  *types.Signature // of the instance that is launched
	inst string           // its name with type arguments, "" where there are none
	// first is the number of the call's argument that is the kernel's first one
	// after its Thread, -1 where the call has none.
	first   int
	run     bool // it is one of a Grid kernel
	pointer bool // what is launched is a pointer to a value with a kernel
}

// A launcher is a function or method of package qd that takes a kernel: which argument that is, and
// which is the first of the kernel's own arguments, -1 where there are none.
type launcher struct{ kernel, first int }

var launchers = map[string]launcher{
	"Launch":    {0, 2},
	"Bind":      {0, 2},
	"Run":       {0, 1},
	"BindRun":   {0, 1},
	"NewKernel": {0, -1},
}

// launcherOf says which arguments of a call are the kernel and the first of the kernel's own. It is not ok
// where the call launches nothing, or a handle.
func launcherOf(info *types.Info, call *ast.CallExpr) (at launcher, ok bool) {
	callee, ok := info.Uses[lastName(call.Fun)].(*types.Func)
	if !ok || callee.Pkg() == nil || callee.Pkg().Path() != load.QDPath {
		return at, false
	}
	at, ok = launchers[callee.Name()]
	return at, ok && !isHandle(callee.Signature().Recv()) && len(call.Args) > at.kernel
}

// findLaunches finds the calls of package qd with a declared function as the kernel.
func findLaunches(pass *analysis.Pass) []*launch {
	var found []*launch
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if l := launchOf(pass, call); l != nil {
					found = append(found, l)
				}
			}
			return true
		})
	}
	return found
}

// launchOf is the launch that a call is, nil for none.
func launchOf(pass *analysis.Pass, call *ast.CallExpr) *launch {
	at, ok := launcherOf(pass.TypesInfo, call)
	if !ok {
		return nil
	}
	l := &launch{call: call, first: at.first, run: at.first == 1}
	kernel := ast.Unparen(call.Args[at.kernel])
	var where token.Pos
	switch t := pass.TypesInfo.TypeOf(kernel).(type) {
	case *types.Signature:
		if t.TypeParams().Len() > 0 {
			return nil
		}
		l.sig = t
		if lit := literalOf(pass, kernel); lit != nil {
			l.name, l.own, l.ref.Pkg, where = "the function literal", isKernel(t), pass.Pkg.Path(), lit.Pos()
			break
		}
		f, ok := pass.TypesInfo.Uses[lastName(kernel)].(*types.Func)
		if !ok || f.Signature().Recv() != nil {
			return nil // a variable, a method: the launch will tell
		}
		l.name, l.ref.Name, l.own, where = f.Name(), f.Name(), f.Pkg() == pass.Pkg, f.Pos()
		l.ref.Pkg = f.Pkg().Path()
		if targs := typeArgs(pass.TypesInfo.Instances[lastName(kernel)].TypeArgs); targs != "" {
			l.inst = l.ref.Name + "[" + targs + "]"
		}
	default:
		m := l.method(t)
		if m == nil {
			return nil // a handle, or what the launch will tell
		}
		l.own, where = m.Pkg() == pass.Pkg, m.Pos()
		l.ref.Pkg = m.Pkg().Path()
	}
	position := writtenAt(pass, where)
	l.ref.File, l.ref.Line = position.Filename, position.Line
	return l
}

// method makes the launch one of a value with a kernel among its methods, which it returns; nil
// if there is none, or more than one could be meant.
func (l *launch) method(t types.Type) *types.Func {
	found := kernelMethod(t)
	if found == nil {
		return nil
	}
	named := namedOf(t)
	l.sig, l.name = found.Signature(), named.Obj().Name()+"."+found.Name()
	l.ref.Name = l.name
	if targs := typeArgs(named.TypeArgs()); targs != "" {
		l.inst = named.Obj().Name() + "[" + targs + "]." + found.Name()
	}
	_, l.pointer = types.Unalias(t).(*types.Pointer)
	return found
}

// kernelMethod is the kernel that a launch of a value of type t means: a method called Kernel, or the only
// kernel among the methods. It is nil if there is none.
func kernelMethod(t types.Type) *types.Func {
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == load.QDPath {
		return nil
	}
	var found *types.Func
	several := false
	for m := range named.Methods() {
		if !m.Exported() || !isKernel(m.Signature()) || m.Signature().Results().Len() > 0 {
			continue
		}
		several = found != nil && found.Name() != "Kernel"
		if found == nil || m.Name() == "Kernel" {
			found = m
		}
	}
	if found == nil || several && found.Name() != "Kernel" {
		return nil
	}
	return found
}

// isKernel reports whether a function has the shape of a kernel.
func isKernel(sig *types.Signature) bool {
	if sig.Params().Len() == 0 {
		return false
	}
	place, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Named)
	if !ok || place.Obj().Pkg() == nil || place.Obj().Pkg().Path() != load.QDPath {
		return false
	}
	switch place.Obj().Name() {
	case "Thread", "Block", "Grid":
		return true
	}
	return false
}

// typeArgs are the type arguments of an instance, "" if there are none or if some are not
// declared at package level: those of a function around the launch are not.
func typeArgs(list *types.TypeList) string {
	var args []types.Type
	for t := range list.Types() {
		named, ok := types.Unalias(t).(*types.Named)
		if hasTypeParam(t) || ok && named.Obj().Pkg() != nil && named.Obj().Parent() != named.Obj().Pkg().Scope() {
			return ""
		}
		args = append(args, t)
	}
	return typeNames(args)
}

// lastName is the identifier that names what an expression refers to, nil for none.
func lastName(e ast.Expr) *ast.Ident {
	switch e := unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// isHandle reports whether a method is one of *qd.Kernel, whose calls do not name
// the kernel again.
func isHandle(recv *types.Var) bool {
	if recv == nil {
		return false
	}
	named := namedOf(recv.Type())
	return named != nil && named.Obj().Name() == "Kernel" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == load.QDPath
}

// namedOf is a named type, or the one that a pointer points to; nil for others.
func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// check compares a launch's arguments with the kernel's parameters, as the launch
// itself will.
func (l *launch) check(pass *analysis.Pass) []diag.Diagnostic {
	params := l.sig.Params()
	report := func(n ast.Node, hint, format string, a ...any) diag.Diagnostic {
		return problemAt(pass, n, hint, format, a...)
	}
	if l.ref.Name == "" && !isKernel(l.sig) {
		// The front end has no name for it, and would look in vain for a kernel at its place.
		return []diag.Diagnostic{report(l.call, "declare it as func(t qd.Thread, x []float32)", "first parameter of a kernel must be a qd.Thread, a qd.Block or a qd.Grid")}
	}
	if l.first < 0 || params.Len() == 0 || l.call.Ellipsis.IsValid() {
		return nil
	}
	if len(l.call.Args) < l.first {
		return nil // Go's own error
	}
	if problem := l.kind(report); problem != nil {
		return problem
	}
	if l.pointer {
		return []diag.Diagnostic{report(l.call, "launch the value that it points to", "launch of a pointer: kernel %s captures its receiver by value", l.name)}
	}
	args := l.call.Args[l.first:]
	if len(args) != params.Len()-1 {
		return []diag.Diagnostic{report(l.call, "", "launch of %s with %s, for %s", l.name, count(len(args), "argument"), count(params.Len()-1, "parameter"))}
	}
	var found []diag.Diagnostic
	for i, arg := range args {
		param := params.At(i + 1)
		if elem := elemOf(param.Type(), "Const"); elem != nil {
			if msg, hint := constProblem(pass.TypesInfo, arg, elem); msg != "" {
				found = append(found, report(arg, hint, "argument %s for parameter %s of %s, which is known at compile time, %s", types.ExprString(arg), param.Name(), l.name, msg))
			}
			continue
		}
		if fits(pass.TypesInfo.Types[arg], param.Type()) {
			continue
		}
		name := func(t types.Type) string {
			return types.TypeString(t, func(p *types.Package) string {
				if p == pass.Pkg {
					return ""
				}
				return p.Name()
			})
		}
		found = append(found, report(arg, hintFor(pass.TypesInfo.Types[arg], param.Type(), name(param.Type())),
			"argument %s of type %s does not fit parameter %s of %s, which is of type %s",
			types.ExprString(arg), name(pass.TypesInfo.TypeOf(arg)), param.Name(), l.name, name(param.Type())))
	}
	return found
}

// kind is what is wrong where a Grid kernel is launched, or another one is run.
func (l *launch) kind(report func(n ast.Node, hint, format string, a ...any) diag.Diagnostic) []diag.Diagnostic {
	place := namedOf(l.sig.Params().At(0).Type())
	isGrid := place != nil && place.Obj().Name() == "Grid"
	switch {
	case isGrid && !l.run:
		return []diag.Diagnostic{report(l.call.Fun, "run it with qd.Run, without dimensions", "launch of %s, which is a Grid kernel", l.name)}
	case !isGrid && l.run && place != nil:
		return []diag.Diagnostic{report(l.call.Fun, "launch it with qd.Launch, which takes the size of the launch", "run of %s, which is a %s kernel", l.name, place.Obj().Name())}
	}
	return nil
}

// count is a number of things, in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// hintFor says what to do about an argument that does not fit a parameter, whose type has a name.
func hintFor(arg types.TypeAndValue, param types.Type, name string) string {
	if arg.Type == nil {
		return ""
	}
	to, isBasic := param.Underlying().(*types.Basic)
	_, isSlice := param.Underlying().(*types.Slice)
	switch {
	case arg.IsNil() && isSlice:
		return "pass an empty slice: " + name + "{}"
	case arg.IsNil() || !types.ConvertibleTo(arg.Type, param):
		return ""
	case arg.Value == nil || !isBasic || to.Info()&types.IsInteger == 0 || arg.Value.Kind() == constant.String:
		return "convert it"
	}
	v := constant.ToInt(arg.Value)
	switch low, high := limits(to); {
	case v.Kind() != constant.Int:
		return fmt.Sprintf("it has a fraction, and %s is an integer type: pass an integer, or declare the parameter as float64", name)
	case !representable(v, to):
		return fmt.Sprintf("the values of %s are from %s to %s: pass one of them, or declare the parameter with a larger type", name, low, high)
	}
	return "convert it"
}

// fits reports whether a launch takes an argument for a parameter, or cannot be told to
// refuse it: values in an interface are seen when the launch happens only.
func fits(arg types.TypeAndValue, param types.Type) bool {
	if arg.Type == nil || types.Identical(types.Default(arg.Type), param) || types.IsInterface(arg.Type) || hasTypeParam(arg.Type) {
		return true
	}
	if elem := arrayElem(arg.Type); elem != nil {
		want := sequenceElem(param)
		return want != nil && types.Identical(elem, want)
	}
	if s, ok := arg.Type.Underlying().(*types.Slice); ok {
		p, ok := param.Underlying().(*types.Slice)
		return ok && types.Identical(s.Elem(), p.Elem())
	}
	if fit, ok := fieldsFit(arg.Type, param); ok {
		return fit
	}
	return constantFits(arg, param)
}

// constantFits reports whether an argument of one of Go's default kinds, an int, a
// float64 or a bool, can be taken as a parameter's type.
func constantFits(arg types.TypeAndValue, param types.Type) bool {
	from, ok := types.Default(arg.Type).(*types.Basic)
	to, isBasic := param.Underlying().(*types.Basic)
	if !ok || !isBasic {
		return false
	}
	switch from.Kind() {
	case types.Int, types.Float64:
		if to.Info()&types.IsNumeric == 0 {
			return false
		}
	case types.Complex128:
		return to.Info()&types.IsComplex != 0
	case types.Bool:
		return to.Info()&types.IsBoolean != 0
	default:
		return false
	}
	if arg.Value == nil {
		return true // whether the value fits is seen when it is there
	}
	v := arg.Value
	if to.Info()&types.IsInteger != 0 {
		v = constant.ToInt(v)
		return v.Kind() == constant.Int && representable(v, to)
	}
	return true
}

// representable reports whether an integer constant is a value of an integer type.
func representable(v constant.Value, to *types.Basic) bool {
	low, high := limits(to)
	return low != nil && constant.Compare(v, token.GEQ, low) && constant.Compare(v, token.LEQ, high)
}

// limits are the least and the largest value of an integer type, nil of other types.
func limits(to *types.Basic) (low, high constant.Value) {
	bits := map[types.BasicKind]uint{
		types.Int: 64, types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64,
		types.Uint: 64, types.Uintptr: 64, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64,
	}[to.Kind()]
	if bits == 0 {
		return nil, nil
	}
	low, high = constant.MakeInt64(0), constant.Shift(constant.MakeInt64(1), token.SHL, bits)
	if to.Info()&types.IsUnsigned == 0 {
		high = constant.Shift(constant.MakeInt64(1), token.SHL, bits-1)
		low = constant.UnaryOp(token.SUB, high, 0)
	}
	return low, constant.BinaryOp(high, token.SUB, constant.MakeInt64(1))
}

// arrayElem is the element type of a *qd.Array, nil for other types.
func arrayElem(t types.Type) types.Type { return elemOf(t, "Array") }

// sequenceElem is the element type of what takes a *qd.Array: a slice or a view.
func sequenceElem(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	for _, view := range []string{"View2", "View3", "View4"} {
		if elem := elemOf(t, view); elem != nil {
			return elem
		}
	}
	return nil
}

// elemOf is the type argument of a type of package qd, or of a pointer to one.
func elemOf(t types.Type, name string) types.Type {
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != load.QDPath || named.Obj().Name() != name || named.TypeArgs().Len() != 1 {
		return nil
	}
	return named.TypeArgs().At(0)
}

// hasTypeParam reports whether a type is, or has as an element, a type parameter.
func hasTypeParam(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Slice:
		return hasTypeParam(t.Elem())
	case *types.Pointer:
		return hasTypeParam(t.Elem())
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if hasTypeParam(t.TypeArgs().At(i)) {
				return true
			}
		}
	}
	return false
}
