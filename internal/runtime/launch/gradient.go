package launch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa/gradient"
)

// WithGrad gives the array of a handle a gradient, if it has none. The gradient of a part is a part of the gradient of
// the whole.
func WithGrad(h *Handle) {
	a := ArrayOf(h).Whole()
	switch {
	case a.dev == nil:
		panic("qd: WithGrad: the array " + notMade[len("it "):])
	case !kernel.HasFloats(a.Elem):
		panic(fmt.Sprintf("qd: WithGrad: an array of %v has no gradient: there are no floats in its elements", a.Elem))
	case a.grad.Load() != nil:
		return
	}
	var g Handle
	Zeros(&g, a.dev, a.Elem, a.Buffer.Shape)
	grad := ArrayOf(&g)
	grad.number = gradientsMade.Add(1)
	if a.err != nil {
		grad.err = a.err
	}
	if !a.grad.CompareAndSwap(nil, grad) || a.freed.Load() {
		grad.Free()
	}
}

var gradientsMade atomic.Int64

// LockGradients keeps other backward passes from adding to some gradients until unlock is called. It is needed because
// a backward kernel adds without atomic operations where none of its own threads adds to the same place.
func LockGradients(list []*Array) (unlock func()) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b *Array) int { return cmp.Compare(a.number, b.number) }) // or two passes could wait for each other
	for _, g := range list {
		g.adding.Lock()
	}
	return func() {
		for _, g := range list {
			g.adding.Unlock()
		}
	}
}

// Grad sets a handle to the gradient of an array, if it has one.
func Grad(of, h *Handle) bool {
	g := ArrayOf(of).Grad()
	h.array = g
	return g != nil
}

// Grad is the gradient of the array, nil if it has none.
func (a *Array) Grad() *Array {
	if a.whole == nil {
		return a.grad.Load()
	}
	if a.grad.Load() == nil {
		g := a.whole.grad.Load()
		if g == nil {
			return nil
		}
		a.grad.CompareAndSwap(nil, g.part(a.from, slices.Clone(a.Buffer.Shape), a.N))
	}
	return a.grad.Load()
}

// ZeroGrad makes the gradient zero.
func (a *Array) ZeroGrad() error {
	g := a.Grad()
	if a.dev != nil && g == nil {
		return &failure.DeviceError{Device: a.dev.name, Op: "zero a gradient", Err: fmt.Errorf("the array has none; make it with WithGrad")}
	}
	if g == nil {
		return unusable("zero a gradient", notMade)
	}
	if err := g.settle("zero", g.N); err != nil {
		return err
	}
	g.announce(Change{By: "ZeroGrad", All: true}, nil)
	return g.Clear()
}

// Gradient returns the backward kernel.
func (k *Kernel) Gradient() *Kernel { return k.copy().gradient(gradient.Options{}) }

// ScatteredGradient returns the backward kernel whose threads add to the gradients of what they have read, and gather
// nothing. It is there to be compared with.
func (k *Kernel) ScatteredGradient() *Kernel {
	return k.copy().gradient(gradient.Options{Scatter: true})
}

// Tangent returns the tangent kernel.
func (k *Kernel) Tangent() *Kernel {
	return k.copy().gradient(gradient.Options{Steps: gradient.Tangent})
}

// gradient differentiates the kernel once more.
func (k *Kernel) gradient(o gradient.Options) *Kernel {
	g := *k
	switch {
	case k.err != nil || k.Func == nil:
	default:
		if k.Backward != nil {
			o.Steps = k.Steps(o.Last())
		}
		g.Func = k.Func.Gradient(o)
	}
	return &g
}

// forArguments returns the kernel for a launch with these arguments: there is another backward kernel for slices that
// overlap. The error says that a gradient does not fit its argument.
func (k *Kernel) forArguments(checked []any) (*Kernel, error) {
	if k.Backward == nil {
		return k, nil
	}
	of := *k
	of.Func = k.Backward.Kernel
	if _, err := of.forArguments(checked[:len(of.Args)]); err != nil { // which may be a derivative itself
		return nil, err
	}
	b := k.Backward
	what := map[string]string{gradient.Reverse: "gradient", gradient.Tangent: "tangent"}[b.Last()]
	if err := k.checkShapes(checked, what); err != nil {
		return nil, err
	}
	own := regionsOf(checked[:len(b.Kernel.Args)])
	grads := regionsOf(checked[len(b.Kernel.Args):])
	var byParam [][]region
	for i := range b.Kernel.Args {
		byParam = append(byParam, nil)
		for _, r := range own {
			if r.arg == i {
				byParam[i] = append(byParam[i], r)
			}
		}
	}
	grads = slices.DeleteFunc(grads, func(r region) bool { return !r.floats })
	for i := range grads { // what it is the gradient of
		param := b.Gradients[grads[i].arg]
		grads[i].of = &byParam[param][grads[i].nth]
	}
	wrong := func(problem string) (*Kernel, error) {
		return nil, &failure.LaunchError{Kernel: k.Name(), Reason: problem}
	}
	for _, g := range grads {
		for _, r := range own {
			if g.overlaps(r) {
				return wrong("a " + what + " is in the memory of an argument of the kernel; give each array a " + what + " of its own")
			}
		}
		for _, h := range grads {
			if g.of != h.of && g.overlaps(h) != g.of.overlaps(*h.of) || g.of.overlaps(*h.of) && g.overlaps(h) && (g.begin-g.of.begin != h.begin-h.of.begin) {
				return wrong("two " + what + "s share memory, or two slices that share memory have different " + what + "s; give an array that is two arguments its one " + what + " twice")
			}
		}
	}
	if !anyOverlap(own) || b.Options.Overlap || b.Options.All() == strings.Repeat(gradient.Tangent, len(b.Options.All())) {
		return k, nil
	}
	o := b.Options
	o.Overlap = true
	c := *k
	c.Func = b.Kernel.Gradient(o)
	return &c, nil
}

// A region is the memory of a slice, or an array, in an argument.
type region struct {
	arg, nth   int // the argument, and which of its slices
	buffer     *device.Buffer
	begin, end uintptr // of a plain slice; for a buffer, in the memory of the whole
	floats     bool    // there are floats in its elements
	of         *region // of which it is the gradient
}

// regionsOf are the regions of arguments.
func regionsOf(args []any) (list []region) {
	for i, arg := range args {
		if b, ok := arg.(*device.Buffer); ok {
			r := region{arg: i, buffer: b, begin: uintptr(b.From()), floats: kernel.HasFloats(b.Elem)}
			r.end = r.begin + uintptr(b.Size())
			list = append(list, r)
			continue
		}
		for n, v := range device.Slices(arg) {
			r := region{arg: i, nth: n, begin: v.Pointer(), floats: kernel.HasFloats(v.Type().Elem())}
			r.end = r.begin + uintptr(v.Len())*v.Type().Elem().Size()
			list = append(list, r)
		}
	}
	return list
}

func (r region) overlaps(s region) bool {
	if r.buffer != nil || s.buffer != nil {
		return r.buffer != nil && s.buffer != nil && r.buffer.Overlaps(s.buffer)
	}
	return r.begin < s.end && s.begin < r.end
}

// anyOverlap reports whether any two regions share memory.
func anyOverlap(list []region) bool {
	for i, r := range list {
		for _, s := range list[:i] {
			if r.overlaps(s) {
				return true
			}
		}
	}
	return false
}
