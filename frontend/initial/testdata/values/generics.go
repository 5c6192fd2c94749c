package values

import (
	"cmp"
	"slices"
	"strconv"
)

func (p *node) set(x int) { p.n = x }

func steps[T interface {
	step() bool
	val() int
}](x T) int {
	s := 0
	for x.step() {
		s = s*10 + x.val()
	}
	f := x.val
	return s*10 + f()
}
func setTwice[T any, PT interface {
	*T
	set(int)
}](n int) T {
	var x T
	p := PT(&x)
	p.set(n)
	q := p
	q.set(n * 2)
	y := *p
	p.set(77)
	return y
}

type embedded[T any] struct{ v T }

func (e *embedded[T]) put(v T) { e.v = v }
func (e embedded[T]) get() T   { return e.v }

type holder[T any] struct {
	embedded[T]
	m map[string]T
}

func kindOf[T any](x any) string {
	switch v := x.(type) {
	case T:
		_ = v
		return "T"
	case []T:
		return "[]T" + strconv.Itoa(len(v))
	case map[string]T:
		return "map"
	case func(T) T:
		return "func"
	case embedded[T]:
		return "emb"
	case *embedded[T]:
		return "*emb"
	}
	return "?"
}

type numeric interface {
	~int8 | ~int | ~uint8 | ~float32 | ~float64
}

func withConstants[T numeric](x T) T {
	const k = 7
	var y T = 3
	y += k
	y *= x + 1
	z := T(k) / 2
	z -= T(len("abc"))
	return y + z + T('\x02')
}
func converted[A, B numeric](x A) B { return B(x) + B(A(3)) }

type chain struct{ parts []string }

func (c chain) add(s string) chain {
	c.parts = append(c.parts[:len(c.parts):len(c.parts)], s)
	return c
}

type visitor interface{ visit(n *tnode) visitor }
type tnode struct {
	v    int
	kids []*tnode
}
type summer struct{ sum, depth int }

func (s *summer) visit(n *tnode) visitor { s.sum = s.sum*10 + n.v; s.depth++; return s }
func walk(v visitor, n *tnode) {
	if v = v.visit(n); v == nil {
		return
	}
	for _, k := range n.kids {
		walk(v, k)
	}
}

type color uint8

const (
	red color = iota + 1
	green
	blue = color(200) + iota
)

var colorNames = map[color]string{red: "r", green: "g", blue: "b"}

func (c color) String() string { return colorNames[c] }

type rec struct {
	name string
	next *rec
	f    func(*rec) string
}

var (
	constrainedPointer = steps(&node{2})
	pointerMethods     = setTwice[node](5).n
	embeddedGeneric    = func() [4]int {
		h := holder[int]{m: map[string]int{}}
		h.put(5)
		k := h
		k.put(6)
		f := k.get
		p := h.put
		p(9)
		h.m["a"] += h.get() + f()
		return [4]int{h.v, k.v, f(), k.m["a"]}
	}()
	genericKinds       = kindOf[int](3) + kindOf[int]([]int{1}) + kindOf[string](map[string]string{}) + kindOf[int](func(int) int { return 1 }) + kindOf[int](embedded[int]{}) + kindOf[int](&embedded[int8]{}) + kindOf[int](&holder[int]{}) + kindOf[int8](embedded[int]{})
	genericConstants   = [5]float64{float64(withConstants[int8](100)), float64(withConstants[uint8](250)), float64(withConstants[float32](0.1)), float64(withConstants(3)), float64(withConstants(2.5))}
	genericConversions = [4]float64{float64(converted[int, int8](200)), converted[float32, float64](0.1), float64(converted[int8, uint8](-5)), float64(converted[float64, int](3.9))}
	exactCapacity      = func() string {
		a := chain{}.add("a").add("b")
		b, c := a.add("c"), a.add("d")
		s := ""
		for _, x := range [][]string{a.parts, b.parts, c.parts} {
			for _, y := range x {
				s += y
			}
		}
		return s
	}()
	visited = func() int {
		t := &tnode{1, []*tnode{{2, []*tnode{{3, nil}}}, {4, nil}}}
		s := &summer{}
		walk(s, t)
		return s.sum*10 + s.depth
	}()
	colors = red.String() + green.String() + blue.String() + color(9).String()
	linked = func() string {
		r := &rec{name: "a", next: &rec{name: "b"}}
		r.f = func(x *rec) string {
			if x == nil {
				return "."
			}
			return x.name + r.f(x.next)
		}
		r.next.next = &rec{"c", nil, nil}
		return r.f(r)
	}()
	sortedByTwo = func() [3]int {
		type P struct{ x, y int }
		ps := []P{{3, 1}, {1, 2}, {2, 3}, {1, 1}}
		slices.SortFunc(ps, func(a, b P) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
		i := slices.IndexFunc(ps, func(p P) bool { return p.x == 2 })
		ps = slices.DeleteFunc(ps, func(p P) bool { return p.y == 3 })
		r := 0
		for _, p := range ps {
			r = r*100 + p.x*10 + p.y
		}
		return [3]int{i, len(ps), r}
	}()
	inserted = func() [4]int {
		a := slices.Insert([]int{1, 2, 3}, 1, 9, 8)
		b := slices.Clone(a)
		b[0] = 100
		c := slices.Concat(a[:2], b[:1])
		return [4]int{len(a), a[0], c[2], slices.Max(b) + slices.Min(a)}
	}()
	sortedKeys = func() (r [3]int) {
		m := map[string]int{"a": 1, "b": 2}
		keys := make([]string, 0, 2)
		for _, k := range []string{"b", "a", "z"} {
			if _, ok := m[k]; ok {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		for i, k := range keys {
			r[i] = m[k]
		}
		r[2] = len(keys)
		return
	}()
	spiral = func() [3]int {
		var grid [4][4]int
		dirs := [...][2]int{{0, 1}, {1, 0}, 3: {-1, 0}, 2: {0, -1}}
		x, y, d := 0, 0, 0
		for i := 1; i <= 16; i++ {
			grid[x][y] = i
			nx, ny := x+dirs[d][0], y+dirs[d][1]
			if nx < 0 || nx > 3 || ny < 0 || ny > 3 || grid[nx][ny] != 0 {
				d = (d + 1) % len(dirs)
				nx, ny = x+dirs[d][0], y+dirs[d][1]
			}
			x, y = nx, ny
		}
		return [3]int{grid[1][1], grid[2][1], grid[3][0]}
	}()
	fizz = func() string {
		s := ""
		for i := range 16 {
			switch {
			case i%15 == 0:
				s += "FB"
			case i%3 == 0:
				s += "F"
			case i%5 == 0:
				s += "B"
			default:
				s += strconv.Itoa(i)
			}
		}
		return s
	}()
	checksums = func() [2]uint32 {
		h := uint32(2166136261)
		for _, c := range []byte("hello") {
			h ^= uint32(c)
			h *= 16777619
		}
		var crc uint32 = 0xffffffff
		for _, c := range []byte("hello") {
			crc ^= uint32(c)
			for range 8 {
				crc = crc>>1 ^ 0xedb88320&-(crc&1)
			}
		}
		return [2]uint32{h, ^crc}
	}()
)

var (
	localTypes    = [2]bool{ofLocalType(1) == ofLocalType("a"), ofLocalType(1) == ofLocalType(2)}
	askedFor      = asks[int](pointsTo[int]{})
	askedForOther = asks[int8](pointsTo[int]{})
)

func ofLocalType[T any](T) any {
	type local struct{ n int }
	return local{1}
}

type pointsTo[T any] struct{ x *T }

func (p pointsTo[T]) get() *T { return p.x }

func asks[T any](x any) bool {
	_, ok := x.(interface{ get() *T })
	return ok
}
