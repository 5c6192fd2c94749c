package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A gain is by how much a value is more than another one, at least and at most. Values are computed in types that wrap, so it
// holds only where neither end of it leaves the type.
type gain struct{ least, most int64 }

// maxGain is how large a gain may be, and the number of turns in which a loop gains it. Sums of a few do not wrap, and larger ones
// are no bounds that anybody needs.
const maxGain = 1 << 30

// plus is the gain of one value over another, and of that over a third.
func (g gain) plus(h gain) gain { return gain{g.least + h.least, g.most + h.most} }

// either is the gain where one of two comes.
func (g gain) either(h gain) gain { return gain{min(g.least, h.least), max(g.most, h.most)} }

// ofTurns is the gain of up to n turns.
func (g gain) ofTurns(n int64) gain { return gain{min(0, g.least) * n, max(0, g.most) * n} }

// isSmall reports whether neither end of a gain is too large.
func (g gain) isSmall() bool { return g.least >= -maxGain && g.most <= maxGain }

// A gainFinder finds gains of the variables of loops that count something, as in a[n] = x; n++ under some condition. The loop
// has a known number of turns at most.
type gainFinder struct {
	steps int // how many values it may still look at
}

// maxGainSteps is how many values are looked at for one variable.
const maxGainSteps = 64

// over is the gain of a value over another one, from which it is computed by constants, branches and inner loops.
func (f *gainFinder) over(v, from *ssa.Value) (g gain, ok bool) {
	if v == from {
		return gain{}, true
	}
	if f.steps--; f.steps < 0 || v.Def == nil {
		return gain{}, false
	}
	switch v.Def.Op {
	case ssa.OpAdd, ssa.OpSub:
		x, c := analysis.PlusConst(v)
		if x == v || c < -maxGain || c > maxGain {
			return gain{}, false
		}
		g, ok = f.over(x, from)
		g = g.plus(gain{c, c})
	case ssa.OpIf:
		for _, b := range v.Def.Blocks {
			t := b.Terminator()
			if t.Op != ssa.OpYield {
				continue
			}
			h, found := f.over(t.Args[v.Index()], from)
			if !found {
				return gain{}, false
			}
			if ok {
				h = g.either(h)
			}
			g, ok = h, true
		}
	case ssa.OpLoop:
		h, turns, found := f.ofTurn(v.Def, v.Index())
		if !found {
			return gain{}, false
		}
		g, ok = f.over(v.Def.Args[v.Index()], from)
		g = g.plus(h.ofTurns(turns))
	}
	return g, ok && g.isSmall()
}

// ofTurn is the gain of variable k of a loop in one turn, and how many turns there are at most. A turn ends in a continue, with
// what Post adds, or in a break.
func (f *gainFinder) ofTurn(in *ssa.Instr, k int) (g gain, turns int64, ok bool) {
	turns, ok = analysis.Turns(in)
	if !ok || turns > maxGain {
		return gain{}, 0, false
	}
	var last gain
	if post := in.Post().Terminator(); post != nil && post.Op == ssa.OpYield {
		if last, ok = f.over(post.Args[k], in.Post().Params[k]); !ok {
			return gain{}, 0, false
		}
	}
	param := in.Cond().Params[k]
	for _, e := range in.Exits(ssa.OpContinue, nil) {
		h, found := f.over(e.Args[k], param)
		if !found {
			return gain{}, 0, false
		}
		g = g.either(h.plus(last))
	}
	for _, e := range in.Exits(ssa.OpBreak, nil) {
		h, found := f.over(e.Args[k], param)
		if !found {
			return gain{}, 0, false
		}
		g = g.either(h)
	}
	return g, turns, g.isSmall() && turns*max(-g.least, g.most, 1) <= maxGain
}

// gains are by how much variable k of a loop is more than its first value: for the test and behind the loop all turns count, for
// the body all but the last one. They are none if the variable may wrap.
func (c *Checker) gains(in *ssa.Instr, k int) (all, body gain, ok bool) {
	f := &gainFinder{steps: maxGainSteps}
	turn, turns, ok := f.ofTurn(in, k)
	if !ok {
		return gain{}, gain{}, false
	}
	all, body = turn.ofTurns(turns), turn.ofTurns(max(turns-1, 0))
	first := in.Args[k]
	lo, hi := analysis.Limits(first.Type)
	most, above := c.Within(first, nil)
	least, below := c.Within(nil, first) // 0 <= first + least
	if all.most > 0 && !(above && most <= hi-all.most) || all.least < 0 && !(below && -least >= lo-all.least) {
		return gain{}, gain{}, false
	}
	return all, body, true
}

// gained records that a value is another one with a gain.
func (c *Checker) gained(v, first *ssa.Value, g gain) {
	c.Add(v, first, g.most)
	c.Add(first, v, -g.least)
}
