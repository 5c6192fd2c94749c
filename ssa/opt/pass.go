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
	Doc  string // its purpose, in one line

	// Run is nil for a pass over modules. It gets the facts about the function, as they are when the pass begins, and
	// about the functions that it calls. If it reports a change, the facts about the function are computed again.
	Run func(f *ssa.Func, summaries *analysis.Summaries) bool
	// RunModule is nil for a pass over functions. It may only remove functions.
	RunModule func(*ssa.Module) bool
}

// alone adapts a pass that needs no facts about other functions.
func alone(run func(*ssa.Func) bool) func(*ssa.Func, *analysis.Summaries) bool {
	return func(f *ssa.Func, _ *analysis.Summaries) bool { return run(f) }
}

// pipeline is what [Optimize] runs, in order. Each pass leaves a module that
// [ssa.Verify] accepts and that means the same, to the bit.
var pipeline = []Pass{
	{Name: "early", Doc: "turn early exits from loops with one iteration into branches", Run: alone(early)},
	{Name: "fold", Doc: "fold constants and remove branches that are not taken", Run: fold},
	{Name: "invariant", Doc: "replace loop variables that never change by their initial values", Run: alone(invariant)},
	{Name: "cse", Doc: "compute common pure subexpressions once", Run: cse},
	{Name: "checks", Doc: "remove checks that ranges, guards, loops or earlier checks prove", Run: checks},
	{Name: "dce", Doc: "remove code that no effect and no result depends on", Run: dce},
	{Name: "unreached", Doc: "remove device functions that no kernel reaches", RunModule: (*ssa.Module).DropUnreached},
}

// maxRounds bounds how often the pipeline runs over one module. Ordinary kernels
// settle in the second round or the third. A module that has not settled in the
// last round is correct all the same.
const maxRounds = 8

// Passes is the pipeline: the passes that [Optimize] runs, in order.
func Passes() []Pass { return slices.Clone(pipeline) }

// A Step is one pass in one round of the pipeline.
type Step struct {
	Pass    *Pass
	Round   int  // from 1
	Changed bool // the pass has changed something
}

// String is the pass's name, in further rounds with the round's number: "fold", "fold 2".
func (s Step) String() string {
	if s.Round > 1 {
		return s.Pass.Name + " " + strconv.Itoa(s.Round)
	}
	return s.Pass.Name
}

// Optimize runs the pipeline over a module until nothing changes, because one pass
// makes work for another: an unused call that is removed may have been
// the last one of its function. If observe is not nil it is called after each step.
func Optimize(m *ssa.Module, observe func(Step)) {
	OptimizeWith(m, new(analysis.Summaries), observe)
}

// OptimizeWith is [Optimize] with the facts about the module's functions. Afterwards summaries has the facts about
// the optimized functions.
func OptimizeWith(m *ssa.Module, summaries *analysis.Summaries, observe func(Step)) {
	rounds(pipeline, m, summaries, observe)
}

// FuncPasses are the passes that look at one function at a time.
func FuncPasses() []Pass { return slices.Clone(funcPasses) }

var funcPasses = slices.DeleteFunc(Passes(), func(p Pass) bool { return p.RunModule != nil })

// Settle is [OptimizeWith] for some functions, which something has changed or made: callees before
// callers. All functions stay. A stage calls it for functions of its module, which an observer then sees after each
// pass, or for functions that it makes and that are in no module yet: those of packages gradient and widen, and of stage hoist.
func Settle(funcs []*ssa.Func, summaries *analysis.Summaries, observe func(Step)) {
	rounds(funcPasses, &ssa.Module{Funcs: funcs}, summaries, observe)
}

// rounds runs passes over a module until nothing changes.
func rounds(passes []Pass, m *ssa.Module, summaries *analysis.Summaries, observe func(Step)) {
	s := newSettling(passes, m)
	for round := 1; round <= maxRounds; round++ {
		changed := false
		for i := range passes {
			found := passes[i].run(m, summaries, s)
			changed = changed || found
			if observe != nil {
				observe(Step{&passes[i], round, found})
			}
		}
		if !changed {
			break
		}
	}
}

// run applies a pass to a module and reports whether it changed something.
func (p *Pass) run(m *ssa.Module, summaries *analysis.Summaries, s *settling) bool {
	if p.RunModule != nil {
		return p.RunModule(m)
	}
	last := -1                  // the last function that was changed
	for i, f := range m.Funcs { // callees before callers
		if last >= 0 { // it may call that one
			delete(s.runs, f)
		}
		if s.isSettled(f) {
			continue
		}
		if !p.Run(f, summaries) {
			s.runs[f]++
			continue
		}
		summaries.Changed(f)
		delete(s.runs, f)
		last = i
	}
	if s.cyclic {
		for _, f := range m.Funcs[:max(last, 0)] {
			delete(s.runs, f)
		}
	}
	return last >= 0
}

// settling counts the passes that have changed nothing in a function, one after the other. A function has settled when
// all have: another run of one of them would change nothing either.
type settling struct {
	runs   map[*ssa.Func]int // passes since the function, or one that it calls, was changed
	passes int               // the number of passes over functions
	cyclic bool              // a function may call one behind it
}

func newSettling(passes []Pass, m *ssa.Module) *settling {
	s := &settling{runs: make(map[*ssa.Func]int, len(m.Funcs))}
	for i := range passes {
		if passes[i].Run != nil {
			s.passes++
		}
	}
	if len(m.Funcs) > 1 {
		s.cyclic = slices.ContainsFunc(m.Funcs, recurs)
	}
	return s
}

func recurs(f *ssa.Func) (found bool) {
	f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpRecur })
	return found
}

func (s *settling) isSettled(f *ssa.Func) bool { return s.runs[f] >= s.passes }
