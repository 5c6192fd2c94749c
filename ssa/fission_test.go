package ssa

import (
	"testing"
)

// twoPhases is a kernel that stores before a barrier and, in threads that are below n, reads after it.
// With a divergent condition the barrier stands in an If.
func twoPhases(divergent bool) *Func {
	f := NewFunc("k")
	f.Kernel = true
	b := f.Body
	t := b.AddParam(Thread, "t")
	n := b.AddParam(Int64, "n")
	x := b.AddParam(Slice{Int64}, "x")
	emit := func(in *Instr, t Type) *Value { return b.Append(in, t).Result() }
	shared := emit(&Instr{Op: OpShared, Len: 8}, Slice{Int64})
	lane := emit(&Instr{Op: OpLane, Args: []*Value{t}}, Int64)
	loaded := emit(&Instr{Op: OpLoad, Args: []*Value{emit(&Instr{Op: OpIndexAddr, Args: []*Value{x, lane}}, Pointer{Int64})}}, Int64)
	b.Append(&Instr{Op: OpStore, Args: []*Value{emit(&Instr{Op: OpIndexAddr, Args: []*Value{shared, lane}}, Pointer{Int64}), loaded}})
	operand := n
	if divergent {
		operand = lane
	}
	cond := emit(&Instr{Op: OpLt, Args: []*Value{operand, n}}, Bool)
	branch := b.Append(&Instr{Op: OpIf, Args: []*Value{cond}})
	then := branch.NewBlock()
	then.Append(&Instr{Op: OpSync})
	then.Append(&Instr{Op: OpYield})
	branch.NewBlock().Append(&Instr{Op: OpYield})
	b.Append(&Instr{Op: OpStore, Args: []*Value{emit(&Instr{Op: OpIndexAddr, Args: []*Value{x, lane}}, Pointer{Int64}), loaded}})
	b.Append(&Instr{Op: OpReturn})
	return f
}

func howMany(f *Func, op Op) int {
	n := 0
	f.Body.Walk(func(in *Instr) {
		if in.Op == op {
			n++
		}
	})
	return n
}

func TestDivergence(t *testing.T) {
	for _, divergent := range []bool{false, true} {
		f := twoPhases(divergent)
		d := NewDivergence(f)
		c, where := d.Sync(f.Syncs()[0])
		if want := map[bool]Uniformity{false: Uniform, true: Divergent}[divergent]; c != want || divergent != (where != nil) {
			t.Errorf("divergent %v: the barrier is %v at %v", divergent, c, where)
		}
	}
}

// Fission leaves the kernel alone, and its result has no barriers: what threads do stands
// in loops over lanes, what is the same for all of them once outside.
func TestFission(t *testing.T) {
	f := twoPhases(false)
	if err := Verify(&Module{Name: "m", Funcs: []*Func{f}}); err != nil {
		t.Fatal(err)
	}
	before := f.String()
	p := Fission(f)
	if after := f.String(); after != before {
		t.Errorf("the kernel has changed:\n%s\nfrom\n%s", after, before)
	}
	if !p.Phased || len(p.Params()) != len(f.Params())+1 || howMany(p, OpSync) != 0 || howMany(p, OpFor) != 2 || howMany(p, OpIf) != 1 {
		t.Errorf("%s", p)
	}
	for _, in := range p.Body.Instrs {
		switch in.Op {
		case OpLane, OpThreadID, OpLoad, OpStore:
			t.Errorf("%v stands outside of the phases:\n%s", in, p)
		}
	}
	seen := map[*Value]bool{}
	see := func(vs []*Value) {
		for _, v := range vs {
			seen[v] = true
		}
	}
	see(p.Params())
	p.Body.Walk(func(in *Instr) {
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

// A check whether threads agree is put in front of a condition that is not known, once.
func TestCheckSyncs(t *testing.T) {
	f := twoPhases(false)
	f.Body.Walk(func(in *Instr) {
		if in.Op == OpLt {
			in.Args[0] = f.Body.Instrs[3].Result() // what was loaded
		}
	})
	NewDivergence(f).CheckSyncs(f)
	if err := Verify(&Module{Name: "m", Funcs: []*Func{f}}); err != nil || howMany(f, OpCheck) != 1 {
		t.Errorf("%v\n%s", err, f)
	}
	if p := Fission(f); howMany(p, OpCheck) != 1 || howMany(p, OpFor) != 3 {
		t.Errorf("%s", p)
	}
}
