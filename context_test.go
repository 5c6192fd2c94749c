package qd_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/qdgen/qd"
)

//qd:kernel
func manyTurns(t qd.Thread, turns int, x []float64) {
	v := x[t.ID()]
	for range turns {
		v = v*0.999999 + 1
	}
	x[t.ID()] = v
}

//qd:kernel
func manyTurnsAndBarriers(t qd.Thread, turns int, x []float64) {
	s := qd.Shared[float64](t, 256)
	s[t.Lane()] = x[t.ID()]
	t.Sync()
	v := s[t.Lane()^1]
	for range turns {
		v = v*0.999999 + 1
	}
	x[t.ID()] = v
}

//qd:kernel
func manyTurnsInBlocks(b qd.Block, turns int, x []float64) {
	b.For(4, func(l int) {
		v := x[4*b.ID()+l]
		for range turns {
			v = v*0.999999 + 1
		}
		x[4*b.ID()+l] = v
	})
}

//qd:kernel
func manyTurnsInGrid(g qd.Grid, turns int, x []float64) {
	g.For(len(x), func(i int) {
		v := x[i]
		for range turns {
			v = v*0.999999 + 1
		}
		x[i] = v
	})
}

// A launch that would take hours is abandoned, and the device goes on to be of use.
func TestContextAbandonsLaunches(t *testing.T) {
	for _, name := range []string{"cpu", "go"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		const n, turns = 1 << 20, 1 << 16 // together for ever, and one thread not long
		x := qd.Zeros[float64](dev, n)
		// Built before, so that what ends is a launch.
		if err := dev.Build(manyTurns, manyTurnsInBlocks, manyTurnsInGrid); err != nil {
			t.Fatal(err)
		}
		derivatives := map[string]*qd.Kernel{"gradient": qd.NewKernel(manyTurns).Gradient(), "tangent": qd.NewKernel(manyTurns).Tangent(),
			"gradient with barriers": qd.NewKernel(manyTurnsAndBarriers).Gradient()}
		for _, k := range derivatives {
			must(t, dev.Build(k))
		}
		dx := qd.Zeros[float64](dev, n)
		derivative := func(which string) func(dev *qd.Device) error {
			return func(dev *qd.Device) error {
				return dev.Launch(derivatives[which], qd.Dim(n), turns>>4, x, dx) // which interprets, on device go
			}
		}
		if err := dev.Checked().Build(manyTurns); err != nil {
			t.Fatal(err)
		}
		for what, launch := range map[string]func(dev *qd.Device) error{
			"thread": func(dev *qd.Device) error { return dev.Launch(manyTurns, qd.Dim(n), turns, x) },
			"block":  func(dev *qd.Device) error { return dev.Launch(manyTurnsInBlocks, qd.Dim(n/4), turns, x) },
			"grid": func(dev *qd.Device) error {
				if name == "go" {
					return context.DeadlineExceeded // which it does not abandon
				}
				return dev.Run(manyTurnsInGrid, turns, x)
			},
			"gradient":               derivative("gradient"),
			"tangent":                derivative("tangent"),
			"gradient with barriers": derivative("gradient with barriers"),
			"checked":                func(dev *qd.Device) error { return dev.Checked().Launch(manyTurns, qd.Dim(n), turns, x) },
			"bound": func(dev *qd.Device) error {
				p, err := dev.Bind(manyTurns, qd.Dim(n), turns, x)
				if err != nil {
					return err
				}
				return p.Launch()
			},
			"stream": func(dev *qd.Device) error {
				s, err := dev.NewStream()
				if err != nil {
					return err
				}
				if err := s.Launch(manyTurns, qd.Dim(n), turns, x); err != nil {
					return err
				}
				return s.Close()
			},
			"graph on a stream":                  func(bounded *qd.Device) error { return graphOn(dev, bounded, n, turns, x) },
			"graph with a context":               func(bounded *qd.Device) error { return graphOn(bounded, dev, n, turns, x) },
			"graph with a context on the same's": func(bounded *qd.Device) error { return graphOn(bounded, bounded, n, turns, x) },
			"graph in a graph with a context":    func(bounded *qd.Device) error { return graphInGraph(dev, bounded, nil, n, turns, x) },
			"graph with a context in a graph":    func(bounded *qd.Device) error { return graphInGraph(bounded, dev, nil, n, turns, x) },
			"graph with one in a graph with another": func(bounded *qd.Device) error {
				return errors.Join(graphInGraph(bounded, dev.WithContext(t.Context()), nil, n, turns, x), graphInGraph(dev.WithContext(t.Context()), bounded, nil, n, turns, x))
			},
			"graph with a context in a graph, on a stream with another": func(bounded *qd.Device) error {
				return graphInGraph(bounded, dev, dev.WithContext(t.Context()), n, turns, x)
			},
			"graph with another in a graph, on a stream with a context": func(bounded *qd.Device) error {
				return graphInGraph(dev.WithContext(t.Context()), dev, bounded, n, turns, x)
			},
		} {
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			if err := launch(dev.WithContext(ctx)); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, %s: the error is %v", name, what, err)
			}
			cancel()
		}
		small := qd.Zeros[float64](dev, 2)
		if err := dev.Launch(manyTurns, qd.Dim(2), 1, small); err != nil || !slices.Equal(small.Slice(), []float64{1, 1}) {
			t.Errorf("%s: afterwards: %v %v", name, small.Slice(), err)
		}
	}
}

// graphOn records a launch on one device, and launches the graph on a stream of another.
func graphOn(recorded, dev *qd.Device, n, turns int, x *qd.Array[float64]) error {
	g, err := recorded.Record(func(s *qd.Stream) error { return s.Launch(manyTurns, qd.Dim(n), turns, x) })
	if err != nil {
		return err
	}
	defer g.Close()
	return onStream(g, dev)
}

// graphInGraph records a graph of one device into a graph of another, of which it keeps nothing then. It launches this
// one on a stream of a third device, or on none if that is nil.
func graphInGraph(inner, outer, dev *qd.Device, n, turns int, x *qd.Array[float64]) error {
	in, err := inner.Record(func(s *qd.Stream) error { return s.Launch(manyTurns, qd.Dim(n), turns, x) })
	if err != nil {
		return err
	}
	g, err := outer.Record(func(s *qd.Stream) error { return in.LaunchOn(s) })
	if err != nil {
		return err
	}
	defer g.Close()
	if err := in.Close(); err != nil {
		return err
	}
	runtime.GC()
	if dev == nil {
		return g.Launch()
	}
	return onStream(g, dev)
}

// onStream launches a graph on a stream of a device.
func onStream(g *qd.Graph, dev *qd.Device) error {
	s, err := dev.NewStream()
	if err != nil {
		return err
	}
	if err := g.LaunchOn(s); err != nil {
		return err
	}
	return s.Close()
}

// What a graph is launched with on a stream is prepared once more only for a context that the launches would not end
// with anyway.
func TestGraphIsPreparedOnce(t *testing.T) {
	for _, name := range []string{"cpu", "go"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		x := qd.Zeros[float64](dev, 1)
		const launches = 100
		count := func(recorded, on *qd.Device) float64 {
			g, err := recorded.Record(func(s *qd.Stream) error {
				for range launches {
					if err := s.Launch(manyTurns, qd.Dim(1), 1, x); err != nil {
						return err
					}
				}
				return nil
			})
			must(t, err)
			s, err := on.NewStream()
			must(t, err)
			return testing.AllocsPerRun(10, func() { must(t, g.LaunchOn(s), s.Sync(t.Context())) })
		}
		ctx := t.Context()
		most := count(dev, dev) + launches
		for what, allocs := range map[string]float64{
			"a context without an end": count(dev, dev.WithContext(context.Background())),
			"the same context":         count(dev.WithContext(ctx), dev.WithContext(ctx)),
			"one that ends with it":    count(dev.WithContext(ctx), dev.WithContext(context.WithValue(ctx, &x, 1))),
		} {
			if allocs > most {
				t.Errorf("%s: with %s, a graph of %d launches allocates %v times", name, what, launches, allocs)
			}
		}
		other, cancel := context.WithCancel(ctx)
		defer cancel()
		if allocs := count(dev.WithContext(ctx), dev.WithContext(other)); allocs < launches {
			t.Errorf("%s: with another context, a graph of %d launches allocates %v times", name, launches, allocs)
		}
	}
}

// A graph on a stream with a context that goes on runs as on any other.
func TestGraphWithContext(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		ctx, cancel := context.WithCancelCause(t.Context())
		x := qd.Zeros[float64](dev, 2)
		g, err := dev.WithContext(t.Context()).Record(func(s *qd.Stream) error {
			return errors.Join(s.Launch(manyTurns, qd.Dim(2), 1, x), s.Launch(manyTurns, qd.Dim(0), 1, x), s.Run(manyTurnsInGrid, 1, x))
		})
		must(t, err)
		s, err := dev.WithContext(ctx).NewStream()
		must(t, err)
		must(t, g.LaunchOn(s), s.Sync(ctx))
		want := x.Slice()
		near(t, "the run", want, []float64{1.999999, 1.999999})
		why := errors.New("enough")
		cancel(why)
		if err := g.LaunchOn(s); !errors.Is(err, why) || err.Error() != "qd: launch of a graph: not started: enough" {
			t.Errorf("after the end: %v", err)
		}
		must(t, s.Close())
		if got := x.Slice(); !slices.Equal(got, want) {
			t.Errorf("after the end the graph has run: %v", got)
		}
	})
}

func TestLaunchWithContext(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		ctx, cancel := context.WithCancelCause(context.Background())
		bounded := dev.WithContext(ctx)
		x := qd.Zeros[float64](bounded, 2)
		if x.Device() != dev || bounded.String() != dev.String() {
			t.Errorf("an array on %v of %v", x.Device(), bounded)
		}
		if err := errors.Join(bounded.Launch(manyTurns, qd.Dim(2), 3, x), bounded.Wait()); err != nil {
			t.Fatal(err)
		}
		want := x.Slice()
		why := errors.New("enough")
		cancel(why)
		for what, err := range map[string]error{
			"launch": bounded.Launch(manyTurns, qd.Dim(2), 3, x), "run": bounded.Run(manyTurnsInGrid, 3, x),
			"build": bounded.Launch(manyTurnsInBlocks, qd.Dim(1), 1, x),
		} {
			if !errors.Is(err, why) && !errors.Is(err, context.Canceled) {
				t.Errorf("%s after the end: %v", what, err)
			}
		}
		if got := x.Slice(); !slices.Equal(got, want) {
			t.Errorf("what was not to be started has run: %v", got)
		}
		var none *qd.Device
		if err := none.WithContext(ctx).Launch(manyTurns, qd.Dim(2), 3, x); err == nil {
			t.Error("a launch on a nil device")
		}
	})
}

// A handle's context ends launches that another value of its device does, as its Checked counts for them.
func TestLaunchEndsWithHandle(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.Zeros[float64](dev, 2)
		ctx, cancel := context.WithCancelCause(t.Context())
		k := qd.NewKernel(manyTurns).WithDevice(dev.WithContext(ctx))
		grid := qd.NewKernel(manyTurnsInGrid).WithDevice(dev.WithContext(ctx))
		other, stop := context.WithCancel(t.Context())
		defer stop()
		s, err := dev.NewStream()
		must(t, err)
		ways := map[string]func() error{
			"Launch":                          func() error { return dev.Launch(k, qd.Dim(2), 1, x) },
			"Launch with one more context":    func() error { return dev.WithContext(other).Launch(k, qd.Dim(2), 1, x) },
			"Launch of a checked build":       func() error { return dev.Checked().Launch(k, qd.Dim(2), 1, x) },
			"Launch over no threads":          func() error { return dev.Launch(k, qd.Dim(0), 1, x) },
			"Launch of the backward kernel":   func() error { return dev.Launch(k.Gradient(), qd.Dim(2), 1, x, qd.Zeros[float64](dev, 2)) },
			"Launch of the handle":            func() error { return k.Launch(qd.Dim(2), 1, x) },
			"Run":                             func() error { return dev.Run(grid, 1, x) },
			"Run with one more context":       func() error { return dev.WithContext(other).Run(grid, 1, x) },
			"Bind":                            func() error { _, err := dev.Bind(k, qd.Dim(2), 1, x); return err },
			"BindRun":                         func() error { _, err := dev.BindRun(grid, 1, x); return err },
			"Launch on a stream":              func() error { return errors.Join(s.Launch(k, qd.Dim(2), 1, x), s.Sync(other)) },
			"Run on a stream":                 func() error { return errors.Join(s.Run(grid, 1, x), s.Sync(other)) },
			"Launch on a tape":                func() error { return qd.NewTape(dev).Launch(k, qd.Dim(2), 1, x) },
			"Launch on a tape with a context": func() error { return qd.NewTape(dev.WithContext(other)).Launch(k, qd.Dim(2), 1, x) },
		}
		for what, launch := range ways {
			if err := errors.Join(launch(), dev.Wait()); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		record := func(dev *qd.Device) *qd.Graph {
			g, err := dev.Record(func(s *qd.Stream) error { return s.Launch(k, qd.Dim(2), 1, x) })
			must(t, err)
			return g
		}
		graph, bounded := record(dev), record(dev.WithContext(other))
		outer, err := dev.Record(func(s *qd.Stream) error { return graph.LaunchOn(s) })
		must(t, err)
		must(t, graph.Launch(), bounded.Launch(), outer.Launch(), bounded.LaunchOn(s), s.Sync(other))
		ways["Graph"], ways["Graph with one more context"], ways["Graph in a graph"] = graph.Launch, bounded.Launch, outer.Launch
		ways["Graph on a stream"] = func() error { return bounded.LaunchOn(s) }

		want := x.Slice()
		why := errors.New("enough")
		cancel(why)
		for what, launch := range ways {
			if err := errors.Join(launch(), dev.Wait()); !errors.Is(err, why) {
				t.Errorf("%s after the end: %v", what, err)
			}
		}
		if got := x.Slice(); !slices.Equal(got, want) {
			t.Errorf("what was not to be started has run: %v, not %v", got, want)
		}
		must(t, s.Close())
	})
}

// The context of a handle stops a launch that runs, and a build.
func TestLaunchAbandonedByHandle(t *testing.T) {
	for _, name := range []string{"cpu", "go"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		const n = 1 << 20
		x := qd.Zeros[float64](dev, n)
		must(t, dev.Build(manyTurns))
		for _, dev := range []*qd.Device{dev, dev.WithContext(t.Context())} {
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			k := qd.NewKernel(manyTurns).WithDevice(dev.WithContext(ctx))
			if err := dev.Launch(k, qd.Dim(n), 1<<16, x); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", name, err)
			}
			b := qd.NewKernel(builtWithin).WithDevice(dev.WithContext(ctx))
			if err := dev.Build(qd.Spec(b, qd.C(105)), qd.Spec(b, qd.C(106))); name == "cpu" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: build: %v", name, err)
			}
			cancel()
		}
	}
}

// What was prepared, recorded by a tape or queued while a context went on does not start after its end.
func TestPreparedWithContext(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		ctx, cancel := context.WithCancelCause(t.Context())
		bounded := dev.WithContext(ctx)
		x, y := qd.Zeros[float64](dev, 2).WithGrad(), qd.Zeros[float64](dev, 1).WithGrad()
		launch, err := bounded.Bind(manyTurns, qd.Dim(2), 1, x)
		must(t, err)
		run, err := bounded.BindRun(manyTurnsInGrid, 1, x)
		must(t, err)
		must(t, launch.Launch(), run.Launch(), dev.Wait())
		tape := qd.NewTape(bounded)
		sum := qd.Zeros[float64](dev, 1)
		must(t, tape.Launch(sumOf, qd.Dim(1), x, x, sum), tape.Launch(manyTurns, qd.Dim(1), 1, y), tape.Backward(sum))
		values, gradients := x.Slice(), x.Grad().Slice()
		why := errors.New("enough")
		cancel(why)
		for what, err := range map[string]error{
			"qd: launch of manyTurns: not started: enough":       launch.Launch(),
			"qd: launch of manyTurnsInGrid: not started: enough": run.Launch(),
			"qd: Backward of a tape: not started: enough":        tape.Backward(sum),
		} {
			if !errors.Is(err, why) || err.Error() != what {
				t.Errorf("%v, not %s", err, what)
			}
		}
		must(t, dev.Wait())
		if v, g := x.Slice(), x.Grad().Slice(); !slices.Equal(v, values) || !slices.Equal(g, gradients) {
			t.Errorf("values %v have become %v, and gradients %v have become %v", values, v, gradients, g)
		}
		if err := tape.BackwardFrom(y, []float64{1}); !errors.Is(err, why) || y.Grad().Slice()[0] != 0 {
			t.Errorf("%v, and the gradient is %v", err, y.Grad().Slice())
		}
	})
}

// A run of a Grid kernel that waits in a queue when its context ends does not start.
func TestQueuedRunWithContext(t *testing.T) {
	for _, name := range []string{"cpu", "go"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		must(t, dev.Build(manyTurns, manyTurnsInGrid))
		ctx, cancel := context.WithCancel(t.Context())
		s, err := dev.WithContext(ctx).NewStream()
		must(t, err)
		const n = 1 << 20
		x := qd.Zeros[float64](dev, 1)
		must(t, s.Launch(manyTurns, qd.Dim(n), 1<<16, qd.Zeros[float64](dev, n)), s.Run(manyTurnsInGrid, 1, x))
		cancel()
		if err := s.Close(); !errors.Is(err, context.Canceled) || x.Slice()[0] != 0 {
			t.Errorf("%s: %v, and the run has left %v", name, err, x.Slice())
		}
	}
}

//qd:kernel
func builtWithin(t qd.Thread, n qd.Const[int], x []int32) { x[t.ID()] += int32(n.V) }

// A build ends with its context, of several specializations too, and does not blame the compiler.
func TestBuildWithContext(t *testing.T) {
	for _, name := range []string{"cpu", "go"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		within := dev.WithContext(ctx)
		for what, err := range map[string]error{
			"one":     within.Build(qd.Spec(builtWithin, qd.C(101))),
			"several": within.Build(qd.Spec(builtWithin, qd.C(102)), qd.Spec(builtWithin, qd.C(103))),
			"launch":  within.Launch(builtWithin, qd.Dim(1), qd.C(104), make([]int32, 1)),
		} {
			var compile *qd.CompileError
			if !errors.Is(err, context.Canceled) || errors.As(err, &compile) {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		x := make([]int32, 1)
		if err := dev.Launch(builtWithin, qd.Dim(1), qd.C(102), x); err != nil || x[0] != 102 {
			t.Errorf("%s: later: %v, %v", name, x, err)
		}
	}
}
