package load

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// sourceFile is a parsed file.
type sourceFile struct {
	*File
	pkg    *sourcePackage
	syntax *ast.File
	tok    *token.File
	errs   scanner.ErrorList
	decls  []*decl // package-level, in source order

	imports   map[string]*ast.ImportSpec // by the name they are used under, as far as that is known
	allLoaded bool                       // it is known for all, their packages being loaded
	used      map[string]*ast.ImportSpec // those that something reached needs
	dots      []*ast.ImportSpec          // dot imports that something reached needs
}

// parseMode leaves comments out, which nothing but the search for directives
// needs, and the parser's own resolution of identifiers, which knows one file only.
const parseMode = parser.SkipObjectResolution

// parallelSize is how many bytes of source are worth starting goroutines for:
// they cost microseconds, the parser takes tens of them for a kilobyte.
const parallelSize = 16 << 10

// parseFiles parses files so that their positions begin at base, in their order,
// whichever is parsed first. It returns the base for what comes after them.
func parseFiles(files []*sourceFile, base int, mode parser.Mode) int {
	size := 0
	bases := make([]int, len(files))
	for i, f := range files {
		bases[i] = base
		base += len(f.Src) + 1 // a file's end is a position too
		size += len(f.Src)
	}
	workers := min(runtime.GOMAXPROCS(0), len(files))
	if size < parallelSize || workers < 2 {
		for i, f := range files {
			f.parse(bases[i], mode)
		}
		return base
	}
	next := make(chan int, len(files))
	for i := range files {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				files[i].parse(bases[i], mode)
			}
		})
	}
	wg.Wait()
	return base
}

// parse parses the file at the given base. It uses a file set of its own: the
// positions in one that is shared would depend on who comes first, and packages
// that are parsed once per process are in many.
func (f *sourceFile) parse(base int, mode parser.Mode) {
	fset := token.NewFileSet()
	if base > 1 {
		fset.AddFile("", 1, base-2)
	}
	var err error
	f.syntax, err = parser.ParseFile(fset, f.Name, f.Src, mode)
	f.errs, _ = err.(scanner.ErrorList)
	f.tok = fset.File(token.Pos(base))
	if f.tok == nil || f.tok.Base() != base {
		panic("BUG: load: parsed file is not at its base")
	}
}

// packageClause returns the package name of a Go file, "" if it has none.
func packageClause(src []byte) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.SkipObjectResolution)
	if err != nil || f.Name == nil {
		return ""
	}
	return f.Name.Name
}

// buildContext is the build that this program is a result of: a kernel is to mean
// what the function means that the program contains.
var buildContext = sync.OnceValue(func() build.Context {
	ctx := build.Default
	// Not the environment's: the program already has its platform.
	ctx.GOOS, ctx.GOARCH = runtime.GOOS, runtime.GOARCH
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ctx
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "-tags":
			ctx.BuildTags = append(ctx.BuildTags, strings.FieldsFunc(s.Value, func(r rune) bool { return r == ',' || r == ' ' })...)
		case "-race", "-msan", "-asan":
			if s.Value == "true" {
				ctx.BuildTags = append(ctx.BuildTags, s.Key[1:])
			}
		case "CGO_ENABLED":
			ctx.CgoEnabled = s.Value == "1"
		}
	}
	return ctx
})

// linkerFlags are the flags that this program was linked with, as far as it knows.
var linkerFlags = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-ldflags" {
				return s.Value
			}
		}
	}
	return ""
})

// constraintMarks are what a file that has build constraints contains.
var constraintMarks = [][]byte{[]byte("//go:build"), []byte("// +build"), []byte("//+build")}

// included reports whether build constraints, in the file's text and in its
// name, include a file.
func included(f *File) bool {
	base := baseName(f.Name)
	constrained := strings.Contains(strings.TrimSuffix(base, "_test.go"), "_") ||
		slices.ContainsFunc(constraintMarks, func(mark []byte) bool { return bytes.Contains(f.Src, mark) })
	if !constrained {
		return true // nearly all files, for the price of three scans
	}
	ctx := buildContext()
	ctx.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.Src)), nil }
	// The file is in memory: no error but that of a malformed header, which
	// is for the parser to report.
	ok, err := ctx.MatchFile("", base)
	return ok || err != nil
}

// baseName is the last element of a file name, which may come from a machine
// with either kind of slash.
func baseName(name string) string {
	return name[strings.LastIndexAny(name, `/\\`)+1:]
}
