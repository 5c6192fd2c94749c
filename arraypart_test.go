package qd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func partTwice(t qd.Thread, x, y []float64) { y[t.ID()] = 2 * x[t.ID()] }

//qd:kernel
func partTransposed(t qd.Thread, x, y qd.View2[int32]) {
	i, j := t.ID2()
	y.Set(j, i, x.At(i, j))
}

func TestArrayPart(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host := make([]float64, 24)
		for i := range host {
			host[i] = float64(i)
		}
		x := qd.From(dev, host, 4, 6)
		rows := x.Sub(1, 3)
		if s := rows.Shape(); !slices.Equal(s, []int{2, 6}) || rows.Len() != 12 || rows.Device() != dev {
			t.Errorf("a part of shape %v with %d elements on %v", s, rows.Len(), rows.Device())
		}
		if got := rows.Slice(); !slices.Equal(got, host[6:18]) {
			t.Errorf("the part holds %v", got)
		}
		inner := rows.Reshape(12).Sub(3, 9).Sub(1, 5) // elements 10 to 13
		if err := inner.CopyFrom([]float64{-1, -2, -3, -4}); err != nil {
			t.Fatal(err)
		}
		if err := x.Reshape(24).Sub(20, 24).Fill(0.1); err != nil {
			t.Fatal(err)
		}
		if err := x.Reshape(24).Sub(0, 4).CopyArray(inner); err != nil {
			t.Fatal(err)
		}
		// In the memory of one array, and into itself.
		if err := dev.Launch(partTwice, qd.Dim(3), x.Reshape(24).Sub(4, 7), x.Reshape(24).Sub(14, 17)); err != nil {
			t.Fatal(err)
		}
		if err := x.Reshape(24).Sub(17, 20).CopyArray(x.Reshape(24).Sub(16, 19)); err != nil {
			t.Fatal(err)
		}
		if err := x.Reshape(24).Sub(21, 24).CopyArray(x.Reshape(24).Sub(20, 23)); err != nil {
			t.Fatal(err)
		}
		want := []float64{-1, -2, -3, -4, 4, 5, 6, 7, 8, 9, -1, -2, -3, -4, 8, 10, 12, 12, 17, 18, 0.1, 0.1, 0.1, 0.1}
		if got := x.Slice(); !slices.Equal(got, want) {
			t.Errorf("the array holds\n%v, not\n%v", got, want)
		}
		if err := x.Sub(4, 4).Fill(1); err != nil || x.Sub(2, 2).Len() != 0 {
			t.Errorf("an empty part: %v", err)
		}
	})
}

func TestArrayPartView(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 12)
		y := qd.Zeros[int32](dev, 5, 4)
		if err := dev.Launch(partTransposed, qd.Dim(2, 4), x.Sub(2, 10).Reshape(2, 4), y.Sub(1, 5).Reshape(8, 2).Sub(2, 6).Reshape(4, 2)); err != nil {
			t.Fatal(err)
		}
		if got := y.Slice(); !slices.Equal(got, []int32{0, 0, 0, 0, 0, 0, 0, 0, 2, 6, 3, 7, 4, 8, 5, 9, 0, 0, 0, 0}) {
			t.Error(got)
		}
	})
}

type partElem struct {
	A int8
	B [3]float32
	C complex128
}

func TestArrayPartFill(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		e := partElem{-1, [3]float32{1, 2, float32(math.Inf(1))}, 3 - 4i}
		for _, n := range []int{0, 1, 2, 3, 1000} {
			x := qd.Zeros[partElem](dev, n+2)
			if err := x.Sub(1, n+1).Fill(e); err != nil {
				t.Fatal(err)
			}
			for i, got := range x.Slice() {
				if want := (partElem{}); i > 0 && i <= n && got != e || (i == 0 || i > n) && got != want {
					t.Fatalf("element %d of %d is %v", i, n+2, got)
				}
			}
		}
		bytes := qd.Zeros[uint8](dev, 9)
		if err := errors.Join(bytes.Sub(2, 7).Fill(0xff), bytes.Sub(3, 4).Fill(0x80)); err != nil || string(bytes.Slice()) != "\x00\x00\xff\x80\xff\xff\xff\x00\x00" {
			t.Error(bytes.Slice(), err)
		}
		negative := qd.Zeros[float32](dev, 5)
		if err := negative.Fill(float32(math.Copysign(0, -1))); err != nil || !math.Signbit(float64(negative.Slice()[4])) {
			t.Error("a negative zero is lost", err)
		}
	})
}

func TestArrayPartOtherDevice(t *testing.T) {
	host := []float32{1, 2, 3, 4, 5, 6}
	for _, from := range devices(t) {
		for _, to := range devices(t) {
			x := qd.From(from, host, 2, 3)
			y := x.To(to)
			if got := y.Slice(); !slices.Equal(got, host) || y.Device() != to || !slices.Equal(y.Shape(), []int{2, 3}) {
				t.Errorf("%v to %v: %v of shape %v on %v", from, to, got, y.Shape(), y.Device())
			}
			if err := y.Sub(0, 1).CopyArray(x.Sub(1, 2)); err != nil || !slices.Equal(y.Slice(), []float32{4, 5, 6, 4, 5, 6}) {
				t.Errorf("%v to %v: %v %v", from, to, y.Slice(), err)
			}
			if !slices.Equal(x.Slice(), host) {
				t.Errorf("%v to %v: the memory is shared", from, to)
			}
		}
	}
}

func TestArrayPartErrors(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.Zeros[float64](dev, 4, 3)
		for _, f := range []func(){
			func() { x.Sub(-1, 2) }, func() { x.Sub(3, 2) }, func() { x.Sub(0, 5) }, func() { x.Sub(1, 3).Sub(0, 3) },
			func() { x.Reshape(5) }, func() { x.Reshape() }, func() { x.Reshape(-4, -3) }, func() { x.Reshape(math.MaxInt, 12) }, func() { x.Sub(0, 0).Reshape(math.MaxInt, math.MaxInt) },
		} {
			func() {
				defer func() {
					if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "qd: ") {
						t.Errorf("panic %v", s)
					}
				}()
				f()
			}()
		}
		part := x.Sub(1, 2)
		reshaped := part.Reshape(3)
		freed := x.Sub(2, 3)
		freed.Free()
		if err := freed.Fill(1); err == nil || !strings.Contains(err.Error(), "freed") {
			t.Errorf("a part that was freed: %v", err)
		}
		if err := part.Fill(1); err != nil {
			t.Errorf("a part when another was freed: %v", err)
		}
		if err := part.CopyArray(x); err == nil || !strings.Contains(err.Error(), "3 elements") {
			t.Errorf("a copy of another size: %v", err)
		}
		if err := part.CopyTo(make([]float64, 2)); err == nil {
			t.Error("a copy to a slice of another size")
		}
		p, err := dev.Bind(partTwice, qd.Dim(3), reshaped, qd.Zeros[float64](dev, 3))
		if err != nil {
			t.Fatal(err)
		}
		x.Free()
		for what, err := range map[string]error{
			"fill": part.Fill(1), "copy": reshaped.CopyArray(reshaped), "read": part.CopyTo(make([]float64, 3)), "launch": dev.Launch(partTwice, qd.Dim(3), reshaped, part),
			"prepared": p.Launch(), "of a freed part": x.Sub(0, 1).Fill(1),
		} {
			if err == nil || !strings.Contains(err.Error(), "freed") {
				t.Errorf("%s: after Free: %v", what, err)
			}
		}
		var none *qd.Array[float64]
		for _, a := range []*qd.Array[float64]{none.Sub(0, 1), none.Reshape(1), none.To(dev), none} {
			if err := a.Fill(1); err == nil || !strings.Contains(err.Error(), "not made") {
				t.Errorf("of a nil array: %v", err)
			}
		}
	})
}

func TestArrayPartRecorded(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []float64{1, 0, 0, 0})
		g, err := dev.Record(func(s *qd.Stream) error {
			if err := x.Fill(3); err == nil || !strings.Contains(err.Error(), "Record") {
				t.Errorf("Fill in Record: %v", err)
			}
			for i := range 3 {
				if err := s.Launch(partTwice, qd.Dim(1), x.Sub(i, i+1), x.Sub(i+1, i+2)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := dev.NewStream()
		if err == nil {
			err = errors.Join(g.LaunchOn(s), s.Sync(context.Background()), s.Close())
		}
		if got := x.Slice(); err != nil || !slices.Equal(got, []float64{1, 2, 4, 8}) {
			t.Errorf("%v %v", got, err)
		}
	})
}

//qd:kernel
func partStep(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = x[i]*x[i]*0.5 + x[(i+1)%len(x)]
}

//qd:kernel
func partMore(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] *= y[i] + x[i]
}

// Random launches on parts of one array have the gradients of the same launches on arrays of their own.
func TestArrayPartGradient(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const parts, n = 4, 3
		for seed := range uint64(20) {
			run := func(whole bool) (value, grad []float64) {
				r := rand.New(rand.NewPCG(seed, 1))
				host := make([]float64, parts*n)
				for i := range host {
					host[i] = r.Float64()
				}
				var w [parts]*qd.Array[float64]
				var x [parts]*qd.Array[float64]
				all, mem := qd.From(dev, host).WithGrad(), qd.Zeros[float64](dev, parts*n)
				for i := range w {
					if whole {
						w[i], x[i] = all.Sub(i*n, i*n+n), mem.Sub(i*n, i*n+n)
					} else {
						w[i], x[i] = qd.From(dev, host[i*n:i*n+n]).WithGrad(), qd.Zeros[float64](dev, n)
					}
				}
				tape := qd.NewTape(dev)
				var err error
				for i := range w {
					err = errors.Join(err, tape.Launch(partStep, qd.Dim(n), w[i], x[i]))
				}
				step := func() {
					i := r.IntN(parts)
					switch j := (i + 1 + r.IntN(parts-1)) % parts; r.IntN(6) {
					case 0, 1:
						err = errors.Join(err, tape.Launch(partStep, qd.Dim(n), x[i], x[j]))
					case 2, 3:
						err = errors.Join(err, tape.Launch(partMore, qd.Dim(n), x[i], x[j]))
					case 4:
						err = errors.Join(err, tape.Launch(partMore, qd.Dim(n), w[i], x[j]))
					case 5:
						err = errors.Join(err, x[i].Fill(0.25))
					}
				}
				for range 12 {
					if r.IntN(4) == 0 {
						err = errors.Join(err, tape.Checkpoint(func() error {
							step()
							step()
							return nil
						}))
						continue
					}
					step()
				}
				sum := qd.Zeros[float64](dev, 1)
				err = errors.Join(err, tape.Launch(partSum, qd.Dim(1), w[0], sum))
				for i := range x {
					err = errors.Join(err, tape.Launch(partSum, qd.Dim(1), x[i], sum))
				}
				if err == nil {
					err = tape.Backward(sum)
				}
				if err != nil {
					t.Fatalf("seed %d, whole %v: %v", seed, whole, err)
				}
				for i := range x {
					value = append(value, x[i].Slice()...)
					grad = append(grad, w[i].Grad().Slice()...)
				}
				if whole && !slices.Equal(grad, all.Grad().Slice()) {
					t.Errorf("the gradients of parts are %v, that of the whole %v", grad, all.Grad().Slice())
				}
				return value, grad
			}
			value, grad := run(true)
			wantValue, wantGrad := run(false)
			if !slices.Equal(value, wantValue) {
				t.Fatalf("seed %d: values\n%v, on arrays of their own\n%v", seed, value, wantValue)
			}
			near(t, fmt.Sprintf("seed %d: gradients", seed), grad, wantGrad) // threads add to them in any order
		}
	})
}

//qd:kernel
func partSum(t qd.Thread, x, sum []float64) {
	for _, v := range x {
		sum[0] += v
	}
}

// What overlaps is one memory for the gradient, too.
func TestArrayPartGradientOverlap(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []float64{1, 2, 3, 4}).WithGrad()
		y := qd.Zeros[float64](dev, 3, 2)
		tape := qd.NewTape(dev)
		sum := qd.Zeros[float64](dev, 1)
		err := errors.Join(
			tape.Launch(partTwice, qd.Dim(3), x.Sub(1, 4), y.Reshape(6).Sub(0, 3)),
			tape.Launch(partMore, qd.Dim(3), x.Sub(0, 3), y.Reshape(6).Sub(0, 3)), // y = 2x' * (2x' + x)
			tape.Launch(partMore, qd.Dim(2), y.Reshape(6).Sub(1, 3), y.Reshape(6).Sub(1, 3)),
			tape.Launch(partSum, qd.Dim(1), y.Sub(0, 2).Reshape(4), sum),
			tape.BackwardFrom(sum.Sub(0, 1), []float64{1}),
		)
		if err != nil {
			t.Fatal(err)
		}
		// y[0] = 2x1(2x1+x0); y[i] = 2(2x'(2x'+x))^2 of the others
		f := func(a, b float64) (v, da, db float64) { return 2 * b * (2*b + a), 2 * b, 8*b + 2*a }
		want := make([]float64, 4)
		_, da, db := f(1, 2)
		want[0], want[1] = da, db
		for i := 1; i < 3; i++ {
			v, da, db := f(float64(i+1), float64(i+2))
			want[i] += 4 * v * da
			want[i+1] += 4 * v * db
		}
		if got := x.Sub(0, 4).Grad().Slice(); !slices.Equal(got, want) {
			t.Errorf("the gradient is %v, not %v", got, want)
		}
		if err := x.Sub(1, 2).ZeroGrad(); err != nil || x.Grad().Slice()[1] != 0 || x.Grad().Slice()[0] != want[0] {
			t.Errorf("ZeroGrad of a part: %v %v", x.Grad().Slice(), err)
		}
	})
}

// A tape follows what is copied from an array with a gradient, to arrays that it knows and to others.
func TestArrayPartCopiedOnTape(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, known := range []bool{false, true} {
			x := qd.From(dev, []float64{1, 2, 3}).WithGrad()
			y, z, w := qd.Zeros[float64](dev, 3), qd.Zeros[float64](dev, 3), qd.Zeros[float64](dev, 3)
			tape := qd.NewTape(dev)
			var err error
			if known {
				err = tape.Launch(partTwice, qd.Dim(3), x, y) // which the copy overwrites
			}
			err = errors.Join(err, tape.Launch(partTwice, qd.Dim(3), x, z), y.CopyArray(z), tape.Launch(partTwice, qd.Dim(3), y, w))
			again := w.To(dev)
			err = errors.Join(err, tape.Launch(partTwice, qd.Dim(3), again, z), tape.BackwardFrom(z, []float64{1, 10, 100}))
			if want := []float64{8, 80, 800}; err != nil || !slices.Equal(x.Grad().Slice(), want) {
				t.Errorf("known %v: the gradient is %v, not %v; %v", known, x.Grad().Slice(), want, err)
			}
		}
	})
}

// Parts are copied, of one array too, and such that they share elements.
func TestArrayPartsCopiedOnTape(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []float64{1, 2, 3, 4}).WithGrad()
		y, z := qd.Zeros[float64](dev, 4), qd.Zeros[float64](dev, 4)
		tape := qd.NewTape(dev)
		err := errors.Join(tape.Launch(partTwice, qd.Dim(4), x, y), // y = 2x0 2x1 2x2 2x3
			y.Sub(1, 4).CopyArray(y.Sub(0, 3)), // y = 2x0 2x0 2x1 2x2
			y.Sub(0, 1).CopyArray(x.Sub(3, 4)), // y = x3 2x0 2x1 2x2
			tape.Launch(partTwice, qd.Dim(4), y, z), tape.BackwardFrom(z, []float64{1, 10, 100, 1000}))
		if want := []float64{40, 400, 4000, 2}; err != nil || !slices.Equal(x.Grad().Slice(), want) {
			t.Errorf("the gradient is %v, not %v; %v", x.Grad().Slice(), want, err)
		}
	})
}

// A copy that a tape cannot follow is an error of the next launch with it: an array whose gradient begins with what it is set to, and
// that depends on another gradient.
func TestArrayPartLostOnTape(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, z := qd.From(dev, []float64{1, 2}).WithGrad(), qd.Zeros[float64](dev, 2)
		leaf := qd.Zeros[float64](dev, 2).WithGrad()
		tape := qd.NewTape(dev)
		err := errors.Join(tape.Launch(partTwice, qd.Dim(2), x, z), leaf.CopyArray(z))
		if err != nil {
			t.Fatal(err)
		}
		if err := tape.Launch(partTwice, qd.Dim(2), leaf, z); err == nil || !strings.Contains(err.Error(), "CopyArray") {
			t.Errorf("a launch with the copy: %v", err)
		}
	})
}
