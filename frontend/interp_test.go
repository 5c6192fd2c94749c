package frontend

import (
	"fmt"
	"math"

	"github.com/qdgen/qd/ssa"
)

// interp runs SSA, as far as the tests of this package need it: scalars of every
// type, slices of int64. It is the shortest thing that says what SSA means.
type interp struct {
	env   map[*ssa.Value]word
	steps *int
}

// A word is a value: the bits of a scalar, the elements of a slice, or a pointer.
type word struct {
	bits  uint64
	slice []int64
	ptr   *int64
}

// An exit is how a block is left: by its terminator, with the values it gives.
type exit struct {
	by   *ssa.Instr
	vals []word
}

// callFunc runs a function.
func callFunc(f *ssa.Func, args []word, steps *int) []word {
	it := &interp{env: map[*ssa.Value]word{}, steps: steps}
	for i, p := range f.Params() {
		it.env[p] = args[i]
	}
	return it.block(f.Body).vals
}

func (it *interp) all(vs []*ssa.Value) []word {
	ws := make([]word, len(vs))
	for i, v := range vs {
		w, ok := it.env[v]
		if !ok {
			panic(fmt.Sprintf("%v used before it is defined", v))
		}
		ws[i] = w
	}
	return ws
}

func (it *interp) bind(vs []*ssa.Value, ws []word) {
	for i, v := range vs {
		it.env[v] = ws[i]
	}
}

func (it *interp) block(b *ssa.Block) exit {
	for _, in := range b.Instrs {
		if *it.steps--; *it.steps < 0 {
			panic("too many steps")
		}
		args := it.all(in.Args)
		switch {
		case in.Op == ssa.OpUnreachable:
			panic("unreachable is reached")
		case in.Op.IsTerminator():
			return exit{in, args}
		case in.Op == ssa.OpIf:
			side := in.Else()
			if args[0].bits != 0 {
				side = in.Then()
			}
			e := it.block(side)
			if e.by.Op != ssa.OpYield {
				return e
			}
			it.bind(in.Results, e.vals)
		case in.Op == ssa.OpLoop:
			vals, e := it.loop(in, args)
			if e.by != nil {
				return e
			}
			it.bind(in.Results, vals)
		case in.Op == ssa.OpStore:
			*args[0].ptr = int64(args[1].bits)
		case in.Op == ssa.OpCall:
			it.bind(in.Results, callFunc(in.Callee, args, it.steps))
		default:
			it.env[in.Result()] = it.value(in, args)
		}
	}
	panic("a block without a terminator")
}

// loop runs a loop: the values it is left with, or the exit from around it.
func (it *interp) loop(in *ssa.Instr, vals []word) ([]word, exit) {
	for {
		it.bind(in.Cond().Params, vals)
		if it.block(in.Cond()).vals[0].bits == 0 {
			return vals, exit{}
		}
		e := it.block(in.Do())
		if e.by.Target != in {
			return nil, e
		}
		if e.by.Op == ssa.OpBreak {
			return e.vals, exit{}
		}
		it.bind(in.Post().Params, e.vals)
		vals = it.block(in.Post()).vals
	}
}

func (it *interp) value(in *ssa.Instr, args []word) word {
	t := in.Result().Type
	switch in.Op {
	case ssa.OpConst:
		return word{bits: in.Const.Uint()}
	case ssa.OpLen:
		return word{bits: uint64(len(args[0].slice))}
	case ssa.OpSubslice:
		return word{slice: args[0].slice[args[1].bits:args[2].bits]}
	case ssa.OpIndexAddr:
		return word{ptr: &args[0].slice[int64(args[1].bits)]}
	case ssa.OpLoad:
		return word{bits: uint64(*args[0].ptr)}
	case ssa.OpThreadID:
		return word{}
	case ssa.OpNot:
		return word{bits: args[0].bits ^ 1}
	case ssa.OpNeg:
		return word{bits: wrapTo(t, -args[0].bits)}
	case ssa.OpCom:
		return word{bits: wrapTo(t, ^args[0].bits)}
	case ssa.OpConvert:
		if ssa.IsFloat(t) || ssa.IsFloat(in.Args[0].Type) {
			panic("floats are not run")
		}
		return word{bits: wrapTo(t, args[0].bits)}
	}
	x, y := args[0].bits, args[1].bits
	signed := ssa.IsSigned(in.Args[0].Type)
	switch in.Op {
	case ssa.OpEq:
		return truth(x == y)
	case ssa.OpNe:
		return truth(x != y)
	case ssa.OpLt:
		return truth(less(signed, x, y))
	case ssa.OpLe:
		return truth(!less(signed, y, x))
	case ssa.OpGt:
		return truth(less(signed, y, x))
	case ssa.OpGe:
		return truth(!less(signed, x, y))
	}
	return word{bits: wrapTo(t, arithmetic(in.Op, signed, x, y))}
}

func arithmetic(op ssa.Op, signed bool, x, y uint64) uint64 {
	switch op {
	case ssa.OpAdd:
		return x + y
	case ssa.OpSub:
		return x - y
	case ssa.OpMul:
		return x * y
	case ssa.OpDiv:
		switch {
		case y == 0:
			return 0
		case signed && int64(y) == -1:
			return -x
		case signed:
			return uint64(int64(x) / int64(y))
		}
		return x / y
	case ssa.OpRem:
		switch {
		case y == 0 || signed && int64(y) == -1:
			return 0
		case signed:
			return uint64(int64(x) % int64(y))
		}
		return x % y
	case ssa.OpAnd:
		return x & y
	case ssa.OpOr:
		return x | y
	case ssa.OpXor:
		return x ^ y
	case ssa.OpAndNot:
		return x &^ y
	case ssa.OpShl:
		return x << min(y, math.MaxInt8)
	case ssa.OpShr:
		if signed {
			return uint64(int64(x) >> min(y, math.MaxInt8))
		}
		return x >> min(y, math.MaxInt8)
	case ssa.OpMin, ssa.OpMax:
		if less(signed, x, y) == (op == ssa.OpMin) {
			return x
		}
		return y
	}
	panic("op " + op.String() + " is not run")
}

func wrapTo(t ssa.Type, bits uint64) uint64 {
	if t == ssa.Bool {
		return bits
	}
	return ssa.IntConst(t, bits).Uint()
}

func truth(b bool) word {
	if b {
		return word{bits: 1}
	}
	return word{}
}

func less(signed bool, x, y uint64) bool {
	if signed {
		return int64(x) < int64(y)
	}
	return x < y
}
