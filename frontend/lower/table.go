package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A package variable that is a slice, a pointer, or holds such, is a table, if nothing changes it after its package has been
// initialized, nor writes to what it leads to. Where a kernel reads it, it has a copy of that, which is constant.

// tables are the package variables of a kernel that lead to memory.
type tables struct{ b *builder }

// global is what is known of a variable, nil if it is no table, or if it is not known.
func (ts tables) global(v *types.Var) *global {
	m := ts.b.m
	if ts.b.InStatic > 0 || !isTable(v.Type(), nil) {
		return nil
	}
	g, known := m.tables[v]
	if !known {
		declared := m.Prog.Var(v)
		if declared != nil && declared.ChangedLater() == "" {
			if made := (&global{}); m.initialized(declared, made) {
				g = made // what it lacks is asked for, and the kernel lowered anew
			}
		}
		if m.tables == nil {
			m.tables = map[*types.Var]*global{}
		}
		m.tables[v] = g
	}
	return g
}

// isTable reports whether a type consists of numbers, bools, arrays and structs, and of slices of these and pointers to them. It
// may be among those in which it is.
func isTable(t types.Type, within []types.Type) bool {
	for _, outer := range within {
		if types.Identical(outer, t) {
			return true
		}
	}
	within = append(within, t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsNumeric|types.IsBoolean) != 0
	case *types.Slice:
		return isTable(u.Elem(), within)
	case *types.Pointer:
		return isTable(u.Elem(), within)
	case *types.Array:
		return isTable(u.Elem(), within)
	case *types.Struct:
		for f := range u.Fields() {
			if !isTable(f.Type(), within) {
				return false
			}
		}
		return true
	}
	return false
}

// value is a table, or a part of one, as a value of the running kernel. It is not ok for what has no address in it.
func (ts tables) value(e ast.Expr, t types.Type, known comptime.Value) (val *ssa.Value, ok bool) {
	if ts.b.InStatic > 0 || !leads(known) {
		return nil, false
	}
	if val = ts.made(e, t, known); val == nil {
		why, hint := ts.b.m.UnsupportedType(t)
		ts.b.m.Refuse(e, hint, "package variable %s cannot be captured by a kernel: %s", types.ExprString(e), why)
		val = eval.Poison
	}
	return val, true
}

// leads reports whether a value leads to memory.
func leads(v comptime.Value) bool {
	if v.Kind == comptime.Slice || v.Kind == comptime.Pointer {
		return true
	}
	for _, part := range v.Elems {
		if part.Kind > comptime.String && leads(part) {
			return true
		}
	}
	return false
}

// made makes a copy of a part of a table, nil if the running kernel cannot have such.
func (ts tables) made(e ast.Expr, t types.Type, v comptime.Value) *ssa.Value {
	s, ok := ts.b.m.TypeOf(t)
	switch {
	case !ok:
		return nil
	case !leads(v):
		return ts.b.FromKnown(e.Pos(), t, v)
	case v.Kind == comptime.Slice && v.Bits == 0, v.Kind == comptime.Pointer && len(v.Elems) == 0:
		return ts.b.Zero(e.Pos(), s)
	case v.Kind == comptime.Pointer:
		to := ts.made(e, t.Underlying().(*types.Pointer).Elem(), v.Elems[0])
		if to == nil || to == eval.Poison {
			return to
		}
		return ts.b.Fresh(e.Pos(), to)
	case v.Kind == comptime.Slice:
		slice := s.(ssa.Slice)
		if !ts.b.FitsLocal(e, slice, len(v.Elems), types.ExprString(e)) {
			return eval.Poison
		}
		elem := t.Underlying().(*types.Slice).Elem()
		array := ts.composite(e, ssa.Array{Elem: slice.Elem, Len: len(v.Elems)}, v.Elems, func(int) types.Type { return elem })
		if array == nil || array == eval.Poison {
			return array
		}
		return ts.b.NewSlice(e, slice, array)
	}
	parts := check.PartTypes(t)
	if len(parts) != len(v.Elems) || check.IsStruct(t) && len(ts.b.m.StoredTypes(t)) != len(parts) {
		return nil
	}
	return ts.composite(e, s, v.Elems, func(i int) types.Type { return parts[i] })
}

// composite is a struct or an array of parts.
func (ts tables) composite(e ast.Expr, s ssa.Type, parts []comptime.Value, typeOf func(int) types.Type) *ssa.Value {
	if len(parts) == 0 {
		return ts.b.Zero(e.Pos(), s)
	}
	args := make([]*ssa.Value, len(parts))
	for i, part := range parts {
		args[i] = ts.made(e, typeOf(i), part)
		if args[i] == nil || args[i] == eval.Poison {
			return args[i]
		}
	}
	return ts.b.Op(e.Pos(), ssa.OpMake, s, args...)
}
