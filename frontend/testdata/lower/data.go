package lower

import "github.com/qdgen/qd"

type vec struct{ x, y float32 }

type body struct {
	pos, vel vec
	mass     float32
	_        int32
	tags     [2]int8
}

type planet struct {
	*body
	vec
	moons [3]vec
}

// Structs and arrays that are not assigned in part are values.
//
//qd:kernel
func values(t qd.Thread, x []body, y []float32) {
	i := t.ID()
	b := x[i]
	v := vec{b.pos.x, 2}
	a := [...]float32{2: v.x, 0: v.y}
	y[i] = a[i] + b.vel.y + x[i].mass
	x[i] = body{vel: v, tags: [2]int8{1}}
	x[i].pos = v
	x[i].tags[i]++
	if v == (vec{}) && a != [3]float32{1} {
		x[i].pos.y += 2
	}
}

// Those that are, or have their address taken, are in memory.
//
//qd:kernel
func memory(t qd.Thread, x []body, y []float32) {
	i := t.ID()
	b := x[i]
	b.pos.x = 1
	v := &b.vel
	v.y, b.mass = b.mass, v.y
	var sum [4]float32
	for k := range sum {
		sum[k] += y[k]
	}
	part := sum[1:3]
	part[0] = 3
	for k, s := range sum {
		sum[0] += s * float32(k)
	}
	p := planet{body: &b, vec: vec{1, 2}}
	p.mass = p.x + p.moons[i].y
	p.moons[1] = vec{3, 4}
	q := new(float32)
	*q = 5
	if q != nil && v != nil && part != nil {
		y[0] = *q
	}
	qd.AtomicAdd(q, 1)
	qd.AtomicAdd(&x[i].mass, 1)
	y[i] = sum[i]
	x[i] = b
}

func grow(b *body, by float32) (before float32) {
	before = b.mass
	b.mass += by
	return
}

func find(x []float32, v float32) *float32 {
	for i := range x {
		if x[i] == v {
			return &x[i]
		}
	}
	return nil
}

//qd:kernel
func pointers(t qd.Thread, x []body, y []float32) {
	i := t.ID()
	y[i] = grow(&x[i], 2) + x[i].mass
	if p := find(y, 3); p != nil {
		*p++
	}
	for k := 0; k < 3; k++ {
		p := &k
		*p += 1
	}
	for k := 0; next(&k); inc(&k) {
		y[k] = 2
	}
	var s []float32
	s = y[:2]
	clear(s)
	copy(y[2:], s)
}

func next(p *int) bool { *p++; return *p < 10 }

func inc(p *int) { *p++ }

//qd:kernel
func switches(t qd.Thread, y []float32) {
	i := t.ID()
	switch i {
	case 0:
		y[0] = 1
		fallthrough
	case 1, 2:
		y[1] = 1
	case 3:
		y[3] = 2
	default:
		y[4] = 3
		fallthrough
	case 5:
		if y[0] > 3 {
			break
		}
		y[5] = 3
	}
	switch (vec{1, 2}) {
	case vec{y[0], y[1]}:
		y[2]++
	}
}

/* SSA
module values "lower"

// data.go:23: func values(t qd.Thread, x []body, y []float32) {
kernel values(t.v0:thread, x.v1:[]body, y.v2:[]float32) {
	// data.go:24: i := t.ID()
	i.v3:int64 = thread.id t.v0 axis 0 of 1
	// data.go:25: b := x[i]
	v4:*body = index x.v1, i.v3
	b.v5:body = load v4
	// data.go:26: v := vec{b.pos.x, 2}
	v6:vec = field b.v5, 0
	v7:float32 = field v6, 0
	v8:float32 = const 2
	v.v9:vec = make v7, v8
	// data.go:27: a := [...]float32{2: v.x, 0: v.y}
	v10:float32 = const 0
	a.v11:[3]float32 = make v8, v10, v7
	// data.go:28: y[i] = a[i] + b.vel.y + x[i].mass
	v12:float32 = elem a.v11, i.v3
	v13:vec = field b.v5, 1
	v14:float32 = field v13, 1
	v15:float32 = add v12, v14
	v16:*body = index x.v1, i.v3
	v17:*float32 = field.addr v16, 2
	v18:float32 = load v17
	v19:float32 = add v15, v18
	v20:*float32 = index y.v2, i.v3
	store v20, v19
	// data.go:29: x[i] = body{vel: v, tags: [2]int8{1}}
	v21:int8 = const 1
	v22:int8 = const 0
	v23:[2]int8 = make v21, v22
	v24:vec = zero
	v25:float32 = const 0
	v26:int32 = const 0
	v27:body = make v24, v.v9, v25, v26, v23
	v28:*body = index x.v1, i.v3
	store v28, v27
	// data.go:30: x[i].pos = v
	v29:*body = index x.v1, i.v3
	v30:*vec = field.addr v29, 0
	store v30, v.v9
	// data.go:31: x[i].tags[i]++
	v31:*body = index x.v1, i.v3
	v32:*[2]int8 = field.addr v31, 4
	v33:*int8 = elem.addr v32, i.v3
	v34:int8 = load v33
	v35:int8 = const 1
	v36:int8 = add v34, v35
	store v33, v36
	// data.go:32: if v == (vec{}) && a != [3]float32{1} {
	v37:vec = zero
	v38:bool = eq v.v9, v37
	v44:bool = if v38 {
		v39:float32 = const 1
		v40:float32 = const 0
		v41:[3]float32 = make v39, v40, v40
		v42:bool = ne a.v11, v41
		yield v42
	} else {
		v43:bool = const false
		yield v43
	}
	if v44 {
		// data.go:33: x[i].pos.y += 2
		v45:*body = index x.v1, i.v3
		v46:*vec = field.addr v45, 0
		v47:*float32 = field.addr v46, 1
		v48:float32 = load v47
		v49:float32 = const 2
		v50:float32 = add v48, v49
		store v47, v50
		yield
	} else {
		yield
	}
	return
}

module memory "lower"

// data.go:40: func memory(t qd.Thread, x []body, y []float32) {
kernel memory(t.v0:thread, x.v1:[]body, y.v2:[]float32) {
	// data.go:41: i := t.ID()
	i.v3:int64 = thread.id t.v0 axis 0 of 1
	// data.go:42: b := x[i]
	v4:*body = index x.v1, i.v3
	v5:body = load v4
	b.v6:*body = local v5
	// data.go:43: b.pos.x = 1
	v7:*vec = field.addr b.v6, 0
	v8:*float32 = field.addr v7, 0
	v9:float32 = const 1
	store v8, v9
	// data.go:44: v := &b.vel
	v.v10:*vec = field.addr b.v6, 1
	// data.go:45: v.y, b.mass = b.mass, v.y
	v11:*float32 = field.addr v.v10, 1
	v12:*float32 = field.addr b.v6, 2
	v13:*float32 = field.addr b.v6, 2
	v14:float32 = load v13
	v15:*float32 = field.addr v.v10, 1
	v16:float32 = load v15
	store v11, v14
	store v12, v16
	// data.go:46: var sum [4]float32
	v17:[4]float32 = zero
	sum.v18:*[4]float32 = local v17
	// data.go:47: for k := range sum {
	v19:int64 = const 4
	v20:int64 = const 0
	v31:int64 = loop L0 (k.v21:int64 = v20) {
		v22:bool = lt k.v21, v19
		test v22
	} do {
		// data.go:48: sum[k] += y[k]
		v23:*float32 = elem.addr sum.v18, k.v21
		v24:float32 = load v23
		v25:*float32 = index y.v2, k.v21
		v26:float32 = load v25
		v27:float32 = add v24, v26
		store v23, v27
		continue L0 (k.v21)
	} post (k.v28:int64) {
		v29:int64 = const 1
		v30:int64 = add k.v28, v29
		yield v30
	}
	// data.go:50: part := sum[1:3]
	v32:[]float32 = sliceof sum.v18
	v33:int64 = const 1
	v34:int64 = const 3
	part.v35:[]float32 = subslice v32, v33, v34
	// data.go:51: part[0] = 3
	v36:int64 = const 0
	v37:float32 = const 3
	v38:*float32 = index part.v35, v36
	store v38, v37
	// data.go:52: for k, s := range sum {
	v39:[4]float32 = load sum.v18
	v40:int64 = const 4
	v41:int64 = const 0
	v54:int64 = loop L1 (k.v42:int64 = v41) {
		v43:bool = lt k.v42, v40
		test v43
	} do {
		s.v44:float32 = elem v39, k.v42
		// data.go:53: sum[0] += s * float32(k)
		v45:int64 = const 0
		v46:*float32 = elem.addr sum.v18, v45
		v47:float32 = load v46
		v48:float32 = convert k.v42
		v49:float32 = mul s.v44, v48
		v50:float32 = add v47, v49
		store v46, v50
		continue L1 (k.v42)
	} post (k.v51:int64) {
		v52:int64 = const 1
		v53:int64 = add k.v51, v52
		yield v53
	}
	// data.go:55: p := planet{body: &b, vec: vec{1, 2}}
	v55:float32 = const 1
	v56:float32 = const 2
	v57:vec = make v55, v56
	v58:[3]vec = zero
	v59:planet = make b.v6, v57, v58
	p.v60:*planet = local v59
	// data.go:56: p.mass = p.x + p.moons[i].y
	v61:**body = field.addr p.v60, 0
	v62:*body = load v61
	v63:*float32 = field.addr v62, 2
	v64:*vec = field.addr p.v60, 1
	v65:*float32 = field.addr v64, 0
	v66:float32 = const 1
	v67:*[3]vec = field.addr p.v60, 2
	v68:*vec = elem.addr v67, i.v3
	v69:*float32 = field.addr v68, 1
	v70:float32 = load v69
	v71:float32 = add v66, v70
	store v63, v71
	// data.go:57: p.moons[1] = vec{3, 4}
	v72:*[3]vec = field.addr p.v60, 2
	v73:int64 = const 1
	v74:float32 = const 3
	v75:float32 = const 4
	v76:vec = make v74, v75
	v77:*vec = elem.addr v72, v73
	store v77, v76
	// data.go:58: q := new(float32)
	v78:float32 = const 0
	q.v79:*float32 = local v78
	// data.go:59: *q = 5
	v80:float32 = const 5
	store q.v79, v80
	// data.go:60: if q != nil && v != nil && part != nil {
	v81:*float32 = zero
	v82:bool = ne q.v79, v81
	v83:*vec = zero
	v84:bool = ne v.v10, v83
	v85:bool = and v82, v84
	v86:bool = isnil part.v35
	v87:bool = not v86
	v88:bool = and v85, v87
	if v88 {
		// data.go:61: y[0] = *q
		v89:int64 = const 0
		v90:float32 = load q.v79
		v91:*float32 = index y.v2, v89
		store v91, v90
		yield
	} else {
		yield
	}
	// data.go:63: qd.AtomicAdd(q, 1)
	v92:float32 = const 1
	v93:float32 = atomic add q.v79, v92
	// data.go:64: qd.AtomicAdd(&x[i].mass, 1)
	v94:*body = index x.v1, i.v3
	v95:*float32 = field.addr v94, 2
	v96:float32 = const 1
	v97:float32 = atomic add v95, v96
	// data.go:65: y[i] = sum[i]
	v98:*float32 = elem.addr sum.v18, i.v3
	v99:float32 = load v98
	v100:*float32 = index y.v2, i.v3
	store v100, v99
	// data.go:66: x[i] = b
	v101:body = load b.v6
	v102:*body = index x.v1, i.v3
	store v102, v101
	return
}

module pointers "lower"

// data.go:69: func grow(b *body, by float32) (before float32) {
func grow(b.v0:*body, by.v1:float32) float32 {
	before.v2:float32 = const 0
	// data.go:70: before = b.mass
	v3:*float32 = field.addr b.v0, 2
	before.v4:float32 = load v3
	// data.go:71: b.mass += by
	v5:*float32 = field.addr b.v0, 2
	v6:float32 = load v5
	v7:float32 = add v6, by.v1
	store v5, v7
	// data.go:72: return
	return before.v4
}

// data.go:75: func find(x []float32, v float32) *float32 {
func find(x.v0:[]float32, v.v1:float32) *float32 {
	// data.go:76: for i := range x {
	v2:int64 = len x.v0
	v3:int64 = const 0
	v13:int64 = loop L0 (i.v4:int64 = v3) {
		v5:bool = lt i.v4, v2
		test v5
	} do {
		// data.go:77: if x[i] == v {
		v6:*float32 = index x.v0, i.v4
		v7:float32 = load v6
		v8:bool = eq v7, v.v1
		if v8 {
			// data.go:78: return &x[i]
			v9:*float32 = index x.v0, i.v4
			return v9
		} else {
			yield
		}
		continue L0 (i.v4)
	} post (i.v10:int64) {
		v11:int64 = const 1
		v12:int64 = add i.v10, v11
		yield v12
	}
	// data.go:81: return nil
	v14:*float32 = zero
	return v14
}

// data.go:104: func next(p *int) bool { *p++; return *p < 10 }
func next(p.v0:*int64) bool {
	// data.go:104: func next(p *int) bool { *p++; return *p < 10 }
	v1:int64 = load p.v0
	v2:int64 = const 1
	v3:int64 = add v1, v2
	store p.v0, v3
	v4:int64 = load p.v0
	v5:int64 = const 10
	v6:bool = lt v4, v5
	return v6
}

// data.go:106: func inc(p *int) { *p++ }
func inc(p.v0:*int64) {
	// data.go:106: func inc(p *int) { *p++ }
	v1:int64 = load p.v0
	v2:int64 = const 1
	v3:int64 = add v1, v2
	store p.v0, v3
	return
}

// data.go:85: func pointers(t qd.Thread, x []body, y []float32) {
kernel pointers(t.v0:thread, x.v1:[]body, y.v2:[]float32) {
	// data.go:86: i := t.ID()
	i.v3:int64 = thread.id t.v0 axis 0 of 1
	// data.go:87: y[i] = grow(&x[i], 2) + x[i].mass
	v4:*body = index x.v1, i.v3
	v5:float32 = const 2
	v6:float32 = call grow(v4, v5)
	v7:*body = index x.v1, i.v3
	v8:*float32 = field.addr v7, 2
	v9:float32 = load v8
	v10:float32 = add v6, v9
	v11:*float32 = index y.v2, i.v3
	store v11, v10
	// data.go:88: if p := find(y, 3); p != nil {
	v12:float32 = const 3
	p.v13:*float32 = call find(y.v2, v12)
	v14:*float32 = zero
	v15:bool = ne p.v13, v14
	if v15 {
		// data.go:89: *p++
		v16:float32 = load p.v13
		v17:float32 = const 1
		v18:float32 = add v16, v17
		store p.v13, v18
		yield
	} else {
		yield
	}
	// data.go:91: for k := 0; k < 3; k++ {
	k.v19:int64 = const 0
	k.v31:int64 = loop L0 (k.v20:int64 = k.v19) {
		v21:int64 = const 3
		v22:bool = lt k.v20, v21
		test v22
	} do {
		k.v23:*int64 = local k.v20
		// data.go:93: *p += 1
		v24:int64 = load k.v23
		v25:int64 = const 1
		v26:int64 = add v24, v25
		store k.v23, v26
		// data.go:91: for k := 0; k < 3; k++ {
		v27:int64 = load k.v23
		continue L0 (v27)
	} post (k.v28:int64) {
		v29:int64 = const 1
		k.v30:int64 = add k.v28, v29
		yield k.v30
	}
	// data.go:95: for k := 0; next(&k); inc(&k) {
	k.v32:int64 = const 0
	k.v45:int64 = loop L1 (k.v33:int64 = k.v32) {
		v34:bool = const true
		test v34
	} do {
		k.v35:*int64 = local k.v33
		v36:bool = call next(k.v35)
		if v36 {
			yield
		} else {
			v37:int64 = load k.v35
			break L1 (v37)
		}
		// data.go:96: y[k] = 2
		v38:int64 = load k.v35
		v39:float32 = const 2
		v40:*float32 = index y.v2, v38
		store v40, v39
		// data.go:95: for k := 0; next(&k); inc(&k) {
		v41:int64 = load k.v35
		continue L1 (v41)
	} post (k.v42:int64) {
		k.v43:*int64 = local k.v42
		call inc(k.v43)
		v44:int64 = load k.v43
		yield v44
	}
	// data.go:98: var s []float32
	s.v46:[]float32 = zero
	// data.go:99: s = y[:2]
	v47:int64 = const 0
	v48:int64 = const 2
	s.v49:[]float32 = subslice y.v2, v47, v48
	// data.go:100: clear(s)
	v50:int64 = const 2
	v51:float32 = const 0
	v52:int64 = const 0
	v59:int64 = loop L2 (v53:int64 = v52) {
		v54:bool = lt v53, v50
		test v54
	} do {
		v55:*float32 = index s.v49, v53
		store v55, v51
		continue L2 (v53)
	} post (v56:int64) {
		v57:int64 = const 1
		v58:int64 = add v56, v57
		yield v58
	}
	// data.go:101: copy(y[2:], s)
	v60:int64 = const 2
	v61:int64 = len y.v2
	v62:[]float32 = subslice y.v2, v60, v61
	v63:int64 = copy v62, s.v49
	return
}

module switches "lower"

// data.go:109: func switches(t qd.Thread, y []float32) {
kernel switches(t.v0:thread, y.v1:[]float32) {
	// data.go:110: i := t.ID()
	i.v2:int64 = thread.id t.v0 axis 0 of 1
	// data.go:111: switch i {
	loop L0 {
		v3:bool = const true
		test v3
	} do {
		// data.go:112: case 0:
		v4:int64 = const 0
		v5:bool = eq i.v2, v4
		v23:int64 = if v5 {
			v6:int64 = const 0
			yield v6
		} else {
			// data.go:115: case 1, 2:
			v7:int64 = const 1
			v8:bool = eq i.v2, v7
			v9:int64 = const 2
			v10:bool = eq i.v2, v9
			v11:bool = or v8, v10
			v22:int64 = if v11 {
				v12:int64 = const 1
				yield v12
			} else {
				// data.go:117: case 3:
				v13:int64 = const 3
				v14:bool = eq i.v2, v13
				v21:int64 = if v14 {
					v15:int64 = const 2
					yield v15
				} else {
					// data.go:122: case 5:
					v16:int64 = const 5
					v17:bool = eq i.v2, v16
					v20:int64 = if v17 {
						v18:int64 = const 4
						yield v18
					} else {
						v19:int64 = const 3
						yield v19
					}
					yield v20
				}
				yield v21
			}
			yield v22
		}
		// data.go:111: switch i {
		v24:int64 = const 1
		v25:bool = le v23, v24
		if v25 {
			// data.go:112: case 0:
			v26:int64 = const 0
			v27:bool = le v23, v26
			if v27 {
				// data.go:113: y[0] = 1
				v28:int64 = const 0
				v29:float32 = const 1
				v30:*float32 = index y.v1, v28
				store v30, v29
				yield
			} else {
				yield
			}
			// data.go:116: y[1] = 1
			v31:int64 = const 1
			v32:float32 = const 1
			v33:*float32 = index y.v1, v31
			store v33, v32
			yield
		} else {
			v34:int64 = const 2
			v35:bool = le v23, v34
			if v35 {
				// data.go:118: y[3] = 2
				v36:int64 = const 3
				v37:float32 = const 2
				v38:*float32 = index y.v1, v36
				store v38, v37
				yield
			} else {
				// data.go:119: default:
				v39:int64 = const 3
				v40:bool = le v23, v39
				if v40 {
					// data.go:120: y[4] = 3
					v41:int64 = const 4
					v42:float32 = const 3
					v43:*float32 = index y.v1, v41
					store v43, v42
					yield
				} else {
					yield
				}
				// data.go:123: if y[0] > 3 {
				v44:int64 = const 0
				v45:*float32 = index y.v1, v44
				v46:float32 = load v45
				v47:float32 = const 3
				v48:bool = gt v46, v47
				if v48 {
					// data.go:124: break
					break L0
				} else {
					yield
				}
				// data.go:126: y[5] = 3
				v49:int64 = const 5
				v50:float32 = const 3
				v51:*float32 = index y.v1, v49
				store v51, v50
				yield
			}
			yield
		}
		break L0
	} post {
		yield
	}
	// data.go:128: switch (vec{1, 2}) {
	v52:float32 = const 1
	v53:float32 = const 2
	v54:vec = make v52, v53
	// data.go:129: case vec{y[0], y[1]}:
	v55:int64 = const 0
	v56:*float32 = index y.v1, v55
	v57:float32 = load v56
	v58:int64 = const 1
	v59:*float32 = index y.v1, v58
	v60:float32 = load v59
	v61:vec = make v57, v60
	v62:bool = eq v54, v61
	if v62 {
		// data.go:130: y[2]++
		v63:int64 = const 2
		v64:*float32 = index y.v1, v63
		v65:float32 = load v64
		v66:float32 = const 1
		v67:float32 = add v65, v66
		store v64, v67
		yield
	} else {
		yield
	}
	return
}
*/
