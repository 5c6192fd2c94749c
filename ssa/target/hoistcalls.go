package target

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// maxHoistedCalls is how many instructions a kernel may get in the place of calls, so that the launch can answer checks.
const maxHoistedCalls = 1000

// inlineForChecks replaces the calls in a kernel that hide from the launch what is checked: of functions that check
// something themselves, and of those from whose results checked values are computed.
func inlineForChecks(f *ssa.Func, checks *analysis.BottomUp[bool], summaries *analysis.Summaries) {
	left := maxHoistedCalls
	sizes := analysis.NewBottomUp(ownSize)
	// replace replaces some calls, as long as there is room. It is asked for each more than once.
	replace := func(wanted func(call *ssa.Instr) bool) bool {
		known := make(map[*ssa.Instr]bool)
		return opt.Inline(f, summaries, func(call *ssa.Instr) bool {
			yes, ok := known[call]
			if !ok {
				size := sizes.Of(call.Callee)
				if yes = size <= left && wanted(call); yes {
					left -= size
				}
				known[call] = yes
			}
			return yes
		})
	}
	changed := replace(func(call *ssa.Instr) bool { return checks.Of(call.Callee) })
	for { // what a call is replaced by may have calls
		found := checkedCalls(f)
		if len(found) == 0 || !replace(func(call *ssa.Instr) bool { return found[call] }) {
			break
		}
		changed = true
	}
	if changed {
		opt.Settle([]*ssa.Func{f}, summaries, nil)
	}
}

// ownSize is how many instructions a function has.
func ownSize(f *ssa.Func, _ func(*ssa.Func) int) (n int) {
	f.Body.Walk(func(*ssa.Instr) { n++ })
	return n
}

// hasChecks reports whether a function, or one that it calls, checks something.
func hasChecks(f *ssa.Func, of func(*ssa.Func) bool) bool {
	found := opt.HasChecks(f)
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpCall && of(in.Callee) })
	return found
}

// checkedCalls are the calls from whose results checked values are computed.
func checkedCalls(f *ssa.Func) map[*ssa.Instr]bool {
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
		if in.Op == ssa.OpCheck {
			for _, a := range in.Args {
				visit(a)
			}
		}
	})
	return calls
}
