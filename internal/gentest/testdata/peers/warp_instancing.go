package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/gentest/testdata/peers/clash1"
	"github.com/qdgen/qd/internal/gentest/testdata/peers/clash2"
)

// Kernels for Warp's test_codegen_instancing.py: many kernels, functions and types of
// one name, or of one code. Python defines a name anew; Go has scopes.

func kernel17() any {
	return func(t qd.Thread, out []int) { out[0] = 17 }
}

func kernel42() any {
	return func(t qd.Thread, out []int) { out[0] = 42 }
}

var globalFunc, globalFunc1, globalFunc2 = returns42, returns17, returns42

func returns17() int { return 17 }
func returns42() int { return 42 }

//qd:kernel
func callsGlobals(t qd.Thread, out []int) {
	out[0], out[1], out[2] = globalFunc(), globalFunc1(), globalFunc2()
}

type structA struct{ V float32 }
type structB struct{ V [2]float32 }

//qd:kernel
func takesStructs(t qd.Thread, s0 structB, s1 structA, s2 structB, out []float32) {
	out[0], out[1] = s0.V[0], s0.V[1]
	out[2] = s1.V
	out[3], out[4] = s2.V[0], s2.V[1]
}

//qd:kernel
func makesStructs(t qd.Thread, out []float32) {
	type s struct{ V [2]float32 }
	var s0 s
	{
		type s struct{ V float32 } // another one of this name
		var s1 s
		s1.V = 3
		out[2] = s1.V
	}
	var s2 s
	s0.V, s2.V = [2]float32{1, 2}, [2]float32{4, 5}
	out[0], out[1] = s0.V[0], s0.V[1]
	out[3], out[4] = s2.V[0], s2.V[1]
}

type (
	cubedInt   int
	squaredInt int
)

func (x cubedInt) power() float32   { return float32(x * x * x) }
func (x squaredInt) power() float32 { return float32(x * x) }

//qd:kernel
func overloads(t qd.Thread, out []float32) {
	out[0], out[1] = cubedInt(2).power(), squaredInt(2).power()
}

//qd:kernel
func squares[T qd.Number](t qd.Thread, x T, out []T) { out[0] = x * x }

//qd:kernel
func cubes[T qd.Number](t qd.Thread, x T, out []T) { out[0] = x * x * x }

func genericSquare[T qd.Number](x T) T { return x * x }
func genericCube[T qd.Number](x T) T   { return x * x * x }

//qd:kernel
func genericFuncs(t qd.Thread, outI []int, out []float32) {
	f, g := genericCube[int], genericCube[float32]
	outI[0], out[0] = f(2), g(2)
	outI[1], out[1] = genericSquare(2), genericSquare[float32](2)
	outI[2], out[2] = genericCube(2), genericCube[float32](2)
}

// simpleFunc gives a function that captures nothing, the same each time.
func simpleFunc() func() int { return returns17 }

var simple1, simple2 = simpleFunc(), simpleFunc()

//qd:kernel
func callsSimple(t qd.Thread, out []int) { out[0], out[1] = simple1(), simple2() }

func conditionalKernel(cond bool) any {
	if cond {
		return func(t qd.Thread, out []int) { out[0] = 17 }
	}
	return func(t qd.Thread, out []int) { out[0] = 42 }
}

func conditionalFunc(cond bool) func() int {
	if cond {
		return returns17
	}
	return returns42
}

//qd:kernel
func callsConditional(t qd.Thread, f, g qd.Const[func() int], out []int) {
	out[0], out[1] = f.V(), g.V()
}

func conditionalGeneric[T qd.Number](cond bool) any {
	if cond {
		return squares[T]
	}
	return cubes[T]
}

// A valueOf is a kernel that captures a number.
type valueOf struct{ V int }

//qd:kernel
func (k valueOf) Kernel(t qd.Thread, out []int) { out[0] = k.V }

// literalOf makes the same with a function literal.
func literalOf(value int) *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, out []int) { out[0] = value }, qd.Capture("value", value))
}

// A captures is a function that captures a number.
type captures struct{ value int }

func (f captures) get() int        { return f.value }
func (f captures) times(x int) int { return f.get() * x }

var closure17, closure42 = captures{17}, captures{42}

//qd:kernel
func callsClosures(t qd.Thread, out []int) { out[0], out[1] = closure17.get(), closure42.get() }

//qd:kernel
func callsOverloaded(t qd.Thread, f, g qd.Const[captures], out []int) {
	out[0], out[1] = f.V.get(), f.V.times(2)
	out[2], out[3] = g.V.get(), g.V.times(2)
}

// A timesOf is a generic function that captures a number of its type.
type timesOf[T qd.Number] struct{ value T }

func (f timesOf[T]) of(x T) T       { return x * f.value }
func (f timesOf[T]) ofSum(x, y T) T { return f.of(x + y) }

//qd:kernel
func callsTimes(t qd.Thread, outI []int, out []float32) {
	outI[0], out[0] = timesOf[int]{2}.of(2), timesOf[float32]{2}.of(2)
	outI[1], out[1] = timesOf[int]{3}.of(2), timesOf[float32]{3}.of(2)
	outI[2], out[2] = timesOf[int]{2}.ofSum(1, 2), timesOf[float32]{3}.ofSum(1, 2)
}

// An fk is a kernel that captures a function and a number.
type fk struct {
	F captures
	B int
}

//qd:kernel
func (k fk) Kernel(t qd.Thread, out []int) { out[0] = k.F.get() + k.B }

// An fks captures two functions.
type fks struct{ F, G captures }

//qd:kernel
func (k fks) Kernel(t qd.Thread, out []int) { out[0] = k.F.get() + k.G.get() }

// A genericValue is a generic kernel that captures a number.
type genericValue[T qd.Number] struct{ V int }

//qd:kernel
func (k genericValue[T]) Kernel(t qd.Thread, x T, out []T) { out[0] = x * T(k.V) }

// A typeOf is a kernel that captures a type.
type typeOf[T qd.Number] struct{}

//qd:kernel
func (typeOf[T]) Kernel(t qd.Thread, in float32, out []float32) { out[0] = float32(T(in)) }

// A lengthOf is a kernel that captures the type of a vector.
type lengthOf[V [2]float32 | [3]float32] struct{}

//qd:kernel
func (lengthOf[V]) Kernel(t qd.Thread, out []float32) {
	var v V
	for i := range len(v) {
		v[i] = 1
	}
	out[0] = lengthSquared(v)
}

func (structA) answer() float32 { return 17 }
func (structB) answer() float32 { return 42 }

// A structAsType is a kernel that captures the type of a struct.
type structAsType[S interface{ answer() float32 }] struct{}

//qd:kernel
func (structAsType[S]) Kernel(t qd.Thread, out []float32) {
	var s S
	out[0] = s.answer()
}

//qd:kernel
func clashingFuncs(t qd.Thread, out []int) {
	out[0], out[1] = clash1.Same(), clash2.Same()
	out[2], out[3] = clash1.Different(), clash2.Different()
}

//qd:kernel
func clashingStructs(t qd.Thread, s1 clash1.SameStruct, s2 clash2.SameStruct, d1 clash1.DifferentStruct, d2 clash2.DifferentStruct, out []float32) {
	out[0], out[1], out[2], out[3] = s1.X, s2.X, d1.V, d2.V[1]
}

//qd:kernel
func clashingStructsMade(t qd.Thread, out []float32) {
	s1, s2 := clash1.SameStruct{X: 1}, clash2.SameStruct{X: 2}
	d1, d2 := clash1.DifferentStruct{V: 3}, clash2.DifferentStruct{V: [2]float32{4, 5}}
	out[0], out[1], out[2], out[3] = s1.X, s2.X, d1.V, d2.V[1]
}

var modified = 17

//qd:kernel
func readsModified(t qd.Thread, out []int) { out[0] = modified }
