package device

import "sync"

// A Step is a launch of a sequence.
type Step struct {
	Runner                               // in the device's own order
	For    func(q Queue) (Runner, error) // prepares it anew, for a queue
}

// A Sequence is launches that run one after the other, as one. After a fault the launches behind it run all the same,
// as those of a queue do, and the error is that of the first.
type Sequence interface {
	// Start runs the sequence after what was submitted to a queue before, or for nil in the device's own order. It is
	// called by one goroutine at a time. Runs of a sequence follow each other, on whichever queues they are. If own is
	// not nil, its runners are run in the place of the steps: those of a device that [Abandons] launches.
	Start(q Queue, own *Own) error
	// Close gives back what the sequence has on the device, after its runs.
	Close() error
}

// Own are the launches of a sequence, prepared for one run of it alone.
type Own struct {
	Runners []Runner
	End     func() // is called after the run, or if it does not begin; nil for nothing
}

// Abandons reports whether a device ends launches that have begun when their context ends.
func Abandons(b Backend) bool {
	_, gpu := b.(*cudaBackend)
	return !gpu
}

// hostSequence is a sequence on a device whose launches run on the host's threads.
type hostSequence struct {
	mu    sync.Mutex // held by a run: runners are for one at a time
	steps []Runner
}

// NewSequence implements [Backend].
func (*HostQueues) NewSequence(steps []Step) (Sequence, error) {
	s := new(hostSequence)
	for _, step := range steps {
		s.steps = append(s.steps, step.Runner)
	}
	return s, nil
}

// Start implements [Sequence].
func (s *hostSequence) Start(q Queue, own *Own) error {
	if own != nil {
		r := &ownRun{s, own}
		if q == nil {
			return r.Run()
		}
		err := q.Submit(r)
		if err != nil && own.End != nil {
			own.End()
		}
		return err
	}
	if q != nil {
		return q.Submit(s)
	}
	return s.Run()
}

// ownRun is a run of a sequence with launches of its own.
type ownRun struct {
	sequence *hostSequence
	own      *Own
}

// Run implements [Runner].
func (r *ownRun) Run() error {
	if r.own.End != nil {
		defer r.own.End()
	}
	return r.sequence.run(r.own.Runners)
}

// Run implements [Runner].
func (s *hostSequence) Run() error { return s.run(s.steps) }

// run runs launches one after the other, and after the runs before.
func (s *hostSequence) run(launches []Runner) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first firstFault
	for _, r := range launches {
		if err := first.pass(r.Run()); err != nil {
			return err
		}
	}
	return first.err
}

// Close implements [Sequence].
func (s *hostSequence) Close() error { return nil }

// firstFault keeps the first fault of several launches.
type firstFault struct{ err error }

// pass keeps a fault, and passes on what is none.
func (f *firstFault) pass(err error) error {
	switch {
	case err == nil:
		return nil
	case !isFault(err):
		return err
	case f.err == nil:
		f.err = err
	}
	return nil
}
