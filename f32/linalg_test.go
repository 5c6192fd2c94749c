package f32

import (
	"math"
	"testing"
)

func TestPowerScale(t *testing.T) {
	least, most, tiny := 0x1p-8, 0x1p16, 0x1p-40
	if Epsilon == 0x1p-52 {
		least, most, tiny = 0x1p-64, 0x1p128, 0x1p-250
	}
	for _, x := range []float32{1, 0.1, 200, 1e-30, 1e30, math.MaxFloat32, 0x1p-126, math.SmallestNonzeroFloat32, 0, float32(math.NaN()), float32(math.Inf(1))} {
		checkScale(t, x, float32(least), float32(most), float32(tiny))
	}
}

// checkScale expects a number in between least and most; one that is not normal above tiny.
func checkScale(t *testing.T, x, least, most, tiny float32) {
	t.Helper()
	up, down := powerScale(x)
	if f, _ := math.Frexp(float64(up)); f != 0.5 || up*down != 1 {
		t.Errorf("%g: %g and %g are no powers of two that undo each other", x, up, down)
	}
	if scaled := x * up; x > 0 && x-x == 0 && (scaled < tiny || scaled > most || up < 0x1p100 && scaled < least) {
		t.Errorf("%g becomes %g", x, scaled)
	}
	if x > least && x < 1/least && up != 1 {
		t.Errorf("%g is scaled by %g", x, up)
	}
}

// TestJacobiRotation demands rotations of arguments whose squares vanish, too.
func TestJacobiRotation(t *testing.T) {
	list := []float32{0, 1, -1, 1e-3, 3, 1e-10, -1e-10, 1e-20, -1e-22, 1e-23, 1e-30, 1e-40, 1e18, math.SmallestNonzeroFloat32}
	for _, a := range list {
		for _, b := range list {
			for _, d := range list {
				c, s, tan := jacobiRotation(a, b, d)
				if norm := float64(c)*float64(c) + float64(s)*float64(s); math.Abs(norm-1) > 0x1p-21 || !(tan >= -1 && tan <= 1) {
					t.Fatalf("(%g, %g, %g): cosine %g, sine %g, tangent %g", a, b, d, c, s, tan)
				}
				// What is left beside the diagonal.
				x, y, z := float64(c)*float64(s), float64(c)*float64(c)-float64(s)*float64(s), float64(d)-float64(a)
				size := max(math.Abs(float64(a)), math.Abs(float64(b)), math.Abs(float64(d)))
				if rest := math.Abs(y*float64(b) - x*z); rest > 0x1p-20*size && rest > 1e-18 {
					t.Fatalf("(%g, %g, %g): %g is left", a, b, d, rest)
				}
			}
		}
	}
}
