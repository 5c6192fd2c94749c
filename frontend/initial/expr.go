package initial

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
)

// exprAs is the value of an expression where one of a type is needed.
func (f *frame) exprAs(e ast.Expr, t types.Type) any {
	from := f.typeOf(e)
	if f.info.Types[e].IsNil() {
		return f.machine.zero(t)
	}
	if b, ok := from.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 && f.info.Types[e].Value != nil && !types.IsInterface(t) {
		return f.constant(e, t)
	}
	return f.machine.convert(f.expr(e), from, t)
}

// several are the values of an expression, which may be a call with several results or with none, or one of those with
// a second result that says whether there is a value.
func (f *frame) several(e ast.Expr) []any {
	e = ast.Unparen(e)
	if v, ok := f.kept(e); ok {
		return v
	}
	if call, ok := e.(*ast.CallExpr); ok && !f.info.Types[call.Fun].IsType() {
		return f.call(call)
	}
	if _, ok := f.typeOf(e).(*types.Tuple); !ok {
		return []any{f.expr(e)}
	}
	switch e := e.(type) {
	case *ast.IndexExpr:
		t := f.typeOf(e.X).Underlying().(*types.Map)
		h, _ := f.expr(e.X).(*hash)
		v, ok := f.machine.get(h, f.exprAs(e.Index, t.Key()))
		if !ok {
			v = f.machine.zero(t.Elem())
		}
		return []any{v, ok}
	case *ast.TypeAssertExpr:
		v, ok := f.asserted(e)
		return []any{v, ok}
	}
	panic(f.machine.failed("it has an expression that only compiled Go can evaluate"))
}

// expr is the value of an expression. Arrays and structs may be memory that is in use: who keeps one copies it.
func (f *frame) expr(e ast.Expr) any {
	f.machine.step(1)
	tv := f.info.Types[e]
	if tv.Value != nil {
		t := f.subst(tv.Type)
		if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			t = types.Default(t)
			if tv.Value.Kind() == constant.Int && constant.BitLen(tv.Value) > 63 {
				t = types.Typ[types.Uint64]
			}
		}
		return f.constant(e, t)
	}
	if v, ok := f.kept(e); ok {
		return v[0]
	}
	v := f.evaluated(e)
	f.unchanged(e, v)
	return v
}

// evaluated is the value of an expression that is no constant.
func (f *frame) evaluated(e ast.Expr) any {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.expr(e.X)
	case *ast.Ident:
		switch obj := f.info.ObjectOf(e).(type) {
		case *types.Var:
			p := f.place(obj)
			return p.in.cells[p.at]
		case *types.Func:
			return function{f.declared(e, obj)}
		}
	case *ast.FuncLit:
		around := map[*types.Var]*block{}
		if f.code != nil {
			for v, b := range f.code.around {
				around[v] = b
			}
		}
		for v, b := range f.vars {
			around[v] = b
		}
		f.machine.step(len(around))
		return function{&code{info: f.info, body: e.Body, sig: f.info.TypeOf(e).(*types.Signature), targs: f.targs, around: around}}
	case *ast.CompositeLit:
		return f.composite(e, f.typeOf(e))
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.IndexExpr:
		return f.index(e)
	case *ast.IndexListExpr:
		return f.instance(e.X)
	case *ast.SliceExpr:
		return f.slices(e)
	case *ast.StarExpr:
		return f.machine.pointee(f.expr(e.X))
	case *ast.UnaryExpr:
		return f.unary(e)
	case *ast.BinaryExpr:
		return f.binaryExpr(e)
	case *ast.CallExpr:
		if f.info.Types[e.Fun].IsType() {
			return f.conversion(e)
		}
		return f.call(e)[0]
	case *ast.TypeAssertExpr:
		v, ok := f.asserted(e)
		if !ok {
			panic(f.machine.failed("it panics: an interface holds another type"))
		}
		return v
	}
	panic(f.machine.failed("it has an expression that only compiled Go can evaluate"))
}

// pointee is what a pointer leads to.
func (m *machine) pointee(v any) any {
	p := v.(pointer)
	if p.in == nil {
		panic(m.failed("it panics: nil pointer dereference"))
	}
	m.use(p.in)
	return p.in.cells[p.at]
}

// addr is the address of an expression that has one.
func (f *frame) addr(e ast.Expr) pointer {
	f.machine.step(1)
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.info.ObjectOf(e).(*types.Var); ok {
			return f.place(v)
		}
	case *ast.StarExpr:
		p := f.expr(e.X).(pointer)
		if p.in == nil {
			panic(f.machine.failed("it panics: nil pointer dereference"))
		}
		f.machine.use(p.in)
		return p
	case *ast.SelectorExpr:
		sel := f.info.Selections[e]
		if sel == nil {
			if v, ok := f.info.Uses[e.Sel].(*types.Var); ok {
				return f.place(v)
			}
			break
		}
		if sel.Kind() == types.FieldVal {
			return f.field(e, sel.Index())
		}
	case *ast.IndexExpr:
		i := int(0)
		t := f.typeOf(e.X)
		switch t.Underlying().(type) {
		case *types.Array:
			in := f.addr(e.X)
			b := in.in.cells[in.at].(*block)
			i = f.indexIn(e.Index, len(b.cells))
			return pointer{b, i}
		case *types.Pointer:
			b := f.machine.pointee(f.expr(e.X)).(*block)
			i = f.indexIn(e.Index, len(b.cells))
			return pointer{b, i}
		case *types.Slice:
			s := f.expr(e.X).(slice)
			i = f.indexIn(e.Index, s.len)
			f.machine.use(s.in)
			return pointer{s.in, s.from + i}
		}
	case *ast.CompositeLit:
		return pointer{&block{cells: []any{f.expr(e)}}, 0}
	}
	// A value without an address, of which a part is read or sliced.
	return pointer{&block{cells: []any{f.machine.copied(f.expr(e))}}, 0}
}

// indexIn is an index below n.
func (f *frame) indexIn(e ast.Expr, n int) int {
	i := int64(0)
	switch v := f.expr(e).(type) {
	case int64:
		i = v
	case uint64:
		i = int64(min(v, math.MaxInt64))
	}
	if i < 0 || i >= int64(n) {
		panic(f.machine.failed("it panics: index out of range [%d] with length %d", i, n))
	}
	return int(i)
}

// field is the address of a field, at the end of a path.
func (f *frame) field(e *ast.SelectorExpr, path []int) pointer {
	var p pointer
	if isPointer(f.typeOf(e.X)) {
		p = f.expr(e.X).(pointer)
	} else {
		p = f.addr(e.X)
	}
	return f.machine.follow(p, f.typeOf(e.X), path)
}

// follow is the address of a field at the end of a path, from the address of a struct or from a pointer to one.
func (m *machine) follow(p pointer, t types.Type, path []int) pointer {
	if u, ok := t.Underlying().(*types.Pointer); ok {
		t = u.Elem()
	}
	for n, i := range path {
		if p.in == nil {
			panic(m.failed("it panics: nil pointer dereference"))
		}
		m.use(p.in)
		s := t.Underlying().(*types.Struct)
		p = pointer{p.in.cells[p.at].(*block), i}
		t = s.Field(i).Type()
		if u, ok := t.Underlying().(*types.Pointer); ok && n < len(path)-1 {
			p, t = p.in.cells[p.at].(pointer), u.Elem()
		}
	}
	return p
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func (f *frame) selector(e *ast.SelectorExpr) any {
	sel := f.info.Selections[e]
	if sel == nil {
		switch obj := f.info.Uses[e.Sel].(type) {
		case *types.Var:
			p := f.place(obj)
			return p.in.cells[p.at]
		case *types.Func:
			return function{f.declared(e.Sel, obj)}
		}
		panic(f.machine.failed("it uses %s", e.Sel.Name))
	}
	if sel.Kind() == types.FieldVal {
		p := f.field(e, sel.Index())
		return p.in.cells[p.at]
	}
	if sel.Kind() == types.MethodVal {
		return function{f.method(e, sel)}
	}
	panic(f.machine.failed("it has a method expression"))
}

func (f *frame) index(e *ast.IndexExpr) any {
	t := f.typeOf(e.X)
	switch u := t.Underlying().(type) {
	case *types.Map:
		h, _ := f.expr(e.X).(*hash)
		v, ok := f.machine.get(h, f.exprAs(e.Index, u.Key()))
		if !ok {
			return f.machine.zero(u.Elem())
		}
		return v
	case *types.Basic:
		text := f.expr(e.X).(string)
		return uint64(text[f.indexIn(e.Index, len(text))])
	case *types.Signature:
		return f.instance(e.X)
	case *types.Array, *types.Slice, *types.Pointer:
		p := f.addr(e)
		return p.in.cells[p.at]
	}
	panic(f.machine.failed("it has an index into a %s", t))
}

// instance is the instance of a function that is given type arguments.
func (f *frame) instance(e ast.Expr) any {
	switch id := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj, ok := f.info.Uses[id].(*types.Func); ok {
			return function{f.declared(id, obj)}
		}
	case *ast.SelectorExpr:
		if obj, ok := f.info.Uses[id.Sel].(*types.Func); ok {
			return function{f.declared(id.Sel, obj)}
		}
	}
	panic(f.machine.failed("it has an expression that only compiled Go can evaluate"))
}

func (f *frame) slices(e *ast.SliceExpr) any {
	var s slice
	t := f.typeOf(e.X)
	switch t.Underlying().(type) {
	case *types.Basic:
		text := f.expr(e.X).(string)
		lo, hi, _ := f.bounds(e, len(text), len(text))
		return text[lo:hi]
	case *types.Array:
		p := f.addr(e.X)
		b := p.in.cells[p.at].(*block)
		s = slice{in: b, len: len(b.cells), cp: len(b.cells)}
	case *types.Pointer:
		b := f.machine.pointee(f.expr(e.X)).(*block)
		s = slice{in: b, len: len(b.cells), cp: len(b.cells)}
	case *types.Slice:
		s = f.expr(e.X).(slice)
	default:
		panic(f.machine.failed("it slices a %s", t))
	}
	lo, hi, most := f.bounds(e, s.len, s.cp)
	return slice{s.in, s.from + lo, hi - lo, most - lo, s.exact || e.Max != nil}
}

// bounds are those of a slice expression, of what has a length and a capacity.
func (f *frame) bounds(e *ast.SliceExpr, n, most int) (lo, hi, cp int) {
	hi, cp = n, most
	if e.Low != nil {
		lo = f.indexIn(e.Low, most+1)
	}
	if e.High != nil {
		hi = f.indexIn(e.High, most+1)
	}
	if e.Max != nil {
		cp = f.indexIn(e.Max, most+1)
	}
	if lo > hi || hi > cp {
		panic(f.machine.failed("it panics: slice bounds out of range"))
	}
	return lo, hi, cp
}

// composite is the value of a composite literal.
func (f *frame) composite(e *ast.CompositeLit, t types.Type) any {
	if p, ok := t.Underlying().(*types.Pointer); ok { // &T{...} in a list without its type
		return pointer{&block{cells: []any{f.composite(e, p.Elem())}}, 0}
	}
	element := func(x ast.Expr, t types.Type) any {
		if v, ok := f.kept(x); ok {
			return f.machine.copied(f.machine.convert(v[0], f.typeOf(x), t))
		}
		if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil {
			return f.composite(lit, t)
		}
		return f.machine.copied(f.exprAs(x, t))
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		b := f.machine.zero(t).(*block)
		for i, x := range e.Elts {
			kv, ok := x.(*ast.KeyValueExpr)
			if ok {
				x = kv.Value
			}
			i = fieldOf(u, i, kv)
			v := element(x, u.Field(i).Type())
			if u.Field(i).Name() != "_" { // which nobody can read, and which is not compared
				f.machine.put(&b.cells[i], v)
			}
		}
		return b
	case *types.Array:
		b := f.machine.zero(t).(*block)
		f.elements(e, func(i int, x ast.Expr) { f.machine.put(&b.cells[i], element(x, u.Elem())) })
		return b
	case *types.Slice:
		b := &block{cells: []any{}}
		f.elements(e, func(i int, x ast.Expr) {
			for len(b.cells) <= i {
				f.machine.step(1)
				b.cells = append(b.cells, f.machine.zero(u.Elem()))
			}
			f.machine.put(&b.cells[i], element(x, u.Elem()))
		})
		return slice{in: b, len: len(b.cells), cp: len(b.cells)}
	case *types.Map:
		h := &hash{at: map[any]int{}}
		for _, x := range e.Elts {
			kv := x.(*ast.KeyValueExpr)
			f.ordered([]operand{{e: kv.Key, t: u.Key()}, {e: kv.Value, t: u.Elem()}}, func() {
				key := element(kv.Key, u.Key())
				if _, met := f.machine.get(h, key); met {
					panic(f.machine.failed("it has a literal with two elements for one key"))
				}
				f.machine.set(h, key, element(kv.Value, u.Elem()))
			})
		}
		return h
	}
	panic(f.machine.failed("it has a literal of type %s", t))
}

// fieldOf is the number of the field that an element of a literal is for: that with its key, or with its number.
func fieldOf(s *types.Struct, i int, kv *ast.KeyValueExpr) int {
	if kv == nil {
		return i
	}
	for i := range s.NumFields() {
		if s.Field(i).Name() == kv.Key.(*ast.Ident).Name {
			return i
		}
	}
	panic("BUG: a literal of a struct without its field")
}

// elements calls set for each element of a literal, with its index.
func (f *frame) elements(e *ast.CompositeLit, set func(i int, x ast.Expr)) {
	next := 0
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			n, _ := constant.Int64Val(constant.ToInt(f.info.Types[kv.Key].Value))
			next, x = int(n), kv.Value
		}
		set(next, x)
		next++
	}
}

// asserted is the value of a type assertion, and whether it holds.
func (f *frame) asserted(e *ast.TypeAssertExpr) (any, bool) {
	t := f.typeOf(e.Type)
	b := f.expr(e.X).(boxed)
	if !f.machine.holds(b, t) {
		return f.machine.zero(t), false
	}
	if types.IsInterface(t) {
		return b, true
	}
	return b.v, true
}
