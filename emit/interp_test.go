package emit_test

import (
	"fmt"

	"github.com/qdgen/qd/ssa"
)

// A machine runs SSA: what the emitted text must do too. Values are bits; a
// pointer is an element's index and its slice's, in one word.
type machine struct {
	memory []*array // by the number of the slice
	flat   uint64
	steps  int
}

// frame is a running function.
type frame struct {
	m      *machine
	values map[*ssa.Value]uint64
}

// leaving says how a block was left: by its terminator, with these values.
type leaving struct {
	by   *ssa.Instr
	args []uint64
}

func (m *machine) call(f *ssa.Func, args []uint64) []uint64 {
	fr := &frame{m, make(map[*ssa.Value]uint64)}
	fr.set(f.Params(), args)
	return fr.block(f.Body).args
}

func (fr *frame) set(vs []*ssa.Value, bits []uint64) {
	for i, v := range vs {
		fr.values[v] = bits[i]
	}
}

func (fr *frame) get(vs []*ssa.Value) []uint64 {
	bits := make([]uint64, len(vs))
	for i, v := range vs {
		bits[i] = fr.values[v]
	}
	return bits
}

func (fr *frame) block(b *ssa.Block) leaving {
	for _, in := range b.Instrs {
		if fr.m.steps++; fr.m.steps > 1e6 {
			panic("the program does not end")
		}
		switch {
		case in.Op == ssa.OpUnreachable:
			panic("unreachable was reached")
		case in.Op.IsTerminator():
			return leaving{in, fr.get(in.Args)}
		case in.Op == ssa.OpIf:
			taken := in.Else()
			if fr.values[in.Args[0]] != 0 {
				taken = in.Then()
			}
			out := fr.block(taken)
			if out.by.Op != ssa.OpYield {
				return out
			}
			fr.set(in.Results, out.args)
		case in.Op == ssa.OpLoop:
			if out, left := fr.loop(in); left {
				return out
			}
		default:
			fr.set(in.Results, fr.eval(in))
		}
	}
	panic("a block without a terminator")
}

// loop runs a loop; left tells that it was left for further out.
func (fr *frame) loop(in *ssa.Instr) (out leaving, left bool) {
	vars := fr.get(in.Args)
	for {
		fr.set(in.Cond().Params, vars)
		if out = fr.block(in.Cond()); out.args[0] == 0 {
			fr.set(in.Results, vars)
			return out, false
		}
		switch out = fr.block(in.Do()); {
		case out.by.Op == ssa.OpContinue && out.by.Target == in:
			fr.set(in.Post().Params, out.args)
			vars = fr.block(in.Post()).args
		case out.by.Op == ssa.OpBreak && out.by.Target == in:
			fr.set(in.Results, out.args)
			return out, false
		default:
			return out, true
		}
	}
}

func (fr *frame) eval(in *ssa.Instr) []uint64 {
	x := fr.get(in.Args)
	var t ssa.Type
	if len(in.Args) > 0 {
		t = in.Args[0].Type
	}
	switch in.Op {
	case ssa.OpConst:
		bits := in.Const.Uint()
		if r := in.Results[0].Type; ssa.IsInteger(r) {
			bits &= ^uint64(0) >> (64 - ssa.Bits(r))
		}
		return []uint64{bits}
	case ssa.OpShl, ssa.OpShr:
		return []uint64{goShift(in.Op, t, x[0], extend(in.Args[1].Type, x[1]))}
	case ssa.OpConvert:
		return []uint64{goConvert(in.Results[0].Type, t, x[0])}
	case ssa.OpThreadID:
		return []uint64{fr.m.flat}
	case ssa.OpLen:
		a := fr.m.memory[x[0]]
		return []uint64{uint64(len(a.data) / a.elem)}
	case ssa.OpIndexAddr:
		return []uint64{x[0]<<32 | x[1]}
	case ssa.OpLoad:
		return []uint64{fr.m.memory[x[0]>>32].get(int(x[0] & 0xffffffff))}
	case ssa.OpStore:
		fr.m.memory[x[0]>>32].set(int(x[0]&0xffffffff), x[1])
		return nil
	case ssa.OpAtomic:
		a, i := fr.m.memory[x[0]>>32], int(x[0]&0xffffffff)
		old := a.get(i)
		o, ok := map[ssa.Atomic]ssa.Op{ssa.AtomicAdd: ssa.OpAdd, ssa.AtomicMin: ssa.OpMin, ssa.AtomicMax: ssa.OpMax,
			ssa.AtomicAnd: ssa.OpAnd, ssa.AtomicOr: ssa.OpOr, ssa.AtomicXor: ssa.OpXor}[in.Atomic]
		switch {
		case ok:
			a.set(i, goOp(o, in.Args[1].Type, old, x[1]))
		case in.Atomic == ssa.AtomicExch:
			a.set(i, x[1])
		case old == x[1]: // cas
			a.set(i, x[2])
		}
		return []uint64{old}
	case ssa.OpCall:
		return fr.m.call(in.Callee, x)
	case ssa.OpNeg, ssa.OpCom, ssa.OpNot:
		return []uint64{goOp(in.Op, t, x[0], 0)}
	}
	if len(x) == 2 {
		return []uint64{goOp(in.Op, t, x[0], x[1])}
	}
	panic(fmt.Sprint("cannot run ", in.Op))
}
