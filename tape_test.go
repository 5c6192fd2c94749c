package qd_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// near compares numbers to 9 digits.
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, not %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*(1+math.Abs(want[i]))) {
			t.Errorf("%s: element %d is %v, not %v", what, i, got[i], want[i])
		}
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// wants is an error with a text.
func wants(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("the error is %v, which does not have %q", err, text)
	}
}

//qd:kernel
func tapeLoss(t qd.Thread, w, x []float64, sum []float64) {
	i := t.ID()
	d := w[i]*x[i] - 1
	qd.AtomicAdd(&sum[0], d*d)
}

// The gradient of a sum of squares, as in the documentation.
func TestTapeLoss(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host, xs := []float64{0.5, -1, 2, 3}, []float64{1, 2, -0.5, 0.25}
		w := qd.From(dev, host).WithGrad()
		x, sum := qd.From(dev, xs), qd.Zeros[float64](dev, 1)
		tape := qd.NewTape(dev)
		must(t, tape.Launch(tapeLoss, qd.Dim(4), w, x, sum), tape.Backward(sum))
		var want []float64
		for i := range host {
			want = append(want, 2*(host[i]*xs[i]-1)*xs[i])
		}
		near(t, "gradient", w.Grad().Slice(), want)
		// It is added to.
		must(t, tape.Backward(sum))
		for i := range want {
			want[i] *= 2
		}
		near(t, "gradient, twice", w.Grad().Slice(), want)
		must(t, w.ZeroGrad())
		near(t, "zero", w.Grad().Slice(), make([]float64, 4))
		must(t, tape.BackwardFrom(sum, []float64{-0.5}))
		for i := range want {
			want[i] *= -0.25
		}
		near(t, "from a slice", w.Grad().Slice(), want)
		must(t, w.ZeroGrad(), tape.BackwardFrom(sum, qd.From(dev, []float64{-0.5})))
		near(t, "from an array", w.Grad().Slice(), want)
		if x.Grad() != nil || w.Grad().Len() != 4 || tape.Device() != dev {
			t.Error("the wrong arrays have gradients")
		}
		tape.Reset()
		wants(t, tape.Backward(sum), "no launch with the array")
	})
}

//qd:kernel
func leaveLoop(t qd.Thread, x, y []float64) {
	sum := 0.0
	for i := range x {
		if i == 3 {
			break
		}
		sum += 3 * x[i]
	}
	y[t.ID()] = sum
}

// What a break leaves out has no gradient: where others say 3 3 3 3 3 3 or nothing at all.
func TestTapeBreak(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, []float64{1, 2, 3, 4, 5, 6}).WithGrad(), qd.Zeros[float64](dev, 1)
		tape := qd.NewTape(dev)
		must(t, tape.Launch(leaveLoop, qd.Dim(1), x, y), tape.Backward(y))
		near(t, "gradient", x.Grad().Slice(), []float64{3, 3, 3, 0, 0, 0})
	})
}

//qd:kernel
func whileLoop(t qd.Thread, x, y []float64) {
	i := t.ID()
	v, s := x[i], 0.0
	for v > 0.01 {
		s += v * v
		v *= 0.5
	}
	y[i] = s
}

// What a loop of unknown length keeps is in memory that a counting kernel has sized.
func TestTapeWhile(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host := []float64{1, 0.3, 0.005, 7, 2}
		want := make([]float64, len(host))
		for i, x := range host {
			for v, d := x, 1.0; v > 0.01; v, d = v/2, d/2 {
				want[i] += 2 * v * d
			}
		}
		x, y := qd.From(dev, host).WithGrad(), qd.Zeros[float64](dev, len(host))
		tape := qd.NewTape(dev)
		ones := []float64{1, 1, 1, 1, 1}
		must(t, tape.Launch(whileLoop, qd.Dim(5), x, y), tape.BackwardFrom(y, ones))
		near(t, "gradient", x.Grad().Slice(), want)
		// The backward kernel as a kernel, with plain slices too.
		k := qd.NewKernel(whileLoop).Gradient()
		xGrad, yGrad := qd.Zeros[float64](dev, 5), qd.From(dev, ones)
		must(t, dev.Launch(k, qd.Dim(5), x, y, xGrad, yGrad))
		near(t, "of the kernel", xGrad.Slice(), want)
		near(t, "after it", yGrad.Slice(), make([]float64, 5))
		plain := make([]float64, 5)
		must(t, dev.Launch(k, qd.Dim(5), host, make([]float64, 5), plain, ones))
		near(t, "of plain slices", plain, want)
		if name := k.Name(); name != "whileLoop.gradient" {
			t.Error(name)
		}
	})
}

//qd:kernel
func heat(t qd.Thread, k float64, x, y []float64) {
	i := t.ID()
	if i == 0 || i == len(x)-1 {
		y[i] = x[i]
		return
	}
	y[i] = x[i] + k*(x[i-1]-2*x[i]+x[i+1])*x[i]*x[i+1]
}

//qd:kernel
func dot(t qd.Thread, x, y, sum []float64) { qd.AtomicAdd(&sum[0], x[t.ID()]*y[t.ID()]) }

// A simulation with two arrays that are written in turns: each step overwrites what the one before it needs.
func simulate(t *testing.T, tape *qd.Tape, steps, each int, x, y, w, sum *qd.Array[float64]) {
	t.Helper()
	part := func() error {
		for range each {
			if err := tape.Launch(heat, qd.Dim(x.Len()), 0.1, x, y); err != nil {
				return err
			}
			if err := tape.Launch(heat, qd.Dim(x.Len()), 0.05, y, x); err != nil {
				return err
			}
		}
		return nil
	}
	for range steps {
		if each > 1 {
			must(t, tape.Checkpoint(part))
		} else {
			must(t, part())
		}
	}
	must(t, tape.Launch(dot, qd.Dim(x.Len()), x, w, sum))
}

func TestTapeOverwritten(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		start := []float64{0.5, 1, 0.2, 0.3, 0.8, 0.1}
		weights := []float64{1, -2, 0.5, 3, 1, 2}
		loss := func(x []float64) float64 {
			x, y := append([]float64{}, x...), make([]float64, len(x))
			step := func(k float64, x, y []float64) {
				copy(y, x)
				for i := 1; i < len(x)-1; i++ {
					y[i] = x[i] + k*(x[i-1]-2*x[i]+x[i+1])*x[i]*x[i+1]
				}
			}
			for range 12 {
				step(0.1, x, y)
				step(0.05, y, x)
			}
			s := 0.0
			for i := range x {
				s += weights[i] * x[i]
			}
			return s
		}
		var differences []float64
		for i := range start {
			const h = 1e-5
			d := func(by float64) float64 {
				x := append([]float64{}, start...)
				x[i] += by
				return loss(x)
			}
			differences = append(differences, (8*(d(h)-d(-h))-(d(2*h)-d(-2*h)))/(12*h))
		}
		var memory []int
		for _, each := range []int{1, 2, 4, 12} {
			x, w := qd.From(dev, start).WithGrad(), qd.From(dev, weights).WithGrad()
			y, sum := qd.Zeros[float64](dev, len(start)), qd.Zeros[float64](dev, 1)
			tape := qd.NewTape(dev)
			simulate(t, tape, 12/each, each, x, y, w, sum)
			memory = append(memory, tape.Memory())
			after := x.Slice()
			must(t, tape.Backward(sum))
			near(t, "by w", w.Grad().Slice(), after)
			near(t, "the array itself", x.Slice(), after)
			for i, g := range x.Grad().Slice() {
				if math.Abs(g-differences[i]) > 1e-8 {
					t.Errorf("checkpoints of %d: gradient %d is %v, differences say %v", each, i, g, differences[i])
				}
			}
			taken := tape.Memory()
			must(t, tape.Backward(sum)) // once more, from what is kept
			if again := tape.Memory(); again != taken {
				t.Errorf("the tape takes %d bytes after one Backward and %d after two", taken, again)
			}
			tape.Reset()
			if n := tape.Memory(); n != 0 {
				t.Errorf("after Reset it takes %d bytes", n)
			}
		}
		// Each launch but the first overwrites what another has read: 23 copies of 48 bytes. With checkpoints there are two for each, of
		// x and y, but for y at first: that is needed for the replay too.
		if memory[0] != 23*48+48 && memory[0] != 23*48 || memory[1] != 12*48 || memory[2] != 6*48 || memory[3] != 2*48 {
			t.Errorf("the tapes take %d bytes", memory)
		}
	})
}

//qd:kernel
func mulBy(t qd.Thread, x, y, z []float64) { z[t.ID()] = x[t.ID()] * y[t.ID()] }

//qd:kernel
func sumOf(t qd.Thread, x, y, z []float64) { z[t.ID()] = x[t.ID()] + y[t.ID()] }

//qd:kernel
func setAll(t qd.Thread, v float64, x []float64) { x[t.ID()] = v }

// Whatever changes an array that the backward pass needs, the tape has a copy.
func TestTapeChanges(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		changes := map[string]func(a *qd.Array[float64], tape *qd.Tape) error{
			"a copy":            func(a *qd.Array[float64], tape *qd.Tape) error { return a.CopyFrom([]float64{7, 8}) },
			"a recorded launch": func(a *qd.Array[float64], tape *qd.Tape) error { return tape.Launch(setAll, qd.Dim(2), 7.0, a) },
			"another launch":    func(a *qd.Array[float64], tape *qd.Tape) error { return dev.Launch(setAll, qd.Dim(2), 7.0, a) },
			"another tape's launch": func(a *qd.Array[float64], tape *qd.Tape) error {
				return qd.NewTape(dev).Launch(setAll, qd.Dim(2), 7.0, a)
			},
			"a prepared launch": func(a *qd.Array[float64], tape *qd.Tape) error {
				p, err := dev.Bind(setAll, qd.Dim(2), 7.0, a)
				if err == nil {
					err = p.Launch()
				}
				return err
			},
			"a stream": func(a *qd.Array[float64], tape *qd.Tape) error {
				s, err := dev.NewStream()
				if err != nil {
					return err
				}
				return errors.Join(s.Launch(setAll, qd.Dim(2), 7.0, a), s.Close())
			},
			"a graph": func(a *qd.Array[float64], tape *qd.Tape) error {
				g, err := dev.Record(func(s *qd.Stream) error { return s.Launch(setAll, qd.Dim(2), 7.0, a) })
				if err == nil {
					err = g.Launch()
				}
				return err
			},
			"nothing": func(a *qd.Array[float64], tape *qd.Tape) error { return nil },
		}
		for what, change := range changes {
			x, y := qd.From(dev, []float64{2, 3}).WithGrad(), qd.From(dev, []float64{5, -1})
			z := qd.Zeros[float64](dev, 2)
			tape := qd.NewTape(dev)
			must(t, tape.Launch(mulBy, qd.Dim(2), x, y, z), change(y, tape))
			if n := tape.Memory(); n != 16 && what != "nothing" || n != 0 && what == "nothing" {
				t.Errorf("%s: the tape takes %d bytes", what, n)
			}
			must(t, tape.BackwardFrom(z, []float64{1, 1}))
			near(t, what, x.Grad().Slice(), []float64{5, -1})
		}
	})
}

// What is set from outside between two launches does not depend on what was before.
func TestTapeCopyBetween(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, checkpoint := range []bool{false, true} {
			x, one := qd.From(dev, []float64{2, 3}).WithGrad(), qd.From(dev, []float64{1, 1})
			h, z := qd.Zeros[float64](dev, 2), qd.Zeros[float64](dev, 2)
			tape := qd.NewTape(dev)
			f := func() error {
				must(t, tape.Launch(mulBy, qd.Dim(2), x, x, h))
				must(t, tape.Launch(mulBy, qd.Dim(2), h, x, z)) // z = x³
				must(t, h.CopyFrom([]float64{10, 20}))          // from here on h is constant
				must(t, tape.Launch(mulBy, qd.Dim(2), h, x, h)) // h = (10, 20) x
				must(t, h.CopyFrom(h.Slice()))                  // and once more
				return tape.Launch(mulBy, qd.Dim(2), h, one, h)
			}
			if checkpoint {
				must(t, tape.Checkpoint(f))
			} else {
				must(t, f())
			}
			must(t, tape.BackwardFrom(z, []float64{1, 1}))
			near(t, "by z", x.Grad().Slice(), []float64{12, 27})
			must(t, x.ZeroGrad())
			wants(t, tape.BackwardFrom(h, []float64{1, 1}), "depends on no array that has a gradient")
			near(t, "h", h.Slice(), []float64{20, 60})
		}
	})
}

// Checkpoints in checkpoints, with plain slices that the program changes afterwards.
func TestTapeNested(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []float64{2, -1}).WithGrad()
		h := qd.Zeros[float64](dev, 2)
		factor := []float64{3, 4}
		tape := qd.NewTape(dev)
		mul := func(by []float64) error { return tape.Launch(mulBy, qd.Dim(2), h, by, h) }
		must(t, tape.Launch(mulBy, qd.Dim(2), x, x, h)) // x²
		must(t, tape.Checkpoint(func() error {
			must(t, mul(factor)) // (3, 4) x²
			factor[0] = 5
			must(t, tape.Checkpoint(func() error {
				must(t, tape.Launch(mulBy, qd.Dim(2), h, h, h)) // (9, 16) x⁴
				return mul(factor)                              // (45, 64) x⁴
			}))
			factor[1] = 100
			return tape.Launch(mulBy, qd.Dim(2), h, x, h) // (45, 64) x⁵
		}))
		near(t, "result", h.Slice(), []float64{45 * 32, -64})
		want := []float64{45 * 5 * 16, 64 * 5}
		must(t, tape.BackwardFrom(h, []float64{1, 1}))
		near(t, "gradient", x.Grad().Slice(), want)
		must(t, x.ZeroGrad(), tape.BackwardFrom(h, []float64{1, 1}))
		near(t, "once more", x.Grad().Slice(), want)
		near(t, "result afterwards", h.Slice(), []float64{45 * 32, -64})
	})
}

// A bound of memory is kept, and the error says what is missing.
func TestTapeMemory(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y, z := qd.From(dev, []float64{1, 2}).WithGrad(), qd.From(dev, []float64{1, 2}), qd.Zeros[float64](dev, 2)
		tape := qd.NewTape(dev, qd.TapeMemory(40))
		must(t, tape.Launch(mulBy, qd.Dim(2), x, y, z), tape.Launch(mulBy, qd.Dim(2), z, z, z), tape.Launch(mulBy, qd.Dim(2), z, z, z))
		wants(t, tape.Launch(mulBy, qd.Dim(2), z, z, z), "it takes 32 bytes and needs 16 more, 8 beyond qd.TapeMemory(40)")
		wants(t, tape.BackwardFrom(z, []float64{1, 1}), "beyond qd.TapeMemory(40)")
		tape.Reset()
		must(t, tape.Launch(mulBy, qd.Dim(2), x, y, z), tape.BackwardFrom(z, []float64{1, 1}))
		// The gradients of z and h take 16 bytes each. Those of constants, which nobody wants, take none.
		tape = qd.NewTape(dev)
		h, c := qd.Zeros[float64](dev, 2), qd.From(dev, []float64{1, 2})
		must(t, tape.Launch(mulBy, qd.Dim(2), x, y, h), tape.Launch(mulBy, qd.Dim(2), h, c, z), tape.BackwardFrom(z, []float64{1, 1}))
		if n := tape.Memory(); n != 32 {
			t.Errorf("the tape takes %d bytes, not 32", n)
		}
	})
}

//qd:kernel
func addScaled(t qd.Thread, a float64, x, y []float64) {
	i := t.ID()
	y[i] += a * x[i]
}

// What a launch overwrites is kept only where the gradient needs it.
func TestTapeAddInPlace(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, []float64{1, 2}).WithGrad(), qd.From(dev, []float64{1, 2})
		tape := qd.NewTape(dev)
		for range 3 {
			must(t, tape.Launch(addScaled, qd.Dim(2), 0.5, x, y), tape.Launch(addScaled, qd.Dim(2), 2.0, y, y))
		}
		if n := tape.Memory(); n != 0 {
			t.Errorf("the tape takes %d bytes, not 0", n)
		}
		must(t, tape.Launch(mulBy, qd.Dim(2), x, y, y))
		if n := tape.Memory(); n != 16 {
			t.Errorf("the tape takes %d bytes, not 16", n)
		}
		must(t, tape.BackwardFrom(y, []float64{1, 1}))
		// y becomes 3*(y + x/2) three times, and then y*x.
		grow := func(x, y float64) float64 { return 27*y + 0.5*x*(27+9+3) }
		near(t, "gradient", x.Grad().Slice(), []float64{grow(1, 1) + 19.5, grow(2, 2) + 2*19.5})
	})
}

//qd:kernel
func whileRows(t qd.Thread, x, y []float64) {
	i, j := t.ID2()
	v, s := x[i*t.Dim(1)+j], 0.0
	for v > 0.01 {
		s += v * v
		v *= 0.5
	}
	y[t.ID()] = s * float64(j)
}

// Where the memory is too little for what all threads keep, they are differentiated in batches.
func TestTapeBatches(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const rows, columns = 20, 30
		host := make([]float64, rows*columns)
		ones := make([]float64, rows*columns)
		for i := range host {
			host[i], ones[i] = float64(i%97), 1
		}
		at := func(options ...qd.TapeOption) ([]float64, error) {
			x, y := qd.From(dev, host).WithGrad(), qd.Zeros[float64](dev, len(host))
			tape := qd.NewTape(dev, options...)
			must(t, tape.Launch(whileRows, qd.Dim(rows, columns), x, y))
			err := tape.BackwardFrom(y, ones)
			return x.Grad().Slice(), err
		}
		want, err := at()
		must(t, err)
		for i, x := range host {
			sum := 0.0
			for v, d := x, 1.0; v > 0.01; v, d = v/2, d/2 {
				sum += 2 * v * d * float64(i%columns)
			}
			if math.Abs(want[i]-sum) > 1e-9*sum {
				t.Fatalf("element %d: %v, not %v", i, want[i], sum)
			}
		}
		// The gradient of y takes 4,800 bytes. A thread keeps up to 14 numbers.
		for _, bound := range []int{4800 + 14*8, 4800 + 14*8*7, 4800 + 14*8*300} {
			got, err := at(qd.TapeMemory(bound))
			must(t, err)
			near(t, "in batches", got, want)
		}
		_, err = at(qd.TapeMemory(4800 + 8))
		wants(t, err, "bytes for each of 600 threads")
		wants(t, err, "more than the limit: allow more with qd.TapeMemory")
	})
}
