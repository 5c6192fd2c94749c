package target

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/ssatest"
)

// seen is a kernel of so many dimensions that calls a function, and the function, which returns all that a thread sees of
// the launch: its indices, its flat index and the sizes.
func seen(rank int) (m *ssa.Module, f *ssa.Func) {
	f = ssa.NewFunc("f")
	thread := f.Body.AddParam(ssa.Thread, "t")
	var all []*ssa.Value
	place := func(op ssa.Op, axis, rank int) {
		in := f.Body.Append(&ssa.Instr{Op: op, Axis: int8(axis), Rank: int8(rank), Args: []*ssa.Value{thread}}, ssa.Int64)
		all = append(all, in.Result())
		f.Results = append(f.Results, ssa.Int64)
	}
	for axis := range rank {
		place(ssa.OpThreadID, axis, rank)
	}
	place(ssa.OpThreadID, 0, 1)
	for axis := range 4 {
		place(ssa.OpThreadDim, axis, 0)
	}
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn, Args: all})

	k := ssa.NewFunc("k")
	k.Kernel, k.Rank = true, rank
	k.Body.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: []*ssa.Value{k.Body.AddParam(ssa.Thread, "t")}}, f.Results...)
	k.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	return &ssa.Module{Name: "k", Funcs: []*ssa.Func{f, k}}, f
}

// TestInterchange runs what a thread sees of its launch, and the same after two axes have changed places in a launch
// with these axes interchanged.
func TestInterchange(t *testing.T) {
	for rank := 2; rank <= 4; rank++ {
		for axis := range rank - 1 {
			m, f := seen(rank)
			before := interp.Compile(f)
			given := []int64{3, 4, 2, 5}[:rank]
			turned := slices.Clone(given)
			turned[axis], turned[rank-1] = turned[rank-1], turned[axis]
			var want [][][]byte
			for flat := range product(given) {
				want = append(want, seenBy(t, before, given, flat))
			}

			if changed, err := Interchange(m, axis, new(analysis.Summaries)); err != nil || len(changed) != 1 {
				t.Fatalf("axis %d of %d: %d functions have changed, %v", axis, rank, len(changed), err)
			}
			if err := ssa.Verify(m); err != nil {
				t.Fatalf("%v\n%s", err, m)
			}
			after := interp.Compile(f)
			for flat := range product(turned) {
				index := indices(turned, flat)
				index[axis], index[rank-1] = index[rank-1], index[axis]
				of := int64(0)
				for k, n := range given {
					of = of*n + index[k]
				}
				if got := seenBy(t, after, turned, flat); !reflect.DeepEqual(got, want[of]) {
					t.Errorf("axis %d of %d, thread %v: sees %v, want %v", axis, rank, index, got, want[of])
				}
			}
		}
	}
}

// seenBy is what the function of seen gives for a thread of a launch over so many threads along each axis.
func seenBy(t *testing.T, f *interp.Program, sizes []int64, flat int64) [][]byte {
	t.Helper()
	env := &interp.Env{Place: interp.Place{ID: indices(sizes, flat), Dim: [4]int64{1, 1, 1, 1}, Flat: flat}}
	copy(env.Place.Dim[:], sizes)
	got, err := f.Run(env, nil)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// indices are those of a thread along the axes, the last one the fastest.
func indices(sizes []int64, flat int64) (index [4]int64) {
	for axis, n := range slices.Backward(sizes) {
		index[axis], flat = flat%n, flat/n
	}
	return index
}

func product(sizes []int64) int64 {
	n := int64(1)
	for _, size := range sizes {
		n *= size
	}
	return n
}

// TestNoInterchange is about kernels that cannot be launched so.
func TestNoInterchange(t *testing.T) {
	for name, test := range map[string]struct {
		axis   int
		change func(k *ssa.Func)
		want   string
	}{
		"last":     {2, func(*ssa.Func) {}, "have no axis 2 in front of the last one"},
		"negative": {-1, func(*ssa.Func) {}, "have no axis -1"},
		"flat":     {0, func(k *ssa.Func) { k.Rank = 0 }, "no index along an axis"},
		"of block": {0, func(k *ssa.Func) { k.Kind = ssa.BlockKernel }, "knows of blocks"},
		"lane": {0, func(k *ssa.Func) {
			x := k.Body.AddParam(ssa.Pointer{Elem: ssa.Int64}, "x")
			end := k.Body.Instrs[len(k.Body.Instrs)-1]
			k.Body.Instrs = k.Body.Instrs[:len(k.Body.Instrs)-1]
			ssatest.EmitStore(k.Body, x, ssatest.Emit(k.Body, ssa.OpLane, ssa.Int64, k.Params()[0]))
			k.Body.Instrs = append(k.Body.Instrs, end)
		}, "knows of blocks"},
	} {
		m, _ := seen(3)
		test.change(m.Funcs[1])
		text := m.String()
		if _, err := Interchange(m, test.axis, new(analysis.Summaries)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if m.String() != text {
			t.Errorf("%s: the module has changed", name)
		}
	}
}
