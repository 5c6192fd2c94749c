package initial

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// A flow is how a statement ends.
type flow struct {
	kind  token.Token // token.ILLEGAL for one that goes on, else BREAK, CONTINUE, FALLTHROUGH or RETURN
	label string
}

// run calls a function.
func (m *machine) run(c *code, args []any) []any {
	if c.host != nil {
		v := c.host(args)
		if several, ok := v.([]any); ok {
			return several
		}
		return []any{v}
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
		f.ordered(operandsOf(s.X), func() { f.several(s.X) })
	case *ast.AssignStmt:
		assignment{f}.assign(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		one := func(t types.Type) any { return f.machine.constantOf(constant.MakeInt64(1), t) }
		f.ordered(operandsOf(s.X), func() { assignment{f}.update(s.X, op, one) })
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
		if f.exprOrdered(s.Cond).(bool) {
			return f.statements(s.Body.List)
		}
		if s.Else != nil {
			return f.stmt(s.Else, "")
		}
	case *ast.ForStmt:
		return looping{f}.loop(s, label)
	case *ast.RangeStmt:
		return looping{f}.ranges(s, label)
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
	list := operandsOf(s.Results...)
	if len(list) == results.Len() {
		for i := range list {
			list[i].t = f.subst(results.At(i).Type())
		}
	}
	f.ordered(list, func() { f.results = f.returned(s, results) })
}

func (f *frame) returned(s *ast.ReturnStmt, results *types.Tuple) (vals []any) {
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
		vals = slices.Clone(f.several(s.Results[0]))
		t := f.typeOf(s.Results[0]).(*types.Tuple)
		for i := range vals {
			vals[i] = f.machine.copied(f.machine.convert(vals[i], t.At(i).Type(), f.subst(results.At(i).Type())))
		}
	}
	return vals
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
			assignment{f}.define(idents(spec.Names), spec.Values)
		}
	}
}

func idents(list []*ast.Ident) (all []ast.Expr) {
	for _, id := range list {
		all = append(all, id)
	}
	return all
}

// An assignment gives variables values, and what else can be assigned to.
type assignment struct{ frame *frame }

// define gives new variables, and old ones among them, values.
func (a assignment) define(names []ast.Expr, values []ast.Expr) {
	typeOf := func(i int) types.Type {
		id := names[i].(*ast.Ident)
		if obj := a.frame.info.ObjectOf(id); obj != nil {
			return a.frame.subst(obj.Type())
		}
		return nil
	}
	var vals []any
	a.frame.ordered(assigned(values, len(names), typeOf), func() { vals = a.valuesOf(values, len(names), typeOf) })
	for i, e := range names {
		id := e.(*ast.Ident)
		switch {
		case id.Name == "_":
		case a.frame.info.Defs[id] != nil:
			a.frame.declare(id, vals[i])
		default:
			a.frame.write(id, a.frame.target(id), vals[i])
		}
	}
}

// assigned are the expressions of which n values are assigned to something of certain types.
func assigned(values []ast.Expr, n int, typeOf func(int) types.Type) []operand {
	list := operandsOf(values...)
	if len(list) == n {
		for i := range list {
			list[i].t = typeOf(i)
		}
	}
	return list
}

// valuesOf are the values of expressions, or of one with several, as ones of the types that they are assigned to.
func (a assignment) valuesOf(values []ast.Expr, n int, typeOf func(int) types.Type) []any {
	vals := make([]any, n)
	if len(values) == n {
		for i, e := range values {
			t := typeOf(i)
			if t == nil {
				t = types.Default(a.frame.typeOf(e))
			}
			vals[i] = a.frame.machine.copied(a.frame.exprAs(e, t))
		}
		return vals
	}
	got := a.frame.several(values[0])
	tuple, _ := a.frame.typeOf(values[0]).(*types.Tuple)
	for i := range vals {
		vals[i] = got[i]
		if t := typeOf(i); tuple != nil && t != nil {
			vals[i] = a.frame.machine.convert(got[i], a.frame.subst(tuple.At(i).Type()), t)
		}
		vals[i] = a.frame.machine.copied(vals[i])
	}
	return vals
}

var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}

func (a assignment) assign(s *ast.AssignStmt) {
	switch {
	case s.Tok == token.DEFINE:
		a.define(s.Lhs, s.Rhs)
		return
	case s.Tok != token.ASSIGN:
		op := assignOps[s.Tok]
		y := func(t types.Type) any {
			if op == token.SHL || op == token.SHR {
				return a.frame.count(s.Rhs[0])
			}
			return a.frame.exprAs(s.Rhs[0], t)
		}
		a.frame.ordered(operandsOf(s.Lhs[0], s.Rhs[0]), func() { a.update(s.Lhs[0], op, y) })
		return
	}
	typeOf := func(i int) types.Type {
		if isBlank(s.Lhs[i]) {
			return nil
		}
		return a.frame.typeOf(s.Lhs[i])
	}
	list := append(operandsOf(s.Lhs...), ordering(a).appendsTo(s)...)
	list = append(list, assigned(s.Rhs, len(s.Lhs), typeOf)...)
	a.frame.ordered(list, func() {
		targets := a.targets(s.Lhs)
		vals := a.valuesOf(s.Rhs, len(s.Lhs), typeOf)
		for i, e := range s.Lhs {
			a.frame.write(e, targets[i], vals[i])
		}
	})
}

func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// targets are where an assignment writes to, which is found out before it writes.
func (a assignment) targets(list []ast.Expr) []target {
	all := make([]target, len(list))
	for i, e := range list {
		all[i] = a.frame.target(e)
	}
	return all
}

// update assigns what an operator gives for what is there, and another value of its type, or a count.
func (a assignment) update(e ast.Expr, op token.Token, other func(t types.Type) any) {
	t := a.frame.typeOf(e)
	y := other(t)
	to := a.frame.target(e)
	a.frame.write(e, to, a.frame.machine.binary(op, a.read(e, to, t), y, t))
}

// read is what a target holds.
func (a assignment) read(e ast.Expr, at target, t types.Type) any {
	if at.p.in != nil {
		return at.p.in.cells[at.p.at]
	}
	if v, ok := a.frame.machine.get(at.h, at.key); ok {
		return v
	}
	return a.frame.machine.zero(t)
}

func (f *frame) switches(s *ast.SwitchStmt) flow {
	if s.Init != nil {
		f.stmt(s.Init, "")
	}
	var tag any = true
	var t types.Type = types.Typ[types.Bool]
	if s.Tag != nil {
		t = types.Default(f.typeOf(s.Tag))
		f.ordered(operandsOf(s.Tag), func() { tag = f.machine.copied(f.exprAs(s.Tag, t)) })
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
			var equal bool
			f.ordered([]operand{{e: e, t: t}}, func() { equal = f.compare(e, tag, t) })
			if equal {
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
	b, _ := f.exprOrdered(ast.Unparen(x).(*ast.TypeAssertExpr).X).(boxed)
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
