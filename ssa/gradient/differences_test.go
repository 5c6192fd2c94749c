package gradient_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// This file compares gradients with quotients of differences. A quotient says something only if all launches that it is
// made of go the way of the one in the middle, and if what is small is not lost next to something large on that way.
// The gradient of a float for which no quotient says anything is compared with the tangent kernel.

// A course is the way that a launch goes. On one course, what a kernel computes is a smooth function.
type course struct {
	way     uint64  // the same for the same course
	largest float64 // of the finite floats on the way
}

// A wordReader gives the bits of a value of the run in progress.
type wordReader = func(*ssa.Value) uint64

// watch gives what notes, after an instruction, what decides where the launch in progress goes on, and on which side of a
// kink it is.
func (tr *trial) watch(in *ssa.Instr) func(wordReader) {
	r := in.Results[0]
	switch {
	case r.Type == ssa.Bool, in.Op == ssa.OpConvert && ssa.IsFloat(in.Args[0].Type) && ssa.IsInteger(r.Type):
		return func(value wordReader) { tr.passing.turn(value(r)) }
	case !ssa.IsFloat(r.Type):
		return nil
	}
	result := floatOf(r)
	order := func(x, y func(wordReader) float64) func(wordReader) {
		return func(value wordReader) {
			tr.passing.pass(result(value))
			if x(value) < y(value) {
				tr.passing.turn(1)
			} else {
				tr.passing.turn(0)
			}
		}
	}
	zero := func(wordReader) float64 { return 0 }
	switch {
	case in.Op == ssa.OpMin || in.Op == ssa.OpMax:
		return order(floatOf(in.Args[0]), floatOf(in.Args[1]))
	case in.Op != ssa.OpMath:
	case in.Math == ssa.MathMin || in.Math == ssa.MathMax || in.Math == ssa.Dim:
		return order(floatOf(in.Args[0]), floatOf(in.Args[1]))
	case in.Math == ssa.Abs:
		return order(floatOf(in.Args[0]), zero)
	case in.Math == ssa.Copysign:
		x, y := order(floatOf(in.Args[0]), zero), order(floatOf(in.Args[1]), zero)
		return func(value wordReader) {
			x(value)
			y(value)
		}
	case in.Math == ssa.Floor || in.Math == ssa.Ceil || in.Math == ssa.Trunc || in.Math == ssa.Round || in.Math == ssa.RoundToEven:
		return func(value wordReader) {
			x := result(value)
			tr.passing.pass(x)
			tr.passing.turn(math.Float64bits(x))
		}
	}
	return func(value wordReader) { tr.passing.pass(result(value)) }
}

// floatOf reads a value that is a float.
func floatOf(v *ssa.Value) func(wordReader) float64 {
	if v.Type == ssa.Float32 {
		return func(value wordReader) float64 { return float64(math.Float32frombits(uint32(value(v)))) }
	}
	return func(value wordReader) float64 { return math.Float64frombits(value(v)) }
}

// pass notes the size of a float on the way.
func (p *course) pass(x float64) {
	if x = math.Abs(x); !math.IsInf(x, 0) {
		p.largest = max(p.largest, x) // NaN stays
	}
}

func (p *course) turn(x uint64) { p.way = (p.way ^ x + 1) * 1099511628211 }

// lossAlong is the weighted sum of all floats in memory after a launch, with all of them moved along a direction before it.
func (tr *trial) lossAlong(weights, along []float64, by float64) (float64, course, error) {
	if tr.watched == nil {
		tr.watched = newRunner(tr.watch)
	}
	var p course
	tr.passing = &p
	a, floats := tr.again()
	for i, f := range floats {
		if along[i] != 0 {
			a.set(f, a.get(f)+by*along[i])
		}
	}
	if err := tr.watched.launch(tr.kernel, &a.memory, a.bytes, tr.threads); err != nil {
		return 0, p, err
	}
	sum := 0.0
	for i, f := range floats {
		sum += weights[i] * a.get(f)
	}
	return sum, p, nil
}

// argumentsOf is what decides about the arguments of a trial.
type argumentsOf struct {
	kernel   *ssa.Func
	seed     uint64
	elements int
}

// again gives the trial's arguments and the floats in them, as they are before a launch: the same each time, of which a
// quotient needs many.
func (tr *trial) again() (*arguments, []float) {
	made := &tr.made
	if of := (argumentsOf{tr.kernel, tr.seed, elements}); made.arguments == nil || made.of != of {
		a := tr.arguments()
		made.arguments, made.floats, made.of, made.memory, made.before = a, a.floats(), of, a.memory, nil
		for _, list := range a.slices {
			for _, m := range list {
				made.before = append(made.before, slices.Clone(m.p))
			}
		}
		return a, made.floats
	}
	a, at := made.arguments, 0
	a.memory = made.memory // without what a launch has added
	for _, list := range a.slices {
		for _, m := range list {
			copy(m.p, made.before[at])
			at++
		}
	}
	return a, made.floats
}

// difference is the central difference of fourth order along a direction, and how far one of another step and the
// rounding may be off.
func (tr *trial) difference(weights, along []float64, step float64) (d, rough float64, err error) {
	here := &tr.middle
	if !slices.Equal(here.weights, weights) {
		if here.loss, here.course, err = tr.lossAlong(weights, along, 0); err != nil {
			return 0, 0, err
		}
		here.weights = slices.Clone(weights)
	}
	losses := make(map[float64]float64) // the two quotients share some
	at := func(by float64) float64 {
		x, ok := losses[by]
		if ok {
			return x
		}
		x, p, e := tr.lossAlong(weights, along, by)
		if e != nil {
			err = e
		}
		if p.way != here.course.way {
			x = math.NaN()
		}
		losses[by] = x
		return x
	}
	central := func(h float64) float64 { return (at(h) - at(-h)) / (2 * h) }
	fourth := func(h float64) float64 { return (4*central(h) - central(2*h)) / 3 }
	d = fourth(step)
	rounding := max(math.Abs(here.loss), here.course.largest) * 1e-16 / step
	return d, math.Abs(d-fourth(step/2)) + 10*rounding, err
}

// compare reports where the gradient is not what differences or tangents say.
func (tr *trial) compare(weights []float64, tolerance float64) error {
	got, err := tr.gradients(weights)
	if err != nil {
		return err
	}
	for i, f := range tr.arguments().floats() {
		tr.floats++
		if err := tr.check(weights, f, i, got[i], tolerance); err != nil {
			return fmt.Errorf("%s, float at byte %d: %w (weight %v)", tr.params()[f.param].Name, f.offset, err, weights[i])
		}
	}
	return nil
}

// compareConstant reports where the gradients are others if one argument, which the kernel does not write, is a
// constant, as the one behind some others.
func (tr *trial) compareConstant(behind int) error {
	weights := tr.weights()
	want, err := tr.gradients(weights)
	if err != nil {
		return err
	}
	c := *tr
	if c.back, err = gradient.Of(tr.kernel, gradient.Options{Constants: 1 << behind}); err != nil {
		return err
	}
	if err := ssa.Verify(&ssa.Module{Name: "constant", Funcs: c.back.Funcs()}); err != nil {
		return err
	}
	got, err := c.gradients(weights)
	if err != nil {
		return err
	}
	for i, f := range tr.arguments().floats() {
		if f.param != behind && math.Abs(got[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
			return fmt.Errorf("%s, float at byte %d: the gradient is %.10g, and %.10g if %s is constant", tr.params()[f.param].Name, f.offset, want[i], got[i], tr.params()[behind].Name)
		}
	}
	return nil
}

// check compares the derivative by the i-th float with quotients of differences, of smaller steps if it is not that of
// larger ones: what is nowhere near as smooth as a step is long says nothing. One that agrees with none that is
// reliable is wrong. Where smaller steps say something else again, by more than rounding, the loss is not smooth at any
// step: the tangents decide.
func (tr *trial) check(weights []float64, f float, i int, got, tolerance float64) error {
	steps := []float64{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}
	if f.t == ssa.Float32 {
		steps = []float64{1.0 / 64}
		tolerance = max(tolerance, 1e-3)
	}
	along := make([]float64, len(weights))
	along[i] = 1
	var wrong error
	refuted := 0.0 // what the differences say that the derivative is not
	for _, step := range steps {
		want, rough, err := tr.difference(weights, along, step)
		if err != nil {
			return err
		}
		if rounding := 1e-15 * max(math.Abs(tr.middle.loss), tr.middle.course.largest) / step; wrong != nil && tr.tangent != nil && math.Abs(want-refuted) > 0.1*math.Abs(refuted)+10*rounding {
			wrong = nil
		}
		switch {
		case !(rough <= 1e-3*(1+math.Abs(want))): // a kink, noise, NaN, or chaos
		case math.Abs(got-want) <= tolerance*(1+math.Abs(want))+10*rough:
			tr.reliable++
			return nil
		default:
			wrong, refuted = fmt.Errorf("the gradient is %.10g, differences say %.10g", got, want), want
		}
	}
	if wrong != nil || tr.tangent == nil {
		return wrong
	}
	return tr.checkTangent(weights, along, got)
}

// checkTangent compares a derivative with that which the tangent kernel computes.
func (tr *trial) checkTangent(weights, along []float64, got float64) error {
	twins, err := tr.tangents(along)
	if err != nil {
		return err
	}
	want, size := 0.0, math.Abs(got)
	for i, x := range twins {
		want += weights[i] * x
		size += math.Abs(weights[i] * x)
	}
	if math.IsNaN(got) || math.IsNaN(want) { // zero times an infinity: next to what has no derivative there
		return nil
	}
	tr.witnessed++
	if math.Abs(got-want) > tr.rounding()*(1+size) {
		return fmt.Errorf("the gradient is %.10g, the tangent kernel says %.10g", got, want)
	}
	return nil
}

// makeTangent makes the tangent kernel of a kernel in a text. Functions whose gradients of their own are in memory are
// differentiated by their bodies in it.
func (tr *trial) makeTangent(t *testing.T, lib load.Map, text string) {
	t.Helper()
	text = strings.NewReplacer("//qd:gradient at2\n", "", "//qd:gradient double\n", "").Replace(text)
	m := lower(t, lib, text, "k")
	var err error
	if tr.tangent, err = gradient.Of(kernelOf(m), gradient.Options{Steps: gradient.Tangent}); err != nil {
		t.Fatalf("seed %d: %v\n%s", tr.seed, err, text)
	}
	if err := ssa.Verify(moduleOf(m, tr.tangent)); err != nil {
		t.Fatalf("seed %d: %v\n%s\n%v", tr.seed, err, text, moduleOf(m, tr.tangent))
	}
}
