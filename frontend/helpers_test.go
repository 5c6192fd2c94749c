package frontend

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target"
)

// qdFiles are the files of package qd that kernels see, patterns among them.
var qdFiles = []string{"thread.go", "grid.go", "math.go", "scalar.go", "swizzle.go", "atomic.go", "printf.go", "constraints.go",
	"float16.go", "view.go", "view3.go", "view4.go", "checkindex.go", "assert.go", "rand.go", "static.go",
	"applyfloat.go", "rotation.go", "det.go", "inverse.go", "quat.go", "quatrotation.go", "transform.go", "affine.go", "camera.go", "linalg.go",
	"z*.go",
}

// sources are packages by import path, with package qd.
func sources(t testing.TB, pkgs ...*load.Package) load.Map {
	t.Helper()
	qd := &load.Package{Path: load.QDPath}
	for _, pattern := range qdFiles {
		paths, err := filepath.Glob("../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			qd.Files = append(qd.Files, load.File{Name: "qd/" + filepath.Base(path), Src: src})
		}
	}
	m := load.Map{load.QDPath: qd}
	for _, p := range pkgs {
		m[p.Path] = p
	}
	return m
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
