package gorun

import (
	"fmt"
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

// plain is the text of a value that a kernel panics with, as Go prints it: an error and a value with a method String
// give it themselves.
func plain(v any) string { return fmt.Sprint(v) }

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
