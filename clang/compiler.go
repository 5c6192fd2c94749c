package clang

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// The kinds of compiler.
const (
	Clang = "clang"
	GCC   = "gcc"
	Other = "other"
)

// A Compiler is a C++ compiler that [Find] found. Its methods may be called
// concurrently.
type Compiler struct {
	Path string // of the program that is started, absolute

	// Timeout is how long one compile may take before it is killed. Find sets it to
	// five minutes, which no module comes near: it is for a compiler that hangs.
	Timeout time.Duration

	words     []string // the rest of the command, before the flags: ccache CLANG++
	extra     []string // the flags of QD_CXX
	arch      string
	archFlags []string
	identity  string

	versionOnce sync.Once
	version     string
	versionErr  error

	mu      sync.Mutex
	refused []string // the optional flags that this compiler does not know
}

// Arch returns the name of the instruction set that it compiles for: the widest
// that this machine's processor has, "x86-64-v3", unless a flag of QD_CXX asks for another.
func (c *Compiler) Arch() string { return c.arch }

// Flags returns the flags that a source is compiled with, those of QD_CXX last.
func (c *Compiler) Flags() []string {
	if c.Kind() != GCC {
		return slices.Concat(required, c.archFlags, optional, c.extra)
	}
	return slices.Concat(required, c.archFlags, optional, onlyGCC, c.extra)
}

// Identity identifies the compiler (by its file, size and time; it is not run) and its flags. Two
// compiles of a source with the same identity give the same module.
func (c *Compiler) Identity() string { return c.identity }

// Plain reports whether the compiler is called with qdgen's flags alone, none of QD_CXX.
func (c *Compiler) Plain() bool { return len(c.extra) == 0 }

// Common are the flags that say what a module computes: those of all compilers and processors.
func Common() []string { return slices.Concat(required, optional) }

// Version runs the compiler, once, and returns the first line that it prints about
// itself: "Debian clang version 14.0.6".
func (c *Compiler) Version() (string, error) {
	c.versionOnce.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		var out string
		out, c.versionErr = c.run(ctx, "", c.command("--version"))
		c.version = firstLine(out)
	})
	return c.version, c.versionErr
}

// Kind returns Clang, GCC or Other. The name decides in most cases; for a bare "c++" the compiler
// is asked for its version.
func (c *Compiler) Kind() string {
	if k := c.namedKind(); k != Other {
		return k
	}
	version, err := c.Version()
	if err != nil {
		return Other
	}
	return kindOf(version)
}

// namedKind is the kind as far as the name tells.
func (c *Compiler) namedKind() string {
	for _, word := range append([]string{c.Path}, c.words...) {
		if k := kindOf(filepath.Base(word)); k != Other {
			return k
		}
	}
	return Other
}

// AwaitKind runs the compiler for its version if Kind needs that. It returns the context's error if the context ends
// first; the run goes on, and later calls use its answer.
func (c *Compiler) AwaitKind(ctx context.Context) error {
	if ctx.Done() == nil || c.namedKind() != Other {
		return nil
	}
	known := make(chan struct{})
	go func() {
		_, _ = c.Version() // kept, as its error is
		close(known)
	}()
	select {
	case <-known:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// kindOf judges by a program's name or by the first line of its version.
func kindOf(s string) string {
	s = strings.ToLower(s)
	switch {
	case strings.Contains(s, "clang"):
		return Clang
	case strings.Contains(s, "g++"), strings.Contains(s, "gcc"), strings.Contains(s, "free software foundation"):
		return GCC
	}
	return Other
}

// command returns the command line that runs the compiler with the arguments.
func (c *Compiler) command(args ...string) []string {
	return slices.Concat([]string{c.Path}, c.words, args)
}

// flags are Flags without the optional ones that the compiler has refused.
func (c *Compiler) flags() []string {
	all := c.Flags() // which may have to run the compiler
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(all, func(f string) bool { return slices.Contains(c.refused, f) })
}

// refuses records the optional flags that a failed compile complained about, and
// reports whether there were any, so that trying again makes sense.
func (c *Compiler) refuses(log string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := false
	for line := range strings.Lines(log) {
		// clang: error: unknown argument: '-fno-finite-loops'
		// g++: error: unrecognized command-line option ‘-fno-finite-loops’
		if !strings.Contains(line, "unknown argument") && !strings.Contains(line, "unrecognized command") {
			continue
		}
		for _, flag := range optional {
			if strings.Contains(line, flag) && !slices.Contains(c.refused, flag) {
				c.refused = append(c.refused, flag)
				found = true
			}
		}
	}
	return found
}
