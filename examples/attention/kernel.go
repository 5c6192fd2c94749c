package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// A Config has the lengths of the tiles: of the queries of a block, and of the keys that it reads at a time.
type Config struct{ Queries, Keys int }

// attention computes softmax(scale q k') v for the queries of a block, for heads of rows of depth numbers. It reads keys and
// values once, a tile at a time, and keeps the largest product and the sum of the weights so far: what was added with another
// largest product is scaled. The weights are never in memory.
//
//qd:kernel
func attention(b qd.Block, c qd.Const[Config], depth qd.Const[int], causal qd.Const[bool], scale float32, q, k, v, out qd.View3[float32]) {
	tiles := qd.CeilDiv(q.Dim(1), c.V.Queries)
	head, first := b.ID()/tiles, b.ID()%tiles*c.V.Queries
	keys, values := k.Plane(head), v.Plane(head)
	n := keys.Dim(0)
	query := tile.Load2(b, q.Plane(head), first, 0, c.V.Queries, depth.V).MulScalar(scale)
	most := tile.Full(b, c.V.Queries, qd.Inf[float32](-1))
	sum := tile.Zeros[float32](b, c.V.Queries)
	acc := tile.Zeros2[float32](b, c.V.Queries, depth.V)
	end := n
	if causal.V {
		end = min(n, first+c.V.Queries)
	}
	for at := 0; at < end; at += c.V.Keys {
		s := tile.Dot(query, tile.Load2(b, keys, at, 0, c.V.Keys, depth.V).T(), tile.Zeros2[float32](b, c.V.Queries, c.V.Keys))
		if causal.V || at+c.V.Keys > n { // else all keys of the tile count
			i, j := tile.Arange(b, first, c.V.Queries).Column(), tile.Arange(b, at, c.V.Keys).Row()
			seen := tile.Map2(i, j, func(i, j int) bool { return j < n && (!causal.V || j <= i) })
			s = tile.Where(seen, s, tile.Full(b, 1, qd.Inf[float32](-1)))
		}
		next := most.Maximum(s.MaxAxis(1))
		p := tile.Exp(s.Sub(next.Column()))
		before := tile.Exp(most.Sub(next))
		sum = sum.Mul(before).Add(p.SumAxis(1))
		acc = tile.Dot(p, tile.Load2(b, values, at, 0, c.V.Keys, depth.V), acc.Mul(before.Column()))
		most = next
	}
	acc.Div(sum.Column()).Store2(out.Plane(head), first, 0)
}

// tuned is the kernel with the configuration that is the fastest for the shape of its arguments.
func tuned(configs []Config) *qd.Tuned {
	return qd.Tune(attention, configs,
		qd.TuneKey("q", "k"),
		qd.TuneGrid(func(c Config, a qd.Args) qd.Dims { return qd.Dim(a.Dim("q", 0) * qd.CeilDiv(a.Dim("q", 1), c.Queries)) }))
}

// configs are those that are tried.
var configs = []Config{{64, 64}, {32, 32}, {32, 64}, {64, 32}, {64, 128}, {128, 64}, {128, 128}, {16, 64}}
