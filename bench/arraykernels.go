package main

import "github.com/qdgen/qd"

// Kernels whose threads have arrays of their own, with indices that are known only at run time: see arrays.go. Beside them is
// native/arrays.cpp.

// medianFilter has the median of the nine pixels around each pixel, which it sorts by insertion.
//
//qd:kernel
func medianFilter(t qd.Thread, width int, in, out []float32) {
	i, j := t.ID2()
	var v [9]float32
	n := 0
	for dy := range 3 {
		row := in[(i+dy)*width+j : (i+dy)*width+j+3]
		for _, p := range row {
			k := n
			for ; k > 0 && v[k-1] > p; k-- {
				v[k] = v[k-1]
			}
			v[k] = p
			n++
		}
	}
	out[i*(width-2)+j] = v[4]
}

// determinants has the determinant of each of many matrices of 8 rows, by elimination.
//
//qd:kernel
func determinants(t qd.Thread, in, out []float32) {
	const n = 8
	i := t.ID()
	a := in[i*n*n : (i+1)*n*n]
	var m [n][n]float32
	for r := range n {
		for c := range n {
			m[r][c] = a[r*n+c]
		}
	}
	d := float32(1)
	for k := range n {
		for r := k + 1; r < n; r++ {
			f := m[r][k] / m[k][k]
			for c := k; c < n; c++ {
				m[r][c] -= f * m[k][c]
			}
		}
		d *= m[k][k]
	}
	out[i] = d
}

// A boxNode is a node of a tree of intervals. A leaf has no children.
type boxNode struct {
	Left, Right int32
	Low, High   float32
}

// countBoxes counts the leaves around each number. It walks the tree with a stack.
//
//qd:kernel
func countBoxes(t qd.Thread, nodes []boxNode, in []float32, out []int32) {
	x := in[t.ID()]
	var stack [32]int32
	var count int32
	for n := 1; n > 0; {
		n--
		node := nodes[stack[n]]
		switch {
		case x < node.Low || x > node.High:
		case node.Left == 0:
			count++
		default:
			stack[n], stack[n+1] = node.Left, node.Right
			n += 2
		}
	}
	out[t.ID()] = count
}

// commonest has the commonest of 16 values in each of many rows.
//
//qd:kernel
func commonest(t qd.Thread, length int, in []uint8, out []int32) {
	row := in[t.ID()*length : (t.ID()+1)*length]
	var bins [16]int32
	for _, v := range row {
		bins[v&15]++
	}
	best := 0
	for k := range bins {
		if bins[k] > bins[best] {
			best = k
		}
	}
	out[t.ID()] = int32(best)
}

// states is a table that leads from a state and a byte to the next state.
var states = func() (t [64][128]uint8) {
	for s := range t {
		for c := range t[s] {
			t[s][c] = uint8((s*5 + c*s + c) % 64)
		}
	}
	return
}()

// automaton is in some state after each of many words.
//
//qd:kernel
func automaton(t qd.Thread, length int, text []uint8, ends []int32) {
	s := uint8(1)
	for k := range length {
		s = states[s&63][text[t.ID()*length+k]&127]
	}
	ends[t.ID()] = int32(s)
}
