package randprog

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qdgen/qd/frontend/load"
)

// shrinkBatch is how many smaller programs are tried at once, at first and at most.
const shrinkBatch, mostShrinkBatch = 6, 48

// Shrink makes the program of a finding smaller for as long as the smaller one shows
// a finding of the same kind. It is delta debugging on the program's tree: see
// Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002).
func (r *Runner) Shrink(f Finding) (Finding, error) {
	if f.With != nil {
		return r.shrinkTogether(f), nil
	}
	for round := range 200 {
		edits := f.Program.edits()
		var best *Finding
		for size := shrinkBatch; len(edits) > 0 && best == nil; size = min(2*size, mostShrinkBatch) {
			var next []edit
			next, edits = take(edits, size)
			var err error
			if best, err = r.tryEdits(f, next, round); err != nil {
				return f, err
			}
		}
		if best == nil {
			return f, nil
		}
		f = *best
	}
	return f, nil
}

// take takes the first edits whose programs Go accepts, at most n. The type checker looks at no more programs
// than are tried, which are few of hundreds.
func take(edits []edit, n int) (next, rest []edit) {
	for i, e := range edits {
		if len(next) == n {
			return next, edits[i:]
		}
		if e.program.valid() {
			next = append(next, e)
		}
	}
	return next, nil
}

// tryEdits runs the programs that some edits make, then one with all edits that
// kept the finding, and gives the smallest that kept it.
func (r *Runner) tryEdits(f Finding, edits []edit, round int) (*Finding, error) {
	var programs []*Program
	for i, e := range edits {
		programs = append(programs, e.program.Tagged(fmt.Sprintf("_%d_%d_%d", f.Program.Seed, round, i)))
	}
	found, err := r.Run(programs)
	if err != nil {
		return nil, err
	}
	var good []edit
	var best *Finding
	for _, g := range found {
		if g.Kind != f.Kind || g.With != nil {
			continue
		}
		if best == nil || g.Program.size() < best.Program.size() {
			best = &g
		}
		good = append(good, edits[slices.Index(programs, g.Program)])
	}
	if len(good) < 2 {
		return best, nil
	}
	// All at once, where they do not get in each other's way.
	if p := f.Program.applyAll(good); p != nil && p.size() < best.Program.size() {
		all, err := r.Run([]*Program{p.Tagged(fmt.Sprintf("_%d_%d_all", f.Program.Seed, round))})
		if err != nil {
			return nil, err
		}
		if len(all) == 1 && all[0].Kind == f.Kind && all[0].With == nil {
			return &all[0], nil
		}
	}
	return best, nil
}

// size is how much there is of a program.
func (p *Program) size() int {
	n := p.Kernel.Body.size() + len(p.Kernel.Params)
	_, funcs := p.reached()
	for _, f := range p.Funcs {
		if funcs[f.Name] {
			n += f.Body.size() + len(f.Params)
		}
	}
	return n
}

// An edit makes a program smaller at one place.
type edit struct {
	node, variant int
	program       *Program
	size          int
}

// nodes are all nodes of a program that can be reached, in a fixed order.
func (p *Program) nodes() []*Node {
	var out []*Node
	add := func(n *Node) bool { out = append(out, n); return true }
	_, funcs := p.reached()
	p.Kernel.Body.walk(add)
	for _, f := range p.Funcs {
		if funcs[f.Name] {
			f.Body.walk(add)
		}
	}
	return out
}

// edits are the programs that one edit makes of p, the smallest first. Go need not accept them.
func (p *Program) edits() []edit {
	var out []edit
	seen := map[string]bool{p.Source(): true}
	add := func(e edit) {
		text := e.program.Source()
		if e.size = e.program.size(); seen[text] || e.size > p.size() {
			return
		}
		seen[text] = true
		out = append(out, e)
	}
	for i, n := range p.nodes() {
		for v := range len(n.smaller()) {
			c := p.Clone()
			c.nodes()[i].smaller()[v]()
			add(edit{node: i, variant: v, program: c})
		}
	}
	for i := 1; i < len(p.Kernel.Params); i++ {
		c := p.Clone()
		c.Kernel.Params = slices.Delete(slices.Clone(c.Kernel.Params), i, i+1)
		c.Inputs = slices.Delete(slices.Clone(c.Inputs), i-1, i)
		add(edit{node: -1, program: c})
	}
	slices.SortStableFunc(out, func(a, b edit) int { return cmp.Compare(a.size, b.size) })
	return out
}

// applyAll makes several edits, from the last place to the first, so that none
// moves the place of another; nil where the result is not valid.
func (p *Program) applyAll(edits []edit) *Program {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.node, a.node) })
	c := p.Clone()
	nodes := c.nodes()
	last := len(nodes)
	for _, e := range edits {
		if e.node < 0 || e.node >= last {
			continue
		}
		last = e.node
		if s := nodes[e.node].smaller(); e.variant < len(s) {
			s[e.variant]()
		}
	}
	if !c.valid() {
		return nil
	}
	return c
}

// valid reports whether the program type-checks.
func (p *Program) valid() bool { return p.check() == nil }

// check type-checks the program.
func (p *Program) check() error {
	src := p.sources()
	return try(func() error {
		_, err := load.Check(src, p.ref())
		return err
	})
}

// smaller are the ways to make the tree smaller at a node.
func (n *Node) smaller() []func() {
	var out []func()
	add := func(f func()) { out = append(out, f) }
	remove := func(from, to int) func() {
		return func() { n.Kids = slices.Delete(n.Kids, from, to) }
	}
	switch n.Op {
	case Block:
		for half := len(n.Kids) / 2; half >= 2; half /= 2 {
			for i := 0; i+half <= len(n.Kids); i += half {
				add(remove(i, i+half))
			}
		}
		for i, k := range n.Kids {
			add(remove(i, i+1))
			for _, s := range k.without() {
				add(func() { n.Kids = slices.Replace(n.Kids, i, i+1, s...) })
			}
			if k.Op == Decl || k.Op == DeclMany {
				add(func() {
					n.Kids = slices.Delete(n.Kids, i, i+1)
					for _, name := range k.Names {
						n.forget(name)
					}
				})
			}
		}
		return out
	case If:
		if n.Kids[0] != nil {
			add(func() { n.Kids[0] = nil })
		}
		if n.Kids[3] != nil {
			add(func() { n.Kids[3] = nil })
		}
	case Switch:
		if n.Kids[0] != nil {
			add(func() { n.Kids[0] = nil })
		}
		for i := 2; i < len(n.Kids); i++ {
			add(remove(i, i+1))
		}
	case Case:
		for i := 0; i < n.N && n.N > 1; i++ {
			add(func() { n.Kids = slices.Delete(n.Kids, i, i+1); n.N-- })
		}
	case AssignN:
		for i := 0; i < n.N && len(n.Kids) == 2*n.N; i++ {
			add(func() { *n = Node{Op: Assign, Text: "=", Kids: []*Node{n.Kids[i], n.Kids[n.N+i]}} })
		}
	case Assign:
		if n.Text != "=" {
			add(func() { n.Text = "=" })
		}
	case Unary, Binary, Convert, Call, Index, FieldOf, Deref, Var, Compose, Raw:
		n.simpler(add)
	}
	return out
}

// simpler are the ways to make an expression smaller.
func (n *Node) simpler(add func(func())) {
	if n.Type == nil {
		return
	}
	if n.Type.isScalar() && n.Type.Name != "" {
		texts := []string{"0", "1"}
		if n.Type.Form == Bool {
			texts = []string{"false", "true"}
		}
		for _, text := range texts {
			add(func() { *n = Node{Op: Lit, Type: n.Type, Text: text, N: 1} })
		}
	}
	if n.Op == Compose && len(n.Kids) > 0 {
		add(func() { n.Kids, n.Text = nil, "" })
	}
	if n.Op == Var {
		return
	}
	depth := 0
	for _, k := range n.Kids {
		k.walk(func(k *Node) bool {
			if k.Type == n.Type && k.Op != Lit && k.isExpr() {
				add(func() { *n = *k })
				depth++
				return depth < 6
			}
			return true
		})
	}
}

func (n *Node) isExpr() bool { return n.Op < Block }

// without are what a statement leaves when its control flow is taken away.
func (n *Node) without() [][]*Node {
	var out [][]*Node
	inner := func(b *Node, before ...*Node) {
		if b != nil {
			out = append(out, append(before, b.Kids...), append(before, b))
		}
	}
	zero := func(name string, t *Type) *Node {
		if name == "" {
			name = "_"
		}
		return &Node{Op: Decl, Text: "var", Names: []string{name}, Type: t}
	}
	switch n.Op {
	case Block:
		out = append(out, n.Kids)
	case If:
		var before []*Node
		if n.Kids[0] != nil {
			before = append(before, n.Kids[0])
		}
		inner(n.Kids[2], before...)
		inner(n.Kids[3], before...)
	case RangeInt:
		inner(n.Kids[1], zero(n.Names[0], n.Kids[0].Type))
	case For:
		inner(n.Kids[2], zero(n.Names[0], n.Type))
	case While, Range:
		inner(n.Kids[len(n.Kids)-1])
	case Switch:
		for _, c := range n.Kids[2:] {
			inner(c.Kids[c.N])
		}
	}
	return out
}

// forget takes a variable out of a block: reads of it become zero, writes go.
func (n *Node) forget(name string) {
	is := func(k *Node) bool { return k != nil && k.Op == Var && k.Text == name }
	n.walk(func(k *Node) bool {
		if k.Op == Block {
			k.Kids = slices.DeleteFunc(k.Kids, func(s *Node) bool { return (s.Op == Assign || s.Op == Step) && is(s.Kids[0]) })
		}
		if k.Op == AssignN {
			for i := range k.N {
				if is(k.Kids[i]) {
					k.Kids[i] = &Node{Op: Raw, Text: "_", Type: k.Kids[i].Type}
				}
			}
		}
		if is(k) && k.Type.isScalar() {
			text := "0"
			if k.Type.Form == Bool {
				text = "false"
			}
			*k = Node{Op: Lit, Type: k.Type, Text: text, N: 1}
		}
		return true
	})
}
