package qd

// A KernelOption tells [NewKernel] and [NewFunc] more about a function literal.
type KernelOption interface{ option() capture }

// capture is a variable that a function literal captures.
type capture struct {
	name  string
	value any
}

func (c capture) option() capture { return c }

// Capture names a variable that a function literal captures, and gives its value. The value is a
// compile-time constant of the kernel. See [NewKernel] and [NewFunc].
//
//	k := qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] *= c }, qd.Capture("c", c))
//
// The call that has the literal as an argument must name all that the literal captures. The variable
// must not be assigned to after its declaration, because the kernel keeps the value of the moment at
// which NewKernel was called. The value may be whatever a [Const] may be.
func Capture(name string, value any) KernelOption { return capture{name, value} }

// NewFunc returns the function literal f and notes what it captures. f can then be a compile-time
// value of a kernel: the value of a [Const] or of a captured variable, or a part of one.
//
//	func scale(c float32) func(float32) float32 {
//		return qd.NewFunc(func(x float32) float32 { return c * x }, qd.Capture("c", c))
//	}
//
// The same call must name all that the literal captures. A captured variable must not be assigned to
// after its declaration. To a kernel, two literals with the same code and the same captured values
// are the same function.
//
// Some literals need no NewFunc: one that captures nothing, and one that the compiler of kernels can
// make itself, as in qd.Static(scale(2)) or in a package variable that is never assigned to.
//
// A method value holds its receiver, which must not be a pointer:
// qd.NewFunc(s.apply, qd.Capture("s", s)). In a generic function, use a literal that calls the
// method.
//
// If something is wrong with f or its captures, the launch returns the error.
func NewFunc[F any](f F, captures ...KernelOption) F {
	if len(captures) > 0 {
		closeFunc(&f, captures)
	}
	return f
}
