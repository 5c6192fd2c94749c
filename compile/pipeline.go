package compile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target/outofssa"
	"github.com/qdgen/qd/ssa/target/widen"
)

// A Pipeline is how kernels are compiled for one target.
type Pipeline struct {
	Stages  []*Stage     // in order
	Vectors *widen.Costs // what decides about vectors for the target's processor, in stage Widen
}

// A Stage is one step of a pipeline.
type Stage struct {
	Name string
	Why  string // why it is there, in one line

	// Needs must hold of the module before the stage. Gives holds after it, and after all stages that follow.
	Needs, Gives []*ssa.Invariant

	// Passes are the passes that the stage repeats until none of them changes the module. Most stages have none. An
	// Observer sees the module after each.
	Passes []opt.Pass

	run   func(ctx context.Context, u *Unit) error
	quiet bool // the stage makes no SSA, so that there is nothing to observe
	same  bool // the stage leaves the SSA as it is
	keeps bool // the facts about functions hold after the stage: it reports each function that it changes
}

// Find returns the stage with a name, nil if the pipeline has none.
func (p Pipeline) Find(name string) *Stage {
	if i := p.index(name); i >= 0 {
		return p.Stages[i]
	}
	return nil
}

func (p Pipeline) index(name string) int {
	return slices.IndexFunc(p.Stages, func(s *Stage) bool { return s.Name == name })
}

// After returns the pipeline of the stages after one.
func (p Pipeline) After(s *Stage) Pipeline { return p.From(slices.Index(p.Stages, s) + 1) }

// First returns the pipeline of the first n stages.
func (p Pipeline) First(n int) Pipeline {
	p.Stages = p.Stages[:n]
	return p
}

// From returns the pipeline without the first n stages.
func (p Pipeline) From(n int) Pipeline {
	p.Stages = p.Stages[n:]
	return p
}

// Holds returns the invariants that hold after a stage.
func (p Pipeline) Holds(after *Stage) (list []*ssa.Invariant) {
	for _, s := range p.Stages {
		for _, inv := range s.Gives {
			if !slices.Contains(list, inv) {
				list = append(list, inv)
			}
		}
		if s == after {
			break
		}
	}
	return list
}

// Observed returns the stages after which an Observer sees a module.
func (p Pipeline) Observed() []*Stage {
	return slices.DeleteFunc(slices.Clone(p.Stages), func(s *Stage) bool { return s.quiet })
}

// String is the pipeline as a list of its stages, each with its reason.
func (p Pipeline) String() string {
	var b strings.Builder
	for _, s := range p.Stages {
		fmt.Fprintf(&b, "%-12s %s\n", s.Name, s.Why)
		for _, pass := range s.Passes {
			fmt.Fprintf(&b, "  %-10s %s\n", pass.Name, pass.Doc)
		}
	}
	return b.String()
}

// An Observer sees the module of a unit after each stage that makes or changes one, and
// after each pass of a stage that has passes. It must leave the module as it is.
type Observer func(at At, m *ssa.Module)

// At says which stage, or which pass, has just run.
type At struct {
	Stage *Stage
	Pass  string           // the pass of the stage, "" after the whole stage
	Round int              // of the pass, from 1
	Same  bool             // the module has not changed since the Observer saw it last
	Holds []*ssa.Invariant // the invariants that hold of the module here

	summaries *analysis.Summaries          // of the module's functions
	written   map[*ssa.Func]*outofssa.Func // how they are written, from OutOfSSA on
}

// String is the place in words: "fission", "optimize: fold", "optimize: fold 2" in the second round.
func (a At) String() string {
	switch {
	case a.Pass == "":
		return a.Stage.Name
	case a.Round < 2:
		return a.Stage.Name + ": " + a.Pass
	}
	return fmt.Sprintf("%s: %s %d", a.Stage.Name, a.Pass, a.Round)
}

// Verifying returns an Observer that verifies the module each time, and at last how its functions are written, and
// reports the errors.
func Verifying(report func(error)) Observer {
	return func(at At, m *ssa.Module) {
		if err := ssa.Hold(m, at.Holds...); err != nil {
			report(fmt.Errorf("after %v: %w\n%v", at, err, m))
		}
		if at.summaries == nil {
			return
		}
		if err := at.summaries.UpToDate(m); err != nil {
			report(fmt.Errorf("after %v, of which the stage has not told what it changed: %w\n%v", at, err, m))
		}
		for _, f := range at.written {
			if err := f.Check(at.summaries); err != nil {
				report(fmt.Errorf("after %v: %w\n%v", at, err, m))
			}
		}
	}
}
