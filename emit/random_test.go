package emit_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
)

var seeds = flag.Int("seeds", 2, "random programs to try, in modules of 40 kernels")

// TestRandom compares what random programs do with what their text does, with
// and without the passes of package ssa.
func TestRandom(t *testing.T) {
	const kernels, threads = 40, 9
	for seed := range uint64(*seeds) {
		m := randomModule(seed, kernels)
		verify(t, m)
		// What each kernel leaves behind.
		type leaf struct {
			t  ssa.Type
			at int
		}
		parts := make([][]leaf, len(randomTypes))
		for s, ty := range randomTypes {
			leaves(ty, 0, false, func(t ssa.Type, at int) { parts[s] = append(parts[s], leaf{t, at}) })
		}
		start := func(i int) []*array { return randomMemory(rand.New(rand.NewPCG(uint64(i), 9)), threads) }
		var want [][]*array
		for i, k := range m.Kernels() {
			memory := start(i)
			args := []datum{{}}
			for _, a := range memory {
				args = append(args, datum{in: a, len: threads * part})
			}
			mc := new(machine)
			for mc.flat = range uint64(threads) {
				mc.steps = 0
				mc.call(k, args)
			}
			want = append(want, memory)
		}
		if seed%2 == 1 {
			opt.Optimize(m, nil)
			verify(t, m)
		}
		forTargets(t, func(t *testing.T, to target) {
			// What the passes would have removed draws warnings; only these matter.
			b := build(t, to, m, "-Wno-everything", "-Wuninitialized", "-Wsometimes-uninitialized")
			for i, k := range m.Kernels() {
				memory := start(i)
				var args []any
				for _, a := range memory {
					args = append(args, a)
				}
				b.run(t, k, []int{threads}, args...)
				for s, ty := range randomTypes {
					for j := range threads * part {
						for _, l := range parts[s] {
							got, want := read(l.t, memory[s].data[j*ty.Size()+l.at:]).bits, read(l.t, want[i][s].data[j*ty.Size()+l.at:]).bits
							if !same(l.t, got, want) {
								one := &ssa.Module{Name: "random", Pkg: "example.com/random", Funcs: []*ssa.Func{k}}
								t.Fatalf("seed %d %s %s: %v[%d] at %d is %v, want %v\n%s\n%s", seed, to.name, k.Name, ty, j, l.at, format(l.t, got), format(l.t, want), k, numbered(to.emit(one, emit.Options{}).Source))
							}
						}
					}
				}
			}
		})
	}
}
