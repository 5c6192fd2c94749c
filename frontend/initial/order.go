package initial

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"slices"
)

// This file is about calls beside operands that are variables, or elements of something. Go makes the calls in their
// order, and leaves open whether it reads the variables before a call or after it. Go's compiler makes all calls of a
// statement first, and so does a machine. Like calls it takes most built-in functions, slice expressions, && and ||,
// type assertions, and conversions from strings to slices; the right side of && and || has its own calls first.
//
// The compiler reads a few other operands early, because it needs them in memory: as keys of some maps, in interfaces,
// and to compare them. It depends on their types and on its version which these are. So a machine evaluates them twice,
// where they stand and after the calls, and refuses what makes a difference.

// An operand is an expression, and the type that it is converted to, or nil.
type operand struct {
	e ast.Expr
	t types.Type

	pinned bool // it may be read where it stands
}

// ahead is what has been evaluated of a statement before the rest of it.
type ahead struct {
	values map[ast.Expr][]any // of calls, and what goes with them
	early  map[ast.Expr]early // operands that may be read where they stand
	calls  int                // how many have been made
}

// early is what an operand was where it stands, and how many calls had been made then.
type early struct {
	v     any
	calls int
}

// operandsOf are expressions that nothing converts.
func operandsOf(list ...ast.Expr) (all []operand) {
	for _, e := range list {
		if e != nil {
			all = append(all, operand{e: e})
		}
	}
	return all
}

// ordered does something that evaluates expressions of one statement, after the calls in them.
func (f *frame) ordered(list []operand, do func()) {
	old := f.ahead
	f.ahead = nil
	if slices.ContainsFunc(list, func(x operand) bool { return f.hasCall(x.e) }) {
		f.ahead = &ahead{values: map[ast.Expr][]any{}, early: map[ast.Expr]early{}}
		for _, x := range list {
			f.hoistAs(x.e, x.t)
			if x.pinned {
				f.pin(x.e)
			}
		}
	}
	do()
	f.ahead = old
}

// exprOrdered is the value of an expression, after the calls in it.
func (f *frame) exprOrdered(e ast.Expr) (v any) {
	f.ordered(operandsOf(e), func() { v = f.expr(e) })
	return v
}

// hasCall reports whether an expression calls functions that may change something, other than those of literals in it.
func (f *frame) hasCall(e ast.Expr) bool {
	if found, met := f.machine.calls[e]; met {
		return found
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			switch tv := f.info.Types[x.Fun]; {
			case tv.IsType():
			case tv.IsBuiltin():
				found = found || f.isBuiltin(x, "append") || f.isBuiltin(x, "copy")
			default:
				found = true
			}
		}
		return !found
	})
	f.machine.calls[e] = found
	return found
}

func (f *frame) isBuiltin(e *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	return ok && id.Name == name && f.info.Types[e.Fun].IsBuiltin()
}

// appendsTo are the map and the key of m[key] = append(m[key], ...), which Go's compiler looks up once.
func (f *frame) appendsTo(s *ast.AssignStmt) []operand {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || f.hasCall(s.Lhs[0]) {
		return nil
	}
	to, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if _, isMap := f.typeOf(to.X).Underlying().(*types.Map); !isMap || !ok || !f.isBuiltin(call, "append") {
		return nil
	}
	all := []operand{{e: to.Index, pinned: true}}
	if _, isName := ast.Unparen(to.X).(*ast.Ident); !isName {
		all = append(all, operand{e: to.X, pinned: true})
	}
	return all
}

// hoistAs evaluates the calls in an expression, which is converted to a type, or to none if this is nil.
func (f *frame) hoistAs(e ast.Expr, t types.Type) {
	f.hoist(e)
	if t == nil || !types.IsInterface(t) || f.info.Types[e].IsNil() {
		return
	}
	if from := f.typeOf(e); !types.IsInterface(from) && needsMemory(from) {
		f.pin(e)
	}
}

// hoist evaluates the calls in an expression, inner before outer, and what goes with them, and keeps their values for
// when the expression is evaluated.
func (f *frame) hoist(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if tv := f.info.Types[e]; tv.Value != nil || tv.IsType() {
			return false
		}
		switch e := e.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			return f.hoistBinary(e)
		case *ast.SliceExpr:
			f.hoist(e.X)
			for _, bound := range [...]ast.Expr{e.Low, e.High, e.Max} {
				if bound == nil {
					continue
				}
				f.hoist(bound)
				if _, isName := ast.Unparen(bound).(*ast.Ident); !isName {
					f.pin(bound)
				}
			}
			f.keep(e)
			return false
		case *ast.TypeAssertExpr:
			f.hoist(e.X)
			switch t := f.typeOf(e.Type); {
			case f.info.TypeOf(e.Type) != t: // it depends on a type parameter
				f.pin(e)
			case !isDirect(t):
				f.keep(e)
			}
			return false
		case *ast.IndexExpr:
			return f.hoistIndex(e)
		case *ast.CompositeLit:
			f.hoistLiteral(e)
			return false
		case *ast.CallExpr:
			if f.info.Types[e.Fun].IsType() {
				f.hoistConversion(e)
			} else {
				f.hoistCall(e)
			}
			return false
		}
		return true
	})
}

// hoistBinary reports whether the operands of an operator are still to be looked at.
func (f *frame) hoistBinary(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.LAND, token.LOR:
		f.hoist(e.X)
		f.keep(e)
		return false
	case token.EQL, token.NEQ:
		if f.info.Types[e.X].IsNil() || f.info.Types[e.Y].IsNil() {
			return true
		}
		t := f.operandType(e)
		f.hoistAs(e.X, t)
		f.hoistAs(e.Y, t)
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
			f.pin(e.X)
			f.pin(e.Y)
		}
		return false
	}
	return true
}

// hoistIndex reports whether the operands of an index expression are still to be looked at.
func (f *frame) hoistIndex(e *ast.IndexExpr) bool {
	t := f.typeOf(e.X)
	if t == nil {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return true
	}
	f.hoist(e.X)
	f.hoistAs(e.Index, m.Key())
	f.hoistKey(e.Index, m)
	if f.bytesAsKey(e.Index) {
		f.keep(e)
	}
	return false
}

// hoistKey looks at a key of a map. Maps with keys of one word, or strings, have functions of their own, which get the
// key itself.
func (f *frame) hoistKey(key ast.Expr, m *types.Map) {
	if k, ok := m.Key().Underlying().(*types.Basic); ok {
		switch k.Kind() {
		case types.Int32, types.Uint32, types.Int64, types.Uint64, types.Int, types.Uint, types.Uintptr, types.String:
			switch m.Elem().Underlying().(type) {
			case *types.Struct, *types.Array: // the map may be of another kind if they are large
			default:
				return
			}
		}
	}
	f.pin(key)
}

// bytesAsKey reports whether a key is a string made of bytes, or has one in it: Go's compiler looks it up at once.
func (f *frame) bytesAsKey(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if tv := f.info.Types[e.Fun]; tv.IsType() && isString(f.typeOf(e)) {
			_, ok := f.typeOf(e.Args[0]).Underlying().(*types.Slice)
			return ok
		}
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if f.bytesAsKey(x) {
				return true
			}
		}
	}
	return false
}

func (f *frame) hoistLiteral(e *ast.CompositeLit) {
	t := f.typeOf(e).Underlying()
	if p, ok := t.(*types.Pointer); ok { // &T{...} in a list without its type
		t = p.Elem().Underlying()
	}
	if _, ok := t.(*types.Map); ok {
		f.keep(e) // each of its elements is a statement
		return
	}
	for i, x := range e.Elts {
		var to types.Type
		kv, keyed := x.(*ast.KeyValueExpr)
		if keyed {
			x = kv.Value
		}
		switch u := t.(type) {
		case *types.Struct:
			to = u.Field(fieldOf(u, i, kv)).Type()
		case *types.Array:
			to = u.Elem()
		case *types.Slice:
			to = u.Elem()
		}
		f.hoistAs(x, to)
	}
}

func (f *frame) hoistConversion(e *ast.CallExpr) {
	f.hoistAs(e.Args[0], f.typeOf(e))
	if f.info.Types[e.Args[0]].IsNil() {
		return
	}
	if _, ok := f.typeOf(e).Underlying().(*types.Slice); ok && isString(f.typeOf(e.Args[0])) {
		f.keep(e)
	}
}

func (f *frame) hoistCall(e *ast.CallExpr) {
	if f.info.Types[e.Fun].IsBuiltin() {
		for i, arg := range e.Args {
			var to types.Type
			if i > 0 && f.isBuiltin(e, "append") && !e.Ellipsis.IsValid() {
				to = f.typeOf(e).Underlying().(*types.Slice).Elem()
			}
			f.hoistAs(arg, to)
		}
		f.keep(e)
		return
	}
	f.hoist(e.Fun) // where a receiver or a function comes from
	if x, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && f.isDynamic(x) {
		// The compiler may find out which type the interface holds, and assert it where it stands.
		f.ahead.early[x.Sel] = early{f.machine.copied(f.holder(x, f.info.Selections[x])), f.ahead.calls}
	}
	sig := f.typeOf(e.Fun).Underlying().(*types.Signature)
	for i, arg := range e.Args {
		var to types.Type
		switch params := sig.Params(); {
		case sig.Variadic() && i >= params.Len()-1:
			if to = params.At(params.Len() - 1).Type(); !e.Ellipsis.IsValid() {
				to = to.(*types.Slice).Elem()
			}
		case i < params.Len():
			to = params.At(i).Type()
		}
		if _, several := f.typeOf(arg).(*types.Tuple); several {
			to = nil
		}
		f.hoistAs(arg, to)
	}
	f.keep(e)
}

// isDynamic reports whether an expression selects a method of an interface.
func (f *frame) isDynamic(e *ast.SelectorExpr) bool {
	sel := f.info.Selections[e]
	if sel == nil || sel.Kind() != types.MethodVal || !types.IsInterface(sel.Obj().(*types.Func).Signature().Recv().Type()) {
		return false
	}
	return len(sel.Index()) > 1 || types.IsInterface(f.typeOf(e.X))
}

// keep evaluates an expression before its turn, in which the calls have been made.
func (f *frame) keep(e ast.Expr) {
	f.ahead.values[e] = f.several(e)
	if f.hasCall(e) {
		f.ahead.calls++
	}
}

// kept are the values of an expression that has been evaluated before its turn.
func (f *frame) kept(e ast.Expr) ([]any, bool) {
	if f.ahead == nil {
		return nil, false
	}
	v, ok := f.ahead.values[e]
	return v, ok
}

// pin evaluates an operand where it stands. Calls that stand behind it must not change it.
func (f *frame) pin(e ast.Expr) {
	e = ast.Unparen(e)
	if _, ok := f.kept(e); ok || f.info.Types[e].Value != nil || f.info.Types[e].IsNil() {
		return
	}
	delete(f.ahead.early, e)
	v := f.several(e)
	f.ahead.early[e] = early{f.machine.copied(v[0]), f.ahead.calls}
}

// unchanged makes sure that an operand is what it was where it stands, if it may be read there.
func (f *frame) unchanged(e ast.Expr, v any) {
	if f.ahead == nil {
		return
	}
	if was, ok := f.ahead.early[e]; ok && was.calls != f.ahead.calls && !same(was.v, v) {
		panic(f.machine.failed("it reads what a call beside it changes, in an order that Go leaves open"))
	}
}

// same reports whether two values are the same in all their bits.
func same(x, y any) bool {
	switch x := x.(type) {
	case *block:
		y := y.(*block)
		return slices.EqualFunc(x.cells, y.cells, same)
	case boxed:
		y := y.(boxed)
		if x.t == nil || y.t == nil {
			return x.t == y.t
		}
		return types.Identical(x.t, y.t) && same(x.v, y.v)
	case float64:
		return math.Float64bits(x) == math.Float64bits(y.(float64))
	case complex128:
		y := y.(complex128)
		return same(real(x), real(y)) && same(imag(x), imag(y))
	}
	return reflect.TypeOf(x) == reflect.TypeOf(y) && x == y
}

// needsMemory reports whether Go's compiler may need a value of a type in memory to put it in an interface.
func needsMemory(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	case *types.Basic:
		switch u.Kind() {
		case types.Int8, types.Uint8:
			return true
		}
		return u.Info()&(types.IsBoolean|types.IsComplex) != 0
	}
	return false
}

// isDirect reports whether a value of a type is one pointer.
func isDirect(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		return u.NumFields() == 1 && isDirect(u.Field(0).Type())
	case *types.Array:
		return u.Len() == 1 && isDirect(u.Elem())
	}
	return false
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
