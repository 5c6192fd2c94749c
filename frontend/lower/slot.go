package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A step leads from a struct or an array to a part of it.
type step struct {
	field int
	index *ssa.Value // of an array, else nil
}

// slot is a part of a variable that is not in memory, as a place. It has the variable of the part. If a value of the
// running kernel selects an element, it has the way from that variable to the element.
func (as assigner) slot(e ast.Expr) place {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := as.b.Info.ObjectOf(e).(*types.Var)
		return place{v: v, pos: e.Pos()}
	case *ast.SelectorExpr:
		p := as.slot(e.X)
		if p.v == nil {
			return p
		}
		if sel, _ := as.b.UnpackedField(e); sel != nil {
			as.b.RefuseUnpacked(sel)
			return place{}
		}
		return as.slotField(p, e, as.b.Info.Selections[e].Index(), 0)
	case *ast.IndexExpr:
		if sel, u, indices := as.b.UnpackedElem(e); sel != nil {
			return as.slotScalar(sel, u, indices)
		}
		p := as.slot(e.X)
		index := as.b.operands.index(e.Index)
		if p.v == nil || index == eval.Poison {
			return place{}
		}
		p.pos = e.Pos()
		a := eval.AggregateOf(as.b.Vars[p.v])
		if a == nil || p.path != nil {
			p.path = append(slices.Clip(p.path), step{index: index})
			return p
		}
		i, ok := as.b.KnownIndex(e, index, a.N)
		if !ok {
			return place{}
		}
		p.v = as.b.m.PartVar(p.v, a.Typ, i)
		return p
	}
	return place{}
}

// slotField is slot of a field of what another slot is, and of one so many fields behind it.
func (as assigner) slotField(p place, e *ast.SelectorExpr, path []int, scalar int) place {
	typ := as.b.GoType(e.X)
	for k, i := range path {
		u := check.StructBehind(typ)
		if a := eval.AggregateOf(as.b.Vars[p.v]); a != nil && p.path == nil {
			p.v = as.b.m.PartVar(p.v, a.Typ, i)
		} else if u != nil && i < u.NumFields() {
			s := step{field: as.b.m.FieldAt(u, i)}
			if k == len(path)-1 {
				s.field += scalar
			}
			p.path = append(slices.Clip(p.path), s)
		}
		if u != nil && i < u.NumFields() {
			typ = u.Field(i).Type()
		}
	}
	p.pos = e.Sel.Pos()
	return p
}

// follow is the part of a value that steps lead to.
func (b *Places) follow(pos token.Pos, v *ssa.Value, path []step) *ssa.Value {
	for _, s := range path {
		if v = b.stepTo(pos, v, s); v == eval.Poison {
			break
		}
	}
	return v
}

func (b *Places) stepTo(pos token.Pos, v *ssa.Value, s step) *ssa.Value {
	switch t := v.Type.(type) {
	case *ssa.Struct:
		return b.Field(pos, v, s.field, t.Fields[s.field].Type)
	case ssa.Array:
		return b.elem(pos, ref{val: v}, s.index).val
	}
	return b.NoValue("a part of a " + v.Type.String())
}

// updated is a value of which the part that steps lead to is another.
func (b *Places) updated(pos token.Pos, v *ssa.Value, path []step, part *ssa.Value) *ssa.Value {
	if len(path) == 0 || v == eval.Poison {
		return b.Coerce(pos, part, v.Type)
	}
	s := path[0]
	part = b.updated(pos, b.stepTo(pos, v, s), path[1:], part)
	if part == eval.Poison {
		return eval.Poison
	}
	switch t := v.Type.(type) {
	case *ssa.Struct:
		parts := make([]*ssa.Value, len(t.Fields))
		for i, f := range t.Fields {
			if parts[i] = part; i != s.field {
				parts[i] = b.Field(pos, v, i, f.Type)
			}
		}
		return b.Op(pos, ssa.OpMake, t, parts...)
	case ssa.Array:
		addr := b.Fresh(pos, v)
		b.Store(pos, b.Op(pos, ssa.OpElemAddr, ssa.Pointer{Elem: t.Elem}, addr, s.index), part)
		return b.load(pos, ref{addr: addr})
	}
	return eval.Poison
}

// isSliceValue reports whether a value is a slice of the running kernel.
func isSliceValue(v *ssa.Value) bool {
	_, ok := v.Type.(ssa.Slice)
	return ok
}
