package lower

import (
	"go/ast"
	"go/types"
	"maps"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// gridCall lowers g.For(n, func(i int) {...}) and its kin.
func (t threads) gridCall(e *ast.CallExpr, name string) []*ssa.Value {
	rank := map[string]int{"For": 1, "For2": 2, "For3": 3}[name]
	if rank == 0 {
		t.b.m.Refuse(e.Fun, "use For, For2 and For3", "%s cannot be called in a kernel", types.ExprString(e.Fun))
		return t.b.caller.refused(e)
	}
	return t.parallelFor(e, name, rank, false)
}

// parallelFor lowers a parallel loop over as many indices as rank says, whose body is
// that of the last argument. flat is set if the loop itself is to be over one index, which stands for two.
func (t threads) parallelFor(e *ast.CallExpr, name string, rank int, flat bool) []*ssa.Value {
	switch {
	case !t.b.m.Arity(e, rank+1):
		return t.b.caller.refused(e)
	case t.b.Parallel != nil:
		t.b.m.Refuse(e.Fun, "use an ordinary for loop inside, or one parallel loop over both indices with For2",
			"parallel loops cannot be nested: this one is in the body of %s", t.b.Parallel.Method)
	}
	sizes := make([]*ssa.Value, rank)
	for axis := range sizes {
		sizes[axis] = t.b.expr(e.Args[axis])
	}
	args := sizes
	if flat {
		args = []*ssa.Value{t.laneCount(e.Pos(), sizes)}
	}
	in := t.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpFor, Args: args})
	outer, dead, header, env, locals := t.b.Cur, t.b.Dead, t.b.Stmt, maps.Clone(t.b.Vars), maps.Clone(t.b.Locals)
	t.b.Cur = in.NewBlock()
	body, front := t.b.Cur, t.b.packageVars.tables.front
	t.b.packageVars.tables.front = newTableFront(body, header)
	t.b.Parallel = &eval.Parallel{Outer: t.b.Parallel, Method: name, Outside: t.b.DeclaredVars()}
	ids := make([]*ssa.Value, len(args))
	for axis := range ids {
		ids[axis] = t.b.Cur.AddParam(ssa.Int64, "")
	}
	if flat {
		ids = t.lanePair(e.Pos(), ids[0], sizes)
	}
	if t.b.Info.Types[e.Args[rank]].IsNil() {
		t.b.m.Refuse(e.Args[rank], "write a function literal", "the body of a parallel loop is nil")
	} else {
		t.b.inliner.inlineValue(e.Args[rank], ids)
	}
	t.b.Stmt = header
	if !t.b.Dead {
		t.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpYield})
	}
	t.b.Parallel = t.b.Parallel.Outer
	t.b.packageVars.tables.front.end()
	t.b.packageVars.tables.front = front
	t.b.Cur, t.b.Dead, t.b.Gone, t.b.Vars, t.b.Locals = outer, dead, false, env, locals
	if eval.AnyPoison(sizes) {
		t.b.m.MustHaveFailed("a parallel loop over no number")
	}
	return nil
}

// refuseOutside refuses an assignment, in the body of a parallel loop, to a
// variable that is declared outside of it, or to a part of one. It reports whether
// it did.
func (t threads) refuseOutside(to ast.Expr) bool {
	if t.b.Parallel == nil {
		return false
	}
	v := t.b.Root(to)
	if id, ok := ast.Unparen(to).(*ast.Ident); v == nil || !t.b.Parallel.Outside[v] || ok && t.b.Info.Defs[id] != nil {
		return false
	}
	t.b.m.RefuseCaptive(to, v.Name(), t.b.Func.Kind)
	return true
}

// checkLoops refuses what the bodies of a Grid kernel's parallel loops cannot share, and looks at what they are given.
func (m *Module) checkLoops(fn *ssa.Func) {
	if fn.Kind != ssa.GridKernel || m.Diags.Len() > 0 {
		return
	}
	loops := analysis.CapturedBy(fn)
	for _, loop := range loops {
		for _, c := range loop.Captives {
			at := m.At(c.In.Pos)
			if c.Written {
				m.RefuseCaptive(at, nameOf(c.Value), fn.Kind)
				continue
			}
			m.Refuse(at, "use the kernel's slice parameters, and arrays by value",
				"the parallel loop uses %s, which may be local memory that the iterations cannot share", nameOf(c.Value))
		}
	}
	if m.Diags.Len() > 0 {
		return
	}
	for _, loop := range loops {
		if size := argsSize(ssa.ThreadKernel, len(loop.Loop.Args), false, loop.Args); size > maxArgs {
			m.Refuse(m.At(loop.Loop.Pos), argsHint, "the parallel loop uses %d bytes of variables that are declared outside it; the limit for a launch is %d", size, maxArgs)
		}
	}
}

// nameOf is a variable's name in a message.
func nameOf(v *ssa.Value) string {
	if v.Name == "" {
		return "a variable"
	}
	return v.Name
}
