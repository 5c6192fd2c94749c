package load

import "fmt"

// Map is packages by import path: embedded sources, and those of tests.
type Map map[string]*Package

// Package implements [Sources].
func (m Map) Package(path string) (*Package, error) { return m[path], nil }

// Chain returns sources that ask each of the given ones in turn until one knows
// the package.
func Chain(sources ...Sources) Sources { return chain(sources) }

type chain []Sources

func (c chain) Package(path string) (*Package, error) {
	for _, s := range c {
		if p, err := s.Package(path); p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// A NotFoundError is a kernel that the sources do not have.
type NotFoundError struct {
	Kernel Ref
	Reason string // what was looked for and is not there
	Err    error  // the cause, nil when there is none but the reason
}

// Error implements error.
func (e *NotFoundError) Error() string {
	name := e.Kernel.Name
	if name == "" {
		name = fmt.Sprintf("at %s:%d", e.Kernel.File, e.Kernel.Line)
	}
	s := fmt.Sprintf("source of kernel %s in package %q is not found: %s", name, e.Kernel.Pkg, e.Reason)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s + "; the source must be on disk where the program was built, or be embedded by `qdgen gen`"
}

// Unwrap gives the cause.
func (e *NotFoundError) Unwrap() error { return e.Err }
