package values

import (
	"math"
	"math/bits"
	"math/cmplx"
	"strconv"
	"unicode"
	"unicode/utf8"
)

type level0 struct{ a int }

func (l *level0) inc() int { l.a++; return l.a }
func (l level0) get() int  { return l.a }

type level1 struct{ level0 }
type level2 struct {
	*level1
	b int
}
type level3 struct {
	level2
	level0x
}
type level0x struct{ z int }

func (l *level0x) zed() int { l.z += 2; return l.z }

type num interface {
	~int | ~int8 | ~uint8 | ~float32 | ~float64
}

func addAll[T num](a, b T) T { return a + b*b }
func mapTo[K comparable, V any](ks []K, f func(K) V) map[K]V {
	m := make(map[K]V)
	for _, k := range ks {
		m[k] = f(k)
	}
	return m
}

type stack[T any] []T

func (s *stack[T]) push(x T) { *s = append(*s, x) }
func (s *stack[T]) pop() (x T, ok bool) {
	if len(*s) == 0 {
		return
	}
	x = (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return x, true
}

type matrix[T num] [2][2]T

func (m matrix[T]) mul(n matrix[T]) (r matrix[T]) {
	for i := range r {
		for j := range r[i] {
			for k := range n {
				r[i][j] += m[i][k] * n[k][j]
			}
		}
	}
	return
}

type wd int

const (
	w0 wd = iota*2 + 1
	w1
	w2
)

var (
	constantCounts = func() [6]int {
		x := 3
		a := [5]int{1, 2, 3, 4, 5}
		s := make([]int, 3.0, 'a')
		n := uint8(2)
		return [6]int{x << 3.0, a[2.0], len(s), cap(s), len(a[1.0:'\x04']), a[n] << n >> 1}
	}()
	shiftsOfConstants = func() [3]int {
		n := 3
		var x any = 1 << n
		y := float64(int(1) << n)
		var z int64 = 1<<n | 1
		return [3]int{x.(int), int(y), int(z)}
	}()
	assignOperators = func() [12]int {
		a, b, c, d := uint8(200), int8(100), uint16(0xff00), int32(-5)
		a += 100
		b *= 2
		c <<= 4
		d >>= 1
		e := uint8(0xf0)
		e &^= 0x30
		e |= 1
		e ^= 0xff
		f := int64(-17)
		f %= 5
		g := -17 / 5
		h := uint32(1)
		h -= 2
		i := int16(-32768)
		i--
		j := uint64(1)
		j <<= 63
		j += j
		k := int8(-128)
		k /= -1
		return [12]int{int(a), int(b), int(c), int(d), int(e), int(f), g, int(h), int(i), int(j), int(k), int(-k)}
	}()
	rangedTypes = func() [4]int {
		s, n := 0, 0
		for i := range uint8(200) {
			s += int(i)
			i += 100
			n += int(i)
		}
		var j int8
		for j = range 100 {
		}
		k := 0
		for range int8(5) {
			k++
		}
		return [4]int{s, n, int(j), k}
	}()
	levels = func() [6]int {
		x := level3{level2: level2{&level1{level0{5}}, 1}}
		y := x
		x.inc()
		y.inc()
		x.zed()
		y.zed()
		y.zed()
		f := x.inc
		g := y.get
		f()
		z := *x.level1
		z.inc()
		return [6]int{x.get(), y.a, x.z, y.z, g(), z.a}
	}()
	generics = func() [6]float64 {
		m := mapTo([]string{"a", "bb"}, func(s string) int { return len(s) })
		var st stack[float32]
		st.push(1.5)
		st.push(2.5)
		x, _ := st.pop()
		_, _ = st.pop()
		_, ok := st.pop()
		y := 0.0
		if !ok {
			y = 1
		}
		a := matrix[int8]{{100, 2}, {3, 4}}
		b := a.mul(a)
		return [6]float64{float64(addAll[uint8](200, 20)), float64(addAll[float32](0.1, 0.3)), float64(m["bb"]), float64(x), y, float64(b[0][0])*1000 + float64(b[1][1])}
	}()
	iotaConstants = func() [3]int {
		const (
			_ = 1 << (10 * iota)
			kb
			mb
		)
		return [3]int{int(w0 + w1*10 + w2*100), kb, mb}
	}()
	textOperators = func() [4]string {
		b := append([]byte("ab"), "cd"...)
		copy(b[1:], "xyz")
		s := ""
		for i := range 5 {
			s += strconv.Itoa(i)
			s = string(s[len(s)-1]) + s
		}
		r := []rune("héé")
		r[1]++
		r = append(r, 'x', 0x1F600)
		return [4]string{string(b), s, string(r), min("b", "ab", "c") + max("é", "z")}
	}()
	convertedStructs = func() [3]int {
		type A struct {
			x int `a:"b"`
			y [2]int
		}
		type B struct {
			x int
			y [2]int
		}
		a := A{1, [2]int{2, 3}}
		b := B(a)
		b.y[0] = 9
		c := struct {
			x int
			y [2]int
		}(a)
		c.y[1] = 8
		return [3]int{a.y[0] + a.y[1], b.y[0], c.y[1]}
	}()
	compares = func() [10]bool {
		type S struct {
			a string
			b [2]float64
			c any
			p *int
		}
		n := 1
		x := S{"q", [2]float64{0, 1}, 3, &n}
		y := S{"q", [2]float64{math.Copysign(0, -1), 1}, 3, &n}
		z := y
		z.p = new(int)
		w := x
		w.b[1] = math.NaN()
		var f func()
		var s []int
		var m map[int]int
		nan := math.NaN()
		return [10]bool{x == y, x == z, w == w, f == nil, s == nil, m == nil, nan != nan, nan < 1 || nan >= 1, any(nan) == any(nan), any(x) == any(y)}
	}()
	mapOfOne = func() [5]int {
		m := map[string]int{"a": 1}
		s := 0
		for k, v := range m {
			m[k] = v + 10
			s += v + len(k)
		}
		for k := range m {
			delete(m, k)
		}
		m["b"] = 5
		for _, v := range m {
			s = s*10 + v
		}
		v, ok := m["a"]
		if !ok {
			s = s*10 + v
		}
		clear(m)
		var nilm map[string]int
		for range nilm {
			s = 0
		}
		return [5]int{s, len(m), nilm["x"], len(nilm), m["b"]}
	}()
	bitFunctions = func() [10]int {
		x := uint64(0x123456789abcdef0)
		h, l := bits.Mul64(x, x)
		q, r := bits.Div64(1, x, x|1)
		s, cc := bits.Add64(x, ^x, 1)
		d, bb := bits.Sub32(1, 2, 1)
		return [10]int{int(h ^ l), int(q ^ r), int(s + cc), bits.LeadingZeros8(3), bits.Len16(300), int(bits.RotateLeft8(0x81, 1)), int(bits.Reverse16(5)), bits.TrailingZeros32(0) + bits.TrailingZeros8(0), bits.OnesCount8(255) + bits.LeadingZeros32(0), int(d) + int(bb)}
	}()
	complexFunctions = func() [3]complex128 {
		z := complex(1, 2)
		return [3]complex128{cmplx.Exp(z), cmplx.Conj(z) * cmplx.Sqrt(-z), z / complex(0, 1)}
	}()
	unicodeClasses = func() [4]int {
		n := 0
		for _, r := range "aB9 é世_" {
			if unicode.IsLetter(r) {
				n++
			}
			if unicode.IsUpper(r) || unicode.IsDigit(r) {
				n += 10
			}
		}
		r, size := utf8.DecodeRuneInString("é")
		return [4]int{n, int(r), size, utf8.RuneCountInString("a世")}
	}()
	nanBits = func() [4]uint64 {
		z := 0.0
		x := z / z
		return [4]uint64{math.Float64bits(math.NaN()), math.Float64bits(-math.NaN()), math.Float64bits(x), math.Float64bits(math.Float64frombits(0x7ff0000000000001))}
	}()
	firstOfTwo, secondOfTwo = func() (int, [2]int) { return 3, [2]int{1, 2} }()
	dependsOnNext           = dependsOnFunction + 1
	dependsOnFunction       = needs()
	neededByFunction        = 5
	emptySlices             = func() [4]bool {
		var s []int
		t := []int{}
		u := s[:0]
		v := append(s, t...)
		return [4]bool{s == nil, t == nil, u == nil, v == nil}
	}()
	copiedDeeply = func() [4]int {
		type T struct {
			a [2]struct{ x, y int }
			p *int
			s []int
		}
		v := 3
		t := T{p: &v, s: []int{1}}
		u := t
		t.a[1].y = 5
		*u.p = 9
		u.s[0] = 4
		ts := []T{t, u}
		ts[1].a[0].x = 4
		ts[0], ts[1] = ts[1], ts[0]
		for _, x := range ts {
			x.a[0].x = 100
			*x.p += 1
		}
		pt := &ts[0]
		pt.a[0].y = 8
		arr := [2]T{t, u}
		brr := arr
		brr[0].a[1].y++
		m := map[int]T{1: t}
		w := m[1]
		w.a[0].x = 55
		f := func(t T) T { t.a[0].x++; return t }
		f(t)
		return [4]int{ts[0].a[0].x*10 + ts[0].a[0].y, ts[1].a[1].y + arr[0].a[1].y*10 + brr[0].a[1].y*100, v + t.s[0]*100, m[1].a[0].x + t.a[0].x + f(t).a[0].x*7}
	}()
	swaps = func() [6]int {
		a := [3]int{1, 2, 3}
		a[0], a[1], a[2] = a[2], a[0], a[1]
		b := [2][2]int{{1, 2}, {3, 4}}
		b[0], b[1] = b[1], b[0]
		s := b[:]
		s[0], b[1][0] = s[1], 100
		type P struct{ a, b int }
		p := P{1, 2}
		p.a, p.b = p.b, p.a
		p, p.a = P{5, 6}, 9
		return [6]int{a[0]*100 + a[1]*10 + a[2], b[0][0], b[0][1], b[1][0], p.a, p.b}
	}()
	methodsOfElements = func() [3]int {
		xs := []level0{{1}, {2}}
		for i := range xs {
			xs[i].inc()
		}
		for _, x := range xs {
			x.inc()
		}
		m := map[int]*level0{1: {7}}
		m[1].inc()
		arr := [2]level0{}
		arr[1].inc()
		q := &arr
		q[1].inc()
		return [3]int{xs[0].a*10 + xs[1].a, m[1].a, arr[1].a}
	}()
	immediate = func() int {
		return func(a int) int { return func() int { a++; return a * 2 }() + a }(3)
	}()
	blanks = func() int {
		n := 0
		f := func() int { n++; return n }
		_ = f()
		_, x := f(), f()
		var _ = f()
		_, _ = f(), x
		return n*10 + x
	}()
	elseIfs = func() string {
		f := func(n int) string {
			if m := n * 2; m < 5 {
				return "s"
			} else if k := m + 1; k < 10 {
				return "m" + strconv.Itoa(k+m)
			} else {
				return strconv.Itoa(k)
			}
		}
		return f(1) + f(3) + f(50)
	}()
	errorValues = func() int {
		e := myerr(3)
		var x error = e
		var y error = &e
		n := 0
		if x == myerr(3) {
			n++
		}
		if y == error(&e) {
			n += 10
		}
		if y != x {
			n += 100
		}
		if v, ok := x.(myerr); ok {
			n += int(v) * 1000
		}
		return n + len(x.Error())
	}()
)

type myerr int

func (e myerr) Error() string { return "e" + strconv.Itoa(int(e)) }

func needs() int { return neededByFunction * 2 }
