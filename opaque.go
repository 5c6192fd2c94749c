package qd

import (
	"github.com/qdgen/qd/internal/runtime/launch"
	"github.com/qdgen/qd/internal/runtime/tape"
	"github.com/qdgen/qd/internal/runtime/tune"
)

// Go's compiler reads, with a type that a program mentions, all that its fields and the signatures of its methods lead
// to, and compiles the generic types among it once more in the program's package: a sync.Map is a hundred
// functions. So what is behind the types of this package is an any to the compiler, they have no methods of package
// launch's types, and the functions that do are not inlined.

//go:noinline
func innerDevice(d *Device) *launch.Device {
	if d == nil {
		return nil
	}
	core, _ := d.core.(*launch.Device)
	return core
}

//go:noinline
func innerKernel(k *Kernel) *launch.Kernel {
	if k == nil {
		return nil
	}
	core, _ := k.core.(*launch.Kernel)
	return core
}

//go:noinline
func innerStream(s *Stream) *launch.Stream {
	if s == nil {
		return nil
	}
	core, _ := s.core.(*launch.Stream)
	return core
}

//go:noinline
func innerPrepared(p *Prepared) *launch.Prepared {
	if p == nil {
		return nil
	}
	core, _ := p.core.(*launch.Prepared)
	return core
}

//go:noinline
func innerTuned(t *Tuned) *tune.Tuner {
	if t == nil {
		return nil
	}
	core, _ := t.core.(*tune.Tuner)
	return core
}

//go:noinline
func innerGraph(g *Graph) *launch.Graph {
	if g == nil {
		return nil
	}
	core, _ := g.core.(*launch.Graph)
	return core
}

//go:noinline
func innerTape(t *Tape) *tape.Tape {
	if t == nil {
		return nil
	}
	core, _ := t.core.(*tape.Tape)
	return core
}

//go:noinline
func innerArgs(a Args) *launch.Args {
	core, _ := a.core.(*launch.Args)
	return core
}

// kernelOf is what package launch takes for what a function of this package is given as a kernel.
func kernelOf(kernel any) any {
	if k, ok := kernel.(*Kernel); ok {
		return innerKernel(k)
	}
	return kernel
}
