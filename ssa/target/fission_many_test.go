package target_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target"
)

// manyLeft is a kernel with count labelled blocks, one after the other. Its thread leaves block n before the barrier there,
// returns before block 3 if n is negative, and counts what it comes to behind each barrier.
func manyLeft(count int64) (m *ssa.Module) {
	m = new(ssa.Module)
	ssatest.AddFunc(m, "k", true, []*ssa.Value{ssatest.Arg(ssa.Thread, "t"), ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "x")}, nil, func(b ssatest.Builder, p []*ssa.Value) {
		n, x := p[1], p[2]
		for i := range count {
			if i == 3 {
				b.IfElse(b.Op(ssa.OpLt, n, b.Int(ssa.Int64, 0)), nil, func(b ssatest.Builder) { b.Return() }, func(b ssatest.Builder) { b.Yield() })
			}
			b.Loop(nil, func(b ssatest.Builder, _ []*ssa.Value) *ssa.Value { return b.Bool(true) }, func(b ssatest.Builder, loop *ssa.Instr, _ []*ssa.Value) {
				b.IfElse(b.Op(ssa.OpEq, n, b.Int(ssa.Int64, i)), nil, func(b ssatest.Builder) { b.Break(loop) }, func(b ssatest.Builder) { b.Yield() })
				b.Append(&ssa.Instr{Op: ssa.OpSync})
				at := b.Op(ssa.OpIndexAddr, x, b.Int(ssa.Int64, i))
				b.Store(at, b.Op(ssa.OpAdd, b.Op(ssa.OpLoad, at), b.Int(ssa.Int64, 1)))
				b.Break(loop)
			}, func(b ssatest.Builder, _ []*ssa.Value) []*ssa.Value { return nil })
		}
		b.Return()
	})
	return m
}

// TestFissionManyLeft has threads leave one of more blocks than a byte can number. They miss that block alone, and those
// that have returned all of them.
func TestFissionManyLeft(t *testing.T) {
	const count = 300
	m := manyLeft(count)
	k := m.Kernels()[0]
	f := target.Fission(k)
	m.Funcs[0] = f
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	p := interp.Compile(f)
	for _, n := range []int64{-1, 0, 5, 252, 253, 254, 255, 256, 299, 300} {
		var memory interp.Buffers
		x := make([]byte, 8*count)
		args := [][]byte{interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n))), interp.SliceArg(memory.Add(x), count), interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, 1))}
		env := &interp.Env{Memory: &memory, Steps: 1 << 20, Shared: memory.AddShared, Place: interp.Place{Dim: [4]int64{1, 1, 1, 1}}}
		if _, err := p.Run(env, args); err != nil {
			t.Fatal(err)
		}
		missed := ""
		for i := range int64(count) {
			if x[8*i] != 1 {
				missed += fmt.Sprint(" ", i)
			}
		}
		want := fmt.Sprint(" ", n)
		switch {
		case n < 0:
			want = ""
			for i := 3; i < count; i++ {
				want += fmt.Sprint(" ", i)
			}
		case n == count:
			want = ""
		}
		if missed != want {
			t.Errorf("n is %d: the thread misses blocks%s, want%s", n, missed, want)
		}
	}
}
