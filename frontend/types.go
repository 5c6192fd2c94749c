package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// basicTypes are the SSA types of Go's basic types; those missing are Invalid.
// An untyped constant that no context has given a type has its default one.
var basicTypes = [...]ssa.Basic{
	types.Bool:         ssa.Bool,
	types.Int:          ssa.Int64,
	types.Int8:         ssa.Int8,
	types.Int16:        ssa.Int16,
	types.Int32:        ssa.Int32,
	types.Int64:        ssa.Int64,
	types.Uint:         ssa.Uint64,
	types.Uint8:        ssa.Uint8,
	types.Uint16:       ssa.Uint16,
	types.Uint32:       ssa.Uint32,
	types.Uint64:       ssa.Uint64,
	types.Float32:      ssa.Float32,
	types.Float64:      ssa.Float64,
	types.UntypedBool:  ssa.Bool,
	types.UntypedInt:   ssa.Int64,
	types.UntypedRune:  ssa.Int32,
	types.UntypedFloat: ssa.Float64,
	types.UntypedNil:   ssa.Invalid, // the last kind
}

// sliceTypes and pointerTypes hold the composite types of each element type, so
// that they are not put into interfaces over and over.
var sliceTypes, pointerTypes [ssa.Thread]ssa.Type

func init() {
	for t := range ssa.Thread {
		sliceTypes[t] = ssa.Slice{Elem: t}
		pointerTypes[t] = ssa.Pointer{Elem: t}
	}
}

// goType is the Go type of an expression, in the instance of a generic function
// that is being lowered: the types of the type checker have its type parameters in
// them. It is nil where the type checker gave none.
func (b *builder) goType(e ast.Expr) types.Type { return b.subst(b.info.TypeOf(e)) }

// subst puts the instance's type arguments in the place of type parameters.
func (b *builder) subst(t types.Type) types.Type { return t }

// typeOf is the SSA type of a Go type, and whether it has one.
func typeOf(t types.Type) (ssa.Type, bool) {
	if t == nil {
		return ssa.Invalid, false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		s := basicTypes[u.Kind()]
		return s, s != ssa.Invalid
	case *types.Slice:
		if elem, ok := u.Elem().Underlying().(*types.Basic); ok {
			if s := basicTypes[elem.Kind()]; s != ssa.Invalid {
				return sliceTypes[s], true
			}
		}
	case *types.Struct:
		if isThread(t) {
			return ssa.Thread, true
		}
	}
	return ssa.Invalid, false
}

// elemType is the element type of a slice value.
func elemType(slice *ssa.Value) ssa.Basic {
	return slice.Type.(ssa.Slice).Elem.(ssa.Basic)
}

// isThread reports whether t is qd.Thread.
func isThread(t types.Type) bool { return isQD(t, "Thread") }

// isQD reports whether t is the named type of package qd.
func isQD(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == load.QDPath
}

// typeString is a type as diagnostics show it: with package names, not paths, and
// without that of the kernel's package.
func (m *module) typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == m.pkg {
			return ""
		}
		return p.Name()
	})
}

// declaredType is the SSA type of a declared variable. Where there is none, a
// diagnostic says so at the type.
func (m *module) declaredType(typ ast.Expr, v *types.Var, what string) (ssa.Type, bool) {
	t, ok := typeOf(v.Type())
	if ok {
		return t, true
	}
	if m.illTyped() && invalid(v.Type()) || !m.complain(v) {
		return t, false
	}
	if v.Name() != "" && v.Name() != "_" {
		what += " " + v.Name()
	}
	why, hint := unsupportedType(v.Type())
	m.refuse(typ, hint, "%s has type %s: %s", what, m.typeString(v.Type()), why)
	return t, false
}

// unsupportedType says why a type is none that a kernel can have, and what to
// use instead.
func unsupportedType(t types.Type) (why, hint string) {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "type parameters are not supported yet", "write one function for each type"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return "strings are not supported", "only constant strings, in qd.Printf, can be used in a kernel"
		case u.Info()&types.IsComplex != 0:
			return "complex numbers are not supported", "use two floats"
		}
		return "pointer-sized integers are not supported", "use uint64"
	case *types.Slice:
		if _, ok := u.Elem().Underlying().(*types.Slice); ok {
			return "slices of slices are not supported", "pass one flat slice and index it as x[i*n+j]"
		}
		why, _ := unsupportedType(u.Elem())
		return why, "use slices of numbers or bools"
	case *types.Struct:
		if isThread(t) {
			return "a qd.Thread stands alone", "pass the kernel's qd.Thread as an argument of its own"
		}
		return "structs are not supported yet", "use one variable for each field"
	case *types.Array:
		return "arrays are not supported yet", "use separate variables, or a slice that the kernel takes"
	case *types.Pointer:
		return "pointers are not supported yet", "pass a slice and an index, or return the value"
	case *types.Map:
		return "maps are not supported", "keep the values in a slice that the kernel takes"
	case *types.Chan:
		return "channels are not supported", "exchange values through slices and qd.AtomicAdd"
	case *types.Signature:
		return "function values are not supported yet", "call a declared function by its name"
	case *types.Interface:
		return "interfaces are not supported", "use a concrete type"
	}
	return "it is not supported", "use numbers, bools and slices of them"
}
