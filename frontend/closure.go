package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// A function literal captures variables. While they live they are variables like any
// other to its body. One that is never assigned again may be gone when the literal is
// called, by somebody that it has been returned to: the literal keeps its value.

// A capture is a variable that a literal captures.
type capture struct {
	v     *types.Var
	birth int        // which of the variable's lives it is: see builder.births
	val   *ssa.Value // what it holds if it is never assigned again, else nil
}

// capture notes what a literal captures.
func (b *Variables) capture(f *funcValue) {
	seen := map[*types.Var]bool{}
	for _, v := range freeVars(f) {
		if seen[v] || !b.isDeclared(v) {
			continue
		}
		seen[v] = true
		c := capture{v: v, birth: b.births[v]}
		if b.locals[v] == nil && !b.m.reassigned(f.scope.src.Decl, f.scope.src.Info)[b.m.original(v)] {
			c.val = b.value(v)
		}
		f.captures = append(f.captures, c)
	}
}

// original is the variable of the source that one of a copy of its syntax stands for.
func (m *Syntax) original(v *types.Var) *types.Var {
	if w := m.originals[v]; w != nil {
		return w
	}
	return v
}

// reassigned are the variables of a declared function that are assigned after their
// declaration, but not those of a for clause that only its post statement changes: each
// turn has its own.
func (m *Syntax) reassigned(decl *ast.FuncDecl, info *types.Info) map[*types.Var]bool {
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
				continue
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.Ident:
				if v, ok := info.Uses[x].(*types.Var); ok && !own[v] {
					vars[v] = true
				}
			}
			return
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

// rebind gives the variables that a literal has captured the values that they had then,
// where they are gone by now, and gives what undoes it; false if that cannot be.
func (b *Variables) rebind(at ast.Node, f *funcValue) (undo func(), ok bool) {
	type saved struct {
		v        *types.Var
		val, raw *ssa.Value
		birth    int
	}
	var olds []saved
	undo = func() {
		for i := len(olds) - 1; i >= 0; i-- {
			o := olds[i]
			b.births[o.v] = o.birth
			if o.raw == nil {
				delete(b.vars, o.v)
				continue
			}
			b.vars[o.v] = o.raw
			if a := aggregateOf(o.val); a != nil {
				b.hold(o.v, a)
			}
		}
	}
	for _, c := range f.captures {
		alive := b.isDeclared(c.v) && b.births[c.v] == c.birth
		if alive && (c.val == nil || b.locals[c.v] != nil || c.val == poison) {
			continue
		}
		val := c.val
		if val != nil {
			val = b.here(at.Pos(), val)
		}
		if alive && val == c.val && b.sameValue(b.value(c.v), val) {
			continue
		}
		if val == nil || isUnknown(val) {
			b.refuseEnded(at, "the function literal", c.v.Name())
			undo()
			return nil, false
		}
		olds = append(olds, saved{c.v, b.value(c.v), b.vars[c.v], b.births[c.v]})
		delete(b.vars, c.v)
		b.set(c.v, val)
		b.births[c.v] = c.birth
	}
	return undo, true
}

// refuseEnded reports the use of what has to do with a block that has ended.
func (b *Scope) refuseEnded(n ast.Node, name, needs string) {
	b.m.refuse(n, "declare that before the if, or use it inside", "%s needs %s, of a block that has ended", name, needs)
}
