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
