//go:build !race

package qd_test

import (
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

type function = func(float32) float32

func scaledBy(c float32) function { return func(x float32) float32 { return c * x } }

func closedScale(c float32) function {
	return qd.NewFunc(func(x float32) float32 { return c * x }, qd.Capture("c", c))
}

func closedFrom[T qd.Float](c T) func(T) T {
	return qd.NewFunc(func(x T) T { return c - x }, qd.Capture("c", c))
}

func methodOf[T qd.Float](p parabola[T]) func(T) T {
	return qd.NewFunc(p.at, qd.Capture("p", p))
}

func literalOf[T qd.Float](p parabola[T]) func(T) T {
	return qd.NewFunc(func(x T) T { return p.at(x) }, qd.Capture("p", p))
}

func composed(f, g function) function {
	return qd.NewFunc(func(x float32) float32 { return g(f(x)) }, qd.Capture("f", f), qd.Capture("g", g))
}

// A lifter has a method of lines.
type lifter interface{ at(x float32) float32 }

type line struct{ a, b float32 }

func (l line) at(x float32) float32  { return l.a*x + l.b }
func (l *line) by(x float32) float32 { return l.a * x }

// moved and doubly have promoted methods.
type moved struct {
	by int8
	line
}

type doubly struct {
	a int16
	moved
	parabolas
}

type parabolas struct{ parabola[float32] }

type weighted[T any] struct {
	w    T
	more [3]T
}

func (w weighted[T]) times(x float32) float32 { return x * float32(len(w.more)) }

type parabola[T qd.Float] struct {
	small int8
	a, b  T
}

func (p parabola[T]) at(x T) T { return p.a*x*x + p.b + T(p.small) }

// Package variables that nobody assigns to.
var (
	triple      = scaledBy(3)
	steps       = [2]function{scaledBy(2), closedScale(5)}
	ascent      = line{2, 1}.at
	closedInVar = closedScale(7)
)

//qd:kernel
func apply(t qd.Thread, f qd.Const[function], x []float32) { x[t.ID()] = f.V(x[t.ID()]) }

type pipeline struct {
	first, second function
	by            float32
}

//qd:kernel
func applyBoth(t qd.Thread, p qd.Const[pipeline], x []float32) {
	x[t.ID()] = p.V.by * p.V.second(p.V.first(x[t.ID()]))
}

//qd:kernel
func applyVars(t qd.Thread, x []float32) {
	i := t.ID()
	y := triple(x[i])
	for _, f := range qd.Static(steps) {
		y = f(y)
	}
	x[i] = ascent(y) + closedInVar(x[i])
}

//qd:kernel
func applyMade(t qd.Thread, c qd.Const[float32], x []float32) {
	i := t.ID()
	x[i] = qd.Static(scaledBy(c.V))(x[i]) + qd.Static(closedScale(2))(x[i]) + qd.Static(composed(triple, line{1, 1}.at))(x[i])
}

// TestClosures gives kernels function literals with what they capture, on every device.
func TestClosures(t *testing.T) {
	l, p := line{7, 1}, parabola[float32]{4, 2, 1}
	s, d := moved{3, l}, doubly{1, moved{3, l}, parabolas{p}}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, test := range []struct {
			name   string
			kernel any
			args   []any
			want   []float32
		}{
			{"one", apply, []any{qd.C(closedScale(2))}, []float32{2, 4, 6}},
			{"another", apply, []any{qd.C(closedScale(3))}, []float32{3, 6, 9}},
			{"of a generic function", apply, []any{qd.C(closedFrom[float32](10))}, []float32{9, 8, 7}},
			{"of closures", apply, []any{qd.C(composed(composed(closedScale(3), closedFrom[float32](1)), closedScale(2)))}, []float32{-4, -10, -16}},
			{"in a struct", applyBoth, []any{qd.C(pipeline{closedScale(3), closedFrom[float32](1), 2})}, []float32{-4, -10, -16}},
			{"method value", apply, []any{qd.C(qd.NewFunc(l.at, qd.Capture("l", l)))}, []float32{8, 15, 22}},
			{"method value of a generic type", apply, []any{qd.C(qd.NewFunc(p.at, qd.Capture("p", p)))}, []float32{7, 13, 23}},
			{"promoted method value", apply, []any{qd.C(qd.NewFunc(s.at, qd.Capture("s", s)))}, []float32{8, 15, 22}},
			{"promoted method value of a generic type", apply, []any{qd.C(qd.NewFunc(d.parabolas.at, qd.Capture("d", d)))}, []float32{7, 13, 23}},
			{"method of a generic type, called in a generic function", apply, []any{qd.C(literalOf(p))}, []float32{7, 13, 23}},
			{"variables", applyVars, nil, []float32{68, 135, 202}},
			{"made at compile time", applyMade, []any{qd.C(float32(4))}, []float32{10, 19, 28}},
		} {
			x := []float32{1, 2, 3}
			if err := dev.Launch(test.kernel, qd.Dim(3), append(test.args, x)...); err != nil {
				t.Errorf("%s: %v", test.name, err)
			} else if !slices.Equal(x, test.want) {
				t.Errorf("%s: %v, want %v", test.name, x, test.want)
			}
		}
		x := []float32{1, 2, 3}
		for i, f := range []function{closedScale(2), closedScale(3), triple2} {
			k := qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] = f(x[t.ID()]) + float32(i) }, qd.Capture("f", f), qd.Capture("i", i))
			if err := dev.Launch(k, qd.Dim(3), x); err != nil {
				t.Fatal(err)
			}
		}
		if want := []float32{23, 41, 59}; !slices.Equal(x, want) {
			t.Errorf("pairs of functions and kernels: %v, want %v", x, want)
		}
	})
}

func triple2(x float32) float32 { return 3 * x }

// TestClosureSpecializations counts what is built: closures with the same values are one function.
func TestClosureSpecializations(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float32{1}
		launch := func(f function) int64 {
			before := qd.Stats().Specializations
			if err := dev.Launch(apply, qd.Dim(1), qd.C(f), x); err != nil {
				t.Fatal(err)
			}
			return qd.Stats().Specializations - before
		}
		if launch(closedScale(101)) != 1 || launch(closedScale(101)) != 0 || launch(closedScale(102)) != 1 || launch(closedScale(101)) != 0 {
			t.Error("the specializations are not one for each value")
		}
		for i := range 200 { // closures come and go at the same addresses
			want := x[0] * float32(101+i%2)
			if n := launch(closedScale(float32(101 + i%2))); n != 0 || x[0] != want {
				t.Fatalf("closure %d: %v and %d specializations, want %v and none", i, x[0], n, want)
			}
			if x[0] = 1; i%20 == 0 {
				runtime.GC()
			}
		}
	})
}

// named captures a result that its return assigns.
func named() (c float32, f function) {
	f = qd.NewFunc(func(x float32) float32 { return c * x }, qd.Capture("c", c))
	return 7, f
}

// TestClosureTypes captures a variable whose type only a package tells that kernels do not have.
func TestClosureTypes(t *testing.T) {
	c, err := strconv.ParseFloat("2.5", 64)
	if err != nil {
		t.Fatal(err)
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float64{1, 2}
		if err := dev.Launch(apply64, qd.Dim(2), qd.C(qd.NewFunc(func(x float64) float64 { return c * x }, qd.Capture("c", c))), x); err != nil {
			t.Fatal(err)
		}
		if want := []float64{2.5, 5}; !slices.Equal(x, want) {
			t.Errorf("%v, want %v", x, want)
		}
	})
}

//qd:kernel
func apply64(t qd.Thread, f qd.Const[func(float64) float64], x []float64) { x[t.ID()] = f.V(x[t.ID()]) }

// TestClosuresRefused gives kernels functions that hold what nobody has said, or what changes.
func TestClosuresRefused(t *testing.T) {
	y, n := float32(1), 0
	l := line{1, 2}
	k := n
	k++
	_, ofResult := named()
	option := qd.Capture("y", y)
	literal := func(x float32) float32 { return x + y }
	held := [1]float32{3}
	keys := map[*[1]float32]bool{&held: true}
	for p := range keys {
		p[0] = 4
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, test := range []struct {
			f    function
			want string
		}{
			{scaledBy(2), "the function captures c, which is declared in the function around it, without naming it"},
			{qd.NewFunc(func(x float32) float32 { return x + y }, qd.Capture("z", y)), `qd.Capture("z") names no variable that the function captures`},
			{qd.NewFunc(func(x float32) float32 { return x + y }, qd.Capture("y", float64(y))), "the function captures y as a value of type float64, but it has type float32"},
			{qd.NewFunc(func(x float32) float32 { return x + y }, qd.Capture("y", y), qd.Capture("y", y)), `qd.Capture("y") is given twice`},
			{qd.NewFunc(func(x float32) float32 { return x + y }, qd.Capture("y", []float32{y})), "a slice ([]float32) cannot be a compile-time value"},
			{qd.NewFunc(func(x float32) float32 { return x + y }, nil), "an option of qd.NewFunc is nil"},
			{qd.NewFunc(func(x float32) float32 { return x + y }, qd.Capture("y", y*2)), `does not capture y: on device go the function sees the variable`},
			{qd.NewFunc(func(x float32) float32 { n++; return x + float32(n) }, qd.Capture("n", n)), "the function changes n, which it captures"},
			{qd.NewFunc(func(x float32) float32 { return x + float32(k) }, qd.Capture("k", k)), "the function captures k, which is assigned at"},
			{ofResult, "the function captures c, which is assigned at"},
			{qd.NewFunc(func(x float32) float32 { return x + y }, option), `whether qd.Capture("y") gives the value of y cannot be seen`},
			{qd.NewFunc((func(x float32) float32 { return x + y }), qd.Capture("y", y*2)), `does not capture y`},
			{qd.NewFunc(closedScale(2), qd.Capture("c", y)), "it is called for one closure twice, with different values"},
			{qd.NewFunc(literal, qd.Capture("y", y)), `whether qd.Capture("y") gives the value of y cannot be seen`},
			{qd.NewFunc(func(x float32) float32 { return x + held[0] }, qd.Capture("held", held)), "the function captures held, which is assigned at"},
			{l.at, `line.at is a method value, which holds its receiver; name that: qd.NewFunc(s.at, qd.Capture("s", s))`},
			{qd.NewFunc(l.at, qd.Capture("l", y)), "the receiver of the method has type line, not float32"},
			{qd.NewFunc(lifter(l).at, qd.Capture("l", l)), "if lifter is an interface, use the method of a value whose type is known: s.(qd_test.line).at"},
			{l.by, "(*line).by is a method value that holds a pointer"},
			{qd.NewFunc(l.at, qd.Capture("l", l), qd.Capture("y", y)), "a method value holds its receiver and nothing else"},
			{qd.NewFunc(l.at, qd.Capture("l", line{1, 3})), "the receiver of the method is qd_test.line{1, 2}, but qd.Capture gives qd_test.line{1, 3}"},
			{qd.NewFunc(weighted[string]{w: "a"}.times, qd.Capture("w", weighted[int8]{w: 1})), "the receiver of the method is not qd_test.weighted[int8]{1, "},
			{methodOf(parabola[float32]{1, 2, 3}), "p.at is a method value in a generic function, whose receiver cannot be seen"},
			{qd.NewFunc(l.by, qd.Capture("l", l)), "the method has a pointer as its receiver"},
			{qd.NewFunc(line2, qd.Capture("l", l)), "a declared function captures nothing"},
			{qd.NewFunc(function(nil), qd.Capture("l", l)), "the function is nil"},
		} {
			x := []float32{1}
			err := dev.Launch(apply, qd.Dim(1), qd.C(test.f), x)
			var wrong *qd.LaunchError
			var refused *qd.Diagnostics
			if !errors.As(err, &wrong) && !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) || x[0] != 1 {
				t.Errorf("%v and %v, want %q", x, err, test.want)
			}
		}
	})
}

func line2(x float32) float32 { return 2 * x }
