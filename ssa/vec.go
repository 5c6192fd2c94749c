package ssa

import (
	"math/bits"
	"strconv"
)

// A Vec is a vector: a number or a bool for each of some threads that run together, one in each lane. A vector of
// bools is a mask: it says in which lanes something happens.
//
// An operation on numbers or bools takes vectors in their place, and computes the lanes one by one, each as the
// operation computes a number; see [Op.IsLanewise].
type Vec struct {
	Elem  Basic
	Lanes int
}

func (v Vec) String() string {
	if IsLanes(v.Lanes) && v.Elem <= Float64 {
		return vecNames[v.Elem][bits.TrailingZeros(uint(v.Lanes))]
	}
	return v.Elem.String() + "x" + strconv.Itoa(v.Lanes)
}

// vecNames are the names of vectors, by the types of their elements and the logarithms of their lanes.
var vecNames = func() (names [Float64 + 1][]string) {
	for elem := range names {
		for lanes := 1; lanes <= MaxVecLanes; lanes *= 2 {
			names[elem] = append(names[elem], Basic(elem).String()+"x"+strconv.Itoa(lanes))
		}
	}
	return names
}()

// Size implements [Type].
func (v Vec) Size() int { return v.Lanes * v.Elem.Size() }

// Align implements [Type].
func (v Vec) Align() int { return v.Elem.Align() }

// MaxVecLanes is the largest number of lanes of a vector.
const MaxVecLanes = 256

// IsLanes reports whether vectors can have a number of lanes: compilers have those of powers of two.
func IsLanes(n int) bool { return n >= 1 && n <= MaxVecLanes && n&(n-1) == 0 }

// ElemOf is the type of one lane of a vector, and any other type itself.
func ElemOf(t Type) Type {
	if v, ok := t.(Vec); ok {
		return v.Elem
	}
	return t
}

// LanesOf is the number of lanes of a vector, 0 of any other type.
func LanesOf(t Type) int {
	if v, ok := t.(Vec); ok {
		return v.Lanes
	}
	return 0
}

// IsLanewise reports whether the op takes vectors in place of numbers and bools.
func (op Op) IsLanewise() bool {
	return op.IsOperator() || op == OpMath || op == OpBits || op == OpMulWide
}

// lanes checks an operation on vectors: that all operands and results have as many lanes, and what it is of one
// lane.
func (v *verifier) lanes(in *Instr) {
	lanes := LanesOf(in.Args[0].Type)
	one := *in
	one.Args, one.Results = oneLane(in.Args), oneLane(in.Results)
	for _, vs := range [][]*Value{in.Args, in.Results} {
		for _, x := range vs {
			if LanesOf(x.Type) != lanes {
				v.report(in, "%v has not the %d lanes of operand 0", x, lanes)
				return
			}
		}
	}
	n := len(v.errs)
	v.types(&one)
	if len(v.errs) > n {
		v.errs = v.errs[:n]
		v.report(in, "the operation on one lane is none")
	}
}

// oneLane gives values of the types of one lane.
func oneLane(vs []*Value) []*Value {
	list := make([]*Value, len(vs))
	for i, x := range vs {
		list[i] = &Value{ID: x.ID, Type: ElemOf(x.Type), Name: x.Name}
	}
	return list
}

// vector checks the operations that only vectors have.
func (v *verifier) vector(in *Instr) {
	switch in.Op {
	case OpSplat:
		if r, ok := in.Results[0].Type.(Vec); !ok || in.Args[0].Type != Type(r.Elem) {
			v.report(in, "result is %v, no vector of %v", in.Results[0].Type, in.Args[0].Type)
		}
	case OpIota:
		if r, ok := in.Results[0].Type.(Vec); !ok || !IsInteger(r.Elem) {
			v.report(in, "result is %v, no vector of integers", in.Results[0].Type)
		}
	case OpSelect:
		if r, ok := in.Results[0].Type.(Vec); ok {
			v.mask(in, 0, r.Lanes)
			v.operand(in, 1, r)
			v.operand(in, 2, r)
		} else {
			v.report(in, "result is %v, no vector", in.Results[0].Type)
		}
	case OpExtract:
		from, r := LanesOf(in.Args[0].Type), LanesOf(in.Results[0].Type)
		if r == 0 || ElemOf(in.Args[0].Type) != ElemOf(in.Results[0].Type) || in.Index < 0 || int(in.Index)+r > from {
			v.report(in, "%v from lane %d of %v", in.Results[0].Type, in.Index, in.Args[0].Type)
		}
	case OpConcat:
		lanes := 0
		for _, x := range in.Args {
			if x.Type != in.Args[0].Type || ElemOf(x.Type) != ElemOf(in.Results[0].Type) {
				v.report(in, "%v in %v", x.Type, in.Results[0].Type)
				return
			}
			lanes += LanesOf(x.Type)
		}
		if lanes == 0 || lanes != LanesOf(in.Results[0].Type) {
			v.report(in, "result is %v, no vector of %d lanes", in.Results[0].Type, lanes)
		}
	case OpAny:
		v.mask(in, 0, max(1, LanesOf(in.Args[0].Type)))
		v.result(in, 0, Bool)
	case OpLoadRow:
		v.access(in, 1, in.Results[0].Type)
	case OpLoadParts:
		v.parts(in, in.Results, 1)
	case OpStoreParts:
		parts := in.Parts()
		v.parts(in, parts, 1+len(parts))
	case OpGather, OpLoadStrided:
		v.access(in, 2, in.Results[0].Type)
	case OpStoreRow, OpStoreStrided, OpScatter:
		n := in.Op.addresses()
		if len(in.Args) <= n {
			v.report(in, "stores nothing")
			return
		}
		v.access(in, n+1, in.Args[n].Type)
	case OpAtomicLanes:
		v.atomicLanes(in)
	case OpCheckLanes:
		v.checkLanes(in)
	case OpPanicLanes:
		v.panicLanes(in)
	case OpReduce:
		t, ok := in.Args[0].Type.(Vec)
		if !ok || !IsInteger(t.Elem) && (!IsFloat(t.Elem) || in.Atomic != AtomicAdd) || !in.Atomic.Joins() {
			v.report(in, "a reduction by %v of %v", in.Atomic, in.Args[0].Type)
			return
		}
		v.result(in, 0, t.Elem)
	case OpAdvance:
		v.operand(in, 0, Int64)
	case OpPrefetch:
		v.slice(in)
		v.operand(in, 1, Int64)
		if in.Len < 1 {
			v.report(in, "asks for %d elements", in.Len)
		}
	}
}

// atomicLanes checks an atomic operation in lanes: that it is one of one lane, of as many lanes as its indices have.
func (v *verifier) atomicLanes(in *Instr) {
	n := in.Atomic.values()
	if len(in.Args) < n+2 {
		v.report(in, "has %d operands", len(in.Args))
		return
	}
	v.access(in, n+2, in.Results[0].Type)
	for _, x := range in.Args[2 : n+2] {
		if x.Type != in.Results[0].Type && x.Type != ElemOf(in.Results[0].Type) {
			v.report(in, "%v is no %v", x, in.Results[0].Type)
			return
		}
	}
	one := *in
	one.Op, one.Args, one.Results = OpAtomic, append(in.Args[:1:1], oneLane(in.Args[2:n+2])...), oneLane(in.Results)
	v.types(&one)
}

// checkLanes checks a check in lanes: that it is one of one lane, and that all that is a vector has as many lanes.
func (v *verifier) checkLanes(in *Instr) {
	n := in.Check.operands()
	if len(in.Args) < n || len(in.Args) > n+1 {
		v.report(in, "has %d operands", len(in.Args))
		return
	}
	lanes := Lanes(in.Args)
	if len(in.Args) > n {
		v.mask(in, n, max(1, lanes))
	}
	v.sameLanes(in, in.Args, lanes)
	one := *in
	one.Op, one.Args = OpCheck, oneLane(in.Checked())
	v.types(&one)
}

// panicLanes checks a panic in lanes: that its values have as many lanes as its mask.
func (v *verifier) panicLanes(in *Instr) {
	if len(in.Args) == 0 {
		v.report(in, "has no mask")
		return
	}
	lanes := LanesOf(in.Args[0].Type)
	v.mask(in, 0, max(1, lanes))
	v.sameLanes(in, in.Args[1:], lanes)
}

// sameLanes checks that all vectors among some values have as many lanes.
func (v *verifier) sameLanes(in *Instr, values []*Value, lanes int) {
	for _, x := range values {
		if n := LanesOf(x.Type); lanes == 0 || n != 0 && n != lanes {
			v.report(in, "%v has %d lanes, not %d", x, n, lanes)
		}
	}
}

// addresses is how many operands of an access to memory by vectors say where it is: the pointer, and perhaps the
// indices or the stride.
func (op Op) addresses() int {
	switch op {
	case OpGather, OpScatter, OpAtomicLanes, OpLoadStrided, OpStoreStrided:
		return 2
	}
	return 1
}

// Mask is the mask of an access to memory by vectors, or of a check in lanes, nil if it is for all lanes.
func (in *Instr) Mask() *Value {
	if in.Op == OpStoreParts && len(in.Args) > 0 {
		if last := in.Args[len(in.Args)-1]; ElemOf(last.Type) == Bool {
			return last
		}
		return nil
	}
	n := in.Op.addresses()
	if in.Op == OpCheckLanes {
		n = in.Check.operands()
	}
	if in.Op == OpStoreRow || in.Op == OpStoreStrided || in.Op == OpScatter {
		n++
	}
	if in.Op == OpAtomicLanes {
		n += in.Atomic.values()
	}
	if len(in.Args) > n {
		return in.Args[n]
	}
	return nil
}

// Checked are the operands of an OpCheck or an OpCheckLanes, without a mask.
func (in *Instr) Checked() []*Value { return in.Args[:in.Check.operands()] }

// Lanes is how many the vectors among values have, 0 if there is none.
func Lanes(values []*Value) (n int) {
	for _, x := range values {
		n = max(n, LanesOf(x.Type))
	}
	return n
}

// Parts are the vectors that an OpLoadParts reads or an OpStoreParts writes: one for each number of an element.
func (in *Instr) Parts() []*Value {
	if in.Op == OpLoadParts {
		return in.Results
	}
	end := len(in.Args)
	if in.Mask() != nil {
		end--
	}
	return in.Args[min(1, end):end]
}

// access checks an access to memory by vectors of a type. Operand n is the mask, if there is one.
func (v *verifier) access(in *Instr, n int, t Type) {
	vec, ok := t.(Vec)
	if !ok {
		v.report(in, "an access of %v, no vector", t)
		return
	}
	if len(in.Args) != n && len(in.Args) != n+1 {
		v.report(in, "has %d operands, not %d or %d", len(in.Args), n, n+1)
		return
	}
	if elem := v.pointer(in); elem != nil && elem != Type(vec.Elem) {
		v.report(in, "operand 0 is no pointer to %v", vec.Elem)
	}
	switch {
	case in.Op == OpLoadStrided || in.Op == OpStoreStrided:
		v.operand(in, 1, Int64)
		if !IsNumeric(vec.Elem) || int(in.Len) < vec.Elem.Size() {
			v.report(in, "%v every %d bytes times the stride", vec.Elem, in.Len)
		}
	case in.Op.addresses() == 2:
		if index, ok := in.Args[1].Type.(Vec); !ok || !IsInteger(index.Elem) || index.Lanes != vec.Lanes {
			v.report(in, "operand 1 is no vector of %d integers", vec.Lanes)
		}
	}
	if len(in.Args) > n {
		v.mask(in, n, vec.Lanes)
	}
}

// parts checks an access to numbers of elements. Operand n is the mask, if there is one.
func (v *verifier) parts(in *Instr, parts []*Value, n int) {
	if len(parts) == 0 {
		v.report(in, "reads or stores nothing")
		return
	}
	t := parts[0].Type
	v.access(in, n, t)
	for _, x := range parts {
		if x.Type != t || !IsNumeric(ElemOf(t)) {
			v.report(in, "%v is no vector of numbers, or not of the type of the first one", x)
			return
		}
	}
	if int(in.Len) < len(parts)*ElemOf(t).Size() {
		v.report(in, "elements of %d numbers lie %d bytes from each other", len(parts), in.Len)
	}
}

// mask checks that an operand is a mask.
func (v *verifier) mask(in *Instr, i, lanes int) { v.operand(in, i, Vec{Bool, lanes}) }
