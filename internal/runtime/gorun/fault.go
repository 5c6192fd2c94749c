package gorun

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// newFault describes a panic while it is being recovered.
func newFault(v any) *fault.Fault {
	f := &fault.Fault{}
	switch v := v.(type) {
	case *fault.Fault: // of a goroutine that this one has waited for
		return v
	case runtime.Error:
		f.Reason = strings.TrimPrefix(v.Error(), "runtime error: ")
		f.Index, f.Len = gort.Bounds(v)
	case fault.Reason:
		f.Reason = v.Error()
	default:
		f.Reason = "panic: " + plain(v)
	}
	// The panic happened in the innermost function that is neither the runtime's, nor
	// one of qdgen's or of math/bits that kernels call.
	for frame := range gort.Panicking(64) {
		if !isKernelFacing(frame) {
			f.File, f.Line = frame.File, frame.Line
			break
		}
	}
	return f
}

// plain is the text of a value that a kernel panics with: a number, a bool or a string. Compiled kernels call no String method
// for it, so that is not called here either.
func plain(v any) string {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return fmt.Sprint(r.Int())
	case r.CanUint():
		return fmt.Sprint(r.Uint())
	case r.Kind() == reflect.Float64:
		return fmt.Sprint(r.Float())
	case r.Kind() == reflect.Float32:
		return fmt.Sprint(float32(r.Float()))
	case r.Kind() == reflect.String:
		return r.String()
	}
	return fmt.Sprint(v)
}

// isKernelFacing reports whether a function is one of qdgen's, or of math/bits, that kernels call,
// or stands between them. The tests of package qd have kernels in that package.
func isKernelFacing(frame runtime.Frame) bool {
	if strings.HasPrefix(frame.Function, "math/bits.") {
		return true
	}
	pkg, _ := gort.SplitName(frame.Function)
	if pkg == load.QDPath {
		return !strings.HasSuffix(frame.File, "_test.go")
	}
	return load.IsOwn(pkg) || registry.IsRuntime(pkg)
}
