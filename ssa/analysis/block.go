package analysis

import "github.com/qdgen/qd/ssa"

// UsesBlock reports whether a function, or one that it calls, asks for the thread's place in its block,
// waits for the other threads of it, or shares memory with them.
func UsesBlock(f *ssa.Func) bool { return new(Summaries).Of(f).Block }
