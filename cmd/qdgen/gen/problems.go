package gen

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/cmd/qdgen/vet"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// problems is what is wrong with the kernels of a package, as a *diag.Diagnostics. A generic
// kernel is looked at with the first types of the package that its constraints allow.
func (l *loader) problems(s *source) error {
	src := load.Chain(qd.KernelSources(), &sources{l: l, read: make(map[string]*load.Package)})
	var list diag.List
	add := func(err error) error {
		var faults *diag.Diagnostics
		if errors.As(err, &faults) {
			list.Add(faults.List...)
			return nil
		}
		return err
	}
	refs, err := frontend.Kernels(src, s.PkgPath)
	if err := add(err); err != nil {
		return err
	}
	var all []load.Ref
	for _, r := range refs {
		name, ok := vet.Example(s.Types, r.Name)
		if !ok {
			continue // who launches it has the types
		}
		r.Name = name
		all = append(all, r)
	}
	if len(all) > 0 {
		_, _, err = frontend.CompileWith(frontend.Options{Symbolic: true}, src, all...)
		if err := add(err); err != nil {
			return err
		}
	}
	return list.Err()
}

// sources are the packages as they are on disk, without generated files.
type sources struct {
	l    *loader
	read map[string]*load.Package
}

// Package implements [load.Sources].
func (s *sources) Package(path string) (*load.Package, error) {
	if p, ok := s.read[path]; ok {
		return p, nil
	}
	listed := s.l.listed[path]
	if listed == nil {
		return nil, nil
	}
	p := &load.Package{Path: path}
	for _, file := range listed.GoFiles {
		if filepath.Base(file) == FileName {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, load.File{Name: shorter(file), Src: text})
	}
	s.read[path] = p
	return p, nil
}
