package emit

import "github.com/qdgen/qd/ssa"

// A Tile is an [ssa.Tile] with names.
type Tile struct {
	Threads int
	Params  []TileParam
}

// A TileParam is an [ssa.TileParam] with names; Param is its place in Kernel.Params.
type TileParam struct {
	ssa.TileParam
	Element string // the type of the elements
	Type    string // what the threads of a tile have in place of the slice
	Local   string // a name for that
}

// tile names what is in the tiles of a kernel, nil if it has none.
func (p *printer) tile(f *ssa.Func) *Tile {
	if f.Tile == nil {
		return nil
	}
	t := &Tile{Threads: f.Tile.Threads}
	fields := p.fields(f)
	for _, q := range f.Tile.Params {
		local := fields[q.Param] + "_tile"
		for p.avoid[local] {
			local += "_"
		}
		elem := p.typeName(q.Elem)
		t.Params = append(t.Params, TileParam{q, elem, "qd::tile<" + elem + ", " + p.typeName(q.Number) + ">", local})
	}
	return t
}

// inTile reports whether a store to an address is one of an element in a tile.
func (p *printer) inTile(ptr *ssa.Value) bool {
	f := p.plan.fn
	if f.Tile == nil || ptr.Def == nil || ptr.Def.Op != ssa.OpIndexAddr {
		return false
	}
	for _, q := range f.Tile.Params {
		if q.Stores && f.Params()[q.Param+1] == ptr.Def.Args[0] {
			return true
		}
	}
	return false
}
