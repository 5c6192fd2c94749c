package narrow

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Narrow makes the kernels of an optimized module those for small launches. Afterwards there are conversions between
// constants, and results that nobody uses: the module should go through the passes of [opt.Optimize] again. It gives
// the functions that have changed.
func Narrow(m *ssa.Module) (changed []*ssa.Func) {
	findSmall(m)
	m.Narrow = true
	facts := FactsOf(m)
	for _, f := range m.Device().Funcs {
		n := &narrower{fn: f, facts: facts, ranges: facts.ranges[f], low: make(map[*ssa.Value]*ssa.Value)}
		n.findFit()
		n.ask()
		if n.apply() {
			changed = append(changed, f)
		}
	}
	return changed
}

// apply gives values their types, and instructions their operands in these.
func (n *narrower) apply() (changed bool) {
	var narrow []*ssa.Value
	n.eachValue(n.fn.Body, func(v *ssa.Value) {
		if isWide(v.Type) && !ssa.IsConst(v) && n.isNarrow(v) {
			narrow = append(narrow, v)
		}
	})
	if len(narrow) == 0 && !n.anyComparison() {
		return false
	}
	// All decisions are made before the first change: they look at operands.
	want := n.decide()
	for _, v := range narrow {
		v.Type = narrowType(v.Type)
	}
	n.block(n.fn.Body, want)
	return true
}

// anyComparison reports whether a comparison is one of 32 bits.
func (n *narrower) anyComparison() (found bool) {
	n.fn.Body.Walk(func(in *ssa.Instr) { found = found || len(in.Args) == 2 && isWide(in.Args[0].Type) && n.compares(in) })
	return found
}

// eachValue calls f for the parameters and the results in a block.
func (n *narrower) eachValue(b *ssa.Block, f func(*ssa.Value)) {
	for _, p := range b.Params {
		f(p)
	}
	for _, in := range b.Instrs {
		for _, r := range in.Results {
			f(r)
		}
		for _, nested := range in.Blocks {
			n.eachValue(nested, f)
		}
	}
}

// decided returns the types in which an instruction takes its operands, nil if they do not change. It also returns the
// operands of which the instruction prefers the low bits.
type decided struct {
	types []ssa.Type
	index []bool
}

// decide finds what instructions take.
func (n *narrower) decide() map[*ssa.Instr]decided {
	want := make(map[*ssa.Instr]decided)
	n.fn.Body.Walk(func(in *ssa.Instr) {
		for i, a := range in.Args {
			if !isWide(a.Type) {
				continue
			}
			d, ok := want[in]
			if !ok {
				d = decided{make([]ssa.Type, len(in.Args)), make([]bool, len(in.Args))}
				want[in] = d
			}
			d.types[i] = n.takes(in, i)
			d.index[i] = d.types[i] == nil && takesAny(in, i) && n.asks(in, i) <= lowBits
		}
	})
	return want
}

// takesAny reports whether an operand of an instruction may be an integer of any type.
func takesAny(in *ssa.Instr, i int) bool {
	switch in.Op {
	case ssa.OpIndexAddr, ssa.OpElem, ssa.OpElemAddr:
		return i == 1
	}
	return in.Op == ssa.OpConvert
}

// block rewrites a block and those in it.
func (n *narrower) block(b *ssa.Block, want map[*ssa.Instr]decided) {
	base := len(n.out)
	for _, p := range b.Params {
		n.lowOf(b, p)
	}
	for _, in := range b.Instrs {
		if d, ok := want[in]; ok {
			args := slices.Clone(in.Args)
			for i, a := range args {
				if isWide(n.typeOf(a)) {
					args[i] = n.operand(b, in, a, d.types[i], d.index[i])
				}
			}
			in.Args = args
		}
		n.out = append(n.out, in)
		for _, nested := range in.Blocks {
			n.block(nested, want)
		}
		if len(in.Results) == 1 && in.Op != ssa.OpConst {
			n.lowOf(b, in.Results[0])
		}
	}
	b.SetInstrs(n.out[base:])
	n.out = n.out[:base]
}

// lowOf makes the low bits of a value that is proven to fit, or of which nobody asks for more, and that is computed in
// 64 bits all the same. They take the name of the variable.
func (n *narrower) lowOf(b *ssa.Block, v *ssa.Value) {
	if v.Type != ssa.Int64 || !n.isAmong(v) || !n.fits(v) && (n.asked[v.ID] == nothing || n.asked[v.ID] > lowBits) {
		return
	}
	if in := v.Def; in == nil && (b.Owner == nil || b.Owner.Op != ssa.OpFor) && b != n.fn.Body {
		return
	}
	c := n.convert(b, v.Def, v, ssa.Int32)
	n.low[v] = c
	if c.Name = v.Name; v.Def != nil {
		v.Name = ""
	}
}

// operand is a value in the type that an instruction takes it in, nil for the one that it had. Index says that the low
// bits will do.
func (n *narrower) operand(b *ssa.Block, in *ssa.Instr, v *ssa.Value, want ssa.Type, index bool) *ssa.Value {
	c, isConst := v.Const()
	low := n.low[v]
	switch {
	case want == nil && isConst:
		return v
	case want == nil && index:
		if low != nil && n.fits(v) {
			return low
		}
		return v
	case want == nil:
		want = n.typeOf(v)
	}
	switch {
	case v.Type == want:
		return v
	case isConst:
		k := &ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(want, c.Uint()), Block: b, Pos: in.Pos, Stmt: in.Stmt}
		n.out = append(n.out, k)
		return k.AddResult(want, "")
	case low != nil && low.Type == want:
		return low
	}
	return n.convert(b, in, v, want)
}

// convert makes a conversion, for the statement of an instruction, nil for that of the function.
func (n *narrower) convert(b *ssa.Block, in *ssa.Instr, v *ssa.Value, to ssa.Type) *ssa.Value {
	c := &ssa.Instr{Op: ssa.OpConvert, Args: []*ssa.Value{v}, Block: b, Stmt: &n.fn.Decl}
	if in != nil {
		c.Pos, c.Stmt = in.Pos, in.Stmt
	}
	n.out = append(n.out, c)
	return c.AddResult(to, "")
}
