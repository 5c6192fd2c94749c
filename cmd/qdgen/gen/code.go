package gen

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// Code that is copied from the source names packages as its file does, and types are
// printed by go/types. Both are written as text with marks around import paths, of which
// jennifer makes qualified names: it knows what the generated file calls each package.

// mark stands before and after the import path of a qualified name; Go has no such
// character.
const mark = "\x00"

// code is jennifer's form of marked text.
func code(text string) *jen.Statement {
	s := new(jen.Statement)
	parts := strings.Split(text, mark)
	for i, part := range parts {
		if i%2 == 1 {
			continue // a path: see below
		}
		if i > 0 {
			id := identifier(part[1:]) // after the dot
			s.Qual(parts[i-1], id)
			part = part[1+len(id):]
		}
		if part != "" {
			s.Id(part)
		}
	}
	return s
}

// identifier is the one that text begins with.
func identifier(text string) string {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return text[:i]
		}
	}
	return text
}

// typeText is a type as marked text. Types of the package itself are not qualified.
func (p *plan) typeText(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string {
		if pkg.Path() == p.PkgPath {
			return ""
		}
		return mark + pkg.Path() + mark
	})
}

// typeCode is a type in the generated file.
func (p *plan) typeCode(t types.Type) *jen.Statement { return code(p.typeText(t)) }

// nameable reports whether the generated file can name a type at package level.
func (p *plan) nameable(t types.Type) bool { return p.canName(t, make(map[types.Type]bool)) }

func (p *plan) canName(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	all := func(vars *types.Tuple) bool {
		for v := range vars.Variables() {
			if !p.canName(v.Type(), seen) {
				return false
			}
		}
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if !p.canName(arg, seen) {
				return false
			}
		}
		return p.canNameObject(t.Obj())
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.TypeParam:
		return false
	case *types.Array:
		return p.canName(t.Elem(), seen)
	case *types.Slice:
		return p.canName(t.Elem(), seen)
	case *types.Pointer:
		return p.canName(t.Elem(), seen)
	case *types.Map:
		return p.canName(t.Key(), seen) && p.canName(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if !f.Exported() && f.Pkg().Path() != p.PkgPath || !p.canName(f.Type(), seen) {
				return false
			}
		}
		return true
	case *types.Signature:
		return all(t.Params()) && all(t.Results())
	case *types.Interface:
		return t.NumMethods() == 0 && t.NumEmbeddeds() == 0
	}
	return false
}

// canNameObject reports whether the generated file can name what is declared somewhere.
func (p *plan) canNameObject(obj types.Object) bool {
	if obj.Pkg() == nil {
		return true
	}
	if obj.Parent() != obj.Pkg().Scope() {
		return false
	}
	return obj.Pkg().Path() == p.PkgPath || obj.Exported() && importable(p.PkgPath, obj.Pkg().Path())
}

// exprText is an expression of the source as marked text, to stand at package level: packages
// are qualified as the generated file does, constants that a function declares are there
// by their values. It is not ok where something cannot be named there.
func (p *plan) exprText(n ast.Expr, file string) (text string, ok bool) {
	type edit struct {
		from, to int
		text     string
	}
	tok := p.Fset.File(n.Pos())
	src, base := p.texts[file], tok.Offset(n.Pos())
	var edits []edit
	replace := func(n ast.Node, text string) {
		edits = append(edits, edit{tok.Offset(n.Pos()), tok.Offset(n.End()), text})
	}
	ok = true
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			if id, isID := x.X.(*ast.Ident); isID {
				if pkg, isPkg := p.TypesInfo.Uses[id].(*types.PkgName); isPkg {
					replace(x, mark+pkg.Imported().Path()+mark+"."+x.Sel.Name)
					return false
				}
			}
		case *ast.Ident:
			switch obj := p.TypesInfo.Uses[x].(type) {
			case *types.Const:
				if text, isLocal := p.localConst(obj); isLocal {
					replace(x, text)
				} else {
					p.dotted(x, obj, replace)
				}
			case *types.TypeName:
				// A type parameter, or a type of the function around.
				within := n.Pos() <= obj.Pos() && obj.Pos() < n.End()
				if obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() && !within {
					ok = false
				}
				p.dotted(x, obj, replace)
			case *types.Func, *types.Var:
				p.dotted(x, obj, replace)
			}
		}
		return true
	})
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := base
	for _, e := range edits {
		b.Write(src[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(src[at:tok.Offset(n.End())])
	return b.String(), ok
}

// dotted qualifies a name that the source has from a dot import.
func (p *plan) dotted(id *ast.Ident, obj types.Object, replace func(ast.Node, string)) {
	if obj.Pkg() != nil && obj.Pkg().Path() != p.PkgPath && obj.Parent() == obj.Pkg().Scope() {
		replace(id, mark+obj.Pkg().Path()+mark+"."+id.Name)
	}
}

// localConst is a constant that a function declares, written out.
func (p *plan) localConst(c *types.Const) (string, bool) {
	if c.Pkg() == nil || c.Parent() == c.Pkg().Scope() || c.Parent() == types.Universe {
		return "", false
	}
	text := c.Val().ExactString()
	if c.Val().Kind() == constant.Float {
		text = "(" + text + ")" // a quotient, perhaps
		if !strings.Contains(text, ".") {
			text = strings.Replace(text, ")", ".0)", 1)
		}
	}
	if basic, ok := c.Type().(*types.Basic); !ok || basic.Info()&types.IsUntyped == 0 {
		text = p.typeText(c.Type()) + "(" + text + ")"
	}
	return text, true
}
