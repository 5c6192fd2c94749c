package errors

import (
	"math"
	"math/bits"

	"github.com/qdgen/qd"
)

var scale float32 = 2

var table []float32

//qd:kernel
func variables(t qd.Thread, x []float32) {
	i := t.ID()
	x[i] *= scale
	x[i] += scale
	table[i] = 1 // want "package variable table is assigned in a kernel"
	later = 3    // want "package variable later is assigned in a kernel"
	x[i] += x[later]
}

var later int

//qd:kernel
func builtins(t qd.Thread, x, y []float32, w []bool) {
	var none []float32
	none = append(none, 1)        // want "a kernel cannot allocate memory: the capacity of none is 0"
	y = make([]float32, len(x))   // want "a kernel cannot allocate memory: the capacity len\\(x\\) is not known at compile time"
	y = make([]float32, 3, 1<<20) // want "the slice is larger than 262144 bytes, the limit for a variable"
	z := make([]float32, 3)
	z = make([]float32, len(z)-5) // want "make of a slice of -2 elements"
	k := 5
	_ = make([]int, k, len(z)+1)       // want "make of a slice of 5 elements with capacity 4"
	_ = append([]string{"a"}, "b")     // want "append to a \\[\\]string is not supported in a kernel"
	_ = len([]string{"a", "b"}[0:1:2]) // want "slices in a kernel have no capacity"
	x = append(x, y[0])                // want "a kernel cannot allocate memory: x ends where its elements do"
	_ = make(chan int)                 // want "channels are not supported"
	p := new(float32)
	println(x[0]) // want "println is not supported"
	print(x[0])   // want "print is not supported"
	x[1] = real(complex(x[0], *p))
	x[2] = imag(complex(x[0], 1))
	recover()                // want "recover is not supported"
	delete(map[int]int{}, 1) // want "maps are not supported"
	h := holder{x[:2]}
	h.x = append(h.x, 1) // want "the capacity of h.x is not known at compile time"
	x[3] = float32(cap(half(x)))
	moved := z[:1] // want "the capacity of moved is not known wherever it is assigned"
	for range x {
		moved = h.x
		x[3] += float32(cap(moved))
	}
	q := (*[2]bool)(w) // want "a pointer to the array of a slice is not supported in a kernel"
	w[0] = (*q)[0]
	x[5] = float32(cap(half(x)[1:2:3]))
}

type holder struct{ x []float32 }

func half(x []float32) []float32 { return x[len(x)/2:] }

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func even(n int) bool { return n == 0 || odd(n-1) }
func odd(n int) bool  { return n != 0 && even(n-1) }

func double[T qd.Float](x T) T { return x * 2 }

func pick(f func(float32) float32, xs ...float32) float32 { return f(xs[0]) }

func both() (float32, chan int) { return 1, nil } // want "result has type chan int: channels are not supported"

func named(x []float32) (r []float32, t qd.Thread) { // want "a function cannot return a qd.Thread"
	return x, t
}

func plain(x float32) float32 { return x }

func self(t qd.Thread, x []float32) { self(t, x) } // want "recursive call of self"

//qd:kernel
func functions(t qd.Thread, x []float32) {
	i := t.ID()
	x[i] = float32(fib(i))
	if even(i) {
		x[i] = double(x[i])
	}
	x[i] = pick(plain, 1, 2)
	a, _ := both()
	y, _ := named(x)
	x[i] = a + y[i] + float32(bits.Len(3))
	f := plain
	g := math.Sqrt
	h := t.ID
	x[i] = f(x[i]) + float32(g(1)) + float32(h())
	k := double[float32]
	x[i] = k(1)
	self(t, x)
	for range counts {
	}
}

func counts(yield func() bool) {}

//qd:kernel
func thread(t qd.Thread, x []int, axis int) {
	x[0] = t.Dim(axis) // want "the axis of Dim is not known at compile time: axis is a runtime parameter"
	x[1] = t.Dim(4)    // want "axis 4 does not exist"
	i, j := t.ID2()
	k, l, m := t.ID3()             // want "this needs a launch with 3 dimensions, but one with 2 is needed at line 116"
	x[i+j] = k + l + m + volume(t) // want "this needs a launch with 4 dimensions, but one with 2 is needed at line 116"
	u := t
	if u == t { // want "comparing qd.Threads and qd.Blocks is not supported"
		x[2] = 1
	}
	x[3] = qd.Thread.ID(t) // want "method expressions of qd.Thread are not supported"
}

func volume(t qd.Thread) int {
	i, j, k, l := t.ID4()
	return i + j + k + l
}
