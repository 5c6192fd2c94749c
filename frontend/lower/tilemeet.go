package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A variable holds tiles of the same lengths on all paths that meet. Where a kernel is lowered to find its errors, a
// launch may know which path it takes, and then only the lengths there count: see [Flow.unsure].

// A tileMeeting is what is known of the tiles that a variable holds where paths meet.
type tileMeeting struct {
	b    *Flow
	typ  ssa.TileType // of one that is certain to come here, if there is any
	some bool         // there is
	any  ssa.TileType // what all have in common: a length that differs, or is not known, is 0
	all  bool         // there is one
	rank bool         // the numbers of axes differ
	same bool         // the types are equal
}

// add notes a tile, which may be one that a launch never has here. What it gives is false if lengths differ in each
// launch.
func (m *tileMeeting) add(t ssa.TileType, unsure bool) bool {
	if !m.all {
		m.any, m.all, m.same = t, true, true
	}
	m.same = m.same && t == m.any
	m.rank = m.rank || t.Rank != m.any.Rank
	for a, n := range t.Dims {
		if n != m.any.Dims[a] {
			m.any.Dims[a] = 0
		}
	}
	if unsure {
		return true
	}
	if m.some && differ(m.typ, t) {
		return false
	}
	m.typ, m.some = t, true
	return true
}

// differ reports whether tiles have different lengths, whatever those are that are not known.
func differ(x, y ssa.TileType) bool {
	if x.Rank != y.Rank {
		return true
	}
	for a, n := range x.Dims {
		if n != y.Dims[a] && n > 0 && y.Dims[a] > 0 {
			return true
		}
	}
	return false
}

// value is the value of the variable if the types are not equal: its lengths are known only in a launch.
func (m *tileMeeting) value(in *ssa.Block) *ssa.Value {
	if m.rank {
		return eval.Poison
	}
	v := in.AddParam(m.any, "")
	m.b.MarkSymbolic(v)
	return v
}

// tilesMeet gives the value of a variable with such values, of which some may be unsure, if they are tiles that are not
// of one type. It refuses tiles that can never meet.
func (b *Flow) tilesMeet(at ast.Node, name string, in *ssa.Block, vals []*ssa.Value, unsure func(i int) bool) (v *ssa.Value, ok bool) {
	m := tileMeeting{b: b}
	for i, v := range vals {
		t, ok := v.Type.(ssa.TileType)
		if !ok {
			return nil, false
		}
		was := m.typ
		if !m.add(t, unsure(i)) {
			b.refuseTiles(at, name, was, t)
			return eval.Poison, true
		}
	}
	if m.same {
		return nil, false
	}
	return m.value(in), true
}

// refuseTiles refuses a variable, or a result without a name, that holds tiles of different lengths.
func (b *Flow) refuseTiles(at ast.Node, name string, x, y ssa.TileType) {
	if name == "" {
		name = "the result"
	}
	b.Facts.RefuseShapes(at, name, x, y)
}

// tilesMeet has the tiles of a variable meet behind an If.
func (br *branch) tilesMeet(name string, x, y *ssa.Value) (v *ssa.Value, ok bool) {
	if br.dead || !ssa.IsTile(x.Type) {
		return nil, false
	}
	return br.b.tilesMeet(br.b.Facts.At(br.in.Place()), name, br.outer, []*ssa.Value{x, y}, func(int) bool { return br.unsure })
}

// tilesMeet has the tiles of a variable meet behind a segment.
func (r *segment) tilesMeet(i int) (v *ssa.Value, ok bool) {
	vals := make([]*ssa.Value, len(r.exits))
	for k, x := range r.exits {
		vals[k] = x.vals[i]
	}
	at := &ast.BadExpr{From: r.pos, To: r.pos + 1}
	return r.b.tilesMeet(at, r.vars[i].Name(), r.outer, vals, func(k int) bool { return r.exits[k].unsure > r.unsure })
}

// checkTiles refuses variables of a Loop that come to its next turn, or to its end, with a tile of other lengths than
// they had in front of it.
func (l *loop) checkTiles(vals []*ssa.Value) {
	for i, v := range l.vars {
		x, ok := l.before(i).(ssa.TileType)
		y, also := vals[len(vals)-len(l.vars)+i].Type.(ssa.TileType)
		if !ok || !also || l.b.Dead || l.mixed[v] || !differ(x, y) {
			continue
		}
		if l.mixed == nil {
			l.mixed = map[*types.Var]bool{}
		}
		l.mixed[v] = true
		l.b.refuseTiles(l.b.Facts.At(l.in.Place()), v.Name(), x, y)
	}
}
