package frontend

import (
	"errors"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/frontend/lower"
)

// SpecializeEach is [Specialize] of several kernels at once, without a word about what is
// wrong with any: for building kernels before they are asked for. It gives nil for
// a kernel that has no specialization of its own without arguments (a generic one, a
// method), that has errors, that loops and calls make large, or that cannot be lowered
// without being noticed: it prints, there is something to warn about, or Go code has to be
// run for it.
func SpecializeEach(opts Options, src load.Sources, kernels ...load.Ref) []*Specialized {
	list := make([]*Specialized, len(kernels))
	if len(kernels) == 0 {
		return list
	}
	p, err := checkQuietly(src, kernels)
	if err != nil || len(p.Kernels) != len(kernels) {
		// What is wrong with one is no concern of the others.
		if half := len(kernels) / 2; half > 0 {
			copy(list, SpecializeEach(opts, src, kernels[:half]...))
			copy(list[half:], SpecializeEach(opts, src, kernels[half:]...))
		}
		return list
	}
	for i, k := range p.Kernels {
		list[i] = specializeQuietly(opts, src, p, k, kernels[i])
	}
	return list
}

// errBug stands for a panic that was reported.
var errBug = errors.New("a bug in qdgen")

// checkQuietly is load.Check. A panic is reported where it is known which kernel it is about: of
// several, halves are checked next.
func checkQuietly(src load.Sources, kernels []load.Ref) (p *load.Program, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			p, err = nil, errBug
			if len(kernels) == 1 {
				diag.Bug(kernels[0].Pkg+"."+kernels[0].Name, fault)
			}
		}
	}()
	return load.Check(src, kernels...)
}

// specializeQuietly specializes a kernel of a program, nil if that is not to be had. A panic is
// reported, and does not stop the launch of another kernel.
func specializeQuietly(opts Options, src load.Sources, p *load.Program, k *load.Function, ref load.Ref) (s *Specialized) {
	defer func() {
		if fault := recover(); fault != nil {
			s = nil
			diag.Bug(ref.Pkg+"."+ref.Name, fault)
		}
	}()
	if k.Obj == nil || len(k.TypeArgs) > 0 || k.Obj.Signature().Recv() != nil {
		return nil
	}
	noticed := false
	opts.Small = true
	opts.Print = func(string) { noticed = true }
	opts.Warn = func(diag.Diagnostic) { noticed = true }
	if opts.Env != nil {
		opts.Env = quietEnv{opts.Env, &noticed}
	}
	asking := newAsking(opts.Env)
	asking.begin()
	own := opts
	own.Env = asking
	m := lower.Lower(p, k, own)
	s = &Specialized{Program: p, Module: m.Out, Asked: asking.asked}
	switch {
	case noticed:
		return nil
	case m.More(new(load.Also)): // something is not in this program
		var err error
		if s, err = Specialize(opts, src, ref); err != nil || noticed {
			return nil
		}
	case m.Diags.Err() != nil:
		return nil
	}
	return s
}

// quietEnv is an Environment that runs no code.
type quietEnv struct {
	env  Environment
	runs *bool // there was some to be run
}

// Var implements Environment.
func (e quietEnv) Var(pkg, name string) (comptime.Value, error) { return e.env.Var(pkg, name) }

// Static implements Environment.
func (e quietEnv) Static(StaticSite, []comptime.Value, Reads) (comptime.Value, error) {
	*e.runs = true
	return comptime.Value{}, ErrNotRegistered
}
