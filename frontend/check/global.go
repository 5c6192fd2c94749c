package check

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/load"
)

// NotCaptured says why the variables of a type cannot be captured, and what to do
// instead; in the argument of a qd.Static slices and maps can.
func (m *Types) NotCaptured(t types.Type, static bool) (why, hint string) {
	return m.notCaptured(t, static, nil)
}

// notCaptured is NotCaptured in the types of which a type is a part: a slice may lead back to one of them.
func (m *Types) notCaptured(t types.Type, static bool, within []types.Type) (why, hint string) {
	if slices.Contains(within, t) {
		return "", ""
	}
	within = append(within, t)
	const pass = "pass it as an argument"
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsNumeric|types.IsBoolean|types.IsString) == 0 {
			return m.UnsupportedType(t)
		}
	case *types.Slice:
		if !static {
			return "it is a slice", pass + "; a slice whose elements are constants can be used as in qd.Static(x[i])"
		}
		return m.notCaptured(u.Elem(), static, within)
	case *types.Map:
		if !static {
			return "it is a map", "look up constants with qd.Static(m[key]), or pass the values that the kernel needs as an argument"
		}
		if why, hint := m.notCaptured(u.Key(), static, within); why != "" {
			return why, hint
		}
		return m.notCaptured(u.Elem(), static, within)
	case *types.Array:
		return m.notCaptured(u.Elem(), static, within)
	case *types.Struct:
		if isQD(t, "Array") {
			return "it is an array on a device", pass
		}
		for f := range u.Fields() {
			if types.IsInterface(f.Type()) && !static {
				continue // it may hold nil, as a field does that kernel code does not use
			}
			if why, hint := m.notCaptured(f.Type(), static, within); why != "" {
				return "field " + f.Name() + ": " + why, hint
			}
		}
	case *types.Pointer:
		if isQD(u.Elem(), "Array") {
			return "it is an array on a device", pass
		}
		return "it is a pointer", pass
	case *types.Chan:
		return m.UnsupportedType(t)
	case *types.Interface:
		return m.UnsupportedType(t)
	}
	return "", ""
}

// IsTable reports whether a type consists of numbers, bools, arrays and structs, and of slices of these and pointers to
// them: a package variable of it may be a table.
func IsTable(t types.Type) bool { return isTable(t, nil, new(growing)) }

// isTable is IsTable of a type within others, which it may lead back to.
func isTable(t types.Type, within []types.Type, g *growing) bool {
	for _, outer := range within {
		if types.Identical(outer, t) {
			return true
		}
	}
	leave, ok := g.enter(t)
	if !ok {
		return false
	}
	defer leave()
	within = append(within, t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsNumeric|types.IsBoolean) != 0
	case *types.Slice:
		return isTable(u.Elem(), within, g)
	case *types.Pointer:
		return isTable(u.Elem(), within, g)
	case *types.Array:
		return isTable(u.Elem(), within, g)
	case *types.Struct:
		for f := range u.Fields() {
			if !isTable(f.Type(), within, g) {
				return false
			}
		}
		return true
	}
	return false
}

// Uncomputable reports whether an initial value needs functions that are not among the
// program's, although they may be had: the program was not asked for them.
func (m *Syntax) Uncomputable(v *load.Var, e ast.Expr) (missing bool) {
	if v.Computed || e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			missing = true
		case *ast.Ident:
			if f, ok := v.Info.Uses[n].(*types.Func); ok && m.Prog.Funcs[f.Origin()] == nil {
				missing = missing || !load.IsLibrary(f.Pkg())
			}
		}
		return !missing
	})
	return missing
}

// GlobalRoot is the package variable that an expression is or is a part of, nil if it is
// none, or if a pointer or a slice leads to it.
func (sc *Instance) GlobalRoot(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := sc.Info.Uses[e].(*types.Var); ok && IsPackageVar(v) {
			return v
		}
	case *ast.SelectorExpr:
		sel := sc.Info.Selections[e]
		if sel == nil { // qualified by its package
			return sc.GlobalRoot(e.Sel)
		}
		if sel.Kind() == types.FieldVal && !sel.Indirect() {
			return sc.GlobalRoot(e.X)
		}
	case *ast.IndexExpr:
		switch t := sc.GoType(e.X); {
		case t == nil:
		case IsArray(t), IsSlice(t):
			return sc.GlobalRoot(e.X)
		}
	}
	return nil
}

// IsWhole reports whether nothing is selected of a package variable.
func (sc *Instance) IsWhole(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return sc.Info.Selections[e] == nil
	}
	return false
}

// ElemType is the type of the elements of an array or a slice.
func ElemType(t types.Type) types.Type {
	if a, ok := t.Underlying().(*types.Array); ok {
		return a.Elem()
	}
	return t.Underlying().(*types.Slice).Elem()
}
