package values

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

type grid [3][3]int

func (g grid) with(i, j, v int) grid { g[i][j] = v; return g }
func (g *grid) set(i, j, v int)      { g[i][j] = v }

type tree struct {
	l, r *tree
	v    int
}

func (t *tree) insert(v int) *tree {
	if t == nil {
		return &tree{v: v}
	}
	if v < t.v {
		t.l = t.l.insert(v)
	} else {
		t.r = t.r.insert(v)
	}
	return t
}
func (t *tree) walk(f func(int)) {
	if t != nil {
		t.l.walk(f)
		f(t.v)
		t.r.walk(f)
	}
}

type animal interface{ sound() string }
type dog struct{ name string }
type cat struct{ *dog }
type named struct {
	animal
	n int
}

func (d dog) sound() string    { return d.name + "!" }
func (d *dog) rename(s string) { d.name = s }

type state int

const (
	sa state = iota
	sb
	_
	sd
)

func (s state) String() string { return [...]string{sa: "a", sb: "b", sd: "d"}[s] }

type opt func(*cfg)
type cfg struct {
	a, b int
	s    []string
}

func withA(a int) opt { return func(c *cfg) { c.a = a } }
func build(os ...opt) (c cfg) {
	c.b = 7
	for _, o := range os {
		o(&c)
	}
	return
}

var (
	grids = func() [5]int {
		var g grid
		h := g.with(1, 1, 5)
		g.set(0, 2, 3)
		k := h
		k[1], k[2] = k[2], k[1]
		row := &h[1]
		row[0] = 8
		h[1] = [3]int{1, 2, 3}
		p := &h
		p[2][2] = 4
		for i, r := range *p {
			p[2][i] += r[0]
		}
		q := p[1:]
		q[0][0] = 77
		return [5]int{g[0][2], h[1][0] + row[0], k[2][1], h[2][2], h[2][1]}
	}()
	aliases = func() [8]int {
		a := [6]int{1, 2, 3, 4, 5, 6}
		s := a[1:3:4]
		s = append(s, 50)
		s2 := append(s, 60)
		s2[0] = 9
		t := a[:]
		copy(t[2:], t)
		u := t[:2]
		u = append(u, t[3:]...)
		v := [3]int(t[1:])
		v[0] = 99
		return [8]int(append(a[:], s2[0], v[0]))
	}()
	appendedWithinCapacity = func() [6]int {
		s := make([]int, 3, 10)
		t := append(s, 1)
		u := append(s, 2)
		w := append(s[:1], 3, 4, 5)
		clear(s[1:2])
		x := s[2:5]
		return [6]int{t[3], u[3], w[1], x[0], x[2], len(x) + cap(x)}
	}()
	pointersIntoElements = func() [4]int {
		type T struct{ a [2]int }
		s := []T{{[2]int{1, 2}}, {}}
		p := &s[0]
		q := &p.a[1]
		r := p.a[:]
		s[1] = s[0]
		s[0] = T{}
		*q = 5
		r[0]++
		s[0], s[1] = s[1], s[0]
		return [4]int{s[0].a[0], s[0].a[1], s[1].a[0]*10 + p.a[0], *q + r[1]}
	}()
	mapKeys = func() [8]int {
		type K struct {
			a int
			s string
			f float64
			e any
		}
		m := map[K][2]int{}
		m[K{1, "x", 0, 1}] = [2]int{1, 2}
		m[K{1, "x", math.Copysign(0, -1), 1}] = [2]int{3, 4}
		m[K{1, "x", 0, int8(1)}] = [2]int{5, 6}
		m[K{1, "x", 0, nil}] = [2]int{7, 8}
		v := m[K{1, "x", 0, 1}]
		v[0] = 100
		w, ok := m[K{}]
		n := 0
		if !ok {
			n = w[0] + 1
		}
		mm := map[string]map[string]int{"a": {"b": 1}}
		mm["a"]["c"]++
		mm["q"] = nil
		delete(mm["q"], "x")
		ms := map[string][]int{}
		ms["a"] = append(ms["a"], 1, 2)
		ms["a"][0] += 5
		mp := map[[2]string]*int{{"a", "b"}: &n}
		*mp[[2]string{"a", "b"}] += 10
		mi := map[any]int{1: 1, "1": 2, 1.0: 3, [1]int{1}: 4, int8(1): 5, true: 6, nil: 7}
		return [8]int{len(m), m[K{1, "x", 0, 1}][0], v[0], n, len(mm) + len(mm["a"]), ms["a"][0] + mm["z"]["y"], mi[1]*1000 + mi["1"]*100 + mi[1.0]*10 + mi[[1]int{1}], mi[int8(1)]*100 + mi[true]*10 + mi[nil] + len(mi)}
	}()
	trees = func() (s string) {
		var t *tree
		for _, v := range []int{5, 2, 8, 1, 9, 3} {
			t = t.insert(v)
		}
		t.walk(func(v int) { s += strconv.Itoa(v) })
		return
	}()
	states = func() string {
		s := ""
		for _, x := range []state{sd, sa, sb} {
			s += x.String()
			var y interface{ String() string } = x
			s += y.String()
		}
		return s
	}()
	options = func() [3]int {
		c := build(withA(3), func(c *cfg) { c.b *= 2; c.s = append(c.s, "x") })
		d := build()
		return [3]int{c.a, c.b + len(c.s), d.a + d.b}
	}()
	labels = func() int {
		s := 0
	outer:
		for i := 0; ; i++ {
			switch {
			case i == 3:
				continue outer
			case i > 6:
				break outer
			}
			for j := range 5 {
				if j == i {
					continue outer
				}
				if j > 3 {
					break
				}
				s = s*3 + j
			}
		}
	L:
		switch {
		default:
			s++
			for {
				if s > 0 {
					break L
				}
				s++
			}
		}
		return s
	}()
	fallthroughs = func() [8]int {
		var r [8]int
		for i := range 8 {
			s := 0
			switch i {
			case 1, 2:
				s += 1
				fallthrough
			default:
				s += 10
			case 3:
				s += 100
				if i == 3 {
					break
				}
				s += 5
			case 4:
				s += 1000
				fallthrough
			case 5:
				s += 10000
			case 6:
			}
			r[i] = s
		}
		return r
	}()
	shadowed = func() [5]int {
		x := 1
		var r [5]int
		if x := x + 1; x > 1 {
			x := x * 10
			r[0] = x
			x++
		} else if y := x; y > 0 {
			x = y
		}
		r[1] = x
		{
			x, y := 5, x
			x, z := x+y, 3
			r[2] = x + z
		}
		for x := 0; x < 3; x++ {
			x := x * 2
			r[3] += x
		}
		f := func(x int) (y int) {
			y = x
			if x := 9; x > 3 {
				y := x
				_ = y
				return y
			}
			return
		}
		r[4] = f(3)*10 + x
		return r
	}()
	capturedPerTurn = func() [6]int {
		var fs []func() int
		n := 0
		for i := range 3 {
			k := i * 10
			fs = append(fs, func() int { k++; n += k; return n })
		}
		var r [6]int
		for j := range 2 {
			for i, f := range fs {
				r[j*3+i] = f()
			}
		}
		return r
	}()
	recursion = func() int {
		var even, odd func(int) bool
		even = func(n int) bool { return n == 0 || odd(n-1) }
		odd = func(n int) bool { return n != 0 && even(n-1) }
		var f func(int) func(int) int
		f = func(d int) func(int) int {
			if d == 0 {
				return func(x int) int { return x }
			}
			g := f(d - 1)
			return func(x int) int { return g(x)*2 + d }
		}
		if even(10) && odd(7) {
			return f(4)(3)
		}
		return 0
	}()
	namedResults = func() [4]int {
		f := func() (a, b int) {
			a = 1
			g := func() { a = 5 }
			b = 2
			g()
			return b, a
		}
		h := func() (x int) {
			x = 3
			g := func() int { x = 50; return 1 }
			return x + g()
		}
		k := func() (x [2]int) {
			x[0] = 4
			p := &x
			p[1] = 6
			return
		}
		a, b := f()
		return [4]int{a, b, h(), k()[0]*10 + k()[1]}
	}()
	sortedNumbers = func() [6]int {
		l := []int{5, 2, 8, 1, 7, 3}
		sort.Ints(l)
		slices.Reverse(l)
		sort.Slice(l, func(a, b int) bool { return l[a]%3 < l[b]%3 || l[a]%3 == l[b]%3 && l[a] < l[b] })
		return [6]int(l)
	}()
	sortedStructs = func() string {
		l := []dog{{"b"}, {"a"}, {"c"}}
		slices.SortFunc(l, func(a, b dog) int { return strings.Compare(a.name, b.name) })
		i, ok := slices.BinarySearchFunc(l, "c", func(d dog, s string) int { return strings.Compare(d.name, s) })
		s := ""
		for _, d := range l {
			s += d.name
		}
		if ok {
			s += strconv.Itoa(i)
		}
		return s
	}()
	singles = func() [8]float32 {
		a, b := float32(0.1), float32(3)
		c := a*b + 0.2
		var f float32 = 16777216
		f++
		f += 1
		g := float32(1) / 3
		h := float64(a) * 3
		var m float32 = math.MaxFloat32
		return [8]float32{c, f, g, float32(h), m * 2, -m * 2, float32(math.Sqrt(float64(b))), min(a, b, float32(math.Inf(-1)))}
	}()
	complexSingles = func() [4]complex64 {
		z := complex(float32(0.1), 0.3)
		y := z * z / complex(3, 1)
		w := -y + 2
		w *= 1i
		return [4]complex64{z, y, w, complex64(complex128(w) * complex128(z))}
	}()
	zerosCompared = func() [4]float64 {
		nz := math.Copysign(0, -1)
		x := 0.0
		return [4]float64{1 / max(nz, x), 1 / min(x, nz), min(3, 2.5, x+2), max(x, 1)}
	}()
	arrayPointers = func() [6]int {
		p := &[3]int{1, 2, 3}
		q := p
		for i, v := range p {
			p[2] = 10
			q[i] += v
		}
		r := *p
		r[0] = 100
		s := p[1:]
		s[0] = 7
		for i, v := range *p {
			p[2] = 55
			r[i] += v
		}
		for i := range p {
			p[i]++
		}
		return [6]int{p[0], p[1], p[2], r[0], r[1], r[2]}
	}()
	rangedCopies = func() [6]int {
		s := []int{1, 2, 3}
		t := 0
		for i, v := range s {
			s = append(s, v*2)
			s[i] = 0
			t = t*10 + v
		}
		a := [3]int{1, 2, 3}
		u := 0
		for i, v := range a {
			a[2] = 9
			u = u*10 + v + i
		}
		for i, v := range a[:] {
			a[2] = 7
			u = u*10 + v + i
		}
		n := 5
		w := 0
		for i := range n {
			n = 2
			w += i
		}
		return [6]int{t, u, w, len(s), s[3], n}
	}()
	forms = func() [4]int {
		var x any = [2][]int{{1}, {2, 3}}
		y := x.([2][]int)
		y[0][0] = 9
		y[1] = nil
		z := x.([2][]int)
		var pp **int
		a, b := 1, 2
		p := &a
		pp = &p
		*pp = &b
		**pp = 7
		return [4]int{z[0][0], len(z[1]), a, b}
	}()
	variadics = func() [4]int {
		f := func(xs ...int) int {
			if xs == nil {
				return -1
			}
			xs[0] += 10
			return len(xs)*100 + xs[0]
		}
		l := []int{1, 2}
		g := func(a int, xs ...any) int { return a + len(xs) }
		h := func() (int, string, any) { return 1, "a", nil }
		return [4]int{f(), f(l...), l[0] + f(1), g(h()) + g(1, nil) + g(1, []any{1, 2}...) + g(1, []any{1, 2})}
	}()
)
