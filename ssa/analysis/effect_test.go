package analysis

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestEffect is about instructions with blocks and calls: what they do, all in
// all.
func TestEffect(t *testing.T) {
	forever := func(b ssatest.Builder) *ssa.Instr {
		return b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
			func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop) },
			func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
	}
	once := func(b ssatest.Builder, do func(b ssatest.Builder, loop *ssa.Instr)) *ssa.Instr { // breaks at the end, if do does not
		return b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
			func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
				do(b, loop)
				b.Break(loop)
			}, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
	}
	call := func(b ssatest.Builder, p ssatest.Params, build func(b ssatest.Builder, s *ssa.Value)) *ssa.Instr {
		f := ssatest.AddFunc(p.Module, "g", false, []*ssa.Value{ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, nil, func(b ssatest.Builder, v []*ssa.Value) {
			build(b, v[0])
			if b.Terminator() == nil {
				b.Return()
			}
		})
		return b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: []*ssa.Value{p.S}})
	}
	load := func(b ssatest.Builder, s *ssa.Value) *ssa.Value {
		return b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, s, b.Int(ssa.Int64, 0)))
	}

	for _, c := range []struct {
		name  string
		want  ssa.Effect
		build func(b ssatest.Builder, p ssatest.Params) *ssa.Instr
	}{
		{"add", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr { return b.Op(ssa.OpAdd, p.A, p.B).Def }},
		{"load", ssa.Reads, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr { return load(b, p.S).Def }},
		{"store", ssa.Writes, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			b.Set(p.S, 0, p.A)
			return b.Instrs[len(b.Instrs)-1]
		}},
		{"empty if", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr { return b.IfElse(p.C, nil, nil, nil) }},
		{"if that reads", ssa.Reads, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.IfElse(p.C, nil, nil, func(b ssatest.Builder) { load(b, p.S); b.Yield() })
		}},
		{"if that writes", ssa.Writes, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.IfElse(p.C, nil, func(b ssatest.Builder) { load(b, p.S); b.Set(p.S, 0, p.A); b.Yield() }, nil)
		}},
		{"if that returns", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Return() }, nil)
		}},
		{"loop that is left", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return once(b, func(b ssatest.Builder, loop *ssa.Instr) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(loop) }, nil)
			})
		}},
		{"loop that returns", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return once(b, func(b ssatest.Builder, loop *ssa.Instr) {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Return() }, nil)
			})
		}},
		{"if that breaks", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			var in *ssa.Instr
			once(b, func(b ssatest.Builder, loop *ssa.Instr) {
				in = b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(loop) }, nil)
			})
			return in
		}},
		{"inner loop that breaks the outer one", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			var in *ssa.Instr
			once(b, func(b ssatest.Builder, outer *ssa.Instr) {
				in = once(b, func(b ssatest.Builder, _ *ssa.Instr) {
					b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(outer) }, nil)
				})
			})
			return in
		}},
		{"the outer one", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return once(b, func(b ssatest.Builder, outer *ssa.Instr) {
				once(b, func(b ssatest.Builder, _ *ssa.Instr) {
					b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(outer) }, nil)
				})
			})
		}},
		{"loop without end", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr { return forever(b) }},
		{"if around it", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.IfElse(p.C, nil, func(b ssatest.Builder) { forever(b); b.Unreachable() }, nil)
		}},
		{"call of nothing", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) {})
		}},
		{"call that reads", ssa.Reads, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) { load(b, s) })
		}},
		{"call that writes", ssa.Writes, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) { b.Set(s, 0, b.Int(ssa.Int64, 1)) })
		}},
		{"call that returns early", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) {
				once(b, func(b ssatest.Builder, _ *ssa.Instr) {
					b.IfElse(b.Bool(true), nil, func(b ssatest.Builder) { b.Return() }, nil)
				})
			})
		}},
		{"zero", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr { return b.Zero(ssatest.Vec).Def }},
		{"check", ssa.Writes, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			b.Check(ssa.CheckDivide, p.A)
			return b.Instrs[len(b.Instrs)-1]
		}},
		{"if that panics", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Panic("no") }, nil)
		}},
		{"call that panics", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) {
				b.IfElse(b.Bool(true), nil, func(b ssatest.Builder) { b.Panic("no") }, nil)
			})
		}},
		{"call that checks", ssa.Writes, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) {
				b.Check(ssa.CheckIndex, b.Int(ssa.Int64, 0), b.Op(ssa.OpLen, s))
			})
		}},
		{"variable", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr { return b.Op(ssa.OpLocal, p.A).Def }},
		{"call that uses variables of its own", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) {
				v := b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssatest.Vec, Len: 4}))
				at := b.FieldAddr(b.Op(ssa.OpElemAddr, v, b.Int(ssa.Int64, 1)), 1)
				b.Store(at, b.Op(ssa.OpAdd, b.Op(ssa.OpLoad, at), b.Int(ssa.Int64, 1)))
				b.Set(b.Op(ssa.OpSliceOf, b.Op(ssa.OpLocal, b.Zero(ssa.Array{Elem: ssa.Int64, Len: 4}))), 2, b.Op(ssa.OpLoad, at))
			})
		}},
		{"call that reads through a pointer it keeps", ssa.Reads, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) {
				b.Op(ssa.OpLoad, b.Op(ssa.OpLoad, b.Op(ssa.OpLocal, b.Op(ssa.OpIndexAddr, s, b.Int(ssa.Int64, 0)))))
			})
		}},
		{"if that uses a variable of its own", ssa.Pure, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Store(b.Op(ssa.OpLocal, p.A), p.B); b.Yield() }, nil)
		}},
		{"if that uses one from outside", ssa.Writes, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			v := b.Op(ssa.OpLocal, p.A)
			return b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Store(v, p.B); b.Yield() }, nil)
		}},
		{"call without end", ssa.Control, func(b ssatest.Builder, p ssatest.Params) *ssa.Instr {
			return call(b, p, func(b ssatest.Builder, s *ssa.Value) { forever(b); b.Unreachable() })
		}},
	} {
		m := &ssa.Module{Name: "m"}
		var in *ssa.Instr
		ssatest.Kernel(m, func(b ssatest.Builder, p ssatest.Params) { in = c.build(b, p); b.Return() })
		if err := ssa.Verify(m); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := new(Summaries).Effects(in).Level(); got != c.want {
			t.Errorf("%s: effect %d, want %d:\n%s", c.name, got, c.want, m)
		}
	}
}
