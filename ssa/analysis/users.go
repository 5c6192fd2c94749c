package analysis

import "github.com/qdgen/qd/ssa"

// Users are the instructions of a function that use a value, by its ID, in the order of the text: one that
// uses it twice stands there twice.
func (s *Summaries) Users(f *ssa.Func) [][]*ssa.Instr {
	if users := s.users[f]; users != nil {
		return users
	}
	if s.users == nil {
		s.users = make(map[*ssa.Func][][]*ssa.Instr)
	}
	s.users[f] = usersIn(f)
	return s.users[f]
}

// usersIn counts them first, for all lists to be parts of one.
func usersIn(f *ssa.Func) [][]*ssa.Instr {
	counts, total := make([]int32, f.NumValues()), 0
	f.Body.Walk(func(in *ssa.Instr) {
		total += len(in.Args)
		for _, a := range in.Args {
			counts[a.ID]++
		}
	})
	users, all := make([][]*ssa.Instr, len(counts)), make([]*ssa.Instr, total)
	for id, n := range counts {
		users[id], all = all[:0:n], all[n:]
	}
	f.Body.Walk(func(in *ssa.Instr) {
		for _, a := range in.Args {
			users[a.ID] = append(users[a.ID], in)
		}
	})
	return users
}
