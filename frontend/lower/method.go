package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// methodValue is x.M or T.M as a value.
func (c caller) methodValue(e *ast.SelectorExpr, sel *types.Selection) *ssa.Value {
	if sel.Kind() == types.MethodExpr {
		return c.methodExpr(e, sel)
	}
	var x ref
	ok := false
	if c.b.TakesAddress(e) {
		if x, ok = c.b.packageVars.readOnly(e.X); !ok && c.b.packageVars.refuseGlobal(e.X, addressTaken) {
			return eval.Poison
		}
	}
	typ := c.b.GoType(e.X)
	if check.Invalid(typ) {
		return c.b.NoValue("a method of no type")
	}
	if !ok {
		x = c.b.operands.ref(e.X)
	}
	f := c.bindMethod(e, x, typ, sel.Obj())
	if f == nil {
		return eval.Poison
	}
	return f.Value()
}

// methodExpr is T.M: a function whose first parameter is the receiver, of type T.
func (c caller) methodExpr(e *ast.SelectorExpr, sel *types.Selection) *ssa.Value {
	recv := c.b.Subst(sel.Recv())
	obj, ok := sel.Obj().(*types.Func)
	switch {
	case !ok || check.Invalid(recv):
		return c.b.NoValue("a method that is no function")
	case check.OnThread(obj), check.OnBlock(obj):
		c.b.m.Refuse(e, "call the method, as t."+obj.Name(), "method expressions of %s are not supported", c.b.m.TypeString(recv))
		return eval.Poison
	}
	return (&eval.Func{Obj: obj, Of: recv}).Value()
}

// bindMethod is the method that a type has under a name, bound to a receiver of
// that type. In an instance of a generic function the type is known, and the method
// is the type argument's own.
func (c caller) bindMethod(e ast.Node, x ref, typ types.Type, method types.Object) *eval.Func {
	if x.val == eval.Poison {
		return nil
	}
	if types.IsInterface(typ) {
		return c.bindDynamic(e, c.b.load(e.Pos(), x), method)
	}
	found, path, _ := types.LookupFieldOrMethod(typ, true, method.Pkg(), method.Name())
	obj, ok := found.(*types.Func)
	if !ok || obj.Signature().Recv() == nil {
		if c.b.m.Opts.Symbolic {
			return nil // the type is a guess, which the function around a literal does not allow
		}
		c.b.NoValue("a call of method " + method.Name() + ", which " + typ.String() + " does not have")
		return nil
	}
	pos := e.Pos()
	if _, ok := c.b.m.LastUnpacked(typ, path[:len(path)-1]); ok {
		c.b.m.Refuse(e, "use the elements one by one, or remove the tag, so that the field is one array",
			"cannot call method %s of an embedded unpacked field, which is not stored as a vector", method.Name())
		return nil
	}
	if x = c.b.fields(pos, x, typ, path[:len(path)-1]); x.val == eval.Poison {
		return nil
	}
	recv := obj.Signature().Recv().Type()
	if types.IsInterface(recv) { // of an embedded interface
		return c.bindDynamic(e, c.b.load(pos, x), method)
	}
	f := &eval.Func{Obj: obj.Origin(), Targs: eval.TypeArgsOf(recv)}
	_, holdsPointer := x.typ().(ssa.Pointer)
	holdsPointer = holdsPointer || eval.IsA(x.val, comptime.Pointer)
	switch {
	case !check.IsPointer(recv) && holdsPointer:
		f.Recv = c.b.load(pos, c.b.whole(pos, c.b.deref(pos, c.b.load(pos, x))))
	case !check.IsPointer(recv) || holdsPointer:
		f.Recv = c.b.load(pos, x)
	case x.addr != nil:
		f.Recv = x.addr
	case x.cell != nil:
		f.Recv = x.cell.Pointer(recv)
	default:
		hint := ""
		if sel, ok := e.(*ast.SelectorExpr); ok {
			hint = c.b.PointerInstead(sel.X)
		}
		if hint == "" {
			hint = "declare the method with a receiver that is not a pointer"
		}
		c.b.m.Refuse(e, hint, "method %s takes the address of a value that is known at compile time only", method.Name())
		f.Recv = eval.Poison
	}
	if f.Recv == eval.Poison {
		return nil
	}
	if !check.IsPointer(recv) {
		f.Recv = c.b.CoerceTo(pos, f.Recv, recv)
	}
	return f
}

// bindDynamic is the method that the dynamic type of an interface value has under a name, bound to what the
// interface holds.
func (c caller) bindDynamic(e ast.Node, v *ssa.Value, method types.Object) *eval.Func {
	name := "the interface"
	if sel, ok := e.(*ast.SelectorExpr); ok {
		name = types.ExprString(sel.X)
	}
	d, val, ok := c.b.Unbox(e, name, v)
	switch {
	case !ok || val == eval.Poison:
		return nil
	case d.Type == nil:
		c.b.m.Refuse(c.b.UsersCall(e), "test it for nil first, or give it a value", "%s is nil here: in Go, the call of its method %s panics", name, method.Name())
		return nil
	case d.IsMade() && method.Name() == "Error":
		return &eval.Func{Obj: d.ErrorMethod(), Recv: c.b.texts.ofMade(e, d, val).Value()}
	case d.Sentinel == nil && d.IsMade():
		c.b.m.Refuse(c.b.UsersCall(e), "keep the error that it wraps in a variable", "method %s of an error that fmt.Errorf makes cannot be called in a kernel", method.Name())
		return nil
	case val == nil:
		recv, why := c.pointee(e, d, method)
		if recv != nil {
			return c.bindMethod(e, ref{val: recv}, d.Type, method)
		}
		c.b.m.Refuse(c.b.UsersCall(e), "compare it with the package variable", "method %s of %s, which package variable %s holds, cannot be called in a kernel%s", method.Name(), c.b.m.TypeString(d.Type), d.Sentinel.Name(), why)
		return nil
	}
	return c.bindMethod(e, ref{val: val}, d.Type, method)
}
