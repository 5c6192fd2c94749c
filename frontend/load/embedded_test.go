package load

import (
	"slices"
	"testing"
)

// TestEmbedded divides embedded files into packages.
func TestEmbedded(t *testing.T) {
	files := []File{
		{Name: "a.go", Src: []byte("package p\n")},
		{Name: "a_test.go", Src: []byte("package p\n")},
		{Name: "b_test.go", Src: []byte("package p_test\n")},
	}
	names := func(list []File) (names []string) {
		for _, f := range list {
			names = append(names, f.Name)
		}
		return names
	}
	list, complete := Embedded("example.com/p", files)
	if len(list) != 1 || complete || !slices.Equal(names(list[0].Files), []string{"a.go"}) || !slices.Equal(names(list[0].Tests), []string{"a_test.go"}) {
		t.Errorf("%v, complete %v", list, complete)
	}
	// This program is the tests of one package.
	own := tested()
	list, _ = Embedded(own, files)
	if own == "" || len(list) != 2 || !slices.Equal(names(list[0].Files), []string{"a.go", "a_test.go"}) || list[1].Path != own+"_test" || !slices.Equal(names(list[1].Files), []string{"b_test.go"}) {
		t.Errorf("tests of %s: %v", own, list)
	}
}

// TestEmbedsAll looks for the directive that embeds all files.
func TestEmbedsAll(t *testing.T) {
	for text, want := range map[string]bool{
		"package p\n\n//go:embed [^._]*.go\nvar x embed.FS\n": true,
		"package p\n\n//go:embed x.txt *.go\n":                true,
		"package p\n\n//go:embed a.go b.go\n":                 false,
		"package p\n\n// go:embed *.go\n":                     false,
		"package p\n\n//go:embed sub/*.go\n":                  false,
		"package p\n\n//go:embed a*.go\n":                     false,
	} {
		if got := embedsAll([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
