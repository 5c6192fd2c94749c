package initial

import (
	"go/ast"
	"go/token"
	"go/types"
)

// ends reports whether a loop is left, and how its statement ends then.
func ends(end flow, label string) (flow, bool) {
	switch end.kind {
	case token.BREAK:
		if end.label == "" || end.label == label {
			return flow{}, true
		}
		return end, true
	case token.CONTINUE:
		if end.label != "" && end.label != label {
			return end, true
		}
	case token.RETURN:
		return end, true
	}
	return flow{}, false
}

func (f *frame) loop(s *ast.ForStmt, label string) flow {
	f.sharesNone(s, s.Init)
	if s.Init != nil {
		f.stmt(s.Init, "")
	}
	for s.Cond == nil || f.exprOrdered(s.Cond).(bool) {
		f.machine.step(1)
		if end, left := ends(f.statements(s.Body.List), label); left {
			return end
		}
		if s.Post != nil {
			f.stmt(s.Post, "")
		}
	}
	return flow{}
}

// sharesNone refuses loops whose variables a function literal captures, or that a pointer leads to: whether each turn
// has its own depends on the version of Go that the file is written for.
func (f *frame) sharesNone(loop ast.Stmt, declares ast.Node) {
	own := map[types.Object]bool{}
	if declares != nil {
		ast.Inspect(declares, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.info.Defs[id] != nil {
				own[f.info.Defs[id]] = true
			}
			return true
		})
	}
	if len(own) == 0 {
		return
	}
	f.machine.step(10)
	names := func(n ast.Node) (found bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && own[f.info.Uses[id]] {
				found = true
			}
			return !found
		})
		return found
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			if names(x.Body) {
				panic(f.machine.failed("it has a loop whose variable a function literal captures"))
			}
		case *ast.UnaryExpr:
			if id, ok := rootOf(x.X).(*ast.Ident); ok && x.Op == token.AND && own[f.info.Uses[id]] {
				panic(f.machine.failed("it has a loop whose variable has its address taken"))
			}
		}
		return true
	})
}

// rootOf is what an expression selects parts of.
func rootOf(e ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return x
		}
	}
}

// receives gives the variables of a range statement their values in a turn.
func (f *frame) receives(s *ast.RangeStmt, vals [2]any, from [2]types.Type) {
	var list []ast.Expr
	for _, e := range [...]ast.Expr{s.Key, s.Value} {
		if e != nil {
			list = append(list, e)
		}
	}
	if s.Tok == token.DEFINE {
		for i, e := range list {
			f.declare(e.(*ast.Ident), vals[i])
		}
		return
	}
	f.ordered(operandsOf(list...), func() {
		targets := f.targets(list)
		for i, e := range list {
			if !isBlank(e) {
				f.write(e, targets[i], f.machine.convert(vals[i], from[i], f.typeOf(e)))
			}
		}
	})
}

func (f *frame) ranges(s *ast.RangeStmt, label string) flow {
	if s.Tok == token.DEFINE {
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				f.sharesNone(s.Body, e)
			}
		}
	}
	t := f.typeOf(s.X)
	x := f.exprOrdered(s.X)
	turn := func(key, value any, keyType, valueType types.Type) (flow, bool) {
		f.machine.step(1)
		f.receives(s, [2]any{key, value}, [2]types.Type{keyType, valueType})
		return ends(f.statements(s.Body.List), label)
	}
	array := func(in *block, from, n int, elem types.Type, copies bool) flow {
		if copies && s.Value != nil {
			in = f.machine.copied(in).(*block)
		}
		for i := range n {
			var v any
			if s.Value != nil {
				f.machine.use(in)
				v = in.cells[from+i]
			}
			if end, left := turn(int64(i), v, types.Typ[types.Int], elem); left {
				return end
			}
		}
		return flow{}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if text, ok := x.(string); ok {
			for i, r := range text {
				if end, left := turn(int64(i), int64(r), types.Typ[types.Int], types.Typ[types.Rune]); left {
					return end
				}
			}
			return flow{}
		}
		return f.machine.counts(s, x, t, turn)
	case *types.Array:
		return array(x.(*block), 0, int(u.Len()), u.Elem(), true)
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		if s.Value == nil {
			return array(nil, 0, int(a.Len()), a.Elem(), false)
		}
		return array(f.machine.pointee(x).(*block), 0, int(a.Len()), a.Elem(), false)
	case *types.Slice:
		x := x.(slice)
		if x.len > 0 {
			f.machine.use(x.in)
		}
		return array(x.in, x.from, x.len, u.Elem(), false)
	case *types.Map:
		h := x.(*hash)
		if h == nil || len(h.keys) == 0 {
			return flow{}
		}
		if len(h.keys) == 1 {
			added := h.added
			end, left := turn(h.keys[0], h.vals[0], u.Key(), u.Elem())
			if !left && h.added > added && len(h.keys) > 0 {
				panic(f.machine.failed("it adds to a map that it ranges over: Go leaves open whether the range comes to that"))
			}
			return end
		}
		panic(f.machine.failed("it ranges over a map, in an order that Go leaves open"))
	}
	panic(f.machine.failed("it ranges over a %s", t))
}

// counts is a range over a number.
func (m *machine) counts(s *ast.RangeStmt, x any, t types.Type, turn func(key, value any, keyType, valueType types.Type) (flow, bool)) flow {
	switch n := x.(type) {
	case int64:
		for i := range n {
			if end, left := turn(i, nil, t, nil); left {
				return end
			}
		}
	case uint64:
		for i := range n {
			if end, left := turn(i, nil, t, nil); left {
				return end
			}
		}
	}
	return flow{}
}
