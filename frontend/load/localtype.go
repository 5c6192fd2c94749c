package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// A type argument may be a type that a function declares. To package reflect it is one of the
// function's package, as if it were declared at package level. The kernel does not reach that
// function, so the type is cut out of it, as a literal is.

// A localType is a type that a function declares.
type localType struct {
	decl *decl         // the function that it is cut out of
	spec *ast.TypeSpec // in that
}

// localTypes are the types that functions declare, by their packages and names, as far as they may be type arguments.
type localTypes map[Global][]localType

// localSuffix begins the number that the Go compiler gives a local type in the names of generic types.
const localSuffix = "·"

// typeNamed reaches a type of a package, or those with its name that functions of the package declare.
func (l *loader) typeNamed(path, name string) {
	l.member(path, name, called)
	p, key := l.pkgs[path], Global{path, name}
	if _, ok := l.locals[key]; ok || p == nil || len(p.decls[name]) > 0 {
		return
	}
	l.locals[key] = nil
	for _, f := range p.files {
		if !bytes.Contains(f.Src, []byte(name)) {
			continue
		}
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || isGenericSyntax(fn) { // its types are others for each of its type arguments, and named so
				continue
			}
			if !bytes.Contains(f.textOf(fn), []byte("type")) {
				continue // without a look at all its nodes
			}
			inspectPath(fn, func(n ast.Node, above []ast.Node) {
				if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == name && spec.TypeParams == nil {
					t := cutOutType(f, spec, above)
					l.locals[key] = append(l.locals[key], t)
					l.queue = append(l.queue, t.decl)
				}
			})
		}
	}
}

// isGenericSyntax reports whether a function has type parameters, or its receiver has.
func isGenericSyntax(fn *ast.FuncDecl) bool {
	if fn.Recv != nil && len(fn.Recv.List) > 0 {
		if _, args := receiverBase(fn.Recv.List[0].Type); len(args) > 0 {
			return true
		}
	}
	return fn.Type.TypeParams != nil
}

// cutOutType makes a package-level declaration of a local type: a function that declares it.
func cutOutType(f *sourceFile, spec *ast.TypeSpec, above []ast.Node) localType {
	base := FuncName(above[0].(ast.Decl)) + "_" + spec.Name.Name
	base = strings.ReplaceAll(base, ".", "_")
	name := base
	for n := 2; len(f.pkg.decls[name]) > 0; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	at := len(above) - 1 // of the statement, which may declare several types
	for ; at > 0; at-- {
		if _, ok := above[at].(*ast.DeclStmt); ok {
			break
		}
	}
	stmt := above[at].(*ast.DeclStmt)
	t := localType{decl: &decl{file: f, level: called}}
	t.decl.fn = cutOut(name, stmt, above[:at], func() ast.Stmt {
		s := copySyntax(stmt)
		ast.Inspect(s, func(n ast.Node) bool {
			if copied, ok := n.(*ast.TypeSpec); ok && copied.Pos() == spec.Pos() {
				t.spec = copied
			}
			return true
		})
		return s
	})
	t.decl.local = t.spec
	f.decls = append(f.decls, t.decl)
	f.pkg.decls[name] = append(f.pkg.decls[name], t.decl)
	return t
}

// find finds the type that a function of a package declares, by a name that no package-level
// type has; nil where there is none.
func (lt localTypes) find(path, name string, fset *token.FileSet) (*ast.Ident, error) {
	switch list := lt[Global{path, name}]; len(list) {
	case 0:
		return nil, nil
	case 1:
		return list[0].spec.Name, nil
	default:
		where := make([]string, len(list))
		for i, t := range list {
			at := fset.PositionFor(t.spec.Pos(), false)
			where[i] = fmt.Sprintf("%s:%d", baseName(at.Filename), at.Line)
		}
		return nil, fmt.Errorf("several functions of package %s declare a type %s (%s), which a running program does not distinguish; give it a name of its own, or declare it at package level",
			path, name, strings.Join(where, ", "))
	}
}
