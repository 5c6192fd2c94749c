// Package tile has values that the threads of a block hold together, for kernels whose first
// parameter is a [qd.Block]:
//
//	//qd:kernel
//	func addTiles(b qd.Block, size qd.Const[int], x, y, z []float32) {
//		from := b.ID() * size.V
//		a := tile.Load(b, x, from, size.V)
//		a.Add(tile.Load(b, y, from, size.V)).Store(z, from)
//	}
//
// A [Tile] has one to three axes. Its lengths along them are known at compile time: constants, the
// V of a [qd.Const], and what is computed from these. Tiles are values: operations make new ones and
// change none. What a tile is kept in, registers or memory of the block, is decided for each target.
//
// # Memory
//
// [Load] and its kin read a tile, and the Store methods write one. What lies outside of a slice or a
// view is not touched: it is read as zero, or as another value that the call gives, and is not
// written. A tile is read as a whole before anything that stands behind the Load is done, so a kernel may
// store a tile over the memory that it came from.
//
// # Arithmetic
//
// Methods such as [Tile.Add] work element by element. Two tiles match if their lengths are equal along each
// axis; an axis of length 1 is repeated as often as the other tile needs it, and so is an axis that a tile lacks: a
// tile of one axis is a row, and [Tile.Column] makes a column of it. What does not match is an error at compile
// time. [Tile.Map] and [Map2] apply any function.
//
// # Order of operations
//
// Results are the same on every device, to the last bit, but for products of some kinds of numbers. [Tile.Sum] and other
// reductions add the second half of an axis to the first half until one element is left. [Tile.Scan] goes from the first element
// to the last. [Dot] adds the products in the order of the index, each with one rounding, as [qd.FMA] does.
// [Tile.Sort] has the order of slices.Sort. Atomic operations that meet, such as those of [AtomicAdd], come in any order.
//
// GPUs with tensor cores compute [Dot] there, except of float32 and int32, and [DotTF32]. Sums of int8 are the same. Of float64, four
// products that follow each other may be added in another order. Of [qd.Float16], [qd.BFloat16] and TF32, the products are exact, but the order
// in which they are added in float32, and the rounding of each step, is that of the device: the last bits of a sum may differ
// from those on other devices. Convert the tiles to float32 first if they must not, and use [Dot] rather than DotTF32.
package tile
