package abi_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/ssa/target/abi"
)

// sizesOfLaunches are those where a reciprocal may go wrong: the least and the largest,
// powers of two and their neighbours, primes.
func sizesOfLaunches() []int64 {
	sizes := []int64{1, 2, 3, 7, 10, 641, 65537, 46341, 1_000_003, 1<<31 - 1, 1 << 31}
	for shift := 2; shift < 31; shift++ {
		sizes = append(sizes, 1<<shift-1, 1<<shift, 1<<shift+1)
	}
	return sizes
}

// A divisor divides exactly, whatever the size and the number.
func TestDivisor(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sizes := sizesOfLaunches()
	for range 2000 {
		sizes = append(sizes, 1+random.Int64N(1<<(1+random.IntN(31))))
	}
	for _, size := range sizes {
		d := abi.DivisorOf(size)
		check := func(n int64) {
			if n < 0 {
				return
			}
			high, _ := bits.Mul64(2*uint64(n), d.Reciprocal)
			q := int64(high >> d.Shift)
			rest := uint32(n) - uint32(q)*d.Size
			if q != n/size || int64(rest) != n%size {
				t.Fatalf("%d by %d: %d, rest %d, want %d, rest %d", n, size, q, rest, n/size, n%size)
			}
		}
		for _, near := range []int64{0, 1 << 16, 1 << 31, 1 << 32, 1 << 53, math.MaxInt64} {
			for off := int64(-3); off <= 3; off++ {
				check(near + off)
				// A quotient is wrong first where the number is a multiple less one.
				check(near/size*size + off)
			}
		}
		for range 200 {
			n := random.Int64() >> random.IntN(63)
			check(n)
			check(n/size*size - 1)
			check(n / size * size)
		}
	}
}
