package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/outofssa"
)

// Precedences of C++ operators, loosest first.
const (
	precAssign = iota
	precOrOr
	precAndAnd
	precOr
	precXor
	precAnd
	precEqual
	precLess
	precShift
	precAdd
	precMul
	precUnary
	precPostfix
	precPrimary
)

// An expr is the text of an expression.
type expr struct {
	text string
	prec int
	// exact says that the expression has the C++ type of its value. Literals that fit into an int have type int
	// instead, and so do operators on integers narrower than int. Their value is right, but the type matters to a
	// template, to an overload, and to an operator whose operands are all of this kind: see [printer.exactly].
	exact bool
}

// call is an expression of the type of its value that needs no parentheses.
func call(text string) expr { return expr{text, precPostfix, true} }

// in gives the text for a place that takes operators of at least prec bare.
func (e expr) in(prec int) string {
	if e.prec < prec {
		return "(" + e.text + ")"
	}
	return e.text
}

// expr is the expression that a value is printed as where it is used.
func (p *printer) expr(v *ssa.Value) expr {
	if p.code.IsInline(v) || p.inTable {
		return p.instr(v.Def)
	}
	if v.IsLocal() {
		return p.address(v)
	}
	return expr{p.variable(v).name, precPrimary, true}
}

// variable is the variable that v is in.
func (p *printer) variable(v *ssa.Value) *variable {
	x := p.held(v)
	if x == nil {
		panic(fmt.Sprintf("BUG: %s: v%d is used and has no variable", p.fn.Name, v.ID))
	}
	return x
}

// typed is the text of v where its exact C++ type matters.
func (p *printer) typed(v *ssa.Value) string { return p.exactly(v.Type, p.expr(v)).text }

// exactly is e, the expression of a value of type t, where its exact C++ type matters.
func (p *printer) exactly(t ssa.Type, e expr) expr {
	if e.exact {
		return e
	}
	return call(p.typeName(t) + "(" + e.text + ")")
}

func (p *printer) arguments(vs []*ssa.Value) string {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = p.expr(v).text
	}
	return strings.Join(texts, ", ")
}

func (p *printer) typedArguments(vs []*ssa.Value) string {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = p.typed(v)
	}
	return strings.Join(texts, ", ")
}

// instr is the expression of an instruction with one result.
func (p *printer) instr(in *ssa.Instr) expr {
	if isVector(in) {
		return p.vector(in)
	}
	switch in.Op {
	case ssa.OpConst:
		return p.constant(in.Results[0].Type, in.Const)
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpShl, ssa.OpShr:
		return p.arithmetic(in)
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe:
		return p.infix(comparisons[in.Op], in.Args[0], in.Args[1])
	case ssa.OpNeg:
		return p.negation(in)
	case ssa.OpCom:
		return p.unary("~", in)
	case ssa.OpNot:
		return expr{"!" + p.expr(in.Args[0]).in(precPostfix), precUnary, true}
	case ssa.OpMin, ssa.OpMax:
		t := in.Results[0].Type
		name := p.typeName(t)
		if isSmall(t) {
			name = "small"
		}
		p.need("go." + in.Op.String() + "." + name)
		return call("go::" + in.Op.String() + "(" + p.typedArguments(in.Args) + ")")
	case ssa.OpConvert:
		return p.conversion(in)
	case ssa.OpBitcast:
		return p.bitcast(in)
	case ssa.OpOpaque:
		return p.expr(in.Args[0])
	case ssa.OpMath:
		return call(p.mathCall(in))
	case ssa.OpThreadID:
		t := p.expr(in.Args[0]).in(precPostfix)
		if in.Rank <= 1 {
			return call(t + ".ID()")
		}
		return call(t + ".id[" + strconv.Itoa(int(in.Axis)) + "]")
	case ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpBlockIndex:
		return p.blockPlace(in)
	case ssa.OpThreadDim:
		if p.fn.Phased {
			return p.blockPlace(in)
		}
		return call(p.expr(in.Args[0]).in(precPostfix) + ".dim[" + strconv.Itoa(int(in.Axis)) + "]")
	case ssa.OpLen:
		return call(p.expr(in.Args[0]).in(precPostfix) + ".len")
	case ssa.OpSubslice:
		p.need("subslice")
		return call("subslice(" + p.arguments(in.Args) + ")")
	case ssa.OpZero:
		t := in.Results[0].Type
		if _, ok := t.(ssa.Pointer); ok {
			return expr{"nullptr", precPrimary, true}
		}
		return call(p.typeName(t) + "{}")
	case ssa.OpMake:
		return call(p.typeName(in.Results[0].Type) + p.parts(in))
	case ssa.OpField:
		return p.fieldOf(in)
	case ssa.OpElem:
		return call(p.expr(in.Args[0]).in(precPostfix) + "[" + p.expr(in.Args[1]).text + "]")
	case ssa.OpIndexAddr, ssa.OpFieldAddr, ssa.OpElemAddr:
		return p.addressOf(in)
	case ssa.OpLoad:
		if in.Rows {
			p.need("load")
			return call("load(" + p.place(in.Args[0]).text + ")")
		}
		return p.place(in.Args[0])
	case ssa.OpSliceOf:
		return p.sliceOf(in)
	case ssa.OpApart:
		p.need("apart")
		return call("apart(" + p.arguments(in.Args) + ")")
	case ssa.OpIsNil:
		return expr{p.expr(in.Args[0]).in(precPostfix) + ".data == nullptr", precEqual, true}
	case ssa.OpCopy:
		p.need("go.copy")
		return call("go::copy(" + p.arguments(in.Args) + ")")
	case ssa.OpBits:
		return p.bitsCall(in)
	case ssa.OpAtomic:
		if p.takesAlone[p.fn] && in.IsLaunchAdd() {
			p.need("qd.Add." + p.typeName(in.Results[0].Type))
			return call("qd::Add(" + p.pointer(in.Args[0]).text + ", " + p.typedArguments(in.Args[1:]) + ", alone)")
		}
		name := "Atomic" + atomicNames[in.Atomic]
		p.need("qd." + name + "." + p.typeName(in.Results[0].Type))
		return call("qd::" + name + "(" + p.pointer(in.Args[0]).text + ", " + p.typedArguments(in.Args[1:]) + ")")
	case ssa.OpCall, ssa.OpRecur:
		return call(p.callText(in))
	case ssa.OpIf:
		op, x, y := outofssa.LogicalOperands(in)
		text := boolOperators[op]
		return p.infix(operator{text, precedences[text]}, x, y)
	}
	panic("BUG: " + in.Op.String() + " is no expression")
}

func (p *printer) callText(in *ssa.Instr) string {
	if in.Op == ssa.OpRecur && p.d.Recursion != "" {
		p.need(p.d.Recursion)
	}
	texts := make([]string, len(in.Args))
	for i, v := range in.Args {
		texts[i] = p.expr(v).text
		if v.Def == nil || v.Def.Op != ssa.OpShared {
			continue
		}
		switch v.Def.Storage { // an array is passed as a slice
		case ssa.LaneStorage:
			texts[i] = fmt.Sprintf("{%s, %d}", texts[i], v.Def.Len)
		case ssa.LaneHeap:
			texts[i] = fmt.Sprintf("{%s.data, %d}", texts[i], v.Def.Len)
		}
	}
	return p.names[in.Callee] + "(" + strings.Join(texts, ", ") + ")"
}

var atomicNames = map[ssa.Atomic]string{
	ssa.AtomicAdd: "Add", ssa.AtomicMin: "Min", ssa.AtomicMax: "Max", ssa.AtomicAnd: "And",
	ssa.AtomicOr: "Or", ssa.AtomicXor: "Xor", ssa.AtomicExch: "Exch", ssa.AtomicCAS: "CAS",
}

// sliceOf is the slice of an array in memory.
func (p *printer) sliceOf(in *ssa.Instr) expr {
	array := in.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array)
	if array.Size() == 0 { // the C++ type does not tell the length
		elements := "(" + p.typeName(ssa.Pointer{Elem: array.Elem}) + ")" + p.expr(in.Args[0]).in(precUnary)
		return call(p.typeName(in.Results[0].Type) + "{" + elements + ", " + strconv.Itoa(array.Len) + "}")
	}
	p.need("sliceof")
	return call("sliceof(" + p.place(in.Args[0]).text + ")")
}

// bitsCall is a function of package math/bits.
func (p *printer) bitsCall(in *ssa.Instr) expr {
	name, t := bitsNames[in.Bits], in.Args[0].Type
	p.need("bits." + name + "." + p.typeName(t))
	e := call("bits::" + name + strconv.Itoa(ssa.Bits(t)) + "(" + p.expr(in.Args[0]).text + ")")
	if to := in.Results[0].Type; in.Bits.CountsBits() && to != ssa.Int64 {
		return call(p.typeName(to) + "(" + e.text + ")")
	}
	return e
}

// wideCall is a product of 128 bits, or a division of such a number.
func (p *printer) wideCall(in *ssa.Instr) string {
	name := "Mul64"
	switch {
	case in.Op == ssa.OpDivWide:
		name = "Div64"
	case ssa.LanesOf(in.Results[0].Type) > 0:
		name = "Mul"
	}
	p.need("bits." + name)
	return "bits::" + name + "(" + p.arguments(in.Args) + ")"
}

var bitsNames = map[ssa.BitsOp]string{
	ssa.BitsLen: "Len", ssa.BitsTrailingZeros: "TrailingZeros", ssa.BitsOnesCount: "OnesCount",
	ssa.BitsReverse: "Reverse", ssa.BitsReverseBytes: "ReverseBytes",
}

// An operator of C++ and its precedence.
type operator struct {
	text string
	prec int
}

var precedences = map[string]int{
	"||": precOrOr, "&&": precAndAnd, "|": precOr, "^": precXor, "&": precAnd, "==": precEqual, "!=": precEqual,
	"<": precLess, "<=": precLess, ">": precLess, ">=": precLess, "<<": precShift, ">>": precShift,
	"+": precAdd, "-": precAdd, "*": precMul, "/": precMul, "%": precMul,
}

var comparisons = map[ssa.Op]operator{
	ssa.OpEq: {"==", precEqual}, ssa.OpNe: {"!=", precEqual}, ssa.OpLt: {"<", precLess},
	ssa.OpLe: {"<=", precLess}, ssa.OpGt: {">", precLess}, ssa.OpGe: {">=", precLess},
}

// infix is x op y with the parentheses that C++ needs and those that a reader,
// and so compilers' warnings, want: around operators that few know the
// precedence of.
func (p *printer) infix(op operator, x, y *ssa.Value) expr {
	return infix(op, p.expr(x), p.expr(y))
}

func infix(op operator, a, b expr) expr {
	left, right := op.prec, op.prec+1
	switch op.text {
	case "&&", "||":
		right = op.prec // associative
		if op.text == "||" {
			left, right = plainOr(a), plainOr(b)
		}
	case "&", "|", "^":
		left, right = precUnary, precUnary
		if a.prec == op.prec {
			left = op.prec
		}
	case "<<", ">>":
		left, right = precUnary, precUnary
	case "==", "!=", "<", "<=", ">", ">=":
		left, right = precAdd, precAdd
	}
	return expr{a.in(left) + " " + op.text + " " + b.in(right), op.prec, true}
}

// plainOr is the precedence that an operand of || needs: && gets parentheses.
func plainOr(e expr) int {
	if e.prec == precAndAnd {
		return precUnary
	}
	return precOrOr
}

// conversion is Go's conversion between numeric types.
func (p *printer) conversion(in *ssa.Instr) expr {
	return p.convert(in.Results[0].Type, in.Args[0].Type, p.expr(in.Args[0]))
}

func (p *printer) convert(to, from ssa.Type, x expr) expr {
	if !ssa.IsFloat(from) || ssa.IsFloat(to) {
		return call(p.typeName(to) + "(" + x.text + ")")
	}
	via := ssa.Truncated(to)
	name := "to_" + p.typeName(via)
	p.need("go." + name)
	e := call("go::" + name + "(" + x.text + ")")
	if to != via {
		e = call(p.typeName(to) + "(" + e.text + ")")
	}
	return e
}

// bitcast has the names that package math gives it.
func (p *printer) bitcast(in *ssa.Instr) expr {
	name, t := "bits", in.Args[0].Type
	if ssa.IsFloat(in.Results[0].Type) {
		name, t = "frombits", in.Results[0].Type
	}
	p.needMath(name, t)
	return call("math::Float" + strconv.Itoa(ssa.Bits(t)) + name + "(" + p.expr(in.Args[0]).text + ")")
}
