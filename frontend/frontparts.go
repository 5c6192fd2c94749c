package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// Parts of values are taken when they are lowered, where it is known what they are:
// those of a front-end value always, those of a struct or an array where it was made.

// field is a field of a struct.
func (b *Code) field(pos token.Pos, x *ssa.Value, i int, t ssa.Type) *ssa.Value {
	return b.compute(pos, &ssa.Instr{Op: ssa.OpField, Index: i, Args: []*ssa.Value{x}}, t)
}

// elemOf is an element of an array that is a value.
func (b *Code) elemOf(pos token.Pos, x, index *ssa.Value, t ssa.Array) *ssa.Value {
	if anyPoison([]*ssa.Value{x, index}) {
		return poison
	}
	return b.compute(pos, &ssa.Instr{Op: ssa.OpElem, Args: []*ssa.Value{x, index}}, t.Elem)
}

// frontField is a field of a front-end struct.
func (b *Values) frontField(pos token.Pos, x *ssa.Value, i int) *ssa.Value {
	a := aggregateOf(x)
	switch {
	case a != nil && i < a.n:
		return b.partAt(pos, a, i)
	case isUnknown(x):
		return b.refuseUnknownAt(pos, x)
	}
	return b.noValue("a field of a " + x.Type.String())
}

// A step leads from a struct or an array to a part of it.
type step struct {
	field int
	index *ssa.Value // of an array, else nil
}

// slot is a part of what a variable holds that is no memory, as a place: the variable
// of the part, and the way from there where that is a value of the running kernel.
func (b assigner) slot(e ast.Expr) place {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := b.info.ObjectOf(e).(*types.Var)
		return place{v: v, pos: e.Pos()}
	case *ast.SelectorExpr:
		p := b.slot(e.X)
		if p.v == nil {
			return p
		}
		if sel, _ := b.unpackedField(e); sel != nil {
			b.refuseUnpacked(sel)
			return place{}
		}
		return b.slotField(p, e, b.info.Selections[e].Index(), 0)
	case *ast.IndexExpr:
		if sel, u, indices := b.unpackedElem(e); sel != nil {
			return b.slotScalar(sel, u, indices)
		}
		p := b.slot(e.X)
		index := b.operands.index(e.Index)
		if p.v == nil || index == poison {
			return place{}
		}
		p.pos = e.Pos()
		a := aggregateOf(b.vars[p.v])
		if a == nil || p.path != nil {
			p.path = append(slices.Clip(p.path), step{index: index})
			return p
		}
		i, ok := b.knownIndex(e, index, a.n)
		if !ok {
			return place{}
		}
		p.v = b.m.partVar(p.v, a.typ, i)
		return p
	}
	return place{}
}

// slotField is slot of a field of what another slot is, and of one so many fields behind it.
func (b assigner) slotField(p place, e *ast.SelectorExpr, path []int, scalar int) place {
	typ := b.goType(e.X)
	for k, i := range path {
		u := structBehind(typ)
		if a := aggregateOf(b.vars[p.v]); a != nil && p.path == nil {
			p.v = b.m.partVar(p.v, a.typ, i)
		} else if u != nil && i < u.NumFields() {
			s := step{field: b.m.fieldAt(u, i)}
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
		if v = b.stepTo(pos, v, s); v == poison {
			break
		}
	}
	return v
}

func (b *Places) stepTo(pos token.Pos, v *ssa.Value, s step) *ssa.Value {
	switch t := v.Type.(type) {
	case *ssa.Struct:
		return b.field(pos, v, s.field, t.Fields[s.field].Type)
	case ssa.Array:
		return b.elem(pos, ref{val: v}, s.index).val
	}
	return b.noValue("a part of a " + v.Type.String())
}

// updated is a value of which the part that steps lead to is another.
func (b *Places) updated(pos token.Pos, v *ssa.Value, path []step, part *ssa.Value) *ssa.Value {
	if len(path) == 0 || v == poison {
		return b.coerce(pos, part, v.Type)
	}
	s := path[0]
	part = b.updated(pos, b.stepTo(pos, v, s), path[1:], part)
	if part == poison {
		return poison
	}
	switch t := v.Type.(type) {
	case *ssa.Struct:
		parts := make([]*ssa.Value, len(t.Fields))
		for i, f := range t.Fields {
			if parts[i] = part; i != s.field {
				parts[i] = b.field(pos, v, i, f.Type)
			}
		}
		return b.op(pos, ssa.OpMake, t, parts...)
	case ssa.Array:
		addr := b.fresh(pos, v)
		b.store(pos, b.op(pos, ssa.OpElemAddr, ssa.Pointer{Elem: t.Elem}, addr, s.index), part)
		return b.load(pos, ref{addr: addr})
	}
	return poison
}

// setFront gives a variable a front-end value.
func (b *Variables) setFront(v *types.Var, val *ssa.Value) {
	if a := aggregateOf(val); a != nil {
		b.hold(v, a)
		return
	}
	if t := b.subst(v.Type()); isUnknown(val) && funcOf(val) == nil && (isArray(t) || isStruct(t)) {
		var parts []*ssa.Value
		for _, p := range partTypes(t) {
			parts = append(parts, forgotten(b.zeroOf(v.Pos(), p), ""))
		}
		b.hold(v, aggregateOf(aggregated(t, parts)))
		return
	}
	b.vars[v] = val
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// renamed is a front-end value as one of a type that it is assigned or converted to.
func (b *Values) renamed(v *ssa.Value, t types.Type) *ssa.Value {
	f := frontOf(v)
	if f == nil || f.typ == nil || types.Identical(f.typ, t) {
		return v
	}
	switch f.kind {
	case comptime.Struct, comptime.Array:
		if len(partTypes(t)) == f.n {
			return aggregated(t, b.partsOf(f))
		}
	case comptime.Slice, comptime.Map:
		if isSlice(t) && f.kind == comptime.Slice || isMap(t) && f.kind == comptime.Map {
			l := *f
			l.typ = t
			return frontly(&l)
		}
	}
	return v
}

// refuseUnknownAt reports the use of one of several front-end values.
func (b *Values) refuseUnknownAt(pos token.Pos, v *ssa.Value) *ssa.Value {
	b.refuseUnknownValue(&ast.BadExpr{From: pos, To: pos + 1}, "what is used here", v)
	return poison
}

// refuseUnknownValue reports the use of one of several front-end values by its name: where it is
// used, in the user's source.
func (b *Values) refuseUnknownValue(n ast.Node, name string, v *ssa.Value) {
	ended := ""
	if f := frontOf(v); f != nil {
		if ended = f.ended; f.fn != nil {
			ended = f.fn.ended
		}
	}
	if ended != "" {
		b.refuseEnded(n, name, ended)
		return
	}
	b.m.refuse(b.usersCall(n), "choose between statements that use it, not between values: if c { y = f(x) } else { y = g(x) }",
		"%s is not known at compile time: it differs from branch to branch or from turn to turn", name)
}

// isSliceValue reports whether a value is a slice of the running kernel.
func isSliceValue(v *ssa.Value) bool {
	_, ok := v.Type.(ssa.Slice)
	return ok
}

// materialize is a front-end value where one of the running kernel is needed. A list is
// none: what the kernel wrote to it would be lost.
func (b *Values) materialize(pos token.Pos, v *ssa.Value, t ssa.Type) *ssa.Value {
	if !isA(v, comptime.Slice) || t == v.Type {
		return v
	}
	b.m.refuse(&ast.BadExpr{From: pos, To: pos + 1}, "copy its elements into an array, or pass it to the kernel as an argument",
		"a slice that is known at compile time only cannot become one of the running kernel")
	return poison
}
