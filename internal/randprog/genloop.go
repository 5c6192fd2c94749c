package randprog

import "fmt"

// enter makes a loop's body, which runs about turns times.
func (g *generator) enter(n *Node, nesting, turns int) *Node {
	times, level := g.times, g.level
	g.times *= turns
	g.level++
	g.targets = append(g.targets, target{n.Label, n.Op != Switch, false, g.level})
	body := g.block(nesting-1, 4)
	g.targets = g.targets[:len(g.targets)-1]
	g.times, g.level = times, level
	return body
}

// loop makes a loop.
func (g *generator) loop(nesting int) *Node {
	if g.times > 200 {
		return nil
	}
	vars := len(g.vars)
	g.depth++
	defer func() { g.depth--; g.vars = g.vars[:vars] }()
	g.labels++
	n := &Node{Label: g.labels}
	switch g.IntN(9) {
	case 0:
		n.Op, n.Fuel = While, true
		var cond *Node
		if !g.chance(4) {
			if cond = g.expr(boolType, 2); cond.Text == "qd.Static" {
				cond = nil // another kind of loop
			}
		}
		n.Kids = []*Node{cond}
		n.Kids = append(n.Kids, g.enter(n, nesting, 8))
	case 1, 2, 3:
		g.forStmt(n, nesting)
	case 4, 5:
		t := g.integer()
		n.Op, n.Kids = RangeInt, []*Node{g.dynamic(t, 1)}
		if g.chance(2) {
			n.Kids = []*Node{{Op: Lit, Type: intType, Text: fmt.Sprint(1 + g.IntN(5))}}
			t = intType
		}
		if g.has(Static) && g.chance(3) {
			n.Text = "dynamic"
		}
		if g.chance(5) {
			n.Names = []string{""} // for range n
		} else {
			n.Names = []string{g.newName()}
			g.declare(n.Names[0], t)
		}
		n.Kids = append(n.Kids, g.enter(n, nesting, 4))
	default:
		if !g.rangeStmt(n, nesting) {
			return nil
		}
	}
	return n
}

// forStmt is a loop of three clauses. Its variable is only assigned to where the
// turns are counted.
func (g *generator) forStmt(n *Node, nesting int) {
	t := g.number()
	n.Op, n.Type, n.Fuel = For, t, g.chance(2)
	n.N, n.Text = 1+g.IntN(2), g.pick("<", "<=", "<")
	from := &Node{Op: Lit, Type: t, Text: fmt.Sprint(g.IntN(3)), N: 1}
	to := &Node{Op: Lit, Type: t, Text: fmt.Sprint(g.IntN(7))}
	if g.chance(4) {
		from.Text, to.Text, n.N, n.Text = fmt.Sprint(3+g.IntN(4)), fmt.Sprint(1+g.IntN(2)), -1, g.pick(">", ">=")
	}
	if n.Fuel {
		if g.chance(2) {
			from = g.expr(t, 1)
		}
		if g.chance(2) {
			to = g.expr(t, 2)
		}
		if g.chance(4) {
			n.Text = "!="
		}
	}
	n.Kids = []*Node{from, to}
	g.unique++ // a new name: the limit may speak of the variable that another would hide
	n.Names = []string{fmt.Sprintf("v%d", g.unique)}
	g.declare(n.Names[0], t).fixed = !n.Fuel
	n.Kids = append(n.Kids, g.enter(n, nesting, 5))
}

// rangeStmt is a range over a slice, an array or a pointer to one, to new variables
// or to old ones.
func (g *generator) rangeStmt(n *Node, nesting int) bool {
	v := g.one(g.visible(func(v *variable) bool {
		return (v.typ.Form == Slice && !isShared(v.name)) || v.typ.Form == Array && !v.global || v.typ.Form == Pointer && v.typ.Elem.Form == Array
	}))
	if v == nil {
		return false
	}
	over, t := use(v), v.typ
	if v.typ.Form == Pointer {
		t = v.typ.Elem
	}
	if isOwn(v.name) {
		over = &Node{Op: Subslice, Type: v.typ, Kids: []*Node{over}}
	} else if v.typ.Form == Array && !v.fixed && g.has(Pointers) && g.chance(3) && !g.pure {
		v.shared = true
		over = &Node{Op: Addr, Type: g.types.pointer(v.typ), Kids: []*Node{over}}
	}
	n.Op = Range
	if g.chance(4) {
		key, val := g.leftOf(intType), g.leftOf(t.Elem)
		if key != nil && val != nil && !g.chance(3) {
			n.N, n.Kids = 2, []*Node{key, val, over}
		} else if key != nil {
			n.N, n.Kids = 1, []*Node{key, over}
		}
	}
	if n.Kids == nil {
		n.Kids = []*Node{over}
		n.Names = []string{g.newName()}
		g.declare(n.Names[0], intType)
		if !g.chance(4) {
			for len(n.Names) < 2 || n.Names[1] == n.Names[0] {
				n.Names = []string{n.Names[0], g.newName()}
			}
			g.declare(n.Names[1], t.Elem)
			if g.chance(3) {
				n.Names[0] = "_"
				g.vars = append(g.vars[:len(g.vars)-2], g.vars[len(g.vars)-1])
			}
		}
	}
	n.Kids = append(n.Kids, g.enter(n, nesting, t.Len))
	return true
}

func (g *generator) switchStmt(nesting int) *Node {
	vars := len(g.vars)
	g.depth++
	defer func() { g.depth--; g.vars = g.vars[:vars] }()
	g.labels++
	n := &Node{Op: Switch, Label: g.labels, Kids: make([]*Node, 2)}
	if g.chance(6) {
		n.Kids[0] = g.initStmt()
	}
	t := boolType
	if !g.chance(3) {
		t = g.integer()
		n.Kids[1] = g.dynamic(t, 2)
		if g.chance(2) {
			n.Kids[1] = &Node{Op: Binary, Type: t, Text: "&", Kids: []*Node{n.Kids[1], {Op: Lit, Type: t, Text: "3"}}}
		}
	}
	seen := map[string]bool{}
	cases, dflt := 1+g.IntN(4), g.IntN(8)
	for i := range cases {
		c := &Node{Op: Case}
		if i != dflt {
			for range 1 + g.IntN(2) {
				e := g.expr(t, 2)
				if t != boolType && !g.chance(4) {
					e = &Node{Op: Lit, Type: t, Text: fmt.Sprint(g.IntN(4))}
				}
				if e.isConst() && (t == boolType || e.Op != Lit || seen[e.Text]) {
					e = g.dynamic(t, 1)
				}
				if e.isConst() {
					continue
				}
				if e.Op == Lit {
					seen[e.Text] = true
				}
				c.Kids = append(c.Kids, e)
			}
			if len(c.Kids) == 0 {
				continue
			}
		}
		c.N = len(c.Kids)
		c.Kids = append(c.Kids, g.enter(n, nesting, 1))
		if g.has(Fallthrough) && i < cases-1 && g.chance(5) {
			c.Text = "fallthrough"
		}
		n.Kids = append(n.Kids, c)
	}
	if len(n.Kids) == 2 {
		return nil
	}
	n.Kids[len(n.Kids)-1].Text = ""
	return n
}
