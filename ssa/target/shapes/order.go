package shapes

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A loop over threads that is vectorized with assume_safety runs the accesses of several
// threads at once, each in the order of the text, with one exception: clang joins
// accesses with a stride, as of the fields x[i].a and x[i].b, to one group, which reads where
// the first of them stands or writes where the last one does. It then believes not only that
// the threads do not depend on each other, but also that the accesses of one thread do not:
// of two slices that overlap, it would read before it writes. So where the order of
// accesses with a stride may matter, it is not told that.

// isDependent reports whether a compiler must find out by itself what it may vectorize of
// a loop over threads.
func (p *Decider) isDependent(f *ssa.Func) bool {
	local := p.local.Of(f)
	return local.needed || local.unless != 0 || p.ordered.Of(f)
}

// findOrderMatters finds whether a thread may write memory in one place of the text and use
// it in a later one by other means, such that one of the two may be joined to a group.
func (p *Decider) findOrderMatters(f *ssa.Func, of func(*ssa.Func) bool) bool {
	o := &accessOrder{summaries: p.summaries, roots: &p.roots, callee: of, f: f}
	o.block(f.Body)
	return o.end() || o.matters
}

type accessOrder struct {
	summaries *analysis.Summaries
	roots     *ssa.Roots
	callee    func(*ssa.Func) bool // whether the order matters in one
	f         *ssa.Func
	accesses  []access // so far, in the order of the text
	turn      int      // the iterations of outermost loops that were begun
	inLoop    bool
	matters   bool
}

// An access is a read or a write of memory that is not the thread's own.
type access struct {
	ptr     *ssa.Value // nil if it may be anywhere
	in      *ssa.Instr
	turn    int
	writes  bool
	strided bool // the next thread's may be neither next to it nor the same
	inLoop  bool
}

func (o *accessOrder) block(b *ssa.Block) {
	for _, in := range b.Instrs {
		switch in.Op {
		case ssa.OpLoad:
			o.use(in, in.Args[0], false)
		case ssa.OpStore, ssa.OpAtomic:
			o.use(in, in.Args[0], true)
		case ssa.OpCopy:
			o.use(in, nil, true)
		case ssa.OpRecur:
			o.matters = true
		case ssa.OpCall:
			if o.reaches(in) {
				o.matters = o.matters || o.callee(in.Callee)
				o.use(in, nil, o.summaries.Effects(in).Has(analysis.Seen))
			}
		case ssa.OpFor:
			o.matters = o.matters || o.end() // of another loop over threads
		case ssa.OpLoop:
			if !o.inLoop {
				// The second turn uses what the first one writes.
				o.inLoop = true
				o.turn++
				o.nested(in)
				o.turn++
				o.nested(in)
				o.inLoop = false
				continue
			}
		}
		o.nested(in)
	}
}

func (o *accessOrder) nested(in *ssa.Instr) {
	for _, b := range in.Blocks {
		o.block(b)
	}
}

// use notes an access.
func (o *accessOrder) use(in *ssa.Instr, ptr *ssa.Value, writes bool) {
	if len(o.accesses) > maxAccesses {
		return // there are too many already
	}
	a := access{ptr: ptr, in: in, turn: o.turn, writes: writes, strided: true, inLoop: o.inLoop}
	if ptr != nil {
		if o.roots.Of(ptr).IsLocal() {
			return
		}
		a.strided = !nextToEachOther(ptr)
	}
	o.accesses = append(o.accesses, a)
}

// end looks at the accesses of a loop over threads, and forgets them.
func (o *accessOrder) end() bool {
	if len(o.accesses) > maxAccesses {
		return true
	}
	joined := make([]bool, len(o.accesses))
	for i, a := range o.accesses {
		joined[i] = a.strided && slices.ContainsFunc(o.accesses, func(b access) bool { return o.mayJoin(a, b) })
	}
	matters := false
	for i, w := range o.accesses {
		for j, a := range o.accesses[i+1:] {
			matters = matters || w.writes && (joined[i] || joined[i+1+j]) && !o.independent(w, a)
		}
	}
	o.accesses = nil
	return matters
}

// mayJoin reports whether two accesses may be joined to a group: reads or writes, with a
// stride, of different places in one slice.
func (o *accessOrder) mayJoin(a, b access) bool {
	switch {
	case a.writes != b.writes || !b.strided:
		return false
	case a.inLoop || b.inLoop || a.ptr == nil || b.ptr == nil:
		return true
	}
	x, y := o.roots.Of(a.ptr), o.roots.Of(b.ptr)
	if disjoint := (isShared(x) || isArgumentOf(o.f, x)) && (isShared(y) || isArgumentOf(o.f, y)); disjoint && x != y {
		return false
	}
	return x != y || !analysis.SameAddress(a.ptr, b.ptr)
}

// independent reports whether an access does not use what a write has written, or is sure to use just that,
// which every compiler sees.
func (o *accessOrder) independent(w, a access) bool {
	if w.ptr == nil || a.ptr == nil {
		return false
	}
	x, y := o.roots.Of(w.ptr), o.roots.Of(a.ptr)
	if x == y {
		return analysis.Disjoint(w.ptr, a.ptr) || w.turn == a.turn && (analysis.OtherElements(w.ptr, a.ptr) || a.in.Block.Inside(w.in.Block) && analysis.SameAddress(w.ptr, a.ptr))
	}
	return isShared(x) && (isShared(y) || isArgumentOf(o.f, y)) || isShared(y) && isArgumentOf(o.f, x)
}

func isShared(root *ssa.Value) bool { return root.Def != nil && root.Def.Op == ssa.OpShared }

// isArgumentOf reports whether a root is a kernel's argument, or a part of one.
func isArgumentOf(f *ssa.Func, root *ssa.Value) bool {
	for root.Def != nil && (root.Def.Op == ssa.OpField || root.Def.Op == ssa.OpElem) {
		root = root.Def.Args[0]
	}
	return f.Kernel && root.Def == nil && root.Block == f.Body
}

// reaches reports whether a call may use memory that is not the thread's own.
func (o *accessOrder) reaches(call *ssa.Instr) bool {
	if !o.summaries.Effects(call).Has(analysis.ReadsAny | analysis.Seen) {
		return false
	}
	return slices.ContainsFunc(call.Args, func(v *ssa.Value) bool {
		if _, basic := v.Type.(ssa.Basic); basic {
			return false
		}
		root := o.roots.Of(v)
		// What is in a variable of the thread's may lead to memory that is not.
		return !root.IsLocal() || ssa.HoldsAddress(root.Type.(ssa.Pointer).Elem)
	})
}

// nextToEachOther reports whether an address is of a number whose place in the next thread is the
// next one, or the same.
func nextToEachOther(ptr *ssa.Value) bool {
	if ptr.Def == nil || ptr.Def.Op != ssa.OpIndexAddr {
		return false
	}
	if _, basic := ptr.Def.Results[0].Type.(ssa.Pointer).Elem.(ssa.Basic); !basic {
		return false
	}
	slice := ptr.Def.Args[0]
	for slice.Def != nil && slice.Def.Op == ssa.OpSubslice {
		if s, ok := analysis.Stride(slice.Def.Args[1]); !ok || s != 0 {
			return false
		}
		slice = slice.Def.Args[0]
	}
	s, ok := analysis.Stride(ptr.Def.Args[1])
	return ok && (s == 0 || s == 1)
}
