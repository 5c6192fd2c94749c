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

// Threads without loops run in the lanes of vectors, those in the interior of a row too.
func TestVectorized(t *testing.T) {
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
		if !strings.Contains(text, "_wide(") || strings.Contains(text, "vectorize(enable)") {
			t.Errorf("%s: no vectors of our own, or the compiler is asked for some\n%s", name, text)
		}
	}
}
