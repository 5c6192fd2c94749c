package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// A field with the struct tag qd:"unpacked" is an array, a vector or a matrix that is
// stored as scalars: in its place the SSA type of the struct has a field for each element,
// named by the field and the indices. So an element must be known by its place, x.r[i]
// with an index known at compile time, and there is nothing that all of them together
// are. Go sees an array; in memory the two are the same.

// An unpacking is what becomes of such a field.
type unpacking struct {
	dims  []int // the lengths of the arrays, the outermost first
	elem  ssa.Type
	count int // of the scalars
}

// maxUnpacked is how many scalars a field may be stored as: each is written out wherever
// the struct is made.
const maxUnpacked = 1024

// A layout is how the fields of a struct are stored of which some are unpacked.
type layout struct {
	fields []unpacking // of no elements for one that is stored as it is
	at     []int       // where each is, or its first scalar, among the fields of the SSA type; and how many these are
}

// layout is the layout of a struct, nil if its fields are stored as they are.
func (m *Types) layout(u *types.Struct) *layout {
	if l, ok := m.layouts[u]; ok {
		return l
	}
	if m.layouts == nil {
		m.layouts = map[*types.Struct]*layout{}
	}
	l, found := &layout{}, false
	at := 0
	for i := range u.NumFields() {
		var p unpacking
		if tag := u.Tag(i); tag != "" && isTaggedUnpacked(tag) {
			if p = m.unpack(u.Field(i).Type()); p.elem == nil || p.count > maxUnpacked {
				p = unpacking{} // which is refused
			}
		}
		found = found || p.count > 0
		l.fields, l.at = append(l.fields, p), append(l.at, at)
		at += max(1, p.count)
	}
	l.at = append(l.at, at)
	if !found {
		l = nil
	}
	m.layouts[u] = l
	return l
}

// unpacked is what becomes of field i of a struct, false for one that is stored as it is.
func (m *Types) unpacked(u *types.Struct, i int) (unpacking, bool) {
	l := m.layout(u)
	if l == nil {
		return unpacking{}, false
	}
	return l.fields[i], l.fields[i].count > 0
}

// unpack is what would become of a field of a type; without an element type where it is
// no array of scalars.
func (m *Types) unpack(t types.Type) unpacking {
	p := unpacking{count: 1}
	for isArray(t) {
		u := t.Underlying().(*types.Array)
		p.dims = append(p.dims, int(min(u.Len(), maxTypeSize)))
		p.count = min(p.count*p.dims[len(p.dims)-1], maxTypeSize)
		t = u.Elem()
	}
	if len(p.dims) == 0 {
		return p
	}
	elem, ok := m.part(t)
	if _, basic := elem.(ssa.Basic); ok && (basic || isQD(t, "Float16") || isQD(t, "BFloat16")) {
		p.elem = elem
	}
	return p
}

// name is the name of the scalar of a field at a place: r3, or m0_1 of a matrix. Blank
// fields are blank.
func (p unpacking) name(field string, at int) string {
	if field == "_" {
		return field
	}
	parts := make([]string, len(p.dims))
	for k, i := range p.indices(at) {
		parts[k] = strconv.Itoa(i)
	}
	return field + strings.Join(parts, "_")
}

// indices are the indices of the element that is stored as the scalar at a place.
func (p unpacking) indices(at int) []int {
	list := make([]int, len(p.dims))
	for k, n := range slices.Backward(p.dims) {
		list[k], at = at%n, at/n
	}
	return list
}

// fieldAt is where field i of a Go struct, or the first scalar of it, is among the fields
// of the SSA type.
func (m *Types) fieldAt(u *types.Struct, i int) int {
	if l := m.layout(u); l != nil {
		return l.at[i]
	}
	return i
}

// unpackedField is the field that an expression selects, if that one is stored as scalars.
func (b *Scope) unpackedField(e ast.Expr) (sel *ast.SelectorExpr, p unpacking) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil, p
	}
	s := b.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil, p
	}
	if p, ok = b.m.lastUnpacked(b.goType(sel.X), s.Index()); !ok {
		return nil, p
	}
	return sel, p
}

// isUnpacked reports whether an expression is a field that is stored as scalars, or a row
// of one.
func (b *Scope) isUnpacked(e ast.Expr) bool {
	sel, _, _ := b.unpackedArray(e)
	return sel != nil
}

// unpackedArray is the field that an expression is, or a row of, where that is stored as
// scalars: an array for Go, of which there are only the elements and their number. The
// indices are those of the row.
func (b *Scope) unpackedArray(e ast.Expr) (sel *ast.SelectorExpr, p unpacking, indices []ast.Expr) {
	if sel, p, indices = b.unpackedAt(e); sel == nil || len(indices) >= len(p.dims) {
		return nil, p, nil
	}
	return sel, p, indices
}

// unpackedLen is the length of what unpackedArray gives, of an expression that Go evaluates
// for that because there are calls in it.
func (b operands) unpackedLen(pos token.Pos, sel *ast.SelectorExpr, p unpacking, indices []ast.Expr) *ssa.Value {
	b.ref(sel.X)
	for k, e := range indices {
		if index := b.index(e); index != poison {
			b.checkArrayIndex(e.Pos(), index, p.dims[k])
		}
	}
	return b.constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(p.dims[len(indices)])))
}

// lastUnpacked is what becomes of the last field on a path from a type.
func (m *Types) lastUnpacked(t types.Type, path []int) (unpacking, bool) {
	for k, i := range path {
		u := structBehind(t)
		if u == nil || i >= u.NumFields() {
			break
		}
		if k == len(path)-1 {
			return m.unpacked(u, i)
		}
		t = u.Field(i).Type()
	}
	return unpacking{}, false
}

// structBehind is the struct that a type is, or points to; nil for another type.
func structBehind(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	u, _ := t.Underlying().(*types.Struct)
	return u
}

// unpackedElem is the field of which an expression is an element that is stored as a
// scalar, with the indices; nil for any other expression. Of package variables, which are
// constants, nothing is stored.
func (b *Scope) unpackedElem(e ast.Expr) (sel *ast.SelectorExpr, p unpacking, indices []ast.Expr) {
	if sel, p, indices = b.unpackedAt(e); sel == nil || len(indices) != len(p.dims) {
		return nil, p, nil
	}
	return sel, p, indices
}

// unpackedAt is the unpacked field in an expression that is nothing but that and indices
// behind it, with these; nil for any other expression.
func (b *Scope) unpackedAt(e ast.Expr) (sel *ast.SelectorExpr, p unpacking, indices []ast.Expr) {
	for {
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		if !ok {
			break
		}
		indices = append(indices, x.Index)
		e = x.X
	}
	sel, p = b.unpackedField(e)
	slices.Reverse(indices)
	return sel, p, indices
}

// scalar is the scalar that an element of a field is stored as.
func (b operands) scalar(sel *ast.SelectorExpr, p unpacking, indices []ast.Expr) ref {
	r := b.ref(sel.X)
	at, ok := b.placeAmong(sel, p, indices)
	if r.val == poison || !ok {
		return ref{val: poison}
	}
	pos := sel.Sel.Pos()
	path := b.info.Selections[sel].Index()
	last := len(path) - 1
	typ := b.goType(sel.X)
	r = b.fields(pos, r, typ, path[:last])
	for _, i := range path[:last] {
		typ = structBehind(typ).Field(i).Type()
	}
	if r = b.behind(pos, r); r.val == poison {
		return r
	}
	if isFront(r.val) {
		return b.frontScalar(sel, r.val, path[last], p, at)
	}
	return b.fieldOf(pos, r, b.m.fieldAt(structBehind(typ), path[last])+at)
}

// slotScalar is the place of a scalar in what a variable holds that is no memory.
func (b assigner) slotScalar(sel *ast.SelectorExpr, p unpacking, indices []ast.Expr) place {
	to := b.slot(sel.X)
	at, ok := b.operands.placeAmong(sel, p, indices)
	if to.v == nil || !ok {
		return place{}
	}
	if to = b.slotField(to, sel, b.info.Selections[sel].Index(), at); to.path != nil {
		return to
	}
	for _, i := range p.indices(at) { // of a struct that only the front end has
		a := aggregateOf(b.vars[to.v])
		if a == nil {
			return place{}
		}
		to.v = b.m.partVar(to.v, a.typ, i)
	}
	return to
}

// frontScalar is scalar of a struct that only the front end has, where the field is one
// itself.
func (b *Places) frontScalar(sel *ast.SelectorExpr, x *ssa.Value, field int, p unpacking, at int) ref {
	v := b.frontField(sel.Sel.Pos(), x, field)
	for _, i := range p.indices(at) {
		if v == poison {
			break
		}
		v = b.frontField(sel.Sel.Pos(), v, i)
	}
	return ref{val: v}
}

// placeAmong is which scalar of a field the indices name, false where they have been
// refused.
func (b operands) placeAmong(sel *ast.SelectorExpr, p unpacking, indices []ast.Expr) (at int, ok bool) {
	ok = true
	for k, e := range indices {
		index := b.index(e)
		c, known := b.knownConst(index)
		i := int(c.Int())
		switch {
		case index == poison:
			ok = false
		case !known && b.isSymbolic(index):
			i = 0 // any does, to find more errors
		case !known:
			why, _ := b.whyUnknown(e, index)
			b.m.refuse(e, "loop over the elements with for i := range qd.Static(n), choose with a switch, or leave the tag of field "+sel.Sel.Name+" out: an array can be indexed like that",
				"the index of unpacked field %s is not known at compile time: %s", sel.Sel.Name, why)
			ok = false
		case i < 0 || i >= p.dims[k]:
			b.m.refuse(e, "use an index that it has", "index %d out of range: unpacked field %s has %d elements there", i, sel.Sel.Name, p.dims[k])
			ok = false
		}
		at = at*p.dims[k] + i
	}
	return at, ok
}

// likeField is the selection of an unpacked field of which an element is read without
// computing an index, as by x.r[3]: nothing else happens there than in x.r3. Nil for any
// other expression.
func (b *Scope) likeField(e ast.Expr) *ast.SelectorExpr {
	sel, _, indices := b.unpackedElem(e)
	for _, index := range indices {
		if _, isVar := ast.Unparen(index).(*ast.Ident); !isVar && b.info.Types[index].Value == nil {
			return nil
		}
	}
	return sel
}

// refuseUnpacked refuses the use of an unpacked field, or of a row of one, as a whole.
func (b *Scope) refuseUnpacked(sel *ast.SelectorExpr) {
	e, outer, parent := b.around(sel)
	what := "unpacked field " + sel.Sel.Name
	if _, isIndex := ast.Unparen(e).(*ast.IndexExpr); isIndex {
		what = "a row of " + what
	}
	const drop = "; or leave the tag out, and the field is one array"
	each := b.elementwise(sel) + drop
	switch n := parent.(type) {
	case *ast.SelectorExpr:
		b.m.refuse(e, each, "method %s is called on %s: there is no vector", n.Sel.Name, what)
	case *ast.UnaryExpr:
		b.m.refuse(e, "take the address of the struct, or of an element"+drop, "the address of %s, which is no array in memory", what)
	case *ast.SliceExpr:
		b.m.refuse(e, each, "%s is sliced: it is no array in memory", what)
	case *ast.RangeStmt:
		b.m.refuse(e, "range over the indices: for i := range "+types.ExprString(e)+drop, "a range over the values of %s", what)
	case *ast.ReturnStmt:
		b.m.refuse(e, "return the struct, or an element"+drop, "%s is returned as a whole", what)
	case *ast.BinaryExpr:
		b.m.refuse(e, "compare the structs, or the elements one by one"+drop, "%s is compared as a whole", what)
	case *ast.AssignStmt:
		if slices.Contains(n.Lhs, outer) {
			b.m.refuse(e, "assign the struct, or the elements one by one"+drop, "%s is assigned as a whole", what)
			return
		}
		b.m.refuse(e, "copy the struct, or the elements one by one"+drop, "%s is copied as a whole", what)
	case *ast.CallExpr:
		if !b.src.Info.Types[n.Fun].IsType() {
			b.m.refuse(e, "pass the struct, or a pointer to it"+drop, "%s is passed to %s", what, types.ExprString(n.Fun))
			return
		}
		b.m.refuse(e, each, "%s is converted as a whole", what)
	default:
		b.m.refuse(e, each, "%s is used as a whole", what)
	}
}

// elementwise is the advice to use the elements of an unpacked field, with as many indices as
// it takes to name one.
func (b *Scope) elementwise(sel *ast.SelectorExpr) string {
	const hint = "use the elements one by one, "
	_, p := b.unpackedField(sel)
	if len(p.dims) < 2 {
		return hint + types.ExprString(sel) + "[i] with an i known at compile time"
	}
	names := make([]string, len(p.dims))
	for k := range names {
		names[k] = indexName(k)
	}
	last := len(names) - 1
	return hint + types.ExprString(sel) + "[" + strings.Join(names, "][") + "] with " +
		strings.Join(names[:last], ", ") + " and " + names[last] + " known at compile time"
}

// indexName is the name by convention of the index of dimension k: i, j, k, and then i3.
func indexName(k int) string {
	if k < 3 {
		return string(rune('i' + k))
	}
	return "i" + strconv.Itoa(k)
}

// around is an expression with the indices and the parentheses around it, as the function's
// source has it, first without parentheses, and the syntax in which that stands. Copies of
// a function's syntax have the positions of the original.
func (b *Scope) around(sel *ast.SelectorExpr) (e, outer ast.Expr, parent ast.Node) {
	e, outer = sel, sel
	var path []ast.Node
	found := false
	ast.Inspect(b.src.Decl, func(n ast.Node) bool {
		switch x, isSel := n.(*ast.SelectorExpr); {
		case found:
		case n == nil:
			path = path[:len(path)-1]
		case isSel && x.Pos() == sel.Pos() && x.End() == sel.End():
			e, outer, found = x, x, true
		default:
			path = append(path, n)
		}
		return !found
	})
	for _, n := range slices.Backward(path) {
		switch x := n.(type) {
		case *ast.ParenExpr:
			outer = x
			continue
		case *ast.IndexExpr:
			if x.X == outer {
				e, outer = x, x
				continue
			}
		}
		return e, outer, n
	}
	return e, outer, nil
}
