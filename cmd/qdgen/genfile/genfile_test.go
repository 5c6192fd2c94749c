package genfile

import "testing"

func TestDifference(t *testing.T) {
	header := Header("qdgen gen")
	text := []byte(header + "\n\npackage p\n\nvar x int\n")
	for _, tt := range []struct{ old, want string }{
		{string(text), ""},
		{"package p\n", "was not written by qdgen gen"},
		{header + "\n\npackage q\n\nvar x int\n", "is out of date: line 3 is\n\tpackage q\nbut should be\n\tpackage p"},
		{header + "\n\npackage p\n", "is out of date: it ends before the line\n\t"},
		{string(text) + "var y int\n", "is out of date: it should end before line 6"},
	} {
		f := File{By: "qdgen gen", Text: text, Old: []byte(tt.old), Exists: true}
		if got := f.Difference(); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.old, got, tt.want)
		}
	}
	if got := (&File{Text: text}).Difference(); got != "does not exist" {
		t.Errorf("a file that is not there %s", got)
	}
}
