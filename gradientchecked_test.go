//go:build !race

package qd_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// Kernels with a derivative that fail in the line marked with "here". x and at have 4 elements.

//qd:kernel
func squaresPast(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	y[i] = x[i+1] * x[i+1] // here
}

//qd:kernel
func squaresInto(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	s := x[i] * x[i]
	y[i+1] = s // here
}

//qd:kernel
func gathersPast(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	k := at[i]
	y[i] = 2 * x[k] // here
}

// What it reads at, it has written itself.
//
//qd:kernel
func gathersWritten(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	at[i] += int32(i)
	k := at[i]
	y[i] = x[k] * x[0] // here
	at[i] = 0
}

//qd:kernel
func neighboursPast(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	s := x[i] + x[max(i-1, 0)]
	y[i] = s * x[i+1] // here
}

// Its backward kernel keeps a value of each turn.
//
//qd:kernel
func powersPast(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	p := 1.0
	for k := int32(0); k < at[i]; k++ {
		p *= p + x[k] // here
	}
	y[i] = p
}

//qd:kernel
func addsPast(t qd.Thread, x, y []float64, at []int32) {
	v := x[t.ID()]
	k := 4 / int(at[t.ID()]-5) // here
	qd.AtomicAdd(&y[0], v*float64(k))
}

//qd:kernel
func assertsSmall(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	y[i] = 3 * x[i]
	qd.Printf("y[%d] = %v\n", i, y[i])
	qd.Assert(y[i] < 8, "it is too large") // here
}

//qd:kernel
func reversesPast(b qd.Block, x, y []float64, at []int32) {
	s := qd.Shared[float64](b, 4)
	b.For(4, func(lane int) { s[lane] = x[lane] * x[lane] })
	b.For(4, func(lane int) {
		y[lane] = s[4-lane] // here
	})
}

//qd:kernel
func loopsPast(g qd.Grid, x, y []float64, at []int32) {
	g.For(4, func(i int) { at[i]++ })
	g.For(4, func(i int) {
		k := at[i]
		y[i] = x[k] * x[0] // here
	})
}

// A backward kernel that a program launches itself finds on a checked device what the kernel would have found.
// Nothing has changed then.
func TestGradientFaults(t *testing.T) {
	for _, tt := range []struct {
		name    string
		kernel  any
		reasons []string // that may be given, depending on which thread is first
		at      []int32
	}{
		{"squaresPast", squaresPast, []string{"index out of range [4] with length 4"}, nil},
		{"squaresInto", squaresInto, []string{"index out of range [4] with length 4"}, nil},
		{"gathersPast", gathersPast, []string{"index out of range [-1]"}, []int32{3, 2, -1, 0}},
		{"gathersWritten", gathersWritten, []string{"index out of range [4] with length 4"}, []int32{0, 1, 1, 1}},
		{"neighboursPast", neighboursPast, []string{"index out of range [4] with length 4"}, nil},
		{"powersPast", powersPast, []string{"index out of range [4] with length 4"}, []int32{3, 4, 5, 2}},
		{"addsPast", addsPast, []string{"integer divide by zero"}, []int32{1, 5, 2, 3}},
		{"assertsSmall", assertsSmall, []string{"assertion failed: it is too large"}, nil},
		{"reversesPast", reversesPast, []string{"index out of range [4] with length 4"}, nil},
		{"loopsPast", loopsPast, []string{"index out of range [4] with length 4"}, []int32{0, 1, 2, 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, dev *qd.Device) {
				x, y := []float64{1, 2, 3, 4}, make([]float64, 4)
				at := make([]int32, 4)
				copy(at, tt.at)
				xGrad, yGrad := make([]float64, 4), []float64{1, 1, 1, 1}
				before := slices.Clone(at)
				k := qd.NewKernel(tt.kernel).Gradient()
				var err error
				if tt.name == "loopsPast" {
					err = dev.Checked().Run(k, x, y, at, xGrad, yGrad)
				} else {
					dim := qd.Dim(4)
					if tt.name == "reversesPast" {
						dim = qd.Dim(1)
					}
					err = dev.Checked().Launch(k, dim, x, y, at, xGrad, yGrad)
				}
				var f *qd.Fault
				if !errors.As(err, &f) {
					t.Fatalf("error %v (%T), want a *Fault", err, err)
				}
				if line := markedIn(t, "gradientchecked_test.go", tt.name); filepath.Base(f.File) != "gradientchecked_test.go" || f.Line != line {
					t.Errorf("%v: at %s:%d, want line %d", f, f.File, f.Line, line)
				}
				if !slices.Contains(tt.reasons, f.Reason) || f.Kernel != tt.name+".gradient" || len(f.Thread) == 0 {
					t.Errorf("%v", f)
				}
				if !slices.Equal(xGrad, make([]float64, 4)) || !slices.Equal(yGrad, []float64{1, 1, 1, 1}) || !slices.Equal(at, before) {
					t.Errorf("gradients %v %v, at %v", xGrad, yGrad, at)
				}
			})
		})
	}
}

func weigh(w []float64, k int, x float64) float64 { return w[k] * x }

// The gradient of weigh reads one element further than weigh.
//
//qd:gradient weigh
//lint:ignore U1000 the directive names it
func weighGradient(w []float64, k int, x float64, wGrad []float64, adj float64) float64 {
	next := w[k+1] // here
	qd.AtomicAdd(&wGrad[k], adj*x)
	return adj*w[k] + 0*next
}

//qd:kernel
func weighs(t qd.Thread, w, x, y []float64) {
	i := t.ID()
	y[i] = weigh(w, i, x[i])
}

// A tape does not do again the checks that the recorded launch has passed. Those of a gradient of one's own are new.
func TestGradientFaultsOnTape(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		w, x, y := qd.From(dev, []float64{1, 2}), qd.From(dev, []float64{3, 4}).WithGrad(), qd.Zeros[float64](dev, 2)
		tape := qd.NewTape(dev.Checked())
		must(t, tape.Launch(weighs, qd.Dim(2), w, x, y))
		err := tape.BackwardFrom(y, []float64{1, 1})
		if err == nil {
			err = dev.Wait()
		}
		var f *qd.Fault
		if !errors.As(err, &f) || f.Line != markedIn(t, "gradientchecked_test.go", "weighGradient") || f.Kernel != "weighs.gradient" || f.Reason != "index out of range [2] with length 2" {
			t.Errorf("%v", err)
		}
	})
}

type shiftBy struct{ By int }

//qd:kernel
func (s shiftBy) Kernel(t qd.Thread, x, y []float64) { y[t.ID()] = 2 * x[t.ID()+s.By] }

//qd:kernel
func shiftedGeneric[T qd.Float](t qd.Thread, by qd.Const[int], x, y qd.View2[T]) {
	i, j := t.ID2()
	y.Set(i, j, x.At(i, j+by.V)*x.At(i, j))
}

type shiftedPair struct {
	X, Y []float32
	By   int
}

//qd:kernel
func shiftedStruct(t qd.Thread, p shiftedPair) { p.Y[t.ID()] = p.X[t.ID()+p.By] * p.X[t.ID()] }

// Kernels with receivers, captured values, constants, views, type arguments and structs are checked with what they are launched with.
func TestGradientFaultsOfAllKinds(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		x, y := func() []float64 { return []float64{1, 2, 3, 4} }, func() []float64 { return make([]float64, 4) }
		view := func() qd.View2[float32] { return qd.ViewOf2(make([]float32, 6), 2, 3) }
		for _, by := range []int{0, 1} {
			literal := qd.NewKernel(func(t qd.Thread, x, y []float64) { y[t.ID()] = 3 * x[t.ID()+by] }, qd.Capture("by", by))
			pair := shiftedPair{make([]float32, 4), make([]float32, 4), by}
			for what, err := range map[string]error{
				"method":  dev.Launch(qd.NewKernel(shiftBy{by}).Gradient(), qd.Dim(4), x(), y(), y(), x()),
				"literal": dev.Launch(literal.Gradient(), qd.Dim(4), x(), y(), y(), x()),
				"generic": dev.Launch(qd.NewKernel(shiftedGeneric[float32]).Gradient(), qd.Dim(2, 3), qd.C(by), view(), view(), view(), view()),
				"struct":  dev.Launch(qd.NewKernel(shiftedStruct).Gradient(), qd.Dim(4), pair, shiftedPair{make([]float32, 4), make([]float32, 4), 0}),
			} {
				var f *qd.Fault
				if by == 0 && err != nil || by > 0 && (!errors.As(err, &f) || f.Index != f.Len) {
					t.Errorf("%s by %d: %v", what, by, err)
				}
			}
		}
	})
}

type sharesMemory struct {
	Name  uint8
	Marks []int32
}

//qd:kernel
func readsInStruct(t qd.Thread, at []int32, s sharesMemory, x, y []float64) {
	i := t.ID()
	at[i] += 2
	k := s.Marks[i+1]
	y[i] = x[k] * x[k]
}

// What runs before a backward kernel on copies of memory finds arguments that share memory as the kernel does.
func TestGradientOfSharedArguments(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, d := range []*qd.Device{dev, dev.Checked()} {
			for _, arrays := range []bool{false, true} {
				for _, tt := range []struct {
					name   string
					kernel any
					at     int32
					grad   []float64 // nil for a fault
				}{
					{"reads", readsWhatItWrites, 2, nil},
					{"reads", readsWhatItWrites, -2, []float64{6, 0, 0, 0}},
					{"struct", readsInStruct, 2, nil},
					{"struct", readsInStruct, -2, []float64{6, 0, 0, 0}},
					{"turns", turnsWhatItWrites, 1, []float64{8 * 2187, 0, 0, 0}},
				} {
					if tt.grad == nil && d == dev && dev.String() != "go" || arrays && tt.name == "struct" {
						continue
					}
					memory := []int32{7, tt.at, 0, 0, 0}
					x, y, xGrad, yGrad := []float64{3, 2, 3, 4}, make([]float64, 4), make([]float64, 4), []float64{1, 1, 1, 1}
					var at, same any = memory[1:], memory[1:4]
					if tt.name == "struct" {
						same = sharesMemory{1, memory[:3]}
					}
					if arrays {
						a := qd.From(dev, memory)
						at, same = a.Sub(1, 5), a.Sub(1, 4)
					}
					err := d.Launch(qd.NewKernel(tt.kernel).Gradient(), qd.Dim(1), at, same, x, y, xGrad, yGrad)
					var f *qd.Fault
					switch {
					case tt.grad == nil:
						if !errors.As(err, &f) || f.Index != 4 || f.Len != 4 {
							t.Errorf("%s, arrays %v: %v", tt.name, arrays, err)
						}
					case err != nil:
						t.Errorf("%s, arrays %v: %v", tt.name, arrays, err)
					default:
						near(t, tt.name, xGrad, tt.grad)
					}
				}
			}
		}
	})
}

//qd:kernel
func turnsInGrid(g qd.Grid, at, same []int32, x, y []float64) {
	g.For(len(x), func(i int) {
		at[i] += 2
		p := x[i]
		for k := int32(0); k < same[i]; k++ {
			p *= p
		}
		y[i] = p
	})
}

// The backward loops of a Grid kernel write copies of memory too, and read what they have written as another argument.
func TestGradientOfSharedGridArguments(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		want := []float64{8 * 2187, 8 * 2187, 4 * 27, 6}
		for _, d := range []*qd.Device{dev, dev.Checked()} {
			marks := func() []int32 { return []int32{1, 1, 0, -1} }
			x, y, xGrad, yGrad := []float64{3, 3, 3, 3}, make([]float64, 4), make([]float64, 4), []float64{1, 1, 1, 1}
			at := marks()
			must(t, d.Run(qd.NewKernel(turnsInGrid).Gradient(), at, at, x, y, xGrad, yGrad))
			near(t, "a launch of the gradient", xGrad, want)

			a, in, out := qd.From(dev, marks()), qd.From(dev, x).WithGrad(), qd.Zeros[float64](dev, 4)
			tape := qd.NewTape(d)
			must(t, tape.Run(turnsInGrid, a, a, in, out))
			must(t, tape.BackwardFrom(out, []float64{1, 1, 1, 1}))
			near(t, "a tape", in.Grad().Slice(), want)
		}
	})
}
