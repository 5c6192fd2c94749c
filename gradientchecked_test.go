//go:build !race

package qd_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// Kernels with a derivative that fail in the line marked with "here". x and at have 4 elements.

//qd:kernel
func squaresPast(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	y[i] = x[i+1] * x[i+1] // here
}

//qd:kernel
func squaresInto(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	s := x[i] * x[i]
	y[i+1] = s // here
}

//qd:kernel
func gathersPast(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	k := at[i]
	y[i] = 2 * x[k] // here
}

// What it reads at, it has written itself.
//
//qd:kernel
func gathersWritten(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	at[i] += int32(i)
	k := at[i]
	y[i] = x[k] * x[0] // here
	at[i] = 0
}

//qd:kernel
func neighboursPast(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	s := x[i] + x[max(i-1, 0)]
	y[i] = s * x[i+1] // here
}

// Its backward kernel keeps a value of each turn.
//
//qd:kernel
func powersPast(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	p := 1.0
	for k := int32(0); k < at[i]; k++ {
		p *= p + x[k] // here
	}
	y[i] = p
}

//qd:kernel
func addsPast(t qd.Thread, x, y []float64, at []int32) {
	v := x[t.ID()]
	k := 4 / int(at[t.ID()]-5) // here
	qd.AtomicAdd(&y[0], v*float64(k))
}

//qd:kernel
func assertsSmall(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	y[i] = 3 * x[i]
	qd.Printf("y[%d] = %v\n", i, y[i])
	qd.Assert(y[i] < 8, "it is too large") // here
}

//qd:kernel
func reversesPast(b qd.Block, x, y []float64, at []int32) {
	s := qd.Shared[float64](b, 4)
	b.For(4, func(lane int) { s[lane] = x[lane] * x[lane] })
	b.For(4, func(lane int) {
		y[lane] = s[4-lane] // here
	})
}

//qd:kernel
func loopsPast(g qd.Grid, x, y []float64, at []int32) {
	g.For(4, func(i int) { at[i]++ })
	g.For(4, func(i int) {
		k := at[i]
		y[i] = x[k] * x[0] // here
	})
}

// markedIn is the line of a function of a file that ends in "// here".
func markedIn(t *testing.T, file, name string) int {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	within := false
	for i, line := range strings.Split(string(src), "\n") {
		within = within || strings.HasPrefix(line, "func "+name+"(")
		if within && strings.HasSuffix(line, "// here") {
			return i + 1
		}
	}
	t.Fatalf("no line of %s is marked", name)
	return 0
}

// A backward kernel that a program launches itself finds on a checked device what the kernel would have found.
// Nothing has changed then.
func TestGradientFaults(t *testing.T) {
	for _, tt := range []struct {
		name    string
		kernel  any
		reasons []string // that may be given, depending on which thread is first
		at      []int32
	}{
		{"squaresPast", squaresPast, []string{"index out of range [4] with length 4"}, nil},
		{"squaresInto", squaresInto, []string{"index out of range [4] with length 4"}, nil},
		{"gathersPast", gathersPast, []string{"index out of range [-1]"}, []int32{3, 2, -1, 0}},
		{"gathersWritten", gathersWritten, []string{"index out of range [4] with length 4"}, []int32{0, 1, 1, 1}},
		{"neighboursPast", neighboursPast, []string{"index out of range [4] with length 4"}, nil},
		{"powersPast", powersPast, []string{"index out of range [4] with length 4"}, []int32{3, 4, 5, 2}},
		{"addsPast", addsPast, []string{"integer divide by zero"}, []int32{1, 5, 2, 3}},
		{"assertsSmall", assertsSmall, []string{"assertion failed: it is too large"}, nil},
		{"reversesPast", reversesPast, []string{"index out of range [4] with length 4"}, nil},
		{"loopsPast", loopsPast, []string{"index out of range [4] with length 4"}, []int32{0, 1, 2, 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, dev *qd.Device) {
				x, y := []float64{1, 2, 3, 4}, make([]float64, 4)
				at := make([]int32, 4)
				copy(at, tt.at)
				xGrad, yGrad := make([]float64, 4), []float64{1, 1, 1, 1}
				before := slices.Clone(at)
				k := qd.NewKernel(tt.kernel).Gradient()
				var err error
				if tt.name == "loopsPast" {
					err = dev.Checked().Run(k, x, y, at, xGrad, yGrad)
				} else {
					dim := qd.Dim(4)
					if tt.name == "reversesPast" {
						dim = qd.Dim(1)
					}
					err = dev.Checked().Launch(k, dim, x, y, at, xGrad, yGrad)
				}
				var f *qd.Fault
				if !errors.As(err, &f) {
					t.Fatalf("error %v (%T), want a *Fault", err, err)
				}
				if line := markedIn(t, "gradientchecked_test.go", tt.name); filepath.Base(f.File) != "gradientchecked_test.go" || f.Line != line {
					t.Errorf("%v: at %s:%d, want line %d", f, f.File, f.Line, line)
				}
				if !slices.Contains(tt.reasons, f.Reason) || f.Kernel != tt.name+".gradient" || len(f.Thread) == 0 {
					t.Errorf("%v", f)
				}
				if !slices.Equal(xGrad, make([]float64, 4)) || !slices.Equal(yGrad, []float64{1, 1, 1, 1}) || !slices.Equal(at, before) {
					t.Errorf("gradients %v %v, at %v", xGrad, yGrad, at)
				}
			})
		})
	}
}
