package ssa

import "testing"

// TestEffect is about instructions with blocks and calls: what they do, all in
// all.
func TestEffect(t *testing.T) {
	forever := func(b builder) *Instr {
		return b.loop(nil, func(b builder, v []*Value) *Value { return b.bool(true) },
			func(b builder, loop *Instr, v []*Value) { b.next(loop) },
			func(b builder, v []*Value) []*Value { return nil })
	}
	once := func(b builder, do func(b builder, loop *Instr)) *Instr { // breaks at the end, if do does not
		return b.loop(nil, func(b builder, v []*Value) *Value { return b.bool(true) },
			func(b builder, loop *Instr, v []*Value) {
				do(b, loop)
				b.brk(loop)
			}, func(b builder, v []*Value) []*Value { return nil })
	}
	call := func(b builder, p params, build func(b builder, s *Value)) *Instr {
		f := addFunc(p.m, "g", false, []*Value{arg(Slice{Int64}, "s")}, nil, func(b builder, v []*Value) {
			build(b, v[0])
			if b.Terminator() == nil {
				b.ret()
			}
		})
		return b.Append(&Instr{Op: OpCall, Callee: f, Args: []*Value{p.s}})
	}
	load := func(b builder, s *Value) *Value { return b.op(OpLoad, b.op(OpIndexAddr, s, b.int(Int64, 0))) }

	for _, c := range []struct {
		name  string
		want  Effect
		build func(b builder, p params) *Instr
	}{
		{"add", Pure, func(b builder, p params) *Instr { return b.op(OpAdd, p.a, p.b).Def }},
		{"load", Reads, func(b builder, p params) *Instr { return load(b, p.s).Def }},
		{"store", Writes, func(b builder, p params) *Instr { b.set(p.s, 0, p.a); return b.Instrs[len(b.Instrs)-1] }},
		{"empty if", Pure, func(b builder, p params) *Instr { return b.ifelse(p.c, nil, nil, nil) }},
		{"if that reads", Reads, func(b builder, p params) *Instr {
			return b.ifelse(p.c, nil, nil, func(b builder) { load(b, p.s); b.yield() })
		}},
		{"if that writes", Writes, func(b builder, p params) *Instr {
			return b.ifelse(p.c, nil, func(b builder) { load(b, p.s); b.set(p.s, 0, p.a); b.yield() }, nil)
		}},
		{"if that returns", Control, func(b builder, p params) *Instr {
			return b.ifelse(p.c, nil, func(b builder) { b.ret() }, nil)
		}},
		{"loop that is left", Pure, func(b builder, p params) *Instr {
			return once(b, func(b builder, loop *Instr) {
				b.ifelse(p.c, nil, func(b builder) { b.brk(loop) }, nil)
			})
		}},
		{"loop that returns", Control, func(b builder, p params) *Instr {
			return once(b, func(b builder, loop *Instr) {
				b.ifelse(p.c, nil, func(b builder) { b.ret() }, nil)
			})
		}},
		{"if that breaks", Control, func(b builder, p params) *Instr {
			var in *Instr
			once(b, func(b builder, loop *Instr) {
				in = b.ifelse(p.c, nil, func(b builder) { b.brk(loop) }, nil)
			})
			return in
		}},
		{"inner loop that breaks the outer one", Control, func(b builder, p params) *Instr {
			var in *Instr
			once(b, func(b builder, outer *Instr) {
				in = once(b, func(b builder, _ *Instr) {
					b.ifelse(p.c, nil, func(b builder) { b.brk(outer) }, nil)
				})
			})
			return in
		}},
		{"the outer one", Pure, func(b builder, p params) *Instr {
			return once(b, func(b builder, outer *Instr) {
				once(b, func(b builder, _ *Instr) {
					b.ifelse(p.c, nil, func(b builder) { b.brk(outer) }, nil)
				})
			})
		}},
		{"loop without end", Control, func(b builder, p params) *Instr { return forever(b) }},
		{"if around it", Control, func(b builder, p params) *Instr {
			return b.ifelse(p.c, nil, func(b builder) { forever(b); b.unreachable() }, nil)
		}},
		{"call of nothing", Pure, func(b builder, p params) *Instr { return call(b, p, func(b builder, s *Value) {}) }},
		{"call that reads", Reads, func(b builder, p params) *Instr {
			return call(b, p, func(b builder, s *Value) { load(b, s) })
		}},
		{"call that writes", Writes, func(b builder, p params) *Instr {
			return call(b, p, func(b builder, s *Value) { b.set(s, 0, b.int(Int64, 1)) })
		}},
		{"call that returns early", Pure, func(b builder, p params) *Instr {
			return call(b, p, func(b builder, s *Value) {
				once(b, func(b builder, _ *Instr) { b.ifelse(b.bool(true), nil, func(b builder) { b.ret() }, nil) })
			})
		}},
		{"zero", Pure, func(b builder, p params) *Instr { return b.zero(vec).Def }},
		{"check", Writes, func(b builder, p params) *Instr { b.check(CheckDivide, p.a); return b.Instrs[len(b.Instrs)-1] }},
		{"if that panics", Control, func(b builder, p params) *Instr {
			return b.ifelse(p.c, nil, func(b builder) { b.panic("no") }, nil)
		}},
		{"call that panics", Control, func(b builder, p params) *Instr {
			return call(b, p, func(b builder, s *Value) { b.ifelse(b.bool(true), nil, func(b builder) { b.panic("no") }, nil) })
		}},
		{"call that checks", Writes, func(b builder, p params) *Instr {
			return call(b, p, func(b builder, s *Value) { b.check(CheckIndex, b.int(Int64, 0), b.op(OpLen, s)) })
		}},
		{"variable", Writes, func(b builder, p params) *Instr { return b.op(OpLocal, p.a).Def }},
		{"call that uses variables of its own", Pure, func(b builder, p params) *Instr {
			return call(b, p, func(b builder, s *Value) {
				v := b.op(OpLocal, b.zero(Array{vec, 4}))
				at := b.fieldAddr(b.op(OpElemAddr, v, b.int(Int64, 1)), 1)
				b.store(at, b.op(OpAdd, b.op(OpLoad, at), b.int(Int64, 1)))
				b.set(b.op(OpSliceOf, b.op(OpLocal, b.zero(Array{Int64, 4}))), 2, b.op(OpLoad, at))
			})
		}},
		{"call that reads through a pointer it keeps", Reads, func(b builder, p params) *Instr {
			return call(b, p, func(b builder, s *Value) {
				b.op(OpLoad, b.op(OpLoad, b.op(OpLocal, b.op(OpIndexAddr, s, b.int(Int64, 0)))))
			})
		}},
		{"if that uses a variable of its own", Pure, func(b builder, p params) *Instr {
			return b.ifelse(p.c, nil, func(b builder) { b.store(b.op(OpLocal, p.a), p.b); b.yield() }, nil)
		}},
		{"if that uses one from outside", Writes, func(b builder, p params) *Instr {
			v := b.op(OpLocal, p.a)
			return b.ifelse(p.c, nil, func(b builder) { b.store(v, p.b); b.yield() }, nil)
		}},
		{"call without end", Control, func(b builder, p params) *Instr {
			return call(b, p, func(b builder, s *Value) { forever(b); b.unreachable() })
		}},
	} {
		m := &Module{Name: "m"}
		var in *Instr
		testFunc(m, func(b builder, p params) { in = c.build(b, p); b.ret() })
		if err := Verify(m); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := in.Effect(); got != c.want {
			t.Errorf("%s: effect %d, want %d:\n%s", c.name, got, c.want, m)
		}
	}
}
