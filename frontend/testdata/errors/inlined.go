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
	return &y // want "y"
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
	x[4] = next() // want "which function next is"
	var last func() int
	{
		var c counter
		last = c.inc // want "last outlives c, which it points to"
	}
	x[5] = last() + last()
	var keep func() *int
	keep = func() *int {
		z := 3
		return &z // want "z"
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
