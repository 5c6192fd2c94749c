package tile_test

import (
	"math"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdtest"
	"github.com/qdgen/qd/tile"
)

// Each kernel makes a tile from the 24 elements of x from 24*b.ID() on, in one of the ways that elements change places, and stores what
// it computes from it in y. The gradients are those of differences.

//qd:kernel
func gradSort(b qd.Block, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	w := tile.Map(tile.Arange(b, 1, 24), func(i int) float64 { return float64(i) * 0.1 })
	t.Sort(0).Mul(w).Add(t.MulScalar(0.5).SortDescending(0).Mul(t)).Store(y, b.ID()*24)
}

//qd:kernel
func gradSortRows(b qd.Block, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24).Reshape2(4, 6)
	u := t.Sort(1).Mul(t).Add(t.Sort(0).MulScalar(0.3))
	u.SortFunc(1, func(p, q float64) bool { return p*p < q*q }).Mul(u).Reshape(24).Store(y, b.ID()*24)
}

//qd:kernel
func gradTopK(b qd.Block, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	best := t.TopK(0, 5)
	tile.Cat(0, best.Mul(best), t.Reshape2(4, 6).TopK(1, 2).Reshape(8)).Store(y, b.ID()*24)
}

//qd:kernel
func gradScans(b qd.Block, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	m := t.Reshape2(4, 6)
	t.CumSum(0).Mul(t).Add(t.CumMax(0)).Add(t.CumMin(0).MulScalar(0.25)).Add(m.CumProd(1).Reshape(24)).Add(m.ScanAxis(0, func(p, q float64) float64 { return p*0.5 + q }).Reshape(24)).Store(y, b.ID()*24)
}

//qd:kernel
func gradTake(b qd.Block, at []int, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	indices := tile.Load(b, at, 0, 24)
	u := t.Take(0, indices).Mul(t) // some twice, others never
	v := t.Take(0, t.ArgSort(0)).MulScalar(0.5)
	u.Add(v).Add(t.Flip(0).Mul(t)).Store(y, b.ID()*24)
}

//qd:kernel
func gradPlaces(b qd.Block, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	p, q := t.Reshape2(12, 2).Split()
	r, s := tile.Join(p.Mul(q), tile.Interleave(p, q).Reshape2(2, 12).SumAxis(0)).Split()
	c := t.Reshape3(2, 3, 4).Permute(2, 0, 1).Mul(t.Reshape3(4, 2, 3)).Flip(1).Reshape(24)
	tile.Cat(0, r.Add(s), p.Flip(0).Mul(p)).Add(c).Add(t.Reshape2(4, 6).T().Reshape(24).Mul(t)).Store(y, b.ID()*24)
}

//qd:kernel
func gradReductions(b qd.Block, n int, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	for k := range n {
		m := t.Reshape2(4, 6)
		u := tile.Tanh(m.MaxAxis(1).Mul(m.MinAxis(1)).Add(m.ProdAxis(1)))
		t = t.MulScalar(0.5).Add(m.Mul(u.Column().Broadcast2(4, 6)).Reshape(24)).AddScalar(t.Max()*0.1 - t.Min()*0.2)
		if t.ArgMax()%2 == k%2 {
			t = t.Flip(0)
		}
	}
	t.Store(y, b.ID()*24)
}

//qd:kernel
func gradAtomics(b qd.Block, at []int, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	indices := tile.Load(b, at, 0, 24)
	tile.AtomicAdd(t.Mul(t), y, indices)
	tile.AtomicAddAt(t.Reshape2(4, 6).SumAxis(0), y, 1)
	tile.AtomicAdd(tile.Gather(b, x, indices).MulScalar(0.5), y, indices)
}

//qd:kernel
func gradScatter(b qd.Block, at []int, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	order := tile.Load(b, at, 0, 24).ArgSort(0).AddScalar(b.ID() * 24)
	t.Mul(t).Scatter(y, order)
	t.MulScalar(0.5).ScatterWhere(y, order, t.GreaterScalar(0.2))
}

// What an atomic addition has found depends on the order of the blocks.
//
//qd:kernel
func gradOld(b qd.Block, at []int, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	old := tile.AtomicAdd(t, y, tile.Load(b, at, 0, 24))
	old.Store(y, 0)
}

func TestGradientsOfPlaces(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := make([]float64, 48)
		at := make([]int, 24)
		for i := range x {
			x[i] = 0.15 + math.Sin(float64(i*i+3)*1.7)
			at[i%24] = (i * 5 % 24) * 3 / 4
		}
		a, indices := qd.From(dev, x), qd.From(dev, at)
		for _, c := range []struct {
			name   string
			kernel any
			args   []any
		}{
			{"sort", gradSort, nil}, {"rows", gradSortRows, nil}, {"best", gradTopK, nil}, {"scans", gradScans, nil}, {"take", gradTake, []any{indices}},
			{"places", gradPlaces, nil}, {"no reductions", gradReductions, []any{0}}, {"reductions", gradReductions, []any{3}},
			{"atomics", gradAtomics, []any{indices}}, {"scatter", gradScatter, []any{indices}},
		} {
			t.Run(c.name, func(t *testing.T) {
				y := make([]float64, 48)
				for i := range y {
					y[i] = 0.3
				}
				qdtest.CheckGradient(t, c.kernel, qd.Dim(2), append(c.args, a, qd.From(dev, y))...)
			})
		}
		tape := qd.NewTape(dev)
		err := tape.Launch(gradOld, qd.Dim(1), indices, a.WithGrad(), qd.Zeros[float64](dev, 24))
		if err == nil || !strings.Contains(err.Error(), "cannot differentiate a kernel that uses the result of an atomic operation") {
			t.Errorf("the gradient of what an atomic addition has found: %v", err)
		}
	})
}
