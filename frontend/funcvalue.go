package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// A Scope is what the syntax that is being lowered means: a function's own, or
// that of one which is lowered into it.
type Scope struct {
	m     *Syntax
	src   *load.Function // the declared function that the syntax stands in
	info  *types.Info
	file  *token.File
	targs typeArgs
	funcs bool // the function holds function values: see assignedByFuncs
	copy  int  // which copy of the syntax it is, 0 for the source's own: see cloneFunc
}

// A funcValue is a function that is known at compile time: functions are values
// in the front end only.
type funcValue struct {
	obj   *types.Func  // a declared function or method, in its generic form, or nil
	targs []types.Type // of obj, or of its receiver's type
	recv  *ssa.Value   // of a method value: the receiver, as the method takes it
	of    types.Type   // of a method expression: the type that it names

	outer *types.TypeParamList // of a kernel that is a literal: those of the function around it

	lit   *ast.FuncLit // a function literal, or nil
	scope Scope        // what the literal's names mean

	captures []capture // of the literal

	unknown bool   // one of several functions; without any of these it is nil
	ended   string // why nothing can be made of an unknown one that is the only one possible
}

// value makes the function a value.
func (f *funcValue) value() *ssa.Value { return frontly(&frontValue{kind: comptime.Func, fn: f}) }

// funcOf is the function that a value is, nil if it is none.
func funcOf(v *ssa.Value) *funcValue {
	if f := frontOf(v); f != nil {
		return f.fn
	}
	return nil
}

// same reports whether two values are one function for sure.
func (f *funcValue) same(g *funcValue) bool {
	return !f.unknown && !g.unknown && f.obj == g.obj && sameTypes(f.targs, g.targs) && f.recv == g.recv && sameType(f.of, g.of) &&
		f.lit == g.lit && f.scope.copy == g.scope.copy && sameCaptures(f.captures, g.captures)
}

// sameCaptures reports whether two values of one literal have captured the same: two
// calls of the function around it make two literals.
func sameCaptures(a, b []capture) bool {
	for i := range a {
		if i >= len(b) || a[i].birth != b[i].birth || a[i].val != b[i].val && !sameKnown(a[i].val, b[i].val) {
			return false
		}
	}
	return len(a) == len(b)
}

// sameFuncs reports whether what is known of two lists of arguments is the same.
func (b *Values) sameFuncs(x, y []*ssa.Value) bool {
	for i := range x {
		front := isFront(x[i])
		if front != isFront(y[i]) || isKnown(x[i]) != isKnown(y[i]) || (front || isKnown(x[i])) && !b.sameValue(x[i], y[i]) {
			return false
		}
	}
	return true
}

// isFunc reports whether a type is a function type.
func isFunc(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// forgetFuncs makes the front-end values of the variables that a loop assigns to
// unknown, and gives these: what they hold differs from turn to turn.
func (b *Values) forgetFuncs(vars []*types.Var) (unknown []*types.Var) {
	for _, v := range b.expand(vars) {
		if val := b.vars[v]; isFront(val) {
			b.vars[v] = forgotten(val, "")
			unknown = append(unknown, v)
		}
	}
	return unknown
}

// funcAfter is the function that a variable holds in a block after one inside of it has
// ended, where it got that value. What the function uses of the inner block is gone:
// known are the variables that there were before.
func (b *Values) funcAfter(outer *ssa.Block, known map[*types.Var]bool, v *ssa.Value) *ssa.Value {
	f := funcOf(v)
	if f == nil || f.unknown {
		return v // what else has parts of the running kernel looks at them when they are used
	}
	ended := ""
	if f.recv != nil && !visibleIn(outer, f.recv) {
		ended = "the receiver that it is bound to"
	}
	if f.lit != nil {
		for _, c := range f.captures {
			if !known[c.v] && (c.val == nil || !isFront(c.val) && !isKnown(c.val) && !visibleIn(outer, c.val)) {
				ended = c.v.Name()
			}
		}
	}
	if ended == "" {
		return v
	}
	return (&funcValue{unknown: true, ended: ended}).value()
}

// visibleIn reports whether a value can be used at the end of a block. In one that nobody
// owns, which is lowered for its errors only, all can.
func visibleIn(block *ssa.Block, v *ssa.Value) bool {
	of := v.Block
	if v.Def != nil {
		of = v.Def.Block
	}
	for block != of && block.Owner != nil {
		o := block.Owner
		if v.Def == nil && o.Op == ssa.OpLoop && block == o.Do() && of == o.Cond() {
			return true // a loop's variable
		}
		block = o.Block
	}
	return block == of || block != block.Func.Body
}

// freeVars are the variables of the functions around a literal that it names, in the
// order in which it does.
func freeVars(f *funcValue) (vars []*types.Var) {
	ast.Inspect(f.lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := f.scope.info.Uses[id].(*types.Var)
			if ok && !v.IsField() && !isPackageVar(v) && (v.Pos() < f.lit.Pos() || v.Pos() >= f.lit.End()) {
				vars = append(vars, v)
			}
		}
		return true
	})
	return vars
}

// funcName is how messages call what is called.
func funcName(fun ast.Expr) string {
	if _, ok := ast.Unparen(fun).(*ast.FuncLit); ok {
		return "the function literal"
	}
	return types.ExprString(fun)
}

// refuseUnknown reports the use of one of several functions.
func (b *Values) refuseUnknown(e ast.Expr, f *funcValue) {
	if f.ended != "" {
		b.refuseEnded(e, funcName(e), f.ended)
		return
	}
	b.m.refuse(e, "choose between calls, not between functions: if c { y = f(x) } else { y = g(x) }",
		"which function %s is, is not known at compile time", funcName(e))
}

// isNil ends what is said of the call of a function value that is nil.
const isNil = " is nil here"

// callValue calls a function value.
func (b caller) callValue(e *ast.CallExpr, f *funcValue) []*ssa.Value {
	switch {
	case f.unknown:
		b.refuseUnknown(e.Fun, f)
	case f.lit != nil:
		body := b.inliner.literalBody(f)
		if body.sig == nil {
			break
		}
		var params []types.Type
		for v := range body.sig.Params().Variables() {
			params = append(params, b.m.with(f.scope.targs).typ(v.Type()))
		}
		if args, ok := b.callArgs(e, params, body.sig.Variadic()); ok {
			return b.inliner.inline(e, body, args)
		}
	case f.obj == nil:
		b.m.refuse(e.Fun, "assign a function to it before", "%s"+isNil, funcName(e.Fun))
	default:
		return b.callFunc(e, f)
	}
	return b.refused(e)
}

// declaredFunc is a declared function as a value, with the type arguments that an
// identifier of it has.
func (b *Values) declaredFunc(id *ast.Ident, obj *types.Func) *ssa.Value {
	f := &funcValue{obj: obj.Origin()}
	if list := b.info.Instances[id].TypeArgs; list != nil {
		for t := range list.Types() {
			f.targs = append(f.targs, b.subst(t))
		}
	}
	if obj.Signature().TypeParams().Len() != len(f.targs) {
		return b.noValue("generic function " + obj.Name() + " without type arguments")
	}
	return f.value()
}

// funcLit is a function literal as a value.
func (b inliner) funcLit(e *ast.FuncLit) *ssa.Value {
	if !isFunc(b.info.TypeOf(e)) {
		return b.noValue("a function literal without a type")
	}
	f := &funcValue{lit: e, scope: b.Scope}
	b.capture(f)
	b.meet(f)
	return f.value()
}

// compareFunc compares a function with nil.
func (b *Values) compareFunc(e ast.Expr, op token.Token, f *funcValue) *ssa.Value {
	if f.unknown {
		b.m.refuse(e, "keep in a bool whether there is one", "whether the function is nil, is not known at compile time")
		return poison
	}
	isNil := f.obj == nil && f.lit == nil
	return b.constant(e.Pos(), ssa.Bool, ssa.BoolConst(isNil == (op == token.EQL)))
}
