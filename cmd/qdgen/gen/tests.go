package gen

import (
	"bytes"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/cmd/qdgen/genfile"
	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend/load"
)

// Kernels in files of tests have generated files of their own: one for the files of the package itself, one for those
// of its external test package, which is another package. Tests run where the source is. So these files have only what
// the source does not tell: package variables, and what compiled Go evaluates.

// The base names of the generated files for tests.
const (
	TestFileName     = "qd_gen_test.go"
	ExternalFileName = "qd_gen_external_test.go"
)

// IsGenerated reports whether a file has the name of one that is generated.
func IsGenerated(file string) bool {
	switch filepath.Base(file) {
	case FileName, TestFileName, ExternalFileName:
		return true
	}
	return false
}

// tested are packages with their tests, type-checked.
type tested struct {
	l        *loader
	internal *source // the package with its files of tests; nil if it has none
	external *source // its external test package; nil if there is none
}

// testsUse reports whether the tests of a package import package qd, or have a generated file.
func testsUse(p *packages.Package) bool {
	if p.Dir == "" || load.IsOwn(p.PkgPath) || p.PkgPath == named {
		return false
	}
	files, _ := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && (IsGenerated(file) || bytes.Contains(text, []byte(`"`+load.QDPath+`"`)))
	})
}

// planTests plans the files for the tests of those of the packages whose tests have kernels.
func (w *Workspace) planTests(pkgs []*packages.Package) error {
	var paths []string
	for _, p := range pkgs {
		if testsUse(p) && isDevelopment(p) && !isVendored(p) {
			paths = append(paths, p.PkgPath)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	all, err := w.l.withTests(paths)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if t := all[path]; t != nil {
			if err := w.addTests(path, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// withTests type-checks packages with their tests.
func (l *loader) withTests(paths []string) (map[string]*tested, error) {
	list, err := l.more(listed.Query{Dir: l.dir, Patterns: paths, Tests: true, Types: true})
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, p := range list.Roots {
		ids = append(ids, p.ID)
	}
	checked, texts, err := l.checked(list, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*tested)
	for _, path := range paths {
		t := &tested{l: l.copy()}
		packages.Visit(list.Roots, func(p *packages.Package) bool {
			if load.IsOwn(p.PkgPath) || p.Module == nil {
				return false
			}
			if t.l.listed[p.PkgPath] == nil && !strings.HasSuffix(p.ID, ".test") {
				t.l.listed[p.PkgPath] = p
			}
			return true
		}, nil)
		for _, p := range checked {
			switch p.ID {
			case path + " [" + path + ".test]":
				t.internal = t.l.add(p, texts)
			case path + "_test [" + path + ".test]":
				t.external = t.l.add(p, texts)
			}
		}
		if t.internal != nil || t.external != nil {
			found[path] = t
		}
	}
	return found, nil
}

// copy is a loader that knows what this one does, and comes to know more.
func (l *loader) copy() *loader {
	c := *l
	c.listed, c.typed = maps.Clone(l.listed), maps.Clone(l.typed)
	return &c
}

// addTests plans the files for the tests of a package.
func (w *Workspace) addTests(path string, t *tested) error {
	own := t.l.closure()
	own.tests = true
	if t.external != nil {
		c := t.l.closure()
		c.tests = true
		c.roots(t.external)
		if c.err != nil {
			return c.err
		}
		p, err := w.testPlan(t.external, c, ExternalFileName)
		if err != nil {
			return err
		}
		w.addTestPlan(p)
		for n := range c.reached { // what these kernels need of the package, only the package itself can give
			if n.pkg == path {
				own.reach(n)
			}
		}
	}
	s := t.internal
	if s == nil {
		s = t.l.typed[path]
	}
	if s == nil {
		return nil
	}
	if t.internal != nil {
		tests := *s
		tests.Package = new(packages.Package)
		*tests.Package = *s.Package
		tests.Syntax = slices.DeleteFunc(slices.Clone(s.Syntax), func(f *ast.File) bool {
			return !strings.HasSuffix(t.l.fset.File(f.FileStart).Name(), "_test.go")
		})
		own.roots(&tests)
	}
	own.finish()
	if own.err != nil {
		return own.err
	}
	p, err := w.testPlan(s, own, TestFileName)
	if err != nil {
		return err
	}
	w.addTestPlan(p)
	return nil
}

// testPlan plans one of the files for tests: what they reach and the package's own file does not have.
func (w *Workspace) testPlan(s *source, c *closure, file string) (*plan, error) {
	p := &plan{source: s, runtimePath: runtimePath(s.Package), fileName: file, without: w.plans[s.PkgPath]}
	var err error
	if p.declared, err = declaredIn(s); err != nil {
		return nil, err
	}
	var used []string
	used = append(used, p.addVars(c)...)
	used = append(used, p.addStatics(c)...)
	p.constraint = constraintOf(used, s.texts)
	for _, other := range c.packages() {
		o := c.l.typed[other]
		if o == nil || other == s.PkgPath || other+"_test" == s.PkgPath || !isDevelopment(o.Package) || o.embedsItself() {
			continue
		}
		if needs := o.needs(c); len(needs) > 0 {
			p.notes = append(p.notes, fmt.Sprintf("kernels in tests of %s need a %s in package %s, which has %s: add //go:generate go tool qdgen gen to it", s.PkgPath, FileName, other, needs[0]))
		}
	}
	return p, nil
}

// hasVar reports whether the file has a variable of a package.
func (p *plan) hasVar(pkg, name string) bool {
	return p != nil && slices.ContainsFunc(p.vars, func(g varGroup) bool { return g.path == pkg && slices.Contains(g.names, name) })
}

// hasStatic reports whether the file has an expression.
func (p *plan) hasStatic(s static) bool {
	return p != nil && slices.ContainsFunc(p.statics, func(o static) bool {
		return s.fn == o.fn && s.index == o.index && s.expr == o.expr && s.names == o.names
	})
}

// addTestPlan adds a file for tests if there is something in it, or if there is such a file.
func (w *Workspace) addTestPlan(p *plan) {
	_, err := os.Stat(filepath.Join(p.dir(), p.fileName))
	if len(p.vars)+len(p.statics) > 0 || err == nil {
		w.testPlans = append(w.testPlans, p)
	}
	w.notes = append(w.notes, p.notes...)
}

// testFiles renders the files for tests.
func (w *Workspace) testFiles() (files []File, err error) {
	for _, p := range w.testPlans {
		text, err := p.render()
		if err != nil {
			return nil, err
		}
		f, err := genfile.Open(filepath.Join(p.dir(), p.fileName), command, text)
		if err != nil {
			return nil, err
		}
		files = append(files, File{f, p.PkgPath})
	}
	return files, nil
}
