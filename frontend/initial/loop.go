package initial

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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

// A looping runs loops.
type looping struct{ frame *frame }

func (l looping) loop(s *ast.ForStmt, label string) flow {
	shared := l.shared(s, s.Init)
	if s.Init != nil {
		l.frame.stmt(s.Init, "")
	}
	for s.Cond == nil || l.frame.exprOrdered(s.Cond).(bool) {
		l.frame.machine.step(1)
		if end, left := ends(l.frame.statements(s.Body.List), label); left {
			return end
		}
		for _, v := range shared {
			old := l.frame.vars[v]
			l.frame.vars[v] = &block{cells: []any{l.frame.machine.copied(old.cells[0])}}
			old.pass()
		}
		if s.Post != nil {
			l.frame.stmt(s.Post, "")
		}
	}
	return flow{}
}

// shared are the variables of a loop that function literals capture, or that pointers may lead to: whether each turn has
// its own depends on the version of Go that the file is written for. A machine gives each turn its own, and refuses the
// use of one whose turn is over.
func (l looping) shared(loop ast.Stmt, declares ...ast.Node) (all []*types.Var) {
	own := map[types.Object]bool{}
	for _, d := range declares {
		if d == nil {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && l.frame.info.Defs[id] != nil {
				own[l.frame.info.Defs[id]] = true
			}
			return true
		})
	}
	if len(own) == 0 {
		return nil
	}
	l.frame.machine.step(10)
	share := func(obj types.Object) {
		if v, ok := obj.(*types.Var); ok && own[v] && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			ast.Inspect(lit.Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					share(l.frame.info.Uses[id])
				}
				return true
			})
		}
		if e := l.addressed(n); e != nil {
			share(l.holding(e))
		}
		return true
	})
	return all
}

// addressed is the expression whose address a node takes: by &, by slicing an array, or by selecting a method that has a
// pointer as its receiver.
func (l looping) addressed(n ast.Node) ast.Expr {
	switch x := n.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return x.X
		}
	case *ast.SliceExpr:
		if _, ok := l.frame.typeOf(x.X).Underlying().(*types.Array); ok {
			return x.X
		}
	case *ast.SelectorExpr:
		sel := l.frame.info.Selections[x]
		if sel == nil || sel.Kind() != types.MethodVal || isPointer(l.frame.typeOf(x.X)) || !isPointer(sel.Obj().(*types.Func).Signature().Recv().Type()) {
			break
		}
		// The method may be one of an embedded pointer.
		t := l.frame.typeOf(x.X)
		for _, i := range sel.Index()[:len(sel.Index())-1] {
			s, ok := t.Underlying().(*types.Struct)
			if !ok || isPointer(s.Field(i).Type()) {
				return nil
			}
			t = s.Field(i).Type()
		}
		return x.X
	}
	return nil
}

// holding is the variable that something is a part of, or nil if it is behind a pointer or a slice.
func (l looping) holding(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return l.frame.info.Uses[x]
		case *ast.SelectorExpr:
			if sel := l.frame.info.Selections[x]; sel == nil || sel.Indirect() {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			if _, ok := l.frame.typeOf(x.X).Underlying().(*types.Array); !ok {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// receives gives the variables of a range statement their values in a turn.
func (l looping) receives(s *ast.RangeStmt, vals [2]any, from [2]types.Type) {
	var list []ast.Expr
	for _, e := range [...]ast.Expr{s.Key, s.Value} {
		if e != nil {
			list = append(list, e)
		}
	}
	if s.Tok == token.DEFINE {
		for i, e := range list {
			l.frame.declare(e.(*ast.Ident), vals[i])
		}
		return
	}
	l.frame.ordered(operandsOf(list...), func() {
		targets := assignment(l).targets(list)
		for i, e := range list {
			if !isBlank(e) {
				l.frame.write(e, targets[i], l.frame.machine.convert(vals[i], from[i], l.frame.typeOf(e)))
			}
		}
	})
}

func (l looping) ranges(s *ast.RangeStmt, label string) flow {
	var shared []*types.Var
	if s.Tok == token.DEFINE {
		shared = l.shared(s.Body, s.Key, s.Value)
	}
	t := l.frame.typeOf(s.X)
	x := l.frame.exprOrdered(s.X)
	turn := func(key, value any, keyType, valueType types.Type) (flow, bool) {
		l.frame.machine.step(1)
		l.receives(s, [2]any{key, value}, [2]types.Type{keyType, valueType})
		end, left := ends(l.frame.statements(s.Body.List), label)
		if !left {
			for _, v := range shared {
				l.frame.vars[v].pass()
			}
		}
		return end, left
	}
	array := func(in *block, from, n int, elem types.Type, copies bool) flow {
		if copies && s.Value != nil {
			in = l.frame.machine.copied(in).(*block)
		}
		for i := range n {
			var v any
			if s.Value != nil {
				l.frame.machine.use(in)
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
		return l.frame.machine.counts(s, x, t, turn)
	case *types.Array:
		return array(x.(*block), 0, int(u.Len()), u.Elem(), true)
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		if s.Value == nil {
			return array(nil, 0, int(a.Len()), a.Elem(), false)
		}
		return array(l.frame.machine.pointee(x).(*block), 0, int(a.Len()), a.Elem(), false)
	case *types.Slice:
		x := x.(slice)
		if x.len > 0 {
			l.frame.machine.use(x.in)
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
				panic(l.frame.machine.failed("it adds to a map that it ranges over: Go leaves open whether the range comes to that"))
			}
			return end
		}
		panic(l.frame.machine.failed("it ranges over a map, in an order that Go leaves open"))
	}
	panic(l.frame.machine.failed("it ranges over a %s", t))
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
