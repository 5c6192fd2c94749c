package peers

import "github.com/qdgen/qd"

// Kernels for the tests test_static.py and test_kernel_templates.py of Quadrants and
// Taichi.

func deadBranch(t qd.Thread, takeTrue qd.Const[bool], out []int) {
	if qd.Static(takeTrue.V) {
		out[0] = 1
	} else {
		c := make(chan int) // not supported: an error where the branch is compiled
		out[0] = <-c
	}
}

//qd:kernel
func staticIf(t qd.Thread, val qd.Const[int], out []int) {
	if qd.Static(float64(val.V) > 0.5) {
		out[0] = 1
	} else {
		out[0] = 0
	}
}

func staticIfRuntime(t qd.Thread, val float64, out []int) {
	if qd.Static(val > 0.5) {
		out[0] = 1
	} else {
		out[0] = 0
	}
}

//qd:kernel
func staticNdrange(t qd.Thread, x [][3][3]float32) {
	w := [3]float32{0, 1, 2}
	for i := range qd.Static(3) {
		for j := range qd.Static(3) {
			x[3*i+j][i][j] = w[i] + w[j]*2
		}
	}
}

//qd:kernel
func staticBreak(t qd.Thread, out []int) {
	for i := range qd.Static(5) {
		out[i] = 1
		if qd.Static(i == 2) {
			break
		}
	}
}

//qd:kernel
func staticContinue(t qd.Thread, out []int) {
	for i := range qd.Static(5) {
		if qd.Static(i == 2) {
			continue
		}
		out[i] = 1
	}
}

//qd:kernel
func templateInc[T qd.Number](g qd.Grid, a []T, b qd.Const[T]) {
	g.For(len(a), func(i int) { a[i] += b.V })
}

//qd:kernel
func templateInc2[T qd.Number](g qd.Grid, z T, a []T, b T) {
	g.For(len(a), func(i int) { a[i] += b + z })
}

func sampleOf(x0, x1 qd.View2[float32], l qd.Const[int], i, j int) float32 {
	if l.V == 0 {
		return x0.At(i, j)
	}
	return x1.At(i, j)
}

//qd:kernel
func templateFill(g qd.Grid, l qd.Const[int], a0, a1 qd.View2[float32]) {
	g.For2(16, 16, func(i, j int) {
		if l.V == 0 {
			a0.Set(i, j, 0)
		} else {
			a1.Set(i, j, float32(l.V))
		}
	})
}

//qd:kernel
func templateCopy(g qd.Grid, l qd.Const[int], a0, a1, b qd.View2[float32]) {
	g.For2(16, 16, func(i, j int) { b.Set(i, j, sampleOf(a0, a1, l, i, j)) })
}
