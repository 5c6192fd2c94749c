package gradient_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// kernelsOf lists the kernels of a Go file.
func kernelsOf(t testing.TB, source string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "k.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil && f.Doc.List[len(f.Doc.List)-1].Text == "//qd:kernel" {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// moduleOf is the module of what differentiates a kernel.
func moduleOf(m *ssa.Module, b *gradient.Backward) *ssa.Module {
	made := &ssa.Module{Name: m.Name, Pkg: m.Pkg, Funcs: b.Funcs()}
	if made.Prints() {
		made.Formats = m.Formats
	}
	return made
}

// Gradients are what differences say.
func TestDifferences(t *testing.T) { differences(t, "testdata/kernels.go", 3) }

// So are those of kernels that mix much.
func TestMixed(t *testing.T) { differences(t, "testdata/mixed.go", 6) }

func differences(t *testing.T, file string, seeds uint64) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	for _, name := range kernelsOf(t, string(text)) {
		t.Run(name, func(t *testing.T) {
			m := lower(t, lib, string(text), name)
			k := kernelOf(m)
			for _, overlap := range []bool{false, true} {
				if overlap && strings.HasPrefix(name, "apart") {
					continue // it is refused: see TestRefused
				}
				b, err := gradient.Of(k, gradient.Options{Overlap: overlap})
				if err != nil {
					t.Fatal(err)
				}
				back := moduleOf(m, b)
				if err := ssa.Verify(back); err != nil {
					t.Fatalf("%v\n%v", err, back)
				}
				for seed := range seeds {
					tr := &trial{kernel: k, back: b, threads: 4, seed: seed}
					if err := tr.compare(tr.weights(), 1e-6); err != nil {
						t.Fatalf("overlap %v, seed %d: %v\n%v\n%v", overlap, seed, err, m, back)
					}
					if tr.reliable < tr.floats/2 {
						t.Errorf("seed %d: only %d derivatives of %d are compared", seed, tr.reliable, tr.floats)
					}
				}
			}
		})
	}
}

// A backward kernel is a kernel: it has a backward kernel itself.
func TestTwice(t *testing.T) {
	text, err := os.ReadFile("testdata/kernels.go")
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	twice := 0
	for _, name := range kernelsOf(t, string(text)) {
		m := lower(t, lib, string(text), name)
		first, err := gradient.Of(kernelOf(m), gradient.Options{})
		if err != nil || len(first.Tapes) > 0 {
			continue // what is kept in memory is not an argument that these tests can make up
		}
		second, err := gradient.Of(first.Kernel, gradient.Options{})
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		twice++
		if err := ssa.Verify(moduleOf(m, second)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		tr := &trial{kernel: first.Kernel, back: second, threads: 4, seed: 1}
		if err := tr.compare(tr.weights(), 1e-6); err != nil {
			t.Errorf("%s: %v\n%v\n%v", name, err, first.Kernel, second.Kernel)
		}
	}
	if t.Logf("%d kernels differentiated twice", twice); twice < 10 {
		t.Errorf("only %d kernels were differentiated twice", twice)
	}
}
