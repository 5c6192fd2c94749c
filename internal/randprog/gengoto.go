package randprog

import "slices"

// A mark is a label of a list of statements that is being made.
type mark struct {
	label   int
	ahead   bool // it comes later
	targets int  // how many loops and switches are around the list
}

// jumping makes a block with labels, to which goto statements in it go, forward and backward, out of what is around
// them too. In front of its last label it declares nothing, as Go wants it. Jumps backward count turns.
func (g *generator) jumping(nesting int) *Node {
	if g.times > 50 {
		return nil
	}
	n := &Node{Op: Block}
	vars, marks, times := len(g.vars), len(g.marks), g.times
	g.depth++
	g.level++
	g.times *= 4
	var at []int // the statement that a label is in front of
	for range 1 + g.IntN(3) {
		g.labels++
		g.marks = append(g.marks, mark{g.labels, true, len(g.targets)})
		at = append(at, g.IntN(4))
	}
	for i := range 4 + g.IntN(2) {
		ahead := false
		for k := range at {
			m := &g.marks[marks+k]
			if at[k] == i {
				m.ahead = false
				n.Kids = append(n.Kids, &Node{Op: Mark, Label: m.label})
			}
			ahead = ahead || m.ahead
		}
		if g.budget--; g.budget < 0 && !ahead {
			break
		}
		g.cost += g.times
		before := len(g.vars)
		s := g.jumpTo()
		if s == nil || g.chance(2) {
			s = g.statement(nesting - 1)
		}
		if s != nil && ahead {
			g.vars = g.vars[:before]
			s = &Node{Op: Block, Kids: []*Node{s}}
		}
		if s != nil {
			n.Kids = append(n.Kids, s)
		}
	}
	g.depth--
	g.level--
	g.vars, g.marks, g.times = g.vars[:vars], g.marks[:marks], times
	return n
}

// turning makes a block with labels whose list of statements ends by going back to one of them, and with a label behind
// it where its turns end.
func (g *generator) turning(nesting int) *Node {
	g.labels++
	end := mark{g.labels, true, len(g.targets)}
	g.marks = append(g.marks, end)
	g.depth++
	in := g.jumping(nesting)
	g.depth--
	g.marks = g.marks[:len(g.marks)-1]
	if in == nil {
		return nil
	}
	var back []int
	for _, s := range in.Kids {
		if s.Op == Mark {
			back = append(back, s.Label)
		}
	}
	if len(back) == 0 || in.Kids[len(in.Kids)-1].leaves() {
		return nil
	}
	in.Kids = append(in.Kids, &Node{Op: Goto, Label: back[g.IntN(len(back))], N: end.label, Fuel: true})
	return &Node{Op: Block, Kids: []*Node{in, {Op: Mark, Label: end.label}}}
}

// jumpBack is a goto at the end of a list of statements, to a label in front of it; nil if there is none, or no label
// ahead where its turns end.
func (g *generator) jumpBack() *Node {
	back, end := 0, 0
	for _, m := range g.marks {
		strict := slices.ContainsFunc(g.targets[m.targets:], func(t target) bool { return t.strict })
		switch {
		case strict || end > 0 && back > 0 && g.chance(2):
		case m.ahead:
			end = m.label
		default:
			back = m.label
		}
	}
	if back == 0 || end == 0 {
		return nil
	}
	return &Node{Op: Goto, Label: back, N: end, Fuel: true}
}

// jumpTo is a goto to a label of a list around it, mostly under a condition; nil if there is none that it may go to.
func (g *generator) jumpTo() *Node {
	if len(g.marks) == 0 {
		return nil
	}
	m := g.marks[g.IntN(len(g.marks))]
	for _, t := range g.targets[m.targets:] {
		if t.strict {
			return nil
		}
	}
	leave := &Node{Op: Goto, Label: m.label, Fuel: !m.ahead}
	if g.chance(10) {
		return leave
	}
	return &Node{Op: If, Kids: []*Node{nil, g.expr(boolType, 2), {Op: Block, Kids: []*Node{leave}}, nil}}
}
