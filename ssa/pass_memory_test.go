package ssa

// memoryCases are about aggregates, memory, checks and panics, for each pass: see
// TestPasses.
var memoryCases = []passCase{
	{
		name: "fold: parts of what is made",
		pass: fold,
		build: func(b builder, p params) {
			v := b.make(vec, p.x, p.a)
			w := b.make(vec, b.field(v, 0), b.field(v, 1))
			b.set(p.s, 0, b.field(w, 1))
			arr := b.make(Array{Int64, 4}, p.a, p.b, b.int(Int64, 7), b.int(Int64, 8))
			b.set(p.s, 1, b.op(OpElem, arr, b.int(Int64, 1)))
			b.set(p.s, 2, b.op(OpElem, arr, b.int(Int64, 4)))
			b.ret()
		},
		before: `
			v6:Vec = make x.v3, a.v0
			v7:float32 = field v6, 0
			v8:int64 = field v6, 1
			v9:Vec = make v7, v8
			v10:int64 = field v9, 1
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, v10
			v13:int64 = const 7
			v14:int64 = const 8
			v15:[4]int64 = make a.v0, b.v1, v13, v14
			v16:int64 = const 1
			v17:int64 = elem v15, v16
			v18:int64 = const 1
			v19:*int64 = index s.v5, v18
			store v19, v17
			v20:int64 = const 4
			v21:int64 = elem v15, v20
			v22:int64 = const 2
			v23:*int64 = index s.v5, v22
			store v23, v21
			return`,
		after: `
			v6:Vec = make x.v3, a.v0
			v9:Vec = make x.v3, a.v0
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, a.v0
			v13:int64 = const 7
			v14:int64 = const 8
			v15:[4]int64 = make a.v0, b.v1, v13, v14
			v16:int64 = const 1
			v18:int64 = const 1
			v19:*int64 = index s.v5, v18
			store v19, b.v1
			v20:int64 = const 4
			v21:int64 = elem v15, v20
			v22:int64 = const 2
			v23:*int64 = index s.v5, v22
			store v23, v21
			return`,
	},
	{
		name: "fold: a struct put together again",
		pass: fold,
		build: func(b builder, p params) {
			local := b.op(OpLocal, b.make(vec, p.x, p.a))
			v := b.op(OpLoad, local)
			b.store(local, b.make(vec, b.field(v, 0), b.field(v, 1)))
			b.store(local, b.make(vec, p.x, b.field(v, 1)))
			b.ret()
		},
		before: `
			v6:Vec = make x.v3, a.v0
			v7:*Vec = local v6
			v8:Vec = load v7
			v9:float32 = field v8, 0
			v10:int64 = field v8, 1
			v11:Vec = make v9, v10
			store v7, v11
			v12:int64 = field v8, 1
			v13:Vec = make x.v3, v12
			store v7, v13
			return`,
		after: `
			v6:Vec = make x.v3, a.v0
			v7:*Vec = local v6
			v8:Vec = load v7
			v9:float32 = field v8, 0
			v10:int64 = field v8, 1
			store v7, v8
			v12:int64 = field v8, 1
			v13:Vec = make x.v3, v12
			store v7, v13
			return`,
	},
	{
		name: "fold: zeros, lengths and nil",
		pass: fold,
		build: func(b builder, p params) {
			z := b.zero(StructOf("Pair", Field{"v", vec}, Field{"s", Slice{Int64}}))
			v := b.field(z, 0)
			b.set(p.s, 0, b.field(v, 1))
			nothing := b.field(z, 1)
			b.set(p.s, 1, b.op(OpLen, nothing))
			b.op(OpIsNil, nothing)
			four := b.op(OpSliceOf, b.op(OpLocal, b.zero(Array{Int64, 4})))
			b.op(OpLen, four)
			b.op(OpIsNil, b.Append(&Instr{Op: OpSubslice, Args: []*Value{four, p.a, p.b}}, four.Type).Result())
			b.op(OpIsNil, p.s)
			b.ret()
		},
		before: `
			v6:Pair = zero
			v7:Vec = field v6, 0
			v8:int64 = field v7, 1
			v9:int64 = const 0
			v10:*int64 = index s.v5, v9
			store v10, v8
			v11:[]int64 = field v6, 1
			v12:int64 = len v11
			v13:int64 = const 1
			v14:*int64 = index s.v5, v13
			store v14, v12
			v15:bool = isnil v11
			v16:[4]int64 = zero
			v17:*[4]int64 = local v16
			v18:[]int64 = sliceof v17
			v19:int64 = len v18
			v20:[]int64 = subslice v18, a.v0, b.v1
			v21:bool = isnil v20
			v22:bool = isnil s.v5
			return`,
		after: `
			v6:Pair = zero
			v7:Vec = zero
			v8:int64 = const 0
			v9:int64 = const 0
			v10:*int64 = index s.v5, v9
			store v10, v8
			v11:[]int64 = zero
			v12:int64 = const 0
			v13:int64 = const 1
			v14:*int64 = index s.v5, v13
			store v14, v12
			v15:bool = const true
			v16:[4]int64 = zero
			v17:*[4]int64 = local v16
			v18:[]int64 = sliceof v17
			v19:int64 = const 4
			v20:[]int64 = subslice v18, a.v0, b.v1
			v21:bool = isnil v18
			v22:bool = isnil s.v5
			return`,
	},
	{
		name: "fold: an aggregate of bools is no operation on bools",
		pass: fold,
		build: func(b builder, p params) {
			b.op(OpLocal, b.make(Array{Bool, 2}, p.c, b.bool(true)))
			b.op(OpLocal, b.make(Array{Int64, 2}, p.a, p.a))
			b.ret()
		},
		before: `
			v6:bool = const true
			v7:[2]bool = make c.v2, v6
			v8:*[2]bool = local v7
			v9:[2]int64 = make a.v0, a.v0
			v10:*[2]int64 = local v9
			return`,
	},
	{
		name: "fold: bits of constants",
		pass: fold,
		build: func(b builder, p params) {
			x := b.int(Uint16, 0x0301)
			for op := BitsLen; op < numBits; op++ {
				b.bits(op, x)
			}
			b.bits(BitsTrailingZeros, b.int(Uint8, 0))
			b.ret()
		},
		before: `
			v6:uint16 = const 769
			v7:int64 = bits len v6
			v8:int64 = bits trailingzeros v6
			v9:int64 = bits onescount v6
			v10:uint16 = bits reverse v6
			v11:uint16 = bits reversebytes v6
			v12:uint8 = const 0
			v13:int64 = bits trailingzeros v12
			return`,
		after: `
			v6:uint16 = const 769
			v7:int64 = const 10
			v8:int64 = const 0
			v9:int64 = const 3
			v10:uint16 = const 32960
			v11:uint16 = const 259
			v12:uint8 = const 0
			v13:int64 = const 8
			return`,
	},
	{
		name: "fold: checks that hold go, others stay",
		pass: fold,
		build: func(b builder, p params) {
			zero, three := b.int(Int64, 0), b.int(Int64, 3)
			b.check(CheckIndex, zero, three)
			b.check(CheckIndex, three, three)
			b.check(CheckIndex, zero, p.a)
			b.check(CheckSlice, zero, three, three)
			b.check(CheckSlice, three, zero, three)
			b.check(CheckSlice, zero, three, zero)
			b.check(CheckDivide, three)
			b.check(CheckDivide, zero)
			b.check(CheckShift, three)
			b.check(CheckNil, b.op(OpLocal, p.a))
			b.check(CheckNil, b.zero(Pointer{Int64}))
			b.check(CheckAssert, b.bool(true))
			b.check(CheckAssert, p.c)
			b.ret()
		},
		before: `
			v6:int64 = const 0
			v7:int64 = const 3
			check index v6, v7
			check index v7, v7
			check index v6, a.v0
			check slice v6, v7, v7
			check slice v7, v6, v7
			check slice v6, v7, v6
			check divide v7
			check divide v6
			check shift v7
			v8:*int64 = local a.v0
			check nil v8
			v9:*int64 = zero
			check nil v9
			v10:bool = const true
			check assert v10, ""
			check assert c.v2, ""
			return`,
		after: `
			v6:int64 = const 0
			v7:int64 = const 3
			check index v7, v7
			check index v6, a.v0
			check slice v7, v6, v7
			check slice v6, v7, v6
			check divide v6
			v8:*int64 = local a.v0
			v9:*int64 = zero
			check nil v9
			v10:bool = const true
			check assert c.v2, ""
			return`,
	},
	{
		name: "fold: a panic on a known condition ends the block",
		pass: fold,
		build: func(b builder, p params) {
			b.ifelse(b.bool(true), nil, func(b builder) { b.panic("never", p.a) }, nil)
			b.set(p.s, 0, p.a)
			b.ret()
		},
		before: `
			v6:bool = const true
			if v6 {
				panic "never", a.v0
			} else {
				yield
			}
			v7:int64 = const 0
			v8:*int64 = index s.v5, v7
			store v8, a.v0
			return`,
		after: `
			v6:bool = const true
			panic "never", a.v0`,
	},
	{
		name: "cse: parts, but no variables",
		pass: cse,
		build: func(b builder, p params) {
			v := b.make(vec, p.x, p.a)
			w := b.make(vec, p.x, p.a)
			p1, p2 := b.op(OpLocal, v), b.op(OpLocal, w)
			b.store(b.fieldAddr(p1, 1), b.field(v, 1))
			b.store(b.fieldAddr(p1, 0), b.field(w, 0))
			b.store(b.fieldAddr(p2, 1), b.field(w, 1))
			b.store(b.fieldAddr(p1, 1), b.bits(BitsLen, b.int(Uint64, 5)))
			b.store(b.fieldAddr(p1, 1), b.bits(BitsOnesCount, b.int(Uint64, 5)))
			b.op(OpLocal, b.zero(vec))
			b.op(OpLocal, b.zero(Array{Int64, 2}))
			b.ret()
		},
		before: `
			v6:Vec = make x.v3, a.v0
			v7:Vec = make x.v3, a.v0
			v8:*Vec = local v6
			v9:*Vec = local v7
			v10:*int64 = field.addr v8, 1
			v11:int64 = field v6, 1
			store v10, v11
			v12:*float32 = field.addr v8, 0
			v13:float32 = field v7, 0
			store v12, v13
			v14:*int64 = field.addr v9, 1
			v15:int64 = field v7, 1
			store v14, v15
			v16:*int64 = field.addr v8, 1
			v17:uint64 = const 5
			v18:int64 = bits len v17
			store v16, v18
			v19:*int64 = field.addr v8, 1
			v20:uint64 = const 5
			v21:int64 = bits onescount v20
			store v19, v21
			v22:Vec = zero
			v23:*Vec = local v22
			v24:[2]int64 = zero
			v25:*[2]int64 = local v24
			return`,
		after: `
			v6:Vec = make x.v3, a.v0
			v8:*Vec = local v6
			v9:*Vec = local v6
			v10:*int64 = field.addr v8, 1
			v11:int64 = field v6, 1
			store v10, v11
			v12:*float32 = field.addr v8, 0
			v13:float32 = field v6, 0
			store v12, v13
			v14:*int64 = field.addr v9, 1
			store v14, v11
			v17:uint64 = const 5
			v18:int64 = bits len v17
			store v10, v18
			v21:int64 = bits onescount v17
			store v10, v21
			v22:Vec = zero
			v23:*Vec = local v22
			v24:[2]int64 = zero
			v25:*[2]int64 = local v24
			return`,
	},
	{
		name: "dce: variables that are only stored to",
		pass: dce,
		build: func(b builder, p params) {
			unused := b.op(OpLocal, b.zero(vec))
			b.ifelse(p.c, nil, func(b builder) { b.store(b.fieldAddr(unused, 1), p.a); b.yield() }, nil)
			b.op(OpLoad, unused)
			used := b.op(OpLocal, b.zero(Array{Int64, 4}))
			b.store(b.op(OpElemAddr, used, p.a), p.b)
			b.set(p.s, 0, b.op(OpLoad, b.op(OpElemAddr, used, p.b)))
			b.ret()
		},
		before: `
			v6:Vec = zero
			v7:*Vec = local v6
			if c.v2 {
				v8:*int64 = field.addr v7, 1
				store v8, a.v0
				yield
			} else {
				yield
			}
			v9:Vec = load v7
			v10:[4]int64 = zero
			v11:*[4]int64 = local v10
			v12:*int64 = elem.addr v11, a.v0
			store v12, b.v1
			v13:*int64 = elem.addr v11, b.v1
			v14:int64 = load v13
			v15:int64 = const 0
			v16:*int64 = index s.v5, v15
			store v16, v14
			return`,
		after: `
			v10:[4]int64 = zero
			v11:*[4]int64 = local v10
			v12:*int64 = elem.addr v11, a.v0
			store v12, b.v1
			v13:*int64 = elem.addr v11, b.v1
			v14:int64 = load v13
			v15:int64 = const 0
			v16:*int64 = index s.v5, v15
			store v16, v14
			return`,
	},
	{
		name: "dce: variables whose address goes elsewhere",
		pass: dce,
		build: func(b builder, p params) {
			f := addFunc(p.m, "g", false, []*Value{arg(Pointer{Int64}, "p")}, nil, func(b builder, v []*Value) {
				b.store(v[0], b.op(OpAdd, b.op(OpLoad, v[0]), b.int(Int64, 1)))
				b.ret()
			})
			passed := b.op(OpLocal, p.a)
			b.store(passed, p.b)
			b.call(f, passed)
			held := b.op(OpLocal, b.op(OpLocal, p.a))
			kept := b.op(OpLocal, p.a)
			b.store(kept, p.b)
			b.store(held, kept)
			b.set(p.s, 0, b.op(OpLoad, b.op(OpLoad, held)))
			b.ret()
		},
		before: `
			v6:*int64 = local a.v0
			store v6, b.v1
			call g(v6)
			v7:*int64 = local a.v0
			v8:**int64 = local v7
			v9:*int64 = local a.v0
			store v9, b.v1
			store v8, v9
			v10:*int64 = load v8
			v11:int64 = load v10
			v12:int64 = const 0
			v13:*int64 = index s.v5, v12
			store v13, v11
			return`,
	},
	{
		name: "dce: checks and panics stay",
		pass: dce,
		build: func(b builder, p params) {
			b.check(CheckIndex, p.a, b.op(OpLen, p.s))
			b.op(OpLoad, b.op(OpIndexAddr, p.s, p.a))
			b.ifelse(b.op(OpLt, p.a, p.b), nil, func(b builder) { b.panic("too small", p.b) }, nil)
			b.ret()
		},
		before: `
			v6:int64 = len s.v5
			check index a.v0, v6
			v7:*int64 = index s.v5, a.v0
			v8:int64 = load v7
			v9:bool = lt a.v0, b.v1
			if v9 {
				panic "too small", b.v1
			} else {
				yield
			}
			return`,
		after: `
			v6:int64 = len s.v5
			check index a.v0, v6
			v9:bool = lt a.v0, b.v1
			if v9 {
				panic "too small", b.v1
			} else {
				yield
			}
			return`,
	},
}
