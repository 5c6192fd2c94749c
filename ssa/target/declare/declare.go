// Package declare finds what the text of a module declares before its functions: the struct types and their order, the
// parts of what tells a thread or a block its place, and the frames of kernels.
package declare

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/abi"
)

// A Module is what the text of a module declares.
type Module struct {
	Structs *Structs
	Place   Place
	Printf  bool                    // some function prints
	Frames  map[*ssa.Func]abi.Frame // of the kernels
}

// Place says what the functions of a module read of what tells a thread, or a block, its place in the launch.
type Place struct {
	Thread, Block bool // some function has a parameter that tells it
	IDs           bool // the indices along the axes
	Sizes         bool // the sizes of the launch

	// Of a thread, its place in its block. A phased kernel reads other variables.
	Lane, BlockID, BlockDim bool
}

// InBlock reports whether any function reads the place of a thread in its block.
func (p *Place) InBlock() bool { return p.Lane || p.BlockID || p.BlockDim }

// Find finds what the text of a module for a machine declares. The module has no function for the host.
func Find(m *ssa.Module, machine abi.Target, summaries *analysis.Summaries) *Module {
	d := &Module{Structs: newStructs(), Frames: machine.Frames(m, summaries)}
	for _, f := range m.Funcs {
		d.Structs.signature(f)
		for _, v := range f.Params() {
			d.Place.Thread = d.Place.Thread || v.Type == ssa.Thread
			d.Place.Block = d.Place.Block || v.Type == ssa.BlockPlace
		}
		f.Body.Walk(func(in *ssa.Instr) {
			d.Structs.instr(in)
			d.Place.note(f, in)
			d.Printf = d.Printf || in.Op == ssa.OpPrintf
		})
	}
	return d
}

// note notes what an instruction reads.
func (p *Place) note(f *ssa.Func, in *ssa.Instr) {
	switch in.Op {
	case ssa.OpThreadID, ssa.OpBlockIndex:
		p.IDs = p.IDs || in.Rank > 1
	case ssa.OpThreadDim:
		p.Sizes = p.Sizes || !f.Phased
	}
	if f.Phased || len(in.Args) != 1 || in.Args[0].Type != ssa.Thread {
		return
	}
	p.Lane = p.Lane || in.Op == ssa.OpLane
	p.BlockID = p.BlockID || in.Op == ssa.OpBlockID
	p.BlockDim = p.BlockDim || in.Op == ssa.OpBlockDim
}
