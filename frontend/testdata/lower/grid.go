package lower

import "github.com/qdgen/qd"

// Loops of each rank, with scalars that change between them, and statements that
// run once.
//
//qd:kernel
func passes(g qd.Grid, n int, x, y []float32) {
	c := float32(1)
	g.For(n, func(i int) {
		x[i] = c * y[i]
	})
	c *= x[0]
	for step := 1; step < n; step *= 2 {
		g.For2(n, step, func(i, j int) {
			if j > i {
				return
			}
			qd.AtomicAdd(&x[i-j], c)
		})
		x, y = y, x
	}
	if c > 3 {
		g.For3(2, n, 4, func(i, j, _ int) { y[i] += float32(j) })
		return
	}
	qd.Printf("%g\n", c)
}

// A body that only returns, one whose end is not reached, and one that changes
// its own index.
//
//qd:kernel
func bodies(g qd.Grid, x []int) {
	const n = 10
	two := 2
	g.For(n, func(int) { return })
	g.For(len(x), func(i int) {
		if i > two {
			x[i] = n
			return
		} else {
			x[i] = two
			return
		}
	})
	g.For(n, func(i int) {
		for i < n {
			x[i]++
			i += two
		}
	})
}

func exchange[T any](g qd.Grid, n int, x, y []T) {
	g.For(n, func(i int) { x[i], y[i] = y[i], x[i] })
}

// Parallel loops of functions that have the Grid from their caller, bodies that are
// functions with a name, and variables in memory, of which a loop has copies.
//
//qd:kernel
func inCalls(g qd.Grid, n int, x, y []int) {
	exchange(g, n, x, y)
	var a [3]int
	a[1] = x[0]
	add := func(i int) { x[i] += a[i%3] }
	g.For(n, add)
	a[1]++
	p := &a[2]
	g.For(n, func(i int) {
		mine := a
		mine[0] = i
		y[i] = mine[i%3] + *p
	})
}

/* SSA
module passes "lower"
format 0 "%g\n": float32

// grid.go:11: g.For(n, func(i int) {
kernel passes.1(v0:thread, y.v2:[]float32, x.v4:[]float32) rank 1 {
	// grid.go:11: g.For(n, func(i int) {
	i.v1:int64 = thread.id v0 axis 0 of 1
	c.v3:float32 = const 1
	// grid.go:12: x[i] = c * y[i]
	v5:*float32 = index y.v2, i.v1
	v6:float32 = load v5
	v7:float32 = mul c.v3, v6
	v8:*float32 = index x.v4, i.v1
	store v8, v7
	// grid.go:11: g.For(n, func(i int) {
	return
}

// grid.go:16: g.For2(n, step, func(i, j int) {
kernel passes.2(v0:thread, x.v3:[]float32, c.v4:float32) rank 2 {
	// grid.go:16: g.For2(n, step, func(i, j int) {
	i.v1:int64 = thread.id v0 axis 0 of 2
	j.v2:int64 = thread.id v0 axis 1 of 2
	// grid.go:17: if j > i {
	v5:bool = gt j.v2, i.v1
	if v5 {
		// grid.go:18: return
		return
	} else {
		yield
	}
	// grid.go:20: qd.AtomicAdd(&x[i-j], c)
	v6:int64 = sub i.v1, j.v2
	v7:*float32 = index x.v3, v6
	v8:float32 = atomic add v7, c.v4
	// grid.go:16: g.For2(n, step, func(i, j int) {
	return
}

// grid.go:25: g.For3(2, n, 4, func(i, j, _ int) { y[i] += float32(j) })
kernel passes.3(v0:thread, y.v4:[]float32) rank 3 {
	// grid.go:25: g.For3(2, n, 4, func(i, j, _ int) { y[i] += float32(j) })
	i.v1:int64 = thread.id v0 axis 0 of 3
	j.v2:int64 = thread.id v0 axis 1 of 3
	v3:int64 = thread.id v0 axis 2 of 3
	v5:*float32 = index y.v4, i.v1
	v6:float32 = load v5
	v7:float32 = convert j.v2
	v8:float32 = add v6, v7
	store v5, v8
	return
}

// grid.go:9: func passes(g qd.Grid, n int, x, y []float32) {
kernel passes(n.v0:int64, x.v1:[]float32, y.v2:[]float32) of grid {
	// grid.go:10: c := float32(1)
	c.v3:float32 = const 1
	// grid.go:11: g.For(n, func(i int) {
	launch passes.1 over n.v0 (y.v2, x.v1)
	// grid.go:14: c *= x[0]
	v9:int64 = const 0
	v10:int64 = len x.v1
	check index v9, v10
	v11:*float32 = index x.v1, v9
	v12:float32 = load v11
	c.v13:float32 = mul c.v3, v12
	// grid.go:15: for step := 1; step < n; step *= 2 {
	step.v14:int64 = const 1
	step.v31:int64, x.v32:[]float32, y.v33:[]float32 = loop L0 (step.v15:int64 = step.v14, x.v16:[]float32 = x.v1, y.v17:[]float32 = y.v2) {
		v18:bool = lt step.v15, n.v0
		test v18
	} do {
		// grid.go:16: g.For2(n, step, func(i, j int) {
		launch passes.2 over n.v0, step.v15 (x.v16, c.v13)
		continue L0 (step.v15, y.v17, x.v16)
	} post (step.v26:int64, x.v27:[]float32, y.v28:[]float32) {
		v29:int64 = const 2
		step.v30:int64 = mul step.v26, v29
		yield step.v30, x.v27, y.v28
	}
	// grid.go:24: if c > 3 {
	v34:float32 = const 3
	v35:bool = gt c.v13, v34
	if v35 {
		// grid.go:25: g.For3(2, n, 4, func(i, j, _ int) { y[i] += float32(j) })
		v36:int64 = const 2
		v37:int64 = const 4
		launch passes.3 over v36, n.v0, v37 (y.v33)
		// grid.go:26: return
		return
	} else {
		yield
	}
	// grid.go:28: qd.Printf("%g\n", c)
	printf 0, c.v13
	return
}

module bodies "lower"

// grid.go:38: g.For(n, func(int) { return })
kernel bodies.1(v0:thread) rank 1 {
	// grid.go:38: g.For(n, func(int) { return })
	v1:int64 = thread.id v0 axis 0 of 1
	return
}

// grid.go:39: g.For(len(x), func(i int) {
kernel bodies.2(v0:thread, x.v3:[]int64) rank 1 {
	// grid.go:39: g.For(len(x), func(i int) {
	i.v1:int64 = thread.id v0 axis 0 of 1
	two.v2:int64 = const 2
	// grid.go:40: if i > two {
	v4:bool = gt i.v1, two.v2
	if v4 {
		// grid.go:41: x[i] = n
		v5:int64 = const 10
		v6:*int64 = index x.v3, i.v1
		store v6, v5
		// grid.go:42: return
		return
	} else {
		// grid.go:44: x[i] = two
		v7:*int64 = index x.v3, i.v1
		store v7, two.v2
		// grid.go:45: return
		return
	}
	unreachable
}

// grid.go:48: g.For(n, func(i int) {
kernel bodies.3(v0:thread, x.v2:[]int64) rank 1 {
	// grid.go:48: g.For(n, func(i int) {
	i.v1:int64 = thread.id v0 axis 0 of 1
	two.v3:int64 = const 2
	// grid.go:49: for i < n {
	i.v4:int64 = loop L0 (i.v5:int64 = i.v1) {
		v6:int64 = const 10
		v7:bool = lt i.v5, v6
		test v7
	} do {
		// grid.go:50: x[i]++
		v8:*int64 = index x.v2, i.v5
		v9:int64 = load v8
		v10:int64 = const 1
		v11:int64 = add v9, v10
		store v8, v11
		// grid.go:51: i += two
		i.v12:int64 = add i.v5, two.v3
		continue L0 (i.v12)
	} post (i.v13:int64) {
		yield i.v13
	}
	// grid.go:48: g.For(n, func(i int) {
	return
}

// grid.go:35: func bodies(g qd.Grid, x []int) {
kernel bodies(x.v0:[]int64) of grid {
	// grid.go:37: two := 2
	two.v1:int64 = const 2
	// grid.go:38: g.For(n, func(int) { return })
	v2:int64 = const 10
	launch bodies.1 over v2 ()
	// grid.go:39: g.For(len(x), func(i int) {
	v4:int64 = len x.v0
	launch bodies.2 over v4 (x.v0)
	// grid.go:48: g.For(n, func(i int) {
	v11:int64 = const 10
	launch bodies.3 over v11 (x.v0)
	return
}

module inCalls "lower"

// grid.go:57: g.For(n, func(i int) { x[i], y[i] = y[i], x[i] })
kernel inCalls.1(v0:thread, y.v2:[]int64, x.v3:[]int64) rank 1 {
	// grid.go:57: g.For(n, func(i int) { x[i], y[i] = y[i], x[i] })
	i.v1:int64 = thread.id v0 axis 0 of 1
	v4:*int64 = index y.v2, i.v1
	v5:int64 = load v4
	v6:*int64 = index x.v3, i.v1
	v7:int64 = load v6
	v8:*int64 = index x.v3, i.v1
	store v8, v5
	v9:*int64 = index y.v2, i.v1
	store v9, v7
	return
}

// grid.go:69: g.For(n, add)
kernel inCalls.2(v0:thread, x.v2:[]int64, a.v3:[3]int64) rank 1 {
	// grid.go:69: g.For(n, add)
	i.v1:int64 = thread.id v0 axis 0 of 1
	a.v4:*[3]int64 = local a.v3
	// grid.go:68: add := func(i int) { x[i] += a[i%3] }
	v5:*int64 = index x.v2, i.v1
	v6:int64 = load v5
	v7:int64 = const 3
	v8:int64 = rem i.v1, v7
	v9:*int64 = elem.addr a.v4, v8
	v10:int64 = load v9
	v11:int64 = add v6, v10
	store v5, v11
	// grid.go:69: g.For(n, add)
	return
}

// grid.go:72: g.For(n, func(i int) {
kernel inCalls.3(v0:thread, a.v2:[3]int64, y.v4:[]int64) rank 1 {
	// grid.go:72: g.For(n, func(i int) {
	i.v1:int64 = thread.id v0 axis 0 of 1
	a.v3:*[3]int64 = local a.v2
	// grid.go:73: mine := a
	v5:int64 = const 0
	v6:[3]int64 = load a.v3
	mine.v7:*[3]int64 = local v6
	// grid.go:74: mine[0] = i
	v8:int64 = const 0
	v9:*int64 = elem.addr mine.v7, v8
	store v9, i.v1
	// grid.go:75: y[i] = mine[i%3] + *p
	v10:int64 = const 3
	v11:int64 = rem i.v1, v10
	v12:*int64 = elem.addr mine.v7, v11
	v13:int64 = load v12
	v14:int64 = const 0
	v15:int64 = add v13, v14
	v16:*int64 = index y.v4, i.v1
	store v16, v15
	// grid.go:72: g.For(n, func(i int) {
	return
}

// grid.go:64: func inCalls(g qd.Grid, n int, x, y []int) {
kernel inCalls(n.v0:int64, x.v1:[]int64, y.v2:[]int64) of grid {
	// grid.go:57: g.For(n, func(i int) { x[i], y[i] = y[i], x[i] })
	launch inCalls.1 over n.v0 (y.v2, x.v1)
	// grid.go:66: var a [3]int
	v10:[3]int64 = zero
	a.v11:*[3]int64 = local v10
	// grid.go:67: a[1] = x[0]
	v12:int64 = const 1
	v13:int64 = const 0
	v14:int64 = len x.v1
	check index v13, v14
	v15:*int64 = index x.v1, v13
	v16:int64 = load v15
	v17:*int64 = elem.addr a.v11, v12
	store v17, v16
	// grid.go:69: g.For(n, add)
	a.v46:[3]int64 = load a.v11
	launch inCalls.2 over n.v0 (x.v1, a.v46)
	// grid.go:70: a[1]++
	v26:int64 = const 1
	v27:*int64 = elem.addr a.v11, v26
	v28:int64 = load v27
	v29:int64 = const 1
	v30:int64 = add v28, v29
	store v27, v30
	// grid.go:71: p := &a[2]
	v31:int64 = const 2
	p.v32:*int64 = elem.addr a.v11, v31
	// grid.go:72: g.For(n, func(i int) {
	a.v47:[3]int64 = load a.v11
	launch inCalls.3 over n.v0 (a.v47, y.v2)
	return
}
*/
