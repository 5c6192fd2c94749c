package build_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/testenv"
)

// qdSource is what kernels see of package qd, read from its files. To import the package, which registers them, would
// compile it and all between it and this package once more, for these tests alone.
type qdSource struct{}

// Package implements [load.Sources].
func (qdSource) Package(path string) (*load.Package, error) {
	if path != load.QDPath {
		return nil, nil
	}
	return qdPackage()
}

// qdPackage reads them once: programs are kept for packages that are the same.
var qdPackage = sync.OnceValues(func() (*load.Package, error) {
	names, err := testenv.Embedded(filepath.Join(testenv.Root(), "sources.go"))
	p := &load.Package{Path: load.QDPath}
	for _, name := range names {
		src, readErr := os.ReadFile(name)
		p.Files, err = append(p.Files, load.File{Name: load.QDPath + "/" + filepath.Base(name), Src: src, Embedded: true}), errors.Join(err, readErr)
	}
	if len(p.Files) == 0 {
		err = errors.Join(err, errors.New("sources.go embeds no files"))
	}
	return p, err
})
