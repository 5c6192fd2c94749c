package check

import (
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// A struct may contain pointers that lead back to its own type. The types that lead to each other in this way get their
// SSA types together, when the last of them has been looked into. They are found by R. Tarjan's method for strongly
// connected components ("Depth-first search and linear graph algorithms", 1972).

// A lookedInto is a type that is being looked into, or one inside of such types that leads back to one of these.
type lookedInto struct {
	typ   types.Type
	at    int         // its place in the list
	back  int         // the first place that it leads to
	shell *ssa.Struct // of a struct that one inside of it points to, before it has its fields
	done  ssa.Type    // what it will be, nil while it is looked into
	twice bool        // no struct, and looked into once more inside of itself
}

// looking are the types that are being looked into.
type looking struct {
	list    []*lookedInto
	inside  *lookedInto // the innermost one
	pointer int         // how many there were at the innermost pointer
}

func (l *looking) find(t types.Type) *lookedInto {
	for _, n := range l.list {
		if n.typ == t || genericOf(t) != nil && types.Identical(n.typ, t) {
			return n
		}
	}
	return nil
}

// leadsTo notes that the innermost type leads to a place in the list.
func (l *looking) leadsTo(at int) {
	if l.inside != nil {
		l.inside.back = min(l.inside.back, at)
	}
}

// lookInto is TypeOf of a type that is not known yet.
func (m *Types) lookInto(t types.Type) ssa.Type {
	l := &m.looking
	if u := types.Unalias(t); u != t {
		s, _ := m.TypeOf(u)
		return s
	}
	if n := l.find(t); n != nil {
		return m.again(n)
	}
	leave, ok := m.growing.enter(t)
	if !ok {
		return ssa.Invalid
	}
	defer leave()
	n := &lookedInto{typ: t, at: len(l.list), back: len(l.list)}
	outer, pointer := l.inside, l.pointer
	l.list, l.inside = append(l.list, n), n
	s := m.newType(t)
	l.inside, l.pointer = outer, pointer
	switch {
	case s == ssa.Invalid: // and so is what led to it
		l.list = l.list[:n.at]
	case n.back < n.at:
		n.done = s
		l.leadsTo(n.back)
		return s
	case len(l.list) > n.at+1 || n.shell != nil:
		m.tie(n)
		if memo, ok := m.types[t]; ok {
			return memo
		}
		return m.lookInto(t) // a pointer or an array, of which the structs are known now
	default:
		l.list = l.list[:n.at]
	}
	m.types[t] = s
	return s
}

// again is the type of one that is met inside of itself, or inside of another one that is.
func (m *Types) again(n *lookedInto) ssa.Type {
	l := &m.looking
	switch {
	case n.done != nil:
		l.leadsTo(n.back)
		return n.done
	case !IsStruct(n.typ):
		if n.twice {
			return ssa.Invalid
		}
		n.twice = true
		pointer := l.pointer
		s := m.newType(n.typ)
		l.pointer, n.twice = pointer, false
		return s
	case n.at >= l.pointer: // by value
		return ssa.Invalid
	}
	l.leadsTo(n.at)
	return m.shell(n)
}

// shell is the SSA type of a recursive struct, which may have no fields yet.
func (m *Types) shell(n *lookedInto) *ssa.Struct {
	if n.shell == nil {
		n.shell = ssa.NewStruct(m.structName(n.typ))
	}
	return n.shell
}

// newStruct is the SSA type of the struct that is being looked into.
func (m *Types) newStruct(fields []ssa.Field) ssa.Type {
	n := m.looking.inside
	if n.shell == nil && n.back == n.at {
		return ssa.StructOf(m.structName(n.typ), fields...)
	}
	s := m.shell(n)
	s.SetFields(fields...)
	return s
}

// tie gives the structs their types that lead to each other: those behind the place of n.
func (m *Types) tie(n *lookedInto) {
	knot := &ssa.Knot{}
	together := m.looking.list[n.at:]
	for _, n := range together {
		if n.shell != nil {
			knot.Add(n.shell)
		}
	}
	m.looking.list = m.looking.list[:n.at]
	if knot.IsNameless() {
		if m.nameless == nil {
			m.nameless = map[types.Type]bool{}
		}
		for _, n := range together {
			m.types[n.typ], m.nameless[n.typ] = ssa.Invalid, true
		}
		return
	}
	tied := knot.Tie()
	tooLarge := false
	for _, s := range tied {
		tooLarge = tooLarge || s.Size() > MaxTypeSize
	}
	for _, n := range together {
		if n.shell == nil {
			continue
		}
		if m.types[n.typ] = tied[n.shell]; tooLarge { // one that points to it can have no value either
			m.types[n.typ] = ssa.Invalid
		}
	}
}

// unsupportedKnot is UnsupportedType of a type that leads to itself by structs without names; "" for other types.
func (m *Types) unsupportedKnot(t types.Type) (why, hint string) {
	if !m.nameless[types.Unalias(t)] {
		return "", ""
	}
	return "a struct without a name that leads back to itself is not supported", "give the struct a name, as in type node struct{ next *node }"
}

// structName is the name that the SSA type of a struct has.
func (m *Types) structName(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return m.TypeString(n)
	}
	return ""
}
