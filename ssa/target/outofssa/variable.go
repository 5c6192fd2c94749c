package outofssa

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// A Variable holds one or more values, no two of which are live at once.
type Variable struct {
	Number int // its index in Func.Variables
	Type   ssa.Type
	Values []*ssa.Value
	Name   string // of the Go variable, "" if there is none
	Param  bool   // it is a parameter of the function
	Once   bool   // it is assigned at one place only, and its address is not taken
	Index  bool   // its first value is the index of an element
	Next   bool   // it holds what another one of the same Go name will be, while that one's present value is needed
	Scope  *Scope // where it is declared
	Place  int    // where it is declared in the order of the text, -1 for a parameter

	members  live.Set   // those of Values that are candidates
	first    *ssa.Instr // in Scope: where it is read or written first
	assigned int        // places that assign it
}

// HasName reports whether a variable has a name in Go.
func (x *Variable) HasName() bool { return x.Name != "" && x.Name != "_" }

// isPlace reports whether v is memory that its name declares: such a name is never
// given to another value. What lanes share is declared where a kernel begins, be it
// needed there or not.
func isPlace(v *ssa.Value) bool { return v.IsLocal() || v.Def != nil && v.Def.Op == ssa.OpShared }

// isForIndex reports whether v is the index of a For: the loop counts with it, so that nothing in the body may
// assign it.
func isForIndex(v *ssa.Value) bool {
	return v.Def == nil && v.Block.Owner != nil && v.Block.Owner.Op == ssa.OpFor
}

// makeVariables gives each value that is not evaluated inside its use its variable.
func (t *translation) makeVariables(c *classes) {
	n := t.countVariables(c)
	variables, values := make([]Variable, n), make([]*ssa.Value, n) // room for one value in each
	byClass := make([]*Variable, len(t.live.Candidates))
	add := func(vs []*ssa.Value) {
		for _, v := range vs {
			if t.f.inline[v.ID] || !t.f.IsUsed(v) {
				continue
			}
			if v.IsLocal() {
				if param := t.paramOf(v.Def); param != nil {
					t.f.vars[v.ID] = t.f.vars[param.ID]
					continue
				}
			}
			i := t.live.Index(v)
			if i >= 0 {
				i = c.find(i)
			}
			var x *Variable
			if i >= 0 {
				x = byClass[i]
			}
			if x == nil {
				k := len(t.f.Variables)
				x = &variables[k]
				*x = Variable{Number: k, Type: v.Type, Values: values[k : k : k+1]}
				if v.IsLocal() {
					x.Type = v.Def.Args[0].Type
				}
				t.f.Variables = append(t.f.Variables, x)
				if i >= 0 {
					byClass[i] = x
					x.Name, x.members = c.names[i], c.members[i]
				}
			}
			if x.Name == "" {
				x.Name = v.Name
			}
			x.Values = append(x.Values, v)
			t.f.vars[v.ID] = x
		}
	}
	add(t.f.fn.Params())
	for _, x := range t.f.Variables {
		x.Param = true
	}
	t.f.statements(t.f.fn.Body, func(in *ssa.Instr) {
		add(in.Results)
		for _, b := range in.Blocks {
			add(b.Params)
		}
	})
}

// countVariables is how many variables there are at most.
func (t *translation) countVariables(c *classes) (n int) {
	for id, used := range t.f.uses.Count {
		if used > 0 && !t.f.inline[id] {
			n++
		}
	}
	for i, parent := range c.parent {
		if parent != i {
			n-- // it has that of another value
		}
	}
	return n
}

// paramOf is the parameter of the function that is an OpLocal's variable in Go: the
// one that is its value, if nothing else reads that and the OpLocal is executed once.
func (t *translation) paramOf(in *ssa.Instr) *ssa.Value {
	if in.Op != ssa.OpLocal || in.Block != t.f.fn.Body {
		return nil
	}
	v := in.Args[0]
	if v.Block != t.f.fn.Body || t.f.uses.Count[v.ID] != 1 || v.Name != in.Results[0].Name {
		return nil
	}
	return v
}

// inMemory reports whether a function's parameter is one whose address is taken.
func (t *translation) inMemory(v *ssa.Value) bool {
	if v.Def != nil || v.Block != t.f.fn.Body || t.f.uses.Count[v.ID] != 1 || len(t.users[v.ID]) == 0 {
		return false
	}
	for _, u := range t.users[v.ID] {
		if !t.f.IsDead(u) {
			return t.paramOf(u) == v
		}
	}
	return false
}
