package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strconv"

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
}

// An unroller lowers loops that are unrolled.
type unroller struct{ *builder }

// openUnrolling begins the unrolling of a for or range statement.
func (b unroller) openUnrolling(s ast.Stmt, body *ast.BlockStmt, label string, vars []*types.Var) *unrolling {
	u := &unrolling{b: b.builder, s: s, body: body, header: b.Stmt, vars: vars, l: &loop{b: &b.Flow, pos: s.Pos(), label: label}, size: nodes(body)}
	j := check.Jumps(body.List, label)
	u.continues = j.Continues
	if j.Breaks {
		u.l.whole = b.openSegment(s.Pos(), label, vars, nil)
	}
	b.loops = append(b.loops, u.l)
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
	return !b.Gone
}

// within reports whether another turn is within the limits, or says that it is not.
func (u *unrolling) within() bool {
	m := u.b.m
	switch before := m.unrolled; {
	case u.turns == manyTurns:
		m.Warn(check.FirstToken{Stmt: u.s}, "write it as a loop: for i := range n, or with qd.Dynamic(n)", "the loop is unrolled and has more than %d iterations", manyTurns)
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
	b.loops = b.loops[:len(b.loops)-1]
	if u.l.whole != nil {
		u.l.whole.close()
	}
}

// unrollRange lowers a range statement of known iterations.
func (b unroller) unrollRange(s *ast.RangeStmt, label string, over, count *ssa.Value) {
	turns, _ := b.turnsOf(count)
	vars := b.rangeVars(s)
	automatic := b.automatic
	if b.MarkerCall(s.X, "Static") == nil && !b.IsUnpacked(s.X) {
		b.automatic = max(automatic, 1) * turns
	}
	u := b.openUnrolling(s, s.Body, label, vars)
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
			counter := b.Constant(s.For, count.Type, ssa.IntConst(count.Type, uint64(i)))
			b.startTurn(s, counter, func() *ssa.Value { return b.looper.rangeElem(s, over, counter) })
		})
		if !more {
			break
		}
	}
	u.close()
	b.automatic = automatic
}

// rangeVars are the variables declared outside of a range statement that it assigns to.
func (b unroller) rangeVars(s *ast.RangeStmt) (vars []*types.Var) {
	for _, v := range b.assigned(s) {
		if s.Tok != token.DEFINE || v != b.Defined(s.Key) && v != b.Defined(s.Value) {
			vars = append(vars, v)
		}
	}
	return vars
}

// startTurn gives the variables of a range their values for an iteration.
func (b unroller) startTurn(s *ast.RangeStmt, counter *ssa.Value, element func() *ssa.Value) {
	if s.Tok == token.ASSIGN {
		b.looper.rangeAssign(s, counter, element)
		return
	}
	if v := b.Defined(s.Key); v != nil {
		b.Define(v, counter)
	}
	if v := b.Defined(s.Value); v != nil {
		b.Define(v, element())
	}
}

// turnsOf is the number of iterations of a range over an integer, if that is known.
func (b unroller) turnsOf(count *ssa.Value) (turns int64, ok bool) {
	c, ok := b.KnownConst(count)
	if ok && ssa.IsUnsigned(count.Type) && c.Int() < 0 {
		return math.MaxInt64, true
	}
	return max(c.Int(), 0), ok
}

// isUnrolled reports whether a range statement is unrolled: where qd.Static says so, where
// it is over front-end values or an unpacked field, and where it is over a small known number.
func (b unroller) isUnrolled(s *ast.RangeStmt, over, count *ssa.Value) bool {
	turns, ok := b.turnsOf(count)
	switch {
	case !ok:
		return false
	case b.MarkerCall(s.X, "Static") != nil || eval.IsFront(over) || s.Key != nil && !check.IsBlank(s.Key) && b.IsUnpacked(s.X):
		return true
	case !check.IsBasic(b.GoType(s.X), types.IsInteger) || turns > MaxUnroll:
		return false
	}
	return b.MentionsStatic(s.Body) || max(b.automatic, 1)*turns*b.weight(s.Body) <= maxAutomatic
}

// weight is how many nodes of syntax a statement comes to when the loops in it are
// unrolled, as far as can be seen before it is lowered.
func (b unroller) weight(n ast.Node) (sum int64) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sum > maxAutomatic {
			return false
		}
		if n != nil {
			sum++
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			if turns := b.turnsAhead(n.X); turns > 1 {
				sum += turns * b.weight(n.Body)
				return false
			}
		case *ast.CallExpr:
			if f, ok := b.Called(n); ok && f != nil && f.Signature().Recv() != nil && check.IsGrid(f.Signature().Recv().Type()) {
				sum += parallelWeight
			}
		}
		return true
	})
	return sum
}

// turnsAhead is the number of iterations of a range over what is known already, if it is
// going to be unrolled.
func (b unroller) turnsAhead(e ast.Expr) int64 {
	if call := b.MarkerCall(e, "Static"); call != nil {
		if n := b.turnsAhead(call.Args[0]); n > 0 {
			return n
		}
		return MaxUnroll
	}
	var v *ssa.Value
	if tv := b.Info.Types[e]; tv.Value != nil {
		if c, ok := check.ConstOf(ssa.Int64, tv.Value); ok && c.Int() <= MaxUnroll {
			return c.Int()
		}
		return 0
	} else if w := b.OneVar(e); w != nil {
		v = b.Vars[w]
	}
	if c, ok := b.KnownConst(v); ok && ssa.IsInteger(v.Type) && c.Int() <= MaxUnroll {
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
func (b unroller) unrollFor(s *ast.ForStmt, label string, own []*types.Var) {
	vars := b.assigned(s)
	u := b.openUnrolling(s, s.Body, label, vars)
	for {
		b.Stmt = u.header
		b.ordering.callsFirst(s.Cond)
		cond := b.expr(s.Cond)
		if b.IsSymbolic(cond) {
			b.symbolicTurn(u, func() {})
			break
		}
		// Of a condition that has been refused the body is lowered for its errors.
		if c, ok := b.KnownBool(cond); ok && !c || b.Gone {
			break
		}
		b.ToMemory(own)
		more := u.turn("turn "+strconv.Itoa(u.turns), func() {})
		if _, ok := b.KnownBool(cond); !more || !ok {
			break
		}
		b.TurnOver(own)
		inPost := b.InPost(s, own)
		b.ToMemory(inPost)
		b.simple(s.Post)
		b.TurnOver(inPost)
	}
	u.close()
	b.endTurns(own)
}
