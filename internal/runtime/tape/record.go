package tape

import (
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// A record is a launch.
type record struct {
	step  *launch.Step
	own   launch.Step      // what step is, but for one that is run again
	back  *launch.Backward // nil of one that depends on nothing that is active
	nodes []*node          // by argument: that of the array, nil where it is none
	needs []*version       // by argument: what the backward kernel needs of the array
	plain []any            // by argument: a copy of one with plain slices that the backward kernel needs; nil if there is none
	bytes int              // of those copies
}

// Launch runs a launch and records it.
func (t *Tape) Launch(kernel any, dim dims.Dims, args []any) error {
	return t.launch(kernel, &dim, args)
}

// Run runs a Grid kernel and records it.
func (t *Tape) Run(kernel any, args []any) error { return t.launch(kernel, nil, args) }

func (t *Tape) launch(kernel any, dim *dims.Dims, args []any) error {
	err := t.enter()
	if err != nil {
		return err
	}
	defer t.leave()
	if t.Strip < 0 {
		return wrong("qd.TapeStrips(%d): a strip has 1 turn at least", t.Strip)
	}
	r := &t.slabs.records.cut(1)[0]
	recorded := false
	defer func() {
		if !recorded {
			*r = record{} // its slab may live on
		}
	}()
	r.step = &r.own
	r.step.Arrays = t.slabs.arrays.cut(len(args))[:0]
	if err := r.step.Check(t.dev, kernel, dim, args); err != nil {
		return err
	}
	turn, err := t.prepare(r)
	if err != nil {
		return err
	}
	r.step.Announce(t.watch)
	unused, err := t.start(r)
	if err != nil {
		return err
	}
	err = r.step.Run(r.step.Args)
	recorded, err = t.finish(r, turn, unused, err)
	return err
}

// prepare finds the nodes of a launch, and builds its backward kernel if it is to be differentiated. It gives the turn of
// the tape in which that is so.
func (t *Tape) prepare(r *record) (turn int, err error) {
	r.nodes = t.slabs.nodes.cut(len(r.step.Args))
	look := func() (active, unsure bool, err error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		turn = t.turn
		return t.isActive(r)
	}
	active, unsure, err := look()
	if unsure {
		r.step.Look()
		active, _, err = look()
	}
	if err == nil && active { // building takes its time, too, and may call functions of the program
		err = r.differentiate(t.Strip)
	}
	return turn, err
}

// start keeps what the backward kernel needs of the arguments as they are before the launch. It gives the arrays that the
// launch is the first to use.
func (t *Tape) start(r *record) (unused []*node, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	unused = r.unused()
	if err = t.keepPlain(r); err == nil {
		err = t.begin(r)
	}
	if err == nil {
		r.activate()
	} else {
		forgetUse(unused)
		t.release(r)
	}
	return unused, err
}

// finish records a launch that has run, with an error or without, unless nobody needs it.
func (t *Tape) finish(r *record, turn int, unused []*node, ran error) (recorded bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.turn != turn && ran == nil:
		return false, wrong("it has been reset while it recorded a launch of %s", r.step.Kernel.Name())
	case t.turn != turn:
	case ran != nil:
		t.failed(r)
		forgetUse(unused)
		t.release(r)
	case r.back == nil && t.part.isRunAgain() && r.step.IsOrdered(): // another run of it may leave something else
		for i, n := range r.nodes {
			if n != nil && r.step.Writes(i) {
				t.keepLeft(r, i)
			}
		}
		t.release(r)
	case r.back != nil || t.part.isRunAgain():
		t.add(r)
		return true, nil
	}
	return false, ran
}

// failed notes that nobody knows what a launch has left in the arrays that it writes.
func (t *Tape) failed(r *record) {
	for i, n := range r.nodes {
		switch {
		case n == nil || !r.step.Writes(i):
		case n.active:
			n.stale = "a launch of " + r.step.Kernel.Name() + " that failed"
		case t.part.isRunAgain():
			t.keepLeft(r, i)
		}
	}
}

// unused are the arrays that nothing recorded has used, and that the launch does not write.
func (r *record) unused() (list []*node) {
	for i, n := range r.nodes {
		if n != nil && !n.used && !r.step.Writes(i) {
			list = append(list, n)
		}
	}
	return list
}

// forgetUse notes that a launch has not been recorded that was the first one with some arrays.
func forgetUse(unused []*node) {
	for _, n := range unused {
		n.used = false
	}
}

// keepLeft keeps what a launch in a part that is run again has left in the array that is an argument: the launch is not
// run again.
func (t *Tape) keepLeft(r *record, arg int) {
	a := r.step.Arrays[arg]
	t.add(&setting{node: r.nodes[arg], array: a, after: t.version(r.nodes[arg], spanOf(a)).hold()})
}

// isActive finds the nodes of a launch, and whether it is to be differentiated. It is unsure if that depends on what
// step.Look finds.
func (t *Tape) isActive(r *record) (active, unsure bool, err error) {
	step := r.step
	if p := t.part; p != nil && p.goroutine != gort.Goroutine() {
		return false, false, refuse(step, "another goroutine is in the function that %s has called", p.method)
	}
	for i, a := range step.Arrays {
		if a == nil {
			continue
		}
		n := t.nodeOf(a)
		r.nodes[i] = n
		n.begin()
		switch {
		case n.stale != "":
			return false, false, refuse(step, "an array among the arguments was changed by %s, which the tape has not recorded; record that too, or reset the tape before", n.stale)
		case n.hasLateGradient():
			return false, false, refuse(step, "an array among the arguments "+lateGradient)
		}
		if n.active && step.HasGradient() && step.DependsOn(i) {
			needs := step.NeedsLook(i)
			active, unsure = active || !needs, unsure || needs
		}
	}
	return active, unsure && !active, nil
}

// differentiate makes the backward kernel of a launch, with strips of so many turns.
func (r *record) differentiate(strip int) (err error) {
	if err := plainWrites(r.step); err != nil {
		return err
	}
	r.back, err = r.step.Backward(strip, func(arg int) bool { return r.nodes[arg] == nil || !r.nodes[arg].active })
	return err
}

// refuse is the error of a launch that cannot be recorded.
func refuse(step *launch.Step, format string, args ...any) error {
	e := wrong(format, args...).(*failure.LaunchError)
	e.Kernel = step.Kernel.Name()
	return e
}

// plainWrites refuses what the tape could not follow: a program may change a plain slice between launches.
func plainWrites(step *launch.Step) error {
	for i, a := range step.Arrays {
		if a != nil || !step.Writes(i) {
			continue
		}
		switch {
		case step.LeadsToFloats(i):
			return refuse(step, "%s is a plain slice of floats that the kernel writes, of which the tape keeps no gradient; give it an array", step.Kernel.Parts[i].Where())
		case step.PlainOverlap():
			return refuse(step, "it writes a plain slice that shares memory with another one; give it slices that are apart, or arrays")
		}
	}
	return nil
}

// begin notes what a launch is about to do: whose contents it needs, and what it writes.
func (t *Tape) begin(r *record) error {
	step := r.step
	if p := t.part; p != nil {
		p.note(t, r)
	}
	for _, n := range r.nodes {
		if n != nil {
			n.used = true
		}
	}
	if r.back != nil && t.part.keeps() {
		r.needs = t.slabs.needs.cut(len(r.nodes))
		for i, n := range r.nodes {
			if r.isNeeded(i) && !r.back.After(i) {
				r.needs[i] = t.version(n, spanOf(step.Arrays[i])).hold()
			}
		}
	}
	for i, n := range r.nodes {
		if n == nil || !step.Writes(i) {
			continue
		}
		if err := t.beforeWrite(n, spanOf(step.Arrays[i])); err != nil {
			return err
		}
	}
	for i := range r.needs {
		if r.isNeeded(i) && r.back.After(i) {
			r.needs[i] = t.version(r.nodes[i], spanOf(step.Arrays[i])).hold()
		}
	}
	return nil
}

// isNeeded reports whether the backward kernel needs the array that is an argument.
func (r *record) isNeeded(arg int) bool {
	return r.nodes[arg] != nil && (r.back.Reads(arg) || r.back.Writes(arg))
}

// activate notes what depends on a leaf by a launch.
func (r *record) activate() {
	for i, n := range r.nodes {
		if r.back != nil && n != nil && r.step.Writes(i) && n.hasFloats() {
			n.active, n.written, n.wanted = true, true, true
		}
	}
}

// keepPlain copies plain slices: nobody tells the tape when the program changes them.
func (t *Tape) keepPlain(r *record) error {
	for i, n := range r.nodes {
		arg := r.step.Args[i]
		if n != nil || !launch.HasSlices(arg) || !t.part.isRunAgain() && !(r.back != nil && (r.back.Reads(i) || r.back.Writes(i))) {
			continue
		}
		c, bytes := device.CopyOfSlices(arg)
		if err := t.take(bytes); err != nil {
			return err
		}
		if r.plain == nil {
			r.plain = make([]any, len(r.nodes))
		}
		r.plain[i] = c
		r.bytes += bytes
	}
	return nil
}

// constant is an argument that is no array, as it was when the launch was recorded; a copy of it where slices in it are
// to be written.
func (r *record) constant(arg int, written bool) any {
	c := r.step.Args[arg]
	if r.plain != nil && r.plain[arg] != nil {
		c = r.plain[arg]
	}
	if written && launch.HasSlices(c) {
		c, _ = device.CopyOfSlices(c)
	}
	return c
}

// release gives back what an entry keeps.
func (t *Tape) release(e entry) {
	switch e := e.(type) {
	case *record:
		e.forgetNeeds(t)
		t.used -= e.bytes
	case *setting:
		t.forget(e.after)
	case *part:
		e.release(t)
	case *loop:
		e.release(t)
	}
}

// forgetNeeds gives back what the backward kernel of a launch needs.
func (r *record) forgetNeeds(t *Tape) {
	for _, v := range r.needs {
		t.forget(v)
	}
	r.needs = nil
}
