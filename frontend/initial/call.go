package initial

import (
	"go/ast"
	"go/types"
	"math"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/load"
)

// declared is a declared function, which an identifier names, with its type arguments.
func (f *frame) declared(id *ast.Ident, obj *types.Func) *code {
	origin := obj.Origin()
	if c := f.inSingle(id, origin); c != nil {
		return c
	}
	c := f.machine.function(origin)
	if tparams := origin.Signature().TypeParams(); tparams.Len() > 0 {
		args := f.info.Instances[id].TypeArgs
		if args.Len() != tparams.Len() {
			panic(f.machine.failed("it uses %s without type arguments", obj.Name()))
		}
		c.targs = map[*types.TypeParam]types.Type{}
		for i := range tparams.Len() {
			c.targs[tparams.At(i)] = f.subst(args.At(i))
		}
	}
	return c
}

// function is the code of a function or a method, by its generic form.
func (m *machine) function(obj *types.Func) *code {
	if obj.Pkg() == nil {
		panic(m.failed("it calls %s", obj.Name()))
	}
	c := &code{sig: obj.Signature()}
	if host := hosts[obj.Pkg().Path()+"."+obj.Name()]; host != nil && c.sig.Recv() == nil {
		c.host = func(args []any) any {
			m.step(hostSteps(host, args))
			v := hostCall(host, args)
			if obj.Name() == "Float32frombits" && math.Float32bits(float32(v.(float64))) != uint32(args[0].(uint64)) {
				panic(m.failed("it uses a signaling NaN")) // which is another one as a float64
			}
			return v
		}
		return c
	}
	src := m.prog.Function(obj)
	if src == nil || m.alone && load.IsOwn(obj.Pkg().Path()) {
		panic(m.failed("it calls %s.%s", obj.Pkg().Name(), obj.Name()))
	}
	c.src, c.info, c.body = src, src.Info, src.Decl.Body
	return c
}

// method is a method that is selected of a value, with its receiver.
func (f *frame) method(e *ast.SelectorExpr, sel *types.Selection) *code {
	obj := sel.Obj().(*types.Func)
	t := f.typeOf(e.X)
	_, generic := types.Unalias(f.info.TypeOf(e.X)).(*types.TypeParam)
	if p, ok := f.info.TypeOf(e.X).(*types.Pointer); ok && !generic {
		_, generic = types.Unalias(p.Elem()).(*types.TypeParam)
	}
	if types.IsInterface(obj.Signature().Recv().Type()) {
		if generic {
			found, index, _ := types.LookupFieldOrMethod(t, true, obj.Pkg(), obj.Name())
			method, ok := found.(*types.Func)
			if !ok {
				panic(f.machine.failed("it calls %s", obj.Name()))
			}
			if !types.IsInterface(method.Signature().Recv().Type()) {
				var at pointer
				if isPointer(t) {
					at = f.expr(e.X).(pointer)
				} else {
					at = f.addr(e.X)
				}
				return f.machine.bound(method, f.machine.follow(at, t, index[:len(index)-1]), t, index)
			}
		}
		recv := f.holder(e, sel)
		f.unchanged(e.Sel, recv)
		return f.machine.dynamic(recv, obj)
	}
	var p pointer
	if isPointer(t) {
		p = f.expr(e.X).(pointer)
	} else {
		p = f.addr(e.X)
	}
	path := sel.Index()
	return f.machine.bound(obj, f.machine.follow(p, t, path[:len(path)-1]), t, path)
}

// holder is the interface that a method is selected of.
func (f *frame) holder(e *ast.SelectorExpr, sel *types.Selection) (recv boxed) {
	if path := sel.Index(); len(path) > 1 {
		p := f.field(e, path[:len(path)-1])
		recv, _ = p.in.cells[p.at].(boxed)
	} else {
		recv, _ = f.expr(e.X).(boxed)
	}
	return recv
}

// bound is a method with its receiver, which is at an address: that of a field of a type at the end of a path, but for
// its last step.
func (m *machine) bound(obj *types.Func, at pointer, t types.Type, path []int) *code {
	c := m.function(obj.Origin())
	if u, ok := t.Underlying().(*types.Pointer); ok {
		t = u.Elem()
	}
	for _, i := range path[:len(path)-1] {
		if u, ok := t.Underlying().(*types.Pointer); ok {
			t = u.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	held := isPointer(t) // what is at the address is a pointer itself
	if held {
		t = t.Underlying().(*types.Pointer).Elem()
		if len(path) > 1 {
			at = at.in.cells[at.at].(pointer)
		}
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.TypeArgs().Len() > 0 {
		params := obj.Origin().Signature().RecvTypeParams()
		c.targs = map[*types.TypeParam]types.Type{}
		for i := range params.Len() {
			c.targs[params.At(i)] = named.TypeArgs().At(i)
		}
	}
	if isPointer(obj.Signature().Recv().Type()) {
		c.recv = at
		return c
	}
	if at.in == nil {
		panic(m.failed("it panics: nil pointer dereference"))
	}
	m.use(at.in)
	c.recv = m.copied(at.in.cells[at.at])
	return c
}

// dynamic is the method that an interface's value has.
func (m *machine) dynamic(b boxed, obj *types.Func) *code {
	if b.t == nil {
		panic(m.failed("it panics: nil pointer dereference"))
	}
	found, path, _ := types.LookupFieldOrMethod(b.t, true, obj.Pkg(), obj.Name())
	method, ok := found.(*types.Func)
	if !ok {
		panic(m.failed("it calls %s", obj.Name()))
	}
	at := pointer{&block{cells: []any{m.copied(b.v)}}, 0}
	if isPointer(b.t) {
		at = b.v.(pointer)
	}
	return m.bound(method, m.follow(at, b.t, path[:len(path)-1]), b.t, path)
}

// call makes a call, and gives its results.
func (f *frame) call(e *ast.CallExpr) []any {
	f.machine.step(1)
	at := f.machine.at
	f.machine.at = e
	defer func() {
		if f.machine.left >= 0 {
			f.machine.at = at
		}
	}()
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := f.info.Uses[id].(*types.Builtin); ok {
			v := f.builtin(e, b.Name())
			return []any{v}
		}
	}
	fn := f.expr(e.Fun).(function)
	if fn.code == nil {
		panic(f.machine.failed("it panics: nil pointer dereference"))
	}
	sig := fn.sig
	in := &frame{machine: f.machine, targs: fn.targs}
	var args []any
	params := sig.Params()
	paramType := func(i int) types.Type { return in.subst(params.At(i).Type()) }
	fixed := params.Len()
	if sig.Variadic() && !e.Ellipsis.IsValid() {
		fixed--
	}
	var given []any
	var from []types.Type
	if len(e.Args) == 1 && (params.Len() > 1 || sig.Variadic()) {
		if t, ok := f.typeOf(e.Args[0]).(*types.Tuple); ok {
			given = f.several(e.Args[0])
			for v := range t.Variables() {
				from = append(from, v.Type())
			}
		}
	}
	n := len(e.Args)
	if given != nil {
		n = len(given)
	}
	arg := func(i int, t types.Type) any {
		if given != nil {
			return f.machine.copied(f.machine.convert(given[i], from[i], t))
		}
		return f.machine.copied(f.exprAs(e.Args[i], t))
	}
	for i := range fixed {
		args = append(args, arg(i, paramType(i)))
	}
	if fixed < params.Len() {
		elem := paramType(fixed).Underlying().(*types.Slice).Elem()
		rest := slice{}
		if n > fixed {
			b := &block{}
			for i := fixed; i < n; i++ {
				b.cells = append(b.cells, arg(i, elem))
			}
			rest = slice{in: b, len: len(b.cells), cp: len(b.cells)}
		}
		args = append(args, rest)
	}
	return f.machine.run(fn.code, args)
}

// conversion is an explicit conversion.
func (f *frame) conversion(e *ast.CallExpr) any {
	to := f.typeOf(e)
	if f.info.Types[e.Args[0]].IsNil() {
		return f.machine.zero(to)
	}
	from := f.typeOf(e.Args[0])
	if b, ok := from.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		from = types.Default(b)
	}
	return f.machine.convert(f.expr(e.Args[0]), from, to)
}

// convert is a value of one type as a value of another, to which it is assigned or converted.
func (m *machine) convert(v any, from, to types.Type) any {
	if from == nil || to == nil {
		panic(m.failed("the type checker gives no type to a part of it"))
	}
	if types.IsInterface(to) {
		if _, isParam := types.Unalias(to).(*types.TypeParam); isParam {
			panic(m.failed("it uses a type parameter"))
		}
		if types.IsInterface(from) {
			return v
		}
		if b, ok := from.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			from = types.Default(b)
		}
		return boxed{from, m.copied(v)}
	}
	switch u := to.Underlying().(type) {
	case *types.Basic:
		return m.toBasic(v, from, u)
	case *types.Slice:
		if text, ok := v.(string); ok {
			if e, ok := u.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Uint8 {
				m.step(len(text))
				return bytesOf(text)
			}
			b := &block{grown: true}
			for _, r := range text {
				b.cells = append(b.cells, int64(r))
			}
			return slice{in: b, len: len(b.cells), cp: len(b.cells)}
		}
	case *types.Array:
		if s, ok := v.(slice); ok {
			if int64(s.len) < u.Len() {
				panic(m.failed("it panics: cannot convert slice to array"))
			}
			if s.len > 0 {
				m.use(s.in)
			}
			b := &block{}
			for i := range int(u.Len()) {
				b.cells = append(b.cells, m.copied(s.in.cells[s.from+i]))
			}
			return b
		}
	case *types.Pointer:
		if _, ok := v.(slice); ok {
			panic(m.failed("it converts a slice to a pointer to an array"))
		}
	}
	return v
}

// toBasic converts to numbers and strings.
func (m *machine) toBasic(v any, from types.Type, to *types.Basic) any {
	info := to.Info()
	if b, ok := from.Underlying().(*types.Basic); to.Kind() == types.UnsafePointer || ok && b.Kind() == types.UnsafePointer {
		panic(m.failed("it uses memory as numbers"))
	}
	switch v := v.(type) {
	case int64:
		switch {
		case info&types.IsString != 0:
			if v != int64(rune(v)) {
				return string(utf8.RuneError)
			}
			return string(rune(v))
		case info&types.IsUnsigned != 0:
			return fit(uint64(v), to)
		case info&types.IsInteger != 0:
			return fit(v, to)
		case info&types.IsFloat != 0:
			if to.Kind() == types.Float32 {
				return float64(float32(v))
			}
			return float64(v)
		}
	case uint64:
		switch {
		case info&types.IsString != 0:
			if v > utf8.MaxRune {
				return string(utf8.RuneError)
			}
			return string(rune(v))
		case info&types.IsUnsigned != 0:
			return fit(v, to)
		case info&types.IsInteger != 0:
			return fit(int64(v), to)
		case info&types.IsFloat != 0:
			if to.Kind() == types.Float32 {
				return float64(float32(v))
			}
			return float64(v)
		}
	case float64:
		switch {
		case info&types.IsInteger != 0:
			return m.truncated(v, to)
		case info&types.IsFloat != 0:
			return fit(v, to)
		}
	case complex128:
		return fit(v, to)
	case slice:
		if info&types.IsString == 0 {
			break
		}
		if v.len > 0 {
			m.use(v.in)
		}
		var text []byte
		for i := range v.len {
			switch x := v.in.cells[v.from+i].(type) {
			case uint64:
				text = append(text, byte(x))
			case int64:
				text = utf8.AppendRune(text, rune(x))
			}
		}
		m.step(len(text))
		return string(text)
	}
	return v
}

// truncated is a float as an integer. Go leaves open what one is that has no place in the type.
func (m *machine) truncated(v float64, to *types.Basic) any {
	whole := math.Trunc(v)
	bitsOf := map[types.BasicKind]int{types.Int: intSize, types.Uint: intSize, types.Uintptr: intSize, types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32}
	n := bitsOf[to.Kind()]
	if n == 0 {
		n = 64
	}
	if to.Info()&types.IsUnsigned != 0 {
		if !(whole >= 0 && whole < math.Ldexp(1, n)) {
			panic(m.failed("it converts a float that %s cannot hold", to))
		}
		return uint64(whole)
	}
	if !(whole >= -math.Ldexp(1, n-1) && whole < math.Ldexp(1, n-1)) {
		panic(m.failed("it converts a float that %s cannot hold", to))
	}
	return int64(whole)
}
