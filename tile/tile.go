package tile

// A Tile is an array of elements with one to three axes that the threads of a block hold together. The
// last index varies fastest. The elements are numbers, bools, [qd.Float16] or [qd.BFloat16], or structs of
// such.
//
// The zero Tile has no lengths: a variable of this type needs a value before it is used. Tiles are local to
// a kernel. They cannot be parameters of kernels, elements of slices or fields.
type Tile[T any] struct {
	data []T    // used by the functions in intrinsic.go alone
	rank int    // how many axes there are, from 0 to 3
	dims [3]int // their lengths; the axes are the last ones, and those before them have length 1
}

// Dim is the length along an axis, from 0 to one less than the number of axes. It is known at compile time.
func (t Tile[T]) Dim(axis int) int { return dim(t, axisOf(t, axis)) }

// Rank is the number of axes.
func (t Tile[T]) Rank() int { return rank(t) }

// Len is the number of elements. It is known at compile time.
func (t Tile[T]) Len() int { return dim(t, 0) * dim(t, 1) * dim(t, 2) }

// A place in a tile has three indices, as if it had three axes. A tile with fewer has the last ones, and
// the indices of the others are 0.
