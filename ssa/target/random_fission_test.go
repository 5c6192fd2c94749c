package target_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
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

// addEvenBarriers puts barriers into places of a kernel that all threads reach together. It reports whether there is one
// in a loop.
func addEvenBarriers(r *rand.Rand, k *ssa.Func) (inLoop bool) {
	blocks := []*ssa.Block{k.Body}
	k.Body.Walk(func(in *ssa.Instr) { blocks = append(blocks, in.Blocks...) })
	for _, b := range blocks {
		for at := len(b.Instrs) - 1; at >= 0; at-- {
			if r.IntN(4) > 0 || b.Instrs[at].Op == ssa.OpUnreachable || b.Owner != nil && b.Owner.Op == ssa.OpFor {
				continue
			}
			old := slices.Clone(b.Instrs)
			b.Append(&ssa.Instr{Op: ssa.OpSync})
			b.SetInstrs(slices.Insert(slices.Clone(old), at, b.Instrs[len(old)]))
			if d := analysis.NewDivergence(k); slices.ContainsFunc(analysis.Syncs(k), func(in *ssa.Instr) bool {
				c, _ := d.Sync(in)
				return c != analysis.Uniform
			}) {
				b.SetInstrs(old)
				continue
			}
			inLoop = inLoop || b.Owner != nil && b.Owner.Op == ssa.OpLoop
		}
	}
	return inLoop
}

// TestFissionRandomBlocks runs kernels thread by thread, and what fission makes of them in one block of all threads.
// Threads share no memory, so that barriers mean nothing, but who is where between them has to be right.
func TestFissionRandomBlocks(t *testing.T) {
	seeds := 4 * ssatest.Trials()
	ran, alone := 0, 0
	for seed := range seeds {
		m := ssatest.RandomLanes(seed)
		k := m.Kernels()[0]
		k.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpThreadID { // there is one block
				in.Op, in.Rank, in.Axis = ssa.OpLane, 0, 0
			}
		})
		opt.Optimize(m, nil)
		if !addEvenBarriers(rand.New(rand.NewPCG(seed, 8)), k) {
			continue
		}
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, k)
		}
		want, stopped, ended := ssatest.LaunchLanes(k, 1)
		if !ended || stopped != nil {
			continue
		}
		f := target.Fission(k)
		m.Funcs[len(m.Funcs)-1] = f // the kernel is the last one
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, f)
		}
		ran++
		if continuesApart(k) {
			alone++
		}
		if got, at, ended := ssatest.LaunchBlock(f); got != want || at != nil || !ended {
			t.Fatalf("seed %d: it runs differently:\n%s%v\nnot:\n%s\n%s\n%s", seed, got, at, want, k, f)
		}
	}
	t.Logf("%d of %d ran, in %d threads continue apart", ran, seeds, alone)
	if ran < int(seeds)/10 || alone < ran/100 {
		t.Errorf("of %d kernels %d ran, and in %d threads continue a loop with a barrier apart: the generator has lost its bite", seeds, ran, alone)
	}
}

// continuesApart reports whether threads may disagree on whether they continue a loop with a barrier in it.
func continuesApart(k *ssa.Func) (apart bool) {
	d := analysis.NewDivergence(k)
	waits := make(map[*ssa.Instr]bool)
	for _, in := range analysis.Syncs(k) {
		for o := in.Block.Owner; o != nil; o = o.Block.Owner {
			waits[o] = true
		}
	}
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpContinue || !waits[in.Target] {
			return
		}
		for o := in.Block.Owner; o != in.Target; o = o.Block.Owner {
			apart = apart || d.Of(analysis.Condition(o)) != analysis.Uniform
		}
	})
	return apart
}
