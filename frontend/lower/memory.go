package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A ref is an expression that has not been loaded: an address or a value. A value may be what a cell holds, or a field
// of one, which can be assigned.
type ref struct {
	addr, val *ssa.Value
	cell      *eval.Cell
	part      cellPart
}

// typ is the type of the ref's value.
func (r ref) typ() ssa.Type {
	if r.addr != nil {
		return r.addr.Type.(ssa.Pointer).Elem
	}
	return r.val.Type
}

// load is the ref's value.
func (b *Places) load(pos token.Pos, r ref) *ssa.Value {
	if r.addr != nil {
		return b.Op(pos, ssa.OpLoad, r.typ(), r.addr)
	}
	return b.Settled(r.val)
}

// operands are the refs of expressions.
type operands struct{ b *builder }

// ref evaluates the operands of an expression.
func (o operands) ref(e ast.Expr) ref {
	if o.b.Info.Types[e].Value == nil {
		if sel, p, indices := o.b.UnpackedElem(e); sel != nil {
			return o.scalar(sel, p, indices)
		} else if sel, _ := o.b.UnpackedField(e); sel != nil {
			o.b.RefuseUnpacked(sel)
			return ref{val: eval.Poison}
		}
		if r, ok := o.b.packageVars.globalRef(e); ok {
			return r
		}
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			if v, ok := o.b.Info.ObjectOf(e).(*types.Var); ok && o.b.Locals[v] != nil {
				return ref{addr: o.b.Locals[v]}
			} else if ok && eval.AggregateOf(o.b.Vars[v]) != nil {
				return ref{val: o.b.Vars[v]} // without a look at all of its parts
			}
		case *ast.StarExpr:
			if v, ok := o.readBits(e); ok {
				return ref{val: v}
			}
			if call, t := o.b.arrayBehind(e); call != nil {
				return ref{val: o.b.caller.sliceToArray(call, t)}
			}
			if v, ok := o.viewed(e); ok {
				return ref{val: o.loadView(v)}
			}
			return o.b.whole(e.Pos(), o.b.deref(e.Pos(), o.b.expr(e.X)))
		case *ast.SelectorExpr:
			if sel := o.b.Info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal {
				return o.b.fields(e.Sel.Pos(), o.ref(e.X), o.b.GoType(e.X), sel.Index())
			}
		case *ast.IndexExpr:
			if v, ok := o.viewed(e); ok {
				return ref{val: o.loadView(v)}
			}
			if !check.IsFunc(o.b.Info.TypeOf(e.X)) {
				r, index := o.element(e)
				if r.val != nil && index != eval.Poison && o.isAnyElement(r.val, index) {
					return ref{val: o.anyElement(e, r.val, index)}
				}
				return o.b.elem(e.Pos(), r, index)
			}
		}
	}
	return ref{val: o.b.expr(e)}
}

// deref is the ref that a pointer points to.
func (b *Places) deref(pos token.Pos, p *ssa.Value) ref {
	if p == eval.Poison {
		return ref{val: eval.Poison}
	}
	if eval.IsFront(p) {
		return b.derefFront(pos, p)
	}
	if _, ok := p.Type.(ssa.Pointer); !ok {
		return ref{val: b.NoValue("what a " + p.Type.String() + " points to")}
	}
	b.checkNil(pos, p)
	return ref{addr: p}
}

// fields follows a path of fields of a Go type, through the pointers on the path.
func (b *Places) fields(pos token.Pos, r ref, typ types.Type, path []int) ref {
	for _, i := range path {
		u := check.StructBehind(typ)
		if u != nil && i < u.NumFields() {
			typ = u.Field(i).Type()
		}
		if r = b.behind(pos, r); r.val == eval.Poison {
			return r
		}
		if r.cell != nil {
			r = b.cellField(pos, r.cell, i)
			continue
		}
		if eval.IsFront(r.val) {
			r = ref{val: b.FrontField(pos, r.val, i)}
			continue
		}
		if u != nil {
			i = b.Facts.FieldAt(u, i)
		}
		r = b.fieldOf(pos, r, i)
	}
	return b.whole(pos, r)
}

// behind dereferences a pointer, and returns any other ref unchanged.
func (b *Places) behind(pos token.Pos, r ref) ref {
	if r.cell == nil && eval.IsA(r.val, comptime.Pointer) {
		return b.derefFront(pos, r.val)
	}
	if r.cell != nil {
		return r
	}
	if _, ok := r.typ().(ssa.Pointer); ok {
		return b.deref(pos, b.load(pos, r))
	}
	return r
}

// fieldOf is field i of an SSA struct.
func (b *Places) fieldOf(pos token.Pos, r ref, i int) ref {
	s, ok := r.typ().(*ssa.Struct)
	if !ok || i >= len(s.Fields) {
		return ref{val: b.NoValue("a field of " + r.typ().String())}
	}
	t := s.Fields[i].Type
	if r.addr == nil {
		return ref{val: b.Field(pos, r.val, i, t)}
	}
	in := &ssa.Instr{Op: ssa.OpFieldAddr, Index: int32(i), Args: []*ssa.Value{r.addr}}
	return ref{addr: b.Emit(pos, in, ssa.Pointer{Elem: t}).Result()}
}

// element evaluates the operands of x[i]: a slice, as a value, or an array.
func (o operands) element(e *ast.IndexExpr) (x ref, index *ssa.Value) {
	x = o.ref(e.X)
	switch t := x.typ().(type) {
	case *eval.FrontValue:
		return o.frontElement(e, x.val)
	case ssa.Slice:
		x = ref{val: o.b.load(e.X.Pos(), x)}
	case ssa.Array:
	case ssa.Pointer:
		if _, ok := t.Elem.(ssa.Array); !ok {
			x = ref{val: o.b.NoValue("an index into " + t.String())}
			break
		}
		x = o.b.deref(e.X.Pos(), o.b.load(e.X.Pos(), x))
	default:
		if x.val != eval.Poison {
			x = ref{val: o.b.NoValue("an index into " + t.String())}
		}
		if t := o.b.GoType(e.X); t != nil && check.IsMap(t) { // whose keys are no integers
			return x, o.b.expr(e.Index)
		}
	}
	if x.val == eval.Poison && check.IsMap(o.b.GoType(e.X)) {
		o.b.expr(e.Index) // a key
		return x, eval.Poison
	}
	return x, o.index(e.Index)
}

// elem is x[index] of the result of element.
func (b *Places) elem(pos token.Pos, x ref, index *ssa.Value) ref {
	if x.val == eval.Poison || index == eval.Poison {
		return ref{val: eval.Poison}
	}
	switch t := x.typ().(type) {
	case *eval.FrontValue:
		return ref{val: b.FrontElem(pos, x.val, index)}
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
		return ref{addr: b.Op(pos, ssa.OpIndexAddr, ssa.Pointer(t), x.val, index)}
	case ssa.Array:
		if x.addr != nil {
			return ref{addr: b.Op(pos, ssa.OpElemAddr, ssa.Pointer{Elem: t.Elem}, x.addr, index)}
		}
		return ref{val: b.ElemOf(pos, x.val, index, t)}
	}
	return ref{val: b.NoValue("an index into " + x.typ().String())}
}

// index evaluates an index, of any integer type, as an int64.
func (o operands) index(e ast.Expr) *ssa.Value {
	if c := o.b.Info.Types[e].Value; c != nil {
		return o.b.ConstantOf(e.Pos(), ssa.Int64, c)
	}
	v := o.b.expr(e)
	if v != eval.Poison && !ssa.IsInteger(v.Type) {
		return o.b.NoValue("an index of type " + v.Type.String())
	}
	index := o.b.Convert(e.Pos(), v, ssa.Int64)
	if v != eval.Poison && v.Type == ssa.Uint64 {
		if o.b.m.Unsigned == nil {
			o.b.m.Unsigned = make(map[*ssa.Value]bool)
		}
		o.b.m.Unsigned[index] = true
	}
	return index
}

// address is &e. For a composite literal it is the address of a new variable.
func (o operands) address(e *ast.UnaryExpr) *ssa.Value {
	if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
		return o.b.newOf(e, o.b.GoType(e), o.b.expr(lit))
	}
	return o.addrOf(e.X)
}

// isPlace reports whether a type is qd.Thread or qd.Block.
func isPlace(t ssa.Type) bool { return t == ssa.Thread || t == ssa.BlockPlace }

// addrOf is the address of an expression that has one.
func (o operands) addrOf(e ast.Expr) *ssa.Value {
	if v, ok := o.viewed(e); ok {
		return o.addrOfView(e, v)
	}
	r, ok := o.b.packageVars.readOnly(e)
	if !ok {
		if o.b.packageVars.refuseGlobal(e, addressTaken) {
			return eval.Poison
		}
		r = o.ref(e)
	}
	switch {
	case r.addr != nil && isPlace(r.typ()):
		o.b.m.Refuse(e, "pass the value itself", "%s says where the thread is, and has no address in a kernel", types.ExprString(e))
		return eval.Poison
	case r.addr != nil:
		return r.addr
	case r.cell != nil:
		return r.cell.Pointer(types.NewPointer(o.b.GoType(e)))
	case r.val == eval.Poison:
		return eval.Poison
	case !o.b.m.IllTyped():
		because, hint := "", "pass the value itself"
		if _, ok := o.b.m.TypeOf(o.b.GoType(e)); !ok && !check.IsConst(o.b.GoType(e)) { // and not a field of such a type
			why, instead := o.b.m.UnsupportedType(o.b.GoType(e))
			if why != "" {
				because = " (" + why + ")"
			}
			if instead != "" {
				hint = instead
			}
		}
		if instead := o.b.PointerInstead(e); instead != "" {
			hint = instead
		}
		o.b.m.Refuse(e, hint, "%s is known at compile time only, and has no address%s", types.ExprString(e), because)
		return eval.Poison
	}
	return o.b.NoValue("the address of a value")
}
