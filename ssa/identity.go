package ssa

// simplify applies the identities that hold to the bit. It gives the value that
// the instruction's result always equals, or nil; or it changes the instruction
// into a simpler one in place. Floats have almost none: x+0 is not x for -0,
// x-x and x*0 are not 0 for a NaN, and so on.
func (in *Instr) simplify() (same *Value, changed bool) {
	switch in.Op {
	case OpConvert:
		return in.simplifyConvert(), false
	case OpNot, OpCom, OpNeg:
		if d := in.Args[0].Def; d != nil && d.Op == in.Op {
			return d.Args[0], false
		}
		return nil, false
	case OpBitcast:
		if d := in.Args[0].Def; d != nil && d.Op == OpBitcast {
			return d.Args[0], false
		}
		return nil, false
	case OpLen:
		return nil, in.simplifyLen()
	case OpIsNil:
		return nil, in.simplifyIsNil()
	case OpEq, OpNe:
		if in.Args[0] == in.Args[1] && !holdsFloats(in.Args[0].Type) {
			in.become(BoolConst(in.Op == OpEq))
			return nil, true
		}
	}
	if ops[in.Op].shape == shapeSpecial || len(in.Args) != 2 {
		return nil, false
	}
	switch t := in.Args[0].Type; {
	case t == Bool:
		return in.simplifyBool()
	case IsInteger(t):
		return in.simplifyInt()
	case IsFloat(t) && in.Args[0] == in.Args[1] && (in.Op == OpLt || in.Op == OpGt):
		in.become(BoolConst(false))
		return nil, true
	}
	return nil, false
}

// simplifyConvert drops a conversion to the same type, and one there and back
// through a type that holds every value of the first.
func (in *Instr) simplifyConvert() *Value {
	x, to := in.Args[0], in.Results[0].Type
	if x.Type == to {
		return x
	}
	d := x.Def
	if d == nil || d.Op != OpConvert {
		return nil
	}
	from, via := d.Args[0].Type, x.Type
	if from != to || !IsInteger(to) {
		return nil
	}
	switch {
	case IsInteger(via) && Bits(via) >= Bits(to),
		via == Float64 && Bits(to) <= 32,
		via == Float32 && Bits(to) <= 16:
		return d.Args[0]
	}
	return nil
}

// simplifyBool is about and, or, xor, eq and ne of bools.
func (in *Instr) simplifyBool() (same *Value, changed bool) {
	a, b := in.Args[0], in.Args[1]
	if a == b {
		switch in.Op {
		case OpAnd, OpOr:
			return a, false
		case OpEq, OpNe, OpXor:
			in.become(BoolConst(in.Op == OpEq))
			return nil, true
		}
		return nil, false
	}
	x := a // the operand that is not known, if the other one is
	c, ok := b.Const()
	if !ok {
		if c, ok = a.Const(); !ok {
			return nil, false
		}
		x = b
	}
	switch known := c.Bool(); {
	case in.Op == OpAnd && known, in.Op == OpOr && !known,
		in.Op == OpEq && known, in.Op != OpEq && !known && in.Op != OpAnd:
		return x, false
	case in.Op == OpAnd, in.Op == OpOr:
		in.become(c)
	default: // x == false, x != true, x xor true
		in.Op, in.Args = OpNot, []*Value{x}
	}
	return nil, true
}

// simplifyInt is about two integer operands of one type, or the value and the
// count of a shift.
func (in *Instr) simplifyInt() (same *Value, changed bool) {
	a, b := in.Args[0], in.Args[1]
	if a == b {
		if same, zero := in.simplifyTwin(); same != nil || zero {
			return same, zero
		}
	}
	t := a.Type
	if c, ok := b.Const(); ok {
		if same, result := in.simplifyRight(t, c); same || result != nil {
			return in.apply(a, same, result)
		}
	}
	if c, ok := a.Const(); ok {
		if in.Op == OpSub && c.bits == 0 {
			in.Op, in.Args = OpNeg, in.Args[1:]
			return nil, true
		}
		if same, result := in.simplifyLeft(t, c); same || result != nil {
			return in.apply(b, same, result)
		}
	}
	return nil, false
}

// apply gives the other operand, or makes the instruction the constant.
func (in *Instr) apply(other *Value, same bool, result *Const) (*Value, bool) {
	if same {
		return other, false
	}
	in.become(*result)
	return nil, true
}

// simplifyTwin is about integer operations on a value and itself.
func (in *Instr) simplifyTwin() (same *Value, changed bool) {
	switch in.Op {
	case OpAnd, OpOr, OpMin, OpMax:
		return in.Args[0], false
	case OpSub, OpXor, OpAndNot, OpRem: // 0 rem 0 is 0
		in.become(Const{})
	case OpEq, OpLe, OpGe:
		in.become(BoolConst(true))
	case OpNe, OpLt, OpGt:
		in.become(BoolConst(false))
	default: // x/x is 0 for 0, and the others depend on x
		return nil, false
	}
	return nil, true
}

// simplifyRight is about a known right operand: the result is the left one, or
// a constant.
func (in *Instr) simplifyRight(t Type, c Const) (same bool, result *Const) {
	zero, ones := c.bits == 0, c == IntConst(t, ^uint64(0))
	switch in.Op {
	case OpAdd, OpSub, OpOr, OpXor, OpAndNot, OpShl, OpShr:
		if zero {
			return true, nil
		}
	case OpMul, OpDiv:
		if c.bits == 1 {
			return true, nil
		}
	}
	switch {
	case zero && (in.Op == OpMul || in.Op == OpAnd || in.Op == OpDiv || in.Op == OpRem),
		in.Op == OpRem && (c.bits == 1 || ones && IsSigned(t)),
		ones && in.Op == OpAndNot,
		c.bits >= uint64(Bits(t)) && (in.Op == OpShl || in.Op == OpShr && IsUnsigned(t)):
		return false, new(Const)
	case ones && in.Op == OpAnd:
		return true, nil
	case ones && in.Op == OpOr:
		return false, &c
	case zero && IsUnsigned(t) && (in.Op == OpLt || in.Op == OpGe):
		r := BoolConst(in.Op == OpGe)
		return false, &r
	}
	return false, nil
}

// simplifyLeft is about a known left operand.
func (in *Instr) simplifyLeft(t Type, c Const) (same bool, result *Const) {
	zero, ones := c.bits == 0, c == IntConst(t, ^uint64(0))
	switch in.Op {
	case OpAdd, OpOr, OpXor:
		if zero {
			return true, nil
		}
	case OpMul:
		if c.bits == 1 {
			return true, nil
		}
	}
	switch {
	case zero && (in.Op == OpMul || in.Op == OpAnd || in.Op == OpDiv || in.Op == OpRem ||
		in.Op == OpAndNot || in.Op == OpShl || in.Op == OpShr),
		ones && in.Op == OpShr && IsSigned(t),
		ones && in.Op == OpOr:
		return false, &c
	case ones && in.Op == OpAnd:
		return true, nil
	case zero && IsUnsigned(t) && (in.Op == OpGt || in.Op == OpLe):
		r := BoolConst(in.Op == OpLe)
		return false, &r
	}
	return false, nil
}
