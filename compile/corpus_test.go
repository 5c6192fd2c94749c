package compile_test

import (
	"context"
	"os"
	"path"
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

// library are the sources of package qd and of those of vectors and matrices, as they are on disk.
func library(t testing.TB) load.Map {
	t.Helper()
	own := load.Map{}
	for _, dir := range []string{"", "bools", "f32", "f64", "i32", "u32", "tile", "mathx"} {
		lib := &load.Package{Path: path.Join(load.QDPath, dir)}
		names, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lib.Files = append(lib.Files, load.File{Name: filepath.Base(name), Src: text})
		}
		own[lib.Path] = lib
	}
	return own
}

// eachKernel calls f for each kernel of the corpus, with its source.
func eachKernel(t *testing.T, f func(t *testing.T, name string, src load.Sources, ref load.Ref)) {
	t.Helper()
	files, err := corpus.Load("..")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of the corpus, %v", len(files), err)
	}
	lib := library(t)
	for _, file := range files {
		src := load.Chain(load.Map{"corpus": {Path: "corpus", Files: []load.File{{Name: file.Name + ".go", Src: []byte(file.Source)}}}}, lib, load.Standard{})
		for _, k := range file.Kernels {
			f(t, file.Name+"_"+k.Name, src, load.Ref{Pkg: "corpus", Name: k.Name})
		}
	}
}

// What is said to be as the Observer has seen it last is so.
func TestSame(t *testing.T) {
	passes := 0
	eachKernel(t, func(t *testing.T, name string, src load.Sources, ref load.Ref) {
		if len(name)%8 != 0 { // some of them
			return
		}
		last := ""
		u := &compile.Unit{Pipeline: compile.CPU, Kernel: ref, Source: src, Observe: func(at compile.At, m *ssa.Module) {
			text := m.String()
			if at.Same {
				if passes++; text != last {
					t.Errorf("%s: %v has changed something:\n%s\ninto:\n%s", name, at, last, text)
				}
			}
			last = text
		}}
		if err := u.RunTo(context.Background(), compile.Print); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	if passes < 1000 {
		t.Errorf("%d passes have changed nothing", passes)
	}
}

// Every kernel of the corpus keeps what stages promise, on each way, with checks and without. What is the same for all
// targets is done once.
func TestStages(t *testing.T) {
	eachKernel(t, func(t *testing.T, name string, src load.Sources, ref load.Ref) {
		for _, checked := range []bool{false, true} {
			var seen []*compile.Stage
			observe := func(at compile.At, m *ssa.Module) {
				if at.Pass == "" {
					seen = append(seen, at.Stage)
				}
				compile.Verifying(func(err error) { t.Errorf("%s, checked %v: %v", name, checked, err) })(at, m)
			}
			u := &compile.Unit{Pipeline: compile.Go, Kernel: ref, Source: src, Options: frontend.Options{Checked: checked}, Observe: observe}
			if err := u.Run(context.Background()); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			// Lower is seen once, however often it has asked for more source.
			if !slices.Equal(seen, compile.Go.Observed()) {
				t.Errorf("%s: not all stages were seen", name)
			}
			for target, p := range map[string]compile.Pipeline{"cpp": compile.CPU, "plain": compile.PlainCPU, "cuda": compile.CUDA} {
				seen = nil
				way := p.Optimized(u.Module, true)
				way.Observe, way.Options.Narrow = observe, true
				if err := way.RunTo(context.Background(), compile.Print); err != nil {
					t.Errorf("%s, %s: %v", name, target, err)
					continue
				}
				if !slices.Equal(seen, p.After(compile.Optimize).Observed()) {
					t.Errorf("%s, %s: not all stages were seen", name, target)
				}
				if way.Text == nil || way.Text.Source == "" {
					t.Errorf("%s, %s: there is no text", name, target)
				}
			}
		}
	})
}
