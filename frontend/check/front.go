package check

import (
	"go/types"
)

// ConstArg is the type argument T of qd.Const[T], nil of any other type.
func ConstArg(t types.Type) types.Type {
	if !IsConst(t) {
		return nil
	}
	args := types.Unalias(t).(*types.Named).TypeArgs()
	if args.Len() != 1 {
		return nil
	}
	return args.At(0)
}

// Constable says why a type is none that qd.Const may hold.
func (m *Types) Constable(t types.Type) (why, hint string, ok bool) {
	switch {
	case t == nil:
		return "it has no type argument", "write qd.Const[int]", false
	case IsSlice(t), IsMap(t):
		return "slices and maps are not compile-time arguments", "use an array, or pass a slice as an ordinary argument", false
	case IsPointer(t):
		return "pointers are not compile-time arguments", "use the value", false
	}
	if s, ok := m.TypeOf(t); ok && !IsPlace(s) && !HoldsPointers(s) || m.IsFrontType(t) && !IsConst(t) {
		return "", "", true
	}
	why, hint = m.UnsupportedType(t)
	return why, hint, false
}

func IsMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// IsFrontType reports whether the values of a type are front-end values: those of a
// type that the running kernel cannot have.
func (m *Types) IsFrontType(t types.Type) bool {
	if m.front == nil {
		m.front, m.trying = map[types.Type]bool{}, map[types.Type]int{}
	}
	is := m.frontDepth(t, 0, -1)
	if is { // and so is all that it has in it
		for t := range m.trying {
			m.front[t] = true
		}
	}
	clear(m.trying)
	return is
}

// maxFrontDepth is how deep front-end types may be nested.
const maxFrontDepth = 200

// isTried is the place in trying of a type that has been looked at.
const isTried = -1

// frontDepth is IsFrontType of a type within others, the innermost pointer of which is at a depth, -1 for none. A type
// is in trying as long as it is one if those around it are, with its depth while it is looked at: one that contains
// itself by a pointer may be one, and by nothing else, whichever of the types around the pointer is asked for first.
func (m *Types) frontDepth(t types.Type, depth, pointer int) bool {
	if t == nil || depth > maxFrontDepth || IsThread(t) || IsBlock(t) || IsGrid(t) {
		return false
	}
	if IsConst(t) {
		return true
	}
	if _, ok := m.TypeOf(t); ok || m.growing.has(t) {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	if is, ok := m.front[t]; ok {
		return is
	}
	if at, met := m.trying[t]; met {
		return at <= pointer // as isTried is in any case
	}
	leave, ok := m.growing.enter(t)
	if !ok {
		return false
	}
	defer leave()
	m.trying[t] = depth
	if IsPointer(t) {
		pointer = depth
	}
	is := m.frontParts(t, depth, pointer)
	if m.trying[t] = isTried; !is {
		delete(m.trying, t)
		m.front[t] = false
	}
	return is
}

func (m *Types) frontParts(t types.Type, depth, pointer int) bool {
	part := func(t types.Type) bool {
		if _, ok := m.Part(t); ok {
			return true
		}
		return m.frontDepth(t, depth+1, pointer)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Signature:
		return true
	case *types.Interface:
		return u.IsMethodSet()
	case *types.Slice:
		return part(u.Elem())
	case *types.Map:
		return part(u.Key()) && part(u.Elem())
	case *types.Array:
		return u.Len() >= 0 && u.Len() <= MaxFrontLen && m.frontDepth(u.Elem(), depth+1, pointer)
	case *types.Pointer: // to what is known at compile time as a whole
		return IsStruct(u.Elem()) && !IsConst(u.Elem()) && m.frontDepth(u.Elem(), depth+1, pointer)
	case *types.Struct:
		for f := range u.Fields() {
			if !part(f.Type()) {
				return false
			}
		}
		for f := range u.Fields() {
			if m.frontDepth(f.Type(), depth+1, pointer) {
				return true
			}
		}
	}
	return false
}

// MaxFrontLen is how many elements an array of front-end values may have.
const MaxFrontLen = 1 << 16

// IsConst reports whether a type is qd.Const of something.
func IsConst(t types.Type) bool { return isQD(t, "Const") }

// PartTypes are the types of the parts of a struct, an array or a complex number.
func PartTypes(t types.Type) (parts []types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Complex64:
			return []types.Type{types.Typ[types.Float32], types.Typ[types.Float32]}
		case types.Complex128, types.UntypedComplex:
			return []types.Type{types.Typ[types.Float64], types.Typ[types.Float64]}
		}
	case *types.Struct:
		for f := range u.Fields() {
			parts = append(parts, f.Type())
		}
	case *types.Array:
		for range u.Len() {
			parts = append(parts, u.Elem())
		}
	}
	return parts
}

func IsStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
