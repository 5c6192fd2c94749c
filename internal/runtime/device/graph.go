package device

import (
	"runtime"

	"github.com/qdgen/qd/internal/runtime/cuda"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// cudaSequence is a sequence on a GPU: graphs of the driver, and between them the launches that the host takes part in.
type cudaSequence struct {
	backend *cudaBackend
	parts   []cudaPart
	keep    []Step    // what the arguments of the graphs point into
	turn    cuda.Turn // to run the parts, where there are several
}

// cudaPart is a part of a sequence: a graph, or a step that is none.
type cudaPart struct {
	graph *cuda.Graph
	step  Step
}

// launcher is a run that may be launches which are known beforehand.
type launcher interface {
	// launches are those that a run consists of; ok is false where it copies from or to the host's memory, or depends on
	// what is in the device's.
	launches() (all []*cuda.Launch, ok bool)
}

// NewSequence implements [Backend].
func (b *cudaBackend) NewSequence(steps []Step) (Sequence, error) {
	s := &cudaSequence{backend: b, keep: steps}
	var run []*cuda.Launch // those that the next graph is to have
	flush := func() error {
		if len(run) == 0 {
			return nil
		}
		g, err := b.dev.NewGraph(run)
		if err != nil {
			_ = s.Close() // the first error is the one to tell
			return b.fail("make a graph", err)
		}
		runtime.AddCleanup(s, func(g *cuda.Graph) { _ = g.Close() }, g)
		s.parts = append(s.parts, cudaPart{graph: g})
		run = nil
		return nil
	}
	for _, step := range steps {
		if l, ok := step.Runner.(launcher); ok {
			if all, ok := l.launches(); ok {
				run = append(run, all...)
				continue
			}
		}
		if err := flush(); err != nil {
			return nil, err
		}
		s.parts = append(s.parts, cudaPart{step: step})
	}
	return s, flush()
}

// Start implements [Sequence].
func (s *cudaSequence) Start(q Queue) error {
	stream := s.backend.dev.Stream()
	if q != nil {
		if stream = q.(*cudaQueue).stream; stream.Closed() {
			return errClosed
		}
	}
	if len(s.parts) > 1 {
		if err := s.turn.Take(stream); err != nil {
			return s.backend.fail("launch a graph", err)
		}
	}
	var first firstFault
	for _, p := range s.parts {
		var err error
		if p.graph != nil {
			err = s.backend.fail("launch a graph", p.graph.Launch(stream))
		} else {
			err = p.step.start(q)
		}
		if err := first.pass(err); err != nil {
			return err
		}
	}
	runtime.KeepAlive(s)
	return first.err
}

// start runs the step on a queue.
func (s *Step) start(q Queue) error {
	if q == nil {
		return s.Run()
	}
	r, err := s.For(q)
	if err != nil {
		return err
	}
	return RunOnce(r)
}

// Close implements [Sequence].
func (s *cudaSequence) Close() error {
	var first error
	for _, p := range s.parts {
		if p.graph == nil {
			continue
		}
		if err := p.graph.Close(); first == nil {
			first = s.backend.fail("close a graph", err)
		}
	}
	return first
}

// kernelRun is one launch of the driver, as a run.
type kernelRun struct{ *cuda.Launch }

// launches implements [launcher].
func (r kernelRun) launches() ([]*cuda.Launch, bool) { return []*cuda.Launch{r.Launch}, true }

// launches implements [launcher].
func (r *cudaRun) launches() ([]*cuda.Launch, bool) {
	if r.copies != nil {
		return nil, false
	}
	return launchesOf(r.work)
}

// launches implements [launcher].
func (r *pickingRun) launches() ([]*cuda.Launch, bool) { return launchesOf(r.pick()) }

// launches implements [launcher].
func (r *sizedRun) launches() ([]*cuda.Launch, bool) {
	run, err := r.pick()
	if err != nil {
		return nil, false // the run says what is wrong
	}
	return launchesOf(run)
}

// launchesOf are the launches of a run, if they are known.
func launchesOf(r Runner) ([]*cuda.Launch, bool) {
	if l, ok := r.(launcher); ok {
		return l.launches()
	}
	return nil, false
}

// mostSteps is how many instructions of the host's part of a Grid kernel are looked at.
const mostSteps = 1 << 20

// launches implements [launcher]: it runs the host's part without its loops. Where that reads or writes an element,
// prints or fails, what is launched is not known beforehand.
func (r *gridRun) launches() (all []*cuda.Launch, ok bool) {
	if r.kept != nil {
		return nil, false
	}
	env := interp.Env{Memory: noMemory{}, Steps: mostSteps}
	env.Printf = func(*ssa.Instr, []uint64) error { return errOutside }
	env.Launch = func(in *ssa.Instr, dims []int64, args [][]byte) error {
		loop, err := r.newLoop(in, loopSizes(dims))
		if loop == nil {
			return err
		}
		loop.set(args)
		more, ok := launchesOf(loop.Runner)
		if !ok {
			return errOutside
		}
		all = append(all, more...)
		return nil
	}
	_, err := r.host.Run(&env, r.args)
	return all, err == nil
}

// noMemory is memory that cannot be used.
type noMemory struct{}

// Read implements [interp.Memory].
func (noMemory) Read([]byte, uint64) error { return errOutside }

// Write implements [interp.Memory].
func (noMemory) Write(uint64, []byte) error { return errOutside }
