package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// constArg is the type argument T of qd.Const[T], nil of any other type.
func constArg(t types.Type) types.Type {
	if !isConst(t) {
		return nil
	}
	args := types.Unalias(t).(*types.Named).TypeArgs()
	if args.Len() != 1 {
		return nil
	}
	return args.At(0)
}

// kernelConst declares a qd.Const parameter of a kernel, whose value the launch gives. It
// is no parameter of what is launched.
func (b parameters) kernelConst(typ ast.Expr, v *types.Var, index int) {
	t := b.subst(v.Type())
	arg := constArg(t)
	if why, hint, ok := b.m.constable(arg); !ok {
		b.m.refuse(typ, hint, "parameter %s has type %s: %s", v.Name(), b.m.typeString(t), why)
		b.f.bad = true
		b.vars[v] = poison
		return
	}
	c, ok := b.m.opts.Consts[index]
	var val *ssa.Value
	switch {
	case ok:
		if val = b.fromKnown(v.Pos(), arg, c); val == nil {
			b.m.refuse(typ, "give a value of its own type", "parameter %s cannot be %s of type %s", v.Name(), c, comptime.ShortType(c.Type))
			val = poison
		}
	case b.m.opts.Symbolic:
		val = b.symbolic(v.Pos(), arg)
	default:
		b.m.refuse(typ, "give its value, qd.C(...), where the kernel is launched", "the value of parameter %s, a %s, is not given", v.Name(), b.m.typeString(t))
		val = poison
	}
	if val == poison {
		b.vars[v] = poison
		return
	}
	b.define(v, aggregated(t, []*ssa.Value{val}))
}

// constable says why a type is none that qd.Const may hold.
func (m *Types) constable(t types.Type) (why, hint string, ok bool) {
	switch {
	case t == nil:
		return "it has no type argument", "write qd.Const[int]", false
	case isSlice(t), isMap(t):
		return "slices and maps are not compile-time arguments", "use an array, or pass a slice as an ordinary argument", false
	case isPointer(t):
		return "pointers are not compile-time arguments", "use the value", false
	}
	if s, ok := m.typeOf(t); ok && !isPlace(s) && !holdsPointers(s) || m.isFrontType(t) && !isConst(t) {
		return "", "", true
	}
	why, hint = m.unsupportedType(t)
	return why, hint, false
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// kernelReceiver declares the receiver of a kernel that is a method: it is captured, by
// value.
func (b *Variables) kernelReceiver(src *load.Function, v *types.Var) {
	t := b.subst(v.Type())
	if isPointer(t) {
		b.m.refuse(src.Decl.Recv, "give the method a receiver that is no pointer", "a method of a pointer cannot be a kernel")
		b.vars[v] = poison
		return
	}
	if s, ok := b.m.typeOf(t); ok && holdsPointers(s) || !ok && !b.m.isFrontType(t) {
		why, hint := "it holds slices or pointers", "pass them to the kernel as arguments"
		if !ok {
			why, hint = b.m.unsupportedType(t)
		}
		b.m.refuse(src.Decl.Recv, hint, "receiver %s has type %s, which a kernel cannot capture: %s", v.Name(), b.m.typeString(t), why)
		b.vars[v] = poison
		return
	}
	var val *ssa.Value
	switch c := b.m.opts.Receiver; {
	case c != nil:
		if val = b.fromKnown(v.Pos(), t, *c); val == nil {
			b.m.refuse(src.Decl.Recv, "launch a value of its own type", "receiver %s cannot be %s of type %s", v.Name(), c, comptime.ShortType(c.Type))
			val = poison
		}
	case b.m.opts.Symbolic:
		val = b.symbolic(v.Pos(), t)
	case isStruct(t) && t.Underlying().(*types.Struct).NumFields() == 0:
		val = b.zeroOf(v.Pos(), t)
	default:
		b.m.refuse(src.Decl.Recv, "launch a value of the type: qd.Launch(T{...}, ...)", "the receiver %s, which the kernel captures, is not given", v.Name())
		val = poison
	}
	if val == poison {
		b.vars[v] = poison
		return
	}
	b.define(v, val)
}

// captured is the value that a kernel literal has captured of a variable around it, nil if
// it is no literal's variable.
func (b *Variables) captured(e *ast.Ident, v *types.Var) *ssa.Value {
	if v.IsField() || isPackageVar(v) {
		return nil
	}
	c, ok := b.m.opts.Captured[v.Name()]
	switch {
	case ok:
		val := b.fromKnown(e.Pos(), b.subst(v.Type()), c)
		if val == nil {
			b.m.refuse(e, "capture a value of its own type", "%s, which the kernel captures, cannot be %s of type %s", v.Name(), c, comptime.ShortType(c.Type))
			return poison
		}
		return val
	case b.m.opts.Symbolic:
		return b.symbolic(e.Pos(), b.subst(v.Type()))
	}
	return nil
}
