package errors

import "github.com/qdgen/qd"

//qd:kernel
func unknown(t qd.Thread, val float32, n int, x []int) {
	if qd.Static(val > 0) { // want "argument of qd.Static is not known at compile time: val is a runtime parameter"
		x[0] = 1
	}
	i := t.ID()
	x[0] = qd.Static(i + 1)             // want "not known at compile time: i is the index of the thread"
	x[0] = qd.Static(t.Dim(0))          // want "not known at compile time: it depends on the size of the launch"
	x[0] = qd.Static(len(x))            // want "the length of x is known only when the kernel runs"
	x[0] = qd.Static(x[3] + 1)          // want "the elements of x are read when the kernel runs"
	x[0] = qd.Static(square(n))         // want "argument of qd.Static is not known at compile time"
	x[0] = qd.Static(square2(n))        // want "the result of square2 is computed when the kernel runs"
	x[0] = qd.Static(1 + square3(n, x)) // want "the result of square3 is computed when the kernel runs"
	x[1] = square3(n, x)
	sq := square2(n)
	x[0] = qd.Static(sq) // want "the result of square2 is computed when the kernel runs"
	m := 1
	for range n {
		m++
	}
	x[0] = qd.Static(m) // want "m is assigned in a loop that is not unrolled"
	for k := range n {
		x[0] = qd.Static(k) // want "k is assigned in a loop that is not unrolled"
	}
	k := 1
	if n > 3 {
		k = 2
	}
	x[0] = qd.Static(k) // want "k is assigned under a condition that is not known at compile time"
	a := [2]int{1, 2}
	a[n&1] = 3
	x[0] = qd.Static(a[1])                   // want "a is in memory, because its address is taken or a part of it is assigned"
	x[0] = qd.Static(qd.Dynamic(3))          // want "qd.Dynamic makes it a runtime value"
	x[0] = qd.Static(qd.AtomicAdd(&x[1], 1)) // want "it is the result of an atomic operation"
	zero := 0
	x[0] = qd.Static(1 / zero) // want "it divides by zero"
	neg := -1
	x[0] = qd.Static(1 << neg) // want "it shifts by a negative number"
	for qd.Static(n > 0) {     // want "argument of qd.Static is not known at compile time: n is a runtime parameter"
		x[0] = nope(1) // want "undefined: nope"
	}
}

func square(n int) int { return n * n }

func square2(n int) int {
	for range n {
		n++
	}
	return n
}

//qd:kernel
func unknownRange(t qd.Thread, n int, x []int) {
	for i := range qd.Static(n) { // want "n is a runtime parameter"
		x[i] = 1
	}
	for i := range qd.Static(x) { // want "argument of qd.Static is not known at compile time"
		x[i] = 1
	}
}

//qd:kernel
func assertions(t qd.Thread, n int, x []int) {
	qd.StaticAssert(len([4]int{}) == 5, "four are not five") // want "static assertion failed: four are not five"
	qd.StaticAssert(n == 5, "n")                             // want "argument of qd.StaticAssert is not known at compile time: n is a runtime parameter"
	x[0] = len(qd.Dynamic("four"))                           // want "a string is always known at compile time"
	qd.StaticPrint(3, n)                                     // want "argument of qd.StaticPrint is not known at compile time: n is a runtime parameter"
}

// What is not taken is not lowered: nothing in it is refused.
//
//qd:kernel
func notTaken(t qd.Thread, x []int) {
	m := 3
	var p *int
	if m == 2 {
		x = append(x, 1)
		y := 1
		p = &y // it would outlive y
	}
	for range m - 3 {
		y := 2
		p = &y
	}
	if m == 3 {
		y := 3
		p = &y // want "p outlives y, which it points to"
	}
	_ = p
	if m == 3 {
		x[0] = 1
		return
	}
	x = append(x, 2)
}

func square3(n int, x []int) int {
	if n > 3 {
		x[0] = n
	}
	return n * n
}

type anything struct {
	value any
	n     int
}

func anyOf(n int) any { return n }

func anythingOf(n int) anything { return anything{n, n} }

//qd:kernel
func interfaces(t qd.Thread, x []int) {
	y := qd.Static(anyOf(3))      // want "qd.Static\\(anyOf\\(3\\)\\) has type any: interfaces are known at compile time only, by their dynamic types"
	if qd.Static(anyOf(3)) == 3 { // want "qd.Static\\(anyOf\\(3\\)\\) has type any: interfaces are known at compile time only, by their dynamic types"
		x[0] = 1
	}
	x[1] = qd.Static(anythingOf(3)).n // want "has type anything: field value: interfaces are known at compile time only, by their dynamic types"
	_ = y
}
