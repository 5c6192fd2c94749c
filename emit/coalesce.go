package emit

import (
	"sort"

	"github.com/qdgen/qd/ssa"
)

// A variable is a C++ variable: one or more values, no two of which are live
// at once.
type variable struct {
	typ     ssa.Type
	values  []*ssa.Value
	members bitset // those of values that are candidates
	goName  string // of the Go variable, "" if there is none
	name    string // the same until [plan.declare] makes it unique
	param   bool   // a parameter of the function

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
			if p.inline[v.ID] || !p.used(v) {
				continue
			}
			if v.IsLocal() {
				if param := p.paramOf(v.Def); param != nil {
					p.vars[v.ID] = p.vars[param.ID]
					continue
				}
			}
			i := p.live.index[v.ID]
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
	live      *liveness
	parent    []int
	members   []bitset // of roots
	conflicts []bitset // of roots: what any member conflicts with
	names     []string // of roots: the Go name of its members
}

func newClasses(l *liveness) *classes {
	n := len(l.candidates)
	c := &classes{live: l, parent: make([]int, n), members: make([]bitset, n), conflicts: make([]bitset, n), names: make([]string, n)}
	for i, v := range l.candidates {
		c.parent[i] = i
		c.members[i].add(i)
		c.conflicts[i] = l.conflicts[i].clone()
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
	if i := c.live.index[v.ID]; i >= 0 {
		return c.names[c.find(i)]
	}
	return v.Name
}

// merge puts a and b into one variable if none of the values they share it with
// are live at once.
func (c *classes) merge(a, b *ssa.Value) {
	i, j := c.live.index[a.ID], c.live.index[b.ID]
	if i < 0 || j < 0 || a.Type != b.Type {
		return
	}
	i, j = c.find(i), c.find(j)
	if i == j || c.members[i].meets(c.conflicts[j]) || c.members[j].meets(c.conflicts[i]) {
		return
	}
	name := c.names[i]
	if name == "" {
		name = c.names[j]
	}
	if len(c.members[i].parts)+len(c.conflicts[i].parts) < len(c.members[j].parts)+len(c.conflicts[j].parts) {
		i, j = j, i // the smaller sets are added to the larger ones
	}
	c.parent[j] = i
	c.members[i].union(c.members[j])
	c.conflicts[i].union(c.conflicts[j])
	c.names[i] = name
	c.members[j], c.conflicts[j] = bitset{}, bitset{}
}
