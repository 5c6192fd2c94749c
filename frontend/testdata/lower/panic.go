package lower

import "github.com/qdgen/qd"

const unsure = "not sure: "

// A panic is one in any build, an assertion is not.
//
//qd:kernel
func panics(t qd.Thread, x []int) {
	i := t.ID()
	switch x[i] {
	case 0:
		panic("zero")
	case 1:
		panic(unsure + "one")
	case 2:
		panic(i)
	case 3:
		panic(x[i] > 0)
	case 4:
		panic(1.5)
	}
	qd.Assert(x[i] != 5, "five")
	x[i] = sign(x[i])
}

func sign(n int) int {
	for {
		switch {
		case n > 0:
			return 1
		case n < 0:
			return -1
		}
		panic("sign")
	}
}

/* SSA
module panics "lower"

// panic.go:28: func sign(n int) int {
func sign(n.v0:int64) int64 {
	// panic.go:29: for {
	loop L0 {
		v1:bool = const true
		test v1
	} do {
		// panic.go:31: case n > 0:
		v2:int64 = const 0
		v3:bool = gt n.v0, v2
		if v3 {
			// panic.go:32: return 1
			v4:int64 = const 1
			return v4
		} else {
			// panic.go:33: case n < 0:
			v5:int64 = const 0
			v6:bool = lt n.v0, v5
			if v6 {
				// panic.go:34: return -1
				v7:int64 = const -1
				return v7
			} else {
				yield
			}
			yield
		}
		// panic.go:36: panic("sign")
		panic "sign"
	} post {
		yield
	}
	unreachable
}

// panic.go:10: func panics(t qd.Thread, x []int) {
kernel panics(t.v0:thread, x.v1:[]int64) {
	// panic.go:11: i := t.ID()
	i.v2:int64 = thread.id t.v0 axis 0 of 1
	// panic.go:12: switch x[i] {
	v3:*int64 = index x.v1, i.v2
	v4:int64 = load v3
	// panic.go:13: case 0:
	v5:int64 = const 0
	v6:bool = eq v4, v5
	if v6 {
		// panic.go:14: panic("zero")
		panic "zero"
	} else {
		// panic.go:15: case 1:
		v7:int64 = const 1
		v8:bool = eq v4, v7
		if v8 {
			// panic.go:16: panic(unsure + "one")
			panic "not sure: one"
		} else {
			// panic.go:17: case 2:
			v9:int64 = const 2
			v10:bool = eq v4, v9
			if v10 {
				// panic.go:18: panic(i)
				panic "", i.v2
			} else {
				// panic.go:19: case 3:
				v11:int64 = const 3
				v12:bool = eq v4, v11
				if v12 {
					// panic.go:20: panic(x[i] > 0)
					v13:*int64 = index x.v1, i.v2
					v14:int64 = load v13
					v15:int64 = const 0
					v16:bool = gt v14, v15
					panic "", v16
				} else {
					// panic.go:21: case 4:
					v17:int64 = const 4
					v18:bool = eq v4, v17
					if v18 {
						// panic.go:22: panic(1.5)
						v19:float64 = const 1.5
						panic "", v19
					} else {
						yield
					}
					yield
				}
				yield
			}
			yield
		}
		yield
	}
	// panic.go:24: qd.Assert(x[i] != 5, "five")
	v20:*int64 = index x.v1, i.v2
	v21:int64 = load v20
	v22:int64 = const 5
	v23:bool = ne v21, v22
	// panic.go:25: x[i] = sign(x[i])
	v24:*int64 = index x.v1, i.v2
	v25:int64 = load v24
	v26:int64 = call sign(v25)
	v27:*int64 = index x.v1, i.v2
	store v27, v26
	return
}
*/
