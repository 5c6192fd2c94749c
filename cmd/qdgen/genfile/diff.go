package genfile

import (
	"fmt"
	"strings"
)

// Difference says how the file on disk is not as it is to be, "" if it is.
func (f *File) Difference() string {
	switch {
	case !f.Exists:
		return "does not exist"
	case f.Current():
		return ""
	case !f.mine():
		return "was not written by " + f.By
	}
	old, text := lines(f.Old), lines(f.Text)
	i := 0
	for i < len(old) && i < len(text) && old[i] == text[i] {
		i++
	}
	switch {
	case i == len(old):
		return fmt.Sprintf("is out of date: it ends before the line\n\t%s", text[i])
	case i == len(text):
		return fmt.Sprintf("is out of date: it should end before line %d", i+1)
	}
	return fmt.Sprintf("is out of date: line %d is\n\t%s\nbut should be\n\t%s", i+1, old[i], text[i])
}

func lines(text []byte) []string { return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") }
