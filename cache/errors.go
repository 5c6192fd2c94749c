package cache

import (
	"errors"
	"fmt"
)

// ErrMiss is the error of a lookup for a key that is not in the cache.
var ErrMiss = errors.New("cache: no entry for this key")

// ErrOff is the error of Disabled if QD_CACHE is "off".
var ErrOff = errors.New("the cache is off (QD_CACHE=off)")

// errUntrusted is the error for an entry that comes from a remote and that QD_CACHE_KEY does not allow to load.
var errUntrusted = errors.New("cache: the entry is not signed with a key of QD_CACHE_KEY")

// A DamageError reports a file in the cache whose contents are not what was written.
type DamageError struct {
	Path   string // the file or directory
	Reason string // what is wrong with it
	Err    error  // the cause where there is one, or nil
}

// Error implements error.
func (e *DamageError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("cache: %s: %s: %v", e.Path, e.Reason, e.Err)
	}
	return fmt.Sprintf("cache: %s: %s", e.Path, e.Reason)
}

// Unwrap gives the cause.
func (e *DamageError) Unwrap() error { return e.Err }

// A PlaceError reports a directory in which nothing can be kept.
type PlaceError struct {
	Dir string // "" where not even a name is known
	Err error
}

// Error implements error.
func (e *PlaceError) Error() string {
	if e.Dir == "" {
		return fmt.Sprintf("cache: no directory for the cache: %v; set QD_CACHE to a directory", e.Err)
	}
	return fmt.Sprintf("cache: cannot keep modules in %s: %v; set QD_CACHE to a directory that can be written to", e.Dir, e.Err)
}

// Unwrap gives the cause.
func (e *PlaceError) Unwrap() error { return e.Err }

// A FullError reports that a module was built but could not be stored, neither in the cache nor in
// a temporary directory.
type FullError struct {
	Key     Key
	Kernel  string
	Reasons error // why each place was refused, joined
}

// Error implements error.
func (e *FullError) Error() string {
	return fmt.Sprintf("cache: module %s %s was built but cannot be stored: %v; free disk space, or set QD_CACHE or the temporary directory to a place with space",
		e.Kernel, e.Key.Short(), e.Reasons)
}

// Unwrap gives the causes.
func (e *FullError) Unwrap() error { return e.Reasons }

// A SizeError reports a QD_CACHE_SIZE that is not a size.
type SizeError struct {
	Value string
}

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("cache: QD_CACHE_SIZE=%s is not a size: write a number of bytes, or a number with K, M, G or T, such as 500M; 0 sets no limit", e.Value)
}
