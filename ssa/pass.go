package ssa

import (
	"slices"
	"strconv"
)

// A Pass is one step of the pipeline. It works on functions one at a time, or
// on the module as a whole; it reports whether it changed something.
type Pass struct {
	Name string
	Doc  string // why it is there, in one line

	Run       func(*Func) bool   // nil for a pass over modules
	RunModule func(*Module) bool // nil for a pass over functions
}

// pipeline is what [Optimize] runs, in order. Each pass leaves a module that
// [Verify] accepts and that means the same, to the bit.
var pipeline = []Pass{
	{Name: "early", Doc: "make branches of what leaves a loop of one turn early", Run: early},
	{Name: "fold", Doc: "compute what is known, and leave out the branches that are not taken", Run: fold},
	{Name: "invariant", Doc: "replace loop variables that never change by their initial values", Run: invariant},
	{Name: "cse", Doc: "compute equal pure expressions once", Run: cse},
	{Name: "checks", Doc: "remove the checks that are proven: by ranges, guards, loops and earlier checks", Run: checks},
	{Name: "dce", Doc: "remove what no effect and no result depends on", Run: dce},
	{Name: "unreached", Doc: "remove device functions that no kernel reaches", RunModule: unreached},
}

// maxRounds bounds how often the pipeline runs over one module. Ordinary kernels
// settle in the second round or the third, and one that has not settled by the
// last is right all the same.
const maxRounds = 8

// Passes is the pipeline: the passes that [Optimize] runs, in order.
func Passes() []Pass { return slices.Clone(pipeline) }

// Optimize runs the pipeline over a module until nothing changes, for one pass
// lays bare what another can use: a call that turns out unused may have been
// the last one of its function. If observe is not nil it sees the module at
// first, as "input", and after each pass, under its name; in further rounds the
// round's number follows, as in "fold 2". The last one, "blame", is where faults in libraries
// become those of user code.
func Optimize(m *Module, observe func(pass string, m *Module)) {
	if observe != nil {
		observe("input", m)
	}
	for round := 1; round <= maxRounds; round++ {
		changed := false
		for i := range pipeline {
			if pipeline[i].run(m) {
				changed = true
			}
			if observe != nil {
				name := pipeline[i].Name
				if round > 1 {
					name += " " + strconv.Itoa(round)
				}
				observe(name, m)
			}
		}
		if !changed {
			break
		}
	}
	if blame(m) && observe != nil {
		observe("blame", m)
	}
}

// run applies a pass to a module and reports whether it changed something.
func (p *Pass) run(m *Module) bool {
	if p.RunModule != nil {
		return p.RunModule(m)
	}
	changed := false
	for _, f := range m.Funcs {
		if p.Run(f) {
			changed = true
		}
	}
	return changed
}
