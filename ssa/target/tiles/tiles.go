package tiles

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Lower removes the tiles of a module, for a machine. It says where tiles live, and which loops load ahead. Kernels for
// blocks know the number of their threads from then on, with tiles or without. Lower reports whether it changed something.
func Lower(m *ssa.Module, machine Machine, remarks ssa.Remarks) (changed bool) {
	for _, f := range m.Funcs {
		if f.Kernel && f.Kind == ssa.BlockKernel {
			f.Threads, changed = machine.Threads, true
		}
		if !hasTiles(f) {
			continue
		}
		changed = true
		l := &lowering{f: f, machine: machine, remarks: remarks, summaries: new(analysis.Summaries), values: make(map[*ssa.Value]*ssa.Value), virtual: make(map[*ssa.Value]bool), reads: make(map[*ssa.Value]bool), apart: make(map[*ssa.Value]bool), homes: make(map[*ssa.Value]*store), spare: make(map[*ssa.Instr][]*store), sums: make(map[ssa.TileType]*store), pipelines: make(map[*ssa.Instr]*pipeline)}
		l.takeNarrow(f.Body)
		l.prune(f.Body)
		l.fuseStores(f.Body)
		l.sink(f.Body)
		l.number(f.Body)
		l.chooseVirtual(f.Body)
		l.chooseHomes(f.Body)
		l.tellHomes(f.Body)
		l.block(f.Body)
		f.Body.Instrs = append(l.first, f.Body.Instrs...)
	}
	return changed
}

// hasTiles reports whether there are tiles in a function, or loops of those over several axes.
func hasTiles(f *ssa.Func) bool {
	found := false
	f.Body.Walk(func(in *ssa.Instr) {
		for _, r := range in.Results {
			found = found || ssa.IsTile(r.Type)
		}
		for _, a := range in.Args {
			found = found || ssa.IsTile(a.Type)
		}
	})
	return found
}

// A lowering removes the tiles of one function.
type lowering struct {
	f         *ssa.Func
	machine   Machine
	remarks   ssa.Remarks
	summaries *analysis.Summaries
	values    map[*ssa.Value]*ssa.Value // what has replaced elements

	order map[*ssa.Instr]span  // where instructions stand
	uses  map[*ssa.Value][]use // of tiles

	targets map[use]*ssa.Value // what tiles are given to where paths meet

	virtual map[*ssa.Value]bool // tiles without memory
	reads   map[*ssa.Value]bool // those that are computed from what memory holds
	apart   map[*ssa.Value]bool // those whose only use writes other memory than they are computed from

	homes     map[*ssa.Value]*store // the memory of the others
	stores    []*store
	spare     map[*ssa.Instr][]*store  // what reductions need on their way
	first     []*ssa.Instr             // what the kernel begins with
	pipelines map[*ssa.Instr]*pipeline // loops that load ahead

	sums map[ssa.TileType]*store // registers in which products are computed whose sums are elsewhere

	at *ssa.Instr // what is being lowered: it gives its position to what it becomes
}

// A span is the places of an instruction and of all in its blocks, in the order of the text.
type span struct{ first, last int }

// A use is an operand that is a tile.
type use struct {
	in  *ssa.Instr
	arg int
}

// prune removes operations whose tiles nobody uses.
func (l *lowering) prune(body *ssa.Block) {
	for removed := true; removed; {
		removed = false
		used := make(map[*ssa.Value]bool)
		body.Walk(func(in *ssa.Instr) {
			for _, a := range in.Args {
				used[a] = true
			}
		})
		l.eachBlock(body, func(b *ssa.Block) {
			kept := b.Instrs[:0]
			for _, in := range b.Instrs {
				if l.isUnused(in, used) {
					removed = true
					continue
				}
				kept = append(kept, in)
			}
			clear(b.Instrs[len(kept):])
			b.Instrs = kept
		})
	}
}

func (l *lowering) isUnused(in *ssa.Instr, used map[*ssa.Value]bool) bool {
	switch in.Op {
	case ssa.OpTileMake, ssa.OpTileReduce, ssa.OpTileScan, ssa.OpTileDot, ssa.OpTileAt, ssa.OpZero:
	default:
		return false
	}
	for _, r := range in.Results {
		if used[r] || in.Op == ssa.OpZero && !ssa.IsTile(r.Type) {
			return false
		}
	}
	return in.Blocks == nil || !l.effects(in.Blocks[0]).Has(analysis.Seen|analysis.Endless)
}

// eachBlock calls f for a block and those in it, the inner ones first.
func (l *lowering) eachBlock(b *ssa.Block, f func(*ssa.Block)) {
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			l.eachBlock(nested, f)
		}
	}
	f(b)
}

// effects are those of what a block does, but for how it ends.
func (l *lowering) effects(b *ssa.Block) (all analysis.Effects) {
	for _, in := range b.Instrs {
		if in.Op == ssa.OpYield || in.Op == ssa.OpTileAt {
			continue
		}
		if in.Blocks != nil && (in.Op == ssa.OpIf || in.Op == ssa.OpLoop) {
			for _, nested := range in.Blocks {
				all |= l.effects(nested)
			}
			if in.Op == ssa.OpLoop && !analysis.Finite(in) {
				all |= analysis.Endless
			}
			continue
		}
		switch in.Op {
		case ssa.OpTest, ssa.OpContinue, ssa.OpBreak, ssa.OpUnreachable:
			continue
		case ssa.OpLocal:
			all |= analysis.WritesVariable // of its own; it is not worth following
			continue
		}
		all |= l.summaries.Effects(in)
	}
	return all
}

// number gives all instructions their places, and finds the uses of tiles.
func (l *lowering) number(body *ssa.Block) {
	l.order, l.uses, l.targets = make(map[*ssa.Instr]span), make(map[*ssa.Value][]use), make(map[use]*ssa.Value)
	n := 0
	var walk func(b *ssa.Block)
	walk = func(b *ssa.Block) {
		for _, in := range b.Instrs {
			n++
			s := span{first: n}
			for i, a := range in.Args {
				if ssa.IsTile(a.Type) {
					l.uses[a] = append(l.uses[a], use{in, i})
					if to := in.Receivers(); to != nil {
						l.targets[use{in, i}] = to[i]
					}
				}
			}
			for _, nested := range in.Blocks {
				walk(nested)
			}
			n++
			s.last = n
			l.order[in] = s
		}
	}
	walk(body)
}

// outermost is the instruction of a block that another one is, or stands in; nil if it stands elsewhere.
func outermost(in *ssa.Instr, b *ssa.Block) *ssa.Instr {
	for in != nil && in.Block != b {
		in = in.Block.Owner
	}
	return in
}

// operation is the instruction that an element is used by: what owns the code of a lane that an instruction
// stands in, or the instruction itself.
func operation(in *ssa.Instr) *ssa.Instr {
	for o := in; o != nil; o = o.Block.Owner {
		if o.Op.OwnsLanes() {
			return o
		}
	}
	return in
}

func tileType(v *ssa.Value) ssa.TileType { return v.Type.(ssa.TileType) }

func isTile(v *ssa.Value) bool { return ssa.IsTile(v.Type) }
