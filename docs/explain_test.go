package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every example with kernels has a page, made by scripts/pages.sh and linked from explain.md, and nothing else has.
func TestPagesOfExamples(t *testing.T) {
	const examples = "../examples"
	have := make(map[string]bool) // whether an example has kernels
	err := filepath.WalkDir(examples, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(examples, file) // file is below it
		name, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if d.IsDir() || name == "internal" || filepath.Ext(file) != ".go" {
			return nil
		}
		text, err := os.ReadFile(file)
		have[name] = have[name] || strings.Contains(string(text), "\n//qd:kernel\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../scripts/pages.sh")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("explain.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, kernels := range have {
		made := strings.Contains(string(script)+"\n", "\npage "+name+"\n") || strings.Contains(string(script), "\npage "+name+" ")
		linked := strings.Contains(string(page), "["+name+"](../build/pages/"+name+".html)")
		if made != kernels || linked != kernels {
			t.Errorf("%s: has kernels: %v, scripts/pages.sh makes its page: %v, explain.md links it: %v", name, kernels, made, linked)
		}
	}
}
