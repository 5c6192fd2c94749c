//go:build !race

package qd_test

import (
	"errors"
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/qdreg"
)

// tapeStepGain and tapeStepShape are other ones in each step of a loop, and others again when the tape goes backward.
var (
	tapeStepGain  = 1.0
	tapeStepShape = struct {
		By    f64.Vec3
		Power int
	}{f64.Vec3{1, 1, 1}, 1}
)

func init() {
	qdreg.Vars("github.com/qdgen/qd_test", map[string]any{"tapeStepGain": &tapeStepGain, "tapeStepShape": &tapeStepShape})
}

type tapeStepAt struct {
	From  int
	Scale float64
}

//qd:kernel
func gainedThreads(t qd.Thread, c qd.Const[int], at tapeStepAt, x []float64) {
	i := t.ID()
	y := x[i]
	for range tapeStepShape.Power {
		y *= x[i] * at.Scale
	}
	x[i] = tapeStepGain*y*tapeStepShape.By[i%3] + float64(c.V)
}

//qd:kernel
func gainedPeers(t qd.Thread, c qd.Const[int], at tapeStepAt, x []float64) {
	i := t.ID()
	s := qd.Shared[float64](t, 4)
	s[t.Lane()] = x[i] * tapeStepGain
	t.Sync()
	x[i] = s[3-t.Lane()] * s[t.Lane()] * at.Scale
}

//qd:kernel
func gainedBlocks(b qd.Block, c qd.Const[int], at tapeStepAt, x []float64) {
	s := qd.Shared[float64](b, 4)
	b.For(4, func(i int) { s[i] = x[b.ID()*4+i] * tapeStepGain })
	b.For(4, func(i int) { x[b.ID()*4+i] = s[i]*s[(i+1)%4]*at.Scale + float64(c.V) })
}

//qd:kernel
func gainedGrid(g qd.Grid, c qd.Const[int], at tapeStepAt, x []float64) {
	for k := range tapeStepShape.Power {
		g.For(len(x), func(i int) { x[i] *= x[i] * tapeStepGain * float64(k+c.V+1) })
	}
}

// A launch that the tape runs again has the package variables as they were at the launch.
func TestTapeStepsVariables(t *testing.T) {
	const steps = 4
	at := tapeStepAt{1, 0.75}
	host := []float64{0.9, 0.8, -0.7, 0.6, 0.5, 1.1, 1.2, 0.4}
	set := func(i int) {
		tapeStepGain = 0.75 + 0.25*float64(i)
		tapeStepShape.By = f64.Vec3{1, float64(i), 0.5}
		tapeStepShape.Power = 1 + i%2
	}
	defer set(0)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for name, launch := range map[string]func(tape *qd.Tape, x *qd.Array[float64]) error{
			"threads": func(tape *qd.Tape, x *qd.Array[float64]) error {
				return tape.Launch(gainedThreads, qd.Dim(len(host)), qd.C(1), at, x)
			},
			"peers": func(tape *qd.Tape, x *qd.Array[float64]) error {
				return tape.Launch(qd.NewKernel(gainedPeers).WithBlockDim(4), qd.Dim(len(host)), qd.C(1), at, x)
			},
			"blocks": func(tape *qd.Tape, x *qd.Array[float64]) error {
				return tape.Launch(gainedBlocks, qd.Dim(len(host)/4), qd.C(1), at, x)
			},
			"grid": func(tape *qd.Tape, x *qd.Array[float64]) error { return tape.Run(gainedGrid, qd.C(0), at, x) },
		} {
			var want []float64
			for _, how := range []string{"loop", "Steps", "Checkpoint"} {
				x := qd.From(dev, host).WithGrad()
				tape := qd.NewTape(dev)
				one := func(i int) error {
					set(i)
					return launch(tape, x)
				}
				all := func() (err error) {
					for i := range steps {
						err = errors.Join(err, one(i))
					}
					return err
				}
				switch how {
				case "loop":
					must(t, all())
				case "Steps":
					must(t, tape.Steps(steps, one))
				case "Checkpoint":
					must(t, tape.Checkpoint(all))
				}
				set(100)
				must(t, tape.BackwardFrom(x, []float64{1, 2, 3, 4, 5, 6, 7, 8}))
				got := x.Grad().Slice()
				if how == "loop" {
					want = got
					continue
				}
				for i, g := range got {
					if math.Abs(g-want[i]) > 1e-9*(1+math.Abs(want[i])) {
						t.Errorf("%s, %s: the gradient is %v, and without it %v", name, how, got, want)
						break
					}
				}
			}
		}
	})
}
