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

	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/parallel"
)

// sourceFile is a parsed file.
type sourceFile struct {
	*File
	pkg    *sourcePackage
	syntax *ast.File
	tok    *token.File
	errs   scanner.ErrorList
	decls  []*decl // package-level, in source order
	own    bool    // its syntax is nobody else's, and may be modified

	sites *fileSites // as parsing gave it

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
	workers := runtime.GOMAXPROCS(0)
	if size < parallelSize {
		workers = 1
	}
	parallel.Each(workers, len(files), func(i int) { files[i].parse(bases[i], mode) })
	return base
}

// parse parses the file at the given base, unless it is one of those that were parsed
// lately. It uses a file set of its own: the positions in one that is shared would depend
// on who comes first, and files that are parsed once are in many.
func (f *sourceFile) parse(base int, mode parser.Mode) {
	key := parsedKey{f.Name, base, mode}
	if !f.own && f.takeParsed(key) {
		return
	}
	fset := token.NewFileSet()
	if base > 1 {
		fset.AddFile("", 1, base-2)
	}
	var err error
	f.syntax, err = parser.ParseFile(fset, f.Name, f.Src, mode)
	f.errs, _ = err.(scanner.ErrorList)
	f.sites = new(fileSites)
	f.tok = fset.File(token.Pos(base))
	if f.tok == nil || f.tok.Base() != base {
		panic("BUG: load: parsed file is not at its base")
	}
	if !f.own {
		f.keepParsed(key)
	}
}

// Every kernel is a program of its own, and most are in a package with others: its files
// would be parsed anew for each of them. Those that were parsed last are kept, nothing in
// them being modified but for [loader.replaceStatics], which has files of its own.
var lately = memo.Recent[parsedKey, *sourceFile]{Most: maxLately} // nothing but what parsing gives

// A parsedKey is where a file was parsed: its text, which may be another the next time, is
// compared.
type parsedKey struct {
	name string
	base int
	mode parser.Mode
}

// maxLately is how many bytes of source each of the two tables of lately has. Their syntax is some twenty times
// as large, but for string literals, of which there is little more than their text: a generated file has those of
// the sources of packages, and is read for each kernel.
const maxLately = 1 << 20

// weight is how much it takes to keep a file parsed.
func (f *sourceFile) weight() int {
	literals := 0
	if f.syntax != nil && len(f.Src) > maxLately/4 {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				literals += len(lit.Value)
			}
			return true
		})
	}
	return len(f.Src) - literals + literals/20
}

// takeParsed takes what parsing the file has given, if it is kept.
func (f *sourceFile) takeParsed(key parsedKey) bool {
	p, ok := lately.Load(key)
	if !ok || !bytes.Equal(p.Src, f.Src) {
		return false
	}
	f.syntax, f.tok, f.errs, f.sites = p.syntax, p.tok, p.errs, p.sites
	return true
}

// keepParsed keeps what parsing the file has given.
func (f *sourceFile) keepParsed(key parsedKey) {
	lately.Store(key, &sourceFile{File: &File{Src: f.Src}, syntax: f.syntax, tok: f.tok, errs: f.errs, sites: f.sites}, f.weight())
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
// what the function means that the program contains. After [AsGoCommand] it is the build that the go command makes.
var buildContext = sync.OnceValue(func() build.Context {
	if asGoCommand {
		return commandContext()
	}
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
			ctx.BuildTags = append(ctx.BuildTags, splitTags(s.Value)...)
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

// isTestOf reports whether this program is the test of a package.
func isTestOf(path string) bool {
	info, ok := debug.ReadBuildInfo()
	return !ok || info.Path == path+".test"
}

// constraintMarks are what a file that has build constraints contains.
var constraintMarks = [][]byte{[]byte("//go:build"), []byte("// +build"), []byte("//+build")}

// namesIncluded has the file names with an underscore that were asked for, and whether they are included: each kernel of
// a package asks for those of all its files.
var namesIncluded memo.Map[string, bool]

// included reports whether build constraints, in the file's text and in its
// name, include a file.
func included(f *File) bool {
	if f.Chosen {
		return true
	}
	header := headerOf(f.Src)
	if slices.ContainsFunc(constraintMarks, func(mark []byte) bool { return bytes.Contains(header, mark) }) {
		return matches(buildContext(), f)
	}
	if strings.Contains(strings.TrimSuffix(baseName(f.Name), "_test.go"), "_") {
		// Nothing but the name counts: the file's header need not be read.
		name := baseName(f.Name)
		if ok, known := namesIncluded.Load(name); known {
			return ok
		}
		ok, _ := namesIncluded.LoadOrStore(name, matches(buildContext(), &File{Name: name, Src: []byte("package p\n")}))
		return ok
	}
	return true // nearly all files, for the price of three scans of a few lines
}

// headerOf is the text before the package clause, where build constraints are. It is the whole text where that is not
// plain: a line of a comment that spans lines may look like the clause.
func headerOf(src []byte) []byte {
	clause := []byte("package ")
	if bytes.HasPrefix(src, clause) {
		return nil
	}
	if i := bytes.Index(src, []byte("\npackage ")); i >= 0 && !bytes.Contains(src[:i], []byte("/*")) {
		return src[:i]
	}
	return src
}

// matches reports whether build constraints include a file in a build.
func matches(ctx build.Context, f *File) bool {
	base := baseName(f.Name)
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
