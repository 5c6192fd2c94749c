package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A Func is a function that is known at compile time: functions are values
// in the front end only.
type Func struct {
	Obj   *types.Func  // a declared function or method, in its generic form, or nil
	Targs []types.Type // of obj, or of its receiver's type
	Recv  *ssa.Value   // of a method value: the receiver, as the method takes it
	Of    types.Type   // of a method expression: the type that it names

	Outer *types.TypeParamList // of a function that is a literal: those of the function around it

	Lit   *ast.FuncLit // a function literal, or nil
	Scope check.Scope  // what the literal's names mean

	Captures []capture // of the literal

	Unknown bool   // one of several functions; without any of these it is nil
	Ended   string // why nothing can be made of an unknown one that is the only one possible
	OneOf   string // of an unknown one: the array that it is a part of, where the index is not known
}

// Value makes the function a value.
func (f *Func) Value() *ssa.Value { return (&FrontValue{Kind: comptime.Func, fn: f}).Value() }

// FuncOf is the function that a value is, nil if it is none.
func FuncOf(v *ssa.Value) *Func {
	if f := FrontOf(v); f != nil {
		return f.fn
	}
	return nil
}

// same reports whether two values are one function for sure.
func (f *Func) same(g *Func) bool {
	return !f.Unknown && !g.Unknown && f.Obj == g.Obj && SameTypes(f.Targs, g.Targs) && f.Recv == g.Recv && sameType(f.Of, g.Of) &&
		f.Lit == g.Lit && f.Scope.Copy == g.Scope.Copy && SameCaptures(f.Captures, g.Captures)
}

// SameCaptures reports whether two values of one literal have captured the same: two
// calls of the function around it make two literals.
func SameCaptures(a, b []capture) bool {
	for i := range a {
		if i >= len(b) || a[i].birth != b[i].birth || a[i].val != b[i].val && !SameKnown(a[i].val, b[i].val) {
			return false
		}
	}
	return len(a) == len(b)
}

// SameFuncs reports whether what is known of two lists of arguments is the same.
func (b *Values) SameFuncs(x, y []*ssa.Value) bool {
	for i := range x {
		front := IsFront(x[i])
		if front != IsFront(y[i]) || IsKnown(x[i]) != IsKnown(y[i]) || (front || IsKnown(x[i])) && !b.sameValue(x[i], y[i]) {
			return false
		}
	}
	return true
}

// ForgetFuncs makes the front-end values of the variables that a loop assigns to
// unknown, but for interfaces, which the loop carries, and gives these: what they hold differs between iterations.
func (b *Values) ForgetFuncs(vars []*types.Var) (unknown []*types.Var) {
	for _, v := range b.Expand(vars) {
		if val := b.Vars[v]; IsFront(val) && InterfaceOf(val) == nil {
			b.Vars[v] = forgotten(val, "")
			unknown = append(unknown, v)
		}
	}
	return unknown
}

// FuncAfter is the function that a variable holds in a block after one inside of it has
// ended, where it got that value. What the function uses of the inner block is gone:
// outside are the variables that there were before.
func (b *Values) FuncAfter(outer *ssa.Block, outside map[*types.Var]bool, v *ssa.Value) *ssa.Value {
	f := FuncOf(v)
	if f == nil || f.Unknown {
		return v // what else has parts of the running kernel looks at them when they are used
	}
	ended := ""
	if f.Recv != nil && !VisibleIn(outer, f.Recv) {
		ended = "the receiver that it is bound to"
	}
	if f.Lit != nil {
		for _, c := range f.Captures {
			if !outside[c.v] && (c.val == nil || !IsFront(c.val) && !IsKnown(c.val) && !VisibleIn(outer, c.val)) {
				ended = c.v.Name()
			}
		}
	}
	if ended == "" {
		return v
	}
	return (&Func{Unknown: true, Ended: ended}).Value()
}

// VisibleIn reports whether a value can be used at the end of a block. In one that nobody
// owns, which is lowered for its errors only, all can.
func VisibleIn(block *ssa.Block, v *ssa.Value) bool {
	of := v.Block
	if v.Def != nil {
		of = v.Def.Block
	}
	for block != of && block.Owner != nil {
		o := block.Owner
		if v.Def == nil && o.Op == ssa.OpLoop && of == o.Cond() && block == o.Do() {
			return true // a loop's variable; while its condition is lowered, a loop has no body yet
		}
		block = o.Block
	}
	return block == of || block != block.Func.Body
}

// freeVars are the variables of the functions around a literal that it names, in the
// order in which it does.
func freeVars(f *Func) (vars []*types.Var) {
	ast.Inspect(f.Lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := f.Scope.Info.Uses[id].(*types.Var)
			if ok && !v.IsField() && !check.IsPackageVar(v) && (v.Pos() <= f.Lit.Pos() || v.Pos() >= f.Lit.End()) {
				vars = append(vars, v)
			}
		}
		return true
	})
	return vars
}

// FuncName is how messages call what is called.
func FuncName(fun ast.Expr) string {
	if _, ok := ast.Unparen(fun).(*ast.FuncLit); ok {
		return "the function literal"
	}
	return types.ExprString(fun)
}

// RefuseUnknown reports the use of one of several functions.
func (b *Unknowns) RefuseUnknown(e ast.Expr, f *Func) {
	if f.Ended != "" {
		b.RefuseEnded(e, FuncName(e), f.Ended)
		return
	}
	if f.OneOf != "" {
		b.refuseIndex(e, FuncName(e), f.OneOf)
		return
	}
	b.Facts.Refuse(e, "choose between calls, not between functions: if c { y = f(x) } else { y = g(x) }",
		"the function in %s is not known at compile time", FuncName(e))
}

// DeclaredFunc is a declared function as a value, with the type arguments that an
// identifier of it has.
func (b *Values) DeclaredFunc(id *ast.Ident, obj *types.Func) *ssa.Value {
	f := &Func{Obj: obj.Origin()}
	if f.ofOuter(b.Facts, b.Subst) {
		return f.Value()
	}
	if list := b.Info.Instances[id].TypeArgs; list != nil {
		for t := range list.Types() {
			f.Targs = append(f.Targs, b.Subst(t))
		}
	}
	if obj.Signature().TypeParams().Len() != len(f.Targs) {
		if !b.Facts.IllTyped() { // the type checker says why where the method of a type argument is declared
			b.Facts.Refuse(id, "write them explicitly, and check the methods of the types", "the type arguments of %s cannot be determined", obj.Name())
		}
		return Poison
	}
	return f.Value()
}

// compareFunc compares a function with nil.
func (b *Comparisons) compareFunc(e ast.Expr, op token.Token, f *Func) *ssa.Value {
	if f.Unknown {
		b.Facts.Refuse(e, "use a bool that says whether there is a function", "it is not known at compile time whether the function is nil")
		return Poison
	}
	isNil := f.Obj == nil && f.Lit == nil
	return b.Constant(e.Pos(), ssa.Bool, ssa.BoolConst(isNil == (op == token.EQL)))
}
