package ssa_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
)

// clamped is a kernel that clamps its index, x[max(t.ID(), 0)] = 0, and its clamp and its store.
func clamped() (f *ssa.Func, clamp, store *ssa.Instr) {
	f = ssa.NewFunc("k")
	f.Kernel = true
	b := f.Body
	t := b.AddParam(ssa.Thread, "t")
	x := b.AddParam(ssa.Slice{Elem: ssa.Float32}, "x")
	id := b.Append(&ssa.Instr{Op: ssa.OpThreadID, Rank: 1, Args: []*ssa.Value{t}}, ssa.Int64).Result()
	zero := b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, 0)}, ssa.Int64).Result()
	clamp = b.Append(&ssa.Instr{Op: ssa.OpMax, Args: []*ssa.Value{id, zero}}, ssa.Int64)
	at := b.Append(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, clamp.Result()}}, ssa.Pointer{Elem: ssa.Float32}).Result()
	value := b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.Float32Const(0)}, ssa.Float32).Result()
	store = b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, value}})
	b.Append(&ssa.Instr{Op: ssa.OpReturn})
	return f, clamp, store
}

// What stages decide is printed, and verified.
func TestDecisions(t *testing.T) {
	row := &ssa.RowValue{Op: ssa.OpThreadDim, Type: ssa.Int64}
	inside, _, _ := clamped()
	inside.Name, inside.Kernel = "k.interior", false
	other := ssa.NewFunc("other")
	other.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	for _, tt := range []struct {
		name   string
		decide func(f *ssa.Func, clamp, store *ssa.Instr)
		text   string // in what is printed
		wrong  string // what the verifier says, "" for nothing
	}{
		{"interior", func(f *ssa.Func, _, _ *ssa.Instr) {
			f.Interior = &ssa.Interior{From: []ssa.Bound{{Plus: 1}}, To: []ssa.Bound{{Base: row, Plus: -1}, {Base: &ssa.RowValue{Index: 2, Type: ssa.Int64}, Plus: 3, Cut: true}}, Inside: inside}
		}, " from [1] to [thread.dim axis 0 - 1] to [cut(param 2) + 3] by k.interior {", ""},
		{"independent", func(f *ssa.Func, _, _ *ssa.Instr) { f.Vector = ssa.VectorWanted | ssa.VectorIndependent }, " vectors independent {", ""},
		{"never", func(f *ssa.Func, _, _ *ssa.Instr) { f.Vector = ssa.VectorNever }, " scalar {", ""},

		{"an interior that nobody runs", func(f *ssa.Func, _, _ *ssa.Instr) { f.Interior = &ssa.Interior{Inside: f} }, "", "an interior without a device function"},
		{"an interior with other parameters", func(f *ssa.Func, _, _ *ssa.Instr) {
			f.Interior = &ssa.Interior{Inside: other}
		}, "", "an interior whose function has other parameters"},
		{"rows of a store", func(_ *ssa.Func, _, store *ssa.Instr) { store.Rows = true }, " by rows\n", "is no load of rows"},
		{"a store on the heap", func(_ *ssa.Func, _, store *ssa.Instr) { store.Storage = ssa.LaneHeap }, " per lane heap\n", "no array that lanes could have"},
		{"a store that fits", func(_ *ssa.Func, _, store *ssa.Instr) { store.Fit = ssa.FitExact }, " exact\n", "is no arithmetic of integers that fits"},
		{"a clamp that fits", func(_ *ssa.Func, clamp, _ *ssa.Instr) { clamp.Fit = ssa.FitExact }, " exact\n", "is no arithmetic of integers that fits"},
		{"a short clamp", func(_ *ssa.Func, clamp, _ *ssa.Instr) { clamp.Fit = ssa.FitShort }, " exact short\n", "is no division"},
		{"what only comes with vectors", func(f *ssa.Func, _, _ *ssa.Instr) { f.Vector = ssa.VectorShort }, " short", "a loop over threads that is told: short"},
		{"vectors and none", func(f *ssa.Func, _, _ *ssa.Instr) { f.Vector = ssa.VectorNever | ssa.VectorWanted }, " scalar vectors", "a loop over threads that is told: scalar vectors"},
		{"a vectorized store", func(_ *ssa.Func, _, store *ssa.Instr) { store.Vector = ssa.VectorWanted }, " vectors\n", "is no loop over lanes"},
		{"once in a thread", func(_ *ssa.Func, _, store *ssa.Instr) { store.Once = true }, " once\n", "done once for a block by the code of a thread"},
		{"changes a number", func(_ *ssa.Func, clamp, store *ssa.Instr) { store.Changes = []*ssa.Value{clamp.Result()} }, " changes v4\n", "is changed and no variable"},
		{"a device function with a loop", func(f *ssa.Func, _, _ *ssa.Instr) { f.Kernel, f.Vector = false, ssa.VectorNever }, "", "a device function with a kernel's loop over threads"},
	} {
		f, clamp, store := clamped()
		tt.decide(f, clamp, store)
		m := &ssa.Module{Name: "k", Funcs: []*ssa.Func{inside, other, f}}
		if text := m.String(); !strings.Contains(text, tt.text) {
			t.Errorf("%s: %q is not in\n%s", tt.name, tt.text, text)
		}
		err := ssa.Verify(m)
		if tt.wrong == "" && err != nil || tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
			t.Errorf("%s: the verifier says %v, want %q", tt.name, err, tt.wrong)
		}
		// A copy has the same decisions, about itself.
		c := m.Clone()
		if c.String() != m.String() || c.Funcs[2] == f || c.Funcs[2].Body.Instrs[0] == f.Body.Instrs[0] || f.Interior != nil && !slices.Contains(c.Funcs, c.Funcs[2].Interior.Inside) {
			t.Errorf("%s: the copy is\n%s", tt.name, c)
		}
	}
}

// Invariants hold or do not.
func TestInvariants(t *testing.T) {
	for _, tt := range []struct {
		inv   *ssa.Invariant
		add   *ssa.Instr
		kind  ssa.Kind
		wrong string
	}{
		{ssa.OneAfterTheOther, &ssa.Instr{Op: ssa.OpSync}, ssa.ThreadKernel, "a barrier"},
		{ssa.Numbered, &ssa.Instr{Op: ssa.OpPanic, Message: "no"}, ssa.ThreadKernel, "a fault without a number"},
		{ssa.Numbered, &ssa.Instr{Op: ssa.OpPanic, Message: "no", Number: 1}, ssa.ThreadKernel, ""},
		{ssa.Numbered, &ssa.Instr{Op: ssa.OpPanic, Message: "no"}, ssa.GridKernel, ""}, // the host's
		{ssa.Outlined, &ssa.Instr{Op: ssa.OpFor}, ssa.GridKernel, "a parallel loop that is not in the code of a block"},
		{ssa.Outlined, &ssa.Instr{Op: ssa.OpFor}, ssa.BlockKernel, ""},
		{ssa.Legal, &ssa.Instr{Op: ssa.OpDiv}, ssa.ThreadKernel, "a division by a constant with care for it"},
		{ssa.Legal, &ssa.Instr{Op: ssa.OpRem, Fit: ssa.FitExact}, ssa.ThreadKernel, ""},
		{ssa.Legal, &ssa.Instr{Op: ssa.OpDiv}, ssa.GridKernel, ""}, // the host's
	} {
		f := ssa.NewFunc("k")
		f.Kernel, f.Kind = true, tt.kind
		var results []ssa.Type
		if tt.inv == ssa.Legal {
			three := f.Body.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, 3)}, ssa.Int64).Result()
			tt.add.Args, results = []*ssa.Value{three, three}, []ssa.Type{ssa.Int64}
		}
		f.Body.Append(tt.add, results...)
		err := ssa.Hold(&ssa.Module{Name: "k", Funcs: []*ssa.Func{f}}, tt.inv)
		if tt.wrong == "" && err != nil || tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
			t.Errorf("%s: %v: %v, want %q", tt.inv.Name, tt.add.Op, err, tt.wrong)
		}
	}
}
