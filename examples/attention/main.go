// Attention computes the attention of several heads by tiles, without ever writing the weights to memory. Which lengths of
// the tiles are the fastest is measured, once for each shape, and kept for the next run. A picture shows how near it
// comes to what the device can do.
//
//	go run ./examples/attention -heads 8 -n 1024
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/picture"
	"github.com/qdgen/qd/examples/internal/roofline"
)

// depth is how many numbers a query, a key and a value have.
const depth = 64

func main() {
	heads := flag.Int("heads", 8, "heads")
	n := flag.Int("n", 1024, "queries and keys of each head")
	out := flag.String("o", "attention.png", "the picture, empty for none")
	flag.Parse()
	if *heads < 1 || *n < 1 || *heads*(*n) > 1<<20 {
		log.Fatal("attention: -heads and -n are at least 1, and their product is at most 1048576")
	}
	if err := run(*heads, *n, *out); err != nil {
		log.Fatal(err)
	}
}

// run computes attention of random numbers, with all keys and causal, and compares some rows with float64.
func run(heads, n int, file string) error {
	random := func() []float32 {
		x := make([]float32, heads*n*depth)
		for i := range x {
			x[i] = rand.Float32()*2 - 1
		}
		return x
	}
	q, k, v, out := random(), random(), random(), make([]float32, heads*n*depth)
	view := func(x []float32) qd.View3[float32] { return qd.ViewOf3(x, heads, n, depth) }
	attend := tuned(configs)
	scale := float32(1 / math.Sqrt(depth))
	var points []roofline.Point
	for _, causal := range []bool{false, true} {
		args := []any{qd.C(depth), qd.C(causal), scale, view(q), view(k), view(v), view(out)}
		best, err := attend.Best(args...) // measures, unless that was done before
		if err != nil {
			return err
		}
		took, err := roofline.Best(5, func() error { return attend.Run(args...) })
		if err != nil {
			return err
		}
		name, part := "all keys", 1.0
		if causal {
			name, part = "causal", 0.5
		}
		// Two products of n x n x depth, and the least that has to be read and written.
		p := roofline.Point{Name: name, Flops: part * 4 * float64(heads*n) * float64(n) * depth, Bytes: 4 * 4 * float64(heads*n) * depth, Time: took}
		points = append(points, p)
		fmt.Printf("%d heads of %d x %d, %s, with tiles %+v: %v, %.1f GFLOP/s\n", heads, n, depth, name, best, took.Round(time.Microsecond), p.Speed()/1e9)
		fmt.Printf("the largest error of 20 rows is %.1e\n", worst(n, heads, causal, scale, q, k, v, out))
	}
	if file == "" {
		return nil
	}
	dev, err := qd.Default()
	if err != nil {
		return err
	}
	machine, err := roofline.Measure(dev)
	if err != nil {
		return err
	}
	img, err := roofline.Draw(fmt.Sprintf("attention, %d heads of %d x %d, on %v", heads, n, depth, dev), machine, points)
	if err != nil {
		return err
	}
	picture.Save(file, img)
	return nil
}

// worst is the largest error of some rows.
func worst(n, heads int, causal bool, scale float32, q, k, v, out []float32) (worst float64) {
	for range 20 {
		head, i := rand.IntN(heads), rand.IntN(n)
		keys := n
		if causal {
			keys = i + 1
		}
		row := func(x []float32, i int) []float32 { return x[(head*n+i)*depth:][:depth] }
		want, sum := make([]float64, depth), 0.0
		for j := range keys {
			s := 0.0
			for c, x := range row(q, i) {
				s += float64(x) * float64(row(k, j)[c])
			}
			w := math.Exp(s * float64(scale))
			sum += w
			for c, x := range row(v, j) {
				want[c] += w * float64(x)
			}
		}
		for c, x := range row(out, i) {
			worst = max(worst, math.Abs(float64(x)-want[c]/sum))
		}
	}
	return worst
}
