package check

import (
	"go/ast"
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

// An Unpacking describes how such a field is stored.
type Unpacking struct {
	Dims  []int // the lengths of the arrays, the outermost first
	Elem  ssa.Type
	Count int // of the scalars
}

// maxUnpacked is how many scalars a field may be stored as: each is written out wherever
// the struct is made.
const maxUnpacked = 1024

// A layout is how the fields of a struct are stored of which some are unpacked.
type layout struct {
	fields []Unpacking // of no elements for one that is stored as it is
	at     []int       // where each is, or its first scalar, among the fields of the SSA type; and how many these are
}

// Layout is the layout of a struct, nil if its fields are stored as they are.
func (m *Types) Layout(u *types.Struct) *layout {
	if l, ok := m.layouts[u]; ok {
		return l
	}
	if m.layouts == nil {
		m.layouts = map[*types.Struct]*layout{}
	}
	l, found := &layout{}, false
	at := 0
	for i := range u.NumFields() {
		var p Unpacking
		if tag := u.Tag(i); tag != "" && isTaggedUnpacked(tag) {
			if p = m.unpack(u.Field(i).Type()); p.Elem == nil || p.Count > maxUnpacked {
				p = Unpacking{} // which is refused
			}
		}
		found = found || p.Count > 0
		l.fields, l.at = append(l.fields, p), append(l.at, at)
		at += max(1, p.Count)
	}
	l.at = append(l.at, at)
	if !found {
		l = nil
	}
	m.layouts[u] = l
	return l
}

// Unpacked returns the Unpacking of field i of a struct, or false if the field is not unpacked.
func (m *Types) Unpacked(u *types.Struct, i int) (Unpacking, bool) {
	l := m.Layout(u)
	if l == nil {
		return Unpacking{}, false
	}
	return l.fields[i], l.fields[i].Count > 0
}

// unpack is what would become of a field of a type; without an element type where it is
// no array of scalars.
func (m *Types) unpack(t types.Type) Unpacking {
	p := Unpacking{Count: 1}
	for IsArray(t) {
		u := t.Underlying().(*types.Array)
		p.Dims = append(p.Dims, int(min(u.Len(), MaxTypeSize)))
		p.Count = min(p.Count*p.Dims[len(p.Dims)-1], MaxTypeSize)
		t = u.Elem()
	}
	if len(p.Dims) == 0 {
		return p
	}
	elem, ok := m.Part(t)
	if _, basic := elem.(ssa.Basic); ok && (basic || isQD(t, "Float16") || isQD(t, "BFloat16")) {
		p.Elem = elem
	}
	return p
}

// name is the name of the scalar of a field at a place: r3, or m0_1 of a matrix. Blank
// fields are blank.
func (p Unpacking) name(field string, at int) string {
	if field == "_" {
		return field
	}
	parts := make([]string, len(p.Dims))
	for k, i := range p.Indices(at) {
		parts[k] = strconv.Itoa(i)
	}
	return field + strings.Join(parts, "_")
}

// Indices are the indices of the element that is stored as the scalar at a place.
func (p Unpacking) Indices(at int) []int {
	list := make([]int, len(p.Dims))
	for k, n := range slices.Backward(p.Dims) {
		list[k], at = at%n, at/n
	}
	return list
}

// FieldAt is where field i of a Go struct, or the first scalar of it, is among the fields
// of the SSA type.
func (m *Types) FieldAt(u *types.Struct, i int) int {
	if l := m.Layout(u); l != nil {
		return l.at[i]
	}
	return i
}

// UnpackedField is the field that an expression selects, if that one is stored as scalars.
func (sc *Unpacked) UnpackedField(e ast.Expr) (sel *ast.SelectorExpr, p Unpacking) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil, p
	}
	s := sc.Info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil, p
	}
	if p, ok = sc.Syntax.LastUnpacked(sc.GoType(sel.X), s.Index()); !ok {
		return nil, p
	}
	return sel, p
}

// IsUnpacked reports whether an expression is a field that is stored as scalars, or a row
// of one.
func (sc *Unpacked) IsUnpacked(e ast.Expr) bool {
	sel, _, _ := sc.UnpackedArray(e)
	return sel != nil
}

// UnpackedArray is the field that an expression is, or a row of, where that is stored as
// scalars: an array for Go, of which there are only the elements and their number. The
// indices are those of the row.
func (sc *Unpacked) UnpackedArray(e ast.Expr) (sel *ast.SelectorExpr, p Unpacking, indices []ast.Expr) {
	if sel, p, indices = sc.unpackedAt(e); sel == nil || len(indices) >= len(p.Dims) {
		return nil, p, nil
	}
	return sel, p, indices
}

// LastUnpacked returns the Unpacking of the last field on a path from a type.
func (m *Types) LastUnpacked(t types.Type, path []int) (Unpacking, bool) {
	for k, i := range path {
		u := StructBehind(t)
		if u == nil || i >= u.NumFields() {
			break
		}
		if k == len(path)-1 {
			return m.Unpacked(u, i)
		}
		t = u.Field(i).Type()
	}
	return Unpacking{}, false
}

// StructBehind is the struct that a type is, or points to; nil for another type.
func StructBehind(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	u, _ := t.Underlying().(*types.Struct)
	return u
}

// UnpackedElem is the field of which an expression is an element that is stored as a
// scalar, with the indices; nil for any other expression. Of package variables, which are
// constants, nothing is stored.
func (sc *Unpacked) UnpackedElem(e ast.Expr) (sel *ast.SelectorExpr, p Unpacking, indices []ast.Expr) {
	if sel, p, indices = sc.unpackedAt(e); sel == nil || len(indices) != len(p.Dims) {
		return nil, p, nil
	}
	return sel, p, indices
}

// unpackedAt is the unpacked field in an expression that is nothing but that and indices
// behind it, with these; nil for any other expression.
func (sc *Unpacked) unpackedAt(e ast.Expr) (sel *ast.SelectorExpr, p Unpacking, indices []ast.Expr) {
	for {
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		if !ok {
			break
		}
		indices = append(indices, x.Index)
		e = x.X
	}
	sel, p = sc.UnpackedField(e)
	slices.Reverse(indices)
	return sel, p, indices
}

// LikeField is the selection of an unpacked field of which an element is read without
// computing an index, as by x.r[3]: nothing else happens there than in x.r3. Nil for any
// other expression.
func (sc *Unpacked) LikeField(e ast.Expr) *ast.SelectorExpr {
	sel, _, indices := sc.UnpackedElem(e)
	for _, index := range indices {
		if _, isVar := ast.Unparen(index).(*ast.Ident); !isVar && sc.Info.Types[index].Value == nil {
			return nil
		}
	}
	return sel
}

// RefuseUnpacked refuses the use of an unpacked field, or of a row of one, as a whole.
func (sc *Unpacked) RefuseUnpacked(sel *ast.SelectorExpr) {
	e, outer, parent := sc.around(sel)
	what := "unpacked field " + sel.Sel.Name
	if _, isIndex := ast.Unparen(e).(*ast.IndexExpr); isIndex {
		what = "a row of " + what
	}
	const drop = "; or remove the tag, so that the field is one array"
	each := sc.elementwise(sel) + drop
	switch n := parent.(type) {
	case *ast.SelectorExpr:
		sc.Syntax.Refuse(e, each, "cannot call method %s on %s, which is not stored as a vector", n.Sel.Name, what)
	case *ast.UnaryExpr:
		sc.Syntax.Refuse(e, "take the address of the struct, or of an element"+drop, "cannot take the address of %s, which is not an array in memory", what)
	case *ast.SliceExpr:
		sc.Syntax.Refuse(e, each, "cannot slice %s, which is not an array in memory", what)
	case *ast.RangeStmt:
		sc.Syntax.Refuse(e, "range over the indices: for i := range "+types.ExprString(e)+drop, "cannot range over the values of %s", what)
	case *ast.ReturnStmt:
		sc.Syntax.Refuse(e, "return the struct, or an element"+drop, "cannot return %s as a whole", what)
	case *ast.BinaryExpr:
		if left, _, _ := sc.UnpackedArray(n.X); left != nil && outer == n.Y {
			return // the comparison has been refused for its left operand
		}
		sc.Syntax.Refuse(e, "compare the structs, or the elements one by one"+drop, "cannot compare %s as a whole", what)
	case *ast.AssignStmt:
		if slices.Contains(n.Lhs, outer) {
			sc.Syntax.Refuse(e, "assign the struct, or the elements one by one"+drop, "cannot assign %s as a whole", what)
			return
		}
		sc.Syntax.Refuse(e, "copy the struct, or the elements one by one"+drop, "cannot copy %s as a whole", what)
	case *ast.CallExpr:
		if !sc.Src.Info.Types[n.Fun].IsType() {
			sc.Syntax.Refuse(e, "pass the struct, or a pointer to it"+drop, "cannot pass %s to %s", what, types.ExprString(n.Fun))
			return
		}
		sc.Syntax.Refuse(e, each, "cannot convert %s as a whole", what)
	default:
		sc.Syntax.Refuse(e, each, "cannot use %s as a whole", what)
	}
}

// elementwise is the advice to use the elements of an unpacked field, with as many indices as
// it takes to name one.
func (sc *Unpacked) elementwise(sel *ast.SelectorExpr) string {
	const hint = "use the elements one by one, "
	_, p := sc.UnpackedField(sel)
	if len(p.Dims) < 2 {
		return hint + types.ExprString(sel) + "[i] with an i known at compile time"
	}
	names := make([]string, len(p.Dims))
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
func (sc *Unpacked) around(sel *ast.SelectorExpr) (e, outer ast.Expr, parent ast.Node) {
	e, outer = sel, sel
	var path []ast.Node
	found := false
	ast.Inspect(sc.Src.Decl, func(n ast.Node) bool {
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

// Values of structs with unpacked fields: at compile time they have Go's fields, as values
// of the running kernel those of the SSA type.

// StoredTypes are the types of the parts of a struct or an array as the running kernel has it.
func (m *Types) StoredTypes(t types.Type) []types.Type {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || m.Layout(u) == nil {
		return PartTypes(t)
	}
	var list []types.Type
	for i := range u.NumFields() {
		p, isUnpacked := m.Unpacked(u, i)
		if !isUnpacked {
			list = append(list, u.Field(i).Type())
			continue
		}
		elem := u.Field(i).Type()
		for range p.Dims {
			elem = ElemType(elem)
		}
		for range p.Count {
			list = append(list, elem)
		}
	}
	return list
}

// UnpackedLit is the literal that an unpacked field of a literal must be made of; nil, with
// a word on it, where it is no literal.
func (sc *Unpacked) UnpackedLit(e ast.Expr, field string) *ast.CompositeLit {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		sc.Syntax.Refuse(e, "write the elements: "+field+": [n]T{...}, or assign them one by one; or remove the tag, so that the field is one array",
			"the value of unpacked field %s must be a literal", field)
		return nil
	}
	return lit
}

// IsUnpackedLit reports whether a value in a literal of a struct will do for field i.
func (sc *Unpacked) IsUnpackedLit(u *types.Struct, i int, value ast.Expr) bool {
	_, ok := sc.Syntax.Unpacked(u, i)
	return !ok || sc.UnpackedLit(value, u.Field(i).Name()) != nil
}
