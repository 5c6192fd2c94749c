package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A pointer to a struct with interfaces, strings or functions in it is known at compile time: it is the cell that it
// points to. Numbers in the cell are variables in memory, which can be assigned wherever the pointer is. What only the
// front end has, and pointers, are values: no If and no Loop merges them, so that they can be assigned only where the
// cell is made, in the same block of the same function.

// A Cell is a variable without a name that holds such a struct.
type Cell struct {
	typ   types.Type
	parts []cellPart
	block *ssa.Block // where it is made
	body  any        // the function body, or the call of one that is lowered into its caller
	lives bool       // on behind that body
	exits int        // how many places had been lowered before where control leaves a body: see LeftBy
}

// A cellPart is a field: one of the three.
type cellPart struct {
	addr  *ssa.Value // of a variable of the running kernel
	inner *Cell      // a struct that is a cell itself
	val   *ssa.Value
}

// Pointer is the address of a cell as a value, the nil pointer of no cell.
func (c *Cell) Pointer(t types.Type) *ssa.Value {
	return (&FrontValue{Kind: comptime.Pointer, Typ: t, cell: c, isNil: c == nil}).Value()
}

// CellOf is the cell that a pointer points to.
func CellOf(v *ssa.Value) *Cell {
	if f := FrontOf(v); f != nil {
		return f.cell
	}
	return nil
}

// NewCell makes a cell with the parts of a struct. Where a body is lowered into its caller, whose cell it is, the
// variables in it are there already.
func (b *Variables) NewCell(e ast.Expr, body any, val *ssa.Value) *Cell {
	var lifted *Cell
	if addr := b.Lifted[e]; addr != nil {
		lifted = CellOf(addr)
	}
	return b.newCell(e, body, AggregateOf(val), lifted)
}

func (b *Variables) newCell(e ast.Expr, body any, a *FrontValue, lifted *Cell) *Cell {
	u := a.Typ.Underlying().(*types.Struct)
	c := &Cell{typ: a.Typ, block: b.Cur, body: body, lives: lifted != nil, exits: b.Exits}
	for i, val := range b.partsOf(a) {
		var there cellPart
		if lifted != nil {
			there = lifted.parts[i]
		}
		t := b.Subst(u.Field(i).Type())
		s, ok := b.Facts.TypeOf(t)
		val = b.here(e.Pos(), val)
		p := cellPart{}
		switch inner := AggregateOf(val); {
		case inner != nil && check.IsStruct(t):
			p.inner = b.newCell(e, body, inner, there.inner)
		case !ok || check.HoldsPointers(s) || IsFront(val) || val == Poison:
			p.val = b.Settled(val)
		case there.addr != nil:
			b.Store(e.Pos(), there.addr, val)
			p.addr = there.addr
		default:
			p.addr = b.Fresh(e.Pos(), val)
			b.Escape(p.addr)
		}
		c.parts = append(c.parts, p)
	}
	return c
}

// CellField is a field of a cell: a variable in memory, or a value.
func (b *Elements) CellField(pos token.Pos, c *Cell, i int) (addr, val *ssa.Value, inner *Cell) {
	if i >= len(c.parts) {
		return nil, b.NoValue("a field of a " + c.typ.String()), nil
	}
	p := c.parts[i]
	switch {
	case p.inner != nil:
		return nil, nil, p.inner
	case p.addr != nil:
		if addr = b.here(pos, p.addr); !IsFront(addr) {
			return addr, nil, nil
		}
		return nil, addr, nil
	}
	return nil, b.here(pos, p.val), nil
}

// Contents is what a cell holds now.
func (b *Elements) Contents(pos token.Pos, c *Cell) *ssa.Value {
	parts := make([]*ssa.Value, len(c.parts))
	for i := range parts {
		addr, val, inner := b.CellField(pos, c, i)
		switch {
		case inner != nil:
			val = b.Contents(pos, inner)
		case addr != nil:
			val = b.Op(pos, ssa.OpLoad, addr.Type.(ssa.Pointer).Elem, addr)
		}
		if parts[i] = val; val == Poison {
			return Poison
		}
	}
	return Aggregated(c.typ, parts)
}

// LeftBy reports whether an exit of the body, by its number, is one between the place where a cell is made and here,
// and the cell lives on behind that: it has there what it had at the exit, so that it cannot be assigned here.
func (c *Cell) LeftBy(exit int) bool { return c.lives && c.exits < exit }

// SetCell assigns to a field that is no variable in memory. It is not ok elsewhere than where the cell is made.
func (b *Elements) SetCell(pos token.Pos, c *Cell, i int, body any, val *ssa.Value) (ok bool) {
	switch {
	case b.Dead || i >= len(c.parts):
		return true
	case b.Cur != c.block || body != c.body:
		return false
	}
	if p := &c.parts[i]; p.inner == nil {
		p.val = b.Settled(val)
		return true
	}
	return b.SetWholeCell(pos, c.parts[i].inner, body, val)
}

// SetWholeCell is SetCell of all fields.
func (b *Elements) SetWholeCell(pos token.Pos, c *Cell, body any, val *ssa.Value) (ok bool) {
	a := AggregateOf(val)
	if a == nil || a.N != len(c.parts) {
		return false
	}
	for i, part := range slices.Clone(b.partsOf(a)) {
		part = b.here(pos, part)
		addr := c.parts[i].addr
		switch {
		case addr == nil:
			if !b.SetCell(pos, c, i, body, part) {
				return false
			}
		case b.here(pos, addr) == addr && !IsFront(part):
			b.Emit(pos, &ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{addr, part}})
		default:
			return false
		}
	}
	return true
}

// Type is the type of a field.
func (c *Cell) Type(i int) types.Type { return c.typ.Underlying().(*types.Struct).Field(i).Type() }

// each calls f for every value in the cell that is not in memory, and takes note of the cells of which it does so.
func (c *Cell) each(seen map[*Cell]bool, f func(*ssa.Value)) {
	seen[c] = true
	for _, p := range c.parts {
		if p.inner != nil {
			p.inner.each(seen, f)
		} else if p.val != nil {
			f(p.val)
		}
	}
}
