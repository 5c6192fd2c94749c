//go:build unix && !race

package e2e

import (
	"go/ast"
	"go/build"
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
var otherSystems = []struct{ os, arch string }{{"windows", "amd64"}, {"darwin", "arm64"}, {"linux", "arm64"}}

// What programs import and the command pass the type checker as they are on other systems. To
// compile them would take ten times as long and find no more: nothing of theirs is assembly or C.
func TestOtherSystems(t *testing.T) {
	t.Parallel()
	for _, s := range otherSystems {
		t.Run(s.os+" "+s.arch, func(t *testing.T) {
			for _, err := range typeErrors(t, s.os, s.arch, nil) {
				t.Error(err)
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
	errs := typeErrors(t, "windows", "amd64", wrong)
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "undefined: nowhere") {
		t.Errorf("the errors are %v", errs)
	}
	if errs := typeErrors(t, "darwin", "arm64", wrong); len(errs) != 0 {
		t.Errorf("the file is not for this system, and the errors are %v", errs)
	}
}

// typeErrors type-checks package qd and the command as they are on a system, with all that they
// import, from source. Of Go's own packages it checks the declarations alone.
func typeErrors(t *testing.T, goos, goarch string, overlay map[string][]byte) (errs []error) {
	t.Helper()
	own := filepath.Join(build.Default.GOROOT, "src") + string(filepath.Separator)
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:     testenv.Root(),
		Env:     append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
		Overlay: overlay,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if f != nil && strings.HasPrefix(name, own) {
				for _, d := range f.Decls {
					if d, ok := d.(*ast.FuncDecl); ok {
						d.Body = nil
					}
				}
			}
			return f, err
		},
	}, ".", "./cmd/qdgen")
	must(t, err)
	modules := 0
	packages.Visit(list, nil, func(p *packages.Package) {
		if p.Module == nil {
			return // one of Go's own: what lacks bodies has errors
		}
		modules++
		for _, err := range p.Errors {
			errs = append(errs, err)
		}
		// The go command, which lists the files, is another process: go test does not see what it looks at.
		if p.Module.Main && len(p.GoFiles) > 0 {
			_, err := os.ReadDir(filepath.Dir(p.GoFiles[0]))
			must(t, err)
		}
	})
	if modules < 20 {
		t.Errorf("only %d packages", modules)
	}
	return errs
}
