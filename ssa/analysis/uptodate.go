package analysis

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// UpToDate checks that the facts about a module's functions are those that are found anew: that whoever has changed one
// has said so. An error is a bug of a pass.
func (s *Summaries) UpToDate(m *ssa.Module) error {
	anew := new(Summaries)
	for _, f := range m.Funcs {
		if err := s.upToDate(f, anew); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func (s *Summaries) upToDate(f *ssa.Func, anew *Summaries) (err error) {
	if sum := s.funcs[f]; sum != nil && (sum.Effects != anew.Of(f).Effects || sum.Block != anew.Of(f).Block || sum.Returns != anew.Of(f).Returns) {
		return fmt.Errorf("the facts say effects %b of what has %b", sum.Effects, anew.Of(f).Effects)
	}
	users, memory, variables := s.users[f], s.memory[f], s.nonEscaping[f] // of those that are known
	var newUsers [][]*ssa.Instr
	if users != nil {
		newUsers = anew.Users(f)
	}
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Blocks != nil && s.funcs[f] != nil && s.Effects(in) != anew.Effects(in) {
			err = fmt.Errorf("the facts say effects %b of a %v that has %b", s.Effects(in), in.Op, anew.Effects(in))
		}
		for _, v := range in.Results {
			if users != nil && !slices.Equal(users[v.ID], newUsers[v.ID]) {
				err = fmt.Errorf("the facts say other users of %v", v)
			}
			if memory == nil && variables == nil || !ssa.HoldsAddress(v.Type) {
				continue
			}
			if memory != nil && memory.Use(v) != anew.Memory(f).Use(v) {
				err = fmt.Errorf("the facts say use %b of %v, which has %b", memory.Use(v), v, anew.Memory(f).Use(v))
			}
			if variables != nil && variables.Variable(v) != anew.NonEscaping(f).Variable(v) {
				err = fmt.Errorf("the facts say another variable of the address %v", v)
			}
		}
	})
	return err
}
