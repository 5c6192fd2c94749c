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
