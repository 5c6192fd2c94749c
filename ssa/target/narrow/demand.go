package narrow

import (
	"math/bits"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// demand is how many of the low bits of an integer are asked for.
type demand uint8

const (
	nothing demand = 0
	lowBits demand = 32 // all that a narrow value has
	allBits demand = 64
)

// A narrower decides which values of a function to keep in 32 bits, and keeps them so.
type narrower struct {
	fn     *ssa.Func
	facts  *Facts
	ranges *analysis.Ranges
	among  func(*ssa.Value) bool     // which values may be narrow, nil for all
	fit    []bool                    // which values are always ones of int32, by ID
	types  []ssa.Type                // what they had before, by ID
	asked  []demand                  // by ID
	low    map[*ssa.Value]*ssa.Value // the low bits of a value that stays as it is
	out    []*ssa.Instr
}

// loopVariable is a variable of a loop: what is one variable in Go are several values in SSA, of one type.
func loopVariable(v *ssa.Value) (loop *ssa.Instr, k int, ok bool) {
	switch {
	case v.Def != nil && v.Def.Op == ssa.OpLoop:
		return v.Def, v.Index(), true
	case v.Def == nil && v.Block.Owner != nil && v.Block.Owner.Op == ssa.OpLoop:
		return v.Block.Owner, v.Index(), true
	}
	return nil, 0, false
}

// fits reports whether a value is always one of int32.
func (n *narrower) fits(v *ssa.Value) bool { return n.fit[v.ID] }

// findFit finds the values that are always ones of int32.
func (n *narrower) findFit() {
	n.fit = make([]bool, n.fn.NumValues())
	n.types = make([]ssa.Type, n.fn.NumValues())
	n.eachValue(n.fn.Body, func(v *ssa.Value) {
		n.types[v.ID] = v.Type
		n.fit[v.ID] = v.Type == ssa.Int64 && n.within(v)
	})
}

// within is fits of an int64.
func (n *narrower) within(v *ssa.Value) bool {
	if loop, k, ok := loopVariable(v); ok {
		return fits(n.ranges.Of(loop.Cond().Params[k])) && fits(n.ranges.Of(loop.Post().Params[k])) && fits(n.ranges.Of(loop.Results[k]))
	}
	return fits(n.ranges.Of(v))
}

// typeOf is the type that a value had before.
func (n *narrower) typeOf(v *ssa.Value) ssa.Type { return n.types[v.ID] }

// isNarrow reports whether a value is computed in 32 bits.
func (n *narrower) isNarrow(v *ssa.Value) bool {
	return isWide(n.typeOf(v)) && n.isAmong(v) && n.mayBe(v) && (n.fits(v) || n.asked[v.ID] <= lowBits)
}

// isAmong reports whether a value is one of those that may be narrow.
func (n *narrower) isAmong(v *ssa.Value) bool { return n.among == nil || n.among(v) }

// mayBe reports whether the low bits of a value can be computed in 32 bits.
func (n *narrower) mayBe(v *ssa.Value) bool {
	in := v.Def
	if in == nil {
		owner := v.Block.Owner
		if owner != nil && owner.Op == ssa.OpFor {
			return n.counts(owner)
		}
		return owner != nil && owner.Op == ssa.OpLoop
	}
	switch in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpNeg, ssa.OpCom, ssa.OpShl, ssa.OpIf, ssa.OpLoop:
		return true
	case ssa.OpMin, ssa.OpMax:
		return n.fits(in.Args[0]) && n.fits(in.Args[1])
	case ssa.OpDiv, ssa.OpRem: // the smallest integer over -1 does not fit
		return n.fits(in.Args[0]) && n.fits(in.Args[1]) && n.fits(v)
	case ssa.OpShr:
		return n.fits(in.Args[0]) || n.shifted(in) <= lowBits
	case ssa.OpConvert:
		return ssa.IsInteger(n.typeOf(in.Args[0]))
	case ssa.OpBits: // of lanes, which count in the type of the operand
		return n.among != nil && in.Bits.CountsBits()
	}
	return false
}

// shifted is how many bits a shift to the right asks of what it shifts.
func (n *narrower) shifted(in *ssa.Instr) demand {
	by, ok := in.Args[1].Const()
	if !ok || by.Uint() > uint64(lowBits) {
		return allBits
	}
	return min(n.asked[in.Results[0].ID]+demand(by.Uint()), allBits)
}

// counts reports whether a loop over the lanes of a block can count in 32 bits.
func (n *narrower) counts(in *ssa.Instr) bool {
	return n.among == nil && len(in.Args) == 1 && len(in.Blocks) == 1 && !in.Spread && n.fits(in.Args[0]) && n.ranges.Of(in.Args[0]).Hi <= ssa.SmallLimit
}

// compares reports whether a comparison is one of 32 bits.
func (n *narrower) compares(in *ssa.Instr) bool {
	return in.Op.IsComparison() && n.fits(in.Args[0]) && n.fits(in.Args[1]) && (n.among == nil || n.isNarrow(in.Args[0]) || n.isNarrow(in.Args[1]))
}

// ask finds how much of each value is asked for. What asks stands behind what is asked, so one turn finds all but what goes
// around in loops.
func (n *narrower) ask() {
	n.asked = make([]demand, n.fn.NumValues())
	for changed := true; changed; {
		changed = false
		backward(n.fn.Body, func(in *ssa.Instr) {
			for i, a := range in.Args {
				if d := n.asks(in, i); d > n.asked[a.ID] {
					n.raise(a, d)
					changed = true
				}
			}
		})
	}
}

// backward calls f for the instructions of a block and those in it, the last one first, and an instruction after those in
// it.
func backward(b *ssa.Block, f func(*ssa.Instr)) {
	for _, in := range slices.Backward(b.Instrs) {
		for _, nested := range slices.Backward(in.Blocks) {
			backward(nested, f)
		}
		f(in)
	}
}

// raise notes a demand of a value, and of what is the same variable.
func (n *narrower) raise(v *ssa.Value, d demand) {
	n.asked[v.ID] = max(n.asked[v.ID], d)
	if loop, k, ok := loopVariable(v); ok {
		for _, w := range []*ssa.Value{loop.Cond().Params[k], loop.Post().Params[k], loop.Results[k]} {
			n.asked[w.ID] = max(n.asked[w.ID], d)
		}
	}
}

// asks is how much an instruction asks of an operand.
func (n *narrower) asks(in *ssa.Instr, i int) demand {
	if !isWide(in.Args[i].Type) {
		return nothing
	}
	if n.takes(in, i) != nil {
		return n.asksInNarrow(in, i)
	}
	switch in.Op {
	case ssa.OpIndexAddr:
		if i == 1 && (n.among != nil && n.fits(in.Args[1]) || n.among == nil && n.facts.isBounded(in.Args[0])) {
			return lowBits
		}
	case ssa.OpElem, ssa.OpElemAddr:
		if i == 1 && (n.among == nil || n.fits(in.Args[1])) {
			return lowBits
		}
	case ssa.OpShr:
		if i == 0 {
			return n.shifted(in)
		}
	case ssa.OpConvert:
		if t := in.Results[0].Type; ssa.IsInteger(t) && !isWide(t) {
			return demand(ssa.Bits(t))
		}
	case ssa.OpIf, ssa.OpLoop, ssa.OpYield, ssa.OpContinue, ssa.OpBreak:
		if to := in.Receivers(); to != nil {
			return n.asked[to[i].ID]
		}
	}
	return allBits
}

// asksInNarrow is how much an instruction asks of an operand that it takes in 32 bits.
func (n *narrower) asksInNarrow(in *ssa.Instr, i int) demand {
	of := lowBits
	if len(in.Results) == 1 {
		of = min(n.asked[in.Results[0].ID], lowBits)
	}
	switch in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpNeg, ssa.OpCom:
		return of
	case ssa.OpAnd:
		if c, ok := in.Args[1-i].Const(); ok {
			return min(of, demand(bits.Len64(c.Uint())))
		}
		return of
	case ssa.OpShl:
		if i == 0 {
			return of
		}
	case ssa.OpConvert:
		if ssa.IsInteger(in.Results[0].Type) {
			return of
		}
	case ssa.OpShr:
		if i == 0 && !n.fits(in.Args[0]) {
			return n.shifted(in)
		}
	}
	return lowBits
}

// takes is the type of 32 bits that an instruction takes an operand in, nil if it takes it as it is.
func (n *narrower) takes(in *ssa.Instr, i int) ssa.Type {
	switch in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpNeg, ssa.OpCom, ssa.OpMin, ssa.OpMax, ssa.OpDiv, ssa.OpRem:
		if n.isNarrow(in.Results[0]) {
			return narrowType(n.typeOf(in.Results[0]))
		}
	case ssa.OpShl, ssa.OpShr:
		if i == 0 && n.isNarrow(in.Results[0]) {
			return narrowType(n.typeOf(in.Results[0]))
		}
	case ssa.OpConvert:
		if n.isNarrow(in.Results[0]) && isWide(n.typeOf(in.Args[0])) {
			return narrowType(n.typeOf(in.Args[0]))
		}
		if ssa.IsFloat(in.Results[0].Type) && n.fits(in.Args[0]) && (n.among == nil || n.isNarrow(in.Args[0])) {
			return ssa.Int32
		}
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe:
		if n.compares(in) {
			return ssa.Int32
		}
	case ssa.OpFor:
		if n.counts(in) {
			return ssa.Int32
		}
	case ssa.OpLoop, ssa.OpContinue, ssa.OpBreak, ssa.OpYield:
		if to := in.Receivers(); to != nil && n.isNarrow(to[i]) {
			return narrowType(n.typeOf(to[i]))
		}
	}
	return nil
}

// narrowType is the type of 32 bits for one of 64.
func narrowType(t ssa.Type) ssa.Type {
	if t == ssa.Uint64 {
		return ssa.Uint32
	}
	return ssa.Int32
}
