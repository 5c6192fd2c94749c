package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// reckoning is what a thread costs alone, and what a vector of threads costs.
type reckoning struct {
	alone, vector float64
	// A compiler would find no vectors, whatever they cost: there is a loop that it does not unroll, a function of package math,
	// an addition to what other threads add to, a check, a panic, rows within a block, or a part of an element that only some
	// threads write.
	unseen   bool
	computed float64    // numbers that differ between threads: their cost in a thread
	resized  float64    // conversions between integers of two sizes
	shuffles float64    // numbers of elements that are read or written and shuffled
	size     int        // of the largest of these
	rows     float64    // numbers that are read or written and lie next to each other
	far      bool       // some of them lie so far apart that compilers gather them
	oneByOne bool       // there are atomic operations, which the lanes do one after the other
	own      bool       // a thread writes where others do not
	along    *ssa.Instr // an access by which a compiler may find vectors in the iterations of a loop, nil for none
}

// shortest is the size of the shortest vectors in bytes. Half of one is shuffled no faster.
const shortest = 16

// mostlyShuffles reports whether a thread computes little for the numbers that are shuffled, so that vectors of half the
// size pay off. That does not hold for numbers of which so many lanes do not fill the shortest vector.
func (r *reckoning) mostlyShuffles(c *Costs, lanes int) bool {
	return lanes*r.size >= shortest && 100*r.computed < float64(c.perWhole)*r.shuffles
}

// mostlyRows reports whether a thread that has no loop computes little for the numbers that it reads and writes.
func (r *reckoning) mostlyRows(c *Costs) bool {
	return !r.unseen && 100*r.computed < float64(c.perRow)*r.rows
}

// add adds what a function costs that is called a number of times.
func (r *reckoning) add(f *reckoning, times float64) {
	r.alone += times * f.alone
	r.vector += times * f.vector
	r.computed += times * f.computed
	r.resized += times * f.resized
	r.shuffles += times * f.shuffles
	r.size = max(r.size, f.size)
	r.rows += times * f.rows
	r.unseen, r.far, r.oneByOne, r.own = r.unseen || f.unseen, r.far || f.far, r.oneByOne || f.oneByOne, r.own || f.own
	if r.along == nil {
		r.along = f.along
	}
}

// reckoned is what the code of a thread costs, and vectors of it.
func (w *widener) reckoned() *reckoning {
	r := new(reckoning)
	w.reckon(w.thread.Body, 1, nil, r)
	return r
}

// Why vectors of threads do not pay if much is shuffled. Compilers then gather what lies far apart, which is slower still.
const (
	shufflesFar  = "no loop in the code of a thread, which computes too little for the numbers that would be shuffled, and lie far apart"
	shufflesNear = "no loop in the code of a thread, which computes too little for the numbers that would be shuffled"
)

// resizes is why a compiler's own vectors are faster: it computes in the larger size throughout.
const resizes = "no loop in the code of a thread, which often converts integers to another size: compilers find vectors that need fewer conversions"

// pays is why vectors do not pay, "" if they do.
func (w *widener) pays(r *reckoning) string {
	switch {
	case !r.own:
		return "all threads write to the same places"
	case !r.unseen && r.shuffles > 0 && 100*r.computed < float64(w.table.perShuffled)*r.shuffles:
		if r.far {
			return shufflesFar
		}
		return shufflesNear
	case !r.unseen && r.shuffles == 0 && 100*r.resized > float64(w.table.perResized)*r.computed:
		return resizes
	case !r.unseen && r.oneByOne:
		return "no loop in the code of a thread, and its atomic operations have no vectors"
	case r.along != nil:
		return place(r.along) + "a loop over elements that lie next to each other: compilers may find its vectors"
	case r.alone*float64(w.lanes) < w.table.gain*r.vector:
		return "most of what it does has no vectors"
	}
	return ""
}

// reckon adds what a block costs that runs a number of times, in an innermost loop.
func (w *widener) reckon(b *ssa.Block, times float64, loop *ssa.Instr, r *reckoning) {
	for _, in := range b.Instrs {
		r.add(w.once(in, loop), times)
		around, turns := loop, 1.0
		if in.Op == ssa.OpLoop {
			n, few := w.turns(in)
			r.unseen = r.unseen || !few
			around, turns = in, n
		}
		if in.Op == ssa.OpIf && !w.uniform(in.Args) {
			w.reckonBranches(in, times, loop, r)
			continue
		}
		for _, nested := range in.Blocks {
			w.reckon(nested, min(times*turns, maxTimes), around, r)
		}
	}
}

// reckonBranches adds the cost of an If whose condition differs between lanes: a thread alone runs one of its blocks, and lanes
// run both.
func (w *widener) reckonBranches(in *ssa.Instr, times float64, loop *ssa.Instr, r *reckoning) {
	longest := 0.0
	for _, b := range in.Blocks {
		of := new(reckoning)
		w.reckon(b, times, loop, of)
		longest = max(longest, of.alone)
		of.alone = 0
		r.add(of, 1)
	}
	r.alone += longest
}

// maxTimes is how often a block counts at most.
const maxTimes = 1e12

// turns is how many turns a loop is supposed to take, and whether it takes so few that a compiler unrolls it.
func (w *widener) turns(loop *ssa.Instr) (n float64, few bool) {
	turns, known := analysis.Turns(loop)
	if !known {
		return float64(w.table.manyTurns), false
	}
	return float64(turns), turns <= w.table.fewTurns
}

// once is what an instruction costs that runs once, without its blocks.
func (w *widener) once(in, loop *ssa.Instr) *reckoning {
	r := &reckoning{alone: float64(w.table.weight(in))}
	switch {
	case in.Op == ssa.OpCall:
		w.reckonCall(in, r)
	case in.Op == ssa.OpCopy:
		r.unseen, r.own = true, true
		r.alone += float64(w.table.manyTurns)
		r.vector = float64(w.table.manyTurns * w.lanes)
	case in.Op == ssa.OpAtomic:
		apart := !w.uniform(in.Args[:1])
		r.own, r.unseen = apart, apart && in.IsLaunchAdd() && isDense(in)
		r.oneByOne = !r.unseen
		r.vector = r.alone * float64(w.lanes)
	case in.Op == ssa.OpLocal: // all lanes store its first value
		r.unseen = true
		stored := float64(in.Args[0].Type.Size()) / float64(w.table.vectorBytes)
		r.alone += stored
		r.vector = stored
		if !w.uniform(in.Results) {
			r.vector *= float64(w.lanes)
		}
	case isOfLocal(in):
		r.unseen = true
		r.vector = w.access(in)
	case in.Op == ssa.OpLoad || in.Op == ssa.OpStore:
		w.reckonAccess(in, loop, r)
	case in.Op == ssa.OpCheck:
		r.unseen = true
		r.vector = float64(w.table.test)
	case in.Op == ssa.OpPanic:
		r.unseen = true
	default:
		w.reckonValue(in, r)
	}
	if _, ok := w.facts.InPart(in); ok {
		r.unseen = true
	}
	return r
}

// reckonCall reckons a call of a function that stays one, of which there is a version for vectors, or that lanes call in turn.
func (w *widener) reckonCall(in *ssa.Instr, r *reckoning) {
	if w.calls.stays(in) {
		r.add(w.version(in).reckoning(), 1)
		r.alone += float64(w.table.call)
		r.vector += float64(w.table.call)
		return
	}
	r.unseen, r.own = true, w.summaries.Effects(in).Has(analysis.WritesAny)
	r.alone = float64(w.table.manyTurns * w.calls.sizes.Of(in.Callee)) // a guess: how deep it goes is not known
	r.vector = r.alone
	if !w.isOnce(in) {
		r.vector *= float64(w.lanes)
	}
}

// reckonAccess reckons a load or a store of what is not a variable of the thread.
func (w *widener) reckonAccess(in, loop *ssa.Instr, r *reckoning) {
	apart, writes := !w.uniform(in.Args[:1]), in.Op == ssa.OpStore
	r.alone += w.jumps(in, loop)
	r.vector = w.access(in)
	r.own = writes && apart
	if n := w.shuffles(in); n > 0 {
		r.alone += float64(n - 1)
		r.shuffles, r.size = float64(n), ssa.ElemOf(in.Args[0].Type.(ssa.Pointer).Elem).Size()
		r.far, r.unseen = isFar(in), w.storesForSome()[in]
	}
	if w.isInRow(in) {
		r.rows = 1
	}
	if a, ok := addressOf(in.Args[0]); ok && apart && along(in, loop) && !w.isRow(a) && !w.carries(loop) {
		r.along = in
	}
}

// reckonValue reckons what computes a number, and what directs the lanes.
func (w *widener) reckonValue(in *ssa.Instr, r *reckoning) {
	weight := r.alone
	switch {
	case w.uniform(in.Results):
		r.vector = weight
	case in.Op == ssa.OpMath && elementary[in.Math] > 0:
		r.unseen = true
		r.computed = weight
		r.vector = weight * w.registers(in)
	case !hasVectors(in):
		r.vector = weight * float64(w.lanes)
	default:
		r.vector = float64(w.table.lanesWeight(in)) * w.registers(in)
		if w.isResized(in) {
			r.resized = weight
		}
		if _, _, isIndex := w.facts.Step(in.Results[0]); !isIndex {
			r.computed = weight
		}
	}
	switch in.Op {
	case ssa.OpIf:
		if !w.uniform(in.Args) {
			r.vector += float64(w.table.test)
		}
	case ssa.OpBreak, ssa.OpContinue, ssa.OpReturn:
		if w.facts.Apart(in.Target) {
			r.vector += float64(w.table.exit)
		}
	}
}

// storesForSome are the stores that only some of the threads come to: by a test on which lanes do not agree, or as others
// have left before.
func (w *widener) storesForSome() map[*ssa.Instr]bool {
	if w.forSome != nil {
		return w.forSome
	}
	w.forSome = make(map[*ssa.Instr]bool)
	var visit func(b *ssa.Block, some bool)
	visit = func(b *ssa.Block, some bool) {
		for _, in := range b.Instrs {
			if in.Op == ssa.OpStore && some {
				w.forSome[in] = true
			}
			apart := in.Op == ssa.OpIf && !w.uniform(in.Args)
			for _, nested := range in.Blocks {
				visit(nested, some || apart)
			}
			some = some || (apart || in.Op == ssa.OpLoop) && w.summaries.Effects(in).Has(analysis.Leaves)
		}
	}
	visit(w.thread.Body, false)
	return w.forSome
}

// isFar reports whether numbers that a load or a store accesses lie further from those of the next thread than compilers
// shuffle.
func isFar(in *ssa.Instr) bool {
	return slices.ContainsFunc(leaves(in.Args[0].Type.(ssa.Pointer).Elem), func(l leaf) bool { return analysis.IsFar(in.Args[0], l.typ.Size()) })
}

// isResized reports whether an instruction converts an integer to another size, which is not for an index alone.
func (w *widener) isResized(in *ssa.Instr) bool {
	if in.Op != ssa.OpConvert || !ssa.IsInteger(in.Args[0].Type) || !ssa.IsInteger(in.Result().Type) || in.Args[0].Type.Size() == in.Result().Type.Size() {
		return false
	}
	if _, isLinear := w.converted(in); isLinear {
		return false
	}
	return slices.ContainsFunc(w.users[in.Result().ID], func(user *ssa.Instr) bool { return user.Op != ssa.OpIndexAddr })
}

// isDense reports whether what threads next to each other add to may lie next to each other.
func isDense(in *ssa.Instr) bool {
	a, ok := addressOf(in.Args[0])
	return ok && a.elem().Size() == in.Result().Type.Size()
}

// registers is how many vectors of a processor hold the widest operand or result of an operation, less than 1 if it
// fills none.
func (w *widener) registers(in *ssa.Instr) float64 {
	size := 1
	for _, vs := range [][]*ssa.Value{in.Args, in.Results} {
		for _, v := range vs {
			if ssa.IsNumeric(v.Type) {
				size = max(size, v.Type.Size())
			}
		}
	}
	return float64(size*w.lanes) / float64(w.table.vectorBytes)
}

// isInRow reports whether a load or a store accesses a number that lies next to those of the other lanes, as far as nobody
// knows better.
func (w *widener) isInRow(in *ssa.Instr) bool {
	a, ok := addressOf(in.Args[0])
	if !ok || w.facts.IsUniform(in.Args[0]) {
		return false
	}
	_, strided := w.strideOf(a)
	return strided || w.isRow(a)
}

// access is what a load or a store costs.
func (w *widener) access(in *ssa.Instr) float64 {
	v := in.Args[len(in.Args)-1]
	if in.Op == ssa.OpLoad {
		v = in.Results[0]
	}
	if w.uniform(in.Args) {
		return 1
	}
	if local, path := localOf(in.Args[0]); local != nil && w.isLocalRow(path) || w.isInRow(in) {
		return float64(v.Type.Size()*w.lanes) / float64(w.table.vectorBytes)
	}
	if w.shuffles(in) > 0 {
		sum := 0.0
		for _, l := range leaves(v.Type) {
			sum += float64(w.table.shuffled*l.typ.Size()*w.lanes) / float64(w.table.vectorBytes)
		}
		return sum
	}
	cost := 0
	for _, l := range leaves(v.Type) {
		if l.typ.Size() < 4 {
			cost += w.table.anywhereSmall
		} else {
			cost += w.table.anywhere
		}
	}
	return float64(cost * w.lanes)
}

// shuffles returns how many numbers of each lane's element a load or a store shuffles with those of the other lanes, 0
// if it does not shuffle: see parts.go.
func (w *widener) shuffles(in *ssa.Instr) int {
	if w.uniform(in.Args[:1]) {
		return 0
	}
	if a, ok := addressOf(in.Args[0]); !ok || w.isRow(a) {
		return 0
	}
	p, ok := w.placeOf(in.Args[0])
	if !ok {
		return 0
	}
	parts, ok := partsOf(in, p)
	if !ok {
		return 0
	}
	return len(parts)
}

// jumps is what a load costs a thread alone that reads next to other threads, and elsewhere in the next iteration: each
// thread reads all of that memory once more.
func (w *widener) jumps(in, loop *ssa.Instr) float64 {
	if loop == nil || in.Op != ssa.OpLoad || w.uniform(in.Args[:1]) {
		return 0
	}
	a, ok := addressOf(in.Args[0])
	if !ok || !w.isRow(a) || !a.index.IsInside(loop) {
		return 0
	}
	if step, ok := stepOf(a.index, loop, maxTerms); ok && max(step, -step) <= nearby/int64(a.elem().Size()) {
		return 0
	}
	return float64(w.table.jump)
}

// along reports whether what an instruction accesses lies next to what it accesses in the next iteration of a loop.
func along(in, loop *ssa.Instr) bool {
	if loop == nil {
		return false
	}
	a, ok := addressOf(in.Args[0])
	if !ok {
		return false
	}
	step, ok := stepOf(a.index, loop, maxTerms)
	return ok && (step == 1 || step == -1)
}

// maxTerms is how many terms of an index are looked at.
const maxTerms = 8

// stepOf is how much an integer grows in an iteration of a loop.
func stepOf(v *ssa.Value, loop *ssa.Instr, terms int) (int64, bool) {
	if !v.IsInside(loop) {
		return 0, true
	}
	in := v.Def
	if in == nil {
		if v.Block != loop.Cond() {
			return 0, false
		}
		return analysis.Step(loop, v.Index())
	}
	if len(in.Args) != 2 || terms == 0 {
		return 0, in.Op == ssa.OpConst
	}
	x, ok := stepOf(in.Args[0], loop, terms-1)
	if !ok {
		return 0, false
	}
	y, ok := stepOf(in.Args[1], loop, terms-1)
	switch {
	case !ok:
	case in.Op == ssa.OpAdd:
		return x + y, true
	case in.Op == ssa.OpSub:
		return x - y, true
	case in.Op == ssa.OpMul && x == 0 && y == 0:
		return 0, true
	}
	return 0, false
}
