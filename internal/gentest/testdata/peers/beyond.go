package peers

import "github.com/qdgen/qd"

// Kernels for what no peer's test checks: what is known, and when it is known no more.

//qd:kernel
func knownNoMore(t qd.Thread, dyn int, out []int) {
	a := 1
	if dyn > 0 {
		a = 2
	}
	if a == 1 {
		out[0] = 1
	}

	b := 3
	p := &b
	*p = 4
	if b == 3 {
		out[1] = 1
	}

	c := 3
	set := func() { c = 4 }
	set()
	if c == 3 {
		out[2] = 1
	}

	arr := [3]int{1, 2, 3}
	arr[dyn%3] = 9
	if arr[1] == 2 {
		out[3] = 1
	}

	s := struct{ n, m int }{5, 6}
	s.n = dyn
	if s.n == 5 {
		out[4] = 1
	}
	if s.m == 6 {
		out[4] += 2
	}

	d := 0
	for range dyn {
		d++
	}
	if d == 0 {
		out[5] = 1
	}

	e := 7
	for e > dyn {
		e -= 3
	}
	out[6] = e

	f, g := 1, 2
	for range qd.Static(3) {
		f, g = g, f
	}
	out[7] = f*10 + g
	if dyn > 100 {
		f = 50
	}
	out[8] = f
}

//qd:kernel
func knownArithmetic(t qd.Thread, dyn int, outI []int64, outF []float64) {
	var u8 uint8 = 255
	u8++
	var i8 int8 = 127
	i8++
	min64 := int64(-1 << 63)
	minus := int64(-1)
	outI[0], outI[1] = int64(u8), int64(i8)
	outI[2], outI[3] = min64/minus, min64%minus
	s := uint(70)
	one := int64(1)
	outI[4], outI[5] = one<<s, min64>>s
	neg := int64(-7)
	two := int64(2)
	outI[6], outI[7] = neg/two, neg%two
	outI[8] = neg &^ two
	big := 1e10
	outI[9] = int64(big)
	tenth := float32(0.1)
	three := float32(3)
	outF[0] = float64(tenth * tenth * three)
	outF[1] = float64(tenth + 1e8)
	large := float32(3e38)
	outF[2] = float64(large * three)
	zero := 0.0
	outF[3] = 1 / zero
	outF[4] = -zero // not negative zero: 0 - 0 in no language, but -0 is
	nan := zero / zero
	if nan == nan {
		outF[5] = 1
	}
	if nan != nan {
		outF[5] += 2
	}
	x := 16777217
	outF[6] = float64(float32(x))
	var u32 uint32 = 1 << 31
	outI[10] = int64(u32 << 1)
	outI[11] = int64(int32(u32))
	outI[12] = int64(uint16(neg))
	outI[13] = int64(dyn)
}

//qd:kernel
func loopVariables(t qd.Thread, dyn int, out []int) {
	at := 0
	put := func(v int) {
		out[at] = v
		at++
	}
	for i := range qd.Static(3) {
		i *= 2
		put(i)
	}
	for i := 0; qd.Static(i < 6); i++ {
		i++
		put(i)
	}
	for i := range qd.Static(2) {
		f := func() int { return i + 10 }
		p := &i
		*p += dyn
		put(f())
	}
	var last int
	for last = range qd.Static(4) {
		if last == dyn {
			break
		}
	}
	put(last)
	for i, v := range qd.Static([3]int{5, 6, 7}) {
		if v == dyn+5 {
			continue
		}
		put(100*i + v)
	}
	for i, v := range [2]int{8, 9} {
		put(1000*i + v)
	}
	sum := 0
	for i := range qd.Static(uint8(3)) {
		sum += int(i - 1) // wraps at 0
	}
	put(sum)
}

//qd:kernel
func exits(t qd.Thread, dyn int, out []int) {
	n := 0
outer:
	for i := range qd.Static(4) {
		switch {
		case i == 1:
			continue outer
		case dyn == i:
			n += 100
			break outer
		default:
			if i > dyn {
				break
			}
			n += 10
		}
		for j := range dyn {
			for k := range qd.Static(3) {
				if j+k == 3 {
					continue outer
				}
				if k == 2 && dyn > 5 {
					break outer
				}
				n++
			}
		}
		n += 1000
	}
	out[0] = n

	known := 5
	for i := range qd.Static(3) {
		if dyn == i {
			known = 6
			break
		}
		if i == 1 {
			known = 7
		}
	}
	out[1] = known
	out[2] = early(dyn, 0)
	out[3] = early(dyn, 1)
}

// early returns in the middle, under conditions of both kinds.
func early(dyn int, c int) int {
	r := 1
	for i := range qd.Static(4) {
		if c == 1 && i == 2 {
			return r
		}
		if dyn == i {
			return 100 + r
		}
		r += i + 1
	}
	return -r
}

//qd:kernel
func fallsThrough(t qd.Thread, c qd.Const[int], dyn int, out []int) {
	switch c.V {
	case 0:
		out[0] += 1
		fallthrough
	case 1:
		out[0] += 10
		if dyn > 0 {
			break
		}
		out[0] += 100
		fallthrough
	default:
		out[0] += 1000
	case 5:
		out[0] += 5
	}
	switch v := c.V * 2; {
	case v > 4:
		out[1] = 1
	case dyn > 3:
		out[1] = 2
	case v == 2:
		out[1] = 3
	default:
		out[1] = 4
	}
}

func fib(n qd.Const[int]) int {
	if n.V < 2 {
		return n.V
	}
	return fib(qd.C(n.V-1)) + fib(qd.C(n.V-2))
}

func ackermann(m, n qd.Const[int]) int {
	switch {
	case m.V == 0:
		return n.V + 1
	case n.V == 0:
		return ackermann(qd.C(m.V-1), qd.C(1))
	}
	return ackermann(qd.C(m.V-1), qd.C(qd.Static(ackermann(m, qd.C(n.V-1)))))
}

//qd:kernel
func recursive(t qd.Thread, n qd.Const[int], out []int) {
	out[0] = fib(n)
	out[1] = qd.Static(fib(qd.C(10)))
	out[2] = ackermann(qd.C(2), qd.C(2))
}

// A mode is a named number.
type mode int

func (m mode) factor() int {
	if m == fast {
		return 2
	}
	return 3
}

const (
	slow mode = iota
	fast
)

// A config is a struct of all kinds.
type config struct {
	Mode   mode
	Name   string
	Scale  [2]float32
	On     bool
	F      func(int) int
	Nested struct{ N int8 }
}

//qd:kernel
func configured(t qd.Thread, c qd.Const[config], out []float32) {
	if c.V.On {
		out[0] = float32(c.V.Mode.factor()) * c.V.Scale[1]
	}
	if c.V.Name == "x" {
		out[1] = float32(c.V.F(int(c.V.Nested.N)))
	}
}

//qd:kernel
func applied[T qd.Number](t qd.Thread, f qd.Const[func(T) T], x []T) { x[t.ID()] = f.V(x[t.ID()]) }

func doubled[T qd.Number](x T) T { return 2 * x }

func plusOne(x int) int { return x + 1 }
func plusTwo(x int) int { return x + 2 }

//qd:kernel
func namedConst(t qd.Thread, m qd.Const[mode], n qd.Const[int], out []int) {
	out[0] = m.V.factor() * n.V
}

var (
	variableFloat  = 0.0
	variableArray  = [4]int{1, 2, 3, 4}
	variableString = "a"
	variableConfig = config{Mode: fast, Name: "x", F: plusOne}
)

//qd:kernel
func readsVariables(t qd.Thread, outF []float64, out []int) {
	outF[0] = variableFloat
	out[0] = variableArray[2]
	if variableString == "b" {
		out[1] = 1
	}
	out[2] = variableConfig.F(variableConfig.Mode.factor())
}

//qd:kernel
func forgets(t qd.Thread, n qd.Const[int], out []int) {
	if qd.Dynamic(n.V > 3) {
		out[0] = 1
	}
	for i := range qd.Dynamic(n.V) {
		out[1] += i
	}
	k := qd.Dynamic(2)
	k *= 3
	out[2] = k
}

func assertsStatically(t qd.Thread, n qd.Const[int], out []int) {
	qd.StaticAssert(n.V%4 == 0, "n is no multiple of 4")
	out[0] = n.V
}

//qd:kernel
func gridConst(g qd.Grid, passes qd.Const[int], add qd.Const[bool], x []int) {
	for p := range qd.Static(passes.V) {
		if add.V {
			g.For(len(x), func(i int) { x[i] += p })
		} else {
			g.For(len(x), func(i int) { x[i] *= p + 2 })
		}
	}
}

//qd:kernel
func sharedConst(b qd.Block, n qd.Const[int], x []int) {
	part := qd.Shared[int](b, n.V)
	b.For(n.V, func(lane int) { part[lane] = x[b.ID()*n.V+lane] })
	b.For(n.V, func(lane int) { x[b.ID()*n.V+lane] = part[n.V-1-lane] })
}

// An op is a function with what it captures.
type op interface{ do(x float64) float64 }

// A chain is two of them, whose types are type parameters.
type chain[A, B op] struct {
	First A
	Then  B
}

func (c chain[A, B]) do(x float64) float64 { return c.Then.do(c.First.do(x)) }

type plus struct{ By float64 }

func (a plus) do(x float64) float64 { return x + a.By }

// A polynomial has as many terms as it says.
type polynomial struct {
	C [4]float64
	N int
}

func (p polynomial) do(x float64) float64 {
	s := 0.0
	for i := range qd.Static(p.N) {
		s = s*x + p.C[qd.Static(p.N-1-i)]
	}
	return s
}

// A mapped is a kernel of an op.
type mapped[O op] struct{ O O }

//qd:kernel
func (k mapped[O]) Kernel(t qd.Thread, x []float64) { x[t.ID()] = k.O.do(x[t.ID()]) }

// A pointerKernel has its kernel method on a pointer.
type pointerKernel struct{ V int }

func (k *pointerKernel) Kernel(t qd.Thread, out []int) { out[0] = k.V }
