package emit

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// A move assigns a value to a variable on an edge.
type move struct {
	to   *variable
	from *ssa.Value
}

// moves are the assignments that an edge needs: for each used parameter or
// result that the edge gives to, unless the argument is in its variable already.
// They take place at once.
func (p *plan) moves(to, from []*ssa.Value) []move {
	var ms []move
	for k, v := range to {
		if !p.IsUsed(v) {
			continue
		}
		x := p.vars[v.ID]
		if p.inline[from[k].ID] || p.vars[from[k].ID] != x {
			ms = append(ms, move{x, from[k]})
		}
	}
	return ms
}

// edge gives the moves of a terminator, or of a loop's entry.
func (p *plan) edge(in *ssa.Instr) []move {
	switch in.Op {
	case ssa.OpYield:
		return p.moves(live.YieldedTo(in.Block), in.Args)
	case ssa.OpContinue:
		return p.moves(in.Target.Post().Params, in.Args)
	case ssa.OpBreak:
		return p.moves(in.Target.Results, in.Args)
	case ssa.OpLoop:
		return p.moves(in.Cond().Params, in.Args)
	case ssa.OpTest:
		loop := in.Block.Owner
		return p.moves(loop.Results, loop.Cond().Params)
	}
	return nil
}

// readsVariable reports whether printing v reads x.
func (p *plan) readsVariable(v *ssa.Value, x *variable) bool {
	found := false
	p.Leaves(v, func(leaf *ssa.Value) { found = found || p.vars[leaf.ID] == x })
	return found
}

// inOrder sorts moves such that none overwrites what a later one reads. What is
// left over is in cycles, as for a swap, and needs temporaries.
func (p *plan) inOrder(ms []move) (ordered, cyclic []move) {
	rest := append([]move(nil), ms...)
	for len(rest) > 0 {
		i := p.free(rest)
		if i < 0 {
			return ordered, rest
		}
		ordered = append(ordered, rest[i])
		rest = append(rest[:i], rest[i+1:]...)
	}
	return ordered, nil
}

// free finds a move whose variable no other one reads, or gives -1.
func (p *plan) free(ms []move) int {
next:
	for i, m := range ms {
		for j, other := range ms {
			if i != j && p.readsVariable(other.from, m.to) {
				continue next
			}
		}
		return i
	}
	return -1
}
