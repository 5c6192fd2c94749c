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
	s := t.f.scopes
	touch := func(x *Variable, at *Scope, in *ssa.Instr) {
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
	t.f.statements(t.f.fn.Body, func(in *ssa.Instr) {
		at := s.block[in.Block]
		read := func(leaf *ssa.Value) { touch(t.f.vars[leaf.ID], at, in) }
		for _, c := range t.f.edge(in) {
			c.To.assigned++
			switch in.Op {
			case ssa.OpLoop:
				touch(c.To, s.header[in], in)
			case ssa.OpTest: // on leaving the loop
				touch(c.To, s.header[in.Block.Owner].parent, in.Block.Owner)
			default:
				touch(c.To, at, in)
			}
			t.f.Leaves(c.From, read)
		}
		if in.Op == ssa.OpLoop {
			for _, v := range in.Cond().Params {
				if x := t.f.vars[v.ID]; x != nil {
					touch(x, s.header[in], in)
				}
			}
			for _, v := range in.Post().Params {
				if x := t.f.vars[v.ID]; x != nil {
					touch(x, s.header[in], in)
				}
			}
		}
		if in.Op == ssa.OpFor {
			for _, b := range in.Blocks {
				if x := t.f.vars[b.Params[0].ID]; x != nil {
					x.assigned++
					touch(x, s.block[b], in)
				}
			}
		}
		switch in.Op {
		case ssa.OpYield, ssa.OpContinue, ssa.OpBreak, ssa.OpLoop:
		default:
			t.f.Operands(in, read)
		}
		for _, v := range in.Results {
			if x := t.f.vars[v.ID]; x != nil {
				if in.Blocks == nil || t.f.IsLogical(in) {
					x.assigned++
				}
				if x.Param && v.IsLocal() {
					continue // where the parameter is
				}
				touch(x, at, in)
			}
		}
	})
	for _, x := range t.f.Variables {
		if x.Param {
			x.assigned++ // by the caller
			x.Scope, x.first = s.block[t.f.fn.Body], nil
		}
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
