package load

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// A file that was parsed lately is parsed again when its text is another, or its place is,
// or when its syntax is to be modified, and only then.
func TestParsedLately(t *testing.T) {
	parse := func(name, text string, base int, own bool) *sourceFile {
		t.Helper()
		p, next := parsePackage(&Package{Path: "k", Files: []File{{Name: name, Src: []byte(text)}}}, base, parseMode, own, func(*File) bool { return false })
		if len(p.files) != 1 || next != base+len(text)+1 {
			t.Fatalf("%d files, %d follows", len(p.files), next)
		}
		f := p.files[0]
		if string(f.Src) != text || f.Name != name || f.tok.Name() != name || f.tok.Base() != base || f.syntax.FileStart != f.tok.Pos(0) {
			t.Fatalf("%s at %d: got %s at %d", name, base, f.tok.Name(), f.tok.Base())
		}
		return f
	}
	const text, other = "package k\n\nfunc f() {}\n", "package k\n\nfunc g() {}\n"
	first := parse("lately.go", text, 100, false)
	if parse("lately.go", text, 100, false).syntax != first.syntax {
		t.Error("the same file is parsed again")
	}
	for what, f := range map[string]*sourceFile{
		"name":  parse("later.go", text, 100, false),
		"place": parse("lately.go", text, 200, false),
		"own":   parse("lately.go", text, 100, true),
	} {
		if f.syntax == first.syntax {
			t.Errorf("%s: the syntax of another", what)
		}
	}
	if parse("lately.go", text, 100, false).syntax != first.syntax {
		t.Error("the same file is parsed again after others")
	}
	if f := parse("lately.go", other, 100, false); len(f.pkg.decls["g"]) != 1 || len(f.pkg.decls["f"]) != 0 {
		t.Error("an edit is not noticed")
	}
	if f := parse("lately.go", text+"func (", 100, false); len(f.errs) == 0 {
		t.Error("no syntax error")
	}
	if f := parse("lately.go", text+"func (", 100, false); len(f.errs) == 0 {
		t.Error("no syntax error the second time")
	}
}

// What is kept parsed does not grow without end.
func TestParsedLatelyIsLittle(t *testing.T) {
	text := append([]byte("package k\n"), bytes.Repeat([]byte("// a comment\n"), maxLately/13/4)...)
	for i := range 20 {
		parsePackage(&Package{Path: "k", Files: []File{{Name: fmt.Sprint(i, ".go"), Src: text}}}, 1, parseMode, false, func(*File) bool { return false })
		if young, old := lately.Weights(); young > maxLately || old > maxLately {
			t.Fatalf("%d and %d bytes", young, old)
		}
	}
	if young, old := lately.Weights(); young == 0 || old == 0 {
		t.Errorf("%d and %d bytes are kept", young, old)
	}
}

// The file that each of many kernels needs stays parsed, when every other file is needed once.
func TestParsedLatelyIsUsed(t *testing.T) {
	parse := func(name string, size int) *sourceFile {
		text := append([]byte("package k\n"), bytes.Repeat([]byte("// a comment\n"), size/13)...)
		p, _ := parsePackage(&Package{Path: "k", Files: []File{{Name: name, Src: text}}}, 1, parseMode, false, func(*File) bool { return false })
		return p.files[0]
	}
	first := parse("used.go", maxLately/2)
	for i := range 10 {
		parse(fmt.Sprint("once", i, ".go"), maxLately/3)
		if f := parse("used.go", maxLately/2); f.syntax != first.syntax || f.sites != first.sites {
			t.Fatalf("it is parsed again after %d others", i+1)
		}
	}
}

// A generated file with long string literals is kept parsed too: its syntax is small.
func TestLongLiteralsAreParsedOnce(t *testing.T) {
	text := slices.Concat([]byte("package k\n\nvar text = `"), bytes.Repeat([]byte("text\n"), maxLately/2), []byte("`\n"))
	parse := func() *sourceFile {
		p, _ := parsePackage(&Package{Path: "k", Files: []File{{Name: "long.go", Src: text}}}, 1, parseMode, false, func(*File) bool { return false })
		return p.files[0]
	}
	first := parse()
	if parse().syntax != first.syntax {
		t.Error("the file is parsed twice")
	}
}

// Build constraints count where Go looks for them, whatever comes before, and names by what they end with.
func TestIncluded(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"a.go", "package a\n", true},
		{"a.go", "//go:build ignore\n\npackage a\n", false},
		{"a.go", "// +build ignore\n\npackage a\n", false},
		{"a.go", "// Package a has //go:build in a comment.\npackage a\n", true},
		{"a.go", "/*\npackage a is next.\n*/\n\n//go:build ignore\n\npackage a\n", false},
		{"a.go", "package a\n\n//go:build ignore\n", true},
		{"a.go", "\n//go:build ignore\n\npackage a\n", false},
		{"a_plan9.go", "package a\n", false},
		{"a_plan9.go", "package a\n", false}, // once more
		{"dir_plan9/a_more.go", "package a\n", true},
		{"a_plan9_more.go", "package a\n", true},
	} {
		f := &File{Name: tt.name, Src: []byte(tt.text)}
		if got, want := included(f), matches(buildContext(), f); got != tt.want || got != want {
			t.Errorf("%s, %q: %v, want %v, go/build says %v", tt.name, tt.text, got, tt.want, want)
		}
	}
}
