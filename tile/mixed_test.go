package tile_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// Kernels that mix what tiles can do: their results on each device are those of device go.

//qd:kernel
func mixedOrder(b qd.Block, n int, x []float32, at []int, y []float32, z []int) {
	t := tile.Load(b, x, b.ID()*24, 24)
	for i := range n {
		order := t.ArgSort(0)
		back := order.ArgSort(0) // where each element went
		sorted := t.Take(0, order)
		if tile.Any(sorted.Take(0, back).NotEqual(t)) != tile.Any(t.NotEqual(t)) { // a NaN differs from itself
			tile.Full(b, 1, i+100).Store(z, 0)
		}
		t = tile.Cat(0, sorted.Flip(0).TopK(0, 7), tile.Load(b, x, b.ID()*24+i, 17))
		s, u := tile.Join(t, sorted).Split()
		t, sorted = u, s
		t = tile.Where(tile.Arange(b, 0, 24).LessScalar(i), sorted, t)
	}
	t.Store(y, b.ID()*24)
	counts := tile.Histogram(tile.Load(b, at, 0, 24), 9)
	counts.CumSum(0).Store(z, b.ID()*9+1)
}

type mixedPair struct {
	Key   uint8
	Value int64
}

//qd:kernel
func mixedPairs(b qd.Block, x []uint8, y []int64, sum []int64, out []int64) {
	t := tile.Map2(tile.Load(b, x, 0, 15).Reshape2(3, 5), tile.Load(b, y, 0, 5), func(k uint8, v int64) mixedPair { return mixedPair{k, v} })
	less := func(p, q mixedPair) bool { return p.Key < q.Key || p.Key == q.Key && p.Value < q.Value }
	u := t.SortFunc(1, less).T().SortFunc(1, less)
	v := tile.Map(u, func(p mixedPair) int64 { return p.Value<<8 | int64(p.Key) })
	v.Reshape(15).Store(out, 0)
	old := tile.AtomicMax(v, sum, tile.Arange(b, 0, 15).Reshape2(5, 3))
	for range 2 {
		tile.AtomicAdd(v, sum, tile.Full(b, 1, 3)) // all of them to one element
		old = old.Add(tile.AtomicXor(v.T().Reshape2(5, 3), sum, tile.Arange(b, 20, 15).Reshape2(5, 3)))
	}
	old.Reshape(15).Store(out, 15)
	tile.ShiftRight(v, tile.Full2(b, 1, 3, uint16(70))).Reshape(15).Store(out, 30)
}

//qd:kernel
func mixedCube(b qd.Block, x []int16, y []int16) {
	t := tile.Load3Or(b, qd.ViewOf3(x, 3, 4, 5), b.ID()-1, 1, -2, 2, 4, 6, 7)
	u := t.Permute(1, 2, 0).Sort(2).Flip(0)
	w := u.Take(1, tile.Convert[int](u.MaxAxis(1).Expand(1)).Broadcast3(4, 3, 2))
	w.Add(u.MinAxis(1).Expand(1)).Store3(qd.ViewOf3(y[b.ID()*64:][:64], 4, 4, 4), 0, 1, 2)
	tile.Interleave(u.SumAxis(2), u.ProdAxis(2)).Reshape(48).Store(y, 200+b.ID()*48)
	tile.Cat(2, t, t.MulScalar(2)).CumProd(2).SumAxis(0).Reshape(48).Store(y, 400+b.ID()*48)
}

//qd:kernel
func mixedAtomics(b qd.Block, x []uint32, y []uint32) {
	t := tile.Load(b, x, 0, 33)
	var last tile.Tile[uint32] = t
	for i := range 3 {
		at := tile.Arange(b, i, 33).MulScalar(2)
		last = tile.AtomicExch(last.AddScalar(uint32(i)), y, at)
		if last.Sum() > 1<<31 {
			tile.AtomicOr(last, y, at.AddScalar(1))
			continue
		}
		tile.AtomicAnd(last, y, at.AddScalar(1))
		tile.AtomicCAS(tile.Full(b, 1, uint32(0)), last, y, at.AddScalar(3))
	}
	tile.AtomicAddAt(last, y, 50)
	tile.AtomicAddAt2(last.Reshape2(3, 11), qd.ViewOf2(y, 10, 10), 8, -4)
}

func TestMixed(t *testing.T) {
	type launch struct {
		name   string
		blocks int
		kernel any
		args   func() []any
	}
	floats := func() []float32 {
		x := randoms(60, 5)
		for i, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, 1, 1} {
			x[i*5] = float32(v)
		}
		return x
	}
	ints := func(n, by int) []int {
		x := make([]int, n)
		for i := range x {
			x[i] = i*by%11 - 1
		}
		return x
	}
	var launches []launch
	for n := range 4 {
		launches = append(launches, launch{fmt.Sprint("order ", n), 2, mixedOrder, func() []any {
			return []any{n, floats(), ints(24, 7), make([]float32, 60), make([]int, 20)}
		}})
	}
	launches = append(launches,
		launch{"pairs", 1, mixedPairs, func() []any {
			return []any{[]uint8{3, 200, 1, 3, 7, 255, 0, 0, 1, 9, 3, 3, 2, 8, 8}, []int64{-5, 1 << 40, 7, -1 << 50, 0}, make([]int64, 40), make([]int64, 45)}
		}},
		launch{"cube", 3, mixedCube, func() []any {
			x := make([]int16, 60)
			for i := range x {
				x[i] = int16(i*i%17 - 5)
			}
			return []any{x, make([]int16, 600)}
		}},
		launch{"atomics", 1, mixedAtomics, func() []any {
			x, y := make([]uint32, 33), make([]uint32, 100)
			for i := range y {
				y[i] = uint32(i * 2654435761 >> (i % 20))
				x[i%33] ^= y[i] >> 9
			}
			return []any{x, y}
		}})
	oracle, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, l := range launches {
			want, got := l.args(), l.args()
			if err := oracle.Launch(l.kernel, qd.Dim(l.blocks), want...); err != nil {
				t.Fatalf("%s: %v", l.name, err)
			}
			if err := dev.Launch(l.kernel, qd.Dim(l.blocks), got...); err != nil {
				t.Fatalf("%s: %v", l.name, err)
			}
			if w, g := fmt.Sprint(want...), fmt.Sprint(got...); w != g {
				t.Errorf("%s:\n%s\nwant\n%s", l.name, g, w)
			}
		}
	})
}
