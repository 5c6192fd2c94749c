package target

import "github.com/qdgen/qd/ssa"

// atomicOps are the operations of read-modify-writes.
var atomicOps = map[ssa.Atomic]ssa.Op{
	ssa.AtomicAdd: ssa.OpAdd, ssa.AtomicMin: ssa.OpMin, ssa.AtomicMax: ssa.OpMax,
	ssa.AtomicAnd: ssa.OpAnd, ssa.AtomicOr: ssa.OpOr, ssa.AtomicXor: ssa.OpXor,
}

// ownAtomics makes loads and stores of the atomic operations on the shared memory of a block whose threads run one
// after the other: nobody else sees that memory. A loop over lanes with such operations must not run several of them at
// once. It reports whether there were any.
func ownAtomics(f *ssa.Func) bool {
	if !f.Kernel {
		return false
	}
	var roots ssa.Roots
	var owned []*ssa.Instr
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpAtomic || in.Atomic != ssa.AtomicExch && atomicOps[in.Atomic] == 0 {
			return
		}
		if root := roots.Of(in.Args[0]).Def; root != nil && root.Op == ssa.OpShared && root.Storage == ssa.BlockStorage {
			owned = append(owned, in)
		}
	})
	for _, in := range owned {
		for o := in.Block.Owner; o != nil; o = o.Block.Owner {
			if o.Op == ssa.OpFor {
				o.Vector = ssa.VectorNever
			}
		}
		in.Block.SetInstrs(withoutAtomic(in))
	}
	return len(owned) > 0
}

// withoutAtomic are the instructions of an atomic operation's block with a load and a store in its place.
func withoutAtomic(atomic *ssa.Instr) (list []*ssa.Instr) {
	b := atomic.Block
	for _, in := range b.Instrs {
		if in != atomic {
			list = append(list, in)
			continue
		}
		next := func(op ssa.Op, args ...*ssa.Value) *ssa.Instr {
			made := &ssa.Instr{Op: op, Args: args, Block: b, Pos: in.Pos, Stmt: in.Stmt}
			list = append(list, made)
			return made
		}
		ptr, v := in.Args[0], in.Args[1]
		load := next(ssa.OpLoad, ptr)
		load.Results = in.Results
		load.Result().Def = load
		if in.Atomic != ssa.AtomicExch {
			v = next(atomicOps[in.Atomic], load.Result(), v).AddResult(v.Type, "")
		}
		next(ssa.OpStore, ptr, v)
	}
	return list
}
