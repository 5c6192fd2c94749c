package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// expr evaluates an expression of one value.
func (b *builder) expr(e ast.Expr) *ssa.Value {
	v := b.anyExpr(e)
	if b.m.illTyped() {
		v = b.typed(v, b.goType(e))
	}
	return v
}

func (b *builder) anyExpr(e ast.Expr) *ssa.Value {
	if tv := b.info.Types[e]; tv.Value != nil {
		return b.constantExpr(e, tv)
	}
	if vals, ok := b.early[e]; ok && len(vals) == 1 {
		delete(b.early, e)
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
		return poison
	case *ast.FuncLit:
		return b.inliner.funcLit(e)
	case *ast.IndexListExpr: // an instance of a generic function
		return b.expr(e.X)
	case *ast.IndexExpr:
		if isFunc(b.info.TypeOf(e.X)) {
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
// all the values.
func (b *builder) exprList(list []ast.Expr) []*ssa.Value {
	if len(list) == 1 {
		if call, ok := ast.Unparen(list[0]).(*ast.CallExpr); ok && b.info.Types[call].Value == nil {
			return b.caller.call(call)
		}
	}
	vals := make([]*ssa.Value, len(list))
	for i, e := range list {
		vals[i] = b.expr(e)
	}
	return vals
}

func (b *builder) ident(e *ast.Ident) *ssa.Value {
	switch obj := b.info.ObjectOf(e).(type) {
	case *types.Var:
		if val := b.value(obj); val != nil {
			return val
		}
		if val := b.captured(e, obj); val != nil {
			return val
		}
		if r, ok := b.packageVars.globalRef(e); ok {
			return r.val
		}
		b.m.mustHaveFailed("variable " + e.Name + " has no value") // or its declaration was in what has been
		return poison
	case *types.Func:
		return b.declaredFunc(e, obj)
	case *types.Nil:
		return untypedNil
	}
	return b.refuseExpr(e)
}

// selector evaluates x.f where x is a package or a value; called methods do not
// come here.
func (b *builder) selector(e *ast.SelectorExpr) *ssa.Value {
	sel := b.info.Selections[e]
	if sel == nil {
		switch obj := b.info.Uses[e.Sel].(type) {
		case *types.Var:
			if r, ok := b.packageVars.globalRef(e); ok {
				return r.val
			}
		case *types.Func:
			return b.declaredFunc(e.Sel, obj)
		}
		return b.refuseExpr(e)
	}
	switch sel.Kind() {
	case types.FieldVal:
		return b.load(e.Sel.Pos(), b.operands.ref(e))
	}
	return b.caller.methodValue(e, sel)
}

var binaryOps = map[token.Token]ssa.Op{
	token.ADD: ssa.OpAdd, token.SUB: ssa.OpSub, token.MUL: ssa.OpMul, token.QUO: ssa.OpDiv, token.REM: ssa.OpRem,
	token.AND: ssa.OpAnd, token.OR: ssa.OpOr, token.XOR: ssa.OpXor, token.AND_NOT: ssa.OpAndNot,
	token.SHL: ssa.OpShl, token.SHR: ssa.OpShr,
	token.EQL: ssa.OpEq, token.NEQ: ssa.OpNe,
	token.LSS: ssa.OpLt, token.LEQ: ssa.OpLe, token.GTR: ssa.OpGt, token.GEQ: ssa.OpGe,
}

func (b *builder) binary(e *ast.BinaryExpr) *ssa.Value {
	switch e.Op {
	case token.LAND, token.LOR:
		return b.shortCircuit(e.OpPos, e.Op, b.expr(e.X), e.Y, func() *ssa.Value {
			b.ordering.callsFirst(e.Y)
			return b.expr(e.Y)
		})
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		x := b.expr(e.X)
		return b.compare(e, e.Op, x, b.expr(e.Y))
	}
	x := b.expr(e.X)
	y := b.rightOperand(e.Op, e.Y)
	b.checkArith(e.OpPos, e.Op, x, e.Y, y)
	return b.arith(e.OpPos, e.Op, x, y)
}

// rightOperand evaluates the right operand of an operator. A constant count of a shift may be
// written as any number: of 2.0 the type checker has the type of the number, but it is a uint.
func (b *builder) rightOperand(op token.Token, e ast.Expr) *ssa.Value {
	if tv := b.info.Types[e]; (op == token.SHL || op == token.SHR) && tv.Value != nil && !isBasic(b.subst(tv.Type), types.IsInteger) {
		return b.constantOf(e.Pos(), ssa.Uint64, tv.Value)
	}
	return b.expr(e)
}

// arith computes x op y, of x's type: a number, since what else Go has operators
// for is refused.
func (b *builder) arith(pos token.Pos, op token.Token, x, y *ssa.Value) *ssa.Value {
	if isFront(x) || isFront(y) {
		return b.concat(pos, x, y)
	}
	if anyPoison([]*ssa.Value{x, y}) {
		return poison
	}
	shift := op == token.SHL || op == token.SHR
	switch onlyIntegers := shift || op == token.REM || op == token.AND || op == token.OR || op == token.XOR || op == token.AND_NOT; {
	case !ssa.IsNumeric(x.Type), onlyIntegers && !ssa.IsInteger(x.Type), !shift && x.Type != y.Type, !ssa.IsNumeric(y.Type):
		return b.noValue(x.Type.String() + " " + op.String() + " " + y.Type.String())
	}
	return b.op(pos, binaryOps[op], x.Type, x, y)
}

func (b *builder) unary(e *ast.UnaryExpr) *ssa.Value {
	switch e.Op {
	case token.AND:
		return b.operands.address(e)
	case token.ARROW:
		b.m.refuse(e, "exchange values through slices and qd.AtomicAdd", "channels are not supported in a kernel")
		return poison
	}
	x := b.expr(e.X)
	switch {
	case x == poison:
		return poison
	case e.Op == token.NOT && x.Type != ssa.Bool, e.Op == token.XOR && !ssa.IsInteger(x.Type), (e.Op == token.SUB || e.Op == token.ADD) && !ssa.IsNumeric(x.Type):
		return b.noValue(e.Op.String() + x.Type.String())
	}
	switch e.Op {
	case token.SUB:
		return b.op(e.OpPos, ssa.OpNeg, x.Type, x)
	case token.XOR:
		return b.op(e.OpPos, ssa.OpCom, x.Type, x)
	case token.NOT:
		return b.op(e.OpPos, ssa.OpNot, ssa.Bool, x)
	}
	return x // +x
}

// shortCircuit computes x && y and x || y, of which y gives the second and right is
// its expression. Where x is known to decide, y is not lowered. Where y may as well be
// evaluated always it is, and there is no branch.
func (b *builder) shortCircuit(pos token.Pos, op token.Token, x *ssa.Value, right ast.Expr, y func() *ssa.Value) *ssa.Value {
	and := op == token.LAND
	if c, ok := b.knownBool(x); ok {
		if c == and {
			return y()
		}
		return x
	}
	if b.speculable(right) {
		if and {
			return b.op(pos, ssa.OpAnd, ssa.Bool, x, y())
		}
		return b.op(pos, ssa.OpOr, ssa.Bool, x, y())
	}
	bad := x == poison
	br := b.openIf(pos, x, b.assignedInExpr(right))
	var vals [2]*ssa.Value
	for i, then := range [2]bool{true, false} {
		if !then {
			br.openElse()
		}
		if then == and {
			vals[i] = y()
		} else {
			vals[i] = b.constant(pos, ssa.Bool, ssa.BoolConst(!and))
		}
	}
	if v := br.closeWith(vals[0], vals[1]); !bad {
		return v
	}
	return poison
}

// speculable reports whether an operand may be evaluated where Go would skip it,
// because nobody could tell: it reads no memory, cannot panic, and costs less
// than a branch.
func (b *Scope) speculable(e ast.Expr) bool {
	budget := 12
	return b.isCheap(e, &budget)
}

func (b *Scope) isCheap(e ast.Expr, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	if b.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return b.isCheap(e.X, budget)
	case *ast.SelectorExpr:
		return b.root(e) != nil && b.isCheap(e.X, budget) // a field, and no pointer on the way
	case *ast.IndexExpr:
		sel := b.likeField(e)
		return sel != nil && b.root(sel) != nil && b.isCheap(sel.X, budget)
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && b.isCheap(e.X, budget)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM:
			// An integer division panics for zero, and costs.
			if !isFloat(b.goType(e)) {
				return false
			}
		case token.SHL, token.SHR:
			// A negative count panics.
			if c := b.info.Types[e.Y]; c.Value == nil && !isUnsigned(c.Type) {
				return false
			}
		}
		return b.isCheap(e.X, budget) && b.isCheap(e.Y, budget)
	case *ast.CallExpr:
		if len(e.Args) != 1 {
			return false
		}
		fun := b.info.Types[e.Fun]
		if id, ok := e.Fun.(*ast.Ident); ok && fun.IsBuiltin() && id.Name == "len" || fun.IsType() {
			return b.isCheap(e.Args[0], budget)
		}
	}
	return false
}

func isFloat(t types.Type) bool { return isBasic(t, types.IsFloat) }

func isUnsigned(t types.Type) bool { return isBasic(t, types.IsUnsigned) }

// isBasic reports whether a type is a basic one with a property, or is declared as one.
func isBasic(t types.Type, property types.BasicInfo) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&property != 0
}

// isPackageVar reports whether a variable is declared at package level.
func isPackageVar(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// sliceExpr is x[lo:hi] of a slice or of an array in memory. A slice knows its length
// but no capacity, so hi is at most that.
func (b operands) sliceExpr(e *ast.SliceExpr) *ssa.Value {
	x := b.sliced(e)
	if isFront(x) {
		return b.frontSlice(e, x)
	}
	if e.Slice3 {
		b.m.refuse(e, "leave the capacity out: x[lo:hi]", "slices in a kernel have no capacity")
		return poison
	}
	if e.Low == nil && e.High == nil {
		return x
	}
	var lo, hi *ssa.Value
	if e.Low != nil {
		lo = b.index(e.Low)
	} else {
		lo = b.constant(e.Lbrack, ssa.Int64, ssa.IntConst(ssa.Int64, 0))
	}
	if e.High != nil {
		hi = b.index(e.High)
	} else {
		hi = b.op(e.Rbrack, ssa.OpLen, ssa.Int64, x)
	}
	b.checkSlice(e, lo, hi, x)
	return b.op(e.Pos(), ssa.OpSubslice, x.Type, x, lo, hi)
}

// sliced is the slice of all elements of what a slice expression is of.
func (b operands) sliced(e *ast.SliceExpr) *ssa.Value {
	if isArray(b.goType(e.X)) && b.packageVars.refuseGlobal(e.X, addressTaken) {
		return poison
	}
	r := b.ref(e.X)
	if _, ok := r.typ().(ssa.Pointer); ok {
		r = b.deref(e.X.Pos(), b.load(e.X.Pos(), r))
	}
	switch t := r.typ().(type) {
	case *frontValue:
		return b.settled(r.val)
	case ssa.Slice:
		return b.load(e.X.Pos(), r)
	case ssa.Array:
		if typ := b.goType(e); typ != nil {
			if _, ok := b.m.typeOf(typ); !ok && r.addr != nil {
				why, hint := b.m.unsupportedType(typ)
				b.m.refuse(e, hint, "%s", why)
				return poison
			}
		}
		if r.addr != nil {
			return b.op(e.Pos(), ssa.OpSliceOf, ssa.Slice{Elem: t.Elem}, r.addr)
		}
	}
	if r.val == poison {
		return poison
	}
	if _, ok := r.typ().(ssa.Array); ok {
		return b.refuseSliced(e)
	}
	return b.noValue("a slice of a " + r.typ().String())
}
