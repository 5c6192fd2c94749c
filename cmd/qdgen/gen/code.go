package gen

import (
	"go/ast"
	"go/token"
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

// excerpt is an expression and the text it was parsed from.
type excerpt struct {
	ast.Expr
	tok  *token.File
	src  []byte // of the whole file
	info *types.Info
	iota string // what it is there, "" where it is not
}

// text is the expression as marked text, to stand at package level: packages are qualified as
// the generated file does. It is not ok where something cannot be named there.
func (p *plan) text(e excerpt) (text string, ok bool) {
	q := qualifier{plan: p, excerpt: e, ok: true}
	ast.Inspect(e.Expr, q.visit)
	slices.SortFunc(q.edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := e.tok.Offset(e.Pos())
	for _, edit := range q.edits {
		b.Write(e.src[at:edit.from])
		b.WriteString(edit.text)
		at = edit.to
	}
	b.Write(e.src[at:e.tok.Offset(e.End())])
	return b.String(), q.ok
}

// qualifier collects what is to be replaced in an expression.
type qualifier struct {
	*plan
	excerpt
	edits []edit
	ok    bool
}

// edit replaces a part of a file.
type edit struct {
	from, to int
	text     string
}

func (q *qualifier) replace(n ast.Node, text string) {
	q.edits = append(q.edits, edit{q.tok.Offset(n.Pos()), q.tok.Offset(n.End()), text})
}

func (q *qualifier) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		id, ok := n.X.(*ast.Ident)
		if !ok {
			return true
		}
		if pkg, ok := q.info.Uses[id].(*types.PkgName); ok {
			q.replace(n, mark+pkg.Imported().Path()+mark+"."+n.Sel.Name)
			return false
		}
	case *ast.Ident:
		switch obj := q.info.Uses[n].(type) {
		case *types.Const:
			if obj.Parent() == types.Universe && obj.Name() == "iota" && q.iota != "" {
				q.replace(n, q.iota)
			}
			q.dotted(n, obj)
		case *types.TypeName:
			// A type parameter, or a type of the function around.
			within := q.Pos() <= obj.Pos() && obj.Pos() < q.End()
			if obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() && !within {
				q.ok = false
			}
			q.dotted(n, obj)
		case *types.Func, *types.Var:
			q.dotted(n, obj)
		}
	}
	return true
}

// dotted qualifies a name that the source has from a dot import.
func (q *qualifier) dotted(id *ast.Ident, obj types.Object) {
	if obj.Pkg() != nil && obj.Pkg().Path() != q.PkgPath && obj.Parent() == obj.Pkg().Scope() {
		q.replace(id, mark+obj.Pkg().Path()+mark+"."+id.Name)
	}
}
