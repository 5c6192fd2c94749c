package lower

import (
	"math"

	"example.com/geometry"
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/mathx"
)

//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}

//qd:kernel
func constants(t qd.Thread, x []float64, n []int8) {
	const big = 1 << 100
	x[0] = big / 3
	x[1] = math.Pi * 2
	x[2] = math.Inf(-1)
	x[3] = math.NaN()
	n[0] = 'a' + 1
	n[len("four")] = -128
	var z int8
	n[1] = z
}

//qd:kernel
func swap(t qd.Thread, x []int32, i, j uint8) {
	x[i], x[j] = x[j], x[i]
	a, b := x[0], x[1]
	a, b = b, a
	x[0], _ = a, b
}

//qd:kernel
func operators(t qd.Thread, a, b int32, u uint8, x []int32, p bool, q []bool) {
	x[0] = a + b - a*b/b%a&b | a ^ b&^a
	x[1] = a<<u>>b ^ -a + ^b + +a
	x[2] <<= 3
	x[3]--
	a++
	x[4] = min(a, b, 7) + max(a, 3)
	q[0] = a < b == (a >= b) != !p
}

//qd:kernel
func conversions(t qd.Thread, i int, f float32, u uint32, m geometry.Meters, x []float64, y []geometry.Meters) {
	x[0] = float64(i) + float64(f)
	x[1] = float64(uint8(u))
	y[0] = geometry.Area(m, geometry.Meters(f)) * geometry.Scale
	x[u] = float64(math.Float32frombits(u))
	y = y[i:]
	y = y[:u]
	y[1] = y[1:4][2]
}

//qd:kernel
func logic(t qd.Thread, n int, x []float32, p bool) {
	i := t.ID()
	if i < n && x[i] > 0 || p && n > 3 {
		x[i] = 0
	}
}

//qd:kernel
func floats(t qd.Thread, x []float32, y []float64) {
	s, c := math.Sincos(y[0])
	y[1] = s*c + math.Dim(s, c)
	f, e := mathx.Frexp(x[0])
	x[1] = mathx.Ldexp(qd.Max(f, 0), e+1)
	if qd.IsNaN(x[2]) || qd.IsInf(x[2], 1) {
		x[2] = qd.Inf[float32](1)
	}
	x[3] = math.Nextafter32(x[3], 2)
	x[4] = qd.NaN[float32]()
}

//qd:kernel
func atomics(t qd.Thread, sum []float32, n []uint32) {
	i := t.ID()
	qd.AtomicAdd(&sum[0], 1)
	old := qd.AtomicCAS(&n[i], 0, 7)
	n[i+1] = old | qd.AtomicOr[uint32](&n[0], 1<<i)
}

//qd:kernel
func printing(t qd.Thread, x []float32) {
	const name = "50%"
	i := t.ID()
	qd.Printf("%5s: x[%d] = %6.2f %t %% %v %*d\n", name, i, x[i], x[i] > 0, 'a', 5, uint8(i))
	qd.Printf("done\n")
}

/* SSA
module saxpy "lower"

// basics.go:12: func saxpy(t qd.Thread, a float32, x, y []float32) {
kernel saxpy(t.v0:thread, a.v1:float32, x.v2:[]float32, y.v3:[]float32) {
	// basics.go:13: i := t.ID()
	i.v4:int64 = thread.id t.v0 axis 0 of 1
	// basics.go:14: y[i] += a * x[i]
	v5:*float32 = index y.v3, i.v4
	v6:float32 = load v5
	v7:*float32 = index x.v2, i.v4
	v8:float32 = load v7
	v9:float32 = mul a.v1, v8
	v10:float32 = add v6, v9
	store v5, v10
	return
}

module constants "lower"

// basics.go:18: func constants(t qd.Thread, x []float64, n []int8) {
kernel constants(t.v0:thread, x.v1:[]float64, n.v2:[]int8) {
	// basics.go:20: x[0] = big / 3
	v3:int64 = const 0
	v4:float64 = const 4.2255020007607644e+29
	v5:*float64 = index x.v1, v3
	store v5, v4
	// basics.go:21: x[1] = math.Pi * 2
	v6:int64 = const 1
	v7:float64 = const 6.283185307179586
	v8:*float64 = index x.v1, v6
	store v8, v7
	// basics.go:22: x[2] = math.Inf(-1)
	v9:int64 = const 2
	v10:float64 = const -Inf
	v11:*float64 = index x.v1, v9
	store v11, v10
	// basics.go:23: x[3] = math.NaN()
	v12:int64 = const 3
	v13:float64 = const NaN(0x7ff8000000000001)
	v14:*float64 = index x.v1, v12
	store v14, v13
	// basics.go:24: n[0] = 'a' + 1
	v15:int64 = const 0
	v16:int8 = const 98
	v17:*int8 = index n.v2, v15
	store v17, v16
	// basics.go:25: n[len("four")] = -128
	v18:int64 = const 4
	v19:int8 = const -128
	v20:*int8 = index n.v2, v18
	store v20, v19
	// basics.go:26: var z int8
	z.v21:int8 = const 0
	// basics.go:27: n[1] = z
	v22:int64 = const 1
	v23:*int8 = index n.v2, v22
	store v23, z.v21
	return
}

module swap "lower"

// basics.go:31: func swap(t qd.Thread, x []int32, i, j uint8) {
kernel swap(t.v0:thread, x.v1:[]int32, i.v2:uint8, j.v3:uint8) {
	// basics.go:32: x[i], x[j] = x[j], x[i]
	v4:int64 = convert i.v2
	v5:int64 = convert j.v3
	v6:int64 = convert j.v3
	v7:*int32 = index x.v1, v6
	v8:int32 = load v7
	v9:int64 = convert i.v2
	v10:*int32 = index x.v1, v9
	v11:int32 = load v10
	v12:*int32 = index x.v1, v4
	store v12, v8
	v13:*int32 = index x.v1, v5
	store v13, v11
	// basics.go:33: a, b := x[0], x[1]
	v14:int64 = const 0
	v15:*int32 = index x.v1, v14
	a.v16:int32 = load v15
	v17:int64 = const 1
	v18:*int32 = index x.v1, v17
	b.v19:int32 = load v18
	// basics.go:35: x[0], _ = a, b
	v20:int64 = const 0
	v21:*int32 = index x.v1, v20
	store v21, b.v19
	return
}

module operators "lower"

// basics.go:39: func operators(t qd.Thread, a, b int32, u uint8, x []int32, p bool, q []bool) {
kernel operators(t.v0:thread, a.v1:int32, b.v2:int32, u.v3:uint8, x.v4:[]int32, p.v5:bool, q.v6:[]bool) {
	// basics.go:40: x[0] = a + b - a*b/b%a&b | a ^ b&^a
	v7:int64 = const 0
	v8:int32 = add a.v1, b.v2
	v9:int32 = mul a.v1, b.v2
	v10:int32 = div v9, b.v2
	v11:int32 = rem v10, a.v1
	v12:int32 = and v11, b.v2
	v13:int32 = sub v8, v12
	v14:int32 = or v13, a.v1
	v15:int32 = andnot b.v2, a.v1
	v16:int32 = xor v14, v15
	v17:*int32 = index x.v4, v7
	store v17, v16
	// basics.go:41: x[1] = a<<u>>b ^ -a + ^b + +a
	v18:int64 = const 1
	v19:int32 = shl a.v1, u.v3
	v20:int32 = shr v19, b.v2
	v21:int32 = neg a.v1
	v22:int32 = xor v20, v21
	v23:int32 = com b.v2
	v24:int32 = add v22, v23
	v25:int32 = add v24, a.v1
	v26:*int32 = index x.v4, v18
	store v26, v25
	// basics.go:42: x[2] <<= 3
	v27:int64 = const 2
	v28:*int32 = index x.v4, v27
	v29:int32 = load v28
	v30:int64 = const 3
	v31:int32 = shl v29, v30
	store v28, v31
	// basics.go:43: x[3]--
	v32:int64 = const 3
	v33:*int32 = index x.v4, v32
	v34:int32 = load v33
	v35:int32 = const 1
	v36:int32 = sub v34, v35
	store v33, v36
	// basics.go:44: a++
	v37:int32 = const 1
	a.v38:int32 = add a.v1, v37
	// basics.go:45: x[4] = min(a, b, 7) + max(a, 3)
	v39:int64 = const 4
	v40:int32 = const 7
	v41:int32 = min a.v38, b.v2
	v42:int32 = min v41, v40
	v43:int32 = const 3
	v44:int32 = max a.v38, v43
	v45:int32 = add v42, v44
	v46:*int32 = index x.v4, v39
	store v46, v45
	// basics.go:46: q[0] = a < b == (a >= b) != !p
	v47:int64 = const 0
	v48:bool = lt a.v38, b.v2
	v49:bool = ge a.v38, b.v2
	v50:bool = eq v48, v49
	v51:bool = not p.v5
	v52:bool = ne v50, v51
	v53:*bool = index q.v6, v47
	store v53, v52
	return
}

module conversions "lower"

// geometry.go:9: func scaled(x Meters) Meters { return x * Scale }
func geometry.scaled(x.v0:float32) float32 {
	// geometry.go:9: func scaled(x Meters) Meters { return x * Scale }
	v1:float32 = const 1.5
	v2:float32 = mul x.v0, v1
	return v2
}

// geometry.go:7: func Area(w, h Meters) Meters { return scaled(w) * scaled(h) }
func geometry.Area(w.v0:float32, h.v1:float32) float32 {
	// geometry.go:7: func Area(w, h Meters) Meters { return scaled(w) * scaled(h) }
	v2:float32 = call geometry.scaled(w.v0)
	v3:float32 = call geometry.scaled(h.v1)
	v4:float32 = mul v2, v3
	return v4
}

// basics.go:50: func conversions(t qd.Thread, i int, f float32, u uint32, m geometry.Meters, x []float64, y []geometry.Meters) {
kernel conversions(t.v0:thread, i.v1:int64, f.v2:float32, u.v3:uint32, m.v4:float32, x.v5:[]float64, y.v6:[]float32) {
	// basics.go:51: x[0] = float64(i) + float64(f)
	v7:int64 = const 0
	v8:float64 = convert i.v1
	v9:float64 = convert f.v2
	v10:float64 = add v8, v9
	v11:*float64 = index x.v5, v7
	store v11, v10
	// basics.go:52: x[1] = float64(uint8(u))
	v12:int64 = const 1
	v13:uint8 = convert u.v3
	v14:float64 = convert v13
	v15:*float64 = index x.v5, v12
	store v15, v14
	// basics.go:53: y[0] = geometry.Area(m, geometry.Meters(f)) * geometry.Scale
	v16:float32 = call geometry.Area(m.v4, f.v2)
	v17:int64 = const 0
	v18:float32 = const 1.5
	v19:float32 = mul v16, v18
	v20:*float32 = index y.v6, v17
	store v20, v19
	// basics.go:54: x[u] = float64(math.Float32frombits(u))
	v21:int64 = convert u.v3
	v22:float32 = bitcast u.v3
	v23:float64 = convert v22
	v24:*float64 = index x.v5, v21
	store v24, v23
	// basics.go:55: y = y[i:]
	v25:int64 = len y.v6
	y.v26:[]float32 = subslice y.v6, i.v1, v25
	// basics.go:56: y = y[:u]
	v27:int64 = const 0
	v28:int64 = convert u.v3
	y.v29:[]float32 = subslice y.v26, v27, v28
	// basics.go:57: y[1] = y[1:4][2]
	v30:int64 = const 1
	v31:int64 = const 1
	v32:int64 = const 4
	v33:[]float32 = subslice y.v29, v31, v32
	v34:int64 = const 2
	v35:*float32 = index v33, v34
	v36:float32 = load v35
	v37:*float32 = index y.v29, v30
	store v37, v36
	return
}

module logic "lower"

// basics.go:61: func logic(t qd.Thread, n int, x []float32, p bool) {
kernel logic(t.v0:thread, n.v1:int64, x.v2:[]float32, p.v3:bool) {
	// basics.go:62: i := t.ID()
	i.v4:int64 = thread.id t.v0 axis 0 of 1
	// basics.go:63: if i < n && x[i] > 0 || p && n > 3 {
	v5:bool = lt i.v4, n.v1
	v11:bool = if v5 {
		v6:*float32 = index x.v2, i.v4
		v7:float32 = load v6
		v8:float32 = const 0
		v9:bool = gt v7, v8
		yield v9
	} else {
		v10:bool = const false
		yield v10
	}
	v12:int64 = const 3
	v13:bool = gt n.v1, v12
	v14:bool = and p.v3, v13
	v15:bool = or v11, v14
	if v15 {
		// basics.go:64: x[i] = 0
		v16:float32 = const 0
		v17:*float32 = index x.v2, i.v4
		store v17, v16
		yield
	} else {
		yield
	}
	return
}

module floats "lower"

// basics.go:69: func floats(t qd.Thread, x []float32, y []float64) {
kernel floats(t.v0:thread, x.v1:[]float32, y.v2:[]float64) {
	// basics.go:70: s, c := math.Sincos(y[0])
	v3:int64 = const 0
	v4:*float64 = index y.v2, v3
	v5:float64 = load v4
	s.v6:float64, c.v7:float64 = math sincos v5
	// basics.go:71: y[1] = s*c + math.Dim(s, c)
	v8:int64 = const 1
	v9:float64 = mul s.v6, c.v7
	v10:float64 = math dim s.v6, c.v7
	v11:float64 = add v9, v10
	v12:*float64 = index y.v2, v8
	store v12, v11
	// basics.go:72: f, e := mathx.Frexp(x[0])
	v13:int64 = const 0
	v14:*float32 = index x.v1, v13
	v15:float32 = load v14
	f.v16:float32, e.v17:int64 = math frexp v15
	// basics.go:73: x[1] = mathx.Ldexp(qd.Max(f, 0), e+1)
	v18:int64 = const 1
	v19:float32 = const 0
	v20:float32 = math mathmax f.v16, v19
	v21:int64 = const 1
	v22:int64 = add e.v17, v21
	v23:float32 = math ldexp v20, v22
	v24:*float32 = index x.v1, v18
	store v24, v23
	// basics.go:74: if qd.IsNaN(x[2]) || qd.IsInf(x[2], 1) {
	v25:int64 = const 2
	v26:*float32 = index x.v1, v25
	v27:float32 = load v26
	v28:bool = math isnan v27
	v35:bool = if v28 {
		v29:bool = const true
		yield v29
	} else {
		v30:int64 = const 2
		v31:*float32 = index x.v1, v30
		v32:float32 = load v31
		v33:int64 = const 1
		v34:bool = math isinf v32, v33
		yield v34
	}
	if v35 {
		// basics.go:75: x[2] = qd.Inf[float32](1)
		v36:int64 = const 2
		v37:float32 = const +Inf
		v38:*float32 = index x.v1, v36
		store v38, v37
		yield
	} else {
		yield
	}
	// basics.go:77: x[3] = math.Nextafter32(x[3], 2)
	v39:int64 = const 3
	v40:int64 = const 3
	v41:*float32 = index x.v1, v40
	v42:float32 = load v41
	v43:float32 = const 2
	v44:float32 = math nextafter v42, v43
	v45:*float32 = index x.v1, v39
	store v45, v44
	// basics.go:78: x[4] = qd.NaN[float32]()
	v46:int64 = const 4
	v47:float32 = const NaN(0x7fc00000)
	v48:*float32 = index x.v1, v46
	store v48, v47
	return
}

module atomics "lower"

// basics.go:82: func atomics(t qd.Thread, sum []float32, n []uint32) {
kernel atomics(t.v0:thread, sum.v1:[]float32, n.v2:[]uint32) {
	// basics.go:83: i := t.ID()
	i.v3:int64 = thread.id t.v0 axis 0 of 1
	// basics.go:84: qd.AtomicAdd(&sum[0], 1)
	v4:int64 = const 0
	v5:*float32 = index sum.v1, v4
	v6:float32 = const 1
	v7:float32 = atomic add v5, v6
	// basics.go:85: old := qd.AtomicCAS(&n[i], 0, 7)
	v8:*uint32 = index n.v2, i.v3
	v9:uint32 = const 0
	v10:uint32 = const 7
	old.v11:uint32 = atomic cas v8, v9, v10
	// basics.go:86: n[i+1] = old | qd.AtomicOr[uint32](&n[0], 1<<i)
	v12:int64 = const 0
	v13:*uint32 = index n.v2, v12
	v14:uint32 = const 1
	v15:uint32 = shl v14, i.v3
	v16:uint32 = atomic or v13, v15
	v17:int64 = const 1
	v18:int64 = add i.v3, v17
	v19:uint32 = or old.v11, v16
	v20:*uint32 = index n.v2, v18
	store v20, v19
	return
}

module printing "lower"
format 0 "  50%%: x[%d] = %6.2f %t %% %v %*d\n": int64 as int, float32, bool, int32, int64 as int, uint8
format 1 "done\n"

// basics.go:90: func printing(t qd.Thread, x []float32) {
kernel printing(t.v0:thread, x.v1:[]float32) {
	// basics.go:92: i := t.ID()
	i.v2:int64 = thread.id t.v0 axis 0 of 1
	// basics.go:93: qd.Printf("%5s: x[%d] = %6.2f %t %% %v %*d\n", name, i, x[i], x[i] > 0, 'a', 5, uint8(i))
	v3:*float32 = index x.v1, i.v2
	v4:float32 = load v3
	v5:*float32 = index x.v1, i.v2
	v6:float32 = load v5
	v7:float32 = const 0
	v8:bool = gt v6, v7
	v9:int32 = const 97
	v10:int64 = const 5
	v11:uint8 = convert i.v2
	printf 0, i.v2, v4, v8, v9, v10, v11
	// basics.go:94: qd.Printf("done\n")
	printf 1
	return
}
*/
