package outofssa

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// The threads of a block wait before a loop over lanes, and before what one of them does for all, unless they have just
// waited: after another such statement, if nothing is done between, or at a barrier.
func TestWaitsBefore(t *testing.T) {
	f := ssa.NewFunc("k")
	f.Kernel, f.Kind = true, ssa.BlockKernel
	b := f.Body
	b.AddParam(ssa.BlockPlace, "b")
	x := b.AddParam(ssa.Slice{Elem: ssa.Int64}, "x")
	zero := b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, 0)}, ssa.Int64).Result()
	at := b.Append(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, zero}}, ssa.Pointer{Elem: ssa.Int64}).Result()
	store := func(once bool) *ssa.Instr {
		return b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, zero}, Once: once})
	}
	lanes := func(async bool) *ssa.Instr {
		in := b.Append(&ssa.Instr{Op: ssa.OpFor, Args: []*ssa.Value{zero}, Async: async})
		body := in.NewBlock()
		body.AddParam(ssa.Int64, "lane")
		body.Append(&ssa.Instr{Op: ssa.OpYield})
		return in
	}
	type place struct {
		what string
		in   *ssa.Instr
		want bool
	}
	var places []place
	add := func(what string, in *ssa.Instr, want bool) { places = append(places, place{what, in, want}) }
	add("the first loop", lanes(false), false)
	add("a loop right behind", lanes(false), false)
	number := b.Append(&ssa.Instr{Op: ssa.OpBlockID, Args: b.Params[:1]}, ssa.Int64).Result()
	number.Name = "number"
	add("a loop behind a computation", lanes(false), false)
	read := b.Append(&ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{at}}, ssa.Int64).Result()
	read.Name = "read"
	add("a loop behind what each thread reads", lanes(false), true)
	add("one thread right behind", store(true), false)
	add("one thread behind one", store(true), false)
	add("what each thread does", store(false), false)
	add("a loop behind that", lanes(false), true)
	add("a loop that does not wait", lanes(true), false)
	add("a loop behind that", lanes(false), true)
	store(false)
	b.Append(&ssa.Instr{Op: ssa.OpSync})
	add("one thread behind a barrier", store(true), false)
	sum := b.Append(&ssa.Instr{Op: ssa.OpAtomic, Args: []*ssa.Value{at, zero}, Once: true}, ssa.Int64)
	add("one thread with a result", sum, false)
	add("what reads the result", b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, sum.Result()}, Once: true}), true)
	// In a branch the threads do not know who has waited before it, and behind it not who has in it.
	cond := b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(true)}, ssa.Bool).Result()
	branch := func(fill func()) {
		in := b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}})
		around := b
		b = in.NewBlock()
		fill()
		b.Append(&ssa.Instr{Op: ssa.OpYield})
		b = around
		in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield})
	}
	branch(func() {})
	add("one thread behind an empty branch", store(true), false)
	branch(func() {
		add("one thread in a branch", store(true), true)
		add("a loop behind that", lanes(false), false)
	})
	add("a loop behind the branch", lanes(false), true)
	for range 2 { // uses of the values with names
		b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, read}})
		b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, number}})
	}
	b.Append(&ssa.Instr{Op: ssa.OpReturn})
	code := Translate(f, new(analysis.Summaries))
	for _, p := range places {
		if got := code.WaitsBefore(p.in); got != p.want {
			t.Errorf("%s: threads wait before it: %v\n%v", p.what, got, f)
		}
	}
}
