package load

import (
	"go/ast"
	"go/token"
	"slices"
)

// Reached is a package with something reached.
type Reached struct {
	*Package
	Names []string // what is reached of its package-level declarations, sorted
	Files []string // the base names of the files that these are in, sorted
}

// ReachedFrom finds what programs may need that use declarations of packages, and methods of types among them that have
// some names. It follows the names in what is reached, as [Check] does, initial values of variables included. The
// packages are in the order in which they were met, libraries not among them. The errors are of packages that cannot be
// read.
func ReachedFrom(src Sources, names []Global, methods []string) (list []Reached, errs map[string]error) {
	l := newLoader(src)
	for _, n := range names {
		l.member(n.Pkg, n.Name, called)
	}
	for _, name := range methods {
		l.selectName(name)
	}
	for l.run(); l.computesAll(); {
		l.run()
	}
	for _, p := range l.order {
		r := Reached{Package: p.given}
		for name, ds := range p.decls {
			if slices.ContainsFunc(ds, func(d *decl) bool { return d.level != unreached }) {
				r.Names = append(r.Names, name)
			}
		}
		for _, f := range p.files {
			if slices.ContainsFunc(f.decls, func(d *decl) bool { return d.level != unreached }) {
				r.Files = append(r.Files, baseName(f.Name))
			}
		}
		if len(r.Files) > 0 {
			slices.Sort(r.Names)
			slices.Sort(r.Files)
			list = append(list, r)
		}
	}
	return list, l.failed
}

// computesAll reaches what the initial values of the reached variables are computed with, and reports whether that is
// more than was.
func (l *loader) computesAll() (more bool) {
	for _, p := range slices.Clone(l.order) {
		if p.given.HostOnly {
			continue
		}
		for _, f := range p.files {
			for _, d := range f.decls {
				if _, ok := d.spec.(*ast.ValueSpec); ok && d.group.Tok == token.VAR && d.level != unreached && !d.computed {
					d.computed, d.level, more = true, called, true
					l.queue = append(l.queue, d)
				}
			}
		}
	}
	return more
}
