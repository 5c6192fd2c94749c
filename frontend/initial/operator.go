package initial

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
)

func (f *frame) unary(e *ast.UnaryExpr) any {
	if e.Op == token.AND {
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			return pointer{&block{cells: []any{f.expr(lit)}}, 0}
		}
		return f.addr(e.X)
	}
	t := f.typeOf(e)
	switch v := f.expr(e.X).(type) {
	case bool:
		return !v
	case int64:
		switch e.Op {
		case token.SUB:
			return fit(-v, t)
		case token.XOR:
			return fit(^v, t)
		}
		return v
	case uint64:
		switch e.Op {
		case token.SUB:
			return fit(-v, t)
		case token.XOR:
			return fit(^v, t)
		}
		return v
	case float64:
		if e.Op == token.SUB {
			return -v
		}
		return v
	case complex128:
		if e.Op == token.SUB {
			return -v
		}
		return v
	}
	panic(f.machine.failed("it has an operator that only compiled Go can evaluate"))
}

func (f *frame) binaryExpr(e *ast.BinaryExpr) any {
	switch e.Op {
	case token.LAND:
		return f.expr(e.X).(bool) && f.exprOrdered(e.Y).(bool)
	case token.LOR:
		return f.expr(e.X).(bool) || f.exprOrdered(e.Y).(bool)
	case token.SHL, token.SHR:
		t := f.typeOf(e)
		if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			t = types.Typ[types.Int]
		}
		x := f.exprAs(e.X, t)
		return f.machine.binary(e.Op, x, f.count(e.Y), t)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		t := f.operandType(e)
		if !f.info.Types[e.X].IsNil() && !f.info.Types[e.Y].IsNil() {
			f.machine.mustHaveAddress(t)
		}
		return f.operands(e, t)
	}
	return f.operands(e, f.typeOf(e))
}

// count is the count of a shift. A constant may be one of a float.
func (f *frame) count(e ast.Expr) any {
	if f.info.Types[e].Value != nil {
		return f.constant(e, types.Typ[types.Uint64])
	}
	return f.expr(e)
}

// mustHaveAddress ends what compares addresses of tables that are not the program's own.
func (m *machine) mustHaveAddress(t types.Type) {
	if load.HasOneAddress(t) {
		panic(m.failed("it compares two addresses of a table that is not the program's own"))
	}
}

// operands is what a binary operator gives for operands of one type.
func (f *frame) operands(e *ast.BinaryExpr, t types.Type) any {
	x := f.exprAs(e.X, t)
	return f.machine.binary(e.Op, x, f.exprAs(e.Y, t), t)
}

// operandType is the type in which two operands are compared.
func (f *frame) operandType(e *ast.BinaryExpr) types.Type {
	x, y := f.typeOf(e.X), f.typeOf(e.Y)
	untyped := func(t types.Type) bool {
		b, ok := t.(*types.Basic)
		return ok && b.Info()&types.IsUntyped != 0
	}
	switch {
	case f.info.Types[e.X].IsNil() || untyped(x) && !untyped(y):
		return y
	case f.info.Types[e.Y].IsNil() || untyped(y) && !untyped(x):
		return x
	case untyped(x):
		return types.Default(x)
	case types.IsInterface(y):
		return y
	}
	return x
}

// binary is the result of an operator on two values of a type, but for the count of a shift.
func (m *machine) binary(op token.Token, x, y any, t types.Type) any {
	switch op {
	case token.EQL:
		return m.equal(x, y)
	case token.NEQ:
		return !m.equal(x, y)
	case token.SHL, token.SHR:
		return m.shift(op, x, y, t)
	}
	switch x := x.(type) {
	case int64:
		return ofIntegers(m, op, x, y.(int64), t)
	case uint64:
		return ofIntegers(m, op, x, y.(uint64), t)
	case float64:
		y := y.(float64)
		if r, ok := ordered(op, x, y); ok {
			return r
		}
		switch op {
		case token.ADD:
			return fit(x+y, t)
		case token.SUB:
			return fit(x-y, t)
		case token.MUL:
			return fit(float64(x*y), t)
		case token.QUO:
			return fit(x/y, t)
		}
	case complex128:
		y := y.(complex128)
		switch op {
		case token.ADD:
			return fit(x+y, t)
		case token.SUB:
			return fit(x-y, t)
		case token.MUL:
			return fit(x*y, t)
		case token.QUO:
			return fit(x/y, t)
		}
	case string:
		y := y.(string)
		if r, ok := ordered(op, x, y); ok {
			return r
		}
		m.step((len(x) + len(y)) / 8)
		return x + y
	}
	panic(m.failed("it has an operator that only compiled Go can evaluate"))
}

func ordered[T int64 | uint64 | float64 | string](op token.Token, x, y T) (r, ok bool) {
	switch op {
	case token.LSS:
		return x < y, true
	case token.LEQ:
		return x <= y, true
	case token.GTR:
		return x > y, true
	case token.GEQ:
		return x >= y, true
	}
	return false, false
}

// ofIntegers is what an operator gives for integers of a type, in as many bits as the type has.
func ofIntegers[T int64 | uint64](m *machine, op token.Token, x, y T, t types.Type) any {
	if r, ok := ordered(op, x, y); ok {
		return r
	}
	if (op == token.QUO || op == token.REM) && y == 0 {
		panic(m.failed("it panics: integer divide by zero"))
	}
	var r T
	switch op {
	case token.ADD:
		r = x + y
	case token.SUB:
		r = x - y
	case token.MUL:
		r = x * y
	case token.QUO:
		r = x / y
	case token.REM:
		r = x % y
	case token.AND:
		r = x & y
	case token.OR:
		r = x | y
	case token.XOR:
		r = x ^ y
	case token.AND_NOT:
		r = x &^ y
	}
	return fit(r, t)
}

func (m *machine) shift(op token.Token, x, y any, t types.Type) any {
	count := uint64(0)
	switch y := y.(type) {
	case int64:
		if y < 0 {
			panic(m.failed("it panics: negative shift amount"))
		}
		count = uint64(y)
	case uint64:
		count = y
	}
	switch x := x.(type) {
	case int64:
		if op == token.SHL {
			return fit(x<<count, t)
		}
		return x >> count
	case uint64:
		if op == token.SHL {
			return fit(x<<count, t)
		}
		return x >> count
	}
	panic(m.failed("it has an operator that only compiled Go can evaluate"))
}
