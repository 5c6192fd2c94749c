package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeTree writes files by slash-separated name below a new directory.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// noEnvironment hides the go command's settings of whoever runs the tests.
func noEnvironment(t *testing.T) {
	for _, name := range []string{"GOWORK", "GOMODCACHE", "GOPATH"} {
		t.Setenv(name, "")
	}
	t.Setenv("GOENV", "off")
}

func TestDisk(t *testing.T) {
	noEnvironment(t)
	root := writeTree(t, map[string]string{
		"m/go.mod": `module example.com/m

go 1.26

require (
	example.com/Cached v1.2.0
	example.com/local v1.0.0
	example.com/forked v1.0.0
	example.com/vendored v1.0.0
)

replace example.com/local => ../local

replace example.com/forked v1.0.0 => example.com/fork v1.5.0
`,
		"m/cmd/app/main.go":                     "package main; func kernel() {}",
		"m/cmd/app/util.go":                     "package main; func util() {}",
		"m/cmd/app/gen.go":                      "//go:build ignore\n\npackage main; func kernel() {}",
		"m/cmd/app/main_test.go":                "package main; func testKernel() {}",
		"m/pkg/a.go":                            "package pkg",
		"m/pkg/b_plan9.go":                      "package pkg",
		"m/pkg/_c.go":                           "package pkg",
		"m/pkg/readme.txt":                      "no Go",
		"m/pkg/tool.go":                         "//go:build ignore\n\npackage main",
		"m/pkg/a_test.go":                       "package pkg",
		"m/pkg/export_test.go":                  "package pkg",
		"m/pkg/x_test.go":                       "package pkg_test",
		"m/none/readme.txt":                     "no Go",
		"m/nested/go.mod":                       "module example.com/other\n",
		"m/nested/p/p.go":                       "package p",
		"m/vendor/modules.txt":                  "",
		"m/vendor/example.com/vendored/p/v.go":  "package p",
		"local/go.mod":                          "module example.com/local\n",
		"local/sub/l.go":                        "package sub",
		"mod/example.com/!cached@v1.2.0/c.go":   "package cached",
		"mod/example.com/!cached@v1.3.0/d.go":   "package cached",
		"mod/example.com/fork@v1.5.0/in/f.go":   "package in",
		"mod/example.com/forked@v1.0.0/in/f.go": "package in",
	})
	t.Setenv("GOMODCACHE", filepath.Join(root, "mod"))

	tests := []struct {
		file  string // that the kernel is in
		path  string // "" for the path of that file's package
		files string // expected, with the path in front
	}{
		{"m/cmd/app/main.go", "", "main: m/cmd/app/main.go m/cmd/app/util.go"},
		{"m/cmd/app/main.go", "main", "main: m/cmd/app/main.go m/cmd/app/util.go"},
		{"m/cmd/app/main.go", "example.com/m/cmd/app", "example.com/m/cmd/app: m/cmd/app/main.go m/cmd/app/util.go"},
		{"m/cmd/app/gen.go", "", "main: m/cmd/app/gen.go m/cmd/app/main.go m/cmd/app/util.go"},
		{"m/cmd/app/main_test.go", "", "example.com/m/cmd/app: m/cmd/app/main.go m/cmd/app/main_test.go m/cmd/app/util.go"},
		{"m/pkg/a.go", "", "example.com/m/pkg: m/pkg/a.go"},
		{"m/pkg/a.go", "main", ""},
		{"m/pkg/a.go", "example.com/m/pkg_test", ""},
		{"m/pkg/a_test.go", "", "example.com/m/pkg: m/pkg/a.go m/pkg/a_test.go m/pkg/export_test.go"},
		{"m/pkg/x_test.go", "", "example.com/m/pkg_test: m/pkg/x_test.go"},
		{"m/pkg/x_test.go", "example.com/m/pkg", "example.com/m/pkg: m/pkg/a.go m/pkg/a_test.go m/pkg/export_test.go"},
		{"m/pkg/x_test.go", "command-line-arguments_test", "command-line-arguments_test: m/pkg/x_test.go"},
		{"m/pkg/a_test.go", "command-line-arguments", "command-line-arguments: m/pkg/a.go m/pkg/a_test.go m/pkg/export_test.go"},
		{"m/cmd/app/main.go", "example.com/m/pkg", "example.com/m/pkg: m/pkg/a.go"},
		{"m/cmd/app/main.go", "example.com/m/none", ""},
		{"m/cmd/app/main.go", "example.com/m/missing", ""},
		{"m/cmd/app/main.go", "example.com/m/nested/p", ""},
		{"m/cmd/app/main.go", "example.com/local/sub", "example.com/local/sub: local/sub/l.go"},
		{"m/cmd/app/main.go", "example.com/Cached", "example.com/Cached: mod/example.com/!cached@v1.2.0/c.go"},
		{"m/cmd/app/main.go", "example.com/forked/in", "example.com/forked/in: mod/example.com/fork@v1.5.0/in/f.go"},
		{"m/cmd/app/main.go", "example.com/vendored/p", "example.com/vendored/p: m/vendor/example.com/vendored/p/v.go"},
		{"m/cmd/app/main.go", "strings", ""},
		{"m/cmd/app/main.go", "../pkg", ""},
		{"m/cmd/app/main.go", "", "main: m/cmd/app/main.go m/cmd/app/util.go"},
		{"m/nested/p/p.go", "", "example.com/other/p: m/nested/p/p.go"},
	}
	for _, test := range tests {
		src, pkg, err := Disk(filepath.Join(root, filepath.FromSlash(test.file)))
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		if test.path != "" {
			if pkg, err = src.Package(test.path); err != nil {
				t.Errorf("%s: %v", test.file, err)
			}
		}
		got := ""
		if pkg != nil {
			got = pkg.Path + ":"
			for _, f := range pkg.Files {
				rel, _ := filepath.Rel(root, f.Name)
				got += " " + filepath.ToSlash(rel)
				if text, err := os.ReadFile(f.Name); err != nil || string(text) != string(f.Src) {
					t.Errorf("%s: %v", f.Name, err)
				}
			}
		}
		if got != test.files {
			t.Errorf("%s asked for %q:\n got %s\nwant %s", test.file, test.path, got, test.files)
		}
	}
}

func TestDiskWorkspace(t *testing.T) {
	noEnvironment(t)
	root := writeTree(t, map[string]string{
		"go.work":  "go 1.26\n\nuse (\n\t./a\n\t./b\n)\n\nreplace example.com/r => ./r\n",
		"a/go.mod": "module example.com/a\n\nrequire example.com/v v1.0.0\n",
		"a/a.go":   "package a",
		"b/go.mod": "module example.com/b\n\nrequire example.com/v v1.1.0\n",
		"b/b.go":   "package b",
		"r/r.go":   "package r",
		"c/go.mod": "module example.com/c\n",
		"c/c.go":   "package c",
		"gopath/pkg/mod/example.com/v@v1.1.0/v.go": "package v",
	})
	t.Setenv("GOPATH", filepath.Join(root, "gopath"))
	found := func(file string, paths ...string) (got []string) {
		t.Helper()
		src, _, err := Disk(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if p, err := src.Package(path); err != nil {
				t.Error(err)
			} else if p != nil {
				got = append(got, path)
			}
		}
		return got
	}
	paths := []string{"example.com/a", "example.com/b", "example.com/c", "example.com/r", "example.com/v"}
	want := []string{"example.com/a", "example.com/b", "example.com/r", "example.com/v"}
	if got := found("a/a.go", paths...); !slices.Equal(got, want) {
		t.Errorf("in the workspace: %v", got)
	}
	if got := found("c/c.go", paths...); !slices.Equal(got, []string{"example.com/c"}) {
		t.Errorf("beside the workspace: %v", got)
	}
	t.Setenv("GOWORK", "off")
	if got := found("a/a.go", paths...); !slices.Equal(got, []string{"example.com/a"}) {
		t.Errorf("without the workspace: %v", got)
	}
}

// TestDiskCheck takes kernels of every kind of package from disk to their types.
func TestDiskCheck(t *testing.T) {
	noEnvironment(t)
	qd := sources(nil)
	root := writeTree(t, map[string]string{
		"go.mod":          "module example.com/m\n",
		"main.go":         "package main\n\nimport (\n\t\"example.com/m/vec\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc main() {}\n\nfunc kernel(t qd.Thread, x []float32) { x[0] = vec.Dot(x, x) }\n",
		"vec/vec.go":      "package vec\n\nfunc Dot(x, y []float32) float32 { return x[0] * y[0] }\n",
		"vec/in_test.go":  "package vec\n\nimport \"github.com/qdgen/qd\"\n\nfunc kernel(t qd.Thread, x []float32) { x[0] = Dot(x, x) }\n\nvar Exported = dot\n\nfunc dot() {}\n\nfunc Sum(x []float32) float32 { return x[0] }\n",
		"vec/out_test.go": "package vec_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/vec\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc TestX(t *testing.T) {}\n\nfunc kernel(t qd.Thread, x []float32) { x[0] = vec.Dot(x, x) + vec.Sum(x) }\n",
		"loose/x.go":      "package main\n\nfunc kernel() {}\n",
	})
	for _, test := range []struct{ file, pkg, want string }{
		{"main.go", "main", "example.com/m/vec.Dot main.kernel"},
		{"vec/in_test.go", "example.com/m/vec", "example.com/m/vec.Dot example.com/m/vec.kernel"},
		{"vec/out_test.go", "example.com/m/vec_test", "example.com/m/vec.Dot example.com/m/vec.Sum example.com/m/vec_test.kernel"},
	} {
		file := filepath.Join(root, test.file)
		src, _, err := Disk(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Check(Chain(qd, src), Ref{Pkg: test.pkg, Name: "kernel", File: file})
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		if got := strings.Join(funcNames(p), " "); got != test.want {
			t.Errorf("%s: reached %s", test.file, got)
		}
	}
}

func TestDiskErrors(t *testing.T) {
	root := writeTree(t, map[string]string{"m/no.go": "nothing", "alone/a.go": "package alone"})
	for _, test := range []struct {
		file, want string
		cause      error
	}{
		{filepath.Join(root, "m/missing.go"), "cannot be read", fs.ErrNotExist},
		{filepath.Join(root, "m/no.go"), "no package clause", nil},
		{"github.com/qdgen/qd/x.go", "-trimpath", nil},
	} {
		_, _, err := Disk(test.file)
		var nf *NotFoundError
		if !errors.As(err, &nf) || !strings.Contains(err.Error(), test.want) || test.cause != nil && !errors.Is(err, test.cause) {
			t.Errorf("%s: %v", test.file, err)
		}
	}
	// Outside of a module a program still finds its own package.
	src, pkg, err := Disk(filepath.Join(root, "alone/a.go"))
	if err != nil || pkg.Path != "alone" {
		t.Fatal(pkg, err)
	}
	if p, err := src.Package("some/where/alone"); p == nil || err != nil {
		t.Error(p, err)
	}
	if p, err := src.Package("strings"); p != nil || err != nil {
		t.Error(p, err)
	}
}

// A function under a //line directive is not said to be in a program that was built with -trimpath.
func TestDiskLineDirective(t *testing.T) {
	for _, name := range []string{"foo.y", "/somewhere/foo.y", "a.go"} {
		_, _, err := Disk(name)
		if err == nil || !strings.Contains(err.Error(), "a //line directive says that it is in "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := Disk("other/dir/a.go"); err == nil || !strings.Contains(err.Error(), "a //line directive says so, or the package was built with -trimpath") {
		t.Error(err)
	}
}
