package kernel_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// The formats of 16 bits are those of package qd: all numbers, and what lies between two of them.
func TestHalf(t *testing.T) {
	for bits := range 1 << 16 {
		b := uint16(bits)
		f, g := qd.Float16FromBits(b).Float32(), qd.BFloat16FromBits(b).Float32()
		if x := kernel.Float16.Float(b); x != f && (x == x || f == f) || math.Signbit(float64(x)) != math.Signbit(float64(f)) && x == x {
			t.Fatalf("%#x: %v, not %v", b, x, f)
		}
		if x := kernel.BFloat16.Float(b); x != g && (x == x || g == g) || math.Signbit(float64(x)) != math.Signbit(float64(g)) && x == x {
			t.Fatalf("%#x: %v, not %v", b, x, g)
		}
		for _, low := range []uint32{0, 1, 0x0fff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001, 0xffff} {
			x := math.Float32frombits(uint32(b)<<16 | low)
			if x != x {
				continue
			}
			if got, want := kernel.Float16.Bits(x), qd.ToFloat16(x).Bits(); got != want {
				t.Fatalf("%v: %#x, not %#x", x, got, want)
			}
			if got, want := kernel.BFloat16.Bits(x), qd.ToBFloat16(x).Bits(); got != want {
				t.Fatalf("%v: %#x, not %#x", x, got, want)
			}
		}
	}
}
