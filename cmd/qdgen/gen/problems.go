package gen

import (
	"errors"
	"go/types"
	"strings"

	"github.com/qdgen/qd/cmd/qdgen/vet"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/bug"
)

// problems is what is wrong with the kernels of a package, as a *diag.Diagnostics: what no
// program could launch. Whether a kernel can be compiled for the values that it is launched
// with is another question; of what depends on such values only the types are checked. Warnings are those about
// devices that run what gen writes.
func (l *loader) problems(s *source, warnings *diag.List) error {
	src := l.sources()
	var list diag.List
	add := func(err error) error {
		var faults *diag.Diagnostics
		if errors.As(err, &faults) {
			list.Add(faults.List...)
			return nil
		}
		return err
	}
	refs, err := frontend.Kernels(src, s.PkgPath)
	if err := add(err); err != nil {
		return err
	}
	var all []load.Ref
	concrete := make(map[load.Ref]bool)
	elsewhere := l.elsewhere(s.PkgPath)
	for _, r := range refs {
		if instances := elsewhere[r.Name]; len(instances) > 0 {
			for _, i := range instances {
				r.Name = i.Name
				all = append(all, r)
			}
			continue
		}
		name, ok := vet.Example(s.Types, r.Name)
		if !ok {
			continue // who launches it has the types
		}
		isConcrete := name == r.Name && !strings.Contains(name, ".")
		r.Name = name
		concrete[r] = isConcrete
		all = append(all, r)
	}
	if len(all) == 0 {
		return list.Err()
	}
	// All at once first: nearly always there is nothing to report.
	err = bug.Guard("", func() error {
		warn := func(d diag.Diagnostic) {
			if d.Device != "" { // what generated code has to do with; the others are for qdgen vet
				warnings.Add(d)
			}
		}
		_, _, err := frontend.CompileWith(frontend.Options{Env: &asked{l: l}, Symbolic: true, Warn: warn}, src, all...)
		return err
	})
	if err == nil {
		return list.Err()
	}
	for _, r := range all {
		depends, concrete := &asked{l: l}, concrete[r]
		var made *frontend.Specialized
		err := bug.Guard(r.Name, func() (err error) {
			made, err = frontend.Specialize(frontend.Options{Env: depends, Symbolic: !concrete}, src, r)
			return err
		})
		if made != nil && made.Program != nil && (!concrete || depends.asked || hasConst(made.Program)) {
			list.Add(made.Program.Problems...)
			continue
		}
		if err := add(err); err != nil {
			return err
		}
	}
	return list.Err()
}

// hasConst reports whether a kernel has compile-time arguments.
func hasConst(p *load.Program) bool {
	for _, k := range p.Kernels {
		if k.Obj == nil {
			continue
		}
		for v := range k.Obj.Signature().Params().Variables() {
			if qdType(v.Type()) == "Const" {
				return true
			}
		}
	}
	return false
}

// asked is an environment that knows whether it has been asked, and types.
type asked struct {
	l     *loader
	asked bool
}

// StaticType implements [frontend.StaticTyper]: Go's types are known here, whatever the
// front end has the source of.
func (a *asked) StaticType(site frontend.StaticSite) (string, error) {
	a.asked = true
	s := a.l.typed[site.Pkg]
	if s == nil {
		return "", frontend.ErrNotRegistered
	}
	for _, f := range s.Syntax {
		for _, d := range f.Decls {
			if load.FuncName(d) != site.Func {
				continue
			}
			calls := load.StaticCalls(d, s.TypesInfo)
			if site.Index >= len(calls) || load.SiteExpr(calls[site.Index].Args[0]) != site.Expr ||
				load.SiteNames(f, d)[calls[site.Index].Pos()] != site.Names {
				continue
			}
			t := s.TypesInfo.TypeOf(calls[site.Index])
			if basic, ok := t.(*types.Basic); t == nil || ok && basic.Kind() == types.Invalid {
				return "", frontend.ErrNotRegistered
			}
			return TypeName(t, (*types.Package).Path), nil
		}
	}
	return "", frontend.ErrNotRegistered
}

// Var implements [frontend.Environment].
func (a *asked) Var(pkg, name string) (comptime.Value, error) {
	a.asked = true
	return comptime.Value{}, frontend.ErrNotRegistered
}

// Static implements [frontend.Environment].
func (a *asked) Static(frontend.StaticSite, []comptime.Value, frontend.Reads) (comptime.Value, error) {
	a.asked = true
	return comptime.Value{}, frontend.ErrNotRegistered
}
