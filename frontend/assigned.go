package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// A scan finds the variables that a statement assigns to: those are what an If
// or a Loop must merge. A statement is scanned together with all that it
// contains, and what is found for the inner ones is kept, so that every
// statement of a function is scanned once however deep it is nested.
type scan struct {
	b      *Scope
	info   *types.Info
	found  map[ast.Stmt][]*types.Var
	seen   map[seenKey]struct{}
	frames []frame // open statements, outermost first
}

// A frame is an open statement of a scan: variables declared at start or later
// are its own.
type frame struct {
	start token.Pos
	vars  []*types.Var
}

type seenKey struct {
	start token.Pos // identifies the frame
	v     *types.Var
}

// assigned are the variables declared outside an if, for, range or switch
// statement that its body assigns to, in the order of first assignment. "Outside" is
// outside the body: the variables of their headers count, which all branches share.
// Package variables may be among them.
func (b *Flow) assigned(s ast.Stmt) []*types.Var {
	if b.funcs {
		return b.assignedByFuncs(s)
	}
	if vars, ok := b.scan.found[s]; ok {
		return vars
	}
	b.scan.info, b.scan.b = b.info, &b.Scope
	if b.scan.found == nil {
		b.scan.found = map[ast.Stmt][]*types.Var{}
		b.scan.seen = map[seenKey]struct{}{}
	}
	b.scan.stmt(s)
	return b.scan.found[s]
}

func (sc *scan) stmt(s ast.Stmt) {
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
		sc.stmt(s.Stmt)
	case *ast.IfStmt:
		sc.stmt(s.Init)
		sc.open(s.Body.Pos())
		sc.stmt(s.Body)
		sc.stmt(s.Else)
		sc.close(s)
	case *ast.ForStmt:
		sc.stmt(s.Init)
		sc.open(s.Body.Pos())
		sc.stmt(s.Post)
		sc.stmt(s.Body)
		sc.close(s)
	case *ast.RangeStmt:
		sc.open(s.Body.Pos())
		if s.Tok == token.ASSIGN {
			sc.assign(s.Key)
			sc.assign(s.Value)
		}
		sc.stmt(s.Body)
		sc.close(s)
	case *ast.SwitchStmt:
		sc.stmt(s.Init)
		sc.open(s.Body.Pos())
		sc.stmt(s.Body)
		sc.close(s)
	case *ast.TypeSwitchStmt:
		sc.stmt(s.Init)
		sc.open(s.Body.Pos())
		sc.stmt(s.Body)
		sc.close(s)
	case *ast.CaseClause:
		sc.list(s.Body)
	}
}

func (sc *scan) list(stmts []ast.Stmt) {
	for _, s := range stmts {
		sc.stmt(s)
	}
}

func (sc *scan) open(start token.Pos) {
	sc.frames = append(sc.frames, frame{start: start})
}

// close ends a statement: what it assigns to, the one around it does.
func (sc *scan) close(s ast.Stmt) {
	n := len(sc.frames) - 1
	vars := sc.frames[n].vars
	sc.frames = sc.frames[:n]
	sc.found[s] = vars
	for _, v := range vars {
		sc.add(v)
	}
}

func (sc *scan) assign(lhs ast.Expr) {
	id, ok := lhs.(*ast.Ident)
	if !ok {
		if p, isParen := lhs.(*ast.ParenExpr); isParen {
			sc.assign(p.X)
		} else if v := sc.b.frontRoot(lhs); v != nil {
			sc.add(v)
		}
		return
	}
	if v, ok := sc.info.Uses[id].(*types.Var); ok { // not one that := declares
		sc.add(v)
	}
}

// add notes a variable in the innermost open statement.
func (sc *scan) add(v *types.Var) {
	if len(sc.frames) == 0 {
		return
	}
	f := &sc.frames[len(sc.frames)-1]
	if v.Pos() >= f.start {
		return
	}
	key := seenKey{f.start, v}
	if _, ok := sc.seen[key]; ok {
		return
	}
	sc.seen[key] = struct{}{}
	f.vars = append(f.vars, v)
}

// frontRoot is the variable that holds the part of a front-end struct or array which an
// assignment assigns; nil of any other assignment.
func (in *Scope) frontRoot(lhs ast.Expr) *types.Var {
	switch x := lhs.(type) {
	case *ast.ParenExpr:
		return in.frontRoot(x.X)
	case *ast.Ident:
		v, ok := in.info.Uses[x].(*types.Var)
		if ok && in.m.isFrontType(in.m.with(in.targs).typ(v.Type())) {
			return v
		}
	case *ast.SelectorExpr:
		v, sel := in.frontRoot(x.X), in.info.Selections[x]
		if v == nil || sel == nil {
			return nil
		}
		for _, i := range sel.Index() {
			t := in.m.with(in.targs).typ(v.Type())
			if !in.m.isFrontType(t) || !isStruct(t) {
				break
			}
			v = in.m.partVar(v, t, i)
		}
		return v
	case *ast.IndexExpr:
		v := in.frontRoot(x.X)
		if v == nil {
			return nil
		}
		t := in.m.with(in.targs).typ(v.Type())
		if i, ok := constOf(ssa.Int64, constantValue(in.info.Types[x.Index].Value)); ok && in.m.isFrontType(t) && isArray(t) && uint64(i.Int()) < uint64(t.Underlying().(*types.Array).Len()) {
			return in.m.partVar(v, t, int(i.Int()))
		}
		return v
	}
	return nil
}
