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
func (b intrinsics) panicCall(e *ast.CallExpr) {
	if !b.m.Arity(e, 1) {
		return
	}
	if b.Cur.Owner != nil && b.Cur.Owner.Op == ssa.OpLoop {
		// A Cond or a Post; a Do is left by it.
		if b.Cur != b.Cur.Owner.Do() {
			b.m.Refuse(e, "call it in the loop's body", "panic in the header of a loop is not supported")
			return
		}
	}
	in := &ssa.Instr{Op: ssa.OpPanic}
	arg := e.Args[0]
	if check.IsBasic(b.GoType(arg), types.IsString) {
		msg, ok := b.text(arg)
		if !ok {
			return
		}
		in.Message = msg
	} else {
		if t, ok := b.m.TypeOf(b.GoType(arg)); !ok || t != ssa.Bool && !ssa.IsNumeric(t) {
			if !b.m.IllTyped() || !check.Invalid(b.GoType(arg)) {
				b.m.Refuse(arg, "panic with a constant string, and print the rest with qd.Printf before it",
					"panic of a %s is not supported in a kernel", b.m.TypeString(b.GoType(arg)))
			}
			return
		}
		v := b.expr(arg)
		if v == eval.Poison {
			return
		}
		in.Args = []*ssa.Value{v}
	}
	b.Leave(e.Pos(), in)
}

// assert lowers qd.Assert.
func (b intrinsics) assert(e *ast.CallExpr) {
	if !b.m.Arity(e, 2) {
		return
	}
	cond := b.expr(e.Args[0])
	msg, ok := b.text(e.Args[1])
	if ok && cond != eval.Poison && b.m.Opts.Checked {
		b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckAssert, Message: msg, Args: []*ssa.Value{cond}})
	}
}

// text evaluates a string that must be known: a message or a format.
func (b intrinsics) text(e ast.Expr) (string, bool) {
	v := b.expr(e)
	if v == eval.Poison {
		return "", false
	}
	s, ok := eval.StringOf(v)
	if !ok {
		b.RefuseUnknownValue(e, types.ExprString(e), v)
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
