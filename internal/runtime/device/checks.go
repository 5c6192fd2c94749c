package device

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// A backward kernel has no checks. In checked builds and on device "go", a launch of it runs another kernel first,
// which does nothing but the checks of the kernel: see [gradient.Checks]. Only a tape does without, which has run
// the kernel. Gradients need no checks of their own: they are as large as what they are the gradients of.

// ChecksFirst has launches of a backward kernel in a checked build do the checks of the kernel first.
func ChecksFirst(b Backend, k *kernel.Func, opts build.Options, l *Loaded) {
	if !opts.Checked && !IsGo(b) || k.Backward == nil || !strings.Contains(k.Backward.Options.All(), gradient.Reverse) {
		return
	}
	asked := l.Asked
	l.Program = &checkedProgram{Program: l.Program, backend: b, checks: sync.OnceValues(func() (*checks, error) { return loadChecks(b, k, opts, asked) })}
}

// checks are the kernel that does the checks. Its program is nil if there are none.
type checks struct {
	Program
	kernel *kernel.Func
	copies []int // the arguments whose memory it writes
}

func loadChecks(b Backend, k *kernel.Func, opts build.Options, asked []frontend.Asked) (*checks, error) {
	c := k.Checks()
	l, err := b.Load(context.Background(), c, opts)
	switch {
	case err != nil:
		return nil, err
	case !reflect.DeepEqual(l.Asked, asked):
		return nil, &failure.LaunchError{Kernel: k.Name(), Reason: "the kernel reads a package variable that has changed, and cannot be built anew to be checked: launch it again"}
	case !l.Faults:
		return &checks{}, nil
	}
	return &checks{Program: l.Program, kernel: c, copies: l.Backward.Copies}, nil
}

// A checkedProgram is a backward kernel whose launches do the checks of the kernel first.
type checkedProgram struct {
	Program
	backend Backend
	checks  func() (*checks, error)
}

// Prepare implements [Program].
func (p *checkedProgram) Prepare(l Launch) (Runner, error) {
	if l.Passed {
		return p.Program.Prepare(l)
	}
	c, err := p.checks()
	if err != nil {
		return nil, err
	}
	l.Passed = true
	if c.Program == nil {
		return p.Program.Prepare(l)
	}
	r := &checkedRun{checkedProgram: p, checks: c, launch: l}
	if _, ok := l.Queue.(*hostQueue); ok {
		r.launch.Queue = nil // the run as a whole is queued
		return l.Queued(r), nil
	}
	return r, nil
}

// checkedRun is a launch of a backward kernel, after the checks of the kernel.
type checkedRun struct {
	*checkedProgram
	checks *checks
	launch Launch
}

// Run implements [Runner].
func (r *checkedRun) Run() error {
	if err := r.check(); err != nil {
		if f := (*fault.Fault)(nil); errors.As(err, &f) {
			f.Kernel = r.launch.Kernel.Name()
		}
		return err
	}
	once, err := r.Program.Prepare(r.launch)
	if err != nil {
		return err
	}
	return RunOnce(once)
}

// check does the checks, on copies of the memory that is written for them, and waits until they are done.
func (r *checkedRun) check() error {
	copies := &argCopies{backend: r.backend}
	defer copies.free()
	args, err := copies.of(r.launch.Args[:len(r.checks.kernel.Args)], r.checks.copies)
	if err != nil {
		return err
	}
	if err := run(r.launch, r.checks.Program, r.checks.kernel, args); err != nil {
		return err
	}
	if q := r.launch.Queue; q != nil {
		return q.Wait(context.Background())
	}
	if b, ok := r.backend.(*cudaBackend); ok {
		return b.Wait()
	}
	return nil
}

// mayFault reports whether a check or a panic may stop a kernel of a module.
func mayFault(m *ssa.Module) bool {
	found := false
	for _, f := range m.Funcs {
		f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpCheck || in.Op == ssa.OpPanic })
	}
	return found
}
