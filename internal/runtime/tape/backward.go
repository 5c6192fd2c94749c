package tape

import (
	"reflect"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// Backward differentiates a number, an array of one element.
func (t *Tape) Backward(y any) error {
	a, err := t.arrayFor("Backward", y)
	if err != nil {
		return err
	}
	if k := a.Elem.Kind(); a.N != 1 || k != reflect.Float32 && k != reflect.Float64 {
		return wrong("Backward differentiates a number, an array of one float; this is an array of %d elements of type %v: use BackwardFrom, which takes the gradient of each", a.N, a.Elem)
	}
	one := reflect.New(a.Elem).Elem()
	one.SetFloat(1)
	return t.backward(a, func(b *device.Buffer) error { return b.Write(one.Addr().UnsafePointer()) })
}

// BackwardFrom differentiates an array from a gradient of it: an array, or a slice.
func (t *Tape) BackwardFrom(y, seed any) error {
	a, err := t.arrayFor("BackwardFrom", y)
	if err != nil {
		return err
	}
	if g, ok := launch.ArgArray(seed); ok {
		switch {
		case g == nil || g.Device() == nil:
			return wrong("BackwardFrom: the gradient is an array that was not made by From or Zeros")
		case g.Elem != a.Elem || g.N != a.N:
			return wrong("BackwardFrom: the gradient has %d elements of type %v, but the array %d of type %v", g.N, g.Elem, a.N, a.Elem)
		case !g.Device().Same(a.Device()):
			return wrong("BackwardFrom: the gradient is on device %v, but the array on %v", g.Device(), a.Device())
		case g.IsFreed() || g.Err() != nil:
			return wrong("BackwardFrom: the gradient has no memory")
		}
		return t.backward(a, func(b *device.Buffer) error { return b.CopyFrom(g.Buffer) })
	}
	v := reflect.ValueOf(seed)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != a.Elem || v.Len() != a.N {
		return wrong("BackwardFrom: the gradient is a %T; give an array, or a slice, of %d elements of type %v", seed, a.N, a.Elem)
	}
	return t.backward(a, func(b *device.Buffer) error { return b.Write(v.UnsafePointer()) })
}

// arrayFor is the array that a method was given.
func (t *Tape) arrayFor(method string, y any) (*launch.Array, error) {
	if err := t.usable(); err != nil {
		return nil, err
	}
	a, ok := launch.ArgArray(y)
	if !ok {
		return nil, wrong("%s differentiates an array, not a %T", method, y)
	}
	if a == nil || a.Device() == nil {
		return nil, wrong("%s: the array was not made by From or Zeros", method)
	}
	if a.IsFreed() {
		return nil, wrong("%s: the array has been freed", method)
	}
	return a, nil
}

// backward runs the backward kernels from a gradient of y.
func (t *Tape) backward(y *launch.Array, seed func(*device.Buffer) error) error {
	if err := t.enter(); err != nil {
		return err
	}
	defer t.leave()
	if err := t.dev.NotRecording(); err != nil {
		return err
	}
	if err := t.dev.Ended("Backward", t, "not started"); err != nil {
		return err
	}
	t.mu.Lock()
	if p := t.part; p != nil {
		t.mu.Unlock()
		return wrong("Backward within the function that %s has called; call it afterwards", p.method)
	}
	n, err := t.target(y)
	var grads []*launch.Array
	for _, n := range t.nodes {
		if n.leaf {
			grads = append(grads, n.array.Grad())
		}
	}
	t.mu.Unlock()
	if err != nil {
		return err
	}
	for _, g := range grads { // which are about to change
		g.Announce("Backward")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	defer launch.LockGradients(grads)()
	defer t.endAdjoints()
	adjoint, err := t.adjointOf(n, true)
	if err != nil {
		return err
	}
	if err := seed(partOf(adjoint, 0, y)); err != nil {
		return err
	}
	if err := t.reverse(t.entries); err != nil {
		return err
	}
	return t.addToLeaves()
}

// target is the node of what is to be differentiated.
func (t *Tape) target(y *launch.Array) (*node, error) {
	n := t.nodes[y.Whole()]
	switch {
	case !t.dev.Same(y.Device()):
		return nil, wrong("the array is on device %v, but the tape is for %v", y.Device(), t.dev)
	case n == nil || !n.used:
		return nil, wrong("it has recorded no launch with the array that is to be differentiated")
	case n.stale != "":
		return nil, wrong("the array that is to be differentiated was changed by %s, which the tape has not recorded", n.stale)
	case !n.active:
		const none = "the array that is to be differentiated depends on no array that has a gradient"
		for _, other := range t.nodes {
			if other.leaf && !other.active {
				return nil, wrong(none + " any more: one has been overwritten, and is a constant since then; reset the tape before, to differentiate by its new contents")
			}
		}
		return nil, wrong(none + "; make those by WithGrad before the launches")
	}
	for _, other := range t.nodes {
		if other.used && other.hasLateGradient() { // which would get nothing
			return nil, wrong("an array among the arguments of its launches " + lateGradient)
		}
	}
	return n, nil
}

// adjointOf is the gradient of an array, at first zero. That of a leaf which no launch writes is the leaf's own; own is
// set for one that must not be that.
func (t *Tape) adjointOf(n *node, own bool) (*device.Buffer, error) {
	if n.hasAdj {
		return n.adjoint, nil
	}
	if n.leaf && !n.written && !own {
		return n.array.Grad().Buffer, nil
	}
	if n.adjoint == nil {
		b, err := t.like(n.live)
		if err != nil {
			return nil, err
		}
		n.adjoint = b
	}
	n.hasAdj = true
	return n.adjoint, n.adjoint.Clear()
}

// endAdjoints forgets the gradients of arrays, but keeps their memory.
func (t *Tape) endAdjoints() {
	for _, n := range t.nodes {
		n.hasAdj = false
	}
}

// reverse goes through entries from the last to the first.
func (t *Tape) reverse(entries []entry) error {
	for i := len(entries) - 1; i >= 0; i-- {
		var err error
		switch e := entries[i].(type) {
		case *record:
			err = t.reverseRecord(e)
		case *setting:
			err = e.reverse()
		case *copied:
			err = t.reverseCopy(e)
		case *part:
			err = t.reversePart(e)
		case *loop:
			err = t.reverseLoop(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A partOfNode is a part of an array's memory.
type partOfNode struct {
	*node
	span
}

// reverseRecord runs the backward kernel of a launch.
func (t *Tape) reverseRecord(r *record) error {
	if !r.matters() {
		return nil
	}
	args := make([]any, len(r.nodes))
	again := make(map[*node]bool) // what is written again, through any of the parameters that it is the argument of
	for i, n := range r.nodes {
		if n != nil && r.back.Writes(i) {
			again[n] = true
		}
	}
	done := make(map[partOfNode]bool) // what is in the scratch memory already
	for i, n := range r.nodes {
		var err error
		var array = r.step.Arrays[i]
		switch {
		case n == nil:
			args[i] = r.constant(i, r.back.Writes(i))
		case again[n] && r.needs[i] != nil:
			p := partOfNode{n, spanOf(array)}
			args[i], err = t.scratch(r.needs[i], array, done[p])
			done[p] = true
		case r.back.Reads(i):
			args[i], err = r.needs[i].of(array)
		default:
			args[i] = array.Buffer.Ghost()
		}
		if err != nil {
			return err
		}
	}
	var grads []any
	for at, i := range r.back.Gradients() {
		n := r.nodes[i]
		unused := !r.back.UsesGradient(at)
		if n == nil { // a constant: its gradient is not wanted
			g := r.step.Args[i]
			if !unused {
				g, _ = device.CopyOfSlices(g)
			}
			grads = append(grads, g)
			continue
		}
		var g *device.Buffer
		var err error
		if unused {
			g = r.step.Arrays[i].Buffer.Ghost()
		} else if n.wanted || n.hasAdj {
			if g, err = t.adjointOf(n, false); err == nil {
				g = partOf(g, 0, r.step.Arrays[i])
			}
		} else {
			g, err = t.sink(len(grads), r.step.Arrays[i].Buffer)
		}
		if err != nil {
			return err
		}
		grads = append(grads, g)
	}
	kept := 0
	if t.Bound > 0 {
		kept = max(1, min(t.Bound-t.used, device.MaxKept))
	}
	return r.back.Run(r.step, args, grads, kept)
}

// sink is memory for the gradient of a constant, which a backward kernel only adds to: one for each of its parameters.
func (t *Tape) sink(param int, of *device.Buffer) (*device.Buffer, error) {
	for len(t.sinks) <= param {
		t.sinks = append(t.sinks, nil)
	}
	if b := t.sinks[param]; b == nil || b.Size() < of.Size() {
		t.drop(b)
		t.sinks[param] = nil
		var err error
		if t.sinks[param], err = t.like(of); err != nil {
			t.sinks[param] = nil
			return nil, err
		}
	}
	return t.sinks[param].Like(of), nil
}

// matters reports whether what is differentiated depends on anything that the launch has written.
func (r *record) matters() bool {
	if r.back == nil {
		return false
	}
	for i, n := range r.nodes {
		if n != nil && n.hasAdj && r.step.Writes(i) {
			return true
		}
	}
	return false
}

// scratch is memory with what an array holds in a version, to be written to until the next call for it. Parts of one
// array are parts of one scratch memory. done is set if the contents are there already.
func (t *Tape) scratch(v *version, a *launch.Array, done bool) (*device.Buffer, error) {
	from, err := v.of(a)
	if err != nil {
		return nil, err
	}
	n := v.node
	if n.scratch == nil {
		if n.scratch, err = t.like(n.live); err != nil {
			return nil, err
		}
	}
	to := partOf(n.scratch, 0, a)
	if done {
		return to, nil
	}
	return to, to.CopyFrom(from)
}

// addToLeaves adds the gradients of those leaves that have another one during Backward to their own.
func (t *Tape) addToLeaves() error {
	for _, n := range t.nodes {
		if n.leaf && n.hasAdj {
			if err := n.array.Grad().AddFloats(n.adjoint); err != nil {
				return err
			}
		}
	}
	return nil
}
