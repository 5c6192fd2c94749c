package compile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/gradient"
	"github.com/qdgen/qd/ssa/opt"
	"github.com/qdgen/qd/ssa/target"
	"github.com/qdgen/qd/ssa/target/outofssa"
)

// A Unit is one specialization of a kernel on its way through a pipeline.
type Unit struct {
	Pipeline Pipeline
	Observe  Observer                           // nil for none
	Remarks  ssa.Remarks                        // receives the remarks of the stages, nil for none
	Took     func(s *Stage, took time.Duration) // receives the time that each stage took, nil for none

	// The input.
	Kernel  load.Ref
	Options frontend.Options
	Source  load.Sources
	Check   func(load.Also) (*load.Program, error) // checks the source in place of Load, for callers that keep programs
	Print   emit.Options
	Compile Compiler // for Build

	// The results of the stages that have run.
	Specialized *frontend.Specialized // from Lower on, without a Module after an error
	Module      *ssa.Module           // from Lower on, as the last stage has left it
	Backward    *gradient.Backward    // from Differentiate on
	Hoisted     []Hoisted             // from HoistChecks on
	Named       *emit.Named           // from Name on
	Text        *emit.Text            // from Print on
	Artifact    Artifact              // from Build on

	done         int     // the number of stages that have run
	together     []*Unit // the units that this one prints as one text, nil if it prints its own
	verified     bool    // between Lower and Optimize: the module is as it was when it was verified
	specializing *frontend.Specializing
	summaries    *analysis.Summaries          // the facts about Module's functions in their current form
	written      map[*ssa.Func]*outofssa.Func // from OutOfSSA on: how Module's functions are written
}

// Hoisted is a kernel, and a copy of it without those checks that the launch can decide for all threads.
type Hoisted struct {
	Kernel, Fast *ssa.Func
	When         *target.LaunchTest // the launches that may run Fast
}

// An Artifact is the output of a compiler.
type Artifact struct {
	Data []byte
	Ext  string // of a file of it, with the dot
}

// errAgain is the result of a stage that needs more source. The unit then goes back to stage Load.
var errAgain = errors.New("again")

// Run runs all stages of the unit's pipeline.
func (u *Unit) Run(ctx context.Context) error { return u.RunTo(ctx, nil) }

// RunTo runs the stages up to last that have not run yet. It does nothing if there are none.
func (u *Unit) RunTo(ctx context.Context, last *Stage) error {
	end := len(u.Pipeline.Stages)
	if last != nil {
		if end = slices.Index(u.Pipeline.Stages, last) + 1; end == 0 {
			panic("BUG: the pipeline has no stage " + last.Name)
		}
	}
	for u.done < end {
		s := u.Pipeline.Stages[u.done]
		if !s.keeps || u.summaries == nil {
			u.forget()
		}
		began := time.Now()
		err := s.run(ctx, u)
		if u.Took != nil {
			u.Took(s, time.Since(began))
		}
		if errors.Is(err, errAgain) {
			u.done = slices.Index(u.Pipeline.Stages, Load)
			continue
		}
		if err != nil {
			return err
		}
		u.done++
		if !s.quiet {
			u.observe(At{Stage: s, Same: s.same})
		}
	}
	return nil
}

// forget forgets the facts about the module's functions.
func (u *Unit) forget() { u.summaries = &analysis.Summaries{Remarks: u.Remarks} }

// observe shows the module to the Observer.
func (u *Unit) observe(at At) {
	if u.Observe == nil {
		return
	}
	at.summaries, at.written = u.summaries, u.written
	last := at.Stage
	if at.Pass != "" { // the stage's own invariants hold only after its last pass
		last = u.Pipeline.Stages[max(slices.Index(u.Pipeline.Stages, last)-1, 0)]
	}
	at.Holds = u.Pipeline.Holds(last)
	u.Observe(at, u.Module)
}

// step shows the module to the Observer after a pass of the current stage. Before the first pass the stage itself may
// have changed something.
func (u *Unit) step(by opt.Step) {
	s := u.Pipeline.Stages[u.done]
	first := by.Round == 1 && by.Pass.Name == s.Passes[0].Name
	u.observe(At{Stage: s, Pass: by.Pass.Name, Round: by.Round, Same: !by.Changed && !first})
}

// Specialized returns a unit that begins after Lower, with the results of a front end that has run elsewhere.
func (p Pipeline) Specialized(made *frontend.Specialized) *Unit {
	return &Unit{Pipeline: p, Specialized: made, Module: made.Module, done: slices.Index(p.Stages, Lower) + 1}
}

// Optimized returns a unit that begins after Optimize, with a copy of an optimized module. Without hoist it has no
// second kernel with fewer checks, for callers whose launches cannot choose between two.
func (p Pipeline) Optimized(m *ssa.Module, hoist bool) *Unit {
	if !hoist {
		p.Stages = slices.DeleteFunc(slices.Clone(p.Stages), func(s *Stage) bool { return s == HoistChecks || s == Settle })
	}
	return &Unit{Pipeline: p, Module: m.Clone(), done: slices.Index(p.Stages, Optimize) + 1}
}

// Text returns the code of an optimized module. The module stays as it is.
func (p Pipeline) Text(m *ssa.Module, o emit.Options) *emit.Text {
	u := p.Optimized(m, false)
	u.Print = o
	return u.text()
}

// TextOf returns one text for several optimized modules; see [Together].
func (p Pipeline) TextOf(modules []*ssa.Module) *emit.Text {
	units := make([]*Unit, len(modules))
	for i, m := range modules {
		units[i] = p.Optimized(m, false)
	}
	return Together(units...).text()
}

// text runs the stages up to Print, of which none can fail.
func (u *Unit) text() *emit.Text {
	if err := u.RunTo(context.Background(), Print); err != nil {
		panic(fmt.Sprintf("BUG: %v", err))
	}
	return u.Text
}

// Together returns a unit that prints and compiles the kernels of several units as one text. It runs those up to
// their stage Name, and continues there. The units are of kernels of one package and have one pipeline. They have no
// parts for the host, and no names that clash.
func Together(units ...*Unit) *Unit {
	first := units[0]
	at := first.Pipeline.index(nameStage)
	t := &Unit{Pipeline: first.Pipeline, Kernel: first.Kernel, Compile: first.Compile, done: at, together: units}
	for _, u := range units {
		if err := u.RunTo(context.Background(), u.Pipeline.Stages[at-1]); err != nil {
			panic(fmt.Sprintf("BUG: %v", err))
		}
	}
	t.Module = first.Module
	return t
}
