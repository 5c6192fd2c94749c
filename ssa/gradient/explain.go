package gradient

import "github.com/qdgen/qd/ssa"

// keeping sets the statement that stands above the code which keeps a value: what, and why it is not computed again.
func (r *sweep) keeping(v *ssa.Value) {
	what, why := v.Name, ""
	if what == "" {
		what = "a value"
	}
	in := v.Def
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
	r.stmt, r.pos = &ssa.Stmt{Text: "keep " + what + " for the gradient: " + why}, in.Pos
	if in.Stmt != nil {
		r.stmt.Pos = in.Stmt.Pos
	}
}

// taking sets the statement above the code that takes what the turns of a loop have kept.
func (r *sweep) taking(loop *ssa.Instr) {
	if loop.Stmt == nil {
		return
	}
	r.stmt = &ssa.Stmt{Pos: loop.Stmt.Pos, Text: "what this turn has kept"}
}
