package gradient_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// gradientsOf runs the backward kernel of a kernel with random weights.
func gradientsOf(t *testing.T, text, kernel string) []float64 {
	t.Helper()
	m := lower(t, library(t), text, kernel)
	k := kernelOf(m)
	b, err := gradient.Of(k, gradient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ssa.Verify(moduleOf(m, b)); err != nil {
		t.Fatalf("%v\n%v", err, moduleOf(m, b))
	}
	tr := &trial{kernel: k, back: b, threads: 4, seed: 1}
	got, err := tr.gradients(tr.weights())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A function with a gradient of its own has that one: kernel k has the gradients of kernel twin, in which the factors of the
// gradients stand as such.
func TestOwnGradient(t *testing.T) {
	tests := []struct{ name, text string }{
		{"value", `
func square(x float64) float64 { return x * x }

//qd:gradient square
func squareGradient(x, adj float64) float64 { return 6 * x * adj }

func k(t qd.Thread, x, y []float64) { y[t.ID()] = square(x[t.ID()]) }

func twin(t qd.Thread, x, y []float64) { i := t.ID(); y[i] = 3 * x[i] * x[i] }
`},
		{"in a loop of a Grid kernel", `
func square(x float64) float64 { return x * x }

//qd:gradient square
func squareGradient(x, adj float64) float64 { return 6 * x * adj }

func k(g qd.Grid, x, y []float64) {
	g.For(len(y), func(i int) { y[i] = square(x[i]) })
}

func twin(g qd.Grid, x, y []float64) {
	g.For(len(y), func(i int) { y[i] = 3 * x[i] * x[i] })
}
`},
		{"in a loop, of what the loop changes", `
func square(x float64) float64 { return x * x / 2 }

//qd:gradient square
func squareGradient(x, adj float64) float64 { return x * adj }

func k(t qd.Thread, n int, x, y []float64) {
	a := x[t.ID()]
	for range n {
		a = square(a) * x[t.ID()+4]
		if a > 3 {
			break
		}
	}
	y[t.ID()] = a
}

func twin(t qd.Thread, n int, x, y []float64) {
	a := x[t.ID()]
	for range n {
		a = a * a / 2 * x[t.ID()+4]
		if a > 3 {
			break
		}
	}
	y[t.ID()] = a
}
`},
		{"several results and parameters", `
func polar(r float64, turns int, phi float64) (x, y float64) { return r * math.Cos(phi), r * math.Sin(phi) * float64(turns) }

//qd:gradient polar
func polarGradient(r float64, turns int, phi, dx, dy float64) (dr, dphi float64) {
	return dx*math.Cos(phi) + dy*math.Sin(phi)*float64(turns), r * (dy*math.Cos(phi)*float64(turns) - dx*math.Sin(phi))
}

func k(t qd.Thread, x, y []float64) {
	a, b := polar(x[t.ID()], 3, x[t.ID()+4])
	y[t.ID()] = a * b
}

func twin(t qd.Thread, x, y []float64) {
	r, phi := x[t.ID()], x[t.ID()+4]
	y[t.ID()] = r * math.Cos(phi) * r * math.Sin(phi) * 3
}
`},
		{"generic, method, vector", `
type spring[T qd.Float] struct{ rest, stiff T }

func (s spring[T]) force(v f64.Vec3, by T) f64.Vec3 { return v.Scale(float64(s.stiff * (by - s.rest))) }

//qd:gradient spring.force
func forceGradient[T qd.Float](s spring[T], v f64.Vec3, by T, adj f64.Vec3) (ds spring[T], dv f64.Vec3, dby T) {
	a := T(v.Dot(adj))
	return spring[T]{-s.stiff * a, (by - s.rest) * a}, adj.Scale(float64(s.stiff * (by - s.rest))), s.stiff * a
}

func k(t qd.Thread, x, y []float64) {
	i := t.ID()
	f := spring[float64]{x[i], x[i+1]}.force(f64.Vec3{x[i+2], 1, x[i]}, x[i+3])
	y[i] = f[0] + f[1]*f[2]
}

func twin(t qd.Thread, x, y []float64) {
	i := t.ID()
	s := x[i+1] * (x[i+3] - x[i])
	y[i] = x[i+2]*s + s*x[i]*s
}
`},
		{"straight through a step", `
func step(x float64) float64 {
	if x > 0 {
		return 1
	}
	return 0
}

//qd:gradient step
func stepGradient(_, adj float64) float64 { return adj }

func k(t qd.Thread, x, y []float64) { y[t.ID()] = step(x[t.ID()]) * x[t.ID()+4] }

func twin(t qd.Thread, x, y []float64) {
	i := t.ID()
	s := x[i] - qd.StopGradient(x[i])
	if x[i] > 0 {
		s += 1
	}
	y[i] = s * x[i+4]
}
`},
		{"slices", `
func gather(x []float64, i int) float64 { return x[i] * x[i+1] }

//qd:gradient gather
func gatherGradient(x []float64, i int, xGrad []float64, adj float64) {
	qd.AtomicAdd(&xGrad[i], 2*adj*x[i+1])
	qd.AtomicAdd(&xGrad[i+1], 2*adj*x[i])
}

func k(t qd.Thread, x, y []float64) { y[t.ID()] = gather(x, t.ID()) }

func twin(t qd.Thread, x, y []float64) { y[t.ID()] = 2 * x[t.ID()] * x[t.ID()+1] }
`},
		{"a slice that is written", `
func put(y []float64, i int, by float64) { y[i] = by * by }

//qd:gradient put
func putGradient(_ []float64, i int, by float64, yGrad []float64) float64 {
	adj := yGrad[i]
	yGrad[i] = 0
	return 2 * by * adj
}

func k(t qd.Thread, x, y []float64) {
	i := t.ID()
	put(y, i, x[i]*x[i+4])
	y[i+4] = y[i] * 3
}

func twin(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = x[i] * x[i+4] * x[i] * x[i+4]
	y[i+4] = y[i] * 3
}
`},
		{"a variable's address", `
func double(p *float64) { *p *= 2 }

//qd:gradient double
func doubleGradient(_, pGrad *float64) { *pGrad *= 2 }

func k(t qd.Thread, x, y []float64) {
	v := x[t.ID()]
	double(&v)
	y[t.ID()] = v * v
}

func twin(t qd.Thread, x, y []float64) { y[t.ID()] = 4 * x[t.ID()] * x[t.ID()] }
`},
		{"in a branch, and nobody asks", `
func square(x float64) float64 { return x * x }

//qd:gradient square
func squareGradient(x, adj float64) float64 { return 2 * x * adj }

func k(t qd.Thread, x, y []float64) {
	i := t.ID()
	a := x[i]
	if square(a) > 0.5 {
		a = square(a) * square(3)
	}
	y[i] = a
}

func twin(t qd.Thread, x, y []float64) {
	i := t.ID()
	a := x[i]
	if a*a > 0.5 {
		a = a * a * 9
	}
	y[i] = a
}
`},
		{"replay of what counts", `
func next(counter []int, x float64) (int, float64) {
	qd.AtomicAdd(&counter[0], 1)
	return int(x * 4), 2 * x
}

//qd:gradient next
func nextGradient(_ []int, x, adj float64) float64 { return 2 * adj }

//qd:replay next
func nextAgain(_ []int, x float64) (int, float64) { return int(x * 4), 2 * x }

func k(t qd.Thread, n int, count []int, x, y []float64) {
	i := t.ID()
	k, v := next(count, x[i])
	y[i] = v * v * float64(k)
}

func twin(t qd.Thread, n int, count []int, x, y []float64) {
	i := t.ID()
	y[i] = 4 * x[i] * x[i] * float64(int(x[i]*4))
}
`},
		{"replay without a gradient", `
func slot(counter []int, i int) int {
	qd.AtomicAdd(&counter[0], 1)
	return i + 4
}

//qd:replay slot
func slotAgain(_ []int, i int) int { return i + 4 }

func k(t qd.Thread, n int, count []int, x, y []float64) {
	i := t.ID()
	y[i] = x[i] * x[slot(count, i)]
}

func twin(t qd.Thread, n int, count []int, x, y []float64) {
	i := t.ID()
	y[i] = x[i] * x[i+4]
}
`},
		{"stop", `
func k(t qd.Thread, x, y []float64) {
	i := t.ID()
	v := qd.StopGradient(f64.Vec2{x[i], x[i+1]})
	y[i] = x[i]*qd.StopGradient(x[i]*x[i+4]) + v.Dot(f64.Vec2{x[i+2], 1})
}

func twin(t qd.Thread, x, y []float64) {
	i := t.ID()
	a, b, c := x[i], x[i+4], x[i+1]
	y[i] = x[i]*stop(a*b) + stop(a)*x[i+2] + stop(c)
}

func stop(x float64) float64 { return x }

//qd:gradient stop
func stopGradient(_, _ float64) float64 { return 0 }
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "package k\n\nimport (\n\t\"math\"\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/f64\"\n)\n\nvar _ = math.Pi\nvar _ f64.Vec2\n" + tt.text
			got, want := gradientsOf(t, text, "k"), gradientsOf(t, text, "twin")
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-12*(1+math.Abs(want[i])) {
					t.Errorf("gradient %d is %v, that of the twin %v", i, got[i], want[i])
				}
			}
		})
	}
}
