//go:build unix && !race

package e2e

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// What programs import and the command pass the type checker as they are on other systems. To compile them would take
// ten times as long and find no more: nothing of theirs is C, and TestOtherSystemsAssembly assembles the rest.
func TestOtherSystems(t *testing.T) {
	t.Parallel()
	for _, s := range otherSystems {
		t.Run(s.os+" "+s.arch+" "+s.tags, func(t *testing.T) {
			errs, checked := typeErrors(t, s.os, s.arch, s.tags, false, nil, ".", "./par", "./par/parslice", "./mathx", "./tile", "./optim", "./bools", "./f32", "./f64", "./i32", "./u32", "./qdtest", "./qdreg", "./interop/qdimage", "./interop/qdgonum", "./cmd/qdgen")
			for _, err := range errs {
				t.Error(err)
			}
			if checked < 50 {
				t.Errorf("only %d packages", checked)
			}
		})
	}
}

// The tests of package qd, and those of what computes ints of 32 bits too, pass the type checker where an int has so many.
func TestOtherSystemsTests(t *testing.T) {
	t.Parallel()
	errs, checked := typeErrors(t, "linux", "386", "", true, nil, ".", "./frontend/initial")
	for _, err := range errs {
		t.Error(err)
	}
	if checked < 50 {
		t.Errorf("only %d packages", checked)
	}
}

// The assembly is that of the systems that it is for.
func TestOtherSystemsAssembly(t *testing.T) {
	t.Parallel()
	files := slices.Concat(glob(t, "internal", "*", "*.s"), glob(t, "internal", "*", "*", "*.s"))
	for _, system := range []string{"linux", "darwin"} {
		for _, arch := range []string{"amd64", "arm64"} {
			n := 0
			for _, file := range files {
				if !strings.HasSuffix(file, "_"+arch+".s") {
					continue
				}
				n++
				cmd := exec.CommandContext(t.Context(), "go", "tool", "asm", "-p", "own", "-I", filepath.Join(build.Default.GOROOT, "pkg", "include"),
					"-D", "GOOS_"+system, "-D", "GOARCH_"+arch, "-o", filepath.Join(t.TempDir(), "own.o"), file)
				cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s %s: %v\n%s", system, arch, err, out)
				}
			}
			if n < 2 {
				t.Errorf("%s %s: %d files", system, arch, n)
			}
		}
	}
}

// glob are the files of the module with names like these.
func glob(t *testing.T, names ...string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(append([]string{testenv.Root()}, names...)...))
	must(t, err)
	return list
}

// An error that is there on one system alone is found.
func TestOtherSystemsErrors(t *testing.T) {
	t.Parallel()
	name := filepath.Join(testenv.Root(), "internal", "origin", "change_other.go")
	text, err := os.ReadFile(name)
	must(t, err)
	wrong := map[string][]byte{name: append(text, "\nvar wrong int = nowhere\n"...)}
	errs, _ := typeErrors(t, "windows", "amd64", "", false, wrong, "./internal/origin")
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "undefined: nowhere") {
		t.Errorf("the errors are %v", errs)
	}
	if errs, _ := typeErrors(t, "darwin", "arm64", "", false, wrong, "./internal/origin"); len(errs) != 0 {
		t.Errorf("the file is not for this system, and the errors are %v", errs)
	}
}

// typeErrors type-checks package qd and the command as they are on a system, with all that they import, from source,
// with build tags, and with their tests if that is asked for. Of packages of others, Go's own among them, it checks the
// declarations alone.
func typeErrors(t *testing.T, goos, goarch, tags string, tests bool, overlay map[string][]byte, patterns ...string) (errs []error, checked int) {
	t.Helper()
	own := testenv.Root() + string(filepath.Separator)
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:     testenv.Root(),
		Env:     append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
		Overlay: overlay,
		Tests:   tests,

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
		if p.Module == nil || strings.HasSuffix(p.ID, ".test") {
			return // one of Go's own, or what go test makes
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
