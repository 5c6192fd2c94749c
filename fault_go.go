package qd

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

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
		_, _ = fmt.Sscanf(f.Reason, "index out of range [%d] with length %d", &f.Index, &f.Len)
	case reason:
		f.Reason = v.Error()
	default:
		f.Reason = "panic: " + fmt.Sprint(v)
	}
	// The panic happened in the innermost function that is neither the runtime's nor
	// one of this package that kernels call.
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

// isKernelFacing reports whether a function is one of this package that kernels call.
func isKernelFacing(frame runtime.Frame) bool {
	if !strings.HasPrefix(frame.Function, load.QDPath+".") {
		return false
	}
	_, err := fs.Stat(kernelFacing, filepath.Base(frame.File))
	return err == nil
}

// isBarrier reports whether a function is between a kernel and a barrier.
func isBarrier(name string) bool {
	name, ok := strings.CutPrefix(name, load.QDPath+".")
	return ok && (strings.HasPrefix(name, "(*gang).") || strings.HasPrefix(name, "(*place)."))
}
