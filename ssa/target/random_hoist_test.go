package target_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target"
)

// TestHoistRandom launches kernels and what is left of them without the checks that
// the launch answers, where it does.
func TestHoistRandom(t *testing.T) { hoistRandom(t, ssatest.RandomModule) }

// TestHoistBlocksRandom does so with Block kernels.
func TestHoistBlocksRandom(t *testing.T) { hoistRandom(t, ssatest.RandomBlocks) }

// hoistRandom launches random kernels.
func hoistRandom(t *testing.T, random func(seed uint64) *ssa.Module) {
	seeds := ssatest.Trials()
	hoisted, held := 0, 0
	for seed := range seeds {
		m := random(seed)
		opt.Optimize(m, nil)
		k := m.Kernels()[0]
		before := k.String()
		fast, test := target.HoistChecks(k, new(analysis.Summaries))
		if k.String() != before {
			t.Fatalf("seed %d: the kernel is changed", seed)
		}
		if fast == nil {
			continue
		}
		hoisted++
		m.Funcs = append(m.Funcs, fast)
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, fast)
		}
		for _, n := range []int64{-2, 0, 3, 8} {
			for _, threads := range []int64{1, 4, 9} {
				a, b := ssatest.NewArguments(), ssatest.NewArguments()
				for _, x := range []*ssatest.Arguments{a, b} {
					x.Bytes[0] = interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
				}
				if !test.Holds(target.LaunchSize{Dims: []int64{threads}, Block: ssatest.BlockDim}, a.Bytes) {
					continue
				}
				held++
				want, ended := ssatest.Launch(k, a, threads)
				if got, _ := ssatest.Launch(fast, b, threads); ended && got != want {
					t.Fatalf("seed %d, n %d, %d threads: it runs differently:\n%s\nnot:\n%s\n%s\n%s\n%+v", seed, n, threads, got, want, k, fast, test)
				}
			}
		}
	}
	if hoisted < int(seeds)/10 || held < hoisted {
		t.Errorf("of %d kernels %d have checks for the launch, which held %d times: the generator has lost its bite", seeds, hoisted, held)
	}
}
