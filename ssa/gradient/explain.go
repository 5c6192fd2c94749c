package gradient

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// keeping sets the statement that stands above the code which keeps a value: what, and why it is not computed again.
func (r *sweep) keeping(v *ssa.Value) {
	what, why, in := whyKept(v)
	r.stmt, r.pos = &ssa.Stmt{Text: "keep " + what + " for the gradient: " + why}, in.Pos
	if in.Stmt != nil {
		r.stmt.Pos = in.Stmt.Pos
	}
}

// tell tells what the backward kernel keeps, and what it computes again.
func (d *differ) tell() {
	if d.remarks == nil {
		return
	}
	say := d.say
	d.fn.Body.Walk(func(in *ssa.Instr) {
		if d.strips[in] != nil {
			say(in, "runs %d turns of this loop once more at a time, from what it keeps before them", d.Strip)
		}
	})
	pushed := make(map[*ssa.Value]bool)
	for _, vs := range d.pushes {
		for _, v := range vs {
			pushed[v] = true
		}
	}
	inMemory := len(d.last.memories) > 0
	for _, v := range inOrder(d.stored) {
		what, why, in := whyKept(v)
		switch {
		case !pushed[v]:
			say(in, "keeps %s in a variable, until the reverse sweep needs it: %s", what, why)
		case inMemory:
			say(in, "keeps %s of each turn, in memory that the launch makes where it is more than fits a local array: %s", what, why)
		default:
			say(in, "keeps %s of each turn, in a local array: %s", what, why)
		}
	}
	for _, v := range inOrder(d.held) {
		in := v.Def
		switch {
		case in == nil || d.stored[v] || ssa.IsConst(v):
		case in.Op == ssa.OpLoop && v.Index() == len(in.Results)-1:
			say(in, "keeps the number of turns in a variable")
		case v.Name != "" && !isAddress(v.Type):
			say(in, "keeps %s in a variable, from where the forward sweep computes it", v.Name)
		}
	}
	for _, v := range inOrder(d.recomputed) {
		if in := v.Def; v.Name != "" || in.Op == ssa.OpLoad || in.Op == ssa.OpMath {
			say(in, "computes %s again in the reverse sweep", v.Expr())
		}
	}
}

// say makes a remark about an instruction.
func (d *differ) say(in *ssa.Instr, format string, args ...any) {
	if d.remarks == nil {
		return
	}
	at := in.Pos
	if in.Stmt != nil {
		at = in.Stmt.Pos
	}
	d.remarks(ssa.Remark{Pass: Pass, Func: d.name, Pos: at, Text: fmt.Sprintf(format, args...)})
}

// inOrder are values in the order in which they were made.
func inOrder(set map[*ssa.Value]bool) []*ssa.Value {
	return slices.SortedFunc(maps.Keys(set), func(a, b *ssa.Value) int { return cmp.Compare(a.ID, b.ID) })
}

// whyKept is how a value is called that is kept, why it is not computed again, and the instruction whose place it has.
func whyKept(v *ssa.Value) (what, why string, in *ssa.Instr) {
	what = v.Name
	if what == "" {
		what = "a value"
	}
	in = v.Def
	switch {
	case in == nil:
		in, why = v.Block.Owner, "the next turn changes it"
	case in.Op == ssa.OpSnapshot:
		what, why = "a note of what a slice holds", "it may be overwritten"
		if name := in.Args[0].Name; name != "" {
			what = "a note of what " + name + " holds"
		}
	case in.Op == ssa.OpLoad:
		if v.Name == "" {
			what = "what is read"
		}
		why = "it may be overwritten"
	case in.Op == ssa.OpLoop && v.Index() == len(in.Results)-1:
		what, why = "the number of turns", "the gradient goes through as many, backward"
	case in.Op == ssa.OpLoop:
		why = "a loop has computed it"
	default:
		why = "it depends on a branch"
	}
	return what, why, in
}

// taking sets the statement above the code that takes what the turns of a loop have kept.
func (r *sweep) taking(loop *ssa.Instr) {
	if loop.Stmt == nil {
		return
	}
	r.stmt = &ssa.Stmt{Pos: loop.Stmt.Pos, Text: "what this turn has kept"}
}
