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

// hostSequence is a sequence on a device whose launches run on the host's threads.
type hostSequence struct {
	mu    sync.Mutex // held by a run: runners are for one at a time
	steps []Step
}

// NewSequence implements [Backend].
func (*HostQueues) NewSequence(steps []Step) (Sequence, error) {
	return &hostSequence{steps: steps}, nil
}

// Start implements [Sequence].
func (s *hostSequence) Start(q Queue) error {
	if q != nil {
		return q.Submit(s)
	}
	return s.Run()
}

// Run implements [Runner].
func (s *hostSequence) Run() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first firstFault
	for _, step := range s.steps {
		if err := first.pass(step.Run()); err != nil {
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
