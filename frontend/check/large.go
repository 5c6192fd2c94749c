package check

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

const largeHint = "pass a slice as an argument, or use qd.Shared, to keep so many elements in memory"

// A LargeType is a type of very many elements, with the best place to warn of it that is
// known: where something of it is declared, or a call of a generated function that declares such.
type LargeType struct {
	Node     ast.Node
	What     string // stands there
	Typ      types.Type
	elements int
	Rank     int // of the place, see PlaceRank
}

// Large are the types of very many elements that there are.
type Large struct {
	*Report
	File  *token.File // the kernel's
	large []*LargeType
}

// NoteLarge notes what has a type of very many elements, unless it is a library's: at its
// declaration, or at a call.
func (m *Large) NoteLarge(v *types.Var, what string, typ types.Type, t ssa.Type, call ast.Node) {
	if load.IsLibrary(v.Pkg()) || !isLarge(t) {
		return
	}
	l := &LargeType{Node: call, What: what, Typ: typ, Rank: m.PlaceRank(v.Pos())}
	if call == nil {
		l.Node = &ast.Ident{NamePos: v.Pos(), Name: v.Name()}
	} else {
		l.Rank = m.PlaceRank(call.Pos()) + 1
	}
	m.KeepLarge(l, t)
}

// KeepLarge keeps the best place for each type that is one of arrays of very many elements.
func (m *Large) KeepLarge(l *LargeType, t ssa.Type) {
	if !isLarge(t) {
		return
	}
	l.elements = elements(t)
	for i, other := range m.large {
		if types.Identical(other.Typ, l.Typ) {
			if l.Rank < other.Rank {
				m.large[i] = l
			}
			return
		}
	}
	m.large = append(m.large, l)
}

// PlaceRank tells how little a place says to who wrote the kernel: least the kernel's own
// file, most a generated one. Between two ranks there is room for calls.
func (m *Large) PlaceRank(pos token.Pos) int {
	switch file := m.Prog.Fset.File(pos); {
	case m.Prog.Generated(pos):
		return 4
	case file != m.File:
		return 2
	}
	return 0
}

// WarnOfLarge warns of the types that were noted, once for each.
func (m *Large) WarnOfLarge() {
	if m.warning == nil {
		return
	}
	for _, l := range m.large {
		if load.InStandard(m.Prog.Fset.Position(l.Node.Pos()).Filename) {
			continue // nobody can change it
		}
		d := m.Prog.Diagnostic(l.Node.Pos(), l.Node.End(), largeHint, "%s has type %s with %d elements: with more than %d, the code is slow and takes long to compile",
			l.What, m.TypeString(l.Typ), l.elements, manyElements)
		d.Once = "elements of " + types.TypeString(types.Unalias(l.Typ), nil)
		m.warning(d)
	}
}

// isLarge reports whether a type is one of arrays of very many elements.
func isLarge(t ssa.Type) bool {
	_, ok := t.(ssa.Array)
	return ok && elements(t) > manyElements
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
