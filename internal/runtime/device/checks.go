package device

import (
	"context"
	"errors"
	"strings"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
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
	p := &checkedProgram{Program: l.Program, backend: b}
	p.checks.of = k
	p.checks.build = func(ctx context.Context) (*checks, error) { return loadChecks(ctx, b, k, opts, asked) }
	l.Program = p
}

// checks are the kernel that does the checks. Its program is nil if there are none.
type checks struct {
	Program
	kernel *kernel.Func
	copies []int // the arguments whose memory it writes
}

func loadChecks(ctx context.Context, b Backend, k *kernel.Func, opts build.Options, asked []frontend.Asked) (*checks, error) {
	c := k.Checks()
	l, err := b.Load(ctx, c, opts)
	if err == nil {
		err = asksOther(k, l, asked, "cannot be built anew to be checked: launch it again")
	}
	if err != nil {
		return nil, err
	}
	if !l.Faults {
		return &checks{}, nil
	}
	return &checks{Program: l.Program, kernel: c, copies: l.Backward.Copies}, nil
}

// A checkedProgram is a backward kernel whose launches do the checks of the kernel first.
type checkedProgram struct {
	Program
	backend Backend
	checks  beside[*checks]
}

// Prepare implements [Program].
func (p *checkedProgram) Prepare(l Launch) (Runner, error) {
	if l.Passed {
		return p.Program.Prepare(l)
	}
	c, err := p.checks.get(l.Within)
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
	l := r.launch
	wait := l.apart(r.backend)
	if err := wait(); err != nil { // the copies are made in the device's own order
		return err
	}
	copies := &argCopies{backend: r.backend}
	defer copies.free()
	args, err := copies.of(r.launch.Args[:len(r.checks.kernel.Args)], r.checks.copies)
	if err != nil {
		return err
	}
	if err = run(l, r.checks.Program, r.checks.kernel, args); err == nil {
		err = wait()
	}
	if f := (*fault.Fault)(nil); errors.As(err, &f) {
		named := *f
		named.Kernel = l.Kernel.Name()
		return &named
	}
	return err
}

// mayFault reports whether a check or a panic may stop a kernel of a module.
func mayFault(m *ssa.Module) bool {
	found := false
	for _, f := range m.Funcs {
		f.Body.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpCheck || in.Op == ssa.OpPanic })
	}
	return found
}
