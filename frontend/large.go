package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// manyElements are more than a value should have: variables, parameters, results and fields
// of arrays, vectors and matrices are kept in registers as far as there are some, and
// what is done to all the elements is written out for each. The largest matrices that
// package qd can invert have 12 x 12. Of slices, shared memory, package variables and
// qd.Const tables, which are no values of a thread, nothing is said.
const manyElements = 144

const largeHint = "pass a slice as an argument, or use qd.Shared: what has so many elements belongs in memory"

// A largeType is a type of very many elements, with the best place to warn of it that is
// known: where something of it is declared, or a call of a generated function that declares such.
type largeType struct {
	node     ast.Node
	what     string // stands there
	typ      types.Type
	elements int
	rank     int // of the place, see placeRank
}

// Large are the types of very many elements that there are.
type Large struct {
	*Report
	file  *token.File // the kernel's
	large []*largeType
}

// warnLarge notes a variable, a parameter or a result of very many elements. Where it is a
// generated function's, the user's call that leads there is a better place.
func (b *Variables) warnLarge(v *types.Var, t ssa.Type) {
	if b.within != nil {
		return
	}
	what := v.Name()
	if what == "" {
		what = "the result"
	}
	typ := b.subst(v.Type())
	b.m.noteLarge(v, what, typ, t, nil)
	if !b.m.prog.Generated(v.Pos()) {
		return
	}
	for f := b.f; f.call != nil; f = f.caller {
		if call, ok := f.call.(*ast.CallExpr); ok && !b.m.prog.Generated(call.Pos()) {
			b.m.noteLarge(v, "a value in the call of "+types.ExprString(call.Fun), typ, t, call)
			return
		}
	}
}

// noteLarge notes what has a type of very many elements, unless it is a library's: at its
// declaration, or at a call.
func (m *Large) noteLarge(v *types.Var, what string, typ types.Type, t ssa.Type, call ast.Node) {
	if load.IsLibrary(v.Pkg()) {
		return
	}
	l := &largeType{node: call, what: what, typ: typ, rank: m.placeRank(v.Pos())}
	if call == nil {
		l.node = &ast.Ident{NamePos: v.Pos(), Name: v.Name()}
	} else {
		l.rank = m.placeRank(call.Pos()) + 1
	}
	m.keepLarge(l, t)
}

// warnLargeNew notes a variable of very many elements that has no name: what new or & make.
func (b *Variables) warnLargeNew(e ast.Expr, val *ssa.Value) {
	if invalid(b.goType(e)) {
		return
	}
	p, ok := b.goType(e).Underlying().(*types.Pointer)
	if !ok || b.within != nil || val == poison || isFront(val) {
		return
	}
	b.m.keepLarge(&largeType{node: e, what: "a new variable", typ: p.Elem(), rank: b.m.placeRank(e.Pos()) + 1}, val.Type)
}

// keepLarge keeps the best place for each type that is one of arrays of very many elements.
func (m *Large) keepLarge(l *largeType, t ssa.Type) {
	l.elements = elements(t)
	if _, ok := t.(ssa.Array); !ok || l.elements <= manyElements {
		return
	}
	for i, known := range m.large {
		if types.Identical(known.typ, l.typ) {
			if l.rank < known.rank {
				m.large[i] = l
			}
			return
		}
	}
	m.large = append(m.large, l)
}

// placeRank tells how little a place says to who wrote the kernel: least the kernel's own
// file, most a generated one. Between two ranks there is room for calls.
func (m *Large) placeRank(pos token.Pos) int {
	switch file := m.prog.Fset.File(pos); {
	case m.prog.Generated(pos):
		return 4
	case file != m.file:
		return 2
	}
	return 0
}

// warnOfLarge warns of the types that were noted, once for each.
func (m *Large) warnOfLarge() {
	if m.warning == nil {
		return
	}
	for _, l := range m.large {
		d := m.prog.Diagnostic(l.node.Pos(), l.node.End(), largeHint, "%s has type %s with %d elements: more than %d make slow code, which takes long to compile",
			l.what, m.typeString(l.typ), l.elements, manyElements)
		d.Once = "elements of " + types.TypeString(types.Unalias(l.typ), nil)
		m.warning(d)
	}
}

// elements is the number of numbers and the like in a value of a type.
func elements(t ssa.Type) (n int) {
	switch t := t.(type) {
	case ssa.Array:
		return t.Len * elements(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			n += elements(f.Type)
		}
		return n
	}
	return 1
}
