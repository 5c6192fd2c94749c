package ssa

import "strings"

// A Check is the condition of an OpCheck.
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
	OfUnsigned    = "unsigned"        // CheckIndex: the index was a uint64
	OfArray       = "array"           // CheckSlice: what is sliced is an array
	OfMost        = "most"            // CheckSlice: of x[lo:hi:max] the bounds hi and max
	OfArrayMost   = "most of array"   // CheckSlice: the same where x is an array
	OfConversion  = "conversion"      // CheckSlice: hi is the length of the array that a slice is converted to
	OfCopy        = "copy"            // CheckSlice: what is sliced is a kernel's copy of a package variable
	OfUnknown     = "unknown"         // CheckSlice: the length of what is sliced stands for its capacity, which is not known
	OfCopyMost    = "most of copy"    // CheckSlice: OfMost where x is such a copy
	OfUnknownMost = "most of unknown" // CheckSlice: OfMost where the length of x stands for its capacity, which is not known
	OfLowOfThree  = "low of three"    // CheckSlice: of x[lo:hi:max] the bounds lo and hi, where max is right
)

// The ends of messages of CheckSlice that say which of its bounds were uint64s.
const (
	unsignedLow  = "unsigned low"
	unsignedHigh = "unsigned high"
)

// OfBounds is a message of a CheckSlice that says also which of its bounds were uint64s, and cannot be negative.
func OfBounds(message string, low, high bool) string {
	if low {
		message += ", " + unsignedLow
	}
	if high {
		message += ", " + unsignedHigh
	}
	return strings.TrimPrefix(message, ", ")
}

// CutBounds takes apart what OfBounds returns.
func CutBounds(message string) (rest string, low, high bool) {
	rest, high = strings.CutSuffix(message, unsignedHigh)
	rest, low = strings.CutSuffix(strings.TrimSuffix(rest, ", "), unsignedLow)
	return strings.TrimSuffix(rest, ", "), low, high
}

var checkNames = [numChecks]string{"invalid", "index", "slice", "divide", "shift", "nil", "assert", "sync"}

// operands is how many the check has.
func (c Check) operands() int {
	switch c {
	case CheckIndex:
		return 2
	case CheckSlice:
		return 3
	}
	return 1
}

// String is the check's name as the printer writes it.
func (c Check) String() string {
	if c >= numChecks {
		c = checkInvalid
	}
	return checkNames[c]
}
