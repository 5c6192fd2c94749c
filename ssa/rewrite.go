package ssa

import "slices"

// A pass that replaces values walks a function once, in the order of the text,
// and resolves each instruction's operands before it looks at it. A use always
// comes later in that order than the definition, so that one walk rewrites all
// uses without lists of them. What is forwarded has no uses after the walk; its
// definition may stay (one result of several) until dce takes it away, and a
// pass that gave it a use again would have to clear its forward.

// ForwardTo replaces a value in all uses that the walk has yet to come to. The
// name of the Go variable passes on to a value without one; a constant does not
// take it, since it stands for other uses of the same number too.
func (v *Value) ForwardTo(to *Value) {
	if v == to {
		panic("BUG: value " + v.String() + " forwarded to itself")
	}
	if to.Name == "" && (to.Def == nil || to.Def.Op != OpConst) {
		to.Name = v.Name
	}
	v.Forward = to
}

// Resolved is the value that replaces this one, or the value itself.
func (v *Value) Resolved() *Value {
	for v.Forward != nil {
		v = v.Forward
	}
	return v
}

// Resolve rewrites an instruction's operands to what replaces them, in a slice of
// their own: the old one may be another instruction's too, or a block's parameters.
func (in *Instr) Resolve() {
	for i, a := range in.Args {
		if a.Forward == nil {
			continue
		}
		args := slices.Clone(in.Args)
		for j := i; j < len(args); j++ {
			args[j] = args[j].Resolved()
		}
		in.Args = args
		return
	}
}

// Home is the block in which the value is defined.
func (v *Value) Home() *Block {
	if v.Def != nil {
		return v.Def.Block
	}
	return v.Block
}

// IsInside reports whether the value is made in one of an instruction's blocks.
func (v *Value) IsInside(in *Instr) bool {
	return slices.ContainsFunc(in.Blocks, v.Home().Inside)
}

// Index is the value's place among its instruction's results or its block's
// parameters.
func (v *Value) Index() int {
	if v.Def != nil {
		return slices.Index(v.Def.Results, v)
	}
	return slices.Index(v.Block.Params, v)
}

// InFront calls add for each instruction of a block. What add appends to the instruction's block comes in front of it. The
// blocks in an instruction come before it.
func (b *Block) InFront(add func(b *Block, in *Instr)) {
	old := b.Instrs
	b.Instrs = make([]*Instr, 0, len(old))
	for _, in := range old {
		for _, inner := range in.Blocks {
			inner.InFront(add)
		}
		add(b, in)
		b.Instrs = append(b.Instrs, in)
	}
}

// SetInstrs gives a block new instructions, which are copied.
func (b *Block) SetInstrs(ins []*Instr) {
	old := b.Instrs
	b.Instrs = append(b.Instrs[:0], ins...)
	if len(old) > len(ins) {
		clear(old[len(ins):])
	}
}
