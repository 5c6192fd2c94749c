package compile_test

import (
	"context"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/load"
)

// What the C++ of backward kernels has, and has not.
func TestGradientText(t *testing.T) {
	const text = `package k

import "github.com/qdgen/qd"

//qd:kernel
func beside(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = x[max(i-1, 0)] * 2
}

//qd:kernel
func scattered(t qd.Thread, at []int32, x [][3]float32, y []float32) {
	i := t.ID()
	y[i] = x[at[i]][1] * 2
}

//qd:kernel
func left(t qd.Thread, limit int, x, y []float64) {
	sum := x[t.ID()]
	for k := range limit {
		if sum > 100 {
			break
		}
		sum += sum*sum/float64(k+1)
	}
	y[t.ID()] = sum
}

//qd:kernel
func together(t qd.Thread, x, y []float32) {
	i := t.ID()
	sum := float32(0)
	for j := range x {
		d := x[j] - x[i]
		sum += d*d*d
	}
	y[i] = sum
}
`
	src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(text)}}}}, library(t))
	for _, tt := range []struct{ kernel, has, hasNot string }{
		{"beside", "vec::add<4>", ""},    // lanes add at once
		{"scattered", "", "vec::add<"},   // they could not
		{"left", "break;", "exit"},       // loops are left by breaks,
		{"left", "k < limit; k++", ""},   // and lanes count together
		{"together", "alone);", ""},      // a sum of all lanes, in one step where others may add
		{"together", "turn >= 0) {", ""}, // x[i] is read once, before the reverse loop
	} {
		u := &compile.Unit{Pipeline: compile.CPU.Gradient(), Kernel: load.Ref{Pkg: "k", Name: tt.kernel}, Source: src, Print: emit.Options{}}
		if err := u.RunTo(context.Background(), compile.Print); err != nil {
			t.Fatal(err)
		}
		if got := u.Text.Source; !strings.Contains(got, tt.has) || tt.hasNot != "" && strings.Contains(got, tt.hasNot) {
			t.Errorf("%s: has not %q, or has %q\n%s", tt.kernel, tt.has, tt.hasNot, got)
		}
	}
}
