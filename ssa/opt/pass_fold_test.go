package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// foldCases: see TestPasses.
var foldCases = []passCase{
	{
		name: "constants",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			sum := b.Named("sum", b.Op(ssa.OpAdd, b.Int(ssa.Int64, 2), b.Int(ssa.Int64, 3)))
			b.Set(p.S, 0, b.Op(ssa.OpMul, sum, p.A))
			b.Return()
		},
		before: `
			v6:int64 = const 2
			v7:int64 = const 3
			sum.v8:int64 = add v6, v7
			v9:int64 = mul sum.v8, a.v0
			v10:int64 = const 0
			v11:*int64 = index s.v5, v10
			store v11, v9
			return`,
		after: `
			v6:int64 = const 2
			v7:int64 = const 3
			sum.v8:int64 = const 5
			v9:int64 = mul sum.v8, a.v0
			v10:int64 = const 0
			v11:*int64 = index s.v5, v10
			store v11, v9
			return`,
	},
	{
		name: "two results",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			r := b.Math(ssa.Frexp, ssa.Float64, b.Float(ssa.Float64, 6))
			b.Set(p.S, 0, r[1])
			b.Return()
		},
		before: `
			v6:float64 = const 6
			v7:float64, v8:int64 = math frexp v6
			v9:int64 = const 0
			v10:*int64 = index s.v5, v9
			store v10, v8
			return`,
		after: `
			v6:float64 = const 6
			v11:float64 = const 0.75
			v12:int64 = const 3
			v9:int64 = const 0
			v10:*int64 = index s.v5, v9
			store v10, v12
			return`,
	},
	{
		name: "a name passes on",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			i := b.Named("i", b.Convert(ssa.Int64, b.Op(ssa.OpSub, p.A, p.B)))
			b.Set(p.S, 0, i)
			b.Return()
		},
		before: `
			v6:int64 = sub a.v0, b.v1
			i.v7:int64 = convert v6
			v8:int64 = const 0
			v9:*int64 = index s.v5, v8
			store v9, i.v7
			return`,
		after: `
			i.v6:int64 = sub a.v0, b.v1
			v8:int64 = const 0
			v9:*int64 = index s.v5, v8
			store v9, i.v6
			return`,
	},
	{
		name: "length of a part",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			part := b.Append(&ssa.Instr{Op: ssa.OpSubslice, Args: []*ssa.Value{p.S, p.A, p.B}}, p.S.Type)
			b.Set(p.S, 0, b.Op(ssa.OpLen, part.Result()))
			b.Return()
		},
		before: `
			v6:[]int64 = subslice s.v5, a.v0, b.v1
			v7:int64 = len v6
			v8:int64 = const 0
			v9:*int64 = index s.v5, v8
			store v9, v7
			return`,
		after: `
			v6:[]int64 = subslice s.v5, a.v0, b.v1
			v7:int64 = sub b.v1, a.v0
			v8:int64 = const 0
			v9:*int64 = index s.v5, v8
			store v9, v7
			return`,
	},
	{
		name: "loop: the first test fails",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := b.Loop([]*ssa.Value{b.Int(ssa.Int64, 5), p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				b.Set(p.S, 0, v[1])
				return b.Op(ssa.OpLt, v[0], b.Op(ssa.OpAdd, b.Int(ssa.Int64, 2), b.Int(ssa.Int64, 3)))
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v...) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
			b.Set(p.S, 1, l.Results[1])
			b.Return()
		},
		before: `
			v6:int64 = const 5
			v7:int64, a.v8:int64 = loop L0 (v9:int64 = v6, a.v10:int64 = a.v0) {
				v13:int64 = const 0
				v14:*int64 = index s.v5, v13
				store v14, a.v10
				v15:int64 = const 2
				v16:int64 = const 3
				v17:int64 = add v15, v16
				v18:bool = lt v9, v17
				test v18
			} do {
				continue L0 (v9, a.v10)
			} post (v11:int64, a.v12:int64) {
				yield v11, a.v12
			}
			v19:int64 = const 1
			v20:*int64 = index s.v5, v19
			store v20, a.v8
			return`,
		after: `
			v6:int64 = const 5
			v13:int64 = const 0
			v14:*int64 = index s.v5, v13
			store v14, a.v0
			v15:int64 = const 2
			v16:int64 = const 3
			v17:int64 = const 5
			v18:bool = const false
			v19:int64 = const 1
			v20:*int64 = index s.v5, v19
			store v20, a.v0
			return`,
	},
	{
		name: "loop: one turn",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) }, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Return() }, nil)
				b.Break(loop, b.Op(ssa.OpAdd, v[0], p.B))
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
			b.Set(p.S, 0, l.Result())
			b.Return()
		},
		before: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = const true
				test v9
			} do {
				if c.v2 {
					return
				} else {
					yield
				}
				v10:int64 = add a.v7, b.v1
				break L0 (v10)
			} post (a.v8:int64) {
				yield a.v8
			}
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, a.v6
			return`,
		after: `
			v9:bool = const true
			if c.v2 {
				return
			} else {
				yield
			}
			a.v10:int64 = add a.v0, b.v1
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, a.v10
			return`,
	},
	{
		name: "loop: nothing after an endless one",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
					b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Return() }, nil)
					b.Next(loop)
				}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
			b.Set(p.S, 0, p.A)
			b.Return()
		},
		before: `
			loop L0 {
				v6:bool = const true
				test v6
			} do {
				if c.v2 {
					return
				} else {
					yield
				}
				continue L0
			} post {
				yield
			}
			v7:int64 = const 0
			v8:*int64 = index s.v5, v7
			store v8, a.v0
			return`,
		after: `
			loop L0 {
				v6:bool = const true
				test v6
			} do {
				if c.v2 {
					return
				} else {
					yield
				}
				continue L0
			} post {
				yield
			}
			unreachable`,
	},
	{
		name: "loop: a break makes the end reached",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
					b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(loop) }, nil)
					b.Next(loop)
				}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
			b.Set(p.S, 0, p.A)
			b.Return()
		},
		before: `
			loop L0 {
				v6:bool = const true
				test v6
			} do {
				if c.v2 {
					break L0
				} else {
					yield
				}
				continue L0
			} post {
				yield
			}
			v7:int64 = const 0
			v8:*int64 = index s.v5, v7
			store v8, a.v0
			return`,
	},
	{
		name: "loop: cond comes to its own end, reached or not",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			forever := func(b ssatest.Builder) {
				b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
					func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop) },
					func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
			}
			b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				b.IfElse(b.Bool(true), nil, func(b ssatest.Builder) { forever(b); b.Unreachable() }, nil)
				forever(b)
				return p.C
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
			b.Return()
		},
		before: `
			loop L0 {
				v6:bool = const true
				if v6 {
					loop L1 {
						v7:bool = const true
						test v7
					} do {
						continue L1
					} post {
						yield
					}
					unreachable
				} else {
					yield
				}
				loop L2 {
					v8:bool = const true
					test v8
				} do {
					continue L2
				} post {
					yield
				}
				test c.v2
			} do {
				continue L0
			} post {
				yield
			}
			return`,
	},
}
