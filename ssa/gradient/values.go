package gradient

import "github.com/qdgen/qd/ssa"

// copies are values that stand for others.
type copies interface {
	get(v *ssa.Value) *ssa.Value // nil for none
	put(v, copied *ssa.Value)
}

// few are copies of some values.
type few map[*ssa.Value]*ssa.Value

func (m few) get(v *ssa.Value) *ssa.Value { return m[v] }
func (m few) put(v, copied *ssa.Value)    { m[v] = copied }

// most are copies of most values of one function, by their IDs.
type most []struct{ of, copied *ssa.Value }

func newMost(f *ssa.Func) *most {
	m := make(most, f.NumValues())
	return &m
}

func (m *most) get(v *ssa.Value) *ssa.Value {
	if v.ID < len(*m) && (*m)[v.ID].of == v {
		return (*m)[v.ID].copied
	}
	return nil
}

func (m *most) put(v, copied *ssa.Value) {
	for v.ID >= len(*m) {
		*m = append(*m, struct{ of, copied *ssa.Value }{})
	}
	(*m)[v.ID].of, (*m)[v.ID].copied = v, copied
}

// A set is a set of values of one function: each is at its ID.
type set []*ssa.Value

func (s set) has(v *ssa.Value) bool { return v != nil && v.ID < len(s) && s[v.ID] == v }

// add adds a value, and reports whether it is new.
func (s *set) add(v *ssa.Value) bool {
	if s.has(v) {
		return false
	}
	for v.ID >= len(*s) {
		*s = append(*s, nil)
	}
	(*s)[v.ID] = v
	return true
}

// remove removes a value.
func (s set) remove(v *ssa.Value) {
	if s.has(v) {
		s[v.ID] = nil
	}
}

// copyInstr appends a copy of an instruction without blocks, of which values are replaced.
func copyInstr(in *ssa.Instr, b *ssa.Block, values copies) *ssa.Instr {
	n := b.AppendCopy(in)
	for i, a := range in.Args {
		if n.Args[i] = values.get(a); n.Args[i] == nil {
			panic("BUG: there is no " + a.String() + " for " + in.String())
		}
	}
	for k, r := range in.Results {
		values.put(r, n.Results[k])
	}
	return n
}

// copyWith appends a copy of an instruction without blocks, with other operands.
func copyWith(in *ssa.Instr, b *ssa.Block, args []*ssa.Value) *ssa.Instr {
	n := b.AppendCopy(in)
	copy(n.Args, args)
	return n
}
