package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Elements of a tile that lie side by side in a row are a vector. Where a product begins with a tile that has no
// memory, its sums are computed as such vectors, and are in registers from the beginning: they are not written to
// memory before. A reduction along rows joins such vectors, as long as there are whole ones.

// hasVectors reports whether elements of a tile that lie side by side can be computed in vectors: from those of other
// tiles, from elements that all of a row share, and from numbers.
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

// sideBySide reports whether an OpTileAt reads elements that lie side by side, where the last one of some indices
// counts them, or else one for all of them; ok is false if it does neither.
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

// joinsVectors reports whether a reduction is one along rows whose code vectors have.
func (l *lowering) joinsVectors(in *ssa.Instr) bool {
	t := tileType(in.Args[0])
	return l.machine.VectorBytes > 0 && in.Axis == 2 && t.Dims[0] == 1 && l.inVectors(in.Blocks[0]) && !slices.ContainsFunc(in.Args, func(x *ssa.Value) bool {
		elem := tileType(x).Elem
		return elem.Size() != t.Elem.Size() || !hasColumns(elem)
	})
}

// joinSides is join along rows, in vectors. It reports false where that cannot be, or would leave less than a vector.
func (r *reduction) joinSides(n, h, lines int, first bool) bool {
	l, t := r.l, tileType(r.in.Args[0])
	lanes, spare := l.machine.lanes(t.Elem, lines), l.spare[r.in]
	if h == 1 || lanes == 0 || !l.joinsVectors(r.in) || first && slices.ContainsFunc(r.in.Args, func(x *ssa.Value) bool { return !l.hasVectors(x) }) {
		return false
	}
	l.times(r.b, 0, 1, t.Dims[1], func(b *ssa.Block, i *ssa.Value) {
		l.times(b, 0, lanes, lines/lanes, func(b *ssa.Block, j *ssa.Value) {
			var joined func(k, every int) []*ssa.Value
			joined = func(k, every int) (vals []*ssa.Value) {
				if every < n {
					return l.joinVectors(b, r.in.Blocks[0], append(joined(k, 2*every), joined(k+every, 2*every)...))
				}
				at := index{l.int(b, 0), i, l.plus(b, j, k*h)}
				for x, s := range spare {
					if first {
						vals = append(vals, l.vector(b, r.in.Args[x], at, lanes))
					} else {
						vals = append(vals, l.op(b, ssa.OpLoadRow, ssa.Vec{Elem: s.typ.Elem.(ssa.Basic), Lanes: lanes}, l.address(b, s, at)))
					}
				}
				return vals
			}
			for x, v := range joined(0, 1) {
				l.emit(b, &ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{l.address(b, spare[x], index{nil, i, j}), v}})
			}
		})
	})
	return true
}
