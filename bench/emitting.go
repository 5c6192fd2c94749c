package main

import (
	"context"
	_ "embed"
	"errors"
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
	b.WriteString("package p\n\nimport (\n\t\"math\"\n\n\t\"github.com/qdgen/qd\"\n)\n")
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

//go:embed backkernels.go
var backKernels []byte

// emitting times 100 kernels from source text to emitted C++, and their backward kernels. These count the turns of a
// loop first, so they are two kernels each. Then it times the kernels whose backward passes are timed too, and their
// gradients.
func emitting() ([]result, error) {
	kernels, gradients, err := emittingOf(hundred())
	if err != nil {
		return nil, err
	}
	of, back, err := emittingOf(string(backKernels))
	return []result{
		{name: "emit 100 kernels", ours: kernels, bound: bound{time: 50 * time.Millisecond}},
		{name: "emit the gradients of 100 kernels", ours: gradients, theirs: kernels, bound: bound{ratio: 2.5}, note: "beside the kernels, whose loops end nobody knows when"},
		{name: "emit the gradients that are timed", ours: back, theirs: of, bound: bound{ratio: 2.5}, note: "beside their kernels"},
	}, err
}

// emittingOf times the kernels of a file from source text to emitted C++, and their backward kernels. After the front
// end they are divided between the cores, as [qd.Build] and qdgen emit do it.
func emittingOf(text string) (kernels, gradients time.Duration, err error) {
	src := load.Chain(load.Map{"p": {Path: "p", Files: []load.File{{Name: "p.go", Src: []byte(text)}}}}, library.Sources())
	with := func(p compile.Pipeline) func() (time.Duration, error) {
		return timed(func() error {
			refs, err := frontend.Kernels(src, "p")
			if err != nil {
				return err
			}
			_, modules, err := frontend.Compile(src, refs...)
			if err != nil {
				return err
			}
			errs := make([]error, len(modules))
			build.Each(len(modules), func(i int) {
				errs[i] = p.Specialized(&frontend.Specialized{Module: modules[i]}).RunTo(context.Background(), compile.Print)
			})
			return errors.Join(errs...)
		})
	}
	return sideBySide(with(compile.CPU), with(compile.CPU.Gradient()))
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
