package peers

import (
	"github.com/qdgen/qd"
	tiles "github.com/qdgen/qd/tile" // tile is a type of this package
)

// More kernels for Triton's test_core.py: tiles whose elements change places, scans, products with what follows them, loads and
// stores. Tiles of two axes have 8 rows of 16.

//qd:kernel
func rowsSort[T qd.Number](b qd.Block, descending qd.Const[bool], x, out []T) {
	t := tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16)
	if descending.V {
		t.SortDescending(1).Store2(qd.ViewOf2(out, 8, 16), 0, 0)
	} else {
		t.Sort(1).Store2(qd.ViewOf2(out, 8, 16), 0, 0)
	}
}

//qd:kernel
func rowsTopK(b qd.Block, x, out []int32) {
	tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16).TopK(1, 4).Store2(qd.ViewOf2(out, 8, 4), 0, 0)
}

//qd:kernel
func rowsFlip(b qd.Block, axis qd.Const[int], x, out []int32) {
	tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16).Flip(axis.V).Store2(qd.ViewOf2(out, 8, 16), 0, 0)
}

//qd:kernel
func rowsCat(b qd.Block, x, y, out []int32) {
	tiles.Cat(0, tiles.Load(b, x, 0, 16), tiles.Load(b, y, 0, 16)).Store(out, 0)
}

//qd:kernel
func rowsJoin(b qd.Block, x, y, out []int32) {
	tiles.Join(tiles.Load(b, x, 0, 16), tiles.Load(b, y, 0, 16)).Store2(qd.ViewOf2(out, 16, 2), 0, 0)
}

//qd:kernel
func rowsJoin2(b qd.Block, x, y, out []int32) {
	tiles.Join(tiles.Load(b, x, 0, 16).Reshape2(4, 4), tiles.Load(b, y, 0, 16).Reshape2(4, 4)).Store3(qd.ViewOf3(out, 4, 4, 2), 0, 0, 0)
}

//qd:kernel
func rowsInterleave(b qd.Block, x, y, out []int32) {
	tiles.Interleave(tiles.Load(b, x, 0, 16), tiles.Load(b, y, 0, 16)).Store(out, 0)
}

//qd:kernel
func rowsSplit(b qd.Block, x, out []int32) {
	p, q := tiles.Load2(b, qd.ViewOf2(x, 16, 2), 0, 0, 16, 2).Split()
	p.Store(out, 0)
	q.Store(out, 16)
}

//qd:kernel
func rowsGather(b qd.Block, axis qd.Const[int], x []int32, at []int, out []int32) {
	t := tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16)
	t.Take(axis.V, tiles.Load2(b, qd.ViewOf2(at, 8, 16), 0, 0, 8, 16)).Store2(qd.ViewOf2(out, 8, 16), 0, 0)
}

//qd:kernel
func rowsPermute(b qd.Block, x, out []int32) {
	tiles.Load3(b, qd.ViewOf3(x, 2, 4, 16), 0, 0, 0, 2, 4, 16).Permute(2, 0, 1).Store3(qd.ViewOf3(out, 16, 2, 4), 0, 0, 0)
}

//qd:kernel
func rowsDotHalf[T qd.Storage](b qd.Block, x, y []T, out []float32) {
	s, t := tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16), tiles.Load2(b, qd.ViewOf2(y, 16, 8), 0, 0, 16, 8)
	tiles.Dot(s, t, tiles.Zeros2[float32](b, 8, 8)).Store2(qd.ViewOf2(out, 8, 8), 0, 0)
}

// rowsDotThen is a product, and what a test calls its epilogue.
//
//qd:kernel
func rowsDotThen(b qd.Block, then qd.Const[string], x, y, z, out []float32) {
	t := tiles.Dot(tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16), tiles.Load2(b, qd.ViewOf2(y, 16, 8), 0, 0, 16, 8), tiles.Zeros2[float32](b, 8, 8))
	line := tiles.Load(b, z, 0, 8)
	switch then.V {
	case "add-matrix":
		t = t.Add(tiles.Load2(b, qd.ViewOf2(z, 8, 8), 0, 0, 8, 8))
	case "add-rows":
		t = t.Add(line.Column())
	case "add-cols":
		t = t.Add(line.Row())
	case "softmax":
		t = tiles.Exp(t.Sub(t.MaxAxis(1).Column()).MulScalar(0.01))
		t = t.Div(t.SumAxis(1).Column())
	case "chain-dot":
		t = tiles.Dot(t, tiles.Load2(b, qd.ViewOf2(z, 8, 8), 0, 0, 8, 8), tiles.Zeros2[float32](b, 8, 8))
	}
	t.Store2(qd.ViewOf2(out, 8, 8), 0, 0)
}

//qd:kernel
func rowsDotTF32(b qd.Block, x, y, out []float32) {
	s, t := tiles.Load(b, x, 0, 64).Reshape2(8, 8), tiles.Load(b, y, 0, 64).Reshape2(8, 8)
	tiles.DotTF32(s, t, tiles.Zeros2[float32](b, 8, 8)).Reshape(64).Store(out, 0)
}

//qd:kernel
func rowsDotBatch(b qd.Block, x, y, out []float32) {
	s, t := tiles.Load(b, x, 0, 96).Reshape3(3, 4, 8), tiles.Load(b, y, 0, 96).Reshape3(3, 8, 4)
	tiles.Dot(s, t, tiles.Zeros3[float32](b, 3, 4, 4)).Reshape(48).Store(out, 0)
}

//qd:kernel
func rowsDotBroadcast(b qd.Block, x, y, out []float32) {
	s := tiles.Load(b, x, 0, 16).Row().Broadcast2(8, 16).Mul(tiles.Load(b, y, 0, 8).Column())
	tiles.Dot(s, tiles.Full2(b, 16, 8, float32(2)), tiles.Zeros2[float32](b, 8, 8)).Store2(qd.ViewOf2(out, 8, 8), 0, 0)
}

//qd:kernel
func rowsScan(b qd.Block, op qd.Const[string], axis qd.Const[int], backward qd.Const[bool], x, out []int32) {
	t := tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16)
	if backward.V {
		t = t.Flip(axis.V)
	}
	switch op.V {
	case "cumsum":
		t = t.CumSum(axis.V)
	case "cumprod":
		t = t.CumProd(axis.V)
	case "cummax":
		t = t.CumMax(axis.V)
	case "first":
		t = t.ScanAxis(axis.V, func(x, y int32) int32 { return x })
	}
	if backward.V {
		t = t.Flip(axis.V)
	}
	t.Store2(qd.ViewOf2(out, 8, 16), 0, 0)
}

type recurrence struct{ A, B float64 }

//qd:kernel
func rowsRecurrence(b qd.Block, x, y, out []float64) {
	t := tiles.Map2(tiles.Load(b, x, 0, 16), tiles.Load(b, y, 0, 16), func(a, b float64) recurrence { return recurrence{a, b} })
	s := t.Scan(func(p, q recurrence) recurrence { return recurrence{p.A * q.A, q.A*p.B + q.B} })
	tiles.Map(s, func(p recurrence) float64 { return p.B }).Store(out, 0)
}

//qd:kernel
func rowsReduce3(b qd.Block, axis qd.Const[int], x, out []int32) {
	tiles.Load3(b, qd.ViewOf3(x, 4, 4, 8), 0, 0, 0, 4, 4, 8).SumAxis(axis.V).Reshape(128/tiles.Load3(b, qd.ViewOf3(x, 4, 4, 8), 0, 0, 0, 4, 4, 8).Dim(axis.V)).Store(out, 0)
}

//qd:kernel
func rowsReduceOf[T qd.Number](b qd.Block, x, out []T) {
	t := tiles.Load(b, x, 0, 16)
	tiles.Full(b, 1, t.Sum()).Store(out, 0)
	tiles.Full(b, 1, t.Max()).Store(out, 1)
	tiles.Full(b, 1, t.Min()).Store(out, 2)
	tiles.Full(b, 1, t.Prod()).Store(out, 3)
}

//qd:kernel
func rowsArgMax(b qd.Block, x []float32, out []int) {
	t := tiles.Load(b, x, 0, 16)
	tiles.Full(b, 1, t.ArgMax()).Store(out, 0)
	tiles.Full(b, 1, t.ArgMin()).Store(out, 1)
}

//qd:kernel
func rowsAny(b qd.Block, x []int32, out []bool) {
	m := tiles.Load(b, x, 0, 16).GreaterScalar(10)
	tiles.Full(b, 1, tiles.Any(m)).Store(out, 0)
	tiles.Full(b, 1, tiles.All(m)).Store(out, 1)
	tiles.Not(m).Store(out, 2)
}

//qd:kernel
func rowsEdges(b qd.Block, x []float32, out []float32) {
	t := tiles.Load2Or(b, qd.ViewOf2(x, 8, 16), -2, 11, 8, 8, -1)
	t.Store2(qd.ViewOf2(out, 8, 16), 5, -3)
}

//qd:kernel
func rowsMaskedScalar(b qd.Block, n int, x, out []float32) {
	at := tiles.Full(b, 16, 4)
	tiles.GatherOr(b, x, at, tiles.Arange(b, 0, 16).LessScalar(n), 9).Store(out, 0)
}

//qd:kernel
func rowsMaskedDot(b qd.Block, x, y []float32, m, n int, out []float32) {
	rows, columns := tiles.Arange(b, 0, 8).Column(), tiles.Arange(b, 0, 16).Row()
	at := rows.MulScalar(16).Add(columns)
	seen := tiles.Map2(rows, columns, func(i, j int) bool { return i < m && j < n })
	s := tiles.GatherOr(b, x, at, seen, 0)
	t := tiles.GatherOr(b, y, at, seen, 0)
	tiles.Dot(s, t.T(), tiles.Zeros2[float32](b, 8, 8)).Store2(qd.ViewOf2(out, 8, 8), 0, 0)
}

//qd:kernel
func rowsAtomics[T qd.Atomic](b qd.Block, op qd.Const[string], x []T, out []T) {
	v, at := tiles.Load(b, x, 0, 16), tiles.Arange(b, 0, 16).Map(func(i int) int { return i % 3 })
	switch op.V {
	case "max":
		tiles.AtomicMax(v, out, at)
	case "min":
		tiles.AtomicMin(v, out, at)
	case "add":
		tiles.AtomicAdd(v, out, at)
	}
}

//qd:kernel
func rowsExchange(b qd.Block, x, memory, out []int32) {
	tiles.AtomicExch(tiles.Load(b, x, 0, 16), memory, tiles.Arange(b, 0, 16)).Store(out, 0)
	tiles.AtomicCAS(tiles.Full(b, 16, int32(3)), tiles.Full(b, 1, int32(-3)), memory, tiles.Arange(b, 0, 16))
	tiles.Load(b, memory, 0, 16).Store(out, 16)
}

//qd:kernel
func rowsRandom(b qd.Block, seed uint64, out []float32) {
	tiles.RandFloat32(seed, tiles.Arange(b, 0, 256)).Store(out, 0)
}

//qd:kernel
func rowsCopy(b qd.Block, rows qd.Const[int], x, out []float32) {
	from := b.ID() * rows.V
	tiles.Load(b, x, from, rows.V).Store(out, from)
}

// rowsAddOne is a kernel that works in place: each trial of it would add once more.
//
//qd:kernel
func rowsAddOne(b qd.Block, size qd.Const[int], x []float32) {
	from := b.ID() * size.V
	tiles.Load(b, x, from, size.V).AddScalar(1).Store(x, from)
}

//qd:kernel
func rowsSortAll(b qd.Block, size qd.Const[int], x []float32) {
	tiles.Load(b, x, 0, size.V).Sort(0).Store(x, 0)
}
