package gradient

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file finds which values of a function have a tangent that is not zero. It holds for memory behind parameters,
// for shared memory, and for variables whose address goes anywhere. As in activity.go, integers that are made of the
// bits of floats vary too.

// varying is what is known of a function of which some arguments vary.
type varying struct {
	of      *ssa.Func
	values  map[*ssa.Value]bool // for a variable that nothing but loads and stores use: what it holds
	escapes map[*ssa.Value]bool // variables of which the addresses go anywhere
	gives   []bool              // the results that vary
	writes  bool                // it may write memory of floats that is not its own
	changed bool
}

// varying finds what varies in a function.
func (t *tangents) varying(f *ssa.Func, args []bool) *varying {
	key := t.keyOf(f, args)
	if v := t.varySeen[key]; v != nil {
		return v
	}
	v := &varying{of: f, values: make(map[*ssa.Value]bool), escapes: make(map[*ssa.Value]bool), gives: make([]bool, len(f.Results))}
	t.varySeen[key] = v
	for i, p := range f.Params() {
		if args[i] {
			v.values[p] = true
		}
	}
	f.Body.Walk(v.escape)
	for v.changed = true; v.changed; {
		v.changed = false
		f.Body.Walk(func(in *ssa.Instr) { t.vary(v, in) })
	}
	return v
}

// escape notes the variables whose addresses go on through an instruction.
func (v *varying) escape(in *ssa.Instr) {
	for i, a := range in.Args {
		if !isAddress(a.Type) || !a.Root().IsLocal() {
			continue
		}
		switch in.Op {
		case ssa.OpLoad, ssa.OpLen, ssa.OpIsNil, ssa.OpApart, ssa.OpCheck:
			continue
		case ssa.OpStore, ssa.OpAtomic:
			if i == 0 {
				continue
			}
		}
		if in.Op.IsPath() || in.Op.IsComparison() {
			continue
		}
		v.escapes[a.Root()] = true
	}
}

func (v *varying) mark(x *ssa.Value) {
	if !v.values[x] {
		v.values[x], v.changed = true, true
	}
}

// varies reports whether a value depends on floats in memory. One that has floats beside slices may.
func (v *varying) varies(x *ssa.Value) bool {
	return v.values[x] || leads(x.Type) && hasFloats(x.Type)
}

// hasTwin reports whether a value has a tangent that may not be zero. What leads to floats has one, apart from
// addresses of variables that hold constants.
func (v *varying) hasTwin(x *ssa.Value) bool {
	if leads(x.Type) {
		return !isAddress(x.Type) || v.memoryVaries(x)
	}
	return v.values[x] && hasFloats(x.Type)
}

// memoryVaries reports whether the floats at an address have tangents.
func (v *varying) memoryVaries(addr *ssa.Value) bool {
	root := addr.Root()
	return !root.IsLocal() || v.escapes[root] || v.values[root] || leads(at(root))
}

// vary marks what an instruction makes that varies.
func (t *tangents) vary(v *varying, in *ssa.Instr) {
	flow := func(from, to *ssa.Value) {
		if v.varies(from) {
			v.mark(to)
		}
	}
	all := func(from, to []*ssa.Value) {
		for k, x := range to {
			flow(from[k], x)
		}
	}
	switch in.Op {
	case ssa.OpIf, ssa.OpFor:
	case ssa.OpLoop, ssa.OpTest, ssa.OpYield, ssa.OpContinue, ssa.OpBreak:
		all(in.Flow())
	case ssa.OpReturn:
		for k, x := range in.Args {
			if v.varies(x) && !v.gives[k] {
				v.gives[k], v.changed = true, true
			}
		}
	case ssa.OpLoad:
		root := in.Args[0].Root()
		if root.IsLocal() && !v.escapes[root] {
			if v.values[root] && mayBeBits(in) {
				v.mark(in.Result())
			}
		} else if hasFloats(in.Result().Type) {
			v.mark(in.Result())
		}
	case ssa.OpStore:
		if root := in.Args[0].Root(); root.IsLocal() {
			flow(in.Args[1], root)
		}
	case ssa.OpLocal:
		flow(in.Args[0], in.Result())
	case ssa.OpAtomic:
		if root := in.Args[0].Root(); root.IsLocal() {
			for _, a := range in.Args[1:] {
				flow(a, root)
			}
		}
		if hasFloats(in.Result().Type) && v.memoryVaries(in.Args[0]) {
			v.mark(in.Result())
		}
	case ssa.OpCall:
		t.varyCall(v, in)
	case ssa.OpRecur:
		t.varyRecur(v, in)
	default:
		if in.Op.Effect() != ssa.Pure || in.Op.IsComparison() || in.Op == ssa.OpConst {
			break
		}
		for i, a := range in.Args {
			for k, r := range in.Results {
				if v.varies(a) && flows(in, i, k) {
					v.mark(r)
				}
			}
		}
	}
	if in.Op == ssa.OpStore || in.Op == ssa.OpAtomic || in.Op == ssa.OpCopy {
		v.writes = v.writes || leads(in.Args[0].Type) && !in.Args[0].Root().IsLocal()
	}
}

// varyCall marks the results of a call that vary.
func (t *tangents) varyCall(v *varying, in *ssa.Instr) {
	if hasOwnTangent(in.Callee) {
		varies := false
		for i, a := range in.Args {
			varies = varies || v.hasTwin(a) && !t.isConstantBy(in.Callee, i)
		}
		for _, r := range in.Results {
			if varies && hasFloats(r.Type) {
				v.mark(r)
			}
		}
		v.writes = v.writes || writesFloats(t.summaries, in.Callee)
		return
	}
	callee := t.varying(in.Callee, v.those(in.Args))
	for k, r := range in.Results {
		if callee.gives[k] {
			v.mark(r)
		}
	}
	v.writes = v.writes || callee.writes
}

// those tells which of some values vary.
func (v *varying) those(args []*ssa.Value) []bool {
	list := make([]bool, len(args))
	for i, a := range args {
		list[i] = v.values[a] && !leads(a.Type)
	}
	return list
}

// writesFloats reports whether a function may write memory of floats that a parameter leads to.
func writesFloats(summaries *analysis.Summaries, f *ssa.Func) bool {
	memory := summaries.Memory(f)
	for _, p := range f.Params() {
		if leads(p.Type) && memory.Use(p)&analysis.Written != 0 {
			return true
		}
	}
	return false
}
