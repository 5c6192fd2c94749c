package ssa

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Knot makes struct types that lead to themselves and to each other by pointers. No type of a field is there before
// the struct is, so that each struct begins without fields. When all have theirs, [Knot.Tie] gives the types, which are
// comparable with == like all others: there is one for each name and all that it leads to. Where a way leads back to
// its beginning, it comes through a struct with a name.
type Knot struct {
	structs []*Struct
	tied    map[*Struct]*Struct
}

// NewStruct begins a struct type.
func NewStruct(name string) *Struct { return &Struct{Name: name, recursive: name != ""} }

// SetFields gives a struct type that was begun its fields. It has no size before [Knot.Tie].
func (s *Struct) SetFields(fields ...Field) { s.Fields = fields }

// Add adds a struct type that was begun.
func (k *Knot) Add(s *Struct) { k.structs = append(k.structs, s) }

// IsRecursive reports whether a struct type has a name and leads to itself by pointers.
func (s *Struct) IsRecursive() bool { return s.recursive }

// knots holds the types with names of all knots made so far, by all that each one leads to.
var knots struct {
	sync.Mutex
	types map[string]*Struct
}

// Tie gives the type for each struct that was begun. All of them must lead to each other.
func (k *Knot) Tie() map[*Struct]*Struct {
	knots.Lock()
	defer knots.Unlock()
	if knots.types == nil {
		knots.types = make(map[string]*Struct)
	}
	for _, s := range k.structs {
		k.layOut(s)
	}
	k.tied = make(map[*Struct]*Struct)
	var made []*Struct
	for _, s := range k.structs {
		if !s.recursive {
			continue
		}
		key := k.key(s)
		same := knots.types[key]
		if same == nil || slices.Contains(k.structs, same) { // one that only looks like another one of this knot
			same = s
			made = append(made, s)
			knots.types[key] = s
		}
		k.tied[s] = same
	}
	for _, s := range made {
		for i := range s.Fields {
			s.Fields[i].Type = k.tie(s.Fields[i].Type)
		}
	}
	for _, s := range k.structs {
		k.tie(s)
	}
	return k.tied
}

// IsNameless reports whether structs without names lead back to themselves by others without names only, as in
// type T *struct{ next T }: there are no types for such.
func (k *Knot) IsNameless() bool {
	done := make(map[*Struct]bool) // false while its fields are looked into
	var circles func(t Type) bool
	circles = func(t Type) bool {
		switch t := t.(type) {
		case Array:
			return circles(t.Elem)
		case Slice:
			return circles(t.Elem)
		case Pointer:
			return circles(t.Elem)
		case *Struct:
			if t.recursive || !slices.Contains(k.structs, t) {
				return false
			}
			if whole, met := done[t]; met {
				return !whole
			}
			done[t] = false
			if slices.ContainsFunc(t.Fields, func(f Field) bool { return circles(f.Type) }) {
				return true
			}
			done[t] = true
		}
		return false
	}
	return slices.ContainsFunc(k.structs, func(s *Struct) bool { return circles(s) })
}

// layOut lays out the structs of this knot that a type contains, the innermost first.
func (k *Knot) layOut(t Type) {
	switch t := t.(type) {
	case Array:
		k.layOut(t.Elem)
	case *Struct:
		if t.align > 0 {
			return
		}
		for _, f := range t.Fields {
			k.layOut(f.Type)
		}
		t.layOut()
	}
}

// tie is a type with the types of this knot in the place of structs that were begun.
func (k *Knot) tie(t Type) Type {
	switch t := t.(type) {
	case Array:
		return Array{k.tie(t.Elem), t.Len}
	case Slice:
		return Slice{k.tie(t.Elem)}
	case Pointer:
		return Pointer{k.tie(t.Elem)}
	case *Struct:
		switch {
		case !slices.Contains(k.structs, t):
			return t
		case k.tied[t] == nil:
			fields := slices.Clone(t.Fields)
			for i := range fields {
				fields[i].Type = k.tie(fields[i].Type)
			}
			k.tied[t] = StructOf(t.Name, fields...)
		}
		return k.tied[t]
	}
	return t
}

// key writes all that a struct type leads to: a struct with a name is written where it is met first, and is a number
// after that.
func (k *Knot) key(s *Struct) string {
	numbers := make(map[*Struct]int)
	var b strings.Builder
	var write func(t Type)
	write = func(t Type) {
		switch t := t.(type) {
		case Array:
			fmt.Fprintf(&b, "[%d]", t.Len)
			write(t.Elem)
		case Slice:
			b.WriteString("[]")
			write(t.Elem)
		case Pointer:
			b.WriteString("*")
			write(t.Elem)
		case *Struct:
			n, met := numbers[t]
			switch {
			case !slices.Contains(k.structs, t):
				b.WriteString(identity(t))
				return
			case met:
				fmt.Fprintf(&b, "#%d", n)
				return
			case t.recursive:
				numbers[t] = len(numbers)
			}
			fmt.Fprintf(&b, "{%q", t.Name)
			for _, f := range t.Fields {
				fmt.Fprintf(&b, " %q ", f.Name)
				write(f.Type)
			}
			b.WriteString("}")
		default:
			b.WriteString(identity(t))
		}
	}
	write(s)
	return b.String()
}
