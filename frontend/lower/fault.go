package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// panicCall lowers panic, which stops the launch in every build. What it says is a
// constant string, or a number or a bool.
func (is intrinsics) panicCall(e *ast.CallExpr) {
	if !is.b.m.Arity(e, 1) {
		return
	}
	if !is.b.mayPanicHere(e) {
		return
	}
	in := &ssa.Instr{Op: ssa.OpPanic}
	arg := e.Args[0]
	if check.IsBasic(is.b.GoType(arg), types.IsString) {
		msg, ok := is.text(arg)
		if !ok {
			return
		}
		in.Message = msg
	} else {
		if t, ok := is.b.m.TypeOf(is.b.GoType(arg)); !ok || t != ssa.Bool && !ssa.IsNumeric(t) {
			if !is.b.m.IllTyped() || !check.Invalid(is.b.GoType(arg)) {
				is.b.m.Refuse(arg, "panic with a constant string, and print the rest with qd.Printf before it",
					"panic with a value of type %s is not supported in a kernel", is.b.m.TypeString(is.b.GoType(arg)))
			}
			return
		}
		v := is.b.expr(arg)
		if v == eval.Poison {
			return
		}
		in.Args = []*ssa.Value{v}
	}
	is.b.Leave(e.Pos(), in)
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
