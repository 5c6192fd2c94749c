package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/ssa"
)

func (b *Variables) Store(pos token.Pos, addr, val *ssa.Value) {
	if val == Poison || addr.Type.(ssa.Pointer).Elem != val.Type {
		b.Facts.MustHaveFailed("a store of a " + val.Type.String())
		return
	}
	b.Emit(pos, &ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{addr, val}})
}

// FitsLocal reports whether a slice of a new array of n elements, which an expression makes,
// takes no more than a variable may.
func (b *Variables) FitsLocal(e ast.Expr, t ssa.Slice, n int, what string) bool {
	if n > check.MaxTypeSize || n*t.Elem.Size() > check.MaxTypeSize {
		b.Facts.Refuse(e, "pass it as an argument", "%s is larger than %d bytes, the limit for a variable", what, check.MaxTypeSize)
		return false
	}
	return true
}

// NewSlice is all of a new array.
func (b *Variables) NewSlice(e ast.Expr, t ssa.Slice, array *ssa.Value) *ssa.Value {
	return b.Op(e.Pos(), ssa.OpSliceOf, t, b.NewOf(e, array))
}

// ToMemory puts variables that are values into memory, those that have a value.
func (b *Variables) ToMemory(vars []*types.Var) {
	for _, v := range vars {
		if val := b.Vars[v]; val != nil && val != Poison {
			b.local(v, v.Pos(), val)
		}
	}
}

// ToValues forgets the addresses of variables.
func (b *Variables) ToValues(vars []*types.Var) {
	for _, v := range vars {
		delete(b.Locals, v)
	}
}

// MemoryIn notes the variables that the code below n needs the address of: those are
// kept in memory, all others are values. An address is needed by &v, by a method that
// takes v's address, by slicing an array, and by assigning to a part of v.
func (b *Env) MemoryIn(n ast.Node) {
	if b.InMemory == nil {
		b.InMemory, b.pointedTo = map[*types.Var]bool{}, map[*types.Var]bool{}
	}
	b.EachAddressed(n, func(v *types.Var, part bool) {
		b.InMemory[v] = true
		if !part {
			b.pointedTo[v] = true
		}
	})
}

// KeepInMemory has a variable be kept in memory, as if its address were taken.
func (b *Env) KeepInMemory(v *types.Var) { b.InMemory[v], b.pointedTo[v] = true, true }

// Define makes a variable: one in memory lives where it is declared.
func (b *Variables) Define(v *types.Var, val *ssa.Value) {
	delete(b.Locals, v)
	b.Parallel.Declare(v)
	if b.Births == nil {
		b.Births = map[*types.Var]int{}
	}
	b.Births[v]++
	delete(b.Vars, v)
	delete(b.Vars, b.Capacities.vars[v])
	b.WarnLarge(v, val.Type)
	if !b.InMemory[v] || b.Facts.IsFrontType(b.Subst(v.Type())) {
		b.Set(v, val)
		return
	}
	val = b.CoerceTo(v.Pos(), val, v.Type())
	if val = b.Typed(val, b.Subst(v.Type())); val == Poison {
		b.Vars[v] = Poison
		return
	}
	b.local(v, v.Pos(), val)
}

// local puts a variable into memory, with a value.
func (b *Variables) local(v *types.Var, pos token.Pos, val *ssa.Value) {
	if ssa.IsTile(val.Type) {
		b.refuseAddress(pos)
		b.Vars[v] = Poison
		return
	}
	if b.Locals == nil {
		b.Locals = map[*types.Var]*ssa.Value{}
	}
	delete(b.Vars, v)
	addr := b.Lifted[v]
	if addr != nil && addr != Poison {
		b.Store(pos, addr, val)
	} else {
		b.takeRoom(&ast.Ident{NamePos: v.Pos(), Name: v.Name()}, val.Type)
		addr = b.Emit(pos, &ssa.Instr{Op: ssa.OpLocal, Args: []*ssa.Value{val}}, ssa.Pointer{Elem: val.Type}).Result()
		addr.Name = v.Name()
	}
	b.Locals[v] = addr
	if b.Memory.owners == nil {
		b.Memory.owners = map[*ssa.Value]*types.Var{}
	}
	b.Memory.owners[addr] = v
}

// Set gives a variable a new value. The value gets the variable's name if it has
// none: values keep the name of the variable that first held them.
func (b *Variables) Set(v *types.Var, val *ssa.Value) {
	if addr, ok := b.Locals[v]; ok {
		if val = b.Coerce(v.Pos(), val, addr.Type.(ssa.Pointer).Elem); b.Typed(val, b.Subst(v.Type())) != Poison {
			b.Store(v.Pos(), addr, val)
		}
		return
	}
	if b.InMemory[v] && b.Vars[v] == Poison {
		return // its first value was Poison: so it has no memory, and stays what it is
	}
	if b.Facts.Complained[b.Facts.Original(v)] && !b.Facts.HasValues(b.Subst(v.Type())) { // of an interface, say
		b.Vars[v] = Poison
		return
	}
	val = b.Typed(b.CoerceTo(v.Pos(), val, v.Type()), b.Subst(v.Type()))
	if old := b.Vars[v]; old != nil && old != Poison && !IsFront(old) { // a list, where the variable is merged as a slice
		val = b.Coerce(v.Pos(), val, old.Type)
	}
	if IsFront(val) {
		b.setFront(v, val)
		return
	}
	if val.Name == "" && v.Name() != "_" && val != Poison {
		val.Name = v.Name()
	}
	b.Vars[v] = val
	b.setCapacity(v, val)
}

// Value is the value of a variable, or nil if the variable does not belong to the function.
func (b *Env) Value(v *types.Var) *ssa.Value {
	if addr, ok := b.Locals[v]; ok {
		return b.Op(v.Pos(), ssa.OpLoad, addr.Type.(ssa.Pointer).Elem, addr)
	}
	val := b.Settled(b.Vars[v])
	b.readCapacity(v, val)
	return val
}

// IsDeclared reports whether a variable is one of the function's that has been declared.
func (b *Env) IsDeclared(v *types.Var) bool {
	if _, ok := b.Locals[v]; ok {
		return true
	}
	_, ok := b.Vars[v]
	return ok
}

// DeclaredVars are the variables that have been declared.
func (b *Env) DeclaredVars() map[*types.Var]bool {
	declared := make(map[*types.Var]bool, len(b.Vars)+len(b.Locals))
	for v := range b.Vars {
		declared[v] = true
	}
	for v := range b.Locals {
		declared[v] = true
	}
	return declared
}

// NewOf is the address of a new variable that an expression makes.
func (b *Variables) NewOf(e ast.Expr, val *ssa.Value) *ssa.Value {
	if val == Poison {
		return Poison
	}
	b.warnLargeNew(e, val)
	if addr := b.Lifted[e]; addr != nil && !IsFront(val) && addr.Type == ssa.Type(ssa.Pointer{Elem: val.Type}) {
		b.Store(e.Pos(), addr, val)
		return addr
	}
	if front, ok := b.LiftedTo[e]; ok && !IsFront(val) && !ssa.IsTile(val.Type) {
		addr := b.freshIn(front, e.Pos(), val.Type)
		b.Store(e.Pos(), addr, val)
		return addr
	}
	return b.Fresh(e.Pos(), val)
}

// A Front is a place in code that was lowered before: in front of an instruction of a block.
type Front struct {
	block *ssa.Block
	at    int
}

// Front is the place behind what has been lowered so far.
func (b *Code) Front() Front { return Front{b.Cur, len(b.Cur.Instrs)} }

// BeforeLast is the place in front of the last instruction of a block.
func BeforeLast(b *ssa.Block) Front { return Front{b, len(b.Instrs) - 1} }

// freshIn is Fresh of a zero value, at a place that was lowered before.
func (b *Variables) freshIn(front Front, pos token.Pos, t ssa.Type) (addr *ssa.Value) {
	b.InFront(front, func() { addr = b.Fresh(pos, b.Zero(pos, t)) })
	return addr
}

// InFront has what is lowered go to a place that was lowered before.
func (b *Variables) InFront(front Front, lower func()) {
	cur := b.Cur
	rest := slices.Clone(front.block.Instrs[front.at:])
	front.block.Instrs = front.block.Instrs[:front.at]
	b.Cur = front.block
	lower()
	front.block.Instrs = append(front.block.Instrs, rest...)
	b.Cur = cur
}

// Fresh is the address of a new variable without a name.
func (b *Variables) Fresh(pos token.Pos, val *ssa.Value) *ssa.Value {
	if val == Poison {
		return Poison
	}
	if IsFront(val) {
		b.Facts.Refuse(&ast.BadExpr{From: pos, To: pos + 1}, "pass the value itself", "this takes the address of a value that is known at compile time only")
		return Poison
	}
	if ssa.IsTile(val.Type) {
		b.refuseAddress(pos)
		return Poison
	}
	b.takeRoom(check.FirstToken{Stmt: &ast.BadStmt{From: pos, To: pos + 1}}, val.Type)
	return b.Op(pos, ssa.OpLocal, ssa.Pointer{Elem: val.Type}, val)
}

// refuseAddress refuses the address of a tile.
func (b *Variables) refuseAddress(pos token.Pos) {
	b.Facts.Refuse(&ast.BadExpr{From: pos, To: pos + 1}, "pass the tile itself, and return a new one", "a tile has no address")
}

// takeRoom notes that a function has another variable in memory.
func (b *Variables) takeRoom(n ast.Node, t ssa.Type) {
	before := b.Function.Room
	if b.Function.Room += t.Size(); before <= check.MaxTypeSize && b.Function.Room > check.MaxTypeSize {
		b.Facts.Refuse(n, "pass large variables as slices", "the variables of %s take more than %d bytes, the limit for a thread", b.Function.Src.Obj.Name(), check.MaxTypeSize)
	}
}

// TurnOver makes values of variables in memory, for the next iteration.
func (b *Variables) TurnOver(vars []*types.Var) {
	for _, v := range vars {
		b.Vars[v] = b.Value(v)
	}
	b.ToValues(vars)
}
