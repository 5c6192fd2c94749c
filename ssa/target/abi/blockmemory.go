package abi

import "github.com/qdgen/qd/ssa"

// The memory that the threads of a block share on a GPU, in bytes.
const (
	// StaticBlockMemory is how much of it a kernel may declare.
	StaticBlockMemory = 48 << 10
	// MaxBlockMemory is how much a kernel may ask for at its launch, on the GPUs that have most (sm_90 and sm_100).
	// Others have less: 99 KiB on sm_86, sm_89 and sm_120, 163 KiB on sm_80, 64 KiB on sm_75.
	MaxBlockMemory = 227 << 10
)

// BlockMemoryName is the name of the piece of memory that a block of a GPU is given at the launch. A kernel that needs
// more than [StaticBlockMemory] has its arrays in there. The variable of that name with the kernel's symbol behind
// it is as large as the piece has to be.
const BlockMemoryName = "qd_block_memory"

// BlockMemory says at which byte the memory of each OpShared of a kernel begins if all of it is one piece, and how many
// bytes the piece has.
func BlockMemory(k *ssa.Func) (at map[*ssa.Instr]int, bytes int) {
	at = make(map[*ssa.Instr]int)
	for _, in := range k.Body.Instrs {
		if in.Op == ssa.OpShared && in.Storage != ssa.RegisterStorage {
			bytes = ssa.AlignUp(bytes, 16)
			at[in] = bytes
			bytes += int(in.Len) * in.Result().Type.(ssa.Slice).Elem.Size()
		}
	}
	return at, bytes
}

// OnePiece reports whether all memory of the OpShareds of a kernel is one piece that the launch brings. It is if the
// kernel would declare more than [StaticBlockMemory] otherwise: with it, and with what one thread hands to the others.
// The latter is declared in any case.
func OnePiece(k *ssa.Func) bool {
	_, bytes := BlockMemory(k)
	return ssa.AlignUp(bytes, 16)+handed(k) > StaticBlockMemory
}

// handed is at most how many bytes a kernel declares for what one thread does for all, and hands to the others. In which
// order the compiler places them is not known, and each may stand before an array, which begins at a multiple of 16.
func handed(k *ssa.Func) (bytes int) {
	add := func(t ssa.Type) { bytes += ssa.AlignUp(t.Size(), 16) }
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Once {
			for _, v := range in.Results {
				add(v.Type)
			}
		}
		for _, v := range in.Changes {
			add(v.Type.(ssa.Pointer).Elem)
		}
	})
	return bytes
}
