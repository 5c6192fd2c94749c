package qd_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

// Kernels with what is known at compile time. They run on every device.

//qd:kernel
func stretch(t qd.Thread, factor qd.Const[float32], x []float32, offset qd.Const[int]) {
	x[t.ID()] = x[t.ID()]*factor.V + float32(offset.V)
}

type shape struct {
	Kind  int8
	Sizes [2]int32
	Big   bool
}

//qd:kernel
func area(t qd.Thread, s qd.Const[shape], x []int32) {
	if s.V.Big {
		x[t.ID()] = s.V.Sizes[0] * s.V.Sizes[1]
	} else {
		x[t.ID()] = int32(s.V.Kind)
	}
}

func square(x float64) float64 { return x * x }
func negate(x float64) float64 { return -x }

//qd:kernel
func mapping(t qd.Thread, f qd.Const[func(float64) float64], x []float64) {
	x[t.ID()] = f.V(x[t.ID()])
}

//qd:kernel
func exactly(t qd.Thread, f qd.Const[float64], i qd.Const[int64], u qd.Const[uint64], out []uint64) {
	out[0] = math.Float64bits(f.V)
	out[1] = uint64(i.V)
	out[2] = u.V
}

type unary interface{ Apply(x float32) float32 }

type scaleBy struct{ By float32 }

func (s scaleBy) Apply(x float32) float32 { return s.By * x }

type plusOne struct{}

func (plusOne) Apply(x float32) float32 { return x + 1 }

type mapKernel[F unary] struct {
	F      F
	Repeat int
}

//qd:kernel
func (m mapKernel[F]) Kernel(t qd.Thread, x []float32) {
	for range m.Repeat {
		x[t.ID()] = m.F.Apply(x[t.ID()])
	}
}

//qd:kernel
func gridScale(g qd.Grid, by qd.Const[int], x []int) {
	g.For(len(x), func(i int) { x[i] *= by.V })
	x[0] += by.V
}

//qd:kernel
func blockScale(b qd.Block, by qd.Const[int], x []int) {
	b.For(len(x), func(lane int) { x[lane] *= by.V })
}

// TestCompileTimeArguments launches kernels with constants on all devices, in turn.
func TestCompileTimeArguments(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
		}
		for range 2 {
			x := []float32{1, 2}
			must(dev.Launch(stretch, qd.Dim(2), qd.C(2.0), x, qd.C(10)))
			must(dev.Launch(stretch, qd.Dim(2), qd.C(3), x, qd.C(-1)))
			if want := []float32{35, 41}; !slices.Equal(x, want) {
				t.Errorf("%v, want %v", x, want)
			}
			a := []int32{0}
			must(dev.Launch(area, qd.Dim(1), qd.C(shape{Kind: 7}), a))
			if a[0] != 7 {
				t.Error(a)
			}
			must(dev.Launch(area, qd.Dim(1), qd.C(shape{Big: true, Sizes: [2]int32{3, 5}}), a))
			if a[0] != 15 {
				t.Error(a)
			}
			f := []float64{4, 9}
			must(dev.Launch(mapping, qd.Dim(2), qd.C(square), f))
			must(dev.Launch(mapping, qd.Dim(2), qd.C(math.Sqrt), f))
			must(dev.Launch(mapping, qd.Dim(2), qd.C(negate), f))
			if want := []float64{-4, -9}; !slices.Equal(f, want) {
				t.Errorf("%v, want %v", f, want)
			}
			out := make([]uint64, 3)
			for _, v := range []uint64{0, 1 << 63, 0x7ff8000000000123, 0x7ff0000000000001, 0x3ff0000000000001} {
				must(dev.Launch(exactly, qd.Dim(1), qd.C(math.Float64frombits(v)), qd.C(int64(math.MinInt64)), qd.C(uint64(math.MaxUint64)), out))
				if out[0] != v || out[1] != 1<<63 || out[2] != math.MaxUint64 {
					t.Errorf("%#x: %#x", v, out)
				}
			}
		}
	})
}

// TestMethodKernelsRun launches values whose kernel is a method.
func TestMethodKernelsRun(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float32{1, 2}
		for _, k := range []any{
			mapKernel[scaleBy]{scaleBy{3}, 2},
			mapKernel[scaleBy]{scaleBy{0.5}, 1},
			mapKernel[plusOne]{Repeat: 3},
			qd.NewKernel(mapKernel[plusOne]{Repeat: 1}).WithBlockDim(64),
		} {
			if err := dev.Launch(k, qd.Dim(2), x); err != nil {
				t.Fatal(err)
			}
		}
		if want := []float32{8.5, 13}; !slices.Equal(x, want) {
			t.Errorf("%v, want %v", x, want)
		}
	})
}

// TestGridConstants runs kernels of whole launches and of blocks with constants.
func TestGridConstants(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []int{1, 2, 3}
		for _, by := range []int{2, 5} {
			if err := dev.Run(gridScale, qd.C(by), x); err != nil {
				t.Fatal(err)
			}
		}
		if err := dev.Launch(blockScale, qd.Dim(1), qd.C(10), x); err != nil {
			t.Fatal(err)
		}
		if want := []int{250, 200, 300}; !slices.Equal(x, want) {
			t.Errorf("%v, want %v", x, want)
		}
		p, err := qd.NewKernel(gridScale).WithDevice(dev).BindRun(qd.C(2), x)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := p.Launch(); err != nil {
				t.Fatal(err)
			}
		}
		if want := []int{250*4 + 6, 800, 1200}; !slices.Equal(x, want) {
			t.Errorf("%v, want %v", x, want)
		}
	})
}

func scalerOf(by float32) func(qd.Thread, []float32) {
	return func(t qd.Thread, x []float32) { x[t.ID()] *= by }
}

// TestCapturedLiterals makes kernels of one literal in a loop.
func TestCapturedLiterals(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float32{1, 1}
		var kernels []*qd.Kernel
		for i, by := range []float32{2, 3, 5} {
			kernels = append(kernels, qd.NewKernel(func(t qd.Thread, x []float32) {
				x[t.ID()] = x[t.ID()]*by + float32(i)
			}, qd.Capture("by", by), qd.Capture("i", i)))
		}
		for range 2 {
			for _, k := range kernels {
				if err := dev.Launch(k, qd.Dim(2), x); err != nil {
					t.Fatal(err)
				}
			}
		}
		if x[0] != 1117 || x[1] != 1117 {
			t.Error(x)
		}
		by, other := float32(2), 3
		wrong := qd.Capture("by", by+1)
		type holder struct{ f func(qd.Thread, []float32) }
		variable := func(t qd.Thread, x []float32) { x[t.ID()] *= by }
		field := holder{func(t qd.Thread, x []float32) { x[t.ID()] *= by }}
		value := qd.NewFunc(func(t qd.Thread, x []float32) { x[t.ID()] *= by }, qd.Capture("by", by))
		for _, k := range []*qd.Kernel{
			qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] *= by }, wrong),
			qd.NewKernel((func(t qd.Thread, x []float32) { x[t.ID()] *= by }), qd.Capture("by", by+1)),
			qd.NewKernel(variable, qd.Capture("by", float32(other))),
			qd.NewKernel(field.f, qd.Capture("by", float32(other))),
			qd.NewKernel(scalerOf(by), qd.Capture("by", float32(other))),
			qd.NewKernel(value, qd.Capture("by", float32(other))),
		} {
			if err := dev.Launch(k, qd.Dim(1), x); err == nil || !strings.Contains(err.Error(), `qd.Capture("by"`) {
				t.Errorf("another value is captured: %v", err)
			}
		}
		for _, test := range []struct {
			options []qd.KernelOption
			want    string
		}{
			{nil, "by"},
			{[]qd.KernelOption{qd.Capture("By", by)}, "by"},
			{[]qd.KernelOption{qd.Capture("by", by), qd.Capture("other", other)}, "other"},
			{[]qd.KernelOption{qd.Capture("by", float64(by))}, "by"},
		} {
			k := qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] *= by }, test.options...)
			err := dev.Launch(k, qd.Dim(1), x)
			var ds *qd.Diagnostics
			if !errors.As(err, &ds) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: %v, want %q", test.options, err, test.want)
			}
		}
	})
}

// What kernels read of the package. Tests change them.
var (
	blendScale = float32(2)
	blendName  = "add"
	blendApply = square
	blendShape = shape{Sizes: [2]int32{3, 4}}
	blendTable = [2][3]int16{{1, 2, 3}, {4, 5, 6}}
	blendList  = []float32{1}
	blendHere  = &blendScale
)

func init() {
	qdreg.Vars("github.com/qdgen/qd_test", map[string]any{
		"blendScale": &blendScale, "blendName": &blendName, "blendApply": &blendApply, "blendShape": &blendShape,
		"blendTable": &blendTable, "blendList": &blendList, "blendHere": &blendHere,
	})
}

//qd:kernel
func blend(t qd.Thread, x []float64) {
	i := t.ID()
	switch blendName {
	case "add":
		x[i] += float64(blendScale)
	case "apply":
		x[i] = blendApply(x[i])
	default:
		x[i] = float64(blendShape.Sizes[i]) * float64(blendTable[1][2])
	}
}

//qd:kernel
func blendGrid(g qd.Grid, x []float64) {
	g.For(len(x), func(i int) { x[i] *= float64(blendScale) })
}

//qd:kernel
func readsList(t qd.Thread, x []float32) { x[t.ID()] = blendList[0] }

//qd:kernel
func readsPointer(t qd.Thread, x []float32) { x[t.ID()] = *blendHere }

// TestVariablesAreBoundLate changes package variables between launches: the values at the
// launch count, and each list of them is compiled once.
func TestVariablesAreBoundLate(t *testing.T) {
	defer func(name string, scale float32) { blendName, blendScale, blendApply = name, scale, square }(blendName, blendScale)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		blendName, blendScale, blendApply, blendShape.Sizes[0] = "add", 2, square, 3
		for i, step := range []struct {
			change func()
			x      []float64
			made   int64
		}{
			{func() {}, []float64{12, 22}, 1},
			{func() { blendScale = -1 }, []float64{9, 19}, 1},
			{func() { blendName = "apply" }, []float64{100, 400}, 1},
			{func() { blendScale = 7 }, []float64{100, 400}, 0}, // which that branch does not read
			{func() { blendApply = negate }, []float64{-10, -20}, 1},
			{func() { blendName = "shape" }, []float64{18, 24}, 1},
			{func() { blendShape.Sizes[0] = 5 }, []float64{30, 24}, 1},
			{func() { blendName, blendScale = "add", 2 }, []float64{12, 22}, 0},
			{func() { blendName, blendApply = "apply", square }, []float64{100, 400}, 0},
		} {
			step.change()
			for turn := range 2 {
				before := qd.Stats().Specializations
				x := []float64{10, 20}
				if err := dev.Launch(blend, qd.Dim(2), x); err != nil {
					t.Fatal(err)
				}
				made := qd.Stats().Specializations - before
				if want := step.made; !slices.Equal(x, step.x) || turn == 0 && made != want || turn == 1 && made != 0 {
					t.Errorf("step %d, turn %d: %v and %d made, want %v and %d", i, turn, x, made, step.x, want)
				}
			}
		}

		// Streams and prepared launches are launches too.
		blendScale = 3
		x := []float64{1, 2}
		p, err := qd.NewKernel(blendGrid).WithDevice(dev).BindRun(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, blendScale = range []float32{2, 3, 2} {
			if err := p.Launch(); err != nil {
				t.Fatal(err)
			}
		}
		if x[0] != 12 || x[1] != 24 {
			t.Errorf("a prepared run: %v", x)
		}
		s, err := dev.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, blendScale = range []float32{5, 2} {
			if err := s.Run(blendGrid, x); err != nil {
				t.Fatal(err)
			}
			if err := s.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if x[0] != 120 || x[1] != 240 {
			t.Errorf("runs on a stream: %v", x)
		}
		blendList[0], *blendHere = 1, 1 // what is never written to could be captured
		for _, k := range []any{readsList, readsPointer} {
			err := dev.Launch(k, qd.Dim(1), []float32{0})
			var ds *qd.Diagnostics
			if !errors.As(err, &ds) || !strings.Contains(err.Error(), "argument") {
				t.Errorf("%v", err)
			}
		}
	})
}

// TestConstantFunctions gives kernels functions as constants: literals that capture nothing
// are like declared ones, others are refused on every device.
func TestConstantFunctions(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float64{3}
		if err := dev.Launch(mapping, qd.Dim(1), qd.C(func(x float64) float64 { return x*10 + 1 }), x); err != nil || x[0] != 31 {
			t.Error(x, err)
		}
		captured := 2.0
		err := dev.Launch(mapping, qd.Dim(1), qd.C(func(x float64) float64 { return x * captured }), x)
		if err == nil || !strings.Contains(err.Error(), "captured") || x[0] != 31 {
			t.Error(x, err)
		}
		first, second := func(x float64) float64 { return x }, func(x float64) float64 { return -x }
		err = dev.Launch(mapping, qd.Dim(1), qd.C(second), x)
		if err == nil || !strings.Contains(err.Error(), "separate line") || x[0] != 31 {
			t.Error(x, err)
		}
		// gofmt leaves literals on one line, one inside of the other.
		err = dev.Launch(mapping, qd.Dim(1), qd.C(func(x float64) float64 { return func(y float64) float64 { return 2 * y }(x) }), x)
		if want := "two function literals on one line, one inside the other, cannot be distinguished"; err == nil ||
			!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "help: move the inner one to a line of its own") ||
			strings.Contains(err.Error(), "not available") || x[0] != 31 {
			t.Error(x, err)
		}
		first(1)
		err = dev.Launch(mapKernel[scaleBy]{scaleBy{3}, 2}.Kernel, qd.Dim(1), x)
		if err == nil || !strings.Contains(err.Error(), "method value") {
			t.Error(err)
		}
	})
}
