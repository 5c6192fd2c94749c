package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// Kernels that compute with tiles: see tiles.go. Beside them is native/tiles.cpp.

// A tileConfig has the lengths of the tiles of a product, and how many rows of tiles are computed together.
type tileConfig struct{ M, N, K, Group int }

//qd:kernel
func tileMatmul(b qd.Block, c qd.Const[tileConfig], x, y, z qd.View2[float32]) {
	rows, columns := qd.CeilDiv(z.Dim(0), c.V.M), qd.CeilDiv(z.Dim(1), c.V.N)
	first := b.ID() / (c.V.Group * columns) * c.V.Group
	size := min(rows-first, c.V.Group)
	i := (first + b.ID()%(c.V.Group*columns)%size) * c.V.M
	j := b.ID() % (c.V.Group * columns) / size * c.V.N
	sum := tile.Zeros2[float32](b, c.V.M, c.V.N)
	for k := 0; k < x.Dim(1); k += c.V.K {
		sum = tile.Dot(tile.Load2(b, x, i, k, c.V.M, c.V.K), tile.Load2(b, y, k, j, c.V.K, c.V.N), sum)
	}
	sum.Store2(z, i, j)
}

// rowWidth is the length of the rows of softmax and layer norm.
const rowWidth = 1024

//qd:kernel
func tileSoftmax(b qd.Block, x, y qd.View2[float32]) {
	row := tile.LoadOr(b, x.Row(b.ID()), 0, rowWidth, qd.Inf[float32](-1))
	e := tile.Exp(row.SubScalar(row.Max()))
	e.MulScalar(1/e.Sum()).Store(y.Row(b.ID()), 0)
}

//qd:kernel
func tileLayerNorm(b qd.Block, x qd.View2[float32], weight, bias []float32, y qd.View2[float32]) {
	row := tile.Load(b, x.Row(b.ID()), 0, rowWidth)
	d := row.SubScalar(row.Sum() / rowWidth)
	r := 1 / qd.Sqrt(d.Mul(d).Sum()/rowWidth+1e-5)
	d.MulScalar(r).Mul(tile.Load(b, weight, 0, rowWidth)).Add(tile.Load(b, bias, 0, rowWidth)).Store(y.Row(b.ID()), 0)
}

// Attention of heads that follow each other, of so many queries and keys of so many numbers each.
const (
	headDepth   = 64
	headQueries = 1024
)

// The softmax of products times headScale is one of powers of two of products times headScale2.
const (
	headScale  = 0.125
	headScale2 = headScale * 1.44269504
)

// An attentionTiles has the lengths of the tiles of queries and keys, and whether a query sees only the keys up to its
// own place.
type attentionTiles struct {
	Queries, Keys int
	Causal        bool
}

//qd:kernel
func tileAttention(b qd.Block, c qd.Const[attentionTiles], q, k, v, out qd.View3[float32]) {
	tiles := q.Dim(1) / c.V.Queries
	head, first := b.ID()/tiles, b.ID()%tiles*c.V.Queries
	ks, vs := k.Plane(head), v.Plane(head)
	query := tile.Load2(b, q.Plane(head), first, 0, c.V.Queries, headDepth).MulScalar(headScale2)
	most := tile.Full(b, c.V.Queries, qd.Inf[float32](-1))
	sum := tile.Zeros[float32](b, c.V.Queries)
	acc := tile.Zeros2[float32](b, c.V.Queries, headDepth)
	end := ks.Dim(0)
	if c.V.Causal {
		end = min(end, first+c.V.Queries)
	}
	for at := 0; at < end; at += c.V.Keys {
		s := tile.Dot(query, tile.Load2(b, ks, at, 0, c.V.Keys, headDepth).T(), tile.Zeros2[float32](b, c.V.Queries, c.V.Keys))
		if c.V.Causal && at+c.V.Keys > first+1 { // else all queries see all keys of the tile
			seen := tile.Arange(b, at, c.V.Keys).Row().LessEqual(tile.Arange(b, first, c.V.Queries).Column())
			s = tile.Where(seen, s, tile.Full(b, 1, qd.Inf[float32](-1)))
		}
		next := most.Maximum(s.MaxAxis(1))
		p := tile.Exp2(s.Sub(next.Column()))
		scale := tile.Exp2(most.Sub(next))
		sum = sum.Mul(scale).Add(p.SumAxis(1))
		acc = tile.Dot(p, tile.Load2(b, vs, at, 0, c.V.Keys, headDepth), acc.Mul(scale.Column()))
		most = next
	}
	acc.Div(sum.Column()).Store2(out.Plane(head), first, 0)
}

// The same in three steps, as one writes them who has a product of matrices and a softmax: products of queries and
// keys, their softmax by tileSoftmax, products with the values. What is between them goes through memory. The tiles of
// both products are tuned too.

//qd:kernel
func tileScores(b qd.Block, c qd.Const[attentionTiles], q, k, s qd.View3[float32]) {
	rows, columns := q.Dim(1)/c.V.Queries, k.Dim(1)/c.V.Keys
	head, i, j := b.ID()/(rows*columns), b.ID()/columns%rows*c.V.Queries, b.ID()%columns*c.V.Keys
	x := tile.Load2(b, q.Plane(head), i, 0, c.V.Queries, headDepth).MulScalar(headScale)
	y := tile.Load2(b, k.Plane(head), j, 0, c.V.Keys, headDepth).T()
	tile.Dot(x, y, tile.Zeros2[float32](b, c.V.Queries, c.V.Keys)).Store2(s.Plane(head), i, j)
}

// With Causal, a query sees only the keys up to its own place: the softmax is of the first numbers of a row.
//
//qd:kernel
func tileCausalSoftmax(b qd.Block, x, y qd.View2[float32]) {
	seen := tile.Arange(b, 0, rowWidth).LessEqualScalar(b.ID() % headQueries)
	row := tile.Where(seen, tile.Load(b, x.Row(b.ID()), 0, rowWidth), tile.Full(b, 1, qd.Inf[float32](-1)))
	e := tile.Exp(row.SubScalar(row.Max()))
	e.MulScalar(1/e.Sum()).Store(y.Row(b.ID()), 0)
}

//qd:kernel
func tileValues(b qd.Block, c qd.Const[attentionTiles], p, v, out qd.View3[float32]) {
	tiles := p.Dim(1) / c.V.Queries
	head, first := b.ID()/tiles, b.ID()%tiles*c.V.Queries
	acc := tile.Zeros2[float32](b, c.V.Queries, headDepth)
	for at := 0; at < p.Dim(2); at += c.V.Keys {
		acc = tile.Dot(tile.Load2(b, p.Plane(head), first, at, c.V.Queries, c.V.Keys), tile.Load2(b, v.Plane(head), at, 0, c.V.Keys, headDepth), acc)
	}
	acc.Store2(out.Plane(head), first, 0)
}
