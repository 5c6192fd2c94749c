// Package qd runs kernels written in Go on GPUs, on all cores of the CPU, and as Go.
//
// # Kernels
//
// A kernel is an ordinary Go function whose first parameter says who the code speaks for.
// A [Thread] kernel is the code of one thread of a launch:
//
//	//qd:kernel
//	func saxpy(t qd.Thread, a float32, x, y []float32) {
//		i := t.ID()
//		y[i] += a * x[i]
//	}
//
// A [Block] kernel is the code of one block of cooperating lanes. A [Grid] kernel is the code
// of a whole launch: the host runs it, and each of its parallel loops is a launch on the device.
// Kernels call any Go function whose source is there, the scalar functions of this package, and the
// methods of vectors and matrices, which are in packages f32, f64, i32 and u32.
//
// What is known when a kernel is compiled makes a specialization of it: the values of its
// [Const] parameters, of package variables that it reads, of its receiver where it is a method,
// and of what it captures where it is a function literal ([Capture]). A variable that has
// changed is noticed at the next launch. [Static] demands that something be known.
//
// # Launches
//
// [Launch] runs a kernel over a grid of threads or blocks, [Run] one for a whole launch:
//
//	err := qd.Launch(saxpy, qd.Dim(len(x)), 2.0, x, y)
//
// The kernel's source is analyzed when it is first launched, turned into C++ or CUDA, compiled by
// clang or NVRTC, kept in a cache on disk, and run. It means on every device what the Go
// specification says. [Build] compiles ahead, and a [Prepared] launch costs least.
//
// Devices are "go" (the function itself, over goroutines), "cpu" (compiled C++ on all cores) and
// "cuda:0", "cuda:1", ... [Open] opens one; functions without a device use the one that the
// environment variable QD_DEVICE names, else the best there is. An [Array] stays on its device.
// The command "qdgen doctor" shows what was found and the variables that say what to use.
//
// # Errors
//
// What the compiler of kernels refuses is [*Diagnostics], all at once. A launch that does not fit its
// kernel is a [*LaunchError]. What Go panics for is undefined, or gives 0, in the release builds that run by
// default; a checked build, of [Device.Checked] or with QD_CHECK=1, makes a [*Fault] of it, with the
// position, the thread and the values, and so does device "go" always.
package qd

//go:generate go run ./cmd/qdgen/vectypes/own
