package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// expr evaluates an expression of one value.
func (b *builder) expr(e ast.Expr) *ssa.Value {
	v := b.anyExpr(e)
	if b.m.IllTyped() {
		v = b.Typed(v, b.GoType(e))
	}
	return v
}

func (b *builder) anyExpr(e ast.Expr) *ssa.Value {
	if tv := b.Info.Types[e]; tv.Value != nil {
		return b.ConstantExpr(e, tv)
	}
	if vals, ok := b.loweredFirst[e]; ok && len(vals) == 1 {
		delete(b.loweredFirst, e)
		return vals[0]
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.expr(e.X)
	case *ast.Ident:
		return b.ident(e)
	case *ast.BinaryExpr:
		return b.binary(e)
	case *ast.UnaryExpr:
		return b.unary(e)
	case *ast.CallExpr:
		if vals := b.caller.call(e); len(vals) == 1 {
			return vals[0]
		}
		return eval.Poison
	case *ast.FuncLit:
		return b.inliner.funcLit(e)
	case *ast.IndexListExpr: // an instance of a generic function
		return b.expr(e.X)
	case *ast.IndexExpr:
		if check.IsFunc(b.Info.TypeOf(e.X)) {
			return b.expr(e.X)
		}
		return b.load(e.Pos(), b.operands.ref(e))
	case *ast.StarExpr:
		return b.load(e.Pos(), b.operands.ref(e))
	case *ast.CompositeLit:
		return b.composer.compositeLit(e)
	case *ast.SliceExpr:
		return b.operands.sliceExpr(e)
	case *ast.SelectorExpr:
		return b.selector(e)
	}
	return b.refuseExpr(e)
}

// exprList evaluates expressions from left to right, or the one call that gives
// all the values. The list is the caller's own, also where it is the results of one instruction.
func (b *builder) exprList(list []ast.Expr) []*ssa.Value {
	if len(list) == 1 {
		if call, ok := ast.Unparen(list[0]).(*ast.CallExpr); ok && b.Info.Types[call].Value == nil {
			return slices.Clone(b.caller.call(call))
		}
	}
	vals := make([]*ssa.Value, len(list))
	for i, e := range list {
		vals[i] = b.expr(e)
	}
	return vals
}

func (b *builder) ident(e *ast.Ident) *ssa.Value {
	switch obj := b.Info.ObjectOf(e).(type) {
	case *types.Var:
		if val := b.Value(obj); val != nil {
			return val
		}
		if val := b.Captured(e, obj); val != nil {
			return val
		}
		if r, ok := b.packageVars.globalRef(e); ok {
			return r.val
		}
		b.m.MustHaveFailed("variable " + e.Name + " has no value") // or its declaration was in what has been
		return eval.Poison
	case *types.Func:
		return b.DeclaredFunc(e, obj)
	case *types.Nil:
		return eval.UntypedNil
	}
	return b.refuseExpr(e)
}

// selector evaluates x.f where x is a package or a value; called methods do not
// come here.
func (b *builder) selector(e *ast.SelectorExpr) *ssa.Value {
	sel := b.Info.Selections[e]
	if sel == nil {
		switch obj := b.Info.Uses[e.Sel].(type) {
		case *types.Var:
			if r, ok := b.packageVars.globalRef(e); ok {
				return r.val
			}
		case *types.Func:
			return b.DeclaredFunc(e.Sel, obj)
		}
		return b.refuseExpr(e)
	}
	switch sel.Kind() {
	case types.FieldVal:
		return b.load(e.Sel.Pos(), b.operands.ref(e))
	}
	return b.caller.methodValue(e, sel)
}

func (b *builder) binary(e *ast.BinaryExpr) *ssa.Value {
	switch e.Op {
	case token.LAND, token.LOR:
		return b.shortCircuit(e.OpPos, e.Op, b.expr(e.X), e.Y, func() *ssa.Value {
			b.ordering.callsFirst(e.Y)
			return b.expr(e.Y)
		})
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if v, ok := b.compareBytes(e); ok {
			return v
		}
		if b.operands.comparesTables(e, e.X, e.Y) {
			return eval.Poison
		}
		x := b.comparedWith(e.X, b.expr(e.X), e.Y)
		return b.Compare(e, e.Op, x, b.comparedWith(e.Y, b.expr(e.Y), e.X))
	}
	x := b.expr(e.X)
	y := b.rightOperand(e.Op, e.Y)
	b.checkArith(e.OpPos, e.Op, x, e.Y, y)
	return b.arith(e.OpPos, e.Op, x, y)
}

// rightOperand evaluates the right operand of an operator. A constant count of a shift may be
// written as any number: of 2.0 the type checker has the type of the number, but it is a uint.
func (b *builder) rightOperand(op token.Token, e ast.Expr) *ssa.Value {
	if tv := b.Info.Types[e]; (op == token.SHL || op == token.SHR) && tv.Value != nil && !check.IsBasic(b.Subst(tv.Type), types.IsInteger) {
		return b.ConstantOf(e.Pos(), ssa.Uint64, tv.Value)
	}
	return b.expr(e)
}

// arith computes x op y, of x's type: a number, since what else Go has operators
// for is refused.
func (b *builder) arith(pos token.Pos, op token.Token, x, y *ssa.Value) *ssa.Value {
	if eval.IsFront(x) || eval.IsFront(y) {
		return b.Concat(pos, x, y)
	}
	if eval.AnyPoison([]*ssa.Value{x, y}) {
		return eval.Poison
	}
	if ssa.IsComplex(x.Type) {
		return b.complexArith(pos, op, x, y)
	}
	shift := op == token.SHL || op == token.SHR
	switch onlyIntegers := shift || op == token.REM || op == token.AND || op == token.OR || op == token.XOR || op == token.AND_NOT; {
	case !ssa.IsNumeric(x.Type), onlyIntegers && !ssa.IsInteger(x.Type), !shift && x.Type != y.Type, !ssa.IsNumeric(y.Type):
		return b.NoValue(x.Type.String() + " " + op.String() + " " + y.Type.String())
	}
	return b.Op(pos, eval.BinaryOps[op], x.Type, x, y)
}

func (b *builder) unary(e *ast.UnaryExpr) *ssa.Value {
	switch e.Op {
	case token.AND:
		return b.operands.address(e)
	case token.ARROW:
		b.m.Refuse(e, "exchange values through slices and qd.AtomicAdd", "channels are not supported in a kernel")
		return eval.Poison
	}
	x := b.expr(e.X)
	switch {
	case x == eval.Poison:
		return eval.Poison
	case e.Op == token.NOT && x.Type != ssa.Bool, e.Op == token.XOR && !ssa.IsInteger(x.Type), (e.Op == token.SUB || e.Op == token.ADD) && !ssa.IsNumeric(x.Type) && !ssa.IsComplex(x.Type):
		return b.NoValue(e.Op.String() + x.Type.String())
	}
	switch e.Op {
	case token.SUB:
		if ssa.IsComplex(x.Type) {
			return b.complexNeg(e.OpPos, x)
		}
		return b.Op(e.OpPos, ssa.OpNeg, x.Type, x)
	case token.XOR:
		return b.Op(e.OpPos, ssa.OpCom, x.Type, x)
	case token.NOT:
		return b.Op(e.OpPos, ssa.OpNot, ssa.Bool, x)
	}
	return x // +x
}

// shortCircuit lowers x && y and x || y. y returns the second operand, and right is its expression. If x is known and
// decides, y is not lowered. If y may as well always be evaluated, there is no branch.
func (b *builder) shortCircuit(pos token.Pos, op token.Token, x *ssa.Value, right ast.Expr, y func() *ssa.Value) *ssa.Value {
	and := op == token.LAND
	if c, ok := b.KnownBool(x); ok {
		if c == and {
			return y()
		}
		return x
	}
	if b.Speculable(right) {
		if and {
			return b.Op(pos, ssa.OpAnd, ssa.Bool, x, y())
		}
		return b.Op(pos, ssa.OpOr, ssa.Bool, x, y())
	}
	bad := x == eval.Poison
	br := b.openIf(pos, x, b.assignedInExpr(right))
	var vals [2]*ssa.Value
	for i, then := range [2]bool{true, false} {
		if !then {
			br.openElse()
		}
		if then == and {
			vals[i] = y()
		} else {
			vals[i] = b.Constant(pos, ssa.Bool, ssa.BoolConst(!and))
		}
	}
	doubtful := br.doubtful
	if v := br.closeWith(vals[0], vals[1]); !bad {
		if doubtful {
			b.MarkDoubtful(v)
		}
		return v
	}
	return eval.Poison
}

// sliceExpr is x[lo:hi] or x[lo:hi:max] of a slice or of an array in memory.
func (o operands) sliceExpr(e *ast.SliceExpr) *ssa.Value {
	x := o.sliced(e)
	if eval.IsFront(x) {
		return o.frontSlice(e, x)
	}
	if e.Low == nil && e.High == nil {
		return x
	}
	var lo, hi, most *ssa.Value
	if e.Low != nil {
		lo = o.index(e.Low)
	} else {
		lo = o.b.Constant(e.Lbrack, ssa.Int64, ssa.IntConst(ssa.Int64, 0))
	}
	if e.High != nil {
		hi = o.index(e.High)
	} else {
		hi = o.b.Op(e.Rbrack, ssa.OpLen, ssa.Int64, x)
	}
	if e.Slice3 {
		most = o.index(e.Max)
		o.b.checkSlice3(e, lo, hi, most, x)
	} else {
		o.b.checkSlice(e, lo, hi, x)
	}
	if eval.AnyPoison([]*ssa.Value{x, lo, hi}) || most == eval.Poison {
		return eval.Poison
	}
	v := o.b.Op(e.Pos(), ssa.OpSubslice, x.Type, x, lo, hi)
	o.b.noteSlice(e, v, most)
	if most != nil {
		o.b.NoteCapacity(v, o.b.Op(e.Pos(), ssa.OpSub, ssa.Int64, most, lo))
	}
	return v
}

// sliced is the slice of all elements of what a slice expression is of.
func (o operands) sliced(e *ast.SliceExpr) *ssa.Value {
	var r ref
	ok := false
	if check.IsArray(o.b.GoType(e.X)) {
		if r, ok = o.b.packageVars.readOnly(e.X); !ok && o.b.packageVars.refuseGlobal(e.X, addressTaken) {
			return eval.Poison
		}
	}
	if !ok {
		r = o.ref(e.X)
	}
	if _, ok := r.typ().(ssa.Pointer); ok {
		r = o.b.deref(e.X.Pos(), o.b.load(e.X.Pos(), r))
	}
	if w, _ := eval.ViewOf(r.val); w != nil && w.Slice {
		r = ref{val: w.Base}
	} else if w != nil {
		o.b.m.Refuse(e, "index it instead", "a slice of an array that unsafe.Pointer has converted is not supported in a kernel")
		return eval.Poison
	}
	switch t := r.typ().(type) {
	case *eval.FrontValue:
		return o.b.Settled(r.val)
	case ssa.Slice:
		return o.b.load(e.X.Pos(), r)
	case ssa.Array:
		if typ := o.b.GoType(e); typ != nil {
			if _, ok := o.b.m.TypeOf(typ); !ok && r.addr != nil {
				why, hint := o.b.m.UnsupportedType(typ)
				o.b.m.Refuse(e, hint, "%s", why)
				return eval.Poison
			}
		}
		if r.addr != nil {
			return o.b.Op(e.Pos(), ssa.OpSliceOf, ssa.Slice{Elem: t.Elem}, r.addr)
		}
	}
	if r.val == eval.Poison {
		return eval.Poison
	}
	if _, ok := r.typ().(ssa.Array); ok {
		return o.b.RefuseSliced(e)
	}
	return o.b.NoValue("a slice of a " + r.typ().String())
}

// refuseExpr reports an expression that has no meaning in a kernel.
func (b *builder) refuseExpr(e ast.Expr) *ssa.Value {
	if assert, ok := e.(*ast.TypeAssertExpr); ok {
		return b.switcher.assertion(assert)
	}
	if sel, ok := e.(*ast.SelectorExpr); ok && check.Invalid(b.GoType(sel.X)) {
		// A part of what only compiled Go knows the type of: qd.Static(array).Len(), where package
		// qd, as kernels have it, lacks the type.
		if v := b.expr(sel.X); v == eval.Poison {
			b.m.MustHaveFailed("a part of a value without a type")
			return v
		}
	}
	return b.NoValue(fmt.Sprintf("an expression %T", e))
}

// refusedBuiltins are the predeclared functions that a kernel cannot call.
var refusedBuiltins = map[string]struct{ why, hint string }{
	"close":   {"channels are not supported", "exchange values through slices and qd.AtomicAdd"},
	"delete":  {"maps are not supported", "keep the values in a slice that the kernel takes"},
	"print":   {"print is not supported", "use qd.Printf"},
	"println": {"println is not supported", "use qd.Printf"},
	"recover": {"recover is not supported", "test for the error condition first"},
}

// comparesTables refuses a comparison of two values with pointers to tables of which the kernel has its own.
func (o operands) comparesTables(e, x, y ast.Expr) bool {
	t := o.b.GoType(x)
	if !load.HasOneAddress(t) || o.b.Info.Types[y].IsNil() {
		return false
	}
	o.b.RefuseTables(e, t)
	return true
}
