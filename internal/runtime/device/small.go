package device

import (
	"context"
	"fmt"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// Kernels for a GPU are built for small launches, which compute indices in 32 bits ([build.Small]). The first launch
// that is not small builds the same specialization once more, for launches of any size.

// A wideBuild has the programs of a specialization for launches of any size.
type wideBuild struct {
	bySymbol map[string]*cudaProgram // by the symbols that the kernels have in a module of their own
	alone    *cudaProgram            // the only one, of a module that may have other kernels
}

// program is what stands for a program in launches that are not small.
func (w *wideBuild) program(symbol string) *cudaProgram {
	if w.alone != nil {
		return w.alone
	}
	p := w.bySymbol[symbol]
	if p == nil {
		panic(fmt.Sprintf("BUG: the build for large launches has no kernel %s", symbol))
	}
	return p
}

// loadWide builds and loads a specialization for launches of any size.
func (b *cudaBackend) loadWide(ctx context.Context, k *kernel.Func, opts build.Options, asked []frontend.Asked) (*wideBuild, error) {
	opts.Narrow = false
	w := &wideBuild{bySymbol: make(map[string]*cudaProgram)}
	l, err := b.load(ctx, k, opts, func(p *cudaProgram) { w.bySymbol[p.abi.Symbol] = p })
	if err == nil {
		err = asksOther(k, l, asked, "cannot be built anew for a launch of this size: launch it again")
	}
	if err != nil {
		return nil, err
	}
	if len(w.bySymbol) == 1 {
		for _, p := range w.bySymbol {
			w.alone = p
		}
	}
	return w, nil
}

// forLaunch is the program for a launch with packed arguments: p itself if the launch is small.
func (p *cudaProgram) forLaunch(l *Launch, buf []byte) (*cudaProgram, error) {
	if p.abi.Small == nil || p.abi.Small.Holds(l.Threads, buf) {
		return p, nil
	}
	w, err := p.wide.get(l.Within)
	if err != nil {
		return nil, err
	}
	return w.program(p.abi.Symbol), nil
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
	p, err := r.program.forLaunch(r.launch, r.buf)
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
