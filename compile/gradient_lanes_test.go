package compile_test

import (
	"context"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// What the C++ of backward kernels has, and has not.
func TestGradientText(t *testing.T) {
	const text = `package k

import "github.com/qdgen/qd"

//qd:kernel
func beside(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = x[max(i-5000, 0)] * 2
}

//qd:kernel
func near(t qd.Thread, x, y []float32) {
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
		{"beside", "vec::add<4>", ""},               // lanes add at once
		{"scattered", "", "vec::add<"},              // they could not
		{"near", "xGrad[i_2] += xGradSum;", "add<"}, // what neighbours add is gathered
		{"left", "break;", "exit"},                  // loops are left by breaks,
		{"left", "k < limit; k++", ""},              // and lanes count together
		{"left", "[turn * threads", "int64 top"},    // what a turn keeps lies where its number says
		{"left", "k++", "turns"},                    // one variable counts
		{"together", "alone);", ""},                 // a sum of all lanes, in one step where others may add
		{"together", "turn >= 0) {", ""},            // x[i] is read once, before the reverse loop
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

// What is kept is counted without a loop where the numbers of turns are known before.
func TestCountWithoutLoops(t *testing.T) {
	const text = `package k

import "github.com/qdgen/qd"

//qd:kernel
func twice(t qd.Thread, n, m int, x, y []float64) {
	s := x[t.ID()]
	for range n {
		s = s*s - 1
	}
	for range m {
		s = s*s*s - 2
	}
	y[t.ID()] = s
}
`
	src := load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(text)}}}}, library(t))
	u := &compile.Unit{Pipeline: compile.Go.Gradient(), Kernel: load.Ref{Pkg: "k", Name: "twice"}, Source: src}
	if err := u.RunTo(context.Background(), compile.Differentiate); err != nil {
		t.Fatal(err)
	}
	for _, f := range u.Module.Funcs {
		loops := 0
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpLoop {
				loops++
			}
		})
		if want := map[string]int{"twice.count": 0, "twice.gradient": 4}[f.Name]; loops != want {
			t.Errorf("%s has %d loops, want %d\n%v", f.Name, loops, want, u.Module)
		}
	}
}
