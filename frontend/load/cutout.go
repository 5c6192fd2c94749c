package load

import (
	"go/ast"
	"go/token"
	"slices"
	"sort"
)

// A kernel that is a function literal may name what the functions around it declare. For the
// type checker those functions are cut down to the declarations that the literal needs:
// the rest of them is no business of a kernel.

// cutOut makes a function of those that are around a literal, with nothing in it but the
// literal, a copy, and the declarations that it needs. Variables that types has are
// declared with these.
func (k kernelLiteral) cutOut(name string, typed map[string]ast.Expr) (fn *ast.FuncDecl, lit *ast.FuncLit) {
	fn = cutOut(name, k.lit, k.above, func() ast.Stmt {
		lit = copySyntax(k.lit)
		s := &ast.AssignStmt{Lhs: []ast.Expr{&ast.Ident{NamePos: lit.Pos(), Name: "_"}}, TokPos: lit.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{lit}}
		if len(typed) == 0 {
			return s
		}
		return block(append(typedVars(lit.Pos(), typed), s)...)
	})
	return fn, lit
}

// cutOut makes a function of those that are around a piece of syntax, with nothing in it but a
// statement, which is made of that piece, and the declarations that the piece needs. The
// statement that counts is the last one that is made.
func cutOut(name string, n ast.Node, above []ast.Node, made func() ast.Stmt) *ast.FuncDecl {
	c := cutter{need: identNames(n)}
	var s ast.Stmt
	for before := -1; before < len(c.need); {
		before = len(c.need)
		s = made()
		for i := len(above) - 1; i > 0; i-- {
			child := n
			if i+1 < len(above) {
				child = above[i+1]
			}
			s = c.wrap(above[i], child, s)
		}
	}
	fn := &ast.FuncDecl{
		Name: &ast.Ident{NamePos: n.Pos(), Name: name},
		Type: &ast.FuncType{Func: n.Pos(), Params: &ast.FieldList{}},
		Body: endless(s, above[0].End()),
	}
	if around, ok := above[0].(*ast.FuncDecl); ok {
		fn.Type = copySyntax(around.Type)
		if around.Recv != nil {
			fn.Recv = copySyntax(around.Recv)
		}
	}
	return fn
}

// typedVars are declarations of variables, in the order of their names.
func typedVars(pos token.Pos, typed map[string]ast.Expr) (list []ast.Stmt) {
	var names []string
	for name := range typed {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		spec := &ast.ValueSpec{Names: []*ast.Ident{{NamePos: pos, Name: name}}, Type: typed[name]}
		list = append(list, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}})
	}
	return list
}

func block(list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: list[0].Pos(), List: list, Rbrace: list[len(list)-1].End()}
}

// endless is the body of a function, which ends at a place of the source, with one statement
// that nothing needs to follow: it may have results.
func endless(s ast.Stmt, end token.Pos) *ast.BlockStmt {
	b := block(s, &ast.ForStmt{For: s.Pos(), Body: &ast.BlockStmt{Lbrace: s.Pos(), Rbrace: s.Pos()}})
	b.Rbrace = end - 1
	return b
}

// identNames are the identifiers in a piece of syntax.
func identNames(n ast.Node) map[string]bool {
	names := make(map[string]bool)
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names
}

// A cutter keeps what declares the names that are needed.
type cutter struct{ need map[string]bool }

// wrap puts a statement that stands for what is below child into what is kept of the
// node around child.
func (c *cutter) wrap(n, child ast.Node, s ast.Stmt) ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return c.after(n.List, child, s)
	case *ast.CaseClause:
		return c.after(n.Body, child, s)
	case *ast.CommClause:
		if n.Comm != nil && n.Comm != child {
			return c.after(append([]ast.Stmt{n.Comm}, n.Body...), child, s)
		}
	case *ast.IfStmt:
		return c.after([]ast.Stmt{n.Init}, child, s)
	case *ast.ForStmt:
		return c.after([]ast.Stmt{n.Init}, child, s)
	case *ast.SwitchStmt:
		return c.after([]ast.Stmt{n.Init}, child, s)
	case *ast.TypeSwitchStmt:
		if c.declares(n.Assign) && child == n.Body {
			for _, clause := range n.Body.List {
				if clause, ok := clause.(*ast.CaseClause); ok && clause.Pos() <= s.Pos() && s.Pos() < clause.End() {
					kept := &ast.CaseClause{Case: clause.Case, List: copyExprs(clause.List), Colon: clause.Colon, Body: []ast.Stmt{s}}
					c.take(clause)
					s = &ast.TypeSwitchStmt{Switch: n.Switch, Assign: copySyntax(n.Assign), Body: block(kept)}
					break
				}
			}
		}
		return c.after([]ast.Stmt{n.Init}, child, s)
	case *ast.RangeStmt:
		if child == n.Body && n.Tok == token.DEFINE && c.declaresAny(n.Key, n.Value) {
			kept := &ast.RangeStmt{For: n.For, TokPos: n.TokPos, Tok: n.Tok, Range: n.Range, X: copySyntax(n.X), Body: block(s)}
			c.take(n.X)
			if n.Key != nil {
				kept.Key = copySyntax(n.Key)
			}
			if n.Value != nil {
				kept.Value = copySyntax(n.Value)
			}
			return kept
		}
	case *ast.FuncLit:
		c.take(n.Type)
		lit := &ast.FuncLit{Type: copySyntax(n.Type), Body: endless(s, n.End())}
		return &ast.AssignStmt{Lhs: []ast.Expr{&ast.Ident{NamePos: n.Pos(), Name: "_"}}, TokPos: n.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{lit}}
	}
	return s
}

// after puts what declares needed names, of the statements in front of child, before a
// statement.
func (c *cutter) after(list []ast.Stmt, child ast.Node, s ast.Stmt) ast.Stmt {
	var kept []ast.Stmt
	for i := len(list) - 1; i >= 0; i-- {
		stmt := list[i]
		if stmt == nil || stmt == child || stmt.Pos() >= child.Pos() {
			continue
		}
		if labeled, ok := stmt.(*ast.LabeledStmt); ok {
			stmt = labeled.Stmt
		}
		if c.declares(stmt) {
			c.take(stmt)
			kept = append(kept, copySyntax(stmt))
		}
	}
	if len(kept) == 0 {
		return s
	}
	slices.Reverse(kept)
	return block(append(kept, s)...)
}

// take notes that a piece of syntax is kept: what it names is needed too.
func (c *cutter) take(n ast.Node) {
	for name := range identNames(n) {
		c.need[name] = true
	}
}

// declares reports whether a statement declares something that is needed.
func (c *cutter) declares(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE && c.declaresAny(s.Lhs...)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			for _, spec := range d.Specs {
				for _, id := range specNames(spec) {
					if c.need[id.Name] {
						return true
					}
				}
			}
		}
	}
	return false
}

func (c *cutter) declaresAny(list ...ast.Expr) bool {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" && c.need[id.Name] {
			return true
		}
	}
	return false
}

func copyExprs(list []ast.Expr) []ast.Expr {
	var out []ast.Expr
	for _, e := range list {
		out = append(out, copySyntax(e))
	}
	return out
}
