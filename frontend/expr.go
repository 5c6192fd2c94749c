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
		if vals := b.call(e); len(vals) == 1 {
			return vals[0]
		}
		return poison
	case *ast.IndexExpr:
		slice, index := b.element(e)
		return b.load(e.Pos(), slice, index)
	case *ast.SliceExpr:
		return b.sliceExpr(e)
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
			return b.call(call)
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
		if val, ok := b.vars[obj]; ok {
			return val
		}
		if isPackageVar(obj) {
			return b.refuseVar(e, obj)
		}
		b.m.mustHaveFailed("variable " + e.Name + " has no value") // or its declaration was in what has been
		return poison
	case *types.Func:
		return b.refuseFuncValue(e)
	case *types.Nil:
		b.m.refuse(e, "pass an empty slice, and test its len", "nil is not supported in a kernel")
		return poison
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
			return b.refuseVar(e, obj)
		case *types.Func:
			return b.refuseFuncValue(e)
		}
		return b.refuseExpr(e)
	}
	switch sel.Kind() {
	case types.FieldVal:
		if b.expr(e.X) != poison {
			b.m.refuse(e, "use one variable for each field", "structs are not supported yet")
		}
	default:
		return b.refuseFuncValue(e)
	}
	return poison
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
		return b.shortCircuit(e.OpPos, e.Op, b.expr(e.X), b.speculable(e.Y), func() *ssa.Value { return b.expr(e.Y) })
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if b.info.Types[e.X].IsNil() || b.info.Types[e.Y].IsNil() {
			return b.compareNil(e)
		}
		x := b.operand(e.X)
		return b.compare(e, e.Op, x, b.operand(e.Y))
	}
	x := b.operand(e.X)
	return b.arith(e.OpPos, e.Op, x, b.operand(e.Y))
}

// operand evaluates an expression that stands beside another of its type. A constant
// string is poison without a word: about the other one something has been said.
func (b *builder) operand(e ast.Expr) *ssa.Value {
	if b.info.Types[e].Value != nil && isBasic(b.goType(e), types.IsString) {
		return poison
	}
	return b.expr(e)
}

// compareNil refuses a comparison with nil, unless the other side has been.
func (b *builder) compareNil(e *ast.BinaryExpr) *ssa.Value {
	other := e.X
	if b.info.Types[other].IsNil() {
		other = e.Y
	}
	if b.expr(other) != poison {
		b.m.refuse(e, "compare the slice's len with 0", "comparing with nil is not supported in a kernel")
	}
	return poison
}

// compare compares two values of one type.
func (b *builder) compare(e ast.Expr, op token.Token, x, y *ssa.Value) *ssa.Value {
	if x == poison || y == poison {
		return poison
	}
	if x.Type == ssa.Thread { // besides scalars the only type that Go can compare here
		b.m.refuse(e, "compare the threads' IDs", "comparing qd.Threads is not supported")
		return poison
	}
	pos := e.Pos()
	if bin, ok := e.(*ast.BinaryExpr); ok {
		pos = bin.OpPos
	}
	return b.op(pos, binaryOps[op], ssa.Bool, x, y)
}

// arith computes x op y, of x's type: a number, since what else Go has operators
// for is refused.
func (b *builder) arith(pos token.Pos, op token.Token, x, y *ssa.Value) *ssa.Value {
	return b.op(pos, binaryOps[op], x.Type, x, y)
}

func (b *builder) unary(e *ast.UnaryExpr) *ssa.Value {
	switch e.Op {
	case token.AND:
		b.m.refuse(e, "return the new value instead; qd.AtomicAdd and its like take the address of an element",
			"taking an address is not supported here")
		return poison
	case token.ARROW:
		b.m.refuse(e, "exchange values through slices and qd.AtomicAdd", "channels are not supported in a kernel")
		return poison
	}
	x := b.expr(e.X)
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

// shortCircuit computes x && y and x || y. Where y may as well be evaluated
// always it is, and there is no branch.
func (b *builder) shortCircuit(pos token.Pos, op token.Token, x *ssa.Value, always bool, y func() *ssa.Value) *ssa.Value {
	and := op == token.LAND
	if always {
		if and {
			return b.op(pos, ssa.OpAnd, ssa.Bool, x, y())
		}
		return b.op(pos, ssa.OpOr, ssa.Bool, x, y())
	}
	in := b.emit(pos, &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{x}})
	outer := b.cur
	bad := x == poison
	for _, then := range [2]bool{true, false} {
		b.cur = in.NewBlock()
		var v *ssa.Value
		if then == and {
			v = y()
			bad = bad || v == poison
		} else {
			v = b.constant(pos, ssa.Bool, ssa.BoolConst(!and))
		}
		b.emit(pos, &ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{v}})
	}
	b.cur = outer
	if bad {
		return poison
	}
	return in.AddResult(ssa.Bool, "")
}

// speculable reports whether an operand may be evaluated where Go would skip it,
// because nobody could tell: it reads no memory, cannot panic, and costs less
// than a branch.
func (b *builder) speculable(e ast.Expr) bool {
	budget := 12
	return b.isCheap(e, &budget)
}

func (b *builder) isCheap(e ast.Expr, budget *int) bool {
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

// element evaluates the operands of x[i].
func (b *builder) element(e *ast.IndexExpr) (slice, index *ssa.Value) {
	if _, ok := b.goType(e.X).(*types.Signature); ok {
		return b.refuseFuncValue(e), poison
	}
	slice = b.expr(e.X)
	if _, ok := slice.Type.(ssa.Slice); !ok && slice != poison {
		slice = b.noValue("an index into " + slice.Type.String())
	}
	return slice, b.index(e.Index)
}

// index evaluates an index, of any integer type, as an int64.
func (b *builder) index(e ast.Expr) *ssa.Value {
	if c := b.info.Types[e].Value; c != nil {
		return b.constantOf(e.Pos(), ssa.Int64, c)
	}
	return b.convert(e.Pos(), b.expr(e), ssa.Int64)
}

// addr is &slice[index].
func (b *builder) addr(pos token.Pos, slice, index *ssa.Value) *ssa.Value {
	if slice == poison || index == poison {
		return poison
	}
	return b.op(pos, ssa.OpIndexAddr, pointerTypes[elemType(slice)], slice, index)
}

// load is slice[index].
func (b *builder) load(pos token.Pos, slice, index *ssa.Value) *ssa.Value {
	addr := b.addr(pos, slice, index)
	if addr == poison {
		return poison
	}
	return b.op(pos, ssa.OpLoad, elemType(slice), addr)
}

// sliceExpr is x[lo:hi]. A view knows its length but no capacity, so hi is at
// most that.
func (b *builder) sliceExpr(e *ast.SliceExpr) *ssa.Value {
	x := b.expr(e.X)
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
	return b.op(e.Pos(), ssa.OpSubslice, x.Type, x, lo, hi)
}
