package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/cmd/qdgen/vectypes"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/library"
)

// decompositions are kernels of the numerical methods that emit most.
const decompositions = `package p

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

//qd:kernel
func eigen6(t qd.Thread, m []Mat6, w []Vec6, v []Mat6) {
	i := t.ID()
	w[i], v[i] = m[i].SymEig()
}

//qd:kernel
func svd3(t qd.Thread, m, u []f32.Mat3, s []f32.Vec3, v []f32.Mat3) {
	i := t.ID()
	u[i], s[i], v[i] = m[i].SVD()
}

//qd:kernel
func solve12(t qd.Thread, m []Mat12, b, x []Vec12) {
	i := t.ID()
	x[i], _ = m[i].Solve(b[i])
}
`

// decomposing times numerical methods of matrices, from source text to a library: what a first
// launch has to wait for.
func decomposing() ([]result, error) {
	compiler, err := clang.Find()
	if err != nil {
		return nil, err
	}
	types, err := vectypes.Generate("p", "float32", []vectypes.Type{{Shape: vectypes.Mat(6, 6), Name: "Mat6"}, {Shape: vectypes.Mat(12, 12), Name: "Mat12"}})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "qdgen-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	src := load.Chain(load.Map{"p": {Path: "p", Files: []load.File{
		{Name: "kernels.go", Src: []byte(decompositions)}, {Name: "qd_types.go", Src: types},
	}}}, library.Sources())

	var results []result
	for _, d := range []struct {
		name, kernel string
		bound        time.Duration
	}{
		{"symmetric eigen 6x6", "eigen6", 2 * time.Second},
		{"SVD 3x3", "svd3", time.Second},
		{"solve 12x12", "solve12", 0},
	} {
		file := filepath.Join(dir, d.kernel+".cpp")
		emitted := func() error {
			s, err := build.Lower(src, load.Ref{Pkg: "p", Name: d.kernel}, build.Options{})
			if err != nil {
				return err
			}
			return os.WriteFile(file, []byte(compile.CPU.Text(s.Module, emit.Options{}).Source), 0o600)
		}
		compiled := func() error {
			args := append(compiler.Flags(), "-shared", "-o", filepath.Join(dir, d.kernel+".so"), file)
			if out, err := exec.Command(compiler.Path, args...).CombinedOutput(); err != nil {
				return fmt.Errorf("%v\n%s", err, out)
			}
			return nil
		}
		var emits, totals []time.Duration
		for i := range *repeats + 1 {
			begin := time.Now()
			if err := emitted(); err != nil {
				return results, err
			}
			emit := time.Since(begin)
			if err := compiled(); err != nil {
				return results, err
			}
			if i > 0 { // the first turn warms both up
				emits, totals = append(emits, emit), append(totals, time.Since(begin))
			}
		}
		results = append(results, result{name: "compile: " + d.name, ours: median(totals), bound: bound{time: d.bound},
			note: fmt.Sprintf("%s to emit, the rest is %s", show(median(emits)), filepath.Base(compiler.Path))})
	}
	return results, nil
}
