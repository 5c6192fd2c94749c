package ssa_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestVerifyMemory breaks one rule of aggregates, memory, blocks, grids or checks
// at a time, in a kernel of a thread (t, n int64, s []float32, u uint32) or one of
// the others kinds.
func TestVerifyMemory(t *testing.T) {
	emit := func(b ssatest.Builder, in ssa.Instr, results ...ssa.Type) *ssa.Instr {
		return b.Append(&in, results...)
	}
	values := func(vs ...*ssa.Value) []*ssa.Value { return vs }
	arr := ssa.Array{Elem: ssa.Int64, Len: 2}

	for _, c := range []struct {
		want  string
		kind  ssa.Kind
		build func(b ssatest.Builder, p []*ssa.Value)
	}{
		// Types.
		{"v4 has a type that no value has", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Zero(ssa.Slice{Elem: ssa.Thread}) }},
		{"v4 has a type that no value has", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Zero(ssa.StructOf("", ssa.Field{Name: "s", Type: ssa.String}))
		}},
		{"v4 has a type that no value has", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Zero(ssa.Array{Elem: ssa.Int64, Len: -1}) }},
		{"parameter 4 is *int64, which a launch cannot pass", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.AddParam(ssa.Pointer{Elem: ssa.Int64}, "p")
		}},
		{"parameter 4 is []struct{s []int64}, which a launch cannot pass", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.AddParam(ssa.Slice{Elem: ssa.StructOf("", ssa.Field{Name: "s", Type: ssa.Slice{Elem: ssa.Int64}})}, "p")
		}},
		{"parameter 4 is [2]struct{p *int64}, which a launch cannot pass", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.AddParam(ssa.Array{Elem: ssa.StructOf("", ssa.Field{Name: "p", Type: ssa.Pointer{Elem: ssa.Int64}}), Len: 2}, "p")
		}},
		{"parameter 4 is a second block", ssa.BlockKernel, func(b ssatest.Builder, p []*ssa.Value) { b.AddParam(ssa.BlockPlace, "p") }},
		{"a kernel for a grid whose first parameter is a thread", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Params[0].Type = ssa.Thread
		}},
		{"a device function with a kernel's kind", ssa.BlockKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Func.Kernel = false }},

		// Aggregates.
		{"the zero of int64, which is a constant", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Zero(ssa.Int64) }},
		{"has 1 operands, not 2", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Make(ssatest.Vec, p[1]) }},
		{"operands 0 is int64, not float32", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Make(ssatest.Vec, p[1], p[1]) }},
		{"result is int64, not a struct or an array", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Make(ssa.Int64, p[1]) }},
		{"operand 0 is int64, not of a struct", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpField, Args: values(p[1])}, ssa.Int64)
		}},
		{"Vec has no field 2", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpField, Index: 2, Args: values(b.Zero(ssatest.Vec))}, ssa.Int64)
		}},
		{"result 0 is int64, not float32", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpField, Args: values(b.Zero(ssatest.Vec))}, ssa.Int64)
		}},
		{"operand 0 is int64, not an array", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpElem, Args: values(p[1], p[1])}, ssa.Int64)
		}},
		{"operand 1 is uint32, not int64", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpElem, b.Zero(arr), p[3]) }},
		{"operand 0 is []float32, which the operation does not take", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpEq, p[2], p[2]) }},
		{"operand 0 is Vec, which the operation does not take", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpLt, b.Zero(ssatest.Vec), b.Zero(ssatest.Vec)) }},

		// Memory.
		{"result 0 is *int64, not *uint32", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpLocal, Args: values(p[3])}, ssa.Pointer{Elem: ssa.Int64})
		}},
		{"operand 0 is *int64, not of a struct", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpFieldAddr, Args: values(b.Op(ssa.OpLocal, p[1]))}, ssa.Pointer{Elem: ssa.Int64})
		}},
		{"operand 0 is *int64, not a pointer to an array", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpElemAddr, Args: values(b.Op(ssa.OpLocal, p[1]), p[1])}, ssa.Pointer{Elem: ssa.Int64})
		}},
		{"operand 0 is *int64, not a pointer to an array", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpSliceOf, Args: values(b.Op(ssa.OpLocal, p[1]))}, ssa.Slice{Elem: ssa.Int64})
		}},
		{"result 0 is []int32, not []int64", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpSliceOf, Args: values(b.Op(ssa.OpLocal, b.Zero(arr)))}, ssa.Slice{Elem: ssa.Int32})
		}},
		{"operand 0 is int64, not a slice", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpIsNil, p[1]) }},
		{"operand 0 is int64, not a slice", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpApart, p[1], p[2]) }},
		{"operand 1 is int64, not a slice", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpApart, p[2], p[1]) }},
		{"operand 1 is []int64, not []float32", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Op(ssa.OpCopy, p[2], b.Zero(ssa.Slice{Elem: ssa.Int64}))
		}},
		{"operand 0, v4, outlives the variable that it points to", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Func.Results = []ssa.Type{ssa.Pointer{Elem: ssa.Int64}}
			b.Func.Kernel = false
			b.Return(b.Op(ssa.OpLocal, p[1]))
		}},
		{"outlives the variable that it points to", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			in := b.IfElse(b.Bool(true), []ssa.Type{ssa.Slice{Elem: ssa.Int64}}, func(b ssatest.Builder) {
				b.Yield(b.Op(ssa.OpSliceOf, b.Op(ssa.OpLocal, b.Zero(arr))))
			}, func(b ssatest.Builder) { b.Yield(b.Zero(ssa.Slice{Elem: ssa.Int64})) })
			b.Op(ssa.OpLen, in.Result())
		}},
		{"outlives the variable that it points to", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Loop([]*ssa.Value{b.Zero(ssa.Pointer{Elem: ssa.Int64})}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, b.Op(ssa.OpLocal, p[1])) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
		}},

		// Bits, checks and panics.
		{"no operation on the bits of int64", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Bits(ssa.BitsLen, p[1]) }},
		{"operand 1 is int64, not uint64", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.MulWide(b.Convert(ssa.Uint64, p[1]), p[1]) }},
		{"operand 2 is int64, not uint64", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			x := b.Convert(ssa.Uint64, p[1])
			b.DivWide(x, x, p[1])
		}},
		{"no operation on the bits of uint32", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Bits(ssa.BitsReverseBytes+1, p[3]) }},
		{"result 0 is uint32, not int64", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpBits, Bits: ssa.BitsLen, Args: values(p[3])}, ssa.Uint32)
		}},
		{"an invalid check", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckSync + 1) }},
		{"an invalid check", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(0) }},
		{"has 1 operands, not 2", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckIndex, p[1]) }},
		{"operands 1 is uint32, not int64", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckSlice, p[1], p[3], p[1]) }},
		{"operand 0 is []float32, not an integer", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckDivide, p[2]) }},
		{"operand 0 is uint32, which is never negative", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckShift, p[3]) }},
		{"operand 0 is not a pointer", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckNil, p[2]) }},
		{"has 0 operands, not 1", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckDivide) }},
		{"operands 0 is int64, not bool", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Check(ssa.CheckAssert, p[1]) }},
		{"operand 0 is []float32, not a number or a bool", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Panic("no", p[2]) }},
		{"does not end the cond of a loop", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			l := b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Break(loop) }, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
			l.Cond().Instrs = nil
			ssatest.Builder{Block: l.Cond()}.Panic("no")
		}},
		{"does not end the post of a loop", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			l := b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Bool(true) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Break(loop) }, func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
			l.Post().Instrs = nil
			ssatest.Builder{Block: l.Post()}.Panic("no")
		}},

		// Blocks.
		{"operand 0 is int64, not thread", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpLane, p[1]) }},
		{"operand 0 is int64, not a block", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { b.Op(ssa.OpBlockID, p[1]) }},
		{"operand 0 is thread, not a block", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpBlockIndex, Rank: 1, Args: p[:1]}, ssa.Int64)
		}},
		{"no axis 2 of 2", ssa.BlockKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpBlockIndex, Rank: 2, Axis: 2, Args: p[:1]}, ssa.Int64)
		}},
		{"stands elsewhere than in a kernel for a thread or a block", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) { emit(b, ssa.Instr{Op: ssa.OpSync}) }},
		{"outside of a parallel for", ssa.BlockKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(p[1:2], func(b ssatest.Builder, i []*ssa.Value) { emit(b, ssa.Instr{Op: ssa.OpSync}) })
		}},
		{"stands elsewhere than in a kernel for a thread or a block", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Func.Kernel = false
			emit(b, ssa.Instr{Op: ssa.OpSync})
		}},
		{"stands elsewhere than in the body of a kernel", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.IfElse(b.Bool(true), nil, func(b ssatest.Builder) {
				emit(b, ssa.Instr{Op: ssa.OpShared, Len: 1}, ssa.Slice{Elem: ssa.Int64})
				b.Yield()
			}, nil)
		}},
		{"stands elsewhere than in the body of a kernel", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Func.Kernel = false
			emit(b, ssa.Instr{Op: ssa.OpShared, Len: 1}, ssa.Slice{Elem: ssa.Int64})
		}},
		{"a length of 0", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpShared}, ssa.Slice{Elem: ssa.Int64})
		}},
		{"result is int64, not a slice", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) { emit(b, ssa.Instr{Op: ssa.OpShared, Len: 1}, ssa.Int64) }},

		// Parallel fors and launches.
		{"stands elsewhere than in a kernel for a grid or a block", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(p[1:2], func(b ssatest.Builder, i []*ssa.Value) {})
		}},
		{"stands in another parallel for", ssa.BlockKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(p[1:2], func(b ssatest.Builder, i []*ssa.Value) { b.Parallel(i, func(b ssatest.Builder, i []*ssa.Value) {}) })
		}},
		{"has 4 sizes", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(values(p[1], p[1], p[1], p[1]), func(b ssatest.Builder, i []*ssa.Value) {})
		}},
		{"operand 0 is uint32, not int64", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(p[3:], func(b ssatest.Builder, i []*ssa.Value) {})
		}},
		{"has 2 parameters, not 1", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(p[1:2], func(b ssatest.Builder, i []*ssa.Value) { b.AddParam(ssa.Int64, "j") })
		}},
		{"leaves a parallel for", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(p[1:2], func(b ssatest.Builder, i []*ssa.Value) { b.Return() })
		}},
		{"does not end a parallel for", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(p[1:2], func(b ssatest.Builder, i []*ssa.Value) { b.End(ssa.OpTest, nil, b.Bool(true)) })
		}},
		{"has 1 operands, not 0", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			b.Parallel(p[1:2], func(b ssatest.Builder, i []*ssa.Value) { b.Yield(i...) })
		}},
		{"the callee is no kernel of a thread", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) { emit(b, ssa.Instr{Op: ssa.OpLaunch, Rank: 1, Args: p[1:2]}) }},
		{"stands elsewhere than in a kernel for a grid", ssa.BlockKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpLaunch, Rank: 1, Args: values(p[1], p[1])})
		}},
		{"a launch of 2 dimensions", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) { emit(b, ssa.Instr{Op: ssa.OpLaunch, Rank: 2, Args: p[1:2]}) }},
		{"the kernel takes launches of 1 dimensions", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpLaunch, Rank: 2, Args: values(p[1], p[1], p[1])})
		}},
		{"arguments 0 is uint32, not int64", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpLaunch, Rank: 1, Args: values(p[1], p[3])})
		}},
		{"the kernel is not among the module's earlier functions", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			other := ssatest.KernelOf("other", nil, func(b ssatest.Builder, p []*ssa.Value) { b.Return() })
			emit(b, ssa.Instr{Op: ssa.OpLaunch, Rank: 1, Args: p[1:2], Callee: other.Funcs[0]})
		}},

		// What the host keeps.
		{"stands elsewhere than in a kernel for a grid", ssa.ThreadKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpPush, Args: p[1:2]})
		}},
		{"operand 0 is int64, which leads to no memory", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpSnapshot, Args: p[1:2]}, ssa.Int64)
		}},
		{"result 0 is float32, not int64", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpSnapshot, Args: p[2:3]}, ssa.Float32)
		}},
		{"operand 0 is uint32, not int64", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpRestore, Args: p[3:4]}, p[2].Type)
		}},
		{"result is int64, which leads to no memory", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			emit(b, ssa.Instr{Op: ssa.OpRestore, Args: p[1:2]}, ssa.Int64)
		}},
		{"the kernel has no parameters for the memory that it is given", ssa.GridKernel, func(b ssatest.Builder, p []*ssa.Value) {
			needs := ssatest.KernelOf("needs", nil, func(b ssatest.Builder, p []*ssa.Value) { b.Return() }).Funcs[0]
			needs.Room = &ssa.Room{Elems: []ssa.Type{ssa.Float32}}
			emit(b, ssa.Instr{Op: ssa.OpLaunch, Rank: 1, Args: p[1:2], Callee: needs})
		}},
	} {
		m := ssatest.KernelOf("step", []*ssa.Value{ssatest.Arg(ssa.Int64, "n")}, func(b ssatest.Builder, p []*ssa.Value) { b.Return() })
		m.Funcs[0].Rank = 1
		first := []ssa.Type{ssa.ThreadKernel: ssa.Thread, ssa.BlockKernel: ssa.BlockPlace, ssa.GridKernel: ssa.Int64}[c.kind]
		params := []*ssa.Value{ssatest.Arg(first, "t"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Float32}, "s"), ssatest.Arg(ssa.Uint32, "u")}
		k := ssatest.AddFunc(m, "k", true, params, nil, func(b ssatest.Builder, p []*ssa.Value) {
			b.Func.Kind = c.kind
			c.build(b, p)
			if b.Terminator() == nil {
				b.Return()
			}
		})
		k.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpLaunch && in.Callee == nil && len(in.Args) > 1 {
				in.Callee = m.Funcs[0]
			}
			if in.Op == ssa.OpLaunch && in.Rank == 2 && len(in.Args) == 1 {
				in.Callee = m.Funcs[0]
			}
		})
		if err := ssa.Verify(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant: %s\n%s", err, c.want, m)
		}
	}
}

// TestPassesFor runs the pipeline over what stands in a parallel for.
func TestPassesFor(t *testing.T) {
	m := &ssa.Module{Name: "k"}
	k := ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.BlockPlace, "b"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		b.Func.Kind = ssa.BlockKernel
		twice := b.Op(ssa.OpAdd, p[1], p[1])
		b.Op(ssa.OpMul, p[1], p[1])
		b.Parallel([]*ssa.Value{p[1]}, func(b ssatest.Builder, i []*ssa.Value) {
			b.IfElse(b.Op(ssa.OpGt, i[0], b.Op(ssa.OpAdd, b.Int(ssa.Int64, 1), b.Int(ssa.Int64, 2))), nil, func(b ssatest.Builder) { b.Panic("large", i[0]) }, nil)
			l := b.Loop([]*ssa.Value{b.Int(ssa.Int64, 0), p[1]}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(ssa.OpLt, v[0], v[1]) },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v...) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
					return []*ssa.Value{b.Op(ssa.OpAdd, v[0], b.Int(ssa.Int64, 1)), v[1]}
				})
			b.Store(b.Op(ssa.OpIndexAddr, p[2], i[0]), b.Op(ssa.OpAdd, l.Results[1], b.Op(ssa.OpAdd, p[1], p[1])))
		})
		b.Parallel([]*ssa.Value{twice}, func(b ssatest.Builder, i []*ssa.Value) {})
		b.Return()
	})
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	if got := new(analysis.Summaries).Effects(k.Body.Instrs[2]).Level(); got != ssa.Control {
		t.Errorf("a parallel for with a panic has effect %v", got)
	}
	if got := new(analysis.Summaries).Effects(k.Body.Instrs[3]).Level(); got != ssa.Writes {
		t.Errorf("an empty parallel for has effect %v", got)
	}
	opt.Optimize(m, func(at opt.Step) {
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("after %v: %v\n%s", at, err, m)
		}
	})
	want := ssatest.Outdent(`
		v3:int64 = add n.v1, n.v1
		for n.v1 (i.v5:int64) {
			v8:int64 = const 3
			v9:bool = gt i.v5, v8
			if v9 {
				panic "large", i.v5
			} else {
				yield
			}
			v20:*int64 = index s.v2, i.v5
			v22:int64 = add n.v1, v3
			store v20, v22
			yield
		}
		for v3 (i.v23:int64) {
			yield
		}
		return`)
	if got := ssatest.Body(k); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
