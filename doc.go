// Package qd runs kernels written in Go on GPUs, on all cores of the CPU, and
// as Go.
//
// A kernel is an ordinary Go function whose first parameter says who the code
// speaks for. A [Thread] kernel is the code of one thread of a launch:
//
//	//qd:kernel
//	func saxpy(t qd.Thread, a float32, x, y []float32) {
//		i := t.ID()
//		y[i] += a * x[i]
//	}
//
//	err := qd.Launch(saxpy, qd.Dim(len(x)), 2.0, x, y)
//
// A [Block] kernel is the code of one block of cooperating lanes, launched over a grid
// of blocks. A [Grid] kernel is the code of a whole launch: the host runs it, and each of its
// parallel loops is a launch on the device.
//
//	//qd:kernel
//	func relax(g qd.Grid, steps int, from, to []float32) {
//		n := len(from)
//		for range steps {
//			g.For(n, func(i int) {
//				to[i] = (from[max(i-1, 0)] + from[min(i+1, n-1)]) / 2
//			})
//			from, to = to, from
//		}
//	}
//
//	err := qd.Run(relax, 100, x, y)
//
// The function's own source is analyzed when it is first launched, turned into
// C++ or CUDA, compiled by clang or NVRTC, kept in a cache on disk, and run. It
// means on every device what the Go specification says.
//
// What is known when a kernel is compiled makes a specialization of it, compiled once: the
// values of its [Const] parameters, of the package variables that it reads, of the receiver
// where it is a method, and of what it captures where it is a function literal
// ([NewKernel], [Capture]). [Static] demands that something be known, and may run any Go to
// find it out; loops over what is known are unrolled, and of an if only the taken branch is
// compiled. A variable that has changed is noticed at the next launch. [Build] makes many
// specializations ready at once, and [Stats] counts.
//
//	//qd:kernel
//	func blur(t qd.Thread, radius qd.Const[int], x, y []float32) {
//		for d := range qd.Static(2*radius.V + 1) {
//			y[t.ID()] += x[t.ID()+d]
//		}
//	}
//
//	err := qd.Launch(blur, qd.Dim(n), qd.C(3), x, y)
//
// Vectors and matrices are arrays with methods, such as f32.Vec3 and f32.Mat3, in packages for four types
// of numbers: f32, f64, i32 and u32. f32.Quat and f32.Transform are rotations and
// rigid motions. Their methods are kernel Go, in kernels as in plain Go: elementwise arithmetic,
// products, swizzles, and for the matrix of each thread decompositions such as
// f32.Mat3.SVD and solvers such as f32.Mat4.Solve, whose error bounds their documentation states. The
// command "qdgen types" writes types of other sizes and numbers into a package. An array field with the tag
// qd:"unpacked" is stored as that many scalars.
//
//	//qd:kernel
//	func advect(t qd.Thread, dt float32, spin f32.Mat3, pos, vel []f32.Vec3) {
//		i := t.ID()
//		vel[i] = spin.MulVec(vel[i])
//		pos[i] = pos[i].Add(vel[i].Scale(dt))
//	}
//
// Devices are "go" (the function itself, over goroutines), "cpu" (compiled C++
// on all cores) and "cuda:0", "cuda:1", ... Package-level functions use the
// default device: the one that the environment variable QD_DEVICE names, else
// the best there is.
//
// What Go itself panics for is undefined, or gives 0, in the release builds that run by
// default. A checked build, of [Device.Checked] or with QD_CHECK=1, makes a [*Fault] of it, with the
// position, the thread and the values. Device "go" always does.
//
// Environment variables: QD_DEVICE (default device), QD_CHECK (1: checked builds), QD_CACHE (the cache's
// directory, or "off"), QD_CACHE_SIZE (how large it may grow), QD_LOG ("info" prints each module that
// is loaded to standard error), QD_STATIC_TIMEOUT (how long the Go code of a [Static] may run, "10s"), QD_CXX (the C++ compiler), QD_NVRTC (the NVRTC library), QD_TOOLS (a further directory to look for
// NVRTC in), QD_CUDA_DRIVER (the driver's library). The command "qdgen doctor" shows
// what they come to.
package qd

//go:generate go run ./cmd/qdgen/vectypes/own
