package compile_test

import (
	"context"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
)

// The size of vectors is the processor's, and the number of lanes follows from it and from the numbers that a kernel computes with.
func TestLanesOfProcessors(t *testing.T) {
	if compile.Lanes != 0 {
		t.Skip("QD_LANES is set")
	}
	const text = `package k

import "github.com/qdgen/qd"

//qd:kernel
func single(t qd.Thread, n int, x []float32) {
	s := x[t.ID()]
	for range n {
		s = s*s + 1
	}
	x[t.ID()] = s
}

//qd:kernel
func double(t qd.Thread, n int, x []float64) {
	s := x[t.ID()]
	for range n {
		s = s*s + 1
	}
	x[t.ID()] = s
}
`
	for arch, want := range map[string][2]int{
		"x86-64-v4": {16, 8}, "x86-64-v3": {16, 8}, "x86-64-v2": {8, 4}, "x86-64": {8, 4}, "armv8-a+lse+fp16": {8, 4}, "apple-m2": {8, 4}, "armv8.2-a": {8, 4}, "apple-m1": {8, 4},
		"a processor that nobody has measured": {16, 8},
	} {
		for i, name := range []string{"single", "double"} {
			u := printedFor(t, arch, text, name)
			if k := u.Module.Kernels()[0]; k.Wide == nil || k.Wide.Lanes != want[i] {
				t.Errorf("%s: %s: %+v, want %d lanes", arch, name, k.Wide, want[i])
			}
		}
	}
}

// printedFor is a kernel of a package k, compiled up to its text for a processor.
func printedFor(t *testing.T, arch, text, kernel string) *compile.Unit {
	t.Helper()
	src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(text)}}}}, library(t))
	u := &compile.Unit{Pipeline: compile.CPUOf(arch), Kernel: load.Ref{Pkg: "k", Name: kernel}, Source: src}
	if err := u.RunTo(context.Background(), compile.Print); err != nil {
		t.Fatal(err)
	}
	return u
}
