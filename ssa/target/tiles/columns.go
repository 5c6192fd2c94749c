package tiles

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// What reads a matrix along its columns reads numbers that lie far apart. A machine with vectors reads squares of it by
// rows, and exchanges the numbers within registers.

// squareBytes is how much of a row of such a square is read at once.
const squareBytes = 16

// transpose makes the transposed matrix of one in memory.
func (l *lowering) transpose(b *ssa.Block, in *ssa.Instr) bool {
	of := l.transposed(in)
	if of == nil || l.homes[of] == nil {
		return false
	}
	t, from, to := tileType(in.Result()), l.homes[of], l.homes[in.Result()]
	vec := ssa.Vec{Elem: t.Elem.(ssa.Basic), Lanes: l.machine.lanes(t.Elem, t.Dims[2])}
	n := squareBytes / t.Elem.Size()
	l.times(b, 0, n, t.Dims[1]/n, func(b *ssa.Block, i *ssa.Value) {
		l.times(b, 0, vec.Lanes, t.Dims[2]/vec.Lanes, func(b *ssa.Block, j *ssa.Value) {
			for k, row := range l.columns(b, from, index{nil, j, i}, vec, n) {
				l.emit(b, &ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{l.address(b, to, index{nil, l.plus(b, i, k), j}), row}})
			}
		})
	})
	return true
}

// transposed is the matrix whose rows are the columns of the one that an operation makes, if squares of it can be read;
// nil if there is none.
func (l *lowering) transposed(in *ssa.Instr) *ssa.Value {
	yield := in.Blocks[0].Terminator()
	if l.machine.VectorBytes == 0 || yield == nil || yield.Op != ssa.OpYield {
		return nil
	}
	at, p, t := yield.Args[0].Def, in.Blocks[0].Params, tileType(in.Result())
	if at == nil || at.Op != ssa.OpTileAt || at.Args[2] != p[2] || at.Args[3] != p[1] {
		return nil
	}
	of := at.Args[0]
	if l.effects(in.Blocks[0]).Has(visible) || at.Block != in.Blocks[0] || l.virtual[of] || tileType(of).Dims != [3]int{1, t.Dims[2], t.Dims[1]} || !hasColumns(t.Elem) || t.Dims[1]%(squareBytes/t.Elem.Size()) != 0 || l.machine.lanes(t.Elem, t.Dims[2]) == 0 {
		return nil
	}
	return of
}

// hasColumns reports whether columns of elements can be in vectors.
func hasColumns(elem ssa.Type) bool {
	return ssa.IsInteger(elem) && elem.Size() >= 4 || ssa.IsFloat(elem)
}

// columns are so many columns of a matrix in memory, each as a vector of the elements in as many rows.
func (l *lowering) columns(b *ssa.Block, s *store, at index, vec ssa.Vec, n int) []*ssa.Value {
	types := make([]ssa.Type, n)
	for i := range types {
		types[i] = vec
	}
	in := &ssa.Instr{Op: ssa.OpLoadParts, Len: int32(s.typ.Dims[2] * vec.Elem.Size()), Args: []*ssa.Value{l.address(b, s, at)}}
	return l.emit(b, in, types...).Results
}

// joinColumns joins the elements of each row to one, in vectors of as many rows as a vector has lanes. It is the last
// step of a reduction along rows, whose elements are in memory.
func (l *lowering) joinColumns(b *ssa.Block, in *ssa.Instr, from []*store, n int) bool {
	rows := tileType(in.Args[0]).Dims[1]
	lanes := l.columnLanes(in, from)
	if lanes == 0 {
		return false
	}
	l.times(b, 0, lanes, rows/lanes, func(b *ssa.Block, i *ssa.Value) {
		columns := make([][]*ssa.Value, n)
		for _, s := range from {
			for k, v := range l.columns(b, s, index{nil, i, l.int(b, 0)}, ssa.Vec{Elem: s.typ.Elem.(ssa.Basic), Lanes: lanes}, n) {
				columns[k] = append(columns[k], v)
			}
		}
		for h := n / 2; h > 0; h /= 2 {
			for k := range h {
				columns[k] = l.joinVectors(b, in.Blocks[0], append(columns[k], columns[k+h]...))
			}
		}
		for k, r := range in.Results {
			if s := l.homes[r]; s != nil {
				l.emit(b, &ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{l.address(b, s, index{nil, nil, i}), columns[0][k]}})
			}
		}
	})
	return true
}

// homesOf is the memory of tiles, nil for one that has none.
func (l *lowering) homesOf(vals []*ssa.Value) (list []*store) {
	for _, v := range vals {
		list = append(list, l.homes[v])
	}
	return list
}

// columnLanes is how many rows joinColumns joins at once, 0 where it cannot.
func (l *lowering) columnLanes(in *ssa.Instr, from []*store) int {
	t := tileType(in.Args[0])
	if l.machine.VectorBytes == 0 || in.Axis != 2 || t.Dims[0] != 1 || from == nil || !l.inVectors(in.Blocks[0]) {
		return 0
	}
	lanes := l.machine.lanes(t.Elem, t.Dims[1])
	for _, s := range from {
		if s == nil || !hasColumns(s.typ.Elem) || s.typ.Elem.Size() != t.Elem.Size() {
			return 0
		}
	}
	return lanes
}

// inVectors reports whether a block does no more than to compute what it yields from its parameters, by operations that
// vectors have.
func (l *lowering) inVectors(body *ssa.Block) bool {
	yield := body.Terminator()
	if yield == nil || yield.Op != ssa.OpYield || l.effects(body).Has(visible) {
		return false
	}
	var computes func(v *ssa.Value) bool
	computes = func(v *ssa.Value) bool {
		switch {
		case !hasColumns(v.Type) && v.Type != ssa.Bool:
			return false
		case v.Def == nil:
			return v.Block == body
		case v.Def.Op == ssa.OpConst:
			return v.Type != ssa.Bool
		}
		return v.Def.Block == body && v.Def.Op.IsLanewise() && len(v.Def.Results) == 1 && !slices.ContainsFunc(v.Def.Args, func(a *ssa.Value) bool { return !computes(a) })
	}
	return !slices.ContainsFunc(yield.Args, func(v *ssa.Value) bool { return v.Type == ssa.Bool || !computes(v) })
}

// joinVectors does in vectors what such a block does with numbers, and gives what it yields.
func (l *lowering) joinVectors(b *ssa.Block, body *ssa.Block, params []*ssa.Value) (vals []*ssa.Value) {
	lanes := ssa.LanesOf(params[0].Type)
	wide := make(map[*ssa.Value]*ssa.Value)
	for i, p := range body.Params {
		wide[p] = params[i]
	}
	var compute func(v *ssa.Value) *ssa.Value
	compute = func(v *ssa.Value) *ssa.Value {
		if wide[v] != nil {
			return wide[v]
		}
		vec := ssa.Vec{Elem: v.Type.(ssa.Basic), Lanes: lanes}
		if c, ok := v.Const(); ok {
			number := l.emit(b, &ssa.Instr{Op: ssa.OpConst, Const: c}, v.Type).Result()
			wide[v] = l.op(b, ssa.OpSplat, vec, number)
			return wide[v]
		}
		in := new(ssa.Instr)
		*in = *v.Def
		in.Block, in.Args, in.Results = nil, nil, nil
		for _, a := range v.Def.Args {
			in.Args = append(in.Args, compute(a))
		}
		wide[v] = b.Append(in, vec).Result()
		return wide[v]
	}
	for _, v := range body.Terminator().Args {
		vals = append(vals, compute(v))
	}
	return vals
}
