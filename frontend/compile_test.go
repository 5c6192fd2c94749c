package frontend

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// The errors of all kernels, each once, in the order of the files; what kernels
// share is complained about once.
func TestCompileAll(t *testing.T) {
	src := sources(t,
		&load.Package{Path: "k", Files: []load.File{
			{Name: "k/b.go", Src: []byte("package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc second(t qd.Thread, x []int) { x = append(x, shared()) }\nfunc good(t qd.Thread, x []int) { x[0] = 1 }\n")},
			{Name: "k/a.go", Src: []byte("package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc first(t qd.Thread, x []int) { x[0] = shared() + undefined }\n\nfunc shared() int { return cap([]int(nil)) }\n")},
		}},
		onePackage("other", "other/o.go", "package other\n\nimport \"github.com/qdgen/qd\"\n\nfunc third(t qd.Thread) int { return 1 }\nfunc good(qd.Thread) {}\n"),
	)
	ref := func(pkg, name string) load.Ref { return load.Ref{Pkg: pkg, Name: name} }
	p, modules, err := Compile(src, ref("other", "third"), ref("k", "second"), ref("k", "good"), ref("k", "first"))
	var ds *diag.Diagnostics
	if !errors.As(err, &ds) || p == nil || modules != nil {
		t.Fatalf("%v, %d modules", err, len(modules))
	}
	var got []string
	for _, d := range ds.List {
		got = append(got, d.Pos.String()+": "+d.Msg)
	}
	want := []string{
		"k/a.go:5:54: undefined: undefined",
		"k/b.go:5:41: a kernel cannot allocate memory: x ends where its elements do",
		"other/o.go:5:25: kernel third returns a value",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}

	p, modules, err = Compile(src, ref("other", "good"), ref("k", "good"))
	if err != nil || len(modules) != 2 || modules[0].Pkg != "other" || modules[1].Pkg != "k" || len(p.Packages) != 2 {
		t.Errorf("%v %v", modules, err)
	}

	p, modules, err = Compile(src, ref("k", "good"), ref("k", "lost"))
	if nf := (*load.NotFoundError)(nil); !errors.As(err, &nf) || p != nil || modules != nil {
		t.Errorf("error is %v", err)
	}
}

// Lower alone has the problems of the program among its errors: an ill-typed
// program gives no module.
func TestLowerIllTyped(t *testing.T) {
	src := sources(t, onePackage("k", "k.go", "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread) { unused := 1 }\n"))
	p, err := load.Check(src, load.Ref{Pkg: "k", Name: "k"})
	if err == nil || p == nil || len(p.Problems) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	if m, lowered := Lower(p, p.Kernels[0], Options{}); m != nil || lowered == nil || lowered.Error() != err.Error() {
		t.Errorf("error is %v", lowered)
	}
}

// Packages go by the names that a file imports them under.
func TestImportNames(t *testing.T) {
	src := sources(t,
		onePackage("k", "k.go", `package k

import (
	m "math"

	gpu "github.com/qdgen/qd"
)

func kernel(t gpu.Thread, x []float32, y []float64) {
	math, qd := t.ID(), int32(1)
	x[math] = gpu.Sqrt(x[qd])
	y[math] = m.Sqrt(y[qd]) + m.Pi
	gpu.AtomicAdd(&x[0], 1)
}
`),
		onePackage("dot", "dot.go", `package dot

import . "math"
import "github.com/qdgen/qd"

func kernel(t qd.Thread, x []float64) { x[t.ID()] = Pi * Hypot(x[0], 1) }
`),
		onePackage("dotqd", "dot.go", `package dotqd

import "math"
import . "github.com/qdgen/qd"

func kernel(t Thread, x []float64) {
	x[t.ID()] = math.Pi * Hypot(x[0], 1)
	AtomicAdd(&x[0], 1)
	Printf("%g", x[0])
}
`))
	for _, pkg := range []string{"k", "dot", "dotqd"} {
		mustLower(t, src, load.Ref{Pkg: pkg, Name: "kernel"})
	}
}
