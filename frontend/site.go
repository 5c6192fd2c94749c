package frontend

import (
	"errors"
	"go/ast"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// The argument of a qd.Static may be any Go. Where a running program has compiled it, the
// program is asked, with the values of the local names in it; else it is evaluated like the
// rest of the kernel, at compile time.

// askStatic gives the value of a qd.Static whose argument needs more than what is folded
// while it is lowered; it is not ok for any other call. The value is poison where something
// has been refused.
func (b markers) askStatic(e *ast.CallExpr) (v *ssa.Value, ok bool) {
	s := b.m.prog.Static(e)
	if s == nil || !b.isMarker(e.Fun, "Static") {
		return nil, false
	}
	arg := e.Args[0]
	if s.Untyped {
		return b.needsGo(arg, s, ""), true
	}
	if !s.Foreign && !load.NeedsGo(arg, b.info) {
		if b.lacksFuncs(arg) && !b.m.prog.Statics {
			b.m.staticFuncs = true
			return b.needsGo(arg, s, ""), true // which nobody sees: the kernel is lowered anew
		}
		return nil, false
	}
	args, unknown := b.siteArgs(arg)
	switch {
	case unknown == nil:
	case b.m.opts.Symbolic && b.allKnown(unknown):
		return b.needsGo(arg, s, ""), true
	case !s.Foreign && !b.lacksFuncs(arg):
		return nil, false // it may be known nevertheless
	case b.allKnown(unknown): // but for what a function captures
		return b.needsGo(arg, s, ""), true
	default:
		if unknown != poison {
			b.demandKnown(arg, unknown, "argument of qd.Static")
		}
		return poison, true
	}
	if b.m.opts.Env != nil && !s.Foreign && b.lacksFuncs(arg) && !b.m.prog.Statics && !load.AtPackageLevel(arg, b.info) {
		b.m.staticFuncs = true // to see what they read
		return b.needsGo(arg, s, ""), true
	}
	v, lacks := b.askEnvironment(e, s, args)
	if v != nil {
		return v, true
	}
	if lacks == "" && b.lacksInitial(arg, s) {
		return poison, true
	}
	switch {
	case b.m.opts.Symbolic && s.Foreign:
		return b.someValue(e), true
	case s.Foreign:
		return b.lacksValue(arg, s, lacks), true
	case b.lacksFuncs(arg):
		if b.m.opts.Symbolic {
			return b.someValue(e), true
		}
		b.m.staticFuncs = true // if the program was not asked for them, the kernel is lowered anew
		return b.lacksValue(arg, s, lacks), true
	}
	before := b.m.diags
	v = b.staticExpr(arg)
	if news := b.m.diags.Since(before.Len()); len(news) > 0 && b.callsFuncs(arg) {
		if strings.HasSuffix(news[0].Msg, notRegistered) || strings.HasSuffix(news[0].Msg, isNil) {
			return poison, true // of another qd.Static, or what compiled Go could not call either
		}
		b.m.diags = before
		if lacks != "" {
			return b.lacksValue(arg, s, lacks), true
		}
		return b.needsGo(arg, s, news[0].Pos.String()+": "+news[0].Msg), true
	}
	if b.m.opts.Symbolic && !b.allKnown(v) {
		return b.someValue(e), true // compiled Go may know
	}
	if v == poison || !b.demandKnown(arg, v, "argument of qd.Static") {
		return poison, true
	}
	return b.asKnown(arg, v), true
}

// someValue is a value of an expression's type, which nobody knows.
func (b *Values) someValue(e ast.Expr) *ssa.Value {
	t := b.goType(e)
	if t == nil || invalid(t) {
		return poison
	}
	return b.symbolic(e.Pos(), t)
}

// siteArgs are the values of the local names in the argument of a qd.Static; or unknown is
// one of which the value is not known.
func (b markers) siteArgs(arg ast.Expr) (args []comptime.Value, unknown *ssa.Value) {
	where := map[*types.Var]*ast.Ident{}
	ast.Inspect(arg, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := b.info.Uses[id].(*types.Var); ok && where[v] == nil {
				where[v] = id
			}
		}
		return true
	})
	for _, v := range load.SiteLocals(arg, b.info) {
		val := b.staticExpr(where[v])
		known, ok := b.known(val, b.subst(v.Type()))
		switch {
		case ok:
			args = append(args, known)
		case val != poison && b.allKnown(val):
			unknown = val
		default:
			return nil, val
		}
	}
	return args, unknown
}

// askEnvironment asks the running program for the value of a qd.Static; that is nil where
// it does not know. If it has the code, lacks says what is missing for it.
func (b *Values) askEnvironment(e *ast.CallExpr, s *load.Static, args []comptime.Value) (v *ssa.Value, lacks string) {
	if b.m.opts.Env == nil {
		return nil, ""
	}
	value, err := b.m.opts.Env.Static(siteOf(s), args, b.reads(s, e.Args[0]))
	switch {
	case errors.Is(err, ErrNotKnown):
		_, lacks, _ = strings.Cut(err.Error(), ErrNotKnown.Error()+": ")
		return nil, lacks
	case err != nil:
		b.m.refuse(e.Args[0], "mend what it calls, or compute it before the launch and pass it as a qd.Const", "qd.Static(%s): %v", s.Expr, err)
		return poison, ""
	}
	t := b.goType(e)
	if v = b.fromKnown(e.Pos(), t, value); v == nil {
		b.m.refuse(e.Args[0], "make it a number, bool or string, an array, a struct or a slice of such, or a function",
			"qd.Static(%s) is %s of type %s, which no kernel can have", s.Expr, clipped(value), comptime.ShortType(value.Type))
		v = poison
	}
	return v, ""
}

// siteOf is how an Environment knows a qd.Static.
func siteOf(s *load.Static) StaticSite {
	return StaticSite{Pkg: s.Pkg, Func: s.Func, Index: s.Index, Expr: s.Expr}
}

// lacksInitial reports a qd.Static that has the value from when its package was initialized,
// where nobody has kept that: it reads what may have changed since then, and the program has
// no code for it as it stands.
func (b markers) lacksInitial(arg ast.Expr, s *load.Static) bool {
	switch {
	case !load.AtPackageLevel(arg, b.info):
		return false // it has the value at the launch
	case b.m.opts.Symbolic:
		if b.m.opts.Registered == nil || b.m.opts.Registered(siteOf(s)) {
			return false
		}
	case b.m.opts.Env == nil:
		return false
	}
	if !s.Foreign && b.lacksFuncs(arg) && !b.m.prog.Statics {
		b.m.staticFuncs = true // and the kernel is lowered anew
		return false
	}
	v, why := b.changing(arg)
	if v == nil {
		return false
	}
	name := v.Obj.Name()
	if v.Pkg != b.src.Pkg {
		name = v.Pkg.Name() + "." + name
	}
	b.m.refuse(arg, runGen(s), "qd.Static(%s) is its value at the initialization of the package, and reads %s, which %s"+notRegistered, s.Expr, name, why)
	return true
}

// lacksValue reports the argument of a qd.Static for which there is code, but something is
// lacking that it is to be given; or, where nothing is, one without code.
func (b *Values) lacksValue(arg ast.Expr, s *load.Static, lacks string) *ssa.Value {
	if lacks == "" {
		return b.needsGo(arg, s, "")
	}
	b.m.refuse(arg, "give it what the running program has as a value", "compiled Go cannot evaluate qd.Static(%s): %s", s.Expr, lacks)
	return poison
}

// lacksFuncs reports whether there are functions in the argument of a qd.Static that are not
// among the program's.
func (b *Scope) lacksFuncs(arg ast.Expr) (lacks bool) {
	ast.Inspect(arg, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := b.info.Uses[id].(*types.Func); ok && b.m.prog.Funcs[f.Origin()] == nil && !load.IsLibrary(f.Pkg()) {
				recv := f.Signature().Recv()
				lacks = lacks || recv == nil || !types.IsInterface(recv.Type())
			}
		}
		return !lacks
	})
	return lacks
}

// callsFuncs reports whether functions in Go are called in an expression.
func (b *Scope) callsFuncs(e ast.Expr) (calls bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			_, isCall := b.called(call)
			calls = calls || isCall
		}
		return !calls
	})
	return calls
}

// notRegistered ends what is said of the argument of a qd.Static that nobody evaluates.
const notRegistered = ", and no code for it is registered"

// runGen is what to do where the program has no code for a qd.Static.
func runGen(s *load.Static) string {
	return "run qdgen gen in package " + s.Pkg + ", or go generate: what it writes lets the program evaluate it"
}

// needsGo reports the argument of a qd.Static that only compiled Go can evaluate.
func (b *Values) needsGo(arg ast.Expr, s *load.Static, why string) *ssa.Value {
	if b.m.opts.Symbolic {
		return b.someValue(arg)
	}
	hint := runGen(s)
	switch {
	case why != "":
		b.m.refuse(arg, hint, "qd.Static(%s) needs Go that kernels do not have (%s)"+notRegistered, s.Expr, why)
	case s.Missing != "":
		b.m.refuse(arg, hint, "qd.Static(%s) needs package %s"+notRegistered, s.Expr, s.Missing)
	default:
		b.m.refuse(arg, hint, "qd.Static(%s) needs compiled Go"+notRegistered, s.Expr)
	}
	return poison
}
