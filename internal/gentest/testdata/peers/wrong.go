package peers

import "github.com/qdgen/qd"

// Kernels for what peers get wrong.

//qd:kernel
func intConst(t qd.Thread, c qd.Const[int], out []int) { out[0] = c.V }

//qd:kernel
func floatConst(t qd.Thread, c qd.Const[float64], out []float64) { out[0] = c.V }

//qd:kernel
func uint64Const(t qd.Thread, c qd.Const[uint64], out []uint64) { out[0] = c.V }

//qd:kernel
func breakInUnrolled(t qd.Thread, n int, out []int) {
	for i := range n {
		for j := range qd.Static(4) {
			if j == 2 {
				break // of the unrolled loop, not of the one around it
			}
			out[0]++
		}
		out[1] += i
	}
}

//qd:kernel
func breakInUnrolledAtRunTime(t qd.Thread, n int, stop []int, out []int) {
	for i := range n {
		for j := range qd.Static(4) {
			if stop[i] == j {
				break
			}
			out[0]++
		}
		out[1] += i
	}
}

//qd:kernel
func continueInUnrolled(t qd.Thread, n int, skip []int, out []int) {
	for i := range n {
		for j := range qd.Static(3) {
			if skip[i] == j {
				continue
			}
			out[0] += j + 1
		}
		out[1] += i
	}
}

//qd:kernel
func breakOuterOfUnrolled(t qd.Thread, n int, stop int, out []int) {
outer:
	for i := range n {
		for j := range qd.Static(4) {
			if i*4+j == stop {
				break outer
			}
			out[0]++
		}
		out[1] += i
	}
}

func firstAtLeast(x []int, limit int) int {
	for i := range qd.Static(4) {
		if x[i] >= limit {
			return i
		}
	}
	return -1
}

//qd:kernel
func returnInUnrolled(t qd.Thread, x, out []int) {
	out[0], out[1], out[2] = firstAtLeast(x, 3), firstAtLeast(x, 1), firstAtLeast(x, 100)
}

//qd:kernel
func assignedConditionally(t qd.Thread, n int, out []int) {
	var x int
	if n > 100 {
		x = 7
	}
	out[0] = x // 0 where it was not assigned
	for i := range qd.Static(3) {
		if n == i {
			x = 10 + i
		}
	}
	out[1] = x
}

//qd:kernel
func sumThatBreaks(t qd.Thread, x []float32, out []float32) {
	s := float32(0)
	for i := range x {
		if i == 3 {
			break
		}
		s += 3 * x[i]
	}
	out[0] = s
}

//qd:kernel
func typedConst[T int | bool | float64](t qd.Thread, c qd.Const[T], out []T) { out[0] = c.V }
