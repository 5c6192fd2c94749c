package qd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// Structures of arrays: parameters that are structs with slices in them.
type soaWeights[T any] struct {
	W    []T
	Each int32
	_    struct{}
}

type soaTile struct {
	r [2]float32 `qd:"unpacked"`
}

type soaBodies struct {
	X, v []float32
	soaWeights[float64]
	Grid  qd.View2[float32]
	Tile  [2]float32 `qd:"unpacked"`
	Rows  [2][]int32
	Empty struct{}
	_     []int8
	_     int32
	Name  soaTile
}

// soaArrays has the fields of soaBodies, in another order, with arrays.
type soaArrays struct {
	Name       soaTile
	soaWeights soaArrayWeights
	v          []float32
	X          *qd.Array[float32]
	Grid       *qd.Array[float32]
	Tile       [2]float32
	Rows       [2][]int32
	Empty      struct{}
	_          []int8
}

type soaArrayWeights struct {
	W    *qd.Array[float64]
	Each int
	_    struct{}
}

func (p *soaBodies) weigh(i int) float64 { return float64(p.X[i]) * float64(p.Each) }

//qd:kernel
func soaStep(t qd.Thread, n qd.Const[int], dt float32, p soaBodies, p_X []float32) {
	i := t.ID()
	p.X[i] += dt*p.v[i] + p.Tile[0] - p.Tile[1] + p.Name.r[1]
	p.W[i] = p.weigh(i) + float64(p.Grid.At(0, i)) + float64(n.V)
	p.Rows[i%2][i] += int32(len(p.Rows[0])) + int32(len(p._soa()))
	p.Grid.Set(0, i, -p_X[i])
	p.v = p.v[1:]
	p_X[i] = float32(len(p.v))
}

func (p soaBodies) _soa() []float32 { return p.v[:1] }

//qd:kernel
func soaGrid(g qd.Grid, p soaBodies) {
	if p.X[0] > 0 {
		g.For(len(p.X), func(i int) { p.X[i] += float32(p.Each) })
	}
}

func soaOf(dev *qd.Device) (soaBodies, soaArrays, []float32) {
	b := soaBodies{X: []float32{1, 2, 3}, v: []float32{10, 20, 30}, soaWeights: soaWeights[float64]{W: make([]float64, 3), Each: 2},
		Grid: qd.ViewOf2([]float32{5, 6, 7}, 1, 3), Tile: [2]float32{4, 3}, Rows: [2][]int32{{1, 2, 3}, {4, 5, 6}}, Name: soaTile{[2]float32{0, 0.5}}}
	a := soaArrays{Name: b.Name, soaWeights: soaArrayWeights{W: qd.From(dev, b.W), Each: 2}, v: slices.Clone(b.v), X: qd.From(dev, b.X),
		Grid: qd.From(dev, []float32{5, 6, 7}, 1, 3), Tile: b.Tile, Rows: [2][]int32{slices.Clone(b.Rows[0]), slices.Clone(b.Rows[1])}}
	return b, a, []float32{7, 8, 9}
}

// soaCheck compares what launches of soaStep have left.
func soaCheck(t *testing.T, what string, x []float32, w []float64, grid []float32, rows [2][]int32, y []float32) {
	t.Helper()
	if !slices.Equal(x, []float32{7.5, 13.5, 19.5}) || !slices.Equal(w, []float64{36, 49, 62}) || !slices.Equal(grid, []float32{-7, -8, -9}) ||
		!slices.Equal(rows[0], []int32{5, 2, 7}) || !slices.Equal(rows[1], []int32{4, 9, 6}) || !slices.Equal(y, []float32{2, 2, 2}) {
		t.Errorf("%s: %v %v %v %v %v", what, x, w, grid, rows, y)
	}
}

func TestLaunchStructOfArrays(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, d := range []*qd.Device{dev, dev.Checked()} {
			grid := []float32{5, 6, 7}
			launches := map[string]func(p any, y []float32) error{
				"launch": func(p any, y []float32) error { return d.Launch(soaStep, qd.Dim(3), qd.C(16), 0.5, p, y) },
				"bound": func(p any, y []float32) error {
					l, err := d.Bind(soaStep, qd.Dim(3), qd.C(16), 0.5, p, y)
					if err != nil {
						return err
					}
					return l.Launch()
				},
				"graph": func(p any, y []float32) error {
					g, err := d.Record(func(s *qd.Stream) error { return s.Launch(soaStep, qd.Dim(3), qd.C(16), 0.5, p, y) })
					if err != nil {
						return err
					}
					return g.Launch()
				},
				"tape": func(p any, y []float32) error {
					return qd.NewTape(d).Launch(soaStep, qd.Dim(3), qd.C(16), 0.5, p, y)
				},
				"handle": func(p any, y []float32) error {
					k := qd.NewKernel(soaStep).WithDevice(d)
					return k.Launch(qd.Dim(3), qd.C(16), 0.5, p, y)
				},
			}
			for what, launch := range launches {
				b, a, y := soaOf(dev)
				b.Grid = qd.ViewOf2(grid, 1, 3)
				copy(grid, []float32{5, 6, 7})
				if err := launch(b, y); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				soaCheck(t, what, b.X, b.W, grid, b.Rows, y)
				_, _, y = soaOf(dev)
				if err := launch(a, y); err != nil {
					t.Fatalf("%s of arrays: %v", what, err)
				}
				soaCheck(t, what+" of arrays", a.X.Slice(), a.soaWeights.W.Slice(), a.Grid.Slice(), a.Rows, y)
			}
			b, a, _ := soaOf(dev)
			if err := d.Run(soaGrid, a); err != nil {
				t.Fatal(err)
			}
			if got := a.X.Slice(); !slices.Equal(got, []float32{3, 4, 5}) {
				t.Errorf("a Grid kernel: %v", got)
			}
			if err := d.Run(soaGrid, b); err != nil || !slices.Equal(b.X, []float32{3, 4, 5}) {
				t.Errorf("a Grid kernel: %v %v", b.X, err)
			}
		}
	})
}

// What does not fit is an error that names the field.
func TestLaunchStructOfArraysErrors(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		other := qd.Zeros[float64](dev, 3)
		wrong := func(want string, p any) {
			t.Helper()
			err := dev.Run(soaGrid, p)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, not %q", err, want)
			}
		}
		b, a, _ := soaOf(dev)
		wrong("the argument is nil", nil)
		wrong("pass a qd_test.soaBodies, or a struct with the same fields, in which a *qd.Array may stand for a slice", &b)
		wrong("which has no field soaWeights", struct{ X, v, Grid, Tile, Rows, Empty, Name int }{})
		wrong("has a field Y, but the parameter is a qd_test.soaBodies, which has none", struct{ Y []float32 }{})
		a.X = nil
		wrong("field X: the array is nil", a)
		a.X = new(qd.Array[float32])
		wrong("field X: the array was not made by From or Zeros", a)
		a.X = qd.Zeros[float32](dev, 3)
		a.soaWeights.W = qd.Zeros[float64](dev, 3)
		bound, err := dev.BindRun(soaGrid, a)
		if err != nil {
			t.Fatal(err)
		}
		graph, err := dev.Record(func(s *qd.Stream) error { return s.Run(soaGrid, a) })
		if err != nil {
			t.Fatal(err)
		}
		a.soaWeights.W.Free()
		wrong("field soaWeights.W: the array has been freed", a)
		if err := bound.Launch(); err == nil || !strings.Contains(err.Error(), "has been freed") {
			t.Errorf("a prepared launch: %v", err)
		}
		if err := graph.Launch(); err == nil || !strings.Contains(err.Error(), "has been freed") {
			t.Errorf("a graph: %v", err)
		}
		a.soaWeights.W, a.Grid = other, a.X
		wrong("field Grid: the array has the shape [3], but the view has 2 dimensions", a)
		wrong("field soaWeights: the argument is a struct { W *qd.Array[", struct {
			X, v       []float32
			soaWeights struct{ W *qd.Array[float32] }
			Grid       qd.View2[float32]
			Tile       [2]float32
			Rows       [2][]int32
			Empty      struct{}
			_          []int8
			Name       soaTile
		}{})
	})
}

type soaModel struct {
	W, B []float64
	Rate float64
	N    []int32
}

type soaModelArrays struct {
	W, B *qd.Array[float64]
	Rate float64
	N    *qd.Array[int32]
}

//qd:kernel
func soaLoss(t qd.Thread, m soaModel, x []float64, sum []float64) {
	i := t.ID()
	v := m.W[i]*x[i]*m.Rate + m.B[0]
	m.B[i+1] = v * v
	qd.AtomicAdd(&sum[0], m.B[i+1]*float64(m.N[0]))
}

// Gradients of fields are those of arrays, each of its own.
func TestLaunchStructOfArraysGradient(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		w, b := qd.From(dev, []float64{1, 2}).WithGrad(), qd.From(dev, []float64{3, 0, 0})
		x, sum, n := qd.From(dev, []float64{5, 7}), qd.Zeros[float64](dev, 1), qd.From(dev, []int32{2})
		tape := qd.NewTape(dev)
		if err := tape.Launch(soaLoss, qd.Dim(2), soaModelArrays{w, b, 0.5, n}, x, sum); err != nil {
			t.Fatal(err)
		}
		if err := n.Fill(100); err != nil { // the tape has what was there
			t.Fatal(err)
		}
		if err := tape.Backward(sum); err != nil {
			t.Fatal(err)
		}
		if got := w.Grad().Slice(); !slices.Equal(got, []float64{2 * 2 * 5.5 * 2.5, 2 * 2 * 10 * 3.5}) {
			t.Errorf("the gradient is %v", got)
		}
		// The backward kernel itself: a gradient has the type of what it is the gradient of.
		own := soaModel{[]float64{1, 2}, []float64{3, 30.25, 100}, 0.5, []int32{2}}
		grad := soaModelArrays{qd.Zeros[float64](dev, 2), qd.Zeros[float64](dev, 3), 0, nil}
		one := []float64{1}
		err := dev.Launch(qd.NewKernel(soaLoss).Gradient(), qd.Dim(2), own, []float64{5, 7}, []float64{0}, grad, make([]float64, 2), one)
		if err != nil {
			t.Fatal(err)
		}
		if got := append(grad.W.Slice(), grad.B.Slice()...); !slices.Equal(got, []float64{55, 140, 62, 0, 0}) {
			t.Errorf("the gradients are %v", got)
		}
		err = dev.Launch(qd.NewKernel(soaLoss).Gradient(), qd.Dim(2), own, []float64{5, 7}, []float64{0}, soaModel{W: make([]float64, 2), B: make([]float64, 2)}, make([]float64, 2), one)
		if err == nil || !strings.Contains(err.Error(), "the gradient of field B of parameter 1 has 2 elements") {
			t.Errorf("a gradient of another size: %v", err)
		}
	})
}
