package initial

import (
	"go/ast"
	"go/types"
)

// builtin evaluates a call of a built-in function.
func (f *frame) builtin(e *ast.CallExpr, name string) any {
	switch arg := func(i int) any { return f.expr(e.Args[i]) }; name {
	case "len", "cap":
		if n, ok := f.machine.length(arg(0), f.typeOf(e.Args[0]), name); ok {
			return n
		}
	case "new":
		if !f.info.Types[e.Args[0]].IsType() {
			return pointer{&block{cells: []any{f.machine.copied(f.exprAs(e.Args[0], f.typeOf(e).Underlying().(*types.Pointer).Elem()))}}, 0}
		}
		return pointer{&block{cells: []any{f.machine.zero(f.typeOf(e.Args[0]))}}, 0}
	case "make":
		switch t := f.typeOf(e.Args[0]).Underlying().(type) {
		case *types.Map:
			for _, size := range e.Args[1:] {
				f.expr(size)
			}
			return &hash{at: map[any]int{}}
		case *types.Slice:
			return f.makeSlice(e, t)
		}
	case "append":
		return f.appended(e)
	case "copy":
		to := arg(0).(slice)
		return f.machine.copyTo(to, arg(1))
	case "delete":
		h, _ := arg(0).(*hash)
		key := f.exprAs(e.Args[1], f.typeOf(e.Args[0]).Underlying().(*types.Map).Key())
		if h != nil {
			f.machine.mayWrite(h.owner)
			f.machine.remove(h, key)
		}
		return nil
	case "clear":
		f.machine.clear(arg(0), f.typeOf(e.Args[0]))
		return nil
	case "min", "max":
		t := f.typeOf(e)
		best := f.exprAs(e.Args[0], t)
		for _, x := range e.Args[1:] {
			best = f.machine.lesser(name, best, f.exprAs(x, t))
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
		panic(f.machine.failed("it panics"))
	}
	panic(f.machine.failed("it calls %s", name))
}

// length is len or cap of a value of a type, if it has one.
func (m *machine) length(v any, t types.Type, name string) (n int64, ok bool) {
	switch v := v.(type) {
	case string:
		return int64(len(v)), true
	case slice:
		if name == "cap" {
			if v.in != nil && v.in.grown && !v.exact {
				panic(m.failed("it uses the capacity of a slice that has grown, which Go leaves open"))
			}
			return int64(v.cp), true
		}
		return int64(v.len), true
	case *block:
		return int64(len(v.cells)), true
	case *hash:
		if v == nil {
			return 0, true
		}
		return int64(len(v.keys)), true
	case pointer:
		return t.Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len(), true
	}
	return 0, false
}

// makeSlice is make of a slice.
func (f *frame) makeSlice(e *ast.CallExpr, t *types.Slice) slice {
	count := func(i int) int {
		n := f.indexIn(e.Args[i], MaxSteps)
		f.machine.step(n)
		return n
	}
	n := count(1)
	most := n
	if len(e.Args) > 2 {
		if most = count(2); most < n {
			panic(f.machine.failed("it panics: len larger than cap"))
		}
	}
	b := f.machine.block(most, func(int) types.Type { return t.Elem() })
	return slice{in: b, len: n, cp: most}
}

// copyTo is copy from a slice or a string.
func (m *machine) copyTo(to slice, from any) int64 {
	var src slice
	switch v := from.(type) {
	case slice:
		src = v
	case string:
		src = bytesOf(v)
	}
	n := min(to.len, src.len)
	m.step(n)
	if n > 0 {
		m.use(to.in)
		m.use(src.in)
		m.mayWrite(to.in.owner)
	}
	list := make([]any, n)
	for i := range list {
		list[i] = m.copied(src.in.cells[src.from+i])
	}
	for i, v := range list {
		m.put(&to.in.cells[to.from+i], v)
	}
	return int64(n)
}

// clear is clear of a map or a slice, which has a type.
func (m *machine) clear(v any, t types.Type) {
	switch v := v.(type) {
	case *hash:
		if v != nil {
			m.mayWrite(v.owner)
			v.at, v.keys, v.vals = map[any]int{}, nil, nil
		}
	case slice:
		if v.len > 0 {
			m.use(v.in)
			m.mayWrite(v.in.owner)
		}
		for i := range v.len {
			m.put(&v.in.cells[v.from+i], m.zero(t.Underlying().(*types.Slice).Elem()))
		}
	}
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
	return slice{in: b, len: len(s), cp: len(s)}
}

// appended is append. Go leaves open how far a slice grows. So whether the memory of one that has grown is that of the
// slice that comes of it when it grows again is open too, and the old one cannot be used any more.
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
			f.machine.use(from.in)
		}
		for i := range from.len {
			more = append(more, f.machine.copied(from.in.cells[from.from+i]))
		}
	} else {
		for _, x := range e.Args[1:] {
			more = append(more, f.machine.copied(f.exprAs(x, elem)))
		}
	}
	if len(more) == 0 {
		return s
	}
	f.machine.step(len(more))
	if s.in != nil {
		f.machine.use(s.in)
	}
	if s.len+len(more) <= s.cp {
		f.machine.mayWrite(s.in.owner)
		for i, v := range more {
			f.machine.put(&s.in.cells[s.from+s.len+i], v)
		}
		return slice{s.in, s.from, s.len + len(more), s.cp, s.exact}
	}
	_, nested := more[0].(*block)
	open := s.in != nil && s.in.grown && !s.exact
	if open && s.in.owner == nil && s.from == 0 && s.len == len(s.in.cells) && !nested {
		// Nobody can use the old one, so that its memory may be the new one's.
		b := &block{cells: append(s.in.cells, more...), grown: true}
		s.in.cells, s.in.stale = nil, true
		return slice{in: b, len: len(b.cells), cp: len(b.cells)}
	}
	b := &block{grown: true}
	f.machine.step(s.len)
	for i := range s.len {
		b.cells = append(b.cells, f.machine.copied(s.in.cells[s.from+i]))
	}
	b.cells = append(b.cells, more...)
	if open {
		f.machine.mayWrite(s.in.owner)
		s.in.outgrown()
	}
	return slice{in: b, len: len(b.cells), cp: len(b.cells)}
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

// pass makes the variable of a turn of a loop unusable, as the turn is over.
func (b *block) pass() {
	b.stale, b.past = true, true
	for _, x := range b.cells {
		if part, ok := x.(*block); ok {
			part.pass()
		}
	}
}

// use makes sure that memory can be used.
func (m *machine) use(b *block) {
	if b.past {
		panic(m.failed("it uses the variable of a loop when its turn is over, which depends on the version of Go"))
	}
	if b.stale {
		panic(m.failed("it uses a slice that has grown since, whose memory Go leaves open"))
	}
}
