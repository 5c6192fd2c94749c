package outofssa

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Header are the variables that a loop declares in the header of its for statement.
func (f *Func) Header(loop *ssa.Instr) []*Variable { return f.header[loop] }

// Entry gives what is done where a loop begins: before it, and in its header, which declares its variables by that.
func (f *Func) Entry(loop *ssa.Instr) (before []Step, header []Copy) {
	var others []Copy
	for _, c := range f.edge(loop) {
		if slices.Contains(f.header[loop], c.To) {
			header = append(header, c)
		} else {
			others = append(others, c)
		}
	}
	return f.before(others), header
}

// headerVariables chooses what a for statement declares in its header, of the
// variables that only the loop knows: those that its post part changes, of one type.
func (t *translation) headerVariables(loop *ssa.Instr, xs []*Variable) (chosen []*Variable) {
	if !t.f.PostFits(loop) {
		return nil
	}
	changed := make(map[*Variable]bool)
	for _, in := range loop.Post().Instrs {
		for _, v := range in.Results {
			if x := t.f.vars[v.ID]; x != nil {
				changed[x] = true
			}
		}
		for _, c := range t.f.edge(in) {
			changed[c.To] = true
		}
	}
	entry := t.f.edge(loop)
	if _, cyclic := t.f.inOrder(entry); cyclic != nil {
		return nil
	}
	for _, x := range xs {
		if changed[x] && t.initializedLast(x, entry) && (chosen == nil || chosen[0].Type == x.Type) {
			chosen = append(chosen, x)
		}
	}
	return chosen
}

// initializedLast reports whether x is among the copies into a loop, and may get
// its value when all others have got theirs.
func (t *translation) initializedLast(x *Variable, entry []Copy) bool {
	found := false
	for _, c := range entry {
		if c.To != x {
			continue
		}
		found = true
		for _, other := range entry {
			if other.To != x && t.f.readsVariable(c.From, other.To) {
				return false
			}
		}
	}
	return found
}

// maxPost is how many assignments fit into the header of a for statement.
const maxPost = 3

// PostFits reports whether a loop's post part can be written in the header: it
// is a few assignments to variables declared outside it.
func (f *Func) PostFits(loop *ssa.Instr) bool { return f.postFits[loop] }

// findPosts finds the loops whose post part fits into the header.
func (t *translation) findPosts() {
	t.f.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop && t.f.fits(in) {
			if t.f.postFits == nil {
				t.f.postFits = make(map[*ssa.Instr]bool)
			}
			t.f.postFits[in] = true
		}
	})
}

func (f *Func) fits(loop *ssa.Instr) bool {
	n := 0
	for _, in := range loop.Post().Instrs {
		if in.Op.IsTerminator() {
			continue
		}
		if !f.IsStatement(in) {
			continue
		}
		if len(in.Results) != 1 || in.Blocks != nil && !f.IsLogical(in) {
			return false
		}
		if x := f.vars[in.Results[0].ID]; x == nil || x.Scope == f.scopes.block[loop.Post()] {
			return false // it would be declared there
		}
		n++
	}
	copies := f.edge(loop.Post().Terminator())
	_, cyclic := f.inOrder(copies)
	return cyclic == nil && n+len(copies) <= maxPost
}

// IsEndless reports whether a loop has no test but true.
func (f *Func) IsEndless(loop *ssa.Instr) bool {
	c, ok := loop.Cond().Terminator().Args[0].Const()
	return ok && c.Bool() && !f.hasStatements(loop.Cond())
}

// TestFits reports whether a loop's test can be written in the header: it is one expression, and nothing else is done
// where it fails.
func (f *Func) TestFits(loop *ssa.Instr) bool {
	return !f.IsEndless(loop) && len(f.edge(loop.Cond().Terminator())) == 0 && !f.hasStatements(loop.Cond())
}

func (f *Func) hasStatements(b *ssa.Block) bool {
	for _, in := range b.Instrs {
		if !in.Op.IsTerminator() && f.IsStatement(in) {
			return true
		}
	}
	return false
}
