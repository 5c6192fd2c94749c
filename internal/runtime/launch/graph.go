package launch

import (
	"context"
	"sync"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// A Graph is a sequence of launches that has been recorded.
type Graph struct {
	dev *Device

	mu       sync.Mutex
	steps    []*Prepared
	sequence device.Sequence
	stale    bool // the sequence is not of the launches as they are now
	closed   bool
}

// newGraph makes a graph of prepared launches.
func newGraph(d *Device, steps []*Prepared) (*Graph, error) {
	g := &Graph{dev: d, steps: steps}
	var err error
	g.sequence, err = g.newSequence()
	if err != nil {
		return nil, err
	}
	return g, nil
}

// newSequence makes a sequence for the device from the launches in their current form.
func (g *Graph) newSequence() (device.Sequence, error) {
	var steps []device.Step
	for _, p := range g.steps {
		if p.run == (noThreads{}) {
			continue
		}
		steps = append(steps, device.Step{Runner: p.run, For: func(q device.Queue) (device.Runner, error) {
			r, _, err := p.prepare(p.dev, q)
			return r, err
		}})
	}
	return g.dev.backend.NewSequence(steps)
}

// Launch runs the launches of the graph.
func (g *Graph) Launch() error {
	if g == nil {
		return errNoGraph
	}
	if err := g.dev.notRecording(); err != nil {
		return err
	}
	return g.start(nil, nil)
}

// LaunchOn queues the launches of the graph on a stream, or records them.
func (g *Graph) LaunchOn(s *Stream) error {
	switch {
	case g == nil:
		return errNoGraph
	case s == nil:
		return &failure.LaunchError{Reason: noStream}
	case !g.dev.same(s.dev):
		return &failure.LaunchError{Reason: "the graph is for device " + g.dev.name + ", but the stream is on " + s.dev.name}
	case s.recording != nil:
		return g.recordOn(s.recording)
	}
	if err := g.dev.notRecording(); err != nil {
		return err
	}
	if err := failure.Ended("launch", g, "not started", s.dev.within); err != nil {
		return err
	}
	return g.start(s.queue, s.dev.within)
}

// Name is what an error calls the graph.
func (*Graph) Name() string { return "a graph" }

// start runs the launches on a queue, nil for the device's own order. Each ends with the contexts that it was recorded
// with, and with that of the queue, nil for none.
func (g *Graph) start(q device.Queue, within context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.renew(); err != nil {
		return err
	}
	for _, p := range g.steps {
		if err := p.ends.ended(g); err != nil {
			return err
		}
	}
	var own *ownLaunches
	if g.dev.backend.Abandons() {
		var err error
		if own, err = g.within(within); err != nil {
			return err
		}
	}
	for _, p := range g.steps {
		announce(p.kernel, p.variant, p.args)
		if q != nil && p.variant.readsLate() {
			q = device.Awaiting(q)
		}
	}
	if own == nil {
		return g.sequence.Start(q)
	}
	err := q.Submit(device.With(g.sequence, own.runners, own.contexts.stop))
	if err != nil {
		own.contexts.stop()
	}
	return err
}

// ownLaunches are launches of a graph that are prepared for one run of it.
type ownLaunches struct {
	runners  []device.Runner
	contexts joins
}

// within prepares launches once more, for one run that ends with a context too. It is nil if all of them end with it
// anyway.
func (g *Graph) within(ctx context.Context) (*ownLaunches, error) {
	anew := false
	for _, p := range g.steps {
		anew = anew || !p.ends.has(ctx)
	}
	if !anew {
		return nil, nil
	}
	own := new(ownLaunches)
	for _, p := range g.steps {
		r := p.run
		if !p.ends.has(ctx) {
			var err error
			if r, _, err = p.prepare(p.dev.WithContext(own.contexts.context(p.ends.and(ctx))), nil); err != nil {
				own.contexts.stop()
				return nil, err
			}
		}
		own.runners = append(own.runners, r)
	}
	return own, nil
}

// renew prepares the launches of the graph anew if package variables that their kernels read have changed.
func (g *Graph) renew() error {
	if g.closed {
		return errClosedGraph
	}
	for _, p := range g.steps {
		if p.freed() {
			return p.freedError("recorded")
		}
		changed, err := p.renew()
		if err != nil {
			return err
		}
		g.stale = g.stale || changed
	}
	if !g.stale {
		return nil
	}
	s, err := g.newSequence()
	if err != nil {
		return err
	}
	old := g.sequence
	g.sequence, g.stale = s, false
	return old.Close()
}

// recordOn records the launches for another graph.
func (g *Graph) recordOn(r *recording) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return r.addPrepared(nil, errClosedGraph)
	}
	for _, p := range g.steps {
		// A launch of its own: what is prepared is for one graph.
		ends := p.ends.and(r.dev.within)
		own, err := p.dev.WithContext(r.joins.context(ends)).prepared(p.kernel, p.args, p.prepare)
		if err == nil {
			own.ends = ends
		}
		if err := r.addPrepared(own, err); err != nil {
			return err
		}
	}
	return nil
}

// Close gives back what the graph has on the device, after its launches. Later calls do nothing.
func (g *Graph) Close() error {
	if g == nil {
		return errNoGraph
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	g.closed, g.steps = true, nil
	return g.sequence.Close()
}

// Device is the device that the graph is for.
func (g *Graph) Device() *Device {
	if g == nil {
		return nil
	}
	return g.dev
}

var errNoGraph = &failure.LaunchError{Reason: "the graph is nil; take one from Device.Record"}

var errClosedGraph = &failure.LaunchError{Reason: "the graph has been closed"}
