package eval

import (
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A pointer that is made by way of unsafe.Pointer leads to numbers as numbers of another type. The running kernel has
// none: each number that is read or written through it is made of the bits of those that are there.

// A View is what such a pointer leads to.
type View struct {
	Base *ssa.Value // a slice of numbers, or the address of a number or of an array
	At   *ssa.Value // the number of it at which the view begins, an int64; nil for the first one
	Of   ssa.Type   // of the numbers that are there
	Len  int        // how many there are, where Base is an address

	Slice bool // Base is the slice whose elements are those of the array that the pointer leads to
}

// Pointer is a pointer of a type that leads to the view.
func (w *View) Pointer(t types.Type) *ssa.Value {
	return (&FrontValue{Kind: comptime.Pointer, Typ: t, view: w}).Value()
}

// ViewOf is the view that a pointer leads to, with the type of the pointer; nil for another value.
func ViewOf(v *ssa.Value) (*View, types.Type) {
	if f := FrontOf(v); f != nil && f.view != nil {
		return f.view, f.Typ
	}
	return nil, nil
}

// sameView reports whether two views are the same for sure.
func sameView(b *Values, x, y *View) bool {
	if x == nil || y == nil {
		return x == y
	}
	return b.sameValue(x.Base, y.Base) && (x.At == y.At || x.At != nil && y.At != nil && b.sameValue(x.At, y.At))
}
