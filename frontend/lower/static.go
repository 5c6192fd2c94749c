package lower

import (
	"fmt"
	"go/ast"
	"math"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// The markers of package qd for compile time.

// markers are the calls of qd.Static and its kin.
type markers struct{ b *builder }

// static lowers qd.Static: its argument, which must be known.
func (m markers) static(e *ast.CallExpr) *ssa.Value {
	if !m.b.m.Arity(e, 1) {
		return eval.Poison
	}
	return m.demand(e.Args[0], "Static")
}

// demand evaluates an argument of a function of package qd that takes what is known at
// compile time only.
func (m markers) demand(arg ast.Expr, of string) *ssa.Value {
	v := m.staticExpr(arg)
	if v == eval.UntypedNil {
		v = m.b.NoValue("an argument of qd." + of + " without a type")
	}
	if of == "Static" && v != eval.Poison && !m.b.AllKnown(v) {
		if initial := m.asInitial(arg); initial != nil {
			return initial
		}
	}
	at, what := arg, "argument of qd."+of
	if m.b.InLibrary() {
		at, _ = m.b.UsersCall(arg).(ast.Expr)
		what = "an argument"
	}
	if v == eval.Poison || !m.b.DemandKnown(at, v, what) {
		return eval.Poison
	}
	return m.b.AsKnown(arg, v)
}

// dynamic lowers qd.Dynamic: its argument, as if it were not known.
func (m markers) dynamic(e *ast.CallExpr) *ssa.Value {
	if !m.b.m.Arity(e, 1) {
		return eval.Poison
	}
	v := m.b.expr(e.Args[0])
	switch {
	case v == eval.Poison:
	case eval.IsFront(v):
		m.b.m.Refuse(e.Args[0], "leave out qd.Dynamic", "a %s is always known at compile time", m.b.m.TypeString(m.b.GoType(e.Args[0])))
		return eval.Poison
	case !eval.IsKnown(v):
	case v.Type == ssa.Bool || ssa.IsNumeric(v.Type):
		return m.b.Op(e.Pos(), ssa.OpOpaque, v.Type, v)
	default:
		addr := m.b.Fresh(e.Pos(), v)
		m.b.Escape(addr)
		return m.b.load(e.Pos(), ref{addr: addr})
	}
	return v
}

// staticAssert lowers qd.StaticAssert.
func (m markers) staticAssert(e *ast.CallExpr) {
	if !m.b.m.Arity(e, 2) {
		return
	}
	cond, msg := m.demand(e.Args[0], "StaticAssert"), m.demand(e.Args[1], "StaticAssert")
	if msg == eval.Poison || m.b.Dead {
		return
	}
	text, _ := m.b.Known(msg, m.b.GoType(e.Args[1]))
	if c, ok := m.b.KnownBool(cond); ok && !c {
		m.failAssertion(e, text.Str, check.IsLibrary(m.b.Src.Pkg.Path()))
	}
}

// failAssertion reports a static assertion that has failed, in each call of the functions
// of package qd that it is in: those are lowered once for all of their calls. One of the
// library's own says behind a colon what to do instead.
func (m markers) failAssertion(n ast.Node, text string, library bool) {
	hint := "the condition is false for these constants and types: choose others"
	what := text
	if library {
		if said, instead, ok := strings.Cut(text, ": "); ok {
			what, hint = said, instead
		}
	}
	m.b.m.Refuse(m.b.UsersCall(n), hint, "static assertion failed: %s", what)
	for f := m.b.Function; f.Call != nil && check.IsLibrary(f.Src.Pkg.Path()); f = f.Caller {
		f.Failed = text
	}
}

// staticPrint lowers qd.StaticPrint: nothing is left of it.
func (m markers) staticPrint(e *ast.CallExpr) {
	parts := make([]string, len(e.Args))
	for i, arg := range e.Args {
		v, ok := m.b.Known(m.demand(arg, "StaticPrint"), m.b.GoType(arg))
		if !ok {
			return // refused, or symbolic
		}
		parts[i] = printed(v)
	}
	if m.b.Dead || m.b.m.Opts.Print == nil {
		return
	}
	at := m.b.Pos(e.Pos())
	m.b.m.Opts.Print(at.File + ":" + strconv.Itoa(at.Line) + ": " + strings.Join(parts, " "))
}

// printed is a known value as fmt.Println writes it; a function is its name.
func printed(v comptime.Value) string {
	open, end := "[", "]"
	switch v.Kind {
	case comptime.String:
		return v.Str
	case comptime.Float32:
		return fmt.Sprint(math.Float32frombits(uint32(v.Bits)))
	case comptime.Float64:
		return fmt.Sprint(math.Float64frombits(v.Bits))
	case comptime.Func:
		if v.Func == nil {
			return "<nil>"
		}
		return v.String()
	case comptime.Struct:
		open, end = "{", "}"
	case comptime.Map:
		open = "map["
	case comptime.Array, comptime.Slice:
	default:
		return v.String()
	}
	parts := make([]string, len(v.Elems))
	for i, e := range v.Elems {
		parts[i] = printed(e)
	}
	if v.Kind == comptime.Map {
		var pairs []string
		for i := 0; i+1 < len(parts); i += 2 {
			pairs = append(pairs, parts[i]+":"+parts[i+1])
		}
		parts = pairs
	}
	return open + strings.Join(parts, " ") + end
}
