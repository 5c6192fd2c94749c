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

// An ordering evaluates calls before the rest of a statement.
type ordering struct{ frame *frame }

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
	o, old := ordering{f}, f.ahead
	f.ahead = nil
	if slices.ContainsFunc(list, func(x operand) bool { return o.hasCall(x.e) }) {
		f.ahead = &ahead{values: map[ast.Expr][]any{}, early: map[ast.Expr]early{}}
		for _, x := range list {
			o.hoistAs(x.e, x.t)
			if x.pinned {
				o.pin(x.e)
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
func (o ordering) hasCall(e ast.Expr) bool {
	if found, met := o.frame.machine.calls[e]; met {
		return found
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			switch tv := o.frame.info.Types[x.Fun]; {
			case tv.IsType():
			case tv.IsBuiltin():
				found = found || o.isBuiltin(x, "append") || o.isBuiltin(x, "copy")
			default:
				found = true
			}
		}
		return !found
	})
	o.frame.machine.calls[e] = found
	return found
}

func (o ordering) isBuiltin(e *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	return ok && id.Name == name && o.frame.info.Types[e.Fun].IsBuiltin()
}

// appendsTo are the map and the key of m[key] = append(m[key], ...), which Go's compiler looks up once.
func (o ordering) appendsTo(s *ast.AssignStmt) []operand {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || o.hasCall(s.Lhs[0]) {
		return nil
	}
	to, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if _, isMap := o.frame.typeOf(to.X).Underlying().(*types.Map); !isMap || !ok || !o.isBuiltin(call, "append") {
		return nil
	}
	all := []operand{{e: to.Index, pinned: true}}
	if _, isName := ast.Unparen(to.X).(*ast.Ident); !isName {
		all = append(all, operand{e: to.X, pinned: true})
	}
	return all
}

// hoistAs evaluates the calls in an expression, which is converted to a type, or to none if this is nil.
func (o ordering) hoistAs(e ast.Expr, t types.Type) {
	o.hoist(e)
	if t == nil || !types.IsInterface(t) || o.frame.info.Types[e].IsNil() {
		return
	}
	if from := o.frame.typeOf(e); !types.IsInterface(from) && needsMemory(from) {
		o.pin(e)
	}
}

// hoist evaluates the calls in an expression, inner before outer, and what goes with them, and keeps their values for
// when the expression is evaluated.
func (o ordering) hoist(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if tv := o.frame.info.Types[e]; tv.Value != nil || tv.IsType() {
			return false
		}
		switch e := e.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			return o.hoistBinary(e)
		case *ast.SliceExpr:
			o.hoist(e.X)
			for _, bound := range [...]ast.Expr{e.Low, e.High, e.Max} {
				if bound == nil {
					continue
				}
				o.hoist(bound)
				if _, isName := ast.Unparen(bound).(*ast.Ident); !isName {
					o.pin(bound)
				}
			}
			o.keep(e)
			return false
		case *ast.TypeAssertExpr:
			o.hoist(e.X)
			switch t := o.frame.typeOf(e.Type); {
			case o.frame.info.TypeOf(e.Type) != t: // it depends on a type parameter
				o.pin(e)
			case !isDirect(t):
				o.keep(e)
			}
			return false
		case *ast.IndexExpr:
			return o.hoistIndex(e)
		case *ast.CompositeLit:
			o.hoistLiteral(e)
			return false
		case *ast.CallExpr:
			if o.frame.info.Types[e.Fun].IsType() {
				o.hoistConversion(e)
			} else {
				o.hoistCall(e)
			}
			return false
		}
		return true
	})
}

// hoistBinary reports whether the operands of an operator are still to be looked at.
func (o ordering) hoistBinary(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.LAND, token.LOR:
		o.hoist(e.X)
		o.keep(e)
		return false
	case token.EQL, token.NEQ:
		if o.frame.info.Types[e.X].IsNil() || o.frame.info.Types[e.Y].IsNil() {
			return true
		}
		t := o.frame.operandType(e)
		o.hoistAs(e.X, t)
		o.hoistAs(e.Y, t)
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
			o.pin(e.X)
			o.pin(e.Y)
		}
		return false
	}
	return true
}

// hoistIndex reports whether the operands of an index expression are still to be looked at.
func (o ordering) hoistIndex(e *ast.IndexExpr) bool {
	t := o.frame.typeOf(e.X)
	if t == nil {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return true
	}
	o.hoist(e.X)
	o.hoistAs(e.Index, m.Key())
	o.hoistKey(e.Index, m)
	if o.bytesAsKey(e.Index) {
		o.keep(e)
	}
	return false
}

// hoistKey looks at a key of a map. Maps with keys of one word, or strings, have functions of their own, which get the
// key itself.
func (o ordering) hoistKey(key ast.Expr, m *types.Map) {
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
	o.pin(key)
}

// bytesAsKey reports whether a key is a string made of bytes, or has one in it: Go's compiler looks it up at once.
func (o ordering) bytesAsKey(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if tv := o.frame.info.Types[e.Fun]; tv.IsType() && isString(o.frame.typeOf(e)) {
			_, ok := o.frame.typeOf(e.Args[0]).Underlying().(*types.Slice)
			return ok
		}
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if o.bytesAsKey(x) {
				return true
			}
		}
	}
	return false
}

func (o ordering) hoistLiteral(e *ast.CompositeLit) {
	t := o.frame.typeOf(e).Underlying()
	if p, ok := t.(*types.Pointer); ok { // &T{...} in a list without its type
		t = p.Elem().Underlying()
	}
	if _, ok := t.(*types.Map); ok {
		o.keep(e) // each of its elements is a statement
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
		o.hoistAs(x, to)
	}
}

func (o ordering) hoistConversion(e *ast.CallExpr) {
	o.hoistAs(e.Args[0], o.frame.typeOf(e))
	if o.frame.info.Types[e.Args[0]].IsNil() {
		return
	}
	if _, ok := o.frame.typeOf(e).Underlying().(*types.Slice); ok && isString(o.frame.typeOf(e.Args[0])) {
		o.keep(e)
	}
}

func (o ordering) hoistCall(e *ast.CallExpr) {
	if o.frame.info.Types[e.Fun].IsBuiltin() {
		for i, arg := range e.Args {
			var to types.Type
			if i > 0 && o.isBuiltin(e, "append") && !e.Ellipsis.IsValid() {
				to = o.frame.typeOf(e).Underlying().(*types.Slice).Elem()
			}
			o.hoistAs(arg, to)
		}
		o.keep(e)
		return
	}
	o.hoist(e.Fun) // where a receiver or a function comes from
	if x, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && o.isDynamic(x) {
		// The compiler may find out which type the interface holds, and assert it where it stands.
		o.frame.ahead.early[x.Sel] = early{o.frame.machine.copied(o.frame.holder(x, o.frame.info.Selections[x])), o.frame.ahead.calls}
	}
	sig := o.frame.typeOf(e.Fun).Underlying().(*types.Signature)
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
		if _, several := o.frame.typeOf(arg).(*types.Tuple); several {
			to = nil
		}
		o.hoistAs(arg, to)
	}
	o.keep(e)
}

// isDynamic reports whether an expression selects a method of an interface.
func (o ordering) isDynamic(e *ast.SelectorExpr) bool {
	sel := o.frame.info.Selections[e]
	if sel == nil || sel.Kind() != types.MethodVal || !types.IsInterface(sel.Obj().(*types.Func).Signature().Recv().Type()) {
		return false
	}
	return len(sel.Index()) > 1 || types.IsInterface(o.frame.typeOf(e.X))
}

// keep evaluates an expression before its turn, in which the calls have been made.
func (o ordering) keep(e ast.Expr) {
	o.frame.ahead.values[e] = o.frame.several(e)
	if o.hasCall(e) {
		o.frame.ahead.calls++
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
func (o ordering) pin(e ast.Expr) {
	e = ast.Unparen(e)
	if _, ok := o.frame.kept(e); ok || o.frame.info.Types[e].Value != nil || o.frame.info.Types[e].IsNil() {
		return
	}
	delete(o.frame.ahead.early, e)
	v := o.frame.several(e)
	o.frame.ahead.early[e] = early{o.frame.machine.copied(v[0]), o.frame.ahead.calls}
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
