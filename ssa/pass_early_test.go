package ssa

import (
	"strings"
	"testing"
)

// once is a loop of one turn with the initial values.
func (b builder) once(init []*Value, do func(b builder, loop *Instr)) *Instr {
	return b.loop(init, func(b builder, _ []*Value) *Value { return b.bool(true) },
		func(b builder, loop *Instr, _ []*Value) { do(b, loop) },
		func(_ builder, v []*Value) []*Value { return v })
}

// earlyCases: see TestPasses.
var earlyCases = []passCase{
	{
		name: "early: the rest goes to the other block",
		pass: early,
		build: func(b builder, p params) {
			l := b.once([]*Value{p.a}, func(b builder, loop *Instr) {
				r := b.ifelse(p.c, []Type{Int64}, func(b builder) { b.brk(loop, p.b) }, func(b builder) { b.yield(p.a) })
				b.set(p.s, 1, r.Result())
				b.brk(loop, b.op(OpAdd, r.Result(), p.b))
			})
			b.set(p.s, 0, l.Result())
			b.ret()
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
		pass: early,
		build: func(b builder, p params) {
			l := b.once([]*Value{p.a}, func(b builder, loop *Instr) {
				b.ifelse(p.c, []Type{Int64}, func(b builder) { b.brk(loop, p.a) }, func(b builder) { b.brk(loop, p.b) })
				b.unreachable()
			})
			b.set(p.s, 0, l.Result())
			b.ret()
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
		pass: early,
		build: func(b builder, p params) {
			b.once(nil, func(b builder, loop *Instr) {
				b.ifelse(p.c, nil, func(b builder) { b.brk(loop) }, nil)
				b.next(loop)
			})
			b.ret()
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
		pass: early,
		build: func(b builder, p params) {
			b.once(nil, func(b builder, loop *Instr) {
				b.ifelse(p.c, nil, func(b builder) {
					b.ifelse(p.c, nil, func(b builder) { b.brk(loop) }, nil)
					b.yield()
				}, nil)
				b.brk(loop)
			})
			b.ret()
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
		m := kernelOf("k", []*Value{arg(Bool, "c"), arg(Slice{Int64}, "s")}, func(b builder, p []*Value) {
			b.once(nil, func(b builder, loop *Instr) {
				for i := range exits - 1 {
					b.ifelse(p[1], nil, func(b builder) { b.brk(loop) }, nil)
					b.set(p[2], int64(i), b.int(Int64, 1))
				}
				b.brk(loop)
			})
			b.ret()
		})
		early(m.Funcs[0])
		if err := Verify(m); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(m.String(), "break L0"); got != want {
			t.Errorf("of %d exits %d are left, want %d", exits, got, want)
		}
	}
}

// Those of loops inside of others together, too.
func TestEarlyNesting(t *testing.T) {
	m := kernelOf("k", []*Value{arg(Bool, "c"), arg(Slice{Int64}, "s")}, func(b builder, p []*Value) {
		var nest func(b builder, depth int)
		nest = func(b builder, depth int) {
			b.once(nil, func(b builder, loop *Instr) {
				for i := range maxEarly - 2 {
					b.ifelse(p[1], nil, func(b builder) { b.brk(loop) }, nil)
					b.set(p[2], int64(i), b.int(Int64, 1))
				}
				if depth > 0 {
					nest(b, depth-1)
				}
				b.brk(loop)
			})
		}
		nest(b, 5)
		b.ret()
	})
	Optimize(m, nil)
	if err := Verify(m); err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, in := range m.Funcs[0].Body.Instrs {
		most = max(most, in.nesting())
	}
	if most <= maxEarly || most > maxNested {
		t.Errorf("blocks are nested %d deep", most)
	}
}
