package qd

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// newFault describes a panic while it is being recovered.
func newFault(v any) *Fault {
	f := &Fault{}
	switch v := v.(type) {
	case *Fault: // of a goroutine that this one has waited for
		return v
	case runtime.Error:
		f.Reason = strings.TrimPrefix(v.Error(), "runtime error: ")
		f.Index, f.Len = bounds(v)
	case reason:
		f.Reason = v.Error()
	default:
		f.Reason = "panic: " + fmt.Sprint(v)
	}
	// The panic happened in the innermost function that is neither the runtime's, nor
	// one of this package or of math/bits that kernels call.
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicking := false
	for {
		frame, more := frames.Next()
		panicking = panicking || frame.Function == "runtime.gopanic"
		if panicking && !strings.HasPrefix(frame.Function, "runtime.") && !isKernelFacing(frame) && !isLoop(frame.Function) && !isBarrier(frame.Function) {
			f.File, f.Line = frame.File, frame.Line
			return f
		}
		if !more {
			return f
		}
	}
}

// bounds are the index and the length in an error of the runtime, zeros if it is not
// about those. Its text has not always both; so its fields are read, and the text only where they
// are no longer what they are.
func bounds(err runtime.Error) (index, length int) {
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Struct {
		x, y := v.FieldByName("x"), v.FieldByName("y")
		if x.IsValid() && x.CanInt() && y.IsValid() && y.CanInt() {
			return int(x.Int()), int(y.Int())
		}
	}
	_, _ = fmt.Sscanf(err.Error(), "runtime error: index out of range [%d] with length %d", &index, &length)
	return index, length
}

// isKernelFacing reports whether a function is one of this package, of vectors and matrices, or of
// math/bits, that kernels call.
func isKernelFacing(frame runtime.Frame) bool {
	if strings.HasPrefix(frame.Function, "math/bits.") {
		return true
	}
	if pkg, _ := comptime.SplitFuncName(frame.Function); pkg != load.QDPath {
		return load.IsOwn(pkg)
	}
	file := filepath.Base(frame.File)
	_, err := fs.Stat(kernelFacing, file)
	return err == nil || file == "staticcaller.go" // which Static calls
}

// isBarrier reports whether a function is between a kernel and a barrier.
func isBarrier(name string) bool {
	name, ok := strings.CutPrefix(name, load.QDPath+".")
	return ok && (strings.HasPrefix(name, "(*gang).") || strings.HasPrefix(name, "(*place)."))
}
