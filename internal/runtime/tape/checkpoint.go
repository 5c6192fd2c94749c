package tape

import (
	"github.com/qdgen/qd/internal/gort"
)

// A part is what Checkpoint has recorded.
type part struct {
	up        *part // around it, while it is recorded
	goroutine uint64
	entries   []entry
	nodes     []*node            // that it uses
	before    map[*node]*version // what they held before it
	writes    map[*node]bool     // those that it writes
}

func newPart(up *part) *part {
	return &part{up: up, goroutine: gort.Goroutine(), before: make(map[*node]*version), writes: make(map[*node]bool)}
}

// Checkpoint calls f, and records its launches so that Backward runs them again.
func (t *Tape) Checkpoint(f func() error) (err error) {
	leave, err := t.enter()
	if err != nil {
		return err
	}
	if f == nil {
		leave()
		return wrong("the function for Checkpoint is nil")
	}
	t.mu.Lock()
	p := newPart(t.part)
	t.part = p
	turn := t.turn
	t.mu.Unlock()
	leave()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.turn != turn {
			if err == nil {
				err = wrong("it has been reset in the function that Checkpoint has called")
			}
			return
		}
		t.part = p.up
		t.add(p)
	}()
	return f()
}

// note notes what a launch in the part uses.
func (p *part) note(r *record) {
	for i, n := range r.nodes {
		if n == nil || !r.step.Reads(i) && !r.step.Writes(i) {
			continue
		}
		for q := p; q != nil; q = q.up {
			q.uses(n, r.step.Writes(i))
		}
	}
}

// uses notes that the part uses an array. What that held before the part is only needed for the part around all others:
// when that is run again, so are those in it.
func (p *part) uses(n *node, written bool) {
	if p.before[n] == nil {
		p.nodes = append(p.nodes, n)
		p.before[n] = n.cur
		if p.up == nil {
			n.cur.needed = true
		}
	}
	if written {
		p.writes[n] = true
	}
}

// reversePart runs a part again, and then its backward kernels.
func (t *Tape) reversePart(p *part) error {
	matters := false
	for n := range p.writes {
		matters = matters || n.hasAdj
	}
	if !matters {
		return nil
	}
	var again []entry
	was := make(map[*node]node)
	defer func() {
		for _, e := range again {
			t.release(e)
		}
		for n, w := range was {
			t.forget(n.cur)
			if p.writes[n] {
				t.drop(n.live)
			}
			n.live, n.cur = w.live, w.cur
		}
	}()
	for _, n := range p.nodes {
		b, err := p.before[n].contents()
		if err == nil && p.writes[n] {
			b, err = t.duplicate(b)
		}
		if err != nil {
			return err
		}
		was[n] = *n
		n.live = b
		n.begin()
	}
	var err error
	if again, err = t.again(p.entries); err != nil {
		return err
	}
	return t.reverse(again)
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
		case *part:
			p := newPart(t.part)
			t.part = p
			p.entries, err = t.again(e.entries)
			t.part = p.up
			now = p
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
			args[i] = n.live
		} else {
			args[i] = r.constant(i, r.step.Writes(i))
		}
	}
	return r, r.step.Run(args)
}

// setAgain sets an array again.
func (t *Tape) setAgain(e *setting) (*setting, error) {
	s := &setting{node: e.node, after: e.after, again: true}
	for p := t.part; p != nil; p = p.up {
		p.uses(s.node, true)
	}
	if err := t.beforeWrite(s.node); err != nil {
		return s, err
	}
	b, err := e.after.contents()
	if err != nil {
		return s, err
	}
	return s, s.node.live.CopyFrom(b)
}
