package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
)

// assigned are the variables declared outside an if, for, range or switch
// statement that its body assigns to, in the order of first assignment. "Outside" is
// outside the body: the variables of their headers count, which all branches share.
// Package variables may be among them.
func (b *Flow) assigned(s ast.Stmt) []*types.Var {
	if b.Funcs {
		return b.WithCapacities(b.assignedByFuncs(s))
	}
	if vars, ok := b.scan.Found[s]; ok {
		return b.WithCapacities(vars)
	}
	b.scan.Info, b.scan.B = b.Info, &b.Scope
	if b.scan.Found == nil {
		b.scan.Found = map[ast.Stmt][]*types.Var{}
		b.scan.Seen = map[check.SeenKey]struct{}{}
	}
	b.scan.Stmt(s)
	return b.WithCapacities(b.scan.Found[s])
}

// A funcScan finds the variables that function literals assign. The body of a literal can run where the literal stands,
// and where a variable is mentioned that holds the literal. So its assignments count at these places.
type funcScan struct {
	b    *Flow
	own  ast.Node // variables declared in it are its own
	from token.Pos
	copy int
	vars []*types.Var
	seen map[*types.Var]bool
	lits map[litKey]bool
}

type litKey struct {
	lit  *ast.FuncLit
	copy int
}

// assignedByFuncs is assigned in a function that holds function values. What they
// are changes from place to place, so that nothing is kept.
func (b *Flow) assignedByFuncs(s ast.Stmt) []*types.Var {
	sc := &funcScan{b: b, own: s, from: s.Pos(), copy: b.Scope.Copy}
	switch s := s.(type) {
	case *ast.ForStmt:
		sc.from = s.Body.Pos()
		sc.nodes(&b.Scope, s.Cond, s.Post, s.Body)
	case *ast.RangeStmt:
		sc.from = s.Body.Pos()
		if s.Tok == token.ASSIGN {
			sc.assign(&b.Scope, s.Key)
			sc.assign(&b.Scope, s.Value)
		}
		sc.nodes(&b.Scope, s.X, s.Body) // the functions in X are what the body calls
	case *ast.IfStmt:
		sc.from = s.Body.Pos() // all branches share the variables of the header
		sc.nodes(&b.Scope, s.Cond, s.Body, s.Else)
	case *ast.SwitchStmt:
		sc.from = s.Body.Pos()
		sc.nodes(&b.Scope, s.Body)
	case *ast.TypeSwitchStmt:
		sc.from = s.Body.Pos()
		sc.nodes(&b.Scope, s.Body)
	default:
		sc.nodes(&b.Scope, s)
	}
	return sc.vars
}

// assignedInExpr are the variables declared outside an expression that the function
// literals in it assign to, and those that its variables hold.
func (b *Flow) assignedInExpr(e ast.Expr) []*types.Var {
	if !b.Funcs {
		return nil
	}
	sc := &funcScan{b: b, own: e, from: e.Pos(), copy: b.Scope.Copy}
	sc.nodes(&b.Scope, e)
	return b.WithCapacities(sc.vars)
}

// assignedIn are the variables declared outside a body that is lowered into its
// caller which it assigns to.
func (b *Flow) assignedIn(f *body) []*types.Var {
	sc := &funcScan{b: b, own: f.decl, from: f.decl.Pos(), copy: f.scope.Copy}
	sc.nodes(&f.scope, f.stmts)
	return b.WithCapacities(sc.vars)
}

func (sc *funcScan) nodes(in *check.Scope, list ...ast.Node) {
	for _, n := range list {
		switch n := n.(type) {
		case nil:
			continue
		case *ast.BlockStmt:
			if n == nil {
				continue
			}
		}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, lhs := range n.Lhs {
					sc.assign(in, lhs)
				}
			case *ast.IncDecStmt:
				sc.assign(in, n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					sc.assign(in, n.Key)
					sc.assign(in, n.Value)
				}
			case *ast.Ident:
				sc.mention(in, n)
			}
			return true
		})
	}
}

// mention looks into the literal that a variable holds.
func (sc *funcScan) mention(in *check.Scope, id *ast.Ident) {
	v, ok := in.Info.Uses[id].(*types.Var)
	if !ok {
		return
	}
	sc.b.EachLiteral(sc.b.Vars[v], sc.literal)
}

// literal looks into a literal, once.
func (sc *funcScan) literal(f *eval.Func) {
	key := litKey{f.Lit, f.Scope.Copy}
	if sc.lits[key] {
		return
	}
	if sc.lits == nil {
		sc.lits = map[litKey]bool{}
	}
	sc.lits[key] = true
	sc.nodes(&f.Scope, f.Lit.Body)
}

func (sc *funcScan) assign(in *check.Scope, lhs ast.Expr) {
	if lhs == nil {
		return
	}
	v := in.FrontRoot(lhs)
	if id, ok := ast.Unparen(lhs).(*ast.Ident); ok {
		v, _ = in.Info.Uses[id].(*types.Var)
	}
	if v == nil || sc.seen[v] || sc.from <= v.Pos() && v.Pos() < sc.own.End() && sc.b.Facts.CopyOf[v] == sc.copy {
		return
	}
	if sc.seen == nil {
		sc.seen = map[*types.Var]bool{}
	}
	sc.seen[v] = true
	sc.vars = append(sc.vars, v)
}
