package device

import (
	"context"
	"fmt"
	"sync"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// Kernels for a GPU are built for small launches, which compute indices in 32 bits ([build.Small]). The first launch
// that is not small builds the same specialization once more, for launches of any size.

// wideBuild is a specialization for launches of any size, once there has been one that was not small.
type wideBuild struct {
	backend *cudaBackend
	kernel  *kernel.Func
	opts    build.Options
	asked   []frontend.Asked

	mu    sync.Mutex
	wide  map[string]*cudaProgram // by the symbols that the kernels have in a module of their own
	alone *cudaProgram            // the only one, of a module that may have other kernels
}

// program is what stands for a program in launches that are not small.
func (w *wideBuild) program(symbol string) (*cudaProgram, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wide == nil {
		if err := w.build(); err != nil {
			return nil, err
		}
	}
	if w.alone != nil {
		return w.alone, nil
	}
	p := w.wide[symbol]
	if p == nil {
		panic(fmt.Sprintf("BUG: the build for large launches has no kernel %s", symbol))
	}
	return p, nil
}

// build builds and loads it.
func (w *wideBuild) build() error {
	opts := w.opts
	opts.Narrow = false
	made := make(map[string]*cudaProgram)
	l, err := w.backend.load(context.Background(), w.kernel, opts, func(p *cudaProgram) { made[p.abi.Symbol] = p })
	if err != nil {
		return err
	}
	if err := asksOther(w.kernel, l, w.asked, "cannot be built anew for a launch of this size: launch it again"); err != nil {
		return err
	}
	if len(made) == 1 {
		for _, p := range made {
			w.alone = p
		}
	}
	w.wide = made
	return nil
}

// forLaunch is the program for a launch with packed arguments: p itself if the launch is small.
func (p *cudaProgram) forLaunch(threads int, buf []byte) (*cudaProgram, error) {
	if p.abi.Small == nil || p.abi.Small.Holds(threads, buf) {
		return p, nil
	}
	return p.wide.program(p.abi.Symbol)
}

// sizedRun is a launch whose packed arguments change between runs, so that each may be small or not.
type sizedRun struct {
	program *cudaProgram
	launch  *Launch
	buf     []byte
	small   Runner
	wide    Runner // nil until it is needed
}

// Run implements [Runner].
func (r *sizedRun) Run() error {
	run, err := r.pick()
	if err != nil {
		return err
	}
	return run.Run()
}

// pick is the launch for the arguments as they are.
func (r *sizedRun) pick() (Runner, error) {
	p, err := r.program.forLaunch(r.launch.Threads, r.buf)
	switch {
	case err != nil:
		return nil, err
	case p == r.program:
		return r.small, nil
	case r.wide == nil:
		wide, err := p.packed(r.launch, r.buf)
		if err != nil {
			return nil, err // the next run tries again
		}
		r.wide = wide
	}
	return r.wide, nil
}
