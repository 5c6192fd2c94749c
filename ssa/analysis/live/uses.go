package live

import "github.com/qdgen/qd/ssa"

// Uses counts how often the values of a function are read. Reads whose own result nobody uses do not count.
type Uses struct {
	Count []int                       // by value ID
	Exits map[*ssa.Instr][]*ssa.Instr // of a loop: its continues and breaks
	dead  []bool                      // by value ID: results of what nobody uses the results of, and may go
}

// IsDead reports whether nobody uses the results of an instruction without blocks, and it may be left out.
func (u *Uses) IsDead(in *ssa.Instr) bool { return len(in.Results) > 0 && u.dead[in.Results[0].ID] }

// FindUses counts them. mayGo reports whether an instruction without blocks may be left out if nobody uses its results.
func FindUses(f *ssa.Func, mayGo func(in *ssa.Instr) bool) *Uses {
	u := &Uses{Count: make([]int, f.NumValues()), dead: make([]bool, f.NumValues()), Exits: make(map[*ssa.Instr][]*ssa.Instr)}
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpContinue, ssa.OpBreak:
			u.Exits[in.Target] = append(u.Exits[in.Target], in)
		case ssa.OpLoop: // one that is left by its test gives its variables as its results
			u.add(in.Cond().Params)
		}
		u.add(in.Args)
	})
	u.removeUnused(f, mayGo)
	return u
}

func (u *Uses) add(vs []*ssa.Value) {
	for _, v := range vs {
		u.Count[v.ID]++
	}
}

// removeUnused takes away uses by what is itself unused: pure instructions, and
// arguments for block parameters and results that nobody reads. What is left of
// them is a cycle of a loop, which the passes before have removed.
func (u *Uses) removeUnused(f *ssa.Func, mayGo func(in *ssa.Instr) bool) {
	var work []*ssa.Value
	note := func(vs []*ssa.Value) {
		for _, v := range vs {
			if u.Count[v.ID] == 0 {
				work = append(work, v)
			}
		}
	}
	f.Body.Walk(func(in *ssa.Instr) {
		note(in.Results)
		for _, b := range in.Blocks {
			note(b.Params)
		}
	})
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range u.feeders(v, mayGo) {
			if u.Count[a.ID]--; u.Count[a.ID] == 0 {
				work = append(work, a)
			}
		}
	}
}

// feeders are the values that are only read for the sake of the unused value v.
func (u *Uses) feeders(v *ssa.Value, mayGo func(in *ssa.Instr) bool) (from []*ssa.Value) {
	k := v.Index()
	exits := func(loop *ssa.Instr, op ssa.Op) {
		for _, t := range u.Exits[loop] {
			if t.Op == op {
				from = append(from, t.Args[k])
			}
		}
	}
	yielded := func(b *ssa.Block) {
		if t := b.Terminator(); t.Op == ssa.OpYield {
			from = append(from, t.Args[k])
		}
	}
	if in := v.Def; in != nil {
		switch {
		case in.Op == ssa.OpIf:
			yielded(in.Then())
			yielded(in.Else())
		case in.Op == ssa.OpLoop:
			from = append(from, in.Cond().Params[k])
			exits(in, ssa.OpBreak)
		case !u.IsDead(in) && u.allUnused(in.Results) && mayGo(in):
			u.dead[in.Results[0].ID] = true
			from = in.Args
		}
		return from
	}
	switch loop := v.Block.Owner; {
	case loop == nil, loop.Op == ssa.OpFor: // a parameter of the function, or a lane
	case v.Block == loop.Post():
		exits(loop, ssa.OpContinue)
	default:
		from = append(from, loop.Args[k])
		yielded(loop.Post())
	}
	return from
}

func (u *Uses) allUnused(vs []*ssa.Value) bool {
	for _, v := range vs {
		if u.Count[v.ID] > 0 {
			return false
		}
	}
	return true
}
