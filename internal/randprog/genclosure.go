package randprog

import "fmt"

// closure declares a function literal, or calls a function value that there is. A
// literal reads and writes what is around it, so that a call is a call with effects.
func (g *generator) closure() *Node {
	if !g.has(Closures) {
		return nil
	}
	if f := g.one(g.visible(func(v *variable) bool { return v.typ.Form == Func && g.times*v.cost < most/4 })); f != nil && !g.chance(3) {
		return g.callValue(f)
	}
	if g.literals >= 2 || g.budget < 3 {
		return nil
	}
	if g.has(Recursion) && g.literals == 0 && g.times < 50 && g.chance(4) {
		return g.recursiveCall()
	}
	var params, results []*Type
	for range g.IntN(3) {
		params = append(params, g.valueType())
	}
	for range []int{0, 1, 1, 1, 2}[g.IntN(5)] {
		results = append(results, g.valueType())
	}
	t := g.types.function(params, results)
	fn := g.literalOf(t)
	if g.chance(6) && len(results) == 1 {
		// Called where it stands.
		n := &Node{Op: Call, Type: results[0], Fn: fn}
		for _, p := range params {
			n.Kids = append(n.Kids, g.expr(p, 1))
		}
		g.cost += g.times * fn.Cost
		return g.useCall(n)
	}
	g.unique++
	name := fmt.Sprintf("fn%d", g.unique)
	v := g.declare(name, t)
	v.fixed, v.cost = true, fn.Cost
	return &Node{Op: Decl, Text: ":=", Type: t, Names: []string{name}, Kids: []*Node{{Op: Literal, Type: t, Fn: fn}}}
}

// recursiveCall calls a recursive function that a condition of the running kernel ends, with function literals.
func (g *generator) recursiveCall() *Node {
	n := &Node{Op: Call, Type: intType, Text: repeatName + g.suffix, Kids: []*Node{g.runningCount(), g.expr(intType, 1)}}
	for _, result := range []*Type{boolType, intType} {
		t := g.types.function([]*Type{intType}, []*Type{result})
		n.Kids = append(n.Kids, &Node{Op: Literal, Type: t, Fn: g.literalOf(t)})
	}
	for _, lit := range n.Kids[2:] {
		g.cost += g.times * lit.Fn.Cost * 12
	}
	return g.useCall(n)
}

// repeatName is the name of the function that recursiveCall calls, less the suffix.
const repeatName = "repeat"

// repeatSource is that function, as the format for its name.
const repeatSource = `func %[1]s(n, m int, goOn func(k int) bool, value func(k int) int) int {
	if n <= 0 || !goOn(m) {
		return value(n)
	}
	sum := 0
	for k := range n {
		sum += %[1]s(n-1-k, m+k, goOn, value)
		if sum&7 == 3 {
			break
		}
	}
	if sum&1 == 1 {
		sum -= %[1]s(n/2-1, sum, goOn, value)
	}
	return sum ^ value(m)
}
`

// literalOf makes a function literal of type t. It sees the variables around it.
func (g *generator) literalOf(t *Type) *Routine {
	r := &Routine{Effects: true}
	outer := *g.scope
	g.budget, g.cost, g.times, g.targets, g.marks, g.kernel = min(4, outer.budget), 0, 1, nil, nil, false
	g.literals++
	g.level++
	g.vars = append([]*variable(nil), outer.vars...)
	g.depth++
	for _, p := range t.Params {
		g.param(r, p)
	}
	for _, res := range t.Results {
		r.Results = append(r.Results, Param{Type: res})
	}
	g.results = r.Results
	r.Body = g.literalBody(r)
	r.Cost = g.cost + 1
	labels := g.labels
	*g.scope = outer
	g.labels = labels
	g.budget -= 2
	return r
}

// literalBody is the body of a function literal.
func (g *generator) literalBody(r *Routine) *Node {
	n := &Node{Op: Block}
	for g.budget > 0 {
		g.budget--
		g.cost += g.times
		if s := g.statement(1); s != nil {
			n.Kids = append(n.Kids, s)
			if s.Op == Return {
				return n
			}
		}
	}
	if len(r.Results) > 0 {
		n.Kids = append(n.Kids, g.returnStmt())
	}
	return n
}

// callValue is a statement that calls a function value.
func (g *generator) callValue(f *variable) *Node {
	n := &Node{Op: Call, Text: f.name}
	for _, p := range f.typ.Params {
		n.Kids = append(n.Kids, g.expr(p, 1))
	}
	g.cost += g.times * f.cost
	switch res := f.typ.Results; len(res) {
	case 0:
		return &Node{Op: Eval, Kids: []*Node{n}}
	case 1:
		n.Type = res[0]
		return g.useCall(n)
	default:
		d := &Node{Op: DeclMany, Kids: []*Node{n}}
		for _, t := range res {
			g.unique++
			d.Names = append(d.Names, fmt.Sprintf("v%d", g.unique))
			g.declare(d.Names[len(d.Names)-1], t)
		}
		return d
	}
}

// funcValue is an argument of a type of functions: one that there is, by its name, or
// a literal.
func (g *generator) funcValue(t *Type) *Node {
	if v := g.one(g.visible(func(v *variable) bool { return v.typ == t })); v != nil && g.chance(2) {
		return use(v)
	}
	for _, f := range g.callees {
		if f.fits(t) {
			return &Node{Op: Var, Text: f.Name, Type: t}
		}
	}
	if g.literals >= 2 {
		return nil
	}
	return &Node{Op: Literal, Type: t, Fn: g.literalOf(t)}
}
