package lower

import (
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// maxArgs is how many bytes the arguments of a launch may take, the launch's sizes
// among them: what CUDA passes to a kernel on every GPU.
const maxArgs = 4096

const argsHint = "pass large arrays as slices"

// argsFit refuses kernels with too many bytes of arguments. What parallel loops use of the variables outside of
// them are arguments too: see checkLoops.
func (m *Module) argsFit(fn *ssa.Func, src *load.Function) {
	if fn.Kind == ssa.GridKernel || m.Diags.Len() > 0 {
		return
	}
	var types []ssa.Type
	for _, p := range fn.Params()[1:] {
		types = append(types, p.Type)
	}
	if argsSize(fn.Kind, fn.Rank, true, types) <= maxArgs {
		return
	}
	usesBlock := new(analysis.Summaries).Of(fn).Block
	if size := argsSize(fn.Kind, fn.Rank, usesBlock, types); size > maxArgs {
		m.Refuse(src.Decl.Name, argsHint, "the parameters of %s take %d bytes; the limit for a launch is %d", src.Obj.Name(), size, maxArgs)
	}
}

// argsSize is the size of the arguments as a launch has them on the device that adds most to
// them, which is CUDA: package emit lays them out so.
func argsSize(kind ssa.Kind, rank int, usesBlock bool, types []ssa.Type) int {
	size := 4 * 8 // the dimensions
	alignTo := func(align int) { size = (size + align - 1) / align * align }
	if kind == ssa.ThreadKernel && usesBlock {
		size += 8 // the number of threads in a block
	}
	for _, t := range types {
		alignTo(t.Align())
		size += t.Size()
	}
	alignTo(8)
	if kind == ssa.ThreadKernel {
		size += 8 // the number of threads
	}
	if rank > 1 {
		size += 16 * rank // what divides by the dimensions
	}
	return size
}
