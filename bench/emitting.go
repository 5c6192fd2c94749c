package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/library"
)

// hundred is a package of 100 kernels with loops, branches and a device function each.
func hundred() string {
	var b strings.Builder
	b.WriteString("package hundred\n\nimport (\n\t\"math\"\n\n\t\"github.com/qdgen/qd\"\n)\n")
	for i := range 100 {
		fmt.Fprintf(&b, `
//qd:kernel
func kernel%[1]d(t qd.Thread, limit int, scale float64, in, out []float64) {
	i, j := t.ID2()
	at := i*t.Dim(1) + j
	sum := in[at]
	for k := 0; k < limit; k++ {
		if sum > 100 {
			break
		}
		if k%%%[2]d == 0 {
			sum = step%[1]d(sum, scale)
			continue
		}
		sum += math.Sqrt(float64(k)) * scale
	}
	out[at] = sum
}

func step%[1]d(x, scale float64) float64 {
	if x < 0 {
		return -x * scale
	}
	return math.Sin(x)*scale + %[1]d
}
`, i, i%7+2)
	}
	return b.String()
}

// emitting times 100 kernels from source text to emitted C++, and their backward kernels.
func emitting() ([]result, error) {
	src := load.Chain(load.Map{"hundred": {Path: "hundred", Files: []load.File{{Name: "hundred.go", Src: []byte(hundred())}}}}, library.Sources())
	with := func(p compile.Pipeline) func() (time.Duration, error) {
		return timed(func() error {
			refs, err := frontend.Kernels(src, "hundred")
			if err != nil {
				return err
			}
			_, modules, err := frontend.Compile(src, refs...)
			if err != nil {
				return err
			}
			for _, m := range modules {
				if err := p.Specialized(&frontend.Specialized{Module: m}).RunTo(context.Background(), compile.Print); err != nil {
					return err
				}
			}
			return nil
		})
	}
	kernels, gradients, err := sideBySide(with(compile.CPU), with(compile.CPU.Gradient()))
	return []result{
		{name: "emit 100 kernels", ours: kernels, bound: bound{time: 50 * time.Millisecond}},
		{name: "emit the gradients of 100 kernels", ours: gradients, theirs: kernels, bound: bound{ratio: 2.5}, note: "beside the kernels"},
	}, err
}

// emittedSaxpy is the C++ that qdgen emits for the kernel saxpy of this package.
func emittedSaxpy() (string, error) {
	source, err := kernelsSource.ReadFile("kernels.go")
	if err != nil {
		return "", err
	}
	src := load.Chain(load.Map{"p": {Path: "p", Files: []load.File{{Name: "kernels.go", Src: source}}}}, library.Sources())
	spec, err := build.Lower(src, load.Ref{Pkg: "p", Name: "saxpy"}, build.Options{})
	if err != nil {
		return "", err
	}
	return compile.CPU.Text(spec.Module, emit.Options{}).Source, nil
}
