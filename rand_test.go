//go:build !race

package qd_test

import (
	"math"
	"math/bits"
	"testing"

	"github.com/qdgen/qd"
)

// The first of the known answers of TestPhilox, and arguments of other types.
func TestRand(t *testing.T) {
	if got := qd.Rand(0, 0); got != 0xe169c58d_6627e8d5 {
		t.Errorf("Rand(0, 0) = %#x", got)
	}
	if qd.Rand(int8(-1), 7) != qd.Rand(uint64(math.MaxUint64), uint16(7)) {
		t.Error("arguments of other types are other numbers")
	}
}

// Bits are even, and change with every bit of the arguments by half.
func TestRandBits(t *testing.T) {
	const n = 1 << 16
	var ones [64]int
	for i := range n {
		for b := range 64 {
			ones[b] += int(qd.Rand(42, i) >> b & 1)
		}
	}
	for b, k := range ones {
		if d := math.Abs(float64(k) - n/2); d > 5*math.Sqrt(n)/2 {
			t.Errorf("bit %d is 1 in %d of %d", b, k, n)
		}
	}
	for bit := range 64 {
		flipped, flippedSeed := 0, 0
		for i := range uint64(1024) {
			flipped += bits.OnesCount64(qd.Rand(1, i) ^ qd.Rand(1, i^1<<bit))
			flippedSeed += bits.OnesCount64(qd.Rand(i, 1) ^ qd.Rand(i^1<<bit, 1))
		}
		for _, f := range []int{flipped, flippedSeed} {
			if math.Abs(float64(f)-1024*32) > 5*math.Sqrt(1024*64)/2 {
				t.Errorf("bit %d of an argument changes %d bits in 1024 numbers", bit, f)
			}
		}
	}
}

// Moments of the distributions, within 5 standard errors.
func TestRandDistributions(t *testing.T) {
	const n = 1 << 18
	for _, tt := range []struct {
		name           string
		f              func(i int) float64
		mean, variance float64
		fourth         float64 // central moment
	}{
		{"float32", func(i int) float64 { return float64(qd.RandFloat32(7, i)) }, 0.5, 1. / 12, 1. / 80},
		{"float64", func(i int) float64 { return qd.RandFloat64(7, i) }, 0.5, 1. / 12, 1. / 80},
		{"normal32", func(i int) float64 { return float64(qd.RandNormal[float32](7, i)) }, 0, 1, 3},
		{"normal64", func(i int) float64 { return qd.RandNormal[float64](7, i) }, 0, 1, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sum, squares float64
			for i := range n {
				x := tt.f(i)
				if tt.mean == 0.5 && !(x >= 0 && x < 1) || math.IsNaN(x) {
					t.Fatalf("number %d is %v", i, x)
				}
				sum += x - tt.mean
				squares += (x - tt.mean) * (x - tt.mean)
			}
			if d := math.Abs(sum / n); d > 5*math.Sqrt(tt.variance/n) {
				t.Errorf("the mean is off by %v", d)
			}
			if d := math.Abs(squares/n - tt.variance); d > 5*math.Sqrt((tt.fourth-tt.variance*tt.variance)/n) {
				t.Errorf("the variance is off by %v", d)
			}
		})
	}
}
