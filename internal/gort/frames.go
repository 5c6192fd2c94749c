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

// Site is where the function that calls Site was called, and by skip functions further out: the return address there,
// and that of the call around it, which tells copies of an inlined function apart. It is 0 where the stack has not so
// many.
func Site(skip int) (pcs [2]uintptr) {
	runtime.Callers(skip+3, pcs[:]) // Callers, Site and its caller come first
	return pcs
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

// RuntimeFile is a file of package runtime, where it was when the program was built.
func RuntimeFile() string {
	var pcs [1]uintptr
	runtime.Callers(0, pcs[:]) // of Callers itself
	return FrameOf(pcs[0]).File
}
