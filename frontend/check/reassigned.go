package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
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
	r := reassigned{info: info, vars: map[*types.Var]bool{}, posts: map[ast.Stmt]map[*types.Var]bool{}}
	ast.Inspect(decl, func(n ast.Node) bool {
		r.visit(n)
		return true
	})
	if m.assignedAgain == nil {
		m.assignedAgain = map[*ast.FuncDecl]map[*types.Var]bool{}
	}
	m.assignedAgain[decl] = r.vars
	return r.vars
}

// reassigned collects the variables of [Syntax.Reassigned].
type reassigned struct {
	info  *types.Info
	vars  map[*types.Var]bool
	posts map[ast.Stmt]map[*types.Var]bool // of the post statements of loops: the variables that the loop declares
}

// visit looks at one node. It comes to a loop before it comes to the loop's post statement.
func (r *reassigned) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.ForStmt:
		if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE && n.Post != nil {
			r.posts[n.Post] = r.defined(init)
		}
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			r.assign(lhs, r.posts[n])
		}
	case *ast.IncDecStmt:
		r.assign(n.X, r.posts[n])
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			r.assign(n.X, nil)
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			r.assign(n.Key, nil)
			r.assign(n.Value, nil)
		}
	case *ast.FuncType: // a return assigns the named results
		r.results(n.Results)
	}
}

// defined are the variables that a statement declares.
func (r *reassigned) defined(s *ast.AssignStmt) map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	for _, lhs := range s.Lhs {
		if id, ok := lhs.(*ast.Ident); ok {
			if v, ok := r.info.Defs[id].(*types.Var); ok {
				vars[v] = true
			}
		}
	}
	return vars
}

// results adds the named results of a function.
func (r *reassigned) results(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			if v, ok := r.info.Defs[name].(*types.Var); ok {
				r.vars[v] = true
			}
		}
	}
}

// assign adds the variable that an assignment to an expression changes, if it is not one of a loop's own.
func (r *reassigned) assign(e ast.Expr, own map[*types.Var]bool) {
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
			if v, ok := r.info.Uses[x].(*types.Var); ok && !own[v] {
				r.vars[v] = true
			}
			return
		default:
			return
		}
		if t := r.info.TypeOf(e); IsPointer(t) || IsSlice(t) {
			return // what it points to is assigned
		}
	}
}

// RefuseCaptured reports the call of a function literal that needs a variable which changes, and of which no life is
// left.
func (sc *Scope) RefuseCaptured(n ast.Node, v *types.Var) {
	m := sc.Syntax
	hint := fmt.Sprintf("call it once, in the loop in which it is made, or declare %s in a block around the call, or pass it as an argument", v.Name())
	if load.IsOthers(m.Prog.Fset.Position(v.Pos()).Filename) {
		hint = "an iterator that remembers where it is can be used once, and not in a loop that begins after it is made: range over the call that makes it"
	}
	m.RefuseAdvised(n, hint, "the function literal needs %s, which was declared in a block that has ended and is assigned to", v.Name())
}

// RefuseEnded reports the use of what has to do with a block that has ended.
func (sc *Scope) RefuseEnded(n ast.Node, name, needs string) {
	sc.Syntax.Refuse(n, "declare it before that block, or use it inside", "%s needs %s, which was declared in a block that has ended", name, needs)
}
