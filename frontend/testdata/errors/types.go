package errors

import (
	"unsafe"

	"github.com/qdgen/qd"
)

type point struct{ x, y float32 }

func (p point) norm() float32 { return p.x + p.y }

type chain struct {
	next *chain
	x, y float32
}

type image struct {
	w, h int
	pix  []uint8
}

type celsius float32

func (c celsius) fahrenheit() float32 { return float32(c)*1.8 + 32 }

//qd:kernel
func params(
	t qd.Thread,
	a []string, // want "parameter a has type \\[\\]string: strings are not supported"
	b [][]float32, // want "parameter b has type \\[\\]\\[\\]float32: slices of slices are not supported"
	c *float32, // want "parameter c has type \\*float32: a kernel cannot take pointers"
	d point,
	e [4]int,
	f map[int]int, // want "parameter f has type map\\[int\\]int: maps are not supported"
	g func(int) int, // want "parameter g has type func\\(int\\) int: functions are known at compile time only"
	h complex64,
	i unsafe.Pointer, // want "parameter i has type unsafe.Pointer: pointers without a type are not supported"
	k []chain, // want "parameter k has type \\[\\]chain: slices of elements with pointers are not supported"
	kk []image, // want "parameter kk has type \\[\\]image: slices of elements with slices are not supported"
	l []qd.Thread, // want "parameter l has type \\[\\]qd.Thread: a qd.Thread stands alone"
	out []float32,
) {
	// Nothing that follows from these is said again.
	out[0] = *c + d.x + float32(e[1]) + float32(f[2]) + float32(g(3)) + real(h) + b[0][1] + k[0].y + point.norm(d)
	if v, ok := f[1]; ok {
		out[v] = 2
	}
	for _, p := range k {
		out[1] += p.x
	}
	p := k[0]
	p.x = 3
	d.x, e[0] = 4, 5
	*c = 6
	out[e[0]]++
	out[len(a[0])] = 1
	e[1] += f[2]
}

//qd:kernel
func keys(t qd.Thread, x []float32, m map[string]float32) { // want "parameter m has type map\\[string\\]float32: maps are not supported"
	x[0] = m["a"]
}

//qd:kernel
func locals(t qd.Thread, x []float32) {
	var a [3]chan int // want "variable a has type \\[3\\]chan int: channels are not supported"
	x[len(a[0])] = 1
	b := [2]int{1, 2}
	c := point{1, 2}
	d := &x[0]
	e := []float32{1 << 20: 1} // want "a slice literal is larger than 262144 bytes, the limit for a variable"
	f := map[int]chan int{}    // want "maps are not supported"
	g := func() float32 { return 1 }
	h := "text"
	j := 1i
	k := celsius(x[0])
	var l []float32
	var m qd.Thread   // want "cannot make a qd.Thread"
	var n, o chan int // want "variable n has type chan int: channels are not supported"
	var p = nothing
	x[b[1]] = c.x + *d + e[0] + float32(len(f[1])) + g() + float32(len(h)) + float32(real(j)) + l[m.ID()]
	x[1] = k.fahrenheit()
	x[2] = celsius.fahrenheit(k)
	x[len(n)] = float32(len(o)) + p
	x[3] = func() float32 { return 2 }()
	l = nil
	s := string(rune(len(x))) + h
	x[len(s)] = 1 // want "s is a text that the kernel makes when it runs"
	r := []byte{byte(len(x))}
	_ = string(r) + h // want "the contents of string\\(r\\) are not known at compile time"
}

var nothing float32

type giant [1 << 40]int

type big struct {
	a [1 << 14]int
	b [1 << 14]int
	c [1 << 14]int
}

type inside struct {
	a [2]struct{ t qd.Thread }
}

type same qd.Thread

//qd:kernel
func sizes(
	t qd.Thread,
	a giant, // want "parameter a has type giant: it is larger than 262144 bytes, the limit for a variable"
	b big, // want "parameter b has type big: it is larger than 262144 bytes, the limit for a variable"
	c []struct{}, // want "parameter c has type \\[\\]struct\\{\\}: no memory has elements without a size"
	d []*int32, // want "parameter d has type \\[\\]\\*int32: slices of elements with pointers are not supported"
	e inside, // want "parameter e has type inside: field a: field t: a qd.Thread stands alone"
	f **int32, // want "parameter f has type \\*\\*int32: a kernel cannot take pointers"
	g struct{ p *int32 }, // want "parameter g has type struct\\{p \\*int32\\}: a kernel cannot take pointers"
	i struct{ s [][0]int }, // want "parameter i has type struct\\{s \\[\\]\\[0\\]int\\}: no memory has elements without a size"
	x []int32,
) {
	h := new(string) // want "new\\(string\\): strings are not supported"
	y := (*[4]int32)(x)
	z := [4]int32(x)
	p := (*point2)(&point{}) // want "conversions of pointers to another type are not supported"
	u := same(t)             // want "a qd.Thread cannot be converted"
	_, _, _, _, _ = h, y, z, p, u
	_ = new(qd.Thread) // want "new\\(qd.Thread\\): a qd.Thread stands alone"
}

type point2 point

//qd:kernel
func crowded(t qd.Thread, x []int32) {
	var a, b [1 << 15]int32
	a[0], b[0] = x[0], x[1]
	var c [1]int32 // want "the variables of crowded take more than 262144 bytes, the limit for a thread"
	c[0]++
	x[0] = a[1] + b[1] + c[0]
}

type list *struct {
	next list
	n    int
}

type long struct {
	next *long
	a    [1 << 17]int16
}

//qd:kernel
func knots(t qd.Thread, x []int) {
	var p list
	var a struct {
		next list
		n    int
	}
	p = &a               // want "a is known at compile time only, and has no address \\(field next: a struct without a name that leads back to itself is not supported\\)"
	q := make([]list, 3) // want "make\\(\\[\\]list\\): a struct without a name that leads back to itself is not supported"
	var l long
	r := &l // want "l is known at compile time only, and has no address \\(it is larger than 262144 bytes, the limit for a variable\\)"
	x[1] = len(q) + r.next.next.n()
	_ = p
}

func (l *long) n() int { return len(l.a) }
