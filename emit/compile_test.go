package emit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
)

// The goldens compile without a warning, as C++ by gcc too.
func TestNoWarnings(t *testing.T) {
	for _, g := range goldens {
		m := lower(t, g.src)
		forTargets(t, func(t *testing.T, to target) { build(t, to, m) })
		if out, err := gcc(t, compile.PlainCPU.TextOf([]*ssa.Module{m}).Source); err != nil {
			t.Errorf("%s: g++: %v\n%s", g.name, err, out)
		}
	}
}

// gcc checks C++ text with g++, if there is one.
func gcc(t *testing.T, text string) (string, error) {
	cxx, err := exec.LookPath("g++")
	if err != nil {
		return "", nil
	}
	src := filepath.Join(t.TempDir(), "k.cpp")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(cxx, "-std=c++17", "-O1", "-fwrapv", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-psabi", "-c", "-o", os.DevNull, src).CombinedOutput()
	return string(out), err
}

// A loop over threads without loops of its own becomes SIMD code, by functions for vectors or, in the interior of a row, by
// the compiler.
func TestVectorized(t *testing.T) {
	cxx := compiler(t).Path
	for name, src := range map[string]string{
		"saxpy": saxpy,
		"stencil": `
//qd:kernel
func stencil(t qd.Thread, r float32, in, out []float32) {
	i, j := t.ID2()
	h, w := t.Dim(0), t.Dim(1)
	c := in[i*w+j]
	if i > 0 && j > 0 && i < h-1 && j < w-1 {
		c += r * (in[(i-1)*w+j] + in[(i+1)*w+j] + in[i*w+j-1] + in[i*w+j+1] - 4*c)
	}
	out[i*w+j] = c
}
`,
	} {
		text := compile.CPU.Text(lower(t, src), emit.Options{}).Source
		if own := name == "saxpy"; strings.Contains(text, name+"_wide(") != own {
			t.Errorf("%s: vectors of our own: %v\n%s", name, !own, text)
		} else if own {
			continue
		}
		file := filepath.Join(t.TempDir(), "k.cpp")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(cxx, "-std=c++17", "-O3", "-fwrapv", "-ffp-contract=off", "-w", "-Rpass=loop-vectorize", "-c", "-o", os.DevNull, file).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "vectorized loop") {
			t.Errorf("%s: %v, not vectorized\n%s", name, err, out)
		}
	}
}
