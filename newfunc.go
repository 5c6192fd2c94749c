package qd

// A KernelOption says more of a function literal to [NewKernel] and [NewFunc].
type KernelOption interface{ option() capture }

// capture is a variable that a function literal captures.
type capture struct {
	name  string
	value any
}

func (c capture) option() capture { return c }

// Capture names a variable that a function literal captures, for [NewKernel] and [NewFunc], and its value, which is
// a compile-time constant of the kernel:
//
//	k := qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] *= c }, qd.Capture("c", c))
//
// All that a literal captures must be named in the call that has the literal as an argument. The variable
// must not be assigned to after its declaration: what the kernel knows is its value when NewKernel was
// called. It may be what a [Const] may be.
func Capture(name string, value any) KernelOption { return capture{name, value} }

// NewFunc gives the function literal f, and notes what it captures, so that it can be a compile-time value of a
// kernel: the value of a [Const], of a captured variable, or of a part of one.
//
//	func scale(c float32) func(float32) float32 {
//		return qd.NewFunc(func(x float32) float32 { return c * x }, qd.Capture("c", c))
//	}
//
// All that the literal captures must be named in the same call, and must not be assigned to after its declaration. Two
// literals with the same code and the same captured values are the same function to a kernel. A literal that
// captures nothing needs no NewFunc, nor does one that the compiler can make itself: in qd.Static(scale(2)), or
// in a package variable that nobody assigns to.
//
// A method value holds its receiver, which must not be a pointer: qd.NewFunc(s.apply, qd.Capture("s", s)). In a generic
// function, give a literal that calls the method instead.
//
// What is wrong with any of it is reported by the launch.
func NewFunc[F any](f F, captures ...KernelOption) F {
	if len(captures) > 0 {
		closeFunc(&f, captures)
	}
	return f
}
