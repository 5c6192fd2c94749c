package outofssa

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// decide fills inline, root and logical for the instructions of b, last first, so
// that a value's users are decided before it. If b belongs to an If that is
// tried as && or ||, the If's statement is given as at: what b yields is evaluated there. Then
// decide stops at the first instruction that is not inside its use, and reports whether there is none.
func (t *translation) decide(b *ssa.Block, at *ssa.Instr) bool {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		if t.f.IsDead(in) {
			continue
		}
		if len(in.Results) == 1 {
			t.setInline(in, at, t.canInline(in, at))
		}
		if at != nil && !in.Op.IsTerminator() && t.f.IsStatement(in) {
			return false
		}
		if in.Op == ssa.OpIf {
			// decide may run twice over a block: what it finds replaces what it found.
			if len(in.Results) == 1 {
				logical := t.tryLogical(in)
				if t.f.logical[in.Results[0].ID] = logical; logical {
					continue
				}
				if at != nil {
					return false // before the blocks are decided, as they are once more: each If around would double that
				}
				t.setInline(in, at, false) // only an expression can be
			}
		}
		for _, nested := range in.Blocks {
			t.decide(nested, nil)
		}
	}
	return true
}

// setInline says whether in is evaluated inside its uses.
func (t *translation) setInline(in *ssa.Instr, at *ssa.Instr, yes bool) {
	id := in.Results[0].ID
	t.f.inline[id], t.root[id], t.before[id] = yes, nil, nil
	if yes {
		if t.root[id] = t.rootOfUsers(in.Results[0], at); t.root[id] != nil {
			t.before[id] = t.evaluatedBy(in.Results[0], t.root[id])
		}
	}
}

// canInline reports whether in is evaluated inside its use.
func (t *translation) canInline(in *ssa.Instr, at *ssa.Instr) bool {
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
		if t.isFreePart(in) {
			return true // as often as Go says it
		}
	case ssa.OpZero:
		if v.Name == "" {
			return true
		}
	case ssa.OpMake:
		if t.isInTables(v) {
			return true // each table has it
		}
	case ssa.OpSplat:
		if v.Name == "" && ssa.IsConst(in.Args[0]) && t.isOperand(v) {
			return true // the number itself
		}
	case ssa.OpLen, ssa.OpThreadID, ssa.OpThreadDim, ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpBlockIndex:
		if v.Name == "" {
			return true // shorter than any name for it
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
		if t.isIndex(v, maxIndex) {
			return true // as often as Go says it
		}
	}
	if v.Name != "" && !t.startsLoop(v) && !t.startsLocal(v) || in.Blocks == nil && t.stays(in) && !t.isLast(in) {
		return false
	}
	if in.Op == ssa.OpLoad && t.onlyParts(v) && t.unchanged(v, in) {
		return true // reading parts where they are costs less than a copy of all
	}
	if t.f.uses.Count[v.ID] != 1 {
		return false
	}
	user := t.liveUser(v)
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
		if !in.Stmt.Same(user.Stmt) {
			return false
		}
	}
	root := t.rootOfUsers(v, at)
	if root == nil || root.Op == ssa.OpFor && t.reads(in) {
		return false // evaluated several times, or read again for each lane
	}
	return t.stays(in) || !t.reads(in) || !t.disturbed(in, pos(in), pos(t.evaluatedBy(v, root)))
}

// isOperand reports whether all that uses a vector are operators which take a number in its place. Package emit prints it so
// beside another vector.
func (t *translation) isOperand(v *ssa.Value) bool {
	for _, user := range t.users[v.ID] {
		switch user.Op {
		case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem, ssa.OpAnd, ssa.OpOr, ssa.OpXor,
			ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe:
		default:
			return false
		}
	}
	return ssa.ElemOf(v.Type) != ssa.Bool
}

// evaluatedBy is the instruction before which v, which is part of root, is computed: root,
// or a call in root that it is an argument of.
func (t *translation) evaluatedBy(v *ssa.Value, root *ssa.Instr) *ssa.Instr {
	u := t.liveUser(v)
	switch {
	case u == nil || u == root || len(u.Results) != 1:
		return root
	case t.stays(u):
		return u
	}
	return t.before[u.Results[0].ID] // u is inline too, and in the same root
}

// isLast reports whether in is a call that is the last thing that the statement of its
// user does before it stores, returns or tests what it gives: between them are only addresses.
func (t *translation) isLast(in *ssa.Instr) bool {
	user := t.liveUser(in.Results[0])
	if in.Op != ssa.OpCall || user == nil || user.Block != in.Block {
		return false
	}
	if user.Op != ssa.OpReturn && (user.Op != ssa.OpIf || t.f.IsLogical(user)) && (user.Op != ssa.OpStore || user.Args[1] != in.Results[0]) {
		return false
	}
	for i := slices.Index(in.Block.Instrs, in) + 1; in.Block.Instrs[i] != user; i++ {
		between := in.Block.Instrs[i]
		if between.Op == ssa.OpConst || t.f.IsDead(between) {
			continue
		}
		if !between.Op.IsPart() || !t.f.inline[between.Results[0].ID] {
			return false
		}
	}
	return true
}

// onlyParts reports whether nothing but parts of an aggregate are used.
func (t *translation) onlyParts(v *ssa.Value) bool {
	for _, u := range t.users[v.ID] {
		if !t.f.IsDead(u) && u.Op != ssa.OpField && (u.Op != ssa.OpElem || u.Args[0] != v) {
			return false
		}
	}
	return ssa.IsAggregate(v.Type)
}

// isFreePart reports whether an instruction takes a part of a value that is there anyway, a field
// or an element at a constant index: to read it costs nothing, and has no better name than that.
func (t *translation) isFreePart(in *ssa.Instr) bool {
	if in.Op == ssa.OpElem {
		if _, ok := in.Args[1].Const(); !ok {
			return false
		}
	}
	return in.Results[0].Name == "" && !t.isPart(in.Args[0])
}

// isPart reports whether v is written only in what is taken of it: a field of an
// element in memory is read alone, not with all that is around it.
func (t *translation) isPart(v *ssa.Value) bool {
	if v.Name != "" || v.Def == nil || t.f.uses.Count[v.ID] != 1 {
		return false
	}
	switch v.Def.Op {
	case ssa.OpField, ssa.OpElem:
		return !t.isFreePart(v.Def)
	case ssa.OpZero, ssa.OpConst:
		return false
	}
	return true
}

// maxIndex is how many operators an index may have that is evaluated more than once.
const maxIndex = 3

// isIndex reports whether v is an unnamed expression of at most size operators that
// is only used to index slices and arrays, to check that, or in such expressions. The passes make one
// value of those that are equal; x[i*w+j] in two statements still reads best so.
func (t *translation) isIndex(v *ssa.Value, size int) bool {
	if v.Name != "" || v.Type != ssa.Int64 || size == 0 {
		return false
	}
	for _, u := range t.users[v.ID] {
		switch u.Op {
		case ssa.OpIndexAddr, ssa.OpElemAddr, ssa.OpElem, ssa.OpCheck:
			continue
		}
		if len(u.Results) != 1 || !t.f.inline[u.Results[0].ID] || !t.isIndex(u.Results[0], size-1) {
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
func (t *translation) startsLoop(v *ssa.Value) bool {
	user := t.liveUser(v)
	return user != nil && user.Op == ssa.OpLoop && v.Def.Stmt.Same(user.Stmt) &&
		user.Cond().Params[slices.Index(user.Args, v)].Name == v.Name
}

// startsLocal reports whether v is the first value of the variable in memory that has
// its name, and nothing else.
func (t *translation) startsLocal(v *ssa.Value) bool {
	user := t.liveUser(v)
	return user != nil && user.Op == ssa.OpLocal && user.Results[0].Name == v.Name
}

// liveUser is the only user of a value that has one use.
func (t *translation) liveUser(v *ssa.Value) *ssa.Instr {
	var user *ssa.Instr
	for _, u := range t.users[v.ID] {
		if t.f.IsDead(u) {
			continue
		}
		if user != nil && user != u {
			return nil // a use that does not count, as of an unused parameter
		}
		user = u
	}
	return user
}

// rootOfUsers is the statement that an inline v is evaluated in, nil for several.
func (t *translation) rootOfUsers(v *ssa.Value, at *ssa.Instr) *ssa.Instr {
	var root *ssa.Instr
	for _, u := range t.users[v.ID] {
		r := u
		if u.Op == ssa.OpYield && at != nil && u.Block == v.Def.Block {
			r = at
		} else if len(u.Results) == 1 && t.f.inline[u.Results[0].ID] {
			r = t.root[u.Results[0].ID]
		}
		if r == nil || root != nil && r != root {
			return nil
		}
		root = r
	}
	return root
}
