package gen

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend/load"
)

// plan is what the generated file of a package says.
type plan struct {
	*source
	runtimePath string // the import path, as the running program has it
	embed       bool   // the file embeds the package
	foreign     []foreign
	standard    []standardFile // of the standard library
	reached     []load.Reached // of the standard library
	vars        []varGroup
	statics     []static
	launches    []*launch
	constraint  string // build constraint, "" for none
	fileName    string // of a file for tests
	without     *plan  // the package's own file, of a file for tests, which has nothing that is in that one

	notes    []string        // what a user should know of what is not in it
	wanting  []string        // packages that need a generated file of their own, by import path
	declared map[string]bool // what generated code cannot declare
	own      bool            // the package has kernels
	others   bool            // it names kernels of other packages
}

// foreign is the text of a package that cannot embed itself.
type foreign struct {
	path, module string
	files        []textFile
}

type textFile struct{ name, text string }

// varGroup is the variables of one package.
type varGroup struct {
	path  string
	names []string
}

// plan finds out what a package's file has to say.
func (l *loader) plan(s *source) (*plan, error) {
	c := l.closure()
	c.roots(s)
	if c.err != nil {
		return nil, c.err
	}
	p := &plan{source: s, runtimePath: runtimePath(s.Package), own: c.own, others: c.others}
	var err error
	if p.declared, err = declaredIn(s); err != nil {
		return nil, err
	}
	if len(c.files[p.PkgPath]) > 0 || s.asks() {
		if err := p.embedAll(); err != nil {
			return nil, err
		}
	}
	var used []string // files that the generated code refers to
	used = append(used, p.addVars(c)...)
	used = append(used, p.addStatics(c)...)
	used = append(used, p.addLaunches(c)...)
	twins, err := p.addStandard(c)
	if err != nil {
		return nil, err
	}
	if err := p.addStandardVars(l); err != nil {
		return nil, err
	}
	if err := p.addForeign(c, twins); err != nil {
		return nil, err
	}
	p.constraint = constraintOf(used, s.texts)
	return p, nil
}

// runtimePath is the import path that a running program knows a package by.
func runtimePath(p *packages.Package) string {
	if p.Name == "main" {
		return "main"
	}
	return p.PkgPath
}

// embedAll has the file embed the package's files: all of them, for one that nothing is reached of may
// come to declare a name that another means something else by now.
func (p *plan) embedAll() error {
	p.embed = true
	entries, err := os.ReadDir(p.dir())
	if err != nil {
		return err
	}
	for _, e := range entries {
		if ok, _ := path.Match(load.EmbedAll, e.Name()); ok && !e.Type().IsRegular() && !e.IsDir() {
			return fmt.Errorf("%s is a link, or no regular file, and go:embed does not take it: a package with kernels cannot have it", filepath.Join(p.dir(), e.Name()))
		}
	}
	return nil
}

// textsOf are the files of a package with something reached, those of twins, by their base names, and those for other
// platforms, or other tags, that declare the same, or what is predeclared.
func textsOf(c *closure, s *source, twins []string) (files []textFile, err error) {
	for file, text := range s.texts {
		if base := filepath.Base(file); c.files[s.PkgPath][file] || slices.Contains(twins, base) && base != FileName {
			files = append(files, textFile{base, string(text)})
		}
	}
	for _, file := range s.IgnoredFiles {
		base := filepath.Base(file)
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") || base == FileName || strings.IndexAny(base, "_.") == 0 {
			continue
		}
		names, pkg, err := declaredInFile(file)
		if err != nil {
			return nil, err
		}
		matters := func(id string) bool {
			return c.reached[name{s.PkgPath, id}] || types.Universe.Lookup(id) != nil
		}
		if pkg != s.Name || !slices.ContainsFunc(names, matters) && !slices.Contains(twins, base) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		files = append(files, textFile{base, string(text)})
	}
	assembly, err := listed.AssemblyOf(s.Package)
	if err != nil {
		return nil, err
	}
	for _, f := range assembly {
		files = append(files, textFile{filepath.Base(f.Name), string(f.Src)})
	}
	slices.SortFunc(files, func(a, b textFile) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// addForeign adds the text of the reached packages that cannot embed themselves: those of modules that have a
// version, by which the program can tell that it was built from this text. Others are to embed themselves.
func (p *plan) addForeign(c *closure, twins map[string][]string) error {
	for _, other := range c.packages() {
		s := c.l.typed[other]
		if other == p.PkgPath || s.Name == "main" {
			continue
		}
		if s.embedsItself() {
			continue
		}
		if isDevelopment(s.Package) {
			p.wanting = append(p.wanting, other)
			continue
		}
		if needs := s.needs(c); len(needs) > 0 {
			p.notes = append(p.notes, fmt.Sprintf("package %s has %s; its module must be released with a %s", other, needs[0], FileName))
		}
		files, err := textsOf(c, s, twins[other])
		if err != nil {
			return err
		}
		p.foreign = append(p.foreign, foreign{other, moduleVersion(s.Package), files})
	}
	return nil
}

// generates matches the comment that has go generate run this command, up to its arguments.
var generates = regexp.MustCompile(`(?m)^//go:generate .*?\bqdgen\b.*?\bgen\b(.*)$`)

// embedsItself reports whether a package has a generated file, or will have one when its
// module is generated: because it has kernels, or asks for it.
func (s *source) embedsItself() bool {
	if !isDevelopment(s.Package) || isVendored(s.Package) {
		return s.hasFile()
	}
	return len(s.kernels()) > 0 || s.asks()
}

// hasFile reports whether a package has a generated file now.
func (s *source) hasFile() bool {
	return slices.ContainsFunc(s.GoFiles, func(file string) bool { return filepath.Base(file) == FileName })
}

// asks reports whether a package has a go:generate comment that asks for its own file.
func (s *source) asks() bool {
	for _, text := range s.texts {
		if asksFor(text) {
			return true
		}
	}
	return false
}

// asksFor reports whether a file has a go:generate comment that has this command generate the package of the file: one
// that names it, or no package. The pattern ./... names those packages that have kernels.
func asksFor(text []byte) bool {
	for _, comment := range generates.FindAllSubmatch(text, -1) {
		packages := slices.DeleteFunc(strings.Fields(string(comment[1])), func(arg string) bool { return strings.HasPrefix(arg, "-") })
		if len(packages) == 0 || slices.Contains(packages, ".") {
			return true
		}
	}
	return false
}

// asksIn is asks of a package that has not been read yet. It may be of functions for kernels elsewhere, and import
// nothing.
func asksIn(files []string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && asksFor(text)
	})
}

// needs says what in a reached package only its own generated file can give.
func (s *source) needs(c *closure) (list []string) {
	for _, n := range sortedNames(c.vars) {
		if n.pkg == s.PkgPath && !ast.IsExported(n.name) && registrable(c.vars[n].Type()) {
			list = append(list, "variable "+n.name+", which is not exported and read by kernels")
		}
	}
	for _, n := range c.nodes[s.PkgPath] {
		for _, call := range load.StaticCalls(n.Node, s.TypesInfo) {
			if load.NeedsGo(call.Args[0], s.TypesInfo) {
				list = append(list, "qd.Static("+load.SiteExpr(call.Args[0])+"), which compiled Go may have to evaluate")
			}
		}
	}
	return list
}

func sortedNames(vars map[name]*types.Var) []name {
	var list []name
	for n := range vars {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b name) int {
		return strings.Compare(a.pkg+"\x00"+a.name, b.pkg+"\x00"+b.name)
	})
	return list
}

// declaredIn is the names that the files of a package's directory declare, tests and files for
// other platforms too: those that generated code cannot have.
func declaredIn(s *source) (map[string]bool, error) {
	declared := make(map[string]bool)
	dir := filepath.Dir(s.GoFiles[0])
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || IsGenerated(e.Name()) || e.IsDir() {
			continue
		}
		names, pkg, err := declaredInFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if pkg != s.Name {
			continue
		}
		for _, id := range names {
			declared[id] = true
		}
	}
	return declared, nil
}
