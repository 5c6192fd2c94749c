package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Any package may assign to the exported variables of another one. Programs do not do so with those of the standard
// library: unicode.Letter and color.GrayModel are constants in all but name, and the library itself relies on it. So
// they count as never assigned, unless a package that the kernels reach does it. Packages that use the operating system
// or Go's runtime are an exception: they have settings, such as time.Local.

// MayBeAssignedElsewhere reports whether another package can assign to the variable.
func (v *Var) MayBeAssignedElsewhere() bool { return v.IsExported() && v.isNamedElsewhere() }

// IsTakenAsKept reports whether an exported variable counts as never assigned by other packages: one of the standard
// library that is an error, or belongs to a package without settings.
func (v *Var) IsTakenAsKept() bool {
	if !v.pkg.given.Standard && !InStandard(v.File.Name) {
		return false
	}
	return types.Identical(v.Obj.Type(), types.Universe.Lookup("error").Type()) || !v.pkg.hasSettings()
}

// hasSettings reports whether a package of the standard library uses the operating system or Go's runtime.
func (p *sourcePackage) hasSettings() bool {
	if p.given.HostOnly {
		return true
	}
	for _, f := range p.files {
		for _, spec := range f.syntax.Imports {
			switch importPath(spec) {
			case "os", "runtime", "syscall":
				return true
			}
		}
	}
	return false
}

// assignedElsewhere says where another package of the program that was loaded assigns to an exported variable of the
// package, or takes its address; "" if nowhere. With refers, a copy of the variable leads to the same memory. No
// package of the standard library does so: they are not searched.
func (p *sourcePackage) assignedElsewhere(name string, refers bool) string {
	for _, path := range slices.Sorted(maps.Keys(p.others)) {
		other := p.others[path]
		if other == nil || other == p || other.given.Standard {
			continue
		}
		for _, f := range other.files {
			for _, spec := range f.syntax.Imports {
				if importPath(spec) != p.path {
					continue
				}
				w := writeSearch{pkg: nameOf(spec, p.name), name: name, refers: refers}
				ast.Inspect(f.syntax, w.visit)
				if w.at.IsValid() {
					at := f.tok.PositionFor(w.at, false)
					return fmt.Sprintf("%s:%d", at.Filename, at.Line)
				}
			}
		}
	}
	return ""
}

// nameOf is what a file calls a package that it imports.
func nameOf(spec *ast.ImportSpec, name string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return name
}

// A writeSearch looks for where a file assigns to a variable of a package that it imports, or to a part of it, or takes
// its address. It may do so by a local variable that holds the same pointer or slice.
type writeSearch struct {
	pkg, name string // of the package, "." for one whose names are the file's own; and of the variable
	refers    bool   // a copy of it leads to the same memory
	copies    map[string]bool
	at        token.Pos
}

func (w *writeSearch) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		w.copies = map[string]bool{}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			w.assigned(n.Lhs...)
		}
		w.copied(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if len(n.Names) == len(n.Values) {
				w.copied([]ast.Expr{id}, n.Values[i:i+1])
			}
		}
	case *ast.IncDecStmt:
		w.assigned(n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			w.assigned(n.Key, n.Value)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			w.assigned(n.X)
		}
	case *ast.CallExpr:
		// The functions of package reflect and of others write through slices and pointers, which are not followed.
		switch id, _ := n.Fun.(*ast.Ident); {
		case id != nil && (id.Name == "clear" || id.Name == "copy" || id.Name == "delete" || id.Name == "append") && len(n.Args) > 0:
			if w.leads(n.Args[0]) != elsewhere {
				w.at = n.Pos()
			}
		}
	}
	return !w.at.IsValid()
}

// assigned notes an assignment to the variable or to a part of it.
func (w *writeSearch) assigned(list ...ast.Expr) {
	for _, e := range list {
		if w.leads(e) == toPart && !w.at.IsValid() {
			w.at = e.Pos()
		}
	}
}

// copied notes which variables get the pointer or the slice that the variable holds.
func (w *writeSearch) copied(to, from []ast.Expr) {
	if !w.refers || w.copies == nil || len(to) != len(from) {
		return
	}
	for i, e := range from {
		if id, ok := to[i].(*ast.Ident); ok && w.leads(e) != elsewhere {
			w.copies[id.Name] = true
		}
	}
}

// What an expression leads to.
type leading uint8

const (
	elsewhere leading = iota
	toPart            // the variable, or a part of it
	toCopy            // a local variable that holds what the variable does
)

func (w *writeSearch) leads(e ast.Expr) leading {
	for whole := true; ; whole = false {
		e = ast.Unparen(e)
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok && id.Name == w.pkg && x.Sel.Name == w.name {
				return toPart
			}
			e = x.X
		case *ast.Ident:
			switch {
			case w.pkg == "." && x.Name == w.name, w.copies[x.Name] && !whole:
				return toPart
			case w.copies[x.Name]:
				return toCopy
			}
			return elsewhere
		default:
			return elsewhere
		}
	}
}
