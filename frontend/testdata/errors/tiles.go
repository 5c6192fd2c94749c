package errors

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

//qd:kernel
func tileLengthOfSlice(b qd.Block, x []float32) {
	t := tile.Load(b, x, 0, len(x)) // want "a length of a tile is not known at compile time: the length of x is known only when the kernel runs"
	t.Store(x, 0)
}

//qd:kernel
func tileOfNothing(b qd.Block, x []float32) {
	tile.Load(b, x, 0, 0).Store(x, 0)       // want "a tile with a length of 0"
	tile.Zeros2[int](b, 1<<11, 1<<11).Sum() // want "a tile with a length of 2048"
}

//qd:kernel
func tileMismatch(b qd.Block, x []float32) {
	s, u := tile.Load(b, x, 0, 32), tile.Load(b, x, 0, 64)
	s.Add(u).Store(x, 0) // want "tiles of 32 and 64 elements do not match"
	v := tile.Zeros2[float32](b, 16, 8)
	tile.Dot(v, v, v).SumAxis(0).Store(x, 0)          // want "Dot of tiles that do not match"
	tile.Dot(v, v.T(), v).SumAxis(0).Store(x, 0)      // want "Dot with a sum of other lengths"
	tile.Dot(v, v.T(), tile.Zeros2[int32](b, 16, 16)) // want "Dot with a sum of another type"
	tile.DotTF32(v, v, v)                             // want "Dot of tiles that do not match"
	tile.Dot(s, s, s)                                 // want "Dot multiplies tiles of two axes"
	w := tile.Zeros3[float32](b, 2, 16, 16)
	tile.Dot(w, w, v)                                               // want "Dot multiplies tiles of two axes"
	tile.Dot(w, w, tile.Zeros3[float32](b, 3, 16, 16))              // want "Dot of tiles with other numbers of matrices"
	v.Store(x, 0)                                                   // want "Store writes tiles of one axis"
	x[0] = v.SumAxis(2).Sum()                                       // want "a tile of 16x8 elements has no axis 2"
	x[1] = float32(v.Dim(2))                                        // want "a tile of 16x8 elements has no axis 2"
	v.AddScalar(1).Reshape2(4, 4).Store2(qd.ViewOf2(x, 4, 4), 0, 0) // want "Reshape2 keeps the number of elements"
	s.Sum()
}

//qd:kernel
func tileParameter(b qd.Block, t tile.Tile[float32], x []float32) { // want "parameter t has type tile.Tile\\[float32\\]: a tile belongs to one block of one launch"
	t.Store(x, 0)
}

type withTile struct{ sum tile.Tile[float32] }

//qd:kernel
func tileInStruct(b qd.Block, x []float32) {
	var s withTile // want "variable s has type withTile: field sum: a tile stands alone"
	s.sum.Store(x, 0)
}

//qd:kernel
func tileAddress(b qd.Block, x []float32) {
	t := tile.Load(b, x, 0, 16) // want "a tile has no address"
	p := &t
	p.Store(x, 0)
}

//qd:kernel
func tileShared(b qd.Block, x []float32) {
	s := qd.Shared[tile.Tile[float32]](b, 4) // want "shared memory cannot hold elements of type tile.Tile\\[float32\\]"
	s[0].Store(x, 0)
}

//qd:kernel
func tileOfSlices(b qd.Block, x []float32) {
	var e tile.Tile[struct{}] // want "variable e has type tile.Tile\\[struct\\{\\}\\]: tiles of elements without a size are not supported"
	_ = e
	tile.Full(b, 4, x).Dim(0) // want "a tile cannot have elements of type \\[\\]float32"
}

//qd:kernel
func tileInLane(b qd.Block, x []float32) {
	t := tile.Load(b, x, 0, 16)
	b.For(16, func(lane int) {
		x[lane] = t.Sum() // want "tiles are made by a whole block, and this is in the body of For"
	})
	t.Map(func(v float32) float32 {
		return v - t.Max() // want "tiles are made by a whole block, and this is in the body of an operation on tiles"
	}).Store(x, 0)
}

//qd:kernel
func tileWithoutLengths(b qd.Block, x []float32) {
	var t tile.Tile[float32]
	t.Store(x, 0) // want "tile t has no lengths here"
}

//qd:kernel
func tileGrows(b qd.Block, x []float32) {
	t := tile.Load(b, x, 0, 16)
	for range len(x) { // want "t has tiles of 16 elements and of 32 elements here"
		t = tile.Load(b, x, 0, 32)
	}
	t.Store(x, 0)
}

//qd:kernel
func tileOfEither(b qd.Block, x []float32) {
	var t tile.Tile[float32]
	if x[0] > 0 { // want "t has tiles of 16 elements and of no lengths here"
		t = tile.Load(b, x, 0, 16)
	}
	_ = t
}

//qd:kernel
func tileOfEitherAndMore(b qd.Block, x []float32) {
	t := tile.Load(b, x, 0, 16)
	t.Reshape2(3, 3).Sum()  // want "Reshape2 keeps the number of elements"
	for i := range len(x) { // want "t has tiles of 16 elements and of 32 elements here"
		if i == 3 {
			t = tile.Load(b, x, 0, 32)
			break
		}
		t = tile.Load(b, x, 0, 8)
	}
	t.Store(x, 0)
}

func early(b qd.Block, x []float32) tile.Tile[float32] { // want "^the result has tiles of 16 elements and of 32 elements here"
	if x[0] > 0 {
		return tile.Load(b, x, 0, 16)
	}
	return tile.Load(b, x, 0, 32)
}

//qd:kernel
func tileReturned(b qd.Block, x []float32) {
	early(b, x).Store(x, 0)
}

//qd:kernel
func tileWrites(b qd.Block, x []float32) {
	n := 0
	tile.Load(b, x, 0, 16).Map(func(v float32) float32 {
		n++ // want "n is declared outside the parallel loop"
		return v
	}).Store(x, n)
}

//qd:kernel
func tileNoArithmetic(b qd.Block, x []bool) {
	t := tile.Load(b, x, 0, 16)
	t.Add(t).Store(x, 0)  // want "the elements of this tile have no arithmetic"
	t.Less(t).Store(x, 0) // want "bools have no order"
}

func tileSum(b qd.Block, list ...tile.Tile[int32]) tile.Tile[int32] { // want "parameter list has type \\[\\]tile.Tile\\[int32\\]: a tile stands alone"
	s := tile.Zeros[int32](b, 8)
	for _, t := range list {
		s = s.Add(t)
	}
	return s
}

//qd:kernel
func tileVariadic(b qd.Block, x []int32) {
	t := tile.Load(b, x, 0, 8)
	tileSum(b, t, t).Store(x, 0)
}

//qd:kernel
func tileAxis(b qd.Block, x []float32, n int) {
	t := tile.Zeros2[float32](b, 16, 8)
	t.SumAxis(n).Store(x, 0) // want "the axis is not known at compile time: n is a runtime parameter"
}

//qd:kernel
func tileOrder(b qd.Block, x []float32, mask []bool, k int) {
	t, u := tile.Zeros2[float32](b, 4, 8), tile.Zeros3[float32](b, 2, 4, 8)
	t.Sort(2).Store2(qd.ViewOf2(x, 4, 8), 0, 0)                      // want "a tile of 4x8 elements has no axis 2"
	t.TopK(1, 9).Sum()                                               // want "TopK of more elements than there are along the axis"
	t.TopK(1, k).Sum()                                               // want "an argument is not known at compile time: k is a runtime parameter" "a length of a tile is not known at compile time"
	u.Permute(0, 1, 1).Sum()                                         // want "Permute takes each axis once"
	u.Expand(0).Sum()                                                // want "a tile has at most three axes"
	t.Broadcast3(2, 4, 9).Sum()                                      // want "the tile does not repeat to these lengths"
	t.Take(1, tile.Arange(b, 0, 4)).Sum()                            // want "Take with indices of another number of axes"
	t.Take(0, tile.Arange(b, 0, 4).Row()).Sum()                      // want "Take with indices that do not match"
	tile.Cat(0, t, t.T()).Sum()                                      // want "Cat of tiles that do not match"
	tile.Join(t, t.T()).Sum()                                        // want "Join is for tiles of equal lengths"
	t.Split()                                                        // want "Split is for tiles of several axes whose last one has length 2"
	tile.Load(b, mask, 0, 4).Sort(0).Store(mask, 0)                  // want "bools have no order"
	tile.AtomicAdd(t, x, tile.Arange(b, 0, 16).Reshape2(8, 2)).Sum() // want "tiles of 4x8 and 8x2 elements do not match"
	tile.AtomicAddAt(t, x, 0)                                        // want "AtomicAddAt adds tiles of one axis"
}

type tileRow tile.Tile[float32]

//qd:kernel
func tileLiteral(b qd.Block, x []float32) {
	tile.Tile[float32]{}.Store(x, 0) // want "this tile has no lengths here"
}

//qd:kernel
func tileRowLiteral(b qd.Block, x []float32) {
	r := tileRow{}
	tile.Tile[float32](r).Store(x, 0) // want "tile r has no lengths here"
}

//qd:kernel
func tileParts(b qd.Block, x []float32) {
	p := &tile.Tile[float32]{} // want "a tile has no address"
	p.Store(x, 0)
	_ = []tileRow{} // want "a tile stands alone"
}

//qd:kernel
func tileDefined(b qd.Block, r tileRow, x []float32) { // want "parameter r has type tileRow: a tile belongs to one block of one launch"
	tile.Tile[float32](r).Store(x, 0)
}

//qd:kernel
func tileStatic(b qd.Block, x []float32) {
	t := tile.Load(b, x, 0, 16)
	u := qd.Static(t) // want "argument of qd.Static is not known at compile time: the elements of t are known only when the kernel runs"
	u.Store(x, 0)
	s := t.Sum()
	x[0] = qd.Static(s)                             // want "the elements of a tile are known only when the kernel runs"
	x[1] = qd.Static(2 * t.AddScalar(1).Max())      // want "the elements of a tile are known only when the kernel runs"
	tile.Load(b, x, 0, int(t.Sum())).Store(x, 0)    // want "a length of a tile is not known at compile time: the elements of a tile are known only when the kernel runs"
	x[2] = float32(qd.Static(t.Len() + t.Dim(0)*2)) // they are
}

//qd:kernel
func tileRefusedBefore(b qd.Block, n int, x []float32) {
	t := tile.Load(b, x, 0, 16)
	t = tile.Zeros[float32](b, n) // want "a length of a tile is not known at compile time: n is a runtime parameter"
	t.Add(tile.Load(b, x, 0, 32)).Store(x, 0)
}

//qd:kernel
func tileOfNilFunction(b qd.Block, x []float32) {
	var f func(float32) float32
	t := tile.Load(b, x, 0, 2)
	t.Map(f).Store(x, 0)                                        // want "Map is given a function that is nil here"
	tile.Map2[float32, float32, float32](t, t, nil).Store(x, 0) // want "Map2 is given a function that is nil here"
	t.Scan(nil).Store(x, 0)                                     // want "Scan is given a function that is nil here"
	t.Map(func(v float32) float32 { return f(v) }).Store(x, 0)  // want "f is nil here"
}
