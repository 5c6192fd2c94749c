package fault

import (
	"fmt"
	"strconv"

	"github.com/qdgen/qd/ssa"
)

// boundText is a bound of a slice expression. One that was a uint64 has its bits in value.
func boundText(value int64, unsigned bool) string {
	if unsigned {
		return strconv.FormatUint(uint64(value), 10)
	}
	return strconv.FormatInt(value, 10)
}

// sliceReason says what happened at the check of a slice expression.
func (r *Record) sliceReason(message string) string {
	message, unsignedLow, unsignedHigh := ssa.CutBounds(message)
	lo, hi, n := boundText(r.Values[0], unsignedLow), boundText(r.Values[1], unsignedHigh), r.Values[2]
	lowBelow, highBelow := r.Values[0] < 0 && !unsignedLow, r.Values[1] < 0 && !unsignedHigh // zero
	above := uint64(r.Values[1]) > uint64(n)                                                 // where high is not below zero
	switch {
	case message == ssa.OfConversion:
		return fmt.Sprintf(ofConversion+" %d to array or pointer to array with length %s", n, hi)
	case message == ssa.OfLowOfThree:
		return ofSlice + " " + ofThree(lo, hi, lowBelow, "[%s:%s:]", "[%s::]")
	case message == ssa.OfMost || message == ssa.OfArrayMost || message == ssa.OfUnknownMost || message == ssa.OfCopyMost:
		if highBelow {
			return fmt.Sprintf(ofSlice+" [::%s]", hi)
		}
		if !above {
			return ofSlice + " " + ofThree(lo, hi, lowBelow, "[:%s:%s]", "[:%s:]")
		}
		switch message {
		case ssa.OfArrayMost:
			return fmt.Sprintf(ofSlice+" [::%s] with length %d", hi, n)
		case ssa.OfCopyMost:
			return fmt.Sprintf(ofSlice+" [::%s] with length %d: "+ofCopy, hi, n)
		case ssa.OfUnknownMost:
			return fmt.Sprintf(ofSlice+" [::%s] with length %d: "+ofUnknown, hi, n)
		}
		return fmt.Sprintf(ofSlice+" [::%s] with capacity %d", hi, n)
	case highBelow:
		return fmt.Sprintf(ofSlice+" [:%s]", hi)
	case above && message == ssa.OfArray:
		return fmt.Sprintf(ofSlice+" [:%s] with length %d", hi, n)
	case above && message == ssa.OfCopy:
		return fmt.Sprintf(ofSlice+" [:%s] with length %d: "+ofCopy, hi, n)
	case above && message == ssa.OfUnknown:
		return fmt.Sprintf(ofSlice+" [:%s] with length %d: "+ofUnknown, hi, n)
	case above:
		return fmt.Sprintf(ofSlice+" [:%s] with capacity %d", hi, n)
	case lowBelow:
		return fmt.Sprintf(ofSlice+" [%s:]", lo)
	}
	return fmt.Sprintf(ofSlice+" [%s:%s]", lo, hi)
}

// ofThree are two bounds of a slice expression with three of which the lower one is wrong.
func ofThree(lo, hi string, below bool, both, negative string) string {
	if below {
		return fmt.Sprintf(negative, lo)
	}
	return fmt.Sprintf(both, lo, hi)
}
