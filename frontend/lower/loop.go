package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A loop is a target of break and continue: the Loop of a for statement that is being built, an unrolled
// for statement, or a switch that contains a break.
type loop struct {
	b        *Flow
	in       *ssa.Instr
	pos      token.Pos
	label    string
	isSwitch bool
	outer    *ssa.Block

	// The segments that a break and a continue leave if there is no Loop.
	whole, turn *segment
	dead        bool // outer is

	// The Loop's variables: the counter of a range first, if there is one.
	counter *ssa.Value
	vars    []*types.Var

	funcVars []*types.Var    // variables of function types that are assigned to
	carried  []*eval.Carried // variables of interface types that are

	mixed map[*types.Var]bool // variables that have been refused for their tiles

	breaks int // that are reached
	mark   int // of what is known of memory
}

// openLoop appends a Loop that carries the variables, and a counter if init is
// its first value, and enters its condition.
func (b *Flow) openLoop(pos token.Pos, label string, vars []*types.Var, init *ssa.Value, counterName string) *loop {
	l := &loop{b: b, pos: pos, label: label, outer: b.Cur, dead: b.Dead}
	l.carried = b.Carry(vars)
	for _, c := range l.carried {
		vars = append(slices.Clip(vars), c.Leaves...)
	}
	l.funcVars = b.ForgetFuncs(vars)
	kept, vals := b.mergeable(vars)
	l.vars = kept
	if init != nil {
		vals = append([]*ssa.Value{init}, vals...)
	}
	l.in = b.Emit(pos, &ssa.Instr{Op: ssa.OpLoop, Label: label, Args: vals})
	b.EscapeTurns(vals)
	l.mark = b.Memory.Mark()
	b.loops = append(b.loops, l)
	l.enter(l.in.NewBlock())
	if init != nil {
		l.counter = b.Cur.AddParam(init.Type, counterName)
	}
	for i, v := range l.vars {
		b.Vars[v] = b.Cur.AddParam(vals[len(vals)-len(l.vars)+i].Type, v.Name())
	}
	l.beginTurn()
	return l
}

func (l *loop) enter(block *ssa.Block) {
	l.b.Cur, l.b.Dead, l.b.Gone = block, l.dead, false
}

// openBody ends the condition and enters the body.
func (l *loop) openBody(pos token.Pos, cond *ssa.Value) {
	l.b.Emit(pos, &ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{cond}})
	l.enter(l.in.NewBlock())
}

// beginTurn gives the interface variables that the Loop carries their values.
func (l *loop) beginTurn() {
	for _, c := range l.carried {
		l.b.BeginTurn(c)
	}
}

// values are the values of the Loop's variables here, at a break or at the end of a part of the Loop.
func (l *loop) values(isBreak bool) []*ssa.Value {
	for _, c := range l.carried {
		l.b.EndTurn(c, isBreak)
	}
	vals := make([]*ssa.Value, 0, 1+len(l.vars))
	if l.counter != nil {
		vals = append(vals, l.counter)
	}
	for _, v := range l.vars {
		vals = append(vals, l.b.Value(v))
	}
	l.checkTiles(vals)
	return vals
}

// before is the type of the i-th variable in front of the Loop.
func (l *loop) before(i int) ssa.Type { return l.in.Args[len(l.in.Args)-len(l.vars)+i].Type }

// openPost ends the body and enters the post part.
func (l *loop) openPost() {
	if !l.b.Dead {
		l.b.Emit(l.pos, &ssa.Instr{Op: ssa.OpContinue, Target: l.in, Args: l.values(false)})
	}
	l.enter(l.in.NewBlock())
	l.b.Memory.Undo(l.mark)
	l.b.ForgetFuncs(l.funcVars)
	if l.counter != nil {
		l.counter = l.b.Cur.AddParam(l.counter.Type, l.counter.Name)
	}
	for i, v := range l.vars {
		b := l.b
		b.Vars[v] = b.Cur.AddParam(l.before(i), v.Name())
	}
	l.beginTurn()
}

// close ends the post part and the loop. An endless one is left by break only.
func (l *loop) close(endless bool) {
	b := l.b
	b.Emit(l.pos, &ssa.Instr{Op: ssa.OpYield, Args: l.values(false)})
	b.Memory.Undo(l.mark)
	b.loops = b.loops[:len(b.loops)-1]
	b.Cur, b.Dead, b.Gone = l.outer, l.dead, false
	b.ForgetFuncs(l.funcVars)
	if l.counter != nil {
		l.in.AddResult(l.counter.Type, l.counter.Name)
	}
	for i, v := range l.vars {
		b.Vars[v] = l.in.AddResult(l.before(i), v.Name())
		if l.mixed[v] {
			b.Vars[v] = eval.Poison
		}
	}
	for _, c := range l.carried {
		b.EndLoop(c)
	}
	if endless && l.breaks == 0 {
		b.Leave(l.pos, &ssa.Instr{Op: ssa.OpUnreachable})
		b.Gone = !l.dead // breaks of a dead loop are not counted
	}
}

func (b *Flow) branchStmt(s *ast.BranchStmt) {
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		b.RefuseStmt(s)
		return
	}
	l := b.target(s)
	if l == nil {
		b.Facts.MustBeIllTyped(s.Tok.String() + " outside a loop")
		return
	}
	op, seg := ssa.OpContinue, l.turn
	if s.Tok == token.BREAK {
		op, seg = ssa.OpBreak, l.whole
	}
	if seg != nil {
		seg.leave(s.Pos(), nil)
		return
	}
	if op == ssa.OpBreak {
		if !b.Dead {
			l.breaks++
		}
	}
	b.Leave(s.Pos(), &ssa.Instr{Op: op, Target: l.in, Args: l.values(op == ssa.OpBreak)})
}

// target is the statement that a break or continue names or, without a label,
// the innermost one that it can leave; nil if there is none.
func (b *Flow) target(s *ast.BranchStmt) *loop {
	for _, l := range slices.Backward(b.loops) {
		switch {
		case s.Label != nil && s.Label.Name != l.label:
		case s.Tok == token.CONTINUE && l.isSwitch:
		default:
			return l
		}
	}
	return nil
}

// A looper lowers for and range statements.
type looper struct{ b *builder }

// forStmt lowers the loops with a condition or three clauses, part by part. Each iteration of a Go loop
// has its own copy of the variables. Only closures and pointers can notice this, so each iteration makes
// a new copy only of variables in memory.
func (lo looper) forStmt(s *ast.ForStmt, label string) {
	header := lo.b.Stmt
	own := lo.b.turnVars(s)
	lo.b.simple(s.Init)
	if s.Cond != nil && lo.b.MarkerCall(s.Cond, "Static") != nil {
		lo.b.unroller.unrollFor(s, label, own)
		return
	}
	lo.b.unroller.missed(s, "only loops over range are unrolled unasked, as for i := range 8; for qd.Static(condition) unrolls any")
	lo.warnSerial(s)
	vars := lo.b.assigned(s)
	for _, v := range own {
		if !slices.Contains(vars, v) {
			vars = append(slices.Clip(vars), v)
		}
	}
	lo.b.ForgetStored(s)
	l := lo.b.openLoop(s.For, label, vars, nil, "")
	endless := s.Cond == nil
	// A condition that changes variables, has statements, or needs the iteration's variables in memory is
	// lowered at the beginning of the body.
	inside := !endless && (len(lo.b.assignedInExpr(s.Cond)) > 0 || lo.b.inliner.inlines(s.Cond))
	for _, v := range own {
		inside = inside || !endless && lo.b.Addresses(s.Cond, v)
	}
	switch {
	case endless || inside:
		l.openBody(s.For, lo.b.Constant(s.For, ssa.Bool, ssa.BoolConst(true)))
	default:
		lo.b.ordering.callsFirst(s.Cond)
		cond := lo.b.expr(s.Cond)
		endless, _ = lo.b.KnownBool(cond)
		l.in.Rolled = lo.isRolled(s.Cond, cond)
		l.openBody(s.Cond.Pos(), cond)
	}
	lo.b.ToMemory(own)
	if inside {
		lo.b.ordering.callsFirst(s.Cond)
		cond := lo.b.expr(s.Cond)
		l.in.Rolled = lo.isRolled(s.Cond, cond)
		lo.b.breakUnless(l, s.Cond.Pos(), cond)
	}
	lo.b.block(s.Body)
	lo.b.Stmt = header
	l.openPost()
	lo.b.ToValues(own)
	lo.b.ToMemory(lo.b.InPost(s, own))
	dead := lo.b.Dead
	if lo.b.simple(s.Post); lo.b.Dead && !dead {
		lo.b.m.Refuse(s.Post, "call it in the loop's body", "a call that does not return is not supported in the header of a loop")
	}
	l.close(endless)
	lo.b.endTurns(own)
}

// warnSerial warns of a loop of a Grid kernel that seems to be meant to be parallel.
func (lo looper) warnSerial(s ast.Stmt) {
	if lo.b.Func.Kind != ssa.GridKernel || lo.b.Parallel != nil || lo.b.InLibrary() {
		return
	}
	lo.b.WarnSerial(s)
}

// isRolled reports whether a loop is to stay one, for the compiler of its target too: whether there is a qd.Dynamic in
// its condition or its range, or the value of that is computed from one.
func (lo looper) isRolled(header ast.Expr, v *ssa.Value) bool {
	found := false
	ast.Inspect(header, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && lo.b.IsMarker(call.Fun, "Dynamic")
		return !found
	})
	return found || isOpaque(v, map[*ssa.Value]bool{})
}

// isOpaque reports whether a value is computed from what qd.Dynamic has made a runtime value; seen are those that have
// been looked at.
func isOpaque(v *ssa.Value, seen map[*ssa.Value]bool) bool {
	if v == nil || v.Def == nil || seen[v] || v.Def.Op.Effect() != ssa.Pure {
		return false
	}
	seen[v] = true
	return v.Def.Op == ssa.OpOpaque || slices.ContainsFunc(v.Def.Args, func(arg *ssa.Value) bool { return isOpaque(arg, seen) })
}

// turnVars are the variables of a for statement of which each iteration needs a copy in memory. The init
// statement sees them as values.
func (b *Flow) turnVars(s *ast.ForStmt) (own []*types.Var) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return nil
	}
	for _, lhs := range init.Lhs {
		if v := b.Defined(lhs); v != nil && b.InMemory[v] {
			own = append(own, v)
			delete(b.InMemory, v)
		}
	}
	return own
}

// endTurns ends the code that turnVars has begun.
func (b *Flow) endTurns(own []*types.Var) {
	b.ToValues(own)
	for _, v := range own {
		b.InMemory[v] = true
	}
}

// breakUnless leaves a loop from its body where a condition is false.
func (b *Flow) breakUnless(l *loop, pos token.Pos, cond *ssa.Value) {
	br := b.openIf(pos, cond, nil)
	br.certain() // as a loop that is unrolled
	br.openElse()
	if !b.Dead {
		l.breaks++
	}
	b.Leave(pos, &ssa.Instr{Op: ssa.OpBreak, Target: l.in, Args: l.values(true)})
	br.close()
}
