package errors

import "github.com/qdgen/qd"

func leaks(f func(*int), n int) int {
	var p *int
	if n > 0 {
		y := n
		p = &y // want "p outlives y"
	}
	f(p)
	return *p
}

func stays(f func(*int) int, n int) int {
	y := n
	return f(&y)
}

type counter struct{ n int }

func (c *counter) inc() int { c.n++; return c.n }

func lost[T any](x T, f func(T)) *T {
	y := x
	f(y)
	return &y
}

//qd:kernel
func inlinedEscapes(t qd.Thread, x []int) {
	x[0] = leaks(func(p *int) { *p = 3 }, x[1])
	x[1] = stays(func(p *int) int { return *p }, x[1])
	x[2] = *lost(x[1], func(int) {})
	var next func() int
	if x[3] > 0 {
		var c counter
		next = c.inc // want "next outlives c, which it points to"
	}
	x[4] = next() // want "the function in next"
	var last func() int
	{
		var c counter
		last = c.inc // want "last outlives c, which it points to"
	}
	x[5] = last() + last()
	var keep func() *int
	keep = func() *int {
		z := 3
		return &z // it lives on where the literal is called
	}
	x[6] = *keep()
	v := func(n int) (p *int) {
		for i := range n {
			p = &i // want "p outlives i"
		}
		return
	}(3)
	x[7] = *v
}

type tally struct{ n int }

func (c tally) get() int { return c.n }

//qd:kernel
func ended(t qd.Thread, x []int) {
	zero := func() int { return 0 }
	a := tally{x[0]}
	f, g, h := zero, zero, a.get
	if x[1] > 0 {
		k, c := x[2], tally{x[3]}
		f = func() int { return k }
		g = c.get
		h = a.get
	} else {
		return
	}
	x[4] = f() // want "f needs k, which was declared in a block that has ended"
	x[5] = g() // want "g needs the receiver that it is bound to, which was declared in a block that has ended"
	x[6] = zero()
	h = zero
	switch {
	case x[7] > 0:
		panic("none")
	default:
		k := x[3]
		h = func() int { return k }
	}
	x[8] = h() // want "h needs k, which was declared in a block that has ended"
	if x[9] > 0 {
		h = func() int { return a.n + x[0] }
	} else {
		return
	}
	x[10] = h()
}

//qd:kernel
func endedGrid(g qd.Grid, x []int) {
	f := func(i int) { x[i] = i }
	if len(x) > 3 {
		k := len(x)
		f = func(i int) { x[i] = k }
	} else {
		return
	}
	g.For(len(x), f) // want "f needs k, which was declared in a block that has ended"
}

//qd:kernel
func uncalled(t qd.Thread, x []int) {
	n := x[0]
	_ = func(m int, f func(int) int) int {
		go f(1) // want "go statements are not supported in a kernel"
		_ = func() {
			ch := make(chan int) // want "channels are not supported"
			_ = ch
			n += f(m)
		}
		for {
			if m > n {
				break
			}
		}
		return m
	}
	var g func()
	h := func() { g() }
	g = h
	if false {
		g()
		defer h()
	}
	x[1] = n
}
