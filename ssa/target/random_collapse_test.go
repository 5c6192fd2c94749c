package target_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/ssatest"
	"github.com/qdgen/qd/ssa/target"
)

// TestCollapseRandom launches kernels that compute with their indices, and those launches once more in which axes are one.
func TestCollapseRandom(t *testing.T) {
	seeds, found, held := ssatest.Trials(), 0, 0
	for seed := range seeds {
		g := rand.New(rand.NewPCG(seed, 1))
		m := randomSums(g)
		opt.Optimize(m, nil)
		k := m.Kernels()[0]
		tests := target.Collapse(k)
		if len(tests) == 0 {
			continue
		}
		found++
		for _, dims := range [][]int64{{2, 3, 4}, {3, 1, 2}, {1, 5, 1}, {2, 2, 1}} {
			for _, n := range []int64{0, 1, dims[1], dims[1] * dims[2]} {
				for _, w := range []int64{0, 1, dims[2], -dims[2]} {
					number := func(x int64) []byte { return interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(x))) }
					run := func(size []int64) []byte {
						var memory interp.Buffers
						data := bytes.Repeat([]byte{1, 0, 0, 0, 0, 0, 0, 0}, 64)
						args := [][]byte{number(n), number(w), interp.SliceArg(memory.Add(data), 64)}
						launchOver(t, k, &memory, args, size)
						return data
					}
					args, size := [][]byte{number(n), number(w), append(number(0), number(64)...)}, append([]int64{}, dims...)
					for by, test := range tests {
						if !test.Holds(target.LaunchSize{Dims: dims, Block: 1}, args) {
							break
						}
						size[2] *= size[1-by]
						size[1-by] = 1
						held++
						if want, got := run(dims), run(size); !bytes.Equal(got, want) {
							t.Fatalf("seed %d, n %d, w %d, over %v and %v: %v, want %v\n%s\n%+v", seed, n, w, dims, size, got, want, k, test)
						}
					}
				}
			}
		}
	}
	if found < int(seeds)/10 || held < found {
		t.Errorf("of %d kernels %d can have axes that are one, which were so %d times: the generator has lost its bite", seeds, found, held)
	}
}

// randomSums is a kernel (t, n, w int64, s []int64) over three axes that writes at sums and products.
func randomSums(g *rand.Rand) *ssa.Module {
	m := ssatest.KernelOf("k", []*ssa.Value{ssatest.Arg(ssa.Int64, "n"), ssatest.Arg(ssa.Int64, "w"), ssatest.Arg(ssa.Slice{Elem: ssa.Int64}, "s")}, func(b ssatest.Builder, p []*ssa.Value) {
		var ids []*ssa.Value
		for axis := range int8(3) {
			ids = append(ids, b.Append(&ssa.Instr{Op: ssa.OpThreadID, Axis: axis, Rank: 3, Args: p[:1]}, ssa.Int64).Result())
		}
		of := func(list []*ssa.Value) *ssa.Value { return list[g.IntN(len(list))] }
		factors := []*ssa.Value{p[1], p[2], b.Int(ssa.Int64, 2), b.Op(ssa.OpMul, p[1], p[2])}
		// Most sums have the form of the place of an element, and some have other parts, too.
		row := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, ids[0], of(factors)), ids[1])
		at := b.Op(ssa.OpAdd, b.Op(ssa.OpMul, row, of(factors)), ids[2])
		if g.IntN(2) == 0 {
			at = b.Op(ssa.OpAdd, b.Op(ssa.OpAdd, b.Op(ssa.OpMul, ids[0], of(factors)), b.Op(ssa.OpMul, ids[1], of(factors))), ids[2])
		}
		values := []*ssa.Value{at, at, p[1], b.Op(ssa.OpLoad, b.Op(ssa.OpIndexAddr, p[3], b.Op(ssa.OpAnd, at, b.Int(ssa.Int64, 63))))}
		for range g.IntN(4) {
			op := []ssa.Op{ssa.OpAdd, ssa.OpSub, ssa.OpMul}[g.IntN(3)]
			v := b.Op(op, of(values), of(append(values, factors...)))
			if g.IntN(12) == 0 {
				v = b.Op(op, v, of(ids))
			}
			values = append(values, v)
		}
		for range 2 {
			b.Store(b.Op(ssa.OpIndexAddr, p[3], b.Op(ssa.OpAnd, of(values), b.Int(ssa.Int64, 63))), of(values))
		}
		b.Return()
	})
	m.Funcs[0].Rank = 3
	return m
}

// launchOver runs the threads of a kernel over three axes one after the other.
func launchOver(t *testing.T, k *ssa.Func, memory *interp.Buffers, args [][]byte, dims []int64) {
	t.Helper()
	p := interp.Compile(k)
	flat := int64(0)
	for i := range dims[0] {
		for j := range dims[1] {
			for l := range dims[2] {
				env := &interp.Env{Memory: memory, Steps: 1000, Place: interp.Place{Flat: flat, ID: [4]int64{i, j, l}, Dim: [4]int64{dims[0], dims[1], dims[2], 1}, BlockDim: 1}}
				if _, err := p.Run(env, args); err != nil {
					t.Fatal(fmt.Errorf("%w\n%s", err, k))
				}
				flat++
			}
		}
	}
}
