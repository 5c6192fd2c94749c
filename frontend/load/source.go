package load

import (
	"fmt"
	"strings"
)

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
	Value  bool   // it is no kernel but a function that one is given
	Reason string // what was looked for and is not there
	Err    error  // the cause, nil when there is none but the reason
}

// Error implements error.
func (e *NotFoundError) Error() string {
	var b strings.Builder
	what := root{value: e.Value}.what()
	switch k := e.Kernel; {
	case k.Name != "":
		b.WriteString("source of " + what + " " + k.Name)
	case k.Line > 0:
		fmt.Fprintf(&b, "source of the %s at %s:%d", what, k.File, k.Line)
	case k.File != "":
		b.WriteString("source of the kernels of " + k.File)
	default:
		b.WriteString("source of kernels")
	}
	if e.Kernel.Pkg != "" {
		b.WriteString(" in package " + e.Kernel.Pkg)
	}
	b.WriteString(" is not found: " + e.Reason)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	b.WriteString("; it must be on disk where the program was built, or be embedded, as qdgen gen does it")
	return b.String()
}

// Unwrap gives the cause.
func (e *NotFoundError) Unwrap() error { return e.Err }
