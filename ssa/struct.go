package ssa

import (
	"fmt"
	"strings"

	"github.com/qdgen/qd/internal/memo"
)

// A Struct is a struct type. There is one *Struct for each name and list of
// fields, so that types stay comparable with ==: [StructOf] gives it.
type Struct struct {
	Name    string // the Go name, "Particle" or "geom.Box[float32]"; "" for a type without one
	Fields  []Field
	offsets []int
	size    int
	align   int

	recursive bool // it leads to itself by pointers: see [Knot]
}

// A Field is a field of a struct. An embedded one is named for its type.
type Field struct {
	Name string // "_" for a blank one
	Type Type
}

// structs holds the struct types made so far, by name and fields.
var structs memo.Map[string, *Struct]

// StructOf is the struct type of a name and fields. The fields lie as Go lays
// them out on 64-bit machines, which is how C++ does it too, but for what has no
// size: a field of no size takes no room, and a last one is padded so that its
// address stays within the struct.
func StructOf(name string, fields ...Field) *Struct {
	var key strings.Builder
	fmt.Fprintf(&key, "%q", name)
	for _, f := range fields {
		fmt.Fprintf(&key, " %q %s", f.Name, identity(f.Type))
	}
	if s, ok := structs.Load(key.String()); ok {
		return s
	}
	s := &Struct{Name: name, Fields: fields}
	s.layOut()
	s, _ = structs.LoadOrStore(key.String(), s)
	return s
}

// layOut finds where the fields lie.
func (s *Struct) layOut() {
	s.align = 1
	for i, f := range s.Fields {
		s.align = max(s.align, f.Type.Align())
		s.size = AlignUp(s.size, f.Type.Align())
		s.offsets = append(s.offsets, s.size)
		s.size += f.Type.Size()
		if i == len(s.Fields)-1 && f.Type.Size() == 0 && s.size > 0 {
			s.size++
		}
	}
	s.size = AlignUp(s.size, s.align)
}

// identity writes a type so that different types differ, where [Type.String] may
// write two struct types of one name alike.
func identity(t Type) string {
	switch t := t.(type) {
	case *Struct:
		return fmt.Sprintf("%p", t)
	case Array:
		return fmt.Sprintf("[%d]%s", t.Len, identity(t.Elem))
	case Slice:
		return "[]" + identity(t.Elem)
	case Pointer:
		return "*" + identity(t.Elem)
	}
	return t.String()
}

// AlignUp is the first multiple of align that is not less than n, which is not negative.
func AlignUp(n, align int) int { return (n + align - 1) / align * align }

func (s *Struct) String() string {
	if s.Name != "" {
		return s.Name
	}
	var b strings.Builder
	b.WriteString("struct{")
	for i, f := range s.Fields {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(f.Name + " " + f.Type.String())
	}
	return b.String() + "}"
}

// Size implements [Type].
func (s *Struct) Size() int { return s.size }

// Align implements [Type].
func (s *Struct) Align() int { return s.align }

// Offset is where field i begins, in bytes.
func (s *Struct) Offset(i int) int { return s.offsets[i] }

// IsAggregate reports whether t has parts that are values of their own: a struct
// or an array.
func IsAggregate(t Type) bool {
	switch t.(type) {
	case *Struct, Array:
		return true
	}
	return false
}

// IsComparable reports whether OpEq takes operands of type t: Go's rule, but for
// nil, which is OpIsNil's.
func IsComparable(t Type) bool {
	switch t := t.(type) {
	case Pointer:
		return true
	case Array:
		return IsComparable(t.Elem)
	case *Struct:
		for _, f := range t.Fields {
			if !IsComparable(f.Type) {
				return false
			}
		}
		return true
	}
	return t == Bool || IsNumeric(t)
}
