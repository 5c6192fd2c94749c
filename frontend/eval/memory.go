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

// The contents of variables in memory are followed too, in simple cases: a struct whose fields are
// assigned one by one is known if all assigned values are. The contents are forgotten if a loop may
// change them, and for good if the address escapes. The contents of a place are a comptime.Value without
// type names. Parts that are not known are Invalid. These values are immutable; nil means that nothing
// is known.

// maxKnownParts limits the parts of a struct or an array whose contents are followed. maxLoaded limits
// the constants that replace the load of a whole one.
const (
	maxKnownParts = 1024
	maxLoaded     = 64
)

// A Memory has the known contents of local variables, by their addresses. Changes are logged, so that
// they can be undone where control flow splits.
type Memory struct {
	vals    map[*ssa.Value]*comptime.Value
	owners  map[*ssa.Value]*types.Var
	escaped map[*ssa.Value]bool
	fixed   map[*ssa.Value]*comptime.Value // the contents of variables that are never written to
	log     []change
	Touched []*ssa.Value // whatever has been changed, taken back or not
}

type change struct {
	addr *ssa.Value
	old  *comptime.Value
	made bool // the variable, by this
}

func (m *Memory) Set(addr *ssa.Value, c *comptime.Value) {
	if m.vals == nil {
		m.vals, m.escaped = map[*ssa.Value]*comptime.Value{}, map[*ssa.Value]bool{}
	}
	old := m.vals[addr]
	if old == c || m.escaped[addr] {
		return
	}
	m.log = append(m.log, change{addr, old, false})
	m.Touched = append(m.Touched, addr)
	m.put(addr, c)
}

// Fix says that nothing is ever written to a variable that has just been made: what it holds is known for good, also where
// its address escapes, and where what led to it is undone.
func (m *Memory) Fix(addr *ssa.Value) {
	if m.fixed == nil {
		m.fixed = map[*ssa.Value]*comptime.Value{}
	}
	m.fixed[addr] = m.vals[addr]
}

func (m *Memory) put(addr *ssa.Value, c *comptime.Value) {
	if c == nil {
		delete(m.vals, addr)
	} else {
		m.vals[addr] = c
	}
}

// Mark is the current position in the log, for Changed and Undo.
func (m *Memory) Mark() int { return len(m.log) }

// Changed returns the current contents that have changed since a mark.
func (m *Memory) Changed(mark int) map[*ssa.Value]*comptime.Value {
	if len(m.log) == mark {
		return nil
	}
	now := map[*ssa.Value]*comptime.Value{}
	for _, x := range m.log[mark:] {
		now[x.addr] = m.vals[x.addr]
	}
	return now
}

// Undo undoes all changes since a mark.
func (m *Memory) Undo(mark int) {
	for i := len(m.log) - 1; i >= mark; i-- {
		m.put(m.log[i].addr, m.log[i].old)
	}
	m.log = m.log[:mark]
}

// ForgetNew forgets the variables that have been made since a mark.
func (m *Memory) ForgetNew(mark int) {
	for _, x := range m.log[mark:] {
		if x.made {
			m.Set(x.addr, nil)
		}
	}
}

// Meet combines the contents after two paths from a mark. The Memory has been undone to that mark.
func (m *Memory) Meet(a, b map[*ssa.Value]*comptime.Value) {
	for addr, x := range a {
		y, ok := b[addr]
		if !ok {
			y = m.vals[addr]
		}
		m.Set(addr, meetContents(x, y))
	}
	for addr, y := range b {
		if _, ok := a[addr]; !ok {
			m.Set(addr, meetContents(m.vals[addr], y))
		}
	}
}

// Apply applies changes again.
func (m *Memory) Apply(changes map[*ssa.Value]*comptime.Value) {
	for addr, c := range changes {
		m.Set(addr, c)
	}
}

// meetContents is the part that two values of one type have in common.
func meetContents(a, b *comptime.Value) *comptime.Value {
	switch {
	case a == b:
		return a
	case a == nil || b == nil || a.Kind != b.Kind || a.Bits != b.Bits || len(a.Elems) != len(b.Elems):
		return nil
	case len(a.Elems) == 0:
		return a
	}
	out := &comptime.Value{Kind: a.Kind, Elems: make([]comptime.Value, len(a.Elems))}
	for i := range out.Elems {
		if part := meetContents(partOfContents(a, i), partOfContents(b, i)); part != nil {
			out.Elems[i] = *part
		}
	}
	return out
}

// partOfContents returns the known contents of a part.
func partOfContents(c *comptime.Value, i int) *comptime.Value {
	switch {
	case c == nil || c.Kind == comptime.Zero:
		return c
	case i < len(c.Elems) && c.Elems[i].Kind != comptime.Invalid:
		return &c.Elems[i]
	}
	return nil
}

// storedContents returns the known contents of a place of type t after a store to a part of it.
func storedContents(c *comptime.Value, t ssa.Type, path []int, part *comptime.Value) *comptime.Value {
	if len(path) == 0 {
		return part
	}
	i, n := path[0], partsOf(t)
	if i < 0 || i >= n || n > maxKnownParts {
		return nil
	}
	out := &comptime.Value{Kind: compositeKind(t), Elems: make([]comptime.Value, n)}
	for k := range out.Elems {
		p := partOfContents(c, k)
		if k == i {
			p = storedContents(p, partType(t, i), path[1:], part)
		}
		if p != nil {
			out.Elems[k] = *p
		}
	}
	return out
}

// partType is the type of part i of a struct or an array.
func partType(t ssa.Type, i int) ssa.Type {
	switch t := t.(type) {
	case *ssa.Struct:
		return t.Fields[i].Type
	case ssa.Array:
		return t.Elem
	}
	panic("BUG: a part of a " + t.String())
}

// placeOf is the variable that an address points into, with the path to the part. -1 in the path is an
// index that is not known.
func placeOf(addr *ssa.Value) (root *ssa.Value, path []int) {
	for addr.Def != nil {
		switch in := addr.Def; in.Op {
		case ssa.OpLocal:
			for i, k := 0, len(path)-1; i < k; i, k = i+1, k-1 {
				path[i], path[k] = path[k], path[i]
			}
			return addr, path
		case ssa.OpFieldAddr:
			path = append(path, int(in.Index))
		case ssa.OpElemAddr:
			index := -1
			if c, ok := in.Args[1].Const(); ok && c.Int() >= 0 && c.Int() < maxKnownParts {
				index = int(c.Int())
			}
			path = append(path, index)
		default:
			return nil, nil
		}
		addr = addr.Def.Args[0]
	}
	return nil, nil
}

// loaded is the result of a load, or nil if it is not known.
func (b *Code) loaded(pos token.Pos, addr *ssa.Value, t ssa.Type) *ssa.Value {
	root, path := placeOf(addr)
	if root == nil {
		return nil
	}
	c, ok := b.Memory.fixed[root]
	switch {
	case ok:
	case b.Memory.escaped[root]:
		return nil
	default:
		c = b.Memory.vals[root]
	}
	for _, i := range path {
		if i < 0 {
			return nil
		}
		c = partOfContents(c, i)
	}
	left := maxLoaded
	return b.append(pos, c, t, &left)
}

// remember records the effect of an instruction on variables in memory.
func (b *Code) remember(in *ssa.Instr) {
	args := in.Args
	switch in.Op {
	case ssa.OpLoad, ssa.OpFieldAddr, ssa.OpElemAddr:
		return
	case ssa.OpLocal:
		b.Memory.log = append(b.Memory.log, change{in.Results[0], nil, true})
		b.Memory.Set(in.Results[0], literalOf(args[0]))
	case ssa.OpStore:
		if root, path := placeOf(args[0]); root != nil {
			t := root.Type.(ssa.Pointer).Elem
			b.Memory.Set(root, storedContents(b.Memory.vals[root], t, path, literalOf(args[1])))
		}
		args = args[1:]
	}
	for _, arg := range args {
		if _, ok := arg.Type.(ssa.Pointer); ok {
			b.Escape(arg)
		}
	}
}

// Escape forgets for good the contents behind an address.
func (b *Code) Escape(addr *ssa.Value) {
	if root, _ := placeOf(addr); root != nil {
		b.Memory.Set(root, nil)
		if b.Memory.escaped == nil {
			b.Memory.escaped = map[*ssa.Value]bool{}
		}
		b.Memory.escaped[root] = true
	}
}

// EscapeTurns forgets for good the variables whose addresses one iteration of a loop leaves to the next
// one, in the loop's variables or in memory: when the next iteration is lowered, its stores through them
// are not seen.
func (b *Env) EscapeTurns(vals []*ssa.Value) {
	kept := slices.ContainsFunc(vals, func(v *ssa.Value) bool { return check.HoldsPointers(v.Type) })
	for _, addr := range b.Locals {
		kept = kept || check.HoldsPointers(addr.Type.(ssa.Pointer).Elem)
	}
	if !kept {
		return
	}
	for _, x := range slices.Clone(b.Memory.log) {
		if v := b.Memory.owners[x.addr]; x.made && (v == nil || b.pointedTo[v]) {
			b.Escape(x.addr)
		}
	}
}

// ForgetStored forgets the contents that a loop may change.
func (b *Env) ForgetStored(loop ast.Node) {
	if len(b.Memory.vals) == 0 {
		return
	}
	stored := map[*types.Var]bool{}
	note := func(e ast.Expr) {
		if e != nil {
			stored[b.Root(e)] = true
		}
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				note(lhs)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.RangeStmt:
			note(n.Key)
			note(n.Value)
		}
		return true
	})
	for addr := range b.Memory.vals {
		if v := b.Memory.owners[addr]; v == nil || b.Funcs || stored[v] || b.pointedTo[v] {
			b.Memory.Set(addr, nil)
		}
	}
}
