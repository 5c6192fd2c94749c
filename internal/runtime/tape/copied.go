package tape

import "github.com/qdgen/qd/internal/runtime/launch"

// A copied is a change of an array, or of a part of it, to what another one held, which depends on a leaf.
type copied struct {
	to, from *node
	// The arrays of the nodes, or parts of them, with the same number of elements.
	toArray, fromArray *launch.Array
}

// copyOf records that an array is about to be set to the contents of another one that depends on a leaf. It reports
// whether it can be recorded. A leaf that nothing recorded has used is the beginning of a derivative, and not a
// copy.
func (t *Tape) copyOf(n *node, a, source *launch.Array) bool {
	from := t.nodeOf(source)
	from.begin()
	n.begin()
	if n.leaf && !n.used || from.stale != "" || !from.active || !n.hasFloats() {
		return false
	}
	for p := t.part; p != nil; p = p.up {
		p.uses(t, from, false)
	}
	n.used, from.used = true, true
	n.active, n.written, n.wanted = true, true, true
	t.add(&copied{to: n, from: from, toArray: a, fromArray: source})
	return true
}

// begin finds out whether an array is a leaf, at its first use.
func (n *node) begin() {
	if !n.used {
		n.leaf = n.array.Grad() != nil
		n.active, n.wanted = n.leaf, n.leaf
	}
}

// reverseCopy adds the gradient of the copy to that of what was copied, and forgets it: nothing before has made these
// contents. Both may be parts of one array, which share elements.
func (t *Tape) reverseCopy(c *copied) error {
	if !c.to.hasAdj {
		return nil
	}
	of := partOf(c.to.adjoint, 0, c.toArray)
	gradient, err := t.duplicate(of)
	if err != nil {
		return err
	}
	defer t.drop(gradient)
	if c.to != c.from && spanOf(c.toArray) == c.to.whole() {
		c.to.hasAdj = false
	} else if err := of.Clear(); err != nil {
		return err
	}
	to, err := t.adjointOf(c.from, false)
	if err != nil {
		return err
	}
	return partOf(to, 0, c.fromArray).AddFloats(gradient)
}

// copyAgain copies again.
func (t *Tape) copyAgain(c *copied) error {
	for p := t.part; p != nil; p = p.up {
		p.uses(t, c.from, false)
		p.uses(t, c.to, true)
	}
	if err := t.beforeWrite(c.to, spanOf(c.toArray)); err != nil {
		return err
	}
	to, from := partOf(c.to.live, 0, c.toArray), partOf(c.from.live, 0, c.fromArray)
	if to.Overlaps(from) {
		d, err := t.duplicate(from)
		if err != nil {
			return err
		}
		defer t.drop(d)
		from = d
	}
	return to.CopyFrom(from)
}
