package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// rangeStmt lowers loops over integers and slices. A hidden counter starts at zero. It is the user's
// variable if the body does not change that.
func (lo looper) rangeStmt(s *ast.RangeStmt, label string) {
	header := lo.b.Stmt
	over, count := lo.rangeOver(s)
	if lo.b.unroller.isSymbolicRange(s, count) {
		lo.b.unroller.symbolicRange(s, label)
		return
	}
	if lo.b.unroller.isUnrolled(s, over, count) {
		lo.b.unroller.unrollRange(s, label, over, count)
		return
	}
	lo.warnSerial(s)
	over, count, offsets := lo.overString(s, over, count)
	var key, value *types.Var // that := declares
	if s.Tok == token.DEFINE {
		key, value = lo.b.Defined(s.Key), lo.b.Defined(s.Value)
		lo.b.Parallel.Declare(key)
		lo.b.Parallel.Declare(value)
	}
	vars := lo.b.assigned(s)
	name := ""
	if key != nil && !slices.Contains(vars, key) {
		name = key.Name()
	}
	if key != nil || value != nil {
		vars = slices.DeleteFunc(slices.Clone(vars), func(v *types.Var) bool { return v == key || v == value })
	}
	zero := eval.Poison
	if count != eval.Poison {
		zero = lo.b.Constant(s.For, count.Type, ssa.IntConst(count.Type, 0))
	}
	lo.b.ForgetStored(s)
	l := lo.b.openLoop(s.For, label, vars, zero, name)
	l.in.Rolled = lo.isRolled(s.X, count)
	counter := l.counter
	if count == eval.Poison {
		counter = eval.Poison
	}
	l.openBody(s.For, lo.b.Op(s.For, ssa.OpLt, ssa.Bool, counter, count))

	element := func() *ssa.Value {
		return lo.rangeElem(s, over, counter)
	}
	index := counter
	if offsets != nil {
		index = lo.b.load(s.For, lo.b.elemAt(s.For, ref{val: offsets}, counter))
	}
	switch {
	case s.Tok == token.ASSIGN:
		lo.rangeAssign(s, index, element)
	default:
		if lo.b.InMemory[key] {
			lo.b.Define(key, index)
		} else if key != nil {
			lo.b.Vars[key] = index // not by set: the counter is not to have the variable's name where the body changes that
		}
		if value != nil {
			lo.b.Define(value, element())
		}
	}
	lo.b.block(s.Body)
	lo.b.Stmt = header
	l.openPost()
	if count != eval.Poison {
		l.counter = lo.b.Op(s.For, ssa.OpAdd, count.Type, l.counter, lo.b.One(s.For, count.Type))
	}
	l.close(false)
}

// overString takes a table of the runes of a string for the string, the number of them, and a table of their offsets,
// which is nil where each is one byte.
func (lo looper) overString(s *ast.RangeStmt, over, count *ssa.Value) (runes, number, offsets *ssa.Value) {
	text, ok := eval.StringOf(over)
	if !ok {
		return over, count, nil
	}
	var at, rs []uint64
	for i, r := range text {
		at, rs = append(at, uint64(i)), append(rs, uint64(r))
	}
	if pos := s.X.Pos(); len(rs) < len(text) {
		offsets = lo.b.IntegerArray(pos, ssa.Int64, at)
	}
	number = lo.b.Constant(s.X.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(len(rs))))
	return lo.b.IntegerArray(s.X.Pos(), ssa.Int32, rs), number, offsets
}

// rangeOver evaluates the operand of a range: the slice, the array or the pointer to an array, if it is
// one, and the number of iterations, an integer.
func (lo looper) rangeOver(s *ast.RangeStmt) (over, count *ssa.Value) {
	typ := lo.b.GoType(s.X)
	lo.b.ordering.callsFirst(s.X)
	if check.IsBasic(typ, types.IsInteger) {
		c := lo.b.Info.Types[s.X].Value
		if c == nil {
			return eval.Poison, lo.b.expr(s.X)
		}
		// An untyped constant takes the type of the variable.
		if s.Key != nil && !check.IsBlank(s.Key) {
			typ = lo.b.GoType(s.Key)
		}
		t, ok := lo.b.m.TypeOf(typ)
		if !ok {
			return eval.Poison, lo.b.expr(s.X)
		}
		if !ssa.IsInteger(t) {
			return eval.Poison, lo.b.NoValue("a range over an integer with a variable that is none")
		}
		return eval.Poison, lo.b.ConstantOf(s.X.Pos(), t, c)
	}
	if check.IsFunc(typ) { // package load has rewritten all that are right
		return eval.Poison, lo.b.NoValue("a range over a function that is none of an iterator")
	}
	// Go copies an array, so that changes in the body have no effect on the range. Without a second
	// variable no copy is needed.
	if t, ok := lo.b.m.TypeOf(typ); ok && (s.Value == nil || check.IsBlank(s.Value)) && !hasCalls(s.X) {
		if a, ok := t.(ssa.Array); ok {
			return eval.Poison, lo.b.Constant(s.X.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(a.Len)))
		}
	}
	if sel, p, indices := lo.b.UnpackedArray(s.X); sel != nil && (s.Value == nil || check.IsBlank(s.Value)) {
		return eval.Poison, lo.b.operands.unpackedLen(s.X.Pos(), sel, p, indices)
	}
	over = lo.b.expr(s.X)
	if over == eval.Poison {
		return eval.Poison, eval.Poison
	}
	if w, t := eval.ViewOf(over); w != nil {
		if a, ok := t.Underlying().(*types.Pointer).Elem().Underlying().(*types.Array); ok && (s.Value == nil || check.IsBlank(s.Value)) {
			return eval.Poison, lo.b.Constant(s.X.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(a.Len())))
		}
		if w.Slice {
			return w.Base, lo.b.Op(s.X.Pos(), ssa.OpLen, ssa.Int64, w.Base)
		}
		lo.b.m.Refuse(s.X, "range over its indices: for i := range len(p)", "a range over a pointer that unsafe.Pointer has converted is not supported in a kernel")
		return eval.Poison, eval.Poison
	}
	t := over.Type
	if p, ok := t.(ssa.Pointer); ok {
		t = p.Elem
	}
	switch t := t.(type) {
	case *eval.FrontValue:
		return lo.rangeOverFront(s, over)
	case ssa.Slice:
		return over, lo.b.Op(s.X.Pos(), ssa.OpLen, ssa.Int64, over)
	case ssa.Array:
		return over, lo.b.Constant(s.X.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(t.Len)))
	}
	return eval.Poison, lo.b.NoValue("a range over " + lo.b.m.TypeString(typ))
}

// hasCalls reports whether an expression contains calls.
func hasCalls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, isCall := n.(*ast.CallExpr)
		found = found || isCall
		return !found
	})
	return found
}

// rangeElem is the element of this iteration. Its index is in range.
func (lo looper) rangeElem(s *ast.RangeStmt, over, counter *ssa.Value) *ssa.Value {
	pos := s.Value.Pos()
	if over == eval.Poison || counter == eval.Poison {
		return eval.Poison
	}
	if s, ok := eval.StringOf(over); ok {
		c, _ := lo.b.KnownConst(counter)
		r, _ := utf8.DecodeRuneInString(s[c.Int():])
		return lo.b.Constant(pos, ssa.Int32, ssa.IntConst(ssa.Int32, uint64(r)))
	}
	if eval.IsFront(over) {
		return lo.b.FrontElem(pos, over, counter)
	}
	r := ref{val: over}
	if _, ok := over.Type.(ssa.Pointer); ok {
		r = lo.b.deref(pos, over)
	}
	return lo.b.load(pos, lo.b.elemAt(pos, r, counter))
}

// rangeTypes returns the types of the iteration values of a range. The second one is nil for a range over an integer. A
// value that Go cannot range over has neither.
func (lo looper) rangeTypes(s *ast.RangeStmt) (key, elem types.Type) {
	t := lo.b.GoType(s.X)
	switch {
	case check.Invalid(t):
		return nil, nil
	case check.IsBasic(t, types.IsInteger):
		return types.Default(t), nil
	case check.IsBasic(t, types.IsString):
		return types.Typ[types.Int], types.Universe.Lookup("rune").Type()
	case check.IsPointer(t):
		t = t.Underlying().(*types.Pointer).Elem()
	}
	switch t.Underlying().(type) {
	case *types.Array, *types.Slice:
		return types.Typ[types.Int], check.ElemType(t)
	}
	return nil, nil
}

// rangeAssign gives the variables of a range without := their values.
func (lo looper) rangeAssign(s *ast.RangeStmt, counter *ssa.Value, element func() *ssa.Value) {
	key := lo.b.assigner.place(s.Key)
	var value place
	var elem *ssa.Value
	keyType, elemType := lo.rangeTypes(s)
	if s.Value != nil {
		value, elem = lo.b.assigner.place(s.Value), element()
		elem = lo.b.boxed(s.Value, elem, elemType, value.typ())
	}
	counter = lo.b.boxed(s.Key, counter, keyType, key.typ())
	if key.v != nil && key.path == nil && lo.b.Locals[key.v] == nil {
		lo.b.Vars[key.v] = counter // not by set, as above
	} else {
		lo.b.assigner.assign(key, counter)
	}
	if s.Value != nil {
		lo.b.assigner.assign(value, elem)
	}
}
