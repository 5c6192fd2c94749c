package load

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// TypeName is a type as a running program names it: with import paths, without the names of
// parameters and aliases.
func TypeName(t types.Type) string {
	var b strings.Builder
	writeType(&b, t)
	return b.String()
}

func writeType(b *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(types.Typ[t.Kind()].Name())
	case *types.Named:
		if pkg := t.Obj().Pkg(); pkg != nil {
			b.WriteString(pkg.Path() + ".")
		}
		b.WriteString(t.Obj().Name())
		if args := t.TypeArgs(); args.Len() > 0 {
			b.WriteByte('[')
			for i := range args.Len() {
				if i > 0 {
					b.WriteByte(',')
				}
				writeType(b, args.At(i))
			}
			b.WriteByte(']')
		}
	case *types.Pointer:
		b.WriteByte('*')
		writeType(b, t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		writeType(b, t.Elem())
	case *types.Array:
		b.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		writeType(b, t.Elem())
	case *types.Map:
		b.WriteString("map[")
		writeType(b, t.Key())
		b.WriteByte(']')
		writeType(b, t.Elem())
	case *types.Signature:
		b.WriteString("func")
		writeSignature(b, t)
	case *types.Struct:
		writeStruct(b, t)
	default:
		b.WriteString(types.TypeString(t, (*types.Package).Path))
	}
}

func writeSignature(b *strings.Builder, t *types.Signature) {
	b.WriteByte('(')
	for i := range t.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		p := t.Params().At(i).Type()
		if s, ok := p.(*types.Slice); ok && t.Variadic() && i == t.Params().Len()-1 {
			b.WriteString("...")
			p = s.Elem()
		}
		writeType(b, p)
	}
	b.WriteByte(')')
	switch n := t.Results().Len(); {
	case n == 1:
		b.WriteByte(' ')
		writeType(b, t.Results().At(0).Type())
	case n > 1:
		b.WriteString(" (")
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			writeType(b, t.Results().At(i).Type())
		}
		b.WriteByte(')')
	}
}

func writeStruct(b *strings.Builder, t *types.Struct) {
	b.WriteString("struct{")
	for i := range t.NumFields() {
		if i > 0 {
			b.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			b.WriteString(f.Name() + " ")
		}
		writeType(b, f.Type())
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	b.WriteByte('}')
}

// NameIn is the name in F, pkg.F, F[T] and pkg.F[T], nil in other expressions.
func NameIn(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return NameIn(e.X)
	case *ast.IndexListExpr:
		return NameIn(e.X)
	}
	return nil
}
