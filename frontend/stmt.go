package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

func (b *builder) block(s *ast.BlockStmt) { b.stmts(s.List) }

// stmts lowers a list of statements. What stands behind one that never comes to its
// end, a return, say, is lowered for its errors. But if that is so because of what is
// known at compile time, as after "if n.V == 0 { return }", what follows is for other
// values, and need not even make sense for these: it is not lowered.
func (b *builder) stmts(list []ast.Stmt) {
	gone := false
	for _, s := range list {
		b.lowerStmt(s)
		if !b.gone {
			continue
		}
		if !b.terminates(s, "") {
			return
		}
		gone, b.gone = true, false
	}
	b.gone = gone
}

// terminates reports whether it can be seen in the syntax alone that a statement never
// comes to its end; label is its own.
func (b *Scope) terminates(s ast.Stmt, label string) bool {
	last := func(list []ast.Stmt) bool { return len(list) > 0 && b.terminates(list[len(list)-1], "") }
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		return ok && b.info.Types[call.Fun].IsBuiltin()
	case *ast.BlockStmt:
		return last(s.List)
	case *ast.LabeledStmt:
		return b.terminates(s.Stmt, s.Label.Name)
	case *ast.IfStmt:
		return s.Else != nil && last(s.Body.List) && b.terminates(s.Else, "")
	case *ast.ForStmt:
		return s.Cond == nil && !jumps(s.Body.List, label).breaks
	case *ast.SwitchStmt:
		hasDefault := false
		for _, clause := range s.Body.List {
			clause := clause.(*ast.CaseClause)
			hasDefault = hasDefault || clause.List == nil
			if !last(clause.Body) || jumps(clause.Body, label).breaks {
				return false
			}
		}
		return hasDefault
	}
	return false
}

// lowerStmt lowers a statement. The instructions that it becomes share one
// record of it; a header's is that of its "for", "if" or "switch".
func (b *builder) lowerStmt(s ast.Stmt) {
	b.m.noteLowered(s)
	switch s := s.(type) {
	case *ast.BlockStmt:
		b.block(s)
		return
	case *ast.LabeledStmt:
		b.labeled(s)
		return
	}
	b.stmt = b.newStmt(s)
	switch s := s.(type) {
	case *ast.IfStmt:
		b.ifStmt(s)
	case *ast.ForStmt:
		b.looper.forStmt(s, "")
	case *ast.RangeStmt:
		b.looper.rangeStmt(s, "")
	case *ast.SwitchStmt:
		b.switcher.switchStmt(s, "")
	case *ast.TypeSwitchStmt:
		b.switcher.typeSwitch(s, "")
	case *ast.ReturnStmt:
		b.returnStmt(s)
	case *ast.BranchStmt:
		b.branchStmt(s)
	default:
		b.simple(s)
	}
}

// simple lowers a statement that holds no others, as part of the current one.
func (b *builder) simple(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.AssignStmt:
		b.assigner.assignStmt(s)
	case *ast.IncDecStmt:
		b.assigner.incDec(s)
	case *ast.ExprStmt:
		b.exprStmt(s)
	case *ast.DeclStmt:
		b.assigner.declStmt(s)
	default:
		b.refuseStmt(s)
	}
}

// labeled lowers a labelled statement. Labels of others than loops and switches
// are only of use to goto, which is refused.
func (b *builder) labeled(s *ast.LabeledStmt) {
	label := s.Label.Name
	switch inner := s.Stmt.(type) {
	case *ast.ForStmt:
		b.stmt = b.newStmt(inner)
		b.looper.forStmt(inner, label)
	case *ast.RangeStmt:
		b.stmt = b.newStmt(inner)
		b.looper.rangeStmt(inner, label)
	case *ast.SwitchStmt:
		b.stmt = b.newStmt(inner)
		b.switcher.switchStmt(inner, label)
	case *ast.TypeSwitchStmt:
		b.stmt = b.newStmt(inner)
		b.switcher.typeSwitch(inner, label)
	default:
		b.lowerStmt(inner)
	}
}

func (b *builder) exprStmt(s *ast.ExprStmt) {
	if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
		b.ordering.callsFirst(append([]ast.Expr{call.Fun}, call.Args...)...)
		b.caller.call(call)
		b.warnDiscarded(call)
		return
	}
	b.expr(s.X)
}

// ifStmt lowers an if. Of one whose condition is known only the taken branch exists,
// as for a build tag.
func (b *builder) ifStmt(s *ast.IfStmt) {
	b.simple(s.Init)
	header := b.stmt
	b.ordering.callsFirst(s.Cond)
	cond := b.expr(s.Cond)
	if taken, ok := b.knownBool(cond); ok {
		b.takenBranch(s, taken)
		return
	}
	br := b.openIf(s.If, cond, b.assigned(s))
	b.block(s.Body)
	b.stmt = header
	br.openElse()
	if s.Else != nil {
		b.lowerStmt(s.Else)
	}
	b.stmt = header
	br.close()
}

// takenBranch lowers the only branch that there is of an if.
func (b *builder) takenBranch(s *ast.IfStmt, taken bool) {
	if taken {
		b.block(s.Body)
	} else if s.Else != nil {
		b.lowerStmt(s.Else)
	}
}

// A branch is an If that is being built.
type branch struct {
	b       *Flow
	in      *ssa.Instr
	pos     token.Pos
	outer   *ssa.Block
	dead    bool // outer is
	vars    []*types.Var
	before  []*ssa.Value // of vars, outside
	then    []*ssa.Value // of vars, at the end of the then block
	noThen  bool         // the then block's end is not reached
	was     bool         // what gone was before the If
	gone    bool         // what it was at the end of the then block
	thenEnd *ssa.Block

	mark       int                            // of what is known of memory, before the If
	thenMemory map[*ssa.Value]*comptime.Value // what has changed of it in the then block

	known            map[*types.Var]bool // the variables outside, if there are funcVars
	funcVars         []*types.Var        // variables of function types that are assigned to
	funcs, thenFuncs []*ssa.Value        // what they hold outside, and at the end of the then block
}

// openIf appends an If that assigns to the variables and enters its then block.
func (b *Flow) openIf(pos token.Pos, cond *ssa.Value, vars []*types.Var) *branch {
	br := &branch{b: b, pos: pos, outer: b.cur, dead: b.dead, was: b.gone}
	b.gone = false
	br.vars, br.before = b.mergeable(vars)
	for _, v := range b.expand(vars) {
		if f := b.vars[v]; isFront(f) {
			br.funcVars, br.funcs = append(br.funcVars, v), append(br.funcs, f)
		}
	}
	if br.funcVars != nil {
		br.known = b.knownVars()
	}
	br.in = b.emit(pos, &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}})
	br.mark = b.memory.mark()
	b.cur = br.in.NewBlock()
	return br
}

// openElse leaves the then block and enters the else block.
func (br *branch) openElse() {
	b := br.b
	br.thenEnd, br.noThen, br.gone = b.cur, b.dead, b.gone
	b.gone = false
	br.thenMemory = b.memory.changed(br.mark)
	b.memory.undo(br.mark)
	br.then = make([]*ssa.Value, len(br.vars))
	for i, v := range br.vars {
		br.then[i] = b.vars[v]
		b.vars[v] = br.before[i]
	}
	for i, v := range br.funcVars {
		br.thenFuncs = append(br.thenFuncs, b.vars[v])
		b.vars[v] = br.funcs[i]
	}
	b.cur, b.dead = br.in.NewBlock(), br.dead
}

// close leaves the else block and merges: a variable that an end of the If which
// is reached has given a new value gets a result.
func (br *branch) close() { br.merge(nil, nil) }

// closeWith is close of an If that gives a value, one from each of its blocks.
func (br *branch) closeWith(then, els *ssa.Value) *ssa.Value {
	noElse := br.b.dead
	switch {
	case br.noThen && noElse, !br.noThen && then == poison, !noElse && els == poison:
		br.close()
		return poison
	case br.noThen:
		then = els
	case noElse:
		els = then
	}
	return br.merge(then, els)
}

// merge is close; if there are values the result of those comes first, and is given.
func (br *branch) merge(thenValue, elseValue *ssa.Value) (result *ssa.Value) {
	b := br.b
	elseEnd, noElse := b.cur, b.dead
	gone := br.was || br.gone && b.gone
	var then, els []*ssa.Value
	var merged []*types.Var
	elseMemory := b.memory.changed(br.mark)
	b.memory.undo(br.mark)
	switch {
	case br.noThen:
		b.memory.apply(elseMemory)
	case noElse:
		b.memory.apply(br.thenMemory)
	default:
		b.memory.meet(br.thenMemory, elseMemory)
	}
	sameValue := thenValue != nil && sameKnown(thenValue, elseValue)
	if thenValue != nil && !sameValue {
		then, els, merged = append(then, thenValue), append(els, elseValue), append(merged, nil)
	}
	var known []*types.Var
	for i, v := range br.vars {
		x, y := br.then[i], b.vars[v]
		switch {
		case br.noThen && noElse:
			x, y = br.before[i], br.before[i]
		case br.noThen:
			x = y
		case noElse:
			y = x
		}
		switch {
		case x == poison || y == poison:
			b.vars[v] = poison
		case x == y && visibleIn(br.outer, x):
			b.vars[v] = x
		case sameKnown(x, y):
			b.vars[v], known = x, append(known, v)
		default:
			then, els, merged = append(then, x), append(els, y), append(merged, v)
		}
	}
	for i, v := range br.funcVars {
		switch {
		case br.noThen && noElse: // what follows is not reached
		case noElse:
			b.vars[v] = b.funcAfter(br.outer, br.known, br.thenFuncs[i])
		case br.noThen:
			b.vars[v] = b.funcAfter(br.outer, br.known, b.vars[v])
		default:
			b.vars[v] = b.mergeFront(br.thenFuncs[i], b.vars[v])
		}
	}
	if !br.noThen {
		b.cur = br.thenEnd
		b.emit(br.pos, &ssa.Instr{Op: ssa.OpYield, Args: then})
	}
	if !noElse {
		b.cur = elseEnd
		b.emit(br.pos, &ssa.Instr{Op: ssa.OpYield, Args: els})
	}
	b.cur, b.dead = br.outer, br.dead
	for i, v := range merged {
		if v == nil {
			result = br.in.AddResult(then[i].Type, "")
		} else {
			b.vars[v] = br.in.AddResult(then[i].Type, v.Name())
		}
	}
	if sameValue {
		result = b.again(br.pos, thenValue)
	}
	for _, v := range known {
		b.vars[v] = b.again(br.pos, b.vars[v])
	}
	if br.noThen && noElse {
		b.leave(br.pos, &ssa.Instr{Op: ssa.OpUnreachable})
	}
	b.gone = gone
	return result
}

// mergeable are those of the variables that have a value here which an If or a
// Loop can give on, with the values. A qd.Thread is none: there is only one, so
// that assigning it changes nothing.
func (b *Flow) mergeable(vars []*types.Var) (kept []*types.Var, vals []*ssa.Value) {
	if len(vars) == 0 {
		return nil, nil
	}
	vars = b.expand(vars)
	kept = make([]*types.Var, 0, len(vars))
	vals = make([]*ssa.Value, 0, len(vars))
	for _, v := range vars {
		if val, ok := b.vars[v]; ok && val != poison && val != theGrid && !isPlace(val.Type) && !isFront(val) {
			kept, vals = append(kept, v), append(vals, val)
		}
	}
	return kept, vals
}

func (b *builder) returnStmt(s *ast.ReturnStmt) {
	b.ordering.callsFirst(s.Results...)
	vals := b.exprList(s.Results)
	if len(s.Results) == 0 {
		for _, v := range b.results {
			vals = append(vals, b.value(v))
		}
	}
	if len(b.inlined) > 0 {
		b.inliner.inlineReturn(s, vals)
		return
	}
	b.coerceAll(s.Pos(), vals, b.fn.Results)
	b.leave(s.Pos(), &ssa.Instr{Op: ssa.OpReturn, Args: vals})
}
