package errors

import "github.com/qdgen/qd"

func inc(x int) int { return x + 1 }
func dec(x int) int { return x - 1 }

func call(f func(int) int, x int) int { return f(x) } // want "f is nil here"

func again(f func(int) int, n int) int {
	if n == 0 {
		return f(n)
	}
	return again(f, n-1)
}

func deeper(f func(int) int, n int) int {
	return deeper(func(x int) int { return f(x) }, n-1) // want "calls of functions that take functions or interfaces are nested too deep"
}

func chosen() func(int) int { return inc }

type self func(self, int) int

func doubled[T qd.Number](x T) T { return 2 * x }

func all(t, u func(int) int, n int) int {
	return t(n) + u(n)
}

type holder struct{ f func(int) int }

var operation = inc

//qd:kernel
func unknown(t qd.Thread, x []int, c bool) {
	f := inc
	if c {
		f = dec
	}
	x[0] = f(1) // want "the function in f is not known at compile time"
	g := inc
	for i := range x {
		x[i] = g(i) // want "the function in g is not known at compile time"
		g = dec
	}
	x[1] = call(g, 2) // want "the function in g is not known at compile time"
	var h func(int) int
	x[2] = h(3) // want "h is nil here"
	k := inc
	switch x[0] {
	case 1:
		k = inc
	default:
		k = dec
		x[3] = k(4)
	}
	if k == nil { // want "it is not known at compile time whether the function is nil"
		x[4] = 1
	}
	x[5] = chosen()(1)
	x[6] = call(nil, 6)
	x[7] = operation(7)
	fs := [2]func(int) int{inc, dec}
	x[8] = fs[0](1)
	qd.Printf("%v", f) // want "qd.Printf prints numbers, bools, constant strings, and arrays and structs of numbers and bools, not a func"
	for i := range f2 {
		x[i] = 1
	}
	seq := f2
	if c {
		seq = f3
	}
	for i := range seq { // want "the function in seq is not known at compile time"
		x[i] = 1
	}
	for i := range f4 {
		x[i] = 1
	}
	for p := range f5 {
		x[9] = *p
		for i := range f3 {
			h = func(int) int { return i }
			defer inc(i)       // want "defer statements are not supported"
			m := map[int]int{} // want "maps are not supported"
			_ = m
		}
	}
	_ = func() *int {
		for i := range f2 {
			return &i // want "result outlives i, which it points to"
		}
		return nil
	}
}

func f3(yield func(int) bool) { yield(3) }

func f4(yield func(int) bool) {
	for i := range f4 { // want "calls of functions that take functions or interfaces are nested too deep"
		yield(i)
	}
}

func f5(yield func(*int) bool) {
	x := 5
	yield(&x)
}

func f2(yield func(int) bool) {}

//qd:kernel
func recursions(t qd.Thread, x []int) {
	x[0] = again(inc, x[9])
	x[1] = deeper(inc, 3)
	var f func(int) int
	f = func(n int) int {
		return f(n - 1) // want "recursive call of f$"
	}
	x[2] = f(x[9])
	s := func(g self, n int) int { return g(g, n) } // want "recursive call of a function literal"
	x[3] = s(s, 1)
	x[4] = all(inc, doubled[int], x[0])
}

//qd:kernel
func headers(t qd.Thread, x []int) {
	forever := func() {
		for {
		}
	}
	for i := 0; i < 3; forever() { // want "a call that does not return is not supported in the header of a loop"
		x[0] = 1
	}
	stop := func() bool { panic("no") }
	for stop() {
		x[0] = 1
	}
}
