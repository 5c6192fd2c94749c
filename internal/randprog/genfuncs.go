package randprog

import "fmt"

// functions declares an array of functions, a struct with one, or what a function that
// gives functions gives.
func (g *generator) functions() *Node {
	if g.literals >= 2 || g.budget < 3 {
		return nil
	}
	if f := g.one(g.visible(func(v *variable) bool { return v.typ.Form == FuncList && g.times*v.cost < most/4 })); f != nil && g.chance(2) {
		return g.callAt(f)
	}
	t := g.funcType()
	g.unique++
	if g.chance(2) {
		return g.structOfFunc(t)
	}
	list := &Type{Form: FuncList, Elem: t, Len: 1 + g.IntN(3)}
	list.Name = fmt.Sprintf("[%d]%s", list.Len, t.Name)
	n := &Node{Op: Compose, Type: list}
	cost := 0
	for range list.Len {
		f := g.funcValue(t)
		if f == nil {
			return nil
		}
		n.Kids = append(n.Kids, f)
		cost = max(cost, g.costOf(f))
	}
	v := g.declare(fmt.Sprintf("fs%d", g.unique), list)
	v.fixed, v.cost = true, cost
	return &Node{Op: Decl, Text: ":=", Type: list, Names: []string{v.name}, Kids: []*Node{n}}
}

// costOf is about how many statements a call of a function value runs.
func (g *generator) costOf(f *Node) int {
	if f.Fn != nil {
		return f.Fn.Cost
	}
	return 50 // a function without effects, or a value there was
}

// structOfFunc declares a struct of a function and a known number.
func (g *generator) structOfFunc(t *Type) *Node {
	f := g.funcValue(t)
	if f == nil {
		return nil
	}
	num := g.integer()
	if num.Generic {
		num = intType
	}
	s := &Type{Form: FuncList, Name: fmt.Sprintf("struct {\n\tf %s\n\tk %s\n}", t.Name, num.Name)}
	n := &Node{Op: Compose, Type: s, Kids: []*Node{f, g.known(num, 2)}}
	g.unique++
	name := fmt.Sprintf("fs%d", g.unique)
	v := g.declare(name+".f", t)
	v.fixed, v.cost = true, g.costOf(f)
	k := g.declare(name+".k", num)
	k.fixed, k.known = true, true
	return &Node{Op: Decl, Text: ":=", Type: s, Names: []string{name}, Kids: []*Node{n}}
}

// callAt calls a function of an array.
func (g *generator) callAt(f *variable) *Node {
	at := *f
	at.name = fmt.Sprintf("%s[%s]", f.name, masked(g.knownIndex(), f.typ.Len))
	at.typ = f.typ.Elem
	return g.callValue(&at)
}

// staticFunctions is a loop over an array of functions.
func (g *generator) staticFunctions(nesting int) *Node {
	f := g.one(g.visible(func(v *variable) bool { return v.typ.Form == FuncList && v.typ.Elem != nil && g.times*v.cost < most/8 }))
	if f == nil || !g.roomToUnroll() {
		return nil
	}
	n, end := g.begin()
	defer end()
	n.Op, n.Text, n.Kids = Range, "static", []*Node{use(f)}
	g.unique += 2
	n.Names = []string{fmt.Sprintf("v%d", g.unique-1), fmt.Sprintf("fn%d", g.unique)}
	i := g.declare(n.Names[0], intType)
	i.known, i.fixed = true, true
	v := g.declare(n.Names[1], f.typ.Elem)
	v.fixed, v.cost = true, f.cost
	g.depth++
	first := g.callValue(v)
	g.depth--
	n.Kids = append(n.Kids, g.unroll(n, nesting, f.typ.Len, first))
	return n
}

// maker makes a function that gives a function, which captures its parameter.
func (g *generator) maker() {
	r := &Routine{Name: g.global("f"), Asks: true, Maker: true, Effects: true}
	g.scope = &scope{budget: 4, times: 1, depth: 1, pure: true, callees: g.prog.Funcs}
	defer func() { g.scope = nil }()
	g.declareGlobals()
	t := g.funcType()
	g.param(r, g.scalar())
	g.vars[len(g.vars)-1].fixed = true // the function that is given outlives it
	if g.has(Consts) && g.chance(2) {
		g.constParam(r)
	}
	r.Results = []Param{{Type: t}}
	fn := g.literalOf(t)
	r.Cost = fn.Cost
	r.Body = &Node{Op: Block, Kids: []*Node{{Op: Return, Kids: []*Node{{Op: Literal, Type: t, Fn: fn}}}}}
	g.prog.Funcs = append(g.prog.Funcs, r)
}

// made declares a function that another one gives.
func (g *generator) made(f *Routine) *Node {
	c := g.callOf(f, intType, 1)
	if c == nil {
		return nil
	}
	g.unique++
	v := g.declare(fmt.Sprintf("fn%d", g.unique), f.Results[0].Type)
	v.fixed, v.cost = true, f.Cost
	return &Node{Op: Decl, Text: ":=", Type: v.typ, Names: []string{v.name}, Kids: []*Node{c}}
}
