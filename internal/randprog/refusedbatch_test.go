package randprog

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd/internal/corpus"
	"github.com/qdgen/qd/ssa"
)

// Programs that compile apart and not together are a finding, made smaller, and all others
// of the batch run.
func TestFindingsTogether(t *testing.T) {
	for _, side := range []string{"cpp", "cuda"} {
		t.Run(side, func(t *testing.T) {
			r := newRunner(t)
			r.plant = func(s string, text []byte) []byte {
				if s == side && bytes.Contains(text, []byte("void k_3(")) && bytes.Contains(text, []byte("void k_6(")) {
					return append(text, "\n#error together\n"...)
				}
				return text
			}
			var batch []*Program
			launches := 0
			for s := range uint64(8) {
				p := Generate(s, 0, fmt.Sprint("_", s))
				batch = append(batch, p)
				if s != 3 {
					launches += len(p.Launches())
				}
			}
			found, err := r.Run(batch)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) != 1 || !slices.Equal(found[0].All(), []*Program{batch[3], batch[6]}) || found[0].Kind != refusals[side] {
				t.Fatalf("found %+v", found)
			}
			if r.Launched != launches {
				t.Errorf("%d launches were compared, want %d", r.Launched, launches)
			}
			small, err := r.Shrink(found[0])
			if err != nil || len(small.With) != 1 {
				t.Fatal(small, err)
			}
			for _, p := range small.All() {
				if n := p.size(); n > 8 {
					t.Errorf("%d nodes are left:\n%s", n, p.Source())
				}
			}
			if c, err := corpus.Parse("random_3.txtar", small.Case()); err != nil || len(c.Kernels) != 2 {
				t.Errorf("%v\n%s", err, small.Case())
			}
		})
	}
}

// A minimal part fails and none of its parts does.
func TestMinimal(t *testing.T) {
	list := make([]int, 100)
	for i := range list {
		list[i] = i
	}
	for _, want := range [][]int{{5}, {0, 99}, {17, 18, 19}, {3, 50, 51, 98}} {
		tries := 0
		got := minimal(list, func(some []int) bool {
			tries++
			return !slices.ContainsFunc(want, func(i int) bool { return !slices.Contains(some, i) })
		})
		if !slices.Equal(got, want) || tries > 20*len(want) {
			t.Errorf("%v after %d tries, want %v", got, tries, want)
		}
	}
}

// Functions of several programs have names of their own in the module of all, where one program numbers its own too.
func TestMergedNames(t *testing.T) {
	fn := func(name string) *ssa.Func { return &ssa.Func{Name: name} }
	programs := []*compiled{
		{modules: map[string]*ssa.Module{"cpp": {Funcs: []*ssa.Func{fn("f"), fn("f_1")}}}},
		{modules: map[string]*ssa.Module{"cpp": {Funcs: []*ssa.Func{fn("f"), fn("f_1")}}}},
		{modules: map[string]*ssa.Module{"cpp": {Funcs: []*ssa.Func{fn("f")}}}},
	}
	for range 2 { // halving merges what was merged
		seen := map[string]bool{}
		for _, f := range merge("cpp", programs).Funcs {
			if seen[f.Name] {
				t.Errorf("two functions are named %s", f.Name)
			}
			seen[f.Name] = true
		}
	}
}
