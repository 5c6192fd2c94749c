package lower

import (
	"go/ast"
	"go/types"
	"unsafe"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A package variable that is a slice, a pointer, or holds such, is a table, if nothing changes it after its package has
// been initialized, nor writes to what it leads to. So is one that the running program tells the value of, and whose
// package does not assign to it: the program watches it from then on, with all that it leads to. Where a kernel reads a
// table, it has a copy of what that leads to, which is constant.

// tables are the package variables of a kernel that lead to memory.
type tables struct {
	b       *builder
	front   *tableFront // where the copies go
	watched ast.Expr    // where one is read whose code is not known to leave it alone, or nil
}

// A tableFront holds the copies of tables, and of parts of package variables, for one function or one body of a parallel
// loop. Each copy is made once, in front of the code, so that any variable of the code may keep its address. Nothing
// writes to the copies.
type tableFront struct {
	code *ssa.Block // that they are in front of, once it has been lowered
	made []*ssa.Instr
	stmt *ssa.Stmt // whose code this is
	of   map[tablePart]madeTable
}

// A tablePart is a known value of which there is a copy: its parts, and what it is. Values without parts are copied each
// time: nothing identifies them.
type tablePart struct {
	parts *comptime.Value
	typ   types.Type
	place bool // its address is asked for
}

// A madeTable is a copy.
type madeTable struct {
	val    *ssa.Value
	copies []tableCopy // of it that are to be checked
}

// newTableFront is the front of a block of code that has yet to be lowered.
func newTableFront(code *ssa.Block, stmt *ssa.Stmt) *tableFront {
	return &tableFront{code: code, stmt: stmt, of: map[tablePart]madeTable{}}
}

// end puts the copies in front of the code.
func (f *tableFront) end() { f.code.SetInstrs(append(f.made, f.code.Instrs...)) }

// inFront calls build in front of the code, once for each value. It keeps no result that is nil or Poison.
func (ts tables) inFront(e ast.Expr, part tablePart, build func() *ssa.Value) *ssa.Value {
	b, front := ts.b, ts.front
	if made, ok := front.of[part]; ok && part.parts != nil {
		for _, c := range made.copies {
			c.e = e
			b.m.copies = append(b.m.copies, c)
		}
		return made.val
	}
	before := len(b.m.copies)
	cur, stmt := b.Cur, b.Stmt
	b.Cur, b.Stmt = &ssa.Block{Func: b.Func}, front.stmt
	val := build()
	for _, in := range b.Cur.Instrs {
		in.Block = front.code // where it will stand, and from where it is visible
	}
	front.made = append(front.made, b.Cur.Instrs...)
	b.Cur, b.Stmt = cur, stmt
	if val != nil && val != eval.Poison {
		front.of[part] = madeTable{val, b.m.copies[before:len(b.m.copies):len(b.m.copies)]}
	}
	return val
}

// place is the address of a copy of a known part of a package variable, nil if the part itself leads to memory, or if the
// running kernel cannot have it.
func (ts tables) place(e ast.Expr, t types.Type, known comptime.Value) *ssa.Value {
	if known.Kind == comptime.Slice || known.Kind == comptime.Pointer {
		return nil
	}
	if _, ok := ts.b.m.TypeOf(t); !ok {
		return nil
	}
	return ts.inFront(e, tablePart{partsOf(known), t, true}, func() *ssa.Value {
		val := ts.made(e, t, known)
		switch {
		case val == nil || eval.IsFront(val):
			return nil
		case val == eval.Poison:
			return val
		}
		return ts.named(ts.noteCopy(e, ts.newCopy(e, val)), e)
	})
}

// named gives a copy the name of its package variable, if it has none.
func (ts tables) named(val *ssa.Value, e ast.Expr) *ssa.Value {
	if v := ts.b.GlobalRoot(e); v != nil && val != nil && val != eval.Poison && val.Name == "" {
		val.Name = v.Name()
	}
	return val
}

// partsOf identifies a value by the parts that it has.
func partsOf(v comptime.Value) *comptime.Value { return unsafe.SliceData(v.Elems) }

// newCopy is the address of a copy, to which nothing is written.
func (ts tables) newCopy(e ast.Expr, val *ssa.Value) *ssa.Value {
	addr := ts.b.Fresh(e.Pos(), val)
	ts.b.Memory.Fix(addr)
	return addr
}

// A tableCopy is what a function has of a table that nobody is known to leave alone.
type tableCopy struct {
	e    ast.Expr
	of   *types.Var // whose address is taken, nil of one that holds slices or pointers
	fn   *ssa.Func
	addr *ssa.Value
}

// global is what is known of a variable, nil if it is no table, or if it is not known.
func (ts tables) global(v *types.Var) *global {
	m := ts.b.m
	if ts.b.InStatic > 0 || !check.IsTable(v.Type()) {
		return nil
	}
	g, ok := m.tables[v]
	if !ok {
		declared := m.Prog.Var(v)
		if declared != nil && declared.MayBeAssignedElsewhere() && m.Opts.Env != nil {
			g = m.watched(v) // what the program knows is better than what is taken for granted
		}
		if g == nil && declared != nil && declared.ChangedLater() == "" {
			if made := (&global{}); m.initialized(declared, made) == nil {
				g = made // what it lacks is asked for, and the kernel lowered anew
			}
		}
		if g == nil && declared != nil && declared.Assigned() == "" {
			g = m.watched(v)
		}
		if m.tables == nil {
			m.tables = map[*types.Var]*global{}
		}
		m.tables[v] = g
	}
	return g
}

// watched returns what the running program says about a variable that leads to memory, nil if it does not know the
// variable. If no program was asked, the answer is unknown.
func (m *Module) watched(v *types.Var) *global {
	if m.Opts.Env == nil && m.Opts.Symbolic {
		return &global{refused: "has a value that only a running program knows", watched: true}
	}
	if m.Opts.Env == nil {
		return nil
	}
	value, err := m.Opts.Env.Var(v.Pkg().Path(), v.Name())
	if err != nil {
		return nil
	}
	return &global{value: value, watched: true}
}

// value is a table, or a part of one, as a value of the running kernel. It is not ok for what has no address in it.
func (ts tables) value(e ast.Expr, t types.Type, known comptime.Value) (val *ssa.Value, ok bool) {
	if ts.b.InStatic > 0 || !leads(known) {
		return nil, false
	}
	if v := ts.b.GlobalRoot(e); v != nil && ts.b.m.tables[v] != nil && ts.b.m.tables[v].watched {
		ts.watched = e
	}
	val = ts.inFront(e, tablePart{partsOf(known), t, false}, func() *ssa.Value { return ts.named(ts.made(e, t, known), e) })
	if val == nil {
		why, hint := ts.b.m.UnsupportedType(t)
		ts.b.m.Refuse(e, hint, "package variable %s cannot be captured by a kernel: %s", types.ExprString(e), why)
		val = eval.Poison
	}
	return val, true
}

// leads reports whether a value leads to memory.
func leads(v comptime.Value) bool {
	if v.Kind == comptime.Slice || v.Kind == comptime.Pointer {
		return true
	}
	for _, part := range v.Elems {
		if part.Kind > comptime.String && leads(part) {
			return true
		}
	}
	return false
}

// made makes a copy of a part of a table, nil if the running kernel cannot have such.
func (ts tables) made(e ast.Expr, t types.Type, v comptime.Value) *ssa.Value {
	s, ok := ts.b.m.TypeOf(t)
	switch {
	case !ok:
		return nil
	case !leads(v):
		return ts.b.FromKnown(e.Pos(), t, v)
	case v.Kind == comptime.Slice && v.Bits == 0, v.Kind == comptime.Pointer && len(v.Elems) == 0:
		return ts.b.Zero(e.Pos(), s)
	case v.Kind == comptime.Pointer:
		to := ts.made(e, t.Underlying().(*types.Pointer).Elem(), v.Elems[0])
		if to == nil || to == eval.Poison {
			return to
		}
		return ts.noteCopy(e, ts.newCopy(e, to))
	case v.Kind == comptime.Slice:
		slice := s.(ssa.Slice)
		if !ts.b.FitsLocal(e, slice, len(v.Elems), types.ExprString(e)) {
			return eval.Poison
		}
		elem := t.Underlying().(*types.Slice).Elem()
		array := ts.composite(e, ssa.Array{Elem: slice.Elem, Len: len(v.Elems)}, v.Elems, func(int) types.Type { return elem })
		if array == nil || array == eval.Poison {
			return array
		}
		addr := ts.noteCopy(e, ts.newCopy(e, array))
		if v := ts.b.GlobalRoot(e); v != nil && addr != eval.Poison {
			addr.Name = v.Name() + "Array"
		}
		copied := ts.b.Op(e.Pos(), ssa.OpSliceOf, slice, addr)
		if v.Bits == 2 {
			ts.b.NoteCapacity(copied, eval.Poison) // what lies behind the elements is not copied
			if ts.b.m.shortened == nil {
				ts.b.m.shortened = map[ssa.Slice]bool{}
			}
			ts.b.m.shortened[slice] = true
		}
		return copied
	}
	parts := check.PartTypes(t)
	if len(parts) != len(v.Elems) || check.IsStruct(t) && len(ts.b.m.StoredTypes(t)) != len(parts) {
		return nil
	}
	return ts.composite(e, s, v.Elems, func(i int) types.Type { return parts[i] })
}

// composite is a struct or an array of parts.
func (ts tables) composite(e ast.Expr, s ssa.Type, parts []comptime.Value, typeOf func(int) types.Type) *ssa.Value {
	if len(parts) == 0 {
		return ts.b.Zero(e.Pos(), s)
	}
	args := make([]*ssa.Value, len(parts))
	for i, part := range parts {
		args[i] = ts.made(e, typeOf(i), part)
		if args[i] == nil || args[i] == eval.Poison {
			return args[i]
		}
	}
	return ts.b.Op(e.Pos(), ssa.OpMake, s, args...)
}

// noteCopy notes the address of a copy that is to be checked, and gives it back.
func (ts tables) noteCopy(e ast.Expr, addr *ssa.Value) *ssa.Value {
	if ts.watched != nil && addr != eval.Poison {
		ts.b.m.copies = append(ts.b.m.copies, tableCopy{e: e, fn: ts.b.Func, addr: addr})
	}
	return addr
}

// checkTables refuses two uses of a table whose package may change it: writing to it, and comparing its address. Each
// function has a copy of the table, so nobody would see the write, and the address would be another one each time.
func (m *Module) checkTables() {
	if m.Diags.Err() != nil {
		return
	}
	summaries := new(analysis.Summaries)
	refused := map[ast.Expr]bool{}
	for _, c := range m.copies {
		memory := summaries.Memory(c.fn)
		use := memory.Use(c.addr)
		why := ""
		switch {
		case use&analysis.Written != 0:
			why = "may be written to"
		case use&analysis.Compared != 0:
			why = "is compared by its address"
		case memory.Leaves(c.addr):
			why = "leaves the function by its address"
		}
		if why == "" || refused[c.e] {
			continue
		}
		refused[c.e] = true
		if c.of != nil {
			m.Refuse(c.e, addressAdvice(c.of, ""), addressTaken, c.of.Name())
		} else {
			m.Refuse(c.e, "copy what it holds to a variable of the kernel's own, as in own := *p, or pass it as an argument",
				"package variable %s %s in a kernel", types.ExprString(c.e), why)
		}
	}
}
