package load

import (
	"bytes"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// EmbedAll is the pattern with which go:embed takes all Go files of a package, those that the go command
// ignores by their names excepted: editors leave such.
const EmbedAll = "[^._]*.go"

// embedDirective begins the line that says what a variable has embedded.
var embedDirective = []byte("//go:embed ")

// embedsAll reports whether a file has a variable embed all Go files that are beside it.
func embedsAll(text []byte) bool {
	for line := range bytes.Lines(text) {
		patterns, ok := bytes.CutPrefix(line, embedDirective)
		if ok && slices.ContainsFunc(strings.Fields(string(patterns)), func(p string) bool {
			return p == EmbedAll || p == "*.go"
		}) {
			return true
		}
	}
	return false
}

// Embedded makes packages of the Go files of a directory, as the Go compiler has put them into the program: the
// package with an import path and, if the program is its tests, that of its external tests. Which files belong to
// the build is seen to later. Complete says that no file of the directory is missing. That the
// compiler has seen to it a file tells that is among them: it embeds all that are beside it.
func Embedded(importPath string, files []File) (list []*Package, complete bool) {
	p, external := &Package{Path: importPath}, &Package{Path: importPath + "_test"}
	for _, f := range files {
		complete = complete || embedsAll(f.Src)
		switch {
		case !isTest(f.Name):
			p.Files = append(p.Files, f)
		case strings.HasSuffix(packageClause(f.Src), "_test"):
			external.Files = append(external.Files, f)
		case isTested(importPath):
			p.Files = append(p.Files, f)
		default:
			p.Tests = append(p.Tests, f)
		}
	}
	list = append(list, p)
	if isTested(importPath) && len(external.Files) > 0 {
		list = append(list, external)
	}
	return list, complete
}

// tested is the import path of the package whose tests this program is. Where it is no tests, that is the path of its
// package main, which it does not know by that: it is "main" then.
var tested = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return strings.TrimSuffix(info.Path, ".test") // with which go test calls tests, but for those of a package main
})

// isTested reports whether this program is the tests of a package, whose test files are files of the package then: a
// function max that they declare is what the others call.
func isTested(importPath string) bool { return importPath != "" && importPath == tested() }

// An UnprovenError is source of which nothing proves that the program was built from it: who launches does not
// take it.
type UnprovenError struct{ Reason string }

// Error implements error.
func (e *UnprovenError) Error() string { return e.Reason }

// Regenerate is advice where what a program has embedded is not enough.
const Regenerate = "run qdgen gen ./... in the program's module, which has it embed its source, and build it again"
