package target

import (
	"reflect"
	"slices"
	"strconv"
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
			interchanged := slices.Clone(given)
			interchanged[axis], interchanged[rank-1] = interchanged[rank-1], interchanged[axis]
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
			for flat := range product(interchanged) {
				index := indices(interchanged, flat)
				index[axis], index[rank-1] = index[rank-1], index[axis]
				of := int64(0)
				for k, n := range given {
					of = of*n + index[k]
				}
				if got := seenBy(t, after, interchanged, flat); !reflect.DeepEqual(got, want[of]) {
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

// TestInterchangeLoops is about which loops of a Grid kernel get other axes: those whose last size is known to be small.
func TestInterchangeLoops(t *testing.T) {
	known := func(n int64) func(f *ssa.Func, n *ssa.Value) *ssa.Value {
		return func(f *ssa.Func, _ *ssa.Value) *ssa.Value { return f.Body.AppendInt(ssa.Int64, n) }
	}
	unknown := func(_ *ssa.Func, n *ssa.Value) *ssa.Value { return n }
	type size = func(f *ssa.Func, n *ssa.Value) *ssa.Value
	for _, test := range []struct {
		name   string
		loops  [][]size
		inside func(b *ssa.Block, i *ssa.Value)
		want   []string // of each launch
	}{
		{"pixels", [][]size{{unknown, unknown, known(3)}}, nil, []string{"over n.v1, v2, n.v1 (x.v0) interchanged 1"}},
		{"far", [][]size{{unknown, known(2), known(3)}}, nil, []string{"over v3, v2, n.v1 (x.v0) interchanged 0"}},
		{"long", [][]size{{unknown, known(8)}}, nil, []string{"over n.v1, v2 (x.v0)"}},
		{"unknown", [][]size{{unknown, unknown}}, nil, []string{"over n.v1, n.v1 (x.v0)"}},
		{"short", [][]size{{known(2), known(3)}}, nil, []string{"over v2, v3 (x.v0)"}},
		{"one axis", [][]size{{known(3)}}, nil, []string{"over v2 (x.v0)"}},
		{"alike", [][]size{{unknown, known(3)}, {unknown, known(4)}}, nil, []string{"over v2, n.v1 (x.v0) interchanged 0", "over v6, n.v1 (x.v0) interchanged 0"}},
		{"not alike", [][]size{{unknown, known(3)}, {unknown, unknown}}, nil, []string{"over n.v1, v2 (x.v0)", "over n.v1, n.v1 (x.v0)"}},
		{"prints", [][]size{{unknown, known(3)}}, func(b *ssa.Block, i *ssa.Value) {
			b.Append(&ssa.Instr{Op: ssa.OpPrintf, Args: []*ssa.Value{i}})
		}, []string{"over n.v1, v2 (x.v0)"}},
		{"asks who was first", [][]size{{unknown, known(3)}}, func(b *ssa.Block, i *ssa.Value) {
			at := ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Int64}, b.Func.Params()[0], i)
			first := b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{at, i}}, ssa.Int64).Result()
			ssatest.EmitStore(b, at, first)
		}, []string{"over n.v1, v2 (x.v0)"}},
	} {
		f := ssa.NewFunc("k")
		f.Kernel, f.Kind = true, ssa.GridKernel
		x, n := f.Body.AddParam(ssa.Slice{Elem: ssa.Int64}, "x"), f.Body.AddParam(ssa.Int64, "n")
		for _, sizes := range test.loops {
			loop := &ssa.Instr{Op: ssa.OpFor}
			for _, size := range sizes {
				loop.Args = append(loop.Args, size(f, n))
			}
			b := f.Body.Append(loop).NewBlock()
			for range sizes {
				b.AddParam(ssa.Int64, "i")
			}
			if test.inside != nil {
				test.inside(b, b.Params[0])
			}
			ssatest.EmitStore(b, ssatest.Emit(b, ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Int64}, x, b.Params[0]), b.Params[len(sizes)-1])
			b.Append(&ssa.Instr{Op: ssa.OpYield})
		}
		f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
		m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{f}, Formats: []ssa.Format{{Text: "%d", Args: []ssa.FormatArg{{Type: ssa.Int64, GoType: "int"}}}}}
		Outline(m)
		changed := InterchangeLoops(m, func(bytes int) int { return 32 / bytes }, new(analysis.Summaries))
		if err := ssa.Verify(m); err != nil {
			t.Fatalf("%s: %v\n%s", test.name, err, m)
		}
		var got []string
		interchanged := 0
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpLaunch {
				return
			}
			s := in.String()
			if in.Callee.Interchanged != 0 {
				interchanged++
				s += " interchanged " + strconv.Itoa(in.Callee.Interchanged-1)
			}
			got = append(got, s)
		})
		if len(got) != len(test.want) || (interchanged > 0) != (len(changed) > 0) {
			t.Fatalf("%s: %q, want %q\n%s", test.name, got, test.want, m)
		}
		for i, want := range test.want {
			if !strings.Contains(got[i], want) || strings.Contains(got[i], "interchanged") != strings.Contains(want, "interchanged") {
				t.Errorf("%s: %q, want %q\n%s", test.name, got[i], want, m)
			}
		}
	}
}
