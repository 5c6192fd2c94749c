package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Lanes may need different elements of an array that is a value. If an index is known only at run time, its element is read from
// memory: where the array is made, it becomes the first value of a variable.

// An element is a part of a value, at an index that is not known.
type element struct {
	in    *ssa.Instr // the OpElem
	whole *ssa.Value
	path  []ssa.Instr // from the part to the value
}

// intoMemory reads such elements from memory, if lanes differ in them. Without an analyser they differ in all.
func intoMemory(f *ssa.Func, analyse analyser) (changed bool) {
	var found []element
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpElem && !ssa.IsConst(in.Args[1]) {
			found = append(found, elementOf(in))
		}
	})
	if found == nil {
		return false
	}
	var facts *analysis.Lanes
	if analyse != nil {
		facts = analyse(f)
	}
	m := &spiller{wanted: make(map[*ssa.Instr]element), made: make(map[*ssa.Value]*ssa.Value)}
	for _, e := range found {
		if facts != nil && facts.IsUniform(e.in.Result()) || ssa.HoldsAddress(e.whole.Type) || e.whole.Type.Size() > maxLocals {
			continue
		}
		m.wanted[e.in] = e
		if e.in.Block.Inside(e.whole.Home()) {
			m.made[e.whole] = nil
		}
	}
	if len(m.wanted) > 0 {
		m.block(f.Body)
	}
	return len(m.wanted) > 0
}

// elementOf is the value that an element is a part of, and the way to it.
func elementOf(in *ssa.Instr) element {
	e := element{in: in, whole: in.Args[0], path: []ssa.Instr{*in}}
	for d := e.whole.Def; d != nil && (d.Op == ssa.OpField || d.Op == ssa.OpElem); d = e.whole.Def {
		e.path, e.whole = append(e.path, *d), d.Args[0]
	}
	return e
}

// A spiller makes variables in memory of values.
type spiller struct {
	wanted map[*ssa.Instr]element
	made   map[*ssa.Value]*ssa.Value // the address of the variable of a value, nil until it is made
}

func (m *spiller) block(b *ssa.Block) {
	old := b.Instrs
	b.Instrs = make([]*ssa.Instr, 0, len(old))
	m.make(b, nil, b.Params)
	for _, in := range old {
		for _, inner := range in.Blocks {
			m.block(inner)
		}
		if e, ok := m.wanted[in]; ok {
			at := m.made[e.whole]
			if at == nil { // the value is made in a block that is not around this one
				at = m.variable(b, in, e.whole)
			}
			for _, p := range slices.Backward(e.path) {
				out := &ssa.Instr{Op: ssa.OpElemAddr, Args: []*ssa.Value{at}, Pos: in.Pos, Stmt: in.Stmt}
				if p.Op == ssa.OpField {
					out.Op, out.Index = ssa.OpFieldAddr, p.Index
				} else {
					out.Args = append(out.Args, p.Args[1])
				}
				at = b.Append(out, ssa.Pointer{Elem: p.Results[0].Type}).Result()
			}
			in.Op, in.Args = ssa.OpLoad, []*ssa.Value{at}
		}
		b.Instrs = append(b.Instrs, in)
		m.make(b, in, in.Results)
	}
}

// make makes the variables of values behind the instruction that gives them, which is nil for parameters.
func (m *spiller) make(b *ssa.Block, by *ssa.Instr, values []*ssa.Value) {
	for _, v := range values {
		if _, ok := m.made[v]; ok {
			m.made[v] = m.variable(b, by, v)
		}
	}
}

// variable is a variable with a value.
func (m *spiller) variable(b *ssa.Block, by *ssa.Instr, v *ssa.Value) *ssa.Value {
	local := b.AppendOp(ssa.OpLocal, ssa.Pointer{Elem: v.Type}, v)
	local.Results[0].Name = v.Name
	if by != nil {
		local.Pos, local.Stmt = by.Pos, by.Stmt
	}
	return local.Result()
}
