package opt

import (
	"slices"
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A Pass is one step of the pipeline. It works on functions one at a time, or
// on the module as a whole; it reports whether it changed something.
type Pass struct {
	Name string
	Doc  string // why it is there, in one line

	// Run is nil for a pass over modules. It is given what is known of the function, as it is when the pass begins, and
	// of those that it calls. What is known of one that it reports as changed is found anew.
	Run func(f *ssa.Func, known *analysis.Summaries) bool
	// RunModule is nil for a pass over functions. It may only remove functions.
	RunModule func(*ssa.Module) bool
}

// alone makes a pass of what needs to know no other function.
func alone(run func(*ssa.Func) bool) func(*ssa.Func, *analysis.Summaries) bool {
	return func(f *ssa.Func, _ *analysis.Summaries) bool { return run(f) }
}

// pipeline is what [Optimize] runs, in order. Each pass leaves a module that
// [ssa.Verify] accepts and that means the same, to the bit.
var pipeline = []Pass{
	{Name: "early", Doc: "make branches of what leaves a loop of one turn early", Run: alone(early)},
	{Name: "fold", Doc: "compute what is known, and leave out the branches that are not taken", Run: alone(fold)},
	{Name: "invariant", Doc: "replace loop variables that never change by their initial values", Run: alone(invariant)},
	{Name: "cse", Doc: "compute equal pure expressions once", Run: cse},
	{Name: "checks", Doc: "remove the checks that are proven: by ranges, guards, loops and earlier checks", Run: alone(checks)},
	{Name: "dce", Doc: "remove what no effect and no result depends on", Run: dce},
	{Name: "unreached", Doc: "remove device functions that no kernel reaches", RunModule: (*ssa.Module).DropUnreached},
}

// maxRounds bounds how often the pipeline runs over one module. Ordinary kernels
// settle in the second round or the third, and one that has not settled by the
// last is right all the same.
const maxRounds = 8

// Passes is the pipeline: the passes that [Optimize] runs, in order.
func Passes() []Pass { return slices.Clone(pipeline) }

// A Step is one pass in one round of the pipeline.
type Step struct {
	Pass  *Pass
	Round int // from 1
}

// String is the pass's name, in further rounds with the round's number: "fold", "fold 2".
func (s Step) String() string {
	if s.Round > 1 {
		return s.Pass.Name + " " + strconv.Itoa(s.Round)
	}
	return s.Pass.Name
}

// Optimize runs the pipeline over a module until nothing changes, for one pass
// lays bare what another can use: a call that turns out unused may have been
// the last one of its function. If observe is not nil it is called after each step.
func Optimize(m *ssa.Module, observe func(Step)) {
	OptimizeKnowing(m, new(analysis.Summaries), observe)
}

// OptimizeKnowing is [Optimize] with what is known of the module's functions. Afterwards that is what is known of
// them as they are then.
func OptimizeKnowing(m *ssa.Module, known *analysis.Summaries, observe func(Step)) {
	for round := 1; round <= maxRounds; round++ {
		changed := false
		for i := range pipeline {
			if pipeline[i].run(m, known) {
				changed = true
			}
			if observe != nil {
				observe(Step{&pipeline[i], round})
			}
		}
		if !changed {
			break
		}
	}
}

// run applies a pass to a module and reports whether it changed something.
func (p *Pass) run(m *ssa.Module, known *analysis.Summaries) bool {
	if p.RunModule != nil {
		return p.RunModule(m)
	}
	changed := false
	for _, f := range m.Funcs { // callees before callers
		if p.Run(f, known) {
			known.Changed(f)
			changed = true
		}
	}
	return changed
}
