package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// memoryCases are about aggregates, memory, checks and panics, for each pass: see
// TestPasses.
var memoryCases = []passCase{
	{
		name: "fold: parts of what is made",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			v := b.Make(ssatest.Vec, p.X, p.A)
			w := b.Make(ssatest.Vec, b.Field(v, 0), b.Field(v, 1))
			b.Set(p.S, 0, b.Field(w, 1))
			arr := b.Make(ssa.Array{Elem: ssa.Int64, Len: 4}, p.A, p.B, b.Int(ssa.Int64, 7), b.Int(ssa.Int64, 8))
			b.Set(p.S, 1, b.Op(ssa.OpElem, arr, b.Int(ssa.Int64, 1)))
			b.Set(p.S, 2, b.Op(ssa.OpElem, arr, b.Int(ssa.Int64, 4)))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			local := b.Op(ssa.OpLocal, b.Make(ssatest.Vec, p.X, p.A))
			v := b.Op(ssa.OpLoad, local)
			b.Store(local, b.Make(ssatest.Vec, b.Field(v, 0), b.Field(v, 1)))
			b.Store(local, b.Make(ssatest.Vec, p.X, b.Field(v, 1)))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			z := b.Zero(ssa.StructOf("Pair", ssa.Field{Name: "v", Type: ssatest.Vec}, ssa.Field{Name: "s", Type: ssa.Slice{Elem: ssa.Int64}}))
			v := b.Field(z, 0)
			b.Set(p.S, 0, b.Field(v, 1))
			nothing := b.Field(z, 1)
			b.Set(p.S, 1, b.Op(ssa.OpLen, nothing))
			b.Op(ssa.OpIsNil, nothing)
			four := b.Op(ssa.OpSliceOf, b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssa.Int64, Len: 4})))
			b.Op(ssa.OpLen, four)
			b.Op(ssa.OpIsNil, b.Append(&ssa.Instr{Op: ssa.OpSubslice, Args: []*ssa.Value{four, p.A, p.B}}, four.Type).Result())
			b.Op(ssa.OpIsNil, p.S)
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Op(ssa.OpLocal, b.Make(ssa.Array{Elem: ssa.Bool, Len: 2}, p.C, b.Bool(true)))
			b.Op(ssa.OpLocal, b.Make(ssa.Array{Elem: ssa.Int64, Len: 2}, p.A, p.A))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			x := b.Int(ssa.Uint16, 0x0301)
			for op := ssa.BitsLen; op <= ssa.BitsReverseBytes; op++ {
				b.Bits(op, x)
			}
			b.Bits(ssa.BitsTrailingZeros, b.Int(ssa.Uint8, 0))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			zero, three := b.Int(ssa.Int64, 0), b.Int(ssa.Int64, 3)
			b.Check(ssa.CheckIndex, zero, three)
			b.Check(ssa.CheckIndex, three, three)
			b.Check(ssa.CheckIndex, zero, p.A)
			b.Check(ssa.CheckSlice, zero, three, three)
			b.Check(ssa.CheckSlice, three, zero, three)
			b.Check(ssa.CheckSlice, zero, three, zero)
			b.Check(ssa.CheckDivide, three)
			b.Check(ssa.CheckDivide, zero)
			b.Check(ssa.CheckShift, three)
			b.Check(ssa.CheckNil, b.Op(ssa.OpLocal, p.A))
			b.Check(ssa.CheckNil, b.Zero(ssa.Pointer{Elem: ssa.Int64}))
			b.Check(ssa.CheckAssert, b.Bool(true))
			b.Check(ssa.CheckAssert, p.C)
			b.Return()
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
		name: "fold: a panic on a constant condition ends the block",
		pass: fold,
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(b.Bool(true), nil, func(b ssatest.Builder) { b.Panic("never", p.A) }, nil)
			b.Set(p.S, 0, p.A)
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			v := b.Make(ssatest.Vec, p.X, p.A)
			w := b.Make(ssatest.Vec, p.X, p.A)
			p1, p2 := b.Op(ssa.OpLocal, v), b.Op(ssa.OpLocal, w)
			b.Store(b.FieldAddr(p1, 1), b.Field(v, 1))
			b.Store(b.FieldAddr(p1, 0), b.Field(w, 0))
			b.Store(b.FieldAddr(p2, 1), b.Field(w, 1))
			b.Store(b.FieldAddr(p1, 1), b.Bits(ssa.BitsLen, b.Int(ssa.Uint64, 5)))
			b.Store(b.FieldAddr(p1, 1), b.Bits(ssa.BitsOnesCount, b.Int(ssa.Uint64, 5)))
			b.Op(ssa.OpLocal, b.Zero(ssatest.Vec))
			b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssa.Int64, Len: 2}))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			unused := b.Op(ssa.OpLocal, b.Zero(ssatest.Vec))
			b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Store(b.FieldAddr(unused, 1), p.A); b.Yield() }, nil)
			b.Op(ssa.OpLoad, unused)
			used := b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssa.Int64, Len: 4}))
			b.Store(b.Op(ssa.OpElemAddr, used, p.A), p.B)
			b.Set(p.S, 0, b.Op(ssa.OpLoad, b.Op(ssa.OpElemAddr, used, p.B)))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			f := ssatest.AddFunc(p.Module, "g", false, []*ssa.Value{ssatest.Arg(ssa.Pointer{Elem: ssa.Int64}, "p")}, nil, func(b ssatest.Builder, v []*ssa.Value) {
				b.Store(v[0], b.Op(ssa.OpAdd, b.Op(ssa.OpLoad, v[0]), b.Int(ssa.Int64, 1)))
				b.Return()
			})
			passed := b.Op(ssa.OpLocal, p.A)
			b.Store(passed, p.B)
			b.Call(f, passed)
			held := b.Op(ssa.OpLocal, b.Op(ssa.OpLocal, p.A))
			kept := b.Op(ssa.OpLocal, p.A)
			b.Store(kept, p.B)
			b.Store(held, kept)
			b.Set(p.S, 0, b.Op(ssa.OpLoad, b.Op(ssa.OpLoad, held)))
			b.Return()
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
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Check(ssa.CheckIndex, p.A, b.Op(ssa.OpLen, p.S))
			b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p.S, p.A))
			b.IfElse(b.Op(ssa.OpLt, p.A, p.B), nil, func(b ssatest.Builder) { b.Panic("too small", p.B) }, nil)
			b.Return()
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
