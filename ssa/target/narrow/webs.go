package narrow

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Numbers that are narrow need conversions where they come from wide ones, and where wide ones come of them. This file
// finds the numbers that are narrow together, and whether they save more than the conversions between them and all others
// cost.

// webs are the values that become narrow together: each is an operand of another, or is given to another.
type webs struct {
	*narrower
	lanes  *analysis.Lanes
	of     []int // by ID: another value of the web, itself for the one that stands for all
	gain   []int // by ID of the one that stands for a web: operations that are cheaper, less the conversions for them
	narrow []bool
	taken  map[conversion]bool // what has been counted
}

// A conversion is one of a value for a web, or out of it.
type conversion struct {
	of  *ssa.Value
	web int
}

// newWebs finds the webs of a function.
func newWebs(n *narrower, lanes *analysis.Lanes) *webs {
	values := n.fn.NumValues()
	w := &webs{narrower: n, lanes: lanes, of: make([]int, values), gain: make([]int, values), narrow: make([]bool, values), taken: make(map[conversion]bool)}
	n.eachValue(n.fn.Body, func(v *ssa.Value) { w.narrow[v.ID] = n.isNarrow(v) })
	for i := range w.of {
		w.of[i] = i
	}
	n.fn.Body.Walk(w.join)
	n.eachValue(n.fn.Body, func(v *ssa.Value) {
		if loop, k, ok := loopVariable(v); ok {
			w.unite(v, loop.Results[k])
		}
	})
	n.fn.Body.Walk(w.count)
	return w
}

// pays reports whether it pays off that a value is narrow.
func (w *webs) pays(v *ssa.Value) bool { return w.gain[w.web(v)] > 0 }

// web is the value that stands for the web of another.
func (w *webs) web(v *ssa.Value) int {
	i := v.ID
	for w.of[i] != i {
		w.of[i] = w.of[w.of[i]]
		i = w.of[i]
	}
	return i
}

func (w *webs) unite(x, y *ssa.Value) {
	if w.narrow[x.ID] && w.narrow[y.ID] {
		w.of[w.web(x)] = w.web(y)
	}
}

// join unites the operands of an instruction with its results, or with what it gives them to, and with each other.
func (w *webs) join(in *ssa.Instr) {
	to := in.Receivers()
	var first *ssa.Value
	for i, a := range in.Args {
		switch {
		case !w.narrow[a.ID] || w.takes(in, i) == nil:
		case to != nil:
			w.unite(a, to[i])
		case len(in.Results) == 1 && w.narrow[in.Results[0].ID]:
			w.unite(a, in.Results[0])
		case first != nil:
			w.unite(a, first)
		default:
			first = a
		}
	}
}

// count counts what an instruction gains, and the conversions of its operands.
func (w *webs) count(in *ssa.Instr) {
	for _, r := range in.Results {
		if w.narrow[r.ID] {
			w.gain[w.web(r)] += gained(in.Op)
		}
	}
	web := -1 // of the operands
	for i, a := range in.Args {
		if w.narrow[a.ID] && w.takes(in, i) != nil {
			web = w.web(a)
		}
	}
	if len(in.Results) == 1 && w.narrow[in.Results[0].ID] {
		web = w.web(in.Results[0])
	} else if web >= 0 && in.Op.IsComparison() {
		w.gain[web]++
	}
	to := in.Receivers()
	for i, a := range in.Args {
		if !isWide(a.Type) || w.lanes.IsUniform(a) {
			continue
		}
		takes := w.takes(in, i) != nil
		if to != nil && takes {
			web = w.web(to[i])
		}
		switch _, _, isIndex := w.lanes.Step(a); {
		case w.narrow[a.ID] && !takes:
			w.out(in, i)
		case !w.narrow[a.ID] && takes && !isIndex:
			w.convert(a, web)
		}
	}
}

// convert counts the conversion of a value for a web, or out of it.
func (w *webs) convert(v *ssa.Value, web int) {
	if c := (conversion{v, web}); web >= 0 && !w.taken[c] {
		w.taken[c] = true
		w.gain[web]--
	}
}

// out counts that an instruction takes a narrow operand as it was: a conversion, which some have anyway, or need not.
func (w *webs) out(in *ssa.Instr, i int) {
	switch a := in.Args[i]; {
	case in.Op == ssa.OpConvert && !isWide(in.Results[0].Type):
		w.gain[w.web(a)]++
	case i == 1 && (in.Op == ssa.OpIndexAddr || in.Op == ssa.OpElem || in.Op == ssa.OpElemAddr):
	default:
		w.convert(a, w.web(a))
	}
}

// gained is what an operation of 32 bits saves of one of 64.
func gained(op ssa.Op) int {
	switch op {
	case ssa.OpConvert:
		return 0
	case ssa.OpMul:
		return 2
	case ssa.OpDiv, ssa.OpRem:
		return 4
	}
	return 1
}
