package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What README.md shows is what there is: its kernel stands in an example, its CUDA
// is what emit prints for it, its diagnostics are what emit prints for the kernel
// in testdata/refused.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string][]string{}
	for _, m := range regexp.MustCompile("(?s)```([a-z]*)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks[m[1]] = append(blocks[m[1]], m[2])
	}
	first := func(lang string) string {
		if len(blocks[lang]) == 0 {
			t.Fatalf("README.md has no block of %q", lang)
		}
		return blocks[lang][0]
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)

	example, err := os.ReadFile("examples/saxpy/main.go")
	if err != nil {
		t.Fatal(err)
	}
	kernel, _, _ := strings.Cut(first("go"), "\n\n")
	if !strings.Contains(string(example), kernel) {
		t.Errorf("README.md's kernel is not that of examples/saxpy:\n%s", kernel)
	}

	var stdout, stderr strings.Builder
	if status := run([]string{"emit", "./examples/saxpy"}, &stdout, &stderr); status != exitOK {
		t.Fatalf("emit: exit status %d\n%s", status, &stderr)
	}
	if !strings.HasSuffix(stdout.String(), "\n\n"+first("cuda")) {
		t.Errorf("README.md's CUDA is not the end of what emit prints:\n%s", &stdout)
	}

	t.Chdir("cmd/qdgen/testdata/refused")
	stdout.Reset()
	stderr.Reset()
	if status := run([]string{"emit", "."}, &stdout, &stderr); status != exitError {
		t.Fatalf("emit of a refused kernel: exit status %d", status)
	}
	if !strings.Contains(string(text), "```\n"+stderr.String()+"```") {
		t.Errorf("README.md does not show these diagnostics:\n%s", &stderr)
	}
}
