package ssa

import (
	"fmt"
	"math"
)

// A cell is a value at run time: its bits, or a view of memory.
type cell struct {
	bits  uint64
	slice []uint64
}

// machine runs functions for the tests, by the oracle's arithmetic. It is total,
// as the IR is: an index out of range wraps around.
type machine struct {
	thread int
	trace  []string // what is seen from outside beside memory: printfs
	steps  int      // left; running out of them ends the run
}

// outOfSteps is what a run panics with that takes too long.
type outOfSteps struct{}

// exit says how a block was left: by terminator, with values.
type exit struct {
	by   *Instr
	vals []cell
}

// frame is a call of a function.
type frame struct {
	m    *machine
	vals []cell // by ID
}

func (m *machine) call(f *Func, args []cell) []cell {
	fr := &frame{m: m, vals: make([]cell, f.nextID)}
	for i, p := range f.Params() {
		fr.vals[p.ID] = args[i]
	}
	e := fr.block(f.Body)
	if e.by.Op != OpReturn {
		panic("interpreter: a function left by " + e.by.String())
	}
	return e.vals
}

func (fr *frame) get(vs []*Value) []cell {
	out := make([]cell, len(vs))
	for i, v := range vs {
		out[i] = fr.vals[v.ID]
	}
	return out
}

func (fr *frame) set(vs []*Value, to []cell) {
	for i, v := range vs {
		fr.vals[v.ID] = to[i]
	}
}

func (fr *frame) block(b *Block) exit {
	for _, in := range b.Instrs {
		if fr.m.steps--; fr.m.steps < 0 {
			panic(outOfSteps{})
		}
		switch {
		case in.Op == OpUnreachable:
			panic("interpreter: unreachable reached")
		case in.Op.IsTerminator():
			return exit{in, fr.get(in.Args)}
		case in.Op == OpIf:
			b := in.Else()
			if fr.vals[in.Args[0].ID].bits != 0 {
				b = in.Then()
			}
			e := fr.block(b)
			if e.by.Op != OpYield {
				return e
			}
			fr.set(in.Results, e.vals)
		case in.Op == OpLoop:
			if e, left := fr.loop(in); left {
				return e
			}
		default:
			fr.set(in.Results, fr.eval(in))
		}
	}
	panic("interpreter: a block without an end")
}

// loop runs a loop; left says that it was left for elsewhere, by e.
func (fr *frame) loop(in *Instr) (e exit, left bool) {
	vars := fr.get(in.Args)
	for {
		fr.set(in.Cond().Params, vars)
		if e = fr.block(in.Cond()); e.vals[0].bits == 0 {
			break
		}
		e = fr.block(in.Do())
		vars = e.vals
		if e.by.Op == OpReturn || e.by.Target != in {
			return e, true
		}
		if e.by.Op == OpBreak {
			break
		}
		fr.set(in.Post().Params, vars)
		vars = fr.block(in.Post()).vals
	}
	fr.set(in.Results, vars)
	return exit{}, false
}

func (fr *frame) eval(in *Instr) []cell {
	x := fr.get(in.Args)
	one := func(bits uint64) []cell { return []cell{{bits: canonical(in.Results[0].Type, bits)}} }
	switch in.Op {
	case OpConst:
		return []cell{{bits: in.Const.bits}}
	case OpConvert:
		return one(goConvert(in.Results[0].Type, in.Args[0].Type, x[0].bits))
	case OpBitcast:
		return []cell{x[0]}
	case OpMath:
		return fr.math(in, x)
	case OpThreadID:
		return one(uint64(fr.m.thread))
	case OpThreadDim:
		return one(16)
	case OpLen:
		return one(uint64(len(x[0].slice)))
	case OpSubslice:
		return []cell{{slice: x[0].slice[x[1].bits:x[2].bits]}}
	case OpIndexAddr:
		i := x[1].bits % uint64(len(x[0].slice))
		return []cell{{slice: x[0].slice[i : i+1]}}
	case OpLoad:
		return []cell{{bits: x[0].slice[0]}}
	case OpStore:
		x[0].slice[0] = x[1].bits
		return nil
	case OpAtomic: // AtomicAdd alone
		old := x[0].slice[0]
		x[0].slice[0] = canonical(in.Args[1].Type, goOp(OpAdd, in.Args[1].Type, old, x[1].bits))
		return []cell{{bits: old}}
	case OpPrintf:
		line := fmt.Sprint("format ", in.Format)
		for i := range x {
			line += " " + Const{bits: x[i].bits}.Format(in.Args[i].Type)
		}
		fr.m.trace = append(fr.m.trace, line)
		return nil
	case OpCall:
		return fr.m.call(in.Callee, x)
	}
	var b uint64
	if len(x) > 1 {
		b = x[1].bits
	}
	if in.Op == OpNeg && IsFloat(in.Args[0].Type) {
		return []cell{{bits: goOp(in.Op, in.Args[0].Type, x[0].bits, 0)}}
	}
	return one(goOp(in.Op, in.Args[0].Type, x[0].bits, b))
}

func (fr *frame) math(in *Instr, x []cell) []cell {
	var floats []float64
	var i int64
	t := in.Results[0].Type
	for j, a := range in.Args {
		if IsFloat(a.Type) {
			t = a.Type
			floats = append(floats, Const{bits: x[j].bits}.Float(t))
		} else {
			i = int64(x[j].bits)
		}
	}
	bits := goMath(in.Math, t, floats, i)
	out := make([]cell, len(bits))
	for j := range bits {
		out[j].bits = canonical(in.Results[j].Type, bits[j])
	}
	return out
}

// canonical gives all NaNs that are computed the same bits: which operand's they
// take is the processor's choice, and passes may swap operands of a sum.
func canonical(t Type, bits uint64) uint64 {
	if isNaNBits(t, bits) {
		return FloatConst(t, math.NaN()).bits
	}
	return bits
}
