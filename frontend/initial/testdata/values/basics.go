// Package values has package variables that are computed by all kinds of statements and types. The test compares what is
// computed of them from the source with what this package has.
package values

import (
	"math"
	"strconv"
)

type node struct{ n int }

func (p *node) self() *node { return p }
func (p *node) step() bool  { p.n++; return p.n < 5 }
func (p node) val() int     { return p.n }

type outer struct {
	node
	k int
}
type outerp struct {
	*node
	k int
}
type blank struct {
	a int
	_ int
	b string
}

var (
	throughPointer = func() int {
		var list []*node
		for c := (outerp{&node{}, 1}); c.n < 3; c.n++ {
			list = append(list, c.self())
		}
		return list[0].n*100 + list[1].n*10 + list[2].n
	}()
	withinTurn = func() (t [6]int) {
		for i := 0; i < 9; i++ {
			skip := func() { i += 2 }
			p := &i
			skip()
			*p++
			t[0] = t[0]*10 + i
		}
		for it := (node{}); it.step(); it.step() {
			t[1] = t[1]*10 + it.self().n
		}
		for a := [2]int{}; a[1] < 3; a[1]++ {
			for _, v := range a[:] {
				t[2] = t[2]*10 + v
			}
			copy(a[:], a[1:])
			if a[0] == 1 {
				continue
			}
			t[3] += a[0]
		}
		var last *node
		for it := (node{}); ; it.step() {
			if last = it.self(); last.n == 2 {
				break
			}
		}
		t[4] = last.n
		for i, v := range []node{{1}, {2}} {
			add := func() { t[5] += v.n + i }
			v.step()
			add()
		}
		return t
	}()
	fieldBehindPointer = func() int {
		s := 0
		for p := (&outer{}); p.n < 3; p.n++ {
			q := &p.k
			*q += p.n
			s += *q
		}
		return s
	}()
	blankFields = func() [3]int {
		x, y := (blank{1, 2, "a"}), (blank{1, 3, "a"})
		m := map[blank]int{x: 1}
		m[y]++
		m[blank{1, 7, "b"}] = 9
		r := [3]int{m[x], len(m), 0}
		if x == y && any(x) == any(y) {
			r[2] = 1
		}
		return r
	}()
	complexSteps = func() complex128 {
		m := map[int]complex128{}
		m[0]++
		var c complex64 = 2i
		c--
		m[0] += complex128(c)
		return m[0]
	}()
	negativeKey = func() float64 {
		m := map[float64]int{}
		m[0.0] = 1
		m[math.Copysign(0, -1)] = 2
		for k := range m {
			return math.Copysign(1, k) + float64(len(m))
		}
		return 0
	}()
	negativeKeyCounted = func() float64 {
		m := map[float64]int{}
		m[0.0] = 1
		m[math.Copysign(0, -1)]++
		for k := range m {
			return math.Copysign(1, k) + float64(len(m))
		}
		return 0
	}()
	localType         = withLocalType(3) + int(withLocalType(int8(100)))
	localTypeOfFloats = withLocalType(2.5)
	severalAsAny      = asAny[int](7)
	genericMethods    = throughGetter(box[int]{5}) + throughGetter(box[int8]{6})
	genericPair       = func() int {
		p := &pairOf[string, int]{"a", 3}
		p.setB(9)
		q := p.swap()
		return q.a + len(q.b)
	}()
	reduced     = reduce([]int{1, 2, 3}, "", func(s string, x int) string { return s + strconv.Itoa(x) })
	genericList = func() int {
		var l list[int]
		for i := range 5 {
			l.push(i * i)
		}
		s := 0
		l.each(func(x int) { s = s*100 + x })
		return s
	}()
	genericSwitch = func() string {
		return kind[int]() + kind[float32]() + kind[string]() + kind[[]int]() + kind[myint]()
	}()
	approximate       = func() int { return int(sumOf(1, 2, 3.5)) + sumOf[myint](1, 2).double() }()
	convertedIntegers = func() [6]int64 {
		u := uint8(250)
		i := int8(u)
		w := uint64(i)
		f := float32(w)
		x := 16777217
		return [6]int64{int64(i), int64(w >> 60), int64(float64(f) / 1024), int64(float32(x)), int64(uint16(i)), int64(int32(uint32(w) << 31))}
	}()
	convertedStrings = func() [4]string {
		r := []rune("a\xffé世")
		n := -1
		m := 0x10ffff + 1
		return [4]string{string(r), string(rune(n)), string(rune(m)), string(rune(0xd800)) + string([]byte{0xe4, 0xb8})}
	}()
	convertedFloats = func() [3]float64 {
		x := uint64(math.MaxUint64)
		y := int64(math.MaxInt64)
		return [3]float64{float64(x), float64(float32(y)), float64(float32(x>>40) / 3)}
	}()
	constants = func() [5]int {
		const big = 1 << 70
		const f = big >> 68
		var u uint64 = big >> 7
		x := 'a' + 1.0
		y := len([10]int{}) * f
		var z float32 = big
		const c = 1i * 1i
		return [5]int{int(u >> 60), int(x), y, int(math.Float32bits(z)), int(real(c))}
	}()
	complexConstant = func() complex64 { const c = 0.1 + 0.123456789012345678i; var z complex64 = c; return z * (0.3 + c) }()
	singleConstant  = func() float32 {
		const k = 0.1
		var x float32 = 3
		return x*k + k*k
	}()
	shifts = func() [8]int {
		var s uint8 = 200
		x := int8(-128)
		y := uint32(1)
		var n uint = 70
		return [8]int{int(x >> s), int(y << s), int(int8(y) << 7), int(uint16(1) << (s - 190)), int(-x), 1 << n, -1 >> n, int(uint8(y<<8 - 1))}
	}()
	ints = func() [8]int {
		x := int8(-128)
		y := int8(-1)
		u := uint8(3)
		m := math.MinInt
		n := -1
		return [8]int{int(x / y), int(x % y), int(^u), int(-u), int(7 &^ u), m / n, m % n, -7/2*10 + -7%3}
	}()
	stringBytes = func() [6]int {
		s := 0
		for i, r := range "a\xffé世" {
			s = s*31 + i*1000 + int(r)
		}
		b := []byte("héllo")
		b[1]++
		t := string(b)
		c := 0
		for range t {
			c++
		}
		lt := 0
		if "a\xff" > "a" && "B" < "a" && t[1:] != t[:len(t)-1] {
			lt = 1
		}
		return [6]int{s, c, len(t), lt, int("é"[0]), int(t[len(t)-1])}
	}()
	interfaces = func() [8]bool {
		var x, y any = 1, int64(1)
		var e1, e2 error
		var p *node
		var q any = p
		return [8]bool{x == y, x == any(1), e1 == e2, q == nil, q == any((*node)(nil)), any([2]int{1, 2}) == any([2]int{1, 2}), any(node{1}) == any(node{1}), any("a") == any(myint(1))}
	}()
	typeSwitched = func() (s string) {
		for _, v := range []any{1, "a", 2.5, nil, int8(3), node{1}, &node{2}, []int{1}, [2]int{}, myint(4), func() {}, map[int]int{}, struct{}{}} {
			switch x := v.(type) {
			case nil:
				s += "nil,"
			case int, int8:
				if x == 1 {
					s += "one,"
				} else {
					s += "int,"
				}
			case string:
				s += x
			case interface{ val() int }:
				s += strconv.Itoa(x.val())
			case doubler:
				s += "d" + strconv.Itoa(x.double())
			case []int:
				s += strconv.Itoa(len(x))
			case func():
				s += "func"
			case map[int]int:
				s += "map"
			case [2]int:
				x[0] = 5
				s += strconv.Itoa(x[0])
			default:
				s += "?"
			}
		}
		return s
	}()
)

type myint int

func (m myint) double() int { return int(m) * 2 }

type doubler interface{ double() int }

type box[T any] struct{ v T }

func (b box[T]) get() T   { return b.v }
func (b *box[T]) set(v T) { b.v = v }

type getter[T any] interface{ get() T }

func throughGetter[T int | int8](b box[T]) int {
	b.set(b.v * 50)
	var g getter[T] = b
	b.set(1)
	return int(g.get())
}

type pairOf[A, B any] struct {
	a A
	b B
}

func (p *pairOf[A, B]) setB(b B)          { p.b = b }
func (p pairOf[X, Y]) swap() pairOf[Y, X] { return pairOf[Y, X]{p.b, p.a} }

type list[T any] struct {
	head *elem[T]
	n    int
}
type elem[T any] struct {
	v    T
	next *elem[T]
}

func (l *list[T]) push(v T) { l.head = &elem[T]{v, l.head}; l.n++ }
func (l list[T]) each(f func(T)) {
	for e := l.head; e != nil; e = e.next {
		f(e.v)
	}
}

func withLocalType[T int | int8 | float64](x T) T {
	type two struct{ a, b T }
	p := two{a: x}
	p.b += 2 * x
	q := p
	q.a = 1
	var arr [2]two
	arr[1] = q
	return p.a + p.b + arr[0].a + arr[1].b
}
func asAny[T any](x T) int {
	f := func() (T, error) { return x, nil }
	g := func() (any, error) { return f() }
	v, err := g()
	if n, ok := v.(int); ok && err == nil {
		return n
	}
	return -1
}
func reduce[A, B any](l []A, b B, f func(B, A) B) B {
	for _, x := range l {
		b = f(b, x)
	}
	return b
}
func kind[T any]() string {
	var x T
	switch any(x).(type) {
	case int:
		return "int"
	case float32:
		return "float32"
	case string:
		return "string"
	case doubler:
		return "doubler"
	}
	return "other"
}
func sumOf[T ~int | ~float64](l ...T) (s T) {
	for _, x := range l {
		s += x
	}
	return
}

// Values are the variables by their names.
func Values() map[string]any {
	return map[string]any{
		"throughPointer": throughPointer, "withinTurn": withinTurn, "fieldBehindPointer": fieldBehindPointer,
		"blankFields": blankFields, "complexSteps": complexSteps, "negativeKey": negativeKey,
		"negativeKeyCounted": negativeKeyCounted, "localType": localType, "localTypeOfFloats": localTypeOfFloats,
		"localTypes": localTypes, "askedFor": askedFor, "askedForOther": askedForOther,
		"severalAsAny": severalAsAny, "genericMethods": genericMethods, "genericPair": genericPair,
		"reduced": reduced, "genericList": genericList, "genericSwitch": genericSwitch, "approximate": approximate,
		"convertedIntegers": convertedIntegers, "convertedStrings": convertedStrings,
		"convertedFloats": convertedFloats, "constants": constants, "complexConstant": complexConstant,
		"singleConstant": singleConstant, "shifts": shifts, "ints": ints, "stringBytes": stringBytes,
		"interfaces": interfaces, "typeSwitched": typeSwitched, "grids": grids, "aliases": aliases,
		"appendedWithinCapacity": appendedWithinCapacity, "pointersIntoElements": pointersIntoElements,
		"mapKeys": mapKeys, "trees": trees, "states": states, "options": options, "labels": labels,
		"fallthroughs": fallthroughs, "shadowed": shadowed, "capturedPerTurn": capturedPerTurn,
		"recursion": recursion, "namedResults": namedResults, "sortedNumbers": sortedNumbers,
		"sortedStructs": sortedStructs, "singles": singles, "complexSingles": complexSingles,
		"zerosCompared": zerosCompared, "arrayPointers": arrayPointers, "rangedCopies": rangedCopies,
		"forms": forms, "variadics": variadics, "constantCounts": constantCounts,
		"shiftsOfConstants": shiftsOfConstants, "assignOperators": assignOperators, "rangedTypes": rangedTypes,
		"levels": levels, "generics": generics, "iotaConstants": iotaConstants, "textOperators": textOperators,
		"convertedStructs": convertedStructs, "compares": compares, "mapOfOne": mapOfOne,
		"bitFunctions": bitFunctions, "complexFunctions": complexFunctions, "unicodeClasses": unicodeClasses,
		"nanBits": nanBits, "firstOfTwo": firstOfTwo, "secondOfTwo": secondOfTwo, "dependsOnNext": dependsOnNext,
		"dependsOnFunction": dependsOnFunction, "neededByFunction": neededByFunction, "emptySlices": emptySlices,
		"copiedDeeply": copiedDeeply, "swaps": swaps, "methodsOfElements": methodsOfElements,
		"immediate": immediate, "blanks": blanks, "elseIfs": elseIfs, "errorValues": errorValues,
		"constrainedPointer": constrainedPointer, "pointerMethods": pointerMethods,
		"embeddedGeneric": embeddedGeneric, "genericKinds": genericKinds, "genericConstants": genericConstants,
		"genericConversions": genericConversions, "exactCapacity": exactCapacity, "visited": visited,
		"colors": colors, "linked": linked, "sortedByTwo": sortedByTwo, "inserted": inserted,
		"sortedKeys": sortedKeys, "spiral": spiral, "fizz": fizz, "checksums": checksums,
	}
}
