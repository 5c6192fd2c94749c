package emit

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"slices"
)

// decide fills inline, root and logical for the instructions of b, last first, so
// that a value's users are decided before it. If b belongs to an If that is
// tried as && or ||, the If's statement is given as at: what b yields is printed there.
func (p *plan) decide(b *ssa.Block, at *ssa.Instr) {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		if p.isDead(in) {
			continue
		}
		if len(in.Results) == 1 {
			p.setInline(in, at, p.canInline(in, at))
		}
		if in.Op == ssa.OpIf {
			// decide may run twice over a block: what it finds replaces what it found.
			if len(in.Results) == 1 {
				logical := p.tryLogical(in)
				if p.logical[in.Results[0].ID] = logical; logical {
					continue
				}
				p.setInline(in, at, false) // only an expression can be
			}
		}
		for _, nested := range in.Blocks {
			p.decide(nested, nil)
		}
	}
}

// setInline says whether in is printed inside its uses.
func (p *plan) setInline(in *ssa.Instr, at *ssa.Instr, yes bool) {
	id := in.Results[0].ID
	p.inline[id], p.root[id] = yes, nil
	if yes {
		p.root[id] = p.rootOfUsers(in.Results[0], at)
	}
}

// canInline reports whether in is printed inside its use.
func (p *plan) canInline(in *ssa.Instr, at *ssa.Instr) bool {
	if len(in.Results) != 1 || in.Op == ssa.OpLoop || in.Op == ssa.OpAtomic || in.Op == ssa.OpAtomicLanes {
		return false
	}
	v := in.Results[0]
	switch in.Op {
	case ssa.OpConst:
		return true
	case ssa.OpIndexAddr, ssa.OpFieldAddr, ssa.OpElemAddr:
		return v.Name == ""
	case ssa.OpField, ssa.OpElem:
		if p.isFreePart(in) {
			return true // as often as Go says it
		}
	case ssa.OpZero:
		if v.Name == "" {
			return true
		}
	case ssa.OpLen, ssa.OpThreadID, ssa.OpThreadDim, ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpBlockIndex:
		if v.Name == "" {
			return true // shorter than any name for it
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
		if p.isIndex(v, maxIndex) {
			return true // as often as Go says it
		}
	}
	if v.Name != "" && !p.startsLoop(v) && !p.startsLocal(v) || in.Blocks == nil && p.stays(in) && !p.isLast(in) {
		return false
	}
	if in.Op == ssa.OpLoad && p.onlyParts(v) && p.unchanged(v, in) {
		return true // reading parts where they are costs less than a copy of all
	}
	if p.uses[v.ID] != 1 {
		return false
	}
	user := p.liveUser(v)
	if user == nil || user.Block != in.Block {
		return false
	}
	switch user.Op {
	case ssa.OpContinue, ssa.OpBreak:
		return false // it is assigned to the loop's variable where it is computed
	case ssa.OpYield:
		if at == nil {
			return false
		}
	case ssa.OpTest, ssa.OpLoop:
		// The loop's header is one statement to the reader.
	default:
		if !sameStmt(in.Stmt, user.Stmt) {
			return false
		}
	}
	root := p.rootOfUsers(v, at)
	if root == nil || root.Op == ssa.OpFor && p.reads(in) {
		return false // printed several times, or read again for each lane
	}
	return p.stays(in) || !p.reads(in) || !p.disturbed(in, pos(in), pos(p.evaluatedBy(v, root)))
}

// evaluatedBy is the instruction before which v, which is printed in root, is computed: root,
// or a call in root that it is an argument of.
func (p *plan) evaluatedBy(v *ssa.Value, root *ssa.Instr) *ssa.Instr {
	for {
		u := p.liveUser(v)
		switch {
		case u == nil || u == root || len(u.Results) != 1:
			return root
		case p.stays(u):
			return u
		}
		v = u.Results[0]
	}
}

// isLast reports whether in is a call that is the last thing that the statement of its
// user does before it stores, returns or tests what it gives: between them are only addresses.
func (p *plan) isLast(in *ssa.Instr) bool {
	user := p.liveUser(in.Results[0])
	if in.Op != ssa.OpCall || user == nil || user.Block != in.Block {
		return false
	}
	if user.Op != ssa.OpReturn && (user.Op != ssa.OpIf || p.IsLogical(user)) && (user.Op != ssa.OpStore || user.Args[1] != in.Results[0]) {
		return false
	}
	for i := slices.Index(in.Block.Instrs, in) + 1; in.Block.Instrs[i] != user; i++ {
		between := in.Block.Instrs[i]
		if between.Op == ssa.OpConst || p.isDead(between) {
			continue
		}
		if !between.Op.IsPart() || !p.inline[between.Results[0].ID] {
			return false
		}
	}
	return true
}

// onlyParts reports whether nothing but parts of an aggregate are used.
func (p *plan) onlyParts(v *ssa.Value) bool {
	for _, u := range p.users[v.ID] {
		if !p.isDead(u) && u.Op != ssa.OpField && (u.Op != ssa.OpElem || u.Args[0] != v) {
			return false
		}
	}
	return ssa.IsAggregate(v.Type)
}

// unchanged reports whether nothing that load reads is written between it and the last
// place where v, which depends on it, is printed.
func (p *plan) unchanged(v *ssa.Value, load *ssa.Instr) bool {
	for _, u := range p.users[v.ID] {
		if p.isDead(u) {
			continue
		}
		if len(u.Results) == 1 && p.inline[u.Results[0].ID] {
			if !p.unchanged(u.Results[0], load) {
				return false
			}
			continue
		}
		for u.Block != load.Block {
			u = u.Block.Owner
		}
		end := pos(u)
		if u.Blocks != nil {
			end = pos(u.Block.Instrs[slices.Index(u.Block.Instrs, u)+1])
		}
		if p.disturbed(load, pos(load), end) {
			return false
		}
	}
	return true
}

// isFreePart reports whether an instruction takes a part of a value that is there anyway, a field
// or an element at a constant index: to read it costs nothing, and has no better name than that.
func (p *plan) isFreePart(in *ssa.Instr) bool {
	if in.Op == ssa.OpElem {
		if _, ok := in.Args[1].Const(); !ok {
			return false
		}
	}
	return in.Results[0].Name == "" && !p.isPart(in.Args[0])
}

// isPart reports whether v is printed only in what is taken of it: a field of an
// element in memory is read alone, not with all that is around it.
func (p *plan) isPart(v *ssa.Value) bool {
	if v.Name != "" || v.Def == nil || p.uses[v.ID] != 1 {
		return false
	}
	switch v.Def.Op {
	case ssa.OpField, ssa.OpElem:
		return !p.isFreePart(v.Def)
	case ssa.OpZero, ssa.OpConst:
		return false
	}
	return true
}

// maxIndex is how many operators an index may have that is printed more than once.
const maxIndex = 3

// isIndex reports whether v is an unnamed expression of at most size operators that
// is only used to index slices and arrays, to check that, or in such expressions. The passes make one
// value of those that are equal; x[i*w+j] in two statements still reads best so.
func (p *plan) isIndex(v *ssa.Value, size int) bool {
	if v.Name != "" || v.Type != ssa.Int64 || size == 0 {
		return false
	}
	for _, u := range p.users[v.ID] {
		switch u.Op {
		case ssa.OpIndexAddr, ssa.OpElemAddr, ssa.OpElem, ssa.OpCheck:
			continue
		}
		if len(u.Results) != 1 || !p.inline[u.Results[0].ID] || !p.isIndex(u.Results[0], size-1) {
			return false
		}
	}
	for _, a := range v.Def.Args {
		if a.Name != "" || a.Def == nil {
			continue
		}
		switch a.Def.Op {
		case ssa.OpConst, ssa.OpLen, ssa.OpThreadID, ssa.OpThreadDim, ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpAdd, ssa.OpSub, ssa.OpMul:
		default:
			return false
		}
	}
	return true
}

// startsLoop reports whether v is the first value of the loop variable that it
// is named after, and nothing else.
func (p *plan) startsLoop(v *ssa.Value) bool {
	user := p.liveUser(v)
	return user != nil && user.Op == ssa.OpLoop && sameStmt(v.Def.Stmt, user.Stmt) &&
		user.Cond().Params[slices.Index(user.Args, v)].Name == v.Name
}

// startsLocal reports whether v is the first value of the variable in memory that has
// its name, and nothing else.
func (p *plan) startsLocal(v *ssa.Value) bool {
	user := p.liveUser(v)
	return user != nil && user.Op == ssa.OpLocal && user.Results[0].Name == v.Name
}

// reads reports whether an instruction, which does not write, reads memory.
func (p *plan) reads(in *ssa.Instr) bool { return p.summaries.Effects(in).Has(analysis.ReadsAny) }

// liveUser is the only user of a value that has one use.
func (p *plan) liveUser(v *ssa.Value) *ssa.Instr {
	var user *ssa.Instr
	for _, u := range p.users[v.ID] {
		if p.isDead(u) {
			continue
		}
		if user != nil && user != u {
			return nil // a use that does not count, as of an unused parameter
		}
		user = u
	}
	return user
}

// rootOfUsers is the statement that an inlined v is printed in, nil for several.
func (p *plan) rootOfUsers(v *ssa.Value, at *ssa.Instr) *ssa.Instr {
	var root *ssa.Instr
	for _, u := range p.users[v.ID] {
		r := u
		if u.Op == ssa.OpYield && at != nil && u.Block == v.Def.Block {
			r = at
		} else if len(u.Results) == 1 && p.inline[u.Results[0].ID] {
			r = p.root[u.Results[0].ID]
		}
		if r == nil || root != nil && r != root {
			return nil
		}
		root = r
	}
	return root
}

// tryLogical decides whether an If is Go's && or ||: one of its blocks gives a
// constant, the other one nothing but an expression.
func (p *plan) tryLogical(in *ssa.Instr) bool {
	if len(in.Results) != 1 || in.Results[0].Type != ssa.Bool || !p.IsUsed(in.Results[0]) {
		return false
	}
	value, ok := logicalBlock(in)
	if !ok {
		return false
	}
	at := in
	if p.inline[in.Results[0].ID] {
		at = p.root[in.Results[0].ID]
	}
	if at == nil {
		return false
	}
	p.decide(value, at)
	for _, v := range value.Instrs[:len(value.Instrs)-1] {
		if p.isDead(v) {
			continue
		}
		if len(v.Results) != 1 || !p.inline[v.Results[0].ID] {
			return false // decide runs again, without the yield as a place to print in
		}
	}
	return true
}

// logicalBlock finds the block of a boolean If that is the second operand of
// && (then, the other yields false) or of || (else, the other yields true).
func logicalBlock(in *ssa.Instr) (*ssa.Block, bool) {
	yields := func(b *ssa.Block, want bool) bool {
		t := b.Terminator()
		if t.Op != ssa.OpYield {
			return false
		}
		for _, i := range b.Instrs[:len(b.Instrs)-1] {
			if i.Op != ssa.OpConst {
				return false
			}
		}
		c, ok := t.Args[0].Const()
		return ok && c.Bool() == want
	}
	switch {
	case in.Then().Terminator().Op == ssa.OpYield && yields(in.Else(), false):
		return in.Then(), true
	case in.Else().Terminator().Op == ssa.OpYield && yields(in.Then(), true):
		return in.Else(), true
	}
	return nil, false
}

// sameStmt reports whether a and b are one statement to the reader.
func sameStmt(a, b *ssa.Stmt) bool {
	return a == b || a != nil && b != nil && a.Pos.File == b.Pos.File && a.Pos.Line == b.Pos.Line && a.Turn == b.Turn
}

// logicalOperands gives a logical If's operator and operands.
func logicalOperands(in *ssa.Instr) (op string, x, y *ssa.Value) {
	b, _ := logicalBlock(in)
	if b == in.Then() {
		return "&&", in.Args[0], b.Terminator().Args[0]
	}
	return "||", in.Args[0], b.Terminator().Args[0]
}
