package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// This file prints operations on vectors (see package ssa/target/widen), by the extension of C++ that clang and gcc
// have: operators compute lane by lane. A mask has an int32 for each lane.

// isVector reports whether an instruction of one result has to do with vectors.
func isVector(in *ssa.Instr) bool {
	if in.Op == ssa.OpIf || in.Op == ssa.OpZero || in.Op == ssa.OpCall {
		return false
	}
	return in.Op == ssa.OpAny || in.Op == ssa.OpReduce || len(in.Results) == 1 && ssa.LanesOf(in.Results[0].Type) > 0
}

// updateVector assigns in to lhs.
func (p *printer) updateVector(lhs string, in *ssa.Instr) string {
	if op, plain := lanewiseOperator(in); plain && in.Op.IsLanewise() && !in.Op.IsComparison() && in.Op != ssa.OpAndNot && p.expr(in.Args[0]).text == lhs {
		return lhs + " " + op.text + "= " + p.operand(in.Args[1]).text
	}
	return lhs + " = " + p.vector(in).text
}

// wideName is the name of a vector's type.
func (p *printer) wideName(v ssa.Vec) string {
	name := v.String()
	p.need(name)
	return name
}

// needVec notes a piece of the prelude, and gives the function's name.
func (p *printer) needVec(name string) string {
	p.need("vec." + name)
	return "vec::" + strings.TrimSuffix(name, "_if")
}

// vector is the expression of an instruction whose result is a vector, or tells something of one.
func (p *printer) vector(in *ssa.Instr) expr {
	t, isVec := in.Results[0].Type.(ssa.Vec)
	switch in.Op {
	case ssa.OpAny:
		return call(p.needVec("any") + "(" + p.expr(in.Args[0]).text + ")")
	case ssa.OpReduce:
		of := "[](auto x, auto y) { return " + p.joined(in.Atomic, "x", "y") + "; }" // of numbers, and of vectors
		return call(p.needVec("reduce") + "(" + p.expr(in.Args[0]).text + ", " + of + ")")
	case ssa.OpAtomicLanes:
		return p.atomicLanes(in, t)
	case ssa.OpSplat:
		x := p.typed(in.Args[0])
		if t.Elem == ssa.Bool {
			x = "-int32(" + x + ")"
		}
		return call(p.needVec("splat") + "<" + p.wideName(t) + ">(" + x + ")")
	case ssa.OpIota:
		return call(fmt.Sprintf("%s<%s, %d>()", p.needVec("iota"), p.wideName(t), t.Lanes))
	case ssa.OpSelect:
		return call(p.needVec("select") + "(" + p.arguments(in.Args) + ")")
	case ssa.OpExtract:
		return call(fmt.Sprintf("%s<%s, %d>(%s)", p.needVec("extract"), p.wideName(t), in.Index, p.expr(in.Args[0]).text))
	case ssa.OpConcat:
		return call(p.needVec("concat") + "<" + p.wideName(t) + ">(" + p.arguments(in.Args) + ")")
	case ssa.OpLoadRow:
		return call(p.access(in, "load", t.Elem) + "<" + p.wideName(t) + ">(" + p.accessed(in) + ")")
	case ssa.OpLoadParts:
		return call(p.loadParts(in) + "[0]")
	case ssa.OpLoadStrided:
		return call(fmt.Sprintf("%s<%s, %d>(%s)", p.access(in, "load_strided", t.Elem), p.wideName(t), in.Len, p.accessed(in)))
	case ssa.OpGather:
		return call(fmt.Sprintf("%s<%s, %d>(%s)", p.access(in, "gather", t.Elem), p.wideName(t), in.Len, p.accessed(in)))
	}
	if !isVec {
		panic("BUG: " + in.Op.String() + " of vectors is no expression")
	}
	return p.lanewise(in, t)
}

// access is the function that accesses memory.
func (p *printer) access(in *ssa.Instr, name string, elem ssa.Basic) string {
	if elem == ssa.Bool && len(in.Results) > 0 {
		name += "_bools"
	}
	if in.Mask() != nil {
		name += "_if"
	}
	return p.needVec(name)
}

// accessed are its arguments.
func (p *printer) accessed(in *ssa.Instr) string {
	args := []string{p.pointer(in.Args[0]).text}
	for _, v := range in.Args[1:] {
		args = append(args, p.expr(v).text)
	}
	return strings.Join(args, ", ")
}

// loadParts is an array of vectors: of the numbers of elements.
func (p *printer) loadParts(in *ssa.Instr) string {
	t := in.Results[0].Type.(ssa.Vec)
	return fmt.Sprintf("%s<%s, %d, %d>(%s).at", p.access(in, "load_parts", t.Elem), p.wideName(t), len(in.Results), in.Len, p.accessed(in))
}

// storeVector prints a store of a vector.
func (p *printer) storeVector(in *ssa.Instr) string {
	if in.Op == ssa.OpStoreParts {
		texts := []string{p.pointer(in.Args[0]).text}
		if m := in.Mask(); m != nil {
			texts = append(texts, p.expr(m).text)
		}
		parts := in.Parts()
		texts = append(texts, p.arguments(parts))
		return fmt.Sprintf("%s<%d, %d>(%s)", p.access(in, "store_parts", 0), len(parts), in.Len, strings.Join(texts, ", "))
	}
	switch in.Op {
	case ssa.OpStoreRow:
		return p.access(in, "store", 0) + "(" + p.accessed(in) + ")"
	case ssa.OpStoreStrided:
		return fmt.Sprintf("%s<%d>(%s)", p.access(in, "store_strided", 0), in.Len, p.accessed(in))
	}
	return fmt.Sprintf("%s<%d>(%s)", p.access(in, "scatter", 0), in.Len, p.accessed(in))
}

// joined is what an atomic operation makes of two integers.
func (p *printer) joined(a ssa.Atomic, x, y string) string {
	switch a {
	case ssa.AtomicMin:
		return y + " < " + x + " ? " + y + " : " + x
	case ssa.AtomicMax:
		return x + " < " + y + " ? " + y + " : " + x
	}
	return x + " " + map[ssa.Atomic]string{ssa.AtomicAdd: "+", ssa.AtomicAnd: "&", ssa.AtomicOr: "|", ssa.AtomicXor: "^"}[a] + " " + y
}

// atomicLanes is an atomic operation in each lane, by a function of one of them. What is owned is read and written
// plainly.
func (p *printer) atomicLanes(in *ssa.Instr, t ssa.Vec) expr {
	elem := t.Elem.String()
	var of string
	switch joins := in.Atomic.Joins() && (ssa.IsInteger(t.Elem) || in.Atomic == ssa.AtomicAdd); {
	case in.Owned && joins:
		of = fmt.Sprintf("[](%[1]s* p, %[1]s x) { const %[1]s old = *p; *p = %[2]s; return old; }", elem, p.joined(in.Atomic, "old", "x"))
	case in.Owned && in.Atomic == ssa.AtomicExch:
		of = fmt.Sprintf("[](%[1]s* p, %[1]s x) { const %[1]s old = *p; *p = x; return old; }", elem)
	default:
		params, names := elem+" x", "x"
		if in.Atomic == ssa.AtomicCAS {
			params, names = params+", "+elem+" y", names+", y"
		}
		name := "Atomic" + atomicNames[in.Atomic]
		p.need("qd." + name + "." + elem)
		of = fmt.Sprintf("[](%s* p, %s) { return qd::%s(p, %s); }", elem, params, name, names)
	}
	alone := p.takesAlone[p.fn] && in.IsLaunchAdd()
	args := in.Args[1:]
	texts := []string{of, p.pointer(in.Args[0]).text}
	if m := in.Mask(); m != nil {
		args = args[:len(args)-1]
		texts = []string{of, p.expr(m).text, texts[1]}
	}
	for i, v := range args {
		text := p.expr
		if !alone {
			text = p.laneOf
		}
		next := text(v).text
		if i > 0 && ssa.LanesOf(v.Type) == 0 {
			next = p.needVec("same") + "<" + elem + ">{" + next + "}"
		}
		texts = append(texts, next)
	}
	if alone {
		return call(fmt.Sprintf("%s<%d>(%s, alone)", p.access(in, "add", 0), in.Len, strings.Join(texts, ", ")))
	}
	return call(fmt.Sprintf("%s<%s, %d>(%s)", p.access(in, "atomic", 0), p.wideName(t), in.Len, strings.Join(texts, ", ")))
}

// laneOf is the expression of a value that is only asked for its lanes, one after the other. What is loaded for that alone
// makes no vector, which would go through memory: each lane reads its own number. The lanes before it may have written
// by then, as threads may that run before it.
func (p *printer) laneOf(v *ssa.Value) expr {
	if in := v.Def; p.code.IsInline(v) && in.Op == ssa.OpLoadRow && in.Mask() == nil && ssa.ElemOf(v.Type) != ssa.Bool {
		return call(p.needVec("row") + "<" + ssa.ElemOf(v.Type).String() + ">{" + p.accessed(in) + "}")
	}
	return p.expr(v)
}

// lanewise is an operation on vectors: C++'s operator where that means the same in each lane, a function of the
// prelude, or the operation on numbers for each lane.
func (p *printer) lanewise(in *ssa.Instr, t ssa.Vec) expr {
	from := ssa.ElemOf(in.Args[0].Type)
	op, plain := lanewiseOperator(in)
	switch {
	case in.Op.IsComparison():
		e := p.operator(op, in)
		if from != ssa.Bool && from.Size() != ssa.Int32.Size() {
			return call("__builtin_convertvector(" + e.text + ", " + p.wideName(t) + ")")
		}
		return e
	case in.Op == ssa.OpAndNot:
		return infix(op, p.expr(in.Args[0]), p.complement(in.Args[1]))
	case plain:
		return p.operator(op, in)
	case in.Op == ssa.OpNeg:
		return expr{"-" + p.expr(in.Args[0]).in(precPostfix), precUnary, true}
	case in.Op == ssa.OpCom, in.Op == ssa.OpNot:
		return expr{"~" + p.expr(in.Args[0]).in(precPostfix), precUnary, true}
	case in.Op == ssa.OpMin, in.Op == ssa.OpMax:
		name := in.Op.String()
		if ssa.IsFloat(t.Elem) {
			name = "f" + name
		}
		return call(p.needVec(name) + "(" + p.arguments(in.Args) + ")")
	case in.Op == ssa.OpMath && hasConst(in) && p.d.Prelude().Has(constMath(in)):
		p.need(constMath(in))
		return call("math::" + in.Math.GoName() + "(" + p.arguments([]*ssa.Value{in.Args[0], in.Args[1].Def.Args[0]}) + ")")
	case in.Op == ssa.OpMath && p.d.Prelude().Has(vectorMath(in)):
		p.need(vectorMath(in))
		return call("math::" + in.Math.GoName() + "(" + p.arguments(in.Args) + ")")
	case in.Op == ssa.OpDiv, in.Op == ssa.OpRem, in.Op == ssa.OpShl, in.Op == ssa.OpShr:
		return call(p.needVec(in.Op.String()) + "(" + p.arguments(in.Args) + ")")
	case in.Op == ssa.OpBits:
		name := bitsNames[in.Bits]
		p.need("bits." + name)
		e := call("bits::" + name + "(" + p.arguments(in.Args) + ")")
		if in.Bits.CountsBits() { // in the type of the operand
			return call("__builtin_convertvector(" + e.text + ", " + p.wideName(t) + ")")
		}
		return e
	case in.Op == ssa.OpBitcast:
		return call(p.wideName(t) + "(" + p.expr(in.Args[0]).text + ")")
	case in.Op == ssa.OpConvert:
		x := p.expr(in.Args[0])
		if ssa.IsFloat(from) && !ssa.IsFloat(t.Elem) {
			via := ssa.Vec{Elem: ssa.Truncated(t.Elem), Lanes: t.Lanes}
			x = call(p.needVec("to_"+via.Elem.String()) + "<" + p.wideName(via) + ">(" + x.text + ")")
			if via == t {
				return x
			}
		}
		return call("__builtin_convertvector(" + x.text + ", " + p.wideName(t) + ")")
	}
	return p.laneByLane(in, t)
}

// operator is C++'s operator between two operands, of which one is a vector. The other one may be a number, which stands for
// itself in all lanes.
func (p *printer) operator(op operator, in *ssa.Instr) expr {
	x, y := in.Args[0], in.Args[1]
	if p.isNumber(y) {
		return infix(op, p.expr(x), p.operand(y))
	}
	if p.isNumber(x) && !in.Op.IsShift() {
		return infix(op, p.operand(x), p.expr(y))
	}
	return p.infix(op, x, y)
}

// operand is an operand beside a vector.
func (p *printer) operand(v *ssa.Value) expr {
	if !p.isNumber(v) {
		return p.expr(v)
	}
	x := v.Def.Args[0]
	if ssa.IsConst(x) {
		return p.expr(x) // it becomes one of the vector's type
	}
	return p.exactly(x.Type, p.expr(x))
}

// isNumber reports whether a vector is a number in all lanes that stands where it is used: package outofssa decides that.
func (p *printer) isNumber(v *ssa.Value) bool {
	return v.Def != nil && v.Def.Op == ssa.OpSplat && p.code.IsInline(v) && ssa.ElemOf(v.Type) != ssa.Bool
}

// vectorMath is the piece that has a function of package math for vectors.
func vectorMath(in *ssa.Instr) string {
	return "math." + in.Math.GoName() + "." + in.Args[0].Type.String()
}

// constMath is the piece that has a function of package math for vectors and a second argument that is a constant.
func constMath(in *ssa.Instr) string {
	return "math." + in.Math.GoName() + "Const." + in.Args[0].Type.String()
}

// hasConst reports whether the second argument of a function on vectors is a constant.
func hasConst(in *ssa.Instr) bool {
	if len(in.Args) != 2 || in.Args[1].Def == nil || in.Args[1].Def.Op != ssa.OpSplat {
		return false
	}
	_, ok := in.Args[1].Def.Args[0].Const()
	return ok
}

// lanewiseOperators are C++'s operators for operations on numbers and masks.
var lanewiseOperators = map[ssa.Op]string{
	ssa.OpAdd: "+", ssa.OpSub: "-", ssa.OpMul: "*", ssa.OpDiv: "/", ssa.OpRem: "%", ssa.OpAnd: "&", ssa.OpOr: "|", ssa.OpXor: "^",
	ssa.OpAndNot: "&", ssa.OpShl: "<<", ssa.OpShr: ">>",
}

// lanewiseOperator is C++'s operator for an operation on vectors, and whether it means the same.
func lanewiseOperator(in *ssa.Instr) (op operator, plain bool) {
	t := ssa.ElemOf(in.Args[0].Type)
	if in.Op.IsComparison() {
		return comparisons[in.Op], true
	}
	text, ok := lanewiseOperators[in.Op]
	switch {
	case !ok:
		return operator{}, false
	case in.Op == ssa.OpDiv || in.Op == ssa.OpRem:
		by := in.Args[1].Def
		ok = ssa.IsFloat(t) || by != nil && by.Op == ssa.OpSplat && by.Args[0].IsSafeDivisor()
	case in.Op.IsShift():
		count := in.Args[1]
		if ok = count.Def != nil && count.Def.Op == ssa.OpSplat && count.Type == in.Args[0].Type; ok {
			c, isConst := count.Def.Args[0].Const()
			ok = isConst && c.Uint() < uint64(ssa.Bits(t))
		}
	}
	return operator{text, precedences[text]}, ok
}

// laneByLane is a function of package math that has no vectors, called for each lane.
func (p *printer) laneByLane(in *ssa.Instr, t ssa.Vec) expr {
	if in.Op != ssa.OpMath {
		panic("BUG: no lanes of " + in.Op.String() + " of " + strconv.Itoa(len(in.Args)) + " operands")
	}
	names := []string{"x", "y", "z"}[:len(in.Args)]
	params, args := make([]string, len(names)), make([]string, len(names))
	for i, a := range in.Args {
		params[i] = ssa.ElemOf(a.Type).String() + " " + names[i]
		args[i] = p.expr(a).text
	}
	of := p.mathCallOf(in, strings.Join(names, ", "))
	if t.Elem == ssa.Bool {
		of = "-int32(" + of + ")"
	}
	lambda := "[](" + strings.Join(params, ", ") + ") { return " + of + "; }"
	return call(fmt.Sprintf("%s<%s, %d>(%s, %s)", p.needVec("each"), p.wideName(t), t.Lanes, lambda, strings.Join(args, ", ")))
}
