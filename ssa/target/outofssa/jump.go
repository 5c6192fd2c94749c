package outofssa

import "github.com/qdgen/qd/ssa"

// A Jump is how a continue, a break, or a return without values gets where it goes.
type Jump uint8

const (
	Return   Jump = iota // a return statement
	Falls                // nothing: the text goes on there anyway
	Continue             // the continue statement of the innermost loop
	Break                // the break statement of the innermost loop
	ToNext               // a goto to the end of the loop's body: see HasNext
	ToDone               // a goto behind the loop
)

// Jump is how a terminator gets where it goes, and from or in which loop: an OpLoop, or the OpFor whose lane a return
// ends.
func (f *Func) Jump(in *ssa.Instr) (Jump, *ssa.Instr) {
	loop := in.Target
	if in.Op == ssa.OpReturn {
		loop = enclosing(in, ssa.OpFor)
	}
	inner := innermost(in) == loop
	switch {
	case f.falls[in]:
		return Falls, loop
	case loop == nil:
		return Return, nil
	case in.Op == ssa.OpBreak && inner:
		return Break, loop
	case in.Op == ssa.OpBreak:
		return ToDone, loop
	case inner && (loop.Op == ssa.OpFor || f.PostFits(loop)):
		return Continue, loop
	}
	return ToNext, loop
}

// HasNext reports whether jumps go to the end of a loop's body: continues of an OpLoop, returns in a block of an OpFor.
func (f *Func) HasNext(loop *ssa.Instr, body *ssa.Block) bool {
	if loop.Op == ssa.OpFor {
		return nestedReturn(body, false)
	}
	fits := f.PostFits(loop)
	for _, t := range f.uses.Exits[loop] {
		if t.Op == ssa.OpContinue && (!fits && !f.falls[t] || innermost(t) != loop) {
			return true
		}
	}
	return false
}

// nestedReturn reports whether a return stands in a loop in b.
func nestedReturn(b *ssa.Block, inLoop bool) bool {
	for _, in := range b.Instrs {
		if in.Op == ssa.OpReturn && inLoop {
			return true
		}
		for _, nested := range in.Blocks {
			if nestedReturn(nested, inLoop || in.Op == ssa.OpLoop) {
				return true
			}
		}
	}
	return false
}

// innermost is the OpLoop or OpFor that a terminator stands in, nil if there is none.
func innermost(t *ssa.Instr) *ssa.Instr {
	owner := t.Block.Owner
	for owner != nil && owner.Op != ssa.OpLoop && owner.Op != ssa.OpFor {
		owner = owner.Block.Owner
	}
	return owner
}

// enclosing is the innermost instruction of an operation that a terminator stands in, nil if there is none.
func enclosing(t *ssa.Instr, op ssa.Op) *ssa.Instr {
	owner := t.Block.Owner
	for owner != nil && owner.Op != op {
		owner = owner.Block.Owner
	}
	return owner
}

// findFalls finds the terminators that go where the text goes on anyway: those by which control reaches the end of the
// body of their loop, or of a function without results.
func (t *translation) findFalls() {
	if len(t.f.fn.Results) == 0 {
		t.fall(t.f.fn.Body, nil)
	}
	t.f.fn.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoop:
			t.fall(in.Do(), in)
		case ssa.OpFor:
			for _, b := range in.Blocks {
				t.fall(b, nil)
			}
		}
	})
}

// fall finds them in b, the body of a loop, or of a function or a lane if loop is nil.
func (t *translation) fall(b *ssa.Block, loop *ssa.Instr) {
	mark := func(end *ssa.Instr) {
		if t.f.falls == nil {
			t.f.falls = make(map[*ssa.Instr]bool)
		}
		t.f.falls[end] = true
	}
	n := len(b.Instrs)
	switch end := b.Instrs[n-1]; end.Op {
	case ssa.OpContinue:
		if end.Target == loop {
			mark(end)
		}
	case ssa.OpReturn:
		if loop == nil {
			mark(end)
		}
	case ssa.OpUnreachable:
		if n > 1 && b.Instrs[n-2].Op == ssa.OpIf && t.f.IsStatement(b.Instrs[n-2]) {
			t.fall(b.Instrs[n-2].Then(), loop)
			t.fall(b.Instrs[n-2].Else(), loop)
		}
	}
}
