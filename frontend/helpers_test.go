package frontend

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target"
)

// qdFiles are the files of package qd that kernels see, patterns among them.
var qdFiles = []string{"thread.go", "grid.go", "math.go", "scalar.go", "atomic.go", "printf.go", "constraints.go",
	"float16.go", "stopgradient.go", "view.go", "view3.go", "view4.go", "checkindex.go", "assert.go", "rand.go", "static.go", "z*.go",
}

// sources are packages by import path, with package qd and those of vectors.
func sources(t testing.TB, pkgs ...*load.Package) load.Map {
	t.Helper()
	m := maps.Clone(ownSources(t))
	for _, p := range pkgs {
		m[p.Path] = p
	}
	return m
}

var own struct {
	sync.Once
	sources load.Map
}

// ownSources are the packages of this module that kernels see, which are read once.
func ownSources(t testing.TB) load.Map {
	t.Helper()
	own.Do(func() {
		m := load.Map{load.QDPath: filesOf(t, load.QDPath, "..", qdFiles...)}
		for _, name := range []string{"bools", "f32", "f64", "i32", "u32", "tile", "mathx"} {
			m[load.QDPath+"/"+name] = filesOf(t, load.QDPath+"/"+name, "../"+name, "*.go")
		}
		own.sources = m
	})
	return own.sources
}

// filesOf is a package of files in a directory, but for its tests.
func filesOf(t testing.TB, path, dir string, patterns ...string) *load.Package {
	t.Helper()
	p := &load.Package{Path: path}
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p.Files = append(p.Files, load.File{Name: strings.TrimPrefix(path, "github.com/qdgen/") + "/" + filepath.Base(name), Src: src})
		}
	}
	return p
}

// onePackage is a package of one file.
func onePackage(path, file, src string) *load.Package {
	return &load.Package{Path: path, Files: []load.File{{Name: file, Src: []byte(src)}}}
}

// mustLower checks and lowers a kernel and verifies the module.
func mustLower(t testing.TB, src load.Sources, ref load.Ref) *ssa.Module {
	t.Helper()
	return mustLowerWith(t, src, ref, Options{})
}

func mustLowerWith(t testing.TB, src load.Sources, ref load.Ref, opts Options) *ssa.Module {
	t.Helper()
	p, err := load.Check(src, ref)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Lower(p, p.Kernels[0], opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := ssa.Verify(m); err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	target.Outline(m)
	if err := ssa.Hold(m, ssa.WellFormed, ssa.Outlined); err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	return m
}
