package ssa

// BitsOp is an operation on the bits of an unsigned integer of 8 to 64 bits, with the
// meaning of package math/bits.
type BitsOp uint8

// The operations. The first three give an int64, the others the operand's type.
const (
	bitsInvalid       BitsOp = iota
	BitsLen                  // bits.Len32 and so on: the number of bits without leading zeros
	BitsTrailingZeros        // the type's width for 0
	BitsOnesCount
	BitsReverse
	BitsReverseBytes
	numBits
)

var bitsNames = [numBits]string{"invalid", "len", "trailingzeros", "onescount", "reverse", "reversebytes"}

// String is the operation's name as the printer writes it.
func (b BitsOp) String() string {
	if b >= numBits {
		b = bitsInvalid
	}
	return bitsNames[b]
}

// CountsBits reports whether the result is an int64, and not of the operand's type.
func (b BitsOp) CountsBits() bool { return b <= BitsOnesCount }
