package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
)

// An escape finds pointers that outlive the variables that they point to. Go moves such a variable to
// the heap. A device has no heap, and a variable ends with its scope. So a pointer to a variable, or a
// slice of an array, must not be stored in a variable of an outer scope or in memory that existed
// before, and must not leave the function.
//
// The analysis is Andersen's, one function at a time. It ignores the order of statements, and does not
// distinguish the fields of a variable. It assumes that a call may return every pointer that it gets,
// and may store it in everything that it can reach and whose type can hold it.
type escape struct {
	b        *Scope
	holds    map[object]set // what the pointers in an object may point to
	lifetime lifetime       // the innermost around the syntax that is being looked at
	parts    map[*types.Scope]lifetime
	turns    map[*types.Var]lifetime // of variables that a loop made of goto statements makes anew each time
	body     lifetime
	bodies   map[token.Pos]function // of function literals, by where they end
	literal  *ast.FuncLit           // the innermost around the syntax
	flows    []flow                 // what goes where: checked when all is known
	changed  bool

	sig    *types.Signature
	whole  *ast.BlockStmt
	result lifetime                  // that of the results: in a function that can be lowered into its callers, they are theirs
	lifted map[any]bool              // the function's variables that live on in its callers
	lits   map[lifetime]map[any]bool // those of the function literals in it, by the lifetimes of their results
	around *ast.FuncLit              // the literal whose body is looked at alone
	owner  *ast.CallExpr             // a call of a function value that gives variables of that function: see ResultOf
	silent bool                      // nothing is reported
}

// An object can be pointed to, or holds pointers: a *types.Var, the ast.Expr that makes a variable
// without a name, a variadicArray, a pointee, an *ast.FuncLit for its results, or outside.
type object any

// outside stands for all memory that existed before the function was called.
type outside struct{}

// A pointee is the memory that a parameter of a function literal points to.
type pointee struct{ param *types.Var }

// A variadicArray holds the arguments that a call gives to a variadic parameter.
type variadicArray struct{ call *ast.CallExpr }

// A lifetime is the syntax that a variable lives in.
type lifetime struct{ from, to token.Pos }

// everywhere is the lifetime of outside.
var everywhere = lifetime{0, 1 << 30}

func lifetimeOf(n ast.Node) lifetime { return lifetime{n.Pos(), n.End()} }

func (r lifetime) contains(s lifetime) bool { return r.from <= s.from && s.to <= r.to }

// A function is the lifetime of a function literal, and that of its body, which ends where it does.
type function struct {
	lifetime
	body lifetime
}

// A location is an object in one lifetime. The variables of a for statement have a separate lifetime in
// each of its parts.
type location struct {
	obj object
	lifetime
}

type set map[location]bool

// A flow is a set of pointers that are stored in a holder.
type flow struct {
	at     ast.Node
	what   string // the name of the holder
	holder lifetime
	from   set
}

// EscapeRule reports pointers of a function that outlive the variables that they point to.
func (sc *Scope) EscapeRule(sig *types.Signature, body *ast.BlockStmt) {
	of := sc.pointersOf(body)
	if of.stay {
		return
	}
	e := sc.newEscape(sig, body)
	e.solve()
	of.stay = len(e.flows) == 0
	sort.SliceStable(e.flows, func(i, j int) bool { // sets have no order
		if at, other := e.flows[i].at.Pos(), e.flows[j].at.Pos(); at != other {
			return at < other
		}
		return e.flows[i].what < e.flows[j].what
	})
	for _, f := range e.flows {
		e.check(f)
	}
}

// newEscape is the analysis of a function.
func (sc *Scope) newEscape(sig *types.Signature, body *ast.BlockStmt) *escape {
	e := &escape{b: sc, sig: sig, whole: body, result: everywhere, lifted: map[any]bool{}, lits: map[lifetime]map[any]bool{}}
	if sc.mayLift() && sc.Src.Obj.Signature() == sig {
		e.result = callers
	}
	return e
}

// solve finds what goes where. A variable that the results point to is lifted, if it can be, and all is found anew.
func (e *escape) solve() {
	for again := true; again; {
		e.holds, e.parts, e.bodies = map[object]set{}, map[*types.Scope]lifetime{}, map[token.Pos]function{}
		e.turns = map[*types.Var]lifetime{}
		e.lifetime, e.body = lifetimeOf(e.whole), lifetimeOf(e.whole)
		e.add(outside{}, set{{outside{}, everywhere}: true})
		params := e.sig.Params()
		for v := range params.Variables() {
			e.param(v)
		}
		if e.sig.Recv() != nil {
			e.param(e.sig.Recv())
		}
		for e.changed = true; e.changed; {
			e.changed = false
			e.flows = e.flows[:0]
			e.stmt(e.whole)
			for v := range e.sig.Results().Variables() {
				if v.Name() != "" {
					e.add(resultsOf{e.whole}, e.flow(e.whole, "result "+v.Name(), e.result, e.holds[v]))
				}
			}
		}
		again = false
		for obj := range e.lifted { // and what they point to
			e.flow(e.whole, "the result", e.result, e.reach(e.holds[obj]))
		}
		for _, f := range e.flows {
			again = e.lift(f) || again
		}
	}
}

// param has a parameter that is or contains a pointer point to memory that was there before the call.
func (e *escape) param(v *types.Var) {
	if t := e.b.Subst(v.Type()); !IsFunc(t) && !e.hasPointers(t) {
		return
	}
	there := set{{pointee{v}, everywhere}: true}
	e.add(v, there)
	e.add(pointee{v}, there)
}

// add adds objects to which an object may hold pointers.
func (e *escape) add(to object, from set) {
	s := e.holds[to]
	for l := range from {
		if s[l] {
			continue
		}
		if s == nil {
			s = set{}
			e.holds[to] = s
		}
		s[l] = true
		e.changed = true
	}
}

// livesOn reports whether an object lives as long as a holder because the function, or the literal, is lowered into its
// callers.
func (e *escape) livesOn(l location, holder lifetime) bool {
	return holder == e.result && e.lifted[l.obj] || e.lits[holder][l.obj]
}

// flow records that pointers are stored in a holder, and returns those that may be.
func (e *escape) flow(at ast.Node, what string, holder lifetime, from set) set {
	good, bad := from, false
	outlives := func(l location) bool { return !l.contains(holder) && !e.livesOn(l, holder) }
	for l := range from {
		bad = bad || outlives(l)
	}
	if bad {
		e.flows = append(e.flows, flow{at, what, holder, from})
		good = set{}
		for l := range from {
			if !outlives(l) {
				good[l] = true
			}
		}
	}
	return good
}

// scope is the lifetime in which a variable can be named.
func (e *escape) scope(v *types.Var) lifetime {
	s := v.Parent()
	if s == nil || !s.Pos().IsValid() || e.captures(v) {
		return everywhere
	}
	if r, ok := e.turns[v]; ok {
		return r
	}
	r := lifetime{s.Pos(), s.End()}
	if r.contains(e.body) {
		return e.body
	}
	if f, ok := e.bodies[r.to]; ok && r.contains(f.body) && f.contains(r) { // a function's scope begins before its body
		return f.body
	}
	return r
}

// of is the location of a variable at the current syntax: each iteration of a loop has its own
// variables, and so has each part of its statement.
func (e *escape) of(v *types.Var) location {
	if r, ok := e.parts[v.Parent()]; ok {
		return location{v, r}
	}
	return location{v, e.scope(v)}
}

// pointing reports whether an expression's value is or contains a pointer, or is a function.
func (e *escape) pointing(x ast.Expr) bool {
	t := e.b.GoType(x)
	return IsFunc(t) || e.hasPointers(t)
}

func (e *escape) hasPointers(t types.Type) bool { return e.b.hasPointers(t) }

func (sc *Scope) hasPointers(t types.Type) bool {
	s, ok := sc.Syntax.TypeOf(t)
	return ok && HoldsPointers(s) || sc.Syntax.HoldsInterfaces(t)
}

// within visits syntax that has variables of its own.
func (e *escape) within(r lifetime, f func()) {
	outer := e.lifetime
	e.lifetime = r
	f()
	e.lifetime = outer
}

// stmt visits a statement and everything in it.
func (e *escape) stmt(n ast.Stmt) {
	switch n := n.(type) {
	case nil:
	case *ast.BlockStmt:
		e.within(lifetimeOf(n), func() { e.stmts(n.List) })
	case *ast.LabeledStmt:
		e.stmt(n.Stmt)
	case *ast.ExprStmt:
		e.value(n.X)
	case *ast.IncDecStmt:
		e.value(n.X)
	case *ast.DeclStmt:
		e.decl(n)
	case *ast.AssignStmt:
		e.assign(n.Lhs, n.Rhs, n.Tok)
	case *ast.ReturnStmt:
		e.returns(n)
	case *ast.IfStmt:
		e.within(lifetimeOf(n), func() {
			e.stmt(n.Init)
			e.value(n.Cond)
			e.stmt(n.Body)
			e.stmt(n.Else)
		})
	case *ast.SwitchStmt:
		e.within(lifetimeOf(n), func() {
			e.stmt(n.Init)
			e.value(n.Tag)
			e.stmt(n.Body)
		})
	case *ast.TypeSwitchStmt:
		e.within(lifetimeOf(n), func() {
			e.stmt(n.Init)
			e.typeSwitch(n)
			e.stmt(n.Body)
		})
	case *ast.CaseClause:
		e.within(lifetimeOf(n), func() {
			for _, x := range n.List {
				e.within(lifetimeOf(x), func() { e.value(x) })
			}
			e.stmts(n.Body)
		})
	case *ast.ForStmt:
		e.forStmt(n)
	case *ast.RangeStmt:
		e.rangeStmt(n)
	}
}

func (e *escape) stmts(list []ast.Stmt) {
	for _, s := range list {
		e.stmt(s)
	}
}

func (e *escape) forStmt(n *ast.ForStmt) {
	var header *types.Scope
	if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
		header = e.header(init.Lhs...)
	}
	e.within(lifetimeOf(n), func() {
		e.stmt(n.Init)
		e.parts[header] = lifetimeOf(n.Body)
		if n.Cond != nil {
			e.within(lifetimeOf(n.Cond), func() { e.value(n.Cond) })
		}
		e.stmt(n.Body)
		if n.Post != nil {
			e.parts[header] = lifetimeOf(n.Post)
			e.within(lifetimeOf(n.Post), func() { e.stmt(n.Post) })
		}
		delete(e.parts, header)
	})
}

// header is the scope of the variables that a statement's header declares, nil if there
// are none.
func (e *escape) header(names ...ast.Expr) *types.Scope {
	for _, name := range names {
		if v := e.b.Defined(name); v != nil {
			return v.Parent()
		}
	}
	return nil
}

func (e *escape) rangeStmt(n *ast.RangeStmt) {
	var header *types.Scope
	if n.Tok == token.DEFINE {
		header = e.header(n.Key, n.Value)
	}
	e.within(lifetimeOf(n), func() {
		over := e.value(n.X)
		if !IsArray(e.b.GoType(n.X)) {
			over = e.contents(over)
		}
		if n.Value != nil && !IsBlank(n.Value) {
			e.store(n.Value, n.X, e.loaded(n.Value, over), n.Tok == token.DEFINE)
		}
		e.parts[header] = lifetimeOf(n.Body)
		e.stmt(n.Body)
		delete(e.parts, header)
	})
}

func (e *escape) decl(n *ast.DeclStmt) {
	d, ok := n.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range d.Specs {
		if s, ok := spec.(*ast.ValueSpec); ok {
			names := make([]ast.Expr, len(s.Names))
			for i, name := range s.Names {
				names[i] = name
				e.declared(name)
			}
			e.assign(names, s.Values, token.DEFINE)
		}
	}
}

// declared notes the lifetime of a variable in a loop that was made of goto statements: its scope is larger, that of
// the block which the loop was made in.
func (e *escape) declared(name ast.Expr) {
	v := e.b.Defined(name)
	if v == nil || e.parts[v.Parent()] != (lifetime{}) {
		return
	}
	if r := e.scope(v); r != e.lifetime && r.contains(e.lifetime) {
		e.turns[v] = e.lifetime
	}
}

func (e *escape) assign(to, from []ast.Expr, tok token.Token) {
	if tok == token.DEFINE {
		for _, name := range to {
			e.declared(name)
		}
	}
	if len(from) != len(to) {
		for _, x := range from {
			s := e.value(x)
			for _, lhs := range to {
				e.store(lhs, x, s, tok == token.DEFINE)
			}
		}
		return
	}
	for i, lhs := range to {
		e.store(lhs, from[i], e.value(from[i]), tok == token.DEFINE)
	}
}

// store handles an assignment of an expression to a place.
func (e *escape) store(lhs, rhs ast.Expr, from set, define bool) {
	if IsBlank(lhs) || !define && !e.pointing(lhs) {
		e.addr(lhs)
		return
	}
	if v := e.b.Root(lhs); v != nil {
		e.add(v, e.flow(rhs, types.ExprString(lhs), e.scope(v), from))
		return
	}
	for l := range e.addr(lhs) {
		e.add(l.obj, e.flow(rhs, types.ExprString(lhs), l.lifetime, from))
	}
}

func (e *escape) returns(n *ast.ReturnStmt) {
	for _, x := range n.Results {
		s := e.value(x)
		if e.literal == nil {
			e.add(resultsOf{e.whole}, e.flow(x, "the result", e.result, s))
			continue
		}
		e.add(e.literal, e.flow(x, "the result", lifetimeOf(e.literal), s))
	}
}

// typeSwitch assigns the operand of a type switch to the variables of its clauses.
func (e *escape) typeSwitch(n *ast.TypeSwitchStmt) {
	assign, ok := n.Assign.(*ast.AssignStmt)
	if !ok {
		return
	}
	assert, ok := ast.Unparen(assign.Rhs[0]).(*ast.TypeAssertExpr)
	if !ok {
		return
	}
	s := e.value(assert.X)
	for _, clause := range n.Body.List {
		if v, ok := e.b.Info.Implicits[clause].(*types.Var); ok {
			e.add(v, s)
		}
	}
}
