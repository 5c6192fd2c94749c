package lower

import (
	"go/ast"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// companions are what directives name for a function: see [load.Companion].
type companions struct{ gradient, replay *load.Companion }

func (c companions) any() bool { return c.gradient != nil || c.replay != nil }

func (m *Module) companions(f *eval.Func) companions {
	return companions{m.Prog.Companion(f.Obj, load.Gradient), m.Prog.Companion(f.Obj, load.Replay)}
}

// mayHaveCompanions refuses the companions of a function whose calls are lowered into the caller: nothing is left of it
// that could be differentiated as a whole.
func (m *Module) mayHaveCompanions(f *eval.Func, has companions) bool {
	if !m.mayBeInlined(f) {
		return true
	}
	for _, c := range []*load.Companion{has.gradient, has.replay} {
		if c != nil {
			m.Refuse(c.At, "take only values that a kernel has at run time, and no qd.Block or qd.Grid; for a function value, write one function for each",
				"%s can have no gradient or replay of its own, because each call of it is compiled separately", f.Obj.Name())
		}
	}
	return false
}

// lowerCompanions lowers the companions of a function that is called, once for each instance of it.
func (c caller) lowerCompanions(e *ast.CallExpr, f *eval.Func, callee *eval.Function, has companions) {
	if !has.any() || callee.Derived {
		return
	}
	callee.Derived = true
	if g := has.gradient; g != nil {
		if by := c.companion(e, g, f); by != nil {
			callee.Fn.Gradient = &ssa.Gradient{By: by, Memory: g.Memory, Results: g.Results, Params: g.Params}
		}
	}
	if r := has.replay; r != nil {
		callee.Fn.Replay = c.companion(e, r, f)
	}
}

// companion is a companion for the type arguments of a function, nil if it has been refused.
func (c caller) companion(e *ast.CallExpr, of *load.Companion, f *eval.Func) *ssa.Func {
	g := &eval.Func{Obj: of.Func.Obj, Targs: f.Targs}
	if c.b.m.mayBeInlined(g) {
		c.b.m.mayHaveCompanions(g, companions{gradient: of})
		return nil
	}
	fn := c.b.m.instance(g, nil, nil)
	if fn == nil {
		fn = c.b.m.lower(of.Func, g.Targs, nil, nil, c.b.Function, e)
	}
	if fn.Bad {
		return nil
	}
	return fn.Fn
}
