package corpus

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/hostshim"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/ssa"
)

// Lowerings of one program at the same time do not get in each other's way: a program is
// not modified. The race detector sees more of it.
func TestLoweredAtOnce(t *testing.T) {
	forEachKernel(t, func(t *testing.T, f *File, k *Kernel) {
		src := sourcesOf(f)
		var mu sync.Mutex
		programs := map[string]*load.Program{}
		check := func(also load.Also) (*load.Program, error) {
			mu.Lock()
			defer mu.Unlock()
			key := fmt.Sprintf("%+v", also)
			if p := programs[key]; p != nil {
				return p, nil
			}
			p, err := load.CheckWith(src, also, load.Ref{Pkg: "corpus", Name: k.Name})
			programs[key] = p
			return p, err
		}
		var wg sync.WaitGroup
		texts := make([]string, 3)
		for i := range texts {
			wg.Go(func() {
				s, err := frontend.SpecializeWith(frontend.Options{}, check)
				if err != nil {
					t.Error(err)
					return
				}
				texts[i] = s.Module.String()
			})
		}
		wg.Wait()
		if texts[0] != texts[1] || texts[0] != texts[2] {
			t.Error("three lowerings of one program differ")
		}
	})
}

// Many kernels in one text, whose functions and types have the same names and are others,
// are accepted by the compiler.
func TestTogether(t *testing.T) {
	testenv.Setup()
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	var groups [][]*ssa.Module
	for _, f := range files {
		for _, k := range f.Kernels {
			m := optimized(t, f, k)
			if len(m.Formats) > 0 || m.Host() != nil {
				continue
			}
			last := len(groups) - 1
			if last < 0 || len(groups[last]) == 24 || slices.ContainsFunc(groups[last], func(o *ssa.Module) bool { return emit.Clash(m, o) }) {
				groups, last = append(groups, nil), last+1
			}
			groups[last] = append(groups[last], m)
		}
	}
	if len(groups) < 5 {
		t.Errorf("%d texts", len(groups))
	}
	for i, group := range groups {
		var symbols []string
		for _, m := range group {
			for _, k := range m.Kernels() {
				symbols = append(symbols, emit.Symbol(k))
			}
		}
		for target, text := range map[string]string{
			"cpp":  compile.CPU.TextOf(group).Source,
			"cuda": hostshim.Wrap(compile.CUDA.TextOf(group).Source, symbols...),
		} {
			if err := testcache.CheckSyntax(t, c, text, "-w"); err != nil {
				t.Errorf("text %d, %s: %v", i, target, err)
			}
		}
	}
}
