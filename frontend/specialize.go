package frontend

import (
	"errors"
	"maps"
	"slices"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
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
//
// The functions among the constants are checked with the kernel. Those that only the
// Environment's answers bring, and what initial values of variables are computed with, are
// found while lowering, which then begins anew: the Environment is asked each question
// once all the same.
func SpecializeWith(opts Options, check func(load.Also) (*load.Program, error)) (*Specialized, error) {
	asking := newAsking(opts.Env)
	opts.Env = asking
	funcs := givenFuncs(opts)
	var vars []load.Global
	for {
		p, err := check(load.Also{Funcs: funcs.list, Vars: vars})
		if p == nil {
			return nil, err
		}
		asking.begin(func(ref load.Ref) bool {
			_, ok := p.Target(ref)
			return ok
		})
		s := &Specialized{Program: p}
		var problems diag.List
		problems.Add(p.Problems...) // there need not be a kernel left to lower
		more := false
		if len(p.Kernels) > 0 {
			m := lower(p, p.Kernels[0], opts)
			s.Module, s.Asked = m.out, asking.asked
			problems.Add(m.diags.All()...)
			for _, v := range m.uncomputed {
				if !slices.Contains(vars, v) {
					vars = append(vars, v)
					more = true
				}
			}
		}
		for _, ref := range asking.missing {
			more = funcs.add(ref) || more
		}
		if more {
			continue
		}
		if err := problems.Err(); err != nil {
			s.Module = nil
			return s, err
		}
		return s, nil
	}
}

// A refSet is a set of functions, in the order in which they came.
type refSet struct {
	list []load.Ref
	has  map[load.Ref]bool
}

func (s *refSet) add(ref load.Ref) (added bool) {
	if s.has[ref] {
		return false
	}
	if s.has == nil {
		s.has = map[load.Ref]bool{}
	}
	s.has[ref] = true
	s.list = append(s.list, ref)
	return true
}

// addAll adds the functions in a value.
func (s *refSet) addAll(v comptime.Value) {
	if v.Func != nil {
		s.add(*v.Func)
	}
	for _, e := range v.Elems {
		s.addAll(e)
	}
}

// givenFuncs are the functions in what a launch gives.
func givenFuncs(opts Options) *refSet {
	var s refSet
	for _, i := range slices.Sorted(maps.Keys(opts.Consts)) {
		s.addAll(opts.Consts[i])
	}
	if opts.Receiver != nil {
		s.addAll(*opts.Receiver)
	}
	for _, name := range slices.Sorted(maps.Keys(opts.Captured)) {
		s.addAll(opts.Captured[name])
	}
	return &s
}

// An asking is an Environment that asks another one, each question once, and keeps
// what it was asked. It is used by one lowering at a time.
type asking struct {
	env Environment // nil where nothing is known

	answers map[string]answer

	known   func(load.Ref) bool // whether a function is in the program
	asked   []Asked
	told    map[string]bool // the questions in asked
	missing []load.Ref      // functions in answers that are not in the program
}

type answer struct {
	value comptime.Value
	err   error
}

func newAsking(env Environment) *asking {
	return &asking{env: env, answers: map[string]answer{}}
}

// begin begins a lowering of a program, which has the functions that known says.
func (a *asking) begin(known func(load.Ref) bool) {
	a.known, a.asked, a.told, a.missing = known, nil, map[string]bool{}, nil
}

// Var implements Environment.
func (a *asking) Var(pkg, name string) (comptime.Value, error) {
	asked := Asked{}
	asked.Var.Pkg, asked.Var.Name = pkg, name
	return a.ask(asked, func() (comptime.Value, error) { return a.env.Var(pkg, name) })
}

// Static implements Environment.
func (a *asking) Static(site StaticSite, args []comptime.Value) (comptime.Value, error) {
	return a.ask(Asked{Site: &site, Args: args}, func() (comptime.Value, error) { return a.env.Static(site, args) })
}

func (a *asking) ask(q Asked, env func() (comptime.Value, error)) (comptime.Value, error) {
	if a.env == nil {
		return comptime.Value{}, ErrNotKnown
	}
	key := q.key()
	ans, ok := a.answers[key]
	if !ok {
		ans.value, ans.err = env()
		a.answers[key] = ans
	}
	if a.told[key] {
		return ans.value, ans.err
	}
	a.told[key] = true
	q.Value, q.Unknown = ans.value, errors.Is(ans.err, ErrNotKnown)
	if ans.err == nil || q.Unknown {
		a.asked = append(a.asked, q)
	}
	var funcs refSet
	funcs.addAll(ans.value)
	for _, ref := range funcs.list {
		if !a.known(ref) {
			a.missing = append(a.missing, ref)
		}
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
