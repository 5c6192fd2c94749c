package opt

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// once is a loop with one iteration with the initial values.
func once(b ssatest.Builder, init []*ssa.Value, do func(b ssatest.Builder, loop *ssa.Instr)) *ssa.Instr {
	return b.Loop(init, func(b ssatest.Builder, _ []*ssa.Value) *ssa.Value { return b.Bool(true) },
		func(b ssatest.Builder, loop *ssa.Instr, _ []*ssa.Value) { do(b, loop) },
		func(_ ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
}

// earlyCases: see TestPasses.
var earlyCases = []passCase{
	{
		name: "early: the rest goes to the other block",
		pass: alone(early),
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := once(b, []*ssa.Value{p.A}, func(b ssatest.Builder, loop *ssa.Instr) {
				r := b.IfElse(p.C, []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Break(loop, p.B) }, func(b ssatest.Builder) { b.Yield(p.A) })
				b.Set(p.S, 1, r.Result())
				b.Break(loop, b.Op(ssa.OpAdd, r.Result(), p.B))
			})
			b.Set(p.S, 0, l.Result())
			b.Return()
		},
		before: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = const true
				test v9
			} do {
				v10:int64 = if c.v2 {
					break L0 (b.v1)
				} else {
					yield a.v0
				}
				v11:int64 = const 1
				v12:*int64 = index s.v5, v11
				store v12, v10
				v13:int64 = add v10, b.v1
				break L0 (v13)
			} post (a.v8:int64) {
				yield a.v8
			}
			v14:int64 = const 0
			v15:*int64 = index s.v5, v14
			store v15, a.v6
			return`,
		after: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = const true
				test v9
			} do {
				a.v16:int64 = if c.v2 {
					yield b.v1
				} else {
					v11:int64 = const 1
					v12:*int64 = index s.v5, v11
					store v12, a.v0
					v13:int64 = add a.v0, b.v1
					yield v13
				}
				break L0 (a.v16)
			} post (a.v8:int64) {
				yield a.v8
			}
			v14:int64 = const 0
			v15:*int64 = index s.v5, v14
			store v15, a.v6
			return`,
	},
	{
		name: "early: an if with results that nobody uses",
		pass: alone(early),
		build: func(b ssatest.Builder, p ssatest.Params) {
			l := once(b, []*ssa.Value{p.A}, func(b ssatest.Builder, loop *ssa.Instr) {
				b.IfElse(p.C, []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Break(loop, p.A) }, func(b ssatest.Builder) { b.Break(loop, p.B) })
				b.Unreachable()
			})
			b.Set(p.S, 0, l.Result())
			b.Return()
		},
		before: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = const true
				test v9
			} do {
				v10:int64 = if c.v2 {
					break L0 (a.v0)
				} else {
					break L0 (b.v1)
				}
				unreachable
			} post (a.v8:int64) {
				yield a.v8
			}
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, a.v6
			return`,
		after: `
			a.v6:int64 = loop L0 (a.v7:int64 = a.v0) {
				v9:bool = const true
				test v9
			} do {
				a.v13:int64 = if c.v2 {
					yield a.v0
				} else {
					yield b.v1
				}
				break L0 (a.v13)
			} post (a.v8:int64) {
				yield a.v8
			}
			v11:int64 = const 0
			v12:*int64 = index s.v5, v11
			store v12, a.v6
			return`,
	},
	{
		name: "early: a loop with a second turn stays",
		pass: alone(early),
		build: func(b ssatest.Builder, p ssatest.Params) {
			once(b, nil, func(b ssatest.Builder, loop *ssa.Instr) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(loop) }, nil)
				b.Next(loop)
			})
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
			return`,
	},
	{
		name: "early: an exit from within stays",
		pass: alone(early),
		build: func(b ssatest.Builder, p ssatest.Params) {
			once(b, nil, func(b ssatest.Builder, loop *ssa.Instr) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) {
					b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(loop) }, nil)
					b.Yield()
				}, nil)
				b.Break(loop)
			})
			b.Return()
		},
		before: `
			loop L0 {
				v6:bool = const true
				test v6
			} do {
				if c.v2 {
					if c.v2 {
						break L0
					} else {
						yield
					}
					yield
				} else {
					yield
				}
				break L0
			} post {
				yield
			}
			return`,
	},
}

// A loop with many exits stays one: branches would be nested too deep.
func TestEarlyDepth(t *testing.T) {
	for exits, want := range map[int]int{maxEarly: 1, maxEarly + 1: maxEarly + 1} {
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Bool, "c"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
			once(b, nil, func(b ssatest.Builder, loop *ssa.Instr) {
				for i := range exits - 1 {
					b.IfElse(p[1], nil, func(b ssatest.Builder) { b.Break(loop) }, nil)
					b.Set(p[2], int64(i), b.Int(ssa.Int64, 1))
				}
				b.Break(loop)
			})
			b.Return()
		})
		early(m.Funcs[0])
		if err := ssa.Verify(m); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(m.String(), "break L0"); got != want {
			t.Errorf("of %d exits %d are left, want %d", exits, got, want)
		}
	}
}

// Those of loops inside of others together, too.
func TestEarlyNesting(t *testing.T) {
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Bool, "c"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
		var nest func(b ssatest.Builder, depth int)
		nest = func(b ssatest.Builder, depth int) {
			once(b, nil, func(b ssatest.Builder, loop *ssa.Instr) {
				for i := range maxEarly - 2 {
					b.IfElse(p[1], nil, func(b ssatest.Builder) { b.Break(loop) }, nil)
					b.Set(p[2], int64(i), b.Int(ssa.Int64, 1))
				}
				if depth > 0 {
					nest(b, depth-1)
				}
				b.Break(loop)
			})
		}
		nest(b, 5)
		b.Return()
	})
	Optimize(m, nil)
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, in := range m.Funcs[0].Body.Instrs {
		most = max(most, nesting(in))
	}
	if most <= maxEarly || most > maxNested {
		t.Errorf("blocks are nested %d deep", most)
	}
}
