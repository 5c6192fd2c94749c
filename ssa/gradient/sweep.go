package gradient

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// kept are the values that the forward sweep keeps for the reverse sweep. A build that asks for more of them
// is done again.
type kept struct {
	held       map[*ssa.Value]bool         // what the reverse sweep takes from the forward sweep as it is
	recomputed map[*ssa.Value]bool         // what the reverse sweep computes again
	stored     map[*ssa.Value]bool         // what it keeps in variables and arrays
	hands      map[*ssa.Instr][]*ssa.Value // by If: what it gives in addition to its results
	pushes     map[*ssa.Instr][]*ssa.Value // by loop: what each turn pushes
	tops       map[*ssa.Instr]bool         // the variables for heights of stacks
	divergence *analysis.Divergence        // what the threads of a block agree on
	tallied    set                         // values whose adjoints are in memory, see tally.go
	more       bool
	last       *sweep
}

// A sweep is the building of a backward kernel.
type sweep struct {
	*differ
	builder
	to     *ssa.Func
	scope  *scope
	marked map[*ssa.Stmt]*ssa.Stmt // statements, as they are shown in the reverse sweep

	computes  *most                     // what the forward sweep has computed of the kernel's values
	forward   copies                    // the same, or what another run of a strip has computed
	rerun     *ssa.Instr                // the strip that is run once more, nil for none
	quiet     int                       // in how many strips the forward sweep is, which keep nothing
	peaks     map[inStrip]*ssa.Value    // how many numbers runs of strips keep at most, for the kernel that counts; nil for others
	joints    map[*ssa.Block]joint      // by block of the kernel that is joined
	joined    map[*ssa.Block]bool       // blocks whose forward and reverse sweep stand in one block
	adjoints  map[*ssa.Value]*adjoint   // of the kernel's values, in the block where it is
	tallies   map[*ssa.Value]*tally     // of the kernel's values whose adjoints are in memory
	gradients map[*ssa.Value]*ssa.Value // by parameter of the kernel
	shadows   map[*ssa.Value]*ssa.Value // by variable of the kernel: the variable with the adjoints of what it holds
	turn      map[*ssa.Instr]*ssa.Value // by loop of the kernel: the number of the turn that is differentiated
	latest    map[*ssa.Instr]*ssa.Value // by loop of the kernel: the number of its last turn, in front of the reverse loop
	sums      map[*ssa.Instr]*ssa.Value // by load of the kernel: the variable that sums up what is added to its gradient, see steady.go
	stacks    map[ssa.Basic]*stack
	bases     map[pushed]*ssa.Value // heights in front of loops, see push.go
	awaited   map[pushed]*ssa.Value // what stands in for them until they are known
	memories  []*stack              // those in memory of the launch
	owners    map[region]bool
	none      map[*ssa.Value]bool // adjoints that may be the zero of a branch in which nothing depends on their values
	batched   bool                // it is for a batch of threads

	cells   map[*ssa.Value]cell // of a Grid kernel: by parameter of a part
	turning int                 // where in the body the reverse sweep begins
}

// A scope is what the reverse sweep has at hand in a block: values of the kernel that it has computed again or popped.
type scope struct {
	up     *scope
	b      *ssa.Block                // which it stands in
	of     *ssa.Block                // the block of the kernel that is gone through here, nil for none
	primal map[*ssa.Value]*ssa.Value // nil for none
}

func (s *scope) put(v, again *ssa.Value) {
	if s.primal == nil {
		s.primal = make(map[*ssa.Value]*ssa.Value)
	}
	s.primal[v] = again
}

// keep builds the backward kernel until all is kept that it asks for.
func (d *differ) keep() {
	d.stored, d.held, d.recomputed = make(map[*ssa.Value]bool), make(map[*ssa.Value]bool), make(map[*ssa.Value]bool)
	d.tops, d.divergence = make(map[*ssa.Instr]bool), analysis.NewDivergence(d.fn)
	d.hands, d.pushes = make(map[*ssa.Instr][]*ssa.Value), make(map[*ssa.Instr][]*ssa.Value)
	d.findTallied()
	for d.more = true; d.more && d.err() == nil; {
		d.more = false
		d.last = d.build()
	}
}

// backward is the result.
func (d *differ) backward() *Backward {
	b := &Backward{Kernel: d.last.to, Batched: d.last.batched}
	for _, s := range d.last.memories {
		b.Tapes = append(b.Tapes, s.elem)
	}
	if len(b.Tapes) > 0 {
		b.Count = d.count(d.last.memories)
	}
	again := make(map[int]bool)
	for _, k := range b.kernels() {
		d.dropUnread(k, again)
	}
	if b.Count != nil {
		d.dropBarriers(b.Count)
	}
	for i, p := range d.fn.Params() {
		if hasGradient(p.Type) {
			b.Gradients = append(b.Gradients, i)
		}
		if again[i] {
			b.Copies = append(b.Copies, i)
		}
		if d.hasExtremes(p) {
			b.After = append(b.After, i)
		}
	}
	for _, f := range b.Funcs() {
		if f.Kernel {
			leave(f.Body, len(d.fn.Params()))
			countOnce(f)
			opt.PromoteOnly(f, func(local *ssa.Instr) bool { return d.tops[local] })
			opt.Inline(f, new(analysis.Summaries), d.repeats)
			settle(f)
		}
	}
	return b
}

// dropUnread removes from a kernel what writes memory of the parameters again, or memory of the block, that nothing
// needed reads there, and notes the places of the parameters whose memory is written again all the same. Nobody looks
// at such memory afterwards.
func (d *differ) dropUnread(k *ssa.Func, again map[int]bool) {
	params := d.fn.Params()
	regionAt := func(addr *ssa.Value) (r region, ok bool) {
		if _, isStruct := addr.Type.(*ssa.Struct); isStruct {
			return r, false // of several
		}
		if r, ok = regionOf(addr); ok && !r.isShared() && (r.root.Def != nil || r.root.Index() >= len(params)) {
			r = region{} // not the kernel's
		}
		return r, ok
	}
	opt.DropUnread(k, new(analysis.Summaries), func(addr *ssa.Value) (in any, ok bool) {
		r, ok := regionAt(addr)
		switch {
		case !ok || r.root == nil:
			return nil, ok
		case r.isShared():
			return r, true
		case d.Overlap:
			return true, true // one memory, as far as anybody knows
		}
		return r, true
	})
	note := func(addr *ssa.Value) {
		if r, ok := regionAt(addr); ok && r.root != nil && !r.isShared() {
			again[r.root.Index()] = true
		}
	}
	k.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpStore, ssa.OpCopy, ssa.OpAtomic:
			note(in.Args[0])
		case ssa.OpCall:
			d.noteWritten(in, again)
		}
	})
}

// noteWritten notes the places of the parameters whose memory a call writes.
func (d *differ) noteWritten(call *ssa.Instr, again map[int]bool) {
	params := d.fn.Params()
	for _, v := range call.Args {
		regions, _ := regionsOf(v)
		for _, r := range regions {
			if i := r.root.Index(); r.root.Def == nil && i < len(params) {
				u := d.uses[region{params[i], r.path}]
				again[i] = again[i] || u != nil && u.written
			}
		}
	}
}

// hasExtremes reports whether the kernel finds minima or maxima in memory of a parameter.
func (d *differ) hasExtremes(param *ssa.Value) bool {
	for r, u := range d.uses {
		if r.root == param && u.extreme != 0 {
			return true
		}
	}
	return false
}

// newSweep makes a function with the kernel's parameters.
func (d *differ) newSweep(name string) *sweep {
	f := ssa.NewFunc(d.name + name)
	f.Kernel, f.Kind, f.Rank, f.Decl = true, d.fn.Kind, d.fn.Rank, d.fn.Decl
	r := &sweep{differ: d, builder: builder{b: f.Body}, to: f, marked: make(map[*ssa.Stmt]*ssa.Stmt),
		computes: newMost(d.fn), joined: make(map[*ssa.Block]bool), joints: make(map[*ssa.Block]joint), adjoints: make(map[*ssa.Value]*adjoint), tallies: make(map[*ssa.Value]*tally),
		gradients: make(map[*ssa.Value]*ssa.Value), shadows: make(map[*ssa.Value]*ssa.Value), none: make(map[*ssa.Value]bool), turn: make(map[*ssa.Instr]*ssa.Value), latest: make(map[*ssa.Instr]*ssa.Value), sums: make(map[*ssa.Instr]*ssa.Value),
		stacks: make(map[ssa.Basic]*stack), bases: make(map[pushed]*ssa.Value), awaited: make(map[pushed]*ssa.Value), cells: make(map[*ssa.Value]cell), scope: &scope{b: f.Body}}
	r.forward = r.computes
	for _, p := range d.fn.Params() {
		r.forward.put(p, f.Body.AddParam(p.Type, p.Name))
	}
	return r
}

// build makes the backward kernel with what is known to be kept.
func (d *differ) build() *sweep {
	r := d.newSweep(".gradient")
	for _, p := range d.fn.Params() {
		if hasGradient(p.Type) && !d.isGrid() { // of a Grid kernel it is a parameter already
			r.gradients[p] = r.to.Body.AddParam(p.Type, p.Name+"Grad")
		}
	}
	r.makeShared(d.fn.Body)
	if d.isGrid() {
		r.makeCells()
	} else {
		r.makeStacks()
	}
	r.block(d.fn.Body)
	if r.more {
		return r
	}
	if !r.isGrid() {
		r.sweepForward(d.fn.Body)
		r.to.Body.Walk(r.ahead)
	}
	r.append(&ssa.Instr{Op: ssa.OpReturn})
	r.batched = d.Batches && len(r.memories) > 0 && r.batch()
	return r
}

// block makes both sweeps over a block that is run once: the reverse sweep follows the forward sweep. If the block ends
// in an If, so do both sweeps over the blocks of that.
//
// The forward sweep is made last, and only once all is known that it has to keep: see sweepForward. Until then the
// reverse sweep has values of the kernel in place of those of the forward sweep.
func (r *sweep) block(b *ssa.Block) {
	r.joined[b] = true
	ins, tail := r.straight(b)
	if r.isGrid() {
		r.again(ins)
		r.turning = len(r.b.Instrs)
	}
	r.joints[b] = joint{r.b, len(r.b.Instrs)}
	r.makeShadows(b)
	if tail != nil {
		r.at(tail)
		r.reverseIf(tail, r.fromAhead(tail.Args[0]), r.block)
	}
	r.reverse(ins)
}

// straight are the instructions of a block without its end, and the If that it ends in and that is gone through in one
// way with it, nil for none.
func (r *sweep) straight(b *ssa.Block) (ins []*ssa.Instr, tail *ssa.Instr) {
	ins = b.Instrs[:len(b.Instrs)-1]
	if r.isGrid() {
		return ins, nil
	}
	if tail = tailOf(b); tail != nil {
		ins = ins[:len(ins)-1]
	}
	return ins, tail
}

// A joint is where the forward sweep over a block ends and the reverse sweep begins.
type joint struct {
	b  *ssa.Block
	at int
}

// sweepForward inserts the forward sweep over a block that is run once.
func (r *sweep) sweepForward(b *ssa.Block) {
	defer r.keepHeights()()
	ins, tail := r.straight(b)
	j := r.joints[b]
	back := j.b.Instrs[j.at:]
	r.b, j.b.Instrs = j.b, j.b.Instrs[:j.at:j.at]
	r.again(ins)
	j.b.Instrs = append(j.b.Instrs, back...)
	if tail != nil {
		for _, nested := range tail.Blocks {
			r.sweepForward(nested)
		}
	}
	r.b = j.b
}

// fromAhead is what the forward sweep computes, or the kernel's value in place of it.
func (r *sweep) fromAhead(v *ssa.Value) *ssa.Value {
	if f := r.computes.get(v); f != nil {
		return f
	}
	return v
}

// ahead replaces the kernel's values among the operands of an instruction.
func (r *sweep) ahead(in *ssa.Instr) {
	in.Resolve()
	for i, v := range in.Args {
		if f := r.computes.get(v); f != nil {
			in.Args[i] = f
		}
	}
}

// at sets the statement of what is appended.
func (r *sweep) at(in *ssa.Instr) {
	r.stmt, r.pos = in.Stmt, in.Pos
	if in.Stmt == nil {
		return
	}
	if r.marked[in.Stmt] == nil {
		s := *in.Stmt
		if s.Turn != "" {
			s.Turn += ", "
		}
		s.Turn += "gradient"
		r.marked[in.Stmt] = &s
	}
	r.stmt = r.marked[in.Stmt]
}
