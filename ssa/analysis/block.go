package analysis

import "github.com/qdgen/qd/ssa"

// UsesBlock reports whether a function, or one that it calls, asks for the thread's place in its block,
// waits for the other threads of it, or shares memory with them.
func UsesBlock(f *ssa.Func) bool { return new(Summaries).Of(f).Block }

// ModuleUsesBlock reports whether the kernels of a module must know how many threads
// a block has: results may depend on it.
func ModuleUsesBlock(m *ssa.Module) bool {
	var s Summaries
	for _, f := range m.Funcs {
		if f.Kind == ssa.ThreadKernel && s.Of(f).Block {
			return true
		}
	}
	return false
}
