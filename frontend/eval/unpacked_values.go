package eval

import (
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// grouped are the known parts of a struct or an array as Go has them, of those that the
// running kernel has.
func (m *Facts) grouped(elems []comptime.Value, t types.Type) []comptime.Value {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || m.Layout(u) == nil || len(elems) != m.FieldAt(u, u.NumFields()) {
		return elems
	}
	var list []comptime.Value
	for i := range u.NumFields() {
		p, isUnpacked := m.Unpacked(u, i)
		if !isUnpacked {
			list, elems = append(list, elems[0]), elems[1:]
			continue
		}
		list, elems = append(list, arrayValue(elems[:p.Count], u.Field(i).Type(), p.Dims)), elems[p.Count:]
	}
	return list
}

// arrayValue is an array, of arrays where there are several dimensions, of its elements.
func arrayValue(elems []comptime.Value, t types.Type, dims []int) comptime.Value {
	v := comptime.Value{Type: typeName(t), Kind: comptime.Array, Elems: elems}
	if len(dims) == 1 {
		return v
	}
	n := len(elems) / dims[0]
	v.Elems = nil
	for i := range dims[0] {
		v.Elems = append(v.Elems, arrayValue(elems[i*n:(i+1)*n], check.ElemType(t), dims[1:]))
	}
	return v
}

// flattened are the known parts of a struct or an array as the running kernel has them, of
// those that Go has.
func (m *Facts) flattened(elems []comptime.Value, t types.Type) []comptime.Value {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || m.Layout(u) == nil {
		return elems
	}
	var list []comptime.Value
	for i := range u.NumFields() {
		part := elems[i : i+1]
		if p, isUnpacked := m.Unpacked(u, i); isUnpacked {
			for range p.Dims {
				var inner []comptime.Value
				for _, e := range part {
					inner = append(inner, e.Elems...)
				}
				part = inner
			}
		}
		list = append(list, part...)
	}
	return list
}

// scattered is an array with so many dimensions, each element of which is a separate part. A field of a struct that
// only the front end has can be one.
func (b *Values) scattered(pos token.Pos, v *ssa.Value, t types.Type, dims int) *ssa.Value {
	array, ok := v.Type.(ssa.Array)
	if !ok {
		return v // poison, or it is one already
	}
	elems := make([]*ssa.Value, array.Len)
	for i := range elems {
		elems[i] = b.ElemOf(pos, v, b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i))), array)
		if dims > 1 {
			elems[i] = b.scattered(pos, elems[i], check.ElemType(t), dims-1)
		}
	}
	return Aggregated(t, elems)
}
