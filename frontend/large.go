package frontend

import (
	"go/ast"
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

// warnLarge warns of a variable, a parameter or a result of very many elements.
func (b *builder) warnLarge(v *types.Var, t ssa.Type) {
	if b.within != nil {
		return
	}
	what := v.Name()
	if what == "" {
		what = "the result"
	}
	b.m.warnLarge(v, what, t)
}

// warnLarge warns of what has a type of very many elements, unless it is a library's.
func (m *module) warnLarge(v *types.Var, what string, t ssa.Type) {
	if _, ok := t.(ssa.Array); !ok || load.IsLibrary(v.Pkg()) {
		return
	}
	if n := elements(t); n > manyElements {
		m.warn(&ast.Ident{NamePos: v.Pos(), Name: v.Name()}, largeHint,
			"%s is a value of %d elements: more than %d make slow code, which takes long to compile", what, n, manyElements)
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
