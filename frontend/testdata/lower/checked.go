package lower

import "github.com/qdgen/qd"

// A file of this name is lowered for a checked build.
//
//qd:kernel
func index(t qd.Thread, x []float32) {
	i := t.ID()
	x[i] += x[i+1]
	y := x[2:i]
	y[0] = 1
}

//qd:kernel
func divide(t qd.Thread, n, s int, x []int) {
	i := t.ID()
	x[i] = i/n + i%3
	x[i] <<= s
	x[i] >>= uint(s)
}

//qd:kernel
func assert(t qd.Thread, n int, x []int) {
	qd.Assert(n > 0, "n is positive")
	var a [4]int
	a[n]++
	x[t.ID()] = a[3]
}

/* SSA
module index "lower"

// checked.go:8: func index(t qd.Thread, x []float32) {
kernel index(t.v0:thread, x.v1:[]float32) {
	v2:int64 = len x.v1
	// checked.go:9: i := t.ID()
	i.v3:int64 = thread.id t.v0 axis 0 of 1
	// checked.go:10: x[i] += x[i+1]
	v4:int64 = len x.v1
	check index i.v3, v4
	v5:*float32 = index x.v1, i.v3
	v6:float32 = load v5
	v7:int64 = const 1
	v8:int64 = add i.v3, v7
	v9:int64 = len x.v1
	check index v8, v9
	v10:*float32 = index x.v1, v8
	v11:float32 = load v10
	v12:float32 = add v6, v11
	store v5, v12
	// checked.go:11: y := x[2:i]
	v13:int64 = const 2
	check slice v13, i.v3, v2
	y.v14:[]float32 = subslice x.v1, v13, i.v3
	// checked.go:12: y[0] = 1
	v15:int64 = const 0
	v16:float32 = const 1
	v17:int64 = len y.v14
	check index v15, v17
	v18:*float32 = index y.v14, v15
	store v18, v16
	return
}

module divide "lower"

// checked.go:16: func divide(t qd.Thread, n, s int, x []int) {
kernel divide(t.v0:thread, n.v1:int64, s.v2:int64, x.v3:[]int64) {
	// checked.go:17: i := t.ID()
	i.v4:int64 = thread.id t.v0 axis 0 of 1
	// checked.go:18: x[i] = i/n + i%3
	check divide n.v1
	v5:int64 = div i.v4, n.v1
	v6:int64 = const 3
	v7:int64 = rem i.v4, v6
	v8:int64 = add v5, v7
	v9:int64 = len x.v3
	check index i.v4, v9
	v10:*int64 = index x.v3, i.v4
	store v10, v8
	// checked.go:19: x[i] <<= s
	v11:int64 = len x.v3
	check index i.v4, v11
	v12:*int64 = index x.v3, i.v4
	v13:int64 = load v12
	check shift s.v2
	v14:int64 = shl v13, s.v2
	store v12, v14
	// checked.go:20: x[i] >>= uint(s)
	v15:int64 = len x.v3
	check index i.v4, v15
	v16:*int64 = index x.v3, i.v4
	v17:int64 = load v16
	v18:uint64 = convert s.v2
	v19:int64 = shr v17, v18
	store v16, v19
	return
}

module assert "lower"

// checked.go:24: func assert(t qd.Thread, n int, x []int) {
kernel assert(t.v0:thread, n.v1:int64, x.v2:[]int64) {
	// checked.go:25: qd.Assert(n > 0, "n is positive")
	v3:int64 = const 0
	v4:bool = gt n.v1, v3
	check assert v4, "n is positive"
	// checked.go:26: var a [4]int
	v5:[4]int64 = zero
	a.v6:*[4]int64 = local v5
	// checked.go:27: a[n]++
	v7:int64 = const 4
	check index n.v1, v7
	v8:*int64 = elem.addr a.v6, n.v1
	v9:int64 = load v8
	v10:int64 = const 1
	v11:int64 = add v9, v10
	store v8, v11
	// checked.go:28: x[t.ID()] = a[3]
	v12:int64 = thread.id t.v0 axis 0 of 1
	v13:int64 = const 3
	v14:*int64 = elem.addr a.v6, v13
	v15:int64 = load v14
	v16:int64 = len x.v2
	check index v12, v16
	v17:*int64 = index x.v2, v12
	store v17, v15
	return
}
*/
