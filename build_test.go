package qd_test

import (
	"errors"
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
