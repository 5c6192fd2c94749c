package target

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Fission turns the code of one thread into the code of a whole block, for a
// device that runs the threads of a block one after the other: it splits the kernel at
// its barriers into phases, each of them an [ssa.OpFor] over the lanes of the block.
// That is the loop fission of MCUDA (Stratton, Stone and Hwu, "MCUDA: An Efficient
// Implementation of CUDA Kernels for Multi-core CPUs", 2008), which pocl calls work-item
// loops.
//
// An instruction is split if it contains a barrier, or an exit of a loop with a barrier that all threads
// take together. Split Ifs and Loops run once per block: the threads agree on their conditions, or the
// program is wrong, so that the first thread that is still running tells. All other instructions
// of a split block stand in phases, but for pure ones whose operands are the same for all
// threads, and variables that hold such values and are only read: those are made once.
//
// A value that one phase computes and another one uses is kept in an array with a
// place for each lane, an OpShared, or is computed again where that is cheap. A
// variable in memory that several phases use becomes such an array too.
//
// A thread that returns sets its place in the array left, and later phases pass it over.
// So does one that leaves a loop by itself, for the phases in that Loop: a loop with one iteration, which is
// what switches and inlined functions are, or another one where its exit is not split. A thread that
// continues a loop by itself is passed over in the other phases of the iteration.
//
// The result has one parameter more, the number of threads in the block, and Phased
// set. In it OpReturn within an OpFor ends the lane's turn. The kernel itself is left alone; no
// pass that optimizes works on the result.
func Fission(f *ssa.Func) *ssa.Func {
	x := &fission{
		old:   f,
		f:     ssa.NewFunc(f.Name),
		split: make(map[*ssa.Instr]bool),
		turns: make(map[*ssa.Instr]bool),
		own:   make([]bool, f.NumValues()),
		at:    make(map[*ssa.Instr]int),
		slots: make(map[*ssa.Value]*ssa.Value),
		once:  make(map[*ssa.Value]*ssa.Value),
		loops: make(map[*ssa.Instr]*ssa.Instr),
		leave: make(map[*ssa.Instr]int),
		skips: make(map[*ssa.Instr]int),

		memory:     sync.OnceValue(func() *analysis.Memory { return new(analysis.Summaries).Memory(f) }),
		divergence: sync.OnceValue(func() *analysis.Divergence { return analysis.NewDivergence(f) }),
	}
	x.f.Kernel, x.f.Kind, x.f.Rank, x.f.Decl, x.f.Phased, x.f.Blocked = true, f.Kind, f.Rank, f.Decl, true, true
	x.cur = x.f.Body
	for _, p := range f.Params() {
		x.once[p] = x.cur.AddParam(p.Type, p.Name)
	}
	x.lanes = x.cur.AddParam(ssa.Int64, "lanes")
	x.findSplit()
	x.findOwn()
	x.number(f.Body)
	x.findSlots()
	x.block(f.Body, x.cur)
	x.f.Body.Instrs = append(x.top, x.f.Body.Instrs...)
	return x.f
}

type fission struct {
	old, f *ssa.Func
	lanes  *ssa.Value // of f

	split map[*ssa.Instr]bool // instructions that run once per block
	turns map[*ssa.Instr]bool // loops that may take a second turn
	own   []bool              // by ID of the old function: each lane has its own value
	at    map[*ssa.Instr]int  // the phase that an instruction stands in, 0 for what is computed once
	phase int

	slots map[*ssa.Value]*ssa.Value // the arrays for values that several phases use
	once  map[*ssa.Value]*ssa.Value // values that are computed once
	loops map[*ssa.Instr]*ssa.Instr // split loops
	leave map[*ssa.Instr]int        // loops that lanes leave by themselves, to what left holds meanwhile
	skips map[*ssa.Instr]int        // loops that lanes continue by themselves, to what left holds until the iteration ends
	left  *ssa.Value                // the array of where lanes are, nil if no lane leaves before the last phase
	top   []*ssa.Instr              // the arrays: first in the body

	memory     func() *analysis.Memory     // of the old function
	divergence func() *analysis.Divergence // of the same

	cur    *ssa.Block
	inside []*ssa.Instr // the old split loops around cur, outermost first
	phases int          // made so far
}

// What left holds of a lane. The loops that lanes leave have numbers from firstLoop on.
const (
	running = iota
	returned
	firstLoop
)

// findSplit finds the split instructions and the loops that lanes leave by themselves.
func (x *fission) findSplit() {
	x.old.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop {
			x.turns[in] = in.IsTargetOf(ssa.OpContinue)
		}
	})
	mark := func(in *ssa.Instr) {
		for o := in; o != nil && !x.split[o]; o = o.Block.Owner {
			x.split[o] = true
		}
	}
	x.old.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpSync {
			mark(in)
		}
	})
	var together []*ssa.Instr // exits that all lanes take together, by what the barriers alone have split
	x.old.Body.Walk(func(in *ssa.Instr) {
		if (in.Op == ssa.OpBreak || in.Op == ssa.OpContinue) && x.split[in.Target] && x.turns[in.Target] && !x.exitsAlone(in) {
			together = append(together, in)
		}
	})
	for _, in := range together {
		mark(in.Block.Owner)
	}
	x.old.Body.Walk(func(in *ssa.Instr) {
		if isAgreement(in) && x.inSplit(in) { // elsewhere it says nothing: not all lanes come there
			mark(in)
		}
	})
	x.old.Body.Walk(func(in *ssa.Instr) {
		if in.Target == nil || !x.split[in.Target] || x.inSplit(in) {
			return
		}
		numbers := x.leave
		if in.Op == ssa.OpContinue {
			numbers = x.skips
		}
		if numbers[in.Target] == 0 {
			numbers[in.Target] = firstLoop + len(x.leave) + len(x.skips)
		}
	})
}

// exitsAlone reports whether lanes leave or continue a split loop one by one, where the Ifs and loops around the exit have
// no barrier. That is always right: if the program is, the other lanes do so too before the next barrier that they come
// to. But it costs less that the first lane says what all of them do. It can if all decide alike on all that is around the
// exit: if that is proven, or is one condition only. Lanes may decide differently on that one, too, if they continue
// behind the last barrier of an iteration.
func (x *fission) exitsAlone(e *ssa.Instr) bool {
	around, uniform := 0, true
	for o := e.Block.Owner; !x.split[o]; o = o.Block.Owner {
		around++
		uniform = uniform && o.Op == ssa.OpIf && x.divergence().Of(o.Args[0]) == analysis.Uniform
	}
	switch {
	case uniform:
		return false
	case around > 1 || e.Block.Owner.Op != ssa.OpIf:
		return true
	}
	return e.Op == ssa.OpContinue && !x.waitsBehind(e)
}

// waitsBehind reports whether lanes come to a barrier after others have continued a loop.
func (x *fission) waitsBehind(e *ssa.Instr) bool {
	for o := e.Block.Owner; o != e.Target; o = o.Block.Owner {
		if o.Op == ssa.OpLoop && x.split[o] && x.turns[o] {
			return true // in the next iteration of that loop
		}
	}
	behind, waits := false, false
	e.Target.Do().Walk(func(in *ssa.Instr) {
		waits = waits || behind && in.Op == ssa.OpSync && !analysis.Exclusive(e, in)
		behind = behind || in == e
	})
	return waits
}

// isAgreement reports whether an instruction is the check that threads agree on a condition.
func isAgreement(in *ssa.Instr) bool { return in.Op == ssa.OpCheck && in.Check == ssa.CheckSync }

// inSplit reports whether an instruction stands in a split block itself.
func (x *fission) inSplit(in *ssa.Instr) bool {
	return in.Block.Owner == nil || x.split[in.Block.Owner]
}

// findOwn finds the values of split blocks of which each lane has its own.
func (x *fission) findOwn() {
	for again := true; again; {
		again = false
		note := func(vs []*ssa.Value, own bool) {
			for _, v := range vs {
				if own && !x.own[v.ID] {
					x.own[v.ID], again = true, true
				}
			}
		}
		each := func(from, to []*ssa.Value) {
			for k, v := range to {
				note([]*ssa.Value{v}, x.own[from[k].ID])
			}
		}
		x.old.Body.Walk(func(in *ssa.Instr) {
			switch {
			case in.Op == ssa.OpLoop && x.split[in]:
				cond, post := in.Cond(), in.Post()
				each(in.Flow())
				for k := range in.Args { // the three share an array
					v := []*ssa.Value{cond.Params[k], post.Params[k], in.Results[k]}
					note(v, x.leave[in] != 0 || x.skips[in] != 0 || x.own[v[0].ID] || x.own[v[1].ID] || x.own[v[2].ID])
				}
			case in.Op == ssa.OpIf && x.split[in], in.Op == ssa.OpSync, isAgreement(in):
			case (in.Op == ssa.OpYield || in.Op == ssa.OpTest) && x.split[in.Block.Owner], x.split[in.Target]:
				each(in.Flow())
			default:
				note(in.Results, !x.isOnce(in))
			}
		})
	}
}

// isOnce reports whether an instruction that is not split is computed once for a block.
func (x *fission) isOnce(in *ssa.Instr) bool {
	if !x.inSplit(in) || in.Op == ssa.OpThreadID || in.Op == ssa.OpLane || in.Op == ssa.OpCall || len(in.Blocks) > 0 {
		return false
	}
	if in.Op == ssa.OpElem {
		if _, ok := in.Args[1].Const(); !ok {
			return false // its index may be out of range once no lane runs any more
		}
	}
	for _, a := range in.Args {
		if x.own[a.ID] {
			return false
		}
	}
	return in.Op.Effect() == ssa.Pure || in.Op == ssa.OpShared || in.Op == ssa.OpLocal && x.memory().IsOnlyRead(in.Result())
}

// number gives each instruction of split blocks, and all inside of it, its phase.
// What gives values to a split instruction belongs to the phase before it.
func (x *fission) number(b *ssa.Block) {
	x.phase++
	for _, in := range b.Instrs {
		switch {
		case x.split[in] && !in.Op.IsTerminator():
			x.at[in] = x.phase
			for _, nested := range in.Blocks {
				x.number(nested)
			}
			x.phase++
		case !in.Op.IsTerminator() && x.isOnce(in):
		default:
			x.at[in] = x.phase
			for _, nested := range in.Blocks {
				nested.Walk(func(in *ssa.Instr) { x.at[in] = x.phase })
			}
		}
	}
}

// findSlots makes the arrays: for left, for the variables of split Ifs and
// Loops, and for values of one phase that another one uses.
func (x *fission) findSlots() {
	last := x.phase // of the end of the body
	leaves := len(x.leave)+len(x.skips) > 0
	x.old.Body.Walk(func(in *ssa.Instr) {
		if (in.Op == ssa.OpReturn || in.Op == ssa.OpPanic) && !x.inSplit(in) {
			leaves = leaves || x.at[in] != last
		}
		if !x.split[in] {
			return
		}
		switch in.Op {
		case ssa.OpLoop:
			for k, r := range in.Results {
				if x.own[r.ID] {
					s := x.slot(in.Cond().Params[k])
					x.slots[r], x.slots[in.Post().Params[k]] = s, s
					x.shareSlot(in, k)
				}
			}
			x.slotOf(in.Cond().Terminator().Args[0])
		case ssa.OpIf:
			for _, r := range in.Results {
				x.slotOf(r)
			}
			x.slotOf(in.Args[0])
		case ssa.OpCheck:
			x.slotOf(in.Args[0])
		}
	})
	if leaves {
		t := ssa.Uint8
		if firstLoop+len(x.leave)+len(x.skips) > math.MaxUint8+1 {
			t = ssa.Uint32
		}
		x.left = x.array(t, "left", ssa.BlockStorage)
	}
	x.old.Body.Walk(func(in *ssa.Instr) {
		for _, a := range in.Args {
			if x.own[a.ID] && a.Def != nil && x.at[a.Def] != x.at[in] && x.inSplit(a.Def) && !x.split[a.Def] {
				x.keep(a)
			}
		}
	})
	x.keepVariables()
}

// keepVariables makes the arrays of variables in memory whose addresses are kept: a later phase finds them there, though it does
// not name them. If it is not known of which variable an address is, all are kept.
func (x *fission) keepVariables() {
	var roots ssa.Roots
	all := false
	for kept := 0; kept < len(x.slots); { // what is kept may be an address, too
		kept = len(x.slots)
		for _, v := range slices.SortedFunc(maps.Keys(x.slots), func(v, w *ssa.Value) int { return cmp.Compare(v.ID, w.ID) }) {
			local, known := x.leadsTo(v, &roots)
			if local != nil {
				x.slotOf(local)
			}
			all = all || !known
		}
	}
	if !all {
		return
	}
	x.old.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLocal && x.inSplit(in) {
			x.slotOf(in.Result())
		}
	})
}

// leadsTo is the variable that a kept value leads to, nil for none, if that is known.
func (x *fission) leadsTo(v *ssa.Value, roots *ssa.Roots) (local *ssa.Value, known bool) {
	if v.IsLocal() { // the variable itself is kept, with what is in it
		return nil, !ssa.HoldsAddress(v.Type.(ssa.Pointer).Elem)
	}
	root := roots.Of(v)
	switch {
	case !ssa.HoldsAddress(v.Type):
		return nil, true
	case root.IsLocal():
		return root, true
	case root.Def == nil: // a parameter of the kernel, or a variable of a loop
		return nil, root.Block == x.old.Body
	}
	return nil, root.Def.Op == ssa.OpShared
}

// keep makes what a later phase needs to get a value.
func (x *fission) keep(v *ssa.Value) {
	if v.Def == nil || v.IsLocal() || !x.cheap(v, cheapSize) {
		x.slotOf(v)
		return
	}
	for _, a := range v.Def.Args {
		x.keep(a)
	}
}

// slotOf makes the array of a value that each lane has its own of.
func (x *fission) slotOf(v *ssa.Value) {
	if x.own[v.ID] && x.slots[v] == nil {
		x.slot(v)
	}
}

func (x *fission) slot(v *ssa.Value) *ssa.Value {
	t := v.Type
	if v.IsLocal() {
		t = t.(ssa.Pointer).Elem // the array is the variable
	}
	name := "value_of"
	if v.Name != "" {
		name = v.Name + "_of"
	}
	x.slots[v] = x.array(t, name, ssa.LaneStorage)
	return x.slots[v]
}

// array makes an array with a place for each lane.
func (x *fission) array(elem ssa.Type, name string, storage ssa.Storage) *ssa.Value {
	in := &ssa.Instr{Op: ssa.OpShared, Len: ssa.MaxLanes, Storage: storage, Block: x.f.Body}
	x.top = append(x.top, in)
	return in.AddResult(ssa.Slice{Elem: elem}, name)
}

// cheapSize is how many instructions a value may take to be computed again.
const cheapSize = 6

// cheap reports whether a value is computed again in each phase that uses it,
// rather than kept: of pure instructions that cost less than memory.
func (x *fission) cheap(v *ssa.Value, size int) bool {
	in := v.Def
	if x.slots[v] != nil || in == nil || !x.inSplit(in) || len(in.Blocks) > 0 || size == 0 {
		return false
	}
	switch in.Op {
	case ssa.OpLocal: // its address
		return true
	case ssa.OpThreadID, ssa.OpLane, ssa.OpConst, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpLen, ssa.OpIndexAddr, ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpSliceOf, ssa.OpSubslice, ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe, ssa.OpConvert, ssa.OpZero:
	case ssa.OpDiv, ssa.OpRem: // by a constant: parts of a block
		if !ssa.IsInteger(v.Type) || !in.Args[1].IsSafeDivisor() {
			return false
		}
	default:
		return false
	}
	for _, a := range in.Args {
		if x.own[a.ID] && !x.cheap(a, size-1) {
			return false
		}
	}
	return true
}
