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

// A turning can be changed through its interface.
type turning interface {
	curved
	turn(slope float64)
}

func (l *straight) turn(slope float64) { l.slope = slope }

// A filled writes to its array through a slice.
type filled struct{ last [2]float64 }

func (f *filled) at(x float64) float64 {
	last := f.last[:]
	last[0] += x
	return f.last[0]
}

var (
	turnedLine   turning = &straight{8, 1}
	assertedLine curved  = &straight{8, 1}
	givenLine    curved  = &straight{8, 1}
	namedLine    curved  = &straight{8, 1}
	anotherLine          = namedLine
	fillsArray   curved  = &filled{}
)

func init() {
	turnedLine.turn(3)
	assertedLine.(*straight).slope = 4
	levelLine(givenLine)
	anotherLine.(*straight).start = 5
}

func levelLine(c curved) { c.(*straight).slope = 0 }

//qd:kernel
func turnedCurve(t qd.Thread, x []float64) { x[t.ID()] = turnedLine.at(1) }

//qd:kernel
func assertedCurve(t qd.Thread, x []float64) { x[t.ID()] = assertedLine.at(1) }

//qd:kernel
func givenCurve(t qd.Thread, x []float64) { x[t.ID()] = givenLine.at(1) }

//qd:kernel
func namedCurve(t qd.Thread, x []float64) { x[t.ID()] = namedLine.at(1) }

//qd:kernel
func anotherCurve(t qd.Thread, x []float64) { x[t.ID()] = anotherLine.at(1) }

//qd:kernel
func filledCurve(t qd.Thread, x []float64) { x[t.ID()] = fillsArray.at(1) }

//qd:kernel
func constructedCurves(t qd.Thread, x []float64) {
	i := t.ID()
	chosen, at := squaredCurve, steepCurve.at
	x[i] = at(x[i]) + 100*chosen.at(x[i])
	if chosen == squaredCurve && chosen != steepCurve && chosen != halvedCurve {
		x[i] += 0.5
	}
}

//qd:kernel
func countedCurves(t qd.Thread, x []float64) { x[t.ID()] = counts.at(1) }

// A method of what a package variable leads to is called if it only reads constants and functions there, and nobody writes
// to them.
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
		for _, kernel := range []any{turnedCurve, assertedCurve, givenCurve, namedCurve, anotherCurve} {
			wants(t, d.Launch(kernel, qd.Dim(1), x), "holds, cannot be called in a kernel: what that points to may be changed, because the variable is aliased at")
		}
		wants(t, d.Launch(filledCurve, qd.Dim(1), x), "method at of *filled, which package variable fillsArray holds, cannot be called in a kernel")
		return nil
	})
}
