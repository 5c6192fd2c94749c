package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// methodValue is x.M or T.M as a value.
func (b caller) methodValue(e *ast.SelectorExpr, sel *types.Selection) *ssa.Value {
	if sel.Kind() == types.MethodExpr {
		return b.methodExpr(e, sel)
	}
	if b.takesAddress(e) && b.packageVars.refuseGlobal(e.X, addressTaken) {
		return poison
	}
	typ := b.goType(e.X)
	if invalid(typ) {
		return b.noValue("a method of no type")
	}
	f := b.bindMethod(e, b.operands.ref(e.X), typ, sel.Obj())
	if f == nil {
		return poison
	}
	return f.value()
}

// methodExpr is T.M: a function whose first parameter is the receiver, of type T.
func (b caller) methodExpr(e *ast.SelectorExpr, sel *types.Selection) *ssa.Value {
	recv := b.subst(sel.Recv())
	obj, ok := sel.Obj().(*types.Func)
	switch {
	case !ok || invalid(recv):
		return b.noValue("a method that is no function")
	case onThread(obj), onBlock(obj):
		b.m.refuse(e, "call the method, as t."+obj.Name(), "method expressions of %s are not supported", b.m.typeString(recv))
		return poison
	case types.IsInterface(recv):
		b.m.refuse(e, "use a concrete type", "interfaces are not supported")
		return poison
	}
	return (&funcValue{obj: obj, of: recv}).value()
}

// bindMethod is the method that a type has under a name, bound to a receiver of
// that type. In an instance of a generic function the type is known, and the method
// is the type argument's own.
func (b caller) bindMethod(e ast.Node, x ref, typ types.Type, method types.Object) *funcValue {
	if x.val == poison {
		return nil
	}
	if types.IsInterface(typ) {
		b.m.refuse(e, "use a concrete type", "interfaces are not supported")
		return nil
	}
	found, path, _ := types.LookupFieldOrMethod(typ, true, method.Pkg(), method.Name())
	obj, ok := found.(*types.Func)
	if !ok || obj.Signature().Recv() == nil {
		b.noValue("a call of method " + method.Name() + ", which " + typ.String() + " does not have")
		return nil
	}
	pos := e.Pos()
	if _, ok := b.m.lastUnpacked(typ, path[:len(path)-1]); ok {
		b.m.refuse(e, "use the elements one by one, or leave the tag out, and the field is one array",
			"method %s of an embedded unpacked field: there is no vector to call it on", method.Name())
		return nil
	}
	if x = b.fields(pos, x, typ, path[:len(path)-1]); x.val == poison {
		return nil
	}
	recv := obj.Signature().Recv().Type()
	f := &funcValue{obj: obj.Origin(), targs: typeArgsOf(recv)}
	_, holdsPointer := x.typ().(ssa.Pointer)
	switch {
	case !isPointer(recv) && holdsPointer:
		f.recv = b.load(pos, b.deref(pos, b.load(pos, x)))
	case !isPointer(recv) || holdsPointer:
		f.recv = b.load(pos, x)
	case x.addr != nil:
		f.recv = x.addr
	default:
		b.m.refuse(e, "give the method a receiver that is no pointer", "method %s takes the address of what is known at compile time only", method.Name())
		f.recv = poison
	}
	if f.recv == poison {
		return nil
	}
	if !isPointer(recv) {
		f.recv = b.coerceTo(pos, f.recv, recv)
	}
	return f
}

// typeArgsOf are the type arguments of a receiver's type.
func typeArgsOf(recv types.Type) (targs []types.Type) {
	if p, ok := types.Unalias(recv).(*types.Pointer); ok {
		recv = p.Elem()
	}
	if n, ok := types.Unalias(recv).(*types.Named); ok {
		for t := range n.TypeArgs().Types() {
			targs = append(targs, t)
		}
	}
	return targs
}
