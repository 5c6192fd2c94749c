package compile_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/corpus"
	"github.com/qdgen/qd/ssa"
)

// library is the source of package qd, as it is on disk.
func library(t testing.TB) *load.Package {
	t.Helper()
	lib := &load.Package{Path: load.QDPath}
	paths, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		lib.Files = append(lib.Files, load.File{Name: filepath.Base(path), Src: text})
	}
	return lib
}

// eachKernel calls f for each kernel of the corpus, with its source.
func eachKernel(t *testing.T, f func(t *testing.T, name string, src load.Sources, ref load.Ref)) {
	t.Helper()
	files, err := corpus.Load("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	for _, file := range files {
		src := load.Map{
			"corpus":    {Path: "corpus", Files: []load.File{{Name: file.Name + ".go", Src: []byte(file.Source)}}},
			load.QDPath: lib,
		}
		for _, k := range file.Kernels {
			f(t, file.Name+"_"+k.Name, src, load.Ref{Pkg: "corpus", Name: k.Name})
		}
	}
}

// Every kernel of the corpus keeps what stages promise, on each way, with checks and without.
func TestStages(t *testing.T) {
	eachKernel(t, func(t *testing.T, name string, src load.Sources, ref load.Ref) {
		for _, checked := range []bool{false, true} {
			for target, p := range map[string]compile.Pipeline{"cpp": compile.CPU, "plain": compile.PlainCPU, "cuda": compile.CUDA} {
				u := &compile.Unit{Pipeline: p, Kernel: ref, Source: src, Options: frontend.Options{Checked: checked}}
				var seen []*compile.Stage
				verify := compile.Verifying(func(err error) { t.Errorf("%s, %s, checked %v: %v", name, target, checked, err) })
				u.Observe = func(at compile.At, m *ssa.Module) {
					if at.Pass == "" {
						seen = append(seen, at.Stage)
					}
					verify(at, m)
				}
				if err := u.RunTo(context.Background(), compile.Print); err != nil {
					t.Errorf("%s, %s: %v", name, target, err)
					continue
				}
				// Lower is seen once, however often it has asked for more source.
				if !slices.Equal(seen, p.Observed()) {
					t.Errorf("%s, %s: not all stages were seen", name, target)
				}
				if u.Text == nil || u.Text.Source == "" {
					t.Errorf("%s, %s: there is no text", name, target)
				}
			}
		}
	})
}
