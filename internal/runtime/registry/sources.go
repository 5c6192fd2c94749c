package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend/load"
)

// registered are the embedded sources, by import path, and the packages that have embedded themselves in parts.
var registered = struct {
	sync.RWMutex
	load.Map
	parts map[string]bool
}{Map: load.Map{}, parts: map[string]bool{}}

// Source gives qdgen the Go source of a package whose kernels, or whose
// functions called by kernels, are to run where the source is not on disk: an
// embed.FS with the package's Go files. All of them, for a file that is missing may declare what the others mean by a
// name: that they are all is known if one of the files has the directive that embeds what is beside it,
//
//	//go:embed [^._]*.go
//
// and a package without counts as one that has embedded nothing. A registered package is preferred to
// files on disk. Directories below the
// package's are left out, which are other packages; the package's own may lie below the root of files.
//
// The import path is that of the package as other packages import it; for a
// program's package main, "main". Packages whose types a generic kernel is launched with are
// needed like those whose functions it calls.
// dir is the directory that the files have in messages.
func Source(importPath, dir string, files fs.FS) error {
	at, err := packageDir(files)
	if err != nil {
		return fmt.Errorf("source of %s: %w", importPath, err)
	}
	var list []load.File
	entries, err := fs.ReadDir(files, at)
	for _, e := range entries {
		if err == nil && isGo(e) {
			f := load.File{Name: path.Join(dir, e.Name()), Embedded: true}
			f.Src, err = fs.ReadFile(files, path.Join(at, e.Name()))
			list = append(list, f)
		}
	}
	if err != nil {
		return fmt.Errorf("source of %s: %w", importPath, err)
	}
	paths := pathsOf(importPath)
	registered.Lock()
	defer registered.Unlock()
	for _, p := range paths {
		packages, complete := load.Embedded(p, list)
		if !complete && !load.IsOwn(p) {
			registered.parts[p] = true
			continue
		}
		for _, pkg := range packages {
			registered.Map[pkg.Path] = pkg
		}
	}
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
		return "", fmt.Errorf("there are Go files in %s; register each package with its own directory, using fs.Sub", strings.Join(dirs, " and "))
	}
	return dirs[0], nil
}

// isGo reports whether a file is one that the go command may take for a file of a package, or of its tests.
func isGo(e fs.DirEntry) bool {
	ok, _ := path.Match(load.EmbedAll, e.Name())
	return ok && !e.IsDir()
}

// isSource reports whether a file belongs to a package as other packages know it.
func isSource(e fs.DirEntry) bool { return isGo(e) && !isTest(e.Name()) }

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// Sources is the registered source, that of package qd's own kernel-facing files among it.
func Sources() load.Sources { return registeredSources{} }

// registeredSources reads the registered sources under their lock.
type registeredSources struct{}

func (registeredSources) Package(path string) (*load.Package, error) {
	registered.RLock()
	defer registered.RUnlock()
	return registered.Map.Package(path)
}
