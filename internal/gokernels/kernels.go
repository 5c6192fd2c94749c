package gokernels

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Prefix begins the names of the kernels that [Make] makes.
const Prefix = "kernelOf_"

// Make adds kernels to a Go file, each of which calls one function or method of it: the text of
// a package k, and the kernels' names in source order. A kernel takes a slice for each parameter and
// each result, and uses the first elements. What only a program with input and output does is left
// out: a statement that prints does nothing, and one that ends the program panics.
//
// The second result is false for a file that cannot be parsed.
func Make(text string) (out string, kernels []string, ok bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "k.go", text, parser.SkipObjectResolution)
	if err != nil || fset.File(file.Pos()).Size() != len(text) {
		return "", nil, false
	}
	m := maker{text: text, base: fset.File(file.Pos()).Base()}
	// Without what stands in front: it may say that the file is for no or for another system.
	head := strings.Repeat("\n", strings.Count(text[:m.offset(file.Package)], "\n"))
	m.edits = append(m.edits, edit{0, m.offset(file.Name.End()), head + "package k; import \"github.com/qdgen/qd\""})
	m.leavePrinting(file)
	var calls strings.Builder
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && fn.Name.Name != "_" && fn.Name.Name != "init" {
			name := Prefix + fn.Name.Name
			if fn.Recv != nil {
				name += fmt.Sprint("_", m.offset(fn.Pos()))
			}
			kernels = append(kernels, name)
			calls.WriteString(m.kernel(name, fn))
		}
	}
	return m.edited() + "\n" + calls.String(), kernels, true
}

// A maker makes the kernels of one file.
type maker struct {
	text  string
	base  int
	edits []edit
}

// An edit replaces part of the text.
type edit struct {
	from, to int
	text     string
}

func (m *maker) offset(p token.Pos) int { return int(p) - m.base }

func (m *maker) replace(from, to token.Pos, text string) {
	m.edits = append(m.edits, edit{m.offset(from), m.offset(to), text})
}

// edited is the text with the edits, of which none are inside of others.
func (m *maker) edited() string {
	slices.SortFunc(m.edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range m.edits {
		b.WriteString(m.text[at:e.from] + e.text)
		at = e.to
	}
	return b.String() + m.text[at:]
}

// source is the text of a node, with other names for some identifiers.
func (m *maker) source(n ast.Node, names map[string]string) string {
	inner := maker{text: m.text, base: m.base}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[id.Name] != "" {
			inner.replace(id.Pos(), id.End(), names[id.Name])
		}
		return true
	})
	from, to := m.offset(n.Pos()), m.offset(n.End())
	inner.text = m.text[:to]
	at := from
	var b strings.Builder
	for _, e := range inner.edits {
		b.WriteString(m.text[at:e.from] + e.text)
		at = e.to
	}
	return b.String() + m.text[at:to]
}

// printers are the packages of which calls are statements that print, or end a program; t is a
// *testing.T.
var printers = map[string]bool{"fmt": true, "log": true, "os": true, "t": true}

// ends reports whether a call of the name ends a test or the program.
func ends(name string) bool {
	return name == "panic" || name == "Exit" || strings.HasPrefix(name, "Fatal") || strings.HasPrefix(name, "Error") || strings.HasPrefix(name, "Panic") || strings.HasPrefix(name, "Fail")
}

// leavePrinting leaves out statements that print, and puts panics with a constant into the places of
// those that end the program.
func (m *maker) leavePrinting(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.ExprStmt)
		if !ok {
			return true
		}
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			name = fun.Name
			ok = fun.Name == "print" || fun.Name == "println" || fun.Name == "panic"
		case *ast.SelectorExpr:
			x, isIdent := fun.X.(*ast.Ident)
			ok = isIdent && printers[x.Name]
			name = fun.Sel.Name
		default:
			ok = false
		}
		if !ok {
			return true
		}
		var b strings.Builder
		b.WriteString("{ ")
		for _, arg := range call.Args { // a variable has to be used
			if id, ok := arg.(*ast.Ident); ok && id.Name != "nil" {
				b.WriteString("_ = " + id.Name + "; ")
			}
		}
		if ends(name) {
			b.WriteString("panic(\"fails\") ")
		}
		m.replace(s.Pos(), s.End(), b.String()+"}")
		return false
	})
}

// kernel is the text of a kernel that calls a function.
func (m *maker) kernel(name string, fn *ast.FuncDecl) string {
	names := map[string]string{}
	callee := fn.Name.Name
	if list := fn.Type.TypeParams; list != nil {
		var args []string
		for _, f := range list.List {
			for _, id := range f.Names {
				names[id.Name] = "int"
				args = append(args, "int")
			}
		}
		callee += "[" + strings.Join(args, ", ") + "]"
	}
	params := "t qd.Thread"
	var body, args []string
	variable := func(typ ast.Expr) string {
		v := fmt.Sprint("a", strings.Count(params, ",")+len(body))
		text := m.source(typ, names)
		if ellipsis, ok := typ.(*ast.Ellipsis); ok {
			params += ", " + v + " []" + m.source(ellipsis.Elt, names)
			return v + "..."
		}
		switch t := typ.(type) {
		case *ast.StarExpr:
			params += ", " + v + " []" + m.source(t.X, names)
			return "&" + v + "[0]"
		case *ast.ArrayType:
			if t.Len == nil {
				params += ", " + v + " " + text
				return v
			}
		}
		if onlyKnown(typ) {
			body = append(body, "var "+v+" "+text)
			return v
		}
		params += ", " + v + " []" + text
		return v + "[0]"
	}
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		typ := fn.Recv.List[0].Type
		if star, ok := typ.(*ast.StarExpr); ok {
			typ = star.X
		}
		for _, arg := range typeArgs(typ) {
			if id, ok := arg.(*ast.Ident); ok {
				names[id.Name] = "int"
			}
		}
		callee = variable(typ) + "." + callee
	}
	for _, f := range fn.Type.Params.List {
		for range max(1, len(f.Names)) {
			args = append(args, variable(f.Type))
		}
	}
	var results []string
	used := false
	if fn.Type.Results != nil {
		for i, f := range fn.Type.Results.List {
			for j := range max(1, len(f.Names)) {
				if onlyKnown(f.Type) {
					results = append(results, "_")
					continue
				}
				used = true
				v := fmt.Sprint("r", i, "_", j)
				params += ", " + v + " []" + m.source(f.Type, names)
				results = append(results, v+"[0]")
			}
		}
	}
	call := callee + "(" + strings.Join(args, ", ") + ")"
	if used {
		call = strings.Join(results, ", ") + " = " + call
	}
	return "\n//qd:kernel\nfunc " + name + "(" + params + ") {\n\t" + strings.Join(append(body, call), "\n\t") + "\n}\n"
}

// typeArgs are the type parameters of a receiver's type.
func typeArgs(typ ast.Expr) []ast.Expr {
	switch t := typ.(type) {
	case *ast.IndexExpr:
		return []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		return t.Indices
	}
	return nil
}

// onlyKnown reports whether a type is seen to be one that a slice of a kernel cannot have the values of.
func onlyKnown(typ ast.Expr) bool {
	switch t := typ.(type) {
	case *ast.Ident:
		return t.Name == "string" || t.Name == "any" || t.Name == "error"
	case *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
		return true
	}
	return false
}
