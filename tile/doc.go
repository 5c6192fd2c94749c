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
// [Load] and similar functions read a tile, and the Store methods write one. Elements outside the slice
// or the view are not accessed: they read as zero, or as a value that the call gives, and are not written.
// A Load reads its whole tile before the next statement runs, so a kernel can store a tile over the
// memory that it came from.
//
// # Arithmetic
//
// Methods such as [Tile.Add] work element by element. Two tiles match if their lengths are equal along
// each axis. An axis of length 1 is repeated as often as the other tile needs, and so is a missing axis: a
// tile with one axis is a row, and [Tile.Column] makes a column from it. Tiles that do not match are an
// error at compile time. [Tile.Map] and [Map2] apply any function.
//
// # Order of operations
//
// Results are the same on every device, to the last bit, except for products of some types. [Tile.Sum] and
// other reductions add the second half of an axis to the first half until one element is left. [Tile.Scan]
// goes from the first element to the last. [Dot] adds the products in the order of the index, each with
// one rounding, as [qd.FMA] does. [Tile.Sort] has the order of slices.Sort. Atomic operations on the same
// element, such as those of [AtomicAdd], happen in any order.
//
// GPUs with tensor cores use them for [DotTF32], and for [Dot] except of float32 and int32. Sums of int8
// are the same. For float64, four consecutive products may be added in another order. For [qd.Float16],
// [qd.BFloat16] and TF32, the products are exact and are added in float32, but the device chooses the
// order and the rounding of each step. So the last bits of a sum can differ from those on other devices.
// If they must not, convert the tiles to float32 first, and use [Dot] instead of DotTF32.
package tile
