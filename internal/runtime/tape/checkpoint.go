package tape

import (
	"github.com/qdgen/qd/internal/gort"
)

// A part is what is recorded to be run again.
type part struct {
	up        *part  // around it, while it is recorded
	within    bool   // what is run again as a whole is around it
	method    string // that has begun it
	goroutine uint64
	entries   []entry
	nodes     []*node            // that it uses
	before    map[*node]*version // what they held before it; nil for a part that is not run again
	writes    map[*node]bool     // those that it writes
	direct    bool               // its launches keep what their backward kernels need, but not within what is run again
}

func newPart(up *part, method string) *part {
	return &part{up: up, within: up.isRunAgain(), method: method, goroutine: gort.Goroutine(), before: make(map[*node]*version), writes: make(map[*node]bool)}
}

// keeps reports whether launches in the part, nil for none, keep what their backward kernels need.
func (p *part) keeps() bool { return p == nil || p.direct && !p.within }

// isRunAgain reports whether what is recorded in the part, nil for none, is run again.
func (p *part) isRunAgain() bool { return p != nil && (p.within || p.before != nil) }

// Checkpoint calls f, and records its launches so that Backward runs them again.
func (t *Tape) Checkpoint(f func() error) (err error) {
	if err := t.enter(); err != nil {
		return err
	}
	if f == nil {
		t.leave()
		return wrong("the function for Checkpoint is nil")
	}
	t.mu.Lock()
	p := newPart(t.part, "Checkpoint")
	t.part = p
	turn := t.turn
	t.mu.Unlock()
	t.leave()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.turn != turn {
			if err == nil {
				err = resetIn(p.method)
			}
			return
		}
		t.part = p.up
		t.add(p)
	}()
	return f()
}

// resetIn is the error of Reset in a function that a method has called.
func resetIn(method string) error {
	return wrong("it has been reset in the function that %s has called", method)
}

// note notes what a launch in the part uses.
func (p *part) note(t *Tape, r *record) {
	for i, n := range r.nodes {
		if n == nil || !r.step.Reads(i) && !r.step.Writes(i) {
			continue
		}
		for q := p; q != nil; q = q.up {
			q.uses(t, n, r.step.Writes(i))
		}
	}
}

// uses notes that the part uses an array. What that held before the part is only needed for the part around all others:
// when that is run again, so are those in it.
func (p *part) uses(t *Tape, n *node, written bool) {
	if p.before != nil && p.before[n] == nil {
		p.nodes = append(p.nodes, n)
		v := t.version(n, n.whole())
		p.before[n] = v
		if !p.within {
			v.hold()
		}
	}
	if written {
		p.writes[n] = true
	}
}

// release gives back what a part keeps.
func (p *part) release(t *Tape) {
	if !p.within {
		for _, v := range p.before {
			t.forget(v)
		}
	}
	for _, e := range p.entries {
		t.release(e)
	}
}

// anyAdjoint reports whether what is differentiated depends on any of some arrays.
func anyAdjoint(nodes map[*node]bool) bool {
	for n := range nodes {
		if n.hasAdj {
			return true
		}
	}
	return false
}

// reversePart runs a part again, and then its backward kernels.
func (t *Tape) reversePart(p *part) error {
	if !anyAdjoint(p.writes) {
		return nil
	}
	again := newReplay(t, p.writes)
	defer again.end()
	if err := again.restore(p); err != nil {
		return err
	}
	return again.reverse(p.entries)
}

// A replay runs launches again, on the arrays as they were before a part, and on copies of those that are written.
type replay struct {
	tape   *Tape
	writes map[*node]bool
	was    map[*node]node // the nodes that it has changed
}

func newReplay(t *Tape, writes map[*node]bool) *replay {
	return &replay{t, writes, make(map[*node]node)}
}

// restore makes the arrays of a part what they were before it.
func (r *replay) restore(p *part) error {
	for _, n := range p.nodes {
		v := p.before[n]
		from, _, err := v.contents() // of the whole
		if err != nil {
			return err
		}
		was, seen := r.was[n]
		switch {
		case seen && from == n.live: // nothing has written it since then
			n.open = (*branch)(nil).with(v, new(branch)) // the version may still be in another tree
			continue
		case !r.writes[n]:
		case seen && n.live != was.live:
			if err := n.live.CopyFrom(from); err != nil {
				return err
			}
			from = n.live
		default:
			if from, err = r.tape.duplicate(from); err != nil {
				return err
			}
		}
		if !seen {
			r.was[n] = *n
		}
		n.live = from
		n.open = nil
	}
	return nil
}

// reverse runs what was recorded again, and then its backward kernels.
func (r *replay) reverse(entries []entry) error {
	t := r.tape
	list, err := t.again(entries)
	if err == nil {
		err = t.reverse(list)
	}
	for _, e := range list {
		t.release(e)
	}
	return err
}

// end gives the copies back.
func (r *replay) end() {
	for n, was := range r.was {
		if r.writes[n] {
			r.tape.drop(n.live)
		}
		n.live, n.open = was.live, was.open
	}
}

// again runs what was recorded in a part on the memory that its arrays have now, and records it anew.
func (t *Tape) again(entries []entry) (list []entry, err error) {
	for _, e := range entries {
		var now entry
		switch e := e.(type) {
		case *record:
			now, err = t.runAgain(e)
		case *setting:
			now, err = t.setAgain(e)
		case *copied:
			now, err = e, t.copyAgain(e)
		case *part:
			p := newPart(t.part, e.method)
			t.part = p
			p.entries, err = t.again(e.entries)
			t.part = p.up
			now = p
		case *loop:
			now, err = t.loopAgain(e)
		}
		list = append(list, now)
		if err != nil {
			break
		}
	}
	return list, err
}

// runAgain runs a launch again.
func (t *Tape) runAgain(e *record) (*record, error) {
	r := &record{step: e.step, back: e.back, nodes: e.nodes, plain: e.plain}
	if err := t.begin(r); err != nil {
		return r, err
	}
	args := make([]any, len(r.nodes))
	for i, n := range r.nodes {
		if n != nil {
			args[i] = partOf(n.live, 0, r.step.Arrays[i])
		} else {
			args[i] = r.constant(i, r.step.Writes(i))
		}
	}
	return r, r.step.Run(args)
}

// setAgain sets an array again.
func (t *Tape) setAgain(e *setting) (*setting, error) {
	s := &setting{node: e.node, array: e.array, first: e.first, after: e.after.hold()}
	for p := t.part; p != nil; p = p.up {
		p.uses(t, s.node, true)
	}
	if err := t.beforeWrite(s.node, spanOf(s.array)); err != nil {
		return s, err
	}
	b, err := e.after.of(s.array)
	if err != nil {
		return s, err
	}
	return s, partOf(s.node.live, 0, s.array).CopyFrom(b)
}
