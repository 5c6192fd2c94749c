package emit_test

import (
	"math"
	"sort"
	"testing"
	"unsafe"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/interp"
)

// Backward kernels do in C++ and CUDA what they do in the interpreter: with stacks in local arrays and in memory,
// exits, arrays, and atomic additions.
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
`, `
func clamped(x float64, y []float64) float64 { return min(x, y[0]) }

//qd:gradient clamped
func clampedGradient(x float64, y, yGrad []float64, adj float64) float64 {
	qd.AtomicAdd(&yGrad[0], adj*0.5)
	return adj * x
}

//qd:kernel
func ownGradient(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = clamped(x[i], x)*x[i] + qd.StopGradient(x[i])*x[(i+n)%8]
}
`, `
//qd:kernel
func halves(t qd.Thread, n int, x, y []qd.Float16) {
	i := t.ID()
	y[i] = qd.ToFloat16(x[i].Float32()*x[(i+n)%8].Float32() + x[0].Float32())
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
					g, w := gradientFloat(got[k], i), gradientFloat(want[k], i)
					few := 1e-12
					if got[k].elem == 2 {
						few = 1e-2 // what is added up in another order is rounded otherwise
					}
					if math.Abs(g-w) > few*(1+math.Abs(w)) {
						t.Errorf("%s for %s: gradient %d of argument %d is %v, not %v", m.Name, to.name, i, k, g, w)
					}
				}
			}
		})
	}
}

// gradientFloat is an element of a gradient.
func gradientFloat(a *array, i int) float64 {
	if a.elem == 2 {
		return halfOf(uint16(a.get(i)))
	}
	return fromBits[float64](a.get(i))
}

// halfOf is the value of a finite float16. Package qd, which has it, would be compiled once more with what it imports,
// for these tests alone.
func halfOf(bits uint16) float64 {
	fraction, exponent := float64(bits&0x3ff)/0x400, int(bits>>10&0x1f)
	x := math.Ldexp(1+fraction, exponent-15)
	if exponent == 0 {
		x = math.Ldexp(fraction, -14)
	}
	if bits>>15 != 0 {
		x = -x
	}
	return x
}

// nearHalf is a float16 near a number between -1 and 1: the next one towards 0.
func nearHalf(x float64) uint16 {
	const one = 0x3c00
	bits := uint16(sort.Search(one, func(i int) bool { return halfOf(uint16(i)+1) > math.Abs(x) }))
	if x < 0 {
		bits |= 1 << 15
	}
	return bits
}

// gradientThreads is how many threads there are, and elements.
const gradientThreads = 8

// runGradient runs the kernels that differentiate one of the test, and gives the gradients.
func runGradient(b *gradient.Backward, run func(f *ssa.Func, args []any)) (gradients []*array) {
	elem := b.Kernel.Params()[2].Type.(ssa.Slice).Elem.Size()
	filled := func(from float64) *array {
		a := newArray(elem, gradientThreads)
		for i := range gradientThreads {
			x := math.Sin(from + float64(i))
			if bits := math.Float64bits(x); elem == 8 {
				a.set(i, bits)
			} else {
				a.set(i, uint64(nearHalf(x)))
			}
		}
		return a
	}
	args := func() []any { return []any{uint64(5), filled(1), filled(2)} }
	gradients = []*array{newArray(elem, gradientThreads), filled(3)}
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
