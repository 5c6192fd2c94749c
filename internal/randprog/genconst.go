package randprog

import "fmt"

// A Global is a variable at package level, which nothing assigns to.
type Global struct {
	Name  string
	Type  *Type
	Value *Node
}

// constOf is the type of compile-time parameters of a type.
func (tt typeTable) constOf(elem *Type) *Type {
	name := "qd.Const[" + elem.Name + "]"
	return tt.intern(name, Type{Form: Const, Name: name, Elem: elem})
}

// list is the type of slices that are known as a whole.
func (tt typeTable) list(elem *Type, n int) *Type {
	name := "[]" + elem.Name
	return tt.intern(fmt.Sprint("list ", name, n), Type{Form: List, Name: name, Elem: elem, Len: n})
}

// globals makes the variables at package level.
func (g *generator) globals() {
	if !g.has(Globals) {
		return
	}
	g.scope = &scope{times: 1}
	defer func() { g.scope = nil }()
	for range g.IntN(4) {
		t := g.valueType()
		if !g.knowable(t) {
			continue
		}
		if g.chance(4) {
			t = g.types.list(g.scalar(), 1+g.IntN(4))
		}
		v := Global{Name: g.global("pv"), Type: t, Value: g.initial(t)}
		g.prog.Globals = append(g.prog.Globals, v)
	}
}

// initial is the first value of a variable at package level.
func (g *generator) initial(t *Type) *Node {
	switch t.Form {
	case Struct, Array, List:
		return composed(t, g.initial)
	}
	n := g.literal(t)
	n.N = 1
	return n
}

// composed is a composite literal with a part for each field or element.
func composed(t *Type, part func(*Type) *Node) *Node {
	n := &Node{Op: Compose, Type: t}
	if t.Form == Struct {
		for _, f := range t.Fields {
			n.Kids = append(n.Kids, part(f.Type))
		}
		return n
	}
	for range t.Len {
		n.Kids = append(n.Kids, part(t.Elem))
	}
	return n
}

// declareGlobals brings the variables at package level into a function's scope.
func (g *generator) declareGlobals() {
	for _, v := range g.prog.Globals {
		x := g.declare(v.Name, v.Type)
		x.known, x.fixed, x.global = true, true, true
	}
}

// reader declares a pointer into a variable at package level, or a slice of one, or assigns to one.
func (g *generator) reader() *Node {
	v := g.one(g.visible(func(v *variable) bool {
		switch v.typ.Form {
		case Array, Struct:
			return v.global
		case List: // what is done in a function literal may be a change: qd.Static would not take it any more
			return v.global && g.literals == 0
		}
		return false
	}))
	if v == nil {
		return nil
	}
	var to *Node
	switch {
	case v.typ.Form == Struct:
		to = &Node{Op: Addr, Type: g.types.pointer(v.typ), Kids: []*Node{use(v)}}
	case g.chance(3):
		n := 1 + g.IntN(v.typ.Len)
		to = &Node{Op: Subslice, Type: g.types.slice(v.typ.Elem, n), N: g.IntN(v.typ.Len - n + 1), Kids: []*Node{use(v)}}
	default:
		elem := &Node{Op: Index, Type: v.typ.Elem, Kids: []*Node{use(v), g.index()}}
		to = &Node{Op: Addr, Type: g.types.pointer(elem.Type), Kids: []*Node{elem}}
	}
	if old := g.one(g.allVisible(func(v *variable) bool { return v.reads && v.typ == to.Type })); old != nil && !g.chance(3) {
		return &Node{Op: Assign, Text: "=", Kids: []*Node{use(old), to}}
	}
	name := g.newName()
	g.declare(name, to.Type).reads = true
	return &Node{Op: Decl, Text: ":=", Type: to.Type, Names: []string{name}, Kids: []*Node{to}}
}

// constParam adds a compile-time parameter to a function.
func (g *generator) constParam(r *Routine) {
	elem := g.scalar()
	switch {
	case g.has(FuncValues) && g.chance(5):
		elem = g.funcType()
	case g.has(Strings) && g.chance(6):
		elem = stringType
	case g.chance(4):
		elem = g.valueType()
	}
	if !g.knowable(elem) {
		elem = intType
	}
	g.addConst(r, elem, false)
}

// addConst adds a compile-time parameter of a type; count says that it ends a recursion.
func (g *generator) addConst(r *Routine, elem *Type, count bool) string {
	g.unique++
	p := Param{Name: fmt.Sprintf("p%d", g.unique), Type: g.types.constOf(elem), Count: count}
	r.Params = append(r.Params, p)
	r.Asks = true
	if !count {
		g.declare(p.Name, p.Type).fixed = true
	}
	v := g.declare(p.Name+".V", elem)
	v.known, v.fixed = true, true
	if elem.Form == Func {
		v.cost = 20
		r.Effects, g.pure = true, false
	}
	return v.name
}

// constArg is an argument for a compile-time parameter.
func (g *generator) constArg(t *Type, count bool) *Node {
	if count {
		return &Node{Op: Call, Text: "qd.C", Kids: []*Node{g.count()}}
	}
	if v := g.one(g.visible(func(v *variable) bool { return v.typ == t })); v != nil && g.chance(2) {
		return use(v)
	}
	var value *Node
	if t.Elem.Form != Func {
		value = g.known(t.Elem, 2)
	} else if value = g.closedFunc(t.Elem); value == nil {
		return nil
	}
	return &Node{Op: Call, Type: t, Text: "qd.C", Kids: []*Node{value}}
}

// count is a known number that a recursion may be as deep as.
func (g *generator) count() *Node {
	return upTo3(g.known(intType, 1))
}

// runningCount is such a number of the running kernel.
func (g *generator) runningCount() *Node {
	return upTo3(g.expr(intType, 2))
}

func upTo3(n *Node) *Node {
	return &Node{Op: Binary, Type: intType, Text: "&", Kids: []*Node{n, {Op: Lit, Type: intType, Text: "3"}}}
}

// closedFunc is a function value that captures nothing.
func (g *generator) closedFunc(t *Type) *Node {
	for _, f := range g.callees {
		if f.fits(t) && g.chance(2) {
			return &Node{Op: Var, Text: f.Name, Type: t}
		}
	}
	if g.literals >= 2 {
		return nil
	}
	vars := g.vars
	g.vars = nil
	g.declareGlobals()
	fn := g.literalOf(t)
	g.vars = vars
	return &Node{Op: Literal, Type: t, Fn: fn}
}

// fits reports whether a function may be used as a value of a type.
func (r *Routine) fits(t *Type) bool {
	return !r.Effects && !r.Generic && r.Recv == nil && len(r.Params) == 1 && len(r.Results) == 1 &&
		r.Params[0].Type == t.Params[0] && r.Results[0].Type == t.Results[0] && !r.Params[0].Count
}

// recursion makes a function that calls itself until a known number is zero.
func (g *generator) recursion() {
	r := &Routine{Name: g.global("f"), Asks: true}
	g.scope = &scope{budget: 2 + g.IntN(3), times: 1, depth: 1, pure: true, callees: g.prog.Funcs}
	defer func() { g.scope = nil }()
	g.declareGlobals()
	var left string
	end := g.pick("static", "")
	if g.has(Consts) && g.chance(2) {
		left = g.addConst(r, intType, true)
	} else {
		g.unique++
		left = fmt.Sprintf("p%d", g.unique)
		r.Params = append(r.Params, Param{Name: left, Type: intType, Count: true, Known: end == "static"})
		v := g.declare(left, intType)
		v.known, v.fixed = end == "static", true // else it is a function that the running kernel calls, where another recursion calls it
	}
	t := g.valueType()
	g.param(r, t)
	r.Results = []Param{{Type: t}}
	g.results = r.Results
	n := &Node{Op: Block}
	g.depth = 1
	n.Kids = append(n.Kids, &Node{Op: If, Text: end, Kids: []*Node{nil,
		{Op: Raw, Text: left + " <= 0"}, {Op: Block, Kids: []*Node{g.returnStmt()}}, nil}})
	for g.budget > 0 {
		g.budget--
		g.cost += g.times
		if s := g.statement(1); s != nil && s.Op != Return {
			n.Kids = append(n.Kids, s)
		}
	}
	next := &Node{Op: Raw, Text: left + " - 1"}
	if left != r.Params[0].Name {
		next.Text = "qd.C(" + next.Text + ")"
	}
	self := &Node{Op: Call, Type: t, Text: r.Name, Kids: []*Node{next, g.expr(t, 2)}}
	if t.isNumber() && !t.Generic && g.chance(2) {
		self = &Node{Op: Binary, Type: t, Text: "+", Kids: []*Node{self, g.dynamic(t, 1)}}
	}
	n.Kids = append(n.Kids, &Node{Op: Return, Kids: []*Node{self}})
	r.Body = n
	r.Cost = 4 * (g.cost + 1)
	g.prog.Funcs = append(g.prog.Funcs, r)
}
