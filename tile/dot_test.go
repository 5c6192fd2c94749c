package tile_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// Kernels whose products a GPU computes in registers, where it can. Their numbers are small integers, whose sums are exact in any
// order.

type number interface {
	qd.Float16 | qd.BFloat16 | float32 | float64 | int8 | int32
}

type total interface{ float32 | float64 | int32 }

// A product in a loop. What lies outside of the matrices is zero.
//
//qd:kernel
func product[T number, S total](b qd.Block, c qd.Const[Config], x, y qd.View2[T], z qd.View2[S]) {
	i, j := b.ID2()
	sum := tile.Full2(b, c.V.M, c.V.N, S(1))
	for k := 0; k < x.Dim(1); k += c.V.K {
		sum = tile.Dot(tile.Load2(b, x, i*c.V.M, k, c.V.M, c.V.K), tile.Load2(b, y, k, j*c.V.N, c.V.K, c.V.N), sum)
	}
	sum.MulScalar(2).Store2(z, i*c.V.M, j*c.V.N)
}

// Two products share an operand, and change their places. One is done at times only. What comes of them is used
// element by element, as a whole, and as an operand.
//
//qd:kernel
func mixed[T number, S total](b qd.Block, c qd.Const[Config], x, y qd.View2[T], z, w qd.View2[S]) {
	i, j := b.ID2()
	m, n, depth := c.V.M, c.V.N, c.V.K
	p, q := tile.Zeros2[S](b, m, n), tile.Full2(b, m, n, S(3))
	for k := 0; k < x.Dim(1); k += depth {
		shared := tile.Load2(b, x, i*m, k, m, depth)
		if k/depth%2 == 0 {
			p = tile.Dot(shared, tile.Load2(b, y, k, j*n, depth, n), p)
		} else {
			p = p.AddScalar(S(j))
		}
		q = tile.Dot(shared, tile.Load2(b, y, k, 0, depth, n), q)
		p, q = q, p
	}
	both := p.Sub(q.MulScalar(2))
	rows := p.SumAxis(1)
	both.Add(rows.Column()).Add(q.MaxAxis(0)).Store2(z, i*m, j*n)
	tile.Where(q.Greater(p), q, p.MulScalar(-1)).Store2(w, i*m, j*n)
}

// Transposed operands, a tile that is both, and products of products.
//
//qd:kernel
func turned[T number, S total](b qd.Block, c qd.Const[Config], x qd.View2[T], z qd.View2[S]) {
	t := tile.Load2(b, x, 0, 0, c.V.M, c.V.K)
	s := tile.Dot(t, t.T(), tile.Zeros2[S](b, c.V.M, c.V.M))
	for range 2 {
		s = tile.Dot(t, t.T(), s.T())
	}
	s.Store2(z, 0, 0)
	tile.Dot(t.T(), t, tile.Zeros2[S](b, c.V.K, c.V.K)).Add(tile.Full2(b, 1, c.V.K, S(5))).Store2(z, c.V.M, 0)
}

// numbers are small integers.
func numbers[T number](n, step int) []T {
	x := make([]T, n)
	for i := range x {
		v := i*step%13 - 6
		switch p := any(&x[i]).(type) {
		case *qd.Float16:
			*p = qd.ToFloat16(float32(v))
		case *qd.BFloat16:
			*p = qd.ToBFloat16(float32(v))
		case *float32:
			*p = float32(v)
		case *float64:
			*p = float64(v)
		case *int8:
			*p = int8(v)
		case *int32:
			*p = int32(v)
		}
	}
	return x
}

func testDot[T number, S total](t *testing.T) {
	gold, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	const m, n, depth = 37, 41, 50
	x, y := numbers[T](m*depth, 7), numbers[T](depth*n, 5)
	run := func(dev *qd.Device, c Config, threads int) [][]S {
		var all [][]S
		result := func(rows, columns int) qd.View2[S] {
			all = append(all, make([]S, rows*columns))
			return qd.ViewOf2(all[len(all)-1], rows, columns)
		}
		launch := func(k any, dim qd.Dims, args ...any) {
			t.Helper()
			if err := dev.Launch(qd.NewKernel(k).WithBlockDim(threads), dim, args...); err != nil {
				t.Fatal(c, threads, err)
			}
		}
		blocks := qd.Dim(qd.CeilDiv(m, c.M), qd.CeilDiv(n, c.N))
		launch(product[T, S], blocks, qd.C(c), qd.ViewOf2(x, m, depth), qd.ViewOf2(y, depth, n), result(m, n))
		launch(mixed[T, S], blocks, qd.C(c), qd.ViewOf2(x, m, depth), qd.ViewOf2(y, depth, n), result(m, n), result(m, n))
		launch(turned[T, S], qd.Dim(1), qd.C(c), qd.ViewOf2(x, m, depth), result(c.M+c.K, max(c.M, c.K)))
		return all
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		// Less than a warp, no whole number of warps, more threads than have something to do; whole tiles and edges.
		for i, tt := range []struct {
			Config
			threads int
		}{{Config{32, 32, 32}, 128}, {Config{19, 13, 21}, 48}, {Config{16, 24, 8}, 256}, {Config{1, 40, 3}, 20}} {
			if dev.String() != "cuda:0" && i > 0 {
				break // the number of threads makes no difference
			}
			want, got := run(gold, tt.Config, tt.threads), run(dev, tt.Config, tt.threads)
			for k := range want {
				if fmt.Sprint(got[k]) != fmt.Sprint(want[k]) {
					t.Errorf("result %d with tiles and threads %v:\n%v\n%v", k, tt, got[k], want[k])
				}
			}
		}
	})
}

func TestDotFloat16(t *testing.T)  { testDot[qd.Float16, float32](t) }
func TestDotBFloat16(t *testing.T) { testDot[qd.BFloat16, float32](t) }
func TestDotFloat32(t *testing.T)  { testDot[float32, float32](t) }
func TestDotFloat64(t *testing.T)  { testDot[float64, float64](t) }
func TestDotInt8(t *testing.T)     { testDot[int8, int32](t) }
func TestDotInt32(t *testing.T)    { testDot[int32, int32](t) }

//qd:kernel
func square(b qd.Block, x, z qd.View2[float32]) {
	t := tile.Load2(b, x, 0, 0, 64, 64)
	tile.Dot(t, t, tile.Zeros2[float32](b, 64, 64)).Store2(z, 0, 0)
}

//qd:kernel
func cube(b qd.Block, x, z qd.View2[float32]) {
	t := tile.Load2(b, x, 0, 0, 64, 64)
	tile.Dot(t, tile.Dot(t, t, tile.Zeros2[float32](b, 64, 64)), tile.Zeros2[float32](b, 64, 64)).Store2(z, 0, 0)
}

// Kernels that are compiled together, because they are beside each other, are made for the threads that their own blocks have.
func TestDotNeighbours(t *testing.T) {
	x := numbers[float32](64*64, 3)
	run := func(dev *qd.Device, k any, threads int) string {
		z := make([]float32, 64*64)
		if err := dev.Launch(qd.NewKernel(k).WithBlockDim(threads), qd.Dim(1), qd.ViewOf2(x, 64, 64), qd.ViewOf2(z, 64, 64)); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(z)
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		wants := map[any]string{}
		for _, threads := range []int{48, 64, 256, 128} {
			for i, k := range []any{square, cube} {
				got := run(dev, k, threads)
				if wants[i] == "" {
					wants[i] = got
				}
				if got != wants[i] {
					t.Errorf("kernel %d by %d threads: %v, not %v", i, threads, got, wants[i])
				}
			}
		}
	})
}

// What threads share, or have for themselves, can be read as a tile too: it is copied otherwise than memory of an array.
//
//qd:kernel
func ownMemory(b qd.Block, x, z []float32) {
	s := qd.Shared[float32](b, 32*32)
	b.For(32*32, func(i int) { s[i] = x[i] + 1 })
	t := tile.Load2(b, qd.ViewOf2(s, 32, 32), 0, 0, 32, 32)
	u := tile.Load2(b, qd.ViewOf2(x, 32, 32), 0, 0, 32, 32)
	tile.Dot(t, u, tile.Load(b, s, 0, 32*32).Reshape2(32, 32)).Store2(qd.ViewOf2(z, 32, 32), 0, 0)
}

func TestDotOwnMemory(t *testing.T) {
	x := numbers[float32](32*32+1, 3)
	want := make([]float32, 32*32)
	for i := range 32 {
		for j := range 32 {
			want[i*32+j] = x[i*32+j] + 1
			for k := range 32 {
				want[i*32+j] += (x[i*32+k] + 1) * x[k*32+j]
			}
		}
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		z := make([]float32, 32*32)
		if err := dev.Launch(ownMemory, qd.Dim(1), x[:32*32], z); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(z) != fmt.Sprint(want) {
			t.Errorf("%v, not %v", z, want)
		}
		// The rows of this array are not aligned to 16 bytes.
		if err := dev.Launch(square, qd.Dim(1), qd.ViewOf2(x[1:], 32, 32), qd.ViewOf2(z, 32, 32)); err != nil {
			t.Fatal(err)
		}
		for i := range z {
			sum := float32(0)
			for k := range 32 {
				sum += x[1+i/32*32+k] * x[1+k*32+i%32]
			}
			if z[i] != sum {
				t.Fatalf("element %d of the square is %v, not %v", i, z[i], sum)
			}
		}
	})
}

// What comes of a product is the operand of another one, in fewer bits; loops are left early and gone on with; the sums of two
// loops, one in the other, have the same variable; a sum is scanned, and its largest element looked for.
//
//qd:kernel
func chained(b qd.Block, n int, x, y qd.View2[qd.Float16], z []float32) {
	q := tile.Load2(b, x, 0, 0, 24, 32)
	acc := tile.Zeros2[float32](b, 24, 16)
	best := tile.Full(b, 24, float32(-100))
	count := 0
outer:
	for i := 0; i < n; i++ {
		for j := 0; ; j++ {
			if j == 3 {
				break
			}
			if i*j == 2 {
				continue outer
			}
			s := tile.Dot(q, tile.Load2(b, y, j, i, 16, 32).T(), tile.Zeros2[float32](b, 24, 16))
			next := best.Maximum(s.MaxAxis(1))
			p := tile.From32[qd.Float16](s.Sub(next.Column()).MulScalar(1.0 / 64))
			acc = tile.Dot(p, tile.Load2(b, y, i, j, 16, 16), acc.Add(next.Sub(best).Column()))
			best = next
			count++
			if acc.Max() > 1e6 {
				break outer
			}
		}
		if i%2 == 1 {
			old := acc
			acc = tile.Dot(tile.Load2(b, x, 0, i, 24, 16), tile.Load2(b, y, 0, 0, 16, 16), acc)
			acc = acc.Sub(old.MulScalar(0.5))
		}
	}
	acc.CumSum(1).Reshape(24*16).Store(z, 0)
	tile.Convert[float32](acc.ArgMaxAxis(0)).Store(z, 24*16)
	tile.Full(b, 1, float32(count)).Store(z, 24*16+16)
}

func TestDotChained(t *testing.T) {
	x, y := numbers[qd.Float16](40*40, 7), numbers[qd.Float16](40*40, 5)
	run := func(dev *qd.Device, threads int) string {
		z := make([]float32, 24*16+17)
		if err := dev.Launch(qd.NewKernel(chained).WithBlockDim(threads), qd.Dim(1), 4, qd.ViewOf2(x, 40, 40), qd.ViewOf2(y, 40, 40), z); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(z)
	}
	gold, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	want := run(gold, 64)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, threads := range []int{64, 33, 8} {
			for _, d := range []*qd.Device{dev, dev.Checked()} {
				if got := run(d, threads); got != want {
					t.Errorf("%d threads: %s, not %s", threads, got, want)
				}
			}
		}
	})
}
