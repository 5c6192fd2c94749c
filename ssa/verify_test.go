package ssa

import (
	"strings"
	"testing"
)

// TestVerify breaks one rule at a time.
func TestVerify(t *testing.T) {
	// A loop over v := a whose parts the cases fill in.
	loop := func(b builder, p params, do func(b builder, loop *Instr, v []*Value)) *Instr {
		return b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return p.c }, do,
			func(b builder, v []*Value) []*Value { return v })
	}
	next := func(b builder, loop *Instr, v []*Value) { b.next(loop, v...) }
	emit := func(b builder, in Instr, results ...Type) *Instr { return b.Append(&in, results...) }
	values := func(vs ...*Value) []*Value { return vs }

	for _, c := range []struct {
		want  string
		build func(b builder, p params)
	}{
		// Structure.
		{"a block without a terminator", func(b builder, p params) { b.op(OpAdd, p.a, p.b) }},
		{"a terminator before the end of its block", func(b builder, p params) { b.ret(); b.ret() }},
		{"an instruction is missing", func(b builder, p params) { b.Instrs = append(b.Instrs, nil); b.ret() }},
		{"an invalid operation", func(b builder, p params) { emit(b, Instr{Op: numOps}); b.ret() }},
		{"an invalid operation", func(b builder, p params) { emit(b, Instr{}); b.ret() }},
		{"operand 1 is missing", func(b builder, p params) { b.op(OpAdd, p.a, nil); b.ret() }},
		{"does not know the block it stands in", func(b builder, p params) { emit(b, Instr{Op: OpReturn}).Block = nil }},
		{"does not know the block it is a parameter of", func(b builder, p params) { p.a.Block = nil; b.ret() }},
		{"does not know the instruction it is a result of", func(b builder, p params) { b.int(Int64, 1).Def = nil; b.ret() }},
		{"has no type", func(b builder, p params) { b.int(Int64, 1).Type = nil; b.ret() }},
		{"was not numbered by its function", func(b builder, p params) { b.int(Int64, 1).ID = 1000; b.ret() }},
		{"has the number of another value, b.v1", func(b builder, p params) { b.int(Int64, 1).ID = 1; b.ret() }},
		{"is defined twice", func(b builder, p params) {
			in := b.int(Int64, 1).Def
			in.Results = append(in.Results, in.Results[0])
			b.ret()
		}},
		{"has 0 blocks, not 2", func(b builder, p params) { emit(b, Instr{Op: OpIf, Args: values(p.c)}); b.ret() }},
		{"a block is missing", func(b builder, p params) {
			b.ifelse(p.c, nil, nil, nil).Blocks[1] = nil
			b.ret()
		}},
		{"a block of another owner", func(b builder, p params) {
			in := b.ifelse(p.c, nil, nil, nil)
			b.ifelse(p.c, nil, nil, nil).Blocks[1] = in.Else()
			b.ret()
		}},
		{"a block of another function", func(b builder, p params) {
			b.ifelse(p.c, nil, nil, nil).Then().Func = NewFunc("g")
			b.ret()
		}},

		// Visibility.
		{"operand 0, v6, is not visible here", func(b builder, p params) { // from the block of an if
			var inner *Value
			b.ifelse(p.c, nil, func(b builder) { inner = b.op(OpNeg, p.a); b.yield() }, nil)
			b.op(OpNeg, inner)
			b.ret()
		}},
		{"operand 0, v6, is not visible here", func(b builder, p params) { // before its definition
			v := b.int(Int64, 1)
			b.op(OpNeg, v)
			b.Instrs[0], b.Instrs[1] = b.Instrs[1], b.Instrs[0]
			b.ret()
		}},
		{"operand 0, v6, is not visible here", func(b builder, p params) { // inside its definition
			in := emit(b, Instr{Op: OpIf, Args: values(p.c)}, Int64)
			for range 2 {
				builder{in.NewBlock()}.yield(in.Result())
			}
			b.ret()
		}},
		{"operand 0, a.v7, is not visible here", func(b builder, p params) { // a parameter of cond after the loop
			l := loop(b, p, next)
			b.op(OpNeg, l.Cond().Params[0])
			b.ret()
		}},
		{"operand 0, v9, is not visible here", func(b builder, p params) { // a value of cond in do
			var inner *Value
			b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value {
				inner = b.op(OpNeg, v[0])
				return p.c
			}, func(b builder, loop *Instr, v []*Value) { b.next(loop, inner) },
				func(b builder, v []*Value) []*Value { return v })
			b.ret()
		}},
		{"operand 0, v9, is not visible here", func(b builder, p params) { // a value of do in post
			var inner *Value
			b.loop([]*Value{p.a}, func(b builder, v []*Value) *Value { return p.c },
				func(b builder, loop *Instr, v []*Value) { inner = b.op(OpNeg, v[0]); b.next(loop, inner) },
				func(b builder, v []*Value) []*Value { return values(inner) })
			b.ret()
		}},
		{"operand 0, a.v7, is not visible here", func(b builder, p params) { // a parameter of cond in post
			l := loop(b, p, next)
			l.Post().Terminator().Args = l.Cond().Params
			b.ret()
		}},
		{"is not a value of this function", func(b builder, p params) {
			g := addFunc(p.m, "g", false, []*Value{arg(Int64, "a")}, nil, func(b builder, _ []*Value) { b.ret() })
			b.op(OpNeg, g.Params()[0])
			b.ret()
		}},

		// Terminators.
		{"does not end a function's body", func(b builder, p params) { b.yield() }},
		{"the target is not a loop", func(b builder, p params) { b.brk(nil) }},
		{"the target is not a loop around it", func(b builder, p params) {
			l := loop(b, p, next)
			b.ifelse(p.c, nil, func(b builder) { b.brk(l, p.a) }, nil)
			b.ret()
		}},
		{"does not end a block of an if", func(b builder, p params) {
			b.ifelse(p.c, nil, func(b builder) { b.end(OpTest, nil, p.c) }, nil)
			b.ret()
		}},
		{"does not end the cond of a loop", func(b builder, p params) {
			l := loop(b, p, next)
			l.Cond().Instrs = nil
			builder{l.Cond()}.brk(l, p.a)
			b.ret()
		}},
		{"does not end the do of a loop", func(b builder, p params) {
			loop(b, p, func(b builder, loop *Instr, v []*Value) { b.yield(v...) })
			b.ret()
		}},
		{"does not end the post of a loop", func(b builder, p params) {
			l := loop(b, p, next)
			l.Post().Terminator().Op = OpReturn
			b.ret()
		}},
		{"leaves a loop from outside its do", func(b builder, p params) { // a return in cond
			b.loop(nil, func(b builder, v []*Value) *Value {
				b.ifelse(p.c, nil, func(b builder) { b.ret() }, nil)
				return p.c
			}, func(b builder, loop *Instr, v []*Value) { b.next(loop) },
				func(b builder, v []*Value) []*Value { return nil })
			b.ret()
		}},
		{"leaves a loop from outside its do", func(b builder, p params) { // post breaks the loop around
			loop(b, p, func(b builder, outer *Instr, v []*Value) {
				b.loop(nil, func(b builder, v []*Value) *Value { return p.c },
					func(b builder, loop *Instr, v []*Value) { b.next(loop) },
					func(b builder, _ []*Value) []*Value {
						b.ifelse(p.c, nil, func(b builder) { b.brk(outer, v...) }, nil)
						return nil
					})
				b.next(outer, v...)
			})
			b.ret()
		}},
		{"the end of the block can be reached", func(b builder, p params) { b.unreachable() }},
		{"the end of the block can be reached", func(b builder, p params) {
			b.ifelse(p.c, nil, func(b builder) { b.ret() }, nil)
			b.unreachable()
		}},
		{"the end of the block can be reached", func(b builder, p params) {
			loop(b, p, next)
			b.unreachable()
		}},
		{"has 1 operands, not 2", func(b builder, p params) {
			b.ifelse(p.c, []Type{Int64, Int64}, func(b builder) { b.yield(p.a, p.b) }, func(b builder) { b.yield(p.a) })
			b.ret()
		}},
		{"operands 0 is bool, not int64", func(b builder, p params) {
			b.ifelse(p.c, []Type{Int64}, func(b builder) { b.yield(p.c) }, func(b builder) { b.yield(p.a) })
			b.ret()
		}},
		{"operands 0 is bool, not int64", func(b builder, p params) {
			loop(b, p, func(b builder, loop *Instr, v []*Value) { b.next(loop, p.c) })
			b.ret()
		}},
		{"has 0 operands, not 1", func(b builder, p params) {
			loop(b, p, func(b builder, loop *Instr, v []*Value) { b.brk(loop) })
			b.ret()
		}},
		{"operands 0 is bool, not int64", func(b builder, p params) {
			loop(b, p, next).Post().Terminator().Args = values(p.c)
			b.ret()
		}},
		{"has 1 operands, not 0", func(b builder, p params) { b.ret(p.a) }},
		{"operand 0 is int64, not bool", func(b builder, p params) { b.ifelse(p.a, nil, nil, nil); b.ret() }},
		{"operand 0 is int64, not bool", func(b builder, p params) {
			l := loop(b, p, next)
			l.Cond().Terminator().Args = values(p.a)
			b.ret()
		}},
		{"a block with parameters", func(b builder, p params) {
			b.ifelse(p.c, nil, nil, nil).Then().AddParam(Int64, "")
			b.ret()
		}},
		{"a body with parameters", func(b builder, p params) { loop(b, p, next).Do().AddParam(Int64, ""); b.ret() }},
		{"has 2 parameters of post, not 1", func(b builder, p params) { loop(b, p, next).Post().AddParam(Int64, ""); b.ret() }},
		{"has 2 operands, not 1", func(b builder, p params) { l := loop(b, p, next); l.Args = values(p.a, p.b); b.ret() }},
		{"results 0 is bool, not int64", func(b builder, p params) { loop(b, p, next).Results[0].Type = Bool; b.ret() }},

		// Types.
		{"has 1 operands, not 2", func(b builder, p params) { b.op(OpAdd, p.a); b.ret() }},
		{"has 0 results, not 1", func(b builder, p params) { emit(b, Instr{Op: OpAdd, Args: values(p.a, p.b)}); b.ret() }},
		{"operand 0 is bool, which the operation does not take", func(b builder, p params) { b.op(OpAdd, p.c, p.c); b.ret() }},
		{"operand 0 is float32, which the operation does not take", func(b builder, p params) { b.op(OpRem, p.x, p.x); b.ret() }},
		{"operand 0 is bool, which the operation does not take", func(b builder, p params) { b.op(OpLt, p.c, p.c); b.ret() }},
		{"operand 1 is float32, not int64", func(b builder, p params) { b.op(OpAdd, p.a, p.x); b.ret() }},
		{"operand 1 is int64, not bool", func(b builder, p params) { b.op(OpEq, p.c, p.a); b.ret() }},
		{"result 0 is int32, not int64", func(b builder, p params) {
			emit(b, Instr{Op: OpAdd, Args: values(p.a, p.b)}, Int32)
			b.ret()
		}},
		{"result 0 is int64, not bool", func(b builder, p params) {
			emit(b, Instr{Op: OpLt, Args: values(p.a, p.b)}, Int64)
			b.ret()
		}},
		{"the count is float32, not an integer", func(b builder, p params) { b.op(OpShl, p.a, p.x); b.ret() }},
		{"no such conversion from int64 to bool", func(b builder, p params) { b.convert(Bool, p.a); b.ret() }},
		{"no such conversion from int64 to float64", func(b builder, p params) { b.bitcast(Float64, p.a); b.ret() }},
		{"a constant of type thread", func(b builder, p params) { b.constant(Thread, Const{}); b.ret() }},
		{"the constant is not one of type uint8: 0x100", func(b builder, p params) { b.constant(Uint8, Const{bits: 256}); b.ret() }},
		{"the constant is not one of type int8: 0x80", func(b builder, p params) { b.constant(Int8, Const{bits: 128}); b.ret() }},
		{"the constant is not one of type bool: 0x2", func(b builder, p params) { b.constant(Bool, Const{bits: 2}); b.ret() }},
		{"the constant is not one of type float32", func(b builder, p params) { b.constant(Float32, Float64Const(1)); b.ret() }},
		{"an invalid function", func(b builder, p params) { emit(b, Instr{Op: OpMath, Args: values(p.x)}, Float32); b.ret() }},
		{"operands 1 is int64, not float32", func(b builder, p params) { b.math(Atan2, Float32, p.x, p.a); b.ret() }},
		{"results 0 is float64, not float32", func(b builder, p params) { b.math(Sin, Float64, p.x); b.ret() }},
		{"has 1 results, not 2", func(b builder, p params) {
			emit(b, Instr{Op: OpMath, Math: Modf, Args: values(p.x)}, Float32)
			b.ret()
		}},
		{"operand 0 is int64, not thread", func(b builder, p params) { b.op(OpThreadDim, p.a); b.ret() }},
		{"rank 5 is not one of 1 to 4", func(b builder, p params) {
			emit(b, Instr{Op: OpThreadID, Rank: 5, Args: values(p.a)}, Int64)
			b.ret()
		}},
		{"axis 2 is not one of 0 to 1", func(b builder, p params) {
			emit(b, Instr{Op: OpThreadID, Rank: 2, Axis: 2, Args: values(p.a)}, Int64)
			b.ret()
		}},
		{"axis 4 is not one of 0 to 3", func(b builder, p params) {
			emit(b, Instr{Op: OpThreadDim, Axis: 4, Args: values(p.a)}, Int64)
			b.ret()
		}},
		{"operand 0 is int64, not a slice", func(b builder, p params) { b.op(OpLen, p.a); b.ret() }},
		{"operand 2 is bool, not int64", func(b builder, p params) { b.op(OpSubslice, p.s, p.a, p.c); b.ret() }},
		{"operand 1 is float32, not int64", func(b builder, p params) { b.op(OpIndexAddr, p.s, p.x); b.ret() }},
		{"result 0 is *int32, not *int64", func(b builder, p params) {
			emit(b, Instr{Op: OpIndexAddr, Args: values(p.s, p.a)}, Pointer{Int32})
			b.ret()
		}},
		{"operand 0 is not a pointer", func(b builder, p params) { emit(b, Instr{Op: OpLoad, Args: values(p.a)}, Int64); b.ret() }},
		{"operand 1 is float32, not int64", func(b builder, p params) { b.store(b.op(OpIndexAddr, p.s, p.a), p.x); b.ret() }},
		{"an invalid operation", func(b builder, p params) {
			emit(b, Instr{Op: OpAtomic, Args: values(b.op(OpIndexAddr, p.s, p.a), p.a)}, Int64)
			b.ret()
		}},
		{"has 2 operands, not 3", func(b builder, p params) {
			emit(b, Instr{Op: OpAtomic, Atomic: AtomicCAS, Args: values(b.op(OpIndexAddr, p.s, p.a), p.a)}, Int64)
			b.ret()
		}},
		{"there is no atomic add of int8", func(b builder, p params) {
			at := emit(b, Instr{Op: OpIndexAddr, Args: values(b.Func.Body.AddParam(Slice{Int8}, "t"), p.a)}, Pointer{Int8})
			emit(b, Instr{Op: OpAtomic, Atomic: AtomicAdd, Args: values(at.Result(), b.int(Int8, 1))}, Int8)
			b.ret()
		}},
		{"there is no atomic and of float32", func(b builder, p params) {
			at := b.op(OpIndexAddr, b.Func.Body.AddParam(Slice{Float32}, "t"), p.a)
			emit(b, Instr{Op: OpAtomic, Atomic: AtomicAnd, Args: values(at, p.x)}, Float32)
			b.ret()
		}},
		{"the module has 1 formats", func(b builder, p params) {
			p.m.Formats = []Format{{}}
			emit(b, Instr{Op: OpPrintf, Format: 1})
			b.ret()
		}},
		{"has 1 operands, its format 0", func(b builder, p params) {
			p.m.Formats = []Format{{}}
			emit(b, Instr{Op: OpPrintf, Args: values(p.a)})
			b.ret()
		}},
		{"operand 0 is int64, not float32", func(b builder, p params) {
			p.m.Formats = []Format{{Args: []FormatArg{{Type: Float32}}}}
			emit(b, Instr{Op: OpPrintf, Args: values(p.a)})
			b.ret()
		}},
		{"which a device cannot record", func(b builder, p params) {
			p.m.Formats = []Format{{Args: []FormatArg{{Type: p.s.Type}}}}
			emit(b, Instr{Op: OpPrintf, Args: values(p.s)})
			b.ret()
		}},

		// Calls and functions.
		{"the callee is missing", func(b builder, p params) { emit(b, Instr{Op: OpCall}); b.ret() }},
		{"has 0 operands, not 6", func(b builder, p params) { b.call(b.Func); b.ret() }},
		{"the callee is not among the module's earlier functions", func(b builder, p params) {
			b.call(b.Func, p.a, p.b, p.c, p.x, p.y, p.s) // itself
			b.ret()
		}},
		{"the callee is not among the module's earlier functions", func(b builder, p params) {
			other := &Module{}
			b.call(addFunc(other, "g", false, nil, nil, func(b builder, _ []*Value) { b.ret() }))
			b.ret()
		}},
		{"has 0 results, not 1", func(b builder, p params) {
			g := addFunc(p.m, "g", false, nil, []Type{Int64}, func(b builder, _ []*Value) { b.ret(b.int(Int64, 1)) })
			emit(b, Instr{Op: OpCall, Callee: g})
			b.ret()
		}},
		{"the callee is a kernel", func(b builder, p params) {
			g := addFunc(p.m, "g", true, []*Value{arg(Thread, "t")}, nil, func(b builder, _ []*Value) { b.ret() })
			b.call(g, b.Func.Body.AddParam(Thread, "t"))
			b.ret()
		}},
		{"a second function of this name", func(b builder, p params) {
			addFunc(p.m, "f", false, nil, nil, func(b builder, _ []*Value) { b.ret() })
			b.ret()
		}},
		{"is missing or has no body", func(b builder, p params) { p.m.Funcs = append(p.m.Funcs, nil); b.ret() }},
		{"a kernel whose first parameter is not a thread", func(b builder, p params) { b.Func.Kernel = true; b.ret() }},
		{"a kernel with results", func(b builder, p params) {
			b.Func.Kernel, b.Func.Results = true, []Type{Int64}
			b.ret(p.a)
		}},
		{"parameter 6 is a second thread", func(b builder, p params) {
			b.Func.Kernel = true
			p.a.Type = Thread
			b.Func.Body.AddParam(Thread, "u")
			b.ret()
		}},
		{"parameter 6 is a string", func(b builder, p params) { b.Func.Body.AddParam(String, "u"); b.ret() }},
		{"a device function with a rank", func(b builder, p params) { b.Func.Rank = 1; b.ret() }},
		{"a kernel of rank 5", func(b builder, p params) { b.Func.Kernel, b.Func.Rank, p.a.Type = true, 5, Thread; b.ret() }},
		{"needs a launch of another rank than the kernel's, 3", func(b builder, p params) {
			b.Func.Kernel, b.Func.Rank, p.a.Type = true, 3, Thread
			emit(b, Instr{Op: OpThreadID, Rank: 2, Args: values(p.a)}, Int64)
			b.ret()
		}},
		{"needs a launch of another rank than the kernel's, 0", func(b builder, p params) { // by way of a callee
			g := addFunc(p.m, "g", false, []*Value{arg(Thread, "t")}, nil, func(b builder, v []*Value) {
				emit(b, Instr{Op: OpThreadID, Rank: 2, Args: v}, Int64)
				b.ret()
			})
			b.Func.Kernel, p.a.Type = true, Thread
			b.call(g, p.a)
			b.ret()
		}},
		{"needs a launch of another rank than the function already does", func(b builder, p params) {
			t := b.Func.Body.AddParam(Thread, "t")
			emit(b, Instr{Op: OpThreadID, Rank: 2, Args: values(t)}, Int64)
			emit(b, Instr{Op: OpThreadID, Rank: 3, Args: values(t)}, Int64)
			b.ret()
		}},
	} {
		m := &Module{Name: "m"}
		testFunc(m, c.build)
		err := Verify(m)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant: %s\n%s", err, c.want, m)
		}
	}
}

// TestVerifyAll wants all violations, with their places.
func TestVerifyAll(t *testing.T) {
	m := &Module{Name: "m"}
	testFunc(m, func(b builder, p params) {
		b.op(OpAdd, p.c, p.c).Def.Pos = Pos{File: "k.go", Line: 7}
		b.loop(nil, func(b builder, _ []*Value) *Value { return p.a }, func(b builder, loop *Instr, _ []*Value) { b.next(loop) },
			func(b builder, _ []*Value) []*Value { return nil })
		b.ret(p.a)
	})
	const want = `ssa: f (k.go:7): v6:bool = add c.v2, c.v2: operand 0 is bool, which the operation does not take
ssa: f: test a.v0: operand 0 is int64, not bool
ssa: f: return a.v0: has 1 operands, not 0`
	if err := Verify(m); err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}
