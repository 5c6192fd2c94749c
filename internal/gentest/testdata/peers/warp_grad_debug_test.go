package peers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/qdtest"
)

// told is a test that tells what has failed in it.
type told struct {
	testing.TB
	text string
}

func (t *told) Helper() {}

func (t *told) Errorf(format string, args ...any) { t.text += fmt.Sprintf(format, args...) + "\n" }

// arrayOn is an array on the device of the case.
func arrayOn[T any](c *check, host []T, dims ...int) *qd.Array[T] {
	return qd.From(c.dev, host, dims...)
}

// cubeGradients is test_gradcheck_3d for a type.
func cubeGradients[T qd.Float](c *check) {
	cube := func(x, y, z T) *qd.Array[T] { return arrayOn(c, []T{x, 0, y, 0, z, 0}, 1, 3, 2) }
	qdtest.CheckGradient(c.T, cubeOfNumbers[T], qd.Dim(1, 3, 2), cube(2, 1, 2), cube(3, 1, 2), cube(4, 1, 2), cube(3, 1, 2), cube(4, 1, 2))
}

// jacobian is the derivatives of a result by an array, by a tape: a row for each element of the result.
func jacobian(c *check, host []float64, pipeline func(tape *qd.Tape, a *qd.Array[float64]) *qd.Array[float64]) (rows [][]float64) {
	c.Helper()
	a := arrayOn(c, host).WithGrad()
	tape := qd.NewTape(c.dev)
	out := pipeline(tape, a)
	for i := range out.Len() {
		unit := make([]float64, out.Len())
		unit[i] = 1
		c.must(errors.Join(a.ZeroGrad(), tape.BackwardFrom(out, unit)))
		rows = append(rows, a.Grad().Slice())
	}
	return rows
}

func eachNear(c *check, what string, got, want []float64) {
	c.Helper()
	for i := range want {
		if len(got) != len(want) || !(math.Abs(got[i]-want[i]) <= 1e-9) {
			c.Errorf("%s: %v, not %v", what, got, want)
			return
		}
	}
}

var warpGradDebug = []peerCase{
	{"test_gradcheck_3d, test_gradcheck_tape_basic", "three-dimensional arrays, of both types of floats", "a test is qdtest.CheckGradient, which compares what a tape says with differences", func(c *check) {
		cubeGradients[float32](c)
		cubeGradients[float64](c)
	}},
	{"test_gradcheck_mixed, test_gradcheck_tape_mixed", "numbers and vectors in, vectors and quaternions out", "", func(c *check) {
		qdtest.CheckGradient(c.T, mixedVectors, qd.Dim(2), arrayOn(c, []float32{2, -1}), arrayOn(c, []f32.Vec3{{3, 1, 2}, {-4, -1, 0}}),
			arrayOn(c, make([]f32.Vec2, 2)), arrayOn(c, make([]f32.Quat, 2)))
	}},
	{"test_gradcheck_mixed_precision", "float32 in and float64 out, and the other way", "", func(c *check) {
		qdtest.CheckGradient(c.T, widened, qd.Dim(2), arrayOn(c, []float32{1.5, 2}), arrayOn(c, make([]float64, 2)))
		qdtest.CheckGradient(c.T, narrowed, qd.Dim(2), arrayOn(c, []float64{1.5, 2}), arrayOn(c, make([]float32, 2)))
	}},
	{"test_gradcheck_nan", "a gradient that is NaN is reported, and where", "", func(c *check) {
		r := &told{TB: c.T}
		qdtest.CheckGradient(r, plainLength, qd.Dim(2), arrayOn(c, []f64.Vec3{{1, 2, 3}, {0, 0, 0}}), arrayOn(c, make([]float64, 2)))
		if !strings.Contains(r.text, "argument 1, element 1: ") || !strings.Contains(r.text, "NaN") || strings.Contains(r.text, "element 0: ") {
			c.Errorf("reported: %q", r.text)
		}
	}},
	{"test_gradcheck_incorrect", "a wrong gradient of one's own is reported", "", func(c *check) {
		r := &told{TB: c.T}
		qdtest.CheckGradient(r, wrongGradient, qd.Dim(3), arrayOn(c, []float64{1, 2, 3}), arrayOn(c, make([]float64, 3)))
		if strings.Count(r.text, "differences say") != 3 {
			c.Errorf("reported: %q", r.text)
		}
	}},
	{"test_gradcheck_restore_inputs", "a kernel that changes what it is given is compared from the same contents each time, and these are there afterwards", "there is no way to do without", func(c *check) {
		x := arrayOn(c, []float64{1, 2, 3, 4})
		qdtest.CheckGradient(c.T, raised, qd.Dim(4), x)
		eachNear(c, "the argument", x.Slice(), []float64{1, 2, 3, 4})
	}},
	{"test_restore_inputs_direct_jacobian", "so are arrays without a gradient, beside numbers", "", func(c *check) {
		x, aux, y := arrayOn(c, []float64{1, 2, 3}), arrayOn(c, []float64{2, 2, 2}), arrayOn(c, make([]float64, 3))
		qdtest.CheckRunGradient(c.T, raisedSquares, x, aux, 0.5, y)
		eachNear(c, "the arguments", slices.Concat(x.Slice(), aux.Slice(), y.Slice()), []float64{1, 2, 3, 2, 2, 2, 0, 0, 0})
	}},
	{"test_restore_inputs_on_exception", "also if the kernel fails", "", func(c *check) {
		r := &told{TB: c.T}
		x := arrayOn(c, []float64{1, 2, 3, 4})
		qdtest.CheckGradient(r, raisedThenFails, qd.Dim(4), x)
		if !strings.Contains(r.text, "boom") {
			c.Errorf("reported: %q", r.text)
		}
		eachNear(c, "the argument", x.Slice(), []float64{1, 2, 3, 4})
	}},
	{"test_restore_inputs_preserves_read_state", "a check in the middle does not disturb a tape, which notices that what it needs is overwritten", "it keeps a copy, where Warp warns", func(c *check) {
		x, y := arrayOn(c, []float64{1, 2, 3, 4}).WithGrad(), arrayOn(c, make([]float64, 4))
		tape := qd.NewTape(c.dev)
		c.must(tape.Launch(squaresOf, qd.Dim(4), x, y))
		qdtest.CheckGradient(c.T, squaresOf, qd.Dim(4), x, y)
		c.must(errors.Join(tape.Launch(raised, qd.Dim(4), x), tape.BackwardFrom(y, []float64{1, 1, 1, 1})))
		eachNear(c, "the gradient", x.Grad().Slice(), []float64{2, 4, 6, 8})
		eachNear(c, "the array", x.Slice(), []float64{2, 3, 4, 5})
	}},
	{"test_jacobian_function_pipeline", "the Jacobian of a function that launches kernels", "by tape.BackwardFrom for each row; a tangent kernel gives a column", func(c *check) {
		for i, row := range jacobian(c, []float64{1, 2, 3}, func(tape *qd.Tape, a *qd.Array[float64]) *qd.Array[float64] {
			double, out := qd.Zeros[float64](c.dev, 3), qd.Zeros[float64](c.dev, 3)
			c.must(errors.Join(tape.Launch(doublesOf, qd.Dim(3), a, double), tape.Launch(raised, qd.Dim(3), double), tape.Launch(squaresOf, qd.Dim(3), double, out)))
			return out
		}) {
			want := make([]float64, 3)
			want[i] = 4 * (2*float64(i+1) + 1)
			eachNear(c, "a row", row, want)
		}
		column := make([]float64, 3)
		c.must(c.dev.Launch(qd.NewKernel(doublesOf).Tangent(), qd.Dim(3), []float64{1, 2, 3}, make([]float64, 3), []float64{0, 1, 0}, column))
		eachNear(c, "a column", column, []float64{0, 2, 0})
	}},
	{"transform_point_kernel", "points that transforms move; no test there uses the kernel", "", func(c *check) {
		turn := f64.QuatFromAxisAngle(f64.Vec3{0.6, 0, 0.8}, 0.7)
		qdtest.CheckGradient(c.T, pointsMoved, qd.Dim(2), arrayOn(c, []f64.Transform{{P: f64.Vec3{1, 2, 3}, Q: turn}, {P: f64.Vec3{-1, 0, 2}, Q: turn.Mul(turn)}}),
			arrayOn(c, []f64.Vec3{{0.5, -1, 2}, {3, 1, -2}}), arrayOn(c, make([]f64.Vec3, 2)))
	}},
	{"test_jacobian_function_respects_*, test_jacobian_respects_*, test_jacobian_fd_allows_*, test_gradcheck_tape_skips_*", "kernels and modules with backward passes switched off", "there is no such switch: a backward kernel is built when somebody asks for it", nil},
	{"test_jacobian_plot_*, test_gradcheck_plotting", "figures of Jacobians", "qdtest prints what differs, and draws nothing", nil},
}
