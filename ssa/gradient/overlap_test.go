package gradient_test

import (
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// One array may be the argument for two parameters, if the option says so.
func TestOverlap(t *testing.T) {
	lib := library(t)
	for _, body := range []string{
		"y[i] = x[i] * x[i]\n\tx[i+4] = y[i] * x[i]",
		"a := x[i]\n\ty[i] = 2 * a\n\ty[i+4] = x[i] * a",
		"for k := 0; k < 3; k++ {\n\t\ty[i] = x[i] * x[i+4]\n\t\tx[i+4] = y[i+4] + y[i]\n\t}",
		"copy(y[i+4:i+5], x[i:i+1])\n\tx[i] *= y[i+4]",
	} {
		text := "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, x, y []float64) {\n\ti := t.ID()\n\t" + body + "\n}\n"
		k := lower(t, lib, text, "k").Kernels()[0]
		b, err := gradient.Of(k, gradient.Options{Overlap: true})
		if err != nil {
			t.Fatal(err)
		}
		const n, threads = 8, 4
		start := []float64{0.5, -0.7, 1.1, 0.3, -0.4, 0.9, 1.3, -1.2}
		weights := []float64{1, 2, -1, 0.5, 3, -2, 1.5, 1}
		// run launches a kernel with the array twice, and a second array twice if there is one.
		run := func(f *ssa.Func, arrays ...[]float64) {
			var memory interp.Buffers
			var args, data [][]byte
			for _, a := range arrays {
				p := make([]byte, 8*n)
				for i, x := range a {
					copy(p[8*i:], interp.Scalar(ssa.Float64, ssa.Float64Const(x)))
				}
				arg := interp.SliceArg(memory.Add(p), n)
				args, data = append(args, arg, arg), append(data, p)
			}
			room := make([]byte, 8*64*threads)
			for range len(f.Params()) - 1 - len(args) {
				args = append(args, interp.SliceArg(memory.Add(room), 64*threads))
			}
			if err := launch(f, &memory, args, threads); err != nil {
				t.Fatal(err)
			}
			for k, a := range arrays {
				for i := range a {
					a[i] = interp.ToConst(ssa.Float64, data[k][8*i:]).Float(ssa.Float64)
				}
			}
		}
		loss := func(i int, by float64) (sum float64) {
			x := slices.Clone(start)
			x[i] += by
			run(k, x)
			for i := range x {
				sum += weights[i] * x[i]
			}
			return sum
		}
		got := slices.Clone(weights)
		run(b.Kernel, slices.Clone(start), got)
		for i := range start {
			const h = 1e-5
			want := (loss(i, h) - loss(i, -h)) / (2 * h)
			if math.Abs(got[i]-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("%s: gradient %d is %v, differences say %v\n%v", body, i, got[i], want, b.Kernel)
			}
		}
	}
}
