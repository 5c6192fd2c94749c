package compile_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
)

// gradientSource is the source of kernels that package gradient is tested with.
func gradientSource(t *testing.T, file string) (src load.Sources, kernels []string) {
	t.Helper()
	text, err := os.ReadFile("../ssa/gradient/testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "//qd:kernel\nfunc ")[1:] {
		kernels = append(kernels, line[:strings.Index(line, "(")])
	}
	own := load.Map{"corpus": {Path: "corpus", Files: []load.File{{Name: "kernels.go", Src: text}}}}
	return load.Chain(own, library(t)), kernels
}

// The backward kernels and the tangent kernels keep what stages promise, and the compilers take their texts.
func TestGradients(t *testing.T) {
	testenv.Setup()
	cxx, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	for _, file := range []string{"kernels.go", "stencils.go"} {
		testGradients(t, file, cxx, lib)
	}
}

func testGradients(t *testing.T, file string, cxx *clang.Compiler, lib *nvrtc.Library) {
	src, kernels := gradientSource(t, file)
	for _, name := range kernels {
		for target, p := range map[string]compile.Pipeline{"cpp": compile.CPU.Gradient(), "cuda": compile.CUDA.Gradient(),
			"cpp of the tangent kernel": compile.CPU.Tangent(), "cuda of the tangent kernel": compile.CUDA.Tangent()} {
			if strings.HasPrefix(name, "apartM") && strings.HasSuffix(target, "tangent kernel") {
				continue // an atomic minimum or maximum is refused
			}
			u := &compile.Unit{Pipeline: p, Kernel: load.Ref{Pkg: "corpus", Name: name}, Source: src, Print: emit.Options{}}
			u.Observe = compile.Verifying(func(err error) { t.Errorf("%s for %s: %v", name, target, err) })
			if err := u.RunTo(context.Background(), compile.Print); err != nil {
				t.Errorf("%s for %s: %v", name, target, err)
				continue
			}
			if strings.HasPrefix(target, "cuda") {
				r, err := testcache.CompileCUDA(lib, u.Text.Source, name+".cu", nvrtc.Options{Arch: "sm_90"})
				if err != nil || r.Log != "" {
					t.Errorf("%s: %v\n%s\n%s", name, err, r.Log, u.Text.Source)
				}
				continue
			}
			if err := testcache.CheckSyntax(t, cxx, u.Text.Source, "-Wall", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function"); err != nil {
				t.Errorf("%s: %v\n%s", name, err, u.Text.Source)
			}
		}
	}
}

// The backward kernel stands in for the kernel right after the stage that makes it, and a kernel without one is
// reported.
func TestDifferentiate(t *testing.T) {
	src, _ := gradientSource(t, "kernels.go")
	u := &compile.Unit{Pipeline: compile.Go.Gradient(), Kernel: load.Ref{Pkg: "corpus", Name: "product"}, Source: src}
	if err := u.RunTo(context.Background(), compile.Differentiate); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range u.Module.Funcs {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"product.count", "product.gradient"}) || !slices.Equal(u.Backward.Gradients, []int{2, 3}) ||
		len(u.Backward.Copies) != 0 || !slices.Equal(u.Backward.Tapes, []ssa.Type{ssa.Float64}) {
		t.Errorf("%v, %+v", names, u.Backward)
	}
	bad := load.Map{"corpus": {Path: "corpus", Files: []load.File{{Name: "k.go", Src: []byte(`package corpus

import "github.com/qdgen/qd"

func k(t qd.Thread, x, y []float32) {
	qd.AtomicExch(&y[0], x[1])
}
`)}}}}
	u = &compile.Unit{Pipeline: compile.Go.Gradient(), Kernel: load.Ref{Pkg: "corpus", Name: "k"}, Source: load.Chain(bad, library(t))}
	err := u.Run(context.Background())
	list, ok := err.(*diag.Diagnostics)
	if !ok || len(list.List) != 1 || list.List[0].Pos.String() != "k.go:6:2" || list.List[0].Hint == "" {
		t.Errorf("%v", err)
	}
}

// Every kernel of the corpus has a backward kernel and a tangent kernel that are well formed, in each of the forms, or
// is refused with a position.
func TestCorpusGradients(t *testing.T) {
	made, refused := 0, 0
	eachKernel(t, func(t *testing.T, name string, src load.Sources, ref load.Ref) {
		// Up to there they are the same.
		forward := &compile.Unit{Pipeline: compile.CPU.Gradient(), Kernel: ref, Source: src}
		if err := forward.RunTo(context.Background(), compile.Optimize); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		for _, p := range []compile.Pipeline{compile.CPU.Gradient(), compile.CUDA.Gradient(), compile.CPU.Tangent(), compile.CUDA.Tangent()} {
			u := p.Optimized(forward.Module, true)
			u.Observe = func(at compile.At, m *ssa.Module) {
				if u.Backward != nil {
					compile.Verifying(func(err error) { t.Errorf("%s: %v", name, err) })(at, m)
				}
			}
			err := u.RunTo(context.Background(), compile.Print)
			list, isRefusal := err.(*diag.Diagnostics)
			switch {
			case err == nil:
				made++
			case isRefusal && list.List[0].Pos.Line > 0 && list.List[0].Hint != "":
				refused++
			default:
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	if made == 0 || refused == 0 {
		t.Errorf("%d backward kernels, %d refusals", made, refused)
	}
	t.Logf("%d backward kernels, %d refusals", made, refused)
}

// What a function of the library is refused for is reported where the user's code calls it.
func TestRefusalsInUsersCode(t *testing.T) {
	own := load.Map{"corpus": {Path: "corpus", Files: []load.File{{Name: "k.go", Src: []byte(`package corpus

import "github.com/qdgen/qd"

func flip[T qd.Storage](x T) T { return x }

func k(t qd.Thread, x, y []qd.Float16) {
	h := flip(x[0])
	y[0] = qd.Float16FromBits(h.Bits() ^ 0x8000)
	y[1] = qd.From32[qd.Float16](qd.Float16FromBits(x[1].Bits() | 1).Float32())
}
`)}}}}
	u := &compile.Unit{Pipeline: compile.Go.Gradient(), Kernel: load.Ref{Pkg: "corpus", Name: "k"}, Source: load.Chain(own, library(t))}
	err := u.Run(context.Background())
	list, ok := err.(*diag.Diagnostics)
	if !ok || len(list.List) != 2 || list.List[0].Pos.String() != "k.go:9:9" || list.List[1].Pos.String() != "k.go:10:31" {
		t.Errorf("%v", err)
	}
}

// Lanes add at once to floats of their own, but not to the same floats in plain steps.
func TestAddsAloneDepend(t *testing.T) {
	text := `package k

import "github.com/qdgen/qd"

//qd:kernel
func apart(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = 3 * x[i]
}

//qd:kernel
func gathered(t qd.Thread, index []int32, x, y []float32) {
	i := t.ID()
	y[i] = 3 * x[index[i]]
}
`
	src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(text)}}}}, library(t))
	for name, together := range map[string]bool{"apart": true, "gathered": false} {
		u := &compile.Unit{Pipeline: compile.CPU.Gradient(), Kernel: load.Ref{Pkg: "k", Name: name}, Source: src, Print: emit.Options{}}
		if err := u.RunTo(context.Background(), compile.Print); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(u.Text.Source, "vec::store(&xGrad[i]"); got != together {
			t.Errorf("%s: together %v\n%s", name, got, u.Text.Source)
		}
	}
}
