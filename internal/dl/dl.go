package dl

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnsupported is what opening a library fails with where this package cannot
// open any: on a platform that it has no binding for, and in a program that was built with the tag qdgo.
var ErrUnsupported = errors.New(unsupported + "; the device \"go\" works everywhere")

// A Direct is the address of a C function and the three numbers that [Call3] calls it with.
type Direct [4]uintptr

// An OpenError says why a library could not be opened.
type OpenError struct {
	Path   string // as it was given to Open
	Reason string // the dynamic linker's text
	err    error
}

// Error names the library and repeats the dynamic linker's text, without saying
// the library's name twice where that text begins with it.
func (e *OpenError) Error() string {
	if reason, ok := strings.CutPrefix(e.Reason, e.Path+": "); ok {
		return fmt.Sprintf("open library %s: %s", e.Path, reason)
	}
	return fmt.Sprintf("open library %s: %s", e.Path, e.Reason)
}

// Unwrap returns ErrUnsupported where that is the reason, else nil.
func (e *OpenError) Unwrap() error { return e.err }

// A SymbolError says that an open library does not export a name.
type SymbolError struct {
	Library string // the path that the library was opened by
	Name    string
	Reason  string // the dynamic linker's text
}

// Error names the library and the symbol.
func (e *SymbolError) Error() string {
	return fmt.Sprintf("library %s has no symbol %s: %s", e.Library, e.Name, e.Reason)
}
