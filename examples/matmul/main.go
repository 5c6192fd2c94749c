// Matmul multiplies two matrices by tiles. Which lengths of the tiles are the fastest is measured, once for each size of
// the matrices, and kept for the next run. A picture shows how near it comes to what the device can do.
//
//	go run ./examples/matmul -n 1024
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
	"github.com/qdgen/qd/tile"
)

// A Config has the lengths of the tiles: those of the product are M x N, and K of each row and column are
// multiplied at a time. Group rows of tiles are computed together, so that the columns that they need stay in the cache.
type Config struct{ M, N, K, Group int }

// matmul computes act(x y). What is done to each element of the product is a compile-time argument.
//
//qd:kernel
func matmul(b qd.Block, c qd.Const[Config], act qd.Const[func(float32) float32], x, y, z qd.View2[float32]) {
	rows, columns := qd.CeilDiv(z.Dim(0), c.V.M), qd.CeilDiv(z.Dim(1), c.V.N)
	first := b.ID() / (c.V.Group * columns) * c.V.Group
	size := min(rows-first, c.V.Group)
	i := (first + b.ID()%(c.V.Group*columns)%size) * c.V.M
	j := b.ID() % (c.V.Group * columns) / size * c.V.N
	sum := tile.Zeros2[float32](b, c.V.M, c.V.N)
	for k := 0; k < x.Dim(1); k += c.V.K {
		sum = tile.Dot(tile.Load2(b, x, i, k, c.V.M, c.V.K), tile.Load2(b, y, k, j, c.V.K, c.V.N), sum)
	}
	sum.Map(act.V).Store2(z, i, j)
}

// LeakyReLU is x, and 0.01 x below zero.
func LeakyReLU(x float32) float32 {
	if x >= 0 {
		return x
	}
	return 0.01 * x
}

// tuned is the kernel with the configuration that is the fastest for the sizes of its arguments.
func tuned() *qd.Tuned {
	return qd.Tune(matmul, []Config{
		{64, 64, 64, 4}, {32, 64, 32, 8}, {64, 32, 32, 8}, {128, 64, 64, 4}, {128, 128, 64, 4}, {128, 128, 128, 4}, {256, 128, 64, 2},
	},
		qd.TuneKey("x", "y"),
		qd.TuneGrid(func(c Config, a qd.Args) qd.Dims {
			return qd.Dim(qd.CeilDiv(a.Dim("z", 0), c.M) * qd.CeilDiv(a.Dim("z", 1), c.N))
		}),
	)
}

func main() {
	n := flag.Int("n", 1024, "rows and columns of the matrices")
	out := flag.String("o", "matmul.png", "the picture, empty for none")
	flag.Parse()
	if *n < 1 || *n > 1<<14 {
		log.Fatal("matmul: -n is from 1 to 16384")
	}
	if err := run(*n, *out); err != nil {
		log.Fatal(err)
	}
}

// run multiplies random matrices, and compares some elements with their products in float64.
func run(n int, file string) error {
	random := func() []float32 {
		x := make([]float32, n*n)
		for i := range x {
			x[i] = rand.Float32()*2 - 1
		}
		return x
	}
	a, b, c := random(), random(), make([]float32, n*n)
	x, y, z := qd.ViewOf2(a, n, n), qd.ViewOf2(b, n, n), qd.ViewOf2(c, n, n)
	mm := tuned()
	if err := mm.Run(qd.C(LeakyReLU), x, y, z); err != nil { // measures, unless that was done before
		return err
	}
	best, err := mm.Best(qd.C(LeakyReLU), x, y, z)
	if err != nil {
		return err
	}
	took, err := roofline.Best(3, func() error { return mm.Run(qd.C(LeakyReLU), x, y, z) })
	if err != nil {
		return err
	}
	// Each element is read and written once at least.
	point := roofline.Point{Name: "matmul", Flops: 2 * float64(n) * float64(n) * float64(n), Bytes: 3 * 4 * float64(n) * float64(n), Time: took}
	fmt.Printf("%d x %d with tiles %+v: %v, %.1f GFLOP/s\n", n, n, best, took.Round(time.Microsecond), point.Speed()/1e9)
	worst := 0.0
	for range 100 {
		i, j := rand.IntN(n), rand.IntN(n)
		want := 0.0
		for k := range n {
			want += float64(a[i*n+k]) * float64(b[k*n+j])
		}
		if want < 0 {
			want *= 0.01
		}
		worst = max(worst, math.Abs(want-float64(c[i*n+j])))
	}
	fmt.Printf("the largest error of 100 elements is %.1e\n", worst)
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
	img, err := roofline.Draw(fmt.Sprintf("a product of %d x %d matrices of float32, on %v", n, n, dev), machine, []roofline.Point{point})
	if err != nil {
		return err
	}
	picture.Save(file, img)
	return nil
}
