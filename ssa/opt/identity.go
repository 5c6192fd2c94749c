package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// simplify applies the identities that hold to the bit. It gives the value that
// the instruction's result always equals, or nil; or it changes the instruction
// into a simpler one in place. Floats have almost none: x+0 is not x for -0,
// x-x and x*0 are not 0 for a NaN, and so on.
func simplify(in *ssa.Instr) (same *ssa.Value, changed bool) {
	switch in.Op {
	case ssa.OpConvert:
		return simplifyConvert(in), false
	case ssa.OpNot, ssa.OpCom, ssa.OpNeg:
		if d := in.Args[0].Def; d != nil && d.Op == in.Op {
			return d.Args[0], false
		}
		return nil, false
	case ssa.OpBitcast:
		if d := in.Args[0].Def; d != nil && d.Op == ssa.OpBitcast {
			return d.Args[0], false
		}
		return nil, false
	case ssa.OpLen:
		return nil, simplifyLen(in)
	case ssa.OpIsNil:
		return nil, simplifyIsNil(in)
	case ssa.OpEq, ssa.OpNe:
		if in.Args[0] == in.Args[1] && !holdsFloats(in.Args[0].Type) && ssa.LanesOf(in.Args[0].Type) == 0 {
			become(in, ssa.BoolConst(in.Op == ssa.OpEq))
			return nil, true
		}
	}
	if !in.Op.IsOperator() || len(in.Args) != 2 {
		return nil, false
	}
	switch t := in.Args[0].Type; {
	case t == ssa.Bool:
		return simplifyBool(in)
	case ssa.IsInteger(t):
		return simplifyInt(in)
	case ssa.IsFloat(t) && in.Args[0] == in.Args[1] && (in.Op == ssa.OpLt || in.Op == ssa.OpGt):
		become(in, ssa.BoolConst(false))
		return nil, true
	}
	return nil, false
}

// simplifyConvert drops a conversion to the same type, and one there and back
// through a type that holds every value of the first.
func simplifyConvert(in *ssa.Instr) *ssa.Value {
	x, to := in.Args[0], in.Results[0].Type
	if x.Type == to {
		if ssa.IsFloat(to) {
			return nil // it keeps a product from being fused, see Fuse
		}
		return x
	}
	d := x.Def
	if d == nil || d.Op != ssa.OpConvert {
		return nil
	}
	from, via := d.Args[0].Type, x.Type
	if from != to || !ssa.IsInteger(to) {
		return nil
	}
	switch {
	case ssa.IsInteger(via) && ssa.Bits(via) >= ssa.Bits(to),
		via == ssa.Float64 && ssa.Bits(to) <= 32,
		via == ssa.Float32 && ssa.Bits(to) <= 16:
		return d.Args[0]
	}
	return nil
}

// simplifyBool is about and, or, xor, eq and ne of bools.
func simplifyBool(in *ssa.Instr) (same *ssa.Value, changed bool) {
	a, b := in.Args[0], in.Args[1]
	if a == b {
		switch in.Op {
		case ssa.OpAnd, ssa.OpOr:
			return a, false
		case ssa.OpEq, ssa.OpNe, ssa.OpXor:
			become(in, ssa.BoolConst(in.Op == ssa.OpEq))
			return nil, true
		}
		return nil, false
	}
	x := a // the operand that is no constant, if the other one is
	c, ok := b.Const()
	if !ok {
		if c, ok = a.Const(); !ok {
			return nil, false
		}
		x = b
	}
	switch truth := c.Bool(); {
	case in.Op == ssa.OpAnd && truth, in.Op == ssa.OpOr && !truth,
		in.Op == ssa.OpEq && truth, in.Op != ssa.OpEq && !truth && in.Op != ssa.OpAnd:
		return x, false
	case in.Op == ssa.OpAnd, in.Op == ssa.OpOr:
		become(in, c)
	default: // x == false, x != true, x xor true
		in.Op, in.Args = ssa.OpNot, []*ssa.Value{x}
	}
	return nil, true
}

// simplifyInt is about two integer operands of one type, or the value and the
// count of a shift.
func simplifyInt(in *ssa.Instr) (same *ssa.Value, changed bool) {
	a, b := in.Args[0], in.Args[1]
	if a == b {
		if same, zero := simplifyTwin(in); same != nil || zero {
			return same, zero
		}
	}
	if in.Op == ssa.OpAdd {
		if x := divided(a, b); x != nil {
			return x, false
		}
		if x := divided(b, a); x != nil {
			return x, false
		}
		if x := restored(a, b); x != nil {
			return x, false
		}
		if x := restored(b, a); x != nil {
			return x, false
		}
	}
	switch in.Op {
	case ssa.OpSub:
		if same, changed := simplifyDifference(in); same != nil || changed {
			return same, changed
		}
	case ssa.OpEq, ssa.OpNe:
		if d, ok := difference(a, b); ok {
			become(in, ssa.BoolConst((d.Uint() == 0) == (in.Op == ssa.OpEq)))
			return nil, true
		}
	}
	t := a.Type
	if c, ok := b.Const(); ok {
		if same, result := simplifyRight(in, t, c); same || result != nil {
			return apply(in, a, same, result)
		}
	}
	if c, ok := a.Const(); ok {
		if in.Op == ssa.OpSub && c.Uint() == 0 {
			in.Op, in.Args = ssa.OpNeg, in.Args[1:]
			return nil, true
		}
		if same, result := simplifyLeft(in, t, c); same || result != nil {
			return apply(in, b, same, result)
		}
	}
	return nil, false
}

// restored is x if the first value is x-y for the second value y, nil if it is not.
func restored(v, y *ssa.Value) (x *ssa.Value) {
	if d := v.Def; d != nil && d.Op == ssa.OpSub && d.Args[1] == y {
		return d.Args[0]
	}
	return nil
}

// simplifyDifference is about lengths of parts of slices: n is that of v[x : x+n], and of v[i*n : (i+1)*n]. Integers wrap, so
// what is added and subtracted again changes nothing.
func simplifyDifference(in *ssa.Instr) (same *ssa.Value, changed bool) {
	a, b := in.Args[0], in.Args[1]
	if d, ok := difference(a, b); ok {
		become(in, d)
		return nil, true
	}
	if x, y, by := byOne(a, b); by != nil {
		if d, ok := difference(x, y); ok && d == ssa.IntConst(a.Type, 1) {
			return by, false
		}
	}
	if y := added(a, b); y != nil {
		return y, false
	}
	if y := added(b, a); y != nil {
		in.Op, in.Args = ssa.OpNeg, []*ssa.Value{y}
		return nil, true
	}
	return nil, false
}

// difference is by how much the first integer is more than the second one, if that is a constant: of x+7 and x+3, and of
// products of such integers and a constant.
func difference(a, b *ssa.Value) (d ssa.Const, ok bool) {
	times := uint64(1)
	for range maxFactors {
		x, y, by := byOne(a, b)
		if by == nil {
			break
		}
		c, known := by.Const()
		if !known {
			break
		}
		a, b, times = x, y, times*c.Uint()
	}
	x, m := analysis.PlusConst(a)
	y, n := analysis.PlusConst(b)
	return ssa.IntConst(a.Type, uint64(m-n)*times), x == y
}

// maxFactors is how many factors of a product are looked at.
const maxFactors = 4

// byOne are x and y for x*by and y*by, nil if these are no products of one number.
func byOne(a, b *ssa.Value) (x, y, by *ssa.Value) {
	p, q := a.Def, b.Def
	if p == nil || q == nil || p.Op != ssa.OpMul || q.Op != ssa.OpMul {
		return nil, nil, nil
	}
	for i, by := range p.Args {
		for j, v := range q.Args {
			if v == by || isEqual(v, by) {
				return p.Args[1-i], q.Args[1-j], by
			}
		}
	}
	return nil, nil, nil
}

// isEqual reports whether two values are one constant.
func isEqual(a, b *ssa.Value) bool {
	m, known := a.Const()
	n, ok := b.Const()
	return known && ok && m == n
}

// added is y if a sum is x+y or y+x for x, nil if it is not.
func added(sum, x *ssa.Value) (y *ssa.Value) {
	d := sum.Def
	switch {
	case d == nil || d.Op != ssa.OpAdd:
		return nil
	case d.Args[0] == x:
		return d.Args[1]
	case d.Args[1] == x:
		return d.Args[0]
	}
	return nil
}

// divided is x if the values are x/n*n and x%n for a constant n other than zero, nil if they are not.
func divided(product, rest *ssa.Value) (x *ssa.Value) {
	m, r := product.Def, rest.Def
	if m == nil || r == nil || m.Op != ssa.OpMul || r.Op != ssa.OpRem {
		return nil
	}
	n, ok := r.Args[1].Const()
	if !ok || n.Uint() == 0 {
		return nil
	}
	isN := func(v *ssa.Value) bool {
		c, ok := v.Const()
		return ok && c == n
	}
	for i, q := range m.Args {
		if d := q.Def; d != nil && d.Op == ssa.OpDiv && d.Args[0] == r.Args[0] && isN(d.Args[1]) && isN(m.Args[1-i]) {
			return d.Args[0]
		}
	}
	return nil
}

// apply gives the other operand, or makes the instruction the constant.
func apply(in *ssa.Instr, other *ssa.Value, same bool, result *ssa.Const) (*ssa.Value, bool) {
	if same {
		return other, false
	}
	become(in, *result)
	return nil, true
}

// simplifyTwin is about integer operations on a value and itself.
func simplifyTwin(in *ssa.Instr) (same *ssa.Value, changed bool) {
	switch in.Op {
	case ssa.OpAnd, ssa.OpOr, ssa.OpMin, ssa.OpMax:
		return in.Args[0], false
	case ssa.OpSub, ssa.OpXor, ssa.OpAndNot, ssa.OpRem: // 0 rem 0 is 0
		become(in, ssa.Const{})
	case ssa.OpEq, ssa.OpLe, ssa.OpGe:
		become(in, ssa.BoolConst(true))
	case ssa.OpNe, ssa.OpLt, ssa.OpGt:
		become(in, ssa.BoolConst(false))
	default: // x/x is 0 for 0, and the others depend on x
		return nil, false
	}
	return nil, true
}

// simplifyRight is about a constant right operand: the result is the left one, or
// a constant.
func simplifyRight(in *ssa.Instr, t ssa.Type, c ssa.Const) (same bool, result *ssa.Const) {
	zero, ones := c.Uint() == 0, c == ssa.IntConst(t, ^uint64(0))
	switch in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpShl, ssa.OpShr:
		if zero {
			return true, nil
		}
	case ssa.OpMul, ssa.OpDiv:
		if c.Uint() == 1 {
			return true, nil
		}
	}
	switch {
	case zero && (in.Op == ssa.OpMul || in.Op == ssa.OpAnd || in.Op == ssa.OpDiv || in.Op == ssa.OpRem),
		in.Op == ssa.OpRem && (c.Uint() == 1 || ones && ssa.IsSigned(t)),
		ones && in.Op == ssa.OpAndNot,
		c.Uint() >= uint64(ssa.Bits(t)) && (in.Op == ssa.OpShl || in.Op == ssa.OpShr && ssa.IsUnsigned(t)):
		return false, new(ssa.Const)
	case ones && in.Op == ssa.OpAnd:
		return true, nil
	case ones && in.Op == ssa.OpOr:
		r := c
		return false, &r
	case zero && ssa.IsUnsigned(t) && (in.Op == ssa.OpLt || in.Op == ssa.OpGe):
		r := ssa.BoolConst(in.Op == ssa.OpGe)
		return false, &r
	}
	return false, nil
}

// simplifyLeft is about a constant left operand.
func simplifyLeft(in *ssa.Instr, t ssa.Type, c ssa.Const) (same bool, result *ssa.Const) {
	zero, ones := c.Uint() == 0, c == ssa.IntConst(t, ^uint64(0))
	switch in.Op {
	case ssa.OpAdd, ssa.OpOr, ssa.OpXor:
		if zero {
			return true, nil
		}
	case ssa.OpMul:
		if c.Uint() == 1 {
			return true, nil
		}
	}
	switch {
	case zero && (in.Op == ssa.OpMul || in.Op == ssa.OpAnd || in.Op == ssa.OpDiv || in.Op == ssa.OpRem ||
		in.Op == ssa.OpAndNot || in.Op == ssa.OpShl || in.Op == ssa.OpShr),
		ones && in.Op == ssa.OpShr && ssa.IsSigned(t),
		ones && in.Op == ssa.OpOr:
		return false, &c
	case ones && in.Op == ssa.OpAnd:
		return true, nil
	case zero && ssa.IsUnsigned(t) && (in.Op == ssa.OpGt || in.Op == ssa.OpLe):
		r := ssa.BoolConst(in.Op == ssa.OpLe)
		return false, &r
	}
	return false, nil
}
