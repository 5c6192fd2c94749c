package qd

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/registry"
)

// newFault describes a panic while it is being recovered.
func newFault(v any) *Fault {
	f := &Fault{}
	switch v := v.(type) {
	case *Fault: // of a goroutine that this one has waited for
		return v
	case runtime.Error:
		f.Reason = strings.TrimPrefix(v.Error(), "runtime error: ")
		f.Index, f.Len = gort.Bounds(v)
	case reason:
		f.Reason = v.Error()
	case fault.Reason:
		f.Reason = v.Error()
	default:
		f.Reason = "panic: " + fmt.Sprint(v)
	}
	// The panic happened in the innermost function that is neither the runtime's, nor
	// one of this package or of math/bits that kernels call.
	for frame := range gort.Panicking(64) {
		if !isKernelFacing(frame) && !isLoop(frame.Function) && !isBarrier(frame.Function) {
			f.File, f.Line = frame.File, frame.Line
			break
		}
	}
	return f
}

// isKernelFacing reports whether a function is one of this package, of vectors and matrices, or of
// math/bits, that kernels call.
func isKernelFacing(frame runtime.Frame) bool {
	if strings.HasPrefix(frame.Function, "math/bits.") {
		return true
	}
	if pkg, _ := gort.SplitName(frame.Function); pkg != load.QDPath {
		return load.IsOwn(pkg) || pkg == registry.Path // which Static calls
	}
	file := filepath.Base(frame.File)
	_, err := fs.Stat(kernelFacing, file)
	return err == nil || file == "staticvalue.go"
}

// isBarrier reports whether a function is between a kernel and a barrier.
func isBarrier(name string) bool {
	name, ok := strings.CutPrefix(name, load.QDPath+".")
	return ok && (strings.HasPrefix(name, "(*gang).") || strings.HasPrefix(name, "(*place)."))
}
