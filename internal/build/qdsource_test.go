package build_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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
	root := testenv.Root()
	text, err := os.ReadFile(filepath.Join(root, "sources.go"))
	p := &load.Package{Path: load.QDPath}
	for line := range strings.Lines(string(text)) {
		names, ok := strings.CutPrefix(line, "//go:embed ")
		if !ok {
			continue
		}
		for _, name := range strings.Fields(names) {
			src, rerr := os.ReadFile(filepath.Join(root, name))
			p.Files, err = append(p.Files, load.File{Name: load.QDPath + "/" + name, Src: src, Embedded: true}), errors.Join(err, rerr)
		}
	}
	if len(p.Files) == 0 {
		err = errors.Join(err, errors.New("sources.go embeds no files"))
	}
	return p, err
})
