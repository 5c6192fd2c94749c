package lower

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// Where paths meet, an interface variable is taken apart: each value of the running kernel in what it holds is
// merged like a variable, and the interface value is made of the results.

// A metInterface is an interface variable where paths meet.
type metInterface struct {
	v       *types.Var
	meeting eval.Meeting
	leaves  []*types.Var // variables that stand for the leaves
}

type metInterfaces []metInterface

// meet notes that a variable has interface values, one from each path. The paths are in the last instruction of a block.
func (met *metInterfaces) meet(b *Flow, pos token.Pos, v *types.Var, vals []*ssa.Value, outer *ssa.Block) metInterface {
	m := metInterface{v: v, meeting: b.Meet(vals)}
	m.meeting.Fill(func(t ssa.Type) (zero *ssa.Value) {
		b.InFront(eval.BeforeLast(outer), func() { zero = b.Zero(pos, t) })
		return zero
	})
	for range m.meeting.Leaves[0] {
		m.leaves = append(m.leaves, types.NewVar(token.NoPos, v.Pkg(), v.Name(), nil))
	}
	*met = append(*met, m)
	return m
}

func (met metInterfaces) holds(v *types.Var) bool {
	return slices.ContainsFunc(met, func(m metInterface) bool { return m.v == v })
}

// close gives the variables their values, when the leaves have theirs.
func (met metInterfaces) close(b *Flow) {
	for _, m := range met {
		var vals []*ssa.Value
		for _, w := range m.leaves {
			vals = append(vals, b.Vars[w])
			delete(b.Vars, w)
		}
		b.Vars[m.v] = m.meeting.Value(vals)
	}
}

func areInterfaces(vals []*ssa.Value) bool {
	return !slices.ContainsFunc(vals, func(v *ssa.Value) bool { return eval.InterfaceOf(v) == nil })
}

// meetInterfaces has the leaves of interface variables be merged at the end of an If.
func (br *branch) meetInterfaces(noElse bool) (met metInterfaces) {
	for i, v := range br.funcVars {
		then, els := br.thenFuncs[i], br.b.Vars[v]
		switch {
		case br.noThen && noElse:
			continue
		case br.noThen:
			then = els
		case noElse:
			els = then
		}
		if vals := []*ssa.Value{then, els}; areInterfaces(vals) {
			m := met.meet(br.b, br.pos, v, vals, br.outer)
			for n, w := range m.leaves {
				br.vars, br.before = append(br.vars, w), append(br.before, nil)
				br.then = append(br.then, m.meeting.Leaves[0][n])
				br.b.Vars[w] = m.meeting.Leaves[1][n]
			}
		}
	}
	return met
}

// meetInterfaces has the leaves of interface variables be merged at the end of a segment.
func (r *segment) meetInterfaces() (met metInterfaces) {
	for i, v := range r.vars {
		var vals []*ssa.Value
		for _, x := range r.exits {
			vals = append(vals, x.vals[i])
		}
		if !areInterfaces(vals) {
			continue
		}
		m := met.meet(r.b, r.pos, v, vals, r.outer)
		for n, w := range m.leaves {
			r.vars, r.before = append(r.vars, w), append(r.before, nil)
			for k := range r.exits {
				r.exits[k].vals = append(r.exits[k].vals, m.meeting.Leaves[k][n])
			}
		}
		for k := range r.exits {
			r.exits[k].vals[i] = vals[0] // merged by its leaves
		}
	}
	return met
}
