package emit_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// Backward kernels do in C++ and CUDA what they do in the interpreter: with stacks in local arrays and in memory, exits,
// arrays, and atomic additions.
func TestGradients(t *testing.T) {
	kernels := []string{`
//qd:kernel
func straight(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = math.Sin(x[i]) * x[(i+n)%8]
}
`, `
//qd:kernel
func exits(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	s := x[i]
outer:
	for k := 0; k < n; k++ {
		for j := 0; j < 8; j++ {
			if j > k {
				continue outer
			}
			s = math.Cos(s) * x[j]
			if s > 0.9 {
				break outer
			}
		}
		if s < -0.9 {
			return
		}
	}
	y[i] += s * s
}
`, `
//qd:kernel
func localArrays(t qd.Thread, n int, x, y []float64) {
	var a [4]float64
	for k := 0; k < 8; k++ {
		a[k%4] = a[(k+n)%4]*x[k] + float64(t.ID())
	}
	y[t.ID()] *= a[n%4]
}
`, `
//qd:kernel
func scatters(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	p := x[i]
	for p*p < 4 {
		p *= 1.5
		qd.AtomicAdd(&y[(i*n)%8], p*p)
	}
}
`}
	for _, text := range kernels {
		m := lower(t, text)
		b, err := gradient.Of(m.Kernels()[0], gradient.Options{})
		if err != nil {
			t.Fatal(err)
		}
		back := &ssa.Module{Name: m.Name, Funcs: b.Funcs()}
		verify(t, back)
		want := interpreted(t, b)
		forTargets(t, func(t *testing.T, to target) {
			compiled := build(t, to, back)
			got := runGradient(b, func(f *ssa.Func, args []any) { compiled.run(t, f, []int{gradientThreads}, args...) })
			for k := range want {
				for i := range gradientThreads {
					g, w := fromBits[float64](got[k].get(i)), fromBits[float64](want[k].get(i))
					if math.Abs(g-w) > 1e-12*(1+math.Abs(w)) {
						t.Errorf("%s for %s: gradient %d of argument %d is %v, not %v", m.Name, to.name, i, k, g, w)
					}
				}
			}
		})
	}
}

// gradientThreads is how many threads there are, and elements.
const gradientThreads = 8

// runGradient runs the kernels that differentiate one of the test, and gives the gradients.
func runGradient(b *gradient.Backward, run func(f *ssa.Func, args []any)) (gradients []*array) {
	filled := func(from float64) *array {
		a := newArray(8, gradientThreads)
		for i := range gradientThreads {
			a.set(i, math.Float64bits(math.Sin(from+float64(i))))
		}
		return a
	}
	args := func() []any { return []any{uint64(5), filled(1), filled(2)} }
	gradients = []*array{newArray(8, gradientThreads), filled(3)}
	all := append(args(), gradients[0], gradients[1])
	if b.Count != nil {
		counting := args()
		var counts []*array
		for range b.Tapes {
			counts = append(counts, newArray(8, gradientThreads))
			counting = append(counting, counts[len(counts)-1])
		}
		run(b.Count, counting)
		for k, t := range b.Tapes {
			most := uint64(0)
			for i := range gradientThreads {
				most = max(most, counts[k].get(i))
			}
			all = append(all, newArray(t.Size(), int(most)*gradientThreads))
		}
	}
	run(b.Kernel, all)
	return gradients
}

// interpreted are the gradients that the interpreter computes.
func interpreted(t *testing.T, b *gradient.Backward) []*array {
	return runGradient(b, func(f *ssa.Func, args []any) {
		var memory interp.Buffers
		var bytes [][]byte
		for _, arg := range args {
			switch arg := arg.(type) {
			case *array:
				n := len(arg.data) / arg.elem * arg.elem
				bytes = append(bytes, interp.SliceArg(memory.Add(arg.data), n/arg.elem))
			case uint64:
				bytes = append(bytes, (*[8]byte)(unsafe.Pointer(&arg))[:])
			}
		}
		p := interp.Compile(f)
		for thread := range int64(gradientThreads) {
			place := interp.Place{Flat: thread, ID: [4]int64{thread}, Dim: [4]int64{gradientThreads, 1, 1, 1}}
			if _, err := p.Run(&interp.Env{Memory: &memory, Place: place}, bytes); err != nil {
				t.Fatal(err)
			}
		}
	})
}
