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

// assignedElsewhere says where another package of the program that was loaded assigns to the variable, or takes its
// address; "" if nowhere. The standard library does not do so.
func (v *Var) assignedElsewhere() string {
	if !v.IsExported() {
		return ""
	}
	for _, path := range slices.Sorted(maps.Keys(v.pkg.others)) {
		other := v.pkg.others[path]
		if other == nil || other == v.pkg || other.given.Standard {
			continue
		}
		for _, f := range other.files {
			for _, spec := range f.syntax.Imports {
				if importPath(spec) != v.pkg.path {
					continue
				}
				if pos := assignedIn(f.syntax, nameOf(spec, v.pkg.name), v.Obj.Name()); pos.IsValid() {
					at := f.tok.PositionFor(pos, false)
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

// assignedIn is where a file assigns to a variable of a package that it imports, or to a part of it, or takes its
// address.
func assignedIn(f *ast.File, pkg, name string) (at token.Pos) {
	note := func(e ast.Expr) {
		if at.IsValid() {
			return
		}
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.SliceExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			case *ast.SelectorExpr:
				if id, ok := x.X.(*ast.Ident); ok && id.Name == pkg && x.Sel.Name == name {
					at = x.Pos()
					return
				}
				e = x.X
			case *ast.Ident:
				if pkg == "." && x.Name == name {
					at = x.Pos()
				}
				return
			default:
				return
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, lhs := range n.Lhs {
					note(lhs)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				note(n.Key)
				note(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.CallExpr:
			// The functions of package reflect and of others write through slices and pointers, which are not followed.
			switch id, _ := n.Fun.(*ast.Ident); {
			case id != nil && (id.Name == "clear" || id.Name == "copy" || id.Name == "delete" || id.Name == "append") && len(n.Args) > 0:
				note(n.Args[0])
			}
		}
		return !at.IsValid()
	})
	return at
}
