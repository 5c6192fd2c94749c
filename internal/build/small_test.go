package build

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target/abi"
	"github.com/qdgen/qd/ssa/target/narrow"
)

// A launch is small if its threads, all slices among its arguments and the numbers that indices are computed of are;
// other numbers may be large.
func TestSmall(t *testing.T) {
	slice := ssa.Slice{Elem: ssa.Float32}
	view := ssa.StructOf("View", ssa.Field{Name: "data", Type: slice}, ssa.Field{Name: "n", Type: ssa.Int64}, ssa.Field{Name: "stride", Type: ssa.Int64})
	params := []*ssa.Value{ssatest.Arg(ssa.Int64, "time"), ssatest.Arg(slice, "passed"), ssatest.Arg(view, "v"), ssatest.Arg(ssa.Int64, "offset")}
	m := ssatest.KernelOf("k", params, func(b ssatest.Builder, p []*ssa.Value) {
		in := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Rank: 1, Args: p[:1]}, ssa.Int64)
		at := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, in.Result(), b.Field(p[3], 2)), p[4])
		b.Store(b.Op(ssa.OpIndexAddr, b.Field(p[3], 0), at), b.Convert(ssa.Float32, p[1]))
		b.Return()
	})
	narrow.Narrow(m)
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	k := m.Kernels()[0]
	layout := abi.GPU.Args(k)
	small := SmallOf(m, k, layout)
	if len(small.Lengths) != 2 || len(small.Numbers) != 2 {
		t.Fatalf("%+v\n%s", small, m)
	}
	const limit = 1 << 30
	type launch struct {
		threads                                 int
		time, passed, length, n, stride, offset int64
	}
	for _, c := range []struct {
		launch
		want bool
	}{
		{launch{1, 1, 1, 1, 1, 1, 1}, true},
		{launch{limit - 1, math.MaxInt64, limit - 1, limit - 1, math.MinInt64, limit - 1, 1 - limit}, true},
		{launch{threads: limit}, false},
		{launch{threads: 1<<31 - 1}, false},
		{launch{threads: 1 << 31}, false},
		{launch{threads: 1<<32 + 1}, false},
		{launch{passed: limit}, false},
		{launch{passed: 1<<31 - 1}, false},
		{launch{passed: 1 << 31}, false},
		{launch{passed: 1 << 32}, false},
		{launch{length: limit}, false},
		{launch{length: 1<<32 + 3}, false},
		{launch{stride: limit}, false},
		{launch{stride: -limit}, false},
		{launch{stride: 1 << 32}, false},
		{launch{offset: math.MinInt64}, false},
		{launch{offset: math.MaxInt64}, false},
		{launch{n: math.MaxInt64}, true}, // nothing is computed of it
	} {
		buf := make([]byte, layout.Size)
		put := func(at int, n int64) { binary.NativeEndian.PutUint64(buf[at:], uint64(n)) }
		at := layout.Offsets
		put(at[0], c.time)
		put(at[1]+8, c.passed)
		put(at[2]+8, c.length)
		put(at[2]+16, c.n)
		put(at[2]+24, c.stride)
		put(at[3], c.offset)
		if got := small.Holds(c.threads, buf); got != c.want {
			t.Errorf("%+v: %v", c.launch, got)
		}
		if n := testing.AllocsPerRun(10, func() { small.Holds(c.threads, buf) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
	if other := ssatest.KernelOf("k", nil, func(b ssatest.Builder, p []*ssa.Value) { b.Return() }); SmallOf(other, other.Kernels()[0], layout) != nil {
		t.Error("a kernel for all launches asks whether they are small")
	}
}
