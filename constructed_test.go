//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

// A curved is what package variables hold by a pointer.
type curved interface{ at(x float64) float64 }

type straight struct{ slope, start float64 }

func (l *straight) at(x float64) float64 { return l.slope*x + l.start }

type curveOf struct {
	f     func(float64) float64
	times float64
}

func (a *curveOf) at(x float64) float64 { return a.times * a.f(x) }

func newCurveOf(f func(float64) float64, times float64) curved { return &curveOf{times: times, f: f} }

func squareHere(x float64) float64 { return x * x }

var (
	steepCurve   curved = &straight{8, 1}
	squaredCurve        = newCurveOf(squareHere, 2)
	halvedCurve         = newCurveOf(func(x float64) float64 { return x }, 0.5)
)

type countedCurve struct{ calls float64 }

func (c *countedCurve) at(x float64) float64 { c.calls++; return c.calls }

var counts curved = &countedCurve{}

//qd:kernel
func constructedCurves(t qd.Thread, x []float64) {
	i := t.ID()
	chosen := squaredCurve
	x[i] = steepCurve.at(x[i]) + 100*chosen.at(x[i])
	if chosen == squaredCurve && chosen != steepCurve && chosen != halvedCurve {
		x[i] += 0.5
	}
}

//qd:kernel
func countedCurves(t qd.Thread, x []float64) { x[t.ID()] = counts.at(1) }

// A method of what a package variable leads to is called if it only reads constants and functions there.
func TestConstructed(t *testing.T) {
	sameOnCPU(t, func(d *qd.Device) []int {
		x := []float64{1, -3}
		if err := d.Launch(constructedCurves, qd.Dim(2), x); err != nil {
			t.Fatal(d, err)
		}
		if x[0] != 9+200+0.5 || x[1] != -23+1800+0.5 {
			t.Error(d, x)
		}
		wants(t, d.Launch(countedCurves, qd.Dim(2), x), "method at of *countedCurve, which package variable counts holds, cannot be called in a kernel")
		return nil
	})
}
