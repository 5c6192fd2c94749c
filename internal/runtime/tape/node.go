package tape

import (
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A node is an array that the tape knows.
type node struct {
	array *launch.Array
	live  *device.Buffer // where the contents are: the array's, or a copy of it while a part is run again
	cur   *version       // of what is there

	used    bool   // by a recorded launch
	leaf    bool   // it has a gradient of its own
	active  bool   // its contents depend on a leaf
	wanted  bool   // they have done so: its gradient may be asked for
	written bool   // by a recorded launch
	stale   string // what has changed it that is not recorded, "" for nothing

	adjoint *device.Buffer // the gradient of the array during Backward, kept for the next one; nil for none
	hasAdj  bool           // Backward has begun with it
	scratch *device.Buffer // for a backward kernel that writes the contents again
}

// A version is what an array holds between two writes.
type version struct {
	node    *node
	live    *device.Buffer // what holds it, until something else is written there
	holders int            // how much of what is recorded needs the contents
	copy    *device.Buffer // of the contents; nil for none
	lost    bool           // nothing has them any more
}

// nodeOf is the node of an array.
func (t *Tape) nodeOf(a *launch.Array) *node {
	n := t.nodes[a]
	if n == nil {
		n = &node{array: a, live: a.Buffer}
		n.begin()
		t.nodes[a] = n
		a.Watch(t.watch)
	}
	return n
}

// begin begins a version.
func (n *node) begin() { n.cur = &version{node: n, live: n.live} }

// hasFloats reports whether there is anything to differentiate in the array.
func (n *node) hasFloats() bool { return kernel.HasFloats(n.live.Elem) }

// hold notes that something recorded needs the contents, until it is given to [Tape.forget].
func (v *version) hold() *version {
	v.holders++
	return v
}

// beforeWrite keeps the contents if something needs them, and begins another version.
func (t *Tape) beforeWrite(n *node) (err error) {
	if v := n.cur; v.copy == nil {
		if v.lost = v.holders == 0 || v.isFreed(); !v.lost {
			if v.copy, err = t.duplicate(v.live); err != nil {
				return err
			}
		}
	}
	n.begin()
	return nil
}

// isFreed reports whether the array has been freed that holds the contents.
func (v *version) isFreed() bool {
	a := v.node.array
	return v.live == a.Buffer && a.IsFreed()
}

// contents is a buffer with the contents of a version, not to be written to.
func (v *version) contents() (*device.Buffer, error) {
	switch {
	case v.copy != nil:
		return v.copy, nil
	case v.isFreed():
		return nil, wrong("an array that a recorded launch needs has been freed; free it after Backward")
	case v.lost:
		panic("BUG: the tape has no copy of an array")
	}
	return v.live, nil
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

// free gives back what the tape keeps of an array beside its versions.
func (n *node) free() {
	for _, b := range []*device.Buffer{n.adjoint, n.scratch} {
		if b != nil {
			b.Free()
		}
	}
}

// A setting is a change of an array by something that is not recorded, to what does not depend on a leaf.
type setting struct {
	node  *node
	after *version // nil where nobody will ask for the contents
}

// beforeOther is told of a change of an array that is no launch on this tape.
func (t *Tape) beforeOther(a *launch.Array, by string, all bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.nodes[a]
	if n == nil {
		return
	}
	for p := t.part; p != nil; p = p.up {
		p.uses(n, true)
	}
	if err := t.beforeWrite(n); err != nil {
		n.stale = by + ", of which the tape could not keep a copy: " + err.Error()
	}
	if n.active && (n.leaf || !all) {
		n.stale = by
		return
	}
	n.active = false
	s := &setting{node: n}
	if t.part.isRunAgain() {
		s.after = n.cur.hold()
	}
	t.add(s)
}

// add adds an entry to what is being recorded.
func (t *Tape) add(e entry) {
	if t.part != nil {
		t.part.entries = append(t.part.entries, e)
	} else {
		t.entries = append(t.entries, e)
	}
}
