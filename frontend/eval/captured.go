package eval

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// KernelReceiver declares the receiver of a kernel that is a method: it is captured, by
// value.
func (b *Variables) KernelReceiver(src *load.Function, v *types.Var) {
	t := b.Subst(v.Type())
	if check.IsPointer(t) {
		b.Facts.Refuse(src.Decl.Recv, "declare the method with a receiver that is not a pointer", "a method of a pointer cannot be a kernel")
		b.Vars[v] = Poison
		return
	}
	if s, ok := b.Facts.TypeOf(t); ok && check.HoldsPointers(s) || !ok && !b.Facts.IsFrontType(t) {
		why, hint := "it holds slices or pointers", "pass them to the kernel as arguments"
		if !ok {
			why, hint = b.Facts.UnsupportedType(t)
		}
		b.Facts.Refuse(src.Decl.Recv, hint, "receiver %s has type %s, which a kernel cannot capture: %s", v.Name(), b.Facts.TypeString(t), why)
		b.Vars[v] = Poison
		return
	}
	var val *ssa.Value
	switch c := b.Facts.Opts.Receiver; {
	case c != nil:
		if val = b.FromKnown(v.Pos(), t, *c); val == nil {
			b.Facts.Refuse(src.Decl.Recv, "launch a value of its own type", "receiver %s cannot be %s of type %s", v.Name(), c, comptime.ShortType(c.Type))
			val = Poison
		}
	case b.Facts.Opts.Symbolic:
		val = b.Symbolic(v.Pos(), t)
	case check.IsStruct(t) && t.Underlying().(*types.Struct).NumFields() == 0:
		val = b.ZeroOf(v.Pos(), t)
	default:
		b.Facts.Refuse(src.Decl.Recv, "launch a value of the type: qd.Launch(T{...}, ...)", "the launch gives no value for receiver %s, which the kernel captures", v.Name())
		val = Poison
	}
	if val == Poison {
		b.Vars[v] = Poison
		return
	}
	b.Define(v, val)
}

// Captured is the value that a kernel literal has captured of a variable around it, nil if
// it is no literal's variable.
func (b *Variables) Captured(e *ast.Ident, v *types.Var) *ssa.Value {
	if v.IsField() || check.IsPackageVar(v) {
		return nil
	}
	c, ok := b.Facts.Opts.Captured[v.Name()]
	switch {
	case ok:
		val := b.FromKnown(e.Pos(), b.Subst(v.Type()), c)
		if val == nil {
			b.Facts.Refuse(e, "capture a value of its own type", "%s, which the kernel captures, cannot be %s of type %s", v.Name(), c, comptime.ShortType(c.Type))
			return Poison
		}
		return val
	case b.Facts.Opts.Symbolic:
		return b.Symbolic(e.Pos(), b.Subst(v.Type()))
	}
	return nil
}
