package frontend

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
)

var update = flag.Bool("update", false, "rewrite the expected SSA in testdata/lower")

const goldenMark = "\n/* SSA\n"

// TestLower compares the SSA of small kernels with what is expected: each file
// of testdata/lower is Go, with the SSA of its kernels in a comment at its end.
func TestLower(t *testing.T) {
	files, err := filepath.Glob("testdata/lower/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			code, want, _ := strings.Cut(string(text), goldenMark)
			src := sources(t, onePackage("lower", filepath.Base(file), code), geometry)
			got := lowerAll(t, src, "lower") + "*/\n"
			if got == want {
				return
			}
			if *update {
				if err := os.WriteFile(file, []byte(code+goldenMark+got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("SSA of %s differs: run go test -update and look at the difference; now it is\n%s", file, got)
		})
	}
}

// geometry is another package for kernels to call.
var geometry = onePackage("example.com/geometry", "geometry.go", `package geometry

const Scale = 1.5

type Meters float32

func Area(w, h Meters) Meters { return scaled(w) * scaled(h) }

func scaled(x Meters) Meters { return x * Scale }
`)

// lowerAll is the SSA of the kernels of a package, of checked builds if it is that of
// a file checked.go.
func lowerAll(t testing.TB, src load.Sources, pkg string) string {
	t.Helper()
	refs, err := Kernels(src, pkg)
	if err != nil || len(refs) == 0 {
		t.Fatal("no kernels", err)
	}
	files, err := src.Package(pkg)
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Checked: files.Files[0].Name == "checked.go"}
	var out strings.Builder
	for i, ref := range refs {
		if i > 0 {
			out.WriteString("\n")
		}
		out.WriteString(mustLowerWith(t, src, ref, opts).String())
	}
	return out.String()
}

// TestDeterminism lowers everything many times: Go's maps must not show.
func TestDeterminism(t *testing.T) {
	files, err := filepath.Glob("testdata/lower/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		src := sources(t, onePackage("lower", filepath.Base(file), string(text)), geometry)
		first := lowerAll(t, src, "lower")
		for range 10 {
			if lowerAll(t, src, "lower") != first {
				t.Fatalf("%s: lowered twice, differs", file)
			}
		}
	}
}

// TestNames lowers functions of two packages of one name.
func TestNames(t *testing.T) {
	kernel := onePackage("main", "k.go", `package main

import (
	a "a/vec"
	b "b/vec"

	"github.com/qdgen/qd"
)

//qd:kernel
func k(t qd.Thread, x []int) { x[0] = a.Dot(1) + b.Dot(2) + Dot(3) }

func Dot(x int) int { return x }
`)
	one := onePackage("a/vec", "vec.go", "package vec\nfunc Dot(x int) int { return x + 1 }\n")
	two := onePackage("b/vec", "vec.go", "package vec\nfunc Dot(x int) int { return x + 2 }\n")
	m := mustLower(t, sources(t, kernel, one, two), load.Ref{Pkg: "main", Name: "k"})
	var names []string
	for _, f := range m.Funcs {
		names = append(names, f.Name)
	}
	if got, want := strings.Join(names, " "), "vec.Dot vec.Dot_2 Dot k"; got != want {
		t.Errorf("functions %s, want %s", got, want)
	}
}

// BenchmarkLower is lowering alone: a kernel of each golden in turn.
func BenchmarkLower(b *testing.B) {
	files, err := filepath.Glob("testdata/lower/*.go")
	if err != nil {
		b.Fatal(err)
	}
	var programs []*load.Program
	kernels := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		src := sources(b, onePackage("lower", filepath.Base(file), string(text)), geometry)
		refs, err := Kernels(src, "lower")
		if err != nil {
			b.Fatal(err)
		}
		p, err := load.Check(src, refs...)
		if err != nil {
			b.Fatal(err)
		}
		programs = append(programs, p)
		kernels += len(p.Kernels)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range programs {
			for _, k := range p.Kernels {
				if _, err := Lower(p, k, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*kernels), "ns/kernel")
}
