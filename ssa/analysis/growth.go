package analysis

import "github.com/qdgen/qd/ssa"

// Sums in loops: a variable of a loop that takes at most n turns, each of which adds a number of an interval, has changed
// by n times the interval at most.

// A growth is a question: by how much a value is more than another one that it is computed of.
type growth struct{ v, than *ssa.Value }

// A gain is by how much a value is more, if that is known.
type gain struct {
	Interval
	known bool
}

// accumulated bounds a variable of a loop that each turn adds to.
func (r *Ranges) accumulated(v *ssa.Value, whole Interval) Interval {
	loop, k := v.Block.Owner, v.Index()
	if r.Given == nil || loop.Op != ssa.OpLoop {
		return whole
	}
	c := r.variable(v)
	start := r.Of(loop.Args[k])
	i, ok := sum(start, c.Interval)
	if !c.known || !ok || !i.within(whole) {
		return whole
	}
	return i
}

// variable is by how much a variable of a loop is more than its first value.
func (r *Ranges) variable(v *ssa.Value) gain {
	loop, k := v.Block.Owner, v.Index()
	n, ok := Turns(loop)
	if !ok {
		return gain{}
	}
	first := loop.Cond().Params[k]
	body := gain{known: true}
	for i, c := range loop.Exits(ssa.OpContinue, nil) {
		d := r.more(c.Args[k], first)
		if i > 0 {
			d.Interval = Interval{min(d.Lo, body.Lo), max(d.Hi, body.Hi)}
		}
		body = gain{d.Interval, d.known && body.known}
	}
	post := gain{known: true}
	if t := loop.Post().Terminator(); t.Op == ssa.OpYield {
		post = r.more(t.Args[k], loop.Post().Params[k])
	}
	turn, ok := sum(body.Interval, post.Interval)
	if !ok || !body.known || !post.known {
		return gain{}
	}
	all, ok := product(Interval{0, n}, turn)
	if ok && v.Block == loop.Post() {
		all, ok = sum(all, body.Interval)
	}
	return gain{all, ok}
}

// more is by how much v is more than another value.
func (r *Ranges) more(v, than *ssa.Value) gain {
	key := growth{v, than}
	if c, ok := r.grown[key]; ok {
		return c
	}
	if r.grown == nil {
		r.grown = make(map[growth]gain)
	}
	r.grown[key] = gain{} // while it is asked for
	c := r.moreOf(v, than)
	r.grown[key] = c
	return c
}

func (r *Ranges) moreOf(v, than *ssa.Value) gain {
	if v == than {
		return gain{known: true}
	}
	in := v.Def
	switch {
	case in == nil:
		if loop := v.Block.Owner; loop != nil && loop.Op == ssa.OpLoop && loop != than.Block.Owner {
			return r.after(loop.Args[v.Index()], than, r.variable(v))
		}
	case in.Op == ssa.OpAdd:
		if c := r.more(in.Args[0], than); c.known {
			return plus(c, r.Of(in.Args[1]))
		}
		return plus(r.more(in.Args[1], than), r.Of(in.Args[0]))
	case in.Op == ssa.OpSub:
		c := r.more(in.Args[0], than)
		i, ok := difference(c.Interval, r.Of(in.Args[1]))
		return gain{i, c.known && ok}
	case in.Op == ssa.OpIf:
		all, some := gain{known: true}, false
		for _, b := range in.Blocks {
			t := b.Terminator()
			if t.Op != ssa.OpYield {
				continue
			}
			c := r.more(t.Args[v.Index()], than)
			if some {
				c.Interval = Interval{min(c.Lo, all.Lo), max(c.Hi, all.Hi)}
			}
			all, some = gain{c.Interval, c.known && all.known}, true
		}
		return all
	case in.Op == ssa.OpLoop:
		all := r.more(in.Cond().Params[v.Index()], than)
		for _, exit := range in.Exits(ssa.OpBreak, nil) {
			c := r.more(exit.Args[v.Index()], than)
			all = gain{Interval{min(c.Lo, all.Lo), max(c.Hi, all.Hi)}, c.known && all.known}
		}
		return all
	}
	return gain{}
}

// after is by how much a variable of a loop is more whose first value is more, too.
func (r *Ranges) after(first, than *ssa.Value, c gain) gain {
	if !c.known {
		return c
	}
	return plus(r.more(first, than), c.Interval)
}

func plus(c gain, i Interval) gain {
	all, ok := sum(c.Interval, i)
	return gain{all, c.known && ok}
}
