package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// memoryIn notes the variables that the code below n needs the address of: those are
// kept in memory, all others are values. An address is needed by &v, by a method that
// takes v's address, by slicing an array, and by assigning to a part of v.
func (b *Env) memoryIn(n ast.Node) {
	if b.inMemory == nil {
		b.inMemory, b.pointedTo = map[*types.Var]bool{}, map[*types.Var]bool{}
	}
	b.eachAddressed(n, func(v *types.Var, part bool) {
		b.inMemory[v] = true
		if !part {
			b.pointedTo[v] = true
		}
	})
}

// addresses reports whether the code below n needs the address of a variable.
func (b *Scope) addresses(n ast.Node, v *types.Var) bool {
	found := false
	b.eachAddressed(n, func(w *types.Var, _ bool) { found = found || w == v })
	return found
}

// eachAddressed calls f for each use that needs the address of a variable; part says that
// it is for the assignment of a part.
func (b *Scope) eachAddressed(n ast.Node, f func(v *types.Var, part bool)) {
	whole := func(e ast.Expr) {
		if v := b.root(e); v != nil {
			f(v, false)
		}
	}
	part := func(e ast.Expr) {
		if _, ok := ast.Unparen(e).(*ast.Ident); !ok && e != nil {
			if v := b.root(e); v != nil {
				f(v, true)
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				whole(n.X)
			}
		case *ast.SliceExpr:
			if isArray(b.goType(n.X)) {
				whole(n.X)
			}
		case *ast.SelectorExpr:
			if b.takesAddress(n) {
				whole(n.X)
			}
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				part(lhs)
			}
		case *ast.IncDecStmt:
			part(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				part(n.Key)
				part(n.Value)
			}
		}
		return true
	})
}

// takesAddress reports whether a method is selected that takes the address of what
// it is selected from.
func (b *Scope) takesAddress(e *ast.SelectorExpr) bool {
	sel := b.info.Selections[e]
	if sel == nil || sel.Kind() != types.MethodVal {
		return false
	}
	f, ok := sel.Obj().(*types.Func)
	if !ok || f.Signature().Recv() == nil || !isPointer(f.Signature().Recv().Type()) {
		return false
	}
	// Through an embedded pointer nothing of the variable's own is pointed to.
	t := b.subst(sel.Recv())
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		s, ok := t.Underlying().(*types.Struct)
		if !ok || i >= s.NumFields() {
			return false
		}
		t = s.Field(i).Type()
	}
	return !isPointer(t) && !isPointer(b.goType(e.X))
}

// root is the variable that e is or is a part of; nil where a pointer or a slice
// leads to it.
func (b *Scope) root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := b.info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		sel := b.info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal || isPointer(b.goType(e.X)) {
			return nil
		}
		t := b.goType(e.X)
		for _, i := range sel.Index()[:len(sel.Index())-1] {
			s, ok := t.Underlying().(*types.Struct)
			if !ok || i >= s.NumFields() {
				return nil
			}
			if t = s.Field(i).Type(); isPointer(t) {
				return nil
			}
		}
		return b.root(e.X)
	case *ast.IndexExpr:
		if isArray(b.goType(e.X)) {
			return b.root(e.X)
		}
	}
	return nil
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isSlice(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func isArray(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// define makes a variable: one in memory lives where it is declared.
func (b *Variables) define(v *types.Var, val *ssa.Value) {
	delete(b.locals, v)
	b.parallel.declare(v)
	if b.births == nil {
		b.births = map[*types.Var]int{}
	}
	b.births[v]++
	delete(b.vars, v)
	b.warnLarge(v, val.Type)
	if !b.inMemory[v] || b.m.isFrontType(b.subst(v.Type())) {
		b.set(v, val)
		return
	}
	val = b.coerceTo(v.Pos(), val, v.Type())
	if val = b.typed(val, b.subst(v.Type())); val == poison {
		b.vars[v] = poison
		return
	}
	b.local(v, v.Pos(), val)
}

// local puts a variable into memory, with a value.
func (b *Variables) local(v *types.Var, pos token.Pos, val *ssa.Value) {
	if b.locals == nil {
		b.locals = map[*types.Var]*ssa.Value{}
	}
	delete(b.vars, v)
	b.takeRoom(&ast.Ident{NamePos: v.Pos(), Name: v.Name()}, val.Type)
	addr := b.emit(pos, &ssa.Instr{Op: ssa.OpLocal, Args: []*ssa.Value{val}}, ssa.Pointer{Elem: val.Type}).Result()
	addr.Name = v.Name()
	b.locals[v] = addr
	if b.memory.owners == nil {
		b.memory.owners = map[*ssa.Value]*types.Var{}
	}
	b.memory.owners[addr] = v
}

// set gives a variable a new value. The value gets the variable's name if it has
// none: values keep the name of the variable that first held them.
func (b *Variables) set(v *types.Var, val *ssa.Value) {
	if addr, ok := b.locals[v]; ok {
		if val = b.coerce(v.Pos(), val, addr.Type.(ssa.Pointer).Elem); b.typed(val, b.subst(v.Type())) != poison {
			b.store(v.Pos(), addr, val)
		}
		return
	}
	if t := b.subst(v.Type()); val != theGrid && !b.m.hasValues(t) { // of an interface, say
		if b.m.diags.Len() == 0 && val != poison {
			b.declaredType(&ast.Ident{NamePos: v.Pos(), Name: v.Name()}, v, "variable")
		}
		b.vars[v] = poison
		return
	}
	val = b.typed(b.coerceTo(v.Pos(), val, v.Type()), b.subst(v.Type()))
	if old := b.vars[v]; old != nil && old != poison && !isFront(old) { // a list, where the variable is merged as a slice
		val = b.coerce(v.Pos(), val, old.Type)
	}
	if isFront(val) {
		b.setFront(v, val)
		return
	}
	if val.Name == "" && v.Name() != "_" && val != poison {
		val.Name = v.Name()
	}
	b.vars[v] = val
}

// value is what a variable holds, nil if it is none of the function's.
func (b *Env) value(v *types.Var) *ssa.Value {
	if addr, ok := b.locals[v]; ok {
		return b.op(v.Pos(), ssa.OpLoad, addr.Type.(ssa.Pointer).Elem, addr)
	}
	return b.settled(b.vars[v])
}

// isDeclared reports whether a variable is one of the function's that has been declared.
func (b *Env) isDeclared(v *types.Var) bool {
	if _, ok := b.locals[v]; ok {
		return true
	}
	_, ok := b.vars[v]
	return ok
}

// knownVars are the variables that are known.
func (b *Env) knownVars() map[*types.Var]bool {
	known := make(map[*types.Var]bool, len(b.vars)+len(b.locals))
	for v := range b.vars {
		known[v] = true
	}
	for v := range b.locals {
		known[v] = true
	}
	return known
}

// A ref is an expression of which nothing has been loaded: an address or a value.
type ref struct{ addr, val *ssa.Value }

// typ is the type of what is referred to.
func (r ref) typ() ssa.Type {
	if r.addr != nil {
		return r.addr.Type.(ssa.Pointer).Elem
	}
	return r.val.Type
}

// load is the value of what is referred to.
func (b *Places) load(pos token.Pos, r ref) *ssa.Value {
	if r.addr != nil {
		return b.op(pos, ssa.OpLoad, r.typ(), r.addr)
	}
	return b.settled(r.val)
}

// operands are what expressions refer to, evaluated no further.
type operands struct{ *builder }

// ref evaluates the operands of an expression.
func (b operands) ref(e ast.Expr) ref {
	if b.info.Types[e].Value == nil {
		if sel, p, indices := b.unpackedElem(e); sel != nil {
			return b.scalar(sel, p, indices)
		} else if sel, _ := b.unpackedField(e); sel != nil {
			b.refuseUnpacked(sel)
			return ref{val: poison}
		}
		if r, ok := b.packageVars.globalRef(e); ok {
			return r
		}
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			if v, ok := b.info.ObjectOf(e).(*types.Var); ok && b.locals[v] != nil {
				return ref{addr: b.locals[v]}
			} else if ok && aggregateOf(b.vars[v]) != nil {
				return ref{val: b.vars[v]} // without a look at all of its parts
			}
		case *ast.StarExpr:
			return b.deref(e.Pos(), b.expr(e.X))
		case *ast.SelectorExpr:
			if sel := b.info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal {
				return b.fields(e.Sel.Pos(), b.ref(e.X), b.goType(e.X), sel.Index())
			}
		case *ast.IndexExpr:
			if !isFunc(b.info.TypeOf(e.X)) {
				r, index := b.element(e)
				return b.elem(e.Pos(), r, index)
			}
		}
	}
	return ref{val: b.expr(e)}
}

// deref is what a pointer points to.
func (b *Places) deref(pos token.Pos, p *ssa.Value) ref {
	if p == poison {
		return ref{val: poison}
	}
	if _, ok := p.Type.(ssa.Pointer); !ok {
		return ref{val: b.noValue("what a " + p.Type.String() + " points to")}
	}
	b.checkNil(pos, p)
	return ref{addr: p}
}

// fields goes along a path of fields of a Go type, through the pointers on it.
func (b *Places) fields(pos token.Pos, r ref, typ types.Type, path []int) ref {
	for _, i := range path {
		u := structBehind(typ)
		if u != nil && i < u.NumFields() {
			typ = u.Field(i).Type()
		}
		if r = b.behind(pos, r); r.val == poison {
			return r
		}
		if isFront(r.val) {
			r = ref{val: b.frontField(pos, r.val, i)}
			continue
		}
		if u != nil {
			i = b.m.fieldAt(u, i)
		}
		r = b.fieldOf(pos, r, i)
	}
	return r
}

// behind is what a pointer points to, and what is none as it is.
func (b *Places) behind(pos token.Pos, r ref) ref {
	if _, ok := r.typ().(ssa.Pointer); ok {
		return b.deref(pos, b.load(pos, r))
	}
	return r
}

// fieldOf is field i of an SSA struct.
func (b *Places) fieldOf(pos token.Pos, r ref, i int) ref {
	s, ok := r.typ().(*ssa.Struct)
	if !ok || i >= len(s.Fields) {
		return ref{val: b.noValue("a field of " + r.typ().String())}
	}
	t := s.Fields[i].Type
	if r.addr == nil {
		return ref{val: b.field(pos, r.val, i, t)}
	}
	in := &ssa.Instr{Op: ssa.OpFieldAddr, Index: i, Args: []*ssa.Value{r.addr}}
	return ref{addr: b.emit(pos, in, ssa.Pointer{Elem: t}).Result()}
}

// element evaluates the operands of x[i]: a slice, as a value, or an array.
func (b operands) element(e *ast.IndexExpr) (x ref, index *ssa.Value) {
	x = b.ref(e.X)
	switch t := x.typ().(type) {
	case *frontValue:
		return b.frontElement(e, x.val)
	case ssa.Slice:
		x = ref{val: b.load(e.X.Pos(), x)}
	case ssa.Array:
	case ssa.Pointer:
		if _, ok := t.Elem.(ssa.Array); !ok {
			x = ref{val: b.noValue("an index into " + t.String())}
			break
		}
		x = b.deref(e.X.Pos(), b.load(e.X.Pos(), x))
	default:
		if x.val != poison {
			x = ref{val: b.noValue("an index into " + t.String())}
		}
		if t := b.goType(e.X); t != nil && isMap(t) { // whose keys are no integers
			return x, b.expr(e.Index)
		}
	}
	if x.val == poison && isMap(b.goType(e.X)) {
		b.expr(e.Index) // a key
		return x, poison
	}
	return x, b.index(e.Index)
}

// elem is x[index] of what element gives.
func (b *Places) elem(pos token.Pos, x ref, index *ssa.Value) ref {
	if x.val == poison || index == poison {
		return ref{val: poison}
	}
	switch t := x.typ().(type) {
	case *frontValue:
		return ref{val: b.frontElem(pos, x.val, index)}
	case ssa.Slice:
		b.checkIndex(pos, index, x.val)
	case ssa.Array:
		b.checkArrayIndex(pos, index, t.Len)
	}
	return b.elemAt(pos, x, index)
}

// elemAt is elem of an index that is in range.
func (b *Places) elemAt(pos token.Pos, x ref, index *ssa.Value) ref {
	switch t := x.typ().(type) {
	case ssa.Slice:
		return ref{addr: b.op(pos, ssa.OpIndexAddr, ssa.Pointer(t), x.val, index)}
	case ssa.Array:
		if x.addr != nil {
			return ref{addr: b.op(pos, ssa.OpElemAddr, ssa.Pointer{Elem: t.Elem}, x.addr, index)}
		}
		return ref{val: b.elemOf(pos, x.val, index, t)}
	}
	return ref{val: b.noValue("an index into " + x.typ().String())}
}

// index evaluates an index, of any integer type, as an int64.
func (b operands) index(e ast.Expr) *ssa.Value {
	if c := b.info.Types[e].Value; c != nil {
		return b.constantOf(e.Pos(), ssa.Int64, c)
	}
	v := b.expr(e)
	if v != poison && !ssa.IsInteger(v.Type) {
		return b.noValue("an index of type " + v.Type.String())
	}
	index := b.convert(e.Pos(), v, ssa.Int64)
	if b.checked() && v != poison && v.Type == ssa.Uint64 {
		if b.m.unsigned == nil {
			b.m.unsigned = make(map[*ssa.Value]bool)
		}
		b.m.unsigned[index] = true
	}
	return index
}

// address is &e: of a composite literal that of a new variable.
func (b operands) address(e *ast.UnaryExpr) *ssa.Value {
	if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
		return b.newOf(e, b.expr(lit))
	}
	return b.addrOf(e.X)
}

// addrOf is the address of an expression that has one.
func (b operands) addrOf(e ast.Expr) *ssa.Value {
	if b.packageVars.refuseGlobal(e, addressTaken) {
		return poison
	}
	switch r := b.ref(e); {
	case r.addr != nil:
		return r.addr
	case r.val == poison:
		return poison
	case !b.m.illTyped():
		b.m.refuse(e, "pass the value itself", "%s is known at compile time only, and has no address", types.ExprString(e))
		return poison
	}
	return b.noValue("the address of a value")
}

// newOf is the address of a new variable that an expression makes.
func (b *Variables) newOf(e ast.Expr, val *ssa.Value) *ssa.Value {
	if val == poison {
		return poison
	}
	b.warnLargeNew(e, val)
	return b.fresh(e.Pos(), val)
}

// fresh is the address of a new variable without a name.
func (b *Variables) fresh(pos token.Pos, val *ssa.Value) *ssa.Value {
	if val == poison {
		return poison
	}
	if isFront(val) {
		b.m.refuse(&ast.BadExpr{From: pos, To: pos + 1}, "pass the value itself", "the address of what is known at compile time only")
		return poison
	}
	b.takeRoom(firstToken{Stmt: &ast.BadStmt{From: pos, To: pos + 1}}, val.Type)
	return b.op(pos, ssa.OpLocal, ssa.Pointer{Elem: val.Type}, val)
}

// takeRoom notes that a function has another variable in memory.
func (b *Variables) takeRoom(n ast.Node, t ssa.Type) {
	before := b.f.room
	if b.f.room += t.Size(); before <= maxTypeSize && b.f.room > maxTypeSize {
		b.m.refuse(n, "pass large ones as slices", "the variables of %s take more than the %d bytes that a thread has for them", b.f.src.Obj.Name(), maxTypeSize)
	}
}
