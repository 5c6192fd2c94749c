package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"unicode/utf8"

	"github.com/qdgen/qd/ssa"
)

// A loop is what break and continue leave: the Loop of a for statement that is being
// built; a for statement that is unrolled; a switch that something breaks out of.
type loop struct {
	b        *Flow
	in       *ssa.Instr
	pos      token.Pos
	label    string
	isSwitch bool
	outer    *ssa.Block

	// What a break and a continue leave where there is no Loop.
	whole, turn *segment
	dead        bool // outer is

	// The Loop's variables: the counter of a range first, if there is one.
	counter *ssa.Value
	vars    []*types.Var

	funcVars []*types.Var // variables of function types that are assigned to

	breaks int // that are reached
	mark   int // of what is known of memory
}

// openLoop appends a Loop that carries the variables, and a counter if init is
// its first value, and enters its condition.
func (b *Flow) openLoop(pos token.Pos, label string, vars []*types.Var, init *ssa.Value, counterName string) *loop {
	l := &loop{b: b, pos: pos, label: label, outer: b.cur, dead: b.dead}
	l.funcVars = b.forgetFuncs(vars)
	kept, vals := b.mergeable(vars)
	l.vars = kept
	if init != nil {
		vals = append([]*ssa.Value{init}, vals...)
	}
	l.in = b.emit(pos, &ssa.Instr{Op: ssa.OpLoop, Label: label, Args: vals})
	b.escapeTurns(vals)
	l.mark = b.memory.mark()
	b.loops = append(b.loops, l)
	l.enter(l.in.NewBlock())
	if init != nil {
		l.counter = b.cur.AddParam(init.Type, counterName)
	}
	for i, v := range l.vars {
		b.vars[v] = b.cur.AddParam(vals[len(vals)-len(l.vars)+i].Type, v.Name())
	}
	return l
}

func (l *loop) enter(block *ssa.Block) {
	l.b.cur, l.b.dead, l.b.gone = block, l.dead, false
}

// openBody ends the condition and enters the body.
func (l *loop) openBody(pos token.Pos, cond *ssa.Value) {
	l.b.emit(pos, &ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{cond}})
	l.enter(l.in.NewBlock())
}

// values are what the Loop's variables hold here.
func (l *loop) values() []*ssa.Value {
	vals := make([]*ssa.Value, 0, 1+len(l.vars))
	if l.counter != nil {
		vals = append(vals, l.counter)
	}
	for _, v := range l.vars {
		vals = append(vals, l.b.value(v))
	}
	return vals
}

// openPost ends the body and enters the post part.
func (l *loop) openPost() {
	if !l.b.dead {
		l.b.emit(l.pos, &ssa.Instr{Op: ssa.OpContinue, Target: l.in, Args: l.values()})
	}
	l.enter(l.in.NewBlock())
	l.b.memory.undo(l.mark)
	l.b.forgetFuncs(l.funcVars)
	if l.counter != nil {
		l.counter = l.b.cur.AddParam(l.counter.Type, l.counter.Name)
	}
	for i, v := range l.vars {
		b := l.b
		b.vars[v] = b.cur.AddParam(l.in.Args[len(l.in.Args)-len(l.vars)+i].Type, v.Name())
	}
}

// close ends the post part and the loop. An endless one is left by break only.
func (l *loop) close(endless bool) {
	b := l.b
	b.emit(l.pos, &ssa.Instr{Op: ssa.OpYield, Args: l.values()})
	b.memory.undo(l.mark)
	b.loops = b.loops[:len(b.loops)-1]
	b.cur, b.dead, b.gone = l.outer, l.dead, false
	b.forgetFuncs(l.funcVars)
	if l.counter != nil {
		l.in.AddResult(l.counter.Type, l.counter.Name)
	}
	for i, v := range l.vars {
		b.vars[v] = l.in.AddResult(l.in.Args[len(l.in.Args)-len(l.vars)+i].Type, v.Name())
	}
	if endless && l.breaks == 0 {
		b.leave(l.pos, &ssa.Instr{Op: ssa.OpUnreachable})
		b.gone = !l.dead // breaks of a dead loop are not counted
	}
}

func (b *Flow) branchStmt(s *ast.BranchStmt) {
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		b.refuseStmt(s)
		return
	}
	l := b.target(s)
	if l == nil {
		b.m.mustBeIllTyped(s.Tok.String() + " outside a loop")
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
		if !b.dead {
			l.breaks++
		}
	}
	b.leave(s.Pos(), &ssa.Instr{Op: op, Target: l.in, Args: l.values()})
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
type looper struct{ *builder }

// forStmt lowers the loops with a condition or three clauses, part by part. Each
// turn of a Go loop has its own copy of the variables, which only closures and
// pointers could tell from one: of those in memory each turn makes a new one.
func (b looper) forStmt(s *ast.ForStmt, label string) {
	header := b.stmt
	own := b.turnVars(s)
	b.simple(s.Init)
	if s.Cond != nil && b.markerCall(s.Cond, "Static") != nil {
		b.unroller.unrollFor(s, label, own)
		return
	}
	vars := b.assigned(s)
	for _, v := range own {
		if !slices.Contains(vars, v) {
			vars = append(slices.Clip(vars), v)
		}
	}
	b.forgetStored(s)
	l := b.openLoop(s.For, label, vars, nil, "")
	endless := s.Cond == nil
	// A condition that changes variables, has statements, or needs the turn's variables
	// in memory, is the first thing of the body.
	inside := !endless && (len(b.assignedInExpr(s.Cond)) > 0 || b.inliner.inlines(s.Cond))
	for _, v := range own {
		inside = inside || !endless && b.addresses(s.Cond, v)
	}
	switch {
	case endless || inside:
		l.openBody(s.For, b.constant(s.For, ssa.Bool, ssa.BoolConst(true)))
	default:
		b.ordering.callsFirst(s.Cond)
		cond := b.expr(s.Cond)
		endless, _ = b.knownBool(cond)
		l.openBody(s.Cond.Pos(), cond)
	}
	b.toMemory(own)
	if inside {
		b.ordering.callsFirst(s.Cond)
		b.breakUnless(l, s.Cond.Pos(), b.expr(s.Cond))
	}
	b.block(s.Body)
	b.stmt = header
	l.openPost()
	b.toValues(own)
	b.toMemory(b.inPost(s, own))
	dead := b.dead
	if b.simple(s.Post); b.dead && !dead {
		b.m.refuse(s.Post, "call it in the loop's body", "a call in the header of a loop that does not come back is not supported")
	}
	l.close(endless)
	b.endTurns(own)
}

// turnVars are the variables of a for statement of which each turn needs one in
// memory. The init statement sees them as values.
func (b *Flow) turnVars(s *ast.ForStmt) (own []*types.Var) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return nil
	}
	for _, lhs := range init.Lhs {
		if v := b.defined(lhs); v != nil && b.inMemory[v] {
			own = append(own, v)
			delete(b.inMemory, v)
		}
	}
	return own
}

// inPost are those of a for statement's own variables whose address its post statement takes.
func (b *Scope) inPost(s *ast.ForStmt, own []*types.Var) (list []*types.Var) {
	for _, v := range own {
		if s.Post != nil && b.addresses(s.Post, v) {
			list = append(list, v)
		}
	}
	return list
}

// endTurns is the end of what turnVars has begun.
func (b *Flow) endTurns(own []*types.Var) {
	b.toValues(own)
	for _, v := range own {
		b.inMemory[v] = true
	}
}

// toMemory puts variables that are values into memory, those that have a value.
func (b *Variables) toMemory(vars []*types.Var) {
	for _, v := range vars {
		if val := b.vars[v]; val != nil && val != poison {
			b.local(v, v.Pos(), val)
		}
	}
}

// toValues forgets the addresses of variables.
func (b *Variables) toValues(vars []*types.Var) {
	for _, v := range vars {
		delete(b.locals, v)
	}
}

// breakUnless leaves a loop from its body where a condition is false.
func (b *Flow) breakUnless(l *loop, pos token.Pos, cond *ssa.Value) {
	br := b.openIf(pos, cond, nil)
	br.openElse()
	if !b.dead {
		l.breaks++
	}
	b.leave(pos, &ssa.Instr{Op: ssa.OpBreak, Target: l.in, Args: l.values()})
	br.close()
}

// rangeStmt lowers the loops over integers and slices: a hidden counter runs
// from zero, and is the user's variable where the body leaves that alone.
func (b looper) rangeStmt(s *ast.RangeStmt, label string) {
	header := b.stmt
	over, count := b.rangeOver(s)
	if b.unroller.isSymbolicRange(s, count) {
		b.unroller.symbolicRange(s, label)
		return
	}
	if b.unroller.isUnrolled(s, over, count) {
		b.unroller.unrollRange(s, label, over, count)
		return
	}
	var key, value *types.Var // that := declares
	if s.Tok == token.DEFINE {
		key, value = b.defined(s.Key), b.defined(s.Value)
		b.parallel.declare(key)
		b.parallel.declare(value)
	}
	vars := b.assigned(s)
	name := ""
	if key != nil && !slices.Contains(vars, key) {
		name = key.Name()
	}
	if key != nil || value != nil {
		vars = slices.DeleteFunc(slices.Clone(vars), func(v *types.Var) bool { return v == key || v == value })
	}
	zero := poison
	if count != poison {
		zero = b.constant(s.For, count.Type, ssa.IntConst(count.Type, 0))
	}
	b.forgetStored(s)
	l := b.openLoop(s.For, label, vars, zero, name)
	counter := l.counter
	if count == poison {
		counter = poison
	}
	l.openBody(s.For, b.op(s.For, ssa.OpLt, ssa.Bool, counter, count))

	element := func() *ssa.Value {
		return b.rangeElem(s, over, counter)
	}
	switch {
	case s.Tok == token.ASSIGN:
		b.rangeAssign(s, counter, element)
	default:
		if b.inMemory[key] {
			b.define(key, counter)
		} else if key != nil {
			b.vars[key] = counter // not by set: the counter is not to have the variable's name where the body changes that
		}
		if value != nil {
			b.define(value, element())
		}
	}
	b.block(s.Body)
	b.stmt = header
	l.openPost()
	if count != poison {
		l.counter = b.op(s.For, ssa.OpAdd, count.Type, l.counter, b.one(s.For, count.Type))
	}
	l.close(false)
}

// rangeOver evaluates what a range goes over: the slice, the array or the pointer to
// one, if it is any, and the number of turns, an integer.
func (b looper) rangeOver(s *ast.RangeStmt) (over, count *ssa.Value) {
	typ := b.goType(s.X)
	b.ordering.callsFirst(s.X)
	if isBasic(typ, types.IsInteger) {
		c := b.info.Types[s.X].Value
		if c == nil {
			return poison, b.expr(s.X)
		}
		// An untyped constant takes the type of the variable.
		if s.Key != nil && !isBlank(s.Key) {
			typ = b.goType(s.Key)
		}
		t, ok := b.m.typeOf(typ)
		if !ok {
			return poison, b.expr(s.X)
		}
		if !ssa.IsInteger(t) {
			return poison, b.noValue("a range over an integer with a variable that is none")
		}
		return poison, b.constantOf(s.X.Pos(), t, c)
	}
	if isFunc(typ) {
		b.m.refuse(s.X, "write the loop out", "range over a function is not supported in a kernel")
		return poison, poison
	}
	// Go copies an array: what the body changes in it does not show. Without a
	// second variable there is nothing to copy.
	if t, ok := b.m.typeOf(typ); ok && (s.Value == nil || isBlank(s.Value)) && !hasCalls(s.X) {
		if a, ok := t.(ssa.Array); ok {
			return poison, b.constant(s.X.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(a.Len)))
		}
	}
	if sel, p, indices := b.unpackedArray(s.X); sel != nil && (s.Value == nil || isBlank(s.Value)) {
		return poison, b.operands.unpackedLen(s.X.Pos(), sel, p, indices)
	}
	over = b.expr(s.X)
	if over == poison {
		return poison, poison
	}
	t := over.Type
	if p, ok := t.(ssa.Pointer); ok {
		t = p.Elem
	}
	switch t := t.(type) {
	case *frontValue:
		return b.rangeOverFront(s, over)
	case ssa.Slice:
		return over, b.op(s.X.Pos(), ssa.OpLen, ssa.Int64, over)
	case ssa.Array:
		return over, b.constant(s.X.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(t.Len)))
	}
	return poison, b.noValue("a range over " + b.m.typeString(typ))
}

// hasCalls reports whether an expression has calls in it, of anything.
func hasCalls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, isCall := n.(*ast.CallExpr)
		found = found || isCall
		return !found
	})
	return found
}

// rangeElem is the element of this turn. Its index is in range.
func (b looper) rangeElem(s *ast.RangeStmt, over, counter *ssa.Value) *ssa.Value {
	pos := s.Value.Pos()
	if over == poison || counter == poison {
		return poison
	}
	if s, ok := stringOf(over); ok {
		c, _ := b.knownConst(counter)
		r, _ := utf8.DecodeRuneInString(s[c.Int():])
		return b.constant(pos, ssa.Int32, ssa.IntConst(ssa.Int32, uint64(r)))
	}
	if isFront(over) {
		return b.frontElem(pos, over, counter)
	}
	r := ref{val: over}
	if _, ok := over.Type.(ssa.Pointer); ok {
		r = b.deref(pos, over)
	}
	return b.load(pos, b.elemAt(pos, r, counter))
}

// rangeAssign gives the variables of a range without := their values.
func (b looper) rangeAssign(s *ast.RangeStmt, counter *ssa.Value, element func() *ssa.Value) {
	key := b.assigner.place(s.Key)
	var value place
	var elem *ssa.Value
	if s.Value != nil {
		value, elem = b.assigner.place(s.Value), element()
	}
	if key.v != nil && b.locals[key.v] == nil {
		b.vars[key.v] = counter // not by set, as above
	} else {
		b.assigner.assign(key, counter)
	}
	if s.Value != nil {
		b.assigner.assign(value, elem)
	}
}

// defined is the variable that an identifier declares, nil for none and for the
// blank one.
func (b *Scope) defined(e ast.Expr) *types.Var {
	if e == nil || isBlank(e) {
		return nil
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		b.m.mustBeIllTyped("a declaration of what is no name")
		return nil
	}
	v, _ := b.info.Defs[id].(*types.Var)
	return v
}

// isBlank reports whether e is the blank identifier.
func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}
