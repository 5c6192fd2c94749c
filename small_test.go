//go:build !race

package qd_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
)

// indexing computes what goes wrong where 32 bits are too few. What it stores goes beyond them, or leads to a comparison, a quotient or an
// index that depends on all 64.
//
//qd:kernel
func indexing(t qd.Thread, a, b int, seed uint64, x []int64, out []int64) {
	i := t.ID()
	m := len(out) / t.Dim(0)
	o := out[i*m : (i+1)*m]
	product := i * a // wraps 32 bits
	o[0] = int64(product)
	if 0 <= product && product < len(x) {
		o[1] = x[product]
	}
	o[2] = x[(i*a-(i-1)*a-a+i)%len(x)] // the product wraps, and comes back
	o[3] = int64((a + b) / 2)          // of numbers whose sum does not fit
	o[4] = x[max(i-1, 0)]              // a negative intermediate value
	o[5] = x[min(i+1, len(x)-1)]       // and one beyond the end
	h := (seed + uint64(i)) * 0x9e3779b97f4a7c15
	o[6] = x[h>>33%uint64(len(x))] // a hash has 64 bits
	o[7] = int64(h ^ h>>29)
	o[8] = int64(len(x)) * int64(len(out)) * int64(a)
	o[9] = int64(int32(a)) + int64(uint16(b)) + int64(int8(i*a))
	n := 0
	for k := len(x) - 1; k >= 0; k-- {
		n += int(x[k]) * k
	}
	o[10] = int64(n)
	o[11] = int64(a>>(i%64)) ^ int64(b<<(i%64)) // all counts of a shift
	o[12] = x[uint32(i*a)%uint32(len(x))]       // a conversion that cuts
	o[13] = int64(a&^b | i&-i)
	o[14] = int64(-a%7) + int64(b/3)
	if i*a < b { // a comparison that may not be one of 32 bits
		o[15] = 1
	}
}

// Indices that are computed in 32 bits give what Go's ints give, for numbers of any size.
func TestLaunchIndices(t *testing.T) {
	const threads, each = 70, 16
	x := make([]int64, 100)
	for i := range x {
		x[i] = int64(i*i) * 1e12
	}
	reference, err := qd.Open("go")
	noError(t, err)
	numbers := []int{0, 1, -1, 3, 46341, 1<<30 - 1, 1 << 30, -1 << 30, math.MaxInt32, math.MinInt32, huge(32), huge(32) + 1, huge(40), math.MaxInt, math.MinInt}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, a := range numbers {
			for _, b := range numbers {
				want, got := make([]int64, threads*each), make([]int64, threads*each)
				seed := uint64(a)*7 + uint64(b)
				noError(t, reference.Launch(indexing, qd.Dim(threads), a, b, seed, x, want))
				noError(t, dev.Launch(indexing, qd.Dim(threads), a, b, seed, x, got))
				for k := range got {
					if got[k] != want[k] {
						t.Fatalf("a %d, b %d: thread %d, number %d is %d, not %d", a, b, k/each, k%each, got[k], want[k])
					}
				}
			}
		}
	})
}
