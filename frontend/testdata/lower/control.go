package lower

import "github.com/qdgen/qd"

//qd:kernel
func branches(t qd.Thread, n int, x []int) {
	a, b := 1, n
	if n > 0 {
		a = 2
	} else if m := n * 2; m < -8 {
		b = m
		a = 3
	}
	if a > b {
		return
	}
	x[0] = a + b
	x[1] = earlier(n)
}

func earlier(n int) (r int) {
	if n > 5 {
		return 7
	} else {
		r = n
	}
	if n < 0 {
		r++
		return
	}
	return -r
}

//qd:kernel
func loops(t qd.Thread, n int, x []int) {
	sum := 0
	for i := 0; i < n; i++ {
		if i == 3 {
			continue
		}
		if i > 100 {
			break
		}
		sum += i
	}
	for sum < 10 {
		sum *= 2
	}
	x[0] = sum
	for {
		if x[1] == 0 {
			break
		}
		x[1]--
	}
	for {
		x[2]++
	}
}

//qd:kernel
func labels(t qd.Thread, n int, x []int) {
	count := 0
outer:
	for i := range n {
		for j := range n {
			switch {
			case j > i:
				continue outer
			case x[j] < 0:
				break outer
			}
			count++
		}
	}
	x[0] = count
}

//qd:kernel
func ranges(t qd.Thread, n uint8, x []float32) {
	for i := range n {
		i *= 2
		x[i] = 1
	}
	for i, v := range x {
		x[i] = v * 2
	}
	for range 3 {
		x[0]++
	}
	i := 0
	var v float32
	for i, v = range x[1:] {
		x[i] = v
	}
	for i, x[1] = range x { // an element is a variable too
	}
	x[i] = v
	for _, v := range x {
		x[0] += v
	}
}

//qd:kernel
func switches(t qd.Thread, n int, x []int) {
	k := 0
	switch m := n % 4; m {
	default:
		k = 9
	case 0, 1:
		k = 1
	case 2:
		if n > 10 {
			break
		}
		k = 2
	}
	switch {
	case k > 2 || x[k] > 0:
		x[0] = k
		break
	case k > 1:
		return
	}
	x[1] = k
}

//qd:kernel
func image(t qd.Thread, w int, x []float32) {
	i, j := t.ID2()
	x[index(t, i, j)] = float32(t.Dim(0)) + float32(t.Dim(3))
	row, col := position(t)
	x[sum(position(t))] = float32(row) * float32(col)
}

func index(t qd.Thread, i, j int) int { return i*t.Dim(1) + j }

func position(t qd.Thread) (int, int) { return t.ID2() }

func sum(i, j int) int { return i + j }

/* SSA
module branches "lower"

// control.go:21: func earlier(n int) (r int) {
func earlier(n.v0:int64) int64 {
	r.v1:int64 = const 0
	// control.go:22: if n > 5 {
	v2:int64 = const 5
	v3:bool = gt n.v0, v2
	if v3 {
		// control.go:23: return 7
		v4:int64 = const 7
		return v4
	} else {
		yield
	}
	// control.go:27: if n < 0 {
	v5:int64 = const 0
	v6:bool = lt n.v0, v5
	if v6 {
		// control.go:28: r++
		v7:int64 = const 1
		r.v8:int64 = add n.v0, v7
		// control.go:29: return
		return r.v8
	} else {
		yield
	}
	// control.go:31: return -r
	v9:int64 = neg n.v0
	return v9
}

// control.go:6: func branches(t qd.Thread, n int, x []int) {
kernel branches(t.v0:thread, n.v1:int64, x.v2:[]int64) {
	// control.go:7: a, b := 1, n
	a.v3:int64 = const 1
	// control.go:8: if n > 0 {
	v4:int64 = const 0
	v5:bool = gt n.v1, v4
	a.v14:int64, b.v15:int64 = if v5 {
		// control.go:9: a = 2
		a.v6:int64 = const 2
		yield a.v6, n.v1
	} else {
		// control.go:10: } else if m := n * 2; m < -8 {
		v7:int64 = const 2
		m.v8:int64 = mul n.v1, v7
		v9:int64 = const -8
		v10:bool = lt m.v8, v9
		b.v12:int64, a.v13:int64 = if v10 {
			// control.go:12: a = 3
			a.v11:int64 = const 3
			yield m.v8, a.v11
		} else {
			yield n.v1, a.v3
		}
		yield a.v13, b.v12
	}
	// control.go:14: if a > b {
	v16:bool = gt a.v14, b.v15
	if v16 {
		// control.go:15: return
		return
	} else {
		yield
	}
	// control.go:17: x[0] = a + b
	v17:int64 = const 0
	v18:int64 = add a.v14, b.v15
	v19:*int64 = index x.v2, v17
	store v19, v18
	// control.go:18: x[1] = earlier(n)
	v20:int64 = call earlier(n.v1)
	v21:int64 = const 1
	v22:*int64 = index x.v2, v21
	store v22, v20
	return
}

module loops "lower"

// control.go:35: func loops(t qd.Thread, n int, x []int) {
kernel loops(t.v0:thread, n.v1:int64, x.v2:[]int64) {
	// control.go:36: sum := 0
	sum.v3:int64 = const 0
	// control.go:37: for i := 0; i < n; i++ {
	i.v4:int64 = const 0
	i.v17:int64, sum.v18:int64 = loop L0 (i.v5:int64 = i.v4, sum.v6:int64 = sum.v3) {
		v7:bool = lt i.v5, n.v1
		test v7
	} do {
		// control.go:38: if i == 3 {
		v8:int64 = const 3
		v9:bool = eq i.v5, v8
		if v9 {
			// control.go:39: continue
			continue L0 (i.v5, sum.v6)
		} else {
			yield
		}
		// control.go:41: if i > 100 {
		v10:int64 = const 100
		v11:bool = gt i.v5, v10
		if v11 {
			// control.go:42: break
			break L0 (i.v5, sum.v6)
		} else {
			yield
		}
		// control.go:44: sum += i
		sum.v12:int64 = add sum.v6, i.v5
		continue L0 (i.v5, sum.v12)
	} post (i.v13:int64, sum.v14:int64) {
		v15:int64 = const 1
		i.v16:int64 = add i.v13, v15
		yield i.v16, sum.v14
	}
	// control.go:46: for sum < 10 {
	sum.v25:int64 = loop L1 (sum.v19:int64 = sum.v18) {
		v20:int64 = const 10
		v21:bool = lt sum.v19, v20
		test v21
	} do {
		// control.go:47: sum *= 2
		v22:int64 = const 2
		sum.v23:int64 = mul sum.v19, v22
		continue L1 (sum.v23)
	} post (sum.v24:int64) {
		yield sum.v24
	}
	// control.go:49: x[0] = sum
	v26:int64 = const 0
	v27:*int64 = index x.v2, v26
	store v27, sum.v25
	// control.go:50: for {
	loop L2 {
		v28:bool = const true
		test v28
	} do {
		// control.go:51: if x[1] == 0 {
		v29:int64 = const 1
		v30:*int64 = index x.v2, v29
		v31:int64 = load v30
		v32:int64 = const 0
		v33:bool = eq v31, v32
		if v33 {
			// control.go:52: break
			break L2
		} else {
			yield
		}
		// control.go:54: x[1]--
		v34:int64 = const 1
		v35:*int64 = index x.v2, v34
		v36:int64 = load v35
		v37:int64 = const 1
		v38:int64 = sub v36, v37
		store v35, v38
		continue L2
	} post {
		yield
	}
	// control.go:56: for {
	loop L3 {
		v39:bool = const true
		test v39
	} do {
		// control.go:57: x[2]++
		v40:int64 = const 2
		v41:*int64 = index x.v2, v40
		v42:int64 = load v41
		v43:int64 = const 1
		v44:int64 = add v42, v43
		store v41, v44
		continue L3
	} post {
		yield
	}
	unreachable
}

module labels "lower"

// control.go:62: func labels(t qd.Thread, n int, x []int) {
kernel labels(t.v0:thread, n.v1:int64, x.v2:[]int64) {
	// control.go:63: count := 0
	count.v3:int64 = const 0
	// control.go:65: for i := range n {
	v4:int64 = const 0
	v29:int64, count.v30:int64 = loop L0 outer (i.v5:int64 = v4, count.v6:int64 = count.v3) {
		v7:bool = lt i.v5, n.v1
		test v7
	} do {
		// control.go:66: for j := range n {
		v8:int64 = const 0
		v23:int64, count.v24:int64 = loop L1 (j.v9:int64 = v8, count.v10:int64 = count.v6) {
			v11:bool = lt j.v9, n.v1
			test v11
		} do {
			// control.go:68: case j > i:
			v12:bool = gt j.v9, i.v5
			if v12 {
				// control.go:69: continue outer
				continue L0 (i.v5, count.v10)
			} else {
				// control.go:70: case x[j] < 0:
				v13:*int64 = index x.v2, j.v9
				v14:int64 = load v13
				v15:int64 = const 0
				v16:bool = lt v14, v15
				if v16 {
					// control.go:71: break outer
					break L0 (i.v5, count.v10)
				} else {
					yield
				}
				yield
			}
			// control.go:73: count++
			v17:int64 = const 1
			count.v18:int64 = add count.v10, v17
			continue L1 (j.v9, count.v18)
		} post (j.v19:int64, count.v20:int64) {
			v21:int64 = const 1
			v22:int64 = add j.v19, v21
			yield v22, count.v20
		}
		continue L0 (i.v5, count.v24)
	} post (i.v25:int64, count.v26:int64) {
		v27:int64 = const 1
		v28:int64 = add i.v25, v27
		yield v28, count.v26
	}
	// control.go:76: x[0] = count
	v31:int64 = const 0
	v32:*int64 = index x.v2, v31
	store v32, count.v30
	return
}

module ranges "lower"

// control.go:80: func ranges(t qd.Thread, n uint8, x []float32) {
kernel ranges(t.v0:thread, n.v1:uint8, x.v2:[]float32) {
	// control.go:81: for i := range n {
	v3:uint8 = const 0
	v14:uint8 = loop L0 (v4:uint8 = v3) {
		v5:bool = lt v4, n.v1
		test v5
	} do {
		// control.go:82: i *= 2
		v6:uint8 = const 2
		i.v7:uint8 = mul v4, v6
		// control.go:83: x[i] = 1
		v8:int64 = convert i.v7
		v9:float32 = const 1
		v10:*float32 = index x.v2, v8
		store v10, v9
		continue L0 (v4)
	} post (v11:uint8) {
		v12:uint8 = const 1
		v13:uint8 = add v11, v12
		yield v13
	}
	// control.go:85: for i, v := range x {
	v15:int64 = len x.v2
	v16:int64 = const 0
	v27:int64 = loop L1 (i.v17:int64 = v16) {
		v18:bool = lt i.v17, v15
		test v18
	} do {
		v19:*float32 = index x.v2, i.v17
		v.v20:float32 = load v19
		// control.go:86: x[i] = v * 2
		v21:float32 = const 2
		v22:float32 = mul v.v20, v21
		v23:*float32 = index x.v2, i.v17
		store v23, v22
		continue L1 (i.v17)
	} post (i.v24:int64) {
		v25:int64 = const 1
		v26:int64 = add i.v24, v25
		yield v26
	}
	// control.go:88: for range 3 {
	v28:int64 = const 3
	v29:int64 = const 0
	// control.go:89, turn 0: x[0]++
	v30:int64 = const 0
	v31:*float32 = index x.v2, v30
	v32:float32 = load v31
	v33:float32 = const 1
	v34:float32 = add v32, v33
	store v31, v34
	// control.go:88: for range 3 {
	v35:int64 = const 1
	// control.go:89, turn 1: x[0]++
	v36:int64 = const 0
	v37:*float32 = index x.v2, v36
	v38:float32 = load v37
	v39:float32 = const 1
	v40:float32 = add v38, v39
	store v37, v40
	// control.go:88: for range 3 {
	v41:int64 = const 2
	// control.go:89, turn 2: x[0]++
	v42:int64 = const 0
	v43:*float32 = index x.v2, v42
	v44:float32 = load v43
	v45:float32 = const 1
	v46:float32 = add v44, v45
	store v43, v46
	// control.go:91: i := 0
	i.v47:int64 = const 0
	// control.go:92: var v float32
	v.v48:float32 = const 0
	// control.go:93: for i, v = range x[1:] {
	v49:int64 = const 1
	v50:int64 = len x.v2
	v51:[]float32 = subslice x.v2, v49, v50
	v52:int64 = len v51
	v53:int64 = const 0
	v66:int64, i.v67:int64, v.v68:float32 = loop L2 (v54:int64 = v53, i.v55:int64 = i.v47, v.v56:float32 = v.v48) {
		v57:bool = lt v54, v52
		test v57
	} do {
		v58:*float32 = index v51, v54
		v.v59:float32 = load v58
		// control.go:94: x[i] = v
		v60:*float32 = index x.v2, v54
		store v60, v.v59
		continue L2 (v54, v54, v.v59)
	} post (v61:int64, i.v62:int64, v.v63:float32) {
		v64:int64 = const 1
		v65:int64 = add v61, v64
		yield v65, i.v62, v.v63
	}
	// control.go:96: for i, x[1] = range x { // an element is a variable too
	v69:int64 = len x.v2
	v70:int64 = const 0
	v82:int64, i.v83:int64 = loop L3 (v71:int64 = v70, i.v72:int64 = i.v67) {
		v73:bool = lt v71, v69
		test v73
	} do {
		v74:int64 = const 1
		v75:*float32 = index x.v2, v71
		v76:float32 = load v75
		v77:*float32 = index x.v2, v74
		store v77, v76
		continue L3 (v71, v71)
	} post (v78:int64, i.v79:int64) {
		v80:int64 = const 1
		v81:int64 = add v78, v80
		yield v81, i.v79
	}
	// control.go:98: x[i] = v
	v84:*float32 = index x.v2, i.v83
	store v84, v.v68
	// control.go:99: for _, v := range x {
	v85:int64 = len x.v2
	v86:int64 = const 0
	v98:int64 = loop L4 (v87:int64 = v86) {
		v88:bool = lt v87, v85
		test v88
	} do {
		v89:*float32 = index x.v2, v87
		v.v90:float32 = load v89
		// control.go:100: x[0] += v
		v91:int64 = const 0
		v92:*float32 = index x.v2, v91
		v93:float32 = load v92
		v94:float32 = add v93, v.v90
		store v92, v94
		continue L4 (v87)
	} post (v95:int64) {
		v96:int64 = const 1
		v97:int64 = add v95, v96
		yield v97
	}
	return
}

module switches "lower"

// control.go:105: func switches(t qd.Thread, n int, x []int) {
kernel switches(t.v0:thread, n.v1:int64, x.v2:[]int64) {
	// control.go:106: k := 0
	k.v3:int64 = const 0
	// control.go:107: switch m := n % 4; m {
	v4:int64 = const 4
	m.v5:int64 = rem n.v1, v4
	k.v23:int64 = loop L0 (k.v21:int64 = k.v3) {
		v6:bool = const true
		test v6
	} do {
		// control.go:110: case 0, 1:
		v7:int64 = const 0
		v8:bool = eq m.v5, v7
		v9:int64 = const 1
		v10:bool = eq m.v5, v9
		v11:bool = or v8, v10
		k.v20:int64 = if v11 {
			// control.go:111: k = 1
			k.v12:int64 = const 1
			yield k.v12
		} else {
			// control.go:112: case 2:
			v13:int64 = const 2
			v14:bool = eq m.v5, v13
			k.v19:int64 = if v14 {
				// control.go:113: if n > 10 {
				v15:int64 = const 10
				v16:bool = gt n.v1, v15
				if v16 {
					// control.go:114: break
					break L0 (k.v3)
				} else {
					yield
				}
				// control.go:116: k = 2
				k.v17:int64 = const 2
				yield k.v17
			} else {
				// control.go:109: k = 9
				k.v18:int64 = const 9
				yield k.v18
			}
			yield k.v19
		}
		break L0 (k.v20)
	} post (k.v22:int64) {
		yield k.v22
	}
	// control.go:119: case k > 2 || x[k] > 0:
	v24:int64 = const 2
	v25:bool = gt k.v23, v24
	v31:bool = if v25 {
		v26:bool = const true
		yield v26
	} else {
		v27:*int64 = index x.v2, k.v23
		v28:int64 = load v27
		v29:int64 = const 0
		v30:bool = gt v28, v29
		yield v30
	}
	if v31 {
		// control.go:120: x[0] = k
		v32:int64 = const 0
		v33:*int64 = index x.v2, v32
		store v33, k.v23
		yield
	} else {
		// control.go:122: case k > 1:
		v34:int64 = const 1
		v35:bool = gt k.v23, v34
		if v35 {
			// control.go:123: return
			return
		} else {
			yield
		}
		yield
	}
	// control.go:125: x[1] = k
	v36:int64 = const 1
	v37:*int64 = index x.v2, v36
	store v37, k.v23
	return
}

module image "lower"

// control.go:136: func index(t qd.Thread, i, j int) int { return i*t.Dim(1) + j }
func index(t.v0:thread, i.v1:int64, j.v2:int64) int64 {
	// control.go:136: func index(t qd.Thread, i, j int) int { return i*t.Dim(1) + j }
	v3:int64 = const 1
	v4:int64 = thread.dim t.v0 axis 1
	v5:int64 = mul i.v1, v4
	v6:int64 = add v5, j.v2
	return v6
}

// control.go:138: func position(t qd.Thread) (int, int) { return t.ID2() }
func position(t.v0:thread) (int64, int64) {
	// control.go:138: func position(t qd.Thread) (int, int) { return t.ID2() }
	v1:int64 = thread.id t.v0 axis 0 of 2
	v2:int64 = thread.id t.v0 axis 1 of 2
	return v1, v2
}

// control.go:140: func sum(i, j int) int { return i + j }
func sum(i.v0:int64, j.v1:int64) int64 {
	// control.go:140: func sum(i, j int) int { return i + j }
	v2:int64 = add i.v0, j.v1
	return v2
}

// control.go:129: func image(t qd.Thread, w int, x []float32) {
kernel image(t.v0:thread, w.v1:int64, x.v2:[]float32) rank 2 {
	// control.go:130: i, j := t.ID2()
	i.v3:int64 = thread.id t.v0 axis 0 of 2
	j.v4:int64 = thread.id t.v0 axis 1 of 2
	// control.go:131: x[index(t, i, j)] = float32(t.Dim(0)) + float32(t.Dim(3))
	v5:int64 = call index(t.v0, i.v3, j.v4)
	v6:int64 = const 0
	v7:int64 = thread.dim t.v0 axis 0
	v8:float32 = convert v7
	v9:int64 = const 3
	v10:int64 = thread.dim t.v0 axis 3
	v11:float32 = convert v10
	v12:float32 = add v8, v11
	v13:*float32 = index x.v2, v5
	store v13, v12
	// control.go:132: row, col := position(t)
	row.v14:int64, col.v15:int64 = call position(t.v0)
	// control.go:133: x[sum(position(t))] = float32(row) * float32(col)
	v16:int64, v17:int64 = call position(t.v0)
	v18:int64 = call sum(v16, v17)
	v19:float32 = convert row.v14
	v20:float32 = convert col.v15
	v21:float32 = mul v19, v20
	v22:*float32 = index x.v2, v18
	store v22, v21
	return
}
*/
