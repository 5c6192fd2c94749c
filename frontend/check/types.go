package check

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// BasicTypes are the SSA types of Go's basic types that have no parts, as complex numbers do; those missing
// are Invalid.
// An untyped constant that no context has given a type has its default one.
var BasicTypes = [...]ssa.Basic{
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
	types.Uintptr:      ssa.Uint64,
	types.Float32:      ssa.Float32,
	types.Float64:      ssa.Float64,
	types.UntypedBool:  ssa.Bool,
	types.UntypedInt:   ssa.Int64,
	types.UntypedRune:  ssa.Int32,
	types.UntypedFloat: ssa.Float64,
	types.UntypedNil:   ssa.Invalid, // the last kind
}

// MaxTypeSize is how many bytes a type may take: variables live on a thread's stack.
const MaxTypeSize = 256 << 10

// Types are the SSA types of Go types.
type Types struct {
	*Large
	types      map[types.Type]ssa.Type // Invalid for those that have none
	layouts    map[*types.Struct]*layout
	explaining map[types.Type]bool // types that unsupportedType is inside of
	front      map[types.Type]bool // whether types are those of front-end values, as far as that is known
	trying     map[types.Type]int  // see frontDepth
	growing    growing
	looking    looking
	nameless   map[types.Type]bool // types that lead to each other by structs without names

	Ctxt      *types.Context
	instances map[instanceKey]types.Type   // of Ctxt
	Locals    map[*types.Named][]LocalType // types declared in functions, in their instances
}

// GoType is the Go type of an expression, in the instance of a generic function
// that is being lowered: the types of the type checker have its type parameters in
// them. It is nil where the type checker gave none.
func (sc *Instance) GoType(e ast.Expr) types.Type { return sc.Subst(sc.Info.TypeOf(e)) }

// TypeOf is the SSA type of a Go type, and whether it has one.
func (m *Types) TypeOf(t types.Type) (ssa.Type, bool) {
	if t == nil {
		return ssa.Invalid, false
	}
	if s, ok := m.types[t]; ok {
		return s, s != ssa.Invalid
	}
	if m.types == nil {
		m.types = map[types.Type]ssa.Type{}
	}
	s := m.lookInto(t)
	return s, s != ssa.Invalid
}

// HasValues reports whether a kernel can have values of a type, be it while it is compiled.
func (m *Types) HasValues(t types.Type) bool {
	_, ok := m.TypeOf(t)
	return ok || m.IsFrontType(t)
}

// newType is typeOf of a type that is seen for the first time; of one that a kernel
// cannot have it is Invalid.
func (m *Types) newType(t types.Type) ssa.Type {
	if IsThread(t) {
		return ssa.Thread
	}
	if IsBlock(t) {
		return ssa.BlockPlace
	}
	if IsGrid(t) || IsConst(t) {
		return ssa.Invalid
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return ssa.Invalid
	}
	if elem := tileElem(t); elem != nil {
		if elem, ok := m.Part(elem); ok && !HoldsPointers(elem) && elem.Size() > 0 {
			return ssa.Unshaped(elem)
		}
		return ssa.Invalid
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Complex64:
			return ssa.Complex64
		case types.Complex128, types.UntypedComplex:
			return ssa.Complex128
		}
		return BasicTypes[u.Kind()]
	case *types.Slice:
		// What it points to is memory of the host's, or a local array: no pointers in it.
		if elem, ok := m.Part(u.Elem()); ok && !HoldsPointers(elem) {
			return ssa.Slice{Elem: elem}
		}
	case *types.Pointer:
		m.looking.pointer = len(m.looking.list)
		if elem, ok := m.Part(u.Elem()); ok {
			return ssa.Pointer{Elem: elem}
		}
	case *types.Array:
		elem, ok := m.Part(u.Elem())
		if ok && u.Len() >= 0 && u.Len() <= MaxTypeSize && int(u.Len())*max(1, elem.Size()) <= MaxTypeSize {
			return ssa.Array{Elem: elem, Len: int(u.Len())}
		}
	case *types.Struct:
		return m.structType(t, u)
	}
	return ssa.Invalid
}

// Part is the type of what a composite type consists of.
func (m *Types) Part(t types.Type) (ssa.Type, bool) {
	s, ok := m.TypeOf(t)
	return s, ok && !IsPlace(s) && !ssa.IsTile(s)
}

func (m *Types) structType(t types.Type, u *types.Struct) ssa.Type {
	m.checkTags(t, u)
	var fields []ssa.Field
	size := 0
	for i := range u.NumFields() {
		f := u.Field(i)
		elem, ok := m.Part(f.Type())
		if !ok {
			return ssa.Invalid
		}
		if size += elem.Size(); size > MaxTypeSize {
			return ssa.Invalid
		}
		m.NoteLarge(f, "field "+f.Name(), f.Type(), elem, nil)
		p, isUnpacked := m.Unpacked(u, i)
		if !isUnpacked {
			fields = append(fields, ssa.Field{Name: f.Name(), Type: elem})
			continue
		}
		for at := range p.Count {
			fields = append(fields, ssa.Field{Name: p.name(f.Name(), at), Type: p.Elem})
		}
	}
	return m.newStruct(fields)
}

// HoldsPointers reports whether a value of a type is or contains an address.
func HoldsPointers(t ssa.Type) bool {
	switch t := t.(type) {
	case ssa.Slice, ssa.Pointer:
		return true
	case ssa.Array:
		return HoldsPointers(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if HoldsPointers(f.Type) {
				return true
			}
		}
	}
	return false
}

// IsThread reports whether t is qd.Thread.
func IsThread(t types.Type) bool { return isQD(t, "Thread") }

// IsView reports whether t is one of the views, qd.View2 to qd.View4.
func IsView(t types.Type) bool { return isQD(t, "View2") || isQD(t, "View3") || isQD(t, "View4") }

// isQD reports whether t is the named type of package qd.
func isQD(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == load.QDPath
}

// TypeString is a type as diagnostics show it: with package names, not paths, and
// without that of the kernel's package.
func (m *Report) TypeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == m.Pkg {
			return ""
		}
		return p.Name()
	})
}

// DeclaredType is the SSA type of a declared variable. Where there is none, a
// diagnostic says so at the type.
func (sc *Scope) DeclaredType(typ ast.Expr, v *types.Var, what string) (ssa.Type, bool) {
	m, goType := sc.Syntax, sc.Subst(v.Type())
	t, ok := m.TypeOf(goType)
	if ok {
		return t, true
	}
	if m.IllTyped() && Invalid(goType) || !m.Complain(v) {
		return t, false
	}
	if v.Name() != "" && v.Name() != "_" {
		what += " " + v.Name()
	}
	why, hint := m.UnsupportedType(goType)
	m.Refuse(typ, hint, "%s has type %s: %s", what, m.TypeString(goType), why)
	return t, false
}

// KernelParam refuses what cannot be given to a launch.
func (m *Types) KernelParam(typ ast.Expr, v *types.Var, t ssa.Type, first bool) bool {
	switch {
	case IsPlace(t) && !first:
		m.Refuse(typ, "use the first one", "a kernel has only one qd.Thread or qd.Block parameter, the first one")
		return false
	case ssa.IsTile(t):
		m.Refuse(typ, "take a slice or a view, and read tiles of it with tile.Load", "parameter %s has type %s: a tile belongs to one block of one launch", v.Name(), m.TypeString(v.Type()))
		return false
	case countsOnly(t):
		m.Refuse(typ, "take the length, as an int", "parameter %s has type %s: no memory has elements without a size", v.Name(), m.TypeString(v.Type()))
		return false
	case !pointsOnly(t):
		return true
	}
	m.Refuse(typ, m.insteadOfPointer(v, t), "parameter %s has type %s: a kernel cannot take pointers", v.Name(), m.TypeString(v.Type()))
	return false
}

// insteadOfPointer is the advice on a parameter that is a pointer. A struct with slices shares their elements with the
// host; one without has nothing that a kernel could change.
func (m *Types) insteadOfPointer(v *types.Var, t ssa.Type) string {
	const slice = "pass a slice; it may have one element"
	p, ok := t.(ssa.Pointer)
	if !ok {
		return slice
	}
	if _, isStruct := p.Elem.(*ssa.Struct); !isStruct || pointsOnly(p.Elem) {
		return slice
	}
	byValue := fmt.Sprintf("take it by value, as in %s %s", v.Name(), strings.TrimPrefix(m.TypeString(v.Type()), "*"))
	if ssa.HasSlices(p.Elem) {
		return byValue + ", and launch with the value: the elements of its slices are the caller's; a field that the kernel assigns is its own copy"
	}
	return "if the kernel only reads it, " + byValue + "; else " + slice
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

// countsOnly reports whether a value of a type is or contains a slice whose elements have no size.
func countsOnly(t ssa.Type) bool {
	switch t := t.(type) {
	case ssa.Slice:
		return t.Elem.Size() == 0
	case ssa.Array:
		return countsOnly(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if countsOnly(f.Type) {
				return true
			}
		}
	}
	return false
}

const containsItself = "types that contain themselves are not supported"

// UnsupportedType says why a type is none that a kernel can have, and what to
// use instead.
func (m *Types) UnsupportedType(t types.Type) (why, hint string) {
	if why, hint := m.unsupportedKnot(t); why != "" {
		return why, hint
	}
	if m.explaining[t] || m.growing.has(t) {
		return containsItself, "keep the values in a slice, and indices instead of pointers"
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
		return "a " + m.TypeString(t) + " can only be the first parameter of a kernel", "pass the kernel's own"
	}
	if elem := tileElem(t); elem != nil {
		if _, ok := m.TypeOf(t); !ok {
			return m.unsupportedElem(elem)
		}
		return "a tile stands alone", "keep it in a variable of its own, and give it to functions as an argument of its own"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return "strings are not supported", "take a qd.Const[string]: strings are known at compile time only"
		}
		if u.Kind() == types.UnsafePointer {
			return "pointers without a type are not supported", "convert between numbers and their bits with math.Float32bits and math.Float64bits, or in one expression, as in *(*uint32)(unsafe.Pointer(&x))"
		}
	case *types.Slice:
		return m.unsupportedElem(u.Elem())
	case *types.Struct:
		return m.unsupportedStruct(t, u)
	case *types.Array:
		if elem, ok := m.Part(u.Elem()); ok && elem != ssa.Invalid {
			return fmt.Sprintf("it is larger than %d bytes, the limit for a variable", MaxTypeSize), "pass a slice as an argument"
		}
		return m.UnsupportedType(u.Elem())
	case *types.Pointer:
		return m.UnsupportedType(u.Elem())
	case *types.Map:
		return "maps are not supported", "keep the values in a slice that the kernel takes"
	case *types.Chan:
		return "channels are not supported", "exchange values through slices and qd.AtomicAdd"
	case *types.Signature:
		return "functions are known at compile time only", "take a qd.Const of it, pass it to a function that the kernel calls, or call a declared function by its name"
	case *types.Interface:
		return "interfaces are known at compile time only, by their dynamic types", "use a concrete type, or a type parameter"
	}
	return "it is not supported", "use numbers, bools and slices of them"
}

// unsupportedElem is unsupportedType of a slice, for its elements.
func (m *Types) unsupportedElem(elem types.Type) (why, hint string) {
	t, ok := m.Part(elem)
	switch {
	case !ok:
		return m.UnsupportedType(elem)
	case t.Size() == 0:
		return "tiles of elements without a size are not supported", "use numbers, bools, and structs and arrays of them"
	}
	if _, isSlice := t.(ssa.Slice); isSlice {
		return "slices of slices are not supported", "pass one flat slice and index it as x[i*n+j]"
	}
	pointers := false
	for leaf := range load.Leaves(elem) {
		_, isPointer := leaf.Underlying().(*types.Pointer)
		pointers = pointers || isPointer
	}
	if !pointers {
		return "slices of elements with slices are not supported", "pass one flat slice of all the numbers, and keep in each element where its own begin and end"
	}
	return "slices of elements with pointers are not supported", "keep indices in the elements instead of pointers"
}

func (m *Types) unsupportedStruct(t types.Type, u *types.Struct) (why, hint string) {
	if IsThread(t) || IsBlock(t) {
		return "a " + m.TypeString(t) + " stands alone", "pass the kernel's " + m.TypeString(t) + " as an argument of its own"
	}
	size := 0
	for f := range u.Fields() {
		s, ok := m.Part(f.Type())
		if ok {
			size += s.Size()
			continue
		}
		if p, isPointer := f.Type().Underlying().(*types.Pointer); isPointer && m.explaining[p.Elem()] { // which it may lead back to
			size += ssa.Pointer{}.Size()
			continue
		}
		why, hint := m.UnsupportedType(f.Type())
		return "field " + f.Name() + ": " + why, hint
	}
	if size <= MaxTypeSize {
		return containsItself, "keep the values in a slice, and indices instead of pointers"
	}
	return fmt.Sprintf("it is larger than %d bytes, the limit for a variable", MaxTypeSize), "pass a slice as an argument"
}
