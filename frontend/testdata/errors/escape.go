package errors

import "github.com/qdgen/qd"

type cursor struct {
	at   *int32
	view []int32
}

func move(c *cursor, p *int32) { c.at = p }

func get(c cursor) *int32 { return c.at }

func keep(c *cursor, view []int32) { c.view = view }

//qd:kernel
func outlives(t qd.Thread, x []int32) {
	var p *int32
	var s []int32
	var c cursor
	i := t.ID()
	p = &x[i]
	s = x[1:]
	c.at, c.view = p, s
	n := int32(1)
	q := &n
	p = q
	if i > 0 {
		var a [4]int32
		p = &a[i]            // want "p outlives a, which it points to"
		s = a[:2]            // want "s outlives a, which it points to"
		c.at = &a[0]         // want "c.at outlives a, which it points to"
		c = cursor{at: q}    // n lives as long as c
		c = cursor{&n, a[:]} // want "c outlives a, which it points to"
		move(&c, &a[1])      // want "c outlives a, which it points to"
		keep(&c, a[1:])      // want "c outlives a, which it points to"
		r := &a[2]
		p = r // want "p outlives a, which it points to"
		d := cursor{at: r}
		p = get(d) // want "p outlives a, which it points to"
		d.view = s
	}
	for k := range int32(3) {
		p = &k // want "p outlives k, which it points to"
	}
	for k, r := int32(0), p; k < 3; k++ {
		r = &k // want "r outlives k, which it points to"
		*r = 1
		p := &k
		*p = 2
	}
	for r := p; *r < 3; r = new(int32) { // want "r outlives the variable that it points to, made by new\\(int32\\)"
		s = []int32{3, 4} // want "s outlives the array that it points to, made by \\[\\]int32\\{"
		p = new(int32)    // want "p outlives the variable that it points to, made by new\\(int32\\)"
	}
	switch m := int32(i); {
	case m > 1:
		o := m
		p = &m // want "p outlives m, which it points to"
		q = &o // want "q outlives o, which it points to"
	}
	x[i] = *p + s[0] + *c.at + *q
	x[0] = *local(3) + *param(4) + *made() + *named() + slice()[0] + list()[1] + *passed(p) + nested(&c).view[0]
}

func local(v int32) *int32 {
	w := v + 1
	return &w
}

func param(v int32) *int32 { return &v }

func list() []int32 { return []int32{1, 2} }

func made() *int32 { return new(int32) }

func named() (p *int32) {
	n := int32(2)
	p = &n
	return
}

func slice() []int32 {
	var a [3]int32
	s := a[:]
	return s[1:]
}

func passed(p *int32) *int32 { return p }

func nested(c *cursor) *cursor {
	var a [3]int32
	c.view = a[:] // want "c.view outlives a, which it points to"
	d := c
	d.at = &a[1] // want "d.at outlives a, which it points to"
	d = &cursor{view: c.view}
	c.view = d.view // want "c.view outlives a, which it points to"
	*d = cursor{at: c.at}
	return c
}

func with(f func(p *int32) *int32) int32 {
	var n, m int32
	q := &n
	{
		var o int32
		q = f(&o) // want "q outlives o, which it points to" "q outlives the variable that it points to, made by f\\(&o\\)"
	}
	return *f(&n) + *q + m
}

func hand(f func(p *int32)) *int32 {
	var n int32
	f(&n)
	return &n
}

//qd:kernel
func literals(t qd.Thread, x []int32) {
	var p *int32
	n := x[0]
	x[1] = with(func(q *int32) *int32 {
		if n > 1 {
			return q
		}
		m := n
		if n < -1 {
			return &m // as long as what is declared where with calls it
		}
		return &n
	})
	hand(func(q *int32) {
		r := q
		*r = 4
		p = q // want "p outlives the call, whose q it is"
	})
	get := func() (r *int32) {
		var o int32
		p = &o // want "p outlives o, which it points to"
		r = &n
		return r
	}
	if n > 2 {
		o := x[3]
		give := func() *int32 { return &o }
		p = give() // want "p outlives o, which it points to"
	}
	x[2] = *get() + *p
}

func rest(x ...int32) []int32 { return x }

func both(p *int32) (q *int32, n int32) { return p, 1 }

func firstOf(p *int32, _ int32) *int32 { return p }

// A call makes an array of variadic arguments, and may be given another's results.
//
//qd:kernel
func arguments(t qd.Thread, x []int32) {
	var s []int32
	n := x[0]
	p := &n
	if n > 1 {
		o := x[1]
		s = rest(1, 2, n)     // want "s outlives the array of the arguments of rest"
		p = firstOf(both(&o)) // want "p outlives o, which it points to"
	}
	s = rest(1, n)
	x[2] = s[0] + *p
}

type keeper struct{ at *int32 }

func (k *keeper) keep(p *int32) { k.at = p }

func (k *keeper) get() int32 { return *k.at }

func lend(f func(p *int32)) {
	var n int32
	f(&n)
}

func bind(k *keeper) {
	lend(k.keep) // want "method value k.keep may keep the pointers that are passed to it"
}

//qd:kernel
func methodValues(t qd.Thread, x []int32) {
	n := x[0]
	k := keeper{&n}
	bind(&k)
	f := k.get
	lend(func(p *int32) { k.keep(p) }) // want "k outlives the call, whose p it is"
	x[1] = f()
}

func aim(pp **int32, p *int32) { *pp = p }

//qd:kernel
func pointersToPointers(t qd.Thread, x []int32) {
	n := x[0]
	p := &n
	pp := &p
	ppp := &pp
	if n > 1 {
		o := x[1]
		**ppp = &o    // want "outlives o, which it points to"
		aim(pp, &o)   // want "p outlives o, which it points to"
		aim(*ppp, &o) // want "p outlives o, which it points to"
	}
	x[2] = *p
}

type link struct{ next *link }

func behind(a, b *link) { a.next.next = b }

// A list of local values: each turn of a loop has variables of its own.
//
//qd:kernel
func linksInLoops(t qd.Thread, x []int32) {
	var head *link
	var a, b link
	a.next = &b
	for range 3 {
		var c link
		behind(&a, &c)         // want "a outlives c, which it points to" "b outlives c, which it points to"
		head = &link{next: &a} // want "head outlives the variable that it points to, made by &link"
		p := &link{next: &a}
		p.next.next = p // want "p.next.next outlives the variable that it points to, made by &link"
	}
	if head != nil {
		x[0] = 1
	}
}

// again goes back, and has a variable of its own each time.
func again(n int32) int32 {
	var all [4]*int32
	k := int32(0)
back:
	own := k
	all[k] = &own // want "all\\[k\\] outlives own, which it points to"
	near := &own
	var other int32
	near = &other
	*near++
	k++
	if k < n {
		goto back
	}
	return *all[0] + *near
}

func give(n int32, to func(p *int32)) {
	for k := range n {
		own := k
		to(&own)
	}
}

// taken makes no pointer itself.
func taken(n int32) int32 {
	var all [4]*int32
	k := 0
	give(n, func(p *int32) {
		all[k] = p // want "all\\[k\\] outlives the call, whose p it is"
		k++
	})
	for p := range func(yield func(p *int32) bool) { give(n, func(p *int32) { yield(p) }) } {
		all[0] = p // want "all\\[0\\] outlives the call, whose p it is"
	}
	return *all[0]
}

//qd:kernel
func outlivesTurns(t qd.Thread, x []int32) { x[t.ID()] = again(x[0]) + taken(x[1]) }

// What functions that are values return lives as long as what is declared where they are called.

func ownNumber(n int32) *int32 { return &n }

func handOver(f func(int32) *int32, n int32) *int32 { return f(n) }

func last(f func(int32) *int32, n int32) int32 {
	var p *int32
	for i := range n {
		p = f(i) // want "p outlives the variable that it points to, made by f\\(i\\)"
	}
	return *p
}

func lastOf(f func(int32) *int32, n int32) int32 {
	p := f(0)
	if n > 1 {
		p = handOver(f, n) // want "p outlives the variable that it points to, made by handOver\\(f, n\\)"
	}
	return *p
}

func store(c *cursor, f func(int32) *int32) {
	c.at = f(1) // want "c.at outlives the variable that it points to, made by f\\(1\\)"
}

type counting interface{ more() counting }

type counted struct{ n int32 }

func (c *counted) more() counting { return &counted{c.n + 1} }

func count(c counting, n int32) int32 {
	for range n {
		c = c.more() // want "c outlives the variable that it points to, made by c.more\\(\\)"
	}
	return c.(*counted).n
}

type maker[T any] interface{ make(int32) *T }

type numbers struct{}

func (numbers) make(n int32) *int32 { return &n }

func made1[M maker[int32]](m M) int32 {
	var p *int32
	{
		p = m.make(1) // want "p outlives the variable that it points to, made by m.make\\(1\\)"
	}
	return *p
}

//qd:kernel
func ofValues(t qd.Thread, x []int32) {
	x[0] = last(ownNumber, x[1]) + lastOf(func(n int32) *int32 { return &n }, x[2])
	x[1] = last(func(n int32) *int32 { return &x[n] }, x[1])
	var c cursor
	store(&c, ownNumber)
	x[2] = *c.at + count(&counted{}, x[0]) + made1(numbers{})
	keep := func(n int32) []int32 { return []int32{n, 2} }
	s := keep(3)
	if x[3] > 0 {
		s = keep(x[3]) // want "s outlives the array that it points to, made by keep\\(x\\[3\\]\\)"
		var p *int32
		if len(s) > 5 { // it is 2
			s = keep(4)
		}
		p = handOver(ownNumber, 3)
		x[5] = *p
	}
	x[4] = s[0]
}
