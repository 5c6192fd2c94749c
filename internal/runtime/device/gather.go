package device

import (
	"context"
	"encoding/binary"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/cuda"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa/gradient"
)

// A launch may be so large that there is none that is larger. Then the backward kernel scatters, and if that kernel is
// not in the module, it is built.

// A gatheredProgram is a backward kernel with kernels in which each thread adds up what its neighbours would add to one
// gradient: see [gradient.Gather].
type gatheredProgram struct {
	Program // the backward kernel
	how     *build.Gather
	gather  Program
	rest    Program // nil if nothing is left

	scattering beside[Program] // the backward kernel that gathers nothing
}

func newGatheredProgram(b Backend, k *kernel.Func, g *build.Gather, opts build.Options, asked []frontend.Asked, main Program, load func(*build.ABI) (Program, error)) (Program, error) {
	p := &gatheredProgram{Program: main, how: g}
	p.scattering.of = k
	p.scattering.build = func(ctx context.Context) (Program, error) {
		if len(g.Holds) > 0 {
			return main, nil
		}
		return scattering(ctx, b, k, opts, asked)
	}
	var err error
	if p.gather, err = load(g.Kernel); err != nil {
		return nil, err
	}
	if g.Rest != nil {
		if p.rest, err = load(g.Rest); err != nil {
			return nil, err
		}
	}
	if len(g.Holds) == 0 {
		p.rest = main
	}
	return p, nil
}

// scattering builds the backward kernel that gathers nothing.
func scattering(ctx context.Context, b Backend, k *kernel.Func, opts build.Options, asked []frontend.Asked) (Program, error) {
	o := k.Backward.Options
	o.Scatter = true
	l, err := b.Load(ctx, k.Backward.Kernel.Gradient(o), opts)
	if err == nil {
		err = asksOther(k, l, asked, "cannot be built anew for a launch of this size: launch it again")
	}
	if err != nil {
		return nil, err
	}
	return l.Program, nil
}

// Prepare implements [Program].
func (p *gatheredProgram) Prepare(l Launch) (Runner, error) {
	around, ok := p.around(&l)
	if ok {
		var err error
		if ok, err = p.holds(&l); err != nil {
			return nil, err
		}
	}
	if !ok {
		scatter, err := p.scattering.get(l.Within)
		if err != nil {
			return nil, err
		}
		return scatter.Prepare(l)
	}
	r := &gatheredRun{}
	if err := r.add(p.gather, around); err != nil {
		return nil, err
	}
	if p.rest != nil {
		if err := r.add(p.rest, l); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// around is the launch of the kernel that gathers; ok is false if there can be none.
func (p *gatheredProgram) around(l *Launch) (around Launch, ok bool) {
	around = *l
	if p.how.Flat {
		around.Dim = dims.Of(l.Threads)
	}
	for axis := range p.how.Before {
		around.Dim.N[axis] += p.how.Before[axis] + p.how.After[axis]
	}
	threads, problem := around.Dim.Check()
	around.Threads = threads
	return around, problem == ""
}

// holds reports whether the conditions hold.
func (p *gatheredProgram) holds(l *Launch) (bool, error) {
	if len(p.how.Holds) == 0 {
		return true, nil
	}
	abi := p.how.Kernel
	buf, _, err := l.packNew(abi, newPacking(l.Kernel.Func, abi), nil)
	if err != nil {
		return false, err
	}
	return p.how.Holds.Hold(func(n gradient.Number) int64 {
		switch {
		case n.Dim && n.Axis == 0 && p.how.Flat:
			return int64(l.Threads)
		case n.Dim:
			return int64(l.Dim.Size(n.Axis))
		}
		return int64(binary.NativeEndian.Uint64(buf[abi.Params[n.Param-1].Offset+n.Offset:])) // the first one is the Thread
	}), nil
}

// A gatheredRun is launches that follow each other.
type gatheredRun struct{ runs []Runner }

func (r *gatheredRun) add(p Program, l Launch) error {
	once, err := p.Prepare(l)
	r.runs = append(r.runs, once)
	return err
}

// Run implements [Runner].
func (r *gatheredRun) Run() error {
	for _, once := range r.runs {
		if err := once.Run(); err != nil {
			return err
		}
	}
	return nil
}

// Release gives back what the launches have.
func (r *gatheredRun) Release() {
	for _, once := range r.runs {
		if once, ok := once.(interface{ Release() }); ok {
			once.Release()
		}
	}
}

// launches implements [launcher].
func (r *gatheredRun) launches() (all []*cuda.Launch, ok bool) {
	for _, once := range r.runs {
		more, ok := launchesOf(once)
		if !ok {
			return nil, false
		}
		all = append(all, more...)
	}
	return all, true
}
