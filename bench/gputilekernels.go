package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// Kernels of section gpu that compute with tiles: see gputiles.go. native/gpu_peers.py has what they are compared with.

// A gpuProduct has the lengths of the tiles of a product, how many rows of tiles are computed together, and the threads
// and stages of a block.
type gpuProduct struct{ M, N, K, Group, Threads, Stages int }

// gpuPlace is the first row and column of the tile that a block computes. The blocks of a group of rows of tiles follow
// each other, so that the columns that they need stay in the cache.
func gpuPlace(block int, c gpuProduct, m, n int) (i, j int) {
	rows, columns := qd.CeilDiv(m, c.M), qd.CeilDiv(n, c.N)
	first := block / (c.Group * columns) * c.Group
	size := min(rows-first, c.Group)
	return (first + block%(c.Group*columns)%size) * c.M, block % (c.Group * columns) / size * c.N
}

//qd:kernel
func gpuMatmul[T float32 | qd.Float16 | qd.BFloat16](b qd.Block, c qd.Const[gpuProduct], x, y qd.View2[T], z qd.View2[float32]) {
	i, j := gpuPlace(b.ID(), c.V, z.Dim(0), z.Dim(1))
	sum := tile.Zeros2[float32](b, c.V.M, c.V.N)
	for k := 0; k < x.Dim(1); k += c.V.K {
		sum = tile.Dot(tile.Load2(b, x, i, k, c.V.M, c.V.K), tile.Load2(b, y, k, j, c.V.K, c.V.N), sum)
	}
	sum.Store2(z, i, j)
}

//qd:kernel
func gpuMatmulTF32(b qd.Block, c qd.Const[gpuProduct], x, y, z qd.View2[float32]) {
	i, j := gpuPlace(b.ID(), c.V, z.Dim(0), z.Dim(1))
	sum := tile.Zeros2[float32](b, c.V.M, c.V.N)
	for k := 0; k < x.Dim(1); k += c.V.K {
		sum = tile.DotTF32(tile.Load2(b, x, i, k, c.V.M, c.V.K), tile.Load2(b, y, k, j, c.V.K, c.V.N), sum)
	}
	sum.Store2(z, i, j)
}

// A gpuRow has the length of a row and the threads of a block, which computes one.
type gpuRow struct{ Width, Threads int }

//qd:kernel
func gpuSoftmax(b qd.Block, c qd.Const[gpuRow], x, y qd.View2[float32]) {
	row := tile.LoadOr(b, x.Row(b.ID()), 0, c.V.Width, qd.Inf[float32](-1))
	e := tile.Exp(row.SubScalar(row.Max()))
	e.MulScalar(1/e.Sum()).Store(y.Row(b.ID()), 0)
}

//qd:kernel
func gpuLayerNorm(b qd.Block, c qd.Const[gpuRow], x qd.View2[float32], weight, bias []float32, y qd.View2[float32]) {
	n := float32(c.V.Width)
	row := tile.Load(b, x.Row(b.ID()), 0, c.V.Width)
	d := row.SubScalar(row.Sum() / n)
	r := 1 / qd.Sqrt(d.Mul(d).Sum()/n+1e-5)
	d.MulScalar(r).Mul(tile.Load(b, weight, 0, c.V.Width)).Add(tile.Load(b, bias, 0, c.V.Width)).Store(y.Row(b.ID()), 0)
}

// A gpuHeads has the lengths of the tiles of queries and keys of attention, and the threads of a block.
type gpuHeads struct{ Queries, Keys, Threads int }

// gpuAttention computes softmax(q k' / 8) v for the queries of a block, as tileAttention does, with products of half
// precision. The number of queries and of keys of a head are multiples of those of the tiles.
//
//qd:kernel
func gpuAttention(b qd.Block, c qd.Const[gpuHeads], q, k, v qd.View3[qd.Float16], out qd.View3[float32]) {
	tiles := q.Dim(1) / c.V.Queries
	head, first := b.ID()/tiles, b.ID()%tiles*c.V.Queries
	ks, vs := k.Plane(head), v.Plane(head)
	query := tile.Load2(b, q.Plane(head), first, 0, c.V.Queries, headDepth)
	most := tile.Full(b, c.V.Queries, qd.Inf[float32](-1))
	sum := tile.Zeros[float32](b, c.V.Queries)
	acc := tile.Zeros2[float32](b, c.V.Queries, headDepth)
	for at := 0; at < ks.Dim(0); at += c.V.Keys {
		s := tile.Dot(query, tile.Load2(b, ks, at, 0, c.V.Keys, headDepth).T(), tile.Zeros2[float32](b, c.V.Queries, c.V.Keys)).MulScalar(headScale2)
		next := most.Maximum(s.MaxAxis(1))
		p := tile.Exp2(s.Sub(next.Column()))
		scale := tile.Exp2(most.Sub(next))
		sum = sum.Mul(scale).Add(p.SumAxis(1))
		acc = tile.Dot(tile.From32[qd.Float16](p), tile.Load2(b, vs, at, 0, c.V.Keys, headDepth), acc.Mul(scale.Column()))
		most = next
	}
	acc.Div(sum.Column()).Store2(out.Plane(head), first, 0)
}
