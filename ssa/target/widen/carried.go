package widen

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A compiler finds vectors in the iterations of a loop only if no iteration needs what the one before has computed, but
// for counters and reductions: sums, products, minima and the like. The check sum of a row, a filter with feedback, or a
// recurrence has no such vectors.

// carries reports whether a loop has a variable that is neither a counter nor a reduction.
func (w *widener) carries(loop *ssa.Instr) bool {
	does, met := w.carried[loop]
	if !met {
		if w.carried == nil {
			w.carried = make(map[*ssa.Instr]bool)
		}
		does = carries(loop)
		w.carried[loop] = does
	}
	return does
}

func carries(loop *ssa.Instr) bool {
	for k, param := range loop.Cond().Params {
		if by, _ := analysis.Added(loop, k); by != nil {
			continue
		}
		c := &chain{loop: loop, param: param, depends: make(map[*ssa.Value]bool)}
		for _, e := range loop.Exits(ssa.OpContinue, nil) {
			if !c.reduces(e.Args[k]) {
				return true
			}
		}
	}
	return false
}

// chain is what a loop makes of one of its variables.
type chain struct {
	loop    *ssa.Instr
	param   *ssa.Value
	op      ssa.Op              // of the reduction
	depends map[*ssa.Value]bool // values of the loop, and whether they depend on the variable
}

// reduces reports whether a value is the variable, or the variable with other numbers joined to it by one operation.
func (c *chain) reduces(v *ssa.Value) bool {
	if v == c.param || !c.dependsOn(v) {
		return true
	}
	in := v.Def
	if in == nil {
		return false
	}
	op := in.Op
	switch op {
	case ssa.OpSub:
		op = ssa.OpAdd
		if c.dependsOn(in.Args[1]) {
			return false
		}
	case ssa.OpAdd, ssa.OpMul, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpMin, ssa.OpMax:
	case ssa.OpIf:
		k := v.Index()
		for _, b := range in.Blocks {
			if t := b.Terminator(); t.Op == ssa.OpYield && !c.reduces(t.Args[k]) {
				return false
			}
		}
		return !c.dependsOn(in.Args[0])
	default:
		return false
	}
	if c.op != 0 && c.op != op {
		return false
	}
	c.op = op
	x, y := in.Args[0], in.Args[1]
	return !(c.dependsOn(x) && c.dependsOn(y)) && c.reduces(x) && c.reduces(y)
}

// dependsOn reports whether a value follows from the variable. What inner loops and Ifs give depends on all that is used
// in them.
func (c *chain) dependsOn(v *ssa.Value) bool {
	if v == c.param {
		return true
	}
	if d, met := c.depends[v]; met || !v.IsInside(c.loop) {
		return d
	}
	c.depends[v] = false // of a variable of an inner loop, which is looked at with the loop
	d := false
	look := func(in *ssa.Instr) {
		for _, a := range in.Args {
			d = d || c.dependsOn(a)
		}
	}
	in := v.Def
	if in == nil && v.Block != c.loop.Cond() {
		in = v.Block.Owner
	}
	if in != nil && in != c.loop {
		look(in)
		for _, b := range in.Blocks {
			b.Walk(look)
		}
	}
	c.depends[v] = d
	return d
}
