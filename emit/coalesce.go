package emit

import (
	"sort"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// A variable is a C++ variable: one or more values, no two of which are live
// at once.
type variable struct {
	typ     ssa.Type
	values  []*ssa.Value
	members live.Set // those of values that are candidates
	goName  string   // of the Go variable, "" if there is none
	name    string   // the same until [plan.declare] makes it unique
	param   bool     // a parameter of the function

	scope    *scope     // where it is declared
	first    *ssa.Instr // in scope: where it is read or written first
	assigned int        // places that assign it
	declared bool       // while printing
}

// coalesce makes the variables. Values that a block argument joins get one
// variable if they can, the loops' first and the innermost of those: an assignment at
// the end of a loop's body costs a reader more than one in front of it. Values of two Go variables never share one, though
// they could: the names would lie.
func (p *plan) coalesce() {
	c := newClasses(p.live)
	var joins []join
	depths := loopDepths(p.fn)
	p.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop {
			for k, v := range in.Cond().Params {
				c.merge(v, in.Post().Params[k])
				c.merge(v, in.Results[k])
			}
		}
	})
	forEachJoin(p, func(to, from *ssa.Value) {
		if !p.inline[from.ID] && !unpacked(from) {
			joins = append(joins, join{to, from, depths[to.ID]})
		}
	})
	sort.SliceStable(joins, func(i, j int) bool { return joins[i].depth > joins[j].depth })
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
	forEachAssignment(p, c.merge)
	p.makeVariables(c)
}

// findLive finds which values that might share a variable are live at once: those that a block parameter or a
// result joins with others, and assignments.
func (p *plan) findLive() *live.Conflicts {
	var candidates []*ssa.Value
	add := func(v *ssa.Value) {
		if !p.inline[v.ID] && p.IsUsed(v) && !isPlace(v) && !isForIndex(v) && !p.inMemory(v) {
			candidates = append(candidates, v)
		}
	}
	both := func(to, from *ssa.Value) { add(to); add(from) }
	forEachJoin(p, both)
	forEachAssignment(p, both)
	return live.Find(p.fn, p, candidates)
}

// isPlace reports whether v is memory that its name declares: such a name is never
// given to another value. What lanes share is declared where a kernel begins, be it
// needed there or not.
func isPlace(v *ssa.Value) bool { return v.IsLocal() || v.Def != nil && v.Def.Op == ssa.OpShared }

// isForIndex reports whether v is the index of a For: the printed loop counts with it, so that nothing in the body may assign it.
func isForIndex(v *ssa.Value) bool {
	return v.Def == nil && v.Block.Owner != nil && v.Block.Owner.Op == ssa.OpFor
}

// forEachJoin calls f for each block parameter or result that is used and each
// value that some edge gives to it. The join of a loop's test with its results
// is between the loop's variables and the results.
func forEachJoin(p *plan, f func(to, from *ssa.Value)) {
	join := func(to, from []*ssa.Value) {
		for k, v := range to {
			if p.IsUsed(v) {
				f(v, from[k])
			}
		}
	}
	p.fn.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpIf:
			if p.IsLogical(in) {
				return
			}
			for _, b := range in.Blocks {
				if t := b.Terminator(); t.Op == ssa.OpYield {
					join(in.Results, t.Args)
				}
			}
		case ssa.OpLoop:
			join(in.Results, in.Cond().Params)
			join(in.Cond().Params, in.Args)
			if t := in.Post().Terminator(); t.Op == ssa.OpYield {
				join(in.Cond().Params, t.Args)
			}
		case ssa.OpContinue:
			join(in.Target.Post().Params, in.Args)
		case ssa.OpBreak:
			join(in.Target.Results, in.Args)
		}
	})
}

// forEachAssignment calls f for each value in a block and the one before it that
// has the same Go name: what Go's assignments look like.
func forEachAssignment(p *plan, f func(to, from *ssa.Value)) {
	last := make(map[string]*ssa.Value)
	var block func(b *ssa.Block)
	block = func(b *ssa.Block) {
		clear(last)
		note := func(vs []*ssa.Value) {
			for _, v := range vs {
				if v.Name == "" || p.inline[v.ID] || !p.IsUsed(v) || unpacked(v) {
					continue
				}
				if before := last[v.Name]; before != nil && before.Type == v.Type {
					f(v, before)
				}
				last[v.Name] = v
			}
		}
		if b.Owner == nil {
			note(b.Params)
		}
		for _, in := range b.Instrs {
			if p.IsStatement(in) {
				note(in.Results)
			}
		}
		for _, in := range b.Instrs {
			if p.IsStatement(in) && !p.IsLogical(in) {
				for _, nested := range in.Blocks {
					block(nested)
				}
			}
		}
	}
	block(p.fn.Body)
}

type join struct {
	to, from *ssa.Value
	depth    int
}

// loopDepths tells for each value how many loops it is defined in; the variables of a loop count as inside.
func loopDepths(f *ssa.Func) []int {
	depths := make([]int, f.NumValues())
	var walk func(b *ssa.Block, depth int)
	walk = func(b *ssa.Block, depth int) {
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

// makeVariables gives each value that is not printed inside its use its variable.
func (p *plan) makeVariables(c *classes) {
	byClass := make(map[int]*variable)
	add := func(vs []*ssa.Value) {
		for _, v := range vs {
			if p.inline[v.ID] || !p.IsUsed(v) {
				continue
			}
			if v.IsLocal() {
				if param := p.paramOf(v.Def); param != nil {
					p.vars[v.ID] = p.vars[param.ID]
					continue
				}
			}
			i := p.live.Index(v)
			if i >= 0 {
				i = c.find(i)
			}
			x := byClass[i]
			if i < 0 || x == nil {
				x = &variable{typ: v.Type}
				if v.IsLocal() {
					x.typ = v.Def.Args[0].Type
				}
				p.all = append(p.all, x)
				if i >= 0 {
					byClass[i] = x
					x.name, x.members = c.names[i], c.members[i]
				}
			}
			if x.name == "" {
				x.name = v.Name
			}
			x.values = append(x.values, v)
			p.vars[v.ID] = x
		}
	}
	add(p.fn.Params())
	for _, x := range p.all {
		x.param = true
	}
	defer func() {
		for _, x := range p.all {
			x.goName = x.name
		}
	}()
	p.statements(p.fn.Body, func(in *ssa.Instr) {
		add(in.Results)
		for _, b := range in.Blocks {
			add(b.Params)
		}
	})
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
