package qd_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakecuda"
)

//qd:kernel
func plus(t qd.Thread, by int32, x []int32) { x[t.ID()] += by }

//qd:kernel
func times(t qd.Thread, by qd.Const[int32], x []int32) { x[t.ID()] *= by.V }

// loops launches several loops whose number and sizes follow from its arguments.
//
//qd:kernel
func loops(g qd.Grid, n int, x []int32) {
	for i := range n {
		g.For(i+1, func(j int) { x[j]++ })
	}
}

// untilLarge launches a loop until an element says that it is enough.
//
//qd:kernel
func untilLarge(g qd.Grid, x []int32) {
	for x[0] < 100 {
		g.For(len(x), func(i int) { x[i] *= 2 })
	}
}

//qd:kernel
func says(t qd.Thread, what int) { qd.Printf("%d\n", what) }

// recorded records, or ends the test.
func recorded(t *testing.T, dev *qd.Device, f func(s *qd.Stream) error) *qd.Graph {
	t.Helper()
	g, err := dev.Record(f)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func wantInts(t *testing.T, x *qd.Array[int32], want ...int32) {
	t.Helper()
	if got := x.Slice(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A graph launches what was recorded, in order, and recording runs nothing.
func TestGraph(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []int32{1, 2, 3})
		by := int32(2)
		g := recorded(t, dev, func(s *qd.Stream) error {
			for range 2 {
				if err := s.Launch(plus, qd.Dim(3), by, x); err != nil {
					return err
				}
				by = 10
			}
			noError(t, s.Launch(plus, qd.Dim(0), 1000, x))
			return s.Launch(times, qd.Dim(2), qd.C(int32(3)), x)
		})
		if g.Device() != dev {
			t.Errorf("the graph is for %v", g.Device())
		}
		wantInts(t, x, 1, 2, 3)
		noError(t, g.Launch())
		wantInts(t, x, 39, 42, 15)
		noError(t, x.CopyFrom([]int32{0, 1, 2})) // elements are those of the launch
		noError(t, dev.Launch(times, qd.Dim(1), qd.C(int32(17)), x))
		noError(t, g.Launch()) // a new specialization changes nothing
		wantInts(t, x, 36, 39, 14)

		s, err := dev.NewStream()
		noError(t, err)
		noError(t, x.CopyFrom([]int32{0, 0, 0}))
		for range 3 {
			noError(t, g.LaunchOn(s))
			noError(t, s.Launch(plus, qd.Dim(1), 1, x))
		}
		noError(t, s.Sync(context.Background()))
		wantInts(t, x, 36+3*(3*36+3+36)+4, 36+3*36+9*36, 36)
		noError(t, s.Close())
		noError(t, g.Close())
		noError(t, g.Close())
		if err := g.Launch(); err == nil || !strings.Contains(err.Error(), "the graph has been closed") {
			t.Errorf("launch of a closed graph: %v", err)
		}
	})
}

// A graph of nothing launches nothing.
func TestGraphEmpty(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []int32{1})
		for _, f := range []func(s *qd.Stream) error{
			func(*qd.Stream) error { return nil },
			func(s *qd.Stream) error { return s.Launch(plus, qd.Dim(0), 1, x) },
		} {
			g := recorded(t, dev, f)
			noError(t, g.Launch())
			s, err := dev.NewStream()
			noError(t, err)
			noError(t, g.LaunchOn(s))
			noError(t, s.Close())
			noError(t, g.Close())
		}
		wantInts(t, x, 1)
	})
}

// Grid kernels and plain slices are recorded too, whatever the host has to do with them.
func TestGraphHost(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []int32{1, 1, 1})
		host := []int32{5}
		g := recorded(t, dev, func(s *qd.Stream) error {
			return errors.Join(
				s.Run(loops, 3, x),
				s.Launch(plus, qd.Dim(1), 3, host),
				s.Run(untilLarge, x),
				s.Run(loops, 2, x))
		})
		want := []int32{1, 1, 1}
		check := func(n int32) {
			t.Helper()
			loops(qd.Grid{}, 3, want)
			untilLarge(qd.Grid{}, want)
			loops(qd.Grid{}, 2, want)
			if wantInts(t, x, want...); host[0] != 5+3*n {
				t.Errorf("host %d, want %d", host[0], 5+3*n)
			}
		}
		noError(t, g.Launch())
		check(1)
		want = []int32{7, 1, 0}
		noError(t, x.CopyFrom(want))
		noError(t, g.Launch())
		check(2)
		s, err := dev.NewStream()
		noError(t, err)
		want = []int32{2, 1, 0}
		noError(t, x.CopyFrom(want))
		noError(t, g.LaunchOn(s))
		noError(t, s.Close())
		check(3)
		noError(t, g.Close())
	})
}

// Variables that a kernel reads have the value of the launch.
func TestGraphVariables(t *testing.T) {
	defer func(scale float32) { blendScale = scale }(blendScale)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		blendScale = 2
		x := qd.From(dev, []float64{1})
		g := recorded(t, dev, func(s *qd.Stream) error { return errors.Join(s.Run(blendGrid, x), s.Run(blendGrid, x)) })
		want := 1.0
		for _, blendScale = range []float32{2, 3, 3, 2, 5} {
			noError(t, g.Launch())
			want *= float64(blendScale) * float64(blendScale)
			if got := x.Slice()[0]; got != want {
				t.Errorf("with %v: %v, want %v", blendScale, got, want)
			}
		}
	})
}

// A graph can be part of another.
func TestGraphInGraph(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []int32{1})
		inner := recorded(t, dev, func(s *qd.Stream) error { return s.Launch(plus, qd.Dim(1), 1, x) })
		outer := recorded(t, dev, func(s *qd.Stream) error {
			return errors.Join(inner.LaunchOn(s), s.Launch(times, qd.Dim(1), qd.C(int32(2)), x), inner.LaunchOn(s))
		})
		noError(t, inner.Close())
		noError(t, outer.Launch())
		noError(t, outer.Launch())
		wantInts(t, x, ((1+1)*2+1+1)*2+1)
		if _, err := dev.Record(func(s *qd.Stream) error { return inner.LaunchOn(s) }); err == nil || !strings.Contains(err.Error(), "the graph has been closed") {
			t.Errorf("a closed graph was recorded: %v", err)
		}
	})
}

// What is no launch on the stream is an error, of Record too where the function goes on.
func TestRecordErrors(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, other := qd.From(dev, []int32{1}), qd.From(dev, []int32{1})
		stream, err := dev.NewStream()
		noError(t, err)
		prepared, err := dev.Bind(plus, qd.Dim(1), 1, x)
		noError(t, err)
		g := recorded(t, dev, func(s *qd.Stream) error { return s.Launch(plus, qd.Dim(1), 1, x) })
		mine := errors.New("mine")
		for _, c := range []struct {
			what string
			f    func(s *qd.Stream) error
			want string
		}{
			{"Sync", func(s *qd.Stream) error { return s.Sync(context.Background()) }, "Sync waits for what has been launched"},
			{"Sync unnoticed", func(s *qd.Stream) error { _ = s.Sync(context.Background()); return nil }, "Sync waits for what has been launched"},
			{"Close", func(s *qd.Stream) error { return s.Close() }, "Record closes this stream itself"},
			{"Wait", func(s *qd.Stream) error { return dev.Wait() }, "wait on " + dev.String() + ": a graph has launches only"},
			{"CopyTo", func(s *qd.Stream) error { return x.CopyTo(make([]int32, 1)) }, "copy from an array"},
			{"CopyFrom", func(s *qd.Stream) error { return x.CopyFrom(make([]int32, 1)) }, "copy to an array"},
			{"From", func(s *qd.Stream) error { return qd.From(dev, []int32{1}).Err() }, "make an array"},
			{"Zeros", func(s *qd.Stream) error { return s.Launch(plus, qd.Dim(1), 1, qd.Zeros[int32](dev, 1)) }, "make an array"},
			{"Free", func(s *qd.Stream) error { defer other.Free(); return s.Launch(plus, qd.Dim(1), 1, other) }, "launch of plus: an array of the recorded launch has been freed"},
			{"Launch", func(s *qd.Stream) error { return dev.Launch(plus, qd.Dim(1), 1, x) }, "can launch only on the stream that it gets"},
			{"checked Launch", func(s *qd.Stream) error { return dev.Checked().Launch(plus, qd.Dim(1), 1, x) }, "can launch only on the stream that it gets"},
			{"Run", func(s *qd.Stream) error { return dev.Run(loops, 1, x) }, "can launch only on the stream that it gets"},
			{"Prepared", func(s *qd.Stream) error { return prepared.Launch() }, "can launch only on the stream that it gets"},
			{"other stream", func(s *qd.Stream) error { return stream.Launch(plus, qd.Dim(1), 1, x) }, "can launch only on the stream that it gets"},
			{"Graph", func(s *qd.Stream) error { return g.Launch() }, "can launch only on the stream that it gets"},
			{"wrong argument", func(s *qd.Stream) error { return s.Launch(plus, qd.Dim(1), 1) }, "1 argument for 2 parameters"},
			{"wrong argument unnoticed", func(s *qd.Stream) error { _ = s.Launch(plus, qd.Dim(1), 1); return nil }, "1 argument for 2 parameters"},
			{"own error", func(s *qd.Stream) error { _ = s.Launch(plus, qd.Dim(1), 1, x); return mine }, "mine"},
			{"no function", nil, "the function for Record is nil"},
		} {
			g, err := dev.Record(c.f)
			if g != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.what, err, c.want)
			}
			if c.what == "own error" && err != mine {
				t.Errorf("not the function's own error: %v", err)
			}
		}
		var late *qd.Stream
		func() {
			defer func() {
				if recover() != mine {
					t.Error("the panic is lost")
				}
			}()
			_, _ = dev.Record(func(s *qd.Stream) error { late = s; panic(mine) })
		}()
		if err := late.Launch(plus, qd.Dim(1), 1, x); err == nil || !strings.Contains(err.Error(), "the stream no longer records") {
			t.Errorf("launch after Record: %v", err)
		}
		// Nothing has run, and everything works as before.
		wantInts(t, x, 1)
		noError(t, dev.Launch(plus, qd.Dim(1), 1, x))
		noError(t, g.Launch())
		noError(t, prepared.Launch())
		wantInts(t, x, 4)

		x.Free()
		var le *qd.LaunchError
		if err := g.Launch(); !errors.As(err, &le) || !strings.Contains(err.Error(), "launch of plus: an array of the recorded launch has been freed") {
			t.Errorf("after Free: %v", err)
		}
	})
	if _, err := (*qd.Device)(nil).Record(func(*qd.Stream) error { return nil }); err == nil {
		t.Error("a nil device records")
	}
}

// Another goroutine than that of the function works with the device meanwhile.
func TestRecordBesideOthers(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, []int32{1}), qd.From(dev, []int32{1})
		g := recorded(t, dev, func(s *qd.Stream) error {
			done := make(chan error)
			go func() {
				err := dev.Launch(plus, qd.Dim(1), 1, y)
				if got := y.Slice(); got[0] != 2 {
					err = errors.New("the other goroutine's launch did not run")
				}
				done <- err
			}()
			return errors.Join(<-done, s.Launch(plus, qd.Dim(1), 1, x))
		})
		noError(t, g.Launch())
		wantInts(t, x, 2)
		wantInts(t, y, 2)
	})
}

// A fault is that of its launch, and those behind it run all the same.
func TestGraphFault(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		x, end := qd.From(dev, make([]int32, 8)), qd.From(dev, make([]int32, 1))
		for _, c := range []struct {
			name   string
			record func(s *qd.Stream) error
			kernel string
		}{
			{"launch", func(s *qd.Stream) error {
				return errors.Join(s.Launch(plus, qd.Dim(8), 1, x), s.Launch(faulty, qd.Dim(2, 3), x), s.Launch(pastOnce, qd.Dim(4), x, x), s.Launch(plus, qd.Dim(1), 1, end))
			}, "faulty"},
			{"grid", func(s *qd.Stream) error {
				return errors.Join(s.Run(gridFaulty, 3, x), s.Launch(faulty, qd.Dim(2, 3), x), s.Launch(plus, qd.Dim(1), 1, end))
			}, "gridFaulty"},
			{"host", func(s *qd.Stream) error {
				return errors.Join(s.Launch(plus, qd.Dim(8), 1, x), s.Run(hostFaulty, 8, x), s.Launch(plus, qd.Dim(1), 1, end))
			}, "hostFaulty"},
		} {
			g := recorded(t, dev, c.record)
			before := end.Slice()[0]
			var f *qd.Fault
			err := errors.Join(g.Launch(), dev.Wait())
			if !errors.As(err, &f) || f.Kernel != c.kernel {
				t.Errorf("%s: %v", c.name, err)
			}
			noError(t, dev.Wait())
			wantInts(t, end, before+1)

			s, err := dev.NewStream()
			noError(t, err)
			err = g.LaunchOn(s)
			if err == nil || c.name != "host" { // which waits on a GPU
				noError(t, err)
				err = s.Sync(context.Background())
			}
			if !errors.As(err, &f) || f.Kernel != c.kernel {
				t.Errorf("%s on a stream: %v", c.name, err)
			}
			noError(t, s.Close())
			noError(t, g.Close())
			wantInts(t, end, before+2)
		}
	})
}

// What the kernels of a graph print is printed as that of launches.
func TestGraphPrints(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		var out strings.Builder
		defer qd.SetOutput(qd.SetOutput(&out))
		g := recorded(t, dev, func(s *qd.Stream) error {
			return errors.Join(s.Launch(says, qd.Dim(1), 1), s.Launch(says, qd.Dim(1), 2))
		})
		noError(t, g.Launch())
		noError(t, g.Launch())
		noError(t, dev.Wait())
		if out.String() != "1\n2\n1\n2\n" {
			t.Errorf("printed %q", out.String())
		}
	})
}

// Goroutines launch one graph, as it is and on streams: each of its runs is whole.
func TestGraphAtOnce(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []int32{0, 0, 0})
		host := []int32{0}
		g := recorded(t, dev, func(s *qd.Stream) error {
			// Only whole runs leave x as it was.
			return errors.Join(
				s.Launch(plus, qd.Dim(3), 7, x),
				s.Launch(times, qd.Dim(3), qd.C(int32(0)), x),
				s.Run(loops, 3, x),
				s.Launch(plus, qd.Dim(1), 1, host),
				s.Launch(plus, qd.Dim(1), -3, x))
		})
		const goroutines, runs = 6, 20
		var wg sync.WaitGroup
		for i := range goroutines {
			wg.Go(func() {
				s, err := dev.NewStream()
				if err != nil {
					t.Error(err)
					return
				}
				for range runs {
					if i%2 == 0 {
						err = g.Launch()
					} else {
						err = g.LaunchOn(s)
					}
					if err != nil {
						t.Error(err)
					}
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		wantInts(t, x, 0, 2, 1)
		if host[0] != goroutines*runs {
			t.Errorf("%d runs of %d", host[0], goroutines*runs)
		}
	})
}

// Launching a graph of a release build allocates nothing on devices that compile; nor does a checked one on cpu.
func TestGraphDoesNotAllocate(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		builds := []*qd.Device{dev}
		switch dev.String() {
		case "go":
			t.Skip("which makes goroutines")
		case "cpu":
			builds = append(builds, dev.Checked())
		}
		for _, dev := range builds {
			x := qd.From(dev, []int32{0, 1, 2})
			g := recorded(t, dev, func(s *qd.Stream) error {
				return errors.Join(s.Launch(plus, qd.Dim(3), 1, x), s.Launch(times, qd.Dim(3), qd.C(int32(2)), x))
			})
			var err error
			if n := testing.AllocsPerRun(100, func() { err = g.Launch() }); n != 0 || err != nil {
				t.Errorf("%v allocations, error %v", n, err)
			}
		}
	})
}

// On a CUDA device one call of the driver starts all launches that the host has no part in.
func TestGraphOnCUDA(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") == "" {
		t.Skip("for the fake driver")
	}
	driver := fakecuda.Opened(t)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, host := qd.From(dev, []int32{1, 1, 1}), []int32{1}
		step := func(s *qd.Stream) error { return s.Launch(plus, qd.Dim(3), 1, x) }
		for _, c := range []struct {
			name             string
			record           func(s *qd.Stream) error
			graphs, launches int
		}{
			{"launches", func(s *qd.Stream) error { return errors.Join(step(s), step(s), step(s)) }, 1, 0},
			{"loops of a Grid kernel", func(s *qd.Stream) error { return errors.Join(step(s), s.Run(loops, 3, x), step(s)) }, 1, 0},
			{"a slice", func(s *qd.Stream) error {
				return errors.Join(step(s), s.Launch(plus, qd.Dim(1), 1, host), step(s), step(s))
			}, 2, 1},
			{"a Grid kernel that reads", func(s *qd.Stream) error { return errors.Join(step(s), step(s), s.Run(untilLarge, x)) }, 1, 6},
			{"nothing", func(s *qd.Stream) error { return nil }, 0, 0},
		} {
			noError(t, x.CopyFrom([]int32{1, 1, 1}))
			g := recorded(t, dev, c.record)
			graphs, launches := driver.Calls("cuGraphLaunch"), driver.Calls("cuLaunchKernel")
			noError(t, g.Launch())
			noError(t, dev.Wait())
			graphs, launches = driver.Calls("cuGraphLaunch")-graphs, driver.Calls("cuLaunchKernel")-launches
			if graphs != c.graphs || launches != c.launches {
				t.Errorf("%s: %d graphs and %d launches, want %d and %d", c.name, graphs, launches, c.graphs, c.launches)
			}
			live := driver.Live()
			noError(t, g.Close())
			if n := live - driver.Live(); n != c.graphs {
				t.Errorf("%s: Close has given back %d objects, not %d", c.name, n, c.graphs)
			}
		}

		// A graph that is lost is closed.
		live := driver.Live()
		func() {
			g := recorded(t, dev, step)
			noError(t, g.Launch())
			noError(t, dev.Wait())
		}()
		for range 1000 {
			if runtime.GC(); driver.Live() <= live {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Error("the garbage collector leaves graphs on the device")
	})
}
