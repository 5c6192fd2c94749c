package optim

import (
	"runtime"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/testenv"
)

// TestParts makes steps with a part that is taken anew for each of them, and with a part of other elements.
func TestParts(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		testenv.Missing(t, err)
	}
	w := qd.From(dev, []float64{1, 1, 1, 1}).WithGrad()
	whole := qd.From(dev, []float64{1, 1}).WithGrad()
	sgd, adam := SGD{Rate: 0.1, Momentum: 0.9}, Adam{Rate: 0.1}
	x, v := 1.0, 0.0
	for step := range 3 {
		for _, g := range []*qd.Array[float64]{w.Grad(), whole.Grad()} {
			if err := g.Fill(float64(step + 1)); err != nil {
				t.Fatal(err)
			}
		}
		if err := sgd.Step(w.Sub(0, 2).Reshape(2, 1)); err != nil {
			t.Fatal(err)
		}
		if err := adam.Step(w.Sub(2, 4), whole.Reshape(1, 2)); err != nil {
			t.Fatal(err)
		}
		v = 0.9*v + float64(step+1)
		x -= 0.1 * v
	}
	if err := sgd.Step(w.Sub(1, 3)); err != nil { // has not moved before
		t.Fatal(err)
	}
	got, want := w.Slice(), whole.Slice()
	for i, want := range []float64{x, x - 0.1*3, want[0] - 0.1*3, want[1]} {
		if diff := got[i] - want; diff < -1e-12 || diff > 1e-12 {
			t.Errorf("element %d is %v, not %v", i, got[i], want)
		}
	}
	if len(sgd.states) != 2 || len(adam.states) != 2 {
		t.Errorf("states of %d and %d arrays", len(sgd.states), len(adam.states))
	}
}

// TestGone tells that an optimizer keeps nothing of arrays that are freed, or that nothing leads to.
func TestGone(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	var opt SGD
	array := func() *qd.Array[float32] { return qd.Zeros[float32](dev, 2).WithGrad() }
	kept, freed := array(), array()
	if err := opt.Step(kept, freed, array()); err != nil {
		t.Fatal(err)
	}
	freed.Free()
	runtime.GC()
	runtime.GC()
	if err := opt.Step(kept.Sub(0, 1)); err != nil {
		t.Fatal(err)
	}
	if n := len(opt.states); n != 2 {
		t.Errorf("states of %d arrays, not of the array that is left and of its part", n)
	}
	kept.Free()
	if err := opt.Step(kept); err == nil || len(opt.states) != 0 {
		t.Errorf("a freed array: %v, with states of %d arrays", err, len(opt.states))
	}
}

// TestGoneOfMany tells that a new array does not have an optimizer look at all others, and that it forgets arrays all the same.
func TestGoneOfMany(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	var opt SGD
	step := func() *qd.Array[float64] {
		t.Helper()
		a := qd.From(dev, []float64{1}).WithGrad()
		if err := opt.Step(a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	const many = 100
	var arrays []*qd.Array[float64]
	for range many {
		arrays = append(arrays, step())
	}
	if n := len(opt.states); n != many {
		t.Errorf("states of %d arrays, not of %d", n, many)
	}
	for _, a := range arrays {
		a.Free()
	}
	arrays = []*qd.Array[float64]{step()}
	if n := len(opt.states); n < many+1-looks {
		t.Errorf("the next array has had an optimizer look at %d others", many+1-n)
	}
	for range 10 * many {
		arrays = append(arrays, step())
		if len(arrays) > many/10 {
			arrays[0].Free()
			arrays = arrays[1:]
		}
	}
	if n := len(opt.states); n > many/2 {
		t.Errorf("states of %d arrays, of which %d are left", n, len(arrays))
	}
}
