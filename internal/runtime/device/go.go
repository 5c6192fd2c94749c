package device

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"sync"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/gorun"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa/analysis"
)

// goBackend is device "go": the kernel's own function, called for each thread
// by as many goroutines as there are cores. It needs no compiler and is the oracle
// of the others.
type goBackend struct{ HostQueues }

// KnowsBlockDim implements [Backend].
func (*goBackend) KnowsBlockDim() bool { return false }

func (*goBackend) Describe() string {
	return fmt.Sprintf("the Go functions themselves, over %d goroutines", runtime.GOMAXPROCS(0))
}

// Load has the front end look at the kernel, so that what other devices refuse is
// refused here too. A kernel whose source cannot be had, or is not what the program was built from, runs
// all the same.
func (b *goBackend) Load(_ context.Context, k *kernel.Func, opts build.Options) (*Loaded, error) {
	if k.Backward != nil {
		return loadInterpreted(b, k, opts)
	}
	p := &goProgram{kernel: k, blocks: gorun.BlocksUnknown}
	var spec *frontend.Specialized
	src, err := k.Source(opts)
	noSource := err != nil
	if err == nil {
		spec, err = builder().Lower(src, k.Ref, opts)
		noSource = kernel.IsNotFound(err) || kernel.IsChanged(err)
	}
	switch f := kernel.FunctionNotFound(err, k.Ref); {
	case f != nil && gort.IsLiteral(f.Kernel.Name):
		return nil, k.NotFound(err)
	case k.Literal && kernel.IsChanged(err): // what it captures cannot be told
		return nil, k.Changed(err)
	case noSource && k.Literal:
		return nil, &failure.LaunchError{Kernel: k.Name(), Reason: "the source of the function literal, which shows what it captures, is not found; declare it as a function at package level"}
	case noSource:
		return &Loaded{Program: p, Ordered: true}, nil
	case err != nil:
		return nil, err
	}
	p.places = &places{kernel: k, src: src, opts: opts}
	if !k.IsGrid() {
		p.dims = spec.Module.Kernels()[0].Rank
	}
	if p.blocks = gorun.BlocksUnused; spec.Module.Waits() {
		p.blocks = gorun.BlocksUsed
	}
	text := spec.Module.String
	l := &Loaded{Program: p, Name: spec.Module.Name, Asked: spec.Asked, Code: func() cache.Key { return cache.NewKey("go", []byte(text())) }}
	l.Read, l.Written = build.Uses(spec.Module)
	l.Ordered = analysis.Ordered(spec.Module.Kernels()...)
	l.AsBuilt = sync.OnceValues(func() (Program, error) { return interpretedModule(b, k, spec.Module) })
	return l, nil
}

// Together implements [Backend]: nothing is built.
func (*goBackend) Together(context.Context, []build.Request) {}

func (*goBackend) Alloc(int) (Memory, error) { return nil, nil }

// goProgram is a kernel on device "go".
type goProgram struct {
	kernel *kernel.Func
	dims   int
	blocks gorun.BlockUse
	places *places // nil where the source is not known
}

// placed is a run whose faults have columns, as far as they are known.
func (p *goProgram) placed(r Runner) Runner {
	if p.places == nil {
		return r
	}
	return placedRun{r, p.places}
}

func (p *goProgram) Rank() int { return p.dims }

func (p *goProgram) Prepare(l Launch) (Runner, error) {
	fn, in := l.Kernel.Code()
	at := len(in)
	in = append(in, reflect.Value{})
	args, consts := l.Args, l.Consts
	for i, t := range p.kernel.Params {
		if n := len(l.Consts) - len(consts); len(consts) > 0 && p.kernel.Consts[n].Index == i {
			in = append(in, reflect.ValueOf(consts[0]))
			consts = consts[1:]
			continue
		}
		if !kernel.HasParts(t) {
			v := hostValue(t, args[0])
			if !v.IsValid() {
				return nil, l.freed()
			}
			in, args = append(in, clipped(v)), args[1:]
			continue
		}
		whole := reflect.New(t).Elem()
		for at := len(l.Args) - len(args); at < len(l.Args) && p.kernel.Parts[at].Param == i; at++ {
			v := hostValue(p.kernel.Args[at], args[0])
			if !v.IsValid() {
				return nil, l.freed()
			}
			p.kernel.Parts[at].Of(whole, t).Set(v)
			args = args[1:]
		}
		in = append(in, clipped(whole))
	}
	call := gorun.Call{Name: p.kernel.Name, Fn: fn, In: in, At: at}
	if p.kernel.IsGrid() {
		return l.Queued(p.placed(gorun.NewGridRun(call, l.Within))), nil
	}
	return l.Queued(p.placed(gorun.NewRun(call, gorun.Launch{
		Dims: l.Dim, Threads: l.Threads, IsBlock: p.kernel.IsBlock(), Blocks: p.blocks, BlockDim: l.Kernel.BlockSize(), Within: l.Within,
	}))), nil
}

// hostValue is what a function is given for an argument, on a device that works on host memory: not valid for a buffer
// that has been freed.
func hostValue(t reflect.Type, arg any) reflect.Value {
	a, ok := arg.(*Buffer)
	if !ok {
		return reflect.ValueOf(arg)
	}
	_, host := a.hold()
	switch {
	case host == nil:
		return reflect.Value{}
	case t.Kind() == reflect.Struct:
		return viewOver(t, reflect.ValueOf(host), a.Shape)
	}
	return reflect.ValueOf(host).Convert(t)
}

// clipped is an argument whose slices end where their elements do: a device knows
// of a slice's length only.
func clipped(v reflect.Value) reflect.Value {
	if !kernel.HasSlices(v.Type()) {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	eachSlice(c, func(s reflect.Value) {
		// Also in a field that is not exported, which reflect does not set.
		s = reflect.NewAt(s.Type(), s.Addr().UnsafePointer()).Elem()
		s.SetCap(s.Len())
	})
	return c
}
