package target

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// inlineForChecks replaces the calls in a kernel that hide from the launch what is checked: of functions that check
// something themselves, and of those from whose results checked values are computed.
func inlineForChecks(f *ssa.Func, checks *analysis.BottomUp[bool], summaries *analysis.Summaries) {
	if !analysis.Inlinable(f, analysis.NewBottomUp(analysis.Size)) {
		return
	}
	var found map[*ssa.Instr]bool
	wanted := func(call *ssa.Instr) bool { return found[call] }
	changed := false
	for { // what a call is replaced by may have calls
		found = hidingCalls(f, checks)
		if !opt.Inline(f, summaries, wanted) {
			break
		}
		changed = true
	}
	if changed {
		opt.Settle([]*ssa.Func{f}, summaries, nil)
	}
}

// hasChecks reports whether a function, or one that it calls, checks something.
func hasChecks(f *ssa.Func, of func(*ssa.Func) bool) bool {
	found := opt.HasChecks(f)
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpCall && of(in.Callee) })
	return found
}

// hidingCalls are the calls of functions that check something, and those from whose results checked values are computed.
func hidingCalls(f *ssa.Func, checks *analysis.BottomUp[bool]) map[*ssa.Instr]bool {
	calls := make(map[*ssa.Instr]bool)
	seen := make(map[*ssa.Value]bool)
	var visit func(v *ssa.Value)
	visit = func(v *ssa.Value) {
		if seen[v] || v.Def == nil {
			return
		}
		seen[v] = true
		if v.Def.Op == ssa.OpCall {
			calls[v.Def] = true
			return
		}
		for _, a := range v.Def.Args {
			visit(a)
		}
	}
	f.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Op == ssa.OpCall && checks.Of(in.Callee):
			calls[in] = true
		case in.Op == ssa.OpCheck:
			for _, a := range in.Args {
				visit(a)
			}
		}
	})
	return calls
}
