package frontend

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A part of a front-end struct or array that a variable holds is in a variable of its own, which an
// If or a Loop merges like any other: the parts of the running kernel through its
// results, the others by comparison.

// A partKey is what such a variable stands for.
type partKey struct {
	v *types.Var
	i int
}

// partVar is the variable that holds a part of the struct or array that v holds.
func (m *Syntax) partVar(v *types.Var, typ types.Type, i int) *types.Var {
	key := partKey{v, i}
	name, t := partOfType(typ, i)
	if w, ok := m.partVars[key]; ok && types.Identical(w.Type(), t) {
		return w
	}
	w := types.NewVar(v.Pos(), v.Pkg(), v.Name()+"_"+name, t)
	if m.partVars == nil {
		m.partVars = map[partKey]*types.Var{}
	}
	m.partVars[key] = w
	if n := m.copyOf[v]; n != 0 {
		m.copyOf[w] = n
	}
	return w
}

// partOfType is the name and the type of a part of a struct or an array.
func partOfType(typ types.Type, i int) (string, types.Type) {
	switch u := typ.Underlying().(type) {
	case *types.Struct:
		return u.Field(i).Name(), u.Field(i).Type()
	case *types.Array:
		return strconv.Itoa(i), u.Elem()
	}
	panic("BUG: a part of a " + typ.String())
}

// hold gives a variable a front-end struct or array.
func (b *Variables) hold(v *types.Var, a *frontValue) {
	parts := slices.Clone(b.partsOf(a)) // they may be this very variable's
	for i, part := range parts {
		w := b.m.partVar(v, a.typ, i)
		b.parallel.declare(w)
		b.set(w, part)
	}
	b.vars[v] = frontly(&frontValue{kind: a.kind, typ: a.typ, held: v, n: len(parts)})
}

// partsOf are the parts of a value that only the front end has, as they are now.
func (b *Env) partsOf(a *frontValue) []*ssa.Value {
	if a.held == nil {
		return a.parts
	}
	parts := make([]*ssa.Value, a.n)
	for i := range parts {
		parts[i] = b.value(b.m.partVar(a.held, a.typ, i))
	}
	return parts
}

// partAt is one of the parts.
func (b *Env) partAt(pos token.Pos, a *frontValue, i int) *ssa.Value {
	if a.held != nil {
		return b.vars[b.m.partVar(a.held, a.typ, i)]
	}
	return b.here(pos, a.parts[i])
}

// settled is a value that no assignment to a variable changes any more.
func (b *Env) settled(v *ssa.Value) *ssa.Value {
	if a := aggregateOf(v); a != nil && a.held != nil {
		return aggregated(a.typ, b.partsOf(a))
	}
	return v
}

// aggregateOf is the front-end struct or array that a value is, nil if it is none.
func aggregateOf(v *ssa.Value) *frontValue {
	if isA(v, comptime.Struct) || isA(v, comptime.Array) {
		return frontOf(v)
	}
	return nil
}

// expand has the variables of the parts in the place of those that hold front-end
// structs or arrays.
func (b *Env) expand(vars []*types.Var) []*types.Var {
	if !slices.ContainsFunc(vars, func(v *types.Var) bool { return aggregateOf(b.vars[v]) != nil }) {
		return vars
	}
	var all []*types.Var
	for _, v := range vars {
		a := aggregateOf(b.vars[v])
		if a == nil {
			all = append(all, v)
			continue
		}
		for i := range a.n {
			all = append(all, b.expand([]*types.Var{b.m.partVar(v, a.typ, i)})...)
		}
	}
	return all
}

// flatten notes what a variable is to hold, by the variables that expand has for it.
func (b *Variables) flatten(vals map[*types.Var]*ssa.Value, v *types.Var, val *ssa.Value) {
	held, a := aggregateOf(b.vars[v]), aggregateOf(val)
	if held == nil || a == nil {
		vals[v] = val
		return
	}
	for i, part := range b.partsOf(a) {
		b.flatten(vals, b.m.partVar(v, a.typ, i), part)
	}
}

// here is a value that can be used at this place: a constant of a block that has ended
// is made anew. Of what only that block has, it is unknown.
func (b *Code) here(pos token.Pos, v *ssa.Value) *ssa.Value {
	if b.dead || v == poison || v == untypedNil || v == theGrid || v.Def == nil && v.Block == nil || visibleIn(b.cur, v) {
		return v
	}
	if isKnown(v) {
		return b.again(pos, v)
	}
	return frontly(&frontValue{ended: "a value"})
}
