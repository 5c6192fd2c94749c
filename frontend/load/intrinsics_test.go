package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The body of a function that the Go compiler replaces may be one that must not be run: it says so in a panic. All such
// functions of the standard library that kernels could call have bodies of this package's.
func TestMustBeIntrinsics(t *testing.T) {
	root, err := goRoot()
	if root == "" || err != nil {
		t.Skip("this machine has no Go of the release that the test was built with: ", err)
	}
	src := filepath.Join(root, "src")
	found := 0
	err = filepath.WalkDir(src, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, name)
		if err != nil {
			return err
		}
		importPath := filepath.ToSlash(rel)
		if e.IsDir() {
			if importPath == "cmd" || importPath == "vendor" || e.Name() == "testdata" || importPath != "." && IsHostOnly(importPath) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || isTest(name) {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		importPath = filepath.ToSlash(filepath.Dir(rel))
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !panicsAsIntrinsic(fn.Body) {
				continue
			}
			found++
			if stubs[importPath] == nil {
				t.Errorf("%s.%s has a body that must not be run, and package %s no stub", importPath, fn.Name.Name, importPath)
				continue
			}
			for _, f := range stubs[importPath]().funcs {
				if f.Decl.Name.Name == fn.Name.Name && panicsAsIntrinsic(f.Decl.Body) {
					t.Errorf("the stub of %s has the body of %s that must not be run", importPath, fn.Name.Name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no function is found")
	}
}

// panicsAsIntrinsic reports whether a body panics with a text that speaks of intrinsics.
func panicsAsIntrinsic(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		text, isText := call.Args[0].(*ast.BasicLit)
		if id, ok := call.Fun.(*ast.Ident); ok && isText && (id.Name == "panic" || id.Name == "throw") {
			found = found || strings.Contains(text.Value, "intrinsic")
		}
		return true
	})
	return found
}
