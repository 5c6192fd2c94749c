package opt

import (
	"math"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// loopCases: see TestPasses.
var loopCases = []passCase{
	{
		name: "invariant: never changed",
		pass: alone(invariant),
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := b.Loop([]*ssa.Value{p.A, p.B}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpLt, v[0], v[1])
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Next(loop, v...) }, nil)
				b.Next(loop, b.Op(ssa.OpAdd, v[0], v[1]), p.B)
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
			b.Set(p.S, 0, l.Results[1])
			b.Return()
		},
		before: `
			a.v6:int64, b.v7:int64 = loop L0 (a.v8:int64 = a.v0, b.v9:int64 = b.v1) {
				v12:bool = lt a.v8, b.v9
				test v12
			} do {
				if c.v2 {
					continue L0 (a.v8, b.v9)
				} else {
					yield
				}
				v13:int64 = add a.v8, b.v9
				continue L0 (v13, b.v1)
			} post (a.v10:int64, b.v11:int64) {
				yield a.v10, b.v11
			}
			v14:int64 = const 0
			v15:*int64 = index s.v5, v14
			store v15, b.v7
			return`,
		after: `
			a.v6:int64, b.v7:int64 = loop L0 (a.v8:int64 = a.v0, b.v9:int64 = b.v1) {
				v12:bool = lt a.v8, b.v1
				test v12
			} do {
				if c.v2 {
					continue L0 (a.v8, b.v1)
				} else {
					yield
				}
				v13:int64 = add a.v8, b.v1
				continue L0 (v13, b.v1)
			} post (a.v10:int64, b.v11:int64) {
				yield a.v10, b.v1
			}
			v14:int64 = const 0
			v15:*int64 = index s.v5, v14
			store v15, b.v1
			return`,
	},
	{
		name: "invariant: but for a break",
		pass: alone(invariant),
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpLt, v[0], p.B)
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(loop, p.B) }, nil)
				b.Next(loop, v...)
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
			b.Set(p.S, 0, l.Result())
			b.Return()
		},
		before: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = lt a.v7, b.v1
				test v9
			} do {
				if c.v2 {
					break L0 (b.v1)
				} else {
					yield
				}
				continue L0 (a.v7)
			} post (a.v8:int64) {
				yield a.v8
			}
			v10:int64 = const 0
			v11:*int64 = index s.v5, v10
			store v11, a.v6
			return`,
		after: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = lt a.v0, b.v1
				test v9
			} do {
				if c.v2 {
					break L0 (b.v1)
				} else {
					yield
				}
				continue L0 (a.v0)
			} post (a.v8:int64) {
				yield a.v0
			}
			v10:int64 = const 0
			v11:*int64 = index s.v5, v10
			store v11, a.v6
			return`,
	},
	{
		name: "invariant: changed by a continue, or by post",
		pass: alone(invariant),
		build: func(b ssatest.Builder, p ssatest.Params) {
			b.Loop([]*ssa.Value{p.A, p.B}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpLt, v[0], v[1])
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Next(loop, v[0], p.A) }, nil)
				b.Next(loop, v...)
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], p.A), v[1]}
			})
			b.Return()
		},
		before: `
			a.v6:int64, b.v7:int64 = loop L0 (a.v8:int64 = a.v0, b.v9:int64 = b.v1) {
				v12:bool = lt a.v8, b.v9
				test v12
			} do {
				if c.v2 {
					continue L0 (a.v8, a.v0)
				} else {
					yield
				}
				continue L0 (a.v8, b.v9)
			} post (a.v10:int64, b.v11:int64) {
				v13:int64 = add a.v10, a.v0
				yield v13, b.v11
			}
			return`,
	},
}

// TestFinite is about loops that count: which are sure to end.
func TestFinite(t *testing.T) {
	for _, c := range []struct {
		typ   ssa.Type
		test  ssa.Op
		bound any // a constant, or nil for a parameter
		op    ssa.Op
		step  int64
		want  bool
	}{
		{ssa.Int64, ssa.OpLt, nil, ssa.OpAdd, 1, true},
		{ssa.Int64, ssa.OpLt, nil, ssa.OpAdd, 2, false}, // may step over the bound and wrap
		{ssa.Int64, ssa.OpLt, 100, ssa.OpAdd, 2, true},
		{ssa.Int64, ssa.OpLt, nil, ssa.OpSub, 1, false},
		{ssa.Int64, ssa.OpLt, nil, ssa.OpSub, -1, true},
		{ssa.Int64, ssa.OpLt, nil, ssa.OpAdd, 0, false},
		{ssa.Int64, ssa.OpLe, nil, ssa.OpAdd, 1, false}, // the bound may be the largest number
		{ssa.Int64, ssa.OpLe, 100, ssa.OpAdd, 1, true},
		{ssa.Int8, ssa.OpLe, 127, ssa.OpAdd, 1, false},
		{ssa.Int8, ssa.OpLe, 126, ssa.OpAdd, 1, true},
		{ssa.Int8, ssa.OpLt, 127, ssa.OpAdd, 1, true},
		{ssa.Int8, ssa.OpLt, 126, ssa.OpAdd, 2, true},
		{ssa.Int8, ssa.OpLt, 127, ssa.OpAdd, 2, false},
		{ssa.Int64, ssa.OpGt, nil, ssa.OpSub, 1, true},
		{ssa.Int64, ssa.OpGt, nil, ssa.OpAdd, -1, true},
		{ssa.Int64, ssa.OpGt, nil, ssa.OpAdd, 1, false},
		{ssa.Int64, ssa.OpGe, 0, ssa.OpSub, 1, true},
		{ssa.Uint64, ssa.OpGe, 0, ssa.OpSub, 1, false},
		{ssa.Uint64, ssa.OpGt, 0, ssa.OpSub, 1, true},
		{ssa.Uint8, ssa.OpGt, 2, ssa.OpSub, 3, true},
		{ssa.Uint8, ssa.OpGt, 1, ssa.OpSub, 3, false},
		{ssa.Uint64, ssa.OpNe, nil, ssa.OpAdd, 1, true},
		{ssa.Int64, ssa.OpNe, nil, ssa.OpSub, 1, true},
		{ssa.Int64, ssa.OpNe, nil, ssa.OpAdd, 2, false},
		{ssa.Int64, ssa.OpEq, nil, ssa.OpAdd, 1, false},
		{ssa.Int64, ssa.OpLt, nil, ssa.OpMul, 2, false},
		{ssa.Float64, ssa.OpLt, 100, ssa.OpAdd, 1, false},
	} {
		for _, swapped := range []bool{false, true} {
			constant := func(b ssatest.Builder, x int64) *ssa.Value { return b.Constant(c.typ, ssatest.GoConst(c.typ, int(x))) }
			var loop *ssa.Instr
			m := &ssa.Module{}
			ssatest.AddFunc(m, "f", false, []*ssa.Value{ssatest.Arg(c.typ, "n"), ssatest.Arg(c.typ, "i")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
				loop = b.Loop([]*ssa.Value{p[1]}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
					bound := p[0]
					if x, ok := c.bound.(int); ok {
						bound = constant(b, int64(x))
					}
					if swapped {
						return b.Op(analysis.Mirrored(c.test), bound, v[0])
					}
					return b.Op(c.test, v[0], bound)
				}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
					b.Next(loop, v...)
				}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
					return []*ssa.Value{b.Op(c.op, v[0], constant(b, c.step))}
				})
				b.Return()
			})
			if err := ssa.Verify(m); err != nil {
				t.Fatal(err)
			}
			if got := analysis.Finite(loop); got != c.want {
				t.Errorf("swapped %v: finite is %v, want %v, of\n%s", swapped, got, c.want, m.Funcs[0])
			}
		}
	}
}

// TestFiniteShapes is about what else decides whether a loop ends.
func TestFiniteShapes(t *testing.T) {
	count := func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
		return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1))}
	}
	next := func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v...) }
	for _, c := range []struct {
		name  string
		build func(b ssatest.Builder, p ssatest.Params) *ssa.Instr
		want  bool
	}{
		{"a length, taken anew in each turn", func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], b.Op(ssa.OpLen, p.S)) }, next, count)
		}, true},
		{"a bound that is read", func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpLt, v[0], b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p.S, p.B)))
			}, next, count)
		}, false},
		{"a bound that moves", func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(ssa.OpLt, v[0], b.Op(ssa.OpMul, v[0], p.B))
			}, next, count)
		}, false},
		{"a body that sets the counter", func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], p.B) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, p.A) }, count)
		}, false},
		{"no second turn", func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return p.C },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Break(loop, v...) }, count)
		}, true},
		{"no end", func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) }, next, count)
		}, false},
		{"a condition that is not a comparison", func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return p.C }, next, count)
		}, false},
	} {
		var loop *ssa.Instr
		m := &ssa.Module{}
		f := ssatest.Kernel(m, func(b ssatest.Builder, p ssatest.Params) { loop = c.build(b, p); b.Return() })
		if err := ssa.Verify(m); err != nil {
			t.Fatal(err)
		}
		if got := analysis.Finite(loop); got != c.want {
			t.Errorf("%s: finite is %v, want %v, of\n%s", c.name, got, c.want, f)
		}
	}
}

// TestFiniteOfBlock is about loops by which the threads of a block share numbers: each turn adds the number of threads.
func TestFiniteOfBlock(t *testing.T) {
	for _, c := range []struct {
		test  ssa.Op
		bound int64
		want  bool
	}{
		{ssa.OpLt, 100, true},
		{ssa.OpLe, 100, true},
		{ssa.OpLt, math.MaxInt64 - ssa.MaxLanes + 1, true},
		{ssa.OpLt, math.MaxInt64 - ssa.MaxLanes + 2, false}, // may step over the bound and wrap
		{ssa.OpGt, 100, false},
		{ssa.OpNe, 100, false},
	} {
		var loop *ssa.Instr
		m := &ssa.Module{}
		ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
			dim := b.Append(&ssa.Instr{Op: ssa.OpBlockDim, Args: p[:1]}, ssa.Int64).Result()
			loop = b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0)}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				return b.Op(c.test, v[0], b.Int(ssa.Int64, c.bound))
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				b.Next(loop, v...)
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], dim)}
			})
			b.Return()
		})
		if err := ssa.Verify(m); err != nil {
			t.Fatal(err)
		}
		if got := analysis.Finite(loop); got != c.want {
			t.Errorf("finite is %v, want %v, of\n%s", got, c.want, m.Funcs[0])
		}
	}
}
