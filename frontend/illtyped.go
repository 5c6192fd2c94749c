package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A program with type errors is lowered too, for what else is wrong in it. What
// the type checker gave no type, or a wrong one, becomes poison without a word: the
// checker has said what there is to say. So lowering asks in two ways: where a
// well-typed program may lead it says what is wrong with it, and where only an
// ill-typed one can it calls mustBeIllTyped.

// illTyped reports whether the program has type errors.
func (m *Report) illTyped() bool { return len(m.prog.Problems) > 0 || m.prog.Incomplete }

// mustBeIllTyped is called where Go's own rules do not let a program get.
func (m *Report) mustBeIllTyped(what string) {
	if !m.illTyped() {
		panic("BUG: " + what + ", which Go refuses")
	}
}

// mustHaveFailed is called where a program gets only by way of something that has
// been refused, or that nobody knows the value of.
func (m *Report) mustHaveFailed(what string) {
	if m.diags.Len() == 0 && !m.symbolic {
		panic("BUG: " + what + ", and nothing has been refused")
	}
}

// noValue is the value of what only an ill-typed program contains.
func (b *Code) noValue(what string) *ssa.Value {
	b.m.mustBeIllTyped(what)
	return poison
}

// typed is a value of a type, or poison: only in an ill-typed program can a value
// be of another, and nothing is to be computed from it there.
func (b *Values) typed(v *ssa.Value, t types.Type) *ssa.Value {
	if !b.m.illTyped() || v == poison || v == untypedNil || v == theGrid {
		return v
	}
	if isFront(v) {
		if fits(v, t) {
			return v
		}
		return poison
	}
	if want, ok := b.m.typeOf(t); !ok || want != v.Type {
		return poison
	}
	return v
}

// fits reports whether a front-end value is one of a type.
func fits(v *ssa.Value, t types.Type) bool {
	if t == nil {
		return false
	}
	switch f := frontOf(v); f.kind {
	case comptime.Func:
		return isFunc(t)
	case comptime.String:
		return isBasic(t, types.IsString)
	case comptime.Struct, comptime.Array:
		return types.Identical(f.typ, t)
	case comptime.Slice:
		return isSlice(t)
	case comptime.Map:
		return isMap(t)
	}
	return !invalid(t)
}

// arity reports whether a call has at least so many argument expressions, as calls have
// that the type checker let pass.
func (m *Report) arity(e *ast.CallExpr, n int) bool {
	if len(e.Args) >= n {
		return true
	}
	m.mustBeIllTyped("a call with too few arguments")
	return false
}

// invalid reports whether a type is one that the type checker could not make out,
// or is built from one so that there is nothing else to say of it.
func invalid(t types.Type) bool { return invalidIn(t, nil) }

// invalidIn is invalid within the declared types of a list.
func invalidIn(t types.Type, within []*types.Named) bool {
	switch t := types.Unalias(t).(type) {
	case nil:
		return true
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Named:
		if slices.Contains(within, t) || len(within) > 100 {
			return false
		}
		return invalidIn(t.Underlying(), append(within, t))
	case *types.Slice:
		return invalidIn(t.Elem(), within)
	case *types.Pointer:
		return invalidIn(t.Elem(), within)
	case *types.Array:
		return invalidIn(t.Elem(), within)
	case *types.Signature:
		return anyInvalid(t.Params(), within) || anyInvalid(t.Results(), within)
	case *types.Struct:
		for f := range t.Fields() {
			if invalidIn(f.Type(), within) {
				return true
			}
		}
	}
	return false
}

func anyInvalid(vars *types.Tuple, within []*types.Named) bool {
	for v := range vars.Variables() {
		if invalidIn(v.Type(), within) {
			return true
		}
	}
	return false
}

// isFollowUp reports whether the type checker has found fault with the very thing
// that is about to be refused: then there is no need for a second word.
func (m *Report) isFollowUp(n ast.Node) bool {
	if !m.illTyped() {
		return false
	}
	pos, end := head(n)
	at := m.prog.Diagnostic(pos, end, "", "")
	for _, p := range m.prog.Problems {
		if p.Pos.Filename == at.Pos.Filename && before(p.Pos, at.End) && before(at.Pos, p.End) {
			return true
		}
	}
	return false
}

func before(a, b token.Position) bool { return a.Offset < b.Offset }

// head is the part of a construct that makes it what it is: its operands may have
// faults of their own.
func head(n ast.Node) (pos, end token.Pos) {
	switch n := n.(type) {
	case *ast.CallExpr:
		return n.Fun.Pos(), n.Fun.End()
	case *ast.CompositeLit:
		if n.Type != nil {
			return n.Type.Pos(), n.Type.End()
		}
		return n.Lbrace, n.Lbrace + 1
	case *ast.UnaryExpr:
		return n.OpPos, n.X.Pos()
	case *ast.BinaryExpr:
		return n.OpPos, n.Y.Pos()
	case *ast.SliceExpr:
		return n.Lbrack, n.Lbrack + 1
	case *ast.FuncType, *ast.FieldList, *ast.Ellipsis:
		return n.Pos(), n.Pos() + 1
	}
	return n.Pos(), n.End()
}
