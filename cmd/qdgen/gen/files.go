package gen

import (
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// declaredInFile is the names that a file declares at package level, those of the types among them that it has
// methods of, and the name of its package. Of a file that is not Go it is those before the error.
func declaredInFile(file string) (names []string, pkg string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if f == nil {
		return nil, "", err
	}
	for _, d := range f.Decls {
		for _, n := range declaredNames(d) {
			names = append(names, n.name)
		}
	}
	return names, f.Name.Name, nil
}

// constraintOf is the build constraint of code that refers to what files declare: all of
// theirs. It is "" if they have none.
func constraintOf(files []string, texts map[string][]byte) string {
	var all []string
	for _, file := range files {
		expr := fileConstraint(filepath.Base(file), texts[file])
		if expr != nil && !slices.Contains(all, expr.String()) {
			all = append(all, expr.String())
		}
	}
	slices.Sort(all)
	var whole constraint.Expr
	for _, text := range all {
		expr, err := constraint.Parse("//go:build " + text)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		whole = and(whole, expr)
	}
	if whole == nil {
		return ""
	}
	return whole.String()
}

// fileConstraint is what a file's name and its first lines ask of a build, nil for nothing.
func fileConstraint(base string, text []byte) (whole constraint.Expr) {
	parts := strings.Split(strings.TrimSuffix(base, ".go"), "_")
	if n := len(parts); n > 1 && isPlatform(parts[n-1]) {
		if n > 2 && isPlatform(parts[n-2]) {
			whole = &constraint.TagExpr{Tag: parts[n-2]}
		}
		whole = and(whole, &constraint.TagExpr{Tag: parts[n-1]})
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if constraint.IsGoBuild(line) {
			if expr, err := constraint.Parse(line); err == nil {
				whole = and(whole, expr)
			}
		}
		if line != "" && !strings.HasPrefix(line, "//") {
			break // the package clause, or a comment that is longer than its like
		}
	}
	return whole
}

func and(x, y constraint.Expr) constraint.Expr {
	if x == nil {
		return y
	}
	return &constraint.AndExpr{X: x, Y: y}
}

// isPlatform reports whether a word at the end of a file's name is an operating system
// or an architecture: package build knows, and has no other way to say it.
func isPlatform(word string) bool {
	ctx := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	ok, err := ctx.MatchFile("", "x_"+word+".go")
	return err == nil && !ok
}
