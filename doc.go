// Package qd runs kernels written in Go on GPUs, on all cores of the CPU, and as Go.
//
// # Kernels
//
// A kernel is an ordinary Go function. Its first parameter says what its code describes. A [Thread]
// kernel is the code of one thread of a launch:
//
//	//qd:kernel
//	func saxpy(t qd.Thread, a float32, x, y []float32) {
//		i := t.ID()
//		y[i] += a * x[i]
//	}
//
// A [Block] kernel is the code of one block of cooperating lanes. A [Grid] kernel is the code of a
// whole launch: the host runs it, and each of its parallel loops is a launch on the device. Kernels
// can call any Go function whose source is available, the scalar functions of this package, and the
// methods of the vectors and matrices of packages f32, f64, i32 and u32. A Block kernel can compute with the
// tiles of package tile.
//
// A kernel is compiled as a specialization for the values that are known at compile time: those of
// [Const] parameters, of package variables, of a method's receiver, and of what a literal captures
// ([Capture]). A launch notices if one has changed. [Static] demands that a value is known.
//
// # Launches
//
// [Launch] runs a kernel over a grid of threads or blocks. [Run] runs a Grid kernel.
//
//	err := qd.Launch(saxpy, qd.Dim(len(x)), 2.0, x, y)
//
// The first launch analyzes the source of the kernel, translates it to C++ or CUDA, compiles that
// with clang or NVRTC, and keeps the result in a cache on disk. A kernel means what the Go
// specification says, on every device. [Build] compiles kernels ahead of time. A [Prepared] launch
// has the lowest cost. [Device.Record] records a sequence of launches as a [Graph] to repeat. A
// [Tape] records launches to differentiate what they compute.
//
// The devices are "go" (the function itself, on goroutines), "cpu" (C++ on all cores) and "cuda:0",
// "cuda:1", ... [Open] opens one. Functions without a device use the one that QD_DEVICE names, or
// the best one. An [Array] stays on its device. The command "qdgen doctor" shows which tools are
// installed, and all environment variables.
//
// # Errors
//
// Errors in the source of kernels are [*Diagnostics], which has all of them. A launch that does not
// fit its kernel is a [*LaunchError]. Release builds, the default, do not check for the errors for
// which Go panics: the result is undefined, or 0. A checked build ([Device.Checked] or QD_CHECK=1)
// reports them as a [*Fault] with position, thread and values. Device "go" always does.
package qd

//go:generate go run ./cmd/qdgen/vectypes/own
