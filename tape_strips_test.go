//go:build !race

package qd_test

import (
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func pendulumIn(t qd.Thread, turns int, dt []float64, x, y []float64) {
	i := t.ID()
	angle, speed := x[i], 0.0
	for k := 0; k < turns; k++ {
		speed -= dt[0] * math.Sin(angle)
		angle += dt[0] * speed
		if angle > 3 {
			continue
		}
		for a := angle * angle; a > 1; a *= 0.5 {
			speed *= 0.999
		}
	}
	y[i] = angle * speed
}

//qd:kernel
func pendulumGrid(g qd.Grid, turns int, dt []float64, x, y []float64) {
	g.For(len(x), func(i int) {
		angle, speed := x[i], 0.0
		for range turns {
			speed -= dt[0] * math.Sin(angle)
			angle += dt[0] * speed
		}
		y[i] = angle * speed
	})
}

//qd:kernel
func pendulumHost(g qd.Grid, turns int, dt []float64, x, y, next []float64) {
	gain, sum := 1.0, y
	for k := range turns {
		g.For(len(x), func(i int) { next[i] = x[i] + dt[0]*y[i] })
		g.For(len(x), func(i int) { y[i] -= dt[0] * gain * math.Sin(next[i]) })
		gain += 0.001 * x[k%len(x)]
		x, next = next, x
		if gain > 1.3 {
			gain /= 2
			continue
		}
		for j := range 3 {
			g.For(len(x), func(i int) { y[i] *= 1 + 0.001*x[(i+j)%len(x)] })
		}
	}
	g.For(len(x), func(i int) { sum[i] = x[i] * gain * y[i] })
}

//qd:kernel
func pendulumPlace(t qd.Thread, turns int, dt []float64, x, y []float64) {
	i := t.ID()
	for range turns {
		y[i] -= dt[0] * math.Sin(x[i])
		x[i] += dt[0] * y[i]
	}
}

// With strips of long loops, a backward kernel needs little memory, and gives the same gradients.
func TestTapeStrips(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		start, ones := []float64{0.5, 1, 1.5, 2, 2.5}, []float64{1, 1, 1, 1, 1}
		gradient := func(run func(tape *qd.Tape, dt, x, y *qd.Array[float64]) error, options ...qd.TapeOption) ([]float64, error) {
			dt, x, y := qd.From(dev, []float64{0.01}).WithGrad(), qd.From(dev, start).WithGrad(), qd.Zeros[float64](dev, len(start))
			tape := qd.NewTape(dev, options...)
			must(t, run(tape, dt, x, y))
			err := tape.BackwardFrom(y, ones)
			return slices.Concat(x.Grad().Slice(), dt.Grad().Slice()), err
		}
		const turns = 2000
		thread := func(tape *qd.Tape, dt, x, y *qd.Array[float64]) error {
			return tape.Launch(pendulumIn, qd.Dim(len(start)), turns, dt, x, y)
		}
		grid := func(tape *qd.Tape, dt, x, y *qd.Array[float64]) error {
			return tape.Run(pendulumGrid, turns, dt, x, y)
		}
		place := func(tape *qd.Tape, dt, x, y *qd.Array[float64]) error {
			return tape.Launch(pendulumPlace, qd.Dim(len(start)), turns, dt, x, y)
		}
		host := func(tape *qd.Tape, dt, x, y *qd.Array[float64]) error {
			return tape.Run(pendulumHost, 200, dt, x, y, qd.Zeros[float64](dev, 5))
		}
		for name, run := range map[string]func(tape *qd.Tape, dt, x, y *qd.Array[float64]) error{"thread": thread, "grid": grid, "host": host, "in place": place} {
			want, err := gradient(run)
			must(t, err)
			for _, strip := range []int{1, 45, turns + 1} {
				got, err := gradient(run, qd.TapeStrips(strip))
				must(t, err)
				near(t, name+" in strips", got, want)
			}
		}
		_, err := gradient(thread, qd.TapeMemory(8000))
		wants(t, err, "allow more with qd.TapeMemory, or keep less of long loops with qd.TapeStrips")
		want, err := gradient(thread)
		must(t, err)
		got, err := gradient(thread, qd.TapeMemory(8000), qd.TapeStrips(45))
		must(t, err)
		near(t, "with little memory", got, want)
		want, err = gradient(place)
		must(t, err)
		got, err = gradient(place, qd.TapeMemory(8000), qd.TapeStrips(45))
		must(t, err)
		near(t, "in place with little memory", got, want)
		_, err = gradient(host, qd.TapeMemory(8000))
		wants(t, err, "allow more with qd.TapeMemory, or keep less of long loops with qd.TapeStrips")
		want, err = gradient(host)
		must(t, err)
		got, err = gradient(host, qd.TapeMemory(8000), qd.TapeStrips(14))
		must(t, err)
		near(t, "of a Grid kernel with little memory", got, want)
		_, err = gradient(thread, qd.TapeMemory(800), qd.TapeStrips(45))
		wants(t, err, "allow more with qd.TapeMemory")

		x := qd.From(dev, start).WithGrad()
		wants(t, qd.NewTape(dev, qd.TapeStrips(-1)).Launch(pendulumPlace, qd.Dim(1), 1, x, x, x), "qd.TapeStrips(-1): a strip has 1 turn at least")
	})
}
