package build

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// Wanted kernels are divided into texts of about the same size, each of one package, as the cores go.
func TestChunksOf(t *testing.T) {
	made := 0
	some := func(pkg string, n, size int) (jobs []*batched) {
		for range n {
			made++
			u := &compile.Unit{Text: &emit.Text{Source: strings.Repeat("x", size)}}
			jobs = append(jobs, &batched{job: &job{ref: load.Ref{Pkg: pkg}, unit: u, own: cache.NewKey(fmt.Sprint(made))}})
		}
		return jobs
	}
	same := some("a", 1, 100)
	for _, c := range []struct {
		jobs  []*batched
		cores int
		want  string // the numbers of jobs in each text
	}{
		{nil, 4, "[]"},
		{some("a", 5, 100), 4, "[5]"}, // too little to divide
		{some("a", 8, minBatch), 4, "[2 2 2 2]"},
		{some("a", 8, minBatch), 1, "[8]"},
		{some("a", 10, minBatch/2), 16, "[2 2 2 2 2]"}, // as much as a compiler takes to start
		{some("a", 8, maxBatch/2), 1, "[2 2 2 2]"},     // too much for one
		{append(some("a", 3, 100), some("b", 2, 100)...), 4, "[3 2]"},
		{append(some("a", 3, 1), nil, nil), 4, "[3]"},
		{append(same, same...), 4, "[1]"},
	} {
		var got []int
		for _, chunk := range chunksOf(c.jobs, c.cores) {
			got = append(got, len(chunk))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%d jobs on %d cores: %v, want %s", len(c.jobs), c.cores, got, c.want)
		}
	}
}

// Of kernels with one name each has a name of its own in their text, and with it what stages have made of it. What it
// shares with others keeps its name.
func TestRename(t *testing.T) {
	var units []*compile.Unit
	named := make(map[string]int)
	for i, want := range []string{"blur.wide.rest blur.wide blur blur.hoisted f64.blur.wide", "blur_3.wide.rest blur_3.wide blur_3 blur_3.hoisted f64.blur.wide", "blur_5.wide.rest blur_5.wide blur_5 blur_5.hoisted f64.blur.wide"} {
		m := new(ssa.Module)
		for _, name := range []string{"blur.wide.rest", "blur.wide", "blur", "blur.hoisted", "f64.blur.wide"} {
			f := ssa.NewFunc(name)
			f.Kernel = name == "blur" || name == "blur.hoisted"
			m.Funcs = append(m.Funcs, f)
		}
		o := &batched{job: &job{unit: &compile.Unit{Module: m}}}
		o.rename(units, named)
		units = append(units, o.unit)
		var names []string
		for _, f := range m.Funcs {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("kernel %d: %s, want %s", i, got, want)
		}
	}
}
