package abi

import (
	"encoding/binary"
	"math/bits"
)

// A Divisor divides by the size of a launch along an axis, where threads find their place by dividing:
// by a multiplication with the size's reciprocal, rounded up,
//
//	n / Size = n * Reciprocal >> (63 + Shift)    for 0 <= n < 1<<63
//
// That is exact where Size * Reciprocal exceeds 1<<(63+Shift) by at most 1<<Shift: T. Granlund and
// P. Montgomery, "Division by Invariant Integers using Multiplication", 1994, theorem 4.2, with N = 63.
// As N is not 64 the reciprocal has 64 bits and no 65th one.
type Divisor struct {
	Reciprocal uint64 // 1<<(63+Shift) / Size
	Shift      uint32 // the binary logarithm of Size, rounded up
	Size       uint32
}

// divisorSize is the size of a Divisor in an argument struct.
const divisorSize = 16

// DivisorOf makes the divisor by a size from 1 to 1<<31, the largest size of a launch.
func DivisorOf(size int64) Divisor {
	if size < 1 || size > 1<<31 {
		panic("BUG: no launch has this size")
	}
	shift := bits.Len64(uint64(size - 1))
	var reciprocal, rest uint64 = 1 << 63, 0 // of 1
	if shift > 0 {
		reciprocal, rest = bits.Div64(1<<(shift-1), 0, uint64(size))
	}
	if rest != 0 {
		reciprocal++
	}
	return Divisor{reciprocal, uint32(shift), uint32(size)}
}

// Sizes says where an argument struct has the sizes of its launch, beside its first 32
// bytes: the offsets of the number of threads, and of one divisor for each axis, 0
// where it has none.
type Sizes struct {
	Threads  int
	Divisors int
	Rank     int // how many divisors there are
}

// Put writes the sizes of a launch into an argument struct. dims are those along the axes,
// 1 past the launch's dimensions.
func (s Sizes) Put(args []byte, dims [4]int64) {
	ne, first := binary.NativeEndian, args[:8*len(dims)]
	ne.PutUint64(first, uint64(dims[0]))
	ne.PutUint64(first[8:], uint64(dims[1]))
	ne.PutUint64(first[16:], uint64(dims[2]))
	ne.PutUint64(first[24:], uint64(dims[3]))
	threads := dims[0] * dims[1] * dims[2] * dims[3]
	if s.Threads != 0 {
		ne.PutUint64(args[s.Threads:], uint64(threads))
	}
	for axis, n := range dims[:s.Rank] {
		d, at := DivisorOf(n), args[s.Divisors+axis*divisorSize:]
		ne.PutUint64(at, d.Reciprocal)
		ne.PutUint32(at[8:], d.Shift)
		ne.PutUint32(at[12:], d.Size)
	}
}
