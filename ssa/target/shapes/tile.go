package shapes

import (
	"sort"

	"github.com/qdgen/qd/ssa"
)

// Threads that compute much from one element each of arrays of matrices, vectors or structs are
// run in tiles: as many at once as a vector has numbers. Before they run, the numbers of their
// elements are transposed in registers, so that those that stand at one place in the elements, one
// of each thread, lie side by side; what they give is transposed back. A loop over the threads
// of a tile reads and writes whole vectors, where one over the elements would gather and scatter
// numbers one by one: that is half of the time of an inverse. And whole lines of memory are
// written at once, which a processor need not read first.
//
// All threads of a tile read their elements, then all compute, then all write. No thread may depend
// on what another one does, so nobody can tell, if each reads before it writes, and reads and writes its
// elements on all of its ways. The last threads of a launch may be too few for a tile. They run in one
// with the last one's elements once more in the places that are left, where the same is done as by it: a
// thread in a tile knows nothing of its place but which elements are its own.

// tiledParam has the facts about a parameter whose elements are transposed.
type tiledParam struct {
	elem          ssa.Type
	number        ssa.Basic // all numbers of elem are of this type
	numbers       int
	loads, stores bool
	order         int // of the parameters that are written: which one is first
}

// Tile decides which kernels run their threads in tiles. They do not depend on each other,
// and nothing that they call stays a call.
func (p *Decider) Tile() {
	for _, f := range p.m.Kernels() {
		if p.inlines(f) {
			if f.Tile = p.tileOf(f); f.Tile != nil {
				p.calls.Remarks.OnFunc("tile", ssa.Done, f, "threads run in tiles of %d, whose elements are transposed in registers", f.Tile.Threads)
			}
		}
	}
}

// tileOf is how the threads of a kernel are run in tiles, nil if they are not.
func (p *Decider) tileOf(f *ssa.Func) *ssa.Tile {
	if f.Kind != ssa.ThreadKernel || f.Phased || f.Rank > 1 || f.Interior != nil {
		return nil
	}
	w := p.costs.Of(f)
	if w.gathered == 0 || w.scalarized {
		return nil
	}
	params := tiledParams(f, p.calls.Users(f))
	if params == nil || !p.readsFirst(f, params) || 100*w.operations < p.table.perNumber(params)*p.table.moved(params) {
		return nil
	}
	t := new(ssa.Tile)
	for i, v := range f.Params()[1:] {
		if s := params[v]; s != nil {
			t.Threads = p.table.tileBytes / s.number.Size()
			t.Params = append(t.Params, ssa.TileParam{Param: i, Elem: s.elem, Number: s.number, Loads: s.loads, Stores: s.stores})
		}
	}
	order := func(q ssa.TileParam) int { return params[f.Params()[q.Param+1]].order }
	sort.SliceStable(t.Params, func(i, j int) bool { return order(t.Params[i]) < order(t.Params[j]) })
	return t
}

// perNumber is how many hundredths of an operation make up for a number that is transposed. It comes
// from measurements of elementwise operations, products, determinants and inverses of 3x3 and 4x4
// matrices: results that are matrices themselves are computed well by rows, others are not.
func (c *Costs) perNumber(params map[*ssa.Value]*tiledParam) int {
	large, rows, wide := false, false, false
	for _, s := range params {
		large = large || s.stores && s.numbers > c.maxGroup
		rows = rows || s.stores && rowsAreVectors(s.elem)
		wide = wide || s.number.Size() > 4
	}
	switch {
	case rows:
		return c.perNumberOfRows
	case large:
		return c.perNumberOfLarge
	case wide:
		return c.perWideNumber
	}
	return c.perNarrowNumber
}

// moved is how many numbers are transposed for each thread.
func (c *Costs) moved(params map[*ssa.Value]*tiledParam) int {
	n := 0
	for _, s := range params {
		if s.loads {
			n += roundUp(s.numbers, run(s.numbers, c.tileRun))
		}
		if s.stores {
			n += roundUp(s.numbers, run(s.numbers, c.tileBytes/s.number.Size()))
		}
	}
	return n
}

// run is how many of n numbers are transposed at once: a power of two, and not more than most.
func run(n, most int) int {
	r := 1
	for 2*r <= min(n, most) {
		r *= 2
	}
	return r
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// tiledParams finds the parameters whose elements are transposed, by how they are used. It is nil if there
// are other uses of the threads' places, or none.
func tiledParams(f *ssa.Func, users [][]*ssa.Instr) map[*ssa.Value]*tiledParam {
	params := make(map[*ssa.Value]*tiledParam)
	for _, id := range users[f.Params()[0].ID] {
		if id.Op != ssa.OpThreadID {
			return nil
		}
		for _, at := range users[id.Results[0].ID] {
			if at.Op != ssa.OpIndexAddr || at.Results[0].Name != "" || !isArgumentOf(f, at.Args[0]) || at.Args[0].Def != nil {
				return nil
			}
			slice := at.Args[0]
			s := params[slice]
			if s == nil {
				s = &tiledParam{elem: slice.Type.(ssa.Slice).Elem}
				s.number, s.numbers = numbersOf(s.elem)
				params[slice] = s
			}
			if !s.use(f, users, at.Results[0]) {
				return nil
			}
		}
	}
	size, total := 0, 0
	for slice, s := range params {
		if s.numbers == 0 || size != 0 && size != s.number.Size() {
			return nil
		}
		size = s.number.Size()
		total += s.numbers
		for _, u := range users[slice.ID] {
			if u.Op != ssa.OpIndexAddr || u.Args[1].Def == nil || u.Args[1].Def.Op != ssa.OpThreadID {
				return nil // it is needed as a slice
			}
		}
	}
	if total == 0 || total > maxTileNumbers {
		return nil
	}
	return params
}

// use notes the uses of an address in an element, and reports whether that may be in a tile: it
// is read, or written once as a whole, by every thread. What is read is known when the kernel is
// compiled: an element is put together from the numbers in the tile, and where an index chose from it, it would
// need memory, of which there is one place for all threads (see private.go).
func (s *tiledParam) use(f *ssa.Func, users [][]*ssa.Instr, ptr *ssa.Value) bool {
	body := f.Body
	for _, u := range users[ptr.ID] {
		switch {
		case u.Op == ssa.OpElemAddr && ssa.IsConst(u.Args[1]), u.Op == ssa.OpFieldAddr:
			if u.Results[0].Name != "" || !s.use(f, users, u.Results[0]) {
				return false
			}
		case u.Op == ssa.OpLoad && u.Block == body:
			s.loads = true
		case u.Op == ssa.OpStore && u.Args[0] == ptr && u.Block == body && !s.stores && ptr.Def.Op == ssa.OpIndexAddr:
			s.stores = true
		default:
			return false
		}
	}
	return true
}

// numbersOf is the type of the numbers that a type consists of, if it is the same for all and one
// of those that vectors are made of, and how many there are, otherwise 0.
func numbersOf(t ssa.Type) (ssa.Basic, int) {
	switch t := t.(type) {
	case ssa.Basic:
		switch t {
		case ssa.Float32, ssa.Float64, ssa.Int32, ssa.Int64, ssa.Uint32, ssa.Uint64:
			return t, 1
		}
	case ssa.Array:
		b, n := numbersOf(t.Elem)
		return b, n * t.Len
	case *ssa.Struct:
		var number ssa.Basic
		total := 0
		for _, field := range t.Fields {
			b, n := numbersOf(field.Type)
			if n == 0 || total > 0 && b != number {
				return 0, 0
			}
			number = b
			total += n
		}
		return number, total
	}
	return 0, 0
}

// readsFirst reports whether a kernel has no effects but its writes of elements, and all of them after
// all that it reads. So its threads may read before, and write after, all those of their tile. Nor
// may it read anything else that would be gathered. It notes the order of the writes.
func (p *Decider) readsFirst(f *ssa.Func, params map[*ssa.Value]*tiledParam) bool {
	o := &accessOrder{calls: p.calls, roots: &p.roots, f: f}
	ok, writes := true, 0
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpIf, ssa.OpYield, ssa.OpLocal:
		case ssa.OpReturn:
			ok = ok && in.Block == f.Body
		case ssa.OpLoad:
			if root := p.roots.Of(in.Args[0]); !root.IsLocal() {
				ok = ok && writes == 0 && (params[root] != nil || p.table.gathered(in.Args[0]) == 0)
			}
		case ssa.OpStore:
			if root := p.roots.Of(in.Args[0]); !root.IsLocal() {
				writes++
				if s := params[root]; s != nil {
					s.order = writes
				} else {
					ok = false
				}
			}
		case ssa.OpCall:
			ok = ok && !o.reaches(in)
		default:
			ok = ok && p.calls.Effects(in).Level() < ssa.Writes
		}
	})
	return ok
}
