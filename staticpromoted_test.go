//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

type sides struct{ w, h float32 }

func (s sides) area() float32 { return s.w * s.h }

type crate struct {
	sides
	d float32
}

func (c crate) volume() float32 { return c.d * c.area() }

//qd:kernel
func promotedStatics(t qd.Thread, x []float32) {
	c := crate{sides{x[t.ID()], 2}, 3}
	area := qd.Static(crate.area)
	x[t.ID()] = area(c)
	for _, f := range qd.Static([]func(crate) float32{crate.area, crate.volume}) {
		x[t.ID()] += 10 * f(c)
	}
}

// TestPromotedStatics has generated code give promoted methods as functions: these are functions of
// the compiler's own, of which the program cannot tell the source, and the front end can.
func TestPromotedStatics(t *testing.T) {
	const pkg = "github.com/qdgen/qd_test"
	qdreg.StaticValue(pkg, "promotedStatics", 0, "crate.area", func() func(crate) float32 { return crate.area }, "")
	qdreg.Static(pkg, "promotedStatics", 1, "[]func(crate) float32{crate.area, crate.volume}",
		func() []func(crate) float32 { return []func(crate) float32{crate.area, crate.volume} }, "")
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float32{1, 2}
		if err := dev.Launch(promotedStatics, qd.Dim(2), x); err != nil || !slices.Equal(x, []float32{82, 164}) {
			t.Errorf("%v, %v", x, err)
		}
	})
}
