package tiles

import "github.com/qdgen/qd/ssa"

// A Machine is what code for tiles is made for.
type Machine struct {
	// VectorBytes is the size of the vectors that products are computed in, 0 for none.
	VectorBytes int
	// Rows and Columns are how many rows of a product, and how many vectors of each, have their sums in registers at once.
	Rows, Columns int
	// Threads is how many threads a block has that compute products together, from registers that no other thread sees, 0
	// where none do.
	Threads int
	// Stages is for how many turns of a loop there are operands of a product in memory at once: with 2 and more, what
	// later turns multiply is copied while a turn multiplies.
	Stages int
}

// GPU is a machine whose blocks have so many threads, and whose loops have so many stages. Blocks without a whole warp
// have no products in registers.
func GPU(threads, stages int) Machine {
	if threads < ssa.WarpThreads {
		return AnyMachine
	}
	return Machine{Threads: threads, Stages: stages}
}

// The machines. With 8 rows of 2 vectors, a step of a product has 10 loads for 16 multiplications, and 19 registers are
// enough.
var (
	AnyMachine = Machine{}
	CPU        = Machine{VectorBytes: 64, Rows: 8, Columns: 2}
)

// minLanes is the fewest numbers in a vector that are worth it.
const minLanes = 4

// lanes is how many numbers a vector has that divides rows of n numbers, 0 for no vectors.
func (m Machine) lanes(elem ssa.Type, n int) int {
	lanes := m.VectorBytes / elem.Size()
	for lanes > 1 && n%lanes != 0 {
		lanes /= 2
	}
	if lanes < minLanes {
		return 0
	}
	return lanes
}

// A product is an OpTileDot that is computed in vectors.
type product struct {
	*lowering
	x, y, sum *store
	depth     int
	vec       ssa.Vec
	first     *ssa.Value // what the sums begin with, nil if that is in their memory
}

// product computes a product in vectors, if the machine has them: blocks of the sum stay in registers while their rows
// and columns go by. Each element adds its products in the same order as without vectors.
func (l *lowering) product(b *ssa.Block, in *ssa.Instr) bool {
	t := tileType(in.Result())
	lanes := l.machine.lanes(t.Elem, t.Dims[2])
	if lanes == 0 {
		return false
	}
	p := &product{l, l.homes[in.Args[0]], l.homes[in.Args[1]], l.homes[in.Result()], tileType(in.Args[0]).Dims[2], ssa.Vec{Elem: t.Elem.(ssa.Basic), Lanes: lanes}, nil}
	switch sum := l.homes[in.Args[2]]; {
	case sum != nil && sum.slot == p.sum.slot:
	case l.hasVectors(in.Args[2]):
		p.first = in.Args[2]
	default:
		l.forAll(b, t.Dims, func(b *ssa.Block, at index) bool {
			l.put(b, p.sum, at, l.element(b, in.Args[2], at))
			return true
		})
	}
	count := t.Dims[2] / lanes
	for first := 0; first < count; {
		n := min(l.machine.Columns, count-first)
		p.times(b, first*lanes, n*lanes, (count-first)/n, func(b *ssa.Block, j *ssa.Value) {
			for row := 0; row < t.Dims[1]; {
				m := min(l.machine.Rows, t.Dims[1]-row)
				p.times(b, row, m, (t.Dims[1]-row)/m, func(b *ssa.Block, i *ssa.Value) { p.block(b, i, j, m, n) })
				row += (t.Dims[1] - row) / m * m
			}
		})
		first += (count - first) / n * n
	}
	return true
}

// block computes m rows of n vectors of the sum, from row i and column j on.
func (p *product) block(b *ssa.Block, i, j *ssa.Value, m, n int) {
	at := func(b *ssa.Block, k int) *ssa.Value {
		return p.address(b, p.sum, index{nil, p.plus(b, i, k/n), p.plus(b, j, k%n*p.vec.Lanes)})
	}
	sums := make([]*ssa.Value, m*n)
	for k := range sums {
		if p.first == nil {
			sums[k] = p.op(b, ssa.OpLoadRow, p.vec, at(b, k))
		} else {
			sums[k] = p.vector(b, p.first, index{p.int(b, 0), p.plus(b, i, k/n), p.plus(b, j, k%n*p.vec.Lanes)}, p.vec.Lanes)
		}
	}
	sums = p.loop(b, 0, p.depth, sums, func(b *ssa.Block, k *ssa.Value, vars []*ssa.Value) ([]*ssa.Value, bool) {
		columns := make([]*ssa.Value, n)
		for c := range columns {
			columns[c] = p.op(b, ssa.OpLoadRow, p.vec, p.address(b, p.y, index{nil, k, p.plus(b, j, c*p.vec.Lanes)}))
		}
		next := make([]*ssa.Value, 0, m*n)
		for r := range m {
			x := p.op(b, ssa.OpLoad, p.vec.Elem, p.address(b, p.x, index{nil, p.plus(b, i, r), k}))
			row := p.op(b, ssa.OpSplat, p.vec, x)
			for c := range n {
				next = append(next, p.multiplyAdd(b, row, columns[c], vars[r*n+c]))
			}
		}
		return next, true
	})
	for k, v := range sums {
		p.emit(b, &ssa.Instr{Op: ssa.OpStoreRow, Args: []*ssa.Value{at(b, k), v}})
	}
}
