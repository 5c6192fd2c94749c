//go:build unix && !race

package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/internal/testenv"
)

// otherSystems are those that nobody runs the tests on: there devices report what they cannot do
// when a program runs, but what programs import and the command have to build.
var otherSystems = []struct{ os, arch, tags string }{
	{"windows", "amd64", ""}, {"darwin", "arm64", ""}, {"linux", "arm64", ""}, {"linux", "386", ""}, {"linux", "arm", ""}, {"linux", "amd64", "qdgo"},
}

// What programs import and the command pass the type checker as they are on other systems. To
// compile them would take ten times as long and find no more: nothing of theirs is C, and their assembly is for one system.
func TestOtherSystems(t *testing.T) {
	t.Parallel()
	for _, s := range otherSystems {
		t.Run(s.os+" "+s.arch+" "+s.tags, func(t *testing.T) {
			errs, checked := typeErrors(t, s.os, s.arch, s.tags, nil, ".", "./par", "./tile", "./optim", "./cmd/qdgen")
			for _, err := range errs {
				t.Error(err)
			}
			if checked < 50 {
				t.Errorf("only %d packages", checked)
			}
		})
	}
}

// An error that is there on one system alone is found.
func TestOtherSystemsErrors(t *testing.T) {
	t.Parallel()
	name := filepath.Join(testenv.Root(), "internal", "origin", "change_other.go")
	text, err := os.ReadFile(name)
	must(t, err)
	wrong := map[string][]byte{name: append(text, "\nvar wrong int = nowhere\n"...)}
	errs, _ := typeErrors(t, "windows", "amd64", "", wrong, "./internal/origin")
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "undefined: nowhere") {
		t.Errorf("the errors are %v", errs)
	}
	if errs, _ := typeErrors(t, "darwin", "arm64", "", wrong, "./internal/origin"); len(errs) != 0 {
		t.Errorf("the file is not for this system, and the errors are %v", errs)
	}
}

// typeErrors type-checks package qd and the command as they are on a system, with all that they
// import, from source, with build tags. Of packages of others, Go's own among them, it checks the declarations alone.
func typeErrors(t *testing.T, goos, goarch, tags string, overlay map[string][]byte, patterns ...string) (errs []error, checked int) {
	t.Helper()
	own := testenv.Root() + string(filepath.Separator)
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:     testenv.Root(),
		Env:     append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
		Overlay: overlay,

		BuildFlags: []string{"-tags=" + tags},
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if f != nil && !strings.HasPrefix(name, own) {
				for _, d := range f.Decls {
					if d, ok := d.(*ast.FuncDecl); ok {
						d.Body = nil
					}
				}
			}
			return f, err
		},
	}, patterns...)
	must(t, err)
	packages.Visit(list, nil, func(p *packages.Package) {
		if p.Module == nil {
			return // one of Go's own
		}
		for _, err := range p.Errors {
			if p.Module.Main || err.Kind == packages.ListError { // what lacks bodies has errors of types
				errs = append(errs, err)
			}
		}
		if !p.Module.Main {
			return
		}
		checked++
		// The go command, which lists the files, is another process: go test does not see what it looks at.
		if len(p.GoFiles) > 0 {
			_, err := os.ReadDir(filepath.Dir(p.GoFiles[0]))
			must(t, err)
		}
	})
	return errs, checked
}
