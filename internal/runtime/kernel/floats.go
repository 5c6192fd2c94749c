package kernel

import "reflect"

// Floats tells where in an element the floats are, so that code that goes over many elements asks reflect only once.
type Floats struct {
	Size             uintptr   // of an element
	All              int       // the bits of each if there is nothing else in the element, else 0
	Singles, Doubles []uintptr // the offsets of those with 32 and 64 bits
	Halves           []HalfAt
}

// A HalfAt is a number of 16 bits in an element.
type HalfAt struct {
	Offset uintptr
	Format Half
}

// FloatsOf finds the floats in elements of a type.
func FloatsOf(t reflect.Type) Floats {
	f := Floats{Size: t.Size()}
	EachFloat(t, 0, func(offset uintptr, bits int) {
		if bits == 32 {
			f.Singles = append(f.Singles, offset)
		} else {
			f.Doubles = append(f.Doubles, offset)
		}
	})
	EachHalf(t, 0, func(offset uintptr, format Half) { f.Halves = append(f.Halves, HalfAt{offset, format}) })
	switch f.Size {
	case 4 * uintptr(len(f.Singles)):
		f.All = 32
	case 8 * uintptr(len(f.Doubles)):
		f.All = 64
	}
	return f
}
