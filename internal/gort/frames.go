package gort

import (
	"iter"
	"runtime"
)

// PC is the address of a call that has not returned, for [FrameOf]: with skip 0 of the one to PC, with 1 of the one
// to the function that calls PC, and so on outwards. Functions that are inlined count. It is 0 where there
// are not so many.
func PC(skip int) uintptr {
	var pcs [1]uintptr
	runtime.Callers(skip+2, pcs[:]) // Callers and PC come first
	return pcs[0]
}

// FrameOf is the call that returns to an address.
func FrameOf(pc uintptr) runtime.Frame {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return frame
}

// Frames are the functions on the stack, from the one that calls Frames outwards, at most so many.
func Frames(most int) iter.Seq[runtime.Frame] {
	pcs := make([]uintptr, most)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	return func(yield func(runtime.Frame) bool) {
		for more := true; more; {
			var f runtime.Frame
			if f, more = frames.Next(); !yield(f) {
				return
			}
		}
	}
}

// Panicking are the functions on the stack below a panic that is being recovered, from the one that panicked
// outwards, without the runtime's own.
func Panicking(most int) iter.Seq[runtime.Frame] {
	all := Frames(most)
	return func(yield func(runtime.Frame) bool) {
		panicked := false
		for f := range all {
			panicked = panicked || f.Function == "runtime.gopanic"
			if pkg, _ := SplitName(f.Function); panicked && pkg != "runtime" && !yield(f) {
				return
			}
		}
	}
}
