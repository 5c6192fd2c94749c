package initial

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A flow is how a statement ends.
type flow struct {
	kind  token.Token // token.ILLEGAL for one that goes on, else BREAK, CONTINUE, FALLTHROUGH or RETURN
	label string
}

// run calls a function.
func (m *machine) run(c *code, args []any) []any {
	if c.host != nil {
		return []any{c.host(args)}
	}
	if c.body == nil {
		panic(m.failed("function %s has no body in Go", c.src.Obj.Name()))
	}
	if m.depth++; m.depth > maxCalls {
		panic(m.failed("calls are more than %d deep", maxCalls))
	}
	at := m.at
	f := &frame{machine: m, info: c.info, targs: c.targs, vars: map[*types.Var]*block{}, code: c}
	bind := func(v *types.Var, val any) {
		f.vars[v] = &block{cells: []any{m.copied(val)}}
	}
	if recv := c.sig.Recv(); recv != nil {
		bind(recv, c.recv)
	}
	for i := range c.sig.Params().Len() {
		bind(c.sig.Params().At(i), args[i])
	}
	for v := range c.sig.Results().Variables() {
		if v.Name() != "" {
			bind(v, m.zero(f.subst(v.Type())))
		}
	}
	end := f.statements(c.body.List)
	m.depth--
	m.at = at
	if end.kind != token.RETURN && c.sig.Results().Len() > 0 {
		panic(m.failed("it panics"))
	}
	return f.results
}

// statements runs statements.
func (f *frame) statements(list []ast.Stmt) flow {
	for _, s := range list {
		if end := f.stmt(s, ""); end.kind != token.ILLEGAL {
			return end
		}
	}
	return flow{}
}

func (f *frame) stmt(s ast.Stmt, label string) flow {
	f.machine.step(1)
	f.machine.at = s
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.BlockStmt:
		return f.statements(s.List)
	case *ast.LabeledStmt:
		end := f.stmt(s.Stmt, s.Label.Name)
		if end.kind == token.BREAK && end.label == s.Label.Name {
			return flow{}
		}
		return end
	case *ast.ExprStmt:
		f.several(s.X)
	case *ast.AssignStmt:
		f.assignment(s)
	case *ast.IncDecStmt:
		t := f.typeOf(s.X)
		to := f.target(s.X)
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		f.write(s.X, to, f.machine.binary(op, f.read(s.X, to, t), f.machine.convert(int64(1), types.Typ[types.Int], t), t))
	case *ast.DeclStmt:
		f.declaration(s)
	case *ast.ReturnStmt:
		f.returns(s)
		return flow{kind: token.RETURN}
	case *ast.BranchStmt:
		if s.Tok == token.GOTO {
			panic(f.machine.failed("it has a goto statement"))
		}
		end := flow{kind: s.Tok}
		if s.Label != nil {
			end.label = s.Label.Name
		}
		return end
	case *ast.IfStmt:
		if s.Init != nil {
			f.stmt(s.Init, "")
		}
		if f.expr(s.Cond).(bool) {
			return f.statements(s.Body.List)
		}
		if s.Else != nil {
			return f.stmt(s.Else, "")
		}
	case *ast.ForStmt:
		return f.loop(s, label)
	case *ast.RangeStmt:
		return f.ranges(s, label)
	case *ast.SwitchStmt:
		return f.switches(s)
	case *ast.TypeSwitchStmt:
		return f.typeSwitch(s)
	default:
		panic(f.machine.failed("it has a statement that only compiled Go can run"))
	}
	return flow{}
}

func (f *frame) returns(s *ast.ReturnStmt) {
	results := f.code.sig.Results()
	var vals []any
	switch {
	case len(s.Results) == 0:
		for v := range results.Variables() {
			if v.Name() == "" {
				break
			}
			vals = append(vals, f.machine.copied(f.vars[v].cells[0]))
		}
	case len(s.Results) == results.Len():
		for i, e := range s.Results {
			vals = append(vals, f.machine.copied(f.exprAs(e, f.subst(results.At(i).Type()))))
		}
	default:
		vals = f.several(s.Results[0])
		t := f.typeOf(s.Results[0]).(*types.Tuple)
		for i := range vals {
			vals[i] = f.machine.copied(f.machine.convert(vals[i], t.At(i).Type(), f.subst(results.At(i).Type())))
		}
	}
	f.results = vals
}

func (f *frame) declaration(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		switch {
		case len(spec.Values) == 0:
			for _, id := range spec.Names {
				if v, ok := f.info.Defs[id].(*types.Var); ok {
					f.declare(id, f.machine.zero(f.subst(v.Type())))
				}
			}
		default:
			f.define(idents(spec.Names), spec.Values)
		}
	}
}

func idents(list []*ast.Ident) (all []ast.Expr) {
	for _, id := range list {
		all = append(all, id)
	}
	return all
}

// define gives new variables, and old ones among them, values.
func (f *frame) define(names []ast.Expr, values []ast.Expr) {
	typeOf := func(i int) types.Type {
		id := names[i].(*ast.Ident)
		if obj := f.info.ObjectOf(id); obj != nil {
			return f.subst(obj.Type())
		}
		return nil
	}
	vals := f.valuesOf(values, len(names), typeOf)
	for i, e := range names {
		id := e.(*ast.Ident)
		switch {
		case id.Name == "_":
		case f.info.Defs[id] != nil:
			f.declare(id, vals[i])
		default:
			f.assign(id, vals[i])
		}
	}
}

// valuesOf are the values of expressions, or of one with several, as ones of the types that they are assigned to.
func (f *frame) valuesOf(values []ast.Expr, n int, typeOf func(int) types.Type) []any {
	vals := make([]any, n)
	if len(values) == n {
		for i, e := range values {
			t := typeOf(i)
			if t == nil {
				t = types.Default(f.typeOf(e))
			}
			vals[i] = f.machine.copied(f.after(values[:i], e, func() any { return f.exprAs(e, t) }))
		}
		return vals
	}
	got := f.several(values[0])
	tuple, _ := f.typeOf(values[0]).(*types.Tuple)
	for i := range vals {
		vals[i] = got[i]
		if t := typeOf(i); tuple != nil && t != nil {
			vals[i] = f.machine.convert(got[i], f.subst(tuple.At(i).Type()), t)
		}
		vals[i] = f.machine.copied(vals[i])
	}
	return vals
}

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}

func (f *frame) assignment(s *ast.AssignStmt) {
	switch {
	case s.Tok == token.DEFINE:
		f.define(s.Lhs, s.Rhs)
		return
	case s.Tok != token.ASSIGN:
		t := f.typeOf(s.Lhs[0])
		to := f.target(s.Lhs[0])
		old := f.read(s.Lhs[0], to, t)
		op := assignOps[s.Tok]
		y := f.after(s.Lhs, s.Rhs[0], func() any {
			if op == token.SHL || op == token.SHR {
				return f.expr(s.Rhs[0])
			}
			return f.exprAs(s.Rhs[0], t)
		})
		f.write(s.Lhs[0], to, f.machine.binary(op, old, y, t))
		return
	}
	targets := make([]target, len(s.Lhs))
	for i, e := range s.Lhs {
		targets[i] = f.target(e)
	}
	vals := f.valuesOf(s.Rhs, len(s.Lhs), func(i int) types.Type {
		if id, ok := ast.Unparen(s.Lhs[i]).(*ast.Ident); ok && id.Name == "_" {
			return nil
		}
		return f.typeOf(s.Lhs[i])
	})
	for i, e := range s.Lhs {
		f.write(e, targets[i], vals[i])
	}
}

// read is what a target holds.
func (f *frame) read(e ast.Expr, at target, t types.Type) any {
	if at.p.in != nil {
		return at.p.in.cells[at.p.at]
	}
	if v, ok := f.machine.get(at.h, at.key); ok {
		return v
	}
	return f.machine.zero(t)
}

func (f *frame) switches(s *ast.SwitchStmt) flow {
	if s.Init != nil {
		f.stmt(s.Init, "")
	}
	var tag any = true
	var t types.Type = types.Typ[types.Bool]
	if s.Tag != nil {
		t = types.Default(f.typeOf(s.Tag))
		tag = f.machine.copied(f.exprAs(s.Tag, t))
	}
	chosen := -1
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil && chosen < 0 {
			chosen = i
		}
		found := false
		for _, e := range c.List {
			f.machine.step(1)
			if !f.info.Types[e].IsNil() {
				f.machine.mustHaveAddress(t)
			}
			if f.compare(e, tag, t) {
				chosen, found = i, true
				break
			}
		}
		if found {
			break
		}
	}
	for chosen >= 0 && chosen < len(s.Body.List) {
		end := f.statements(s.Body.List[chosen].(*ast.CaseClause).Body)
		switch {
		case end.kind == token.FALLTHROUGH:
			chosen++
			continue
		case end.kind == token.BREAK && end.label == "":
			return flow{}
		}
		return end
	}
	return flow{}
}

// compare reports whether a case of a switch is that of a value.
func (f *frame) compare(e ast.Expr, tag any, t types.Type) bool {
	et := f.typeOf(e)
	_, tagIs := t.Underlying().(*types.Interface)
	_, caseIs := et.Underlying().(*types.Interface)
	if caseIs && !tagIs {
		return f.machine.equal(f.machine.convert(tag, t, et), f.expr(e))
	}
	return f.machine.equal(tag, f.exprAs(e, t))
}

func (f *frame) typeSwitch(s *ast.TypeSwitchStmt) flow {
	if s.Init != nil {
		f.stmt(s.Init, "")
	}
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	b, _ := f.expr(ast.Unparen(x).(*ast.TypeAssertExpr).X).(boxed)
	var chosen *ast.CaseClause
	var only types.Type
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil && chosen == nil {
			chosen = c
		}
		for _, e := range c.List {
			t := f.typeOf(e)
			if f.info.Types[e].IsNil() && b.t == nil || !f.info.Types[e].IsNil() && f.machine.holds(b, t) {
				chosen, only = c, nil
				if len(c.List) == 1 && !f.info.Types[e].IsNil() {
					only = t
				}
				goto found
			}
		}
	}
found:
	if chosen == nil {
		return flow{}
	}
	if v, ok := f.info.Implicits[chosen].(*types.Var); ok {
		var val any = b
		if only != nil && !types.IsInterface(only) {
			val = b.v
		}
		f.vars[v] = &block{cells: []any{f.machine.copied(val)}}
	}
	end := f.statements(chosen.Body)
	if end.kind == token.BREAK && end.label == "" {
		return flow{}
	}
	return end
}

// holds reports whether an interface holds a type, or one that implements an interface.
func (m *machine) holds(b boxed, t types.Type) bool {
	if b.t == nil {
		return false
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		return types.Implements(b.t, i)
	}
	return types.Identical(b.t, t)
}
