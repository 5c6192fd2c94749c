package gradient

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file turns a stencil round. In the backward kernel of
//
//	y[i] = f(x[i-1], x[i], x[i+1])
//
// thread i adds to three gradients, and three threads add to the gradient of x[i]: i-1, i and i+1. The kernel that is
// made here has a thread for each gradient instead. For each offset it computes what the thread at that distance would
// add here. It adds all of that up in a fixed order, and adds the sum in plain steps. So the gradient is the same in
// each run (Hückelheim et al., "Automatic differentiation for adjoint stencil loops", 2019, do so with loops).
//
// What the thread at a distance adds is computed by the body of the backward kernel itself, with the other thread's
// indices, and without anything that it writes elsewhere. If the launch has no such thread, nothing is computed. The
// tests of the kernel stand in the body, and so a thread that has returned early adds nothing. In a coordinate that is
// clamped, such as max(i-1, 0), the distance differs between threads. Then the body is computed for each distance that
// there can be, and adds only if the coordinate is the one that is gathered for.
//
// Elements around the launch have no thread of their own. So the launch of the gather is larger: along each axis by as
// much as the offsets reach to either side. Each pair of a thread and an offset leads to one thread of that launch.
// Nothing is added twice, or not at all.
//
// The gather reads the gradients of results, from several threads. So all that the backward kernel writes besides is
// left to a second kernel, which is launched after the gather.

// A Gather is what replaces a backward kernel, or precedes it.
type Gather struct {
	// Kernel adds to the gradients that are gathered. It has the parameters of the backward kernel. Its launch is larger
	// along each axis: by Before and After together.
	Kernel        *ssa.Func
	Before, After []int

	// Flat says that it is launched over one dimension, of as many threads as the launch has.
	Flat bool

	// Rest does the rest, and is launched after Kernel, over the launch as it is. It is nil if nothing is left, or if the
	// backward kernel itself does the rest: then there are no conditions.
	Rest *ssa.Func

	// Holds are conditions. If they do not hold for a launch, the backward kernel itself is launched, and nothing else. If
	// there are no conditions, it is launched after Kernel.
	Holds Conditions
}

// Limits of what a gather computes.
const (
	mostOffsets = 27  // all neighbours in three dimensions
	mostCost    = 128 // for each addition that it replaces, as the operations that follow count
	costOfMath  = 16
	costOfLoop  = 16 // times what a turn costs
)

// mayGather reports whether all that a backward kernel does is what its threads do on the way back, to gradients of
// their own.
func (b *Backward) mayGather(k *ssa.Func, o Options) bool {
	return o.Last() == Reverse && !o.Scatter && !o.Overlap && k.Kind == ssa.ThreadKernel && b.Kernel.AddsAlone() && b.Count == nil && !b.Batched && len(b.Copies) == 0 && len(b.After) == 0
}

// gather finds out what a backward kernel can gather.
func (b *Backward) gather(params int, remarks ssa.Remarks) {
	s := newStencil(b.Kernel)
	if s == nil {
		return
	}
	s.find(params)
	if len(s.adds) == 0 {
		return
	}
	g := &Gather{Flat: s.flat, Holds: s.needs()}
	offsets := s.offsets()
	switch {
	case offsets == nil:
	case len(offsets) == 1 && s.areExact():
		if len(g.Holds) == 0 {
			b.Kernel = s.alone("")
			break
		}
		g.Before, g.After = make([]int, len(s.ids)), make([]int, len(s.ids))
		g.Kernel = s.alone(".alone")
		b.Gather = g
	case s.readsBefore():
		t := turned{of: s, offsets: offsets}
		g.Kernel = t.make()
		for axis := range s.ids {
			g.Before, g.After = append(g.Before, int(t.most[axis])), append(g.After, int(-t.least[axis]))
		}
		if cost(g.Kernel.Body) > mostCost*len(s.adds) {
			return
		}
		b.Gather = g
		if len(g.Holds) == 0 {
			b.Kernel = s.rest("")
		} else if rest := s.rest(".rest"); hasWrites(rest) {
			g.Rest = rest
		}
		s.tell(remarks, fmt.Sprintf("a kernel gathers for %%s what threads at %d offsets would add, by plain additions", len(offsets)), g)
	}
}

// tell says once of each gradient what becomes of the additions to it.
func (s *stencil) tell(remarks ssa.Remarks, format string, g *Gather) {
	if len(g.Holds) > 0 {
		format += ", in launches whose sizes allow it; in others they are atomic"
	}
	var reported []*ssa.Value
	for _, a := range s.adds {
		if !slices.Contains(reported, a.region.root) {
			reported = append(reported, a.region.root)
			remarks.On(Pass, ssa.Done, a.in, format, a.region.root.Name)
		}
	}
}

// needs are the conditions of all additions, each once.
func (s *stencil) needs() (list [][]Sum) {
	seen := make(map[string]bool)
	note := func(either []Sum) {
		if text := fmt.Sprint(either); !seen[text] {
			seen[text] = true
			list = append(list, either)
		}
	}
	if s.flat && s.asksDims {
		for axis := 1; axis < 4; axis++ {
			note([]Sum{{{Times: 1}, {-1, []Number{{Dim: true, Axis: axis}}}}})
		}
	}
	for _, a := range s.adds {
		for _, either := range a.needs {
			note(either)
		}
	}
	return list
}

// offsets are the distances, along each axis, at which threads add, in order. They are nil if there are too many.
func (s *stencil) offsets() (list [][]int64) {
	for _, a := range s.adds {
		of := [][]int64{nil}
		for _, c := range a.coords {
			if c.hi-c.lo >= mostOffsets {
				return nil
			}
			var longer [][]int64
			for _, o := range of {
				for d := c.lo; d <= c.hi; d++ {
					longer = append(longer, append(slices.Clone(o), d))
				}
			}
			if of = longer; len(of) > mostOffsets {
				return nil
			}
		}
		for _, o := range of {
			if list = withOffset(list, o); len(list) > mostOffsets {
				return nil
			}
		}
	}
	return list
}

// withOffset is a list in order with one more offset, if it does not have that.
func withOffset(list [][]int64, o []int64) [][]int64 {
	at := 0
	for at < len(list) && slices.Compare(list[at], o) < 0 {
		at++
	}
	if at < len(list) && slices.Equal(list[at], o) {
		return list
	}
	return slices.Insert(list, at, o)
}

// areExact reports whether all coordinates are at one distance from the thread.
func (s *stencil) areExact() bool {
	for _, a := range s.adds {
		if slices.ContainsFunc(a.coords, func(c coordinate) bool { return !c.isExact() }) {
			return false
		}
	}
	return true
}

// alone is the kernel with plain additions where each element has one thread that adds to it.
func (s *stencil) alone(suffix string) *ssa.Func {
	f := s.fn.Clone(s.fn.Name + suffix)
	adds := s.copies(s.fn.Body, f.Body)
	edit(f.Body, func(r *builder, in *ssa.Instr) bool {
		if adds[in] == nil {
			return true
		}
		p := in.Args[0]
		r.stmt, r.pos = in.Stmt, in.Pos
		r.store(p, r.op(ssa.OpAdd, at(p), r.load(p), in.Args[1]))
		return false
	})
	f.Rank = s.rank
	settle(f)
	return f
}

// rest is the kernel without what is gathered.
func (s *stencil) rest(suffix string) *ssa.Func {
	f := s.fn.Clone(s.fn.Name + suffix)
	adds := s.copies(s.fn.Body, f.Body)
	edit(f.Body, func(_ *builder, in *ssa.Instr) bool { return adds[in] == nil })
	f.Rank = s.rank
	settle(f)
	return f
}

// copies are the additions in a copy of the kernel's instructions.
func (s *stencil) copies(old, copied *ssa.Block) map[*ssa.Instr]*addition {
	adds := make(map[*ssa.Instr]*addition)
	both(old, copied, func(in, n *ssa.Instr) {
		if a := s.found[in]; a != nil {
			adds[n] = a
		}
	})
	return adds
}

// both goes through instructions and their copies.
func both(old, copied *ssa.Block, f func(in, n *ssa.Instr)) {
	for i, in := range old.Instrs {
		f(in, copied.Instrs[i])
		for k, nested := range in.Blocks {
			both(nested, copied.Instrs[i].Blocks[k], f)
		}
	}
}

// edit keeps some of the instructions of a block and of those nested in it, and appends others in their places.
func edit(b *ssa.Block, keep func(r *builder, in *ssa.Instr) bool) {
	old := b.Instrs
	b.Instrs = nil
	r := &builder{b: b}
	for _, in := range old {
		if keep(r, in) {
			b.Instrs = append(b.Instrs, in)
			for _, nested := range in.Blocks {
				edit(nested, keep)
			}
		}
	}
}

// hasWrites reports whether a kernel writes to memory of its parameters.
func hasWrites(f *ssa.Func) bool {
	found := false
	f.Body.Walk(func(in *ssa.Instr) { found = found || writesParam(in) })
	return found
}

// writesParam reports whether an instruction writes to memory of a parameter.
func writesParam(in *ssa.Instr) bool {
	return in.Op == ssa.OpAtomic || in.Op == ssa.OpStore && !in.Args[0].Root().IsLocal()
}

// cost is about how many operations the code of a block is.
func cost(b *ssa.Block) (n int) {
	for _, in := range b.Instrs {
		of := 0
		for _, nested := range in.Blocks {
			of += cost(nested)
		}
		switch in.Op {
		case ssa.OpLoop:
			of *= costOfLoop
		case ssa.OpMath:
			of += costOfMath
		case ssa.OpConst, ssa.OpYield:
		default:
			of++
		}
		n += of
	}
	return n
}
