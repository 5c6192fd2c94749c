package ssa

import (
	"reflect"
	"slices"
)

// Same reports whether two functions have the same code: the same instructions with the same operands, from the same
// places of the source, and parameters of the same types. Their names may differ, and the turns of unrolled loops that
// they are of.
func Same(f, g *Func) bool {
	if f.Kind != g.Kind || f.Rank != g.Rank || f.Kernel != g.Kernel || (f.Rows == nil) != (g.Rows == nil) || f.Rows != nil && f.Rows.Width.String() != g.Rows.Width.String() || !sameLine(&f.Decl, &g.Decl) || !slices.Equal(f.Results, g.Results) {
		return false
	}
	return (&matching{make(map[*Value]*Value), make(map[*Instr]*Instr)}).blocks(f.Body, g.Body)
}

// A matching pairs what two functions have at the same place.
type matching struct {
	values map[*Value]*Value
	instrs map[*Instr]*Instr
}

func (m *matching) blocks(a, b *Block) bool {
	return m.define(a.Params, b.Params) && slices.EqualFunc(a.Instrs, b.Instrs, m.instr)
}

func (m *matching) define(a, b []*Value) bool {
	return slices.EqualFunc(a, b, func(x, y *Value) bool {
		m.values[x] = y
		return x.Type == y.Type && x.Name == y.Name
	})
}

// instr compares two instructions: their operands and blocks by what they are paired with, all else as it is.
func (m *matching) instr(a, b *Instr) bool {
	m.instrs[a] = b
	if !slices.EqualFunc(a.Args, b.Args, func(x, y *Value) bool { return m.values[x] == y }) || m.instrs[a.Target] != b.Target || a.Callee != b.Callee || !sameLine(a.Stmt, b.Stmt) ||
		len(a.Changes)+len(b.Changes) > 0 {
		return false
	}
	x, y := *a, *b
	for _, in := range []*Instr{&x, &y} {
		in.Args, in.Results, in.Blocks, in.Block, in.Target, in.Callee, in.Stmt = nil, nil, nil, nil, nil, nil, nil
	}
	return reflect.DeepEqual(x, y) && m.define(a.Results, b.Results) && slices.EqualFunc(a.Blocks, b.Blocks, m.blocks)
}

// sameLine reports whether two statements are the same one, of any turn of unrolled loops.
func sameLine(a, b *Stmt) bool {
	return a == b || a != nil && b != nil && a.Pos == b.Pos && a.Text == b.Text
}
