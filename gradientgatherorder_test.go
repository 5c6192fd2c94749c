package qd_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// Gathers in streams and graphs, which the race detector sees.

//qd:kernel
func gatherClamped(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = x[max(i-1, 0)]*x[i] + 0.3*x[min(i+1, len(x)-1)]
}

//qd:kernel
func gatherCopy(t qd.Thread, from, to []float32) { to[t.ID()] = from[t.ID()] }

// gatherSeed is n numbers, of which no sums are exact.
func gatherSeed(n int, by float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(1.1 + math.Sin(by*float64(i)))
	}
	return x
}

// A gatherRun has the arrays of launches that add to one gradient.
type gatherRun struct {
	x, y, xGrad, yGrad, seed *qd.Array[float32]
}

// launch sets the gradient of the result, and takes it back to that of x.
func (r *gatherRun) launch(s *qd.Stream) error {
	dim := qd.Dim(r.x.Len())
	return errors.Join(s.Launch(gatherCopy, dim, r.seed, r.yGrad), s.Launch(qd.NewKernel(gatherClamped).Gradient(), dim, r.x, r.y, r.xGrad, r.yGrad))
}

// Launches that gather follow each other in a stream and in a graph.
func TestGradientGathersInOrder(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const n = 500
		x, seed := gatherSeed(n, 0.7), gatherSeed(n, 0.3)
		three := func(do func(r *gatherRun) error) []float32 {
			r := &gatherRun{qd.From(dev, x), qd.Zeros[float32](dev, n), qd.Zeros[float32](dev, n), qd.Zeros[float32](dev, n), qd.From(dev, seed)}
			noError(t, do(r))
			for i, g := range r.yGrad.Slice() {
				if g != 0 {
					t.Fatalf("the gradient of result %d is %v, not 0", i, g)
				}
			}
			return r.xGrad.Slice()
		}
		inStream := three(func(r *gatherRun) error {
			s, err := dev.NewStream()
			if err != nil {
				return err
			}
			return errors.Join(r.launch(s), r.launch(s), r.launch(s), s.Sync(t.Context()), s.Close())
		})
		inGraph := three(func(r *gatherRun) error {
			g, err := dev.Record(r.launch)
			if err != nil {
				return err
			}
			return errors.Join(g.Launch(), g.Launch(), g.Launch(), dev.Wait(), g.Close())
		})
		if !slices.Equal(inStream, inGraph) {
			t.Errorf("in a stream the gradients are not those in a graph:\n%v\n%v", inStream, inGraph)
		}
		once := make([]float32, n)
		noError(t, dev.Launch(qd.NewKernel(gatherClamped).Gradient(), qd.Dim(n), x, make([]float32, n), once, slices.Clone(seed)))
		for i, g := range once {
			if want := 3 * float64(g); math.Abs(float64(inStream[i])-want) > 1e-5*math.Abs(want) {
				t.Fatalf("three launches add %v to the gradient of element %d, and one adds %v", inStream[i], i, g)
			}
		}
	})
}
