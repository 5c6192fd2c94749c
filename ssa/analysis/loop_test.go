package analysis_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/ssatest"
)

// counting is a loop whose variable counts by step from first while "v op last" holds.
func counting(t *testing.T, typ ssa.Type, op ssa.Op, first, last, step int64) *ssa.Instr {
	t.Helper()
	constant := func(b ssatest.Builder, x int64) *ssa.Value { return b.Constant(typ, ssatest.GoConst(typ, int(x))) }
	var loop *ssa.Instr
	m := new(ssa.Module)
	ssatest.AddFunc(m, "f", false, nil, nil, func(b ssatest.Builder, _ []*ssa.Value) {
		loop = b.Loop([]*ssa.Value{constant(b, first)},
			func(b ssatest.Builder, v []*ssa.Value) *ssa.Value { return b.Op(op, v[0], constant(b, last)) },
			func(b ssatest.Builder, loop *ssa.Instr, v []*ssa.Value) { b.Next(loop, v...) },
			func(b ssatest.Builder, v []*ssa.Value) []*ssa.Value {
				if step < 0 {
					return []*ssa.Value{b.Op(ssa.OpSub, v[0], constant(b, -step))}
				}
				return []*ssa.Value{b.Op(ssa.OpAdd, v[0], constant(b, step))}
			})
		b.Return()
	})
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	return loop
}

// holds is what Go says of "x op y".
func holds(op ssa.Op, x, y int64) bool {
	return map[ssa.Op]bool{ssa.OpEq: x == y, ssa.OpNe: x != y, ssa.OpLt: x < y, ssa.OpLe: x <= y, ssa.OpGt: x > y, ssa.OpGe: x >= y}[op]
}

// TestTurns counts the turns of loops over small integers by running them, also of those that wrap around.
func TestTurns(t *testing.T) {
	known, wrapped := 0, 0
	for typ, wrap := range map[ssa.Type]func(int64) int64{
		ssa.Int8:  func(x int64) int64 { return int64(int8(x)) },
		ssa.Uint8: func(x int64) int64 { return int64(uint8(x)) },
	} {
		for _, op := range []ssa.Op{ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe} {
			for _, ends := range [][2]int64{{0, 0}, {0, 1}, {3, 5}, {5, 3}, {127, 7}, {7, 127}, {-128, 127}, {127, -128}, {-3, 100}, {100, -3}, {255, 0}, {0, 255}, {1, 254}} {
				for _, step := range []int64{1, -1, 2, -2, 3, -7, 100, -100} {
					first, last := wrap(ends[0]), wrap(ends[1])
					got, ok := analysis.Turns(counting(t, typ, op, first, last, step))
					if !ok {
						continue
					}
					known++
					want, wraps := int64(0), false
					for v := first; holds(op, v, last) && want < 1000; want++ {
						wraps = wraps || wrap(v+step) != v+step
						v = wrap(v + step)
					}
					if wraps && want > 0 {
						wrapped++
					}
					if got != want {
						t.Errorf("for v := %v(%d); v %v %d; v += %d: %d turns, want %d", typ, first, op, last, step, got, want)
					}
				}
			}
		}
	}
	if known < 200 || wrapped < 10 {
		t.Errorf("%d loops have known turns, and %d of these wrap around; the test wants 200 and 10", known, wrapped)
	}
}

// TestTurnsFar is about loops whose ends are further apart than an int64 can say.
func TestTurnsFar(t *testing.T) {
	const e17 = 1e17
	for _, c := range []struct {
		op                ssa.Op
		first, last, step int64
		want              int64
		ok                bool
	}{
		{ssa.OpLt, -90 * e17, 90 * e17, e17, 180, true},
		{ssa.OpLe, -90 * e17, 90 * e17, e17, 181, true},
		{ssa.OpGt, 90 * e17, -90 * e17, -e17, 180, true},
		{ssa.OpGe, 90 * e17, -90 * e17, -e17, 181, true},
		{ssa.OpLt, 0, math.MaxInt64, 1, math.MaxInt64, true},
		{ssa.OpLt, -1, math.MaxInt64, 1, 0, false},
		{ssa.OpLe, math.MinInt64, math.MaxInt64 - 1, 1, 0, false},
		{ssa.OpNe, 5, 3, 1, 0, false},
		{ssa.OpNe, 5, 3, -1, 2, true},
		{ssa.OpNe, math.MaxInt64, math.MinInt64, 1, 1, true},
	} {
		if got, ok := analysis.Turns(counting(t, ssa.Int64, c.op, c.first, c.last, c.step)); ok != c.ok || ok && got != c.want {
			t.Errorf("for v := %d; v %v %d; v += %d: %d turns, known %v, want %d, %v", c.first, c.op, c.last, c.step, got, ok, c.want, c.ok)
		}
	}
}
