package main

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/parallel"
)

// forEach lowers all kernels, one after the other, because what they print and what is asked of the running package
// has an order. Then it calls use for the unit of each, several at once: use takes it through the rest of its
// pipeline. It returns all results in the order of the kernels, or the errors of all kernels. watch is called for each
// unit before it is lowered, unless it is nil.
func forEach[T any](o *emitOptions, specs []*specialization, way compile.Pipeline, watch func(*compile.Unit), use func(*specialization, *compile.Unit) ([]T, error)) ([]T, error) {
	units, results, errs := make([]*compile.Unit, len(specs)), make([][]T, len(specs)), make([]error, len(specs))
	for i, s := range specs {
		s.opts.Checked, s.opts.Fused, s.opts.Narrow, s.opts.Stages = o.checks, o.fused, !o.wide, o.stages
		s.opts.Interchange = o.interchanged
		units[i] = &compile.Unit{Pipeline: way, Kernel: s.ref, Options: s.opts, Source: s.pkg.sources(), Print: emit.Options{LineDirectives: o.lines}}
		if watch != nil {
			watch(units[i])
		}
		errs[i] = bug.Guard(s.ref.Name, func() error { return units[i].RunTo(context.Background(), compile.Lower) })
	}
	parallel.Each(runtime.GOMAXPROCS(0), len(specs), func(i int) {
		if errs[i] == nil {
			errs[i] = bug.Guard(specs[i].ref.Name, func() (err error) {
				results[i], err = use(specs[i], units[i])
				return err
			})
		}
		units[i] = nil // its module takes more memory than its text
	})
	var problems diag.List
	for _, err := range errs {
		if faults := (*diag.Diagnostics)(nil); errors.As(err, &faults) {
			problems.Add(faults.List...)
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(results...), problems.Err()
}
