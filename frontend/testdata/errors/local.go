package errors

import "github.com/qdgen/qd"

type localHolder struct{ row []float32 }

type localPointers struct{ p *float32 }

func localGiven() []float32 {
	return qd.Local[float32](3) // want "the result outlives the array that it points to, made by qd.Local\\[float32\\]"
}

func localKept(h *localHolder, row []float32) { h.row = row }

func localPart(n int) float32 {
	row := qd.Local[float32](n) // want "the length of a local array is not known at compile time: n is a runtime parameter"
	return row[0]
}

//qd:kernel
func localLengths(t qd.Thread, n int, x []float32) {
	a := qd.Local[float32](n)               // want "the length of a local array is not known at compile time: n is a runtime parameter"
	b := qd.Local[float32](len(x))          // want "the length of a local array is not known at compile time: the length of x is known only when the kernel runs"
	c := qd.Local[float32](-1)              // want "a local array of -1 elements"
	d := qd.Local[float32](1 << 40)         // want "a local array is larger than 262144 bytes, the limit for a variable"
	e := qd.Local[[2]float64](16385)        // want "a local array is larger than 262144 bytes, the limit for a variable"
	f := qd.Local[float32](qd.Dynamic(3))   // want "the length of a local array is not known at compile time: qd.Dynamic makes it a runtime value"
	g := qd.Local[string](3)                // want "a local array cannot have elements of type string: strings are not supported"
	h := qd.Local[[]float32](3)             // want "a local array cannot have elements of type \\[\\]float32: slices of slices are not supported"
	i := qd.Local[localPointers](2)         // want "a local array cannot have elements of type localPointers: slices of elements with pointers are not supported"
	j := qd.Local[func(float32) float32](2) // want "a local array cannot have elements of type func\\(float32\\) float32: functions are known at compile time only"
	l := qd.Local[struct{}](2)
	x[0] = a[0] + b[0] + c[0] + d[0] + float32(e[0][0]) + f[0] + *i[0].p + localPart(n)
	_, _, _, _ = g, h, j, l
}

//qd:kernel
func localEscapes(t qd.Thread, holders []float32, x []float32) {
	var h localHolder
	var row []float32
	for k := range 3 {
		own := qd.Local[float32](4)
		own[k] = 1
		row = own                           // want "row outlives the array that it points to, made by qd.Local\\[float32\\]"
		h.row = own[1:]                     // want "h.row outlives the array that it points to, made by qd.Local\\[float32\\]"
		localKept(&h, own)                  // want "h outlives the array that it points to, made by qd.Local\\[float32\\]"
		localKept(&h, qd.Local[float32](2)) // want "h outlives the array that it points to, made by qd.Local\\[float32\\]"
		x = own                             // want "x outlives the array that it points to, made by qd.Local\\[float32\\]"
	}
	x[0] = row[0] + h.row[1] + localGiven()[0]
}
