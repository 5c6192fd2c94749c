package tape

import "slices"

// A loop is what Steps has recorded. Of its arrays it keeps what they were before some of the steps, and Backward
// runs the steps between again. See schedule.go for which.
type loop struct {
	n      int         // steps that there are to be
	most   int         // snapshots at once
	steps  [][]entry   // by step
	kept   []*snapshot // in the order of their steps, the first before the first step; none in a part
	last   bool        // the launches of the last step have kept what their backward kernels need
	writes map[*node]bool
}

// A snapshot is what arrays were before a step, as far as the steps up to the next snapshot use them.
type snapshot struct {
	*part
	step  int
	again bool // Backward has made it
}

// Steps calls f for each step of a loop, and records the launches so that Backward runs them again from snapshots.
func (t *Tape) Steps(n int, f func(i int) error) error {
	if err := t.enter(); err != nil {
		return err
	}
	t.leave() // f uses the tape
	switch {
	case f == nil:
		return wrong("the function for Steps is nil")
	case n < 0:
		return wrong("Steps has %d steps; give it 0 or more", n)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	l := &loop{n: n, writes: make(map[*node]bool)}
	turn := t.turn
	defer func() { // f may panic
		if t.turn == turn {
			t.add(l)
		}
	}()
	return t.run(l, func(i int) error {
		t.mu.Unlock()
		defer t.mu.Lock()
		return f(i)
	})
}

// loopAgain runs a loop in a part again, and records it anew.
func (t *Tape) loopAgain(e *loop) (*loop, error) {
	l := &loop{n: len(e.steps), writes: make(map[*node]bool)}
	return l, t.run(l, func(i int) (err error) {
		t.part.entries, err = t.again(e.steps[i])
		return err
	})
}

// run runs the steps of a loop. What step records goes to the part that there is then.
func (t *Tape) run(l *loop, step func(i int) error) error {
	next := 0 // where the next snapshot is made
	p := t.part
	for i := range l.n {
		switch {
		case t.part.isRunAgain(): // as a whole
			if i == 0 {
				p = newPart(t.part, "Steps")
			}
		case i == l.n-1:
			p = newPart(t.part, "Steps")
			p.direct, p.before, l.last = true, nil, true
		case i == next:
			p = l.snapshot(t.part, i)
			if i == 0 {
				// To know what a step needs beside the snapshot, the first one is recorded as if it were the last.
				p.direct = t.Bound > 0 && t.Snapshots == 0
				next = 1
				break
			}
			next = i + advance(l.n-i, l.free()+1)
		}
		used := t.used
		if err := t.runStep(l, p, i, step); err != nil {
			return err
		}
		if i == 0 && len(l.kept) > 0 {
			l.most = t.snapshotsFor(l, p, t.used-used)
			next = advance(l.n, l.most)
		}
	}
	return nil
}

// free is how many more snapshots there may be.
func (l *loop) free() int { return l.most - len(l.kept) }

// snapshot makes a snapshot before a step.
func (l *loop) snapshot(up *part, step int) *part {
	s := &snapshot{part: newPart(up, "Steps"), step: step}
	l.kept = append(l.kept, s)
	return s.part
}

// runStep runs a step in a part.
func (t *Tape) runStep(l *loop, p *part, i int, step func(i int) error) (err error) {
	up, turn := t.part, t.turn
	t.part = p
	defer func() {
		if t.turn != turn {
			if err == nil {
				err = resetIn(p.method)
			}
			return
		}
		t.part = up
		l.steps = append(l.steps, append(t.slabs.entries.cut(len(p.entries))[:0], p.entries...))
		p.entries = again(p.entries)
		for n := range p.writes {
			l.writes[n] = true
		}
	}()
	return step(i)
}

// snapshotsFor is how many snapshots there may be at once, from what the first step has done to the memory that the
// tape takes.
func (t *Tape) snapshotsFor(l *loop, first *part, taken int) int {
	if t.Snapshots > 0 {
		return t.Snapshots
	}
	if t.Bound == 0 {
		return enough(l.n)
	}
	size := 0
	for n := range first.writes {
		size += n.live.Size()
	}
	if size == 0 {
		return l.n
	}
	return min(l.n, 1+max(0, t.Bound-t.used-t.besideSnapshots(l, first, size, taken))/size)
}

// besideSnapshots is how much more memory a loop takes beside snapshots of a size: for a copy of the arrays to run
// steps again, for what the launches of a step keep, for gradients and copies of them, for plain slices, and for
// what arrays are set to in each step. The first step has kept what the last one does, and gives it back here.
func (t *Tape) besideSnapshots(l *loop, first *part, size, taken int) int {
	plain, most := 0, 0
	extra := make(map[*node]int)
	for _, e := range l.steps[0] {
		if c, ok := e.(*copied); ok {
			most = max(most, c.toArray.Buffer.Size())
			for _, n := range []*node{c.from, c.to} {
				if n.adjoint == nil {
					extra[n] |= 2
				}
			}
		}
		r, ok := e.(*record)
		if !ok {
			continue
		}
		if plain += r.bytes; r.back == nil {
			continue
		}
		for i, n := range r.nodes {
			if r.isNeeded(i) && r.back.Writes(i) && n.scratch == nil {
				extra[n] |= 1
			}
		}
		for _, i := range r.back.Gradients() {
			if n := r.nodes[i]; n != nil && n.adjoint == nil {
				extra[n] |= 2
			}
		}
		r.forgetNeeds(t)
	}
	first.direct = false
	sum := size + most + taken - plain + (l.n-1)*plain + l.n*setBytes(l.steps[0])
	for n, what := range extra {
		sum += (what&1 + what>>1) * n.live.Size()
	}
	return sum
}

// setBytes is the size of what arrays are set to.
func setBytes(entries []entry) (n int) {
	for _, e := range entries {
		switch e := e.(type) {
		case *setting:
			n += e.array.Buffer.Size()
		case *part:
			n += setBytes(e.entries)
		case *loop:
			for _, step := range e.steps {
				n += setBytes(step)
			}
		}
	}
	return n
}

// reverseLoop runs the steps of a loop again, from snapshots, and the backward kernels of each.
func (t *Tape) reverseLoop(l *loop) error {
	if !anyAdjoint(l.writes) {
		return nil
	}
	end := len(l.steps)
	if l.last {
		end--
		if err := t.reverse(l.steps[end]); err != nil {
			return err
		}
	}
	r := newReplay(t, l.writes)
	defer r.end()
	defer func() {
		t.part = nil
		for len(l.kept) > 0 && l.kept[len(l.kept)-1].again {
			l.pop(t)
		}
	}()
	for ; end > 0 && anyAdjoint(l.writes); end-- {
		for len(l.kept) > 1 && l.kept[len(l.kept)-1].step >= end {
			l.pop(t)
		}
		if err := t.advance(l, r, end-1); err != nil {
			return err
		}
		if err := r.reverse(l.steps[end-1]); err != nil {
			return err
		}
	}
	return nil
}

// advance makes the arrays what they were before a step, with snapshots on the way.
func (t *Tape) advance(l *loop, r *replay, to int) error {
	s := l.kept[len(l.kept)-1]
	if err := r.restore(s.part); err != nil {
		return err
	}
	defer func() { t.part = nil }()
	for i := s.step; i < to; {
		if i > s.step {
			l.snapshot(nil, i)
			l.kept[len(l.kept)-1].again = true
		}
		t.part = l.kept[len(l.kept)-1].part
		for n := advance(to+1-i, l.free()+1); n > 0; n, i = n-1, i+1 {
			list, err := t.again(l.steps[i])
			for _, e := range list {
				t.release(e)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// pop gives the last snapshot back. The one before is then that of its steps, too.
func (l *loop) pop(t *Tape) {
	s, before := l.kept[len(l.kept)-1], l.kept[len(l.kept)-2]
	l.kept = slices.Delete(l.kept, len(l.kept)-1, len(l.kept))
	for _, n := range s.nodes {
		v := s.before[n]
		if before.before[n] != nil {
			t.forget(v)
			continue
		}
		before.nodes = append(before.nodes, n)
		before.before[n] = v
	}
}

// release gives back what a loop keeps.
func (l *loop) release(t *Tape) {
	for _, s := range l.kept {
		s.release(t)
	}
	for _, step := range l.steps {
		for _, e := range step {
			t.release(e)
		}
	}
}
