package build_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/ssa/gradient"
)

// Backward kernels are in the cache beside the kernels that they are for, each with what a launch must know of it.
func TestGradients(t *testing.T) {
	src := &files{text: map[string]string{"k/k.go": `package k

import "github.com/qdgen/qd"

//qd:kernel
func loop(t qd.Thread, n int, at []int32, x, y []float64) {
	i := t.ID()
	v := x[at[i]]
	for v > 1 {
		v *= 0.5 * v
		at[i]++
	}
	y[i] = v
}
`}}
	ref := load.Ref{Pkg: "k", Name: "loop"}
	dir := filepath.Join(t.TempDir(), "cache")
	tc := &counter{arch: "x"}
	module := func(tc build.Toolchain) *build.Module {
		t.Helper()
		c, err := cache.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		m, err := (&build.Builder{Cache: c, Version: "v1"}).Kernel(t.Context(), src, ref, tc, build.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	all := []build.Toolchain{tc, build.Gradient{Toolchain: tc}, build.Gradient{Toolchain: tc, Options: gradient.Options{Overlap: true}},
		build.Gradient{Toolchain: tc, Options: gradient.Options{Batches: true}}}
	var first []*build.Module
	for i, tc := range all {
		m := module(tc)
		for _, other := range first {
			if m.Key == other.Key {
				t.Errorf("toolchain %d: the module is that of another one", i)
			}
		}
		first = append(first, m)
	}
	if n := tc.compiles.Load(); n != int64(len(all)) {
		t.Errorf("%d modules were compiled", n)
	}
	emits := tc.emits.Load()
	for i, tc := range all {
		m := module(tc)
		if !m.Cached || m.Key != first[i].Key || !reflect.DeepEqual(m.ABI, first[i].ABI) || !reflect.DeepEqual(m.Backward, first[i].Backward) {
			t.Errorf("toolchain %d: what is found is another module:\n%+v\n%+v", i, m, first[i])
		}
	}
	if tc.emits.Load() != emits || tc.compiles.Load() != int64(len(all)) {
		t.Error("what was there has been made again")
	}
	m := first[1]
	if m.Kernel != "loop.gradient" || m.ABI.Symbol == m.Backward.Count.Symbol || first[0].Backward != nil {
		t.Errorf("%+v", m)
	}
	want := &build.Backward{Params: 4, Gradients: []int{2, 3}, Copies: []int{1}, Tapes: []string{"float64"}, Count: m.Backward.Count}
	if !reflect.DeepEqual(m.Backward, want) {
		t.Errorf("%+v, not %+v", m.Backward, want)
	}
	if b := first[3].Backward; !b.Batched || b.Params != 4 || len(first[3].ABI.Params) != 4+2+1+5 {
		t.Errorf("%+v", b)
	}
	// x is read, at is written again, y is neither.
	for i, uses := range [][2]bool{{}, {true, true}, {true, false}, {}} {
		if p := m.ABI.Params[i]; p.Read != uses[0] || p.Written != uses[1] {
			t.Errorf("parameter %s: read %v, written %v", p.Name, p.Read, p.Written)
		}
	}
}
