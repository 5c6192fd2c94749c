package desugar

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// A function literal that calls itself, by way of the variable that holds it, becomes a declared function, since
// literals are lowered into their callers. What it captures becomes parameters in front of its own: a variable that
// something assigns to is given by its address, another one by its value. Of
//
//	var visit func(at int)
//	visit = func(at int) {
//		sum += tree[at]
//		if at > 0 {
//			visit(at / 2)
//		}
//	}
//	visit(9)
//
// this becomes
//
//	visit(&sum, tree, 9)
//
// with
//
//	func visit(sum *int, tree []int, at int) {
//		*sum += tree[at]
//		if at > 0 {
//			visit(sum, tree, at/2)
//		}
//	}
//
// Literals that such a function calls by their variables go with it. A variable counts if it is assigned a literal
// once, where it is declared or in the list of statements that declares it, and is called only, behind that.

// A heldLit is a function literal that a local variable holds for good.
type heldLit struct {
	held     *types.Var
	lit      *ast.FuncLit
	assign   *ast.AssignStmt
	calls    []*heldLit // by their variables
	captures []*types.Var
	fn       *Function
}

// A lifter makes declared functions of the literals in a function.
type lifter struct {
	info   *types.Info
	f      *Function
	lits   map[*types.Var]*heldLit
	stored map[*types.Var]bool // variables that something may change after their declaration
}

// liftLiterals makes functions of the recursive literals in a function, and gives them.
func liftLiterals(f *Function) []*Function {
	if f.Obj == nil || f.Decl.Body == nil {
		return nil
	}
	l := &lifter{info: f.Info, f: f, lits: map[*types.Var]*heldLit{}}
	l.find()
	if len(l.lits) == 0 {
		return nil
	}
	l.leaveOut()
	l.onlyRecursive()
	if len(l.lits) == 0 || l.calledBefore() {
		return nil
	}
	l.findStored()
	l.capture()
	return l.lift()
}

// find finds the variables that are assigned literals.
func (l *lifter) find() {
	ast.Inspect(l.f.Decl.Body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		}
		declared := map[*types.Var]bool{}
		for _, s := range list {
			switch s := s.(type) {
			case *ast.DeclStmt:
				l.declared(s, declared)
			case *ast.AssignStmt:
				l.assigned(s, declared)
			}
		}
		return true
	})
}

// declared takes note of the variables that a statement declares without values.
func (l *lifter) declared(s *ast.DeclStmt, declared map[*types.Var]bool) {
	for _, spec := range s.Decl.(*ast.GenDecl).Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok || len(spec.Values) > 0 {
			continue
		}
		for _, id := range spec.Names {
			if v, ok := l.info.Defs[id].(*types.Var); ok {
				declared[v] = true
			}
		}
	}
}

// assigned takes note of an assignment of a literal to one of the variables that are declared beside it, or by it.
func (l *lifter) assigned(s *ast.AssignStmt, declared map[*types.Var]bool) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	id, isName := s.Lhs[0].(*ast.Ident)
	lit, isLit := s.Rhs[0].(*ast.FuncLit)
	if !isName || !isLit {
		return
	}
	v, ok := l.info.ObjectOf(id).(*types.Var)
	if _, isSig := l.info.TypeOf(lit).(*types.Signature); ok && isSig && (s.Tok == token.DEFINE || declared[v]) && l.lits[v] == nil {
		l.lits[v] = &heldLit{held: v, lit: lit, assign: s}
	}
}

// leaveOut leaves out what is used in other ways than by calls behind the assignment.
func (l *lifter) leaveOut() {
	good := map[*ast.Ident]bool{}
	for _, h := range l.lits {
		good[h.assign.Lhs[0].(*ast.Ident)] = true
	}
	var bad []*types.Var
	ast.Inspect(l.f.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if h := l.called(n); ok && h != nil && l.isPlainCall(n) {
				// A literal that is assigned earlier may call what is assigned later.
				good[id] = n.Pos() > h.assign.End() || l.heldAround(n) != nil
			}
		case *ast.Ident:
			if v, ok := l.info.Uses[n].(*types.Var); ok && l.lits[v] != nil && !good[n] {
				bad = append(bad, v)
			}
		}
		return true
	})
	for _, v := range bad {
		delete(l.lits, v)
	}
}

// heldAround is the innermost literal held by a variable that syntax stands in.
func (l *lifter) heldAround(n ast.Node) (in *heldLit) {
	for _, h := range l.lits {
		if h.lit.Pos() <= n.Pos() && n.End() <= h.lit.End() && (in == nil || in.lit.Pos() < h.lit.Pos()) {
			in = h
		}
	}
	return in
}

// called is the literal that a call calls by its variable, or nil.
func (l *lifter) called(call *ast.CallExpr) *heldLit {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if v, ok := l.info.Uses[id].(*types.Var); ok {
			return l.lits[v]
		}
	}
	return nil
}

// isPlainCall reports whether the arguments of a call stand there, one for each parameter.
func (l *lifter) isPlainCall(call *ast.CallExpr) bool {
	return len(call.Args) != 1 || !isTuple(l.info.TypeOf(call.Args[0]))
}

func isTuple(t types.Type) bool {
	_, ok := t.(*types.Tuple)
	return ok
}

// onlyRecursive leaves the literals that lead to themselves, and those that these call.
func (l *lifter) onlyRecursive() {
	for _, h := range l.lits {
		h.calls = nil
		ast.Inspect(h.lit.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if to := l.called(call); to != nil {
					h.calls = append(h.calls, to)
				}
			}
			return true
		})
	}
	keep := map[*types.Var]bool{}
	for _, h := range l.lits {
		if reached := h.reached(); reached[h] {
			for to := range reached {
				keep[to.held] = true
			}
		}
	}
	maps.DeleteFunc(l.lits, func(v *types.Var, _ *heldLit) bool { return !keep[v] })
}

// calledBefore reports whether there is a call in front of the assignment of something that it leads to.
func (l *lifter) calledBefore() (before bool) {
	ast.Inspect(l.f.Decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && l.called(call) != nil && l.heldAround(n) == nil {
			h := l.called(call)
			before = before || n.Pos() < h.assign.End()
			for to := range h.reached() {
				before = before || n.Pos() < to.assign.End()
			}
		}
		return !before
	})
	return before
}

// reached are the literals that calls in this one lead to.
func (h *heldLit) reached() map[*heldLit]bool {
	found := map[*heldLit]bool{}
	var visit func(h *heldLit)
	visit = func(h *heldLit) {
		for _, to := range h.calls {
			if !found[to] {
				found[to] = true
				visit(to)
			}
		}
	}
	visit(h)
	return found
}

// findStored finds the variables whose values may change after their declaration: those that are assigned to, as a
// whole or in part, and those whose address is taken.
func (l *lifter) findStored() {
	l.stored = map[*types.Var]bool{}
	ast.Inspect(l.f.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				l.store(e)
			}
		case *ast.IncDecStmt:
			l.store(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				l.store(n.Key)
				l.store(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				l.store(n.X)
			}
		case *ast.SliceExpr:
			if t := l.info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					l.store(n.X)
				}
			}
		case *ast.SelectorExpr:
			if sel := l.info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal && takesAddress(sel) {
				l.store(n.X)
			}
		}
		return true
	})
}

// takesAddress reports whether a method has a pointer as its receiver, and is called on none.
func takesAddress(sel *types.Selection) bool {
	_, isPointer := sel.Recv().Underlying().(*types.Pointer)
	recv := sel.Obj().(*types.Func).Signature().Recv()
	_, wants := recv.Type().(*types.Pointer)
	return wants && !isPointer
}

// store takes note of a variable that an expression is, or is a part of. What a pointer or a slice leads to is none.
func (l *lifter) store(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if sel := l.info.Selections[x]; sel == nil || sel.Indirect() {
				return
			}
			e = x.X
		case *ast.IndexExpr:
			if t := l.info.TypeOf(x.X); t == nil || !isArrayType(t) {
				return
			}
			e = x.X
		case *ast.Ident:
			if v, ok := l.info.Uses[x].(*types.Var); ok {
				l.stored[v] = true
			}
			return
		default:
			return
		}
	}
}

func isArrayType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// capture finds what each literal captures, for itself and for those that it calls.
func (l *lifter) capture() {
	of := map[*heldLit]map[*types.Var]bool{}
	for _, h := range l.lits {
		vars := map[*types.Var]bool{}
		ast.Inspect(h.lit.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := l.info.Uses[id].(*types.Var); ok && l.isLocal(v) && l.lits[v] == nil && !standsIn(h.lit, v.Pos()) {
					vars[v] = true
				}
			}
			return true
		})
		of[h] = vars
	}
	for more := true; more; {
		more = false
		for _, h := range l.lits {
			n := len(of[h])
			for _, to := range h.calls {
				for v := range of[to] {
					if !standsIn(h.lit, v.Pos()) { // else h gives to its own variable
						of[h][v] = true
					}
				}
			}
			more = more || len(of[h]) > n
		}
	}
	for _, h := range l.lits {
		h.captures = slices.SortedFunc(maps.Keys(of[h]), func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
	}
}

// isLocal reports whether a variable is declared in the function.
func (l *lifter) isLocal(v *types.Var) bool {
	return !v.IsField() && v.Parent() != nil && v.Parent() != v.Pkg().Scope() && v.Pkg() == l.f.Pkg
}

// standsIn reports whether a position is in a piece of syntax.
func standsIn(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
