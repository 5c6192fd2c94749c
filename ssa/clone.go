package ssa

// Clone is a copy of a function under another name, which shares nothing with it but
// its callees and the statements of the source.
func (f *Func) Clone(name string) *Func {
	g := *f
	g.Name = name
	c := cloner{fn: &g, values: make([]*Value, f.nextID), loops: make(map[*Instr]*Instr)}
	g.Body = c.block(f.Body, nil)
	return &g
}

// CopyTo copies the instructions of a function's body to the end of a block of another function, with
// values of that function, where the arguments stand for the parameters.
func (f *Func) CopyTo(b *Block, args []*Value) {
	c := cloner{fn: b.Func, values: make([]*Value, f.nextID), loops: make(map[*Instr]*Instr), adopt: true}
	for i, p := range f.Params() {
		c.values[p.ID] = args[i]
	}
	for _, in := range f.Body.Instrs {
		b.Instrs = append(b.Instrs, c.instr(in, b))
	}
}

// Outline makes a function of the code of a block. Its parameters are those of the block, and what the block uses from
// outside: uses are these values, in the order of the parameters. Constants are made in the function again. The yield
// at the end of the block becomes a return.
func (b *Block) Outline(name string) (f *Func, uses []*Value) {
	f = NewFunc(name)
	c := cloner{fn: f, values: make([]*Value, b.Func.nextID), loops: make(map[*Instr]*Instr), adopt: true}
	within := make([]bool, b.Func.nextID)
	for _, p := range b.Params {
		within[p.ID] = true
	}
	b.Walk(func(in *Instr) {
		for _, r := range in.Results {
			within[r.ID] = true
		}
		for _, nested := range in.Blocks {
			for _, p := range nested.Params {
				within[p.ID] = true
			}
		}
	})
	b.Walk(func(in *Instr) {
		for _, a := range in.Args {
			if within[a.ID] || c.values[a.ID] != nil {
				continue
			}
			if _, ok := a.Const(); ok {
				f.Body.Instrs = append(f.Body.Instrs, c.instr(a.Def, f.Body))
				continue
			}
			uses = append(uses, a)
			c.values[a.ID] = f.Body.AddParam(a.Type, a.Name)
		}
	})
	for _, p := range b.Params {
		c.values[p.ID] = f.Body.AddParam(p.Type, p.Name)
	}
	for _, in := range b.Instrs {
		f.Body.Instrs = append(f.Body.Instrs, c.instr(in, f.Body))
	}
	if end := f.Body.Terminator(); end != nil && end.Op == OpYield {
		end.Op = OpReturn
	}
	return f, uses
}

type cloner struct {
	fn     *Func
	values []*Value // the copies, by ID
	loops  map[*Instr]*Instr
	adopt  bool // the copies are numbered by fn, and not as the originals are
}

func (c *cloner) block(b *Block, owner *Instr) *Block {
	nb := &Block{Func: c.fn, Owner: owner, Instrs: make([]*Instr, 0, len(b.Instrs))}
	for _, p := range b.Params {
		nb.Params = append(nb.Params, c.value(p, nb))
	}
	for _, in := range b.Instrs {
		nb.Instrs = append(nb.Instrs, c.instr(in, nb))
	}
	return nb
}

func (c *cloner) value(v *Value, b *Block) *Value {
	n := new(Value)
	c.fill(n, v)
	n.Block = b
	return n
}

// fill makes a value the copy of another one.
func (c *cloner) fill(n, v *Value) {
	n.ID, n.Type, n.Name = v.ID, v.Type, v.Name
	if c.adopt {
		c.fn.Adopt(n)
	}
	c.values[v.ID] = n
}

func (c *cloner) instr(in *Instr, b *Block) *Instr {
	n := in.copied()
	n.Block = b
	for i, a := range in.Args {
		n.Args[i] = c.values[a.Resolved().ID]
	}
	n.Changes = nil
	for _, v := range in.Changes {
		n.Changes = append(n.Changes, c.values[v.ID])
	}
	if in.Target != nil {
		n.Target = c.loops[in.Target]
	}
	if in.Op == OpLoop {
		c.loops[in] = n
	}
	for _, nested := range in.Blocks {
		n.Blocks = append(n.Blocks, c.block(nested, n))
	}
	for i, r := range in.Results {
		c.fill(n.Results[i], r)
		n.Results[i].Def = n
	}
	return n
}
