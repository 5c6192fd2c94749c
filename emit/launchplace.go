package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// This file prints what tells a thread, or a block, its place in the launch: the types Thread and Block, their values,
// and what is read of them.

// threadStruct prints the type of what a kernel's first parameter is, with the
// parts that the module reads.
func (p *printer) threadStruct() {
	w, parts := p.w, p.declared.Place
	about := "the row-major index"
	if parts.IDs {
		about += ", the indices along the axes"
	}
	if parts.Sizes {
		about += ", the sizes of the launch"
	}
	if parts.InBlock() {
		about += ", the place in its block"
	}
	w.comment("The place of one thread in the launch: " + about + ".")
	w.line("struct " + p.threadType + " {")
	w.line("    int64 flat;")
	if parts.IDs {
		w.line("    int64 id[4];")
	}
	if parts.Sizes {
		w.line("    int64 dim[4];")
	}
	for _, f := range []struct {
		used bool
		name string
	}{{parts.Lane, "lane"}, {parts.BlockID, "block"}, {parts.BlockDim, "block_dim"}} {
		if f.used {
			w.line("    int64 " + f.name + ";")
		}
	}
	w.linef("    %sint64 ID() const { return flat; }", p.d.Device)
	w.line("};")
}

// blockStruct prints the type of what a Block kernel's first parameter is.
func (p *printer) blockStruct() {
	w, parts := p.w, p.declared.Place
	about := "the row-major index"
	if parts.IDs {
		about += ", the indices along the axes"
	}
	w.comment("The place of one block in the launch: " + about + ".")
	w.line("struct " + p.blockType + " {")
	w.line("    int64 flat;")
	if parts.IDs {
		w.line("    int64 id[4];")
	}
	w.linef("    %sint64 ID() const { return flat; }", p.d.Device)
	w.line("};")
}

// ThreadLiteral is the initializer of a Thread: the flat index, the indices
// along the axes, the sizes, and the thread's index in its block, the block's index and its
// size. dim is the size along an axis, with %d for the axis.
func (k *Kernel) ThreadLiteral(flat string, ids []string, dim, lane, block, blockDim string) string {
	parts := []string{flat}
	if k.parts.IDs {
		parts = append(parts, "{"+strings.Join(ids, ", ")+"}")
	}
	if k.parts.Sizes {
		var sizes []string
		for axis := range 4 {
			sizes = append(sizes, fmt.Sprintf(dim, axis))
		}
		parts = append(parts, "{"+strings.Join(sizes, ", ")+"}")
	}
	if k.parts.Lane {
		parts = append(parts, lane)
	}
	if k.parts.BlockID {
		parts = append(parts, block)
	}
	if k.parts.BlockDim {
		parts = append(parts, blockDim)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// BlockLiteral is the initializer of a Block: the flat index and the indices along the axes.
func (k *Kernel) BlockLiteral(flat string, ids []string) string {
	if !k.parts.IDs {
		return "{" + flat + "}"
	}
	return "{" + flat + ", {" + strings.Join(ids, ", ") + "}}"
}

// blockPlace prints what tells a thread's or a block's place in its launch.
func (p *printer) blockPlace(in *ssa.Instr) expr {
	if f := p.fn; f.Phased {
		switch in.Op {
		case ssa.OpBlockID:
			return call("block")
		case ssa.OpBlockDim:
			return call("args.block")
		case ssa.OpThreadDim:
			return call("args.dim[" + strconv.Itoa(int(in.Axis)) + "]")
		}
	}
	at := p.expr(in.Args[0]).in(precPostfix)
	switch {
	case in.Op == ssa.OpLane:
		return call(at + ".lane")
	case in.Op == ssa.OpBlockDim:
		return call(at + ".block_dim")
	case in.Op == ssa.OpBlockID && in.Args[0].Type == ssa.Thread:
		return call(at + ".block")
	case in.Op == ssa.OpBlockIndex && in.Rank > 1:
		return call(at + ".id[" + strconv.Itoa(int(in.Axis)) + "]")
	}
	return call(at + ".ID()")
}
