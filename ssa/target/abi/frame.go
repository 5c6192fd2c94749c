package abi

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A Frame is what lies between the host and the code of a kernel.
type Frame struct {
	Layout  Layout // of the argument struct
	Blocked bool   // the argument struct has the number of threads in a block, see [Blocked]
	Stops   bool   // a thread may stop at a check or a panic, and report it
}

// Frame is the frame of a kernel.
func (t Target) Frame(k *ssa.Func, summaries *analysis.Summaries) Frame {
	return Frame{t.ArgsWith(k, summaries), Blocked(k, summaries), summaries.Of(k).Effects.Has(analysis.MayStop)}
}

// Frames are the frames of a module's kernels.
func (t Target) Frames(m *ssa.Module, summaries *analysis.Summaries) map[*ssa.Func]Frame {
	frames := make(map[*ssa.Func]Frame)
	for _, k := range m.Kernels() {
		frames[k] = t.Frame(k, summaries)
	}
	return frames
}
