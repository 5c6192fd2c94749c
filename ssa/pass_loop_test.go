package ssa

import "testing"

// loopCases: see TestPasses.
var loopCases = []passCase{
	{
		name: "invariant: never changed",
		pass: invariant,
		build: func(b builder, p params) {
			l := b.loop([]*Value{p.a, p.b}, func(b builder, v []*Value) *Value {
				return b.op(OpLt, v[0], v[1])
			}, func(b builder, loop *Instr, v []*Value) {
				b.ifelse(p.c, nil, func(b builder) { b.next(loop, v...) }, nil)
				b.next(loop, b.op(OpAdd, v[0], v[1]), p.b)
			}, func(b builder, v []*Value) []*Value { return v })
			b.set(p.s, 0, l.Results[1])
			b.ret()
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
		pass: invariant,
		build: func(b builder, p params) {
			l := b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value {
				return b.op(OpLt, v[0], p.b)
			}, func(b builder, loop *Instr, v []*Value) {
				b.ifelse(p.c, nil, func(b builder) { b.brk(loop, p.b) }, nil)
				b.next(loop, v...)
			}, func(b builder, v []*Value) []*Value { return v })
			b.set(p.s, 0, l.Result())
			b.ret()
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
		pass: invariant,
		build: func(b builder, p params) {
			b.loop([]*Value{p.a, p.b}, func(b builder, v []*Value) *Value {
				return b.op(OpLt, v[0], v[1])
			}, func(b builder, loop *Instr, v []*Value) {
				b.ifelse(p.c, nil, func(b builder) { b.next(loop, v[0], p.a) }, nil)
				b.next(loop, v...)
			}, func(b builder, v []*Value) []*Value { return []*Value{b.op(OpAdd, v[0], p.a), v[1]} })
			b.ret()
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
		typ   Type
		test  Op
		bound any // a constant, or nil for a parameter
		op    Op
		step  int64
		want  bool
	}{
		{Int64, OpLt, nil, OpAdd, 1, true},
		{Int64, OpLt, nil, OpAdd, 2, false}, // may step over the bound and wrap
		{Int64, OpLt, 100, OpAdd, 2, true},
		{Int64, OpLt, nil, OpSub, 1, false},
		{Int64, OpLt, nil, OpSub, -1, true},
		{Int64, OpLt, nil, OpAdd, 0, false},
		{Int64, OpLe, nil, OpAdd, 1, false}, // the bound may be the largest number
		{Int64, OpLe, 100, OpAdd, 1, true},
		{Int8, OpLe, 127, OpAdd, 1, false},
		{Int8, OpLe, 126, OpAdd, 1, true},
		{Int8, OpLt, 127, OpAdd, 1, true},
		{Int8, OpLt, 126, OpAdd, 2, true},
		{Int8, OpLt, 127, OpAdd, 2, false},
		{Int64, OpGt, nil, OpSub, 1, true},
		{Int64, OpGt, nil, OpAdd, -1, true},
		{Int64, OpGt, nil, OpAdd, 1, false},
		{Int64, OpGe, 0, OpSub, 1, true},
		{Uint64, OpGe, 0, OpSub, 1, false},
		{Uint64, OpGt, 0, OpSub, 1, true},
		{Uint8, OpGt, 2, OpSub, 3, true},
		{Uint8, OpGt, 1, OpSub, 3, false},
		{Uint64, OpNe, nil, OpAdd, 1, true},
		{Int64, OpNe, nil, OpSub, 1, true},
		{Int64, OpNe, nil, OpAdd, 2, false},
		{Int64, OpEq, nil, OpAdd, 1, false},
		{Int64, OpLt, nil, OpMul, 2, false},
		{Float64, OpLt, 100, OpAdd, 1, false},
	} {
		for _, swapped := range []bool{false, true} {
			constant := func(b builder, x int64) *Value { return b.constant(c.typ, goConst(c.typ, int(x))) }
			var loop *Instr
			m := &Module{}
			addFunc(m, "f", false, []*Value{arg(c.typ, "n"), arg(c.typ, "i")}, nil, func(b builder, p []*Value) {
				loop = b.loop([]*Value{p[1]}, func(b builder, v []*Value) *Value {
					bound := p[0]
					if x, ok := c.bound.(int); ok {
						bound = constant(b, int64(x))
					}
					if swapped {
						return b.op(mirrored(c.test), bound, v[0])
					}
					return b.op(c.test, v[0], bound)
				}, func(b builder, loop *Instr, v []*Value) {
					b.next(loop, v...)
				}, func(b builder, v []*Value) []*Value {
					return []*Value{b.op(c.op, v[0], constant(b, c.step))}
				})
				b.ret()
			})
			if err := Verify(m); err != nil {
				t.Fatal(err)
			}
			if got := loop.Finite(); got != c.want {
				t.Errorf("swapped %v: finite is %v, want %v, of\n%s", swapped, got, c.want, m.Funcs[0])
			}
		}
	}
}

// TestFiniteShapes is about what else decides whether a loop ends.
func TestFiniteShapes(t *testing.T) {
	count := func(b builder, v []*Value) []*Value { return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1))} }
	next := func(b builder, loop *Instr, v []*Value) { b.next(loop, v...) }
	for _, c := range []struct {
		name  string
		build func(b builder, p params) *Instr
		want  bool
	}{
		{"a length, taken anew in each turn", func(b builder, p params) *Instr {
			return b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return b.op(OpLt, v[0], b.op(OpLen, p.s)) }, next, count)
		}, true},
		{"a bound that is read", func(b builder, p params) *Instr {
			return b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value {
				return b.op(OpLt, v[0], b.op(OpLoad, b.op(OpIndexAddr, p.s, p.b)))
			}, next, count)
		}, false},
		{"a bound that moves", func(b builder, p params) *Instr {
			return b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value {
				return b.op(OpLt, v[0], b.op(OpMul, v[0], p.b))
			}, next, count)
		}, false},
		{"a body that sets the counter", func(b builder, p params) *Instr {
			return b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return b.op(OpLt, v[0], p.b) },
				func(b builder, loop *Instr, v []*Value) { b.next(loop, p.a) }, count)
		}, false},
		{"no second turn", func(b builder, p params) *Instr {
			return b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return p.c },
				func(b builder, loop *Instr, v []*Value) { b.brk(loop, v...) }, count)
		}, true},
		{"no end", func(b builder, p params) *Instr {
			return b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return b.bool(true) }, next, count)
		}, false},
		{"a condition that is not a comparison", func(b builder, p params) *Instr {
			return b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return p.c }, next, count)
		}, false},
	} {
		var loop *Instr
		m := &Module{}
		f := testFunc(m, func(b builder, p params) { loop = c.build(b, p); b.ret() })
		if err := Verify(m); err != nil {
			t.Fatal(err)
		}
		if got := loop.Finite(); got != c.want {
			t.Errorf("%s: finite is %v, want %v, of\n%s", c.name, got, c.want, f)
		}
	}
}
