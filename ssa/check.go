package ssa

// A Check is what an OpCheck asks for.
type Check uint8

// The checks, with the operands of each.
const (
	checkInvalid Check = iota
	CheckIndex         // index, length (int64): 0 <= index < length
	CheckSlice         // low, high, length (int64): 0 <= low <= high <= length
	CheckDivide        // divisor (integer): not 0
	CheckShift         // count (signed integer): not negative
	CheckNil           // pointer: not nil; it stands before what computes another address from the pointer
	CheckAssert        // condition (bool): true; the instruction's Message says what it means
	CheckSync          // condition (bool): the same in all threads of the block that have not returned
	numChecks
)

// Messages of checks, where Go words a fault in another way than usual.
const (
	OfUnsigned = "unsigned" // CheckIndex: the index was a uint64
	OfArray    = "array"    // CheckSlice: what is sliced is an array
)

var checkNames = [numChecks]string{"invalid", "index", "slice", "divide", "shift", "nil", "assert", "sync"}

// holds reports whether a check is sure to hold, from constants and from where an
// address comes from.
func (in *Instr) holds() bool {
	var x [3]int64
	for i, a := range in.Args {
		c, ok := a.Const()
		if !ok {
			return in.Check == CheckNil && a.isAddress()
		}
		x[i] = c.Int()
	}
	switch in.Check {
	case CheckIndex:
		return 0 <= x[0] && x[0] < x[1]
	case CheckSlice:
		return 0 <= x[0] && x[0] <= x[1] && x[1] <= x[2]
	case CheckDivide:
		return x[0] != 0
	case CheckShift:
		return x[0] >= 0
	case CheckAssert:
		return x[0] != 0
	case CheckSync:
		return true // a constant is the same in all threads
	}
	return false
}

// isAddress reports whether a pointer is computed as the address of something, and
// so is not nil: what it was computed from has been checked before.
func (v *Value) isAddress() bool {
	if v.Def == nil {
		return false
	}
	switch v.Def.Op {
	case OpLocal, OpFieldAddr, OpElemAddr, OpIndexAddr:
		return true
	}
	return false
}

// String is the check's name as the printer writes it.
func (c Check) String() string {
	if c >= numChecks {
		c = checkInvalid
	}
	return checkNames[c]
}
