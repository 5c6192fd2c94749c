package peers

import "github.com/qdgen/qd"

// Kernels for Warp's test_codegen.py: loops that are unrolled and loops that are not,
// and what happens to variables in them.

//qd:kernel
func rename(t qd.Thread, out []int) {
	a := 0
	b := 1
	a = b
	a = 2
	out[0], out[1] = a, b
}

//qd:kernel
func inplace(t qd.Thread, c float32, out []float32) {
	a := float32(1)
	a += 2
	out[0] = a
	a = c + 1
	out[1] = a
}

//qd:kernel
func dynamicForRename(t qd.Thread, n int, out []int) {
	f0, f1 := 0, 1
	for range n {
		f := f0 + f1
		f0 = f1
		f1 = f
	}
	out[0] = f1
}

//qd:kernel
func dynamicForInplace(t qd.Thread, n int, out []float32) {
	a := float32(0)
	for range n {
		a += 1
	}
	out[0] = a
}

//qd:kernel
func reassign(t qd.Thread, n int, out []float32) {
	f0 := [3]float32{}
	f1 := f0
	for range n {
		f1[0] -= 2
	}
	out[0], out[1] = f1[0], f0[0]
}

//qd:kernel
func rangeStaticSum(t qd.Thread, out []int) {
	a, b, c := 0, 0, 0
	for range 10 {
		a++
	}
	for i := 0; i < 10; i++ {
		b++
	}
	for i := 0; i < 20; i += 2 {
		c++
	}
	out[0], out[1], out[2] = a, b, c
}

//qd:kernel
func rangeDynamicSum(t qd.Thread, start, end, step int, out []int) {
	for range end {
		out[0]++
	}
	for i := start; i < end; i++ {
		out[1]++
	}
	for i := start; i < end*step; i += step {
		out[2]++
	}
	for i := end * step; i > start; i -= step {
		out[3]++
	}
}

//qd:kernel
func rangeDynamic(t qd.Thread, start, end, step int, out []int) {
	at := 0
	for i := start; i < end && step > 0 || i > end && step < 0; i += step {
		out[at] = i
		at++
	}
}

//qd:kernel
func rangeDynamicNested(t qd.Thread, n int, out []int) {
	sum1, sum2, sum3 := 0, 0, 0
	for range n {
		sum1++
		sum3++
		for range n {
			sum2++
			sum3++
		}
		sum3++
	}
	out[0], out[1], out[2] = sum1, sum2, sum3
}

//qd:kernel
func while(t qd.Thread, n int, out []int) {
	i := 0
	for i < n {
		i++
	}
	out[0] = i
	for i > 0 {
		if false {
		} else {
			i--
		}
	}
	out[1] = i
}

//qd:kernel
func breaks(t qd.Thread, n int, out []int) {
	a := 0
	for range n {
		if a == 5 {
			break
		}
		a++
	}
	out[0] = a
	for i := range n {
		if i > 5 {
			out[1] = 1
			break
		}
	}
	for i := range n {
		if i == 6 {
			out[2] = 1
			break
		}
		if i == 5 {
			out[2] = 2
			break
		}
		if i == 7 {
			out[2] = 3
			break
		}
	}
}

//qd:kernel
func breakUnroll(t qd.Thread, out []int) {
	a := 0
	for i := range qd.Static(10) {
		if i > 5 {
			a = i
			break
		}
	}
	out[0] = a
	a = 0
	for i := range 10 { // at most qd.MaxUnroll
		if i > 5 {
			a = i
			break
		}
	}
	out[1] = a
}

//qd:kernel
func breakWhile(t qd.Thread, out []int) {
	a := 0
	for a < 10 {
		if a > 5 {
			break
		}
		a++
	}
	out[0] = a
	b, total := 0, 0
	for {
		total += b
		b++
		if b >= 5 {
			break
		}
	}
	out[1], out[2] = b, total
	i, nested := 0, 0
	for {
		j := 0
		for {
			nested++
			j++
			if j >= 3 {
				break
			}
		}
		i++
		if i >= 4 {
			break
		}
	}
	out[3] = nested
}

//qd:kernel
func continues(t qd.Thread, n int, out []int) {
	a := 0
	for i := range n {
		if i == 5 {
			continue
		}
		a++
	}
	out[0] = a
	a = 0
	for i := range qd.Static(10) {
		if i == 5 {
			continue
		}
		a++
	}
	out[1] = a
}

const (
	lower = -3
	upper = 3
	step  = 2
)

//qd:kernel
func rangeConstant(t qd.Thread, out []int) {
	s := 0
	for i := range upper {
		s += i
	}
	out[0], s = s, 0
	for i := lower; qd.Static(i < upper); i++ {
		s += i
	}
	out[1], s = s, 0
	for i := lower; qd.Static(i < upper); i += step {
		s += i
	}
	out[2] = s
}

//qd:kernel
func rangeConstantDynamicNested(t qd.Thread, m int, out []int) {
	s := 0
	for range qd.Static(3) {
		for range m {
			for range qd.Static(3) {
				s++
			}
		}
	}
	out[0] = s
}

//qd:kernel
func rangeExpression(t qd.Thread, out []float32) {
	idx, batchSize := 1, 100
	a, c := float32(0), float32(1)
	for range qd.Static(min(4*idx+4, batchSize) - 4*idx) {
		a += c
	}
	for i := 4 * idx; i < min(4*idx+4, batchSize); i++ {
		a += c
	}
	for i := 4 * idx; i < min(4*idx, t.ID()+1000); i++ {
		a += c
	}
	out[0] = a
}
