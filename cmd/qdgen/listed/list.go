package listed

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// This file lists packages as [packages.Load] does, with one start of the go command. That function has the go command
// tell its version before, and the sizes of types beside. A start costs more than most of what qdgen does itself.

// A Query says which packages to list, and what is wanted of them.
type Query struct {
	Dir      string // where the go command runs; "" is the working directory
	Patterns []string
	Tests    bool // with their tests
	Types    bool // [List.Check] is to type-check them: the go command compiles what they import
}

// mode is what a query wants to know, for package packages.
func (q Query) mode() packages.LoadMode {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule
	if q.Types {
		mode |= packages.NeedCompiledGoFiles | packages.NeedExportFile
	}
	return mode
}

// A List is packages and all that they import.
type List struct {
	Roots []*packages.Package // those that match the patterns
	Types bool                // Check works
	byID  map[string]*packages.Package
	query Query
}

// Has reports whether packages with these import paths are in the list.
func (l *List) Has(paths ...string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool { return l.byID[path] == nil })
}

// Packages lists packages. An error of a package is among its Errors.
func Packages(q Query) (*List, error) {
	l := &List{Types: q.Types, query: q}
	if !l.list() {
		// It has the right words for what is wrong.
		var err error
		l.Roots, err = packages.Load(&packages.Config{Mode: q.mode(), Dir: q.Dir, Tests: q.Tests}, q.Patterns...)
		if err != nil {
			return nil, err
		}
	}
	l.byID = make(map[string]*packages.Package)
	packages.Visit(l.Roots, nil, func(p *packages.Package) { l.byID[p.ID] = p })
	return l, nil
}

// hasDriver reports whether another program lists packages in place of the go command. See [packages.Load].
func hasDriver() bool {
	driver := os.Getenv("GOPACKAGESDRIVER")
	if driver == "" {
		_, err := exec.LookPath("gopackagesdriver")
		return err == nil
	}
	return driver != "off"
}

// most is how many characters of patterns are given to the go command, which some systems limit.
const most = 16000

// list lists the packages. It is not ok where something is unusual, which package packages knows how to treat.
func (l *List) list() (ok bool) {
	if hasDriver() || len(strings.Join(l.query.Patterns, " ")) > most || slices.ContainsFunc(l.query.Patterns, func(p string) bool { return strings.Contains(p, "=") }) {
		return false
	}
	cmd := exec.Command("go", l.query.arguments()...)
	if cmd.Dir = l.query.Dir; cmd.Dir == "" {
		cmd.Dir, _ = os.Getwd() // by the name that the user knows, which may have symbolic links
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil && (!errors.As(err, new(*exec.ExitError)) || !l.query.Types || out.Len() == 0) {
		return false
	}
	var roots []*packages.Package
	byID := make(map[string]*packages.Package)
	for dec := json.NewDecoder(&out); dec.More(); {
		told := new(toldPackage)
		if dec.Decode(told) != nil || byID[told.ImportPath] != nil || told.isUnusual() {
			return false
		}
		p := told.asPackage()
		for path, id := range told.importIDs() {
			// What a package imports is told before it. So there are no cycles.
			if p.Imports[path] = byID[id]; p.Imports[path] == nil {
				return false
			}
		}
		byID[p.ID] = p
		if !told.DepOnly {
			roots = append(roots, p)
		}
	}
	l.Roots = roots
	return true
}

// arguments are those of the go command.
func (q Query) arguments() []string {
	fields := "Name,ImportPath,Error,Dir,GoFiles,IgnoredGoFiles,IgnoredOtherFiles,CFiles,CgoFiles,CXXFiles,MFiles,HFiles,FFiles," +
		"SFiles,SwigFiles,SwigCXXFiles,SysoFiles,DepOnly,Imports,ImportMap,Module"
	args := []string{"list", "-e", "-deps", "-buildvcs=false", "-pgo=off"}
	if q.Types {
		fields += ",CompiledGoFiles,Export"
		args = append(args, "-compiled", "-export")
	}
	if q.Tests {
		args = append(args, "-test")
	}
	return slices.Concat(args, []string{"-json=" + fields, "--"}, q.Patterns)
}

// A toldPackage is what the go command tells of a package.
type toldPackage struct {
	ImportPath, Name, Dir, Export                    string
	GoFiles, CgoFiles, CompiledGoFiles               []string
	IgnoredGoFiles, IgnoredOtherFiles                []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles []string
	SwigFiles, SwigCXXFiles, SysoFiles               []string
	Imports                                          []string
	ImportMap                                        map[string]string
	Module                                           *packages.Module
	DepOnly                                          bool
	Error                                            *struct{ Pos, Err string }
}

// isUnusual reports whether it is left to package packages.
func (p *toldPackage) isUnusual() bool {
	return p.ImportPath == "" || p.Dir != "" && !filepath.IsAbs(p.Dir) ||
		p.Error != nil && (len(p.GoFiles)+len(p.CgoFiles) == 0 || strings.Contains(p.Error.Err, "import cycle"))
}

// importIDs are the IDs of imported packages by the paths that they are imported by.
func (p *toldPackage) importIDs() map[string]string {
	ids := make(map[string]string)
	for _, id := range p.Imports {
		if id != "C" {
			ids[id] = id
		}
	}
	for path, id := range p.ImportMap {
		delete(ids, id)
		ids[path] = id
	}
	return ids
}

// asPackage is the package, without its imports.
func (p *toldPackage) asPackage() *packages.Package {
	in := func(lists ...[]string) (files []string) {
		for _, name := range slices.Concat(lists...) {
			if !filepath.IsAbs(name) {
				name = filepath.Join(p.Dir, name)
			}
			files = append(files, name)
		}
		return files
	}
	made := &packages.Package{ID: p.ImportPath, Name: p.Name, Dir: p.Dir, Module: p.Module, Imports: make(map[string]*packages.Package),
		GoFiles: in(p.GoFiles, p.CgoFiles), IgnoredFiles: in(p.IgnoredGoFiles, p.IgnoredOtherFiles), ExportFile: p.Export,
		OtherFiles: in(p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles)}
	made.PkgPath, _, _ = strings.Cut(p.ImportPath, " ") // of "p [p.test]"
	for _, file := range in(p.CompiledGoFiles) {
		if ext := filepath.Ext(file); ext == ".go" || ext == "" { // others are no Go; one of the cache has no extension
			made.CompiledGoFiles = append(made.CompiledGoFiles, file)
		}
	}
	if made.CompiledGoFiles == nil {
		made.CompiledGoFiles = made.GoFiles
	}
	if p.Error != nil {
		made.Errors = []packages.Error{{Pos: p.Error.Pos, Msg: strings.TrimSpace(p.Error.Err), Kind: packages.ListError}}
	}
	return made
}
