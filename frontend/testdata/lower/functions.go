package lower

import (
	"math"

	"github.com/qdgen/qd"
)

func square(x float32) float32 { return x * x }

func fold(x []float32, f func(a, b float32) float32) float32 {
	acc := float32(0)
	for _, v := range x {
		acc = f(acc, v)
	}
	return acc
}

func find(x []float32, ok func(float32) bool) (int, bool) {
	for i, v := range x {
		if ok(v) {
			return i, true
		}
	}
	return -1, false
}

func lerp[T qd.Float](a, b, t T) T { return a + (b-a)*t }

// The functions are lowered where they are called.
//
//qd:kernel
func higher(t qd.Thread, x []float32) {
	i := t.ID()
	most := x[0]
	sum := fold(x, func(a, b float32) float32 {
		if b > most {
			most = b
		}
		return a + b
	})
	at, ok := find(x, func(v float32) bool { return v == most })
	if ok {
		x[i] = sum
	}
	f := square
	x[at] = f(most)
}

// One instance for each type; functions of package math are values too.
//
//qd:kernel
func instances(t qd.Thread, x []float32, y []float64) {
	x[0] = lerp(x[0], x[1], 0.5)
	y[0] = lerp(y[0], 2, y[1])
	f := math.Sqrt
	y[1] = f(y[0])
}

func total(xs ...float32) float32 { return fold(xs, func(a, b float32) float32 { return a + b }) }

//qd:kernel
func variadic(t qd.Thread, x []float32) {
	x[0] = total() + total(1, x[1]) + total(x...)
}

/* SSA
module higher "lower"

// functions.go:9: func square(x float32) float32 { return x * x }
func square(x.v0:float32) float32 {
	// functions.go:9: func square(x float32) float32 { return x * x }
	v1:float32 = mul x.v0, x.v0
	return v1
}

// functions.go:33: func higher(t qd.Thread, x []float32) {
kernel higher(t.v0:thread, x.v1:[]float32) {
	// functions.go:34: i := t.ID()
	i.v2:int64 = thread.id t.v0 axis 0 of 1
	// functions.go:35: most := x[0]
	v3:int64 = const 0
	v4:*float32 = index x.v1, v3
	most.v5:float32 = load v4
	// functions.go:12: acc := float32(0)
	acc.v6:float32 = const 0
	// functions.go:13: for _, v := range x {
	v7:int64 = len x.v1
	v8:int64 = const 0
	v23:int64, acc.v24:float32, most.v25:float32 = loop L0 (v9:int64 = v8, acc.v10:float32 = acc.v6, most.v11:float32 = most.v5) {
		v12:bool = lt v9, v7
		test v12
	} do {
		v13:*float32 = index x.v1, v9
		v.v14:float32 = load v13
		// functions.go:37: if b > most {
		v15:bool = gt v.v14, most.v11
		most.v16:float32 = if v15 {
			yield v.v14
		} else {
			yield most.v11
		}
		// functions.go:40: return a + b
		acc.v17:float32 = add acc.v10, v.v14
		continue L0 (v9, acc.v17, most.v16)
	} post (v18:int64, acc.v19:float32, most.v20:float32) {
		v21:int64 = const 1
		v22:int64 = add v18, v21
		yield v22, acc.v19, most.v20
	}
	// functions.go:19: func find(x []float32, ok func(float32) bool) (int, bool) {
	v45:int64 = const 0
	v46:bool = const false
	at.v47:int64, ok.v48:bool = loop L1 (v41:int64 = v45, v43:bool = v46) {
		v26:bool = const true
		test v26
	} do {
		// functions.go:20: for i, v := range x {
		v27:int64 = len x.v1
		v28:int64 = const 0
		v38:int64 = loop L2 (i.v29:int64 = v28) {
			v30:bool = lt i.v29, v27
			test v30
		} do {
			v31:*float32 = index x.v1, i.v29
			v.v32:float32 = load v31
			// functions.go:42: at, ok := find(x, func(v float32) bool { return v == most })
			v33:bool = eq v.v32, most.v25
			// functions.go:21: if ok(v) {
			if v33 {
				// functions.go:22: return i, true
				v34:bool = const true
				break L1 (i.v29, v34)
			} else {
				yield
			}
			continue L2 (i.v29)
		} post (i.v35:int64) {
			v36:int64 = const 1
			v37:int64 = add i.v35, v36
			yield v37
		}
		// functions.go:25: return -1, false
		v39:int64 = const -1
		v40:bool = const false
		break L1 (v39, v40)
	} post (v42:int64, v44:bool) {
		yield v42, v44
	}
	// functions.go:43: if ok {
	if ok.v48 {
		// functions.go:44: x[i] = sum
		v49:*float32 = index x.v1, i.v2
		store v49, acc.v24
		yield
	} else {
		yield
	}
	// functions.go:47: x[at] = f(most)
	v50:float32 = call square(most.v25)
	v51:*float32 = index x.v1, at.v47
	store v51, v50
	return
}

module instances "lower"

// functions.go:28: func lerp[T qd.Float](a, b, t T) T { return a + (b-a)*t }
func lerp[float32](a.v0:float32, b.v1:float32, t.v2:float32) float32 {
	// functions.go:28: func lerp[T qd.Float](a, b, t T) T { return a + (b-a)*t }
	v3:float32 = sub b.v1, a.v0
	v4:float32 = mul v3, t.v2
	v5:float32 = add a.v0, v4
	return v5
}

// functions.go:28: func lerp[T qd.Float](a, b, t T) T { return a + (b-a)*t }
func lerp[float64](a.v0:float64, b.v1:float64, t.v2:float64) float64 {
	// functions.go:28: func lerp[T qd.Float](a, b, t T) T { return a + (b-a)*t }
	v3:float64 = sub b.v1, a.v0
	v4:float64 = mul v3, t.v2
	v5:float64 = add a.v0, v4
	return v5
}

// functions.go:53: func instances(t qd.Thread, x []float32, y []float64) {
kernel instances(t.v0:thread, x.v1:[]float32, y.v2:[]float64) {
	// functions.go:54: x[0] = lerp(x[0], x[1], 0.5)
	v3:int64 = const 0
	v4:*float32 = index x.v1, v3
	v5:float32 = load v4
	v6:int64 = const 1
	v7:*float32 = index x.v1, v6
	v8:float32 = load v7
	v9:float32 = const 0.5
	v10:float32 = call lerp[float32](v5, v8, v9)
	v11:int64 = const 0
	v12:*float32 = index x.v1, v11
	store v12, v10
	// functions.go:55: y[0] = lerp(y[0], 2, y[1])
	v13:int64 = const 0
	v14:*float64 = index y.v2, v13
	v15:float64 = load v14
	v16:float64 = const 2
	v17:int64 = const 1
	v18:*float64 = index y.v2, v17
	v19:float64 = load v18
	v20:float64 = call lerp[float64](v15, v16, v19)
	v21:int64 = const 0
	v22:*float64 = index y.v2, v21
	store v22, v20
	// functions.go:57: y[1] = f(y[0])
	v23:int64 = const 0
	v24:*float64 = index y.v2, v23
	v25:float64 = load v24
	v26:float64 = math sqrt v25
	v27:int64 = const 1
	v28:*float64 = index y.v2, v27
	store v28, v26
	return
}

module variadic "lower"

// functions.go:60: func total(xs ...float32) float32 { return fold(xs, func(a, b float32) float32 { return a + b }) }
func total(xs.v0:[]float32) float32 {
	// functions.go:12: acc := float32(0)
	acc.v1:float32 = const 0
	// functions.go:13: for _, v := range x {
	v2:int64 = len xs.v0
	v3:int64 = const 0
	v14:int64, acc.v15:float32 = loop L0 (v4:int64 = v3, acc.v5:float32 = acc.v1) {
		v6:bool = lt v4, v2
		test v6
	} do {
		v7:*float32 = index xs.v0, v4
		v.v8:float32 = load v7
		// functions.go:60: func total(xs ...float32) float32 { return fold(xs, func(a, b float32) float32 { return a + b }) }
		acc.v9:float32 = add acc.v5, v.v8
		continue L0 (v4, acc.v9)
	} post (v10:int64, acc.v11:float32) {
		v12:int64 = const 1
		v13:int64 = add v10, v12
		yield v13, acc.v11
	}
	// functions.go:60: func total(xs ...float32) float32 { return fold(xs, func(a, b float32) float32 { return a + b }) }
	return acc.v15
}

// functions.go:63: func variadic(t qd.Thread, x []float32) {
kernel variadic(t.v0:thread, x.v1:[]float32) {
	// functions.go:64: x[0] = total() + total(1, x[1]) + total(x...)
	v2:[]float32 = zero
	v3:float32 = call total(v2)
	v4:float32 = const 1
	v5:int64 = const 1
	v6:*float32 = index x.v1, v5
	v7:float32 = load v6
	v8:[2]float32 = make v4, v7
	v9:*[2]float32 = local v8
	v10:[]float32 = sliceof v9
	v11:float32 = call total(v10)
	v12:float32 = call total(x.v1)
	v13:int64 = const 0
	v14:float32 = add v3, v11
	v15:float32 = add v14, v12
	v16:*float32 = index x.v1, v13
	store v16, v15
	return
}
*/
