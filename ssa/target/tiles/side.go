package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Elements of a tile that lie side by side in a row are a vector. Where a product begins with a tile that has no memory, its
// sums are computed as such vectors, and are in registers from the beginning: they are not written to memory before.

// hasVectors reports whether elements of a tile that lie side by side can be computed in vectors: from those of other tiles, from
// elements that all of a row share, and from numbers.
func (l *lowering) hasVectors(v *ssa.Value) bool {
	if !hasColumns(tileType(v).Elem) {
		return false
	}
	if !l.virtual[v] {
		return l.homes[v] != nil
	}
	body := v.Def.Blocks[0]
	var computes func(x *ssa.Value) bool
	computes = func(x *ssa.Value) bool {
		switch {
		case !hasColumns(x.Type):
			return false
		case !x.Home().Inside(body):
			return true
		case x.Def == nil:
			return false // an index: it grows along the row
		case x.Def.Op == ssa.OpConst:
			return true
		case x.Def.Op == ssa.OpTileAt:
			side, ok := sideBySide(x.Def, body.Params)
			return ok && (!side || l.hasVectors(x.Def.Args[0]))
		}
		return x.Def.Block == body && x.Def.Op.IsLanewise() && len(x.Def.Results) == 1 && !slices.ContainsFunc(x.Def.Args, func(a *ssa.Value) bool { return !computes(a) })
	}
	return computes(body.Terminator().Args[0])
}

// sideBySide reports whether an OpTileAt reads elements that lie side by side, where the last one of some indices counts them,
// or else one for all of them; ok is false if it does neither.
func sideBySide(in *ssa.Instr, params []*ssa.Value) (side, ok bool) {
	for axis, n := range tileType(in.Args[0]).Dims {
		a := in.Args[1+axis]
		_, known := a.Const()
		switch {
		case n == 1 || known:
		case !slices.Contains(params, a) || a == params[2] && axis != 2:
			return false, false
		case a == params[2]:
			side = true
		}
	}
	return side, true
}

// vector is so many elements of a tile, from an index on, that lie side by side: see hasVectors.
func (l *lowering) vector(b *ssa.Block, v *ssa.Value, at index, lanes int) *ssa.Value {
	if !l.virtual[v] {
		return l.op(b, ssa.OpLoadRow, ssa.Vec{Elem: tileType(v).Elem.(ssa.Basic), Lanes: lanes}, l.address(b, l.homes[v], at))
	}
	body := v.Def.Blocks[0]
	wide := make(map[*ssa.Value]*ssa.Value)
	var compute func(x *ssa.Value) *ssa.Value
	compute = func(x *ssa.Value) *ssa.Value {
		if wide[x] != nil {
			return wide[x]
		}
		vec := ssa.Vec{Elem: x.Type.(ssa.Basic), Lanes: lanes}
		switch {
		case !x.Home().Inside(body):
			wide[x] = l.op(b, ssa.OpSplat, vec, l.value(x))
		case x.Def.Op == ssa.OpConst:
			c, _ := x.Const()
			wide[x] = l.op(b, ssa.OpSplat, vec, l.emit(b, &ssa.Instr{Op: ssa.OpConst, Const: c}, x.Type).Result())
		case x.Def.Op == ssa.OpTileAt:
			of := x.Def.Args[0]
			var from index
			for axis, a := range x.Def.Args[1:] {
				if i := slices.Index(body.Params, a); i >= 0 {
					from[axis] = at[i]
				} else if c, ok := a.Const(); ok {
					from[axis] = l.int(b, int(c.Int()))
				}
			}
			if side, _ := sideBySide(x.Def, body.Params); side {
				wide[x] = l.vector(b, of, from, lanes)
			} else {
				wide[x] = l.op(b, ssa.OpSplat, vec, l.element(b, of, from))
			}
		default:
			in := new(ssa.Instr)
			*in = *x.Def
			in.Block, in.Args, in.Results = nil, nil, nil
			for _, a := range x.Def.Args {
				in.Args = append(in.Args, compute(a))
			}
			wide[x] = b.Append(in, vec).Result()
		}
		return wide[x]
	}
	return compute(body.Terminator().Args[0])
}
