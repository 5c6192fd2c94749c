package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"github.com/qdgen/qd/ssa"
)

// theGrid stands for the value of a kernel's qd.Grid, as poison stands for that
// of what has been refused: there is only one, so that it is never an operand.
var theGrid = &ssa.Value{Type: gridType{}, Name: "grid"}

// gridType is the type of theGrid alone.
type gridType struct{}

func (gridType) String() string { return "grid" }

// Size implements [ssa.Type].
func (gridType) Size() int { return 0 }

// Align implements [ssa.Type].
func (gridType) Align() int { return 1 }

// isGrid reports whether t is qd.Grid.
func isGrid(t types.Type) bool { return isQD(t, "Grid") }

// A parallel is the body of a parallel loop that is being lowered.
type parallel struct {
	outer   *parallel // nil, unless it has been refused
	method  string    // "For"
	outside map[*types.Var]bool
}

// declare notes that a variable is declared in the body.
func (p *parallel) declare(v *types.Var) {
	if p != nil {
		delete(p.outside, v)
	}
}

// gridCall lowers g.For(n, func(i int) {...}) and its kin.
func (b threads) gridCall(e *ast.CallExpr, name string) []*ssa.Value {
	rank := map[string]int{"For": 1, "For2": 2, "For3": 3}[name]
	if rank == 0 {
		b.m.refuse(e.Fun, "use For, For2 and For3", "%s cannot be called in a kernel", types.ExprString(e.Fun))
		return b.caller.refused(e)
	}
	return b.parallelFor(e, name, rank)
}

// parallelFor lowers a parallel loop over as many indices as rank says, whose body is
// that of the last argument.
func (b threads) parallelFor(e *ast.CallExpr, name string, rank int) []*ssa.Value {
	switch {
	case !b.m.arity(e, rank+1):
		return b.caller.refused(e)
	case b.parallel != nil:
		b.m.refuse(e.Fun, "use an ordinary for loop inside, or one parallel loop over both indices with For2",
			"a parallel loop in the body of another, %s", b.parallel.method)
	}
	sizes := make([]*ssa.Value, rank)
	for axis := range sizes {
		sizes[axis] = b.expr(e.Args[axis])
	}
	in := b.emit(e.Pos(), &ssa.Instr{Op: ssa.OpFor, Args: sizes})
	outer, dead, header, env, locals := b.cur, b.dead, b.stmt, maps.Clone(b.vars), maps.Clone(b.locals)
	b.cur = in.NewBlock()
	b.parallel = &parallel{outer: b.parallel, method: name, outside: b.knownVars()}
	ids := make([]*ssa.Value, rank)
	for axis := range ids {
		ids[axis] = b.cur.AddParam(ssa.Int64, "")
	}
	if b.info.Types[e.Args[rank]].IsNil() {
		b.m.refuse(e.Args[rank], "write a function literal", "the body of a parallel loop is nil")
	} else {
		b.inliner.inlineValue(e.Args[rank], ids)
	}
	b.stmt = header
	if !b.dead {
		b.emit(e.Pos(), &ssa.Instr{Op: ssa.OpYield})
	}
	b.parallel = b.parallel.outer
	b.cur, b.dead, b.gone, b.vars, b.locals = outer, dead, false, env, locals
	if anyPoison(sizes) {
		b.m.mustHaveFailed("a parallel loop over no number")
	}
	return nil
}

// refuseOutside refuses an assignment, in the body of a parallel loop, to a
// variable that is declared outside of it, or to a part of one. It reports whether
// it did.
func (b threads) refuseOutside(to ast.Expr) bool {
	if b.parallel == nil {
		return false
	}
	v := b.root(to)
	if id, ok := ast.Unparen(to).(*ast.Ident); v == nil || !b.parallel.outside[v] || ok && b.info.Defs[id] != nil {
		return false
	}
	b.m.refuseCaptive(to, v.Name())
	return true
}

func (m *Report) refuseCaptive(n ast.Node, name string) {
	m.refuse(n, "its iterations run at once and cannot share it: write to an element of a slice, for a sum with qd.AtomicAdd",
		"%s is declared outside of the parallel loop, whose body cannot write to it", name)
}

// outline makes kernels of the parallel loops of a module for a Grid kernel.
func (m *module) outline() {
	for _, c := range ssa.Outline(m.out) {
		name := c.Value.Name
		if name == "" {
			name = "a variable"
		}
		at := m.at(c.In.Pos)
		if c.Written {
			m.refuseCaptive(at, name)
			continue
		}
		m.refuse(at, "use the slices that are the kernel's parameters, and arrays as they are",
			"the parallel loop uses %s, which may be memory of this function that the iterations cannot share", name)
	}
}

// at is a place of an instruction, as a node of one byte.
func (m *Report) at(p ssa.Pos) ast.Node {
	at := token.NoPos
	m.prog.Fset.Iterate(func(f *token.File) bool {
		if f.Name() == p.File && p.Line <= f.LineCount() {
			at = f.LineStart(p.Line) + token.Pos(p.Col-1)
		}
		return at == token.NoPos
	})
	return &ast.BadExpr{From: at, To: at + 1}
}
