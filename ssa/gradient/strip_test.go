package gradient_test

import (
	"math"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// Of random kernels, a backward kernel that runs strips of loops once more gives the same gradients, to the bit.
func TestRandomStrips(t *testing.T) {
	t.Run("threads", func(t *testing.T) { compareStrips(t, source, 4) })
	t.Run("in place", func(t *testing.T) { compareStrips(t, inPlaceSource, 4) })
	t.Run("blocks", func(t *testing.T) { compareStrips(t, blockSource, 3) })
	t.Run("grids", func(t *testing.T) { compareStrips(t, gridSource, 0) })
}

// inPlaceSource is the kernel of a seed, of which each thread writes one element of y alone.
func inPlaceSource(seed uint64) string {
	return strings.NewReplacer("y[i+0]", "y[i]", "y[i+4]", "y[i]", "y[i+8]", "y[i]", "y[i:]", "lx[0:]").Replace(source(seed))
}

func compareStrips(t *testing.T, source func(seed uint64) string, launched int64) {
	lib := library(t)
	cut := 0
	for seed := *firstOf; seed < *firstOf+uint64(*programs); seed++ {
		text := source(seed)
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
		if got.Kernel.String() != want.Kernel.String() {
			cut++
		}
		tr := &trial{kernel: k, back: want, threads: launched, seed: seed}
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
			if x[i] != y[i] && !(math.IsNaN(x[i]) && math.IsNaN(y[i])) {
				t.Fatalf("seed %d: derivative %d is %g, not %g\n%s\n%v", seed, i, y[i], x[i], text, back)
			}
		}
	}
	t.Logf("%d of %d kernels have strips", cut, *programs)
	if *programs >= 60 && cut == 0 {
		t.Errorf("no kernel of %d has strips", *programs)
	}
}
