package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// dceCases: see TestPasses.
var dceCases = []passCase{
	{
		name: "dce: unused computations and loads",
		pass: dce,
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Op(ssa.OpAdd, b.Op(ssa.OpMul, p.A, p.B), p.A)
			b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p.S, p.A))
			b.Math(ssa.Modf, ssa.Float32, p.X)
			b.Set(p.S, 0, p.A)
			b.Return()
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
		name: "dce: writes to memory that nobody looks at, and reads",
		pass: dropUnread,
		build: func(b ssatest.Builder, p ssatest.Params) {
			at := b.Op(ssa.OpIndexAddr, p.S, p.A)
			b.Store(at, b.Op(ssa.OpAdd, b.Op(ssa.OpLoad, at), p.B))
			b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{at, p.B}}, ssa.Int64)
			b.Return()
		},
		before: `
			v6:*int64 = index s.v5, a.v0
			v7:int64 = load v6
			v8:int64 = add v7, b.v1
			store v6, v8
			v9:int64 = atomic add v6, b.v1
			return`,
		after: `
			return`,
	},
	{
		name: "dce: writes to memory that nobody looks at, which decide something",
		pass: dropUnread,
		build: func(b ssatest.Builder, p ssatest.Params) {
			at := b.Op(ssa.OpIndexAddr, p.S, p.A)
			b.Store(at, p.B)
			b.IfElse(b.Op(ssa.OpLt, b.Op(ssa.OpLoad, at), p.A), nil, func(b ssatest.Builder) {
				b.Return()
			}, nil)
			b.Return()
		},
		before: `
			v6:*int64 = index s.v5, a.v0
			store v6, b.v1
			v7:int64 = load v6
			v8:bool = lt v7, a.v0
			if v8 {
				return
			} else {
				yield
			}
			return`,
	},
	{
		name: "dce: what has an effect stays",
		pass: dce,
		build: func(b ssatest.Builder, p ssatest.Params) {
			at := b.Op(ssa.OpIndexAddr, p.S, p.A)
			b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{at, p.B}}, ssa.Int64)
			b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Return() }, nil)
			b.Store(at, p.B)
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(b.Op(ssa.OpLt, p.A, p.B), []ssa.Type{ssa.Int64}, func(b ssatest.Builder) {
				b.Yield(b.Op(ssa.OpAdd, p.A, p.B))
			}, func(b ssatest.Builder) { b.Yield(p.B) })
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			in := b.IfElse(p.C, []ssa.Type{ssa.Int64, ssa.Int64, ssa.Int64}, func(b ssatest.Builder) {
				b.Yield(b.Op(ssa.OpAdd, p.A, p.B), b.Op(ssa.OpMul, p.A, p.B), p.A)
			}, func(b ssatest.Builder) { b.Yield(p.A, p.B, b.Int(ssa.Int64, 3)) })
			b.Set(p.S, 0, in.Results[1])
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := b.Loop([]*ssa.Value{b.Named("i", b.Int(ssa.Int64, 0)), p.A, p.B, b.Named("sum", b.Int(ssa.Int64, 0))}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpLt, v[0], p.A)
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(loop, v...) }, nil)
				b.Next(loop, v[0], b.Op(ssa.OpAdd, v[1], v[2]), v[1], b.Op(ssa.OpAdd, v[3], v[0]))
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), v[2], v[1], v[3]}
			})
			b.Set(p.S, 0, l.Results[3])
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Loop([]*ssa.Value{p.A, p.B}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpLt, v[0], p.B)
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(loop, v...) }, nil)
				b.Next(loop, v[0], b.Op(ssa.OpMul, v[1], v[0]))
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), v[1]}
			})
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Loop([]*ssa.Value{p.A, p.B}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpNe, v[0], p.B)
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.Next(loop, b.Op(ssa.OpMul, v[0], v[0]), v[0])
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return p.C },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Break(loop, p.B) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
					b.Set(p.S, 1, v[0])
					return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1))}
				})
			b.Set(p.S, 0, l.Result())
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			slice := []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "x")}
			reads := ssatest.AddFunc(p.Module, "reads", false, slice, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
				b.Return(b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[0], b.Int(ssa.Int64, 0))))
			})
			writes := ssatest.AddFunc(p.Module, "writes", false, slice, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
				b.Set(p[0], 0, b.Int(ssa.Int64, 1))
				b.Return(b.Int(ssa.Int64, 0))
			})
			counts := ssatest.AddFunc(p.Module, "counts", false, slice, nil, func(b ssatest.Builder, p []*ssa.Value) {
				b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0)}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], b.Int(ssa.Int64, 9)) },
					func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v...) },
					func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
						return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1))}
					})
				b.Return()
			})
			hangs := ssatest.AddFunc(p.Module, "hangs", false, slice, nil, func(b ssatest.Builder, p []*ssa.Value) {
				b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
					func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop) },
					func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
				b.Unreachable()
			})
			for _, f := range []*ssa.Func{reads, writes, counts, hangs} {
				b.Call(f, p.S)
			}
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			for range 2 {
				l := b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return p.C },
					func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Break(loop, p.B) },
					func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { b.Set(p.S, 1, v[0]); return v })
				p.A = l.Result()
				if len(b.Instrs) == 1 {
					b.Set(p.S, 0, p.A)
				}
			}
			b.Return()
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

// dropUnread is for a function of which nobody looks at what it leaves in slices.
func dropUnread(f *ssa.Func, summaries *analysis.Summaries) bool {
	return DropUnread(f, summaries, func(addr *ssa.Value) (any, bool) { return addr.Root(), true })
}
