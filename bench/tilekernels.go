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

// Attention of heads that follow each other, of so many numbers each. The tiles have so many queries and keys.
const (
	headDepth   = 64
	queryTile   = 64
	keyTile     = 64
	headScale   = 0.125
	headQueries = 1024
)

//qd:kernel
func tileAttention(b qd.Block, q, k, v, out qd.View3[float32]) {
	head, first := b.ID()/(headQueries/queryTile), b.ID()%(headQueries/queryTile)*queryTile
	ks, vs := k.Plane(head), v.Plane(head)
	query := tile.Load2(b, q.Plane(head), first, 0, queryTile, headDepth).MulScalar(headScale)
	most := tile.Full(b, queryTile, qd.Inf[float32](-1))
	sum := tile.Zeros[float32](b, queryTile)
	acc := tile.Zeros2[float32](b, queryTile, headDepth)
	for at := 0; at < ks.Dim(0); at += keyTile {
		s := tile.Dot(query, tile.Load2(b, ks, at, 0, keyTile, headDepth).T(), tile.Zeros2[float32](b, queryTile, keyTile))
		next := most.Maximum(s.MaxAxis(1))
		p := tile.Exp(s.Sub(next.Column()))
		scale := tile.Exp(most.Sub(next))
		sum = sum.Mul(scale).Add(p.SumAxis(1))
		acc = tile.Dot(p, tile.Load2(b, vs, at, 0, keyTile, headDepth), acc.Mul(scale.Column()))
		most = next
	}
	acc.Div(sum.Column()).Store2(out.Plane(head), first, 0)
}

// The same in three steps: products of queries and keys, their softmax by tileSoftmax, products with the values.

//qd:kernel
func tileScores(b qd.Block, q, k, s qd.View3[float32]) {
	const tiles = headQueries / queryTile
	head, i, j := b.ID()/(tiles*tiles), b.ID()/tiles%tiles*queryTile, b.ID()%tiles*keyTile
	x := tile.Load2(b, q.Plane(head), i, 0, queryTile, headDepth).MulScalar(headScale)
	y := tile.Load2(b, k.Plane(head), j, 0, keyTile, headDepth).T()
	tile.Dot(x, y, tile.Zeros2[float32](b, queryTile, keyTile)).Store2(s.Plane(head), i, j)
}

//qd:kernel
func tileValues(b qd.Block, p, v, out qd.View3[float32]) {
	head, first := b.ID()/(headQueries/queryTile), b.ID()%(headQueries/queryTile)*queryTile
	acc := tile.Zeros2[float32](b, queryTile, headDepth)
	for at := 0; at < headQueries; at += keyTile {
		acc = tile.Dot(tile.Load2(b, p.Plane(head), first, at, queryTile, keyTile), tile.Load2(b, v.Plane(head), at, 0, keyTile, headDepth), acc)
	}
	acc.Store2(out.Plane(head), first, 0)
}
