package outofssa

import (
	"cmp"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// coalesce makes the variables. Values that a block argument joins get one
// variable if they can, the loops' first and the innermost of those: an assignment at
// the end of a loop's body costs a reader more than one in front of it. Values of two Go variables never share one,
// though they could: the names would lie.
func (t *translation) coalesce() {
	c := newClasses(t.live)
	depths := loopDepths(t.f.fn)
	t.f.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop {
			for k, v := range in.Cond().Params {
				c.merge(v, in.Post().Params[k])
				c.merge(v, in.Results[k])
			}
		}
	})
	joins := slices.DeleteFunc(t.joins, func(j join) bool { return t.f.inline[j.from.ID] || unpacked(j.from) })
	slices.SortStableFunc(joins, func(x, y join) int { return cmp.Compare(depths[y.to.ID], depths[x.to.ID]) })
	for _, j := range joins {
		if c.name(j.to) == c.name(j.from) {
			c.merge(j.to, j.from)
		}
	}
	for _, j := range joins {
		if a, b := c.name(j.to), c.name(j.from); a == "" || b == "" {
			c.merge(j.to, j.from)
		}
	}
	for _, a := range t.assignments {
		c.merge(a.to, a.from)
	}
	t.makeVariables(c)
}

// findLive finds which values that might share a variable are live at once: those that a block parameter or a
// result joins with others, and assignments.
func (t *translation) findLive() *live.Conflicts {
	candidates := make([]*ssa.Value, 0, len(t.f.vars))
	add := func(v *ssa.Value) {
		if !t.f.inline[v.ID] && t.f.IsUsed(v) && !isPlace(v) && !isForIndex(v) && !t.inMemory(v) {
			candidates = append(candidates, v)
		}
	}
	both := func(to, from *ssa.Value) { add(to); add(from) }
	t.findJoins()
	for _, j := range t.joins {
		both(j.to, j.from)
	}
	t.findAssignments()
	for _, a := range t.assignments {
		both(a.to, a.from)
	}
	return live.Find(t.f.fn, t.f, candidates)
}

// findJoins finds each block parameter or result that is used with each value that some edge gives to it. The join of
// a loop's test with its results is between the loop's variables and the results.
func (t *translation) findJoins() {
	between := func(to, from []*ssa.Value) {
		for k, v := range to {
			if t.f.IsUsed(v) {
				t.joins = append(t.joins, join{v, from[k]})
			}
		}
	}
	t.f.fn.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpIf:
			if t.f.IsLogical(in) {
				return
			}
			for _, b := range in.Blocks {
				if yield := b.Terminator(); yield.Op == ssa.OpYield {
					between(in.Results, yield.Args)
				}
			}
		case ssa.OpLoop:
			between(in.Results, in.Cond().Params)
			between(in.Cond().Params, in.Args)
			if yield := in.Post().Terminator(); yield.Op == ssa.OpYield {
				between(in.Cond().Params, yield.Args)
			}
		case ssa.OpContinue, ssa.OpBreak:
			between(in.Receivers(), in.Args)
		}
	})
}

// findAssignments finds each value in a block and the one before it that
// has the same Go name: what Go's assignments look like.
func (t *translation) findAssignments() {
	last := make(map[string]*ssa.Value)
	var block func(b *ssa.Block)
	block = func(b *ssa.Block) {
		clear(last)
		note := func(vs []*ssa.Value) {
			for _, v := range vs {
				if v.Name == "" || t.f.inline[v.ID] || !t.f.IsUsed(v) || unpacked(v) {
					continue
				}
				if before := last[v.Name]; before != nil && before.Type == v.Type {
					t.assignments = append(t.assignments, assignment{v, before})
				}
				last[v.Name] = v
			}
		}
		if b.Owner == nil {
			note(b.Params)
		}
		for _, in := range b.Instrs {
			if t.f.IsStatement(in) {
				note(in.Results)
			}
		}
		for _, in := range b.Instrs {
			if t.f.IsStatement(in) && !t.f.IsLogical(in) {
				for _, nested := range in.Blocks {
					block(nested)
				}
			}
		}
	}
	block(t.f.fn.Body)
}

// An assignment is a value that has the Go name of one before it.
type assignment struct{ to, from *ssa.Value }

// A join is a block parameter or a result with a value that an edge gives to it.
type join struct{ to, from *ssa.Value }

// loopDepths tells for each value how many loops it is defined in; the variables of a loop count as inside.
func loopDepths(f *ssa.Func) []int32 {
	depths := make([]int32, f.NumValues())
	var walk func(b *ssa.Block, depth int32)
	walk = func(b *ssa.Block, depth int32) {
		for _, v := range b.Params {
			depths[v.ID] = depth
		}
		for _, in := range b.Instrs {
			inside := depth
			if in.Op == ssa.OpLoop {
				inside++
			}
			for _, v := range in.Results {
				depths[v.ID] = inside
			}
			for _, nested := range in.Blocks {
				walk(nested, inside)
			}
		}
	}
	walk(f.Body, 0)
	return depths
}

// unpacked reports whether v is one of several results of a call, which a
// structured binding names and nothing can assign.
func unpacked(v *ssa.Value) bool {
	if v.IsLocal() {
		return true // what shares a place with others is no variable of its own
	}
	return v.Def != nil && len(v.Def.Results) > 1 && v.Def.Blocks == nil
}

// classes are disjoint sets of candidates that share a variable.
type classes struct {
	live      *live.Conflicts
	parent    []int
	members   []live.Set // of roots
	conflicts []live.Set // of roots: what any member conflicts with
	names     []string   // of roots: the Go name of its members
}

func newClasses(l *live.Conflicts) *classes {
	n := len(l.Candidates)
	c := &classes{live: l, parent: make([]int, n), members: make([]live.Set, n), conflicts: make([]live.Set, n), names: make([]string, n)}
	for i, v := range l.Candidates {
		c.parent[i] = i
		c.members[i].Add(i)
		c.conflicts[i] = l.At[i].Clone()
		c.names[i] = v.Name
	}
	return c
}

func (c *classes) find(i int) int {
	for c.parent[i] != i {
		c.parent[i] = c.parent[c.parent[i]]
		i = c.parent[i]
	}
	return i
}

// name is the Go name of the variable that v is in so far.
func (c *classes) name(v *ssa.Value) string {
	if i := c.live.Index(v); i >= 0 {
		return c.names[c.find(i)]
	}
	return v.Name
}

// merge puts a and b into one variable if none of the values they share it with
// are live at once.
func (c *classes) merge(a, b *ssa.Value) {
	i, j := c.live.Index(a), c.live.Index(b)
	if i < 0 || j < 0 || a.Type != b.Type {
		return
	}
	i, j = c.find(i), c.find(j)
	if i == j || c.members[i].Meets(c.conflicts[j]) || c.members[j].Meets(c.conflicts[i]) {
		return
	}
	name := c.names[i]
	if name == "" {
		name = c.names[j]
	}
	if c.members[i].Cost()+c.conflicts[i].Cost() < c.members[j].Cost()+c.conflicts[j].Cost() {
		i, j = j, i // the smaller sets are added to the larger ones
	}
	c.parent[j] = i
	c.members[i].Union(c.members[j])
	c.conflicts[i].Union(c.conflicts[j])
	c.names[i] = name
	c.members[j], c.conflicts[j] = live.Set{}, live.Set{}
}
