package tile_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/tile"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	testenv.Setup()
	os.Exit(m.Run())
}

// The tests once more, in a process in which device "cuda:0" exists: the emitted CUDA runs on the host.
func TestWithoutGPU(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		t.Skip("this is that process")
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^Test(Matmul|Softmax|Shared|Tutorial|Dot|Mixed|Stages|LargeMemory)")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestMatmul/cuda:0") || !strings.Contains(string(out), "PASS: TestLargeMemory/cuda:0") {
		t.Errorf("%v\n%s", err, out)
	}
}

// onAll runs a test on each device that there is.
func onAll(t *testing.T, test func(t *testing.T, dev *qd.Device)) {
	names := []string{"go", "cpu", "cuda:0"}
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		names = names[2:] // the others are tested in another process
	}
	for _, name := range names {
		dev, err := qd.Open(name)
		if err != nil {
			continue
		}
		t.Run(name, func(t *testing.T) { test(t, dev) })
	}
}

func randoms(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 3))
	x := make([]float32, n)
	for i := range x {
		x[i] = r.Float32()*2 - 1
	}
	return x
}

type Config struct{ M, N, K int }

//qd:kernel
func matmul(b qd.Block, c qd.Const[Config], x, y, z qd.View2[float32]) {
	i, j := b.ID2()
	sum := tile.Zeros2[float32](b, c.V.M, c.V.N)
	for k := 0; k < x.Dim(1); k += c.V.K {
		sum = tile.Dot(tile.Load2(b, x, i*c.V.M, k, c.V.M, c.V.K), tile.Load2(b, y, k, j*c.V.N, c.V.K, c.V.N), sum)
	}
	sum.Store2(z, i*c.V.M, j*c.V.N)
}

// A product of matrices is that of plain Go to the last bit, whatever the sizes of the tiles: the products are
// added in their order, and the zeros outside of the matrices change nothing.
func TestMatmul(t *testing.T) {
	const m, n, depth = 45, 70, 37
	x, y := randoms(m*depth, 1), randoms(depth*n, 2)
	want := make([]float32, m*n)
	for i := range m {
		for j := range n {
			for k := range depth {
				want[i*n+j] = qd.FMA(x[i*depth+k], y[k*n+j], want[i*n+j])
			}
		}
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, c := range []Config{{16, 16, 16}, {7, 5, 3}, {32, 48, 8}, {1, 64, 37}, {19, 24, 64}} {
			z := make([]float32, m*n)
			err := dev.Launch(matmul, qd.Dim(qd.CeilDiv(m, c.M), qd.CeilDiv(n, c.N)), qd.C(c), qd.ViewOf2(x, m, depth), qd.ViewOf2(y, depth, n), qd.ViewOf2(z, m, n))
			if err != nil {
				t.Fatal(err)
			}
			for i := range z {
				if z[i] != want[i] {
					t.Fatalf("%v: element %d is %v, not %v", c, i, z[i], want[i])
				}
			}
			// Of transposed matrices, whose rows are not adjacent.
			clear(z)
			err = dev.Launch(matmul, qd.Dim(qd.CeilDiv(n, c.M), qd.CeilDiv(m, c.N)), qd.C(c), qd.ViewOf2(y, depth, n).T(), qd.ViewOf2(x, m, depth).T(), qd.ViewOf2(z, m, n).T())
			if err != nil {
				t.Fatal(err)
			}
			for i := range z {
				if z[i] != want[i] {
					t.Fatalf("transposed, %v: element %d is %v, not %v", c, i, z[i], want[i])
				}
			}
		}
	})
}

//qd:kernel
func softmax(b qd.Block, width qd.Const[int], x, y qd.View2[float32]) {
	row := tile.LoadOr(b, x.Row(b.ID()), 0, width.V, qd.Inf[float32](-1))
	e := tile.Exp(row.SubScalar(row.Max()))
	e.DivScalar(e.Sum()).Store(y.Row(b.ID()), 0)
}

func TestSoftmax(t *testing.T) {
	const rows, columns = 20, 77
	x := randoms(rows*columns, 3)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, width := range []int{77, 78, 128} {
			y := make([]float32, rows*columns)
			if err := dev.Launch(softmax, qd.Dim(rows), qd.C(width), qd.ViewOf2(x, rows, columns), qd.ViewOf2(y, rows, columns)); err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				sum := 0.0
				for _, v := range x[i*columns:][:columns] {
					sum += math.Exp(float64(v))
				}
				for j, got := range y[i*columns:][:columns] {
					if want := math.Exp(float64(x[i*columns+j])) / sum; math.Abs(float64(got)-want) > 1e-7 {
						t.Fatalf("width %d: element %d, %d is %v, not %v", width, i, j, got, want)
					}
				}
			}
		}
	})
}

// Tiles beside shared memory and lanes of the block.
//
//qd:kernel
func sharedAndTiles(b qd.Block, x, y []int32) {
	s := qd.Shared[int32](b, 32)
	t := tile.Load(b, x, b.ID()*32, 32)
	t.Store(s, 0)
	b.For(32, func(lane int) { s[31-lane] += int32(t.Dim(0)) * int32(lane) })
	if total := t.Sum(); total%2 == 0 {
		tile.Load(b, s, 0, 32).AddScalar(total).Store(y, b.ID()*32)
		return
	}
	tile.Load(b, s, 0, 32).Sub(t).Store(y, b.ID()*32)
}

func TestShared(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := make([]int32, 64), make([]int32, 64)
		for i := range x {
			x[i] = int32(i * i % 37)
		}
		x[63] = 4
		if err := dev.Launch(sharedAndTiles, qd.Dim(2), x, y); err != nil {
			t.Fatal(err)
		}
		for block := range 2 {
			total := int32(0)
			for _, v := range x[block*32:][:32] {
				total += v
			}
			for i := range 32 {
				want := int32(32 * (31 - i))
				if total%2 == 0 {
					want += x[block*32+i] + total
				}
				if got := y[block*32+i]; got != want {
					t.Errorf("block %d, element %d: %d, not %d; the sum is %d", block, i, got, want, total)
				}
			}
		}
	})
}

//qd:kernel
func tooLarge(b qd.Block, n qd.Const[int], x []float64) {
	t := tile.Load(b, x, 0, n.V)
	t.Sub(t.Scan(func(x, y float64) float64 { return x + y })).Store(x, 0)
}

// A tile that is too large for the device is refused before the launch.
func TestTooLarge(t *testing.T) {
	dev, err := qd.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	x := make([]float64, 100)
	if err := dev.Launch(tooLarge, qd.Dim(1), qd.C(1<<14), x); err != nil {
		t.Error(err)
	}
	err = dev.Launch(tooLarge, qd.Dim(1), qd.C(1<<17), x)
	var ds *qd.Diagnostics
	if !errors.As(err, &ds) || !strings.Contains(err.Error(), "tile_test.go:") || !strings.Contains(err.Error(), "need 2097152 bytes") {
		t.Errorf("%v", err)
	}
}

func ExampleLoad() {
	scale := func(b qd.Block, size qd.Const[int], x []float32) {
		t := tile.Load(b, x, b.ID()*size.V, size.V)
		t.MulScalar(2).Store(x, b.ID()*size.V)
	}
	x := []float32{1, 2, 3, 4, 5}
	if err := qd.Launch(scale, qd.Dim(3), qd.C(2), x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [2 4 6 8 10]
}

func ExampleTile_SumAxis() {
	sums := func(b qd.Block, x qd.View2[int], y []int) {
		tile.Load2(b, x, 0, 0, 2, 4).SumAxis(1).Store(y, 0)
	}
	y := make([]int, 2)
	if err := qd.Launch(sums, qd.Dim(1), qd.ViewOf2([]int{1, 2, 3, 10, 20, 30}, 2, 3), y); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output: [6 60]
}
