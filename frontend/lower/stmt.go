package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

func (b *builder) block(s *ast.BlockStmt) { b.stmts(s.List) }

// stmts lowers a list of statements. Code after a statement that never comes to its end, such as a return, is lowered
// for its errors. But if a known value is the reason, as after "if n.V == 0 { return }", the code is for other values
// and need not make sense for this one, so it is not lowered.
func (b *builder) stmts(list []ast.Stmt) {
	gone := false
	for _, s := range list {
		b.lowerStmt(s)
		if !b.Gone {
			continue
		}
		if !b.Terminates(s, "") {
			return
		}
		gone, b.Gone = true, false
	}
	b.Gone = gone
}

// lowerStmt lowers a statement. The instructions that it becomes share one
// record of it; a header's is that of its "for", "if" or "switch".
func (b *builder) lowerStmt(s ast.Stmt) {
	b.m.NoteLowered(s)
	switch s := s.(type) {
	case *ast.BlockStmt:
		b.block(s)
		return
	case *ast.LabeledStmt:
		b.labeled(s)
		return
	}
	b.Stmt = b.NewStmt(s)
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
		b.RefuseStmt(s)
	}
}

// labeled lowers a labelled statement. Labels of others than loops and switches
// are only of use to goto, which package load has replaced.
func (b *builder) labeled(s *ast.LabeledStmt) {
	label := s.Label.Name
	switch inner := s.Stmt.(type) {
	case *ast.ForStmt:
		b.Stmt = b.NewStmt(inner)
		b.looper.forStmt(inner, label)
	case *ast.RangeStmt:
		b.Stmt = b.NewStmt(inner)
		b.looper.rangeStmt(inner, label)
	case *ast.SwitchStmt:
		b.Stmt = b.NewStmt(inner)
		b.switcher.switchStmt(inner, label)
	case *ast.TypeSwitchStmt:
		b.Stmt = b.NewStmt(inner)
		b.switcher.typeSwitch(inner, label)
	default:
		b.lowerStmt(inner)
	}
}

func (b *builder) exprStmt(s *ast.ExprStmt) {
	if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
		if b.BuiltinName(call) != "panic" { // whose argument need not be known
			b.ordering.callsFirst(append([]ast.Expr{call.Fun}, call.Args...)...)
		}
		b.dropped = call
		b.caller.call(call)
		b.WarnDiscarded(call)
		return
	}
	b.expr(s.X)
}

// ifStmt lowers an if. Of one whose condition is known only the taken branch exists,
// as for a build tag.
func (b *builder) ifStmt(s *ast.IfStmt) {
	b.simple(s.Init)
	header := b.Stmt
	b.ordering.callsFirst(s.Cond)
	cond := b.expr(s.Cond)
	if taken, ok := b.KnownBool(cond); ok {
		b.takenBranch(s, taken)
		return
	}
	br := b.openIf(s.If, cond, b.assigned(s))
	b.block(s.Body)
	b.Stmt = header
	br.openElse()
	if s.Else != nil {
		b.lowerStmt(s.Else)
	}
	b.Stmt = header
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

	outside          map[*types.Var]bool // the variables outside, if there are funcVars
	funcVars         []*types.Var        // variables of function types that are assigned to
	funcs, thenFuncs []*ssa.Value        // what they hold outside, and at the end of the then block

	doubtful bool // it depends on a value that is not there which block is lowered for a launch
	unsure   bool // the same, of a loop's turns too
}

// openIf appends an If that assigns to the variables and enters its then block.
func (b *Flow) openIf(pos token.Pos, cond *ssa.Value, vars []*types.Var) *branch {
	br := &branch{b: b, pos: pos, outer: b.Cur, dead: b.Dead, was: b.Gone}
	b.Gone = false
	br.vars, br.before = b.mergeable(vars)
	for _, v := range b.Expand(vars) {
		if f := b.Vars[v]; eval.IsFront(f) {
			br.funcVars, br.funcs = append(br.funcVars, v), append(br.funcs, f)
		}
	}
	if br.funcVars != nil {
		br.outside = b.DeclaredVars()
	}
	if br.doubtful = b.IsDoubtful(cond); br.doubtful {
		b.Facts.Doubt++
		b.unsure++
	}
	br.unsure = br.doubtful
	br.in = b.Emit(pos, &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}})
	br.mark = b.Memory.Mark()
	b.Cur = br.in.NewBlock()
	return br
}

// certain takes an If for one of which both blocks are lowered for a launch.
func (br *branch) certain() {
	if br.doubtful {
		br.b.Facts.Doubt--
		br.doubtful = false
	}
}

// openElse leaves the then block and enters the else block.
func (br *branch) openElse() {
	b := br.b
	br.thenEnd, br.noThen, br.gone = b.Cur, b.Dead, b.Gone
	b.Gone = false
	br.thenMemory = b.Memory.Changed(br.mark)
	b.Memory.Undo(br.mark)
	br.then = make([]*ssa.Value, len(br.vars))
	for i, v := range br.vars {
		br.then[i] = b.Vars[v]
		b.Vars[v] = br.before[i]
	}
	for i, v := range br.funcVars {
		br.thenFuncs = append(br.thenFuncs, b.Vars[v])
		b.Vars[v] = br.funcs[i]
	}
	b.Cur, b.Dead = br.in.NewBlock(), br.dead
}

// close leaves the else block and merges: a variable that an end of the If which
// is reached has given a new value gets a result.
func (br *branch) close() { br.merge(nil, nil) }

// closeWith is close of an If that gives a value, one from each of its blocks.
func (br *branch) closeWith(then, els *ssa.Value) *ssa.Value {
	noElse := br.b.Dead
	switch {
	case br.noThen && noElse, !br.noThen && then == eval.Poison, !noElse && els == eval.Poison:
		br.close()
		return eval.Poison
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
	elseEnd, noElse := b.Cur, b.Dead
	if br.doubtful && br.noThen == noElse { // else one block has left, and what follows goes with the other one
		b.Facts.Doubt--
	}
	if br.unsure && br.noThen == noElse {
		b.unsure--
	}
	gone := br.was || br.gone && b.Gone
	var then, els []*ssa.Value
	var merged []*types.Var
	br.mergeMemory(noElse)
	met := br.meetInterfaces(noElse)
	sameValue := thenValue != nil && eval.SameKnown(thenValue, elseValue)
	if thenValue != nil && !sameValue {
		then, els, merged = append(then, thenValue), append(els, elseValue), append(merged, nil)
	}
	var known []*types.Var
	for i, v := range br.vars {
		x, y := br.then[i], b.Vars[v]
		switch {
		case br.noThen && noElse:
			x, y = br.before[i], br.before[i]
		case br.noThen:
			x = y
		case noElse:
			y = x
		}
		switch {
		case x == eval.Poison || y == eval.Poison:
			b.Vars[v] = eval.Poison
		case x == y && eval.VisibleIn(br.outer, x):
			b.Vars[v] = x
		case eval.SameKnown(x, y):
			b.Vars[v], known = x, append(known, v)
		default:
			if val, ok := br.tilesMeet(v.Name(), x, y); ok {
				b.Vars[v] = val
				continue
			}
			then, els, merged = append(then, x), append(els, y), append(merged, v)
		}
	}
	br.mergeFuncs(noElse, met)
	if !br.noThen {
		b.Cur = br.thenEnd
		b.Emit(br.pos, &ssa.Instr{Op: ssa.OpYield, Args: then})
	}
	if !noElse {
		b.Cur = elseEnd
		b.Emit(br.pos, &ssa.Instr{Op: ssa.OpYield, Args: els})
	}
	b.Cur, b.Dead = br.outer, br.dead
	for i, v := range merged {
		if v == nil {
			result = br.in.AddResult(then[i].Type, "")
		} else {
			b.Vars[v] = br.in.AddResult(then[i].Type, v.Name())
			if br.doubtful && (eval.IsKnown(then[i]) || eval.IsKnown(els[i])) {
				b.MarkSymbolic(b.Vars[v]) // a launch may know it
			}
		}
	}
	if sameValue {
		result = b.Again(br.pos, thenValue)
	}
	for _, v := range known {
		b.Vars[v] = b.Again(br.pos, b.Vars[v])
	}
	met.close(b)
	if br.noThen && noElse {
		b.Leave(br.pos, &ssa.Instr{Op: ssa.OpUnreachable})
	}
	b.Gone = gone
	return result
}

// mergeMemory sets the known contents of variables in memory to those after the If. Before the call, they are those at
// the end of the else block.
func (br *branch) mergeMemory(noElse bool) {
	elseMemory := br.b.Memory.Changed(br.mark)
	br.b.Memory.Undo(br.mark)
	switch {
	case br.noThen:
		br.b.Memory.Apply(elseMemory)
	case noElse:
		br.b.Memory.Apply(br.thenMemory)
	default:
		br.b.Memory.Meet(br.thenMemory, elseMemory)
	}
}

// mergeFuncs gives the variables with front-end values those behind the If, but for the ones that met has.
func (br *branch) mergeFuncs(noElse bool, met metInterfaces) {
	b := br.b
	for i, v := range br.funcVars {
		switch {
		case br.noThen && noElse: // what follows is not reached
		case met.holds(v):
		case noElse:
			b.Vars[v] = b.FuncAfter(br.outer, br.outside, br.thenFuncs[i])
		case br.noThen:
			b.Vars[v] = b.FuncAfter(br.outer, br.outside, b.Vars[v])
		default:
			b.Vars[v] = b.MergeFront(br.thenFuncs[i], b.Vars[v])
		}
	}
}

// mergeable returns the variables that have a value here which an If or a Loop can pass on, and these values. A
// qd.Thread is not among them: there is only one, so an assignment changes nothing.
func (b *Flow) mergeable(vars []*types.Var) (kept []*types.Var, vals []*ssa.Value) {
	if len(vars) == 0 {
		return nil, nil
	}
	vars = b.Expand(vars)
	kept = make([]*types.Var, 0, len(vars))
	vals = make([]*ssa.Value, 0, len(vars))
	for _, v := range vars {
		if val, ok := b.Vars[v]; ok && val != eval.Poison && val != eval.TheGrid && !check.IsPlace(val.Type) && !eval.IsFront(val) {
			kept, vals = append(kept, v), append(vals, val)
		}
	}
	return kept, vals
}

func (b *builder) returnStmt(s *ast.ReturnStmt) {
	b.ordering.callsFirst(s.Results...)
	vals := b.exprList(s.Results)
	if len(b.inlined) > 0 {
		results := b.inlined[len(b.inlined)-1].results
		vals = b.asAll(s.Results, vals, func(i int) types.Type {
			if i < len(results) {
				return results[i].Type()
			}
			return nil
		})
	}
	if len(s.Results) == 0 {
		for _, v := range b.results {
			vals = append(vals, b.Value(v))
		}
	}
	if len(b.inlined) > 0 {
		b.inliner.inlineReturn(s, vals)
		return
	}
	b.CoerceAll(s.Pos(), vals, b.Func.Results)
	b.Leave(s.Pos(), &ssa.Instr{Op: ssa.OpReturn, Args: vals})
}
