// Package tables has package variables that only the initialization of the package gives their values. The test compares
// what is computed of them from the source with what this package has.
package tables

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"slices"
)

// Filled by init functions.
var (
	positions [1 << 6]int
	inverse   [1 << 6]int
	order     = [4][4]int{{0, 1, 3, 2}, {0, 2, 3, 1}, {3, 2, 0, 1}, {3, 1, 0, 2}}
	turns     = [4]int{1, 0, 0, 3}
	crc       [4][256]uint32
	sum       int
	after     int
	seen      = sum + 1 // before init
	squares   []int
	points    []point
	tree      *node
)

type point struct {
	x, y float32
	tag  [2]uint8
}

type node struct {
	key         int
	left, right *node
}

func (n *node) add(key int) {
	at := &n.left
	if key > n.key {
		at = &n.right
	}
	if *at == nil {
		*at = &node{key: key}
		return
	}
	(*at).add(key)
}

func fill(level, i, j, orig, pos, turn int) {
	if level == 2 {
		ij := i<<2 + j
		positions[ij<<2+orig] = pos<<2 + turn
		inverse[pos<<2+orig] = ij<<2 + turn
		return
	}
	level++
	i <<= 1
	j <<= 1
	pos <<= 2
	r := order[turn]
	for n := range r {
		fill(level, i+(r[n]>>1), j+(r[n]&1), orig, pos+n, turn^turns[n])
	}
}

func init() {
	fill(0, 0, 0, 0, 0, 0)
	fill(0, 0, 0, 1, 0, 1)
	fill(0, 0, 0, 2, 0, 2)
	fill(0, 0, 0, 3, 0, 3)
}

func init() {
	for i := range crc[0] {
		c := uint32(i)
		for range 8 {
			if c&1 == 1 {
				c = c>>1 ^ 0xedb88320
			} else {
				c >>= 1
			}
		}
		crc[0][i] = c
	}
	for k := 1; k < len(crc); k++ {
		for i := range crc[k] {
			last := crc[k-1][i]
			crc[k][i] = crc[0][last&0xff] ^ last>>8
		}
	}
	for _, row := range &crc {
		for _, c := range row {
			sum += bits.OnesCount32(c)
		}
	}
	after = sum
}

func init() {
	for i := 0; len(squares) < 10; i++ {
		squares = append(squares, i*i)
	}
	points = make([]point, 3, 8)
	for i := range points {
		p := &points[i]
		p.x, p.y = float32(i)/3, float32(math.Sqrt(float64(i)))
		copy(p.tag[:], "ab")
		p.tag[i%2]++
	}
	points = append(points, point{x: -1})
	tree = &node{key: 5}
	for _, k := range []int{3, 8, 1, 4, 9} {
		tree.add(k)
	}
	sum++
}

// Computed where they are declared.
var (
	sines = func() (t [16]float64) {
		for i := range t {
			t[i] = math.Sin(float64(i) / 16)
		}
		return t
	}()
	pairs = func() (t [8][5]float64) {
		for i := range t {
			x := float64(3*i) / 8
			exp := 0
			t[i][0], t[i][1] = math.Sincos(x)
			t[i][2], t[i][3] = math.Modf(x)
			t[i][4], exp = math.Frexp(x)
			t[i][4] += float64(exp)
		}
		return t
	}()
	halves         = makeHalves(12)
	low, high      = extremes(squaresOf(4)...)
	letters        = letterTable("the quick brown fox")
	names          = []string{"a", repeated("xy", 3), fmt13()}
	sorted         = sortedCopy([]int{4, 2, 9, 1})
	primes         = sieve(60)
	byName         = map[string]int{"one": 1, "two": 2}
	two            = byName["two"] + len(byName)
	missing, found = lookUp("three")
	shapes         = areas(square{2}, circle{1}, &square{3})
	matrix         = product(matrix2{1, 2, 3, 4}, matrix2{0, 1, 1, 0})
	labels         = labeled()
	wrapped        = wraps()
	runes          = count("aä€")
	generic        = mapped([]int{1, 2, 3}, func(x int) float64 { return float64(x) / 2 })
	stacked        = popped()
	complexes      = [2]complex128{complex(1, 2) * complex(0, 1), complex128(complex64(complex(0.1, 2)))}
	nested         = struct {
		a []point
		p *point
		m [2][]int
	}{[]point{{x: 1}}, &point{y: 2}, [2][]int{{1}, {2, 3}}}
	shared   = [2]*point{onePoint, onePoint}
	empty    = []int{}
	nothing  []int
	switched = [...]int{kind(1), kind(2.5), kind("x"), kind(nil), kind(uint8(3))}
)

var onePoint = &point{x: 3}

func kind(x any) int {
	switch x := x.(type) {
	case int:
		return x
	case float64, float32:
		return 2
	case string:
		return len(x) + 10
	case nil:
		return 99
	default:
		return -1
	}
}

func makeHalves(n int) []float32 {
	list := make([]float32, 0, n)
	for i := range n {
		list = append(list, float32(i)/2)
	}
	return list[1 : n-1]
}

func squaresOf(n int) (list []int) {
	for i := range n {
		defer1(&list, i*i)
	}
	return
}

func repeated(s string, n int) (all string) {
	for range n {
		all += s
	}
	return all
}

func defer1(list *[]int, x int) { *list = append(*list, x) }

func extremes(list ...int) (lo, hi int) {
	lo, hi = math.MaxInt, math.MinInt
	for _, x := range list {
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

func letterTable(s string) (t [26]uint8) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ':
			continue
		case c >= 'a':
			t[c-'a']++
			fallthrough
		default:
			t[0] += 0
		}
	}
	return t
}

func fmt13() string {
	b := []byte("ab")
	b = append(b, "cd"...)
	return string(b[1:]) + string(rune(0xe4))
}

func sortedCopy(x []int) []int {
	y := slices.Clone(x)
	slices.Sort(y)
	return y
}

func sieve(n int) (list []uint16) {
	composite := make(map[int]bool)
outer:
	for i := 2; ; i++ {
		switch {
		case i >= n:
			break outer
		case composite[i]:
			continue outer
		}
		list = append(list, uint16(i))
		for j := i * i; j < n; j += i {
			composite[j] = true
		}
	}
	return list
}

func lookUp(name string) (int, bool) {
	v, ok := byName[name]
	return v, ok
}

type shape interface{ area() float64 }

type square struct{ a float64 }

func (s square) area() float64 { return s.a * s.a }

type circle struct{ r float64 }

func (c circle) area() float64 { return math.Pi * c.r * c.r }

func areas(list ...shape) (all [3]float64) {
	for i, s := range list {
		all[i] = s.area()
		if q, ok := s.(*square); ok {
			all[i] += q.a
		}
	}
	return all
}

type matrix2 [4]int32

func product(a, b matrix2) (c matrix2) {
	for i := range 2 {
		for j := range 2 {
			for k := range 2 {
				c[2*i+j] += a[2*i+k] * b[2*k+j]
			}
		}
	}
	return c
}

func labeled() (n int) {
outer:
	for i := range 10 {
		for j := range 10 {
			if i*j == 42 {
				break outer
			}
			if j > i {
				continue outer
			}
			n += i ^ j
		}
	}
	return n
}

func wraps() [8]int64 {
	a, b := int8(127), uint8(3)
	a++
	b -= 4
	c := int32(math.MaxInt32)
	c *= 2
	d := uint64(1) << 63
	e := -7
	return [8]int64{int64(a), int64(b), int64(c), int64(d >> 60), int64(e / 2), int64(e % 4), int64(e >> 1), int64(^uint16(5) &^ 2)}
}

func count(s string) (n [2]int) {
	for i, r := range s {
		n[0] += i
		n[1] += int(r)
	}
	return n
}

func mapped[T, U any](x []T, f func(T) U) []U {
	var y []U
	for _, v := range x {
		y = append(y, f(v))
	}
	return y
}

type stack[T any] struct{ list []T }

func (s *stack[T]) push(x T) { s.list = append(s.list, x) }

func (s *stack[T]) pop() T {
	x := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return x
}

func popped() [2]string {
	var s stack[string]
	s.push("a")
	s.push("b")
	return [2]string{s.pop(), s.pop()}
}

// What cannot be computed: from Go leaves something open or the world outside is asked.
var (
	ranged    = rangesMap()
	added     = addsToMap(2)
	readded   = addsToMap(1)
	outside   = len(os.Args)
	formatted = fmt.Sprint(1)
	capacity  = grown()
	endless   = forever()
	panics    = [1]int{}
	counted   = counting()
	counter   int
	assigned  = 1
	written   int
	aliased   = [3]int{1, 2, 3}
	window    = aliased[:2]
	grows     = twice()
	Exported  = 3
	onExport  = Exported * 2
	converted = uint8(big())
	literals  = closures()
)

func rangesMap() (n int) {
	for k, v := range byName {
		n = n*10 + len(k) + v
	}
	return n
}

func grown() int {
	var s []int
	s = append(s, 1, 2, 3)
	return cap(s)
}

func forever() int {
	n := 0
	for i := 0; i < 1<<30; i++ {
		n += i
		if n > 1<<20 {
			break
		}
	}
	for i := range 1 << 30 {
		if i == n {
			return i
		}
		if i > 1<<25 {
			return 7
		}
	}
	return n
}

func counting() int {
	counter++
	return counter
}

// Write assigns when somebody calls it.
func Write() { written++; assigned = 2 }

func init() { written = 5 }

// Window writes to memory of aliased.
func Window() { window[0]++ }

func twice() int {
	s := append([]int(nil), 1, 2, 3)
	a := append(s, 4)
	b := append(s, 5)
	return a[3] + b[3]
}

func big() float64 { return 300 + float64(len(byName)) }

func closures() int {
	var list []func() int
	for i := range 3 {
		list = append(list, func() int { return i })
	}
	return list[0]() + list[2]()
}

var (
	outOfRange = []string{strange[int64](1<<32 + 65), strange[int](-1), strange[uint64](1<<40 + 65), strange[int32](0xd800), strange[int8](65)}
	keyed      = keys()
)

func strange[T int | int8 | int32 | int64 | uint64](x T) string { return string(x) }

// keys counts the keys of a map that differ by types of one name, and those that are equal though their bits differ.
func keys() [2]int {
	m := map[any]int{}
	func() {
		type key struct{ x int }
		m[key{1}]++
	}()
	func() {
		type key struct{ x int }
		m[key{1}]++
	}()
	type pair struct{ z complex128 }
	zero := 0.0
	m[pair{complex(zero, zero)}]++
	m[pair{complex(-zero, zero)}]++
	c := map[complex128]int{}
	c[complex(zero, -zero)]++
	c[complex(zero, zero)]++
	return [2]int{len(m), len(c)}
}

// Values are the variables whose values can be computed, by their names.
func Values() map[string]any {
	return map[string]any{
		"positions": positions, "inverse": inverse, "crc": crc, "sum": sum, "after": after, "seen": seen, "squares": clone(squares),
		"points": clone(points), "sines": sines, "pairs": pairs, "halves": clone(halves), "low": low, "high": high, "letters": letters, "names": clone(names),
		"sorted": clone(sorted), "primes": clone(primes), "two": two, "missing": missing, "found": found, "shapes": shapes, "matrix": matrix,
		"labels": labels, "steps": steps, "keptOrder": keptOrder, "powers": powers, "wrapped": wrapped, "runes": runes, "generic": clone(generic), "stacked": stacked, "complexes": complexes,
		"empty": clone(empty), "nothing": clone(nothing), "switched": switched, "onExport": onExport, "order": order,
		"outOfRange": clone(outOfRange), "keyed": keyed,
		"kept": clone(kept), "early": clone(early), "apartOnes": clone(apartOnes), "together": clone(together),
	}
}

// addsToMap ranges over a map of one key, and replaces it, or adds another.
func addsToMap(key int) (sum int) {
	m := map[int]int{1: 10}
	for k, v := range m {
		if sum += v; sum > 50 {
			break
		}
		if key == k {
			delete(m, k)
		}
		m[key] = v
	}
	return sum
}

// A range that is left, or over a map that is empty again, comes to nothing else.
var keptOrder = func() (sum int) {
	m := map[int]int{3: 1}
	for k, v := range m {
		m[k] = v + 1 // no other key
		sum += m[k]
	}
	for k := range m {
		m[k+1] = 5
		delete(m, k)
		clear(m)
		sum += 10
	}
	m[7] = 1
	for k := range m {
		m[k+1] = 1
		break
	}
	return sum + len(m)
}()

// Others are those that cannot.
func Others() int {
	n := ranged + added + readded + outside + len(formatted) + capacity + endless + panics[0] + counted + grows + int(converted) + literals + assigned + written + aliased[0]
	return n + tree.key + nested.m[0][0] + int(shared[0].x)
}

func clone[T any](x []T) []T {
	if x == nil {
		return nil
	}
	y := make([]T, len(x))
	copy(y, x)
	return y
}

func init() {
	if squares[2] != 4 { // reads, and changes nothing
		fmt.Println("no square")
	}
}

// Where the powers of 2 are, found with a range over a function.
var powers = func() (p [9]int) {
	for i, v := range func(yield func(int, int) bool) {
		for i := range 20 {
			if !yield(i, 1<<i) {
				return
			}
		}
	} {
		if i == len(p) {
			break
		}
		p[i] = v
	}
	return p
}()

// How many steps numbers take to 1, counted with goto.
var steps = func() (s [9]int) {
	i := 1
next:
	n := i
again:
	if n > 1 {
		if n%2 == 0 {
			n /= 2
			goto count
		}
		n = 3*n + 1
	count:
		s[i]++
		goto again
	}
	if i++; i < len(s) {
		goto next
	}
	return s
}()

// A function that is called later changes what it knows of.
var (
	knownTo = [4]int{1, 2, 3, 4}
	bump    func()
)

func init() {
	p := &knownTo
	bump = func() { p[0] += 100 }
}

// Go leaves open whether a slice that grows has the memory that it had.
var (
	doubled = func() []int {
		s := append([]int(nil), 1, 2, 3)
		for _, v := range s {
			s = append(s, v*2)
		}
		return s
	}()
)

// Some variables are initialized together, with results that lead to the same memory.
var (
	_, halved, halvedAgain  = thrice()
	_, kept, keptAgain      = thrice()
	behind, keep            = remembered()
	early, earlyAgain, _    = thrice()
	later, laterAgain, _    = thrice()
	apartOnes, changedOnes  = apart()
	together, togetherAgain = apart()
)

func thrice() (a, b, c []int) {
	x := []int{1, 2, 3}
	return x, x, x[1:]
}

func apart() (a, b []int) { return []int{1}, []int{2} }

func remembered() ([]int, func(int)) {
	x := []int{1, 2, 3}
	return x, func(i int) { x[i]++ }
}

func init() { early[1], earlyAgain[2] = 7, 8 }

func init() { laterAgain[0] = 9 }

// Bump changes a doubled.
func Bump() int {
	bump()
	keep(1)
	halvedAgain[0]++
	changedOnes[0]++
	return knownTo[0] + doubled[0] + halved[0] + kept[0] + keptAgain[0] + behind[0] + later[0]
}
