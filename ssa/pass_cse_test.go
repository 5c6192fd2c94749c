package ssa

// cseCases: see TestPasses.
var cseCases = []passCase{
	{
		name: "cse: equal expressions",
		pass: cse,
		build: func(b builder, p params) {
			one := b.op(OpMul, p.a, p.b)
			two := b.named("area", b.op(OpMul, p.b, p.a))
			b.set(p.s, 0, b.op(OpSub, one, two))
			b.set(p.s, 0, b.op(OpSub, two, one))
			b.ret()
		},
		before: `
			v6:int64 = mul a.v0, b.v1
			area.v7:int64 = mul b.v1, a.v0
			v8:int64 = sub v6, area.v7
			v9:int64 = const 0
			v10:*int64 = index s.v5, v9
			store v10, v8
			v11:int64 = sub area.v7, v6
			v12:int64 = const 0
			v13:*int64 = index s.v5, v12
			store v13, v11
			return`,
		after: `
			area.v6:int64 = mul a.v0, b.v1
			v8:int64 = sub area.v6, area.v6
			v9:int64 = const 0
			v10:*int64 = index s.v5, v9
			store v10, v8
			store v10, v8
			return`,
	},
	{
		name: "cse: what differs",
		pass: cse,
		build: func(b builder, p params) {
			b.op(OpSub, p.a, p.b)
			b.op(OpSub, p.b, p.a)
			b.convert(Int32, p.a)
			b.convert(Int16, p.a)
			b.math(MathMax, Float32, p.x, p.y)
			b.math(MathMin, Float32, p.x, p.y)
			b.op(OpMin, p.x, p.y)
			b.op(OpMin, p.y, p.x)
			b.float(Float64, 0)
			b.constant(Float64, Const{bits: signBit(Float64)})
			b.float(Float32, 0)
			b.int(Int64, 0)
			b.ret()
		},
		before: `
			v6:int64 = sub a.v0, b.v1
			v7:int64 = sub b.v1, a.v0
			v8:int32 = convert a.v0
			v9:int16 = convert a.v0
			v10:float32 = math mathmax x.v3, y.v4
			v11:float32 = math mathmin x.v3, y.v4
			v12:float32 = min x.v3, y.v4
			v13:float32 = min y.v4, x.v3
			v14:float64 = const 0
			v15:float64 = const -0
			v16:float32 = const 0
			v17:int64 = const 0
			return`,
	},
	{
		name: "cse: from the blocks around, not from those beside",
		pass: cse,
		build: func(b builder, p params) {
			outer := b.op(OpAdd, p.a, p.b)
			b.ifelse(p.c, nil, func(b builder) {
				b.set(p.s, 0, b.op(OpAdd, p.a, p.b))
				b.set(p.s, 0, b.op(OpMul, p.a, p.b))
				b.yield()
			}, func(b builder) {
				b.set(p.s, 0, b.op(OpMul, p.a, p.b))
				b.yield()
			})
			b.store(b.op(OpIndexAddr, p.s, outer), b.op(OpMul, p.a, p.b))
			b.ret()
		},
		before: `
			v6:int64 = add a.v0, b.v1
			if c.v2 {
				v7:int64 = add a.v0, b.v1
				v8:int64 = const 0
				v9:*int64 = index s.v5, v8
				store v9, v7
				v10:int64 = mul a.v0, b.v1
				v11:int64 = const 0
				v12:*int64 = index s.v5, v11
				store v12, v10
				yield
			} else {
				v13:int64 = mul a.v0, b.v1
				v14:int64 = const 0
				v15:*int64 = index s.v5, v14
				store v15, v13
				yield
			}
			v16:*int64 = index s.v5, v6
			v17:int64 = mul a.v0, b.v1
			store v16, v17
			return`,
		after: `
			v6:int64 = add a.v0, b.v1
			if c.v2 {
				v8:int64 = const 0
				v9:*int64 = index s.v5, v8
				store v9, v6
				v10:int64 = mul a.v0, b.v1
				store v9, v10
				yield
			} else {
				v13:int64 = mul a.v0, b.v1
				v14:int64 = const 0
				v15:*int64 = index s.v5, v14
				store v15, v13
				yield
			}
			v16:*int64 = index s.v5, v6
			v17:int64 = mul a.v0, b.v1
			store v16, v17
			return`,
	},
	{
		name: "cse: a loop's parts see what is around it",
		pass: cse,
		build: func(b builder, p params) {
			b.op(OpMul, p.a, p.a)
			b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value {
				b.op(OpMul, v[0], p.b)
				return b.op(OpLt, v[0], b.op(OpMul, p.a, p.a))
			}, func(b builder, loop *Instr, v []*Value) {
				b.next(loop, b.op(OpMul, v[0], p.b))
			}, func(b builder, v []*Value) []*Value {
				return []*Value{b.op(OpAdd, v[0], b.op(OpMul, p.a, p.a))}
			})
			b.ret()
		},
		before: `
			v6:int64 = mul a.v0, a.v0
			a.v7:int64 = loop L0 (a.v8:int64 = a.v0) {
				v10:int64 = mul a.v8, b.v1
				v11:int64 = mul a.v0, a.v0
				v12:bool = lt a.v8, v11
				test v12
			} do {
				v13:int64 = mul a.v8, b.v1
				continue L0 (v13)
			} post (a.v9:int64) {
				v14:int64 = mul a.v0, a.v0
				v15:int64 = add a.v9, v14
				yield v15
			}
			return`,
		after: `
			v6:int64 = mul a.v0, a.v0
			a.v7:int64 = loop L0 (a.v8:int64 = a.v0) {
				v10:int64 = mul a.v8, b.v1
				v12:bool = lt a.v8, v6
				test v12
			} do {
				v13:int64 = mul a.v8, b.v1
				continue L0 (v13)
			} post (a.v9:int64) {
				v15:int64 = add a.v9, v6
				yield v15
			}
			return`,
	},
	{
		name: "cse: names of constants",
		pass: cse,
		build: func(b builder, p params) {
			b.set(p.s, 0, b.named("i", b.int(Int64, 0)))
			b.set(p.s, 1, b.named("sum", b.int(Int64, 0)))
			b.named("n", b.int(Int64, 8))
			b.set(p.s, 2, b.named("n", b.int(Int64, 8)))
			b.ret()
		},
		before: `
			i.v6:int64 = const 0
			v7:int64 = const 0
			v8:*int64 = index s.v5, v7
			store v8, i.v6
			sum.v9:int64 = const 0
			v10:int64 = const 1
			v11:*int64 = index s.v5, v10
			store v11, sum.v9
			n.v12:int64 = const 8
			n.v13:int64 = const 8
			v14:int64 = const 2
			v15:*int64 = index s.v5, v14
			store v15, n.v13
			return`,
		after: `
			v6:int64 = const 0
			v8:*int64 = index s.v5, v6
			store v8, v6
			v10:int64 = const 1
			v11:*int64 = index s.v5, v10
			store v11, v6
			n.v12:int64 = const 8
			v14:int64 = const 2
			v15:*int64 = index s.v5, v14
			store v15, n.v12
			return`,
	},
	{
		name: "cse: not loads",
		pass: cse,
		build: func(b builder, p params) {
			at := b.op(OpIndexAddr, p.s, p.a)
			one := b.op(OpLoad, at)
			b.store(at, p.b)
			b.store(at, b.op(OpAdd, one, b.op(OpLoad, at)))
			b.ret()
		},
		before: `
			v6:*int64 = index s.v5, a.v0
			v7:int64 = load v6
			store v6, b.v1
			v8:int64 = load v6
			v9:int64 = add v7, v8
			store v6, v9
			return`,
	},
	{
		name: "cse: threads",
		pass: cse,
		build: func(b builder, p params) {
			t := b.Func.Body.AddParam(Thread, "t")
			for _, in := range []Instr{{Op: OpThreadID, Rank: 1}, {Op: OpThreadID, Rank: 1}, {Op: OpThreadDim}, {Op: OpThreadDim, Axis: 1}, {Op: OpThreadDim}} {
				in.Args = []*Value{t}
				b.Append(&in, Int64)
			}
			b.ret()
		},
		before: `
			v7:int64 = thread.id t.v6 axis 0 of 1
			v8:int64 = thread.id t.v6 axis 0 of 1
			v9:int64 = thread.dim t.v6 axis 0
			v10:int64 = thread.dim t.v6 axis 1
			v11:int64 = thread.dim t.v6 axis 0
			return`,
		after: `
			v7:int64 = thread.id t.v6 axis 0 of 1
			v9:int64 = thread.dim t.v6 axis 0
			v10:int64 = thread.dim t.v6 axis 1
			return`,
	},
	{
		name: "cse: calls without effect",
		pass: cse,
		build: func(b builder, p params) {
			pure := addFunc(p.m, "divmod", false, []*Value{arg(Int64, "x")}, []Type{Int64, Int64}, func(b builder, p []*Value) { b.ret(p[0], p[0]) })
			reads := addFunc(p.m, "first", false, []*Value{arg(Slice{Int64}, "x")}, []Type{Int64}, func(b builder, p []*Value) {
				b.ret(b.op(OpLoad, b.op(OpIndexAddr, p[0], b.int(Int64, 0))))
			})
			one, two := b.call(pure, p.a), b.call(pure, p.a)
			b.set(p.s, 0, b.op(OpAdd, one[0], two[1]))
			one, two = b.call(reads, p.s), b.call(reads, p.s)
			b.set(p.s, 0, b.op(OpAdd, one[0], two[0]))
			b.ret()
		},
		before: `
			v6:int64, v7:int64 = call divmod(a.v0)
			v8:int64, v9:int64 = call divmod(a.v0)
			v10:int64 = add v6, v9
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, v10
			v13:int64 = call first(s.v5)
			v14:int64 = call first(s.v5)
			v15:int64 = add v13, v14
			v16:int64 = const 0
			v17:*int64 = index s.v5, v16
			store v17, v15
			return`,
		after: `
			v6:int64, v7:int64 = call divmod(a.v0)
			v10:int64 = add v6, v7
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, v10
			v13:int64 = call first(s.v5)
			v14:int64 = call first(s.v5)
			v15:int64 = add v13, v14
			store v12, v15
			return`,
	},
}
