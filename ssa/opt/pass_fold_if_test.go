package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// foldIfCases are those of fold about Ifs: see TestPasses.
var foldIfCases = []passCase{
	{
		name: "if: the taken block in place",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			in := b.IfElse(b.Bool(true), []ssa.Type{ssa.Int64}, func(b ssatest.Builder) {
				b.Yield(b.Op(ssa.OpAdd, p.A, p.B))
			}, func(b ssatest.Builder) {
				b.Set(p.S, 1, p.A)
				b.Yield(p.B)
			})
			b.Set(p.S, 0, in.Result())
			b.Return()
		},
		before: `
			v6:bool = const true
			v7:int64 = if v6 {
				v8:int64 = add a.v0, b.v1
				yield v8
			} else {
				v9:int64 = const 1
				v10:*int64 = index s.v5, v9
				store v10, a.v0
				yield b.v1
			}
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, v7
			return`,
		after: `
			v6:bool = const true
			v8:int64 = add a.v0, b.v1
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, v8
			return`,
	},
	{
		name: "if: the taken block leaves",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(b.Op(ssa.OpEq, p.A, p.A), nil, func(b ssatest.Builder) {
				b.Set(p.S, 1, p.A)
				b.Return()
			}, nil)
			b.Set(p.S, 2, p.A)
			b.Return()
		},
		before: `
			v6:bool = eq a.v0, a.v0
			if v6 {
				v7:int64 = const 1
				v8:*int64 = index s.v5, v7
				store v8, a.v0
				return
			} else {
				yield
			}
			v9:int64 = const 2
			v10:*int64 = index s.v5, v9
			store v10, a.v0
			return`,
		after: `
			v6:bool = const true
			v7:int64 = const 1
			v8:*int64 = index s.v5, v7
			store v8, a.v0
			return`,
	},
	{
		name: "if: nested, the inner one leaves the loop",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpLt, v[0], p.B)
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				in := b.IfElse(b.Bool(false), []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Yield(p.A) }, func(b ssatest.Builder) {
					b.IfElse(b.Bool(true), nil, func(b ssatest.Builder) { b.Break(loop, p.B) }, nil)
					b.Yield(v[0])
				})
				b.Next(loop, in.Result())
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
			b.Set(p.S, 0, l.Result())
			b.Return()
		},
		before: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = lt a.v7, b.v1
				test v9
			} do {
				v10:bool = const false
				v11:int64 = if v10 {
					yield a.v0
				} else {
					v12:bool = const true
					if v12 {
						break L0 (b.v1)
					} else {
						yield
					}
					yield a.v7
				}
				continue L0 (v11)
			} post (a.v8:int64) {
				yield a.v8
			}
			v13:int64 = const 0
			v14:*int64 = index s.v5, v13
			store v14, a.v6
			return`,
		after: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = lt a.v7, b.v1
				test v9
			} do {
				v10:bool = const false
				v12:bool = const true
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
		name: "if: both blocks leave once folded",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(p.C, nil, func(b ssatest.Builder) {
				b.IfElse(b.Bool(true), nil, func(b ssatest.Builder) { b.Return() }, nil)
				b.Yield()
			}, func(b ssatest.Builder) { b.Return() })
			b.Set(p.S, 0, p.A)
			b.Return()
		},
		before: `
			if c.v2 {
				v6:bool = const true
				if v6 {
					return
				} else {
					yield
				}
				yield
			} else {
				return
			}
			v7:int64 = const 0
			v8:*int64 = index s.v5, v7
			store v8, a.v0
			return`,
		after: `
			if c.v2 {
				v6:bool = const true
				return
			} else {
				return
			}
			unreachable`,
	},
	{
		name: "if: in the cond of a loop",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.IfElse(b.Bool(true), []ssa.Type{ssa.Bool}, func(b ssatest.Builder) {
					b.Yield(b.Op(ssa.OpLt, v[0], p.B))
				}, func(b ssatest.Builder) { b.Yield(b.Bool(false)) }).Result()
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v...) }, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
			b.Return()
		},
		before: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = const true
				v10:bool = if v9 {
					v11:bool = lt a.v7, b.v1
					yield v11
				} else {
					v12:bool = const false
					yield v12
				}
				test v10
			} do {
				continue L0 (a.v7)
			} post (a.v8:int64) {
				yield a.v8
			}
			return`,
		after: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = const true
				v11:bool = lt a.v7, b.v1
				test v11
			} do {
				continue L0 (a.v7)
			} post (a.v8:int64) {
				yield a.v8
			}
			return`,
	},
	{
		name: "if: results that need none",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			in := b.IfElse(p.C, []ssa.Type{ssa.Int64, ssa.Bool, ssa.Bool, ssa.Int64, ssa.Int64}, func(b ssatest.Builder) {
				b.Yield(p.A, b.Bool(true), b.Bool(false), b.Int(ssa.Int64, 7), p.A)
			}, func(b ssatest.Builder) {
				b.Yield(p.A, b.Bool(false), b.Bool(true), b.Int(ssa.Int64, 7), p.B)
			})
			r := in.Results
			b.IfElse(b.Op(ssa.OpOr, r[1], r[2]), nil, func(b ssatest.Builder) {
				b.Set(p.S, 0, r[0])
				b.Set(p.S, 1, r[3])
				b.Set(p.S, 2, r[4])
				b.Yield()
			}, nil)
			b.Return()
		},
		before: `
			v6:int64, v7:bool, v8:bool, v9:int64, v10:int64 = if c.v2 {
				v11:bool = const true
				v12:bool = const false
				v13:int64 = const 7
				yield a.v0, v11, v12, v13, a.v0
			} else {
				v14:bool = const false
				v15:bool = const true
				v16:int64 = const 7
				yield a.v0, v14, v15, v16, b.v1
			}
			v17:bool = or v7, v8
			if v17 {
				v18:int64 = const 0
				v19:*int64 = index s.v5, v18
				store v19, v6
				v20:int64 = const 1
				v21:*int64 = index s.v5, v20
				store v21, v9
				v22:int64 = const 2
				v23:*int64 = index s.v5, v22
				store v23, v10
				yield
			} else {
				yield
			}
			return`,
		after: `
			v24:bool = not c.v2
			v25:int64 = const 7
			v6:int64, v7:bool, v8:bool, v9:int64, v10:int64 = if c.v2 {
				v11:bool = const true
				v12:bool = const false
				v13:int64 = const 7
				yield a.v0, v11, v12, v13, a.v0
			} else {
				v14:bool = const false
				v15:bool = const true
				v16:int64 = const 7
				yield a.v0, v14, v15, v16, b.v1
			}
			v17:bool = or c.v2, v24
			if v17 {
				v18:int64 = const 0
				v19:*int64 = index s.v5, v18
				store v19, a.v0
				v20:int64 = const 1
				v21:*int64 = index s.v5, v20
				store v21, v25
				v22:int64 = const 2
				v23:*int64 = index s.v5, v22
				store v23, v10
				yield
			} else {
				yield
			}
			return`,
	},
	{
		name: "if: results of the only block that yields",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			in := b.IfElse(p.C, []ssa.Type{ssa.Int64, ssa.Int64}, func(b ssatest.Builder) { b.Return() }, func(b ssatest.Builder) {
				b.Yield(p.A, b.Op(ssa.OpAdd, p.A, p.B))
			})
			b.Set(p.S, 0, in.Results[0])
			b.Set(p.S, 1, in.Results[1])
			b.Return()
		},
		before: `
			v6:int64, v7:int64 = if c.v2 {
				return
			} else {
				v8:int64 = add a.v0, b.v1
				yield a.v0, v8
			}
			v9:int64 = const 0
			v10:*int64 = index s.v5, v9
			store v10, v6
			v11:int64 = const 1
			v12:*int64 = index s.v5, v11
			store v12, v7
			return`,
		after: `
			v6:int64, v7:int64 = if c.v2 {
				return
			} else {
				v8:int64 = add a.v0, b.v1
				yield a.v0, v8
			}
			v9:int64 = const 0
			v10:*int64 = index s.v5, v9
			store v10, a.v0
			v11:int64 = const 1
			v12:*int64 = index s.v5, v11
			store v12, v7
			return`,
	},
}
