package target

import (
	le "encoding/binary"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
)

// collapseLaunch is a launch, and how many axes are one with the last one in it.
type collapseLaunch struct {
	dims []int64
	n, w int64
	axes int
}

// TestCollapse has kernels (t, n, w int64, s []int64) over three axes.
func TestCollapse(t *testing.T) {
	for _, tt := range []struct {
		name     string
		build    func(b ssatest.Builder, p []*ssa.Value, i, j, k *ssa.Value)
		tests    int // the axes for which there may be launches
		launches []collapseLaunch
	}{
		{"strides of arguments", func(b ssatest.Builder, p []*ssa.Value, i, j, k *ssa.Value) {
			at := b.Op(ssa.OpAdd, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, i, p[1]), b.Op(ssa.OpMul, j, p[2])), k)
			b.Store(b.Op(ssa.OpIndexAddr, p[3], at), at)
		}, 2, []collapseLaunch{{[]int64{5, 7, 3}, 21, 3, 2}, {[]int64{5, 7, 3}, 22, 3, 1}, {[]int64{5, 7, 3}, 21, 4, 0}, {[]int64{5, 7, 1}, 7, 1, 2}, {[]int64{5, 1, 3}, 3, 3, 2}}},

		{"a row of a row", func(b ssatest.Builder, p []*ssa.Value, i, j, k *ssa.Value) {
			at := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, i, p[1]), j), p[2]), k)
			b.Store(b.Op(ssa.OpIndexAddr, p[3], at), b.Op(ssa.OpSub, b.Op(ssa.OpLen, p[3]), at))
		}, 2, []collapseLaunch{{[]int64{5, 7, 3}, 7, 3, 2}, {[]int64{5, 7, 3}, 8, 3, 1}, {[]int64{5, 7, 3}, 7, 2, 0}}},

		{"one axis by itself", func(b ssatest.Builder, p []*ssa.Value, i, j, k *ssa.Value) {
			at := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, i, p[1]), j), p[2]), k)
			b.Store(b.Op(ssa.OpIndexAddr, p[3], at), i)
		}, 1, []collapseLaunch{{[]int64{5, 7, 3}, 7, 3, 1}}},

		{"the last axis by itself", func(b ssatest.Builder, p []*ssa.Value, i, j, k *ssa.Value) {
			at := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, i, p[1]), j), p[2]), k)
			b.Store(b.Op(ssa.OpIndexAddr, p[3], at), k)
		}, 0, nil},

		{"a size that is asked for", func(b ssatest.Builder, p []*ssa.Value, i, j, k *ssa.Value) {
			h := b.Append(&ssa.Instr{Op: ssa.OpThreadDim, Axis: 0, Args: p[:1]}, ssa.Int64).Result()
			at := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, i, p[1]), j), p[2]), k)
			b.Store(b.Op(ssa.OpIndexAddr, p[3], at), h)
		}, 1, []collapseLaunch{{[]int64{5, 7, 3}, 7, 3, 1}}},

		{"products of indices", func(b ssatest.Builder, p []*ssa.Value, i, j, k *ssa.Value) {
			b.Set(p[3], 0, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, j, p[1]), b.Op(ssa.OpMul, k, k)))
		}, 0, nil},

		{"numbers that are read", func(b ssatest.Builder, p []*ssa.Value, i, j, k *ssa.Value) {
			by := b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[3], b.Int(ssa.Int64, 0)))
			b.Set(p[3], 1, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, j, by), k))
		}, 0, nil},
	} {
		m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Int64, "w"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
			var ids []*ssa.Value
			for axis := range int8(3) {
				ids = append(ids, b.Append(&ssa.Instr{Op: ssa.OpThreadID, Axis: axis, Rank: 3, Args: p[:1]}, ssa.Int64).Result())
			}
			tt.build(b, p, ids[0], ids[1], ids[2])
			b.Return()
		})
		m.Funcs[0].Rank = 3
		opt.Optimize(m, nil)
		before := m.String()
		tests := Collapse(m.Funcs[0])
		if m.String() != before {
			t.Errorf("%s: the kernel is changed", tt.name)
		}
		if len(tests) != tt.tests {
			t.Errorf("%s: %d axes, not %d\n%s", tt.name, len(tests), tt.tests, m)
			continue
		}
		for _, l := range tt.launches {
			number := func(x int64) []byte { return le.LittleEndian.AppendUint64(nil, uint64(x)) }
			args := [][]byte{number(l.n), number(l.w), append(number(0), number(1<<20)...)}
			axes := 0
			for axes < len(tests) && tests[axes].Holds(LaunchSize{Dims: l.dims, Block: ssa.DefaultBlockDim}, args) {
				axes++
			}
			if axes != l.axes {
				t.Errorf("%s: %+v: %d axes", tt.name, l, axes)
			}
		}
	}
}
