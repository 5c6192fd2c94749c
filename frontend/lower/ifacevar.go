package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// interfaceVar returns the value of a package variable of an interface type that is never assigned, as the source
// shows. A pointer in its initial value is identified by the variable, because no other variable holds this pointer.
func (pv packageVars) interfaceVar(e ast.Expr, v *types.Var) *ssa.Value {
	refuse := func(why, hint string) *ssa.Value {
		if pv.b.m.Complain(v) {
			pv.b.m.Refuse(e, hint, "package variable %s %s", types.ExprString(e), why)
		}
		return eval.Poison
	}
	decl := pv.b.m.Prog.Var(v)
	if decl == nil {
		return refuse("belongs to a package from which kernels can only use constants, types and functions", "pass it as an argument, or keep it in a variable of your own package")
	}
	if why := decl.Reassigned(); why != "" {
		hint := "use a variable that is never assigned"
		switch {
		case load.IsOthers(decl.File.Name):
			hint = "use a value of a concrete type, or compute what needs it before the launch, and pass the result as an argument"
		case v.Exported():
			hint = "declare a variable that is not exported for the kernel, and the exported one with its value"
		}
		return refuse(why+", so that its dynamic type is not known", hint)
	}
	init, _ := decl.Init()
	if init == nil {
		return pv.b.Box(e.Pos(), eval.UntypedNil, v.Type())
	}
	if len(decl.Spec.Values) == len(decl.Spec.Names) {
		if id, ok := ast.Unparen(init).(*ast.Ident); ok {
			if other, ok := decl.Info.Uses[id].(*types.Var); ok && check.IsPackageVar(other) && types.IsInterface(other.Type()) && pv.depth < maxEvaluating {
				pv.depth++
				return pv.interfaceVar(e, other)
			}
		}
		t := newPointer(decl.Info, init)
		if t == nil {
			t = pv.b.m.constructed(decl, init)
		}
		if t != nil {
			return pv.b.BoxSentinel(e.Pos(), v, t)
		}
		if t := decl.Info.TypeOf(init); t != nil && !types.IsInterface(t) {
			if g := pv.b.m.global(v); g.refused == "" {
				return pv.b.Box(e.Pos(), pv.b.GlobalValue(e, v.Name(), g.value, types.Default(t)), t)
			}
		}
	}
	return refuse("has an initial value whose dynamic type the source does not show", "initialize it with a value of a concrete type, or an error with errors.New")
}

// newPointer is the type of the pointer that an initial value makes, nil of any other: each call of errors.New and
// fmt.Errorf gives another one, and so does each &T{...} of a type with a size.
func newPointer(info *types.Info, e ast.Expr) types.Type {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if _, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok && info.TypeOf(e) != nil {
			if p, ok := info.TypeOf(e).Underlying().(*types.Pointer); ok && !load.HoldsNothing(p.Elem()) {
				return info.TypeOf(e)
			}
		}
	case *ast.CallExpr:
		id := check.CalleeName(e.Fun)
		if id == nil {
			return nil
		}
		f, ok := info.Uses[id].(*types.Func)
		if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
			return nil
		}
		switch f.Pkg().Path() + "." + f.Name() {
		case "errors.New":
			return eval.ErrorString()
		case "fmt.Errorf":
			if format, ok := constantString(info, e.Args); ok && !e.Ellipsis.IsValid() {
				return eval.MadeBy(format, len(e.Args)-1)
			}
		}
	}
	return nil
}

// constantString is the first of some arguments, if it is a constant string.
func constantString(info *types.Info, args []ast.Expr) (string, bool) {
	if len(args) == 0 {
		return "", false
	}
	c := info.Types[args[0]].Value
	if c == nil || c.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c), true
}

// sentinelText is the text of the error that a package variable holds, as far as the source shows it.
func (m *Module) sentinelText(v *types.Var) eval.Text { return m.errorText(v, 4) }

// errorText is sentinelText of an error that wraps others so many times at most.
func (m *Module) errorText(v *types.Var, depth int) eval.Text {
	unknown := eval.Unknown(v.Name())
	decl := m.Prog.Var(v)
	if decl == nil || depth == 0 {
		return unknown
	}
	init, _ := decl.Init()
	call, ok := ast.Unparen(init).(*ast.CallExpr)
	if !ok || newPointer(decl.Info, call) == nil {
		return unknown
	}
	text, ok := constantString(decl.Info, call.Args)
	switch id := check.CalleeName(call.Fun); {
	case !ok:
		return unknown
	case id.Name == "New":
		return eval.Literal(text)
	}
	var t eval.Text
	args := call.Args[1:]
	for {
		before, d, rest, found := cutDirective(text)
		t = append(t, eval.Literal(before)...)
		switch {
		case !found && len(args) == 0:
			return t
		case !found || len(args) == 0 || d.text != "%" || !strings.ContainsRune("wvs", d.verb):
			return unknown
		}
		part := m.wrappedText(decl.Info, args[0], depth)
		if part == nil {
			return unknown
		}
		t, text, args = append(t, part...), rest, args[1:]
	}
}

// wrappedText is the text of an argument of fmt.Errorf: of a constant string, or of the error in a package variable. It
// is nil for any other.
func (m *Module) wrappedText(info *types.Info, arg ast.Expr, depth int) eval.Text {
	if s, ok := constantString(info, []ast.Expr{arg}); ok {
		return eval.Literal(s)
	}
	if id := check.CalleeName(arg); id != nil {
		if v, ok := info.Uses[id].(*types.Var); ok && check.IsPackageVar(v) && types.IsInterface(v.Type()) {
			if decl := m.Prog.Var(v); decl != nil && decl.Reassigned() == "" {
				return m.errorText(v, depth-1)
			}
		}
	}
	return nil
}
