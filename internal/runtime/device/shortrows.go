package device

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// The lanes of a vector run threads that are neighbours along the last axis of a launch. If that axis is shorter than a
// vector, as in a launch over qd.Dim(height, width, 3), each thread runs alone, and many times slower, unless the rows run as
// one (collapse.go). For such launches a kernel is built once more, for launches in which another axis has changed places with the last one
// (target.Interchange). Results are the same, as those of a thread do not depend on its lane.

// worthInterchange is how long launches with short rows have taken when that build is made: longer than most builds
// take. So a program never waits for more than twice what it would have without it, and one that launches once in a
// while does not wait.
const worthInterchange = 300 * time.Millisecond

// mayBuild is how long a launch may last at least that makes such a build.
const mayBuild = 10 * time.Second

// AlwaysInterchange lets all launches of several dimensions run with the last two axes interchanged, those of kernels
// without vectors, too, if the order of the threads does not show. It is for tests, which set it before they launch
// anything.
var AlwaysInterchange bool

// shortRows has the programs of a specialization for launches with interchanged axes.
type shortRows struct {
	of    *kernel.Func
	lanes int              // of the program that they stand for
	asked []frontend.Asked // what that depends on
	load  func(ctx context.Context, axis int) (*Loaded, error)
	spent atomic.Int64 // nanoseconds, about, that launches with short rows have taken
	worth atomic.Int64 // how many are worth a build
	axes  [len(dims.Dims{}.N)]interchangedProgram
}

// interchangedProgram is a program for launches in which one axis has changed places with the last one.
type interchangedProgram struct {
	program atomic.Pointer[cpuProgram]
	mu      sync.Mutex // held by the launch that builds it
	none    bool       // there is none
}

// newShortRows is for a program that b has loaded, nil for one that has no use for other axes, or in which the order of
// the threads shows.
func (b *cpuBackend) newShortRows(k *kernel.Func, abi *build.ABI, opts build.Options, asked []frontend.Asked) *shortRows {
	if abi.Rank < 2 || abi.Lanes == 0 && !AlwaysInterchange || abi.Block || abi.Blocked || abi.Prints || abi.Ordered || k.Backward != nil || abi.Interchanged != 0 {
		return nil
	}
	s := &shortRows{of: k, lanes: abi.Lanes, asked: asked, load: func(ctx context.Context, axis int) (*Loaded, error) {
		o, start := opts, time.Now()
		o.Interchange = axis + 1
		o.Print = nil // the first build has
		l, err := b.Load(ctx, k, o)
		if err == nil {
			l.Report("cpu", time.Since(start))
		}
		return l, err
	}}
	s.worth.Store(int64(worthInterchange))
	return s
}

// axis is the axis that should change places with the last one: the nearest one that fills a vector. It is -1 if the
// launch has no short rows, or only short axes.
func (s *shortRows) axis(d *dims.Dims) int {
	last := d.Rank - 1
	if AlwaysInterchange {
		return last - 1
	}
	if d.N[last] >= s.lanes {
		return -1
	}
	for axis := last - 1; axis >= 0; axis-- {
		if d.N[axis] >= s.lanes {
			return axis
		}
	}
	return -1
}

// programFor is the program for launches in which an axis has changed places, for a launch with short rows whose threads
// take so many nanoseconds each. It is nil if that launch runs the program as it is. The launch that makes the program has
// to wait for it, and no other one.
func (s *shortRows) programFor(l *Launch, axis int, cost float64) *cpuProgram {
	by := &s.axes[axis]
	if p := by.program.Load(); p != nil {
		return p
	}
	spent := s.spent.Add(int64(cost * float64(l.Threads)))
	if spent < s.worth.Load() && !AlwaysInterchange || l.endsSoon() || !by.mu.TryLock() {
		return nil
	}
	defer by.mu.Unlock()
	return s.build(by, axis, l.Within)
}

// endsSoon reports whether the launch may end while it waits for a build.
func (l *Launch) endsSoon() bool {
	if l.Within == nil {
		return false
	}
	deadline, ok := l.Within.Deadline()
	return ok && time.Until(deadline) < mayBuild
}

// build makes the program, unless that has failed before.
func (s *shortRows) build(by *interchangedProgram, axis int, within context.Context) *cpuProgram {
	if p := by.program.Load(); p != nil || by.none {
		return p
	}
	ctx := within
	if ctx == nil {
		ctx = context.Background()
	}
	l, err := s.load(ctx, axis)
	if err != nil {
		if ctx.Err() != nil { // a later launch may have the time, but not each is to try
			s.worth.Store(8 * s.spent.Load())
			return nil
		}
		by.none = true
		if !errors.As(err, new(*build.NoModuleError)) {
			slog.Warn(fmt.Sprintf("qd: kernel %s stays slow for launches over rows shorter than %d threads: %v", s.of.Name(), s.lanes, err))
		}
		return nil
	}
	p, ok := l.Program.(*cpuProgram)
	if !ok || p.abi.Lanes == 0 && !AlwaysInterchange || !reflect.DeepEqual(l.Asked, s.asked) {
		by.none = true // without vectors, or of other values of package variables
		return nil
	}
	by.program.Store(p)
	return p
}

// interchanged is the launch with an axis and the last one in each other's place.
func (l *Launch) interchanged(axis int) *Launch {
	with := *l
	interchange(with.Dim.N[:l.Dim.Rank], axis+1)
	return &with
}

// interchange exchanges what there is for an axis and for the last one, among something for each axis: interchanged is 1
// more than the axis, 0 for none.
func interchange(list []int, interchanged int) {
	if axis, last := interchanged-1, len(list)-1; axis >= 0 {
		list[axis], list[last] = list[last], list[axis]
	}
}

// prepareShort prepares a launch with short rows, in which an axis can change places with the last one, unless the rows
// run as one.
func (p *cpuProgram) prepareShort(l *Launch, axis int, again Runner) (Runner, error) {
	other := p.rows.axes[axis].program.Load()
	if other != nil && !p.mayCollapse() {
		return other.prepareAgain(l.interchanged(axis), again)
	}
	asIs, collapsed, err := p.prepareAsIs(l, again)
	switch {
	case err != nil:
		return nil, err
	case collapsed:
		return l.Queued(asIs), nil
	case other != nil:
		return other.prepareAgain(l.interchanged(axis), asIs)
	}
	r := &shortRun{program: p, launch: *l, axis: axis, asIs: asIs}
	r.launch.Queue = nil
	return l.Queued(r), nil
}

// A shortRun is a prepared launch with short rows, for which there may be a better program one day.
type shortRun struct {
	program      *cpuProgram
	launch       Launch
	axis         int
	asIs         Runner
	interchanged atomic.Pointer[Runner] // nil until there is that program
}

// Run implements [Runner].
func (r *shortRun) Run() error {
	if run := r.interchanged.Load(); run != nil {
		return (*run).Run()
	}
	p := r.program.rows.programFor(&r.launch, r.axis, r.program.cost())
	if p == nil {
		return r.asIs.Run()
	}
	run, err := p.prepareAgain(r.launch.interchanged(r.axis), nil)
	if err != nil {
		return err
	}
	r.interchanged.Store(&run)
	return run.Run()
}
