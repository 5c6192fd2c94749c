package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend/load"
)

// registered are the embedded sources, by import path.
var registered = struct {
	sync.RWMutex
	load.Map
}{Map: load.Map{}}

// Source gives qdgen the Go source of a package whose kernels, or whose
// functions called by kernels, are to run where the source is not on disk: usually an
// embed.FS with the package's .go files. A registered package is preferred to
// files on disk. Test files are left out, and so are directories below the
// package's, which are other packages; the package's own may lie below the root of files.
//
// The import path is that of the package as other packages import it; for a
// program's package main, "main". Packages whose types a generic kernel is launched with are
// needed like those whose functions it calls.
func Source(importPath string, files fs.FS) error {
	pkg := &load.Package{Path: importPath, Partial: true}
	dir, err := packageDir(files)
	if err != nil {
		return fmt.Errorf("source of %s: %w", importPath, err)
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
		return fmt.Errorf("source of %s: %w", importPath, err)
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

// texts are the files of [Text], by import path.
var texts = struct {
	sync.RWMutex
	load.Map
}{Map: load.Map{}}

// Text gives qdgen files of a package that kernels of others reach, by their base
// names, where the package does not register its own source and is not on disk. Several
// calls for one package add to each other. It is called by the file that qdgen gen writes.
func Text(importPath string, files map[string]string) {
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

// registeredTexts reads the files of Text under their lock.
type registeredTexts struct{}

func (registeredTexts) Package(path string) (*load.Package, error) {
	texts.RLock()
	defer texts.RUnlock()
	return texts.Map.Package(path)
}

// Sources is the registered source, that of package qd's own kernel-facing files among it.
func Sources() load.Sources { return registeredSources{} }

// registeredSources reads the registered sources under their lock.
type registeredSources struct{}

func (registeredSources) Package(path string) (*load.Package, error) {
	registered.RLock()
	defer registered.RUnlock()
	return registered.Map.Package(path)
}
