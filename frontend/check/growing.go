package check

import "go/types"

// maxNested is how many instances of one generic type may be inside of each other.
const maxNested = 16

// growing are the generic types that have ever larger instances of themselves in them, as Node[T] with a field of type
// *Node[*T]: who looks into one would never come to an end. Go's type checker refuses them, but not where it finds other errors
// first.
type growing struct {
	nested map[*types.TypeName]int // instances that are being looked into
	found  map[*types.TypeName]bool
}

func noLeave() {}

// enter notes that a type is looked into, until leave is called. It is false for one that grows.
func (g *growing) enter(t types.Type) (leave func(), ok bool) {
	generic := genericOf(t)
	if generic == nil {
		return noLeave, true
	}
	if g.nested == nil {
		g.nested, g.found = map[*types.TypeName]int{}, map[*types.TypeName]bool{}
	}
	if g.nested[generic] >= maxNested {
		g.found[generic] = true
	}
	if g.found[generic] {
		return nil, false
	}
	g.nested[generic]++
	return func() { g.nested[generic]-- }, true
}

// has reports whether a type is known to grow.
func (g *growing) has(t types.Type) bool {
	generic := genericOf(t)
	return generic != nil && g.found[generic]
}

// genericOf is the name of the generic type that a type is an instance of, nil of any other type.
func genericOf(t types.Type) *types.TypeName {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeArgs().Len() == 0 {
		return nil
	}
	return n.Origin().Obj()
}
