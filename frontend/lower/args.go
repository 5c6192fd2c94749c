package lower

import (
	"go/ast"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// maxArgs is how many bytes the arguments of a launch may take, the launch's sizes
// among them: what CUDA passes to a kernel on every GPU.
const maxArgs = 4096

// argsFit refuses kernels with too many bytes of arguments, among which are what
// parallel loops use of the variables outside of them.
func (m *Module) argsFit(src *load.Function) {
	if m.Diags.Len() > 0 {
		return
	}
	const hint = "pass large arrays as slices"
	for _, k := range m.Out.Device().Kernels() {
		size := argsSize(k)
		switch {
		case size <= maxArgs:
		case m.Out.Host() == nil:
			m.Refuse(src.Decl.Name, hint, "the parameters of %s take %d bytes, of the %d that a launch has", src.Obj.Name(), size, maxArgs)
		default:
			var at ast.Node = m.At(k.Body.Instrs[0].Pos) // of the loop
			m.Refuse(at, hint, "the parallel loop uses %d bytes of variables outside of it, of the %d that a launch has", size, maxArgs)
		}
	}
}

// argsSize is the size of the arguments as a launch has them on the device that adds most to
// them, which is CUDA: package emit lays them out so.
func argsSize(k *ssa.Func) int {
	size := 4 * 8 // the dimensions
	alignTo := func(align int) { size = (size + align - 1) / align * align }
	if k.Kind == ssa.ThreadKernel && analysis.UsesBlock(k) {
		size += 8 // the number of threads in a block
	}
	for _, p := range k.Params()[1:] {
		alignTo(p.Type.Align())
		size += p.Type.Size()
	}
	alignTo(8)
	if k.Kind == ssa.ThreadKernel {
		size += 8 // the number of threads
	}
	if k.Rank > 1 {
		size += 16 * k.Rank // what divides by the dimensions
	}
	return size
}
