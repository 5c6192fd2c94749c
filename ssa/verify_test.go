package ssa_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestVerify breaks one rule at a time.
func TestVerify(t *testing.T) {
	// A loop over v := a whose parts the cases fill in.
	loop := func(b ssatest.Builder, p ssatest.Params, do func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value)) *ssa.Instr {
		return b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return p.C }, do,
			func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
	}
	next := func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v...) }
	emit := func(b ssatest.Builder, in ssa.Instr, results ...ssa.Type) *ssa.Instr {
		return b.Append(&in, results...)
	}
	values := func(vs ...*ssa.Value) []*ssa.Value { return vs }

	for _, c := range []struct {
		want  string
		build func(b ssatest.Builder, p ssatest.Params)
	}{
		// Structure.
		{"a block without a terminator", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpAdd, p.A, p.B) }},
		{"a terminator before the end of its block", func(b ssatest.Builder, p ssatest.Params) { b.Return(); b.Return() }},
		{"an instruction is missing", func(b ssatest.Builder, p ssatest.Params) { b.Instrs = append(b.Instrs, nil); b.Return() }},
		{"an invalid operation", func(b ssatest.Builder, p ssatest.Params) { emit(b, ssa.Instr{Op: ssa.OpPanic + 1}); b.Return() }},
		{"an invalid operation", func(b ssatest.Builder, p ssatest.Params) { emit(b, ssa.Instr{}); b.Return() }},
		{"operand 1 is missing", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpAdd, p.A, nil); b.Return() }},
		{"does not know the block it stands in", func(b ssatest.Builder, p ssatest.Params) { emit(b, ssa.Instr{Op: ssa.OpReturn}).Block = nil }},
		{"does not know the block it is a parameter of", func(b ssatest.Builder, p ssatest.Params) { p.A.Block = nil; b.Return() }},
		{"does not know the instruction it is a result of", func(b ssatest.Builder, p ssatest.Params) { b.Int(ssa.Int64, 1).Def = nil; b.Return() }},
		{"has no type", func(b ssatest.Builder, p ssatest.Params) { b.Int(ssa.Int64, 1).Type = nil; b.Return() }},
		{"was not numbered by its function", func(b ssatest.Builder, p ssatest.Params) { b.Int(ssa.Int64, 1).ID = 1000; b.Return() }},
		{"has the number of another value, b.v1", func(b ssatest.Builder, p ssatest.Params) { b.Int(ssa.Int64, 1).ID = 1; b.Return() }},
		{"is defined twice", func(b ssatest.Builder, p ssatest.Params) {
			in := b.Int(ssa.Int64, 1).Def
			in.Results = append(in.Results, in.Results[0])
			b.Return()
		}},
		{"has 0 blocks, not 2", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpIf, Args: values(p.C)})
			b.Return()
		}},
		{"a block is missing", func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(p.C, nil, nil, nil).Blocks[1] = nil
			b.Return()
		}},
		{"a block of another owner", func(b ssatest.Builder, p ssatest.Params) {
			in := b.IfElse(p.C, nil, nil, nil)
			b.IfElse(p.C, nil, nil, nil).Blocks[1] = in.Else()
			b.Return()
		}},
		{"a block of another function", func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(p.C, nil, nil, nil).Then().Func = ssa.NewFunc("g")
			b.Return()
		}},

		// Visibility.
		{"operand 0, v6, is not visible here", func(b ssatest.Builder, p ssatest.Params) { // from the block of an if
			var inner *ssa.Value
			b.IfElse(p.C, nil, func(b ssatest.Builder) { inner = b.Op(ssa.OpNeg, p.A); b.Yield() }, nil)
			b.Op(ssa.OpNeg, inner)
			b.Return()
		}},
		{"operand 0, v6, is not visible here", func(b ssatest.Builder, p ssatest.Params) { // before its definition
			v := b.Int(ssa.Int64, 1)
			b.Op(ssa.OpNeg, v)
			b.Instrs[0], b.Instrs[1] = b.Instrs[1], b.Instrs[0]
			b.Return()
		}},
		{"operand 0, v6, is not visible here", func(b ssatest.Builder, p ssatest.Params) { // inside its definition
			in := emit(b, ssa.Instr{Op: ssa.OpIf, Args: values(p.C)}, ssa.Int64)
			for range 2 {
				ssatest.Builder{Block: in.NewBlock()}.Yield(in.Result())
			}
			b.Return()
		}},
		{"operand 0, a.v7, is not visible here", func(b ssatest.Builder, p ssatest.Params) { // a parameter of cond after the loop
			l := loop(b, p, next)
			b.Op(ssa.OpNeg, l.Cond().Params[0])
			b.Return()
		}},
		{"operand 0, v9, is not visible here", func(b ssatest.Builder, p ssatest.Params) { // a value of cond in do
			var inner *ssa.Value
			b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				inner = b.Op(ssa.OpNeg, v[0])
				return p.C
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, inner) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return v })
			b.Return()
		}},
		{"operand 0, v9, is not visible here", func(b ssatest.Builder, p ssatest.Params) { // a value of do in post
			var inner *ssa.Value
			b.Loop([]*ssa.Value{p.A}, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return p.C },
				func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) {
					inner = b.Op(ssa.OpNeg, v[0])
					b.Next(loop, inner)
				},
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return values(inner) })
			b.Return()
		}},
		{"operand 0, a.v7, is not visible here", func(b ssatest.Builder, p ssatest.Params) { // a parameter of cond in post
			l := loop(b, p, next)
			l.Post().Terminator().Args = l.Cond().Params
			b.Return()
		}},
		{"is not a value of this function", func(b ssatest.Builder, p ssatest.Params) {
			g := ssatest.AddFunc(p.Module, "g", false, []*ssa.Value{ssatest.Arg(ssa.Int64, "a")}, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Return() })
			b.Op(ssa.OpNeg, g.Params()[0])
			b.Return()
		}},

		// Terminators.
		{"does not end a function's body", func(b ssatest.Builder, p ssatest.Params) { b.Yield() }},
		{"the target is not a loop", func(b ssatest.Builder, p ssatest.Params) { b.Break(nil) }},
		{"the target is not a loop around it", func(b ssatest.Builder, p ssatest.Params) {
			l := loop(b, p, next)
			b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(l, p.A) }, nil)
			b.Return()
		}},
		{"does not end a block of an if", func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(p.C, nil, func(b ssatest.Builder) { b.End(ssa.OpTest, nil, p.C) }, nil)
			b.Return()
		}},
		{"does not end the cond of a loop", func(b ssatest.Builder, p ssatest.Params) {
			l := loop(b, p, next)
			l.Cond().Instrs = nil
			ssatest.Builder{Block: l.Cond()}.Break(l, p.A)
			b.Return()
		}},
		{"does not end the do of a loop", func(b ssatest.Builder, p ssatest.Params) {
			loop(b, p, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Yield(v...) })
			b.Return()
		}},
		{"does not end the post of a loop", func(b ssatest.Builder, p ssatest.Params) {
			l := loop(b, p, next)
			l.Post().Terminator().Op = ssa.OpReturn
			b.Return()
		}},
		{"leaves a loop from outside its do", func(b ssatest.Builder, p ssatest.Params) { // a return in cond
			b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value {
				b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Return() }, nil)
				return p.C
			}, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop) },
				func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value { return nil })
			b.Return()
		}},
		{"leaves a loop from outside its do", func(b ssatest.Builder, p ssatest.Params) { // post breaks the loop around
			loop(b, p, func(b ssatest.Builder, outer *ssa.Instr, v []*ssa.Value) {
				b.Loop(nil, func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return p.C },
					func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop) },
					func(b ssatest.Builder, _ []*ssa.Value) []*ssa.Value {
						b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Break(outer, v...) }, nil)
						return nil
					})
				b.Next(outer, v...)
			})
			b.Return()
		}},
		{"the end of the block can be reached", func(b ssatest.Builder, p ssatest.Params) { b.Unreachable() }},
		{"the end of the block can be reached", func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(p.C, nil, func(b ssatest.Builder) { b.Return() }, nil)
			b.Unreachable()
		}},
		{"the end of the block can be reached", func(b ssatest.Builder, p ssatest.Params) {
			loop(b, p, next)
			b.Unreachable()
		}},
		{"has 1 operands, not 2", func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(p.C, []ssa.Type{ssa.Int64, ssa.Int64}, func(b ssatest.Builder) { b.Yield(p.A, p.B) }, func(b ssatest.Builder) { b.Yield(p.A) })
			b.Return()
		}},
		{"operands 0 is bool, not int64", func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(p.C, []ssa.Type{ssa.Int64}, func(b ssatest.Builder) { b.Yield(p.C) }, func(b ssatest.Builder) { b.Yield(p.A) })
			b.Return()
		}},
		{"operands 0 is bool, not int64", func(b ssatest.Builder, p ssatest.Params) {
			loop(b, p, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, p.C) })
			b.Return()
		}},
		{"has 0 operands, not 1", func(b ssatest.Builder, p ssatest.Params) {
			loop(b, p, func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Break(loop) })
			b.Return()
		}},
		{"operands 0 is bool, not int64", func(b ssatest.Builder, p ssatest.Params) {
			loop(b, p, next).Post().Terminator().Args = values(p.C)
			b.Return()
		}},
		{"has 1 operands, not 0", func(b ssatest.Builder, p ssatest.Params) { b.Return(p.A) }},
		{"operand 0 is int64, not bool", func(b ssatest.Builder, p ssatest.Params) { b.IfElse(p.A, nil, nil, nil); b.Return() }},
		{"operand 0 is int64, not bool", func(b ssatest.Builder, p ssatest.Params) {
			l := loop(b, p, next)
			l.Cond().Terminator().Args = values(p.A)
			b.Return()
		}},
		{"a block with parameters", func(b ssatest.Builder, p ssatest.Params) {
			b.IfElse(p.C, nil, nil, nil).Then().AddParam(ssa.Int64, "")
			b.Return()
		}},
		{"a body with parameters", func(b ssatest.Builder, p ssatest.Params) { loop(b, p, next).Do().AddParam(ssa.Int64, ""); b.Return() }},
		{"has 2 parameters of post, not 1", func(b ssatest.Builder, p ssatest.Params) { loop(b, p, next).Post().AddParam(ssa.Int64, ""); b.Return() }},
		{"has 2 operands, not 1", func(b ssatest.Builder, p ssatest.Params) {
			l := loop(b, p, next)
			l.Args = values(p.A, p.B)
			b.Return()
		}},
		{"results 0 is bool, not int64", func(b ssatest.Builder, p ssatest.Params) { loop(b, p, next).Results[0].Type = ssa.Bool; b.Return() }},

		// Types.
		{"has 1 operands, not 2", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpAdd, p.A); b.Return() }},
		{"has 0 results, not 1", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpAdd, Args: values(p.A, p.B)})
			b.Return()
		}},
		{"operand 0 is bool, which the operation does not take", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpAdd, p.C, p.C); b.Return() }},
		{"operand 0 is float32, which the operation does not take", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpRem, p.X, p.X); b.Return() }},
		{"operand 0 is bool, which the operation does not take", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpLt, p.C, p.C); b.Return() }},
		{"operand 1 is float32, not int64", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpAdd, p.A, p.X); b.Return() }},
		{"operand 1 is int64, not bool", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpEq, p.C, p.A); b.Return() }},
		{"result 0 is int32, not int64", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpAdd, Args: values(p.A, p.B)}, ssa.Int32)
			b.Return()
		}},
		{"result 0 is int64, not bool", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpLt, Args: values(p.A, p.B)}, ssa.Int64)
			b.Return()
		}},
		{"the count is float32, not an integer", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpShl, p.A, p.X); b.Return() }},
		{"no such conversion from int64 to bool", func(b ssatest.Builder, p ssatest.Params) { b.Convert(ssa.Bool, p.A); b.Return() }},
		{"no such conversion from int64 to float64", func(b ssatest.Builder, p ssatest.Params) { b.Bitcast(ssa.Float64, p.A); b.Return() }},
		{"a constant of type thread", func(b ssatest.Builder, p ssatest.Params) { b.Constant(ssa.Thread, ssa.Const{}); b.Return() }},
		{"the constant is not one of type uint8: 0x100", func(b ssatest.Builder, p ssatest.Params) { b.Constant(ssa.Uint8, ssa.BitsConst(256)); b.Return() }},
		{"the constant is not one of type int8: 0x80", func(b ssatest.Builder, p ssatest.Params) { b.Constant(ssa.Int8, ssa.BitsConst(128)); b.Return() }},
		{"the constant is not one of type bool: 0x2", func(b ssatest.Builder, p ssatest.Params) { b.Constant(ssa.Bool, ssa.BitsConst(2)); b.Return() }},
		{"the constant is not one of type float32", func(b ssatest.Builder, p ssatest.Params) { b.Constant(ssa.Float32, ssa.Float64Const(1)); b.Return() }},
		{"an invalid function", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpMath, Args: values(p.X)}, ssa.Float32)
			b.Return()
		}},
		{"operands 1 is int64, not float32", func(b ssatest.Builder, p ssatest.Params) { b.Math(ssa.Atan2, ssa.Float32, p.X, p.A); b.Return() }},
		{"results 0 is float64, not float32", func(b ssatest.Builder, p ssatest.Params) { b.Math(ssa.Sin, ssa.Float64, p.X); b.Return() }},
		{"has 1 results, not 2", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpMath, Math: ssa.Modf, Args: values(p.X)}, ssa.Float32)
			b.Return()
		}},
		{"operand 0 is int64, not thread", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpThreadDim, p.A); b.Return() }},
		{"rank 5 is not one of 1 to 4", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpThreadID, Rank: 5, Args: values(p.A)}, ssa.Int64)
			b.Return()
		}},
		{"axis 2 is not one of 0 to 1", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpThreadID, Rank: 2, Axis: 2, Args: values(p.A)}, ssa.Int64)
			b.Return()
		}},
		{"axis 4 is not one of 0 to 3", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpThreadDim, Axis: 4, Args: values(p.A)}, ssa.Int64)
			b.Return()
		}},
		{"operand 0 is int64, not a slice", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpLen, p.A); b.Return() }},
		{"operand 2 is bool, not int64", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpSubslice, p.S, p.A, p.C); b.Return() }},
		{"operand 1 is float32, not int64", func(b ssatest.Builder, p ssatest.Params) { b.Op(ssa.OpIndexAddr, p.S, p.X); b.Return() }},
		{"result 0 is *int32, not *int64", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpIndexAddr, Args: values(p.S, p.A)}, ssa.Pointer{Elem: ssa.Int32})
			b.Return()
		}},
		{"operand 0 is not a pointer", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpLoad, Args: values(p.A)}, ssa.Int64)
			b.Return()
		}},
		{"operand 1 is float32, not int64", func(b ssatest.Builder, p ssatest.Params) { b.Store(b.Op(ssa.OpIndexAddr, p.S, p.A), p.X); b.Return() }},
		{"an invalid operation", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpAtomic, Args: values(b.Op(ssa.OpIndexAddr, p.S, p.A), p.A)}, ssa.Int64)
			b.Return()
		}},
		{"has 2 operands, not 3", func(b ssatest.Builder, p ssatest.Params) {
			emit(b, ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicCAS, Args: values(b.Op(ssa.OpIndexAddr, p.S, p.A), p.A)}, ssa.Int64)
			b.Return()
		}},
		{"there is no atomic add of int8", func(b ssatest.Builder, p ssatest.Params) {
			at := emit(b, ssa.Instr{Op: ssa.OpIndexAddr, Args: values(b.Func.Body.AddParam(ssa.Slice{Elem: ssa.Int8}, "t"), p.A)}, ssa.Pointer{Elem: ssa.Int8})
			emit(b, ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: values(at.Result(), b.Int(ssa.Int8, 1))}, ssa.Int8)
			b.Return()
		}},
		{"there is no atomic and of float32", func(b ssatest.Builder, p ssatest.Params) {
			at := b.Op(ssa.OpIndexAddr, b.Func.Body.AddParam(ssa.Slice{Elem: ssa.Float32}, "t"), p.A)
			emit(b, ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAnd, Args: values(at, p.X)}, ssa.Float32)
			b.Return()
		}},
		{"the module has 1 formats", func(b ssatest.Builder, p ssatest.Params) {
			p.Module.Formats = []ssa.Format{{}}
			emit(b, ssa.Instr{Op: ssa.OpPrintf, Format: 1})
			b.Return()
		}},
		{"has 1 operands, its format 0", func(b ssatest.Builder, p ssatest.Params) {
			p.Module.Formats = []ssa.Format{{}}
			emit(b, ssa.Instr{Op: ssa.OpPrintf, Args: values(p.A)})
			b.Return()
		}},
		{"operand 0 is int64, not float32", func(b ssatest.Builder, p ssatest.Params) {
			p.Module.Formats = []ssa.Format{{Args: []ssa.FormatArg{{Type: ssa.Float32}}}}
			emit(b, ssa.Instr{Op: ssa.OpPrintf, Args: values(p.A)})
			b.Return()
		}},
		{"which a device cannot record", func(b ssatest.Builder, p ssatest.Params) {
			p.Module.Formats = []ssa.Format{{Args: []ssa.FormatArg{{Type: p.S.Type}}}}
			emit(b, ssa.Instr{Op: ssa.OpPrintf, Args: values(p.S)})
			b.Return()
		}},

		// Calls and functions.
		{"the callee is missing", func(b ssatest.Builder, p ssatest.Params) { emit(b, ssa.Instr{Op: ssa.OpCall}); b.Return() }},
		{"has 0 operands, not 6", func(b ssatest.Builder, p ssatest.Params) { b.Call(b.Func); b.Return() }},
		{"the callee is not among the module's earlier functions", func(b ssatest.Builder, p ssatest.Params) {
			b.Call(b.Func, p.A, p.B, p.C, p.X, p.Y, p.S) // itself
			b.Return()
		}},
		{"the callee is not among the module's earlier functions", func(b ssatest.Builder, p ssatest.Params) {
			other := &ssa.Module{}
			b.Call(ssatest.AddFunc(other, "g", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Return() }))
			b.Return()
		}},
		{"has 0 results, not 1", func(b ssatest.Builder, p ssatest.Params) {
			g := ssatest.AddFunc(p.Module, "g", false, nil, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, _ []*ssa.Value) { b.Return(b.Int(ssa.Int64, 1)) })
			emit(b, ssa.Instr{Op: ssa.OpCall, Callee: g})
			b.Return()
		}},
		{"the callee is a kernel", func(b ssatest.Builder, p ssatest.Params) {
			g := ssatest.AddFunc(p.Module, "g", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t")}, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Return() })
			b.Call(g, b.Func.Body.AddParam(ssa.Thread, "t"))
			b.Return()
		}},
		{"the callee is not among the module's device functions", func(b ssatest.Builder, p ssatest.Params) {
			g := ssatest.AddFunc(&ssa.Module{}, "g", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Return() })
			emit(b, ssa.Instr{Op: ssa.OpRecur, Callee: g})
			b.Return()
		}},
		{"a second function of this name", func(b ssatest.Builder, p ssatest.Params) {
			ssatest.AddFunc(p.Module, "f", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) { b.Return() })
			b.Return()
		}},
		{"is missing or has no body", func(b ssatest.Builder, p ssatest.Params) { p.Module.Funcs = append(p.Module.Funcs, nil); b.Return() }},
		{"a kernel whose first parameter is not a thread", func(b ssatest.Builder, p ssatest.Params) { b.Func.Kernel = true; b.Return() }},
		{"a kernel with results", func(b ssatest.Builder, p ssatest.Params) {
			b.Func.Kernel, b.Func.Results = true, []ssa.Type{ssa.Int64}
			b.Return(p.A)
		}},
		{"parameter 6 is a second thread", func(b ssatest.Builder, p ssatest.Params) {
			b.Func.Kernel = true
			p.A.Type = ssa.Thread
			b.Func.Body.AddParam(ssa.Thread, "u")
			b.Return()
		}},
		{"parameter 6 is a string", func(b ssatest.Builder, p ssatest.Params) { b.Func.Body.AddParam(ssa.String, "u"); b.Return() }},
		{"a device function with a rank", func(b ssatest.Builder, p ssatest.Params) { b.Func.Rank = 1; b.Return() }},
		{"a kernel of rank 5", func(b ssatest.Builder, p ssatest.Params) {
			b.Func.Kernel, b.Func.Rank, p.A.Type = true, 5, ssa.Thread
			b.Return()
		}},
		{"needs a launch of another rank than the kernel's, 3", func(b ssatest.Builder, p ssatest.Params) {
			b.Func.Kernel, b.Func.Rank, p.A.Type = true, 3, ssa.Thread
			emit(b, ssa.Instr{Op: ssa.OpThreadID, Rank: 2, Args: values(p.A)}, ssa.Int64)
			b.Return()
		}},
		{"needs a launch of another rank than the kernel's, 0", func(b ssatest.Builder, p ssatest.Params) { // by way of a callee
			g := ssatest.AddFunc(p.Module, "g", false, []*ssa.Value{ssatest.Arg(ssa.Thread, "t")}, nil, func(b ssatest.Builder, v []*ssa.Value) {
				emit(b, ssa.Instr{Op: ssa.OpThreadID, Rank: 2, Args: v}, ssa.Int64)
				b.Return()
			})
			b.Func.Kernel, p.A.Type = true, ssa.Thread
			b.Call(g, p.A)
			b.Return()
		}},
		{"needs a launch of another rank than the function already does", func(b ssatest.Builder, p ssatest.Params) {
			t := b.Func.Body.AddParam(ssa.Thread, "t")
			emit(b, ssa.Instr{Op: ssa.OpThreadID, Rank: 2, Args: values(t)}, ssa.Int64)
			emit(b, ssa.Instr{Op: ssa.OpThreadID, Rank: 3, Args: values(t)}, ssa.Int64)
			b.Return()
		}},
	} {
		m := &ssa.Module{Name: "m"}
		ssatest.Kernel(m, c.build)
		err := ssa.Verify(m)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant: %s\n%s", err, c.want, m)
		}
	}
}

// TestVerifyAll wants all violations, with their places.
func TestVerifyAll(t *testing.T) {
	m := &ssa.Module{Name: "m"}
	ssatest.Kernel(m, func(b ssatest.Builder, p ssatest.Params) {
		b.Op(ssa.OpAdd, p.C, p.C).Def.Pos = ssa.Pos{File: "k.go", Line: 7}
		b.Loop(nil, func(b ssatest.Builder, _ []*ssa.Value) *ssa.Value { return p.A }, func(b ssatest.Builder, loop *ssa.Instr, _ []*ssa.Value) { b.Next(loop) },
			func(b ssatest.Builder, _ []*ssa.Value) []*ssa.Value { return nil })
		b.Return(p.A)
	})
	const want = `ssa: f (k.go:7): v6:bool = add c.v2, c.v2: operand 0 is bool, which the operation does not take
ssa: f: test a.v0: operand 0 is int64, not bool
ssa: f: return a.v0: has 1 operands, not 0`
	if err := ssa.Verify(m); err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}
