package randprog

import "fmt"

// Static constructs: loops that are unrolled, conditions of which one branch exists.

// mostUnrolled bounds how often the turns of loops around a place repeat it.
const mostUnrolled = 40

// static makes a statement that is about what is known at compile time; nil where what
// was chosen is not possible.
func (g *generator) static(nesting int) *Node {
	n := g.IntN(16)
	if nesting == 0 {
		n %= 7
	}
	switch n {
	case 0, 1:
		return g.declareKnown(false)
	case 2, 3:
		return g.updateKnown()
	case 4:
		return g.staticJump()
	case 5:
		cond := g.knownCondition(2)
		return &Node{Op: If, Text: g.pick("static", ""), Kids: []*Node{nil, cond,
			{Op: Block, Kids: []*Node{g.staticAssert(cond.clone())}},
			{Op: Block, Kids: []*Node{g.staticAssert(&Node{Op: Unary, Type: boolType, Text: "!", Kids: []*Node{cond.clone()}})}}}}
	case 6:
		if g.has(FuncValues) {
			return g.functions()
		}
		return g.declareKnown(true)
	case 7, 8, 9:
		return g.staticRange(nesting)
	case 10:
		return g.staticElements(nesting)
	case 11:
		return g.staticWhile(nesting)
	case 12, 13:
		return g.staticIf(nesting)
	case 14:
		return g.staticSwitch(nesting)
	}
	if g.has(FuncValues) {
		return g.staticFunctions(nesting)
	}
	return g.staticRange(nesting)
}

func (g *generator) staticAssert(cond *Node) *Node {
	return &Node{Op: Eval, Kids: []*Node{{Op: Call, Text: "qd.StaticAssert", Kids: []*Node{cond, {Op: Raw, Text: "\"no\""}}}}}
}

// unroll makes the body of an unrolled loop of so many turns. In a strict one only what
// is known at compile time decides which turns there are, so that known variables
// around it may be changed.
func (g *generator) unroll(n *Node, nesting, turns int, first ...*Node) *Node {
	times, unrolled, level := g.times, g.unrolled, g.level
	g.times *= turns
	g.unrolled *= turns
	strict := g.chance(2)
	if !strict {
		g.level++
	}
	g.targets = append(g.targets, target{n.Label, n.Op != Switch, strict, g.level})
	body := g.block(nesting-1, 4, first...)
	g.targets = g.targets[:len(g.targets)-1]
	g.times, g.unrolled, g.level = times, unrolled, level
	return body
}

// begin opens the scope of a statement with a label.
func (g *generator) begin() (n *Node, end func()) {
	vars := len(g.vars)
	g.depth++
	g.labels++
	return &Node{Label: g.labels}, func() { g.depth--; g.vars = g.vars[:vars] }
}

// roomToUnroll reports whether a loop of some turns may be unrolled here.
func (g *generator) roomToUnroll() bool {
	return max(g.unrolled, 1)*4 <= mostUnrolled && g.times <= 100
}

// staticRange is a loop over the numbers below a known one.
func (g *generator) staticRange(nesting int) *Node {
	if !g.roomToUnroll() {
		return nil
	}
	n, end := g.begin()
	defer end()
	t := intType
	if g.chance(3) {
		t = g.integer()
	}
	n.Op, n.N, n.Text = RangeInt, 4, "static"
	n.Kids = []*Node{g.known(t, 2)}
	if n.Kids[0].Op == Lit {
		t = intType
	}
	if g.chance(3) {
		n.Text = "" // few enough turns to be unrolled without being asked to
	}
	if g.chance(6) {
		n.Names = []string{""}
	} else {
		n.Names = []string{g.newName()}
		v := g.declare(n.Names[0], t)
		v.known, v.fixed = true, true
	}
	n.Kids = append(n.Kids, g.unroll(n, nesting, 3))
	return n
}

// staticElements is a loop over the elements of a known array.
func (g *generator) staticElements(nesting int) *Node {
	if !g.roomToUnroll() {
		return nil
	}
	over := g.one(g.visible(func(v *variable) bool {
		return v.known && (v.typ.Form == Array || v.typ.Form == List) && v.typ.Len <= 5
	}))
	if over == nil {
		return g.staticRange(nesting)
	}
	n, end := g.begin()
	defer end()
	n.Op, n.Text, n.Kids = Range, "static", []*Node{use(over)}
	g.unique += 2
	n.Names = []string{fmt.Sprintf("v%d", g.unique-1), fmt.Sprintf("v%d", g.unique)}
	for i, t := range []*Type{intType, over.typ.Elem} {
		v := g.declare(n.Names[i], t)
		v.known, v.fixed = true, true
	}
	n.Kids = append(n.Kids, g.unroll(n, nesting, over.typ.Len))
	return n
}

// staticWhile is a loop that is run at compile time.
func (g *generator) staticWhile(nesting int) *Node {
	if !g.roomToUnroll() {
		return nil
	}
	n, end := g.begin()
	defer end()
	g.unique++
	name := fmt.Sprintf("v%d", g.unique)
	v := g.declare(name, intType)
	v.known, v.fixed = true, true
	limit := &Node{Op: Binary, Type: intType, Text: "&", Kids: []*Node{g.known(intType, 1), {Op: Lit, Type: intType, Text: "3"}}}
	n.Op, n.Text = While, "static"
	n.Kids = []*Node{{Op: Binary, Type: boolType, Text: "<", Kids: []*Node{use(v), limit}}}
	n.Kids = append(n.Kids, g.unroll(n, nesting, 3, &Node{Op: Step, Text: "++", Kids: []*Node{use(v)}}))
	// It is one statement with the variable that it counts.
	return &Node{Op: Block, Kids: []*Node{{Op: Decl, Text: ":=", Type: intType, Names: []string{name}, Kids: []*Node{g.smallLiteral(intType)}}, n}}
}

// staticIf is an if of which one branch exists.
func (g *generator) staticIf(nesting int) *Node {
	vars := len(g.vars)
	g.depth++
	defer func() { g.depth--; g.vars = g.vars[:vars] }()
	n := &Node{Op: If, Text: g.pick("static", ""), Kids: make([]*Node, 4)}
	n.Kids[1] = g.knownCondition(2)
	n.Kids[2] = g.block(nesting-1, 4)
	if g.chance(2) {
		n.Kids[3] = g.block(nesting-1, 4)
	}
	return n
}

// staticSwitch is a switch of which one case exists.
func (g *generator) staticSwitch(nesting int) *Node {
	n, end := g.begin()
	defer end()
	t := g.integer()
	if g.has(Strings) && g.knownVar(stringType) != nil && g.chance(2) {
		t = stringType
	}
	if t.Generic {
		return nil
	}
	tag := g.known(t, 1)
	if tag.isConst() {
		return nil // Go compares the cases with it itself
	}
	if t.Form == Int && g.chance(2) {
		tag = &Node{Op: Binary, Type: t, Text: "&", Kids: []*Node{tag, {Op: Lit, Type: t, Text: "3"}}}
	}
	n.Op, n.Text, n.Kids = Switch, g.pick("static", ""), []*Node{nil, tag}
	g.targets = append(g.targets, target{n.Label, false, true, g.level})
	cases, dflt := 1+g.IntN(4), g.IntN(6)
	for i := range cases {
		c := &Node{Op: Case}
		if i != dflt {
			lit := &Node{Op: Lit, Type: t, Text: fmt.Sprint(i)}
			if t.Form == String {
				lit.Text = fmt.Sprintf("%q", words[i])
			}
			c.Kids, c.N = []*Node{lit}, 1
		}
		c.Kids = append(c.Kids, g.block(nesting-1, 3))
		if g.has(Fallthrough) && i < cases-1 && g.chance(5) {
			c.Text = "fallthrough"
		}
		n.Kids = append(n.Kids, c)
	}
	g.targets = g.targets[:len(g.targets)-1]
	return n
}

// staticJump leaves something under a condition that is known.
func (g *generator) staticJump() *Node {
	if len(g.targets) == 0 {
		return nil
	}
	to := len(g.targets) - 1 - min(g.IntN(len(g.targets)), g.IntN(len(g.targets)))
	leave := g.leave(to)
	if leave == nil {
		return nil
	}
	return &Node{Op: If, Text: g.pick("static", ""), Kids: []*Node{nil, g.knownCondition(2), {Op: Block, Kids: []*Node{leave}}, nil}}
}

// leave is a break or a continue of an enclosing loop or switch; nil where that would
// make what is known of variables depend on what is not.
func (g *generator) leave(to int) *Node {
	for _, t := range g.targets[to:] {
		if t.strict && t.level != g.level {
			return nil
		}
	}
	n := &Node{Op: Break, Label: g.targets[to].label}
	if g.targets[to].loop && g.chance(2) {
		n.Op = Continue
	}
	inner := to == len(g.targets)-1 || n.Op == Continue && !hasLoop(g.targets[to+1:])
	if inner && g.chance(2) {
		n.Label = 0
	}
	return n
}
