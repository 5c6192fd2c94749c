package emit

import (
	"fmt"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// shared prints the memory that the lanes of a block share, or an array with a place
// for each of them.
func (p *printer) shared(in *ssa.Instr) {
	v := in.Results[0]
	x := p.held(v)
	if x == nil || x.declared {
		return // nobody reads it, or it stands at the kernel's beginning
	}
	elem := p.typeName(v.Type.(ssa.Slice).Elem)
	x.declared = true
	p.w.declares = true
	p.w.at(in.Stmt)
	if in.Storage == ssa.RegisterStorage {
		p.w.linef("%s %s;", p.fragment(in), x.name)
		return
	}
	if in.Storage == ssa.LaneStorage || in.Storage == ssa.LaneHeap {
		if in.Storage == ssa.LaneHeap && p.frame.Faults {
			p.need("qd.stopped_lanes")
			p.w.linef("const qd::stopped_lanes<%s> %s(%d, %d);", elem, x.name, in.Len, p.behind<<siteBits|abi.NoMemory)
			return
		}
		if in.Storage == ssa.LaneHeap {
			p.need("qd.lanes")
			p.w.linef("const qd::lanes<%s> %s(%d);", elem, x.name, in.Len)
			return
		}
		p.w.linef("%s %s[%d];", elem, x.name, in.Len)
		return
	}
	memory := p.temporary(x.name + "_memory")
	if at, ok := p.cut[in]; ok {
		p.w.line(p.d.Block.Cut(elem, memory, at))
	} else {
		declare := p.d.Block.Shared
		if in.Storage == ssa.ScratchStorage {
			declare = p.d.Block.Scratch
		}
		p.w.line(declare(fmt.Sprintf("%s %s[%d]", elem, memory, in.Len)))
	}
	p.w.linef("%s %s = {%s, %d};", p.constType(v.Type), x.name, memory, in.Len)
	if p.d.Block.Zeroed && in.Storage != ssa.ScratchStorage {
		p.need("qd.zero")
		p.w.linef("qd::zero(%s);", x.name)
	}
}

// sharedFirst prints the shared memory that a kernel begins with, for a dialect in which all threads of the
// block take part in making it zero.
func (p *printer) sharedFirst(f *ssa.Func) *writer {
	return p.inner(1, func() {
		if !p.d.Block.Zeroed {
			return
		}
		for _, in := range f.Body.Instrs {
			if in.Op == ssa.OpShared {
				p.shared(in)
			}
		}
		if !p.w.empty() {
			p.w.line(p.d.Block.Barrier)
		}
	})
}
