package load

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An exported variable of an internal package in the module cache is known to be named by none of the packages around it.
func TestInternalTree(t *testing.T) {
	root := filepath.Join(t.TempDir(), "m@v1.2.3")
	write := func(name, text string) string {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const imported = `"example.com/m/a/internal/b"`
	files := []File{{Name: write("a/internal/b/b.go", "package bb\n\nvar Set, Aliased, Tested, Shadowed, Own, Outside, Read int\n\nfunc Get() int { return Own }\n")}}
	write("a/a.go", "package a\n\nimport "+imported+"\n\nfunc F() { bb.Set = 1; _ = 2*(bb.Read) > bb.Read; var c struct{ Own int }; c.Own++; bb.Get() }\n")
	write("a/c/c.go", "//go:build ignore\n\npackage c\n\nimport q "+imported+"\n\nvar X = &q.Aliased\n")
	write("a/d/d_test.go", "package d\n\nimport "+imported+"\n\nvar X = &bb.Tested\n")
	write("e.go", "package m\n\nimport "+imported+"\n\nvar X = &bb.Outside\n") // which does not compile
	tree, ok := treeOf("example.com/m/a/internal/b", files)
	if !ok {
		t.Fatal("the tree is not known")
	}
	for name, want := range map[string]bool{"Set": true, "Aliased": true, "Tested": false, "Own": false, "Outside": false, "Get": true, "Read": false} {
		if got := tree.names("bb", name); got != want {
			t.Errorf("%s is named: %v, want %v", name, got, want)
		}
	}

	if root, err := goRoot(); err == nil && root != "" {
		tree, ok := treeOf("internal/bytealg", []File{{Name: filepath.Join(root, "src/internal/bytealg/bytealg.go")}})
		if !ok || tree.names("bytealg", "MaxLen") || !tree.names("bytealg", "IndexByte") {
			t.Errorf("internal/bytealg: tree %v %v", tree, ok)
		}
	}

	files[0].Name = write("x/internal/b/b.go", "package b\n\nvar N int\n")
	write("x/y/y.go", "package y\n\nimport . \"example.com/m/x/internal/b\"\n\nfunc F() { N = 1 }\n")
	if tree, ok := treeOf("example.com/m/x/internal/b", files); !ok || !tree.names("b", "N") {
		t.Errorf("tree %v %v: a dot import names all", tree, ok)
	}
	files[0].Name = write("z/internal/b/b.go", "package b\n\nvar N int\n")
	write("z/y.go", "package z\n\nimport \"example.com/m/z/internal/b\"\n\nfunc {\n")
	if tree, ok := treeOf("example.com/m/z/internal/b", files); !ok || !tree.names("b", "N") {
		t.Errorf("tree %v %v: what cannot be parsed may name all", tree, ok)
	}
	for importPath, name := range map[string]string{
		"example.com/m/b":                filepath.Join(root, "b/b.go"),                      // any package can import it
		"internal/b":                     filepath.Join(root, "internal/b/b.go"),             // so can any of a module without a path
		"example.com/n/internal/b":       filepath.Join(root, "a/b/b.go"),                    // the directory is another one
		"example.com/o/internal/b":       filepath.Join(t.TempDir(), "o/internal/b/b.go"),    // that of somebody who may change it
		"example.com/internal/b":         filepath.Join(root, "..", "internal", "b", "b.go"), // above the module
		"github.com/qdgen/qd/internal/b": filepath.Join(root, "internal/b/b.go"),             // this program has packages around it
	} {
		if tree, ok := treeOf(importPath, []File{{Name: name}}); ok {
			t.Errorf("%s: tree %v", importPath, tree)
		}
	}
}

// Files of the standard library that import internal packages are found without parsing them.
func TestInternalPaths(t *testing.T) {
	got := internalPaths([]byte("package p\n\nimport (\n\t\"internal/cpu\"\n\t_ `crypto/internal/fips140`\n\ta \"internal\"\n)\n\nvar internals = cpu.X // internal/cpu\n"))
	if want := []string{"internal/cpu", "crypto/internal/fips140", "internal", "internals"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	root, err := goRoot()
	if err != nil || root == "" {
		t.Skip("there is no standard library")
	}
	imports := 0
	for _, pkg := range []string{"reflect", "runtime", "strings", "internal/bytealg", "internal/poll"} {
		files, err := filepath.Glob(filepath.Join(root, "src", pkg, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found := internalPaths(src)
			syntax, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range syntax.Imports {
				if p := importPath(spec); strings.Contains(p, "internal") {
					imports++
					if !slices.Contains(found, p) {
						t.Errorf("%s imports %s, which is not among %q", file, p, found)
					}
				}
			}
		}
	}
	if imports < 100 {
		t.Errorf("only %d imports of internal packages were looked at", imports)
	}
}
