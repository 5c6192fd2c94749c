//go:build !race

package qd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd"
)

// half is a format of 16 bits, as the tests look at it.
type half struct {
	name      string
	to        func(float32) uint16
	from      func(uint16) float32
	mantissa  int // bits
	minExp    int // of the least normal number, 2^minExp
	infinity  uint16
	quiet     uint16
	threshold float64 // what rounds to infinity begins here
}

var halves = []half{
	{"Float16", func(x float32) uint16 { return qd.ToFloat16(x).Bits() }, func(b uint16) float32 { return qd.Float16FromBits(b).Float32() },
		10, -14, 0x7c00, 0x200, 65520},
	{"BFloat16", func(x float32) uint16 { return qd.ToBFloat16(x).Bits() }, func(b uint16) float32 { return qd.BFloat16FromBits(b).Float32() },
		7, -126, 0x7f80, 0x40, 0x1.ffp127},
}

// value is what a pattern stands for, computed from the format's definition.
func (h half) value(bits uint16) float64 {
	sign := 1 - 2*float64(bits>>15)
	exp, mant := int(bits&0x7fff)>>h.mantissa, float64(bits&(1<<h.mantissa-1))
	switch {
	case bits&0x7fff > h.infinity:
		return math.NaN()
	case bits&0x7fff == h.infinity:
		return math.Inf(int(sign))
	case exp == 0:
		return math.Copysign(math.Ldexp(mant, h.minExp-h.mantissa), sign)
	}
	return sign * math.Ldexp(mant+float64(int(1)<<h.mantissa), exp-1+h.minExp-h.mantissa)
}

// Every pattern is the number that the format says, and comes back from float32.
func TestHalfRoundTrip(t *testing.T) {
	for _, h := range halves {
		t.Run(h.name, func(t *testing.T) {
			for b := range 1 << 16 {
				bits := uint16(b)
				got, want := h.from(bits), h.value(bits)
				if math.IsNaN(want) {
					if got == got || h.to(got) != bits|h.quiet {
						t.Fatalf("NaN %#04x: %v, and back %#04x", bits, got, h.to(got))
					}
					continue
				}
				if math.Float64bits(float64(got)) != math.Float64bits(want) {
					t.Fatalf("%#04x: %v, want %v", bits, got, want)
				}
				if back := h.to(got); back != bits {
					t.Fatalf("%#04x: %v, which becomes %#04x", bits, got, back)
				}
			}
		})
	}
}

// round is the conversion by its definition: the nearest of all numbers.
func (h half) round(x float32) uint16 {
	sign := uint16(math.Float32bits(x) >> 31 << 15)
	a := math.Abs(float64(x))
	switch {
	case a != a:
		return sign | h.infinity | h.quiet | uint16(math.Float32bits(x)>>(23-h.mantissa))&(1<<h.mantissa-1)
	case a >= h.threshold:
		return sign | h.infinity
	}
	// Patterns are ordered as their numbers are.
	lo, hi := uint16(0), h.infinity
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; h.value(mid) <= a {
			lo = mid
		} else {
			hi = mid
		}
	}
	if hi == h.infinity {
		return sign | lo
	}
	down, up := a-h.value(lo), h.value(hi)-a
	if up < down || up == down && lo&1 == 1 {
		return sign | hi
	}
	return sign | lo
}

// Conversion rounds to nearest, halves to even: at all numbers of the format and
// the points half way between them with their neighbours, and at random ones.
func TestHalfRounding(t *testing.T) {
	for _, h := range halves {
		t.Run(h.name, func(t *testing.T) {
			check := func(x float32) {
				t.Helper()
				if got, want := h.to(x), h.round(x); got != want {
					t.Fatalf("%v (%#08x): %#04x, want %#04x", x, math.Float32bits(x), got, want)
				}
			}
			for b := range h.infinity {
				x := math.Float32bits(h.from(b))
				halfway := math.Float32bits(float32(h.threshold))
				if b+1 < h.infinity {
					halfway = math.Float32bits(float32((h.value(b) + h.value(b+1)) / 2))
				}
				for _, p := range []uint32{x, halfway} {
					for d := range uint32(5) {
						check(math.Float32frombits(p + d - 2))
						check(math.Float32frombits((p + d - 2) | 1<<31))
					}
				}
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 1 << 18 {
				check(math.Float32frombits(r.Uint32()))
			}
			for _, x := range []uint32{0, 1, 0x7fffff, 0x800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fffffff} {
				check(math.Float32frombits(x))
				check(math.Float32frombits(x | 1<<31))
			}
		})
	}
}

func TestHalfText(t *testing.T) {
	if got := qd.ToFloat16(1.5).String() + " " + qd.ToBFloat16(-3).String(); got != "1.5 -3" {
		t.Error(got)
	}
	if !qd.Float16FromBits(0x7c01).IsNaN() || qd.Float16FromBits(0xfc00).IsNaN() || !qd.BFloat16FromBits(0xff81).IsNaN() || qd.BFloat16FromBits(0x7f80).IsNaN() {
		t.Error("IsNaN")
	}
}
