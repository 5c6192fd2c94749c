package ssa

// A Variant tells operations of one Op apart, such as the minimum and the maximum of a vector's lanes. Two pure
// instructions of one variant, with the same operands and types of results, compute the same. The value of an
// OpConst and the function that is called are not in it.
type Variant struct {
	Op         Op
	Check      Check
	Bits       BitsOp
	Math       Math
	Atomic     Atomic
	Storage    Storage
	Narrow     Narrow
	Axis, Rank int8
	Index, Len int32
}

// Variant is the instruction's.
func (in *Instr) Variant() Variant {
	return Variant{
		Op: in.Op, Check: in.Check, Bits: in.Bits, Math: in.Math, Atomic: in.Atomic, Storage: in.Storage, Narrow: in.Narrow,
		Axis: in.Axis, Rank: in.Rank, Index: in.Index, Len: in.Len,
	}
}
