package peers

import (
	"github.com/qdgen/qd"
	tiles "github.com/qdgen/qd/tile" // tile is a type of this package
)

// Kernels for Triton's test_core.py: tiles of 16 elements, or of 8 rows of 16.

//qd:kernel
func coreBinary[T qd.Number](b qd.Block, op qd.Const[string], x, y, out []T) {
	s, t := tiles.Load(b, x, 0, 16), tiles.Load(b, y, 0, 16)
	switch op.V {
	case "+":
		s = s.Add(t)
	case "-":
		s = s.Sub(t)
	case "*":
		s = s.Mul(t)
	case "/":
		s = s.Div(t)
	case "min":
		s = s.Minimum(t)
	case "max":
		s = s.Maximum(t)
	}
	s.Store(out, 0)
}

//qd:kernel
func coreShifts(b qd.Block, x, y, out []uint32) {
	s, t := tiles.Load(b, x, 0, 16), tiles.Load(b, y, 0, 16)
	shifted := tiles.Map2(s, t, func(x, y uint32) uint32 { return x<<(y%40) ^ x>>(y%40) })
	tiles.Map2(shifted, s, func(x, y uint32) uint32 { return x&y | x&^y }).Store(out, 0)
}

//qd:kernel
func coreCompare(b qd.Block, x, y []float32, out []int32) {
	s, t := tiles.Load(b, x, 0, 16), tiles.Load(b, y, 0, 16)
	bit := func(m tiles.Tile[bool], n int32) tiles.Tile[int32] {
		return tiles.Map(m, func(m bool) int32 {
			if m {
				return n
			}
			return 0
		})
	}
	bits := bit(s.Less(t), 1).Add(bit(s.LessEqual(t), 2)).Add(bit(s.Greater(t), 4)).Add(bit(s.GreaterEqual(t), 8))
	bits.Add(bit(s.Equal(t), 16)).Add(bit(s.NotEqual(t), 32)).Store(out, 0)
}

//qd:kernel
func coreWhere(b qd.Block, mask []bool, x, y, out []float32) {
	m := tiles.Load(b, mask, 0, 8).Column()
	tiles.Where(m, tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16), tiles.Load(b, y, 0, 16)).Store2(qd.ViewOf2(out, 8, 16), 0, 0)
}

//qd:kernel
func coreMath(b qd.Block, x, out []float64) {
	t := tiles.Load(b, x, 0, 16)
	tiles.Sqrt(tiles.Abs(t)).Add(tiles.Floor(t)).Add(t.Neg()).Store(out, 0)
}

//qd:kernel
func coreBroadcast(b qd.Block, x, y, out []int32) {
	rows, columns := tiles.Load(b, x, 0, 8), tiles.Load(b, y, 0, 16)
	rows.Column().Broadcast2(8, 16).Add(columns.Row()).Store2(qd.ViewOf2(out, 8, 16), 0, 0)
}

//qd:kernel
func coreAtomic(b qd.Block, x, out []int32) {
	t := tiles.Load(b, x, 0, 16)
	tiles.AtomicAdd(t, out, tiles.Arange(b, 0, 16).Map(func(i int) int { return i % 3 }))
}

//qd:kernel
func coreCast[T, U qd.Number](b qd.Block, x []T, out []U) {
	tiles.Convert[U](tiles.Load(b, x, 0, 16)).Store(out, 0)
}

//qd:kernel
func coreSamePointer(b qd.Block, out []int32) {
	t := tiles.Load(b, out, 0, 16)
	t.Add(t).Store(out, 0)
}

//qd:kernel
func coreReduce(b qd.Block, x, out []int32) {
	t := tiles.Load(b, x, 0, 16)
	tiles.Full(b, 1, t.Sum()).Store(out, 0)
	tiles.Full(b, 1, t.Max()).Store(out, 1)
	tiles.Full(b, 1, t.Min()).Store(out, 2)
	tiles.Full(b, 1, int32(t.ArgMax())).Store(out, 3)
	tiles.Full(b, 1, int32(t.ArgMin())).Store(out, 4)
	tiles.Full(b, 1, t.Reduce(func(x, y int32) int32 { return x ^ y })).Store(out, 5)
}

//qd:kernel
func coreReduce2(b qd.Block, axis qd.Const[int], x, out []int32) {
	t := tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16)
	t.SumAxis(axis.V).Store(out, 0)
	t.MaxAxis(axis.V).Store(out, 16)
	tiles.Convert[int32](t.ArgMinAxis(axis.V)).Store(out, 32)
}

//qd:kernel
func coreChain(b qd.Block, first qd.Const[int], x, out []int32) {
	t := tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16)
	tiles.Full(b, 1, t.SumAxis(first.V).Sum()).Store(out, 0)
}

//qd:kernel
func coreScan(b qd.Block, axis qd.Const[int], x, out []int32) {
	t := tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16)
	t.CumSum(axis.V).Store2(qd.ViewOf2(out, 8, 16), 0, 0)
}

type meanOf struct {
	Mean, M2, Weight float64
}

// coreWelford is a reduction of structs, for which test_generic_reduction takes three tensors.
//
//qd:kernel
func coreWelford(b qd.Block, x, out []float64) {
	r := tiles.Map(tiles.Load(b, x, 0, 16), func(x float64) meanOf { return meanOf{x, 0, 1} }).Reduce(func(p, q meanOf) meanOf {
		d, w := q.Mean-p.Mean, p.Weight+q.Weight
		return meanOf{p.Mean + d*q.Weight/w, p.M2 + q.M2 + d*d*p.Weight*q.Weight/w, w}
	})
	tiles.Full(b, 1, r.Mean).Store(out, 0)
	tiles.Full(b, 1, r.M2/16).Store(out, 1)
}

//qd:kernel
func coreDot[T float32 | float64 | int32](b qd.Block, x, y, sum, out []T) {
	s := tiles.Dot(tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16), tiles.Load2(b, qd.ViewOf2(y, 16, 8), 0, 0, 16, 8), tiles.Load2(b, qd.ViewOf2(sum, 8, 8), 0, 0, 8, 8))
	s.Store2(qd.ViewOf2(out, 8, 8), 0, 0)
}

//qd:kernel
func coreDotInt8(b qd.Block, x, y []int8, out []int32) {
	s := tiles.Dot(tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16), tiles.Load2(b, qd.ViewOf2(y, 8, 16), 0, 0, 8, 16).T(), tiles.Zeros2[int32](b, 8, 8))
	s.Store2(qd.ViewOf2(out, 8, 8), 0, 0)
}

//qd:kernel
func coreMasked(b qd.Block, n int, x, out []int32) {
	i := tiles.Arange(b, 0, 16)
	tiles.GatherOr(b, x, i, i.LessScalar(n), -7).ScatterWhere(out, i, i.Less(tiles.Full(b, 16, 14)))
}

//qd:kernel
func coreArange(b qd.Block, from int, out []int) { tiles.Arange(b, from, 16).Store(out, 0) }

//qd:kernel
func coreFull(b qd.Block, out []int32) { tiles.Full2(b, 2, 8, int32(2)).Reshape(16).Store(out, 0) }

//qd:kernel
func coreTranspose(b qd.Block, x, out []int32) {
	tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16).T().Store2(qd.ViewOf2(out, 16, 8), 0, 0)
}

//qd:kernel
func coreReshape(b qd.Block, x, out []int32) {
	tiles.Load2(b, qd.ViewOf2(x, 8, 16), 0, 0, 8, 16).Reshape2(4, 32).T().Store2(qd.ViewOf2(out, 32, 4), 0, 0)
}

//qd:kernel
func coreIf(b qd.Block, x, out []int32) {
	t := tiles.Load(b, x, 0, 16)
	if out[0] > 0 {
		t = t.AddScalar(1)
	} else if out[0] < 0 {
		t = t.MulScalar(2)
	}
	t.Store(out, 0)
}

//qd:kernel
func coreWhile(b qd.Block, bound int32, x, out []int32) {
	t := tiles.Load(b, x, 0, 16)
	for n := int32(0); t.Max() < bound && n < 100; n++ {
		for i := int32(0); i <= n; i++ {
			t = t.AddScalar(1)
		}
	}
	t.Store(out, 0)
}

//qd:kernel
func coreNaN(b qd.Block, x, y, out []float32) {
	s, t := tiles.Load(b, x, 0, 16), tiles.Load(b, y, 0, 16)
	s.Maximum(t).Store(out, 0)
	s.Minimum(t).Store(out, 16)
	tiles.Full(b, 1, s.Max()).Store(out, 32)
}

//qd:kernel
func coreStrided(b qd.Block, x qd.View2[int32], out []int32) {
	tiles.Load2(b, x, 0, 0, 8, 16).Store2(qd.ViewOf2(out, 8, 16), 0, 0)
}

//qd:kernel
func coreClamp(b qd.Block, x, out []float32) {
	t := tiles.Load(b, x, 0, 16)
	t.Maximum(tiles.Full(b, 1, float32(-1))).Minimum(tiles.Full(b, 1, float32(1))).Store(out, 0)
}

//qd:kernel
func coreHistogram(b qd.Block, x []int, out []int32) {
	t := tiles.Load(b, x, 0, 16)
	bins := tiles.Arange(b, 0, 8)
	tiles.Map2(t.Column(), bins, func(v, bin int) int32 {
		if v == bin {
			return 1
		}
		return 0
	}).SumAxis(0).Store(out, 0)
}

// What is wrong is no kernel for the tools.

func coreMismatch(b qd.Block, out []int32) {
	tiles.Load(b, out, 0, 16).Add(tiles.Load(b, out, 0, 8)).Store(out, 0)
}

func coreRuntimeShape(b qd.Block, n int, out []int32) { tiles.Load(b, out, 0, n).Store(out, 0) }
