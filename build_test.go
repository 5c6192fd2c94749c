package qd_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/build"
)

//qd:kernel
func builtA(t qd.Thread, x []int) { x[t.ID()] += 11 }

//qd:kernel
func builtB(t qd.Thread, x []int) { x[t.ID()] += 12 }

// What Build has made ready is launched at once; its error is that of all kernels.
func TestBuild(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		if err := dev.Build(builtA, qd.NewKernel(builtB).WithBlockDim(64), qd.Spec(builtA)); err != nil {
			t.Fatal(err)
		}
		lowered, loaded := build.Count.Lowered.Load(), build.Count.Loaded.Load()
		x := []int{1, 2}
		for _, k := range []any{builtA, builtB} {
			if err := dev.Launch(k, qd.Dim(len(x)), x); err != nil {
				t.Fatal(err)
			}
		}
		if x[0] != 24 || x[1] != 25 {
			t.Errorf("x is %v", x)
		}
		if l, m := build.Count.Lowered.Load()-lowered, build.Count.Loaded.Load()-loaded; l != 0 || m != 0 {
			t.Errorf("lowered %d kernels, loaded %d modules", l, m)
		}

		err := dev.Build(refused, builtA, notKernel, qd.Spec(builtB, qd.C(1)), nil, qd.NewKernel(builtA).WithBlockDim(2000))
		var diags *qd.Diagnostics
		var launch *qd.LaunchError
		if !errors.As(err, &diags) || !errors.As(err, &launch) {
			t.Fatalf("error is %v", err)
		}
		for _, want := range []string{"go statements", "is not a kernel", "1 constant for 0 qd.Const parameters; give no constants", "the kernel is nil", "not 2000"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error does not say %q: %v", want, err)
			}
		}
	})
}

func TestBuildWhere(t *testing.T) {
	dev := cpuDevice(t)
	if err := qd.Build(qd.NewKernel(builtA).WithDevice(dev)); err != nil {
		t.Error(err)
	}
	other, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Build(qd.NewKernel(builtA).WithDevice(dev)); err == nil || !strings.Contains(err.Error(), "handle is for device cpu") {
		t.Errorf("error is %v", err)
	}
	if err := (*qd.Device)(nil).Build(builtA); err == nil {
		t.Error("a nil device builds")
	}
}

type adds struct{ By int }

//qd:kernel
func (a adds) Kernel(t qd.Thread, x []int) { x[t.ID()] += a.By }

// Kernels that are made while the program runs, by a loop for example, are compiled together when Build is given
// all of them, and each is found by its own key.
func TestBuildMade(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		if dev.String() == "go" {
			t.Skip("which compiles nothing")
		}
		var all []any
		for c := 1000; c < 1020; c++ {
			all = append(all, qd.NewKernel(func(t qd.Thread, x []int) {
				i := t.ID()
				x[i] = madeFrom(x[i], c)
			}, qd.Capture("c", c)))
		}
		all = append(all, adds{2000}, adds{2001}, all[0])
		count := func() (compiled, loaded, lowered int64) {
			return build.Count.Compiled.Load(), build.Count.Loaded.Load(), build.Count.Lowered.Load()
		}
		compiled, loaded, _ := count()
		if err := dev.Build(all...); err != nil {
			t.Fatal(err)
		}
		c, l, lowered := count()
		texts := int64(runtime.GOMAXPROCS(0)) // at most: one for each core, if there is enough to do
		if c -= compiled; c > texts {         // none where an earlier run of the test has left them in the cache
			t.Errorf("%d runs of the compiler for %d kernels", c, len(all))
		}
		if l -= loaded; l < 1 || l > texts {
			t.Errorf("%d modules loaded for %d kernels", l, len(all))
		}
		x, want := []int{1, 2, 3}, []int{1, 2, 3}
		for i, k := range all {
			if err := dev.Launch(k, qd.Dim(3), x); err != nil {
				t.Fatal(err)
			}
			for j := range want {
				switch {
				case i < 20:
					want[j] = madeFrom(want[j], 1000+i)
				case i < 22:
					want[j] += 1980 + i
				default:
					want[j] = madeFrom(want[j], 1000)
				}
			}
			if !slices.Equal(x, want) {
				t.Fatalf("kernel %d: %v, want %v", i, x, want)
			}
		}
		if _, _, l := count(); l != lowered {
			t.Errorf("launches have lowered %d kernels", l-lowered)
		}
	})
}

// Those that are for devices with a context are too.
func TestBuildMadeWithContext(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		if dev.String() == "go" {
			t.Skip("which compiles nothing")
		}
		var all []any
		for c := 7000; c < 7020; c++ {
			k := qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] = madeFrom(x[t.ID()], c) }, qd.Capture("c", c))
			all = append(all, k.WithDevice(dev.WithContext(t.Context())))
		}
		loaded := build.Count.Loaded.Load()
		if err := qd.Build(all...); err != nil {
			t.Fatal(err)
		}
		if l := build.Count.Loaded.Load() - loaded; l < 1 || l > int64(runtime.GOMAXPROCS(0)) {
			t.Errorf("%d modules loaded for %d kernels", l, len(all))
		}
		x := []int{2}
		if err := dev.Launch(all[1], qd.Dim(1), x); err != nil || x[0] != madeFrom(2, 7001) {
			t.Errorf("%v, %v", x, err)
		}
	})
}

func madeFrom(x, c int) int {
	for range c % 3 {
		x = x*c + 1
	}
	return x % 1_000_003
}

// What is wrong with one of them is told, and the others are ready.
func TestBuildMadeWrong(t *testing.T) {
	dev := cpuDevice(t)
	var all []any
	for c := 3000; c < 3004; c++ {
		all = append(all, qd.NewKernel(func(t qd.Thread, x []int) {
			if qd.Static(c == 3002) {
				x[0] = len(map[int]int{})
			}
			x[t.ID()] += c
		}, qd.Capture("c", c)))
	}
	err := dev.Build(all...)
	var diags *qd.Diagnostics
	if !errors.As(err, &diags) || len(diags.List) != 1 || !strings.Contains(err.Error(), "map") {
		t.Errorf("error is %v", err)
	}
	for i, k := range all {
		x := []int{0}
		if err := dev.Launch(k, qd.Dim(1), x); (err != nil) != (i == 2) || err == nil && x[0] != 3000+i {
			t.Errorf("kernel %d: %v, %v", i, x, err)
		}
	}
}
