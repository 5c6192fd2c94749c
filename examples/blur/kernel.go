package main

import "github.com/qdgen/qd"

//go:generate go run github.com/qdgen/qd/cmd/qdgen gen

// A picture is three planes of width*height values each, red, green and blue. A
// separable filter is two passes, along the rows and along the columns: 2*n
// products per pixel for a kernel of n x n. The border repeats the outermost pixels.

// rows filters every row of every plane with weights, an odd number of them.
//
//qd:kernel
func rows(t qd.Thread, weights, in, out []float32) {
	plane, y, x := t.ID3()
	height, width := t.Dim(1), t.Dim(2)
	row := in[(plane*height+y)*width : (plane*height+y+1)*width]
	out[(plane*height+y)*width+x] = weighted(weights, row, x, 1)
}

// columns filters every column of every plane.
//
//qd:kernel
func columns(t qd.Thread, weights, in, out []float32) {
	plane, y, x := t.ID3()
	height, width := t.Dim(1), t.Dim(2)
	radius := len(weights) / 2
	var sum float32
	for k, w := range weights {
		row := qd.Clamp(y+k-radius, 0, height-1)
		sum += w * in[(plane*height+row)*width+x]
	}
	out[(plane*height+y)*width+x] = sum
}

// weighted is the weighted mean of the values around at, step apart.
func weighted(weights, values []float32, at, step int) float32 {
	radius := len(weights) / 2
	var sum float32
	for k, w := range weights {
		i := qd.Clamp(at+(k-radius)*step, 0, len(values)-1)
		sum += w * values[i]
	}
	return sum
}
