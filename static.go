package qd

// MaxUnroll is the number of turns up to which a loop over a range that is known at
// compile time, for i := range n, is unrolled without being asked to.
const MaxUnroll = 16

// A Const is a parameter of a kernel, or of a function that one calls, that is known at
// compile time: each value is a specialization of its own, compiled once. It is read as
// n.V and passed as [C](128). T is a number, bool or string, an array or a struct of
// such, or a function.
type Const[T any] struct{ V T }

// C is a compile-time argument for a [Const] parameter.
func C[T any](v T) Const[T] { return Const[T]{v} }

// Static gives x and demands that it is known at compile time: computed from constants,
// from [Const] parameters and captured values, or by any Go code on them, which the
// compiler then runs. A loop over a static range, slice or array is unrolled, with
// compile-time values for its variables; of an if with a static condition only the taken
// branch is compiled; a for loop with one is run at compile time.
//
// An argument that reads package variables, and nothing of the function around it, is bound
// early: x is what it was when the package was initialized. The generated file qd_gen.go keeps
// that; where it does not know the argument as it stands, and the variables may have changed, the
// launch is refused. An argument with values of the function around it has the value at the
// launch: what it reads is looked at before each, and where it comes to something else, the
// kernel is specialized anew.
func Static[T any](x T) T {
	if hasInitial() {
		return valueOfCall(x)
	}
	return x
}

// Dynamic gives x and makes the compiler forget that it knows it: a loop over it is a
// loop, which the compiler of the target does not unroll either, a condition of it a branch.
func Dynamic[T any](x T) T { return x }

// StaticAssert is a compile-time error with the message, at the call, unless cond is
// known at compile time and true.
func StaticAssert(cond bool, msg string) {
	if !cond {
		panic(reason("static assertion failed: " + msg))
	}
}

// StaticPrint writes compile-time values to standard error when the kernel is compiled,
// in the form of fmt.Println and with the position of the call. At run time it does
// nothing.
func StaticPrint(values ...any) {}
