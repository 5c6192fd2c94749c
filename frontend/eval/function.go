package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// MaxInstances is how many instances of one function may be nested in one another:
// by a method of a type argument a function can come to be called for another type.
const MaxInstances = 16

// OpenInstances is how many of the function's callers are instances of another for other
// types.
func (g *Function) OpenInstances(f *Func) (n int) {
	if len(f.Targs) == 0 {
		return 0 // there is one type only
	}
	for ; g != nil; g = g.Caller {
		if g.Src.Obj == f.Obj && !SameTypes(g.Targs, f.Targs) {
			n++
		}
	}
	return n
}

// Cycle names the functions between a call of f in g and f's own: "" where f
// calls itself.
func (g *Function) Cycle(f *Function) string {
	if g == f {
		return ""
	}
	path := f.Src.Obj.Name()
	for ; g.Src.Obj != f.Src.Obj; g = g.Caller {
		path = g.Src.Obj.Name() + " calls " + path
	}
	return ": " + f.Src.Obj.Name() + " calls " + path
}

// sameType reports whether two types, which may be nil, are identical.
func sameType(t, u types.Type) bool {
	return t == nil && u == nil || t != nil && u != nil && types.Identical(t, u)
}

// SameTypes reports whether two lists of types are identical.
func SameTypes(a, b []types.Type) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !types.Identical(a[i], b[i]) {
			return false
		}
	}
	return true
}

// TypeArgs are the type arguments by the type parameters of the function or of the
// receiver's type.
func (f *Func) TypeArgs() check.TypeArgs {
	if len(f.Targs) == 0 {
		return nil
	}
	sig := f.Obj.Signature()
	params := sig.TypeParams()
	switch {
	case f.Outer != nil:
		params = f.Outer
	case sig.Recv() != nil:
		params = sig.RecvTypeParams()
	}
	if params.Len() != len(f.Targs) {
		return nil // its receiver is a generic type without type parameters, which is an error
	}
	targs := make(check.TypeArgs, len(f.Targs))
	for i, t := range f.Targs {
		targs[params.At(i)] = t
	}
	return targs
}

// ofOuter gives a function that stands for a literal in a generic function the type arguments of that, and reports
// whether it is one. It is named in that function only.
func (f *Func) ofOuter(m *Facts, subst func(types.Type) types.Type) bool {
	src := m.Prog.Function(f.Obj)
	if src == nil || src.Outer.Len() == 0 {
		return false
	}
	f.Outer = src.Outer
	for p := range src.Outer.TypeParams() {
		f.Targs = append(f.Targs, subst(p))
	}
	return true
}

// Named is the instance of a declared function that syntax names, if it stands for a literal in a generic function.
func (m *Facts) Named(obj *types.Func, subst func(types.Type) types.Type) (f *Func, ok bool) {
	f = &Func{Obj: obj.Origin()}
	return f, f.ofOuter(m, subst)
}

// A Function is one function on its way to SSA.
type Function struct {
	Src    *load.Function
	Targs  []types.Type
	Known  KnownArgs // the known arguments that it is lowered for, nil for none
	Closed *Closed   // the arguments that it is lowered for in part, nil for none
	Key    string    // of known and closed
	Fn     *ssa.Func
	Caller *Function // whose call of it was the first
	Depth  int       // how many callers are around that call
	Call   ast.Node  // that call, if its errors are to be seen
	Failed string    // what a static assertion in it says that has failed, of one of package qd

	Open    bool // its body is being lowered: a call that finds it so is recursion
	Bad     bool // its signature has been refused: calls of it give poison
	Refused bool // there are errors in it, or in what it calls

	Derived  bool // its companions have been lowered, or are being
	Doubtful bool // it was lowered where a launch may not get: what has been said of it is doubtful

	Room        int // bytes of its variables in memory
	SharedBytes int // of a kernel: bytes of its shared memory

	Rank   int       // dimensions of the launch that it or a callee needs, 0 for any
	RankAt token.Pos // what needs them
}

// TypeArgsOf are the type arguments of a receiver's type.
func TypeArgsOf(recv types.Type) (targs []types.Type) {
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
