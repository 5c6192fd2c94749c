package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// cseCases: see TestPasses.
var cseCases = []passCase{
	{
		name: "cse: equal expressions",
		pass: cse,
		build: func(b ssatest.Builder, p ssatest.Params) {
			one := b.Op(ssa.OpMul, p.A, p.B)
			two := b.Named("area", b.Op(ssa.OpMul, p.B, p.A))
			b.Set(p.S, 0, b.Op(ssa.OpSub, one, two))
			b.Set(p.S, 0, b.Op(ssa.OpSub, two, one))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Op(ssa.OpSub, p.A, p.B)
			b.Op(ssa.OpSub, p.B, p.A)
			b.Convert(ssa.Int32, p.A)
			b.Convert(ssa.Int16, p.A)
			b.Math(ssa.MathMax, ssa.Float32, p.X, p.Y)
			b.Math(ssa.MathMin, ssa.Float32, p.X, p.Y)
			b.Op(ssa.OpMin, p.X, p.Y)
			b.Op(ssa.OpMin, p.Y, p.X)
			b.Float(ssa.Float64, 0)
			b.Constant(ssa.Float64, ssa.BitsConst(ssa.SignBit(ssa.Float64)))
			b.Float(ssa.Float32, 0)
			b.Int(ssa.Int64, 0)
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			outer := b.Op(ssa.OpAdd, p.A, p.B)
			b.IfElse(p.C, nil, func(b ssatest.Builder) {
				b.Set(p.S, 0, b.Op(ssa.OpAdd, p.A, p.B))
				b.Set(p.S, 0, b.Op(ssa.OpMul, p.A, p.B))
				b.Yield()
			}, func(b ssatest.Builder) {
				b.Set(p.S, 0, b.Op(ssa.OpMul, p.A, p.B))
				b.Yield()
			})
			b.Store(b.Op(ssa.OpIndexAddr, p.S, outer), b.Op(ssa.OpMul, p.A, p.B))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Op(ssa.OpMul, p.A, p.A)
			b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				b.Op(ssa.OpMul, v[0], p.B)
				return b.Op(ssa.OpLt, v[0], b.Op(ssa.OpMul, p.A, p.A))
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.Next(loop, b.Op(ssa.OpMul, v[0], p.B))
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Op(ssa.OpMul, p.A, p.A))}
			})
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Set(p.S, 0, b.Named("i", b.Int(ssa.Int64, 0)))
			b.Set(p.S, 1, b.Named("sum", b.Int(ssa.Int64, 0)))
			b.Named("n", b.Int(ssa.Int64, 8))
			b.Set(p.S, 2, b.Named("n", b.Int(ssa.Int64, 8)))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			at := b.Op(ssa.OpIndexAddr, p.S, p.A)
			one := b.Op(ssa.OpLoad, at)
			b.Store(at, p.B)
			b.Store(at, b.Op(ssa.OpAdd, one, b.Op(ssa.OpLoad, at)))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			t := b.Func.Body.AddParam(ssa.Thread, "t")
			for _, in := range []ssa.Instr{{Op: ssa.OpThreadID, Rank: 1}, {Op: ssa.OpThreadID, Rank: 1}, {Op: ssa.OpThreadDim}, {Op: ssa.OpThreadDim, Axis: 1}, {Op: ssa.OpThreadDim}} {
				in.Args = []*ssa.Value{t}
				b.Append(&in, ssa.Int64)
			}
			b.Return()
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
		name: "cse: calls without effect, or that may stop the launch",
		pass: cse,
		build: func(b ssatest.Builder, p ssatest.Params) {
			pure := ssatest.AddFunc(p.Module, "divmod", false, []*ssa.Value{ssatest.Arg(ssa.Int64, "x")}, []ssa.Type{ssa.Int64, ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
				b.Check(ssa.CheckDivide, p[0])
				b.Return(p[0], p[0])
			})
			reads := ssatest.AddFunc(p.Module, "first", false, []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "x")}, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
				b.Return(b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[0], b.Int(ssa.Int64, 0))))
			})
			one, two := b.Call(pure, p.A), b.Call(pure, p.A)
			b.Set(p.S, 0, b.Op(ssa.OpAdd, one[0], two[1]))
			one, two = b.Call(reads, p.S), b.Call(reads, p.S)
			b.Set(p.S, 0, b.Op(ssa.OpAdd, one[0], two[0]))
			b.Return()
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
