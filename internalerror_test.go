//go:build !race

package qd

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// failingBackend has a fault that shows when a kernel is compiled.
type failingBackend struct{ fakeBackend }

func (*failingBackend) Load(context.Context, *kernel.Func, build.Options) (*device.Loaded, error) {
	panic("BUG: planted")
}

func compiledInVain(t Thread, x []float32) { x[t.ID()] = 1 }

// What qdgen does wrong ends no program: the launch returns an error with the kernel's name, what
// it panicked with, and the stack; a later launch is the same again.
func TestInternalError(t *testing.T) {
	dev := newDevice(&failingBackend{})
	for range 2 {
		err := dev.Launch(compiledInVain, Dim(1), make([]float32, 1))
		var fault *InternalError
		if !errors.As(err, &fault) {
			t.Fatalf("error is %T: %v", err, err)
		}
		if !strings.Contains(fault.Kernel, "compiledInVain") || fault.Panic != "BUG: planted" || !strings.Contains(string(fault.Stack), "failingBackend") {
			t.Errorf("%q panicked with %v\n%s", fault.Kernel, fault.Panic, fault.Stack)
		}
		if !strings.Contains(err.Error(), "report") || !strings.Contains(err.Error(), fault.Kernel) {
			t.Error(err)
		}
	}
}
