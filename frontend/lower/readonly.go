package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
)

// readOnly returns a place with the value of a package variable, or of a part of it. The expression takes a slice or an
// address of it, through which nothing is written. It is not ok for other expressions.
//
// The place is one in a copy of the longest part that is known, in front of the function: a pointer into it may be kept
// in variables that are declared outside of the loop or the branch that takes it.
func (pv packageVars) readOnly(e ast.Expr) (r ref, ok bool) {
	v := pv.b.GlobalRoot(e)
	if v == nil {
		return ref{}, false
	}
	decl := pv.b.m.Prog.Var(v)
	if decl == nil {
		return ref{}, false
	}
	named := rootIdent(e)
	onlyRead := named != nil && decl.OnlyRead(pv.b.m.Prog.Fset.PositionFor(named.Pos(), false))
	if !onlyRead && !pv.programKnows(v) {
		return ref{}, false
	}
	if part, known, t := pv.knownPart(e); part != nil && t != nil {
		if addr := pv.tables.place(part, t, known); addr != nil {
			pv.placed[part] = ref{addr: addr}
			defer delete(pv.placed, part)
		}
	}
	switch r = pv.b.operands.ref(e); {
	case r.val == eval.Poison:
		return r, true
	case r.addr == nil && (r.val == nil || eval.IsFront(r.val)):
		return ref{}, false
	case r.addr == nil: // what it holds is not known before the launch
		r = ref{addr: pv.b.NewOf(e, r.val)}
	}
	if !onlyRead && r.addr != eval.Poison {
		pv.b.m.copies = append(pv.b.m.copies, tableCopy{e: e, of: v, fn: pv.b.Func, addr: r.addr})
	}
	return r, true
}

// knownPart is the longest part of a package variable on the way to an expression that is known at compile time, nil if
// none is. It has no type if the variable was reported.
func (pv packageVars) knownPart(e ast.Expr) (part ast.Expr, known comptime.Value, t types.Type) {
	e = ast.Unparen(e)
	if known, t, ok := pv.globalPart(e); ok {
		return e, known, t
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if pv.b.Info.Selections[e] != nil {
			return pv.knownPart(e.X)
		}
	case *ast.IndexExpr:
		return pv.knownPart(e.X)
	}
	return nil, known, nil
}

// programKnows reports whether the running program tells what a variable holds, or will, where nobody has asked it.
func (pv packageVars) programKnows(v *types.Var) bool {
	if pv.b.m.Opts.Env == nil {
		return pv.b.m.Opts.Symbolic
	}
	_, err := pv.b.m.Opts.Env.Var(v.Pkg().Path(), v.Name())
	return err == nil
}
