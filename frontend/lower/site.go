package lower

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/initial"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// The argument of a qd.Static may be any Go. If the running program has compiled it, the program is asked for its
// value, with the values of the local variables in it. Otherwise it is evaluated like the rest of the kernel, at
// compile time.

// askStatic returns the value of a qd.Static whose argument needs more than what is folded while it is lowered. It is
// not ok for any other call. The value is poison if an error was reported.
func (m markers) askStatic(e *ast.CallExpr) (v *ssa.Value, ok bool) {
	s := m.b.m.Prog.Static(e)
	if s == nil || !m.b.IsMarker(e.Fun, "Static") {
		return nil, false
	}
	arg := e.Args[0]
	if m.refuseResult(e, s) {
		return eval.Poison, true
	}
	m.warnOfLine(e, s)
	if s.Untyped {
		return m.b.NeedsGo(arg, s, ""), true
	}
	if !s.Foreign && !load.NeedsGo(arg, m.b.Info) {
		if m.b.LacksFuncs(arg) && !m.b.m.Prog.Statics {
			m.b.m.staticFuncs = true
			return m.b.NeedsGo(arg, s, ""), true // which nobody sees: the kernel is lowered anew
		}
		return nil, false
	}
	args, unknown := m.siteArgs(arg)
	if unknown != nil {
		return m.staticOfUnknown(arg, s, unknown), true
	}
	if m.b.m.Opts.Env != nil && !s.Foreign && m.b.LacksFuncs(arg) && !m.b.m.Prog.Statics && !load.AtPackageLevel(arg, m.b.Info) {
		m.b.m.staticFuncs = true // to see what they read
		return m.b.NeedsGo(arg, s, ""), true
	}
	value, lacks, asked := m.b.AskEnvironment(e, s, args)
	if asked {
		if value != nil && m.b.m.Unnamed(*value) { // what function literals in it capture, only the source tells
			if v := m.literalsOf(arg, s); v != nil {
				return v, true
			}
		}
		return m.b.FromEnvironment(e, s, value), true
	}
	if lacks != "" && load.AtPackageLevel(arg, m.b.Info) { // a value that the program cannot tell
		if v := m.literalsOf(arg, s); v != nil {
			return v, true
		}
		return m.b.LacksValue(arg, s, lacks), true
	}
	if lacks == "" && m.lacksInitial(arg, s) {
		return eval.Poison, true
	}
	return m.evaluateStatic(e, s, lacks), true
}

// staticOfUnknown is [markers.askStatic] if a local variable in the argument is not known: then the program cannot be
// asked.
func (m markers) staticOfUnknown(arg ast.Expr, s *load.Static, unknown *ssa.Value) *ssa.Value {
	switch {
	case m.b.m.Opts.Symbolic && m.b.AllKnown(unknown):
		return m.b.NeedsGo(arg, s, "")
	case !s.Foreign && !m.b.LacksFuncs(arg): // it may be known nevertheless
		return m.demandOfUnknown(arg, unknown)
	case m.b.AllKnown(unknown): // but for what a function captures
		return m.b.NeedsGo(arg, s, "")
	}
	if unknown != eval.Poison {
		m.b.DemandKnown(arg, unknown, "argument of qd.Static")
	}
	return eval.Poison
}

// demandOfUnknown demands that the argument is known, although a local variable in it is not. What is refused in it
// need not be wrong, as compiled Go may be able to do it: then the error is about the variable.
func (m markers) demandOfUnknown(arg ast.Expr, unknown *ssa.Value) *ssa.Value {
	before := m.b.m.mark()
	v := m.demand(arg, "Static")
	if unknown == eval.Poison || !m.b.m.refusedSince(before) {
		return v
	}
	m.b.m.takeBack(before)
	m.b.DemandKnown(arg, unknown, "argument of qd.Static")
	return eval.Poison
}

// evaluateStatic evaluates the argument of a qd.Static that the program was not able to evaluate. If the program has
// code for it, lacks says what is missing for this code.
func (m markers) evaluateStatic(e *ast.CallExpr, s *load.Static, lacks string) *ssa.Value {
	arg := e.Args[0]
	switch {
	case m.b.m.Opts.Symbolic && s.Foreign:
		return m.b.SomeValue(e)
	case s.Foreign:
		return m.b.LacksValue(arg, s, lacks)
	case m.b.LacksFuncs(arg):
		if m.b.m.Opts.Symbolic {
			return m.b.SomeValue(e)
		}
		m.b.m.staticFuncs = true // if the program was not asked for them, the kernel is lowered anew
		return m.b.LacksValue(arg, s, lacks)
	}
	before := m.b.m.mark()
	v := m.staticExpr(arg)
	if news := m.b.m.Since(before.report); len(news) > 0 && m.b.NeedsMore(arg) {
		if news[0].InGo {
			return eval.Poison // of another qd.Static, or what compiled Go could not call either
		}
		m.b.m.takeBack(before)
		if initial := m.asInitial(arg); initial != nil {
			return initial
		}
		if lacks != "" {
			return m.b.LacksValue(arg, s, lacks)
		}
		return m.b.NeedsGo(arg, s, news[0].Pos.String()+": "+news[0].Msg)
	}
	if m.b.m.Opts.Symbolic && !m.b.AllKnown(v) {
		return m.b.SomeValue(e) // compiled Go may know
	}
	if v != eval.Poison && !m.b.AllKnown(v) {
		if initial := m.asInitial(arg); initial != nil {
			return initial
		}
	}
	if v == eval.Poison || !m.b.DemandKnown(arg, v, "argument of qd.Static") {
		return eval.Poison
	}
	return m.b.AsKnown(arg, v)
}

// asInitial runs the argument of a qd.Static that names nothing of the function around it, as a program runs what
// initializes a package. It is for what is not known otherwise: it has a pointer to a package variable, perhaps. It is nil
// if that gives no value.
func (m markers) asInitial(arg ast.Expr) *ssa.Value {
	t := m.b.Info.TypeOf(arg)
	if t == nil || !load.AtPackageLevel(arg, m.b.Info) {
		return nil
	}
	value, err := initial.Expr(m.b.m.Syntax, m.b.Src.Info, arg, &m.b.m.callSteps)
	var lacks *initial.LacksError
	if errors.As(err, &lacks) { // the kernel is lowered anew, with the variable
		m.b.m.uninitialized = append(m.b.m.uninitialized, lacks.Var)
	}
	if err != nil {
		return nil
	}
	return m.b.FromKnown(arg.Pos(), t, value)
}

// refuseResult reports a qd.Static of a type that kernels cannot have, whatever its value is, and
// whether that is so.
func (m markers) refuseResult(e *ast.CallExpr, s *load.Static) bool {
	t := m.b.GoType(e)
	if t == nil || check.Invalid(t) || m.b.m.HasValues(t) && !m.b.m.HoldsInterfaces(t) {
		return false
	}
	why, hint := m.b.m.NotCaptured(t, true)
	if why == "" {
		why, hint = m.b.m.UnsupportedType(t)
	}
	if types.IsInterface(t) {
		hint = "say in the argument which type the value has, as in qd.Static(f().(int))"
	}
	m.b.m.Refuse(e.Args[0], hint, "qd.Static(%s) has type %s: %s", s.Expr, m.b.m.TypeString(t), why)
	return true
}

// warnOfLine warns of two qd.Static on one line that device go cannot tell apart. One has its value from the
// initialization of the package, and this may differ from the current value. The other has the same type, or nothing is
// registered for it. The warning is for tools: a launch knows the device.
func (m markers) warnOfLine(e *ast.CallExpr, s *load.Static) {
	if !m.b.m.Opts.Symbolic || !m.isInitial(e) || s.Foreign || s.Untyped {
		return
	}
	i := slices.IndexFunc(load.StaticCalls(m.b.Src.Decl, m.b.Src.Info), func(other *ast.CallExpr) bool {
		return other.Pos() != e.Pos() && m.lineOf(other.Pos()) <= m.lineOf(e.End()) && m.lineOf(e.Pos()) <= m.lineOf(other.End()) &&
			(!m.isInitial(other) || types.Identical(m.b.Src.Info.TypeOf(other), m.b.Src.Info.TypeOf(e)))
	})
	if i < 0 {
		return
	}
	if m.b.LacksFuncs(e.Args[0]) && !m.b.m.Prog.Statics {
		m.b.m.staticFuncs = true // and the kernel is lowered anew
		return
	}
	if v, why := m.b.Changing(e.Args[0]); v != nil {
		m.b.m.WarnOf("go", e, "begin each on a separate line",
			"device go cannot tell this qd.Static from another one on its line, and it reads %s, which %s", v.Obj.Name(), why)
	}
}

// isInitial reports whether a qd.Static has its value from the initialization of the package, which generated code
// keeps.
func (m markers) isInitial(call *ast.CallExpr) bool {
	return load.NeedsGo(call.Args[0], m.b.Src.Info) && load.AtPackageLevel(call.Args[0], m.b.Src.Info)
}

func (m markers) lineOf(pos token.Pos) int { return m.b.File.PositionFor(pos, false).Line }

// literalsOf evaluates the argument of a qd.Static whose value in the running program contains function literals,
// together with what these capture. It returns nil if the source does not give the value. That is also so if the value
// is from the initialization of the package, and may differ from what the source gives now.
func (m markers) literalsOf(arg ast.Expr, s *load.Static) *ssa.Value {
	if m.b.LacksFuncs(arg) {
		m.b.m.staticFuncs = true // if the program was not asked for them, the kernel is lowered anew
		return nil
	}
	atPackageLevel := load.AtPackageLevel(arg, m.b.Info)
	if changed, _ := m.b.ChangingAtOnce(arg); s.Foreign || changed != nil && atPackageLevel {
		return nil
	}
	before, reads := m.b.m.mark(), m.b.m.changingReads
	v := m.staticExpr(arg)
	if atPackageLevel && m.b.m.changingReads > reads || len(m.b.m.Since(before.report)) > 0 || v == eval.Poison || !m.b.DemandKnown(arg, v, "argument of qd.Static") {
		m.b.m.takeBack(before)
		return nil
	}
	return m.b.AsKnown(arg, v)
}

// siteArgs are the values of the local names in the argument of a qd.Static; or unknown is
// one of which the value is not known.
func (m markers) siteArgs(arg ast.Expr) (args []comptime.Value, unknown *ssa.Value) {
	where := map[*types.Var]*ast.Ident{}
	ast.Inspect(arg, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := m.b.Info.Uses[id].(*types.Var); ok && where[v] == nil {
				where[v] = id
			}
		}
		return true
	})
	for _, v := range load.SiteLocals(arg, m.b.Info) {
		val := m.staticExpr(where[v])
		known, ok := m.b.Known(val, m.b.Subst(v.Type()))
		switch {
		case ok:
			args = append(args, known)
		case val != eval.Poison && m.b.AllKnown(val):
			unknown = val
		default:
			return nil, val
		}
	}
	return args, unknown
}

// lacksInitial reports a qd.Static that has the value from when its package was initialized,
// where nobody has kept that: it reads what may have changed since then, and the program has
// no code for it as it stands.
func (m markers) lacksInitial(arg ast.Expr, s *load.Static) bool {
	switch {
	case !load.AtPackageLevel(arg, m.b.Info):
		return false // it has the value at the launch
	case m.b.m.Opts.Symbolic:
		if m.b.m.Opts.Registered == nil || m.b.m.Opts.Registered(eval.SiteOf(s)) {
			return false
		}
	case m.b.m.Opts.Env == nil:
		return false
	}
	if !s.Foreign && m.b.LacksFuncs(arg) && !m.b.m.Prog.Statics {
		m.b.m.staticFuncs = true // and the kernel is lowered anew
		return false
	}
	v, why := m.b.Changing(arg)
	if v == nil {
		return false
	}
	if m.b.RefuseUnseen(arg) {
		return true
	}
	name := v.Obj.Name()
	if v.Pkg != m.b.Src.Pkg {
		name = v.Pkg.Name() + "." + name
	}
	m.b.m.RefuseInGo(arg, eval.RunGen(s, m.b.m.Prog.Fset.Position(arg.Pos()).Filename), "qd.Static(%s) has its value from the initialization of the package, but it reads %s, which %s"+eval.NotRegistered, s.Expr, name, why)
	return true
}
