package gen

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/cmd/qdgen/genfile"
	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// A Result is what generating packages has come to.
type Result struct {
	Files []File   // sorted by path
	Notes []string // what the files do not have and somebody may miss
	Err   error    // what is wrong with kernels, and what is not written here: the files of these packages are not among Files
}

// A File is a generated file.
type File struct {
	genfile.File
	Package string // import path
}

// A Workspace is packages that are being worked on, and what they import.
type Workspace struct {
	l         *loader
	roots     []*packages.Package
	matched   map[string]bool
	plans     map[string]*plan
	testPlans []*plan
	notes     []string

	WithoutStandard bool // the files have nothing of the standard library: programs find it where they run
}

// A Lister lists packages, see [listed.Packages].
type Lister func(listed.Query) (*listed.List, error)

// Open makes a workspace of packages, which have been listed in a directory; more lists what has to be listed again.
func Open(dir string, list *listed.List, more Lister) *Workspace {
	w := &Workspace{l: newLoader(dir, list, more), roots: list.Roots, matched: make(map[string]bool), plans: make(map[string]*plan)}
	for _, p := range list.Roots {
		w.matched[p.PkgPath] = true
	}
	return w
}

// Generate makes the files of the packages; it writes nothing. A package has one if it has kernels, if it asks for it by
// a go:generate comment without a pattern like ./..., if it launches kernels of other packages with types of its own, or
// if the kernels of another of the packages read what only it can give.
func (w *Workspace) Generate() (*Result, error) {
	if err := w.planAll(w.roots); err != nil {
		return nil, err
	}
	if err := w.planTests(w.roots); err != nil {
		return nil, err
	}
	return w.result()
}

// planAll plans the files of those packages that are to have one.
func (w *Workspace) planAll(pkgs []*packages.Package) error {
	var paths []string
	for _, p := range pkgs {
		if p.Imports[load.QDPath] != nil || asksIn(p.GoFiles) {
			paths = append(paths, p.PkgPath)
		}
	}
	if err := w.l.check(paths...); err != nil {
		return err
	}
	for _, path := range paths {
		if err := w.add(path, false); err != nil {
			return err
		}
	}
	return nil
}

// add plans the file of a package, if it is to have one; needed says that another
// package's kernels cannot do without.
func (w *Workspace) add(path string, needed bool) error {
	if w.plans[path] != nil {
		return nil
	}
	if err := w.l.check(path); err != nil {
		return err
	}
	p, err := w.l.plan(w.l.typed[path])
	if err != nil {
		return err
	}
	if !needed && !p.wanted() {
		return nil
	}
	if needed {
		if err := p.embedAll(); err != nil {
			return err
		}
	}
	w.plans[path] = p
	for _, other := range p.wanting {
		if w.matched[other] {
			if err := w.add(other, true); err != nil {
				return err
			}
			continue
		}
		if w.l.typed[other].hasFile() {
			continue
		}
		how := "name it on the command line, or add //go:generate go tool qdgen gen to it"
		if not := w.l.typed[other].notHere(); not != "" {
			how = not
		}
		w.notes = append(w.notes, fmt.Sprintf("kernels of %s need a %s in package %s too: %s", path, FileName, other, how))
	}
	return nil
}

// wanted reports whether a package has a file for its own sake.
func (p *plan) wanted() bool {
	return p.own || p.asks() || p.others && (p.embed || len(p.foreign)+len(p.vars) > 0)
}

func (w *Workspace) result() (*Result, error) {
	r := &Result{Notes: w.notes}
	var problems diag.List
	var refused []error
	for _, path := range slices.Sorted(maps.Keys(w.plans)) {
		p := w.plans[path]
		var warnings diag.List
		err := w.l.problems(p.source, &warnings)
		if faults := (*diag.Diagnostics)(nil); errors.As(err, &faults) {
			problems.Add(faults.List...)
			continue
		}
		if err != nil {
			return nil, err
		}
		if w.WithoutStandard {
			p.standard = nil
		}
		text, err := p.render()
		if err != nil {
			return nil, err
		}
		f, err := genfile.Open(filepath.Join(filepath.Dir(p.GoFiles[0]), FileName), command, text)
		if err != nil {
			return nil, err
		}
		if not := p.notHere(); not != "" {
			if !f.Current() {
				refused = append(refused, fmt.Errorf("no %s is written: %s", FileName, not))
			}
			continue
		}
		r.Files = append(r.Files, File{f, p.PkgPath})
		r.Notes = append(r.Notes, p.notes...)
		for _, d := range warnings.All() {
			r.Notes = append(r.Notes, fmt.Sprintf("%s:%d:%d: %s; %s", listed.Shorter(d.Pos.Filename), d.Pos.Line, d.Pos.Column, d.Msg, d.Hint))
		}
	}
	tests, err := w.testFiles()
	if err != nil {
		return nil, err
	}
	r.Files = append(r.Files, tests...)
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(r.Notes)
	r.Err = errors.Join(problems.Err(), errors.Join(refused...))
	return r, nil
}
