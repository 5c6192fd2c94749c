package qd

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/origin"
)

// The files of this package that kernels may call into: the front end checks
// kernels against them.
//
//go:embed thread.go grid.go math.go scalar.go atomic.go printf.go constraints.go
//go:embed float16.go view.go view3.go view4.go checkindex.go assert.go rand.go static.go
//go:embed zvector.go zmatrix.go zbool.go zboolmat.go
var kernelFacing embed.FS

// registered are the embedded sources, by import path.
var registered = struct {
	sync.RWMutex
	load.Map
}{Map: load.Map{}}

func init() {
	if err := RegisterSource(load.QDPath, kernelFacing); err != nil {
		panic("BUG: " + err.Error())
	}
}

// RegisterSource gives qdgen the Go source of a package whose kernels, or whose
// functions called by kernels, are to run where the source is not on disk: usually an
// embed.FS with the package's .go files. A registered package is preferred to
// files on disk. Test files are left out, and so are directories below the
// package's, which are other packages; the package's own may lie below the root of files.
//
// The import path is that of the package as other packages import it; for a
// program's package main, "main". Packages whose types a generic kernel is launched with are
// needed like those whose functions it calls.
func RegisterSource(importPath string, files fs.FS) error {
	pkg := &load.Package{Path: importPath, Partial: true}
	dir, err := packageDir(files)
	if err != nil {
		return fmt.Errorf("qd: source of %s: %w", importPath, err)
	}
	entries, err := fs.ReadDir(files, dir)
	for _, e := range entries {
		if err == nil && isSource(e) {
			f := load.File{Name: path.Join(importPath, e.Name())}
			f.Src, err = fs.ReadFile(files, path.Join(dir, e.Name()))
			pkg.Files = append(pkg.Files, f)
		}
	}
	if err != nil {
		return fmt.Errorf("qd: source of %s: %w", importPath, err)
	}
	registered.Lock()
	defer registered.Unlock()
	registered.Map[importPath] = pkg
	return nil
}

// packageDir finds the directory of the package whose source files are: the root,
// or, as it is with an embedded directory, the only one with Go files.
func packageDir(files fs.FS) (string, error) {
	var dirs []string
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && isSource(e) && !slices.Contains(dirs, path.Dir(name)) {
			dirs = append(dirs, path.Dir(name))
		}
		return err
	})
	switch {
	case err != nil:
		return "", err
	case slices.Contains(dirs, "."):
		return ".", nil
	case len(dirs) == 0:
		return "", errors.New("there are no Go files")
	case len(dirs) > 1:
		return "", fmt.Errorf("there are Go files in %s; register each package with its own directory, as fs.Sub gives it", strings.Join(dirs, " and "))
	}
	return dirs[0], nil
}

// isSource reports whether a file belongs to a package as other packages know it.
func isSource(e fs.DirEntry) bool {
	return !e.IsDir() && strings.HasSuffix(e.Name(), ".go") && !isTest(e.Name())
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// texts are the files of [RegisterText], by import path.
var texts = struct {
	sync.RWMutex
	load.Map
}{Map: load.Map{}}

// RegisterText gives qdgen files of a package that kernels of others reach, by their base
// names, where the package does not register its own source and is not on disk. Several
// calls for one package add to each other. It is called by the file that qdgen gen writes.
func RegisterText(importPath string, files map[string]string) {
	texts.Lock()
	defer texts.Unlock()
	pkg := &load.Package{Path: importPath, Partial: true}
	if old := texts.Map[importPath]; old != nil {
		for _, f := range old.Files {
			if _, again := files[path.Base(f.Name)]; !again {
				pkg.Files = append(pkg.Files, f)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		pkg.Files = append(pkg.Files, load.File{Name: path.Join(importPath, name), Src: []byte(files[name])})
	}
	slices.SortFunc(pkg.Files, func(a, b load.File) int { return strings.Compare(a.Name, b.Name) })
	texts.Map[importPath] = pkg
}

// registeredTexts reads the files of RegisterText under their lock.
type registeredTexts struct{}

func (registeredTexts) Package(path string) (*load.Package, error) {
	texts.RLock()
	defer texts.RUnlock()
	return texts.Map.Package(path)
}

// KernelSources is the registered source, that of package qd's own
// kernel-facing files among it: for tools that compile kernels, such as qdgen.
func KernelSources() load.Sources { return registeredSources{} }

// KernelEnvironment is what this program knows beyond its source: its registered package
// variables and the code of its qd.Static expressions. It is for tools too.
func KernelEnvironment() frontend.Environment { return newBuildEnv() }

// registeredSources reads the registered sources under their lock.
type registeredSources struct{}

func (registeredSources) Package(path string) (*load.Package, error) {
	registered.RLock()
	defer registered.RUnlock()
	return registered.Map.Package(path)
}

// source finds where the source of a specialization can be had: among the registered
// packages, else on disk. The error is a *SourceError.
//
// A package that is registered lacks its test files, which are part of a program that is
// a test. Where the kernel, or a function that it is given, is in a file that is not
// registered, the package is that on disk.
//
// A generic kernel may be launched with types of packages that its own does not know,
// of its tests for one. They are looked for around those who launch it, which is why
// source is to be called by the goroutine that does.
func (k *kernelFunc) source(opts build.Options) (load.Sources, error) {
	file := k.ref.File
	var launchers []launcher
	if k.ref.Params != "" {
		launchers = callers()
		for _, l := range launchers {
			if isTest(l.file) && filepath.Dir(l.file) == filepath.Dir(file) {
				file = l.file // whose package has the kernel's file and those of tests
				break
			}
		}
	}
	unregistered := load.Map{}
	sources := []load.Sources{unregistered, KernelSources()}
	if p, _ := KernelSources().Package(k.ref.Pkg); p != nil {
		sources = append(sources, &around{file: file}) // for the packages that it imports
		addUnregistered(unregistered, k.ref.Pkg, file)
	} else {
		disk, pkg, err := load.Disk(file)
		if err != nil {
			return nil, k.notFound(err)
		}
		// The package of the file has just been read.
		sources = append(sources, load.Map{pkg.Path: pkg}, disk)
	}
	for _, f := range opts.Funcs() {
		addUnregistered(unregistered, f.Pkg, f.File)
	}
	for _, l := range launchers {
		addUnregistered(unregistered, l.pkg, l.file)
		sources = append(sources, &around{file: l.file})
	}
	return load.Chain(append(sources, registeredTexts{})...), nil
}

// addUnregistered adds a package that is registered without one of its files, as it is on
// disk.
func addUnregistered(packages load.Map, path, file string) {
	p, _ := KernelSources().Package(path)
	if p == nil || load.IsOwn(path) || packages[path] != nil {
		return
	}
	for _, f := range p.Files {
		if filepath.Base(f.Name) == filepath.Base(file) {
			return
		}
	}
	if _, pkg, err := load.Disk(file); err == nil && pkg.Path == path {
		packages[path] = pkg
	}
}

// A launcher is a function that has called into this package.
type launcher struct{ pkg, file string }

// callers are the functions that have called into this package, the innermost first:
// of each directory one, and one of its tests.
func callers() (list []launcher) {
	for f := range gort.Frames(200) {
		pkg, _ := gort.SplitName(f.Function)
		same := func(other launcher) bool {
			return filepath.Dir(other.file) == filepath.Dir(f.File) && isTest(other.file) == isTest(f.File)
		}
		if load.IsOwn(pkg) || pkg == "runtime" || slices.ContainsFunc(list, same) {
			continue
		}
		list = append(list, launcher{pkg, f.File})
	}
	return list
}

// around is the source on disk around a file, looked up when it is first asked for.
type around struct {
	file string
	once sync.Once
	disk *load.DiskSources // nil if there is none
}

// Package implements [load.Sources].
func (a *around) Package(path string) (*load.Package, error) {
	a.once.Do(func() { a.disk, _, _ = load.Disk(a.file) })
	if a.disk == nil {
		return nil, nil
	}
	return a.disk.Package(path)
}

// notFound is the error of a kernel without source, or of one that is given a function
// without.
func (k *kernelFunc) notFound(err error) error {
	if f := functionNotFound(err, k.ref); f != nil {
		advice := "embed it with qd.RegisterSource, or use a function of a package whose source is there"
		if gort.IsLiteral(f.Kernel.Name) {
			advice = "begin each function literal on a line of its own, or declare a function"
		}
		return &LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("the source of function %s, which it is given, is not found: %s; %s", f.Kernel.Name, f.Reason, advice)}
	}
	return &SourceError{Kernel: k.ref.Pkg + "." + k.Name(), File: k.ref.File, Err: err}
}

// changed is the error of a kernel whose source is not what the program was built from.
func (k *kernelFunc) changed(err error) error {
	e := &SourceError{Kernel: k.ref.Pkg + "." + k.Name(), File: k.ref.File, Err: err}
	var changed *origin.ChangedError
	if errors.As(err, &changed) && changed.File != "" {
		e.File, e.Line = changed.File, changed.Line
	}
	return e
}

// isChanged reports whether an error is about source that is not what the program was built from.
func isChanged(err error) bool {
	var changed *origin.ChangedError
	return errors.As(err, &changed)
}

// isNotFound reports whether an error is about a kernel that its source lacks.
func isNotFound(err error) bool {
	var nf *load.NotFoundError
	return errors.As(err, &nf)
}

// functionNotFound is an error about a function without source that is given to a kernel, nil
// for one about the kernel itself.
func functionNotFound(err error, kernel load.Ref) *load.NotFoundError {
	var nf *load.NotFoundError
	if !errors.As(err, &nf) || nf.Kernel == kernel || nf.Kernel.Name == "" {
		return nil
	}
	return nf
}
