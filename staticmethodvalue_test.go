//go:build !race

package qd_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

type heldScale struct{ by float32 }

func (s heldScale) times(x float32) float32 { return s.by * x }

func (s *heldScale) through(x float32) float32 { return s.by * x }

var (
	staticThree                                       = heldScale{3}
	heldTable                                         = []func(float32) float32{staticThree.times, heldScale{5}.times}
	staticHeld                                        = (&heldScale{7}).through
	staticTimed   interface{ times(float32) float32 } = heldScale{11}
	staticSwapped                                     = []func(float32) float32{staticThree.times}
)

func staticMade(by float32) heldScale { return heldScale{by} }

//qd:kernel
func methodValueStatics(t qd.Thread, x []float32) {
	i := t.ID()
	x[i] = qd.Static(heldTable[1])(qd.Static(heldTable[0])(x[i]))
	x[i] += 100 * qd.Static(staticThree.times)(1)
	x[i] += 1000 * qd.Static(staticMade(2).times)(1)
}

//qd:kernel
func heldStatic(t qd.Thread, x []float32) { x[t.ID()] = staticHeld(x[t.ID()]) }

//qd:kernel
func timedStatic(t qd.Thread, x []float32) { x[t.ID()] = qd.Static(staticTimed.times)(x[t.ID()]) }

//qd:kernel
func swappedStatic(t qd.Thread, x []float32) { x[t.ID()] = qd.Static(staticSwapped[0])(x[t.ID()]) }

// TestStaticMethodValues has generated code give method values: what these hold, the program cannot tell, and the front
// end can where the source shows it.
func TestStaticMethodValues(t *testing.T) {
	const pkg = "github.com/qdgen/qd_test"
	type function = func(float32) float32
	qdreg.StaticValue(pkg, "methodValueStatics", 0, "heldTable[1]", func() function { return heldTable[1] }, "")
	qdreg.StaticValue(pkg, "methodValueStatics", 1, "heldTable[0]", func() function { return heldTable[0] }, "")
	qdreg.StaticValue(pkg, "methodValueStatics", 2, "staticThree.times", func() function { return staticThree.times }, "")
	qdreg.StaticValue(pkg, "methodValueStatics", 3, "staticMade(2).times", func() function { return staticMade(2).times }, "")
	qdreg.StaticValue(pkg, "timedStatic", 0, "staticTimed.times", func() function { return staticTimed.times }, "")
	qdreg.StaticValue(pkg, "swappedStatic", 0, "staticSwapped[0]", func() function { return staticSwapped[0] }, "")
	staticSwapped[0] = heldScale{13}.times
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float32{1, 2}
		if err := dev.Launch(methodValueStatics, qd.Dim(2), x); err != nil || !slices.Equal(x, []float32{2315, 2330}) {
			t.Errorf("%v, %v", x, err)
		}
		for _, test := range []struct {
			kernel any
			want   string
		}{
			{heldStatic, "(&heldScale{…}).through is a method value that holds a pointer, and what that points to may change"},
			{timedStatic, "staticTimed.times is a method value of an interface, which does not say which method it is"},
			{swappedStatic, "heldScale.times is a method value, which holds its receiver; name that"}, // which is no longer that of the source
		} {
			x := []float32{1}
			err := dev.Launch(test.kernel, qd.Dim(1), x)
			if !errors.As(err, new(*qd.Diagnostics)) || !strings.Contains(err.Error(), test.want) || x[0] != 1 {
				t.Errorf("%v and %v, want %q", x, err, test.want)
			}
		}
	})
}
