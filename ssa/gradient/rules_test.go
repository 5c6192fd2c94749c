package gradient_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// Each function of package math has the derivative that differences say, backward and forward.
func TestFunctions(t *testing.T) {
	lib := library(t)
	for f := ssa.Math(1); f <= ssa.Yn; f++ { // what follows is none of package math
		params, results := f.Signature(ssa.Float64)
		if !ssa.IsFloat(results[0]) || !hasFloat(params) {
			continue
		}
		text := functionKernel(f, params, results)
		m := lower(t, lib, text, "k")
		k := m.Kernels()[0]
		b, err := gradient.Of(k, gradient.Options{})
		if err != nil {
			t.Errorf("%s: %v", f.GoName(), err)
			continue
		}
		if err := ssa.Verify(moduleOf(m, b)); err != nil {
			t.Errorf("%s: %v", f.GoName(), err)
		}
		for seed := range uint64(4) {
			tr := &trial{kernel: k, back: b, threads: 4, seed: seed}
			if err := tr.compare(tr.weights(), 1e-6); err != nil {
				t.Errorf("%s, seed %d: %v\n%v", f.GoName(), seed, err, b.Kernel)
			}
			if tr.tangent, err = gradient.Of(k, gradient.Options{Steps: gradient.Tangent}); err != nil {
				t.Errorf("%s: %v", f.GoName(), err)
			} else if err := tr.compareTangent(1e-6); err != nil {
				t.Errorf("%s, seed %d: %v\n%v", f.GoName(), seed, err, tr.tangent.Kernel)
			}
		}
	}
}

func hasFloat(ts []ssa.Type) bool {
	for _, t := range ts {
		if ssa.IsFloat(t) {
			return true
		}
	}
	return false
}

// functionKernel calls a function with arguments for which it has a derivative.
func functionKernel(f ssa.Math, params, results []ssa.Type) string {
	var args, names string
	for i, p := range params {
		x := fmt.Sprintf("x[t.ID()+%d]", 4*i)
		switch f { // those that are not for all numbers
		case ssa.Acosh:
			x = "1.1+math.Abs(" + x + ")"
		case ssa.Acos, ssa.Asin, ssa.Atanh, ssa.Erfinv:
			x = "math.Sin(" + x + ")*0.9"
		case ssa.Erfcinv:
			x = "1+math.Sin(" + x + ")*0.9"
		case ssa.Log, ssa.Log10, ssa.Log1p, ssa.Log2, ssa.Sqrt, ssa.Pow, ssa.Y0, ssa.Y1, ssa.Yn:
			x = "0.5+math.Abs(" + x + ")"
		}
		if !ssa.IsFloat(p) {
			x = "3"
		}
		if i > 0 {
			args += ", "
		}
		args += x
	}
	sum := ""
	for i, r := range results {
		if i > 0 {
			names += ", "
		}
		name := string(rune('p' + i))
		names += name
		if ssa.IsFloat(r) {
			sum += fmt.Sprintf(" + %d*%s", i+1, name)
		} else {
			sum += " + float64(" + name + ")"
		}
	}
	return fmt.Sprintf("package k\n\nimport (\n\t\"math\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc k(t qd.Thread, x, y []float64) {\n\t%s := math.%s(%s)\n\ty[t.ID()] = x[t.ID()]%s\n}\n", names, f.GoName(), args, sum)
}
