package ssa

import (
	"fmt"
	"strconv"
)

// A Type is the type of a value. Types are comparable with ==: equal types are
// equal values.
type Type interface {
	// String is the type as the printer writes it: Go's notation.
	String() string
	// Size is the number of bytes the type takes in memory, on every device.
	Size() int
	// Align is the alignment of the type in bytes.
	Align() int
}

// Basic is a type without parts.
type Basic uint8

// The basic types. Go's int and uint are Int64 and Uint64 here. String is the
// type of compile-time strings only; Thread and Block are what a kernel's first
// parameter is: the place of the running thread, or of the block, in the launch.
const (
	Invalid Basic = iota
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
	String
	Thread
	BlockPlace
)

var basics = [...]struct {
	name string
	size int
}{
	Invalid: {"invalid", 0},
	Bool:    {"bool", 1},
	Int8:    {"int8", 1},
	Int16:   {"int16", 2},
	Int32:   {"int32", 4},
	Int64:   {"int64", 8},
	Uint8:   {"uint8", 1},
	Uint16:  {"uint16", 2},
	Uint32:  {"uint32", 4},
	Uint64:  {"uint64", 8},
	Float32: {"float32", 4},
	Float64: {"float64", 8},
	String:  {"string", 0},
	Thread:  {"thread", 0},

	BlockPlace: {"block", 0},
}

func (b Basic) String() string { return basics[b].name }

// Size implements [Type].
func (b Basic) Size() int { return basics[b].size }

// Align implements [Type].
func (b Basic) Align() int { return max(1, basics[b].size) }

// Slice is a one-dimensional view: a pointer to the first element and a length
// in elements, 64 bits each.
type Slice struct{ Elem Type }

func (s Slice) String() string { return "[]" + s.Elem.String() }

// Size implements [Type].
func (Slice) Size() int { return 16 }

// Align implements [Type].
func (Slice) Align() int { return 8 }

// HasSlices reports whether values of a type have slices in them.
func HasSlices(t Type) bool {
	switch t := t.(type) {
	case Slice:
		return true
	case Array:
		return t.Len > 0 && HasSlices(t.Elem)
	case *Struct:
		for _, f := range t.Fields {
			if HasSlices(f.Type) {
				return true
			}
		}
	}
	return false
}

// Pointer is the address of an element, of a local variable, or of a part of one.
// The zero pointer is nil.
type Pointer struct{ Elem Type }

func (p Pointer) String() string { return "*" + p.Elem.String() }

// Size implements [Type].
func (Pointer) Size() int { return 8 }

// Align implements [Type].
func (Pointer) Align() int { return 8 }

// Array is a fixed number of elements, a value as in Go.
type Array struct {
	Elem Type
	Len  int
}

func (a Array) String() string { return "[" + strconv.Itoa(a.Len) + "]" + a.Elem.String() }

// Size implements [Type].
func (a Array) Size() int { return a.Len * a.Elem.Size() }

// Align implements [Type].
func (a Array) Align() int { return a.Elem.Align() }

// IsInteger reports whether t is one of the sized integers.
func IsInteger(t Type) bool { b, ok := t.(Basic); return ok && b >= Int8 && b <= Uint64 }

// IsSigned reports whether t is a signed integer.
func IsSigned(t Type) bool { b, ok := t.(Basic); return ok && b >= Int8 && b <= Int64 }

// IsUnsigned reports whether t is an unsigned integer.
func IsUnsigned(t Type) bool { b, ok := t.(Basic); return ok && b >= Uint8 && b <= Uint64 }

// IsFloat reports whether t is float32 or float64.
func IsFloat(t Type) bool { return t == Float32 || t == Float64 }

// IsNumeric reports whether t is an integer or a float.
func IsNumeric(t Type) bool { return IsInteger(t) || IsFloat(t) }

// Bits is the width of a numeric type.
func Bits(t Type) int {
	if !IsNumeric(t) {
		panic(fmt.Sprintf("BUG: Bits of %v", t))
	}
	return t.Size() * 8
}
