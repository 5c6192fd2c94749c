package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// Every environment variable that programs read has its line in doctor's help.
func TestDoctorHelpHasAllVariables(t *testing.T) {
	help := newDoctorCommand().Long
	read := map[string]bool{}
	literal := regexp.MustCompile(`"(QD_[A-Z_]+)"`)
	root := filepath.Join("..", "..")
	err := testenv.Walk(root, func(path string, d fs.DirEntry) error {
		switch {
		case d.IsDir():
			switch name := d.Name(); {
			case name == "testdata", name == "testenv", name == "e2e", name == "bench", strings.HasPrefix(name, "fake"): // for tests alone
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		for _, m := range literal.FindAllSubmatch(text, -1) {
			read[string(m[1])] = true
		}
		return err
	})
	if err != nil || len(read) < 7 {
		t.Fatalf("found %v, %v", read, err)
	}
	for name := range read {
		if !strings.Contains(help, "\n  "+name+" ") {
			t.Errorf("%s has no line in doctor's help", name)
		}
	}
	for _, m := range regexp.MustCompile(`\n  (QD_[A-Z_]+) `).FindAllStringSubmatch(help, -1) {
		if !read[m[1]] {
			t.Errorf("nothing reads %s", m[1])
		}
	}
}
