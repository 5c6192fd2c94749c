package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// TestArithmetic compares intervals with all results that Go gives: each is inside, and where the
// operation is said not to wrap, it does not.
func TestArithmetic(t *testing.T) {
	ops := map[ssa.Op]func(x, y int64) (int64, bool){
		ssa.OpAdd: func(x, y int64) (int64, bool) { return x + y, true },
		ssa.OpSub: func(x, y int64) (int64, bool) { return x - y, true },
		ssa.OpMul: func(x, y int64) (int64, bool) { return x * y, true },
		ssa.OpNeg: func(x, y int64) (int64, bool) { return -x, true },
		ssa.OpMin: func(x, y int64) (int64, bool) { return min(x, y), true },
		ssa.OpMax: func(x, y int64) (int64, bool) { return max(x, y), true },
		ssa.OpAnd: func(x, y int64) (int64, bool) { return x & y, true },
		ssa.OpDiv: func(x, y int64) (int64, bool) { return x / max(y, 1), y > 0 },
		ssa.OpRem: func(x, y int64) (int64, bool) { return x % max(y, 1), y > 0 },
		ssa.OpShr: func(x, y int64) (int64, bool) { return x >> max(y, 0), y >= 0 },
	}
	r := rand.New(rand.NewPCG(1, 2))
	for op, goOp := range ops {
		for range 2000 {
			a, b := interval(r), interval(r)
			got, exact := analysis.Arithmetic(op, ssa.Int8, a, b)
			for x := a.Lo; x <= a.Hi; x++ {
				for y := b.Lo; y <= b.Hi; y++ {
					whole, ok := goOp(x, y)
					wrapped := int64(int8(whole))
					if ok && (wrapped < got.Lo || wrapped > got.Hi || exact && wrapped != whole) {
						t.Fatalf("%v of %d and %d is %d, of %v and %v %v, exactly: %t", op, x, y, whole, a, b, got, exact)
					}
				}
			}
		}
	}
}

// interval is some interval of int8, often at the ends.
func interval(r *rand.Rand) analysis.Interval {
	end := func() int64 {
		return []int64{math.MinInt8, -1, 0, 1, math.MaxInt8, int64(r.IntN(256)) - 128}[r.IntN(6)]
	}
	x, y := end(), end()
	return analysis.Interval{Lo: min(x, y), Hi: max(x, y)}
}

// TestArithmeticEnds is about sums and products at the ends of int64.
func TestArithmeticEnds(t *testing.T) {
	one := func(x int64) analysis.Interval { return analysis.Interval{Lo: x, Hi: x} }
	for _, c := range []struct {
		op    ssa.Op
		x, y  int64
		exact bool
	}{
		{ssa.OpAdd, math.MaxInt64, 1, false},
		{ssa.OpAdd, math.MinInt64, -1, false},
		{ssa.OpAdd, math.MinInt64, math.MaxInt64, true},
		{ssa.OpSub, 0, math.MinInt64, false},
		{ssa.OpSub, -1, math.MinInt64, true},
		{ssa.OpSub, math.MinInt64, 1, false},
		{ssa.OpMul, math.MinInt64, -1, false},
		{ssa.OpMul, math.MinInt64, 1, true},
		{ssa.OpMul, math.MinInt64, 0, true},
		{ssa.OpMul, 1 << 32, 1 << 31, false},
		{ssa.OpMul, 1 << 31, 1 << 31, true},
		{ssa.OpMul, -1 << 32, 1 << 31, true},
		{ssa.OpNeg, math.MinInt64, 0, false},
	} {
		got, exact := analysis.Arithmetic(c.op, ssa.Int64, one(c.x), one(c.y))
		if exact != c.exact || !exact && got != analysis.OfType(ssa.Int64) {
			t.Errorf("%v of %d and %d: %v, exactly: %t", c.op, c.x, c.y, got, exact)
		}
	}
}
