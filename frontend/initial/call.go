package initial

import (
	"go/ast"
	"go/types"
	"math"
	"unicode/utf8"
)

// declared is a declared function, which an identifier names, with its type arguments.
func (f *frame) declared(id *ast.Ident, obj *types.Func) *code {
	origin := obj.Origin()
	c := f.function(origin)
	if tparams := origin.Signature().TypeParams(); tparams.Len() > 0 {
		args := f.info.Instances[id].TypeArgs
		if args.Len() != tparams.Len() {
			panic(f.failed("it uses %s without type arguments", obj.Name()))
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
		c.host = func(args []any) any { return hostCall(host, args) }
		return c
	}
	src := m.prog.Function(obj)
	if src == nil {
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
		path := sel.Index()
		var recv any
		switch {
		case generic:
			found, index, _ := types.LookupFieldOrMethod(t, true, obj.Pkg(), obj.Name())
			method, ok := found.(*types.Func)
			if !ok {
				panic(f.failed("it calls %s", obj.Name()))
			}
			if !types.IsInterface(method.Signature().Recv().Type()) {
				var at pointer
				if isPointer(t) {
					at = f.expr(e.X).(pointer)
				} else {
					at = f.addr(e.X)
				}
				return f.bound(method, f.follow(at, t, index[:len(index)-1]), t, index)
			}
			recv = f.expr(e.X)
		case len(path) > 1:
			p := f.field(e, path[:len(path)-1])
			recv = p.in.cells[p.at]
		default:
			recv = f.expr(e.X)
		}
		b, _ := recv.(boxed)
		return f.dynamic(b, obj)
	}
	var p pointer
	if isPointer(t) {
		p = f.expr(e.X).(pointer)
	} else {
		p = f.addr(e.X)
	}
	path := sel.Index()
	return f.bound(obj, f.follow(p, t, path[:len(path)-1]), t, path)
}

// bound is a method with its receiver, which is at an address: that of a field of a type at the end of a path, but for its last step.
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
	f.step(1)
	at := f.at
	f.at = e
	defer func() {
		if f.left >= 0 {
			f.at = at
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
		panic(f.failed("it panics: nil pointer dereference"))
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
			return f.copied(f.convert(given[i], from[i], t))
		}
		return f.copied(f.exprAs(e.Args[i], t))
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
			rest = slice{b, 0, len(b.cells), len(b.cells)}
		}
		args = append(args, rest)
	}
	return f.run(fn.code, args)
}

func (f *frame) builtin(e *ast.CallExpr, name string) any {
	arg := func(i int) any { return f.expr(e.Args[i]) }
	count := func(i int) int {
		n := f.indexIn(e.Args[i], MaxSteps)
		f.step(n)
		return n
	}
	switch name {
	case "len", "cap":
		switch v := arg(0).(type) {
		case string:
			return int64(len(v))
		case slice:
			if name == "cap" {
				if v.in != nil && v.in.grown {
					panic(f.failed("it uses the capacity of a slice that has grown, which Go leaves open"))
				}
				return int64(v.cp)
			}
			return int64(v.len)
		case *block:
			return int64(len(v.cells))
		case *hash:
			if v == nil {
				return int64(0)
			}
			return int64(len(v.keys))
		case pointer:
			return f.typeOf(e.Args[0]).Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len()
		}
	case "new":
		if !f.info.Types[e.Args[0]].IsType() {
			return pointer{&block{cells: []any{f.copied(f.exprAs(e.Args[0], f.typeOf(e).Underlying().(*types.Pointer).Elem()))}}, 0}
		}
		return pointer{&block{cells: []any{f.zero(f.typeOf(e.Args[0]))}}, 0}
	case "make":
		switch t := f.typeOf(e.Args[0]).Underlying().(type) {
		case *types.Map:
			return &hash{at: map[any]int{}}
		case *types.Slice:
			n := count(1)
			most := n
			if len(e.Args) > 2 {
				if most = count(2); most < n {
					panic(f.failed("it panics: len larger than cap"))
				}
			}
			b := f.block(most, func(int) types.Type { return t.Elem() })
			return slice{b, 0, n, most}
		}
	case "append":
		return f.appended(e)
	case "copy":
		to := arg(0).(slice)
		var src slice
		switch v := arg(1).(type) {
		case slice:
			src = v
		case string:
			src = bytesOf(v)
		}
		n := min(to.len, src.len)
		f.step(n)
		if n > 0 {
			f.use(to.in)
			f.use(src.in)
			f.mayWrite(to.in.owner)
		}
		list := make([]any, n)
		for i := range list {
			list[i] = f.copied(src.in.cells[src.from+i])
		}
		for i, v := range list {
			f.put(&to.in.cells[to.from+i], v)
		}
		return int64(n)
	case "delete":
		if h, _ := arg(0).(*hash); h != nil {
			f.mayWrite(h.owner)
			f.remove(h, f.exprAs(e.Args[1], f.typeOf(e.Args[0]).Underlying().(*types.Map).Key()))
		}
		return nil
	case "clear":
		switch v := arg(0).(type) {
		case *hash:
			if v != nil {
				f.mayWrite(v.owner)
				v.at, v.keys, v.vals = map[any]int{}, nil, nil
			}
		case slice:
			if v.len > 0 {
				f.use(v.in)
				f.mayWrite(v.in.owner)
			}
			for i := range v.len {
				f.put(&v.in.cells[v.from+i], f.zero(f.typeOf(e.Args[0]).Underlying().(*types.Slice).Elem()))
			}
		}
		return nil
	case "min", "max":
		t := f.typeOf(e)
		best := f.exprAs(e.Args[0], t)
		for _, x := range e.Args[1:] {
			best = f.lesser(name, best, f.exprAs(x, t))
		}
		return best
	case "complex":
		re, im := f.exprAs(e.Args[0], types.Typ[types.Float64]), f.exprAs(e.Args[1], types.Typ[types.Float64])
		return complex(re.(float64), im.(float64))
	case "real":
		return real(arg(0).(complex128))
	case "imag":
		return imag(arg(0).(complex128))
	case "panic":
		panic(f.failed("it panics"))
	}
	panic(f.failed("it calls %s", name))
}

// lesser is min or max of two values.
func (m *machine) lesser(name string, x, y any) any {
	switch x := x.(type) {
	case int64:
		if name == "min" {
			return min(x, y.(int64))
		}
		return max(x, y.(int64))
	case uint64:
		if name == "min" {
			return min(x, y.(uint64))
		}
		return max(x, y.(uint64))
	case float64:
		if name == "min" {
			return min(x, y.(float64))
		}
		return max(x, y.(float64))
	case string:
		if name == "min" {
			return min(x, y.(string))
		}
		return max(x, y.(string))
	}
	panic(m.failed("it calls %s", name))
}

// bytesOf are the bytes of a string.
func bytesOf(s string) slice {
	b := &block{cells: make([]any, len(s)), grown: true}
	for i := range len(s) {
		b.cells[i] = uint64(s[i])
	}
	return slice{b, 0, len(s), len(s)}
}

// appended is append. Go leaves open how far a slice grows. So whether the memory of one that has grown is that of the slice
// that comes of it when it grows again is open too, and the old one cannot be used any more.
func (f *frame) appended(e *ast.CallExpr) any {
	t := f.typeOf(e)
	s := f.exprAs(e.Args[0], t).(slice)
	elem := t.Underlying().(*types.Slice).Elem()
	var more []any
	if e.Ellipsis.IsValid() {
		var from slice
		switch v := f.expr(e.Args[1]).(type) {
		case slice:
			from = v
		case string:
			from = bytesOf(v)
		}
		if from.len > 0 {
			f.use(from.in)
		}
		for i := range from.len {
			more = append(more, f.copied(from.in.cells[from.from+i]))
		}
	} else {
		for _, x := range e.Args[1:] {
			more = append(more, f.copied(f.exprAs(x, elem)))
		}
	}
	if len(more) == 0 {
		return s
	}
	f.step(len(more))
	if s.in != nil {
		f.use(s.in)
	}
	if s.len+len(more) <= s.cp {
		f.mayWrite(s.in.owner)
		for i, v := range more {
			f.put(&s.in.cells[s.from+s.len+i], v)
		}
		return slice{s.in, s.from, s.len + len(more), s.cp}
	}
	_, nested := more[0].(*block)
	if s.in != nil && s.in.grown && s.in.owner == nil && s.from == 0 && s.len == len(s.in.cells) && !nested {
		// Nobody can use the old one, so that its memory may be the new one's.
		b := &block{cells: append(s.in.cells, more...), grown: true}
		s.in.cells, s.in.stale = nil, true
		return slice{b, 0, len(b.cells), len(b.cells)}
	}
	b := &block{grown: true}
	f.step(s.len)
	for i := range s.len {
		b.cells = append(b.cells, f.copied(s.in.cells[s.from+i]))
	}
	b.cells = append(b.cells, more...)
	if s.in != nil && s.in.grown {
		f.mayWrite(s.in.owner)
		s.in.outgrown()
	}
	return slice{b, 0, len(b.cells), len(b.cells)}
}

// outgrown makes the memory of a slice unusable.
func (b *block) outgrown() {
	b.stale = true
	for _, x := range b.cells {
		if part, ok := x.(*block); ok {
			part.outgrown()
		}
	}
}

// use makes sure that memory can be used.
func (m *machine) use(b *block) {
	if b.stale {
		panic(m.failed("it uses a slice that has grown since, whose memory Go leaves open"))
	}
}

// conversion is an explicit conversion.
func (f *frame) conversion(e *ast.CallExpr) any {
	to := f.typeOf(e)
	if f.info.Types[e.Args[0]].IsNil() {
		return f.zero(to)
	}
	from := f.typeOf(e.Args[0])
	if b, ok := from.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		from = types.Default(b)
	}
	return f.convert(f.expr(e.Args[0]), from, to)
}

// convert is a value of one type as a value of another, to which it is assigned or converted.
func (m *machine) convert(v any, from, to types.Type) any {
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
			return slice{b, 0, len(b.cells), len(b.cells)}
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
	if to.Kind() == types.UnsafePointer || to.Kind() == types.Uintptr {
		panic(m.failed("it uses memory as numbers"))
	}
	switch v := v.(type) {
	case int64:
		switch {
		case info&types.IsString != 0:
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
	bitsOf := map[types.BasicKind]int{types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32}
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
