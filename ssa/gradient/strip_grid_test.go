package gradient_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// Of random Grid kernels, a backward kernel that runs strips of the host's loops once more gives the same gradients.
func TestRandomGridStrips(t *testing.T) {
	lib := library(t)
	for seed := *firstOf; seed < *firstOf+uint64(*programs); seed++ {
		text := gridSource(seed)
		m := lower(t, lib, text, "k")
		k := kernelOf(m)
		want, err := gradient.Of(k, gradient.Options{})
		if err != nil {
			if isRefusedCopy(err) {
				continue
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		got, err := gradient.Of(k, gradient.Options{Strip: 1 + int(seed%3)})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		back := moduleOf(m, got)
		if err := ssa.Verify(back); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%v", seed, err, text, back)
		}
		tr := &trial{kernel: k, back: want, seed: seed}
		if !tr.isTame() {
			continue
		}
		x, err := tr.gradients(tr.weights())
		if err != nil {
			t.Fatal(err)
		}
		tr.back = got
		y, err := tr.gradients(tr.weights())
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\n%v", seed, err, text, back)
		}
		for i := range x {
			if !(math.Abs(x[i]-y[i]) <= 1e-12*(1+math.Abs(x[i]))) && !(math.IsNaN(x[i]) && math.IsNaN(y[i])) {
				t.Fatalf("seed %d: derivative %d is %g, not %g\n%s\n%v", seed, i, y[i], x[i], text, back)
			}
		}
	}
}
