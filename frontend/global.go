package frontend

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A package variable that a kernel reads is a constant of the specialization: it has the
// value that the running program says, and where that knows nothing of the variable, the
// initial value, if the source shows that it can have no other.

// A global is what is known of a package variable.
type global struct {
	value   comptime.Value
	refused string // why it cannot be read, "" if it can
	hint    string
	never   bool // whatever the running program knows
	open    bool // the initial value is being computed
}

// surroundings are what a module knows and lacks of the program around its kernel.
type surroundings struct {
	globals    map[*types.Var]*global // package variables that have been read
	initials   map[*types.Var]*global // and their initial values
	evaluating int                    // how many initial values this module is inside of

	staticFuncs bool          // functions in the arguments of qd.Static are needed, which the program lacks
	uncomputed  []load.Global // variables with initial values that need functions which the program lacks
}

// aboutGen is what to do where only the running program knows a value.
const aboutGen = "run qdgen gen in its package, or pass it as an argument"

// packageVars are the package variables that a kernel reads.
type packageVars struct{ *builder }

// readGlobal is what a package variable holds. Where nothing can be known of it, or a
// kernel can have no such value, that is reported, once for each variable. Who looks
// for errors only may have one of which nothing is known.
func (b packageVars) readGlobal(e ast.Expr, v *types.Var) (g *global, ok bool) {
	if b.m.illTyped() && invalid(v.Type()) {
		return nil, false
	}
	if why, hint := b.m.notCaptured(v.Type(), b.inStatic > 0); why != "" {
		if b.m.complain(v) {
			b.m.refuse(e, hint, "package variable %s cannot be captured by a kernel: %s", types.ExprString(e), why)
		}
		return nil, false
	}
	g = b.m.global(v)
	if g.refused != "" && (!b.m.opts.Symbolic || g.never) {
		if b.m.complain(v) {
			b.m.refuse(e, g.hint, "package variable %s %s", types.ExprString(e), g.refused)
		}
		return nil, false
	}
	return g, true
}

// globalValue makes a package variable's value, or a part of it, one of the function's.
func (b *Values) globalValue(e ast.Expr, name string, known comptime.Value, t types.Type) *ssa.Value {
	val := b.fromKnown(e.Pos(), t, known)
	switch {
	case val == nil:
		b.m.refuse(e, "pass it as an argument", "package variable %s cannot be %s of type %s", name, clipped(known), comptime.ShortType(known.Type))
		return poison
	case val != poison && val.Name == "":
		val.Name = name
	}
	return val
}

// clipped is a value as a message shows it: a table has more elements than anybody reads.
func clipped(v comptime.Value) string {
	const most = 60
	text := v.String()
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// notCaptured says why the variables of a type cannot be captured, and what to do
// instead; in the argument of a qd.Static slices and maps can.
func (m *Types) notCaptured(t types.Type, static bool) (why, hint string) {
	const pass = "pass it as an argument"
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsNumeric|types.IsBoolean|types.IsString) == 0 || u.Info()&types.IsComplex != 0 {
			return m.unsupportedType(t)
		}
	case *types.Slice:
		if !static {
			return "it is a slice", pass + "; a slice whose elements are constants can be used as in qd.Static(x[i])"
		}
		return m.notCaptured(u.Elem(), static)
	case *types.Map:
		if !static {
			return "it is a map", "look constants up as in qd.Static(m[key]), or pass what the kernel needs as an argument"
		}
		if why, hint := m.notCaptured(u.Key(), static); why != "" {
			return why, hint
		}
		return m.notCaptured(u.Elem(), static)
	case *types.Array:
		return m.notCaptured(u.Elem(), static)
	case *types.Struct:
		if isQD(t, "Array") {
			return "it is an array on a device", pass
		}
		for f := range u.Fields() {
			if why, hint := m.notCaptured(f.Type(), static); why != "" {
				return "field " + f.Name() + ": " + why, hint
			}
		}
	case *types.Pointer:
		if isQD(u.Elem(), "Array") {
			return "it is an array on a device", pass
		}
		return "it is a pointer", pass
	case *types.Chan:
		return m.unsupportedType(t)
	case *types.Interface:
		return m.unsupportedType(t)
	}
	return "", ""
}

// global is what is known of a package variable, for the whole module.
func (m *module) global(v *types.Var) *global {
	if g := m.globals[v]; g != nil {
		if g.open {
			g.refused, g.hint = "needs itself to be initialized", aboutGen
		}
		return g
	}
	if m.globals == nil {
		m.globals = map[*types.Var]*global{}
	}
	g := &global{open: true}
	m.globals[v] = g
	if m.opts.Env != nil {
		value, err := m.opts.Env.Var(v.Pkg().Path(), v.Name())
		if err == nil {
			g.value, g.open = value, false
			return g
		}
		if m.initialValue(m.prog.Var(v), g); g.refused != "" && !errors.Is(err, ErrNotKnown) {
			g.refused, g.hint = "cannot be captured: "+err.Error(), "pass it as an argument"
		}
	} else {
		m.initialValue(m.prog.Var(v), g)
	}
	g.open = false
	return g
}

// initialValue gives a variable its initial value, if it has that for good.
func (m *module) initialValue(v *load.Var, g *global) {
	const notKnown = ", and its value is only known in a program with generated code"
	g.hint = aboutGen
	if v == nil {
		g.refused, g.hint, g.never = "is of a package that kernels can only take constants, types and functions from", "pass it as an argument", true
		return
	}
	if why := v.Changed(); why != "" {
		g.refused = why + notKnown
		return
	}
	e, index := v.Init()
	if m.uncomputable(v, e) {
		m.uncomputed = append(m.uncomputed, load.Global{Pkg: v.Pkg.Path(), Name: v.Obj.Name()})
		g.refused = "is initialized with functions that are not there" + notKnown
		return
	}
	if v.Wrong {
		g.refused = "is initialized with what only compiled Go can evaluate" + notKnown
		return
	}
	if m.evaluating >= maxEvaluating {
		g.refused = "needs too many other variables to be initialized" + notKnown
		return
	}
	sub := newModule(m.prog, Options{}, v.Pkg, v.Obj.Name())
	sub.surroundings = surroundings{globals: m.globals, evaluating: m.evaluating + 1}
	if m.evaluating == 0 {
		if m.initials == nil {
			m.initials = map[*types.Var]*global{}
		}
		m.initials[v.Obj] = g
		sub.globals = m.initials
	}
	value, ok := sub.evaluate(v, e, index)
	m.uncomputed = append(m.uncomputed, sub.uncomputed...)
	m.staticFuncs = m.staticFuncs || sub.staticFuncs
	if ok {
		g.value = value
		return
	}
	g.refused = "is initialized with what only compiled Go can evaluate"
	if list := sub.diags.All(); len(list) > 0 {
		g.refused += fmt.Sprintf(" (%s: %s)", list[0].Pos, list[0].Msg)
	}
	g.refused += notKnown
}

// maxEvaluating is how deep initial values may need one another.
const maxEvaluating = 100

// uncomputable reports whether an initial value needs functions that are not among the
// program's, although they may be had: the program was not asked for them.
func (m *Syntax) uncomputable(v *load.Var, e ast.Expr) (missing bool) {
	if v.Computed || e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			missing = true
		case *ast.Ident:
			if f, ok := v.Info.Uses[n].(*types.Func); ok && m.prog.Funcs[f.Origin()] == nil {
				missing = missing || !load.IsLibrary(f.Pkg())
			}
		}
		return !missing
	})
	return missing
}

// evaluate computes an initial value, of an expression or of the zero value, in a
// module of its own: nothing of it is part of a kernel.
func (m *module) evaluate(v *load.Var, e ast.Expr, index int) (comptime.Value, bool) {
	fn := ssa.NewFunc(v.Obj.Name())
	src := &load.Function{
		Obj:  types.NewFunc(v.Obj.Pos(), v.Pkg, v.Obj.Name(), types.NewSignatureType(nil, nil, nil, nil, nil, false)),
		Decl: &ast.FuncDecl{Name: &ast.Ident{NamePos: v.Obj.Pos(), Name: v.Obj.Name()}, Type: &ast.FuncType{Func: v.Obj.Pos()}},
		Pkg:  v.Pkg, File: v.File, Info: v.Info,
	}
	b := newBuilder(m, &function{src: src, fn: fn, open: true}, Scope{m: m.Syntax, src: src, info: v.Info, file: m.prog.Fset.File(v.Spec.Pos())})
	b.inStatic = 1
	b.stmt = b.newStmt(v.Spec)
	t := v.Obj.Type()
	if e == nil {
		return b.known(b.zeroOf(v.Spec.Pos(), t), t)
	}
	b.memoryIn(e)
	var val *ssa.Value
	if len(v.Spec.Values) == len(v.Spec.Names) {
		b.ordering.callsFirst(e)
		val = b.expr(e)
	} else {
		vals := b.exprList([]ast.Expr{e})
		if index >= len(vals) {
			return comptime.Value{}, false
		}
		val = vals[index]
	}
	if val == poison || m.diags.Len() > 0 {
		return comptime.Value{}, false
	}
	return b.known(b.coerceTo(e.Pos(), val, t), t)
}

// globalRoot is the package variable that an expression is or is a part of, nil if it is
// none, or if a pointer or a slice leads to it.
func (b *Scope) globalRoot(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := b.info.Uses[e].(*types.Var); ok && isPackageVar(v) {
			return v
		}
	case *ast.SelectorExpr:
		sel := b.info.Selections[e]
		if sel == nil { // qualified by its package
			return b.globalRoot(e.Sel)
		}
		if sel.Kind() == types.FieldVal && !sel.Indirect() {
			return b.globalRoot(e.X)
		}
	case *ast.IndexExpr:
		switch t := b.goType(e.X); {
		case t == nil:
		case isArray(t), isSlice(t):
			return b.globalRoot(e.X)
		}
	}
	return nil
}

// What a kernel cannot do to a package variable.
const (
	assigned     = "package variable %s is assigned in a kernel"
	addressTaken = "the address of package variable %s is taken in a kernel"
)

// refuseGlobal reports that a kernel writes to a package variable, or takes its address,
// and whether that is so.
func (b packageVars) refuseGlobal(e ast.Expr, what string) bool {
	v := b.globalRoot(e)
	if v == nil {
		return b.refuseCaptured(e)
	}
	if b.m.complain(v) {
		b.m.refuse(e, "kernels have their own copies of package variables, as constants: pass a slice as an argument, and write its elements",
			what, v.Name())
	}
	return true
}

// refuseCaptured is refuseGlobal of a variable of the function around a kernel that is a
// literal, or of a part of one.
func (b packageVars) refuseCaptured(e ast.Expr) bool {
	v := b.root(e)
	if v == nil || v.IsField() || isPackageVar(v) || b.isDeclared(v) ||
		b.src.Decl.Type.Pos() < v.Pos() && v.Pos() < b.src.Decl.End() {
		return false
	}
	if _, ok := b.m.opts.Captured[v.Name()]; !ok && !b.m.opts.Symbolic {
		return false
	}
	if b.m.complain(v) {
		b.m.refuse(e, "what a kernel captures is a constant: copy it to a variable of the kernel's own, or pass a slice as an argument",
			"captured variable %s is changed in the kernel", v.Name())
	}
	return true
}

// globalRef is a package variable or a part of one that is known where it is used: only
// what is needed of it becomes values of the function.
func (b packageVars) globalRef(e ast.Expr) (ref, bool) {
	v := b.globalRoot(e)
	if v == nil {
		return ref{}, false
	}
	known, t, ok := b.globalPart(e)
	switch {
	case !ok && b.isWhole(e):
		return ref{val: b.symbolic(e.Pos(), v.Type())}, true
	case !ok:
		return ref{}, false
	case t == nil:
		return ref{val: poison}, true
	}
	return ref{val: b.globalValue(e, v.Name(), known, t)}, true
}

// isWhole reports whether nothing is selected of a package variable.
func (b *Scope) isWhole(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return b.info.Selections[e] == nil
	}
	return false
}

// globalPart follows the fields and elements that lead to a part of a package variable.
// It gives no type for one that has been refused, and is not ok for a part that only the
// running kernel knows.
func (b packageVars) globalPart(e ast.Expr) (known comptime.Value, t types.Type, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return b.wholeGlobal(e, e)
	case *ast.SelectorExpr:
		sel := b.info.Selections[e]
		if sel == nil {
			return b.wholeGlobal(e, e.Sel)
		}
		if known, t, ok = b.globalPart(e.X); !ok || t == nil {
			return known, t, ok
		}
		for _, i := range sel.Index() {
			s, isStruct := t.Underlying().(*types.Struct)
			if !isStruct || i >= s.NumFields() || i >= len(known.Elems) {
				b.noValue("a field of a package variable that has none")
				return known, nil, true
			}
			known, t = known.Elems[i], s.Field(i).Type()
		}
		return known, t, true
	case *ast.IndexExpr:
		if known, t, ok = b.globalPart(e.X); !ok || t == nil {
			return known, t, ok
		}
		if !b.speculable(e.Index) {
			return known, t, false
		}
		if c, isConst := b.knownConst(b.operands.index(e.Index)); isConst && c.Int() >= 0 && c.Int() < int64(len(known.Elems)) {
			return known.Elems[c.Int()], elemType(t), true
		}
	}
	return known, t, false
}

// wholeGlobal is a package variable of which nothing is selected.
func (b packageVars) wholeGlobal(e ast.Expr, id *ast.Ident) (known comptime.Value, t types.Type, ok bool) {
	v, _ := b.info.Uses[id].(*types.Var)
	g, ok := b.readGlobal(e, v)
	switch {
	case !ok:
		return known, nil, true
	case g.refused != "":
		return known, v.Type(), false
	}
	return g.value, v.Type(), true
}

// elemType is the type of the elements of an array or a slice.
func elemType(t types.Type) types.Type {
	if a, ok := t.Underlying().(*types.Array); ok {
		return a.Elem()
	}
	return t.Underlying().(*types.Slice).Elem()
}
