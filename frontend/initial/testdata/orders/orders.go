// Package orders has package variables whose values depend on whether Go reads variables before the calls beside them or
// after. The test compares what is computed of them from the source with what this package has.
package orders

import "math"

var (
	addition = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		return [2]int{n + f(), n}
	}()
	argument = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		return pair(n, f())
	}()
	nested = func() [2]int {
		n := 1
		f := func(x int) int { n += x; return n * 10 }
		return pair(n+f(n+f(1)), n)
	}()
	variadic = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		return first(n, n+f(), 3)
	}()
	elements = func() [4]int {
		n := 0
		f := func() int { n++; return n * 10 }
		return [4]int{n, f(), n, f()}
	}()
	fields = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		x := struct{ a, b int }{n, f()}
		return [2]int{x.a, x.b}
	}()
	list = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		x := []int{n, f()}
		return [2]int(x)
	}()
	pointed = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		x := &struct{ a, b int }{n, f()}
		return [2]int{x.a, x.b}
	}()
	entries = func() [3]int {
		n := 0
		f := func() int { n++; return n * 10 }
		m := map[int]int{n: f(), n + 1: f(), 77: n}
		return [3]int{m[1]*100 + m[0], m[3], m[77]}
	}()
	assigned = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		x, y := n, f()
		return [2]int{x, y}
	}()
	declared = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		var x, y = n, f()
		return [2]int{x, y}
	}()
	returned = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		two := func() (int, int) { return n, f() }
		x, y := two()
		return [2]int{x, y}
	}()
	target = func() (t [3]int) {
		n := 0
		f := func() int { n++; return n * 10 }
		t[n] = f()
		t[n], t[0] = f(), n
		return t
	}()
	added = func() (t [4]int) {
		n := 0
		f := func() int { n++; return n * 10 }
		t[n] += f()
		t[f()/10] += f()
		n += f()
		t[0] = n
		return t
	}()
	inMap = func() [2]int {
		n := 1
		m := map[int]int{}
		f := func() int { n = 7; return 2 }
		m[n] = f()
		m[n] += f()
		return [2]int{m[1], m[7]}
	}()
	bytesKey = func() [2]int {
		b := []byte("a")
		m := map[string]int{"a": 1, "b": 2}
		f := func() int { b[0] = 'b'; return 10 }
		return [2]int{m[string(b)] + f(), 0}
	}()
	ofMap = func() [2]int {
		n := 1
		m := map[int]int{1: 10, 2: 20}
		f := func() int { n = 2; m[2]++; return 5 }
		return [2]int{m[n] + f(), m[n]}
	}()
	looked = func() [3]int {
		n := 1
		m := map[int]int{1: 10}
		f := func() int { n = 2; return 2 }
		var t [3]int
		var ok bool
		t[f()], ok = m[n]
		if ok {
			t[0] = 1
		}
		return t
	}()
	element = func() [2]int {
		n := 0
		t := [2]int{1, 2}
		f := func() int { n = 1; t[1] = 9; return 100 }
		return [2]int{t[n] + f(), n}
	}()
	ofSlice = func() [2]int {
		n := 0
		t := []int{1, 2}
		f := func() int { n = 1; t = []int{5, 6}; return 100 }
		return [2]int{t[n] + f(), n}
	}()
	dereferenced = func() [2]int {
		x, y := 1, 2
		p := &x
		f := func() int { p = &y; return 100 }
		return [2]int{*p + f(), 0}
	}()
	field = func() [2]int {
		x := value{1}
		p := &x
		f := func() int { p = &value{5}; x.n = 3; return 100 }
		return [2]int{x.n + f(), p.n + f()}
	}()
	logical = func() [4]int {
		n := 0
		f := func() bool { n++; return n%2 == 0 }
		var t [4]int
		if f() && f() || n == 1 && !f() {
			t[0] = n
		}
		x, y := n > 5 && f(), f()
		if x || y {
			t[1] = n
		}
		t[2] = n
		if (n < 4 && t[n] == 0) == f() {
			t[3] = n
		}
		return t
	}()
	short = func() [2]int {
		a := []int{1}
		i := 1
		no := func() bool { return false }
		if (i < len(a) && a[i] == 1) == no() {
			return [2]int{1, 1}
		}
		return [2]int{}
	}()
	receiver = func() [2]int {
		v := value{1}
		f := func() int { v.n = 7; return 2 }
		return v.with(f())
	}()
	pointer = func() [2]int {
		v, w := value{1}, value{3}
		p := &v
		f := func() int { p = &w; return 2 }
		return p.add(f())
	}()
	bound = func() [2]int {
		v := value{1}
		f := func() int { v.n = 7; return 2 }
		g, y := v.with, f()
		return g(y)
	}()
	chained = func() [2]int {
		b := &builder{}
		b.put(b.n).put(b.put(5).n).put(b.n)
		return [2]int{b.n, len(b.all)*1000 + b.all[2]}
	}()
	function = func() [2]int {
		g := func(x int) [2]int { return [2]int{1, x} }
		f := func() int { g = func(x int) [2]int { return [2]int{2, x} }; return 5 }
		return g(f())
	}()
	converted = func() [2]int {
		n := 1
		f := func() float64 { n = 7; return 2 }
		return [2]int{int(float64(n) + f()), n}
	}()
	shifted = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		return [2]int{n << f(), f() << n}
	}()
	compared = func() [3]bool {
		a := [2]int{1, 2}
		f := func() [2]int { a[0] = 7; return [2]int{7, 2} }
		s := "a"
		g := func() string { s = "b"; return "b" }
		var i any = 1
		h := func() any { i = 2.5; return 2.5 }
		return [3]bool{a == f(), s == g(), i == h()}
	}()
	arrays = func() [2]int {
		a := [2]int{1, 2}
		f := func() int { a[0] = 7; return 5 }
		x, y := a, f()
		return [2]int{x[0], y}
	}()
	structs = func() [2]int {
		a := value{1}
		f := func() int { a.n = 7; return 5 }
		x, y := a, f()
		return [2]int{x.n, y}
	}()
	ofResult = func() [2]int {
		n := 1
		f := func() value { n++; return value{n} }
		return [2]int{f().n + f().n*10, f().n + n}
	}()
	sliced = func() [4]int {
		all := [6]int{10, 20, 30, 40, 50, 60}
		n := 0
		f := func() int { n++; return n }
		s := all[f() : f()+2 : f()+3]
		return [4]int{s[0], len(s), cap(s), n}
	}()
	slicedBeside = func() [3]int {
		all := []int{1, 2, 3, 4}
		n := 2
		f := func() int { n = 1; all = []int{5, 6, 7}; return 9 }
		x, y := all[:n], f()
		z, w := all[n:], f()
		return [3]int{len(x)*100 + x[0], y + w, z[0]}
	}()
	boundsBeside = func() [4]int {
		all := []int{1, 2, 3, 4}
		n, m := 2, uint8(2)
		f := func() int { n, m = 1, 1; return 4 }
		x := all[n:f()]
		n, m = 2, 2
		y := all[m:f()]
		return [4]int{x[0], len(x), y[0], len(y)}
	}()
	text = func() [2]int {
		n := 0
		f := func() int { n++; return n }
		s := "abcdefgh"[f() : f()+3]
		return [2]int{int(s[0]), len(s)}
	}()
	appended = func() [3]int {
		n := 1
		f := func() int { n = 7; return 9 }
		return [3]int(append([]int{}, n, f(), n))
	}()
	appendedTo = func() [2]int {
		m := make([]int, 0, 8)
		g := func() int { m = append(m, 1); return 2 }
		m = append(m, g())
		return [2]int{len(m), m[len(m)-1]}
	}()
	appendedInPlace = func() [2]int {
		m := make([]int, 1, 8)
		x := m[0] + append(m[:0], 9)[0]
		return [2]int{x, m[0]}
	}()
	copied = func() [4]int {
		a := []int{1, 2, 3, 4}
		n := 0
		f := func() int { n++; return n }
		copy(a[f():], a[:f()])
		a[0] += a[1] + copy(a[1:], a[3:])
		return [4]int(a)
	}()
	lengths = func() [3]int {
		s := []int{1, 2}
		t := "abc"
		f := func() int { s = append(s, 1); t = ""; return 100 }
		return [3]int{len(s) + f(), len(t) + f(), len(s)}
	}()
	least = func() [2]int {
		n := 1
		f := func() int { n = 7; return 9 }
		return [2]int{min(n, f()), max(n, 3) + f()}
	}()
	leastBeside = func() [2]int {
		n := 1
		f := func() int { n = 7; return 9 }
		x, y := min(n, 5), f()
		return [2]int{x, y}
	}()
	parts = func() [2]float64 {
		x := 1.0
		c := 1 + 2i
		f := func() float64 { x, c = 7, 0; return 3 }
		d := complex(x, f())
		y, z := real(c), f()
		return [2]float64{real(d) + imag(d)*10, y + z}
	}()
	made = func() [3]int {
		n := 1
		f := func() int { n += 2; return n }
		s := make([]int, n, f())
		m := make(map[int]int, f())
		delete(m, f())
		var none map[int]int
		delete(none, f())
		return [3]int{len(s), cap(s), n}
	}()
	allocated = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		p, y := new(n), f()
		return [2]int{*p, y}
	}()
	asserted = func() [2]int {
		var i any = 1
		f := func() int { i = 5; return 2 }
		x, y := i.(int), f()
		return [2]int{x, y}
	}()
	assertedPointer = func() [2]int {
		var i any = &value{1}
		f := func() int { i = &value{5}; return 2 }
		x, y := i.(*value), f()
		return [2]int{x.n, y}
	}()
	bytes = func() [2]int {
		s := "abc"
		f := func() int { s = "x"; return 2 }
		x, y := []byte(s), f()
		return [2]int{len(x), y}
	}()
	ofBytes = func() [2]int {
		b := []byte("abc")
		f := func() int { b[0] = 'x'; return 2 }
		x, y := string(b), f()
		return [2]int{int(x[0]), y}
	}()
	concatenated = func() [2]int {
		s := "abc"
		f := func() string { s = "x"; return "y" }
		x := s + f()
		return [2]int{len(x), int(x[0])}
	}()
	boxed = func() [2]int {
		n := 1
		f := func() int { n = 7; return 2 }
		x, y := any(n), any(f())
		return [2]int{x.(int), y.(int)}
	}()
	negative = func() [2]int {
		x := 0.0
		f := func() float64 { x = math.Copysign(0, -1); return 1 }
		if math.Signbit(x * f()) {
			return [2]int{1, 1}
		}
		return [2]int{}
	}()
	switched = func() [3]int {
		n := 0
		f := func() int { n++; return n }
		var t [3]int
		switch n + f() {
		case n:
			t[0] = 1
		case f() + n - 2:
			t[0] = 2
		}
		switch {
		case n > f():
			t[1] = 1
		case n == f() && n == 4:
			t[1] = 2
		}
		t[2] = n
		return t
	}()
	ranged = func() (t [4]int) {
		i := 0
		for i, t[i] = range []int{7, 8, 9} {
		}
		t[3] = i
		return t
	}()
	rangedCalls = func() (t [4]int) {
		n := 0
		f := func() int { n++; return n % 4 }
		for t[f()], t[f()] = range []int{7, 8, 9} {
		}
		return t
	}()
	looped = func() [2]int {
		n, s := 0, 0
		f := func() int { n++; return 5 }
		for n < f() {
			s += n
		}
		return [2]int{n, s}
	}()
	results = func() (t [3]int) {
		n := 0
		f := func() (int, int) { n++; return n * 10, n }
		t[n], t[2] = f()
		return t
	}()
	given = func() [2]int {
		n := 1
		f := func() (int, int) { n = 7; return n, n * 10 }
		return pair(f())
	}()
	swapped = func() [3]int {
		t := [3]int{1, 2, 3}
		i := 0
		i, t[i] = 1, 9
		t[i], t[i-1], i = t[i-1], t[i], 2
		return [3]int{t[0], t[1], i}
	}()
)

var (
	filled int
	count  = 10
)

func init() { filled = count + next() }

func next() int { count = 50; return 1 }

type other struct{ n int }

func (v other) with(x int) [2]int { return [2]int{-v.n, x} }

type value struct{ n int }

func (v value) with(x int) [2]int { return [2]int{v.n, x} }

func (v *value) add(x int) [2]int { return [2]int{v.n, x} }

type valued interface{ with(x int) [2]int }

type builder struct {
	n   int
	all []int
}

func (b *builder) put(n int) *builder {
	b.all = append(b.all, n)
	b.n += n + 1
	return b
}

func pair(a, b int) [2]int { return [2]int{a, b} }

func first(all ...int) [2]int { return [2]int(all) }

// Values are the variables by their names.
func Values() map[string]any {
	return map[string]any{
		"addition": addition, "argument": argument, "nested": nested, "variadic": variadic, "elements": elements,
		"fields": fields, "list": list, "pointed": pointed, "entries": entries, "assigned": assigned,
		"declared": declared, "returned": returned, "target": target, "added": added, "inMap": inMap,
		"bytesKey": bytesKey, "ofMap": ofMap, "looked": looked, "element": element, "ofSlice": ofSlice,
		"dereferenced": dereferenced, "field": field, "logical": logical, "short": short, "receiver": receiver,
		"pointer": pointer, "bound": bound, "chained": chained, "function": function, "converted": converted,
		"shifted": shifted, "compared": compared, "arrays": arrays, "structs": structs, "ofResult": ofResult,
		"sliced": sliced, "slicedBeside": slicedBeside, "boundsBeside": boundsBeside, "text": text, "appended": appended,
		"appendedTo": appendedTo, "appendedInPlace": appendedInPlace, "copied": copied, "lengths": lengths,
		"least": least, "leastBeside": leastBeside, "parts": parts, "made": made, "allocated": allocated,
		"asserted": asserted, "assertedPointer": assertedPointer, "bytes": bytes, "ofBytes": ofBytes,
		"concatenated": concatenated, "boxed": boxed, "negative": negative, "switched": switched, "ranged": ranged,
		"rangedCalls": rangedCalls, "looped": looped, "results": results, "given": given, "swapped": swapped,
		"mixed1": mixed1, "mixed2": mixed2, "mixed3": mixed3, "mixed4": mixed4, "mixed5": mixed5, "mixed6": mixed6,
		"mixed7": mixed7, "mixed8": mixed8, "mixed9": mixed9, "mixed10": mixed10, "mixed11": mixed11,
		"mixed12": mixed12, "mixed13": mixed13, "mixed14": mixed14, "mixed15": mixed15, "mixed16": mixed16,
		"mixed17": mixed17, "mixed18": mixed18, "mixed19": mixed19, "mixed20": mixed20, "mixed21": mixed21,
		"mixed22": mixed22, "mixed23": mixed23, "mixed24": mixed24, "filled": filled,
	}
}
