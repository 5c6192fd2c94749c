package ssa

import (
	"strings"
	"testing"
)

// TestVerifyMemory breaks one rule of aggregates, memory, blocks, grids or checks
// at a time, in a kernel of a thread (t, n int64, s []float32, u uint32) or one of
// the others kinds.
func TestVerifyMemory(t *testing.T) {
	emit := func(b builder, in Instr, results ...Type) *Instr { return b.Append(&in, results...) }
	values := func(vs ...*Value) []*Value { return vs }
	arr := Array{Int64, 2}

	for _, c := range []struct {
		want  string
		kind  Kind
		build func(b builder, p []*Value)
	}{
		// Types.
		{"v4 has a type that no value has", ThreadKernel, func(b builder, p []*Value) { b.zero(Slice{Thread}) }},
		{"v4 has a type that no value has", ThreadKernel, func(b builder, p []*Value) { b.zero(StructOf("", Field{"s", String})) }},
		{"v4 has a type that no value has", ThreadKernel, func(b builder, p []*Value) { b.zero(Array{Int64, -1}) }},
		{"parameter 4 is *int64, which a launch cannot pass", ThreadKernel, func(b builder, p []*Value) {
			b.AddParam(Pointer{Int64}, "p")
		}},
		{"parameter 4 is []struct{s []int64}, which a launch cannot pass", ThreadKernel, func(b builder, p []*Value) {
			b.AddParam(Slice{StructOf("", Field{"s", Slice{Int64}})}, "p")
		}},
		{"parameter 4 is [2]struct{p *int64}, which a launch cannot pass", ThreadKernel, func(b builder, p []*Value) {
			b.AddParam(Array{StructOf("", Field{"p", Pointer{Int64}}), 2}, "p")
		}},
		{"parameter 4 is a second block", BlockKernel, func(b builder, p []*Value) { b.AddParam(BlockPlace, "p") }},
		{"a kernel for a grid whose first parameter is a thread", GridKernel, func(b builder, p []*Value) {
			b.Params[0].Type = Thread
		}},
		{"a device function with a kernel's kind", BlockKernel, func(b builder, p []*Value) { b.Func.Kernel = false }},

		// Aggregates.
		{"the zero of int64, which is a constant", ThreadKernel, func(b builder, p []*Value) { b.zero(Int64) }},
		{"has 1 operands, not 2", ThreadKernel, func(b builder, p []*Value) { b.make(vec, p[1]) }},
		{"operands 0 is int64, not float32", ThreadKernel, func(b builder, p []*Value) { b.make(vec, p[1], p[1]) }},
		{"result is int64, not a struct or an array", ThreadKernel, func(b builder, p []*Value) { b.make(Int64, p[1]) }},
		{"operand 0 is int64, not of a struct", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpField, Args: values(p[1])}, Int64)
		}},
		{"Vec has no field 2", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpField, Index: 2, Args: values(b.zero(vec))}, Int64)
		}},
		{"result 0 is int64, not float32", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpField, Args: values(b.zero(vec))}, Int64)
		}},
		{"operand 0 is int64, not an array", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpElem, Args: values(p[1], p[1])}, Int64)
		}},
		{"operand 1 is uint32, not int64", ThreadKernel, func(b builder, p []*Value) { b.op(OpElem, b.zero(arr), p[3]) }},
		{"operand 0 is []float32, which the operation does not take", ThreadKernel, func(b builder, p []*Value) { b.op(OpEq, p[2], p[2]) }},
		{"operand 0 is Vec, which the operation does not take", ThreadKernel, func(b builder, p []*Value) { b.op(OpLt, b.zero(vec), b.zero(vec)) }},

		// Memory.
		{"result 0 is *int64, not *uint32", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpLocal, Args: values(p[3])}, Pointer{Int64})
		}},
		{"operand 0 is *int64, not of a struct", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpFieldAddr, Args: values(b.op(OpLocal, p[1]))}, Pointer{Int64})
		}},
		{"operand 0 is *int64, not a pointer to an array", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpElemAddr, Args: values(b.op(OpLocal, p[1]), p[1])}, Pointer{Int64})
		}},
		{"operand 0 is *int64, not a pointer to an array", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpSliceOf, Args: values(b.op(OpLocal, p[1]))}, Slice{Int64})
		}},
		{"result 0 is []int32, not []int64", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpSliceOf, Args: values(b.op(OpLocal, b.zero(arr)))}, Slice{Int32})
		}},
		{"operand 0 is int64, not a slice", ThreadKernel, func(b builder, p []*Value) { b.op(OpIsNil, p[1]) }},
		{"operand 1 is []int64, not []float32", ThreadKernel, func(b builder, p []*Value) {
			b.op(OpCopy, p[2], b.zero(Slice{Int64}))
		}},
		{"operand 0, v4, outlives the variable that it points to", ThreadKernel, func(b builder, p []*Value) {
			b.Func.Results = []Type{Pointer{Int64}}
			b.Func.Kernel = false
			b.ret(b.op(OpLocal, p[1]))
		}},
		{"outlives the variable that it points to", ThreadKernel, func(b builder, p []*Value) {
			in := b.ifelse(b.bool(true), []Type{Slice{Int64}}, func(b builder) {
				b.yield(b.op(OpSliceOf, b.op(OpLocal, b.zero(arr))))
			}, func(b builder) { b.yield(b.zero(Slice{Int64})) })
			b.op(OpLen, in.Result())
		}},
		{"outlives the variable that it points to", ThreadKernel, func(b builder, p []*Value) {
			b.loop([]*Value{b.zero(Pointer{Int64})}, func(b builder, v []*Value) *Value { return b.bool(true) },
				func(b builder, loop *Instr, v []*Value) { b.next(loop, b.op(OpLocal, p[1])) },
				func(b builder, v []*Value) []*Value { return v })
		}},

		// Bits, checks and panics.
		{"no operation on the bits of int64", ThreadKernel, func(b builder, p []*Value) { b.bits(BitsLen, p[1]) }},
		{"no operation on the bits of uint32", ThreadKernel, func(b builder, p []*Value) { b.bits(numBits, p[3]) }},
		{"result 0 is uint32, not int64", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpBits, Bits: BitsLen, Args: values(p[3])}, Uint32)
		}},
		{"an invalid check", ThreadKernel, func(b builder, p []*Value) { b.check(numChecks) }},
		{"an invalid check", ThreadKernel, func(b builder, p []*Value) { b.check(checkInvalid) }},
		{"has 1 operands, not 2", ThreadKernel, func(b builder, p []*Value) { b.check(CheckIndex, p[1]) }},
		{"operands 1 is uint32, not int64", ThreadKernel, func(b builder, p []*Value) { b.check(CheckSlice, p[1], p[3], p[1]) }},
		{"operand 0 is []float32, not an integer", ThreadKernel, func(b builder, p []*Value) { b.check(CheckDivide, p[2]) }},
		{"operand 0 is uint32, which is never negative", ThreadKernel, func(b builder, p []*Value) { b.check(CheckShift, p[3]) }},
		{"operand 0 is not a pointer", ThreadKernel, func(b builder, p []*Value) { b.check(CheckNil, p[2]) }},
		{"has 0 operands, not 1", ThreadKernel, func(b builder, p []*Value) { b.check(CheckDivide) }},
		{"operands 0 is int64, not bool", ThreadKernel, func(b builder, p []*Value) { b.check(CheckAssert, p[1]) }},
		{"operand 0 is []float32, not a number or a bool", ThreadKernel, func(b builder, p []*Value) { b.panic("no", p[2]) }},
		{"does not end the cond of a loop", ThreadKernel, func(b builder, p []*Value) {
			l := b.loop(nil, func(b builder, v []*Value) *Value { return b.bool(true) },
				func(b builder, loop *Instr, v []*Value) { b.brk(loop) }, func(b builder, v []*Value) []*Value { return nil })
			l.Cond().Instrs = nil
			builder{l.Cond()}.panic("no")
		}},
		{"does not end the post of a loop", ThreadKernel, func(b builder, p []*Value) {
			l := b.loop(nil, func(b builder, v []*Value) *Value { return b.bool(true) },
				func(b builder, loop *Instr, v []*Value) { b.brk(loop) }, func(b builder, v []*Value) []*Value { return nil })
			l.Post().Instrs = nil
			builder{l.Post()}.panic("no")
		}},

		// Blocks.
		{"operand 0 is int64, not thread", ThreadKernel, func(b builder, p []*Value) { b.op(OpLane, p[1]) }},
		{"operand 0 is int64, not a block", ThreadKernel, func(b builder, p []*Value) { b.op(OpBlockID, p[1]) }},
		{"operand 0 is thread, not a block", ThreadKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpBlockIndex, Rank: 1, Args: p[:1]}, Int64)
		}},
		{"no axis 2 of 2", BlockKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpBlockIndex, Rank: 2, Axis: 2, Args: p[:1]}, Int64)
		}},
		{"stands elsewhere than in a kernel for a thread or a block", GridKernel, func(b builder, p []*Value) { emit(b, Instr{Op: OpSync}) }},
		{"outside of a parallel for", BlockKernel, func(b builder, p []*Value) {
			b.parallel(p[1:2], func(b builder, i []*Value) { emit(b, Instr{Op: OpSync}) })
		}},
		{"stands elsewhere than in a kernel for a thread or a block", ThreadKernel, func(b builder, p []*Value) {
			b.Func.Kernel = false
			emit(b, Instr{Op: OpSync})
		}},
		{"stands elsewhere than in the body of a kernel", ThreadKernel, func(b builder, p []*Value) {
			b.ifelse(b.bool(true), nil, func(b builder) { emit(b, Instr{Op: OpShared, Len: 1}, Slice{Int64}); b.yield() }, nil)
		}},
		{"stands elsewhere than in the body of a kernel", GridKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpShared, Len: 1}, Slice{Int64})
		}},
		{"a length of 0", ThreadKernel, func(b builder, p []*Value) { emit(b, Instr{Op: OpShared}, Slice{Int64}) }},
		{"result is int64, not a slice", ThreadKernel, func(b builder, p []*Value) { emit(b, Instr{Op: OpShared, Len: 1}, Int64) }},

		// Parallel fors and launches.
		{"stands elsewhere than in a kernel for a grid or a block", ThreadKernel, func(b builder, p []*Value) {
			b.parallel(p[1:2], func(b builder, i []*Value) {})
		}},
		{"stands in another parallel for", BlockKernel, func(b builder, p []*Value) {
			b.parallel(p[1:2], func(b builder, i []*Value) { b.parallel(i, func(b builder, i []*Value) {}) })
		}},
		{"has 4 sizes", GridKernel, func(b builder, p []*Value) {
			b.parallel(values(p[1], p[1], p[1], p[1]), func(b builder, i []*Value) {})
		}},
		{"operand 0 is uint32, not int64", GridKernel, func(b builder, p []*Value) {
			b.parallel(p[3:], func(b builder, i []*Value) {})
		}},
		{"has 2 parameters, not 1", GridKernel, func(b builder, p []*Value) {
			b.parallel(p[1:2], func(b builder, i []*Value) { b.AddParam(Int64, "j") })
		}},
		{"leaves a parallel for", GridKernel, func(b builder, p []*Value) {
			b.parallel(p[1:2], func(b builder, i []*Value) { b.ret() })
		}},
		{"does not end a parallel for", GridKernel, func(b builder, p []*Value) {
			b.parallel(p[1:2], func(b builder, i []*Value) { b.end(OpTest, nil, b.bool(true)) })
		}},
		{"has 1 operands, not 0", GridKernel, func(b builder, p []*Value) {
			b.parallel(p[1:2], func(b builder, i []*Value) { b.yield(i...) })
		}},
		{"the callee is no kernel of a thread", GridKernel, func(b builder, p []*Value) { emit(b, Instr{Op: OpLaunch, Rank: 1, Args: p[1:2]}) }},
		{"stands elsewhere than in a kernel for a grid", BlockKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpLaunch, Rank: 1, Args: values(p[1], p[1])})
		}},
		{"a launch of 2 dimensions", GridKernel, func(b builder, p []*Value) { emit(b, Instr{Op: OpLaunch, Rank: 2, Args: p[1:2]}) }},
		{"the kernel takes launches of 1 dimensions", GridKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpLaunch, Rank: 2, Args: values(p[1], p[1], p[1])})
		}},
		{"arguments 0 is uint32, not int64", GridKernel, func(b builder, p []*Value) {
			emit(b, Instr{Op: OpLaunch, Rank: 1, Args: values(p[1], p[3])})
		}},
		{"the kernel is not among the module's earlier functions", GridKernel, func(b builder, p []*Value) {
			other := kernelOf("other", nil, func(b builder, p []*Value) { b.ret() })
			emit(b, Instr{Op: OpLaunch, Rank: 1, Args: p[1:2], Callee: other.Funcs[0]})
		}},
	} {
		m := kernelOf("step", []*Value{arg(Int64, "n")}, func(b builder, p []*Value) { b.ret() })
		m.Funcs[0].Rank = 1
		first := []Type{ThreadKernel: Thread, BlockKernel: BlockPlace, GridKernel: Int64}[c.kind]
		params := []*Value{arg(first, "t"), arg(Int64, "n"), arg(Slice{Float32}, "s"), arg(Uint32, "u")}
		k := addFunc(m, "k", true, params, nil, func(b builder, p []*Value) {
			b.Func.Kind = c.kind
			c.build(b, p)
			if b.Terminator() == nil {
				b.ret()
			}
		})
		k.Body.Walk(func(in *Instr) {
			if in.Op == OpLaunch && in.Callee == nil && len(in.Args) > 1 {
				in.Callee = m.Funcs[0]
			}
			if in.Op == OpLaunch && in.Rank == 2 && len(in.Args) == 1 {
				in.Callee = m.Funcs[0]
			}
		})
		if err := Verify(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant: %s\n%s", err, c.want, m)
		}
	}
}

// TestPassesFor runs the pipeline over what stands in a parallel for.
func TestPassesFor(t *testing.T) {
	m := &Module{Name: "k"}
	k := addFunc(m, "k", true, []*Value{arg(BlockPlace, "b"), arg(Int64, "n"), arg(Slice{Int64}, "s")}, nil, func(b builder, p []*Value) {
		b.Func.Kind = BlockKernel
		twice := b.op(OpAdd, p[1], p[1])
		b.op(OpMul, p[1], p[1])
		b.parallel([]*Value{p[1]}, func(b builder, i []*Value) {
			b.ifelse(b.op(OpGt, i[0], b.op(OpAdd, b.int(Int64, 1), b.int(Int64, 2))), nil, func(b builder) { b.panic("large", i[0]) }, nil)
			l := b.loop([]*Value{b.int(Int64, 0), p[1]}, func(b builder, v []*Value) *Value { return b.op(OpLt, v[0], v[1]) },
				func(b builder, loop *Instr, v []*Value) { b.next(loop, v...) },
				func(b builder, v []*Value) []*Value { return []*Value{b.op(OpAdd, v[0], b.int(Int64, 1)), v[1]} })
			b.store(b.op(OpIndexAddr, p[2], i[0]), b.op(OpAdd, l.Results[1], b.op(OpAdd, p[1], p[1])))
		})
		b.parallel([]*Value{twice}, func(b builder, i []*Value) {})
		b.ret()
	})
	if err := Verify(m); err != nil {
		t.Fatal(err)
	}
	if got := k.Body.Instrs[2].Effect(); got != Control {
		t.Errorf("a parallel for with a panic has effect %v", got)
	}
	if got := k.Body.Instrs[3].Effect(); got != Writes {
		t.Errorf("an empty parallel for has effect %v", got)
	}
	Optimize(m, func(pass string, m *Module) {
		if err := Verify(m); err != nil {
			t.Fatalf("after %s: %v\n%s", pass, err, m)
		}
	})
	want := outdent(`
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
	if got := body(k); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
