package qd_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd"
)

// slow takes a while, and writes all the time.
//
//qd:kernel
func slow(t qd.Thread, rounds int, x []float32) {
	for range rounds {
		for i := range x {
			x[i] += 1
		}
	}
}

// An array that is freed while a kernel runs on another goroutine keeps its memory
// until the kernel ends: nobody else's memory is written.
func TestFreeDuringLaunch(t *testing.T) {
	dev := cpuDevice(t)
	x := qd.Zeros[float32](dev, 1<<16)
	if err := dev.Launch(slow, qd.Dim(1), 1, x); err != nil { // compiles it
		t.Fatal(err)
	}
	var others [][]float32
	for pause := 20 * time.Millisecond; ; pause *= 2 {
		done := make(chan error)
		go func(x *qd.Array[float32]) { done <- dev.Launch(slow, qd.Dim(1), 10000, x) }(x)
		time.Sleep(pause)
		x.Free()
		for range 64 {
			runtime.GC()
			others = append(others, make([]float32, 1<<16))
		}
		err := <-done
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "has been freed") {
			t.Fatal(err)
		}
		x = qd.Zeros[float32](dev, 1<<16) // the machine is busy: the launch came too late
	}
	for _, o := range others {
		for i, v := range o {
			if v != 0 {
				t.Fatalf("element %d of a slice of nobody's is %v", i, v)
			}
		}
	}
}

func TestClosedStream(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		s, err := dev.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Launch(saxpy, qd.Dim(8), 1, ramp(8), ramp(8)); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("launch on a closed stream: %v", err)
		}
	})
}

// A copy from an array does not hide that the kernel which wrote it has faulted.
func TestStreamFaultShowsInCopy(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	s, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	x := qd.Zeros[int32](dev, 8)
	if err := s.Launch(faulty, qd.Dim(6), x); err != nil {
		t.Fatal(err)
	}
	var f *qd.Fault
	if err := x.CopyTo(make([]int32, 8)); !errors.As(err, &f) {
		t.Errorf("CopyTo: %v", err)
	}
	if err := s.Sync(context.Background()); !errors.As(err, &f) {
		t.Errorf("Sync: %v", err)
	}
	if err := x.CopyTo(make([]int32, 8)); err != nil {
		t.Errorf("CopyTo after Sync: %v", err)
	}
}

// Sync waits for what was queued before it, not for what others queue meanwhile.
func TestSyncEnds(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	s, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	stopped := make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
				if err := s.Launch(slow, qd.Dim(1), 10, make([]float32, 1000)); err != nil {
					stopped <- err
					return
				}
			}
		}
	}()
	for range 3 {
		if err := s.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
}

func TestKernelDevice(t *testing.T) {
	goDev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	cpu := cpuDevice(t)
	t.Setenv("QD_DEVICE", "go")
	k := qd.NewKernel(saxpy)
	x, y := qd.From(cpu, ramp(8)), qd.Zeros[float32](cpu, 8)
	var le *qd.LaunchError
	if err := qd.Launch(k, qd.Dim(8), 1, x, y); !errors.As(err, &le) {
		t.Errorf("arrays of another device than the default: %v", err)
	}
	if err := goDev.Launch(k.WithDevice(cpu), qd.Dim(8), 1, ramp(8), ramp(8)); !errors.As(err, &le) || !strings.Contains(err.Error(), "handle is for device cpu") {
		t.Errorf("a handle for another device: %v", err)
	}
	for name, launch := range map[string]func() error{
		"qd.Launch of a handle with a device": func() error { return qd.Launch(k.WithDevice(cpu), qd.Dim(8), 1, x, y) },
		"Kernel.Launch with arrays":           func() error { return k.Launch(qd.Dim(8), 1, x, y) },
		"Kernel.Bind with arrays": func() error {
			p, err := k.Bind(qd.Dim(8), 1, x, y)
			if err != nil {
				return err
			}
			if p.Device() != cpu {
				t.Errorf("bound to %v", p.Device())
			}
			return p.Launch()
		},
	} {
		if err := launch(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := y.Slice()[7]; got != 21 {
		t.Errorf("y[7] = %v", got)
	}
}

// TestNil calls all methods of what is nil, and of zero values.
func TestNil(t *testing.T) {
	var nils = struct {
		dev    []*qd.Device
		kernel []*qd.Kernel
		stream []*qd.Stream
		run    []*qd.Prepared
		array  []*qd.Array[int]
		graph  []*qd.Graph
	}{
		[]*qd.Device{nil, {}}, []*qd.Kernel{nil, {}}, []*qd.Stream{nil, {}}, []*qd.Prepared{nil, {}}, []*qd.Array[int]{nil, {}}, []*qd.Graph{nil, {}},
	}
	const noDevice, noStream, notMade = "the device is nil; open one with Open", "the stream is nil; take one from Device.NewStream", "it was not made by From or Zeros"
	var noContext context.Context
	const noGraph = "the graph is nil; take one from Device.Record"
	second := func(_ any, err error) error { return err }
	for i := range 2 {
		dev, kernel, stream, run, array, graph := nils.dev[i], nils.kernel[i], nils.stream[i], nils.run[i], nils.array[i], nils.graph[i]
		on := qd.NewKernel(saxpy).WithDevice(dev)
		for _, test := range []struct {
			name string
			err  error
			want string
		}{
			{"Device.Launch", dev.Launch(saxpy, qd.Dim(1)), noDevice},
			{"Device.Run", dev.Run(gridScale, qd.C(1), []int{1}), noDevice},
			{"Device.Bind", second(dev.Bind(saxpy, qd.Dim(1))), noDevice},
			{"Device.BindRun", second(dev.BindRun(gridScale, qd.C(1), []int{1})), noDevice},
			{"Device.Build", dev.Build(saxpy), noDevice},
			{"Device.NewStream", second(dev.NewStream()), noDevice},
			{"Device.Wait", dev.Wait(), noDevice},
			{"Device.Checked", dev.Checked().Launch(saxpy, qd.Dim(1)), noDevice},
			{"Kernel.Launch", kernel.Launch(qd.Dim(1)), "the kernel is nil"},
			{"Kernel.Run", kernel.Run(), "the kernel is nil"},
			{"Kernel.Bind", second(kernel.Bind(qd.Dim(1))), "the kernel is nil"},
			{"Kernel.BindRun", second(kernel.BindRun()), "the kernel is nil"},
			{"Kernel.WithBlockDim", kernel.WithBlockDim(32).Launch(qd.Dim(1)), "the kernel is nil"},
			{"Kernel.WithDevice", kernel.WithDevice(dev).Launch(qd.Dim(1)), "the kernel is nil"},
			{"Launch", qd.Launch(kernel, qd.Dim(1)), "the kernel is nil"},
			{"Build", qd.Build(kernel), "the kernel is nil"},
			{"Launch with device", on.Launch(qd.Dim(1), 1, ramp(1), ramp(1)), "launch of saxpy: the device that WithDevice was given is nil"},
			{"Launch of a handle with device", qd.Launch(on, qd.Dim(1), 1, ramp(1), ramp(1)), "the device that WithDevice was given is nil"},
			{"Bind with device", second(on.Bind(qd.Dim(1), 1, ramp(1), ramp(1))), "the device that WithDevice was given is nil"},
			{"Build with device", qd.Build(on), "the device that WithDevice was given is nil"},
			{"Stream.Launch", stream.Launch(saxpy, qd.Dim(1)), noStream},
			{"Stream.Run", stream.Run(gridScale), noStream},
			{"Stream.Sync", stream.Sync(t.Context()), noStream},
			{"Stream.Sync of nil", stream.Sync(noContext), noStream},
			{"Stream.Close", stream.Close(), noStream},
			{"Prepared.Launch", run.Launch(), "the prepared launch is nil; take one from Bind or BindRun"},
			{"Device.Record", second(dev.Record(func(*qd.Stream) error { return nil })), noDevice},
			{"Graph.Launch", graph.Launch(), noGraph},
			{"Graph.LaunchOn", graph.LaunchOn(stream), noGraph},
			{"Graph.Close", graph.Close(), noGraph},
			{"Array.Err", array.Err(), notMade},
			{"Array.CopyTo", array.CopyTo(nil), notMade},
			{"Array.CopyFrom", array.CopyFrom(nil), notMade},
		} {
			if test.err == nil || !strings.HasPrefix(test.err.Error(), "qd: ") || !strings.Contains(test.err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", test.name, test.err, test.want)
			}
		}
		if dev.String() != "(no device)" || dev.Description() != "(no device)" || kernel.Name() != qd.NewKernel(nil).Name() || run.Device() != nil || graph.Device() != nil {
			t.Errorf("%v, %s, %s, %v", dev, dev.Description(), kernel.Name(), run.Device())
		}
		if array.Free(); array.Device() != nil || len(array.Shape()) != 0 || array.Len() != 0 {
			t.Errorf("%v, %v, %d", array.Device(), array.Shape(), array.Len())
		}
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), notMade) {
					t.Errorf("Slice: %v", err)
				}
			}()
			array.Slice()
		}()
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "array on a nil device; open one with Open") {
					t.Errorf("Zeros: %s", text)
				}
			}()
			qd.Zeros[int](dev)
		}()
	}
	for name, ask := range map[string]func(a qd.Args){
		"Dim":   func(a qd.Args) { a.Dim("x", 0) },
		"Len":   func(a qd.Args) { a.Len("x") },
		"Int":   func(a qd.Args) { a.Int("x") },
		"Value": func(a qd.Args) { a.Value("x") },
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.HasPrefix(err.Error(), "qd: these qd.Args are of no launch; ask those that a function") {
					t.Errorf("Args.%s: %v", name, err)
				}
			}()
			ask(qd.Args{})
		}()
	}
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	if err := qd.NewKernel(saxpy).WithDevice(nil).WithDevice(dev).Launch(qd.Dim(1), 1, ramp(1), ramp(1)); err != nil {
		t.Error(err)
	}
}

// A nil context never ends, here as elsewhere.
func TestNilContext(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		var none context.Context
		s, err := dev.WithContext(none).NewStream()
		must(t, err)
		defer s.Close()
		x := qd.From(dev, ramp(10))
		must(t, s.Launch(saxpy, qd.Dim(10), 1, x, x), s.Sync(none), dev.WithContext(none).Wait())
		if got := x.Slice(); got[9] != 18 {
			t.Error(got)
		}
	})
}

// Zero values are errors of a documented type, where there is an error to return.
func TestZeroValues(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	for name, launch := range map[string]func() error{
		"kernel":           func() error { return new(qd.Kernel).Launch(qd.Dim(1)) },
		"copy of nil":      func() error { return (*qd.Kernel)(nil).WithBlockDim(32).Launch(qd.Dim(1)) },
		"device":           func() error { return (*qd.Device)(nil).Launch(saxpy, qd.Dim(1), 1, ramp(1), ramp(1)) },
		"device, not open": func() error { return new(qd.Device).Launch(saxpy, qd.Dim(1), 1, ramp(1), ramp(1)) },
		"array":            func() error { return dev.Launch(saxpy, qd.Dim(1), 1, ramp(1), new(qd.Array[float32])) },
	} {
		var le *qd.LaunchError
		if err := launch(); !errors.As(err, &le) {
			t.Errorf("%s: %v (%T)", name, err, err)
		}
	}
	var de *qd.DeviceError
	if err := new(qd.Array[float32]).CopyTo(nil); !errors.As(err, &de) {
		t.Errorf("CopyTo of a zero array: %v", err)
	}
	if err := qd.Zeros[float64](dev, huge(46)).Err(); !errors.As(err, &de) {
		t.Errorf("an array of 2^49 bytes: %v", err)
	}
}
