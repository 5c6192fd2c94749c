package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Original is the variable of the source that one of a copy of its syntax stands for.
func (m *Syntax) Original(v *types.Var) *types.Var {
	if w := m.Originals[v]; w != nil {
		return w
	}
	return v
}

// Reassigned are the variables of a declared function that are assigned after their
// declaration, but not those of a for clause that only its post statement changes: each
// turn has its own.
func (m *Syntax) Reassigned(decl *ast.FuncDecl, info *types.Info) map[*types.Var]bool {
	if vars, ok := m.assignedAgain[decl]; ok {
		return vars
	}
	vars := map[*types.Var]bool{}
	posts := map[ast.Stmt]map[*types.Var]bool{}
	assign := func(e ast.Expr, own map[*types.Var]bool) {
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.Ident:
				if v, ok := info.Uses[x].(*types.Var); ok && !own[v] {
					vars[v] = true
				}
				return
			default:
				return
			}
			if t := info.TypeOf(e); IsPointer(t) || IsSlice(t) {
				return // what it points to is assigned
			}
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE && n.Post != nil {
				own := map[*types.Var]bool{}
				for _, lhs := range init.Lhs {
					if id, ok := lhs.(*ast.Ident); ok {
						if v, ok := info.Defs[id].(*types.Var); ok {
							own[v] = true
						}
					}
				}
				posts[n.Post] = own
			}
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				assign(lhs, posts[n])
			}
		case *ast.IncDecStmt:
			assign(n.X, posts[n])
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				assign(n.X, nil)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				assign(n.Key, nil)
				assign(n.Value, nil)
			}
		case *ast.FuncType: // a return assigns the named results
			if n.Results == nil {
				break
			}
			for _, field := range n.Results.List {
				for _, name := range field.Names {
					if v, ok := info.Defs[name].(*types.Var); ok {
						vars[v] = true
					}
				}
			}
		}
		return true
	})
	if m.assignedAgain == nil {
		m.assignedAgain = map[*ast.FuncDecl]map[*types.Var]bool{}
	}
	m.assignedAgain[decl] = vars
	return vars
}

// RefuseEnded reports the use of what has to do with a block that has ended.
func (sc *Scope) RefuseEnded(n ast.Node, name, needs string) {
	sc.Syntax.Refuse(n, "declare it before the if, or use it inside", "%s needs %s, which was declared in a block that has ended", name, needs)
}
