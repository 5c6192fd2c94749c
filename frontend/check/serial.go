package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// In Quadrants a loop at the top level of a kernel is parallel. In a Grid kernel only g.For is, and a loop with
// independent iterations is hardly meant to run in order.

// WarnSerial warns of a loop at the top level of a Grid kernel whose iterations each write elements of their own, and of
// which none needs another.
func (sc *Scope) WarnSerial(s ast.Stmt) {
	if s.Pos() < sc.Syntax.serialEnd {
		return // within one that has been warned of
	}
	counter, body, length := sc.counted(s)
	if counter == nil || !sc.isIndependent(body, counter) {
		return
	}
	sc.Syntax.serialEnd = s.End()
	sc.Syntax.Warn(FirstToken{s}, "write g.For("+length+", func("+counter.Name()+" int) { ... }); or keep the order, with a loop over qd.Dynamic("+length+")",
		"the iterations of this loop are independent, but it runs once, in order: in a Grid kernel only g.For is parallel")
}

// counted is the variable that a loop counts with, the loop's body, and how many iterations there are; nil for a
// loop that is of another form, or that is marked.
func (sc *Scope) counted(s ast.Stmt) (counter *types.Var, body *ast.BlockStmt, length string) {
	var name ast.Expr
	var count ast.Expr
	switch s := s.(type) {
	case *ast.RangeStmt:
		if s.Value != nil { // which g.For does not give
			return nil, nil, ""
		}
		name, body, count = s.Key, s.Body, s.X
		length = types.ExprString(s.X)
		if t := sc.GoType(s.X); t == nil || !IsBasic(t, types.IsInteger) {
			length = "len(" + length + ")"
		}
	case *ast.ForStmt:
		init, isAssign := s.Init.(*ast.AssignStmt)
		cond, isCompare := s.Cond.(*ast.BinaryExpr)
		post, isInc := s.Post.(*ast.IncDecStmt)
		if !isAssign || !isCompare || !isInc || len(init.Lhs) != 1 || cond.Op != token.LSS || post.Tok != token.INC {
			return nil, nil, ""
		}
		name, body, count, length = init.Lhs[0], s.Body, cond.Y, types.ExprString(cond.Y)
		if types.ExprString(cond.X) != types.ExprString(name) || types.ExprString(post.X) != types.ExprString(name) ||
			len(init.Rhs) != 1 || types.ExprString(init.Rhs[0]) != "0" {
			return nil, nil, ""
		}
	}
	id, ok := name.(*ast.Ident)
	if !ok || sc.MarkerCall(count, "Dynamic") != nil || sc.MarkerCall(count, "Static") != nil {
		return nil, nil, ""
	}
	counter, _ = sc.Info.Defs[id].(*types.Var)
	return counter, body, length
}

// isIndependent reports whether it can be seen that iterations of a loop write elements whose indices depend on the
// counter, and nothing that another iteration reads or writes.
func (sc *Scope) isIndependent(body *ast.BlockStmt, counter *types.Var) bool {
	ok := true
	indices := map[*types.Var]string{} // of what is indexed, by the slice or view
	written := map[*types.Var]bool{}
	uses := map[*types.Var]int{} // of slices and views, other than to be indexed
	indexed := func(x ast.Expr, index string) {
		v := sc.sequence(x)
		if v == nil {
			return
		}
		uses[v]--
		if before, seen := indices[v]; seen && before != index {
			index = ""
		}
		indices[v] = index
	}
	write := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				if v := sc.sequence(x.X); v != nil {
					written[v] = true
					return
				}
				e = x.X
				continue
			case *ast.Ident:
				v, _ := sc.Info.ObjectOf(x).(*types.Var)
				ok = ok && (x.Name == "_" || v != nil && body.Pos() <= v.Pos() && v.Pos() < body.End())
			default:
				ok = false
			}
			return
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BranchStmt, *ast.ReturnStmt:
			ok = false
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				write(e)
			}
		case *ast.IncDecStmt:
			write(n.X)
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.AND
		case *ast.IndexExpr:
			indexed(n.X, types.ExprString(n.Index))
		case *ast.CallExpr:
			sel, isSel := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if !isSel {
				break
			}
			ok = ok && !IsGrid(sc.GoType(sel.X))
			v := sc.sequence(sel.X)
			if v == nil || IsSlice(v.Type()) || sel.Sel.Name != "At" && sel.Sel.Name != "Set" {
				break
			}
			args := n.Args
			if sel.Sel.Name == "Set" && len(args) > 0 {
				args, written[v] = args[:len(args)-1], true
			}
			index := ""
			for _, a := range args {
				index += types.ExprString(a) + ","
			}
			indexed(sel.X, index)
		case *ast.Ident:
			if v := sc.sequence(n); v != nil {
				uses[v]++
			}
		}
		return ok
	})
	for v := range written {
		// A slice that the body makes may begin elsewhere in each iteration.
		if uses[v] > 0 && !sc.onlyLen(body, v, uses[v]) || body.Pos() <= v.Pos() && v.Pos() < body.End() || !tellsApart(indices[v], counter.Name()) {
			return false
		}
	}
	return ok && len(written) > 0
}

// onlyLen reports whether a slice is used so many times for its length.
func (sc *Scope) onlyLen(body *ast.BlockStmt, v *types.Var, n int) bool {
	ast.Inspect(body, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok && len(call.Args) == 1 && sc.sequence(call.Args[0]) == v {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "len" {
				n--
			}
		}
		return true
	})
	return n == 0
}

// sequence is the variable that an expression names, if that is a slice or a view; else nil.
func (sc *Scope) sequence(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := sc.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() {
		return nil
	}
	if IsSlice(sc.GoType(id)) || isQD(sc.GoType(id), "View2") || isQD(sc.GoType(id), "View3") || isQD(sc.GoType(id), "View4") {
		return v
	}
	return nil
}

// tellsApart reports whether an index, or one of several, is the counter, or the counter and a constant: then two
// iterations never have the same. Others may have, such as i/2, i&3 and y[i].
func tellsApart(index, counter string) bool {
	for part := range strings.SplitSeq(index, ",") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(part), counter)
		if !ok {
			continue
		}
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return true
		}
		if rest[0] == '+' || rest[0] == '-' {
			if _, err := strconv.Atoi(strings.TrimSpace(rest[1:])); err == nil {
				return true
			}
		}
	}
	return false
}
