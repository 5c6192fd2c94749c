package errors

import "github.com/qdgen/qd"

type opOf struct {
	f func(int) int
	n int
}

func (o opOf) call(x int) int { return o.f(x) + o.n }

func (o *opOf) set(n int) { o.n = n }

type listed struct{ xs []int }

func plusOne(x int) int { return x + 1 }

func scaled(x int, n qd.Const[int]) int { return x * n.V }

//qd:kernel
func frontValues(t qd.Thread, x []int) {
	s := "abc"
	i := x[0]
	x[0] = int(s[i]) + len(make([]string, 3)) // want "make\\(\\[\\]string\\): strings are not supported"
	x[1] = int(s[5])                          // want "index 5 out of range: s has 3 elements"
	s = s[:i]                                 // want "a bound of a slice of s is not known at compile time"
	s = s[:7]                                 // want "slice bound 7 out of range: s has 3 elements"
	fs := [2]func(int) int{plusOne, plusOne}
	x[2] = fs[i](1) // want "the index of fs is not known at compile time"
	o := opOf{f: plusOne}
	o.set(3) // want "method set takes the address of a value that is known at compile time only"
	p := &o  // want "o is known at compile time only, and has no address"
	q := &s  // want "s is known at compile time only, and has no address"
	l := linkedName{}
	n := &l // want "l is known at compile time only, and has no address \\(field name: strings are not supported\\)"
	_, _, _ = p, q, n
	r := new("abc") // want "this takes the address of a value that is known at compile time only"
	_ = r
	u := &opOf{f: plusOne}
	if i > 1 {
		u.f = nil // want "u.f is known at compile time only: it cannot be assigned here"
	}
	made, w := madeEarly(i), *u
	made.f(1)
	v := &w.n // want "w.n is known at compile time only, and has no address$"
	_ = v
	var none *opOf
	none.f(1) // want "the pointer is nil here: in Go, this panics"
	m := qd.Static(map[string]int{"a": 1})
	m["b"] = 2 // want "m is known at compile time only: its elements cannot be assigned"
	x[3] = m[s]
	for range m { // want "cannot range over m, which has no order"
	}
	many := []string{1 << 17: ""} // want "a slice literal of more than 65536 elements"
	_ = many
	k := qd.Static(map[int]int{i: 1})             // want "the key of a map is not known at compile time: i is an element of x"
	x[4] = k[1] + qd.Static(map[int]int{1: 1})[i] // want "the key of the map is not known at compile time"
	x[5] = scaled(1, qd.C(i))                     // want "argument of qd.C is not known at compile time: i is an element of x"
	x[6] = scaled(1, qd.Const[int]{V: i})         // want "field V of qd.Const is not known at compile time: i is an element of x"
	h := listed{qd.Static([]int{1, 2})}           // want "a slice that is known at compile time only cannot become a slice of the running kernel"
	x[8] = h.xs[0]
	names := []string{"a", "b"}
	if i > 0 {
		s = "other"
	}
	if s == "abc" { // want "the value used here is not known at compile time: it differs between branches or iterations"
		x[7] = len(names[1])
	}
	a := fs
	b := a[:] // want "a is known at compile time only, and cannot be sliced"
	_ = b
}

func endless(n qd.Const[int]) int {
	return endless(qd.C(n.V+1)) + 1 // want "the recursion of endless does not end within 500 calls"
}

func up(n int) int { return down(n) + 1 }

func down(n int) int {
	return up(n) - 1 // want "recursive call of up: up calls down calls up"
}

func late() (f func() int, n int) {
	f = func() int { return n }
	return f, 7
}

//qd:kernel
func lateResults(t qd.Thread, x []int) {
	f, n := late()
	x[0] = f() + n // want "the function literal needs n, which was declared in a block that has ended"
	count := 0
	g := func() int { return count }
	count++
	x[1] = g() + counted()()
	next := counted()
	x[2] = next() + next() // want "the function literal needs c, which was declared in a block that has ended"
	looped := counted()
	for x[3] > 0 {
		x[3] -= looped() // want "the function literal needs c, which was declared in a block that has ended"
	}
	unrolled := counted()
	for range 2 {
		x[4] -= unrolled() // want "the function literal needs c, which was declared in a block that has ended"
	}
	add, sum := shared(3)
	add(5)
	x[5] = sum() // want "the function literal needs c, which was declared in a block that has ended"
}

func shared(n int) (func(int), func() int) {
	c := n
	return func(x int) { c += x }, func() int { return c }
}

func counted() func() int {
	c := 0
	c++
	return func() int { return c }
}

//qd:kernel
func assertions(t qd.Thread, x []int) {
	n, ok := any(x[0]).(float32)
	if ok {
		x[1] = int(n)
	}
	x[2] = int(any(x[0]).(float32)) // want "x\\[0\\] is a int, not a float32"
}

func positive(n int) int {
	if n < 0 {
		panic("negative")
	}
	a := [4]int{1, 2, 3, 4}
	return 12 / n * a[n]
}

func slow(n int) (s int) {
	for i := 0; i < n; i++ {
		s ^= i
	}
	return
}

//qd:kernel
func faultyCalls(t qd.Thread, x []int) {
	x[0] = qd.Static(positive(-1))    // want "the call of positive panics at values.go:\\d+: negative"
	x[1] = qd.Static(positive(0))     // want "the call of positive panics at values.go:\\d+: integer divide by zero"
	x[2] = qd.Static(positive(4) + 1) // want "the call of positive panics at values.go:\\d+: index out of range \\[4\\] with length 4"
	x[3] = qd.Static(slow(1 << 30))   // want "the call of slow takes more than 10000000 steps"
	if positive(-1) == 0 {
		x[4] = slow(1 << 40)
	}
}

//qd:kernel
func endlessCalls(t qd.Thread, x []int) {
	x[0] = endless(qd.C(0)) + up(1)
}

//qd:kernel
func noConst(t qd.Thread, x []int, n qd.Const[int]) { // want "the launch gives no value for parameter n, a qd.Const\\[int\\]"
	x[0] = n.V
}

//qd:kernel
func sliceConst(t qd.Thread, x []int, n qd.Const[[]int]) { // want "parameter n has type qd.Const\\[\\[\\]int\\]: slices and maps are not compile-time arguments"
	x[0] = n.V[0]
}

//qd:kernel
func pointerConst(t qd.Thread, x []int, n qd.Const[*int]) { // want "parameter n has type qd.Const\\[\\*int\\]: pointers are not compile-time arguments"
	x[0] = *n.V
}

//qd:kernel
func untypedConst(t qd.Thread, x []int, n qd.Const[chan int]) { // want "parameter n has type qd.Const\\[chan int\\]: channels are not supported"
	x[0] = 1
}

type holder struct{ x []int }

//qd:kernel
func (h holder) kernel(t qd.Thread, x []int) { // want "receiver h has type holder, which a kernel cannot capture: it holds slices or pointers"
	x[0] = h.x[0]
}

//qd:kernel
func (h *holder) pointed(t qd.Thread, x []int) { // want "a method of a pointer cannot be a kernel"
	x[0] = h.x[0]
}

// madeEarly gives a struct before and after a change of what is no memory.
func madeEarly(i int) *opOf {
	o := &opOf{f: plusOne}
	o.n = 3
	if i > 2 {
		return o
	}
	o.n = 4
	o.f = nil // want "o.f is known at compile time only: it cannot be assigned behind a return"
	return o
}

// A linkedName has a pointer to one of its own type, and a string.
type linkedName struct {
	name string
	next *linkedName
}

type measured struct {
	name   string
	factor int
	f      func(int) int
}

//qd:kernel
func partsOfAnyElement(t qd.Thread, x []int) {
	i := x[0]
	table := [...]measured{{"m", 1000, plusOne}, {"cm", 10, nil}}
	u := table[i]
	x[0] = u.factor + table[i].factor
	x[1] = len(table[i].name) // want "table\\[i\\].name is not known at compile time, because the index of table is not"
	x[2] = table[i].f(1)      // want "table\\[i\\].f is not known at compile time, because the index of table is not"
	if u.name == "m" {        // want "the value used here is not known at compile time, because the index of table is not"
		x[3] = u.f(2) // want "u.f is not known at compile time, because the index of table is not"
	}
	table[i].factor = 3 // want "the index of table is not known at compile time"
	p := &table[i]      // want "table\\[i\\] is known at compile time only, and has no address"
	x[4] = p.factor
	names := [...]struct{ name string }{{"a"}, {"b"}}
	x[5] = len(names[i].name) // want "the index of names is not known at compile time"
}

//qd:kernel
func elementsOfLists(t qd.Thread, x []int) {
	list := []measured{{"m", 1000, plusOne}, {"cm", 10, nil}}
	list[1].factor = 3             // want "list\\[1\\].factor is known at compile time only, and cannot be assigned"
	list[x[0]].factor++            // want "list\\[x\\[0\\]\\].factor is known at compile time only, and cannot be assigned"
	list[0].name = "u"             // want "list\\[0\\].name is known at compile time only, and cannot be assigned"
	for list[0].factor = range 3 { // want "list\\[0\\].factor is known at compile time only, and cannot be assigned"
	}
	x[1] = list[1].factor + list[x[0]].factor
}
