package frontend

import (
	"fmt"
	"go/ast"
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// The markers of package qd for compile time.

// markers are the calls of qd.Static and its kin.
type markers struct{ *builder }

// static lowers qd.Static: its argument, which must be known.
func (b markers) static(e *ast.CallExpr) *ssa.Value {
	if !b.m.arity(e, 1) {
		return poison
	}
	return b.demand(e.Args[0], "Static")
}

// demand evaluates an argument of a function of package qd that takes what is known at
// compile time only.
func (b markers) demand(arg ast.Expr, of string) *ssa.Value {
	v := b.staticExpr(arg)
	if v == poison || !b.demandKnown(arg, v, "argument of qd."+of) {
		return poison
	}
	return b.asKnown(arg, v)
}

// dynamic lowers qd.Dynamic: its argument, as if it were not known.
func (b markers) dynamic(e *ast.CallExpr) *ssa.Value {
	if !b.m.arity(e, 1) {
		return poison
	}
	v := b.expr(e.Args[0])
	switch {
	case v == poison:
	case isFront(v):
		b.m.refuse(e.Args[0], "leave out qd.Dynamic", "a %s is known at compile time, or not at all", b.m.typeString(b.goType(e.Args[0])))
		return poison
	case !isKnown(v):
	case v.Type == ssa.Bool || ssa.IsNumeric(v.Type):
		return b.op(e.Pos(), ssa.OpOpaque, v.Type, v)
	default:
		addr := b.fresh(e.Pos(), v)
		b.escape(addr)
		return b.load(e.Pos(), ref{addr: addr})
	}
	return v
}

// staticAssert lowers qd.StaticAssert.
func (b markers) staticAssert(e *ast.CallExpr) {
	if !b.m.arity(e, 2) {
		return
	}
	cond, msg := b.demand(e.Args[0], "StaticAssert"), b.demand(e.Args[1], "StaticAssert")
	if msg == poison || b.dead {
		return
	}
	text, _ := b.known(msg, b.goType(e.Args[1]))
	if c, ok := b.knownBool(cond); ok && !c {
		b.failAssertion(e, text.Str, isLibrary(b.src.Pkg.Path()))
	}
}

// failAssertion reports a static assertion that has failed, in each call of the functions
// of package qd that it is in: those are lowered once for all of their calls. One of the
// library's own says behind a colon what to do instead.
func (b markers) failAssertion(n ast.Node, text string, library bool) {
	hint := "the condition is known when the kernel is compiled: choose other constants or types"
	what := text
	if library {
		if said, instead, ok := strings.Cut(text, ": "); ok {
			what, hint = said, instead
		}
	}
	b.m.refuse(b.usersCall(n), hint, "static assertion failed: %s", what)
	for f := b.f; f.call != nil && isLibrary(f.src.Pkg.Path()); f = f.caller {
		f.failed = text
	}
}

// usersCall is, for a node in the source of package qd, the call in the user's source that
// brought the compiler there: the one that can be changed.
func (b *Code) usersCall(n ast.Node) ast.Node {
	if b.inLibrary() {
		n = b.within.call
	}
	for f := b.f; f.call != nil && isLibrary(f.src.Pkg.Path()); f = f.caller {
		n = f.call
	}
	return n
}

// staticPrint lowers qd.StaticPrint: nothing is left of it.
func (b markers) staticPrint(e *ast.CallExpr) {
	parts := make([]string, len(e.Args))
	for i, arg := range e.Args {
		v, ok := b.known(b.demand(arg, "StaticPrint"), b.goType(arg))
		if !ok {
			return // refused, or symbolic
		}
		parts[i] = printed(v)
	}
	if b.dead || b.m.opts.Print == nil {
		return
	}
	at := b.pos(e.Pos())
	b.m.opts.Print(at.File + ":" + strconv.Itoa(at.Line) + ": " + strings.Join(parts, " "))
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

// markerCall is the call of a marker of package qd, of one argument, that an expression
// is; nil if it is none.
func (b *Scope) markerCall(e ast.Expr, name string) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !b.isMarker(call.Fun, name) {
		return nil
	}
	return call
}

// isMarker reports whether what is called is a function of package qd of that name.
func (b *Scope) isMarker(fun ast.Expr, name string) bool {
	id := calleeName(fun)
	if id == nil {
		return false
	}
	f, ok := b.info.Uses[id].(*types.Func)
	return ok && f.Name() == name && f.Pkg() != nil && f.Pkg().Path() == load.QDPath && f.Signature().Recv() == nil
}
