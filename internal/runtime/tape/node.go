package tape

import (
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A node is an array that the tape knows, with memory of its own. What is recorded uses all of it, or a part.
type node struct {
	array *launch.Array
	live  *device.Buffer // where the contents are: the array's, or a copy of it while a part is run again
	open  *branch        // the versions of what is there that somebody has asked for

	used    bool   // by a recorded launch
	leaf    bool   // it has a gradient of its own
	active  bool   // its contents depend on a leaf
	wanted  bool   // they have done so: its gradient may be asked for
	written bool   // by a recorded launch, or by what is recorded besides
	stale   string // what has changed it that is not recorded, "" for nothing

	adjoint *device.Buffer // the gradient of the array during Backward, kept for the next one; nil for none
	hasAdj  bool           // Backward has begun with it
	scratch *device.Buffer // for a backward kernel that writes the contents again
}

// A version is what an array, or a part of it, holds between two writes to that.
type version struct {
	node    *node
	span    span
	live    *device.Buffer // what holds it, until something else is written there
	holders int            // how much of what is recorded needs the contents
	copy    *device.Buffer // of the contents; nil for none
	lost    bool           // nothing has them any more
	first   branch         // of the tree that it is added to when it is made
}

// A span is a part of an array's memory: the elements from one on to one that is not in it.
type span struct{ from, to int }

// spanOf is the part of the memory of a whole that an array is.
func spanOf(a *launch.Array) span { return span{a.Offset(), a.Offset() + a.N} }

func (s span) overlaps(t span) bool { return s.from < t.to && t.from < s.to }

// partOf is the part of a buffer that an array is of its whole. The buffer begins with an element of the whole.
func partOf(b *device.Buffer, begin int, a *launch.Array) *device.Buffer {
	if a.Whole() == a && b.N == a.N {
		return b
	}
	return b.Part(a.Offset()-begin, a.Buffer.Shape, a.N)
}

// nodeOf is the node of an array, or of the one that it is a part of.
func (t *Tape) nodeOf(a *launch.Array) *node {
	a = a.Whole()
	n := t.nodes[a]
	if n == nil {
		n = &node{array: a, live: a.Buffer}
		if a.IsCopySince(t.copies) && a.Grad() == nil {
			n.stale = "CopyArray or To, from an array with a gradient, before any launch with either on the tape"
		}
		t.nodes[a] = n
		a.Watch(t.watch)
	}
	return n
}

// whole is all of an array.
func (n *node) whole() span { return span{0, n.live.N} }

// version is what is in a part of the array now.
func (t *Tape) version(n *node, s span) *version {
	if v := n.open.find(s); v != nil {
		return v
	}
	v := &t.slabs.versions.cut(1)[0]
	v.node, v.span, v.live = n, s, n.live
	n.open = n.open.with(v, &v.first)
	return v
}

// hasFloats reports whether there is anything to differentiate in the array.
func (n *node) hasFloats() bool { return kernel.HasFloats(n.live.Elem) }

// lateGradient says what is wrong with an array that [node.hasLateGradient].
const lateGradient = "was given a gradient after the tape had recorded a launch with it; call WithGrad before, or reset the tape"

// hasLateGradient reports whether the array has been given a gradient after its first launch on the tape.
func (n *node) hasLateGradient() bool { return !n.leaf && n.array.Grad() != nil }

// hold notes that something recorded needs the contents, until it is given to [Tape.forget].
func (v *version) hold() *version {
	v.holders++
	return v
}

// beforeWrite keeps the contents of a part that is about to be written, as far as something needs them, and ends
// the versions that there are of it.
func (t *Tape) beforeWrite(n *node, s span) error {
	if err := n.open.overlapping(s, t.keepContents); err != nil {
		return err
	}
	n.open = n.open.without(s)
	return nil
}

// keepContents keeps the contents of a version, if something needs them.
func (t *Tape) keepContents(v *version) (err error) {
	if v.copy != nil {
		return nil
	}
	if v.lost = v.holders == 0 || v.isFreed(); v.lost {
		return nil
	}
	part := v.live
	if v.span != v.node.whole() {
		part = part.Part(v.span.from, []int{v.span.to - v.span.from}, v.span.to-v.span.from)
	}
	v.copy, err = t.duplicate(part)
	return err
}

// isFreed reports whether the array has been freed that holds the contents.
func (v *version) isFreed() bool {
	a := v.node.array
	return v.live == a.Buffer && a.IsFreed()
}

// contents is a buffer with the contents of a version, and the element of the whole that it begins with. It is not
// to be written to.
func (v *version) contents() (b *device.Buffer, begin int, err error) {
	switch {
	case v.copy != nil:
		return v.copy, v.span.from, nil
	case v.isFreed():
		return nil, 0, wrong("an array that a recorded launch needs has been freed; free it after Backward")
	case v.lost:
		panic("BUG: the tape has no copy of an array")
	}
	return v.live, 0, nil
}

// of is a buffer with what an array holds in a version, not to be written to.
func (v *version) of(a *launch.Array) (*device.Buffer, error) {
	b, begin, err := v.contents()
	if err != nil {
		return nil, err
	}
	return partOf(b, begin, a), nil
}

// forget notes that one holder of a version needs it no more. After the last one the tape keeps nothing of it.
func (t *Tape) forget(v *version) {
	if v == nil {
		return
	}
	if v.holders--; v.holders == 0 {
		t.drop(v.copy)
		v.copy = nil
	}
}

// A setting is a change of an array by something that is not recorded, to what does not depend on a leaf.
type setting struct {
	node  *node
	array *launch.Array // the node's, or a part of that
	first bool          // nothing recorded has used the array before: the contents are those that its gradient is by
	after *version      // nil where nobody will ask for the contents
}

// beforeOther is told of a change of an array that is no launch on this tape.
func (t *Tape) beforeOther(a *launch.Array, c launch.Change) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.nodes[a.Whole()]
	copies := t.dependsOnLeaf(c.Source)
	if n == nil && (copies || t.knows(c.Source)) && t.dev.Same(a.Device()) { // else no launch on the tape can have the copy
		n = t.nodeOf(a)
	}
	if n == nil {
		return
	}
	for p := t.part; p != nil; p = p.up {
		p.uses(t, n, true)
	}
	if err := t.beforeWrite(n, spanOf(a)); err != nil {
		n.stale = c.By + ", of which the tape could not keep a copy: " + err.Error()
	}
	if copies && t.copyOf(n, a, c.Source) {
		return
	}
	if n.active && n.used && !c.All || copies {
		n.stale = c.By
		return
	}
	if spanOf(a) == n.whole() {
		n.active = false
	}
	n.written = n.written || n.used
	s := &setting{node: n, array: a, first: !n.used}
	if t.part.isRunAgain() {
		s.after = t.version(n, spanOf(a)).hold()
	}
	t.add(s)
}

// knows reports whether an array with a gradient, nil for none, is one that the tape has used: it knows then what its
// copies are.
func (t *Tape) knows(a *launch.Array) bool {
	if a == nil || a.Grad() == nil {
		return false
	}
	n := t.nodes[a.Whole()]
	return n != nil && n.used
}

// dependsOnLeaf reports whether there is a gradient to what an array holds, nil for none.
func (t *Tape) dependsOnLeaf(a *launch.Array) bool {
	if a == nil {
		return false
	}
	n := t.nodes[a.Whole()]
	switch {
	case n == nil:
		return a.Grad() != nil || a.IsCopySince(t.copies)
	case n.stale != "":
		return true // as far as the tape knows
	case !n.used:
		return a.Grad() != nil
	}
	return n.active || n.hasLateGradient()
}

// reverse forgets the gradient of what has been set: nothing before it has made these contents.
func (s *setting) reverse() error {
	switch {
	case s.first || !s.node.hasAdj:
		return nil
	case spanOf(s.array) == s.node.whole():
		s.node.hasAdj = false
		return nil
	}
	return partOf(s.node.adjoint, 0, s.array).Clear()
}

// add adds an entry to what is being recorded.
func (t *Tape) add(e entry) {
	if t.part != nil {
		t.part.entries = append(t.part.entries, e)
	} else {
		t.entries = append(t.entries, e)
	}
}
