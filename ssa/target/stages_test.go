package target_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target"
)

// value appends an instruction with one result.
func value(b *ssa.Block, in *ssa.Instr, t ssa.Type) *ssa.Value { return b.Append(in, t).Result() }

func number(b *ssa.Block, n uint64) *ssa.Value {
	return value(b, &ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, n)}, ssa.Int64)
}

// Arrays for lanes are on the stack while there is room; what nobody uses takes none, and neither does what is not there.
func TestPlaceLanes(t *testing.T) {
	f := ssa.NewFunc("k")
	f.Kernel, f.Phased = true, true
	f.Body.AddParam(ssa.Thread, "t")
	f.Body.AddParam(ssa.Int64, "lanes")
	zero := number(f.Body, 0)
	array := func(numbers int, perLane, used bool) {
		storage := ssa.BlockStorage
		if perLane {
			storage = ssa.LaneStorage
		}
		elem := ssa.Type(ssa.Array{Elem: ssa.Int64, Len: numbers})
		slice := value(f.Body, &ssa.Instr{Op: ssa.OpShared, Len: ssa.MaxLanes, Storage: storage}, ssa.Slice{Elem: elem})
		if used {
			value(f.Body, &ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{slice, zero}}, ssa.Pointer{Elem: elem})
		}
	}
	var want []string
	for _, a := range []struct {
		numbers             int // of 1 MiB there is room for 128 in each lane
		perLane, used, heap bool
	}{
		{64, true, true, false},
		{1000, true, false, false},
		{1000, false, true, false},
		{1000, true, true, true},
		{64, true, true, false},
		{1, true, true, true},
	} {
		array(a.numbers, a.perLane, a.used)
		want = append(want, fmt.Sprint(a.heap))
	}
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{f}}
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	target.PlaceLanes(m, new(analysis.Summaries))
	i := 0
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpShared {
			if heap := in.Storage == ssa.LaneHeap; fmt.Sprint(heap) != want[i] {
				t.Errorf("array %d: on the heap: %v, want %s", i, heap, want[i])
			}
			i++
		}
	})
	if err := ssa.Verify(m); err != nil || strings.Count(m.String(), " heap\n") != 2 {
		t.Errorf("%v\n%s", err, m)
	}
}

// Between the parallel loops of a Block kernel one thread does what others would see; what it does to
// variables is told. In the loops each lane does its own.
func TestCooperate(t *testing.T) {
	f := ssa.NewFunc("k")
	f.Kernel, f.Kind = true, ssa.BlockKernel
	b := f.Body
	b.AddParam(ssa.BlockPlace, "b")
	x := b.AddParam(ssa.Slice{Elem: ssa.Int64}, "x")
	zero := number(b, 0)
	local := value(b, &ssa.Instr{Op: ssa.OpLocal, Args: []*ssa.Value{zero}}, ssa.Pointer{Elem: ssa.Int64})
	at := value(b, &ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, zero}}, ssa.Pointer{Elem: ssa.Int64})
	seen := b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, zero}})
	own := b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{local, zero}})
	loop := b.Append(&ssa.Instr{Op: ssa.OpFor, Args: []*ssa.Value{zero}})
	body := loop.NewBlock()
	lane := body.AddParam(ssa.Int64, "lane")
	to := value(body, &ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, lane}}, ssa.Pointer{Elem: ssa.Int64})
	inside := body.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{to, lane}})
	body.Append(&ssa.Instr{Op: ssa.OpYield})
	b.Append(&ssa.Instr{Op: ssa.OpReturn})
	m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{f}}
	target.Cooperate(m, new(analysis.Summaries))
	if err := ssa.Verify(m); err != nil {
		t.Fatal(err)
	}
	if !seen.Once || own.Once || inside.Once {
		t.Errorf("once: %v, %v and %v in the loop", seen.Once, own.Once, inside.Once)
	}
	if len(seen.Changes) != 0 || len(own.Changes) != 1 || own.Changes[0] != local || len(inside.Changes) != 0 {
		t.Errorf("told:\n%s", m)
	}
}

// Threads wait for each other around a loop over a matrix in registers only where one sees what another one does.
func TestCooperateInRegisters(t *testing.T) {
	for _, seen := range []bool{false, true} {
		f := ssa.NewFunc("k")
		f.Kernel, f.Kind, f.Threads = true, ssa.BlockKernel, 64
		f.Body.AddParam(ssa.BlockPlace, "b")
		x := f.Body.AddParam(ssa.Slice{Elem: ssa.Int64}, "x")
		sum := value(f.Body, &ssa.Instr{Op: ssa.OpShared, Storage: ssa.RegisterStorage, Len: 16 * 8, Index: 8}, ssa.Slice{Elem: ssa.Int64})
		loop := f.Body.Append(&ssa.Instr{Op: ssa.OpFor, Spread: true, Args: []*ssa.Value{number(f.Body, 16), number(f.Body, 8)}})
		body := loop.NewBlock()
		i, j := body.AddParam(ssa.Int64, "i"), body.AddParam(ssa.Int64, "j")
		row := value(body, &ssa.Instr{Op: ssa.OpMul, Args: []*ssa.Value{i, number(body, 8)}}, ssa.Int64)
		flat := value(body, &ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{row, j}}, ssa.Int64)
		to := value(body, &ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{sum, flat}}, ssa.Pointer{Elem: ssa.Int64})
		body.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{to, i}})
		if seen {
			to := value(body, &ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, flat}}, ssa.Pointer{Elem: ssa.Int64})
			body.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{to, i}})
		}
		body.Append(&ssa.Instr{Op: ssa.OpYield})
		f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
		target.Cooperate(&ssa.Module{Name: "k", Funcs: []*ssa.Func{f}}, new(analysis.Summaries))
		if loop.Async == seen {
			t.Errorf("seen by others %v, and does not wait: %v\n%s", seen, loop.Async, f)
		}
	}
}

// Numbers are those of the device's checks, in the order of the text; a second time they are the same.
func TestNumberChecks(t *testing.T) {
	m := &ssa.Module{Name: "k"}
	for range 2 {
		f := ssa.NewFunc(fmt.Sprintf("k%d", len(m.Funcs)))
		f.Kernel = true
		f.Body.AddParam(ssa.Thread, "t")
		n := number(f.Body, 1)
		f.Body.Append(&ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckDivide, Args: []*ssa.Value{n}})
		f.Body.Append(&ssa.Instr{Op: ssa.OpPanic, Message: "no"})
		m.Funcs = append(m.Funcs, f)
	}
	if ssa.Hold(m, ssa.Numbered) == nil {
		t.Error("they have numbers already")
	}
	for range 2 {
		target.NumberChecks(m)
		var got []int
		for _, f := range m.Funcs {
			f.Body.Walk(func(in *ssa.Instr) {
				if in.Number > 0 {
					got = append(got, int(in.Number))
				}
			})
		}
		if fmt.Sprint(got) != "[1 2 3 4]" {
			t.Errorf("numbers %v", got)
		}
	}
	if err := ssa.Hold(m, ssa.WellFormed, ssa.Numbered); err != nil {
		t.Error(err)
	}
}
