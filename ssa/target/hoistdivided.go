package target

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// divisorsIn are the numbers by which each number of a function is divided.
func divisorsIn(f *ssa.Func) map[*ssa.Value][]*ssa.Value {
	by := make(map[*ssa.Value][]*ssa.Value)
	f.Body.Walk(func(in *ssa.Instr) {
		if (in.Op == ssa.OpDiv || in.Op == ssa.OpRem) && !slices.Contains(by[in.Args[0]], in.Args[1]) {
			by[in.Args[0]] = append(by[in.Args[0]], in.Args[1])
		}
	})
	return by
}

// divided adds to the formula of a number that the kernel takes apart, as in y, x := i/w, i%w, that it is y*w + x: guards say
// something of the quotient and of the remainder.
func (h *hoister) divided(v *ssa.Value, f Formula) {
	for _, by := range h.divisors[v] {
		quotient, remainder := h.Computed(ssa.OpDiv, v, by), h.Computed(ssa.OpRem, v, by)
		if !h.guarded(quotient, maxTakenApart) && !h.guarded(remainder, maxTakenApart) {
			continue
		}
		w := h.formula(by)
		if w < 0 {
			continue
		}
		part := func(op ssa.Op, computed *ssa.Value) int {
			if computed != nil {
				if k := h.formula(computed); k >= 0 {
					return k
				}
			}
			return h.emit(Formula{Op: op, Type: f.Type, Operands: []int{h.made[v], w}})
		}
		y, x := part(ssa.OpDiv, quotient), part(ssa.OpRem, remainder)
		// By 0 there is no quotient, and the sum says nothing of the number, whatever guards say of the parts. So 0/w is added: it
		// is 0, or any number where w may be below 1.
		zero := h.emit(Formula{Op: ssa.OpConst, Type: f.Type})
		zero = h.emit(Formula{Op: ssa.OpDiv, Type: f.Type, Operands: []int{zero, w}})
		y = h.emit(Formula{Op: ssa.OpMul, Type: f.Type, Operands: []int{y, w}})
		y = h.emit(Formula{Op: ssa.OpAdd, Type: f.Type, Operands: []int{y, zero}})
		sum := Limit{Formula: h.emit(Formula{Op: ssa.OpAdd, Type: f.Type, Operands: []int{y, x}})}
		f.AtMost, f.AtLeast = append(slices.Clip(f.AtMost), sum), append(slices.Clip(f.AtLeast), sum)
		h.made[v] = h.emit(f)
	}
}

// maxTakenApart is how often an index is taken apart: a launch over one dimension may stand for several.
const maxTakenApart = 4

// guarded reports whether something is known of a number that is computed, or of what it is taken apart into.
func (h *hoister) guarded(v *ssa.Value, depth int) bool {
	if v == nil || depth == 0 {
		return false
	}
	if len(h.FactsAbove(v))+len(h.FactsBelow(v))+len(h.FactsOther(v)) > 0 {
		return true
	}
	return slices.ContainsFunc(h.divisors[v], func(by *ssa.Value) bool {
		return h.guarded(h.Computed(ssa.OpDiv, v, by), depth-1) || h.guarded(h.Computed(ssa.OpRem, v, by), depth-1)
	})
}
