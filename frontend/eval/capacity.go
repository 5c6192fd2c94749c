package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// A slice of the running kernel has a pointer and a length. Its capacity is not part of it: the front end knows it
// where it is asked for. It follows from how the slice was made: an array has a length, and the slices that a kernel is
// given end where their elements do. A variable of which code needs the capacity has a second variable for it, which is
// merged where paths meet if the assignments change it.

// Capacities has the capacities of slices in a function.
type Capacities struct {
	Needed map[*types.Var]bool       // the variables of which code needs the capacity
	Must   map[*types.Var]bool       // those of them of which it has to be known; of the others, the length stands for one that is not
	Moving map[*types.Var]bool       // those of them that are assigned slices of other arrays, or ones that begin elsewhere
	Calls  map[*ast.CallExpr]bool    // the calls of which code needs the capacity of the result
	Unsure map[*types.Var]bool       // those for whose capacity a length stands
	vars   map[*types.Var]*types.Var // for the capacities of variables
	of     map[*ssa.Value]*ssa.Value // where the value's origin does not tell
}

// capacityVar is the variable that has the capacity of another one.
func (b *Env) capacityVar(v *types.Var) *types.Var {
	c := b.Capacities.vars[v]
	if c == nil {
		c = types.NewVar(v.Pos(), v.Pkg(), v.Name()+"Cap", types.Typ[types.Int])
		if b.Capacities.vars == nil {
			b.Capacities.vars = map[*types.Var]*types.Var{}
		}
		if n, ok := b.Facts.CopyOf[v]; ok {
			b.Facts.CopyOf[c] = n
		}
		b.Capacities.vars[v] = c
	}
	return c
}

// WithCapacities adds to variables those that have their capacities, where assignments change these.
func (b *Env) WithCapacities(vars []*types.Var) []*types.Var {
	all := vars
	for _, v := range vars {
		if c := b.Capacities.vars[v]; c != nil && b.Capacities.Moving[v] {
			all = append(all[:len(all):len(all)], c)
		}
	}
	return all
}

// CapacityVars are the variables that have the capacities of results.
func (b *Env) CapacityVars(results []*types.Var) (vars []*types.Var) {
	for _, v := range results {
		if b.Capacities.Needed[v] {
			vars = append(vars, b.capacityVar(v))
		}
	}
	return vars
}

// GiveCapacity notes the capacity that a variable is to have, with its value.
func (b *Env) GiveCapacity(vals map[*types.Var]*ssa.Value, v *types.Var, val *ssa.Value) {
	if !b.Capacities.Needed[v] {
		return
	}
	c := b.CapacityOf(v.Pos(), val)
	if c == nil {
		c = b.lengthFor(v, val)
	}
	vals[b.capacityVar(v)] = c
}

// lengthFor is the length of a slice, which stands for its capacity in a variable of which that need not be known.
func (b *Env) lengthFor(v *types.Var, val *ssa.Value) *ssa.Value {
	if b.Capacities.Must[v] || val == Poison {
		return Poison
	}
	if b.Capacities.Unsure == nil {
		b.Capacities.Unsure = map[*types.Var]bool{}
	}
	b.Capacities.Unsure[v] = true
	return b.Op(v.Pos(), ssa.OpLen, ssa.Int64, val)
}

// NoteCapacity notes that a slice has a capacity, which its origin does not tell. A slice has one capacity: a value of
// it that can be used here already stays, because the new one may be of a block that ends before.
func (b *Env) NoteCapacity(v, capacity *ssa.Value) {
	if v == Poison || capacity == nil {
		return
	}
	if old := b.Capacities.of[v]; old != nil && old != Poison && VisibleIn(b.Cur, old) {
		return
	}
	if b.Capacities.of == nil {
		b.Capacities.of = map[*ssa.Value]*ssa.Value{}
	}
	b.Capacities.of[v] = capacity
}

// setCapacity gives a variable the capacity of its new value.
func (b *Env) setCapacity(v *types.Var, val *ssa.Value) {
	if !b.Capacities.Needed[v] {
		return
	}
	if _, ok := val.Type.(ssa.Slice); !ok && val != Poison {
		return
	}
	c := b.capacityVar(v)
	if old := b.Vars[c]; old != nil && !b.Capacities.Moving[v] {
		return
	}
	capacity := Poison
	if val != Poison {
		if capacity = b.CapacityOf(v.Pos(), val); capacity == nil {
			capacity = b.lengthFor(v, val)
			if b.Capacities.Moving[v] && b.Capacities.Must[v] {
				b.Facts.Refuse(&ast.Ident{NamePos: v.Pos(), Name: v.Name()}, "assign slices that are made in the kernel, or parts of its arguments",
					"the capacity of %s is not known wherever it is assigned", v.Name())
			}
		}
	}
	b.Vars[c] = capacity
}

// IsCapacityRefused reports whether an error says that the capacity of a variable is not known.
func (b *Env) IsCapacityRefused(v *types.Var) bool {
	return v != nil && b.Capacities.Moving[v] && b.Vars[b.Capacities.vars[v]] == Poison
}

// readCapacity notes the capacity of a variable's value.
func (b *Env) readCapacity(v *types.Var, val *ssa.Value) {
	if c := b.Capacities.vars[v]; c != nil && val != nil && b.Vars[c] != nil {
		b.NoteCapacity(val, b.Vars[c])
	}
}

// CapacityOf is the capacity of a slice, nil where it is not known.
func (b *Env) CapacityOf(pos token.Pos, v *ssa.Value) *ssa.Value {
	constant := func(n int) *ssa.Value { return b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n))) }
	if c := b.Capacities.of[v]; c == Poison {
		return nil
	} else if c != nil && VisibleIn(b.Cur, c) {
		return c
	}
	switch d := v.Def; {
	case d == nil:
		if b.IsGiven(v) {
			return b.Op(pos, ssa.OpLen, ssa.Int64, v)
		}
	case d.Op == ssa.OpZero:
		return constant(0)
	case d.Op == ssa.OpShared:
		return constant(int(d.Len))
	case d.Op == ssa.OpSliceOf:
		return constant(d.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array).Len)
	case d.Op == ssa.OpField && b.IsGiven(v):
		return b.Op(pos, ssa.OpLen, ssa.Int64, v)
	case d.Op == ssa.OpSubslice:
		c := b.CapacityOf(pos, d.Args[0])
		if low, ok := d.Args[1].Const(); c == nil || ok && low.Int() == 0 {
			return c
		}
		return b.Op(pos, ssa.OpSub, ssa.Int64, c, d.Args[1])
	}
	return nil
}

// KnowsCapacity reports whether CapacityOf knows the capacity of a slice. It appends nothing.
func (b *Env) KnowsCapacity(v *ssa.Value) bool {
	for {
		if c := b.Capacities.of[v]; c == Poison {
			return false
		} else if c != nil && VisibleIn(b.Cur, c) || b.IsGiven(v) {
			return true
		}
		switch d := v.Def; {
		case d == nil:
			return false
		case d.Op == ssa.OpSubslice:
			v = d.Args[0]
		default:
			return d.Op == ssa.OpZero || d.Op == ssa.OpShared || d.Op == ssa.OpSliceOf
		}
	}
}

// IsGiven reports whether a value is an argument of the kernel or a part of one: its slices end where their elements
// do.
func (b *Env) IsGiven(v *ssa.Value) bool {
	for v.Def != nil && v.Def.Op == ssa.OpField {
		v = v.Def.Args[0]
	}
	return v.Def == nil && b.Func.Kernel && v.Block == b.Func.Body
}
