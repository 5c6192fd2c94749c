package eval

import (
	"go/token"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

var BinaryOps = map[token.Token]ssa.Op{
	token.ADD: ssa.OpAdd, token.SUB: ssa.OpSub, token.MUL: ssa.OpMul, token.QUO: ssa.OpDiv, token.REM: ssa.OpRem,
	token.AND: ssa.OpAnd, token.OR: ssa.OpOr, token.XOR: ssa.OpXor, token.AND_NOT: ssa.OpAndNot,
	token.SHL: ssa.OpShl, token.SHR: ssa.OpShr,
	token.EQL: ssa.OpEq, token.NEQ: ssa.OpNe,
	token.LSS: ssa.OpLt, token.LEQ: ssa.OpLe, token.GTR: ssa.OpGt, token.GEQ: ssa.OpGe,
}

// Compile-time values are computed while code is lowered: an operation on constants becomes a constant
// at once. So a value is known if it is a constant, or is made of constants.

// KnownConst returns the constant that a value is or folds to, and whether there is one.
func (b *Values) KnownConst(v *ssa.Value) (ssa.Const, bool) {
	if v == nil {
		return ssa.Const{}, false
	}
	if c, ok := v.Const(); ok {
		return c, true
	}
	x, ok := b.Facts.computed(v)
	if !ok || len(x.Elems) > 0 || x.Kind > comptime.Float64 {
		return ssa.Const{}, false
	}
	return ssa.BitsConst(x.Bits), true
}

// KnownBool is KnownConst of a condition.
func (b *Values) KnownBool(v *ssa.Value) (value, ok bool) {
	c, ok := b.KnownConst(v)
	return c.Bool(), ok
}

// Compute returns the result of a pure instruction with one result. For constant operands it is a
// constant. For a part of a known struct or array it is that part. Otherwise the instruction is
// appended.
func (b *Code) Compute(pos token.Pos, in *ssa.Instr, t ssa.Type) *ssa.Value {
	switch in.Op {
	case ssa.OpDiv, ssa.OpRem, ssa.OpShl, ssa.OpShr:
		if panics(in) {
			return b.Emit(pos, in, t).Result()
		}
	case ssa.OpAnd, ssa.OpOr:
		if v := b.half(in); t == ssa.Bool && v != nil {
			return v
		}
	case ssa.OpLen:
		if n, ok := knownLen(in.Args[0]); ok {
			return b.Constant(pos, t, ssa.IntConst(t, uint64(n)))
		}
	case ssa.OpLoad:
		if v := b.loaded(pos, in.Args[0], t); v != nil {
			return v
		}
	case ssa.OpField:
		if v := b.partOf(pos, in.Args[0], int(in.Index), t); v != nil {
			return v
		}
	case ssa.OpElem:
		if c, ok := in.Args[1].Const(); ok {
			if v := b.partOf(pos, in.Args[0], int(c.Int()), t); v != nil {
				return v
			}
		}
	}
	if len(in.Args) > 0 {
		if c, ok := ssa.Fold(in, t); ok {
			return b.Constant(pos, t, c)
		}
	}
	return b.Emit(pos, in, t).Result()
}

// knownLen is the length of a slice whose origin tells it.
func knownLen(slice *ssa.Value) (n int64, ok bool) {
	d := slice.Def
	if d == nil {
		return 0, false
	}
	switch d.Op {
	case ssa.OpZero:
		return 0, true
	case ssa.OpShared:
		return int64(d.Len), true
	case ssa.OpSliceOf:
		return int64(d.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array).Len), true
	case ssa.OpSubslice:
		lo, isLow := d.Args[1].Const()
		hi, isHigh := d.Args[2].Const()
		return hi.Int() - lo.Int(), isLow && isHigh && lo.Int() >= 0 && lo.Int() <= hi.Int()
	}
	return 0, false
}

// panics reports whether a division or a shift is certain to panic in Go. Its result in an unchecked
// build must not be used as a known value.
func panics(in *ssa.Instr) bool {
	y := in.Args[1]
	c, ok := y.Const()
	switch {
	case !ok || !ssa.IsInteger(y.Type):
		return false
	case in.Op == ssa.OpDiv || in.Op == ssa.OpRem:
		return c.Int() == 0
	}
	return ssa.IsSigned(y.Type) && c.Int() < 0
}

// half is the value of x && y or x || y if one operand is known and decides it, and otherwise nil.
func (b *Code) half(in *ssa.Instr) *ssa.Value {
	for i, arg := range in.Args {
		if c, ok := arg.Const(); ok && arg.Type == ssa.Bool {
			if c.Bool() == (in.Op == ssa.OpAnd) {
				return in.Args[1-i]
			}
			return arg
		}
	}
	return nil
}

// partOf is part i of a struct or an array that was just made of its parts. Otherwise, or if there is no
// such part, it is nil.
func (b *Code) partOf(pos token.Pos, v *ssa.Value, i int, t ssa.Type) *ssa.Value {
	switch {
	case v.Def == nil || i < 0:
	case v.Def.Op == ssa.OpMake && i < len(v.Def.Args):
		return v.Def.Args[i]
	case v.Def.Op == ssa.OpZero && i < partsOf(v.Type):
		return b.Zero(pos, t)
	}
	return nil
}

// partsOf is the number of fields or elements of a type.
func partsOf(t ssa.Type) int {
	switch t := t.(type) {
	case *ssa.Struct:
		return len(t.Fields)
	case ssa.Array:
		return t.Len
	}
	return 0
}

// IsKnown reports whether a value is a constant, or a struct or an array of constants.
func IsKnown(v *ssa.Value) bool {
	if v == nil || v.Def == nil {
		return false
	}
	switch v.Def.Op {
	case ssa.OpConst, ssa.OpZero:
		return true
	case ssa.OpMake:
		for _, part := range v.Def.Args {
			if !IsKnown(part) {
				return false
			}
		}
		return true
	}
	return false
}

// SameKnown reports whether two values are known and the same, to the bit.
func SameKnown(x, y *ssa.Value) bool {
	if x == y {
		return IsKnown(x)
	}
	if !IsKnown(x) || !IsKnown(y) || x.Type != y.Type || x.Def.Op != y.Def.Op {
		return false
	}
	if x.Def.Op == ssa.OpConst {
		return x.Def.Const == y.Def.Const
	}
	for i, part := range x.Def.Args {
		if !SameKnown(part, y.Def.Args[i]) {
			return false
		}
	}
	return true
}

// Again appends a known value again, because the block of the existing one has ended.
func (b *Code) Again(pos token.Pos, v *ssa.Value) *ssa.Value {
	in := &ssa.Instr{Op: v.Def.Op, Const: v.Def.Const}
	for _, part := range v.Def.Args {
		in.Args = append(in.Args, b.Again(pos, part))
	}
	w := b.Emit(pos, in, v.Type).Result()
	w.Name = v.Name
	return w
}
