package check

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// Interfaces hold pointers whose types their own type does not tell. No memory holds interfaces: they are values
// of variables, arguments and results. So what can be stored through a pointer in one is a question of what the
// pointer may point to.

// HoldsInterfaces reports whether a value of a type is or contains an interface, or a pointer to what is known at
// compile time only.
func (m *Types) HoldsInterfaces(t types.Type) bool {
	if !m.IsFrontType(t) { // as no type is that contains itself but by a pointer
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Pointer: // to a struct that is known at compile time only
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if m.HoldsInterfaces(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return m.HoldsInterfaces(u.Elem())
	case *types.Slice: // one that is known as a whole
		return m.HoldsInterfaces(u.Elem())
	}
	return false
}

// givesInterfaces reports whether interfaces are among the results of a call.
func (e *escape) givesInterfaces(x ast.Expr) bool {
	return e.b.givesSome(x, e.b.Syntax.HoldsInterfaces)
}

// givesFront reports whether functions, or values that may contain them, are among the results of a call.
func (e *escape) givesFront(x ast.Expr) bool { return e.b.givesSome(x, e.b.Syntax.IsFrontType) }

// givesSome reports whether a result of a call has a type of some kind.
func (sc *Scope) givesSome(x ast.Expr, is func(types.Type) bool) bool {
	t := sc.GoType(x)
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if is(sc.Subst(v.Type())) {
				return true
			}
		}
		return false
	}
	return t != nil && is(t)
}

// argument is the first level of an argument. Interfaces in it hold pointers to all that its set has.
func (e *escape) argument(x ast.Expr) level {
	l := level{e.value(x), e.slotsOf(x)}
	if !e.b.Syntax.HoldsInterfaces(e.b.GoType(x)) {
		return l
	}
	for at := range l.set {
		var t types.Type
		switch obj := at.obj.(type) {
		case *types.Var:
			t = e.b.Subst(obj.Type())
		case ast.Expr:
			if of := e.b.GoType(obj); of != nil { // an ill-typed expression has none
				switch u := of.Underlying().(type) {
				case *types.Pointer:
					t = u.Elem()
				case *types.Slice:
					t = u.Elem()
				}
			}
		}
		if s, ok := e.b.Syntax.TypeOf(t); ok {
			addParts(s, l.types)
			continue
		}
		for t, s := range e.b.Syntax.types { // a value of the type, whichever it is, has been met
			if s == ssa.Invalid {
				continue
			}
			if holder := e.b.GoType(x); e.b.Syntax.mayHold(holder, t) {
				slots(s, l.types)
			} else if e.b.Syntax.mayHold(holder, types.NewPointer(t)) {
				addParts(s, l.types)
			}
		}
	}
	return l
}

// mayHold reports whether an interface in a value of a type may have a dynamic type.
func (m *Types) mayHold(t, dynamic types.Type) bool {
	return m.mayHoldWithin(t, dynamic, map[types.Type]bool{})
}

func (m *Types) mayHoldWithin(t, dynamic types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return !types.IsInterface(dynamic) && types.Implements(dynamic, u)
	case *types.Struct:
		for f := range u.Fields() {
			if m.HoldsInterfaces(f.Type()) && m.mayHoldWithin(f.Type(), dynamic, seen) {
				return true
			}
		}
	case *types.Array:
		return m.mayHoldWithin(u.Elem(), dynamic, seen)
	case *types.Pointer:
		return m.HoldsInterfaces(u.Elem()) && m.mayHoldWithin(u.Elem(), dynamic, seen)
	case *types.Slice:
		return m.mayHoldWithin(u.Elem(), dynamic, seen)
	}
	return false
}

// addParts adds a type and the types of its parts.
func addParts(t ssa.Type, to map[ssa.Type]bool) {
	to[t] = true
	switch t := t.(type) {
	case ssa.Array:
		addParts(t.Elem, to)
	case *ssa.Struct:
		for _, f := range t.Fields {
			addParts(f.Type, to)
		}
	}
}
