package load

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/memo"
)

// The standard library is source like any other package, where the machine has the release of Go that the program was
// built with. A kernel that uses none of it reads none of it: a package is read when something of it is reached.

// StandardModule is what the standard library is called where modules have their path, and their version behind an @.
const StandardModule = "std"

// Standard is the source of the standard library on disk.
type Standard struct{}

// Package implements [Sources].
func (Standard) Package(importPath string) (*Package, error) { return readStandard(importPath, false) }

// EveryBuild is a package with the files for all platforms and build tags.
func (Standard) EveryBuild(importPath string) (*Package, error) {
	return readStandard(importPath, true)
}

func readStandard(importPath string, everyBuild bool) (*Package, error) {
	if !isStandard(importPath) {
		return nil, nil
	}
	root, err := goRoot()
	if root == "" {
		return nil, nil
	}
	if !inGoRoot(importPath) {
		return nil, nil // a package of a module whose path has no dot
	}
	dir := filepath.Join(root, "src", filepath.FromSlash(importPath))
	if err != nil {
		return nil, err
	}
	p, err := readPackage(importPath, dir, func(name, clause string) role {
		if isTest(name) || clause == "main" {
			return foreign
		}
		return member
	}, func(string) bool { return everyBuild })
	if p != nil {
		p.HostOnly = IsHostOnly(importPath)
		p.Standard = len(p.Files) > 0 && InStandard(p.Files[0].Name)
	}
	return p, err
}

// inGoRoot reports whether the standard library on this machine has a package.
func inGoRoot(importPath string) bool {
	root, _ := goRoot()
	if root == "" {
		return false
	}
	has, ok := inTree.Load(importPath)
	if !ok {
		info, err := os.Stat(filepath.Join(root, "src", filepath.FromSlash(importPath)))
		has, _ = inTree.LoadOrStore(importPath, err == nil && info.IsDir())
	}
	return has
}

// inTree has the answers of inGoRoot: a release of Go does not change while a program runs.
var inTree memo.Map[string, bool]

// isStandard reports whether an import path may be one of the standard library: its first element has no dot.
func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return first != "" && !strings.Contains(first, ".") && importPath != "main" && importPath != "C" && importPath != "unsafe"
}

// goRoot is the directory of the Go release that the program was built with, "" if it is not on this machine. The error
// says that there is another release in its place.
var goRoot = sync.OnceValues(func() (string, error) {
	root := os.Getenv("GOROOT")
	// The program knows where the source of its runtime was when it was built, but with -trimpath.
	if file := gort.RuntimeFile(); filepath.IsAbs(file) {
		root = filepath.Dir(filepath.Dir(filepath.Dir(file))) // without src/runtime/extern.go
	}
	if root == "" {
		return "", nil
	}
	return root, checkRelease(root, runtime.Version())
})

// checkRelease gives an error if a directory has another release of Go than a version. Where it does not say
// which it has, it was built from the repository of Go: then its files are doubted like all others.
func checkRelease(root, version string) error {
	text, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		return nil
	}
	has, _, _ := strings.Cut(string(text), "\n")
	version, _, _ = strings.Cut(version, " ") // experiments follow
	if has = strings.TrimSpace(has); has == version {
		return nil
	}
	return &UnprovenError{Reason: fmt.Sprintf("the program was built with %s, and %s has %s", version, root, has)}
}

// InStandard reports whether a file is one of the standard library that the program was built with.
func InStandard(file string) bool {
	root, err := goRoot()
	if root == "" || err != nil {
		return false
	}
	if !isRelease() {
		return false
	}
	rel, err := filepath.Rel(filepath.Join(root, "src"), file)
	return err == nil && filepath.IsLocal(rel)
}

// isRelease reports whether goRoot says which release of Go it has.
var isRelease = sync.OnceValue(func() bool {
	root, _ := goRoot()
	_, err := os.Stat(filepath.Join(root, "VERSION"))
	return err == nil
})

// IsOthers reports whether a file is one that a programmer does not change: of the standard library or of a module in
// the module cache, whose directories have the versions in their names.
func IsOthers(file string) bool {
	return strings.Contains(filepath.ToSlash(file), "@v") || InStandard(file)
}

// hostOnly are the packages of the standard library that only the host's operating system, or Go's runtime, gives a
// meaning to, with all below them. Kernels see what they declare, so that code which mentions them has its types; their
// functions have no bodies there.
var hostOnly = []string{
	"archive", "compress/lzw", "context", "crypto/tls", "crypto/x509", "database", "debug", "embed", "encoding/gob", "encoding/json", "encoding/xml",
	"expvar", "flag", "fmt", "go", "html", "internal/abi", "internal/godebug", "internal/poll", "internal/reflectlite", "internal/runtime",
	"internal/sync", "internal/syscall", "internal/testlog", "io", "iter", "log", "mime", "net", "os", "path/filepath", "plugin", "reflect", "runtime",
	"sync", "syscall", "testing", "text", "unique", "weak",
}

// hostFuncs are functions of other packages of the standard library that only the host can run, as the functions of
// hostOnly: those with a random number generator that all goroutines share, and those that look at a clock.
var hostFuncs = map[string]func(name string) bool{
	"math/rand":    isTopLevelRand,
	"math/rand/v2": isTopLevelRand,
	"time": func(name string) bool {
		return slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}, name)
	},
}

// isTopLevelRand reports whether a function of math/rand, or of its second version, uses the shared generator: all do
// but those that make a generator or a source.
func isTopLevelRand(name string) bool { return ast.IsExported(name) && !strings.HasPrefix(name, "New") }

// needsHost reports whether a function of a package is one of hostFuncs.
func needsHost(importPath, name string) bool {
	is := hostFuncs[importPath]
	return is != nil && is(name)
}

// IsHostOnly reports whether a package of the standard library is, or is below, one of them.
func IsHostOnly(importPath string) bool {
	for p := importPath; p != "." && p != "/"; p = path.Dir(p) {
		if slices.Contains(hostOnly, p) {
			return true
		}
	}
	return false
}
