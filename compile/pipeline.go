package compile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// A Pipeline is the list of stages that compile a kernel for one target, in order.
type Pipeline []*Stage

// A Stage is one step of a pipeline.
type Stage struct {
	Name string
	Why  string // why it is there, in one line

	// Needs must hold of the module before the stage. Gives holds after it, and after all stages that follow.
	Needs, Gives []*ssa.Invariant

	// Passes are those that the stage runs over the module until none of them finds anything, nil for other
	// stages. An Observer sees the module after each.
	Passes []opt.Pass

	run   func(ctx context.Context, u *Unit) error
	quiet bool // the stage makes no SSA and changes none: there is nothing to be observed
	keeps bool // the facts about functions still hold: the stage changes no instruction, or tells which function it has changed
}

// Find is the stage of a name, nil if the pipeline has none.
func (p Pipeline) Find(name string) *Stage {
	if i := p.index(name); i >= 0 {
		return p[i]
	}
	return nil
}

func (p Pipeline) index(name string) int {
	return slices.IndexFunc(p, func(s *Stage) bool { return s.Name == name })
}

// After are the stages behind one.
func (p Pipeline) After(s *Stage) Pipeline { return p[slices.Index(p, s)+1:] }

// Holds are the invariants that hold after a stage.
func (p Pipeline) Holds(after *Stage) (list []*ssa.Invariant) {
	for _, s := range p {
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

// Observed are the stages after which there is a module to be looked at.
func (p Pipeline) Observed() Pipeline {
	return slices.DeleteFunc(slices.Clone(p), func(s *Stage) bool { return s.quiet })
}

// String is the pipeline as a list of its stages, each with its reason.
func (p Pipeline) String() string {
	var b strings.Builder
	for _, s := range p {
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

// At is where on its way a unit is.
type At struct {
	Stage *Stage
	Pass  string           // the pass of the stage that was just run, "" after the whole stage
	Round int              // of the pass, from 1
	Same  bool             // the module is as the Observer has seen it last
	Holds []*ssa.Invariant // what holds of the module here

	summaries *analysis.Summaries // of the module's functions
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

// Verifying is an Observer that checks what must hold wherever it looks, and reports what does not.
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
	}
}
