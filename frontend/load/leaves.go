package load

import (
	"go/types"
	"iter"
)

// maxNested is how many instances of one generic type may be inside of each other in a type that is looked into.
const maxNested = 8

// Leaves gives what a value of a type consists of: of arrays and structs their parts, of which each declared type is
// looked into once, of a half float a float32; the type itself otherwise. An array of no elements has none. A type with
// an error may contain itself, or ever larger instances of itself: such a part has no leaves.
func Leaves(t types.Type) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) {
		l := leafWalk{yield: yield, seen: map[*types.Named]bool{}, nested: map[*types.Named]int{}}
		l.walk(t)
	}
}

type leafWalk struct {
	yield  func(types.Type) bool
	seen   map[*types.Named]bool
	nested map[*types.Named]int // instances of a generic type around the part
}

// walk is false when no more is wanted.
func (l *leafWalk) walk(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if isHalf(n) {
			return l.yield(types.Typ[types.Float32])
		}
		generic := n.Origin()
		if l.seen[n] || l.nested[generic] == maxNested {
			return true
		}
		l.seen[n] = true
		l.nested[generic]++
		defer func() { l.nested[generic]-- }()
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() == 0 || l.walk(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !l.walk(f.Type()) {
				return false
			}
		}
		return true
	}
	return l.yield(t)
}

// isHalf reports whether a type is one of the half floats, which Go has as structs.
func isHalf(t types.Type) bool {
	n := qdNamed(t)
	return n != nil && (n.Obj().Name() == "Float16" || n.Obj().Name() == "BFloat16")
}

// HoldsNothing reports whether a type has one value: one of no size.
func HoldsNothing(t types.Type) bool {
	for range Leaves(t) {
		return false
	}
	return true
}
