package qdbeam_test

import (
	"flag"
	"os"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/qdgen/qd"
	qdbeam "github.com/qdgen/qd/beam"
	"github.com/qdgen/qd/f32"
)

//qd:kernel
func square(t qd.Thread, in, out []float64) {
	i := t.ID()
	out[i] = in[i] * in[i]
}

// body has what JSON and gob lose: a field that is not exported.
type body struct {
	At, Speed f32.Vec3
	Hits      int32
	Alive     bool
	secret    uint8
}

type quality struct {
	Steps int
	Sun   f32.Vec3
	name  string
}

//qd:kernel
func move(t qd.Thread, q qd.Const[quality], scale qd.Const[func(float32) float32], dt float32, in, out []body) {
	b := in[t.ID()]
	for range q.V.Steps {
		b.At = b.At.Add(b.Speed.Scale(scale.V(dt))).Add(q.V.Sun)
	}
	if q.V.name == "night" {
		b.Alive = !b.Alive
	}
	b.Hits++
	b.secret += 2
	out[t.ID()] = b
}

func half(x float32) float32 { return x / 2 }

// strip is a part of a picture: the result of an element can be an array.
type strip [8]uint16

//qd:kernel
func row(t qd.Thread, in []int32, out []strip) {
	i, lane := t.ID2()
	out[i][lane] = uint16(int(in[i])*100 + lane)
}

//qd:kernel
func rowByBlock(b qd.Block, in []int32, out []strip) {
	i := b.ID()
	b.For(8, func(lane int) { out[i][lane] = uint16(int(in[i])*100 + lane) })
}

//qd:kernel
func squareAll(g qd.Grid, in, out []float64) {
	g.For(len(in), func(i int) { out[i] = in[i] * in[i] })
}

// odd writes some of its results.
//
//qd:kernel
func odd(t qd.Thread, in, out []int64) {
	if i := t.ID(); in[i]%2 == 1 {
		out[i] = in[i]
	}
}

//qd:kernel
func nameless(t qd.Thread, in []int32, out [][2]int32) { out[t.ID()][0] = in[t.ID()] }

//qd:kernel
func lookupTable(t qd.Thread, table qd.Const[[4]float64], in []int, out []float64) {
	out[t.ID()] = table.V[in[t.ID()]]
}

// A stat is a sum and a count.
type stat struct {
	Sum float64
	N   int64
}

//qd:kernel
func stats(t qd.Thread, starts []int32, in []float64, acc []stat) {
	var s stat
	for i := starts[t.ID()]; i < starts[t.ID()+1]; i++ {
		s.Sum += in[i]
		s.N++
	}
	acc[t.ID()] = s
}

func addStats(a, b stat) stat { return stat{a.Sum + b.Sum, a.N + b.N} }

//qd:kernel
func greatest(t qd.Thread, starts []int32, in, acc []int64) {
	m := in[starts[t.ID()]]
	for i := starts[t.ID()] + 1; i < starts[t.ID()+1]; i++ {
		m = max(m, in[i])
	}
	acc[t.ID()] = m
}

func maxInt64(a, b int64) int64 { return max(a, b) }

func init() {
	qdbeam.Register(square, move, half, row, rowByBlock, squareAll, odd, nameless, lookupTable, stats, addStats, greatest, maxInt64)
	register.Function3x1(placed)
	register.Function4x1(placedKV)
	register.Function1x1(toBody)
	register.Function1x2(byParity)
	register.Function1x2(atSecond)
}

// placed tells where an element is in time.
func placed(w beam.Window, at beam.EventTime, x float64) string { return place(w, at, x) }

func placedKV(w beam.Window, at beam.EventTime, k string, x stat) string {
	return k + " " + place(w, at, x)
}

func toBody(i int) body {
	return body{At: f32.Vec3{float32(i), 1, 2}, Speed: f32.Vec3{1, 0, float32(-i)}, Hits: int32(i), secret: uint8(i)}
}

func byParity(x float64) (string, float64) {
	if int(x)%2 == 0 {
		return "even", x
	}
	return "odd", x
}

// atSecond is an element at as many seconds.
func atSecond(x float64) (beam.EventTime, float64) { return beam.EventTime(int64(x) * 1000), x }

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init() // a worker never returns from here
	os.Exit(ptest.MainRet(m))
}
