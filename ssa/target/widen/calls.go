package widen

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// The code of a thread has what it calls in the place of the calls. But a large function that is called at several places
// stays a function: its code is there once, with vectors in place of what differs between lanes, and the mask of the lanes
// that call it. This file decides which functions stay, and version.go makes them.

// calls are what the code of a thread and the functions that stay know together.
type calls struct {
	root      *widener // of the code of the thread
	summaries *analysis.Summaries
	analyse   analyser // of the code of the thread
	whole     bool     // the lanes are those of a Block kernel
	stay      map[*ssa.Func]bool
	alone     map[*ssa.Func]*ssa.Func // the code of these functions for one thread, ready to be translated
	codes     []*ssa.Func             // these, each behind those that it calls
	versions  map[string]*version
	kinds     map[*ssa.Func]int // how many versions there are of such code
	made      []*ssa.Func       // functions that have been made, each behind those that it calls
	sizes     *analysis.BottomUp[int]
}

// staying returns the functions that stay functions in the code of a thread, nil for none.
func (d *Widener) staying(thread *ssa.Func) map[*ssa.Func]bool {
	reached := analysis.Reached(thread)
	least := d.Table.stays
	if d.Lanes != 0 {
		least = min(least, staysInTests)
	}
	stay := make(map[*ssa.Func]bool)
	for _, f := range reached {
		if canStay(f, d.Summaries) {
			stay[f] = true
		}
	}
	// Of these, the large ones stay that are called at several places, if each place is counted as often as the code around
	// it is there.
	size, _ := d.sizes(thread, stay)
	for _, f := range reached {
		if size.Of(f) < least {
			delete(stay, f)
		}
	}
	places := placesOf(thread, reached, stay)
	for _, f := range reached {
		if places[f] < 2 {
			delete(stay, f)
		}
	}
	if len(stay) == 0 {
		return nil
	}
	return stay
}

// staysInTests is what Costs.stays is at most where a test asks for lanes.
const staysInTests = 10

// placesOf is at how many places functions are called, which are listed each before those that call it.
func placesOf(thread *ssa.Func, reached []*ssa.Func, stay map[*ssa.Func]bool) map[*ssa.Func]int {
	places := make(map[*ssa.Func]int)
	count := func(f *ssa.Func, times int) {
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCall {
				places[in.Callee] = min(places[in.Callee]+times, 1<<20)
			}
		})
	}
	count(thread, 1)
	for _, f := range slices.Backward(reached) {
		if stay[f] {
			count(f, 1)
		} else {
			count(f, places[f])
		}
	}
	return places
}

// canStay reports whether a function takes and gives what can be a number, or vectors. An address of a variable would
// keep that in memory.
func canStay(f *ssa.Func, summaries *analysis.Summaries) bool {
	if does := summaries.Of(f); does.Returns == 0 || does.Recurs {
		return false
	}
	for _, p := range f.Params() {
		if _, slice := p.Type.(ssa.Slice); !slice && p.Type != ssa.Type(ssa.Thread) && refuseType(p.Type) != "" {
			return false
		}
	}
	return !slices.ContainsFunc(f.Results, func(t ssa.Type) bool { return refuseType(t) != "" })
}

// An analyser finds what the lanes of code agree on.
type analyser func(*ssa.Func) *analysis.Lanes

// ofBlock analyses the code of a thread whose last parameter is its index in a block.
func ofBlock(f *ssa.Func) *analysis.Lanes { return analysis.NewLanesOf(f, 0) }

// prepare puts the code of functions in the place of their calls, but of those that stay; one of them may be put there all
// the same.
func (c *calls) prepare(f *ssa.Func, also *ssa.Func) {
	analyse := c.analyse
	if also != nil { // what lanes agree on depends on the arguments of the call
		analyse = nil
	}
	inPlace(f, c.summaries, analyse, func(call *ssa.Instr) bool { return !c.stay[call.Callee] || call.Callee == also })
	found := false
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpCall && c.stay[in.Callee] {
			in.Callee, found = c.aloneOf(in.Callee), true
		}
	})
	if found {
		c.summaries.Changed(f)
	}
}

// inPlace puts the code of functions in the place of their calls, where that is wanted. Then it changes what it finds there, so
// that addresses which differ between lanes are those of elements of what lanes have in common, or of variables.
func inPlace(f *ssa.Func, summaries *analysis.Summaries, analyse analyser, wanted func(call *ssa.Instr) bool) {
	changed := opt.Inline(f, summaries, wanted)
	changed = opt.Promote(f) || changed
	changed = intoMemory(f, analyse) || changed
	if flatten(f, analyse) || changed {
		opt.Settle([]*ssa.Func{f}, summaries, nil)
	}
}

// aloneOf is the code for one thread of a function that stays. It has one return, at its end.
func (c *calls) aloneOf(f *ssa.Func) *ssa.Func {
	if c.alone[f] == nil {
		by := ssa.NewFunc(f.Name)
		by.Decl, by.Library, by.Results = f.Decl, f.Library, f.Results
		call := &ssa.Instr{Op: ssa.OpCall, Callee: f, Stmt: &by.Decl}
		for _, p := range f.Params() {
			call.Args = append(call.Args, by.Body.AddParam(p.Type, p.Name))
		}
		by.Body.Append(call, f.Results...)
		by.Body.Append(&ssa.Instr{Op: ssa.OpReturn, Args: call.Results})
		c.prepare(by, f)
		c.alone[f] = by
		c.codes = append(c.codes, by)
	}
	return c.alone[f]
}

// stays reports whether a call is one of a function that stays one for vectors. Others are in the place of their calls, or
// run for one lane after the other.
func (c *calls) stays(call *ssa.Instr) bool { return slices.Contains(c.codes, call.Callee) }

// refuseCall is why a call of a function that stays has no vectors.
func (w *widener) refuseCall(in *ssa.Instr) string {
	for _, a := range in.Args {
		if !w.facts.IsUniform(a) {
			if why := refuseType(a.Type); why != "" {
				return why
			}
		}
	}
	v := w.version(in)
	if v.why == "" && w.calls.kinds[in.Callee] > w.table.maxVersions {
		v.why = "it is called in too many ways"
	}
	if v.why != "" {
		return in.Callee.Name + ": " + v.why
	}
	return ""
}

// version is that of a function for one of its calls.
func (w *widener) version(in *ssa.Instr) *version {
	return w.calls.version(w.facts, in.Callee, w.facts.Arguments(in), w.waits || w.inLoopApart(in))
}

// version is that of a function for calls of one kind, in code of which the facts are known.
func (c *calls) version(facts *analysis.Lanes, code *ssa.Func, params []analysis.Param, waits bool) *version {
	key := fmt.Sprintf("%p %v %v", code, params, waits)
	v := c.versions[key]
	if v == nil {
		v = &version{calls: c, code: code, params: params, facts: facts.OfCallee(code, params), waits: waits}
		c.versions[key] = v
		c.kinds[code]++
		v.why = v.refused()
	}
	return v
}

// inLoopApart reports whether an instruction is in a loop that lanes leave or continue apart.
func (w *widener) inLoopApart(in *ssa.Instr) bool {
	for o := in.Block.Owner; o != nil; o = o.Block.Owner {
		if o.Op == ssa.OpLoop && w.facts.Apart(o) {
			return true
		}
	}
	return false
}
