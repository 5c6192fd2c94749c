package emit

import (
	"slices"
	"sort"

	"github.com/qdgen/qd/ssa"
)

// A scope is a place for declarations: the braces of a block, or the header of
// a loop, which reaches over the loop's blocks.
type scope struct {
	parent *scope
	owner  *ssa.Instr // the instruction of parent that it belongs to: an If, a Loop, and a Test for what it lets in
	depth  int
	// text is the scope that surrounds this one in the text: the parent, but for a
	// loop's post part, which is printed at the end of the body.
	text *scope
}

// scopes are the scopes of a function.
type scopes struct {
	block  map[*ssa.Block]*scope
	header map[*ssa.Instr]*scope
}

func newScopes(f *ssa.Func) *scopes {
	s := &scopes{make(map[*ssa.Block]*scope), make(map[*ssa.Instr]*scope)}
	s.add(f.Body, nil, nil)
	return s
}

func (s *scopes) add(b *ssa.Block, parent *scope, owner *ssa.Instr) {
	at := nested(parent, owner)
	s.block[b] = at
	for _, in := range b.Instrs {
		switch in.Op {
		case ssa.OpIf:
			s.add(in.Then(), at, in)
			s.add(in.Else(), at, in)
		case ssa.OpFor:
			for _, b := range in.Blocks {
				s.add(b, at, in)
			}
		case ssa.OpLoop:
			header := nested(at, in)
			s.header[in] = header
			s.add(in.Cond(), header, in)
			// What the condition's block defines is visible in the body.
			s.add(in.Do(), s.block[in.Cond()], in.Cond().Terminator())
			s.add(in.Post(), header, in)
			s.block[in.Post()].text = s.block[in.Do()]
		}
	}
}

func nested(parent *scope, owner *ssa.Instr) *scope {
	if parent == nil {
		return &scope{}
	}
	return &scope{parent: parent, owner: owner, depth: parent.depth + 1, text: parent}
}

// declare finds where each variable is declared and gives it its name.
func (p *plan) declare(avoid func(string) bool) {
	s := newScopes(p.fn)
	p.placeVariables(s)
	p.decl = make(map[*ssa.Instr][]*variable)
	p.head = make(map[*ssa.Instr][]*variable)
	inHeader := make(map[*ssa.Instr][]*variable)
	for _, x := range p.all {
		if x.param {
			continue
		}
		if x.scope == s.header[x.scope.owner] {
			inHeader[x.scope.owner] = append(inHeader[x.scope.owner], x)
		}
		p.decl[x.first] = append(p.decl[x.first], x)
	}
	for loop, xs := range inHeader {
		p.head[loop] = p.headerVariables(loop, xs)
		for _, x := range xs {
			if !slices.Contains(p.head[loop], x) {
				x.scope = x.scope.parent // before the loop
			}
		}
	}
	p.nameVariables(avoid)
}

// placeVariables sets scope, first and assigned of all variables: the scope is the innermost
// that contains all places where a variable is read or written.
func (p *plan) placeVariables(s *scopes) {
	touch := func(x *variable, at *scope, in *ssa.Instr) {
		if x.scope == nil {
			x.scope, x.first = at, in
			return
		}
		for x.scope != at {
			if x.scope.depth >= at.depth {
				x.scope, x.first = x.scope.parent, x.scope.owner
			} else {
				at, in = at.parent, at.owner
			}
		}
		if pos(in) < pos(x.first) {
			x.first = in
		}
	}
	p.statements(p.fn.Body, func(in *ssa.Instr) {
		at := s.block[in.Block]
		read := func(leaf *ssa.Value) { touch(p.vars[leaf.ID], at, in) }
		edge := p.edge(in)
		for _, m := range edge {
			m.to.assigned++
			switch in.Op {
			case ssa.OpLoop:
				touch(m.to, s.header[in], in)
			case ssa.OpTest: // on leaving the loop
				touch(m.to, s.header[in.Block.Owner].parent, in.Block.Owner)
			default:
				touch(m.to, at, in)
			}
			p.Leaves(m.from, read)
		}
		if in.Op == ssa.OpLoop {
			for _, v := range in.Cond().Params {
				if x := p.vars[v.ID]; x != nil {
					touch(x, s.header[in], in)
				}
			}
			for _, v := range in.Post().Params {
				if x := p.vars[v.ID]; x != nil {
					touch(x, s.header[in], in)
				}
			}
		}
		if in.Op == ssa.OpFor {
			for _, b := range in.Blocks {
				if x := p.vars[b.Params[0].ID]; x != nil {
					x.assigned++
					touch(x, s.block[b], in)
				}
			}
		}
		switch in.Op {
		case ssa.OpYield, ssa.OpContinue, ssa.OpBreak, ssa.OpLoop:
		default:
			p.Operands(in, read)
		}
		for _, v := range in.Results {
			if x := p.vars[v.ID]; x != nil {
				if in.Blocks == nil || p.IsLogical(in) {
					x.assigned++
				}
				if x.param && v.IsLocal() {
					continue // where the parameter is
				}
				touch(x, at, in)
			}
		}
	})
	for _, x := range p.all {
		if x.param {
			x.assigned++ // by the caller
			x.scope, x.first = s.block[p.fn.Body], nil
		}
	}
}

// headerVariables chooses what a for statement declares in its header, of the
// variables that only the loop knows: those that its post part changes, of one type.
func (p *plan) headerVariables(loop *ssa.Instr, xs []*variable) (chosen []*variable) {
	if !p.postFits(loop) {
		return nil
	}
	changed := make(map[*variable]bool)
	for _, in := range loop.Post().Instrs {
		for _, v := range in.Results {
			if x := p.vars[v.ID]; x != nil {
				changed[x] = true
			}
		}
		for _, m := range p.edge(in) {
			changed[m.to] = true
		}
	}
	entry := p.edge(loop)
	if _, cyclic := p.inOrder(entry); cyclic != nil {
		return nil
	}
	for _, x := range xs {
		if changed[x] && p.initializedLast(x, entry) && (chosen == nil || chosen[0].typ == x.typ) {
			chosen = append(chosen, x)
		}
	}
	return chosen
}

// initializedLast reports whether x is among the moves into a loop, and may get
// its value when all others have got theirs.
func (p *plan) initializedLast(x *variable, entry []move) bool {
	found := false
	for _, m := range entry {
		if m.to != x {
			continue
		}
		found = true
		for _, other := range entry {
			if other.to != x && p.readsVariable(m.from, other.to) {
				return false
			}
		}
	}
	return found
}

// maxPost is how many assignments fit into the header of a for statement.
const maxPost = 3

// postFits reports whether a loop's post part can be printed in the header: it
// is a few assignments to variables declared outside it.
func (p *plan) postFits(loop *ssa.Instr) bool {
	n := 0
	for _, in := range loop.Post().Instrs {
		if in.Op.IsTerminator() {
			continue
		}
		if !p.IsStatement(in) {
			continue
		}
		if len(in.Results) != 1 || in.Blocks != nil && !p.IsLogical(in) {
			return false
		}
		if x := p.vars[in.Results[0].ID]; x == nil || len(x.values) == 1 {
			return false
		}
		n++
	}
	moves := p.edge(loop.Post().Terminator())
	_, cyclic := p.inOrder(moves)
	return cyclic == nil && n+len(moves) <= maxPost
}

// nameVariables gives variables their names. Go's come before those made up, in the
// order of the text.
func (p *plan) nameVariables(avoid func(string) bool) {
	order := append([]*variable(nil), p.all...)
	sort.SliceStable(order, func(i, j int) bool {
		if order[i].isNamed() != order[j].isNamed() {
			return order[i].isNamed()
		}
		return p.place(order[i]) < p.place(order[j])
	})
	next := p.nextValues()
	n := newNamer(avoid, len(order))
	for _, x := range order {
		base := p.localName(x)
		if next[x] {
			base += "_next"
		}
		x.name = n.name(base, x.scope)
		p.taken[x.name] = true
	}
}

// nextValues are the variables that hold what another one of the same Go name
// will be, while its present value is still needed.
func (p *plan) nextValues() map[*variable]bool {
	next := make(map[*variable]bool)
	p.statements(p.fn.Body, func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop || in.Op == ssa.OpTest {
			return
		}
		for _, m := range p.edge(in) {
			if x := p.vars[m.from.ID]; x != nil && x.isNamed() && x.name == m.to.name && len(x.values) == 1 {
				next[x] = true
			}
		}
	})
	return next
}

// place is where a variable is declared in the order of the text.
func (p *plan) place(x *variable) int {
	if x.first == nil {
		return -1
	}
	return pos(x.first)
}
