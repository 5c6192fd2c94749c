//go:build !race

package qd

import (
	"errors"
	"image"
	"reflect"
	"strings"
	"testing"
)

// Types with kernels among their methods, most of them wrong in some way.
type (
	twoKernels   struct{}
	noKernel     struct{ N int }
	byPointer    struct{ N int }
	ofPointer    struct{ P *int }
	withEmbedded struct{ scaled }
	hiddenKernel struct{ N int }
	returning    struct{}
	severalOne   struct{ N int32 }
	number       float32
)

func (twoKernels) Forward(Thread, []float32)  {}
func (twoKernels) Backward(Thread, []float32) {}

func (noKernel) Method(int) {}

func (*byPointer) Kernel(Thread, []float32) {}

func (ofPointer) Kernel(Thread, []float32) {}

func (hiddenKernel) kernel(Thread, []float32) {}

var _ = hiddenKernel.kernel

func (returning) Kernel(Thread) int { return 0 }

func (severalOne) Kernel(Thread, []float32) {}
func (severalOne) Other(Thread, []float32)  {}
func (severalOne) Grid(Grid)                {}

func (n number) Run(t Thread, x []float32) { x[t.ID()] = float32(n) }

func constHalf(Thread, Const[Float16])                    {}
func constNested(Thread, Const[[1 << 10][1 << 10]byte])   {}
func constPointer(Thread, Const[*int])                    {}
func constSlice(Thread, Const[[]int])                     {}
func constAny(Thread, Const[any])                         {}
func constDeep(Thread, Const[struct{ x [2]map[int]int }]) {}
func constHuge(Thread, Const[[1 << 20]string])            {}
func constBlockKernel(Block, Const[int], []float32)       {}
func plainInt(Thread, int32)                              {}
func constMapper(Thread, Const[func(float64) float64])    {}

type other func(float64) float64

func variadic(Thread, ...float32) {}

func hasParameters[T any](x T) T { return x }
func hasNone[T any]() T          { var x T; return x }

func takesImage(t Thread, m image.Gray) {}

func plainSlice(t Thread, x []float32) {}

// TestLaunchErrors makes the mistakes that can be made with compile-time values.
func TestLaunchErrors(t *testing.T) {
	dev := newDevice(&fakeBackend{})
	x := []float32{1}
	captured := 2
	literal := func(t Thread, x []float32) { x[0] = float32(captured) }
	var nilFunc func(float64) float64
	arr := From(dev, []float32{1})
	for _, test := range []struct {
		kernel any
		args   []any
		want   string
	}{
		// Constants.
		{constInt, nil, "launch of constInt: 0 arguments for 1 parameter (qd.Const[int])"},
		{constInt, []any{5}, "parameter 1 (qd.Const[int]): the parameter is known at compile time; write qd.C(5)"},
		{constInt, []any{nil}, "the argument is nil; pass a qd.C of a value"},
		{constBool, []any{true}, "write qd.C(true)"},
		{constString, []any{"s"}, `write qd.C("s")`},
		{constFunc, []any{twice}, "write qd.C(x) of a value x of type func(float64) float64, not a plain func(float64) float64"},
		{constInt, []any{arr}, "the argument is an array on a device, but the parameter must be known at compile time: pass a qd.C of a value of type int"},
		{constInt, []any{&Const[int]{}}, "the argument is a pointer; pass the qd.C itself"},
		{constInt, []any{C(1.5)}, "1.5 is not an integer, but the parameter is of type int"},
		{constInt32, []any{C(int(beyond32) << 8), x}, "1099511627776 does not fit in int32"},
		{constInt, []any{C(int8(1))}, "the argument is a qd.C of type int8; write qd.C(int(x))"},
		{constInt, []any{C("1")}, "the argument is a qd.C of type string, but the parameter is one of type int"},
		{constNamed, []any{C(flag(true)), C("x"), C(any(once))}, "parameter 3 (qd.Const[github.com/qdgen/qd.mapper]): the argument is a qd.C of type interface {}"},
		{constMapper, []any{C((func(float64) float64)(nil))}, "the function is nil"},
		{constNamed, []any{C(true), C("x"), C(other(once))}, "write qd.C(qd.mapper(x))"},
		{constBool, []any{C(1)}, "the argument is a qd.C of type int, but the parameter is one of type bool"},
		{constFloat32, []any{C(1e300)}, "1e+300 does not fit in float32"},
		{constFunc, []any{C(nilFunc)}, "the function is nil; pass a qd.C of a declared function"},
		{constFunc, []any{C(func(float32) float32 { return 0 })}, "the argument is a qd.C of type func(float32) float32, but the parameter is one of type func(float64) float64"},
		{constFunc, []any{C(tuning{}.apply)}, "tuning.apply is a method value, which holds its receiver"},
		{constFunc, []any{C(reflect.MakeFunc(reflect.TypeFor[func(float64) float64](), nil).Interface().(func(float64) float64))}, "a function made by package reflect has no source"},
		{constHalf, []any{C(2.0)}, "write qd.C(qd.ToFloat16(x))"},
		{constPointer, []any{C(&captured)}, "a value of type *int cannot be a compile-time value"},
		{constSlice, []any{C([]int{1})}, "a value of type []int cannot be a compile-time value"},
		{constAny, []any{C[any](1)}, "a value of type interface {} cannot be a compile-time value"},
		{constDeep, []any{C(struct{ x [2]map[int]int }{})}, "field x: a value of type map[int]int cannot"},
		{constHuge, []any{C([1 << 20]string{})}, "a value of type qd.Const[[1048576]string] has more than 65536 values"},
		{constNested, []any{nil}, "a value of type qd.Const[[1024][1024]uint8] has more than 65536 values in it, too many for the code of a kernel"},
		{plainInt, []any{C(1)}, "parameter 1 (int32): the argument is a qd.C, but the parameter is not known at compile time; pass the int, or declare the parameter as qd.Const[int32]"},
		{constNone, []any{C(x)}, "parameter 1 ([]float32): the argument is of type qd.Const[[]float32]"},

		// Methods.
		{twoKernels{}, []any{x}, "launch of qd.twoKernels: each of the methods Backward, Forward could be the kernel; name one of them Kernel"},
		{noKernel{}, []any{x}, "none of its exported methods is a kernel"},
		{hiddenKernel{}, []any{x}, "none of its exported methods is a kernel"},
		{returning{}, nil, "none of its exported methods is a kernel; the first parameter of a kernel is a qd.Thread, a qd.Block or a qd.Grid, and it returns nothing"},
		{byPointer{}, []any{x}, "method Kernel has a pointer receiver; declare it with the receiver byPointer"},
		{&byPointer{}, []any{x}, "launch of *qd.byPointer: method Kernel has a pointer receiver; declare it with the receiver byPointer: a kernel captures its receiver by value and cannot change it; then launch the value that the pointer points to"},
		{(*byPointer).Kernel, []any{&byPointer{}, x}, "if it is a method, declare it with the receiver byPointer, and launch a value of type qd.byPointer"},
		{&scaled{2}, []any{x}, "launch of *qd.scaled: it is a pointer; launch the value"},
		{ofPointer{}, []any{x}, "the receiver of a kernel must be known at compile time: field P: a value of type *int cannot be a compile-time value"},
		{withEmbedded{}, []any{x}, "method Kernel belongs to an embedded field; launch the field"},
		{scaled{2}.Kernel, []any{x}, "launch of scaled.Kernel: it is a method value; launch the value that has the method, qd.Launch(v, ...) instead of qd.Launch(v.Method, ...): its fields are then compile-time constants. " +
			"Of several methods that could be the kernel, the one whose name is Kernel is it: name one of them so, or declare a type for each"},
		{scaled.Kernel, []any{scaled{2}, x}, "its first parameter must be a qd.Thread, a qd.Block or a qd.Grid; if it is a method, launch a value of type qd.scaled"},
		{callable{tuning{}.apply}, []any{[]float64{1}}, "the receiver cannot be known at compile time: field F: tuning.apply is a method value"},
		{struct{}{}, nil, "a kernel is a function whose first parameter is a qd.Thread, a qd.Block or a qd.Grid, or a value with such a method; this value is of type struct {}"},
		{5, nil, "this value is of type int"},
		{variadic, []any{x}, "a kernel has no variadic parameter; declare it as a slice"},
		{hasParameters[int], nil, "func(int) int is not a kernel"},

		{takesImage, []any{&image.Gray{}}, "parameter 1 (image.Gray): the argument is of type *image.Gray; pass an image.Gray, or a struct with the same fields"},
		{plainSlice, []any{5}, "the argument is of type int; pass a []float32 or a *qd.Array[float32]"},

		// Captures.
		{NewKernel(constNone, Capture("c", 1)), []any{x}, "launch of constNone: a declared function captures nothing"},
		{NewKernel(scaled{2}, Capture("By", 1)), []any{x}, "a kernel that is a method captures only its receiver; remove the qd.Capture"},
		{NewKernel(NewKernel(literal), Capture("captured", captured)), []any{x}, "put qd.Capture into the call of qd.NewKernel"},
		{NewKernel(literal, Capture("captured", captured), Capture("captured", 3)), []any{x}, `qd.Capture("captured") is given twice`},
		{NewKernel(literal, Capture("", captured)), []any{x}, `qd.Capture(""): this is not the name of a variable`},
		{NewKernel(literal, Capture("c.x", captured)), []any{x}, `qd.Capture("c.x"): this is not the name`},
		{NewKernel(literal, nil), []any{x}, "an option of qd.NewKernel is nil"},
		{NewKernel(literal, Capture("captured", &captured)), []any{x}, `qd.Capture("captured"): a pointer (*int) cannot be a compile-time value`},
		{NewKernel(literal, Capture("captured", x)), []any{x}, `qd.Capture("captured"): a slice ([]float32) cannot be a compile-time value; use an array, or pass it as an argument`},
		{NewKernel(literal, Capture("captured", nil)), []any{x}, `qd.Capture("captured"): nil has no type`},
		{NewKernel(literal, Capture("captured", hasNone[int])), []any{x}, "the type arguments of hasNone[...] are unknown"},

		// Grids and blocks.
		{constGrid, []any{C(1), x}, "run it with qd.Run"},
		{constBlockKernel, []any{1, x}, "write qd.C(1)"},
	} {
		err := dev.Launch(test.kernel, Dim(1), test.args...)
		var le *LaunchError
		if !errors.As(err, &le) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%T%v:\n\t%v, want\n\t%s", test.kernel, test.args, err, test.want)
		}
	}
	if err := dev.Run(constGrid, 1, x); err == nil || !strings.Contains(err.Error(), "write qd.C(1)") {
		t.Error(err)
	}
	// What is right beside it.
	for _, test := range []struct {
		kernel any
		args   []any
	}{
		{severalOne{2}, []any{x}},
		{number(2), []any{x}},
		{withEmbedded{}.scaled, []any{x}},
		{constFunc, []any{C(hasParameters[float64])}},
		{constBlockKernel, []any{C(1), x}},
		{NewKernel(literal, Capture("captured", captured)), []any{x}},
	} {
		if err := dev.Launch(test.kernel, Dim(1), test.args...); err != nil {
			t.Errorf("%T: %v", test.kernel, err)
		}
	}
	if err := dev.Run(constGrid, C(1), x); err != nil {
		t.Error(err)
	}
}

func (t tuning) apply(x float64) float64 { return x * float64(t.Width) }
