package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
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
	s := b.m.Prog.Static(e)
	if s == nil || !b.IsMarker(e.Fun, "Static") {
		return nil, false
	}
	arg := e.Args[0]
	if s.Untyped {
		return b.NeedsGo(arg, s, ""), true
	}
	if !s.Foreign && !load.NeedsGo(arg, b.Info) {
		if b.LacksFuncs(arg) && !b.m.Prog.Statics {
			b.m.staticFuncs = true
			return b.NeedsGo(arg, s, ""), true // which nobody sees: the kernel is lowered anew
		}
		return nil, false
	}
	args, unknown := b.siteArgs(arg)
	switch {
	case unknown == nil:
	case b.m.Opts.Symbolic && b.AllKnown(unknown):
		return b.NeedsGo(arg, s, ""), true
	case !s.Foreign && !b.LacksFuncs(arg):
		return nil, false // it may be known nevertheless
	case b.AllKnown(unknown): // but for what a function captures
		return b.NeedsGo(arg, s, ""), true
	default:
		if unknown != eval.Poison {
			b.DemandKnown(arg, unknown, "argument of qd.Static")
		}
		return eval.Poison, true
	}
	if b.m.Opts.Env != nil && !s.Foreign && b.LacksFuncs(arg) && !b.m.Prog.Statics && !load.AtPackageLevel(arg, b.Info) {
		b.m.staticFuncs = true // to see What they read
		return b.NeedsGo(arg, s, ""), true
	}
	value, lacks, asked := b.AskEnvironment(e, s, args)
	if asked && (value == nil || !b.m.Unnamed(*value)) {
		return b.FromEnvironment(e, s, value), true
	}
	if asked { // what function literals in it capture, only the source tells
		if v := b.literalsOf(arg, s); v != nil {
			return v, true
		}
		return b.FromEnvironment(e, s, value), true
	}
	if lacks == "" && b.lacksInitial(arg, s) {
		return eval.Poison, true
	}
	switch {
	case b.m.Opts.Symbolic && s.Foreign:
		return b.SomeValue(e), true
	case s.Foreign:
		return b.LacksValue(arg, s, lacks), true
	case b.LacksFuncs(arg):
		if b.m.Opts.Symbolic {
			return b.SomeValue(e), true
		}
		b.m.staticFuncs = true // if the program was not asked for them, the kernel is lowered anew
		return b.LacksValue(arg, s, lacks), true
	}
	before := b.m.Diags
	v = b.staticExpr(arg)
	if news := b.m.Diags.Since(before.Len()); len(news) > 0 && b.CallsFuncs(arg) {
		if strings.HasSuffix(news[0].Msg, eval.NotRegistered) || strings.HasSuffix(news[0].Msg, isNil) {
			return eval.Poison, true // of another qd.Static, or what compiled Go could not call either
		}
		b.m.Diags = before
		if lacks != "" {
			return b.LacksValue(arg, s, lacks), true
		}
		return b.NeedsGo(arg, s, news[0].Pos.String()+": "+news[0].Msg), true
	}
	if b.m.Opts.Symbolic && !b.AllKnown(v) {
		return b.SomeValue(e), true // compiled Go may know
	}
	if v == eval.Poison || !b.DemandKnown(arg, v, "argument of qd.Static") {
		return eval.Poison, true
	}
	return b.AsKnown(arg, v), true
}

// literalsOf evaluates the argument of a qd.Static whose value in the running program has function literals in it, with
// what they capture. It is nil where the source does not tell, or tells another value than the program's: where the
// argument has the value from when the package was initialized, and that may have changed.
func (b markers) literalsOf(arg ast.Expr, s *load.Static) *ssa.Value {
	if b.LacksFuncs(arg) {
		b.m.staticFuncs = true // if the program was not asked for them, the kernel is lowered anew
		return nil
	}
	if changed, _ := b.Changing(arg); s.Foreign || changed != nil && load.AtPackageLevel(arg, b.Info) {
		return nil
	}
	before := b.m.Diags
	v := b.staticExpr(arg)
	if len(b.m.Diags.Since(before.Len())) > 0 || v == eval.Poison || !b.DemandKnown(arg, v, "argument of qd.Static") {
		b.m.Diags = before
		return nil
	}
	return b.AsKnown(arg, v)
}

// siteArgs are the values of the local names in the argument of a qd.Static; or unknown is
// one of which the value is not known.
func (b markers) siteArgs(arg ast.Expr) (args []comptime.Value, unknown *ssa.Value) {
	where := map[*types.Var]*ast.Ident{}
	ast.Inspect(arg, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := b.Info.Uses[id].(*types.Var); ok && where[v] == nil {
				where[v] = id
			}
		}
		return true
	})
	for _, v := range load.SiteLocals(arg, b.Info) {
		val := b.staticExpr(where[v])
		known, ok := b.Known(val, b.Subst(v.Type()))
		switch {
		case ok:
			args = append(args, known)
		case val != eval.Poison && b.AllKnown(val):
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
func (b markers) lacksInitial(arg ast.Expr, s *load.Static) bool {
	switch {
	case !load.AtPackageLevel(arg, b.Info):
		return false // it has the value at the launch
	case b.m.Opts.Symbolic:
		if b.m.Opts.Registered == nil || b.m.Opts.Registered(eval.SiteOf(s)) {
			return false
		}
	case b.m.Opts.Env == nil:
		return false
	}
	if !s.Foreign && b.LacksFuncs(arg) && !b.m.Prog.Statics {
		b.m.staticFuncs = true // and the kernel is lowered anew
		return false
	}
	v, why := b.Changing(arg)
	if v == nil {
		return false
	}
	name := v.Obj.Name()
	if v.Pkg != b.Src.Pkg {
		name = v.Pkg.Name() + "." + name
	}
	b.m.Refuse(arg, eval.RunGen(s), "qd.Static(%s) has its value from the initialization of the package, but it reads %s, which %s"+eval.NotRegistered, s.Expr, name, why)
	return true
}
