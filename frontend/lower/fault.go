package lower

import (
	"go/ast"
	"go/types"
	"runtime"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// panicCall lowers panic, which stops the launch in every build. What it says may have numbers and bools in it, which
// are recorded. If the argument cannot be computed in a kernel, the kernel stops nevertheless, and says so.
func (is intrinsics) panicCall(e *ast.CallExpr) {
	if !is.b.m.Arity(e, 1) || !is.b.mayPanicHere(e) {
		return
	}
	arg := e.Args[0]
	typ := is.b.GoType(arg)
	if typ == nil || check.Invalid(typ) {
		is.b.expr(arg)
		is.b.m.MustBeIllTyped("a panic without a value")
		return
	}
	it := item{name: types.ExprString(arg), typ: typ}
	it.val, _ = is.b.texts.attempt(arg)
	if it.val != nil && types.IsInterface(typ) && is.panicWith(e, it) {
		return
	}
	is.leave(e, is.b.texts.dynamic(arg, it))
}

// leave ends the launch with a value.
func (is intrinsics) leave(e *ast.CallExpr, it item) {
	in := &ssa.Instr{Op: ssa.OpPanic}
	switch {
	case it.typ == nil:
		in.Message = "runtime error: " + new(runtime.PanicNilError).Error()
	case it.val != nil && isPlainNumber(it):
		in.Args = []*ssa.Value{it.val}
	default:
		in.Message, in.Args = is.b.texts.recorded(is.b.Here(e.Pos(), is.b.texts.item(e, directive{"%", 'v'}, it, 0)))
	}
	is.b.Leave(e.Pos(), in)
}

// isPlainNumber reports whether a panic says no more than a number or a bool.
func isPlainNumber(it item) bool {
	_, predeclared := types.Unalias(it.typ).(*types.Basic)
	return predeclared && !eval.IsFront(it.val) && it.val != eval.Poison && (it.val.Type == ssa.Bool || ssa.IsNumeric(it.val.Type))
}

// panicWith ends the launch with an interface value of several dynamic types, if it has these: what it says tells which
// it is.
func (is intrinsics) panicWith(e *ast.CallExpr, it item) bool {
	const most = 16
	may, certain := eval.Dynamics(it.val)
	if len(may) < 2 || len(may) > most || !certain || !eval.Tagged(may) {
		return false
	}
	for n, d := range may {
		one := item{name: it.name, typ: d.Type}
		if d.Sentinel != nil || d.Text != "" {
			one.typ, one.val = types.Typ[types.String], is.b.texts.ofMade(e, d, nil).Value()
		} else if d.Type != nil {
			one.name += ", of type " + is.b.m.TypeString(d.Type)
		}
		if n == len(may)-1 {
			is.leave(e, one)
			return true
		}
		br := is.b.openIf(e.Pos(), is.b.IsDynamic(e.Pos(), it.val, d), nil)
		is.leave(e, one)
		br.openElse()
		defer br.close()
	}
	return true
}

// mayPanicHere reports whether a panic can stand here: not in the header of a loop, where it is refused.
func (b *builder) mayPanicHere(e ast.Node) bool {
	if loop := b.Cur.Owner; loop != nil && loop.Op == ssa.OpLoop {
		// A Cond, which is lowered before there is a Do, or a Post; a Do is left by it.
		if b.Cur == loop.Cond() || b.Cur != loop.Do() {
			b.m.Refuse(e, "call it in the loop's body", "panic in the header of a loop is not supported")
			return false
		}
	}
	return true
}

// assert lowers qd.Assert.
func (is intrinsics) assert(e *ast.CallExpr) {
	if !is.b.m.Arity(e, 2) {
		return
	}
	cond := is.b.expr(e.Args[0])
	msg, ok := is.text(e.Args[1])
	if ok && cond != eval.Poison && is.b.m.Opts.Checked {
		is.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckAssert, Message: msg, Args: []*ssa.Value{cond}})
	}
}

// text evaluates a string that must be known: a message or a format.
func (is intrinsics) text(e ast.Expr) (string, bool) {
	v := is.b.expr(e)
	if v == eval.Poison {
		return "", false
	}
	s, ok := eval.StringOf(v)
	if !ok {
		is.b.RefuseUnknownValue(e, types.ExprString(e), v)
	}
	return s, ok
}

// ownChecks are the functions of package qd that are checks, with their number of
// arguments.
var ownChecks = map[string]struct {
	check ssa.Check
	args  int
}{
	"checkIndex": {ssa.CheckIndex, 2},
	"checkRange": {ssa.CheckSlice, 3},
}
