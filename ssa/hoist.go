package ssa

// HoistChecks finds the checks of a kernel for threads that a launch can answer for
// all of its threads at once. It gives the kernel without them, under another name,
// and the test for launches in which it may stand for the kernel; or nil where no
// check can be answered so. The kernel should have been through [Optimize].
func HoistChecks(f *Func) (*Func, *LaunchTest) {
	if !f.Kernel || f.Kind != ThreadKernel || !f.hasChecks() {
		return nil, nil
	}
	fast := f.clone(f.Name + ".hoisted")
	h := &hoister{checker: newChecker(fast), test: new(LaunchTest)}
	h.hoist = h.answer
	h.block(fast.Body)
	if len(h.test.Checks) == 0 {
		return nil, nil
	}
	for range maxRounds {
		changed := false
		for _, p := range pipeline {
			if p.Run != nil && p.Run(fast) {
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return fast, h.test
}

// hoister makes a launch's test of the checks that cannot be proven.
type hoister struct {
	*checker
	test *LaunchTest

	// Of one check.
	made    map[*Value]int // -1 for what has no formula, and while it is being made
	left    int            // formulas that may be made
	factors []int          // formulas of what must not be negative
	exact   []int          // formulas that must not wrap
}

// answer adds a check to the launch's test, if all it is about has a formula.
func (h *hoister) answer(check *Instr) bool {
	switch check.Check {
	case CheckIndex, CheckSlice, CheckDivide, CheckShift:
	default:
		return false
	}
	if !isCounted(check.Args[0].Type) {
		return false
	}
	before := len(h.test.Formulas)
	h.made, h.left, h.factors, h.exact = make(map[*Value]int), 48, nil, nil
	c := LaunchCheck{Check: check.Check}
	for _, a := range check.Args {
		k := h.formula(a)
		// A range that facts alone give seldom leaves out zero or what is below.
		vague := k >= 0 && len(check.Args) == 1 && h.test.Formulas[k].Op == opInvalid
		if k < 0 || vague {
			h.test.Formulas = h.test.Formulas[:before]
			return false
		}
		c.Operands = append(c.Operands, k)
	}
	if check.Check == CheckSlice && h.ordered(check.Args[0], check.Args[1], 6) {
		c.Ordered, c.Exact = true, h.exact
		for _, w := range h.factors {
			h.test.Checks = append(h.test.Checks, LaunchCheck{Check: CheckShift, Operands: []int{w}})
		}
	}
	h.test.Checks = append(h.test.Checks, c)
	return true
}

// ordered reports whether a <= b if the formulas in exact do not wrap and those in
// factors are not negative: as of row*width and (row+1)*width.
func (h *hoister) ordered(a, b *Value, depth int) bool {
	if h.proves(a, b, 0) {
		return true
	}
	if depth == 0 || b.Def == nil {
		return false
	}
	x, y := a.Def, b.Def
	if y.Op == OpAdd {
		for i, v := range y.Args {
			if v == a && h.factor(y.Args[1-i]) && h.doesNotWrap(b) {
				return true
			}
		}
	}
	if x == nil || x.Op != y.Op || x.Op != OpAdd && x.Op != OpMul || !h.doesNotWrap(a) || !h.doesNotWrap(b) {
		return false
	}
	for i, v := range x.Args {
		for j, w := range y.Args {
			if v == w && (x.Op == OpAdd || h.factor(v)) && h.ordered(x.Args[1-i], y.Args[1-j], depth-1) {
				return true
			}
		}
	}
	return false
}

// factor notes that a value must not be negative.
func (h *hoister) factor(v *Value) bool {
	k := h.formula(v)
	if k >= 0 {
		h.factors = append(h.factors, k)
	}
	return k >= 0
}

// doesNotWrap notes that a sum or a product must not wrap.
func (h *hoister) doesNotWrap(v *Value) bool {
	k := h.formula(v)
	if k < 0 || h.test.Formulas[k].Op == opInvalid {
		return false
	}
	h.exact = append(h.exact, k)
	return true
}

// formula is the place of a value's formula, -1 if it has none. It has one if its
// operation has, or if what is known of it bounds it on both sides.
func (h *hoister) formula(v *Value) int {
	if !isCounted(v.Type) {
		return -1
	}
	v = h.canonical(v)
	if k, ok := h.made[v]; ok {
		return k
	}
	h.made[v] = -1
	if h.left--; h.left < 0 {
		return -1
	}
	f := Formula{Op: opInvalid, Type: v.Type.(Basic)}
	computed := h.operation(v, &f)
	if f.Op != OpConst && f.Op != OpLen && f.Op != OpThreadDim { // those are one number
		f.AtMost = h.limitsBy(h.above[v.ID], 1)
		f.AtLeast = h.limitsBy(h.below[v.ID], -1)
	}
	if !computed {
		f.Op, f.Operands = opInvalid, nil
		if len(f.AtMost) == 0 || len(f.AtLeast) == 0 {
			return -1
		}
	}
	k := h.emit(f)
	h.made[v] = k
	return k
}

func (h *hoister) emit(f Formula) int {
	h.test.Formulas = append(h.test.Formulas, f)
	return len(h.test.Formulas) - 1
}

// limitsBy makes limits of facts.
func (h *hoister) limitsBy(known []fact, sign int64) []Limit {
	var ls []Limit
	for _, list := range near(known) {
		for _, k := range list {
			l := Limit{Formula: -1, Plus: sign * k.c}
			if k.v != nil {
				l.Formula = h.formula(k.v)
			}
			if k.v == nil || l.Formula >= 0 {
				ls = append(ls, l)
			}
		}
	}
	return ls
}

// operation fills in what computes a value, and reports whether a formula can.
func (h *hoister) operation(v *Value, f *Formula) bool {
	if h.argument(v, f) {
		return true
	}
	d := v.Def
	if d == nil {
		return false
	}
	switch d.Op {
	case OpConst:
		f.Op, f.Const = OpConst, d.Const.Int()
		return true
	case OpThreadID:
		f.Op, f.Axis, f.Flat = OpThreadID, d.Axis, d.Rank == 1
		return true
	case OpThreadDim:
		f.Op, f.Axis = OpThreadDim, d.Axis
		return true
	case OpAdd, OpSub, OpMul, OpMin, OpMax, OpDiv, OpRem, OpAnd, OpShr, OpConvert:
		for _, a := range d.Args {
			k := h.formula(a)
			if k < 0 {
				return false
			}
			f.Operands = append(f.Operands, k)
		}
		f.Op = d.Op
		return true
	}
	return false
}

// argument fills in that a value is a number in the launch's arguments: a parameter,
// a slice parameter's length, or those of a field.
func (h *hoister) argument(v *Value, f *Formula) bool {
	offset := 0
	if d := v.Def; d != nil && d.Op == OpLen {
		v, offset = d.Args[0], 8
	}
	for v.Def != nil {
		d := v.Def
		switch d.Op {
		case OpField:
			offset += d.Args[0].Type.(*Struct).Offset(d.Index)
		case OpElem:
			i, ok := d.Args[1].Const()
			a := d.Args[0].Type.(Array)
			if !ok || i.Int() < 0 || i.Int() >= int64(a.Len) {
				return false
			}
			offset += int(i.Int()) * a.Elem.Size()
		default:
			return false
		}
		v = d.Args[0]
	}
	if v.Block != h.fn.Body {
		return false
	}
	f.Op, f.Arg, f.Offset = OpLen, v.index()-1, offset
	return f.Arg >= 0
}
