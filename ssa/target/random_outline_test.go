package target_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target"
)

// TestOutlineRandom runs Grid kernels with their parallel Fors as they stand, and
// outlined, and outlined and optimized.
func TestOutlineRandom(t *testing.T) {
	seeds := ssatest.Trials()
	captives, launches := 0, 0
	for seed := range seeds {
		m := ssatest.RandomGrid(seed)
		input := m.String()
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, input)
		}
		want, ended := runGrid(m)
		if !ended {
			continue
		}
		loops := analysis.CapturedBy(m.Host())
		if slices.ContainsFunc(loops, func(c analysis.Captured) bool { return len(c.Captives) > 0 }) {
			captives++
			continue
		}
		target.Outline(m)
		kernels := m.Device().Kernels()
		if launches += len(kernels); len(kernels) != len(loops) {
			t.Fatalf("seed %d: %d kernels of %d loops", seed, len(kernels), len(loops))
		}
		for i, k := range kernels {
			if params := k.Params()[1:]; !slices.EqualFunc(params, loops[i].Args, func(p *ssa.Value, arg ssa.Type) bool { return p.Type == arg }) {
				t.Fatalf("seed %d: %s is passed %v\n%s", seed, k.Name, loops[i].Args, m)
			}
		}
		check := func(when string) {
			if err := ssa.Verify(m); err != nil {
				t.Fatalf("seed %d: %s: %v\nbefore:\n%s\nafter:\n%s", seed, when, err, input, m)
			}
			if got, _ := runGrid(m); got != want {
				t.Fatalf("seed %d: %s it runs differently:\n%s\nnot:\n%s\nbefore:\n%s\nafter:\n%s", seed, when, got, want, input, m)
			}
		}
		check("outlined")
		opt.Optimize(m, nil)
		check("optimized")
	}
	if captives == 0 || captives > int(seeds)*3/4 || launches < int(seeds)/4 {
		t.Errorf("of %d modules %d have captives, and there are %d launches in the others", seeds, captives, launches)
	}
}

// runGrid is all that is seen of a Grid kernel.
func runGrid(m *ssa.Module) (seen string, ended bool) {
	var out strings.Builder
	a := ssatest.NewArguments()
	env := &interp.Env{Memory: &a.Memory, Steps: 20000, Printf: func(in *ssa.Instr, args []uint64) error {
		fmt.Fprintln(&out, "format", in.Format, args)
		return nil
	}}
	env.Launch = func(in *ssa.Instr, dims []int64, args [][]byte) error {
		p := interp.Compile(in.Callee)
		size := [3]int64{1, 1, 1}
		copy(size[:], dims)
		for flat := range size[0] * size[1] * size[2] {
			thread := *env
			thread.Place = interp.Place{Flat: flat, Dim: [4]int64{size[0], size[1], size[2], 1}}
			rest := flat
			for axis := len(dims) - 1; axis >= 0; axis-- {
				thread.Place.ID[axis] = rest % size[axis]
				rest /= size[axis]
			}
			if _, err := p.Run(&thread, args); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := interp.Compile(m.Host()).Run(env, a.Bytes)
	if errors.Is(err, interp.ErrSteps) {
		return "", false
	}
	fmt.Fprintln(&out, err, a.Ints, a.Floats, a.Vecs)
	return out.String(), true
}
