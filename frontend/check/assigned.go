package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// A Scan finds the variables that a statement assigns to: those are what an If
// or a Loop must merge. A statement is scanned together with all that it
// contains, and what is found for the inner ones is kept, so that every
// statement of a function is scanned once however deep it is nested.
type Scan struct {
	B      *Scope
	Info   *types.Info
	Found  map[ast.Stmt][]*types.Var
	Seen   map[SeenKey]struct{}
	frames []frame // open statements, outermost first
}

// A frame is an open statement of a scan: variables declared at start or later
// are its own.
type frame struct {
	of    ast.Stmt
	start token.Pos
	vars  []*types.Var
}

type SeenKey struct {
	of ast.Stmt // the frame's: statements that package load makes begin where others do
	v  *types.Var
}

func (sc *Scan) Stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil:
	case *ast.AssignStmt:
		for _, lhs := range s.Lhs {
			sc.assign(lhs)
		}
	case *ast.IncDecStmt:
		sc.assign(s.X)
	case *ast.BlockStmt:
		sc.list(s.List)
	case *ast.LabeledStmt:
		sc.Stmt(s.Stmt)
	case *ast.IfStmt:
		sc.Stmt(s.Init)
		sc.open(s, s.Body.Pos())
		sc.Stmt(s.Body)
		sc.Stmt(s.Else)
		sc.close(s)
	case *ast.ForStmt:
		sc.Stmt(s.Init)
		sc.open(s, s.Body.Pos())
		sc.Stmt(s.Post)
		sc.Stmt(s.Body)
		sc.close(s)
	case *ast.RangeStmt:
		sc.open(s, s.Body.Pos())
		if s.Tok == token.ASSIGN {
			sc.assign(s.Key)
			sc.assign(s.Value)
		}
		sc.Stmt(s.Body)
		sc.close(s)
	case *ast.SwitchStmt:
		sc.Stmt(s.Init)
		sc.open(s, s.Body.Pos())
		sc.Stmt(s.Body)
		sc.close(s)
	case *ast.TypeSwitchStmt:
		sc.Stmt(s.Init)
		sc.open(s, s.Body.Pos())
		sc.Stmt(s.Body)
		sc.close(s)
	case *ast.CaseClause:
		sc.list(s.Body)
	}
}

func (sc *Scan) list(stmts []ast.Stmt) {
	for _, s := range stmts {
		sc.Stmt(s)
	}
}

func (sc *Scan) open(s ast.Stmt, start token.Pos) {
	sc.frames = append(sc.frames, frame{of: s, start: start})
}

// close ends a statement: what it assigns to, the one around it does.
func (sc *Scan) close(s ast.Stmt) {
	n := len(sc.frames) - 1
	vars := sc.frames[n].vars
	sc.frames = sc.frames[:n]
	sc.Found[s] = vars
	for _, v := range vars {
		sc.add(v)
	}
}

func (sc *Scan) assign(lhs ast.Expr) {
	id, ok := lhs.(*ast.Ident)
	if !ok {
		if p, isParen := lhs.(*ast.ParenExpr); isParen {
			sc.assign(p.X)
		} else if v := sc.B.FrontRoot(lhs); v != nil {
			sc.add(v)
		}
		return
	}
	if v, ok := sc.Info.Uses[id].(*types.Var); ok { // not one that := declares
		sc.add(v)
	}
}

// add notes a variable in the innermost open statement.
func (sc *Scan) add(v *types.Var) {
	if len(sc.frames) == 0 {
		return
	}
	f := &sc.frames[len(sc.frames)-1]
	if v.Pos() >= f.start {
		return
	}
	key := SeenKey{f.of, v}
	if _, ok := sc.Seen[key]; ok {
		return
	}
	sc.Seen[key] = struct{}{}
	f.vars = append(f.vars, v)
}

// FrontRoot is the variable that holds the part of a front-end struct or array which an
// assignment assigns; nil of any other assignment.
func (sc *Scope) FrontRoot(lhs ast.Expr) *types.Var {
	switch x := lhs.(type) {
	case *ast.ParenExpr:
		return sc.FrontRoot(x.X)
	case *ast.Ident:
		v, ok := sc.Info.Uses[x].(*types.Var)
		if ok && sc.Syntax.IsFrontType(sc.Syntax.With(sc.Targs).Typ(v.Type())) {
			return v
		}
	case *ast.SelectorExpr:
		v, sel := sc.FrontRoot(x.X), sc.Info.Selections[x]
		if v == nil || sel == nil {
			return nil
		}
		for _, i := range sel.Index() {
			if IsPointer(sc.Syntax.With(sc.Targs).Typ(v.Type())) {
				return nil
			}
			t := sc.Syntax.With(sc.Targs).Typ(v.Type())
			if !sc.Syntax.IsFrontType(t) || !IsStruct(t) {
				break
			}
			v = sc.Syntax.PartVar(v, t, i)
		}
		return v
	case *ast.IndexExpr:
		v := sc.FrontRoot(x.X)
		if v == nil {
			return nil
		}
		t := sc.Syntax.With(sc.Targs).Typ(v.Type())
		if i, ok := ConstOf(ssa.Int64, constantValue(sc.Info.Types[x.Index].Value)); ok && sc.Syntax.IsFrontType(t) && IsArray(t) && uint64(i.Int()) < uint64(t.Underlying().(*types.Array).Len()) {
			return sc.Syntax.PartVar(v, t, int(i.Int()))
		}
		return v
	}
	return nil
}
