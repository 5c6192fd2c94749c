package frontend

import (
	"fmt"
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

// maxTypeSize is how many bytes a type may take: variables live on a thread's stack.
const maxTypeSize = 256 << 10

// Types are the SSA types of Go types.
type Types struct {
	*Large
	types      map[types.Type]ssa.Type // Invalid for those that have none
	layouts    map[*types.Struct]*layout
	explaining map[types.Type]bool // types that unsupportedType is inside of

	ctxt   *types.Context
	locals map[*types.Named][]localType // types declared in functions, in their instances
}

// goType is the Go type of an expression, in the instance of a generic function
// that is being lowered: the types of the type checker have its type parameters in
// them. It is nil where the type checker gave none.
func (b *Scope) goType(e ast.Expr) types.Type { return b.subst(b.info.TypeOf(e)) }

// typeOf is the SSA type of a Go type, and whether it has one.
func (m *Types) typeOf(t types.Type) (ssa.Type, bool) {
	if t == nil {
		return ssa.Invalid, false
	}
	if s, ok := m.types[t]; ok {
		return s, s != ssa.Invalid
	}
	if m.types == nil {
		m.types = map[types.Type]ssa.Type{}
	}
	m.types[t] = ssa.Invalid // where it is met again inside of itself
	s := m.newType(t)
	m.types[t] = s
	return s, s != ssa.Invalid
}

// hasValues reports whether a kernel can have values of a type, be it while it is compiled.
func (m *Types) hasValues(t types.Type) bool {
	_, ok := m.typeOf(t)
	return ok || m.isFrontType(t)
}

// newType is typeOf of a type that is seen for the first time; of one that a kernel
// cannot have it is Invalid.
func (m *Types) newType(t types.Type) ssa.Type {
	if isThread(t) {
		return ssa.Thread
	}
	if isBlock(t) {
		return ssa.BlockPlace
	}
	if isGrid(t) || isConst(t) {
		return ssa.Invalid
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return ssa.Invalid
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicTypes[u.Kind()]
	case *types.Slice:
		// What it points to is memory of the host's, or a local array: no pointers in it.
		if elem, ok := m.part(u.Elem()); ok && !holdsPointers(elem) && elem.Size() > 0 {
			return ssa.Slice{Elem: elem}
		}
	case *types.Pointer:
		if elem, ok := m.part(u.Elem()); ok {
			return ssa.Pointer{Elem: elem}
		}
	case *types.Array:
		elem, ok := m.part(u.Elem())
		if ok && u.Len() >= 0 && u.Len() <= maxTypeSize && int(u.Len())*max(1, elem.Size()) <= maxTypeSize {
			return ssa.Array{Elem: elem, Len: int(u.Len())}
		}
	case *types.Struct:
		return m.structType(t, u)
	}
	return ssa.Invalid
}

// part is the type of what a composite type consists of.
func (m *Types) part(t types.Type) (ssa.Type, bool) {
	s, ok := m.typeOf(t)
	return s, ok && !isPlace(s)
}

func (m *Types) structType(t types.Type, u *types.Struct) ssa.Type {
	m.checkTags(t, u)
	var fields []ssa.Field
	size := 0
	for i := range u.NumFields() {
		f := u.Field(i)
		elem, ok := m.part(f.Type())
		if !ok {
			return ssa.Invalid
		}
		if size += elem.Size(); size > maxTypeSize {
			return ssa.Invalid
		}
		m.noteLarge(f, "field "+f.Name(), f.Type(), elem, nil)
		p, isUnpacked := m.unpacked(u, i)
		if !isUnpacked {
			fields = append(fields, ssa.Field{Name: f.Name(), Type: elem})
			continue
		}
		for at := range p.count {
			fields = append(fields, ssa.Field{Name: p.name(f.Name(), at), Type: p.elem})
		}
	}
	name := ""
	if n, ok := types.Unalias(t).(*types.Named); ok {
		name = m.typeString(n)
	}
	return ssa.StructOf(name, fields...)
}

// holdsPointers reports whether a value of a type is or contains an address.
func holdsPointers(t ssa.Type) bool {
	switch t := t.(type) {
	case ssa.Slice, ssa.Pointer:
		return true
	case ssa.Array:
		return holdsPointers(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if holdsPointers(f.Type) {
				return true
			}
		}
	}
	return false
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
func (m *Report) typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == m.pkg {
			return ""
		}
		return p.Name()
	})
}

// declaredType is the SSA type of a declared variable. Where there is none, a
// diagnostic says so at the type.
func (b *Scope) declaredType(typ ast.Expr, v *types.Var, what string) (ssa.Type, bool) {
	m, goType := b.m, b.subst(v.Type())
	t, ok := m.typeOf(goType)
	if ok {
		return t, true
	}
	if m.illTyped() && invalid(goType) || !m.complain(v) {
		return t, false
	}
	if v.Name() != "" && v.Name() != "_" {
		what += " " + v.Name()
	}
	why, hint := m.unsupportedType(goType)
	m.refuse(typ, hint, "%s has type %s: %s", what, m.typeString(goType), why)
	return t, false
}

// kernelParam refuses what cannot be given to a launch.
func (m *Types) kernelParam(typ ast.Expr, v *types.Var, t ssa.Type, first bool) bool {
	switch {
	case isPlace(t) && !first:
		m.refuse(typ, "use the first one", "a kernel has only one qd.Thread or qd.Block, its first parameter")
		return false
	case !pointsOnly(t):
		return true
	}
	m.refuse(typ, "pass a slice, of one element if need be", "parameter %s has type %s: a kernel cannot take pointers", v.Name(), m.typeString(v.Type()))
	return false
}

// pointsOnly reports whether a type is or contains a pointer, which has no length.
func pointsOnly(t ssa.Type) bool {
	switch t := t.(type) {
	case ssa.Pointer:
		return true
	case ssa.Array:
		return pointsOnly(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if pointsOnly(f.Type) {
				return true
			}
		}
	}
	return false
}

// unsupportedType says why a type is none that a kernel can have, and what to
// use instead.
func (m *Types) unsupportedType(t types.Type) (why, hint string) {
	if m.explaining[t] {
		return "types that contain themselves are not supported", "keep the values in a slice, and indices instead of pointers"
	}
	if m.explaining == nil {
		m.explaining = map[types.Type]bool{}
	}
	m.explaining[t] = true
	defer delete(m.explaining, t)
	return m.whyUnsupported(t)
}

// whyUnsupported is unsupportedType, which watches for types within themselves.
func (m *Types) whyUnsupported(t types.Type) (why, hint string) {
	if isQD(t, "Block") || isQD(t, "Grid") {
		return "a " + m.typeString(t) + " is a kernel's first parameter", "pass the kernel's own"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return "strings are not supported", "take a qd.Const[string]: strings are known at compile time only"
		case u.Info()&types.IsComplex != 0:
			return "complex numbers are not supported", "use two floats"
		}
		return "pointer-sized integers are not supported", "use uint64"
	case *types.Slice:
		return m.unsupportedElem(u.Elem())
	case *types.Struct:
		return m.unsupportedStruct(t, u)
	case *types.Array:
		if elem, ok := m.part(u.Elem()); ok && elem != ssa.Invalid {
			return fmt.Sprintf("it takes more than the %d bytes that a variable may", maxTypeSize), "pass a slice as an argument"
		}
		return m.unsupportedType(u.Elem())
	case *types.Pointer:
		return m.unsupportedType(u.Elem())
	case *types.Map:
		return "maps are not supported", "keep the values in a slice that the kernel takes"
	case *types.Chan:
		return "channels are not supported", "exchange values through slices and qd.AtomicAdd"
	case *types.Signature:
		return "functions are known at compile time only", "take a qd.Const of it, pass it to a function that the kernel calls, or call a declared one by its name"
	case *types.Interface:
		return "interfaces are not supported", "use a concrete type"
	}
	return "it is not supported", "use numbers, bools and slices of them"
}

// unsupportedElem is unsupportedType of a slice, for its elements.
func (m *Types) unsupportedElem(elem types.Type) (why, hint string) {
	t, ok := m.part(elem)
	switch {
	case !ok:
		return m.unsupportedType(elem)
	case t.Size() == 0:
		return "slices of what has no size are not supported", "pass the length"
	}
	if _, isSlice := t.(ssa.Slice); isSlice {
		return "slices of slices are not supported", "pass one flat slice and index it as x[i*n+j]"
	}
	return "slices of what holds pointers are not supported", "keep indices in the elements instead of pointers"
}

func (m *Types) unsupportedStruct(t types.Type, u *types.Struct) (why, hint string) {
	if isThread(t) || isBlock(t) {
		return "a " + m.typeString(t) + " stands alone", "pass the kernel's " + m.typeString(t) + " as an argument of its own"
	}
	for f := range u.Fields() {
		if _, ok := m.part(f.Type()); !ok {
			why, hint := m.unsupportedType(f.Type())
			return "field " + f.Name() + ": " + why, hint
		}
	}
	return fmt.Sprintf("it takes more than the %d bytes that a variable may", maxTypeSize), "pass a slice as an argument"
}
