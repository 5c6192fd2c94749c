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
	// called by one goroutine at a time. Runs of a sequence follow each other, on whichever queues they are.
	Start(q Queue) error
	// Close gives back what the sequence has on the device, after its runs.
	Close() error
}

// With is one run of a sequence with other launches in the place of its steps. end is called after it. The sequence is
// one of a device that abandons launches.
func With(s Sequence, launches []Runner, end func()) Runner {
	return &ownRun{s.(*hostSequence), launches, end}
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

// Abandons implements [Backend].
func (*HostQueues) Abandons() bool { return true }

// Start implements [Sequence].
func (s *hostSequence) Start(q Queue) error {
	if q != nil {
		return q.Submit(s)
	}
	return s.Run()
}

// ownRun is a run of a sequence with launches of its own.
type ownRun struct {
	sequence *hostSequence
	launches []Runner
	end      func()
}

// Run implements [Runner].
func (r *ownRun) Run() error {
	defer r.end()
	return r.sequence.run(r.launches)
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
