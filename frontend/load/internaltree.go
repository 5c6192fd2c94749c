package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Only packages below the parent of a directory named internal can import what is in there. In a module that somebody
// else has released, and in the standard library, all of them are known, so that an exported variable which none of
// them names, but for an operand of a comparison or a computation, is as good as one that is not exported.

// An internalTree is where packages are that can import one.
type internalTree struct {
	importPath, parent string // that of the package, and the one that all of them begin with: "" for the standard library
	dir                string // of parent
}

// treeOf are the packages that can import one, as its path and the directory of its files tell. It is not ok where
// others can too, or where they are not known.
func treeOf(importPath string, files []File) (t internalTree, ok bool) {
	parts := strings.Split(importPath, "/")
	at := len(parts) - 1
	for ; at >= 0 && parts[at] != "internal"; at-- {
	}
	if at < 0 || len(files) == 0 || !filepath.IsAbs(files[0].Name) || !IsOthers(files[0].Name) {
		return t, false
	}
	dir := filepath.ToSlash(filepath.Dir(files[0].Name))
	dir, ok = strings.CutSuffix(dir, "/"+path.Join(parts[at:]...))
	t = internalTree{importPath, path.Join(parts[:at]...), filepath.FromSlash(dir)}
	if root, _ := goRoot(); at == 0 && (root == "" || t.dir != filepath.Join(root, "src")) {
		return t, false // any package of a module without a path can import it
	}
	return t, ok && IsOthers(filepath.Join(t.dir, "x.go")) && !t.hasModules()
}

// hasModules reports whether modules of the program, or the program's tests, may be packages of the tree that lie
// elsewhere.
func (t internalTree) hasModules() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return true
	}
	if t.parent == "" { // nobody else can import what is in there
		return info.Main.Path == "" || info.Main.Path == "std" || info.Main.Path == "cmd"
	}
	below := func(p string) bool { return strings.HasPrefix(p, t.parent+"/") }
	return below(info.Path) || below(info.Main.Path) || info.Main.Path == t.parent ||
		slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return below(m.Path) })
}

// named are the names that other packages of trees select of a package for more than an operand, by its path and its
// directory; nil where a package may name all.
var named struct {
	sync.Mutex
	by map[internalTree]map[string]bool
}

// NamesFile is the name of a file, beside those of a package that a program has embedded, with what NamedElsewhere
// gives.
const NamesFile = "named.txt"

// NamedElsewhere are the names by which other packages may change variables of a package on disk. It is not ok of a
// package that any other can import.
func NamedElsewhere(p *Package) (names map[string]bool, ok bool) {
	t, ok := treeOf(p.Path, p.Files)
	if !ok {
		return nil, false
	}
	names = t.selected(conventionalName(p.Path))
	return names, names != nil
}

// names reports whether a package of the tree, other than the one itself, may name something that it declares for more
// than an operand.
func (t internalTree) names(pkgName, name string) bool {
	named.Lock()
	defer named.Unlock()
	selected, ok := named.by[t]
	if !ok {
		if named.by == nil {
			named.by = map[internalTree]map[string]bool{}
		}
		selected = t.selected(pkgName)
		named.by[t] = selected
	}
	return selected == nil || selected[name]
}

// trees are the files below directories that may import a package, by its import path.
var trees struct {
	sync.Mutex
	by map[string]func() (map[string][]string, error) // for each directory, which is walked once for all its packages
}

// importers are the files of the tree that may import the package, whichever build they are for.
func (t internalTree) importers() ([]string, error) {
	trees.Lock()
	find := trees.by[t.dir]
	if find == nil {
		if trees.by == nil {
			trees.by = make(map[string]func() (map[string][]string, error))
		}
		find = sync.OnceValues(t.findImporters)
		trees.by[t.dir] = find
	}
	trees.Unlock()
	all, err := find()
	return all[t.importPath], err
}

// findImporters finds the files of the tree that may import any package. Tests are none of the program's, and neither
// are commands. Of the standard library it does not parse the files, which are thousands, and keeps those with internal
// packages.
func (t internalTree) findImporters() (map[string][]string, error) {
	found := make(map[string][]string)
	err := filepath.WalkDir(t.dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "testdata" || t.parent == "" && file == filepath.Join(t.dir, "cmd")) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || isTest(file) {
			return err
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if t.parent == "" {
			for _, importPath := range internalPaths(src) {
				found[importPath] = append(found[importPath], file)
			}
			return nil
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if syntax == nil {
			return err
		}
		for _, spec := range syntax.Imports {
			found[importPath(spec)] = append(found[importPath(spec)], file)
		}
		return nil
	})
	return found, err
}

// internalPaths are what may be the import paths of internal packages in a file, each once.
func internalPaths(src []byte) (paths []string) {
	word := []byte("internal")
	for {
		at := bytes.Index(src, word)
		if at < 0 {
			return paths
		}
		from, to := at, at+len(word)
		for from > 0 && isPathByte(src[from-1]) {
			from--
		}
		for to < len(src) && isPathByte(src[to]) {
			to++
		}
		if p := string(src[from:to]); !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
		src = src[to:]
	}
}

// selected are the names that are selected of the package in files of the tree for more than an operand.
func (t internalTree) selected(pkgName string) map[string]bool {
	files, err := t.importers()
	if err != nil {
		return nil
	}
	found := map[string]bool{}
	for _, file := range files {
		if err := t.selectedIn(file, pkgName, found); err != nil {
			return nil
		}
	}
	return found
}

// selectedIn adds those of one file.
func (t internalTree) selectedIn(file, pkgName string, found map[string]bool) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
	if syntax == nil {
		return err
	}
	imports := func(spec *ast.ImportSpec) bool { return importPath(spec) == t.importPath }
	if !slices.ContainsFunc(syntax.Imports, imports) {
		return nil
	}
	if syntax, err = parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution); err != nil {
		return err
	}
	for _, spec := range syntax.Imports {
		if !imports(spec) {
			continue
		}
		as := pkgName
		if spec.Name != nil {
			as = spec.Name.Name
		}
		if as == "." {
			return fs.ErrInvalid // it may name all
		}
		operands := map[ast.Expr]bool{}
		ast.Inspect(syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				operands[ast.Unparen(n.X)], operands[ast.Unparen(n.Y)] = true, true
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == as && !operands[n] {
					found[n.Sel.Name] = true
				}
			}
			return true
		})
	}
	return nil
}

// isNamedElsewhere reports whether another package may name the variable, which is exported.
func (v *Var) isNamedElsewhere() bool {
	if named := v.pkg.given.Named; named != nil {
		return named[v.Obj.Name()]
	}
	t, ok := treeOf(v.pkg.path, v.pkg.given.Files)
	return !ok || t.names(v.pkg.name, v.Obj.Name())
}

// IsInternal reports whether the variable's package is one that only those around it can import.
func (v *Var) IsInternal() bool {
	return slices.Contains(strings.Split(v.pkg.path, "/"), "internal")
}
