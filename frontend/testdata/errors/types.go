package errors

import "github.com/qdgen/qd"

type point struct{ x, y float32 }

func (p point) norm() float32 { return p.x + p.y }

type celsius float32

func (c celsius) fahrenheit() float32 { return float32(c)*1.8 + 32 }

//qd:kernel
func params(
	t qd.Thread,
	a []string, // want "parameter a has type \\[\\]string: strings are not supported"
	b [][]float32, // want "parameter b has type \\[\\]\\[\\]float32: slices of slices are not supported"
	c *float32, // want "parameter c has type \\*float32: pointers are not supported yet"
	d point, // want "parameter d has type point: structs are not supported yet"
	e [4]int, // want "parameter e has type \\[4\\]int: arrays are not supported yet"
	f map[int]int, // want "parameter f has type map\\[int\\]int: maps are not supported"
	g func(int) int, // want "parameter g has type func\\(int\\) int: function values are not supported yet"
	h complex64, // want "parameter h has type complex64: complex numbers are not supported"
	i uintptr, // want "parameter i has type uintptr: pointer-sized integers are not supported"
	k []point, // want "parameter k has type \\[\\]point: structs are not supported yet"
	l []qd.Thread, // want "parameter l has type \\[\\]qd.Thread: a qd.Thread stands alone"
	out []float32,
) {
	// Nothing that follows from these is said again.
	out[0] = *c + d.x + float32(e[1]) + float32(f[2]) + float32(g(3)) + real(h) + b[0][1] + k[0].y + d.norm() // want "complex numbers are not supported"
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
func locals(t qd.Thread, x []float32) {
	var a [3]float32 // want "variable a has type \\[3\\]float32: arrays are not supported yet"
	a[0] = x[0]
	b := [2]int{1, 2}                // want "arrays are not supported yet"
	c := point{1, 2}                 // want "structs are not supported yet"
	d := &x[0]                       // want "taking an address is not supported here"
	e := []float32{1}                // want "slice literals are not supported"
	f := map[int]int{}               // want "maps are not supported"
	g := func() float32 { return 1 } // want "function literals are not supported yet"
	h := "text"                      // want "strings are not supported in a kernel"
	j := 1i                          // want "complex numbers are not supported in a kernel"
	k := celsius(x[0])
	var l []float32                                                                                         // want "nil slices are not supported"
	var m qd.Thread                                                                                         // want "a qd.Thread cannot be made"
	var n, o string                                                                                         // want "variable n has type string: strings are not supported"
	var p = nothing                                                                                         // want "package variable nothing used in a kernel"
	x[b[1]] = a[0] + c.x + *d + e[0] + float32(f[1]) + g() + float32(len(h)) + float32(real(j)) + l[m.ID()] // want "complex numbers are not supported"
	x[1] = k.fahrenheit()                                                                                   // want "methods are not supported yet"
	x[2] = celsius.fahrenheit(k)                                                                            // want "function values are not supported yet"
	x[len(n)] = float32(len(o)) + p
	x[3] = func() float32 { return 2 }() // want "function literals are not supported yet"
	l = nil                              // want "nil is not supported in a kernel"
	s := string(rune(len(x))) + h        // want "conversion to string: strings are not supported"
	_ = s
}

var nothing float32

//qd:kernel
func addresses(t qd.Thread, x []int32) {
	i := t.ID()
	var n int32
	qd.AtomicAdd(&n, 1)            // want "atomic operations work on elements of slices only"
	qd.AtomicAdd(new(int32), 1)    // want "a kernel cannot allocate memory"
	qd.AtomicAdd((*int32)(nil), 1) // want "conversion to \\*int32: pointers are not supported yet"
	*(&x[i]) = 1                   // want "taking an address is not supported here"
}
