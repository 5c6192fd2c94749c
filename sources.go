package qd

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
)

// The files of this package that kernels may call into: the front end checks
// kernels against them.
//
//go:embed thread.go math.go atomic.go printf.go constraints.go
var kernelFacing embed.FS

// registered are the embedded sources, by import path.
var registered = struct {
	sync.RWMutex
	load.Map
	files map[string][]byte // by the name that diagnostics show
}{Map: load.Map{}, files: map[string][]byte{}}

func init() {
	if err := RegisterSource(load.QDPath, kernelFacing); err != nil {
		panic("BUG: " + err.Error())
	}
}

// RegisterSource gives qdgen the Go source of a package whose kernels, or whose
// functions called by kernels, are to run where the source is not on disk: usually an
// embed.FS with the package's .go files. A registered package is preferred to
// files on disk. Test files are left out.
//
// The import path is that of the package as other packages import it; for a
// program's package main, "main".
func RegisterSource(importPath string, files fs.FS) error {
	pkg := &load.Package{Path: importPath}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		pkg.Files = append(pkg.Files, load.File{Name: path.Join(importPath, path.Base(name)), Src: text})
		return nil
	})
	if err != nil {
		return fmt.Errorf("qd: source of %s: %w", importPath, err)
	}
	if len(pkg.Files) == 0 {
		return fmt.Errorf("qd: source of %s: no Go files", importPath)
	}
	registered.Lock()
	defer registered.Unlock()
	registered.Map[importPath] = pkg
	for _, f := range pkg.Files {
		registered.files[f.Name] = f.Src
	}
	return nil
}

// KernelSources is the registered source, that of package qd's own
// kernel-facing files among it: for tools that compile kernels, such as qdgen.
func KernelSources() load.Sources { return registeredSources{} }

// registeredSources reads the registered sources under their lock.
type registeredSources struct{}

func (registeredSources) Package(path string) (*load.Package, error) {
	registered.RLock()
	defer registered.RUnlock()
	return registered.Map.Package(path)
}

// source finds where a kernel's source can be had: among the registered
// packages, else on disk. The error is a *SourceError.
func (k *kernelFunc) source() (build.Sources, error) {
	if p, _ := KernelSources().Package(k.ref.Pkg); p != nil {
		return kernelSources{KernelSources()}, nil
	}
	disk, _, err := load.Disk(k.ref.File)
	if err != nil {
		return nil, &SourceError{Kernel: k.ref.Pkg + "." + k.name, File: k.ref.File, Err: err}
	}
	return kernelSources{load.Chain(KernelSources(), disk)}, nil
}

// kernelSources adds the reading of single files, by the names that they have in diagnostics.
type kernelSources struct{ load.Sources }

// ReadFile implements [build.Sources].
func (kernelSources) ReadFile(name string) ([]byte, error) {
	registered.RLock()
	text, ok := registered.files[name]
	registered.RUnlock()
	if ok {
		return text, nil
	}
	return os.ReadFile(name)
}
