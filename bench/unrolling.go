package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/library"
	"github.com/qdgen/qd/internal/processor"
)

// unrolled are kernels with a loop of %d turns that is unrolled.
var unrolled = []struct{ name, body string }{
	{"accumulation", `
	i := t.ID()
	var sum float32
	for k := range qd.Static(%d) {
		sum += a * x[i*7+k]
	}
	y[i] = sum`},
	{"stores", `
	for k := range qd.Static(%d) {
		y[k] = x[k]*a + float32(k)
	}`},
	{"ifs", `
	i := t.ID()
	best := a
	for k := range qd.Static(%d) {
		if x[k] > best {
			best = x[k]
		}
	}
	y[i] = best`},
	{"continues", `
	i := t.ID()
	var sum float32
	for k := range qd.Static(%d) {
		if x[k] < 0 {
			continue
		}
		sum += x[k]
	}
	y[i] = sum`},
}

// unrolling times loops that are unrolled, from source text to emitted C++: of 10,000
// turns beside 1,000, which is to take ten times as long. It is the processor's time: on a
// machine that others use, the longer one is interrupted more often.
func unrolling() ([]result, error) {
	const few, many = 1_000, 10_000
	var results []result
	for _, u := range unrolled {
		text := func(turns int) func() (time.Duration, error) {
			src := load.Chain(load.Map{"p": {Path: "p", Files: []load.File{{Name: "p.go", Src: fmt.Appendf(nil,
				"package p\n\nimport \"github.com/qdgen/qd\"\n\n//qd:kernel\nfunc kernel(t qd.Thread, a float32, x, y []float32) {"+u.body+"\n}\n", turns)}}}}, library.Sources())
			return func() (time.Duration, error) {
				runtime.GC() // what the last turn left is no part of this one
				start := processor.Own()
				u := build.NewUnit(compile.CPU, src, load.Ref{Pkg: "p", Name: "kernel"}, build.Options{})
				if err := u.RunTo(context.Background(), compile.Print); err != nil {
					return 0, err
				}
				return processor.Own() - start, nil
			}
		}
		ours, theirs, err := sideBySide(text(many), text(few))
		if err != nil {
			return results, err
		}
		results = append(results, result{name: "10,000 turns: " + u.name, ours: ours, theirs: theirs, bound: bound{ratio: 12}, note: "beside: 1,000 turns"})
	}
	return results, nil
}
