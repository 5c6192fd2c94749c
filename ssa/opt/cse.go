package opt

import (
	"sync"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// cse shares pure expressions: an instruction that computes what one before it
// has computed, where that one's result is visible, is replaced by it. Loads
// are not shared, for a write may stand between them, and local variables only
// if nobody can tell them apart: they have the same value, and are only read.
//
// This is value numbering scoped by the tree of blocks: what a block computes
// is available to what follows in it and to the blocks inside, and no more at its
// end.
func cse(f *ssa.Func, summaries *analysis.Summaries) bool {
	size := 16
	for size < f.NumValues() {
		size *= 2
	}
	t := spareTables.Get().(*exprTable)
	if len(t.buckets) < size {
		t.buckets = make([]int32, size)
	}
	t.summaries = summaries
	t.onlyRead = sameLocals(f, summaries)
	t.block(f.Body)
	changed := t.changed
	clear(t.entries[:cap(t.entries)])
	*t = exprTable{buckets: t.buckets, entries: t.entries}
	spareTables.Put(t)
	return changed
}

// spareTables are empty tables, for the next runs: cse runs several times over each function.
var spareTables = sync.Pool{New: func() any { return new(exprTable) }}

// exprTable is a hash table of instructions, and the stack of scopes that they
// belong to at once: an entry's number is its place in the stack.
type exprTable struct {
	buckets   []int32 // 1 + the number of the newest entry, 0 for none
	entries   []exprEntry
	summaries *analysis.Summaries
	onlyRead  map[*ssa.Instr]bool // local variables that have a value that others have
	changed   bool
}

// sameLocals are the local variables of a function that are only read, and have one value with another one.
func sameLocals(f *ssa.Func, summaries *analysis.Summaries) (onlyRead map[*ssa.Instr]bool) {
	var first map[*ssa.Value]*ssa.Instr
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLocal {
			return
		}
		one := first[in.Args[0]]
		if one == nil {
			if first == nil {
				first = make(map[*ssa.Value]*ssa.Instr)
			}
			first[in.Args[0]] = in
			return
		}
		memory := summaries.Memory(f)
		for _, l := range []*ssa.Instr{one, in} {
			if memory.IsOnlyRead(l.Result()) {
				if onlyRead == nil {
					onlyRead = make(map[*ssa.Instr]bool)
				}
				onlyRead[l] = true
			}
		}
	})
	return onlyRead
}

type exprEntry struct {
	instr  *ssa.Instr
	bucket uint32
	next   int32 // of the same bucket, as in buckets
}

func (t *exprTable) block(b *ssa.Block) {
	scope := len(t.entries)
	kept := b.Instrs[:0]
	for _, in := range b.Instrs {
		in.Resolve()
		if t.shareable(in) && t.share(in) {
			t.changed = true
			continue
		}
		kept = append(kept, in)
		for _, nested := range in.Blocks {
			t.block(nested)
		}
	}
	clear(b.Instrs[len(kept):])
	b.Instrs = kept

	for n := len(t.entries); n > scope; n-- {
		e := t.entries[n-1]
		t.buckets[e.bucket] = e.next
	}
	t.entries = t.entries[:scope]
}

// shareable reports whether two instructions like this one are one.
func (t *exprTable) shareable(in *ssa.Instr) bool {
	if len(in.Results) == 0 || len(in.Blocks) > 0 {
		return false
	}
	if in.Op == ssa.OpCall { // behind one that has returned, another one stops nothing
		return t.summaries.Of(in.Callee).Effects&^(analysis.Checks|analysis.Panics|analysis.Endless) == 0
	}
	return in.Op.Effect() == ssa.Pure || t.onlyRead[in]
}

// share replaces an instruction by an equal one, or notes it as the first.
func (t *exprTable) share(in *ssa.Instr) bool {
	bucket := hash(in) & uint32(len(t.buckets)-1)
	for n := t.buckets[bucket]; n != 0; n = t.entries[n-1].next {
		if first := t.entries[n-1].instr; computesSame(first, in) {
			for i, r := range in.Results {
				r.ForwardTo(first.Results[i])
			}
			if in.Op == ssa.OpConst && first.Result().Name != in.Result().Name {
				// Shared by several variables, a constant goes by no name.
				first.Result().Name = ""
			}
			return true
		}
	}
	t.entries = append(t.entries, exprEntry{in, bucket, t.buckets[bucket]})
	t.buckets[bucket] = int32(len(t.entries))
	return false
}

// computesSame reports whether two pure instructions give the same bits.
func computesSame(in *ssa.Instr, other *ssa.Instr) bool {
	if in.Variant() != other.Variant() || in.Callee != other.Callee || len(in.Args) != len(other.Args) || len(in.Results) != len(other.Results) {
		return false
	}
	for i, r := range in.Results {
		if r.Type != other.Results[i].Type {
			return false
		}
	}
	if in.Op == ssa.OpConst {
		return in.Const == other.Const
	}
	same := true
	for i, a := range in.Args {
		same = same && a == other.Args[i]
	}
	return same || in.Op.IsCommutative() && in.Args[0] == other.Args[1] && in.Args[1] == other.Args[0]
}

// hash is equal for instructions that compute the same.
func hash(in *ssa.Instr) uint32 {
	h := uint64(in.Op)
	switch in.Op {
	case ssa.OpConst:
		h += in.Const.Uint()<<8 ^ in.Const.Uint()>>56
	case ssa.OpMath:
		h += uint64(in.Math) << 8
	case ssa.OpBits:
		h += uint64(in.Bits) << 8
	case ssa.OpReduce:
		h += uint64(in.Atomic) << 8
	case ssa.OpField, ssa.OpFieldAddr, ssa.OpExtract:
		h += uint64(in.Index) << 8
	case ssa.OpThreadID, ssa.OpThreadDim, ssa.OpBlockIndex:
		h += uint64(in.Axis) << 8
	}
	if in.Op.IsCommutative() {
		a, b := in.Args[0].ID, in.Args[1].ID
		h = analysis.Mix(analysis.Mix(h, min(a, b)), max(a, b))
	} else {
		for _, a := range in.Args {
			h = analysis.Mix(h, a.ID)
		}
	}
	h = analysis.Mix(h, in.Results[0].Type.Size())
	return uint32(h >> 32)
}
