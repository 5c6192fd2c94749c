package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// The same text may mean something else after an edit: a name is imported from another package, a
// local constant has another value or is declared where a package variable was meant. So a site is
// told from others by what its names mean, too. It is found by syntax alone, and so is
// the same for all who ask, whatever else they know.

// SiteNames says what the names in the arguments of a declaration's qd.Static mean, by the positions of these calls:
// which packages they are imported from, how local constants are declared, with what is in their declarations, and
// which other names are local. Nothing is said of what is declared at package level or predeclared: of that, generated
// code has what the source has, for the Go compiler finds it.
func SiteNames(f *ast.File, d ast.Decl) map[token.Pos]string {
	s := &siteNames{file: f, consts: make(map[*ast.Ident][]string)}
	found := make(map[token.Pos]string)
	none := func(*ast.Ident) {}
	s.scopes = scopeWalker{
		free: none, key: none, selected: none, qualified: func(_, _ *ast.Ident) {},
		static: func(call *ast.CallExpr) bool {
			anyName := func(*ast.Ident) bool { return true }
			if isStaticCall(call, anyName, anyName) {
				found[call.Pos()] = strings.Join(s.meaning(call.Args[0]), "; ")
			}
			return false
		},
		constant: func(c Constant) { s.consts[c.Name] = s.constant(c) },
	}
	s.scopes.topLevel(d)
	return found
}

// siteNames finds out what names mean, while a declaration is walked.
type siteNames struct {
	file   *ast.File
	scopes scopeWalker             // where the walk is
	consts map[*ast.Ident][]string // what was found of local constants, where they are declared
	used   map[string]bool         // what stands before a dot in the file, nil until it is asked for
}

// meaning lists what the names in an expression mean that is where the walk is, each name once.
func (s *siteNames) meaning(e ast.Expr) (list []string) {
	add := func(meanings ...string) {
		for _, m := range meanings {
			if !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	name := func(id *ast.Ident) {
		switch local := s.scopes.declaration(id); {
		case local == nil && id.IsExported():
			add(s.imported(".")...)
		case local == nil:
		case s.consts[local] != nil:
			add(s.consts[local]...)
		default:
			add("local " + id.Name)
		}
	}
	w := &scopeWalker{free: name, key: name, selected: func(*ast.Ident) {}}
	w.qualified = func(x, _ *ast.Ident) {
		if s.scopes.declaration(x) == nil {
			add(s.imported(x.Name)...)
		}
		name(x)
	}
	w.walk(e)
	return list
}

// constant says how a local constant is declared, and what the names in that mean.
func (s *siteNames) constant(c Constant) []string {
	text := "const " + c.Name.Name
	var names []string
	for i, e := range []ast.Expr{c.Type, c.Value} {
		if e == nil {
			continue
		}
		text += []string{" ", " = "}[i] + SiteExpr(e)
		names = append(names, s.meaning(e)...)
	}
	if c.ReadsIota() {
		text += fmt.Sprintf(" where iota is %d", c.Iota)
	}
	return append([]string{text}, names...)
}

// imported are the imports that the file may have under a name: one that is renamed to it, or that has it by
// convention, and those whose names are not the conventional ones, for nothing before a dot in the file is.
func (s *siteNames) imported(name string) (list []string) {
	for _, spec := range s.file.Imports {
		path := importPath(spec)
		var may bool
		if spec.Name != nil {
			may = spec.Name.Name == name
		} else if usual := conventionalName(path); name != "." {
			may = usual == name || !s.qualifies(usual)
		}
		if may {
			list = append(list, SiteImport(name, path))
		}
	}
	return list
}

// SiteImport is how [SiteNames] says that a name is, or may be, that of an imported package; "." is
// that of a dot import.
func SiteImport(name, path string) string { return fmt.Sprintf("import %s %q", name, path) }

// qualifies reports whether a name stands before a dot in the file.
func (s *siteNames) qualifies(name string) bool {
	if s.used == nil {
		s.used = make(map[string]bool)
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok {
					s.used[x.Name] = true
				}
			}
			return true
		})
	}
	return s.used[name]
}

// A Constant is the declaration of one constant, with what a line repeats of those above it.
type Constant struct {
	Name        *ast.Ident
	Type, Value ast.Expr // nil where there is none
	Iota        int
}

// constLines are the constants of a declaration, by its lines.
func constLines(d *ast.GenDecl) (lines [][]Constant) {
	var above *ast.ValueSpec
	for iota, spec := range d.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if above == nil || spec.Type != nil || len(spec.Values) > 0 {
			above = spec
		}
		var line []Constant
		for i, name := range spec.Names {
			c := Constant{Name: name, Type: above.Type, Iota: iota}
			if i < len(above.Values) {
				c.Value = above.Values[i]
			}
			line = append(line, c)
		}
		lines = append(lines, line)
	}
	return lines
}

// LocalConstants are the constants that the functions in a declaration declare, in source order.
func LocalConstants(d ast.Decl) (list []Constant) {
	ast.Inspect(d, func(n ast.Node) bool {
		if g, ok := n.(*ast.GenDecl); ok && g != d && g.Tok == token.CONST {
			list = append(list, slices.Concat(constLines(g)...)...)
		}
		return true
	})
	return list
}

// ReadsIota reports whether the value of a constant depends on the line that it is declared in.
func (c Constant) ReadsIota() bool {
	if c.Value == nil {
		return false
	}
	for id := range freeNames(func(w *scopeWalker) { w.walk(c.Value) }) {
		if id.Name == "iota" {
			return true
		}
	}
	return false
}
