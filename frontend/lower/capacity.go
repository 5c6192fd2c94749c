package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A capacityNeed says how much code needs the capacity of a slice.
type capacityNeed uint8

const (
	noNeed      capacityNeed = iota
	someNeed                 // of x[i:j] in a checked build: if it is not known, the length stands for it
	callersNeed              // of x[i:j:k]: the same, but callers know the capacity that a parameter has
	mustNeed                 // of cap and append: it has to be known
)

// capacitiesIn notes the variables of a body whose capacity the code needs, and how much: operands of cap, append and
// x[i:j:k], in a checked build also of x[i:j], and everything that is assigned to such a variable.
func (b *builder) capacitiesIn(body ast.Node) map[*types.Var]capacityNeed {
	in := b.m.syntaxIn(&b.Checks, body)
	needs := map[*types.Var]capacityNeed{}
	needOf := func(v *types.Var) capacityNeed {
		switch {
		case b.Capacities.Must[v]:
			return mustNeed
		case b.Capacities.Needed[v]:
			return max(needs[v], someNeed)
		}
		return needs[v]
	}
	need := func(v *types.Var, n capacityNeed) bool {
		if v == nil || needOf(v) >= n {
			return false
		}
		needs[v] = n
		return true
	}
	for _, x := range in.sliced {
		switch {
		case x.Max != nil:
			need(b.slicedVar(x.X), callersNeed)
		case x.High != nil && b.slicesChecked():
			need(b.slicedVar(x.X), someNeed)
		}
	}
	for _, call := range in.grown {
		need(b.slicedVar(call.Args[0]), mustNeed)
		b.wantCapacity(call.Args[0])
	}
	for _, call := range in.calls {
		most := b.m.capacitiesFor(call.f.Origin())
		if most == noNeed {
			continue
		}
		for _, arg := range call.Args {
			need(b.slicedVar(arg), most)
			if most == mustNeed {
				b.wantCapacity(arg)
			}
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			need(b.slicedVar(sel.X), most)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, a := range in.assigned {
			if a.from != nil {
				changed = need(b.slicedVar(a.from), needOf(a.to)) || changed
			}
		}
	}
	if len(needs) > 0 && b.Capacities.Needed == nil {
		b.Capacities.Needed, b.Capacities.Must, b.Capacities.Moving = map[*types.Var]bool{}, map[*types.Var]bool{}, map[*types.Var]bool{}
	}
	for v, n := range needs {
		b.Capacities.Needed[v] = true
		if n == mustNeed {
			b.Capacities.Must[v] = true
		}
	}
	for _, a := range in.assigned {
		if a.from != nil && b.Capacities.Must[a.to] {
			b.wantCapacity(a.from)
		}
		if b.Capacities.Needed[a.to] && !b.keepsCapacity(a.to, a.from) {
			b.Capacities.Moving[a.to] = true
		}
	}
	return needs
}

// wantCapacity notes that code needs the capacity of a slice that an expression gives: if that is the result of a
// function, it is known where the function is lowered into its caller.
func (b *Checks) wantCapacity(e ast.Expr) {
	switch x := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		if x.Max == nil {
			b.wantCapacity(x.X)
		}
	case *ast.CallExpr:
		if f, ok := b.Called(x); !ok || f == nil || !check.IsSlice(b.GoType(x)) {
			return
		}
		if b.Capacities.Calls == nil {
			b.Capacities.Calls = map[*ast.CallExpr]bool{}
		}
		b.Capacities.Calls[x] = true
	}
}

// anyVar is the variable that an identifier declares or names.
func (b *Checks) anyVar(e ast.Expr) *types.Var {
	if e == nil {
		return nil
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := b.Info.ObjectOf(id).(*types.Var)
	return v
}

// slicedVar is the variable whose array an expression is a slice of, nil if that is no variable, or if the expression
// says where the slice ends.
func (b *Checks) slicedVar(e ast.Expr) *types.Var {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return b.anyVar(x)
	case *ast.SliceExpr:
		if x.Max == nil {
			return b.slicedVar(x.X)
		}
	case *ast.CallExpr:
		if len(x.Args) > 0 && (b.BuiltinName(x) == "append" || len(x.Args) == 1 && b.Info.Types[x.Fun].IsType()) {
			return b.slicedVar(x.Args[0])
		}
	}
	return nil
}

// keepsCapacity reports whether an assignment to a variable leaves it the capacity that it has.
func (b *builder) keepsCapacity(v *types.Var, from ast.Expr) bool {
	if from == nil {
		return false
	}
	switch x := ast.Unparen(from).(type) {
	case *ast.Ident:
		return b.anyVar(x) == v
	case *ast.SliceExpr:
		low := b.Info.Types[x.Low].Value
		if x.Low == nil || low != nil && low.String() == "0" {
			return x.Max == nil && b.keepsCapacity(v, x.X)
		}
	case *ast.CallExpr:
		return len(x.Args) > 0 && b.BuiltinName(x) == "append" && b.keepsCapacity(v, x.Args[0])
	}
	return false
}

// slicesChecked reports whether x[i:j] is compared with the capacity of x in the body.
func (b *builder) slicesChecked() bool {
	return b.m.Opts.Checked || b.Func.Kind == ssa.GridKernel
}

// needsCapacities reports whether a function needs the capacity of a slice that it is given. It is lowered into its
// callers, which know that.
func (m *Module) needsCapacities(f *types.Func) bool { return m.capacitiesFor(f) >= callersNeed }

// capacitiesFor says how much a function needs the capacities of what it is given.
func (m *Module) capacitiesFor(f *types.Func) capacityNeed {
	if need, ok := m.capacities[f]; ok {
		return need
	}
	src := m.Prog.Function(f)
	if src == nil {
		return noNeed
	}
	if m.capacities == nil {
		m.capacities = map[*types.Func]capacityNeed{}
	}
	m.capacities[f] = noNeed // as far as a call that leads back to it is concerned
	given := eval.ReceiverAndParams(f.Signature())
	if !slices.ContainsFunc(given, func(v *types.Var) bool { return !check.OnlyBasic(v.Type()) && !check.IsThread(v.Type()) }) {
		return noNeed // such as the methods of Thread
	}
	scan := newBuilder(m, &eval.Function{Src: src, Fn: ssa.NewFunc(""), Open: true}, m.ScopeOf(src, nil))
	needs := scan.capacitiesIn(src.Decl.Body)
	most := noNeed
	for _, v := range given {
		most = max(most, needs[v])
	}
	m.capacities[f] = most
	return most
}

// givesRoom reports whether a call in a checked build gives a slice with elements behind its end to a function that
// slices it. Such a function is lowered into its caller, which knows how many elements there are. A function that calls
// itself cannot be.
func (b *builder) givesRoom(f *eval.Func, args []*ssa.Value) bool {
	if !b.m.mayWantRoom(f) {
		return false
	}
	for _, arg := range args {
		if _, ok := arg.Type.(ssa.Slice); ok && arg != eval.Poison && !b.IsGiven(arg) && b.KnowsCapacity(arg) && !isWhole(arg) {
			return true
		}
	}
	return false
}

// mayWantRoom reports whether calls of a function may be lowered into their callers for what is behind the slices that
// they give.
func (m *Module) mayWantRoom(f *eval.Func) bool {
	return m.Opts.Checked && m.capacitiesFor(f.Obj.Origin()) != noNeed && !m.IsRecursive(f)
}

// isWhole reports whether a slice is all of an array.
func isWhole(v *ssa.Value) bool {
	return v.Def != nil && (v.Def.Op == ssa.OpSliceOf || v.Def.Op == ssa.OpShared || v.Def.Op == ssa.OpZero)
}

// capacity is the capacity of a slice that an expression has given. One that is not known is refused.
func (b *builder) capacity(e ast.Expr, x *ssa.Value) *ssa.Value {
	if x == eval.Poison {
		return eval.Poison
	}
	if c := b.CapacityOf(e.Pos(), x); c != nil {
		return c
	}
	if b.IsCapacityRefused(b.slicedVar(e)) {
		return eval.Poison
	}
	b.refuseRoom(e, "make the slice in the kernel, with make or from an array, and keep it in a variable", "the capacity of %s is not known at compile time", types.ExprString(e))
	return eval.Poison
}

// appendCall lowers append: the elements are written behind those of the slice, in its array. Where the array ends, the
// launch does.
func (is intrinsics) appendCall(e *ast.CallExpr) *ssa.Value {
	if !is.b.m.Arity(e, 1) {
		return eval.Poison
	}
	typ := is.b.GoType(e)
	if zeros := is.zerosOf(e); zeros != nil {
		return is.appendZeros(e, typ, zeros)
	}
	args := is.b.exprList(e.Args)
	if typ == nil || check.Invalid(typ) {
		return is.b.NoValue("append to what is no slice")
	}
	t, ok := is.b.m.TypeOf(typ)
	slice, isSlice := t.(ssa.Slice)
	if !ok || !isSlice || is.b.InStatic > 0 {
		is.b.m.Refuse(e, "write the elements of an array", "append to a %s is not supported in a kernel", is.b.m.TypeString(typ))
		return eval.Poison
	}
	pos := e.Pos()
	x := is.b.CoerceTo(pos, args[0], typ)
	if eval.AnyPoison(args) || x == eval.Poison {
		return eval.Poison
	}
	more := args[1:]
	tail, ok := is.appended(e, typ, more)
	switch {
	case !ok:
		return eval.Poison
	case len(more) == 0:
		return x
	case tail != nil && tail.Type != ssa.Type(slice):
		return is.b.NoValue("append of a " + tail.Type.String())
	}
	capacity := is.b.capacity(e.Args[0], x)
	if capacity == eval.Poison {
		return eval.Poison
	}
	if is.b.IsGiven(x) && tail == nil {
		is.b.m.Refuse(e, "pass a slice that is large enough and write its elements, or append to a part of it: x[:n]",
			"a kernel cannot allocate memory: %s ends where its elements do", types.ExprString(e.Args[0]))
		return eval.Poison
	}
	old := is.b.Op(pos, ssa.OpLen, ssa.Int64, x)
	added := is.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(len(more))))
	if tail != nil {
		added = is.b.Op(pos, ssa.OpLen, ssa.Int64, tail)
	}
	length := is.b.Op(pos, ssa.OpAdd, ssa.Int64, old, added)
	if is.b.AppendsToNothing(e) {
		return is.appendToNothing(e, slice, x, tail, more, length)
	}
	if tail == nil && !is.mayFit(e, old, len(more), capacity) {
		return eval.Poison
	}
	if !is.b.panicIf(e, is.b.Op(pos, ssa.OpGt, ssa.Bool, length, capacity), "append to a full slice: a kernel cannot allocate memory for more than its capacity") {
		return eval.Poison
	}
	whole := is.b.Op(pos, ssa.OpSubslice, slice, x, is.b.Zero(pos, ssa.Int64), length)
	is.b.NoteCapacity(whole, capacity)
	if tail != nil {
		is.b.Op(pos, ssa.OpCopy, ssa.Int64, is.b.Op(pos, ssa.OpSubslice, slice, whole, old, length), tail)
		return whole
	}
	for i, v := range more {
		at := old
		if i > 0 {
			at = is.b.Op(pos, ssa.OpAdd, ssa.Int64, old, is.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i))))
		}
		is.b.Store(pos, is.b.Op(pos, ssa.OpIndexAddr, ssa.Pointer(slice), whole, at), is.b.Coerce(pos, v, slice.Elem))
	}
	return whole
}

// appended converts the operands of append behind the slice to the type of its elements; or gives the slice behind
// which the dots are, the tail. It is not ok where an error was reported.
func (is intrinsics) appended(e *ast.CallExpr, typ types.Type, more []*ssa.Value) (tail *ssa.Value, ok bool) {
	if e.Ellipsis.IsValid() && len(more) == 1 {
		from := e.Args[1]
		if check.IsBasic(is.b.GoType(from), types.IsString) {
			tail = is.b.BytesOfString(from, more[0])
		} else {
			tail = is.b.CoerceTo(e.Pos(), more[0], typ)
		}
		return tail, tail != eval.Poison
	}
	elem := check.ElemType(typ)
	for i, arg := range more {
		if more[i] = is.b.CoerceTo(e.Args[min(i+1, len(e.Args)-1)].Pos(), arg, elem); more[i] == eval.Poison {
			return nil, false
		}
	}
	return nil, true
}

// mayFit reports whether so many elements may fit behind the old length of a slice. Where they cannot, that is an
// error.
func (is intrinsics) mayFit(e *ast.CallExpr, old *ssa.Value, elements int, capacity *ssa.Value) bool {
	most, ok := capacity.Const()
	if !ok {
		return true
	}
	need := int64(elements)
	if c, ok := is.b.KnownConst(old); ok {
		need += c.Int()
	}
	if need > most.Int() {
		is.refuseFull(e, most.Int())
		return false
	}
	return true
}

// panicIf ends the launch in every build where a condition holds. It is false where it cannot stand here.
func (b *builder) panicIf(e ast.Node, cond *ssa.Value, message string) bool {
	if c, ok := b.KnownBool(cond); ok && !c {
		return true
	}
	if !b.mayPanicHere(e) {
		return false
	}
	br := b.openIf(e.Pos(), cond, nil)
	br.certain()
	b.Leave(e.Pos(), &ssa.Instr{Op: ssa.OpPanic, Message: message})
	br.openElse()
	br.close()
	return true
}

// makeCall lowers make of a slice whose capacity is known: a new array of zeros, or its beginning.
func (is intrinsics) makeCall(e *ast.CallExpr) *ssa.Value {
	typ := is.b.GoType(e)
	if !check.IsSlice(typ) {
		return is.refuseMake(e, typ)
	}
	t, ok := is.b.m.TypeOf(typ)
	if !ok {
		if is.b.m.IllTyped() {
			return is.b.NoValue("make of a slice of no type")
		}
		why, hint := is.b.m.UnsupportedType(typ)
		is.b.m.Refuse(e, hint, "make(%s): %s", is.b.m.TypeString(typ), why)
		return eval.Poison
	}
	slice := t.(ssa.Slice)
	if len(e.Args) < 2 {
		return is.b.NoValue("make of a slice without a length")
	}
	length := is.b.operands.index(e.Args[1])
	capacity, most := length, e.Args[1]
	if len(e.Args) > 2 {
		capacity, most = is.b.operands.index(e.Args[2]), e.Args[2]
	}
	if length == eval.Poison || capacity == eval.Poison {
		return eval.Poison
	}
	c, ok := is.b.KnownConst(capacity)
	switch n := c.Int(); {
	case !ok && is.b.IsSymbolic(capacity):
		return is.b.Symbolic(e.Pos(), typ)
	case !ok:
		hint := "pass the slice as an argument, or give make a constant capacity: make([]T, n, 64)"
		is.b.m.Refuse(e, hint, "a kernel cannot allocate memory: the capacity %s is not known at compile time", types.ExprString(most))
		return eval.Poison
	case n < 0:
		is.b.m.Refuse(most, "the minimum is 0", "make of a slice of %d elements", n)
		return eval.Poison
	case !is.b.FitsLocal(e, slice, int(n), "the slice"):
		return eval.Poison
	}
	if l, ok := is.b.KnownConst(length); ok && (l.Int() < 0 || l.Int() > c.Int()) {
		is.b.m.Refuse(e.Args[1], "make it smaller, or the capacity larger", "make of a slice of %d elements with capacity %d", l.Int(), c.Int())
		return eval.Poison
	} else if !ok && is.b.checked() {
		negative := is.b.Op(e.Pos(), ssa.OpLt, ssa.Bool, length, is.b.Zero(e.Pos(), ssa.Int64))
		above := is.b.Op(e.Pos(), ssa.OpGt, ssa.Bool, length, capacity)
		if !is.b.panicIf(e, negative, "runtime error: makeslice: len out of range") ||
			!is.b.panicIf(e, above, "runtime error: makeslice: cap out of range") {
			return eval.Poison
		}
	}
	whole := is.b.NewSlice(e, slice, is.b.Zero(e.Pos(), ssa.Array{Elem: slice.Elem, Len: int(c.Int())}))
	if len(e.Args) == 2 || whole == eval.Poison {
		return whole
	}
	return is.b.Op(e.Pos(), ssa.OpSubslice, slice, whole, is.b.Zero(e.Pos(), ssa.Int64), length)
}

// refuseMake refuses make of what is no slice.
func (is intrinsics) refuseMake(e *ast.CallExpr, typ types.Type) *ssa.Value {
	if typ == nil || check.Invalid(typ) {
		return is.b.NoValue("make of no type")
	}
	why, hint := is.b.m.UnsupportedType(typ)
	is.b.m.Refuse(e, hint, "%s", why)
	return eval.Poison
}
