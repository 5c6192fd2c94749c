package analysis

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A Capture is how the body of a parallel For in a Grid kernel gets a value from outside, after the body has
// become a separate kernel.
type Capture uint8

// The captures.
const (
	Passed Capture = iota // it is an argument of the launch
	Copied                // of a variable in memory: what is in it is an argument, and the kernel has a copy of its own
	Remade                // the kernel makes it again
)

// CaptureOf says how a value is captured. Constants are computed again, and so are addresses and slices of
// captured values.
func CaptureOf(v *ssa.Value) Capture {
	switch def := v.Def; {
	case def == nil:
	case def.Op == ssa.OpConst:
		return Remade
	case def.Op == ssa.OpLocal:
		return Copied
	case ssa.HoldsAddress(v.Type):
		switch def.Op {
		case ssa.OpZero, ssa.OpMake, ssa.OpField, ssa.OpElem, ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpIndexAddr, ssa.OpSliceOf, ssa.OpSubslice:
			return Remade
		}
	}
	return Passed
}

// Captured has the values that a parallel For of a Grid kernel uses from outside.
type Captured struct {
	Loop     *ssa.Instr
	Args     []ssa.Type // of a launch of it, behind its sizes
	Captives []Captive
}

// A Captive is memory outside a parallel For that the body cannot share. The body must not change the variables
// there, and it must be clear which memory the body uses.
type Captive struct {
	In      *ssa.Instr // the write, or the For
	Value   *ssa.Value // the variable's address, or the address or slice that may be of any memory
	Written bool       // whether the body writes to it
}

// CapturedBy returns the captures of the parallel Fors of a Grid kernel, in the order of the code.
func CapturedBy(f *ssa.Func) (loops []Captured) {
	summaries := new(Summaries)
	shared, stored := flow(f.Body.Walk, variablesOf(f))
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpFor {
			return
		}
		c := &capturing{Captured: Captured{Loop: in}, shared: shared, stored: stored, seen: make(map[*ssa.Value]bool)}
		in.Blocks[0].Walk(func(in *ssa.Instr) {
			for _, a := range in.Args {
				c.value(a)
			}
		})
		c.findWrites(summaries)
		loops = append(loops, c.Captured)
	})
	return loops
}

// A capturing finds the captures of one For.
type capturing struct {
	Captured
	shared origins             // addresses and slices that may be those of the host's variables
	stored bool                // such a one is kept in memory
	seen   map[*ssa.Value]bool // what is captured
	locals []*ssa.Value        // variables that are copied
	remade []*ssa.Instr
}

// value captures a value that the loop's body uses, unless the body defines it.
func (c *capturing) value(v *ssa.Value) {
	if c.seen[v] || v.Home().Owner.Within(c.Loop) {
		return
	}
	c.seen[v] = true
	switch CaptureOf(v) {
	case Remade:
		for _, a := range v.Def.Args {
			c.value(a)
		}
		c.remade = append(c.remade, v.Def)
	case Copied:
		t := v.Type.(ssa.Pointer).Elem
		if c.stored && ssa.HoldsAddress(t) {
			c.Captives = append(c.Captives, Captive{In: c.Loop, Value: v})
		}
		c.locals, c.Args = append(c.locals, v), append(c.Args, t)
	default:
		if _, isPointer := v.Type.(ssa.Pointer); isPointer || c.shared.any(v) {
			c.Captives = append(c.Captives, Captive{In: c.Loop, Value: v})
		}
		c.Args = append(c.Args, v.Type)
	}
}

// findWrites finds writes to copied variables: they would be lost. A use of the memory through an address that was
// stored in memory counts as a write.
func (c *capturing) findWrites(summaries *Summaries) {
	walk := func(visit func(*ssa.Instr)) {
		for _, in := range c.remade {
			visit(in)
		}
		c.Loop.Blocks[0].Walk(visit)
	}
	writes := func(locals ...*ssa.Value) (found *ssa.Instr) {
		sources := make(origins)
		for _, local := range locals {
			sources[local] = origin{some: true}
		}
		from, _ := flow(walk, sources)
		c.Loop.Blocks[0].Walk(func(in *ssa.Instr) {
			if found == nil && writesTo(in, from.any, summaries) {
				found = in
			}
		})
		return found
	}
	if writes(c.locals...) == nil {
		return // else which variables are written is found out for each
	}
	for _, local := range c.locals {
		if in := writes(local); in != nil {
			c.Captives = append(c.Captives, Captive{In: in, Value: local, Written: true})
		}
	}
}

// LaneWrites finds the writes of the lanes of a Block kernel to variables in memory that
// are declared outside of their For.
func LaneWrites(f *ssa.Func) (captives []Captive) {
	summaries := new(Summaries)
	if !mayWriteOutside(f, summaries) {
		return nil
	}
	f.Body.Walk(func(local *ssa.Instr) {
		if local.Op != ssa.OpLocal {
			return
		}
		from, _ := flow(f.Body.Walk, origins{local.Result(): {some: true}})
		f.Body.Walk(func(loop *ssa.Instr) {
			if !loop.Op.OwnsLanes() || local.Within(loop) {
				return
			}
			loop.Blocks[0].Walk(func(in *ssa.Instr) {
				if writesTo(in, from.any, summaries) {
					captives = append(captives, Captive{In: in, Value: local.Result(), Written: true})
				}
			})
		})
	})
	return captives
}

// mayWriteOutside reports whether a lane may write to a variable that is declared outside its For.
func mayWriteOutside(f *ssa.Func, summaries *Summaries) bool {
	sources := variablesOf(f)
	for v, at := range sources {
		for in := v.Def.Block.Owner; in != nil && at.of == nil; in = in.Block.Owner {
			if in.Op.OwnsLanes() {
				at.of = in
			}
		}
		sources[v] = at
	}
	from, _ := flow(f.Body.Walk, sources)
	found := false
	f.Body.Walk(func(loop *ssa.Instr) {
		if !loop.Op.OwnsLanes() {
			return
		}
		loop.Blocks[0].Walk(func(in *ssa.Instr) {
			found = found || writesTo(in, func(v *ssa.Value) bool { return from.any(v) && (from[v].many || from[v].of != loop) }, summaries)
		})
	})
	return found
}

// AddressResults finds certain calls in a Block kernel, outside its Fors: they write memory, and return or store
// an address that may be that of a variable. One thread makes such a call for all threads, but the other threads
// have different variables.
func AddressResults(f *ssa.Func) (calls []*ssa.Instr) {
	var summaries Summaries
	from, stored := flow(f.Body.Walk, variablesOf(f))
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpCall || in.InsideFor() || !summaries.Effects(in).Has(SeenByOthers) {
			return
		}
		given, gives := false, false
		for _, a := range in.Args {
			given = given || from.any(a)
			if p, ok := a.Type.(ssa.Pointer); ok && from.any(a) {
				gives = gives || stored && ssa.HoldsAddress(p.Elem)
			}
		}
		for _, r := range in.Results {
			gives = gives || ssa.HoldsAddress(r.Type)
		}
		if given && gives {
			calls = append(calls, in)
		}
	})
	return calls
}

// writesTo reports whether an instruction writes to the memory of the addresses and slices for which from is true.
func writesTo(in *ssa.Instr, from func(*ssa.Value) bool, summaries *Summaries) bool {
	switch in.Op {
	case ssa.OpStore, ssa.OpAtomic, ssa.OpCopy:
		return from(in.Args[0])
	case ssa.OpRecur:
		return slices.ContainsFunc(in.Args, from)
	case ssa.OpCall:
		for i, a := range in.Args {
			if from(a) && summaries.Argument(in, i)&Written != 0 {
				return true
			}
		}
	}
	return false
}
