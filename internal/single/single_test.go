package single

import (
	"math"
	"testing"
)

// Special values are those of package math, and results that are too small are subnormal numbers.
func TestSpecial(t *testing.T) {
	inf := float32(math.Inf(1))
	for name, of := range map[string]func(float64) float64{"Exp": math.Exp, "Exp2": math.Exp2, "Log": math.Log} {
		for _, x := range []float32{
			0, float32(math.Copysign(0, -1)), 1, -1, 2, inf, -inf, float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32, 0x1p-149, -0x1p-149, 0x1p-126, 0x1.fffffep-127, 0x1.fffffep-1,
			88.72283, 88.72284, -87.3, -100, -103.2, -103.9, -104, -104.1, 127.99999, 128, -126, -149, -149.5, -150, -151, -0x1p100,
		} {
			got, want := Functions[name](x), float32(of(float64(x)))
			exact := math.IsInf(float64(want), 0) || want == 0 || float64(x) == math.Trunc(float64(x)) && name == "Exp2"
			switch {
			case want != want:
				if got == got {
					t.Errorf("%s(%x) is %x, want a NaN", name, x, got)
				}
			case exact && math.Float32bits(got) != math.Float32bits(want), math.Abs(float64(math.Float32bits(got))-float64(math.Float32bits(want))) > 1:
				t.Errorf("%s(%x) is %x, want %x", name, x, got, want)
			}
		}
	}
	if len(Functions) != 3 {
		t.Error("not every function is tested")
	}
}

// Results do not fall where the exact ones grow, across the steps of the power of two.
func TestGrows(t *testing.T) {
	for name, f := range Functions {
		last := float32(math.Inf(-1))
		for i := range 1 << 20 {
			x := -110 + float32(i)*0x1.ap-13
			if name == "Log" {
				x += 110
			}
			if y := f(x); y < last {
				t.Fatalf("%s falls at %x", name, x)
			} else {
				last = y
			}
		}
	}
}
