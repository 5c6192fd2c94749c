package target

import (
	"slices"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// twoPhases is a kernel that stores before a barrier and, in threads that are below n, reads after it.
// With a divergent condition the barrier stands in an If.
func twoPhases(divergent bool) *ssa.Func {
	f := ssa.NewFunc("k")
	f.Kernel = true
	b := f.Body
	t := b.AddParam(ssa.Thread, "t")
	n := b.AddParam(ssa.Int64, "n")
	x := b.AddParam(ssa.Slice{Elem: ssa.Int64}, "x")
	emit := func(in *ssa.Instr, t ssa.Type) *ssa.Value { return b.Append(in, t).Result() }
	shared := emit(&ssa.Instr{Op: ssa.OpShared, Len: 8}, ssa.Slice{Elem: ssa.Int64})
	lane := emit(&ssa.Instr{Op: ssa.OpLane, Args: []*ssa.Value{t}}, ssa.Int64)
	loaded := emit(&ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{emit(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, lane}}, ssa.Pointer{Elem: ssa.Int64})}}, ssa.Int64)
	b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{emit(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{shared, lane}}, ssa.Pointer{Elem: ssa.Int64}), loaded}})
	operand := n
	if divergent {
		operand = lane
	}
	cond := emit(&ssa.Instr{Op: ssa.OpLt, Args: []*ssa.Value{operand, n}}, ssa.Bool)
	branch := b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}})
	then := branch.NewBlock()
	then.Append(&ssa.Instr{Op: ssa.OpSync})
	then.Append(&ssa.Instr{Op: ssa.OpYield})
	branch.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield})
	b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{emit(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{x, lane}}, ssa.Pointer{Elem: ssa.Int64}), loaded}})
	b.Append(&ssa.Instr{Op: ssa.OpReturn})
	return f
}

func howMany(f *ssa.Func, op ssa.Op) int {
	n := 0
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == op {
			n++
		}
	})
	return n
}

func TestDivergence(t *testing.T) {
	for _, divergent := range []bool{false, true} {
		f := twoPhases(divergent)
		d := analysis.NewDivergence(f)
		c, where := d.Sync(analysis.Syncs(f)[0])
		if want := map[bool]analysis.Uniformity{false: analysis.Uniform, true: analysis.Divergent}[divergent]; c != want || divergent != (where != nil) {
			t.Errorf("divergent %v: the barrier is %v at %v", divergent, c, where)
		}
	}
}

// Fission leaves the kernel alone, and its result has no barriers: what threads do stands
// in loops over lanes, what is the same for all of them once outside.
func TestFission(t *testing.T) {
	f := twoPhases(false)
	if err := ssa.Verify(&ssa.Module{Name: "m", Funcs: []*ssa.Func{f}}); err != nil {
		t.Fatal(err)
	}
	before := f.String()
	p := Fission(f)
	if after := f.String(); after != before {
		t.Errorf("the kernel has changed:\n%s\nfrom\n%s", after, before)
	}
	if !p.Phased || len(p.Params()) != len(f.Params())+1 || howMany(p, ssa.OpSync) != 0 || howMany(p, ssa.OpFor) != 2 || howMany(p, ssa.OpIf) != 1 {
		t.Errorf("%s", p)
	}
	for _, in := range p.Body.Instrs {
		switch in.Op {
		case ssa.OpLane, ssa.OpThreadID, ssa.OpLoad, ssa.OpStore:
			t.Errorf("%v stands outside of the phases:\n%s", in, p)
		}
	}
	seen := map[*ssa.Value]bool{}
	see := func(vs []*ssa.Value) {
		for _, v := range vs {
			seen[v] = true
		}
	}
	see(p.Params())
	p.Body.Walk(func(in *ssa.Instr) {
		for _, a := range in.Args {
			if !seen[a] {
				t.Errorf("%v reads %v, which is not defined:\n%s", in, a, p)
			}
		}
		see(in.Results)
		for _, b := range in.Blocks {
			see(b.Params)
		}
	})
}

// A condition of a barrier that is not proven uniform is found once, and a check of it stays one.
func TestUnknownConditions(t *testing.T) {
	f := twoPhases(false)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLt {
			in.Args[0] = f.Body.Instrs[3].Result() // what was loaded
		}
	})
	unknown := analysis.NewDivergence(f).UnknownConditions(f)
	if len(unknown) != 1 {
		t.Fatalf("%d conditions are not proven uniform\n%s", len(unknown), f)
	}
	at := unknown[0]
	check := &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckSync, Args: []*ssa.Value{analysis.Condition(at)}, Block: at.Block}
	at.Block.Instrs = slices.Insert(at.Block.Instrs, slices.Index(at.Block.Instrs, at), check)
	if err := ssa.Verify(&ssa.Module{Name: "m", Funcs: []*ssa.Func{f}}); err != nil || howMany(f, ssa.OpCheck) != 1 {
		t.Errorf("%v\n%s", err, f)
	}
	if p := Fission(f); howMany(p, ssa.OpCheck) != 1 || howMany(p, ssa.OpFor) != 3 {
		t.Errorf("%s", p)
	}
}
