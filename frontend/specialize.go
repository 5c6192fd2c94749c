package frontend

import (
	"errors"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/frontend/lower"
	"github.com/qdgen/qd/ssa"
)

// A Specialized is one specialization of a kernel.
type Specialized struct {
	Program *load.Program
	Module  *ssa.Module
	Asked   []Asked // what the Environment was asked, in order and each question once
}

// Specialize checks a kernel and lowers the specialization that opts says. The errors
// are those of [Compile]. Where the source could be type-checked there is a Specialized
// with a Program even so.
func Specialize(opts Options, src load.Sources, kernel load.Ref) (*Specialized, error) {
	return SpecializeWith(opts, func(also load.Also) (*load.Program, error) {
		return load.CheckWith(src, also, kernel)
	})
}

// SpecializeWith is Specialize of the kernel that check checks, together with what it is
// called with. Programs are not modified, so that check may keep them.
func SpecializeWith(opts Options, check func(load.Also) (*load.Program, error)) (*Specialized, error) {
	s := NewSpecializing(opts)
	for {
		if err := s.Load(check); err != nil {
			return nil, err
		}
		again, err := s.Lower()
		if !again {
			return s.Specialized(), err
		}
	}
}

// A Specializing is one specialization of a kernel on its way through the front end, by Load and Lower.
//
// The functions among the constants are checked with the kernel. Those that only the
// Environment's answers bring, and what initial values of variables are computed with, are
// found by Lower, after which Load begins anew: the Environment is asked each question
// once all the same.
type Specializing struct {
	opts   Options
	asking *asking
	also   load.Also

	program *load.Program
	module  *lower.Module // nil before it was lowered, and where there is no kernel to be lowered
	failed  bool
}

// NewSpecializing begins a specialization.
func NewSpecializing(opts Options) *Specializing {
	s := &Specializing{opts: opts, asking: newAsking(opts.Env)}
	s.opts.Env = s.asking
	s.also = load.Also{Funcs: opts.Funcs(), Symbolic: opts.Symbolic}
	for name, v := range opts.Captured {
		if s.also.Captures == nil {
			s.also.Captures = map[string]string{}
		}
		s.also.Captures[name] = v.Type
	}
	return s
}

// Load has the kernel checked with what it is known to need. An error says that the source could not be
// type-checked; all others are Lower's.
func (s *Specializing) Load(check func(load.Also) (*load.Program, error)) error {
	for {
		p, err := check(s.also)
		if p == nil {
			return err
		}
		s.program = p
		if !s.asking.types(p, &s.also) {
			return nil
		}
	}
}

// Lower makes SSA of the kernel. Where it finds that the program lacks something, it says that it has to be
// loaded again.
func (s *Specializing) Lower() (again bool, err error) {
	s.asking.begin()
	var problems diag.List
	problems.Add(s.program.Problems...) // there need not be a kernel left to lower
	if len(s.program.Kernels) > 0 {
		s.module = lower.Lower(s.program, s.program.Kernels[0], s.opts)
		if s.module.More(&s.also) {
			return true, nil
		}
		problems.Add(s.module.Diags.All()...)
	}
	err = problems.Err()
	s.failed = err != nil
	return false, err
}

// Specialized is the current result of the specialization. After an error it has no Module.
func (s *Specializing) Specialized() *Specialized {
	made := &Specialized{Program: s.program}
	if s.module != nil {
		made.Asked = s.asking.asked
		if !s.failed {
			made.Module = s.module.Out
		}
	}
	return made
}

// An asking is an Environment that asks another one, each question once, and keeps
// what it was asked. It is used by one lowering at a time.
type asking struct {
	env Environment // nil where nothing is known

	answers map[string]answer

	asked  []Asked
	listed map[string]bool // the questions in asked
}

type answer struct {
	value comptime.Value
	err   error
}

func newAsking(env Environment) *asking {
	return &asking{env: env, answers: map[string]answer{}}
}

// begin begins a lowering.
func (a *asking) begin() { a.asked, a.listed = nil, map[string]bool{} }

// types adds the types of qd.Static that the program lacks, as far as the Environment knows
// them, to what it is to be checked with, and reports whether there was anything new.
func (a *asking) types(p *load.Program, also *load.Also) (more bool) {
	typer, ok := a.env.(StaticTyper)
	if !ok {
		return false
	}
	for _, s := range p.Untyped() {
		if _, ok := also.Types[s.SiteID]; ok {
			continue
		}
		if also.Types == nil {
			also.Types = map[load.SiteID]string{}
		}
		// "" where it is not known: it is not asked for again.
		also.Types[s.SiteID], _ = typer.StaticType(eval.SiteOf(s))
		more = more || also.Types[s.SiteID] != ""
	}
	return more
}

// Var implements Environment.
func (a *asking) Var(pkg, name string) (comptime.Value, error) {
	asked := Asked{Var: load.Global{Pkg: pkg, Name: name}}
	return a.ask(asked, func() (comptime.Value, error) { return a.env.Var(pkg, name) })
}

// Static implements Environment.
func (a *asking) Static(site StaticSite, args []comptime.Value, reads Reads) (comptime.Value, error) {
	asked := Asked{Site: &site, Args: args, Reads: reads}
	return a.ask(asked, func() (comptime.Value, error) { return a.env.Static(site, args, reads) })
}

func (a *asking) ask(q Asked, env func() (comptime.Value, error)) (comptime.Value, error) {
	if a.env == nil {
		return comptime.Value{}, ErrNotRegistered
	}
	key := q.key()
	ans, ok := a.answers[key]
	if !ok {
		ans.value, ans.err = env()
		a.answers[key] = ans
	}
	if a.listed[key] {
		return ans.value, ans.err
	}
	a.listed[key] = true
	q.Value, q.Unknown = ans.value, errors.Is(ans.err, ErrNotRegistered)
	if ans.err == nil || q.Unknown {
		a.asked = append(a.asked, q)
	}
	return ans.value, ans.err
}

// key tells questions apart.
func (q Asked) key() string {
	var key []byte
	add := func(s string) { key = comptime.Value{Kind: comptime.String, Str: s}.Append(key) }
	if q.Site == nil {
		add(q.Var.Pkg)
		add(q.Var.Name)
		return string(key)
	}
	for _, s := range []string{q.Site.Pkg, q.Site.Func, q.Site.Expr} {
		add(s)
	}
	key = comptime.Value{Kind: comptime.Int, Bits: uint64(q.Site.Index)}.Append(key)
	for _, arg := range q.Args {
		key = arg.Append(key)
	}
	return string(key)
}
