package analysis

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// Summaries has the facts about whole functions. The zero Summaries is ready for use. It computes the facts about a
// function when a pass asks for them, or for those of a caller. It keeps them until Changed reports that the function
// has changed.
type Summaries struct {
	// Remarks hears what passes that know these facts have to say.
	Remarks ssa.Remarks

	funcs       map[*ssa.Func]*Summary
	memory      map[*ssa.Func]*Memory
	nonEscaping map[*ssa.Func]*NonEscaping
	users       map[*ssa.Func][][]*ssa.Instr
	callers     map[*ssa.Func][]*ssa.Func // with facts that follow from those about one
	reach       *reach                    // of functions with recursion, nil for none yet
	roots       ssa.Roots
	steps       int
}

// A Summary has the facts about one function, including its callees.
type Summary struct {
	// Effects are the effects of a call. Changes of the function's own variables are not among them.
	Effects Effects
	// Block says that it uses the thread's index in its block, waits for other threads of the block, or shares memory
	// with them.
	Block bool
	// Returns is how many returns it has: what stands behind a call of one without is never reached.
	Returns int
	// Recurs says that there is an OpRecur in it.
	Recurs bool

	inside map[*ssa.Instr]Effects // of its Ifs, loops and Fors
}

// Steps is the number of instructions that have been visited.
func (s *Summaries) Steps() int { return s.steps }

// Changed forgets the facts about a function and its callers, because its instructions have changed.
func (s *Summaries) Changed(f *ssa.Func) {
	s.roots = ssa.Roots{}
	s.reachChanged(f)
	s.forget(f)
}

func (s *Summaries) forget(f *ssa.Func) {
	delete(s.nonEscaping, f)
	delete(s.users, f)
	if s.funcs[f] == nil && s.memory[f] == nil {
		return // nor are there facts about its callers
	}
	delete(s.funcs, f)
	delete(s.memory, f)
	callers := s.callers[f]
	delete(s.callers, f)
	for _, caller := range callers {
		s.forget(caller)
	}
}

// calls records that the facts about a function depend on those about a callee.
func (s *Summaries) calls(f, callee *ssa.Func) {
	if list := s.callers[callee]; len(list) > 0 && list[len(list)-1] == f {
		return
	}
	if s.callers == nil {
		s.callers = make(map[*ssa.Func][]*ssa.Func)
	}
	s.callers[callee] = append(s.callers[callee], f)
}

// Of returns the facts about a function.
func (s *Summaries) Of(f *ssa.Func) *Summary {
	if sum, ok := s.funcs[f]; ok {
		return sum
	}
	sum := &Summary{Block: f.Phased, inside: make(map[*ssa.Instr]Effects)}
	w := &summarizer{all: s, sum: sum, depth: make(map[*ssa.Instr]int)}
	sum.Effects = w.block(f.Body, 0).set &^ (ReadsVariable | WritesVariable | Leaves)
	if s.funcs == nil {
		s.funcs = make(map[*ssa.Func]*Summary)
	}
	s.funcs[f] = sum
	return sum
}

// Effects returns the effects of an instruction, including its blocks and its callees. Changes of a block's own
// variables are not among them. An exit from a block is, if it leaves the instruction.
func (s *Summaries) Effects(in *ssa.Instr) Effects {
	switch {
	case in.Op == ssa.OpCall || in.Op == ssa.OpRecur:
		return s.Of(in.Callee).Effects
	case in.Blocks != nil:
		return s.Of(in.Block.Func).inside[in]
	}
	return s.simpleEffects(in)
}

// A summarizer computes the facts about one function.
type summarizer struct {
	all   *Summaries
	sum   *Summary
	depth map[*ssa.Instr]int // of the Ifs, loops and Fors: how many blocks are around them but the function's
}

// outward has the effects of a block as seen from outside, without those on its own variables, and how far out
// they reach. A depth is the number of blocks around a place.
type outward struct {
	set   Effects
	leave int // the depth of the outermost instruction that control leaves, if set has Leaves
	local int // the depth of the outermost variable that is used, if set has ReadsVariable or WritesVariable
}

func (o *outward) add(p outward) {
	if p.set.Has(Leaves) && (!o.set.Has(Leaves) || p.leave < o.leave) {
		o.leave = p.leave
	}
	const variables = ReadsVariable | WritesVariable
	if p.set.Has(variables) && (!o.set.Has(variables) || p.local < o.local) {
		o.local = p.local
	}
	o.set |= p.set
}

// block returns the effects of a block at a depth.
func (w *summarizer) block(b *ssa.Block, depth int) outward {
	var all outward
	for _, in := range b.Instrs {
		w.all.steps++
		all.add(w.instr(in, depth))
	}
	return all
}

// instr returns the effects of an instruction in a block at a depth.
func (w *summarizer) instr(in *ssa.Instr, depth int) outward {
	switch in.Op {
	case ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpSync, ssa.OpShared:
		w.sum.Block = true
	case ssa.OpCall:
		callee := w.all.Of(in.Callee)
		w.all.calls(in.Block.Func, in.Callee)
		w.sum.Block = w.sum.Block || callee.Block
		return outward{set: callee.Effects}
	case ssa.OpRecur:
		w.sum.Recurs = true
		w.all.reached(in.Block.Func) // so that a change of the callee is noted here, even if it no longer leads back
		return outward{set: Endless | ReadsVariable | WritesVariable | w.all.reached(in.Callee)}
	case ssa.OpLocal:
		return outward{} // what is done to it counts
	case ssa.OpBreak, ssa.OpContinue:
		return outward{set: Leaves, leave: w.depth[in.Target]}
	case ssa.OpReturn:
		w.sum.Returns++
		return outward{set: Leaves, leave: -1}
	}
	if in.Blocks != nil {
		return w.nested(in, depth)
	}
	o := outward{set: w.all.simpleEffects(in)}
	if o.set.Has(ReadsVariable | WritesVariable) {
		o.local = w.depthOf(in)
	}
	return o
}

// depthOf is the depth of the outermost variable that a load, a store, an atomic or a copy uses.
func (w *summarizer) depthOf(in *ssa.Instr) int {
	depth := math.MaxInt
	for _, a := range in.Args {
		switch v := w.all.roots.Variable(a); {
		case v == nil:
		case v.Block.Owner == nil:
			depth = 0
		default:
			depth = min(depth, w.depth[v.Block.Owner]+1)
		}
	}
	return depth
}

// nested returns the effects of an If, a Loop or a For in a block at a depth.
func (w *summarizer) nested(in *ssa.Instr, depth int) outward {
	w.depth[in] = depth
	var o outward
	switch {
	case in.Op == ssa.OpFor:
		o.set = Waits
	case in.Op == ssa.OpLoop && !Finite(in):
		o.set = Endless
	}
	for _, b := range in.Blocks {
		o.add(w.block(b, depth+1))
	}
	// Exits to, and variables of, the inside do not concern the outside.
	if o.set.Has(Leaves) && o.leave >= depth {
		o.set &^= Leaves
	}
	if o.set.Has(ReadsVariable|WritesVariable) && o.local > depth {
		o.set &^= ReadsVariable | WritesVariable
	}
	w.sum.inside[in] = o.set
	return o
}

// simpleEffects are the effects of an instruction that has no blocks and is not a call.
func (s *Summaries) simpleEffects(in *ssa.Instr) Effects {
	switch in.Op {
	case ssa.OpLoad, ssa.OpLoadRow, ssa.OpLoadParts, ssa.OpLoadStrided, ssa.OpGather:
		return s.accessed(in.Args[0], ReadsMemory, ReadsShared, ReadsVariable)
	case ssa.OpStore, ssa.OpStoreRow, ssa.OpStoreParts, ssa.OpStoreStrided, ssa.OpScatter:
		return s.accessed(in.Args[0], WritesMemory, WritesShared, WritesVariable)
	case ssa.OpAtomic, ssa.OpAtomicLanes:
		return Atomics | s.accessed(in.Args[0], ReadsMemory|WritesMemory, ReadsShared|WritesShared, ReadsVariable|WritesVariable)
	case ssa.OpCopy, ssa.OpCopyRow:
		return s.accessed(in.Args[0], WritesMemory, WritesShared, WritesVariable) |
			s.accessed(in.Args[1], ReadsMemory, ReadsShared, ReadsVariable)
	case ssa.OpMultiply:
		all := s.accessed(in.Args[0], ReadsMemory|WritesMemory, ReadsShared|WritesShared, ReadsVariable|WritesVariable)
		for _, x := range in.Args[1:] {
			all |= s.accessed(x, ReadsMemory, ReadsShared, ReadsVariable)
		}
		return all
	case ssa.OpPrefetch:
		return Hints
	case ssa.OpPrintf:
		return Prints
	case ssa.OpSync:
		return Waits
	case ssa.OpLaunch, ssa.OpSnapshot, ssa.OpRestore, ssa.OpPush, ssa.OpPop: // the order counts
		return Launches
	case ssa.OpCheck, ssa.OpCheckLanes:
		return Checks
	case ssa.OpAdvance: // it stays between the checks that it is about
		return Checks
	case ssa.OpPanic, ssa.OpPanicLanes:
		return Panics
	case ssa.OpBreak, ssa.OpContinue, ssa.OpReturn:
		return Leaves
	}
	return 0
}

// accessed is the effect of an access through an address. It depends on where the memory is.
func (s *Summaries) accessed(addr *ssa.Value, memory, shared, variable Effects) Effects {
	root := s.roots.Of(addr)
	switch {
	case root.Def == nil:
		return memory
	case root.Def.Op == ssa.OpLocal:
		return variable
	case root.Def.Op == ssa.OpShared:
		return shared
	}
	return memory
}
