package check

import (
	"go/types"
	"strconv"
)

// A part of a front-end struct or array that a variable holds is in a variable of its own, which an
// If or a Loop merges like any other: the parts of the running kernel through its
// results, the others by comparison.

// A partKey identifies such a variable.
type partKey struct {
	v *types.Var
	i int
}

// PartVar is the variable that holds a part of the struct or array that v holds.
func (m *Syntax) PartVar(v *types.Var, typ types.Type, i int) *types.Var {
	key := partKey{v, i}
	name, t := PartOfType(typ, i)
	if w, ok := m.partVars[key]; ok && types.Identical(w.Type(), t) {
		return w
	}
	w := types.NewVar(v.Pos(), v.Pkg(), v.Name()+"_"+name, t)
	if m.partVars == nil {
		m.partVars = map[partKey]*types.Var{}
	}
	m.partVars[key] = w
	if n := m.CopyOf[v]; n != 0 {
		m.CopyOf[w] = n
	}
	return w
}

// PartOfType is the name and the type of a part of a struct or an array.
func PartOfType(typ types.Type, i int) (string, types.Type) {
	switch u := typ.Underlying().(type) {
	case *types.Struct:
		return u.Field(i).Name(), u.Field(i).Type()
	case *types.Array:
		return strconv.Itoa(i), u.Elem()
	}
	panic("BUG: a part of a " + typ.String())
}
