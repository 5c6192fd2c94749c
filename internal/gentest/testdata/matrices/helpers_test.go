package matrices

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
)

func TestEpsilon(t *testing.T) {
	if x, want := qd.Epsilon[float32](), math.Nextafter32(1, 2)-1; x != want {
		t.Errorf("float32: %g, want %g", x, want)
	}
	if x, want := qd.Epsilon[float64](), math.Nextafter(1, 2)-1; x != want {
		t.Errorf("float64: %g, want %g", x, want)
	}
}

func TestPowerScale(t *testing.T) {
	for _, x := range []float32{1, 0.1, 200, 1e-30, 1e30, math.MaxFloat32, 0x1p-126, math.SmallestNonzeroFloat32, 0, float32(math.NaN()), float32(math.Inf(1))} {
		checkScale(t, x, 0x1p-8, 0x1p16, 0x1p-40)
	}
	for _, x := range []float64{1, 0.1, 1e10, 1e-200, 1e200, math.MaxFloat64, 0x1p-1022, math.SmallestNonzeroFloat64, 0, math.NaN(), math.Inf(1)} {
		checkScale(t, x, 0x1p-128, 0x1p128, 0x1p-250)
	}
}

// checkScale expects a number in between least and most; one that is not normal above tiny.
func checkScale[T qd.Float](t *testing.T, x, least, most, tiny T) {
	t.Helper()
	up, down := qd.PowerScale(x)
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

func TestIsPivot(t *testing.T) {
	for x, want := range map[float64]bool{1: true, -1e-300: true, 0: false, math.Inf(1): false, math.Inf(-1): false, math.NaN(): false} {
		if qd.IsPivot(x) != want {
			t.Errorf("%g: %v", x, !want)
		}
	}
}

// TestJacobiRotation demands rotations of arguments whose squares vanish, too.
func TestJacobiRotation(t *testing.T) {
	list := []float32{0, 1, -1, 1e-3, 3, 1e-10, -1e-10, 1e-20, -1e-22, 1e-23, 1e-30, 1e-40, 1e18, math.SmallestNonzeroFloat32}
	for _, a := range list {
		for _, b := range list {
			for _, d := range list {
				c, s, tan := qd.JacobiRotation(a, b, d)
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
