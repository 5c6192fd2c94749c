package outofssa

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// A Scope is a place for declarations: the braces of a block, or the header of
// a loop, which reaches over the loop's blocks.
type Scope struct {
	// Around is the scope that surrounds this one in the text: the parent, but for a
	// loop's post part, which is written at the end of the body. It is nil for the function's.
	Around *Scope

	parent *Scope
	owner  *ssa.Instr // the instruction of parent that it belongs to: an If, a Loop, and a Test for what it lets in
	depth  int
}

// scopes are the scopes of a function.
type scopes struct {
	block  map[*ssa.Block]*Scope
	header map[*ssa.Instr]*Scope
	spare  []Scope // for the next ones
}

func newScopes(f *ssa.Func) *scopes {
	s := &scopes{block: make(map[*ssa.Block]*Scope), header: make(map[*ssa.Instr]*Scope)}
	s.add(f.Body, nil, nil)
	return s
}

func (s *scopes) add(b *ssa.Block, parent *Scope, owner *ssa.Instr) {
	at := s.nested(parent, owner)
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
			header := s.nested(at, in)
			s.header[in] = header
			s.add(in.Cond(), header, in)
			// Where the condition's block has statements, they stand in the braces of the body.
			s.add(in.Do(), s.block[in.Cond()], in.Cond().Terminator())
			s.add(in.Post(), header, in)
			s.block[in.Post()].Around = s.block[in.Do()]
		}
	}
}

func (s *scopes) nested(parent *Scope, owner *ssa.Instr) *Scope {
	if len(s.spare) == 0 {
		s.spare = make([]Scope, 8)
	}
	n := &s.spare[0]
	s.spare = s.spare[1:]
	if parent != nil {
		*n = Scope{parent: parent, owner: owner, depth: parent.depth + 1, Around: parent}
	}
	return n
}

// declare finds where each variable is declared.
func (t *translation) declare() {
	t.f.scopes = newScopes(t.f.fn)
	t.placeVariables()
	t.findPosts()
	all := make([]*Variable, 0, len(t.f.Variables)) // in the order of the places where they are declared
	t.f.header = make(map[*ssa.Instr][]*Variable)
	inHeader := make(map[*ssa.Instr][]*Variable)
	for _, x := range t.f.Variables {
		if x.Param {
			continue
		}
		if x.Scope == t.f.scopes.header[x.Scope.owner] {
			inHeader[x.Scope.owner] = append(inHeader[x.Scope.owner], x)
		}
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(x, y *Variable) int { return pos(x.first) - pos(y.first) })
	t.f.declared = make(map[*ssa.Instr][]*Variable, len(all))
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].first == all[0].first {
			n++
		}
		t.f.declared[all[0].first], all = all[:n:n], all[n:]
	}
	for loop, xs := range inHeader {
		t.f.header[loop] = t.headerVariables(loop, xs)
		for _, x := range xs {
			if !slices.Contains(t.f.header[loop], x) {
				x.Scope = x.Scope.parent // before the loop
			}
		}
	}
	for _, x := range t.f.Variables {
		x.Once = x.assigned == 1 && !(x.Param && t.inMemory(x.Values[0]))
		x.Index = t.indexes(x.Values[0])
		x.Place = -1
		if x.first != nil {
			x.Place = pos(x.first)
		}
	}
	t.findNext()
}

// placeVariables sets Scope, first and assigned of all variables: the scope is the innermost
// that contains all places where a variable is read or written.
func (t *translation) placeVariables() {
	t.f.statements(t.f.fn.Body, t.touchedBy)
	for _, x := range t.f.Variables {
		if x.Param {
			x.assigned++ // by the caller
			x.Scope, x.first = t.f.scopes.block[t.f.fn.Body], nil
		}
	}
}

// touchedBy notes what a statement reads and assigns, and where.
func (t *translation) touchedBy(in *ssa.Instr) {
	s := t.f.scopes
	at := s.block[in.Block]
	read := func(leaf *ssa.Value) { t.f.vars[leaf.ID].touch(at, in) }
	for _, c := range t.f.edge(in) {
		c.To.assigned++
		switch in.Op {
		case ssa.OpLoop:
			c.To.touch(s.header[in], in)
		case ssa.OpTest: // on leaving the loop
			c.To.touch(s.header[in.Block.Owner].parent, in.Block.Owner)
		default:
			c.To.touch(at, in)
		}
		t.f.Leaves(c.From, read)
	}
	switch in.Op {
	case ssa.OpYield, ssa.OpContinue, ssa.OpBreak:
	case ssa.OpLoop:
		t.touch(in.Cond().Params, s.header[in], in, 0)
		t.touch(in.Post().Params, s.header[in], in, 0)
	case ssa.OpFor:
		for _, b := range in.Blocks {
			t.touch(b.Params[:1], s.block[b], in, 1)
		}
		t.f.Operands(in, read)
	default:
		t.f.Operands(in, read)
	}
	assigns := 0
	if in.Blocks == nil || t.f.IsLogical(in) {
		assigns = 1
	}
	t.touch(in.Results, at, in, assigns)
}

// touch notes that an instruction reads or assigns the variables of values in a scope, and how often it assigns them.
func (t *translation) touch(vs []*ssa.Value, at *Scope, in *ssa.Instr, assigns int) {
	for _, v := range vs {
		x := t.f.vars[v.ID]
		if x == nil {
			continue
		}
		x.assigned += assigns
		if !x.Param || !v.IsLocal() { // else it is where the parameter is
			x.touch(at, in)
		}
	}
}

// touch widens the variable's scope to one more place where an instruction reads or assigns it.
func (x *Variable) touch(at *Scope, in *ssa.Instr) {
	if x.Scope == nil {
		x.Scope, x.first = at, in
		return
	}
	for x.Scope != at {
		if x.Scope.depth >= at.depth {
			x.Scope, x.first = x.Scope.parent, x.Scope.owner
		} else {
			at, in = at.parent, at.owner
		}
	}
	if pos(in) < pos(x.first) {
		x.first = in
	}
}

// findNext finds the variables that hold what another one of the same Go name
// will be, while its present value is still needed.
func (t *translation) findNext() {
	t.f.statements(t.f.fn.Body, func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop || in.Op == ssa.OpTest {
			return
		}
		for _, c := range t.f.edge(in) {
			if x := t.f.vars[c.From.ID]; x != nil && x.HasName() && x.Name == c.To.Name && len(x.Values) == 1 {
				x.Next = true
			}
		}
	})
}

// indexes reports whether a value is the index of an element.
func (t *translation) indexes(v *ssa.Value) bool {
	for _, u := range t.users[v.ID] {
		switch u.Op {
		case ssa.OpIndexAddr, ssa.OpElemAddr, ssa.OpElem:
			if u.Args[1] == v {
				return true
			}
		}
	}
	return false
}
