package qd_test

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/testenv"
)

//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}

//qd:kernel
func fill(t qd.Thread, b bool, i8 int8, u8 uint8, i16 int16, u16 uint16, i32 int32, u32 uint32, i64 int64, u64 uint64, n int, u uint, f32 float32, f64 float64, out []float64) {
	v := 0.0
	if b {
		v = 1
	}
	out[0], out[1], out[2], out[3] = v, float64(i8), float64(u8), float64(i16)
	out[4], out[5], out[6], out[7] = float64(u16), float64(i32), float64(u32), float64(i64)
	out[8], out[9], out[10], out[11], out[12] = float64(u64), float64(n), float64(u), float64(f32), f64
}

//qd:kernel
func place2(t qd.Thread, out []int) {
	i, j := t.ID2()
	out[t.ID()] = 100*i + j
}

//qd:kernel
func faulty(t qd.Thread, x []int32) {
	i := t.ID()
	if i == 5 {
		x[i+3]++
	}
}

//qd:kernel
func refused(t qd.Thread, x []int32) {
	m := map[int32]int32{}
	x[t.ID()] = m[0]
	go func() {}()
}

func notKernel(x []float32) {}

// devices are the devices to test. The tests make sure elsewhere that "cpu" is among them
// where it must be. In the process of TestWithoutGPU it is "cuda:0" alone: the process that
// starts it tests the others.
func devices(t *testing.T) []*qd.Device {
	t.Helper()
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		return opened(t, "cuda:0")
	}
	return opened(t, deviceNames...)
}

var deviceNames = []string{"go", "cpu", "cuda:0"}

// opened are those of the devices that this machine has.
func opened(t *testing.T, names ...string) []*qd.Device {
	t.Helper()
	var all []*qd.Device
	for _, name := range names {
		dev, err := qd.Open(name)
		var missing *qd.MissingError
		if errors.As(err, &missing) {
			t.Logf("without device %s: %v", name, err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, dev)
	}
	return all
}

// cpuDevice is device "cpu"; where it cannot be had the test ends.
func cpuDevice(t *testing.T) *qd.Device {
	t.Helper()
	dev, err := qd.Open("cpu")
	if err != nil {
		testenv.Missing(t, err)
	}
	return dev
}

// onAll runs a test on each device.
func onAll(t *testing.T, f func(t *testing.T, dev *qd.Device)) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) { f(t, dev) })
	}
}

func ramp(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i)
	}
	return x
}

func TestLaunchSlices(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := ramp(1000), ramp(1000)
		if err := dev.Launch(saxpy, qd.Dim(1000), 2.0, x, y); err != nil {
			t.Fatal(err)
		}
		for i := range y {
			if y[i] != 3*float32(i) {
				t.Fatalf("y[%d] = %v", i, y[i])
			}
		}
	})
}

// A slice that is passed twice, or that overlaps another, is one memory.
func TestLaunchOverlappingSlices(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := ramp(100)
		if err := dev.Launch(saxpy, qd.Dim(50), 1, x[50:], x[:50]); err != nil {
			t.Fatal(err)
		}
		if err := dev.Launch(saxpy, qd.Dim(100), 1, x, x); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			want := 2 * float32(i)
			if i < 50 {
				want = 2 * float32(2*i+50)
			}
			if x[i] != want {
				t.Fatalf("x[%d] = %v, want %v", i, x[i], want)
			}
		}
	})
}

func TestLaunchArrays(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, ramp(1024), 32, 32), qd.Zeros[float32](dev, 32, 32)
		defer x.Free()
		defer y.Free()
		for range 3 {
			if err := dev.Launch(saxpy, qd.Dim(1024), 0.5, x, y); err != nil {
				t.Fatal(err)
			}
		}
		for i, v := range y.Slice() {
			if v != 1.5*float32(i) {
				t.Fatalf("y[%d] = %v", i, v)
			}
		}
		if s := y.Shape(); len(s) != 2 || s[0] != 32 || s[1] != 32 {
			t.Errorf("shape %v", s)
		}
	})
}

func TestScalarsOfEveryType(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		out := make([]float64, 13)
		err := dev.Launch(fill, qd.Dim(1), true, int8(-8), uint8(200), int16(-1616), uint16(61616), int32(-32), uint32(1<<31),
			int64(-64), uint64(1<<63), -1, uint(7), float32(0.5), math.Pi, out)
		if err != nil {
			t.Fatal(err)
		}
		want := []float64{1, -8, 200, -1616, 61616, -32, 1 << 31, -64, 1 << 63, -1, 7, 0.5, math.Pi}
		for i := range want {
			if out[i] != want[i] {
				t.Errorf("out[%d] = %v, want %v", i, out[i], want[i])
			}
		}
	})
}

// An int and a float64 stand for constants of any type that can hold them.
func TestConstantArguments(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, 13)
	if err := dev.Launch(fill, qd.Dim(1), true, -128, 255, 1e3, 2.0, 4, 5, 6, 7, 8.0, 9, 10, 11, out); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, -128, 255, 1000, 2, 4, 5, 6, 7, 8, 9, 10, 11} {
		if out[i] != want {
			t.Errorf("out[%d] = %v, want %v", i, out[i], want)
		}
	}
}

func TestLaunchErrors(t *testing.T) {
	x, y := ramp(8), ramp(8)
	other := func(dev *qd.Device) *qd.Device {
		for _, d := range opened(t, deviceNames...) {
			if d != dev {
				return d
			}
		}
		t.Skip("there is one device only")
		return nil
	}
	tests := []struct {
		name   string
		launch func(dev *qd.Device) error
		want   string
	}{
		{"nil kernel", func(d *qd.Device) error { return d.Launch(nil, qd.Dim(1)) }, "the kernel is nil"},
		{"nil function", func(d *qd.Device) error { return d.Launch((func(qd.Thread))(nil), qd.Dim(1)) }, "the kernel is nil"},
		{"nil handle", func(d *qd.Device) error { return d.Launch((*qd.Kernel)(nil), qd.Dim(1)) }, "the kernel is nil"},
		{"handle on nil", func(d *qd.Device) error { return d.Launch(qd.NewKernel(nil), qd.Dim(1)) }, "the kernel is nil"},
		{"no function", func(d *qd.Device) error { return d.Launch(42, qd.Dim(1)) }, "this value is of type int"},
		{"no kernel", func(d *qd.Device) error { return d.Launch(notKernel, qd.Dim(1), x) }, "must be a qd.Thread"},
		{"too few", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), 2.0, x) }, "2 arguments for 3 parameters"},
		{"too many", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), 2.0, x, y, y) }, "4 arguments for 3 parameters"},
		{"one", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), 2.0) }, "1 argument for 3 parameters"},
		{"no number", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), "2", x, y) }, "the argument is of type string, but the parameter is of type float32"},
		{"nil argument", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), 2.0, x, nil) }, "nil"},
		{"wrong scalar", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), "2", x, y) }, "of type string"},
		{"wrong element", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), 2.0, x, []float64{1}) }, "must be of type float32"},
		{"array for slice", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), 2.0, x, [8]float32{}) }, "a[:]"},
		{"wrong array", func(d *qd.Device) error {
			return d.Launch(saxpy, qd.Dim(8), 2.0, x, qd.Zeros[float64](d, 8))
		}, "elements of type float64"},
		{"nil array", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), 2.0, x, (*qd.Array[float32])(nil)) }, "nil"},
		{"array of another device", func(d *qd.Device) error {
			return d.Launch(saxpy, qd.Dim(8), 2.0, x, qd.Zeros[float32](other(d), 8))
		}, "the array is on device"},
		{"freed array", func(d *qd.Device) error {
			a := qd.Zeros[float32](d, 8)
			a.Free()
			return d.Launch(saxpy, qd.Dim(8), 2.0, x, a)
		}, "has been freed"},
		{"constant too large", func(d *qd.Device) error {
			return d.Launch(fill, qd.Dim(1), true, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, []float64{})
		}, "128 does not fit in int8"},
		{"constant negative", func(d *qd.Device) error {
			return d.Launch(fill, qd.Dim(1), true, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, []float64{})
		}, "-1 does not fit in uint8"},
		{"constant no integer", func(d *qd.Device) error {
			return d.Launch(fill, qd.Dim(1), true, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, []float64{})
		}, "0.5 is not an integer"},
		{"float too large", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(8), 1e300, x, y) }, "does not fit in float32"},
		{"no dimension", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(), 2.0, x, y) }, "1 to 4 dimensions, not 0"},
		{"five dimensions", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(1, 1, 1, 1, 1), 2.0, x, y) }, "1 to 4 dimensions, not 5"},
		{"negative", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(4, -2), 2.0, x, y) }, "Dim(4, -2): a dimension cannot be negative"},
		{"negative and zero", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(0, -2), 2.0, x, y) }, "Dim(0, -2): a dimension cannot be negative"},
		{"nothing, too large", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(0, huge(31)+1), 2.0, x, y) }, "at most 2147483648"},
		{"nothing, wrong argument", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(0), 2.0, x, "y") }, "the argument is of type string"},
		{"nothing, wrong rank", func(d *qd.Device) error { return d.Launch(place2, qd.Dim(0), []int{0}) }, "launch it over 2 dimensions"},
		{"too large", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(huge(31)+1), 2.0, x, y) }, "at most 2147483648"},
		{"product too large", func(d *qd.Device) error { return d.Launch(saxpy, qd.Dim(huge(31), huge(31), 2), 2.0, x, y) }, "more threads than an int can count"},
		{"rank", func(d *qd.Device) error { return d.Launch(place2, qd.Dim(4), []int{0}) }, "launch it over 2 dimensions"},
		{"block", func(d *qd.Device) error {
			return d.Launch(qd.NewKernel(saxpy).WithBlockDim(2000), qd.Dim(8), 2.0, x, y)
		}, "1 to 1024 threads"},
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				err := tt.launch(dev)
				var le *qd.LaunchError
				if !errors.As(err, &le) {
					t.Fatalf("error %v (%T), want a *LaunchError", err, err)
				}
				if !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %q does not contain %q", err, tt.want)
				}
			})
		}
		for i := range x {
			if y[i] != float32(i) {
				t.Fatal("a launch with an error has run")
			}
		}
	})
}

// What the front end refuses, it refuses on every device, all at once.
func TestDiagnostics(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		err := dev.Launch(refused, qd.Dim(1), []int32{0})
		var ds *qd.Diagnostics
		if !errors.As(err, &ds) {
			t.Fatalf("error %v (%T), want *Diagnostics", err, err)
		}
		if len(ds.List) < 2 || !strings.Contains(err.Error(), "launch_test.go:") || !strings.Contains(err.Error(), "map") {
			t.Errorf("diagnostics:\n%v", err)
		}
	})
}

func TestFault(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	err = dev.Launch(faulty, qd.Dim(2, 3), make([]int32, 8))
	var f *qd.Fault
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T), want a *Fault", err, err)
	}
	if f.Reason != "index out of range [8] with length 8" || !strings.HasSuffix(f.File, "launch_test.go") || f.Line == 0 || f.Kernel != "faulty" ||
		len(f.Thread) != 2 || f.Thread[0] != 1 || f.Thread[1] != 2 {
		t.Errorf("fault %+v", f)
	}
}

func TestPrepared(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, ramp(64)), qd.Zeros[float32](dev, 64)
		p, err := qd.NewKernel(saxpy).WithBlockDim(32).Bind(qd.Dim(64), 1, x, y)
		if err != nil {
			t.Fatal(err)
		}
		if p.Device() != dev {
			t.Fatalf("prepared for %v", p.Device())
		}
		for range 10 {
			if err := p.Launch(); err != nil {
				t.Fatal(err)
			}
		}
		if got := y.Slice()[63]; got != 630 {
			t.Errorf("y[63] = %v", got)
		}
		y.Free()
		var le *qd.LaunchError
		if err := p.Launch(); !errors.As(err, &le) {
			t.Errorf("after Free: %v", err)
		}
	})
}

// What a caller does with the list of arguments after Bind changes nothing, also where the launch is prepared anew.
func TestPreparedKeepsArguments(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, other := qd.Zeros[int](dev, 3), qd.Zeros[int](dev, 3)
		list := []any{x}
		p, err := dev.Bind(bound, qd.Dim(1), list...)
		if err != nil {
			t.Fatal(err)
		}
		list[0] = other
		defer func() { threshold = 10 }()
		for _, threshold = range []int{10, 11} { // the kernel is another one then
			if err := p.Launch(); err != nil {
				t.Fatal(err)
			}
		}
		if got, not := x.Slice()[1], other.Slice()[1]; got != 11 || not != 0 {
			t.Errorf("x[1] = %v, and %v in the array that it was not bound to", got, not)
		}
	})
}

// A prepared launch of a release build allocates nothing on devices that compile; nor does a checked
// one on cpu.
func TestPreparedDoesNotAllocate(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		builds := []*qd.Device{dev}
		switch dev.String() {
		case "go":
			t.Skip("which makes goroutines")
		case "cpu":
			builds = append(builds, dev.Checked())
		}
		for _, dev := range builds {
			p, err := dev.Bind(saxpy, qd.Dim(64), 1, qd.From(dev, ramp(64)), qd.From(dev, ramp(64)))
			if err != nil {
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(100, func() { err = p.Launch() }); n != 0 || err != nil {
				t.Errorf("%v allocations, error %v", n, err)
			}
		}
	})
}

func TestStream(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		s, err := dev.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		x, y := qd.From(dev, ramp(64)), qd.Zeros[float32](dev, 64)
		for range 20 {
			if err := s.Launch(saxpy, qd.Dim(64), 1, x, y); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Sync(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := y.Slice()[63]; got != 20*63 {
			t.Errorf("y[63] = %v", got)
		}
		cancelled, cancel := context.WithCancel(context.Background())
		cancel()
		if err := s.Sync(cancelled); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("Sync with a cancelled context: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// The error of a launch on a stream comes with the next Sync, once.
func TestStreamFault(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	s, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Launch(faulty, qd.Dim(6), make([]int32, 8)); err != nil {
		t.Fatal(err)
	}
	var f *qd.Fault
	if err := s.Sync(context.Background()); !errors.As(err, &f) {
		t.Errorf("first Sync: %v", err)
	}
	if err := s.Sync(context.Background()); err != nil {
		t.Errorf("second Sync: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenErrors(t *testing.T) {
	for _, name := range []string{"gpu", "cuda:", "cuda:-1", "cuda:x", "CPU"} {
		_, err := qd.Open(name)
		var de *qd.DeviceError
		if !errors.As(err, &de) || !strings.Contains(err.Error(), "no such device") {
			t.Errorf("Open(%q): %v", name, err)
		}
	}
	t.Setenv("QD_DEVICE", "gpu")
	if err := qd.Launch(saxpy, qd.Dim(1), 1, ramp(1), ramp(1)); err == nil {
		t.Error("a launch with QD_DEVICE=gpu")
	}
}

func TestArrayPanics(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(){
		"shape":   func() { qd.From(dev, ramp(10), 3, 3) },
		"size":    func() { qd.Zeros[float32](dev, -1) },
		"element": func() { qd.Zeros[string](dev, 1) },
		"device":  func() { qd.Zeros[float32](nil, 1) },
		"length":  func() { a := qd.Zeros[float32](dev, 2); a.Free(); a.Slice() },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}
