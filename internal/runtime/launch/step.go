package launch

import (
	"runtime"
	"slices"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/ssa/gradient"
)

// A Step is a launch that a tape records: with everything checked, compiled and loaded.
type Step struct {
	device.Launch
	Kernel *Kernel
	Arrays []*Array // for each of Args: the array whose memory it is, nil if it is not the memory of one
	dev    *Device
	prog   *variant
}

// Check checks a launch, and makes the step this launch. If its size is nil, it is a run of a Grid kernel. The caller
// has made Arrays as long as the list of arguments.
func (s *Step) Check(d *Device, kernel any, dim *dims.Dims, args []any) error {
	if err := d.notRecording(); err != nil {
		return err
	}
	s.dev, s.Launch = d, device.Launch{}
	var err error
	if dim == nil {
		s.Launch, s.Kernel, s.prog, err = d.planRun(kernel, args)
	} else {
		s.Kernel, s.prog, err = d.plan(&s.Launch, kernel, *dim, args, nil)
	}
	if err != nil {
		return err
	}
	s.Arrays = slices.Grow(s.Arrays, len(s.Args))[:len(s.Args)]
	s.Kernel.eachArray(args, func(i int, a *Array) { s.Arrays[i] = a })
	return nil
}

// Reads reports whether the kernel may read memory that an argument leads to.
func (s *Step) Reads(arg int) bool { return s.prog.reads(arg) }

// Look finds out what DependsOn needs to know. That takes its time: the kernel is lowered once more, and functions of the
// program may be called.
func (s *Step) Look() {
	if r := s.prog.results; r != nil {
		r.once.Do(func() {
			r.read = r.find()
			r.found.Store(true)
		})
	}
}

// NeedsLook reports whether DependsOn may have another answer after Look.
func (s *Step) NeedsLook(arg int) bool {
	r := s.prog.results
	return r != nil && !r.found.Load() && s.prog.reads(arg) && !s.prog.writes(arg)
}

// DependsOn reports whether what the launch leaves in memory may depend on memory that an argument leads to: the same with
// checks and without. Before Look it may report this of more arguments.
func (s *Step) DependsOn(arg int) bool {
	if r := s.prog.results; r != nil && r.found.Load() && r.read != nil && !r.read[arg] {
		return s.prog.writes(arg)
	}
	return s.prog.reads(arg) || s.prog.writes(arg)
}

// Writes reports whether the kernel may write memory that an argument leads to.
func (s *Step) Writes(arg int) bool { return s.prog.writes(arg) }

// IsOrdered reports whether the results of the launch may depend on the order of its threads, so that another run may
// have other results.
func (s *Step) IsOrdered() bool { return s.prog.Ordered }

// Announce tells the watches on the arrays that the launch may write, except one.
func (s *Step) Announce(but *Watch) {
	for i, a := range s.Arrays {
		if a != nil && a.hasWatches() && s.Writes(i) {
			a.announce(Change{By: s.Kernel.Name()}, but)
		}
	}
}

// Run runs the launch with other arguments. Package variables and the like have the values from when the step was made.
func (s *Step) Run(args []any) error {
	l := s.Launch
	l.Args = args
	v := s.prog
	if v.AsBuilt != nil && !v.Hold() {
		p, err := v.AsBuilt()
		if err != nil {
			return err
		}
		then := *v.Loaded
		then.Program = p
		v = &variant{Loaded: &then}
	}
	return runPlan(v, l)
}

// runPlan runs a launch once.
func runPlan(v *variant, l device.Launch) error {
	if err := failure.Ended("launch", l.Kernel, "not started", l.Within); err != nil {
		return err
	}
	m := memories.Get().(*memory)
	defer m.free()
	r, err := v.ready(&l, m)
	if err != nil {
		return err
	}
	err = device.RunOnce(r)
	runtime.KeepAlive(l.Args)
	m.runner = device.Again(r)
	return err
}

// HasGradient reports whether the kernel has parameters that lead to floats.
func (s *Step) HasGradient() bool { return slices.Contains(s.prog.floats, true) }

// overlaps reports whether two arguments share memory.
func (s *Step) overlaps() bool {
	plain := false
	for i, a := range s.Arrays {
		switch {
		case a == nil:
			plain = plain || HasSlices(s.Args[i])
		case slices.ContainsFunc(s.Arrays[:i], func(b *Array) bool { return b != nil && a.Buffer.Overlaps(b.Buffer) }):
			return true
		}
	}
	return plain && anyOverlap(regionsOf(s.Args))
}

// A Backward differentiates launches of a kernel.
type Backward struct {
	kernel  *Kernel
	prog    *variant
	options gradient.Options
	next    *Backward // of other launches of the kernel
}

// Backward makes the backward kernel of the launch, with strips of so many turns, 0 for none. isConstant is asked about
// the arguments that lead to floats which the kernel only reads. It reports whether an argument needs no gradient.
func (s *Step) Backward(strip int, isConstant func(arg int) bool) (*Backward, error) {
	o := gradient.Options{Overlap: s.overlaps(), Strip: strip}
	for i := range min(len(s.Args), 64) {
		if !s.Kernel.IsGrid() && s.LeadsToFloats(i) && !s.Writes(i) && isConstant(i) {
			o.Constants |= 1 << i
		}
	}
	first := s.prog.backward.Load()
	for b := first; b != nil; b = b.next {
		if b.options == o {
			return b, nil
		}
	}
	k, err := kernelOf(s.Kernel.gradient(o))
	if err != nil {
		return nil, err
	}
	b := &Backward{kernel: k, options: o, next: first}
	if b.prog, err = s.dev.forHandle(k).program(k, s.Consts); err != nil {
		return nil, err
	}
	s.prog.backward.CompareAndSwap(first, b) // or another goroutine has been quicker, and the next one makes the handle again
	return b, nil
}

// Reads reports whether the backward kernel reads memory that an argument of the launch leads to.
func (b *Backward) Reads(arg int) bool { return b.prog.reads(arg) }

// Writes reports whether it writes such memory. This memory then has to be a copy, with the contents from before the
// launch.
func (b *Backward) Writes(arg int) bool { return b.prog.writes(arg) }

// After reports whether the backward kernel needs the memory of an argument with the contents from after the launch. Of
// other arguments it needs the contents from before.
func (b *Backward) After(arg int) bool { return slices.Contains(b.prog.Backward.After, arg) }

// UsesGradient reports whether it reads the n-th gradient, or writes to it.
func (b *Backward) UsesGradient(n int) bool {
	arg := len(b.kernel.Backward.Kernel.Args) + n
	return b.prog.reads(arg) || b.prog.writes(arg)
}

// Gradients are the arguments that have a gradient, by their index.
func (b *Backward) Gradients() []int { return b.kernel.Backward.Gradients }

// Run runs the backward kernel of a launch. There is a gradient for each of Gradients. kept bounds the bytes for values
// that it keeps; 0 stands for the default.
func (b *Backward) Run(s *Step, args, grads []any, kept int) error {
	l, k := s.Launch, *s.Launch.Kernel
	l.Kept, l.Passed = kept, true
	k.Func = b.kernel.Func
	l.Kernel = &k
	l.Args = append(args[:len(args):len(args)], grads...)
	return runPlan(b.prog, l)
}

// PlainOverlap reports whether plain slices among the arguments share memory.
func (s *Step) PlainOverlap() bool {
	var plain []any
	for i, a := range s.Arrays {
		if a == nil {
			plain = append(plain, s.Args[i])
		}
	}
	return anyOverlap(regionsOf(plain))
}

// LeadsToFloats reports whether an argument leads to floats in memory.
func (s *Step) LeadsToFloats(arg int) bool { return s.prog.floats[arg] }

// HasSlices reports whether an argument other than an array has slices.
func HasSlices(arg any) bool { return len(device.Slices(arg)) > 0 }
