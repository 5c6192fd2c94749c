package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A loop over a range that is known at compile time is unrolled: its body is lowered
// once for each iteration, with variables that are known.

const (
	// MaxUnroll is qd.MaxUnroll.
	MaxUnroll = 16

	// maxAutomatic is how much code an unrolled loop may come to, if nothing in the
	// source demands that it be unrolled: in nodes of syntax, with its inner loops.
	maxAutomatic = 8192

	// parallelWeight is what a parallel loop of a Grid kernel counts for there: each
	// is a kernel of its own.
	parallelWeight = 1024

	// manyTurns are worth a warning, and maxTurns an error, since few compilers get
	// through with them. The code of all unrolled loops together, in nodes of syntax,
	// is at most maxUnrolled.
	manyTurns   = 1024
	maxTurns    = 1 << 16
	maxUnrolled = 1 << 20
)

// An unrolling is a loop that is being unrolled.
type unrolling struct {
	b         *builder
	s         ast.Stmt
	body      *ast.BlockStmt
	header    *ssa.Stmt
	l         *loop
	vars      []*types.Var // that are assigned in it
	continues bool
	size      int // of the body
	turns     int
	total     int  // iterations, of the loops in it where there are such
	warned    bool // of so many iterations, or of those of a loop in it
}

// An unroller lowers loops that are unrolled.
type unroller struct{ b *builder }

// openUnrolling begins the unrolling of a for or range statement.
func (un unroller) openUnrolling(s ast.Stmt, body *ast.BlockStmt, label string, vars []*types.Var) *unrolling {
	u := &unrolling{b: un.b, s: s, body: body, header: un.b.Stmt, vars: vars, l: &loop{b: &un.b.Flow, pos: s.Pos(), label: label}, size: nodes(body)}
	j := check.Jumps(body.List, label)
	u.continues = j.Continues
	if j.Breaks {
		u.l.whole = un.b.openSegment(s.Pos(), label, vars, nil)
	}
	un.b.loops = append(un.b.loops, u.l)
	un.b.m.unrollings = append(un.b.m.unrollings, u)
	return u
}

// turn lowers one iteration, for which start gives the variables their values; the name is
// for comments. It reports whether there may be another.
func (u *unrolling) turn(name string, start func()) bool {
	b := u.b
	if !u.within() {
		return false
	}
	defer func(turn string) { b.Turn = turn }(b.Turn)
	if b.Turn != "" {
		b.Turn += ", "
	}
	b.Turn += name
	u.turns++
	before := u.total
	mark := b.Memory.Mark()
	b.Stmt = u.header
	if u.continues {
		u.l.turn = b.openSegment(u.s.Pos(), "", u.vars, nil)
	}
	start()
	b.block(u.body)
	b.Stmt = u.header
	if u.continues {
		u.l.turn.close()
	}
	b.Memory.ForgetNew(mark)
	if u.total == before { // there is no unrolled loop in it
		b.m.countTurn()
	}
	return !b.Gone
}

// countTurn counts an iteration for all the loops that are being unrolled, and warns of the innermost one that has
// very many.
func (m *Module) countTurn() {
	for _, u := range m.unrollings {
		u.total++
	}
	for i, u := range slices.Backward(m.unrollings) {
		if u.total <= manyTurns || u.warned {
			continue
		}
		at := check.FirstToken{Stmt: u.s}
		if u.total == u.turns {
			m.Warn(at, "write it as a loop: for i := range n, or with qd.Dynamic(n)", "the loop is unrolled and has more than %d iterations", manyTurns)
		} else {
			m.Warn(at, "write it, or a loop in it, as a loop: for i := range n, or with qd.Dynamic(n)",
				"the loop and loops in it are unrolled and have more than %d iterations together", manyTurns)
		}
		for _, outer := range m.unrollings[:i+1] {
			outer.warned = true
		}
		return
	}
}

// within reports whether another turn is within the limits, or says that it is not.
func (u *unrolling) within() bool {
	m := u.b.m
	switch before := m.unrolled; {
	case u.turns == maxTurns:
		m.Refuse(check.FirstToken{Stmt: u.s}, "write it as a loop, and unroll an inner one", "an unrolled loop has more than %d iterations", maxTurns)
		return false
	case before > maxUnrolled:
		return false
	}
	if m.unrolled += u.size; m.unrolled > maxUnrolled {
		m.Refuse(check.FirstToken{Stmt: u.s}, "unroll only the inner loops", "the unrolled loops of the kernel are too much code")
		return false
	}
	return true
}

// close ends the unrolling.
func (u *unrolling) close() {
	b := u.b
	b.remark("unroll", ssa.Done, u.s, "the loop is unrolled: %d iterations", u.turns)
	b.loops = b.loops[:len(b.loops)-1]
	b.m.unrollings = b.m.unrollings[:len(b.m.unrollings)-1]
	if u.l.whole != nil {
		u.l.whole.close()
	}
}

// unrollRange lowers a range statement of known iterations.
func (un unroller) unrollRange(s *ast.RangeStmt, label string, over, count *ssa.Value) {
	turns, _ := un.turnsOf(count)
	vars := un.rangeVars(s)
	automatic := un.b.automatic
	if un.b.MarkerCall(s.X, "Static") == nil && !un.b.IsUnpacked(s.X) {
		un.b.automatic = max(automatic, 1) * turns
	}
	u := un.openUnrolling(s, s.Body, label, vars)
	name := "turn "
	if s.Key != nil && !check.IsBlank(s.Key) {
		name = types.ExprString(s.Key) + " = "
	}
	offsets := []int64(nil)
	if s, ok := eval.StringOf(over); ok {
		for i := range s {
			offsets = append(offsets, int64(i))
		}
		turns = int64(len(offsets))
	}
	for i := range turns {
		if offsets != nil {
			i = offsets[i]
		}
		more := u.turn(name+strconv.FormatInt(i, 10), func() {
			counter := un.b.Constant(s.For, count.Type, ssa.IntConst(count.Type, uint64(i)))
			un.startTurn(s, counter, func() *ssa.Value { return un.b.looper.rangeElem(s, over, counter) })
		})
		if !more {
			break
		}
	}
	u.close()
	un.b.automatic = automatic
}

// rangeVars are the variables declared outside of a range statement that it assigns to.
func (un unroller) rangeVars(s *ast.RangeStmt) (vars []*types.Var) {
	for _, v := range un.b.assigned(s) {
		if s.Tok != token.DEFINE || v != un.b.Defined(s.Key) && v != un.b.Defined(s.Value) {
			vars = append(vars, v)
		}
	}
	return vars
}

// startTurn gives the variables of a range their values for an iteration.
func (un unroller) startTurn(s *ast.RangeStmt, counter *ssa.Value, element func() *ssa.Value) {
	if s.Tok == token.ASSIGN {
		un.b.looper.rangeAssign(s, counter, element)
		return
	}
	if v := un.b.Defined(s.Key); v != nil {
		un.b.Define(v, counter)
	}
	if v := un.b.Defined(s.Value); v != nil {
		un.b.Define(v, element())
	}
}

// turnsOf is the number of iterations of a range over an integer, if that is known.
func (un unroller) turnsOf(count *ssa.Value) (turns int64, ok bool) {
	c, ok := un.b.KnownConst(count)
	if ok && ssa.IsUnsigned(count.Type) && c.Int() < 0 {
		return math.MaxInt64, true
	}
	return max(c.Int(), 0), ok
}

// isUnrolled reports whether a range statement is unrolled: where qd.Static says so, where
// it is over front-end values or an unpacked field, and where it is over a small known number.
func (un unroller) isUnrolled(s *ast.RangeStmt, over, count *ssa.Value) bool {
	turns, ok := un.turnsOf(count)
	switch {
	case !ok:
		un.missed(s, "the number of its iterations is known only when the kernel runs")
		return false
	case un.b.MarkerCall(s.X, "Static") == nil && un.isLongString(s, over):
		return false
	case un.b.MarkerCall(s.X, "Static") != nil || eval.IsFront(over) || s.Key != nil && !check.IsBlank(s.Key) && un.b.IsUnpacked(s.X):
		return true
	case !check.IsBasic(un.b.GoType(s.X), types.IsInteger):
		un.missed(s, "it is over elements, not over an integer; for i := range qd.Static(len(x)) is unrolled")
		return false
	case turns > MaxUnroll:
		un.missed(s, "it has %d iterations, and %d are unrolled unasked; range over qd.Static(n) to unroll it", turns, MaxUnroll)
		return false
	}
	if un.b.MentionsStatic(s.Body) || max(un.b.automatic, 1)*turns*un.weight(s.Body) <= maxAutomatic {
		return true
	}
	un.missed(s, "its %d iterations, with those of the loops around it, would be too much code; range over qd.Static(n) to unroll it", turns)
	return false
}

// missed says why a loop stays one in the SSA.
func (un unroller) missed(s ast.Stmt, format string, args ...any) {
	un.b.remark("unroll", ssa.Missed, s, "the loop is not unrolled: "+format, args...)
}

// isLongString reports whether a range is over a string with so many runes that a loop over a table of them is better.
func (un unroller) isLongString(s *ast.RangeStmt, over *ssa.Value) bool {
	text, ok := eval.StringOf(over)
	turns := int64(utf8.RuneCountInString(text))
	return ok && turns > MaxUnroll && !un.b.MentionsStatic(s.Body) && max(un.b.automatic, 1)*turns*un.weight(s.Body) > maxAutomatic
}

// weight is how many nodes of syntax a statement comes to when the loops in it are
// unrolled, as far as can be seen before it is lowered.
func (un unroller) weight(n ast.Node) (sum int64) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sum > maxAutomatic {
			return false
		}
		if n != nil {
			sum++
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			if turns := un.turnsAhead(n.X); turns > 1 {
				sum += turns * un.weight(n.Body)
				return false
			}
		case *ast.CallExpr:
			if f, ok := un.b.Called(n); ok && f != nil && f.Signature().Recv() != nil && check.IsGrid(f.Signature().Recv().Type()) {
				sum += parallelWeight
			}
		}
		return true
	})
	return sum
}

// turnsAhead is the number of iterations of a range over what is known already, if it is
// going to be unrolled.
func (un unroller) turnsAhead(e ast.Expr) int64 {
	if call := un.b.MarkerCall(e, "Static"); call != nil {
		if n := un.turnsAhead(call.Args[0]); n > 0 {
			return n
		}
		return MaxUnroll
	}
	var v *ssa.Value
	if tv := un.b.Info.Types[e]; tv.Value != nil {
		if c, ok := check.ConstOf(ssa.Int64, tv.Value); ok && c.Int() <= MaxUnroll {
			return c.Int()
		}
		return 0
	} else if w := un.b.OneVar(e); w != nil {
		v = un.b.Vars[w]
	}
	if c, ok := un.b.KnownConst(v); ok && ssa.IsInteger(v.Type) && c.Int() <= MaxUnroll {
		return c.Int()
	}
	return 0
}

// nodes is the number of nodes of a piece of syntax.
func nodes(n ast.Node) (sum int) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n != nil {
			sum++
		}
		return true
	})
	return sum
}

// unrollFor lowers a for statement with a condition that is a call of qd.Static: a loop
// that runs when the kernel is compiled.
func (un unroller) unrollFor(s *ast.ForStmt, label string, own []*types.Var) {
	vars := un.b.assigned(s)
	u := un.openUnrolling(s, s.Body, label, vars)
	for {
		un.b.Stmt = u.header
		un.b.ordering.callsFirst(s.Cond)
		cond := un.b.expr(s.Cond)
		if un.b.IsSymbolic(cond) {
			un.symbolicTurn(u, func() {})
			break
		}
		// Of a condition that has been refused the body is lowered for its errors.
		if c, ok := un.b.KnownBool(cond); ok && !c || un.b.Gone {
			break
		}
		un.b.ToMemory(own)
		more := u.turn("turn "+strconv.Itoa(u.turns), func() {})
		if _, ok := un.b.KnownBool(cond); !more || !ok {
			break
		}
		un.b.TurnOver(own)
		inPost := un.b.InPost(s, own)
		un.b.ToMemory(inPost)
		un.b.simple(s.Post)
		un.b.TurnOver(inPost)
	}
	u.close()
	un.b.endTurns(own)
}
