package lower

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/initial"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A package variable that a kernel reads is a constant of the specialization. The running program gives
// its value. If the program does not know the variable, the initial value is used, provided that the
// source shows that the variable can have no other value.

// A global has the facts about a package variable.
type global struct {
	value   comptime.Value
	refused string // why it cannot be read, "" if it can
	hint    string
	never   bool // whatever the running program knows

	watched bool // it is a table with the value that the running program has told

	beforeInit string // why a qd.Static cannot read it, which has the value from before init functions run
	open       bool   // the initial value is being computed
}

// surroundings are the facts that a module has, and lacks, about the program around its kernel.
type surroundings struct {
	globals    map[*types.Var]*global // package variables that have been read
	tables     map[*types.Var]*global // and those with slices and pointers
	initials   map[*types.Var]*global // and their initial values
	copies     []tableCopy            // what functions have of tables that are to be checked
	partStores []partStore            // assignments to parts of numbers
	shortened  map[ssa.Slice]bool     // slices of tables whose arrays go on behind their elements
	resliced   []resliced             // parts of slices whose capacity is not known
	evaluating int                    // how many initial values this module is inside of

	changingReads int // how often a qd.Static has read a variable that may not have its initial value

	staticFuncs bool          // functions in the arguments of qd.Static are needed, which the program lacks
	uncomputed  []load.Global // variables with initial values that need functions which the program lacks

	uninitialized []load.Global // those for which it lacks init functions
}

// notKnown ends what is said of a variable whose value the source does not tell.
const notKnown = ", and only a program with generated code knows its value"

// aboutGen is the advice if only the running program knows a value.
const aboutGen = "run qdgen gen in its package, or pass it as an argument"

// packageVars are the package variables that a kernel reads.
type packageVars struct {
	b      *builder
	tables tables
	placed map[ast.Expr]ref // parts of which a copy is used now, without parentheses
	depth  int              // how many variables have led to this one as their initial values
}

// readGlobal returns the value of a package variable. If it cannot be known, or if kernels cannot have
// such a value, this is reported, once for each variable. A caller that only looks for errors also gets
// variables without a known value.
func (pv packageVars) readGlobal(e ast.Expr, v *types.Var) (g *global, ok bool) {
	if pv.b.m.IllTyped() && check.Invalid(v.Type()) {
		return nil, false
	}
	if why, hint := pv.b.m.NotCaptured(v.Type(), pv.b.InStatic > 0); why != "" {
		if g := pv.tables.global(v); g != nil {
			return g, true
		}
		refuse := pv.b.m.Refuse
		decl := pv.b.m.Prog.Var(v)
		if decl != nil && load.IsOthers(decl.File.Name) && pv.b.InStatic == 0 { // nobody can change what it is
			refuse, hint = pv.b.m.RefuseAdvised, pv.b.m.computeBefore()
		}
		if decl != nil && pv.b.InStatic == 0 && check.IsTable(v.Type()) {
			changed := decl.ChangedLater()
			if changed != "" {
				why += ", and the variable " + changed
			}
			if decl.Assigned() == "" && (changed != "" || decl.IsExported() && !decl.IsInternal()) { // a program can tell
				refuse, hint = pv.b.m.RefuseAdvised, pv.b.m.adviceOn(v, &global{hint: aboutGen})
			}
		}
		if pv.b.m.Complain(v) {
			refuse(e, hint, "package variable %s cannot be captured by a kernel: %s", types.ExprString(e), why)
		}
		return nil, false
	}
	g = pv.b.m.global(v)
	if pv.b.InStatic > 0 {
		if decl := pv.b.m.Prog.Var(v); decl == nil || decl.Changed() != "" {
			pv.b.m.changingReads++
		}
	}
	refused := g.refused
	if pv.b.InStatic > 0 && refused == "" {
		refused = g.beforeInit
	}
	if refused != "" && (!pv.b.m.Opts.Symbolic || g.never) {
		if pv.b.m.Complain(v) {
			pv.b.m.RefuseAdvised(e, pv.b.m.adviceOn(v, g), "package variable %s %s", types.ExprString(e), refused)
		}
		return nil, false
	}
	return g, true
}

// adviceOn says what to do about a package variable that cannot be read.
func (m *Module) adviceOn(v *types.Var, g *global) string {
	declared := m.Prog.Var(v)
	switch {
	case g.hint != aboutGen || declared == nil || v.Pkg() == m.Pkg:
		return g.hint
	case declared.IsExported() && !declared.IsInternal():
		in := "package " + m.Pkg.Path()
		if m.File != nil && load.IsOthers(m.File.Name()) {
			in = "the package that launches the kernel"
		}
		return "run qdgen gen in " + in + ": its program then says what the variable holds; or compute what needs it before the launch, and pass the result as an argument"
	case load.IsOthers(declared.File.Name) && len(m.Calls) > 0:
		return fmt.Sprintf("compute %s before the launch and pass the result as an argument, or copy %s and what of its package it needs, with the variable, into a package of your own",
			m.Calls[0].Name, m.Calls[0].Name)
	case load.IsOthers(declared.File.Name):
		return m.computeBefore()
	}
	return "run qdgen gen in package " + v.Pkg().Path() + ", or compute what needs it before the launch, and pass the result as an argument"
}

// computeBefore is the advice on a variable of others that kernels cannot read.
func (m *Module) computeBefore() string {
	if len(m.Calls) > 0 {
		return "compute " + m.Calls[0].Name + " before the launch and pass the result as an argument"
	}
	return "compute what needs it before the launch, and pass the result as an argument"
}

// global has the facts about a package variable, for the whole module.
func (m *Module) global(v *types.Var) *global {
	if g := m.globals[v]; g != nil {
		if g.open {
			g.refused, g.hint = "depends on itself for its initial value", aboutGen
		}
		return g
	}
	if m.globals == nil {
		m.globals = map[*types.Var]*global{}
	}
	g := &global{open: true}
	m.globals[v] = g
	if m.Opts.Env != nil {
		value, err := m.Opts.Env.Var(v.Pkg().Path(), v.Name())
		if err == nil {
			m.initialOf(v, value, g)
			g.open = false
			return g
		}
		if m.initialValue(m.Prog.Var(v), g); g.refused != "" && !g.never && !errors.Is(err, eval.ErrNotRegistered) {
			g.refused, g.hint = "cannot be captured: "+err.Error(), "pass it as an argument"
		}
	} else {
		m.initialValue(m.Prog.Var(v), g)
	}
	g.open = false
	return g
}

// initialOf returns the known value of a variable that has a value in the running program. This is the program's value,
// or the initial value if only the source says what function literals in it capture.
func (m *Module) initialOf(v *types.Var, value comptime.Value, g *global) {
	lacking := len(m.uncomputed)
	if m.Unnamed(value) {
		m.initialValue(m.Prog.Var(v), g)
		if g.refused == "" || len(m.uncomputed) > lacking { // or the kernel is lowered anew
			return
		}
	}
	*g = global{value: value, open: g.open}
}

// initialValue gives a variable its initial value, if it has that for good.
func (m *Module) initialValue(v *load.Var, g *global) {
	g.hint = aboutGen
	if v != nil && load.HoldsNothing(v.Obj.Type()) {
		if value, ok := newModule(m.Prog, eval.Options{}, v.Pkg, v.Obj.Name()).evaluate(v, nil, 0); ok {
			g.value = value
			return
		}
	}
	if v == nil {
		g.refused, g.hint, g.never = "belongs to a package from which kernels can only use constants, types and functions", "pass it as an argument", true
		return
	}
	why := v.Changed
	if types.IsInterface(v.Obj.Type()) {
		why = v.Reassigned
	}
	if why := why(); why != "" {
		g.refused = why + notKnown
		if later := v.ChangedLater(); later != "" {
			g.refused = later + notKnown // what init functions do is no reason
			return
		}
		switch fails := m.initialized(v, g); {
		case fails != nil:
			g.refused = fmt.Sprintf("%s, by code that only compiled Go can run (%v)%s", why, fails, notKnown)
		case g.refused == "":
			g.beforeInit, g.hint = why+notKnown, aboutGen
		}
		return
	}
	e, index := v.Init()
	if m.Uncomputable(v, e) {
		m.uncomputed = append(m.uncomputed, load.Global{Pkg: v.Pkg.Path(), Name: v.Obj.Name()})
		g.refused = "is initialized with functions whose source is not available" + notKnown
		return
	}
	if v.Wrong {
		g.refused = "has an initial value that only compiled Go can evaluate" + notKnown
		return
	}
	if m.evaluating >= maxEvaluating {
		g.refused = "depends on too many other variables for its initial value" + notKnown
		return
	}
	sub := newModule(m.Prog, eval.Options{}, v.Pkg, v.Obj.Name())
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
	m.uninitialized = append(m.uninitialized, sub.uninitialized...)
	m.staticFuncs = m.staticFuncs || sub.staticFuncs
	if ok {
		g.value = value
		return
	}
	if sel, why, hint := check.UnseenReceiver(e, v.Info); sel != nil {
		at := m.Prog.Fset.Position(sel.Pos())
		g.refused, g.hint, g.never = fmt.Sprintf("cannot be captured: at %s:%d, %s %s", filepath.Base(at.Filename), at.Line, types.ExprString(sel), why), hint, true
		return
	}
	if fails := m.initialized(v, g); fails != nil {
		g.refused = fmt.Sprintf("has an initial value that only compiled Go can evaluate (%v)%s", fails, notKnown)
	}
}

// initialized gives a variable the value that it has when its package is initialized, if that can be computed: what
// runs then is no kernel code. The error says why it cannot be computed.
func (m *Module) initialized(v *load.Var, g *global) error {
	value, err := initial.Value(m.Syntax, v)
	var lacks *initial.LacksError
	switch {
	case errors.As(err, &lacks):
		m.uninitialized = append(m.uninitialized, lacks.Var)
		g.refused, g.hint = "is initialized with functions whose source is not available"+notKnown, aboutGen
	case err != nil:
		return err
	default:
		*g = global{value: value, open: g.open}
	}
	return nil
}

// maxEvaluating limits how deep initial values can depend on each other.
const maxEvaluating = 100

// evaluate computes an initial value, from an expression or the zero value, in a separate module: it is
// not part of a kernel.
func (m *Module) evaluate(v *load.Var, e ast.Expr, index int) (comptime.Value, bool) {
	fn := ssa.NewFunc(v.Obj.Name())
	src := &load.Function{
		Obj:  types.NewFunc(v.Obj.Pos(), v.Pkg, v.Obj.Name(), types.NewSignatureType(nil, nil, nil, nil, nil, false)),
		Decl: &ast.FuncDecl{Name: &ast.Ident{NamePos: v.Obj.Pos(), Name: v.Obj.Name()}, Type: &ast.FuncType{Func: v.Obj.Pos()}},
		Pkg:  v.Pkg, File: v.File, Info: v.Info,
	}
	if e != nil { // a function that returns it: what literals in it assign is found in the body
		src.Decl.Body = &ast.BlockStmt{Lbrace: e.Pos(), List: []ast.Stmt{&ast.ReturnStmt{Return: e.Pos(), Results: []ast.Expr{e}}}, Rbrace: e.End()}
	}
	b := newBuilder(m, &eval.Function{Src: src, Fn: fn, Open: true}, m.NewScope(src, m.Prog.Fset.File(v.Spec.Pos())))
	b.InStatic = 1
	b.Stmt = b.NewStmt(v.Spec)
	t := v.Obj.Type()
	if e != nil && types.IsInterface(t) && v.Info.TypeOf(e) != nil {
		t = types.Default(v.Info.TypeOf(e)) // what the interface holds
	}
	if e == nil {
		return b.Known(b.ZeroOf(v.Spec.Pos(), t), t)
	}
	b.MemoryIn(e)
	b.Funcs = true // it may have literals
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
	if val == eval.Poison || m.Diags.Len() > 0 {
		return comptime.Value{}, false
	}
	return b.Known(b.CoerceTo(e.Pos(), val, t), t)
}

// Errors about package variables.
const (
	assigned     = "package variable %s is assigned in a kernel"
	addressTaken = "the address of package variable %s is taken in a kernel, which may write to it"
)

// refuseGlobal reports that a kernel writes to a package variable, or takes its address,
// and whether that is so.
func (pv packageVars) refuseGlobal(e ast.Expr, what string) bool {
	v := pv.b.GlobalRoot(e)
	if v == nil {
		return pv.refuseCaptured(e)
	}
	if pv.b.m.Complain(v) {
		hint := writeAdvice
		if what == addressTaken {
			hint = addressAdvice(v, pv.orGen(v))
		}
		pv.b.m.Refuse(e, hint, what, v.Name())
	}
	return true
}

// writeAdvice is the advice to who writes to a package variable.
const writeAdvice = "in a kernel, package variables are constants: pass a slice as an argument, and write to its elements"

// addressAdvice is the advice to who takes the address of one, with what else to do if it is only read.
func addressAdvice(v *types.Var, orElse string) string {
	return writeAdvice + "; if it is only read, " + orElse + "copy it to a variable of the kernel's own first, as in own := " + v.Name()
}

// orGen is the advice that a program may tell the value of a variable, so that only the kernel must show that the
// variable is only read.
func (pv packageVars) orGen(v *types.Var) string {
	if decl := pv.b.m.Prog.Var(v); decl == nil || decl.Assigned() != "" || pv.programKnows(v) {
		return ""
	}
	return "run qdgen gen in its package, or "
}

// refuseCaptured is refuseGlobal for captured variables of a kernel that is a function literal, and for
// their parts.
func (pv packageVars) refuseCaptured(e ast.Expr) bool {
	v := pv.b.Root(e)
	if pv.b.Src.Decl.Body == nil {
		return false // the initial value of a variable, which is no function
	}
	if v == nil || v.IsField() || check.IsPackageVar(v) || pv.b.IsDeclared(v) ||
		pv.b.Src.Decl.Type.Pos() < v.Pos() && v.Pos() < pv.b.Src.Decl.End() {
		return false
	}
	if _, ok := pv.b.m.Opts.Captured[v.Name()]; !ok && !pv.b.m.Opts.Symbolic {
		return false
	}
	if pv.b.m.Complain(v) {
		pv.b.m.Refuse(e, "captured variables are constants: copy it to a local variable, or pass a slice as an argument",
			"captured variable %s is changed in the kernel", v.Name())
	}
	return true
}

// globalRef is a known package variable or a known part of one. Only the parts that are used become
// values of the function.
func (pv packageVars) globalRef(e ast.Expr) (ref, bool) {
	if r, ok := pv.placed[ast.Unparen(e)]; ok {
		return r, true
	}
	v := pv.b.GlobalRoot(e)
	if v == nil {
		return ref{}, false
	}
	if types.IsInterface(v.Type()) && pv.b.IsWhole(e) {
		return ref{val: pv.interfaceVar(e, v)}, true
	}
	known, t, ok := pv.globalPart(e)
	switch {
	case !ok && pv.b.IsWhole(e):
		return ref{val: pv.b.Symbolic(e.Pos(), v.Type())}, true
	case !ok:
		return ref{}, false
	case t == nil:
		return ref{val: eval.Poison}, true
	}
	if val, ok := pv.tables.value(e, t, known); ok {
		return ref{val: val}, true
	}
	return ref{val: pv.b.GlobalValue(e, v.Name(), known, t)}, true
}

// globalPart follows the fields and elements that lead to a part of a package variable. It returns no
// type if the variable was reported, and is not ok for a part that only the running kernel knows.
func (pv packageVars) globalPart(e ast.Expr) (known comptime.Value, t types.Type, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return pv.wholeGlobal(e, e)
	case *ast.SelectorExpr:
		sel := pv.b.Info.Selections[e]
		if sel == nil {
			return pv.wholeGlobal(e, e.Sel)
		}
		if known, t, ok = pv.globalPart(e.X); !ok || t == nil {
			return known, t, ok
		}
		for _, i := range sel.Index() {
			s, isStruct := t.Underlying().(*types.Struct)
			if !isStruct || i >= s.NumFields() || i >= len(known.Elems) {
				pv.b.NoValue("a field of a package variable that has none")
				return known, nil, true
			}
			known, t = known.Elems[i], s.Field(i).Type()
		}
		return known, t, true
	case *ast.IndexExpr:
		if known, t, ok = pv.globalPart(e.X); !ok || t == nil {
			return known, t, ok
		}
		if !pv.b.Speculable(e.Index) {
			return known, t, false
		}
		if c, isConst := pv.b.KnownConst(pv.b.operands.index(e.Index)); isConst && c.Int() >= 0 && c.Int() < int64(len(known.Elems)) {
			return known.Elems[c.Int()], check.ElemType(t), true
		}
	}
	return known, t, false
}

// wholeGlobal is a package variable as a whole.
func (pv packageVars) wholeGlobal(e ast.Expr, id *ast.Ident) (known comptime.Value, t types.Type, ok bool) {
	v, _ := pv.b.Info.Uses[id].(*types.Var)
	g, ok := pv.readGlobal(e, v)
	switch {
	case !ok:
		return known, nil, true
	case g.refused != "":
		return known, v.Type(), false
	}
	return g.value, v.Type(), true
}
