package ssa

// Clone is a copy of a module that shares nothing with it but types, formats and the statements of
// the source: what is done to one of them for a target does not show in the other.
func (m *Module) Clone() *Module {
	c := *m
	c.Funcs = make([]*Func, len(m.Funcs))
	copies := make(map[*Func]*Func, len(m.Funcs))
	var recursive []*Instr
	for i, f := range m.Funcs { // callees before callers
		c.Funcs[i] = f.Clone(f.Name)
		copies[f] = c.Funcs[i]
		if f.Interior != nil {
			interior := *f.Interior
			interior.Inside = copies[interior.Inside]
			c.Funcs[i].Interior = &interior
		}
		if f.Wide != nil {
			wide := *f.Wide
			wide.By = copies[wide.By]
			c.Funcs[i].Wide = &wide
		}
		if f.Room != nil && f.Room.Count != nil {
			room := *f.Room
			room.Count = copies[room.Count]
			c.Funcs[i].Room = &room
		}
		c.Funcs[i].Body.Walk(func(in *Instr) {
			if in.Op == OpRecur {
				recursive = append(recursive, in)
			} else if in.Callee != nil {
				in.Callee = copies[in.Callee]
			}
		})
	}
	for _, in := range recursive { // the callee stands behind it
		in.Callee = copies[in.Callee]
	}
	for _, f := range c.Funcs { // a companion stands anywhere
		f.copyCompanions(copies)
	}
	return &c
}
