//go:build unix && !race

package e2e

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/internal/testcache"
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
	var files parsedFiles
	for _, s := range otherSystems {
		t.Run(s.os+" "+s.arch+" "+s.tags, func(t *testing.T) {
			errs, checked := files.typeErrors(t, s.os, s.arch, s.tags, false, nil, ".", "./par", "./par/parslice", "./mathx", "./tile", "./optim", "./bools", "./f32", "./f64", "./i32", "./u32", "./qdtest", "./qdreg", "./interop/qdimage", "./interop/qdgonum", "./cmd/qdgen")
			for _, err := range errs {
				t.Error(err)
			}
			if checked < 50 && len(errs) == 0 {
				t.Errorf("only %d packages", checked)
			}
		})
	}
}

// The tests of package qd, and those of what computes ints of 32 bits too, pass the type checker where an int has so many.
func TestOtherSystemsTests(t *testing.T) {
	t.Parallel()
	errs, checked := new(parsedFiles).typeErrors(t, "linux", "386", "", true, nil, ".", "./frontend/initial")
	for _, err := range errs {
		t.Error(err)
	}
	if checked < 50 && len(errs) == 0 {
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
	name := filepath.Join(testenv.Root(), "internal", "reread", "stamp_other.go")
	text, err := os.ReadFile(name)
	must(t, err)
	wrong := map[string][]byte{name: append(text, "\nvar wrong int = nowhere\n"...)}
	var files parsedFiles
	errs, _ := files.typeErrors(t, "windows", "amd64", "", false, wrong, "./internal/reread")
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "undefined: nowhere") {
		t.Errorf("the errors are %v", errs)
	}
	if errs, _ := files.typeErrors(t, "darwin", "arm64", "", false, wrong, "./internal/reread"); len(errs) != 0 {
		t.Errorf("the file is not for this system, and the errors are %v", errs)
	}
}

// parsedFiles are syntax trees of files, which the systems share.
type parsedFiles struct {
	mu    sync.Mutex
	fset  token.FileSet
	files map[parsedFile]func() (*ast.File, error)
}

// A parsedFile is a file and a hash of its text, which an overlay may replace.
type parsedFile struct {
	name string
	sum  [sha256.Size]byte
}

// parse parses a file, once. Of one that is not ours only the declarations are kept.
func (p *parsedFiles) parse(name string, src []byte, own bool) (*ast.File, error) {
	key := parsedFile{name, sha256.Sum256(src)}
	p.mu.Lock()
	parse := p.files[key]
	if parse == nil {
		parse = sync.OnceValues(func() (*ast.File, error) {
			f, err := parser.ParseFile(&p.fset, name, src, parser.SkipObjectResolution)
			if f != nil && !own {
				keepDeclarations(f)
			}
			return f, err
		})
		if p.files == nil {
			p.files = make(map[parsedFile]func() (*ast.File, error))
		}
		p.files[key] = parse
	}
	p.mu.Unlock()
	return parse()
}

// keepDeclarations removes the bodies of functions, and the elements of variables that are tables, which have no part in
// types: the length of an array may be that of its elements.
func keepDeclarations(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Body = nil
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				spec, ok := spec.(*ast.ValueSpec)
				if !ok || d.Tok != token.VAR {
					continue
				}
				for _, value := range spec.Values {
					if and, ok := value.(*ast.UnaryExpr); ok {
						value = and.X
					}
					table, ok := value.(*ast.CompositeLit)
					if !ok {
						continue
					}
					if array, ok := table.Type.(*ast.ArrayType); !ok || array.Len == nil {
						table.Elts = nil
					}
				}
			}
		}
	}
}

// typeErrors type-checks package qd and the command as they are on a system, with all that they import, from source,
// with build tags, and with their tests if that is asked for. Of packages of others, Go's own among them, it checks the
// declarations alone. What an earlier run has checked and found right is not checked again.
func (p *parsedFiles) typeErrors(t *testing.T, goos, goarch, tags string, tests bool, overlay map[string][]byte, patterns ...string) (errs []error, checked int) {
	t.Helper()
	own := testenv.Root() + string(filepath.Separator)
	config := packages.Config{
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:     testenv.Root(),
		Env:     append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
		Overlay: overlay,
		Tests:   tests,
		Fset:    &p.fset,

		BuildFlags: []string{"-tags=" + tags},
		ParseFile: func(_ *token.FileSet, name string, src []byte) (*ast.File, error) {
			return p.parse(name, src, strings.HasPrefix(name, own))
		},
	}
	list, err := packages.Load(&config, patterns...)
	must(t, err)
	checked, err = testcache.Value(func() (int, error) {
		config.Mode |= packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
		list, err := packages.Load(&config, patterns...)
		if err != nil {
			return 0, err
		}
		n := 0
		packages.Visit(list, nil, func(p *packages.Package) {
			if p.Module == nil || strings.HasSuffix(p.ID, ".test") {
				return // one of Go's own, or what go test makes
			}
			for _, err := range p.Errors {
				if p.Module.Main || err.Kind == packages.ListError { // what lacks bodies has errors of types
					errs = append(errs, err)
				}
			}
			if p.Module.Main {
				n++
			}
		})
		return n, errors.Join(errs...)
	}, "type check", runtime.Version(), os.Getenv("GOEXPERIMENT"), goos, goarch, tags, inputs(t, list, overlay))
	if len(errs) == 0 {
		must(t, err)
	}
	return errs, checked
}

// inputs is a hash of all that decides whether packages have errors, besides the system: the text of our files, the names
// of others', in which versions are, and what checks them.
func inputs(t *testing.T, list []*packages.Package, overlay map[string][]byte) string {
	t.Helper()
	h := sha256.New()
	for _, name := range []string{"systems_test.go", filepath.Join(testenv.Root(), "go.mod")} { // how, and by which packages
		text, err := os.ReadFile(name)
		must(t, err)
		h.Write(text)
	}
	packages.Visit(list, func(pkg *packages.Package) bool {
		fmt.Fprintf(h, "%s %v\n", pkg.ID, pkg.Errors)
		if pkg.Module == nil {
			return true
		}
		fmt.Fprintln(h, pkg.Module.GoVersion)
		for _, name := range pkg.CompiledGoFiles {
			fmt.Fprintln(h, name)
			if !pkg.Module.Main {
				continue
			}
			text, ok := overlay[name]
			if !ok {
				var err error
				text, err = os.ReadFile(name)
				must(t, err)
			}
			fmt.Fprintf(h, "%d %s", len(text), text)
		}
		// The go command, which lists the files, is another process: go test does not see what it looks at.
		if pkg.Module.Main && len(pkg.GoFiles) > 0 {
			_, err := os.ReadDir(filepath.Dir(pkg.GoFiles[0]))
			must(t, err)
		}
		return true
	}, nil)
	return fmt.Sprintf("%x", h.Sum(nil))
}
