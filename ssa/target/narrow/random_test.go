package narrow_test

import (
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/narrow"
)

// A narrow kernel does what the kernel does, whatever numbers it is given that are not to be small.
func TestRandom(t *testing.T) {
	seeds := ssatest.Trials()
	narrowed, ran, large := 0, 0, 0
	for seed := range seeds {
		m := ssatest.RandomModule(seed)
		if seed%2 == 0 {
			opt.Optimize(m, nil)
		}
		wide := m.Clone()
		changed := narrow.Narrow(m)
		if len(changed) > 0 {
			narrowed++
		}
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s\nof\n%s", seed, err, m, wide)
		}
		k := m.Kernels()[0]
		for _, n := range []int64{7, -2, 0, 3, ssa.SmallLimit - 1, 1 - ssa.SmallLimit, math.MaxInt32, math.MinInt32, 1 << 32, 1<<32 + 3, math.MaxInt64, math.MinInt64} {
			small := !slices.Contains(k.Small, ssa.Small{Param: 1})
			if !small && (n >= ssa.SmallLimit || n <= -ssa.SmallLimit) {
				continue
			}
			if n >= ssa.SmallLimit {
				large++
			}
			a, b := ssatest.NewArguments(), ssatest.NewArguments()
			for _, x := range []*ssatest.Arguments{a, b} {
				x.Bytes[0] = interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
			}
			want, ended := ssatest.Launch(wide.Kernels()[0], a, 2)
			if !ended {
				continue
			}
			got, ended := ssatest.Launch(k, b, 2)
			if !ended {
				continue // it converts more, and the steps are counted
			}
			ran++
			if got != want {
				t.Fatalf("seed %d, n %d: it runs differently:\n%s\nnot:\n%s\n%s\nof\n%s", seed, n, got, want, m, wide)
			}
		}
	}
	if narrowed < int(seeds)/4 || ran < 3*int(seeds) || large < int(seeds)/10 {
		t.Errorf("of %d kernels %d are narrower, which ran %d times, %d with a large number: the generator has lost its bite", seeds, narrowed, ran, large)
	}
}
