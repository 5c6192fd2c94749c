package target

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// HoistChecks finds the checks of a kernel for threads or for blocks that a launch can answer
// for all of its threads at once, also those in functions that it calls. It gives the kernel
// without them, under another name, and the test for launches in which it may stand for the
// kernel; or nil where no check can be answered so. The kernel should have been through
// [opt.Optimize], and what is given should go through it again: without the checks there is
// more to be found.
func HoistChecks(f *ssa.Func, summaries *analysis.Summaries) (*ssa.Func, *LaunchTest) {
	checks := analysis.NewBottomUp(hasChecks)
	if !f.Kernel || f.Kind == ssa.GridKernel || !checks.Of(f) {
		return nil, nil
	}
	fast := f.Clone(f.Name + ".hoisted")
	inlineForChecks(fast, checks, summaries)
	h := newHoister(fast, summaries.Remarks)
	h.Hoist, h.Steps = h.answer, h.steps
	before := opt.NumChecks(fast.Body)
	h.Run(fast.Body)
	if len(h.test.Checks) == 0 || opt.NumChecks(fast.Body) == before {
		return nil, nil
	}
	return fast, h.test
}

// hoister makes a launch's test of the checks that cannot be proven.
type hoister struct {
	*opt.Checker
	test     *LaunchTest
	uniform  bool // only what is the same in all threads has a formula
	remarks  ssa.Remarks
	divisors map[*ssa.Value][]*ssa.Value // what a number is divided by
	ranges   *analysis.Ranges            // in every launch

	// Of one check.
	lacks   *ssa.Value         // the first value without a formula
	vain    bool               // it can be seen that no launch can answer it
	made    map[*ssa.Value]int // -1 for what has no formula, and while it is being made
	left    int                // formulas that may be made
	factors []int              // formulas of what must not be negative
	exact   []int              // formulas that must not wrap
}

// newHoister prepares formulas of what a kernel computes.
func newHoister(f *ssa.Func, remarks ssa.Remarks) *hoister {
	return &hoister{Checker: opt.NewChecker(f), test: new(LaunchTest), remarks: remarks, divisors: divisorsIn(f), ranges: new(analysis.Ranges)}
}

// pass is the name under which remarks are made.
const pass = "hoist"

// answer adds a check to the launch's test, if all it is about has a formula, and says whether it has.
func (h *hoister) answer(check *ssa.Instr) bool {
	h.lacks, h.vain = nil, false
	answered := h.add(check)
	switch {
	case h.remarks == nil:
	case answered:
		h.remarks.On(pass, ssa.Done, check, "%s: the launch answers it once for all threads", opt.Condition(check))
	case h.vain:
		h.remarks.On(pass, ssa.Missed, check, "%s: each thread answers it, because all that is known of the value is what the thread has checked before", opt.Condition(check))
	case h.lacks != nil:
		h.remarks.On(pass, ssa.Missed, check, "%s: each thread answers it, because the launch cannot know %s, which is no formula over the thread's index and the arguments", opt.Condition(check), h.lacks.Expr())
	default:
		h.remarks.On(pass, ssa.Missed, check, "%s: each thread answers it, because the launch answers only questions about indices, slices, divisors and shifts of integers whose range it can find", opt.Condition(check))
	}
	return answered
}

// add adds a check to the launch's test, if all it is about has a formula.
func (h *hoister) add(check *ssa.Instr) bool {
	switch check.Check {
	case ssa.CheckIndex, ssa.CheckSlice, ssa.CheckDivide, ssa.CheckShift:
	default:
		return false
	}
	if !analysis.IsCounted(check.Args[0].Type) {
		return false
	}
	before := len(h.test.Formulas)
	h.begin()
	c := LaunchCheck{Check: check.Check}
	for _, a := range check.Args {
		k := h.formula(a)
		// A range that facts alone give seldom leaves out zero or what is below.
		vague := k >= 0 && len(check.Args) == 1 && h.test.Formulas[k].Op == ssa.OpInvalid
		if k < 0 || vague {
			h.test.Formulas = h.test.Formulas[:before]
			return false
		}
		c.Operands = append(c.Operands, k)
	}
	if h.test.never(&c) {
		h.vain = true
		h.test.Formulas = h.test.Formulas[:before]
		return false
	}
	if check.Check == ssa.CheckSlice && h.ordered(check.Args[0], check.Args[1], 6) {
		c.Ordered, c.Exact = true, h.exact
		for _, w := range h.factors {
			h.test.Checks = append(h.test.Checks, LaunchCheck{Check: ssa.CheckShift, Operands: []int{w}})
		}
	}
	h.test.Checks = append(h.test.Checks, c)
	return true
}

// begin prepares for the formulas of one question.
func (h *hoister) begin() {
	h.made, h.left, h.factors, h.exact = make(map[*ssa.Value]int), 48, nil, nil
}

// steps adds to the launch's test that a step is not negative, and that its sum with a limit, or the difference, does not
// wrap.
func (h *hoister) steps(op ssa.Op, limit, step *ssa.Value) bool {
	before := len(h.test.Formulas)
	h.begin()
	of, by := h.formula(limit), h.formula(step)
	if of < 0 || by < 0 {
		h.test.Formulas = h.test.Formulas[:before]
		return false
	}
	next := h.emit(Formula{Op: op, Type: step.Type.(ssa.Basic), Operands: []int{of, by}})
	h.test.Checks = append(h.test.Checks, LaunchCheck{Check: ssa.CheckShift, Operands: []int{by}, Exact: []int{next}})
	return true
}

// ordered reports whether a <= b if the formulas in exact do not wrap and those in
// factors are not negative: as of row*width and (row+1)*width.
func (h *hoister) ordered(a, b *ssa.Value, depth int) bool {
	if h.Proves(a, b, 0) {
		return true
	}
	if depth == 0 || b.Def == nil {
		return false
	}
	x, y := a.Def, b.Def
	if y.Op == ssa.OpAdd {
		for i, v := range y.Args {
			if v == a && h.factor(y.Args[1-i]) && h.doesNotWrap(b) {
				return true
			}
		}
	}
	if x == nil || x.Op != y.Op || x.Op != ssa.OpAdd && x.Op != ssa.OpMul || !h.doesNotWrap(a) || !h.doesNotWrap(b) {
		return false
	}
	for i, v := range x.Args {
		for j, w := range y.Args {
			if v == w && (x.Op == ssa.OpAdd || h.factor(v)) && h.ordered(x.Args[1-i], y.Args[1-j], depth-1) {
				return true
			}
		}
	}
	return false
}

// factor notes that a value must not be negative.
func (h *hoister) factor(v *ssa.Value) bool {
	k := h.formula(v)
	if k >= 0 {
		h.factors = append(h.factors, k)
	}
	return k >= 0
}

// doesNotWrap notes that a sum or a product must not wrap.
func (h *hoister) doesNotWrap(v *ssa.Value) bool {
	k := h.formula(v)
	if k < 0 || h.test.Formulas[k].Op == ssa.OpInvalid {
		return false
	}
	h.exact = append(h.exact, k)
	return true
}

// formula is the place of a value's formula, -1 if it has none. It has one if its
// operation has, or if facts or its operation bound it on both sides.
func (h *hoister) formula(v *ssa.Value) int {
	if !analysis.IsCounted(v.Type) {
		return -1
	}
	v = h.Canonical(v)
	if k, ok := h.made[v]; ok {
		return k
	}
	h.made[v] = -1
	if h.left--; h.left < 0 {
		return -1
	}
	f := Formula{Op: ssa.OpInvalid, Type: v.Type.(ssa.Basic)}
	computed := h.operation(v, &f)
	if f.Op != ssa.OpConst && f.Op != ssa.OpLen && f.Op != ssa.OpThreadDim && f.Op != ssa.OpBlockDim { // those are one number
		f.AtMost = h.limitsBy(h.FactsAbove(v), 1)
		f.AtLeast = h.limitsBy(h.FactsBelow(v), -1)
		f.Not = h.limitsBy(h.FactsOther(v), 1)
	}
	if !computed && h.uniform {
		return -1
	}
	if !computed {
		f.Op, f.Operands = ssa.OpInvalid, nil
		h.stride(v, &f)
		h.bounded(v, &f)
		if len(f.AtMost) == 0 || len(f.AtLeast) == 0 {
			if h.lacks == nil {
				h.lacks = v
			}
			return -1
		}
	}
	h.made[v] = h.emit(f)
	if computed {
		h.divided(v, f)
	}
	return h.made[v]
}

func (h *hoister) emit(f Formula) int {
	h.test.Formulas = append(h.test.Formulas, f)
	return len(h.test.Formulas) - 1
}

// stride fills in that a loop's variable grows by a constant.
func (h *hoister) stride(v *ssa.Value, f *Formula) {
	first, by := h.Stride(v)
	if first == nil {
		return
	}
	if k := h.formula(first); k >= 0 {
		f.From, f.By = k, by
	}
}

// limitsBy makes limits of facts.
func (h *hoister) limitsBy(facts []analysis.Fact, sign int64) []Limit {
	var ls []Limit
	for _, k := range facts {
		l := Limit{Formula: -1, Plus: sign * k.C}
		if k.V != nil {
			l.Formula = h.formula(k.V)
		}
		if k.V == nil || l.Formula >= 0 {
			ls = append(ls, l)
		}
	}
	return ls
}

// operation fills in what computes a value, and reports whether a formula can.
func (h *hoister) operation(v *ssa.Value, f *Formula) bool {
	if h.argument(v, f) {
		return true
	}
	d := v.Def
	if d == nil {
		return false
	}
	switch d.Op {
	case ssa.OpConst:
		f.Op, f.Const = ssa.OpConst, d.Const.Int()
		return true
	case ssa.OpThreadID, ssa.OpLane, ssa.OpBlockID, ssa.OpBlockIndex:
		return !h.uniform && h.place(d, f)
	case ssa.OpThreadDim:
		f.Op, f.Axis = ssa.OpThreadDim, int(d.Axis)
		return true
	case ssa.OpBlockDim:
		f.Op = d.Op
		return true
	case ssa.OpAdd, ssa.OpSub, ssa.OpNeg, ssa.OpMul, ssa.OpMin, ssa.OpMax, ssa.OpDiv, ssa.OpRem, ssa.OpAnd, ssa.OpShr, ssa.OpConvert:
		f.Op = d.Op
		return h.operands(d, f)
	case ssa.OpIf:
		return h.branches(d, v.Index(), f)
	}
	return false
}

// place fills in that a value says which thread this is.
func (h *hoister) place(d *ssa.Instr, f *Formula) bool {
	switch {
	case d.Op == ssa.OpThreadID:
		f.Op, f.Axis, f.Flat = ssa.OpThreadID, int(d.Axis), d.Rank == 1
	case d.Op == ssa.OpLane:
		f.Op = ssa.OpLane
	case d.Args[0].Type == ssa.BlockPlace: // the launch is over blocks
		f.Op, f.Axis, f.Flat = ssa.OpThreadID, int(d.Axis), d.Op == ssa.OpBlockID || d.Rank == 1
	default:
		f.Op = ssa.OpBlockID
	}
	return true
}

// operands fills in what is computed with. One operand may be any number where the other one limits the result.
func (h *hoister) operands(d *ssa.Instr, f *Formula) bool {
	unknown := -1
	for i, a := range d.Args {
		k := h.formula(a)
		if k < 0 {
			clamps := d.Op == ssa.OpMin || d.Op == ssa.OpMax || d.Op == ssa.OpAnd || d.Op == ssa.OpRem && i == 0
			if !clamps || unknown >= 0 || h.uniform {
				return false
			}
			unknown = i
		}
		f.Operands = append(f.Operands, k)
	}
	if unknown >= 0 {
		f.Operands[unknown] = h.emit(Formula{Op: ssa.OpInvalid, Type: f.Type})
	}
	return true
}

// bounded adds limits that hold in every launch, such as those of x%10. That a number is a uint8 is no limit to it: what is
// read from memory seldom takes all numbers of its type, so the test would fail in launches that are right.
func (h *hoister) bounded(v *ssa.Value, f *Formula) {
	of := v
	for of.Def != nil && of.Def.Op == ssa.OpConvert {
		of = of.Def.Args[0]
	}
	if !analysis.IsCounted(of.Type) {
		return
	}
	all, r := analysis.OfType(of.Type), h.ranges.Of(v)
	if r.Lo > all.Lo {
		f.AtLeast = append(f.AtLeast, Limit{Formula: -1, Plus: r.Lo})
	}
	if r.Hi < all.Hi {
		f.AtMost = append(f.AtMost, Limit{Formula: -1, Plus: r.Hi})
	}
}

// branches fills in that a value is a result of an If: that of one branch, of which the condition holds, or of the other.
func (h *hoister) branches(d *ssa.Instr, result int, f *Formula) bool {
	f.Op = ssa.OpIf
	for i, b := range d.Blocks {
		yield := b.Terminator()
		if yield == nil || yield.Op != ssa.OpYield {
			continue // control leaves
		}
		mark, made := h.Mark(), h.made
		// A formula that is made without the condition is too wide here. Only the marks stay: what has none, and what is
		// being made.
		h.made = make(map[*ssa.Value]int)
		for v, k := range made {
			if k < 0 {
				h.made[v] = k
			}
		}
		h.Assume(d.Args[0], i == 0)
		k := h.formula(yield.Args[result])
		h.TakeBack(mark)
		h.made = made
		if k < 0 {
			return false
		}
		f.Operands = append(f.Operands, k)
	}
	return len(f.Operands) > 0
}

// argument fills in that a value is a number in the launch's arguments: a parameter,
// a slice parameter's length, or those of a field.
func (h *hoister) argument(v *ssa.Value, f *Formula) bool {
	offset := 0
	if d := v.Def; d != nil && d.Op == ssa.OpLen {
		v, offset = d.Args[0], 8
	}
	for v.Def != nil {
		d := v.Def
		switch d.Op {
		case ssa.OpField:
			offset += d.Args[0].Type.(*ssa.Struct).Offset(int(d.Index))
		case ssa.OpElem:
			i, ok := d.Args[1].Const()
			a := d.Args[0].Type.(ssa.Array)
			if !ok || i.Int() < 0 || i.Int() >= int64(a.Len) {
				return false
			}
			offset += int(i.Int()) * a.Elem.Size()
		default:
			return false
		}
		v = d.Args[0]
	}
	if v.Block != h.Fn.Body {
		return false
	}
	f.Op, f.Arg, f.Offset = ssa.OpLen, v.Index()-1, offset
	return f.Arg >= 0
}
