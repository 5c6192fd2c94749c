package lower

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// returnsOwn reports whether a function returns pointers to its own variables. It is lowered into its callers, where
// these live on.
func (m *Module) returnsOwn(f *types.Func) bool {
	src := m.Prog.Function(f)
	if src == nil || !check.MayHoldPointers(f.Signature().Results()) {
		return false
	}
	sc := m.ScopeOf(src, nil)
	return len(sc.ReturnsOwn(f.Signature(), src.Decl.Body)) > 0
}

// lift makes the variables of a body that its results point to: in front of the body, so that they are there behind it.
func (il inliner) lift(in *inlining) {
	f := in.body
	il.b.Lifted = nil
	if _, literal := f.decl.(*ast.FuncLit); literal || !check.MayHoldPointers(f.sig.Results()) {
		return
	}
	own := slices.SortedFunc(maps.Keys(il.b.ReturnsOwn(f.sig, f.stmts)), func(a, b any) int {
		return cmp.Compare(a.(interface{ Pos() token.Pos }).Pos(), b.(interface{ Pos() token.Pos }).Pos())
	})
	for _, obj := range own {
		var typ types.Type
		var at ast.Node
		switch obj := obj.(type) {
		case *types.Var:
			typ, at = obj.Type(), &ast.Ident{NamePos: obj.Pos(), Name: obj.Name()}
		case ast.Expr:
			made := il.b.Info.TypeOf(obj)
			if check.Invalid(made) {
				continue
			}
			p, ok := made.Underlying().(*types.Pointer)
			if !ok {
				il.liftSlice(obj)
				continue
			}
			typ, at = p.Elem(), obj
		}
		t, ok := il.b.m.TypeOf(il.b.Subst(typ))
		if pointer, isExpr := obj.(ast.Expr); isExpr && !ok && il.b.m.IsFrontType(il.b.GoType(pointer)) {
			if made := il.b.newOf(pointer, il.b.GoType(pointer), il.b.ZeroOf(at.Pos(), il.b.Subst(typ))); made != eval.Poison {
				il.setLifted(obj, made)
			}
			continue
		}
		if !ok || ssa.IsTile(t) {
			continue // it is refused where it is made
		}
		il.setLifted(obj, il.b.Fresh(at.Pos(), il.b.ZeroOf(at.Pos(), il.b.Subst(typ))))
	}
}

func (il inliner) setLifted(obj any, addr *ssa.Value) {
	if il.b.Lifted == nil {
		il.b.Lifted = map[any]*ssa.Value{}
	}
	il.b.Lifted[obj] = addr
}

// liftSlice makes the array of a slice that make or a literal makes, where its length is a constant; a parameter has no
// value yet. The array of another one ends with the body.
func (il inliner) liftSlice(e ast.Expr) {
	t, ok := il.b.m.TypeOf(il.b.GoType(e))
	slice, isSlice := t.(ssa.Slice)
	n := -1
	switch e := e.(type) {
	case *ast.CompositeLit:
		n, ok = il.b.composer.literalLen(e)
	case *ast.CallExpr:
		if c := il.b.Info.Types[e.Args[len(e.Args)-1]].Value; c != nil && len(e.Args) > 1 {
			if k, ok := check.ConstOf(ssa.Int64, c); ok && k.Int() >= 0 && k.Int() <= check.MaxTypeSize {
				n = int(k.Int())
			}
		}
	}
	if !ok || !isSlice || n < 0 || n > check.MaxTypeSize || n*slice.Elem.Size() > check.MaxTypeSize {
		return // it is refused where it is made
	}
	il.setLifted(e, il.b.Fresh(e.Pos(), il.b.Zero(e.Pos(), ssa.Array{Elem: slice.Elem, Len: n})))
}
