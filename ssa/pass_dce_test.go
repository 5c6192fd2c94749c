package ssa

// dceCases: see TestPasses.
var dceCases = []passCase{
	{
		name: "dce: unused computations and loads",
		pass: dce,
		build: func(b builder, p params) {
			b.op(OpAdd, b.op(OpMul, p.a, p.b), p.a)
			b.op(OpLoad, b.op(OpIndexAddr, p.s, p.a))
			b.math(Modf, Float32, p.x)
			b.set(p.s, 0, p.a)
			b.ret()
		},
		before: `
			v6:int64 = mul a.v0, b.v1
			v7:int64 = add v6, a.v0
			v8:*int64 = index s.v5, a.v0
			v9:int64 = load v8
			v10:float32, v11:float32 = math modf x.v3
			v12:int64 = const 0
			v13:*int64 = index s.v5, v12
			store v13, a.v0
			return`,
		after: `
			v12:int64 = const 0
			v13:*int64 = index s.v5, v12
			store v13, a.v0
			return`,
	},
	{
		name: "dce: what has an effect stays",
		pass: dce,
		build: func(b builder, p params) {
			at := b.op(OpIndexAddr, p.s, p.a)
			b.Append(&Instr{Op: OpAtomic, Atomic: AtomicAdd, Args: []*Value{at, p.b}}, Int64)
			b.ifelse(p.c, nil, func(b builder) { b.ret() }, nil)
			b.store(at, p.b)
			b.ret()
		},
		before: `
			v6:*int64 = index s.v5, a.v0
			v7:int64 = atomic add v6, b.v1
			if c.v2 {
				return
			} else {
				yield
			}
			store v6, b.v1
			return`,
	},
	{
		name: "dce: an if without effect",
		pass: dce,
		build: func(b builder, p params) {
			b.ifelse(b.op(OpLt, p.a, p.b), []Type{Int64}, func(b builder) {
				b.yield(b.op(OpAdd, p.a, p.b))
			}, func(b builder) { b.yield(p.b) })
			b.ret()
		},
		before: `
			v6:bool = lt a.v0, b.v1
			v7:int64 = if v6 {
				v8:int64 = add a.v0, b.v1
				yield v8
			} else {
				yield b.v1
			}
			return`,
		after: `
			return`,
	},
	{
		name: "dce: unused results of an if",
		pass: dce,
		build: func(b builder, p params) {
			in := b.ifelse(p.c, []Type{Int64, Int64, Int64}, func(b builder) {
				b.yield(b.op(OpAdd, p.a, p.b), b.op(OpMul, p.a, p.b), p.a)
			}, func(b builder) { b.yield(p.a, p.b, b.int(Int64, 3)) })
			b.set(p.s, 0, in.Results[1])
			b.ret()
		},
		before: `
			v6:int64, v7:int64, v8:int64 = if c.v2 {
				v9:int64 = add a.v0, b.v1
				v10:int64 = mul a.v0, b.v1
				yield v9, v10, a.v0
			} else {
				v11:int64 = const 3
				yield a.v0, b.v1, v11
			}
			v12:int64 = const 0
			v13:*int64 = index s.v5, v12
			store v13, v7
			return`,
		after: `
			v7:int64 = if c.v2 {
				v10:int64 = mul a.v0, b.v1
				yield v10
			} else {
				yield b.v1
			}
			v12:int64 = const 0
			v13:*int64 = index s.v5, v12
			store v13, v7
			return`,
	},
	{
		name: "dce: loop variables that need only each other",
		pass: dce,
		build: func(b builder, p params) {
			l := b.loop([]*Value{b.named("i", b.int(Int64, 0)), p.a, p.b, b.named("sum", b.int(Int64, 0))}, func(b builder, v []*Value) *Value {
				return b.op(OpLt, v[0], p.a)
			}, func(b builder, loop *Instr, v []*Value) {
				b.ifelse(p.c, nil, func(b builder) { b.brk(loop, v...) }, nil)
				b.next(loop, v[0], b.op(OpAdd, v[1], v[2]), v[1], b.op(OpAdd, v[3], v[0]))
			}, func(b builder, v []*Value) []*Value {
				return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1)), v[2], v[1], v[3]}
			})
			b.set(p.s, 0, l.Results[3])
			b.ret()
		},
		before: `
			i.v6:int64 = const 0
			sum.v7:int64 = const 0
			i.v8:int64, a.v9:int64, b.v10:int64, sum.v11:int64 = loop L0 (i.v12:int64 = i.v6, a.v13:int64 = a.v0, b.v14:int64 = b.v1, sum.v15:int64 = sum.v7) {
				v20:bool = lt i.v12, a.v0
				test v20
			} do {
				if c.v2 {
					break L0 (i.v12, a.v13, b.v14, sum.v15)
				} else {
					yield
				}
				v21:int64 = add a.v13, b.v14
				v22:int64 = add sum.v15, i.v12
				continue L0 (i.v12, v21, a.v13, v22)
			} post (i.v16:int64, a.v17:int64, b.v18:int64, sum.v19:int64) {
				v23:int64 = const 1
				v24:int64 = add i.v16, v23
				yield v24, b.v18, a.v17, sum.v19
			}
			v25:int64 = const 0
			v26:*int64 = index s.v5, v25
			store v26, sum.v11
			return`,
		after: `
			i.v6:int64 = const 0
			sum.v7:int64 = const 0
			i.v8:int64, sum.v11:int64 = loop L0 (i.v12:int64 = i.v6, sum.v15:int64 = sum.v7) {
				v20:bool = lt i.v12, a.v0
				test v20
			} do {
				if c.v2 {
					break L0 (i.v12, sum.v15)
				} else {
					yield
				}
				v22:int64 = add sum.v15, i.v12
				continue L0 (i.v12, v22)
			} post (i.v16:int64, sum.v19:int64) {
				v23:int64 = const 1
				v24:int64 = add i.v16, v23
				yield v24, sum.v19
			}
			v25:int64 = const 0
			v26:*int64 = index s.v5, v25
			store v26, sum.v11
			return`,
	},
	{
		name: "dce: a loop that ends, without effect",
		pass: dce,
		build: func(b builder, p params) {
			b.loop([]*Value{p.a, p.b}, func(b builder, v []*Value) *Value {
				return b.op(OpLt, v[0], p.b)
			}, func(b builder, loop *Instr, v []*Value) {
				b.ifelse(p.c, nil, func(b builder) { b.brk(loop, v...) }, nil)
				b.next(loop, v[0], b.op(OpMul, v[1], v[0]))
			}, func(b builder, v []*Value) []*Value {
				return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1)), v[1]}
			})
			b.ret()
		},
		before: `
			a.v6:int64, b.v7:int64 = loop L0 (a.v8:int64 = a.v0, b.v9:int64 = b.v1) {
				v12:bool = lt a.v8, b.v1
				test v12
			} do {
				if c.v2 {
					break L0 (a.v8, b.v9)
				} else {
					yield
				}
				v13:int64 = mul b.v9, a.v8
				continue L0 (a.v8, v13)
			} post (a.v10:int64, b.v11:int64) {
				v14:int64 = const 1
				v15:int64 = add a.v10, v14
				yield v15, b.v11
			}
			return`,
		after: `
			return`,
	},
	{
		name: "dce: a loop that may not end",
		pass: dce,
		build: func(b builder, p params) {
			b.loop([]*Value{p.a, p.b}, func(b builder, v []*Value) *Value {
				return b.op(OpNe, v[0], p.b)
			}, func(b builder, loop *Instr, v []*Value) {
				b.next(loop, b.op(OpMul, v[0], v[0]), v[0])
			}, func(b builder, v []*Value) []*Value { return v })
			b.ret()
		},
		before: `
			a.v6:int64, b.v7:int64 = loop L0 (a.v8:int64 = a.v0, b.v9:int64 = b.v1) {
				v12:bool = ne a.v8, b.v1
				test v12
			} do {
				v13:int64 = mul a.v8, a.v8
				continue L0 (v13, a.v8)
			} post (a.v10:int64, b.v11:int64) {
				yield a.v10, b.v11
			}
			return`,
		after: `
			a.v6:int64 = loop L0 (a.v8:int64 = a.v0) {
				v12:bool = ne a.v8, b.v1
				test v12
			} do {
				v13:int64 = mul a.v8, a.v8
				continue L0 (v13)
			} post (a.v10:int64) {
				yield a.v10
			}
			return`,
	},
	{
		name: "dce: the post of a loop without a second turn",
		pass: dce,
		build: func(b builder, p params) {
			l := b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return p.c },
				func(b builder, loop *Instr, v []*Value) { b.brk(loop, p.b) },
				func(b builder, v []*Value) []*Value {
					b.set(p.s, 1, v[0])
					return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1))}
				})
			b.set(p.s, 0, l.Result())
			b.ret()
		},
		before: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				test c.v2
			} do {
				break L0 (b.v1)
			} post (a.v8:int64) {
				v9:int64 = const 1
				v10:*int64 = index s.v5, v9
				store v10, a.v8
				v11:int64 = const 1
				v12:int64 = add a.v8, v11
				yield v12
			}
			v13:int64 = const 0
			v14:*int64 = index s.v5, v13
			store v14, a.v6
			return`,
		after: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				test c.v2
			} do {
				break L0 (b.v1)
			} post (a.v8:int64) {
				yield a.v8
			}
			v13:int64 = const 0
			v14:*int64 = index s.v5, v13
			store v14, a.v6
			return`,
	},
	{
		name: "dce: calls",
		pass: dce,
		build: func(b builder, p params) {
			slice := []*Value{arg(Slice{Int64}, "x")}
			reads := addFunc(p.m, "reads", false, slice, []Type{Int64}, func(b builder, p []*Value) {
				b.ret(b.op(OpLoad, b.op(OpIndexAddr, p[0], b.int(Int64, 0))))
			})
			writes := addFunc(p.m, "writes", false, slice, []Type{Int64}, func(b builder, p []*Value) {
				b.set(p[0], 0, b.int(Int64, 1))
				b.ret(b.int(Int64, 0))
			})
			counts := addFunc(p.m, "counts", false, slice, nil, func(b builder, p []*Value) {
				b.loop([]*Value{b.int(Int64, 0)}, func(b builder, v []*Value) *Value { return b.op(OpLt, v[0], b.int(Int64, 9)) },
					func(b builder, loop *Instr, v []*Value) { b.next(loop, v...) },
					func(b builder, v []*Value) []*Value { return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1))} })
				b.ret()
			})
			hangs := addFunc(p.m, "hangs", false, slice, nil, func(b builder, p []*Value) {
				b.loop(nil, func(b builder, v []*Value) *Value { return b.bool(true) },
					func(b builder, loop *Instr, v []*Value) { b.next(loop) },
					func(b builder, v []*Value) []*Value { return nil })
				b.unreachable()
			})
			for _, f := range []*Func{reads, writes, counts, hangs} {
				b.call(f, p.s)
			}
			b.ret()
		},
		before: `
			v6:int64 = call reads(s.v5)
			v7:int64 = call writes(s.v5)
			call counts(s.v5)
			call hangs(s.v5)
			return`,
		after: `
			v7:int64 = call writes(s.v5)
			call hangs(s.v5)
			return`,
	},
	{
		name: "dce: an effect in a post that never runs",
		pass: dce,
		build: func(b builder, p params) {
			for range 2 {
				l := b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return p.c },
					func(b builder, loop *Instr, v []*Value) { b.brk(loop, p.b) },
					func(b builder, v []*Value) []*Value { b.set(p.s, 1, v[0]); return v })
				p.a = l.Result()
				if len(b.Instrs) == 1 {
					b.set(p.s, 0, p.a)
				}
			}
			b.ret()
		},
		before: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				test c.v2
			} do {
				break L0 (b.v1)
			} post (a.v8:int64) {
				v9:int64 = const 1
				v10:*int64 = index s.v5, v9
				store v10, a.v8
				yield a.v8
			}
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, a.v6
			a.v13:int64 = loop L1 (a.v14:int64 = a.v6) {
				test c.v2
			} do {
				break L1 (b.v1)
			} post (a.v15:int64) {
				v16:int64 = const 1
				v17:*int64 = index s.v5, v16
				store v17, a.v15
				yield a.v15
			}
			return`,
		after: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				test c.v2
			} do {
				break L0 (b.v1)
			} post (a.v8:int64) {
				yield a.v8
			}
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, a.v6
			return`,
	},
}
