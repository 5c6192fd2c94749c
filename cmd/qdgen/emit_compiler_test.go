package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
)

// Emit prints the C++ that the compiler which QD_CXX names would be given: for g++ without threads in lanes, for clang
// with as many as the processor has that flags ask for. No compiler is started.
func TestEmitForCompiler(t *testing.T) {
	if compile.Lanes != 0 {
		t.Skip("QD_LANES is set")
	}
	dir := t.TempDir()
	for _, name := range []string{"g++", "clang++"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ named, lanes string }{
		{"g++", ""},
		{"clang++ -march=x86-64-v2", "in 4 lanes"},
		{"clang++ -march=x86-64-v4", "in 8 lanes"},
	} {
		env := []string{"QD_CXX=" + filepath.Join(dir, tt.named)}
		r := qdgen(t, ".", env, "emit", "../../examples/mandelbrot", "--kernel", "escape", "--target", "cpp")
		r.want(t, 0, []string{"struct escape_args"}, nil)
		if got := strings.Contains(r.stdout, "escape_wide("); got != (tt.lanes != "") {
			t.Errorf("%s: threads in lanes: %v", tt.named, got)
		}
		if tt.lanes == "" {
			qdgen(t, ".", env, "emit", "../../examples/mandelbrot", "--kernel", "escape", "--target", "cpp", "--after", "widen").want(t, 2, nil, []string{"--after widen: this stage is for clang"})
			continue
		}
		r = qdgen(t, ".", env, "emit", "../../examples/mandelbrot", "--kernel", "escape", "--after", "outofssa", "--target", "cpp")
		r.want(t, 0, []string{tt.lanes}, nil)
	}
}
