package qd_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/qdgen/qd/internal/runtime/registry"
)

// Which files of a file system are the package's.
func TestRegisterSource(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files string // names, by spaces
		want  string // what is registered, by spaces, or the error
	}{
		{"root", "a.go b.go c_test.go d.txt", "a.go b.go"},
		{"other packages below", "a.go sub/a.go sub/deep/c.go", "a.go"},
		{"one below", "sub/dir/a.go sub/dir/b.go sub/c.txt", "a.go b.go"},
		{"several below", "x/a.go y/b.go", "Go files in x and y"},
		{"none", "a.txt b_test.go", "no Go files"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := "example.com/registered/" + strings.ReplaceAll(tt.name, " ", "_")
			files := fstest.MapFS{}
			for name := range strings.FieldsSeq(tt.files) {
				files[name] = &fstest.MapFile{Data: []byte("//go:embed *.go\n\npackage p\n\n// " + name + "\n")}
			}
			err := registry.Source(path, path, files)
			p, _ := registry.Sources().Package(path)
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) || p != nil {
					t.Errorf("error %q, package %v", err, p)
				}
				return
			}
			var names []string
			for _, f := range p.Files {
				names = append(names, strings.TrimPrefix(f.Name, path+"/"))
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("registered are %q, want %q", got, tt.want)
			}
		})
	}
}
