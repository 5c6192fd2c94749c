package qd

// MaxUnroll bounds which loops are unrolled without [Static]: those over a range that is known at
// compile time, for i := range n, and has at most so many turns.
const MaxUnroll = 16

// A Const is a compile-time parameter of a kernel, or of a function that a kernel calls. Each of its
// values makes a specialization of the kernel, which is compiled once. A kernel reads it as n.V, and
// a launch passes it as C(128), see [C]. T is a number, a bool, a string, an array or a struct of
// these, or a function.
type Const[T any] struct{ V T }

// C makes a compile-time argument, for a [Const] parameter.
func C[T any](v T) Const[T] { return Const[T]{v} }

// Static returns x, which must be known at compile time. It may be computed from constants, [Const]
// parameters and captured values, and by any Go code on these: the compiler of kernels runs that
// code. A loop over a static range, slice or array is unrolled, and its variables are known at
// compile time. Of an if with a static condition, only the branch that is taken is compiled. A for
// loop with a static condition is run at compile time.
//
// If x reads package variables but nothing of the function around it, it has the value that it had
// when the package was initialized. The generated file qd_gen.go keeps that value. If the file does
// not have it, and the variables may have changed since, the launch is an error.
//
// If x reads values of the function around it, it has the value of the moment of the launch. What it
// reads is compared at each launch. If x has changed, the kernel is specialized again.
func Static[T any](x T) T {
	if hasInitial() {
		return valueOfCall(x)
	}
	return x
}

// Dynamic returns x, and the compiler forgets what it knows of x. A loop over it stays a loop, which
// the compiler of the target does not unroll either. A condition of it stays a branch.
func Dynamic[T any](x T) T { return x }

// StaticAssert makes the compilation of the kernel fail with the message, at the position of the
// call, unless cond is known at compile time and true.
func StaticAssert(cond bool, msg string) {
	if !cond {
		panic(reason("static assertion failed: " + msg))
	}
}

// StaticPrint writes compile-time values to standard error when the kernel is compiled, with the
// position of the call. It formats them like fmt.Println. When the kernel runs, it does nothing.
func StaticPrint(values ...any) {}
