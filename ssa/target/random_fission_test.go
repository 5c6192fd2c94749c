package target_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target"
)

// addBarriers puts barriers into some places of a kernel. It reports whether there is one.
func addBarriers(r *rand.Rand, k *ssa.Func) bool {
	blocks := []*ssa.Block{k.Body}
	k.Body.Walk(func(in *ssa.Instr) { blocks = append(blocks, in.Blocks...) })
	found := false
	for _, b := range blocks {
		for at := len(b.Instrs) - 1; at >= 0; at-- {
			if r.IntN(12) > 0 || b.Instrs[at].Op == ssa.OpUnreachable || b.Owner != nil && b.Owner.Op == ssa.OpFor {
				continue
			}
			b.Append(&ssa.Instr{Op: ssa.OpSync})
			sync := b.Instrs[len(b.Instrs)-1]
			copy(b.Instrs[at+1:], b.Instrs[at:])
			b.Instrs[at] = sync
			found = true
		}
	}
	return found
}

// TestFissionRandom runs kernels with barriers, and what fission makes of them. With one thread in a block the barriers
// mean nothing, but what is kept from phase to phase has to be right.
func TestFissionRandom(t *testing.T) {
	seeds := ssatest.Trials()
	ran, phases := 0, 0
	for seed := range seeds {
		m := ssatest.RandomLanes(seed)
		opt.Optimize(m, nil)
		k := m.Kernels()[0]
		if !addBarriers(rand.New(rand.NewPCG(seed, 6)), k) {
			continue
		}
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, k)
		}
		f := target.Fission(k)
		m.Funcs[len(m.Funcs)-1] = f // the kernel is the last one
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, f)
		}
		want, stopped, ended := ssatest.LaunchLanes(k, 1)
		if !ended {
			continue
		}
		ran++
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpFor {
				phases++
			}
		})
		if got, at, _ := ssatest.LaunchPhased(f); got != want || !slices.Equal(at, stopped) {
			t.Fatalf("seed %d: it runs differently:\n%s%v\nnot:\n%s%v\n%s\n%s", seed, got, at, want, stopped, k, f)
		}
	}
	if ran < int(seeds)/2 || phases < 3*ran {
		t.Errorf("of %d kernels %d ran, in %d phases: the generator has lost its bite", seeds, ran, phases)
	}
}
