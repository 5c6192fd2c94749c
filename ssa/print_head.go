package ssa

import "strconv"

// A numberField is a number of an instruction that is written after its operands, and what stands before it.
type numberField struct {
	before string
	of     func(in *Instr) int
}

func numberAxis(in *Instr) int  { return int(in.Axis) }
func numberRank(in *Instr) int  { return int(in.Rank) }
func numberIndex(in *Instr) int { return int(in.Index) }
func numberLen(in *Instr) int   { return int(in.Len) }

// numberFields are the operations that are written with numbers.
var numberFields = [numOps][]numberField{
	OpThreadID:     {{" axis ", numberAxis}, {" of ", numberRank}},
	OpBlockIndex:   {{" axis ", numberAxis}, {" of ", numberRank}},
	OpThreadDim:    {{" axis ", numberAxis}},
	OpTileReduce:   {{" axis ", numberAxis}},
	OpTileScan:     {{" axis ", numberAxis}},
	OpShared:       {{" ", numberLen}},
	OpField:        {{", ", numberIndex}},
	OpFieldAddr:    {{", ", numberIndex}},
	OpExtract:      {{" from ", numberIndex}},
	OpCopyRow:      {{" len ", numberLen}},
	OpPrefetch:     {{" len ", numberLen}},
	OpMultiply:     {{" depth ", numberLen}},
	OpLoadParts:    {{" by ", numberLen}},
	OpStoreParts:   {{" by ", numberLen}},
	OpLoadStrided:  {{" by ", numberLen}},
	OpStoreStrided: {{" by ", numberLen}},
	OpGather:       {{" by ", numberLen}},
	OpScatter:      {{" by ", numberLen}},
	OpAtomicLanes:  {{" by ", numberLen}},
}

// head writes an instruction up to its blocks.
func (p *printer) head(in *Instr) {
	if len(in.Results) > 0 {
		p.list(in.Results, p.define)
		p.str(" = ")
	}
	p.str(in.Op.String())
	switch in.Op {
	case OpConst:
		p.str(" ")
		if len(in.Results) == 1 && in.Results[0] != nil && IsConstType(in.Results[0].Type) {
			p.str(in.Const.Format(in.Results[0].Type))
		}
	case OpMath:
		p.tail(in, " "+in.Math.String())
	case OpBits:
		p.tail(in, " "+in.Bits.String())
	case OpAtomic, OpReduce, OpAtomicLanes:
		p.tail(in, " "+in.Atomic.String())
		p.flag(in.Owned, " owned")
		p.flag(in.Launch, " within the launch")
	case OpCheck, OpCheckLanes:
		p.tail(in, " "+in.Check.String())
		if in.Check == CheckAssert || in.Message != "" {
			p.str(", " + strconv.Quote(in.Message))
		}
		p.flag(in.Whole, " of a block")
	case OpPanicLanes:
		p.tail(in, " "+strconv.Quote(in.Message))
		p.flag(in.Whole, " of a block")
	case OpPanic:
		p.str(" " + strconv.Quote(in.Message))
		p.operands(in.Args, ", ")
	case OpPrintf:
		p.str(" ")
		p.int(int(in.Format))
		p.operands(in.Args, ", ")
	case OpSync:
		if in.Async {
			p.str(" copies ")
			p.int(int(in.Len))
		}
	case OpCall, OpRecur, OpLaunch:
		p.call(in)
	case OpLoop:
		p.str(" ")
		p.label(in)
		if in.Label != "" {
			p.str(" " + in.Label)
		}
		p.flag(in.Rolled, " rolled")
		p.variables(in)
	case OpBreak, OpContinue:
		p.str(" ")
		p.label(in.Target)
		if len(in.Args) > 0 {
			p.arguments(" (", in.Args)
		}
	default:
		p.tail(in, "")
	}
}

// tail writes what follows the name of most operations: a word, the operands, and numbers.
func (p *printer) tail(in *Instr, word string) {
	p.str(word)
	p.operands(in.Args, " ")
	if in.Op < numOps {
		for _, n := range numberFields[in.Op] {
			p.str(n.before)
			p.int(n.of(in))
		}
	}
}

// call writes whom a call or a launch calls, and with what.
func (p *printer) call(in *Instr) {
	callee, args := "<nil>", in.Args
	if in.Callee != nil {
		callee = in.Callee.Name
	}
	p.str(" ")
	if in.Op == OpLaunch {
		if in.Callee == nil || in.Rank < 0 || int(in.Rank) > len(args) {
			p.str("<nil>")
			p.operands(args, " ")
			return
		}
		p.str(callee + " over ")
		p.list(args[:in.Rank], p.value)
		p.arguments(" (", args[in.Rank:])
		return
	}
	p.arguments(callee+"(", args)
}

// operands writes arguments after a separator, nothing where there are none.
func (p *printer) operands(args []*Value, sep string) {
	if len(args) > 0 {
		p.str(sep)
		p.list(args, p.value)
	}
}

// arguments writes arguments in parentheses.
func (p *printer) arguments(open string, args []*Value) {
	p.str(open)
	p.list(args, p.value)
	p.str(")")
}

// flag writes words where something is so.
func (p *printer) flag(is bool, words string) {
	if is {
		p.str(words)
	}
}
