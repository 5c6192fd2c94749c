package diag

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"testing"
)

func at(file string, line, col int) token.Position {
	return token.Position{Filename: file, Line: line, Column: col}
}

func TestString(t *testing.T) {
	tests := []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"all", Diagnostic{Pos: at("a.go", 3, 7), Msg: "bad x", Hint: "use y", Line: "\tif a\tx {"},
			"a.go:3:7: bad x\n\t\tif a\tx {\n\t\t    \t^\nhelp: use y"},
		{"no hint", Diagnostic{Pos: at("a.go", 3, 1), Msg: "bad", Line: "x"}, "a.go:3:1: bad\n\tx\n\t^"},
		{"no line", Diagnostic{Pos: at("a.go", 3, 1), Msg: "bad"}, "a.go:3:1: bad"},
		{"blank line", Diagnostic{Pos: at("a.go", 3, 1), Msg: "bad", Line: "\t "}, "a.go:3:1: bad"},
		{"past the end", Diagnostic{Pos: at("a.go", 3, 3), Msg: "bad", Line: "ab"}, "a.go:3:3: bad\n\tab\n\t  ^"},
		{"column out of range", Diagnostic{Pos: at("a.go", 3, 9), Msg: "bad", Line: "ab"}, "a.go:3:9: bad\n\tab"},
		{"beyond ASCII", Diagnostic{Pos: at("a.go", 1, 9), Msg: "bad", Line: "α := éx"}, "a.go:1:9: bad\n\tα := éx\n\t      ^"},
		{"invalid UTF-8", Diagnostic{Pos: at("a.go", 1, 3), Msg: "bad", Line: "\xff\xfex"}, "a.go:1:3: bad\n\t\xff\xfex\n\t  ^"},
		{"no position", Diagnostic{Msg: "bad"}, "bad"},
		{"file only", Diagnostic{Pos: token.Position{Filename: "a.go"}, Msg: "bad"}, "a.go: bad"},
	}
	for _, test := range tests {
		if got := test.d.String(); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestList(t *testing.T) {
	var l List
	if l.Err() != nil || l.Len() != 0 {
		t.Fatal("the empty list is an error")
	}
	l.Add(Diagnostic{Pos: at("b.go", 1, 1), Msg: "first of b"})
	l.Add(Diagnostic{Pos: at("a.go", 10, 2), Msg: "at 10:2"})
	l.Add(Diagnostic{Pos: at("a.go", 9, 30), Msg: "at 9:30"})
	l.Add(Diagnostic{Pos: at("a.go", 9, 3), Msg: "z"}, Diagnostic{Pos: at("a.go", 9, 3), Msg: "y"}, Diagnostic{Pos: at("a.go", 9, 3), Msg: "y", Hint: "one"})
	if l.Len() != 6 {
		t.Errorf("%d collected", l.Len())
	}
	err := l.Err()
	if want := "a.go:9:3: y\nhelp: one\na.go:9:3: z\na.go:9:30: at 9:30\na.go:10:2: at 10:2\nb.go:1:1: first of b"; err.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", err, want)
	}
	var ds *Diagnostics
	if !errors.As(fmt.Errorf("launch: %w", err), &ds) || len(ds.List) != 5 {
		t.Errorf("errors.As found %v", ds)
	}
}

// TestError checks that an error made by hand is sorted and stays as it was made.
func TestError(t *testing.T) {
	list := []Diagnostic{{Pos: at("b.go", 1, 1), Msg: "b"}, {Pos: at("a.go", 1, 1), Msg: "a"}, {Pos: at("b.go", 1, 1), Msg: "b"}}
	ds := &Diagnostics{List: slices.Clone(list)}
	if got := ds.Error(); got != "a.go:1:1: a\nb.go:1:1: b" {
		t.Error(got)
	}
	if !slices.Equal(ds.List, list) {
		t.Error("Error has changed the list")
	}
	if (&Diagnostics{}).Error() == "" {
		t.Error("an error without text")
	}
}

func TestWarned(t *testing.T) {
	var warned Warned
	for _, test := range []struct {
		d    Diagnostic
		want bool
	}{
		{Diagnostic{Pos: at("a.go", 3, 7), Msg: "odd"}, true},
		{Diagnostic{Pos: at("a.go", 3, 7), Msg: "odd"}, false},
		{Diagnostic{Pos: at("a.go", 4, 7), Msg: "odd"}, true},
		{Diagnostic{Pos: at("a.go", 5, 7), Msg: "x is large", Once: "large T"}, true},
		{Diagnostic{Pos: at("b.go", 1, 1), Msg: "y is large", Once: "large T"}, false},
		{Diagnostic{Pos: at("b.go", 1, 1), Msg: "y is large", Once: "large U"}, true},
	} {
		if got := warned.First(test.d); got != test.want {
			t.Errorf("%v: %t, want %t", test.d, got, test.want)
		}
	}
}
