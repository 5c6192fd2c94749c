package tile_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdtest"
	"github.com/qdgen/qd/tile"
)

// Products of several matrices at once, and of numbers that are rounded to TF32.

// The matrices of a batch, in a loop over their depth.
//
//qd:kernel
func batched[T number, S total](b qd.Block, c qd.Const[Config], x, y qd.View3[T], z qd.View3[S]) {
	i, j := b.ID2()
	sum := tile.Full3(b, 3, c.V.M, c.V.N, S(1))
	for k := 0; k < x.Dim(2); k += c.V.K {
		sum = tile.Dot(tile.Load3(b, x, 0, i*c.V.M, k, 3, c.V.M, c.V.K), tile.Load3(b, y, 0, k, j*c.V.N, 3, c.V.K, c.V.N), sum)
	}
	sum.MulScalar(2).Store3(z, 0, i*c.V.M, j*c.V.N)
}

func testBatch[T number, S total](t *testing.T) {
	const m, n, depth = 17, 21, 20
	x, y := numbers[T](3*m*depth, 7), numbers[T](3*depth*n, 5)
	number := func(v T) float64 {
		switch v := any(v).(type) {
		case qd.Float16:
			return float64(v.Float32())
		case int8:
			return float64(v)
		case float32:
			return float64(v)
		}
		panic("not among those that are tested")
	}
	var want []S // whole numbers, which are exact
	for i := range 3 * m * n {
		sum := 1.0
		for k := range depth {
			sum += number(x[i/n*depth+k]) * number(y[i/(m*n)*depth*n+k*n+i%n])
		}
		want = append(want, S(2*sum))
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, c := range []Config{{16, 16, 16}, {7, 24, 5}} {
			z := make([]S, 3*m*n)
			k := qd.NewKernel(batched[T, S]).WithBlockDim(64)
			if err := dev.Launch(k, qd.Dim(qd.CeilDiv(m, c.M), qd.CeilDiv(n, c.N)), qd.C(c), qd.ViewOf3(x, 3, m, depth), qd.ViewOf3(y, 3, depth, n), qd.ViewOf3(z, 3, m, n)); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(z) != fmt.Sprint(want) {
				t.Errorf("%v: %v\nnot %v", c, z, want)
			}
		}
	})
}

func TestDotBatchFloat16(t *testing.T) { testBatch[qd.Float16, float32](t) }
func TestDotBatchInt8(t *testing.T)    { testBatch[int8, int32](t) }
func TestDotBatchFloat32(t *testing.T) { testBatch[float32, float32](t) }

//qd:kernel
func productTF32(b qd.Block, c qd.Const[Config], x, y, z qd.View2[float32]) {
	i, j := b.ID2()
	sum := tile.Zeros2[float32](b, c.V.M, c.V.N)
	for k := 0; k < x.Dim(1); k += c.V.K {
		sum = tile.DotTF32(tile.Load2(b, x, i*c.V.M, k, c.V.M, c.V.K), tile.Load2(b, y, k, j*c.V.N, c.V.K, c.V.N), sum)
	}
	sum.Store2(z, i*c.V.M, j*c.V.N)
}

//qd:kernel
func batchTF32(b qd.Block, x, y, z qd.View3[float32]) {
	sum := tile.DotTF32(tile.Load3(b, x, 0, 0, 0, 2, 16, 8), tile.Load3(b, y, 0, 0, 0, 2, 8, 16), tile.Zeros3[float32](b, 2, 16, 16))
	sum.Store3(z, 0, 0, 0)
}

// inTF32 is the nearest number with 10 bits behind the point, by arithmetic: numbers of float64 have room for what comes behind it.
func inTF32(x float32) float32 {
	v := math.Abs(float64(x))
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return x
	}
	unit := math.Ldexp(1, max(math.Ilogb(v), -126)-10)
	return float32(math.Copysign(math.Floor(v/unit+0.5)*unit, float64(x)))
}

// Numbers of all sizes are rounded to TF32. Each sum has one product that is not zero, so that no order can change it.
func TestDotTF32(t *testing.T) {
	const n = 40
	r := rand.New(rand.NewPCG(1, 32))
	x, one := make([]float32, n*n), make([]float32, n*n)
	for i := range x {
		x[i] = math.Float32frombits(r.Uint32())
		if i%3 == 0 {
			x[i] = math.Float32frombits(r.Uint32()&^0x1fff | 0x1000) // in the middle of two
		}
	}
	for i, v := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, -math.MaxFloat32, 0x1p-149, 0x1p-137, 0x1p-126, 1 + 0x1p-11, 1 + 0x3p-11} {
		x[i*n+i] = float32(v)
	}
	x[12*n+12] = math.Float32frombits(0x7f800001) // a NaN, whichever bits are rounded
	for i := range n {
		one[i*n+i] = 1 + 0x1p-12 // which is 1 in TF32
	}
	isNumber := func(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }
	for i, v := range x {
		if i/n != i%n && !isNumber(inTF32(v)) {
			x[i] = float32(i) // times zero it would be no number
		}
	}
	same := func(a, b float32) bool {
		return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b || a == 0 && b == 0
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, c := range []Config{{16, 16, 16}, {19, 24, 7}, {40, 40, 40}} {
			for turn, in := range [][2][]float32{{x, one}, {one, x}} {
				z := make([]float32, n*n)
				if err := dev.Launch(qd.NewKernel(productTF32).WithBlockDim(64), qd.Dim(qd.CeilDiv(n, c.M), qd.CeilDiv(n, c.N)), qd.C(c), qd.ViewOf2(in[0], n, n), qd.ViewOf2(in[1], n, n), qd.ViewOf2(z, n, n)); err != nil {
					t.Fatal(err)
				}
				for i, v := range x {
					row, column := i/n, i%n
					line := []int{row, column}[turn]
					if row != column && !isNumber(inTF32(x[line*n+line])) {
						continue // infinity times zero is in its sum
					}
					if want := inTF32(v); !same(z[i], want) {
						t.Errorf("%v, operand %d: %x is %x (%v), not %x (%v)", c, turn, math.Float32bits(v), math.Float32bits(z[i]), z[i], math.Float32bits(want), want)
					}
				}
			}
		}
		// Small integers, of a batch.
		a, b, z := numbers[float32](2*16*8, 7), numbers[float32](2*8*16, 5), make([]float32, 2*16*16)
		if err := dev.Launch(qd.NewKernel(batchTF32).WithBlockDim(32), qd.Dim(1), qd.ViewOf3(a, 2, 16, 8), qd.ViewOf3(b, 2, 8, 16), qd.ViewOf3(z, 2, 16, 16)); err != nil {
			t.Fatal(err)
		}
		for i := range z {
			sum := float32(0)
			for k := range 8 {
				sum += a[i/16*8+k] * b[i/256*128+k*16+i%16]
			}
			if z[i] != sum {
				t.Fatalf("element %d of the batch is %v, not %v", i, z[i], sum)
			}
		}
	})
}

//qd:kernel
func gradTF32(b qd.Block, x, y []float32) {
	t := tile.Load(b, x, 0, 24).Reshape2(4, 6)
	tile.Full(b, 1, tile.DotTF32(t, t.T(), tile.Zeros2[float32](b, 4, 4)).Sum()).Store(y, 0)
}

//qd:kernel
func gradBatch(b qd.Block, x, y []float64) {
	t := tile.Load(b, x, b.ID()*24, 24)
	u := tile.Dot(t.Reshape3(2, 3, 4), t.MulScalar(0.5).Reshape3(2, 4, 3), t.Reshape2(4, 6).SumAxis(0).Reshape3(2, 3, 1).Broadcast3(2, 3, 3))
	u.Mul(u).Reshape(18).Store(y, b.ID()*24)
}

// The derivative of a rounded number is that of the number.
func TestGradientsOfBatch(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := make([]float64, 48)
		for i := range x {
			x[i] = 0.15 + math.Sin(float64(i*i+3)*1.7)
		}
		qdtest.CheckGradient(t, gradBatch, qd.Dim(2), qd.From(dev, x), qd.Zeros[float64](dev, 48))

		whole := make([]float32, 24) // what TF32 holds as it is
		for i := range whole {
			whole[i] = float32(i%7 - 3)
		}
		a, sum := qd.From(dev, whole).WithGrad(), qd.Zeros[float32](dev, 1)
		tape := qd.NewTape(dev)
		if err := errors.Join(tape.Launch(gradTF32, qd.Dim(1), a, sum), tape.Backward(sum)); err != nil {
			t.Fatal(err)
		}
		// Each element of a column is multiplied by all of that column, from both sides.
		for i, got := range a.Grad().Slice() {
			want := float32(0)
			for r := range 4 {
				want += 2 * whole[r*6+i%6]
			}
			if got != want {
				t.Errorf("gradient %d is %v, not %v", i, got, want)
			}
		}
	})
}
