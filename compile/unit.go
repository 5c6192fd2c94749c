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
	"github.com/qdgen/qd/ssa/target/shapes"
)

// A Unit is one specialization of a kernel on its way through a pipeline.
type Unit struct {
	Pipeline Pipeline
	Observe  Observer                           // nil for none
	Remarks  ssa.Remarks                        // hears what the stages have to say, nil for nobody
	Took     func(s *Stage, took time.Duration) // is told how long each stage took, nil for nobody

	// What is to be made.
	Kernel  load.Ref
	Options frontend.Options
	Source  load.Sources
	Check   func(load.Also) (*load.Program, error) // in place of checking Source, where programs are kept
	Print   emit.Options
	Compile Compiler // for Build

	// What there is of it so far.
	Specialized *frontend.Specialized // from Lower on, without a Module after an error
	Module      *ssa.Module           // from Lower on, as the last stage has left it
	Backward    *gradient.Backward    // from Differentiate on
	Hoisted     []Hoisted             // from HoistChecks on
	Named       *emit.Named           // from Name on
	Text        *emit.Text            // from Print on
	Artifact    Artifact              // from Build on

	done         int           // stages that are behind
	beside       []*ssa.Module // that are printed with Module in one text
	specializing *frontend.Specializing
	summaries    *analysis.Summaries // of Module's functions as they stand
	deciding     *shapes.Decider     // about Module as it stands, nil for none yet
}

// Hoisted is a kernel, and the same kernel once more without the checks that a launch answers for all of its threads.
type Hoisted struct {
	Kernel, Fast *ssa.Func
	When         *target.LaunchTest // for which launches Fast stands in
}

// An Artifact is the output of a compiler.
type Artifact struct {
	Data []byte
	Ext  string // of a file of it, with the dot
}

// errAgain is what a stage gives that has found that an earlier one has to look again. It is Load that
// is asked to.
var errAgain = errors.New("again")

// Run takes the unit through its whole pipeline.
func (u *Unit) Run(ctx context.Context) error { return u.RunTo(ctx, nil) }

// RunTo takes the unit on to the end of a stage, from where it is. It does nothing if the unit is there
// already.
func (u *Unit) RunTo(ctx context.Context, last *Stage) error {
	end := len(u.Pipeline)
	if last != nil {
		if end = slices.Index(u.Pipeline, last) + 1; end == 0 {
			panic("BUG: the pipeline has no stage " + last.Name)
		}
	}
	for u.done < end {
		s := u.Pipeline[u.done]
		if !s.keeps || u.summaries == nil {
			u.forget()
			u.deciding = nil
		}
		began := time.Now()
		err := s.run(ctx, u)
		if u.Took != nil {
			u.Took(s, time.Since(began))
		}
		if errors.Is(err, errAgain) {
			u.done = slices.Index(u.Pipeline, Load)
			continue
		}
		if err != nil {
			return err
		}
		u.done++
		if !s.quiet {
			u.observe(At{Stage: s})
		}
	}
	return nil
}

// forget forgets the facts about the module's functions.
func (u *Unit) forget() { u.summaries = &analysis.Summaries{Remarks: u.Remarks} }

// observe shows the module to the Observer, at a place.
func (u *Unit) observe(at At) {
	if u.Observe == nil {
		return
	}
	at.summaries = u.summaries
	last := at.Stage
	if at.Pass != "" { // what the stage gives holds when all its passes have run
		last = u.Pipeline[max(slices.Index(u.Pipeline, last)-1, 0)]
	}
	at.Holds = u.Pipeline.Holds(last)
	u.Observe(at, u.Module)
}

// step shows the module to the Observer as a pass of the stage that runs has left it. Before the first pass the stage itself may have
// changed something.
func (u *Unit) step(by opt.Step) {
	s := u.Pipeline[u.done]
	first := by.Round == 1 && by.Pass.Name == s.Passes[0].Name
	u.observe(At{Stage: s, Pass: by.Pass.Name, Round: by.Round, Same: !by.Changed && !first})
}

// Specialized is a unit of what the front end has made elsewhere.
func (p Pipeline) Specialized(made *frontend.Specialized) *Unit {
	return &Unit{Pipeline: p, Specialized: made, Module: made.Module, done: slices.Index(p, Lower) + 1}
}

// Optimized is a unit of a module that has come through Optimize. It goes on from there with a copy of it. If
// its launches cannot choose between kernels, nothing is hoisted.
func (p Pipeline) Optimized(m *ssa.Module, hoist bool) *Unit {
	if !hoist {
		p = slices.DeleteFunc(slices.Clone(p), func(s *Stage) bool { return s == HoistChecks || s == Settle })
	}
	return &Unit{Pipeline: p, Module: m.Clone(), done: slices.Index(p, Optimize) + 1}
}

// Text is the text of a module that has come through Optimize, which stays as it is.
func (p Pipeline) Text(m *ssa.Module, o emit.Options) *emit.Text {
	u := p.Optimized(m, false)
	u.Print = o
	return u.text()
}

// TextOf is one text for several modules that have come through Optimize; see [Together].
func (p Pipeline) TextOf(modules []*ssa.Module) *emit.Text {
	units := make([]*Unit, len(modules))
	for i, m := range modules {
		units[i] = p.Optimized(m, false)
	}
	return Together(units...).text()
}

// text runs stages in which nothing can fail.
func (u *Unit) text() *emit.Text {
	if err := u.RunTo(context.Background(), Print); err != nil {
		panic(fmt.Sprintf("BUG: %v", err))
	}
	return u.Text
}

// Together is a unit for one text of all that several units of one pipeline are: of kernels of one package, which have
// no checks, panics or parts for the host, and no names that clash. It goes on from Name; the
// units are taken there first.
func Together(units ...*Unit) *Unit {
	first := units[0]
	at := first.Pipeline.index(nameStage)
	t := &Unit{Pipeline: first.Pipeline, Kernel: first.Kernel, Compile: first.Compile, done: at}
	for _, u := range units {
		if err := u.RunTo(context.Background(), u.Pipeline[at-1]); err != nil {
			panic(fmt.Sprintf("BUG: %v", err))
		}
		t.beside = append(t.beside, u.Module)
	}
	t.Module, t.beside = t.beside[0], t.beside[1:]
	return t
}
