package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// This file prints what concerns blocks of threads: loops over lanes, memory that
// lanes share, and places in blocks.

// blockUses are the parts of its place in a block that a Thread must have.
type blockUses struct{ lane, block, dim bool }

func (u blockUses) any() bool { return u.lane || u.block || u.dim }

// note notes what an instruction reads of a Thread. A phased kernel reads other variables.
func (u *blockUses) note(f *ssa.Func, in *ssa.Instr) {
	if f.Phased || len(in.Args) != 1 || in.Args[0].Type != ssa.Thread {
		return
	}
	u.lane = u.lane || in.Op == ssa.OpLane
	u.block = u.block || in.Op == ssa.OpBlockID
	u.dim = u.dim || in.Op == ssa.OpBlockDim
}

// fields print the fields of a Thread.
func (u blockUses) fields(w *writer) {
	for _, f := range []struct {
		used bool
		name string
	}{{u.lane, "lane"}, {u.block, "block"}, {u.dim, "block_dim"}} {
		if f.used {
			w.line("    int64 " + f.name + ";")
		}
	}
}

// blockStruct prints the type of what a Block kernel's first parameter is.
func (p *printer) blockStruct() {
	w := p.w
	about := "the row-major index"
	if p.ids {
		about += ", the indices along the axes"
	}
	w.comment("The place of one block in the launch: " + about + ".")
	w.line("struct " + p.blockType + " {")
	w.line("    int64 flat;")
	if p.ids {
		w.line("    int64 id[4];")
	}
	w.linef("    %sint64 ID() const { return flat; }", p.d.Device)
	w.line("};")
}

// hasParam reports whether some function has a parameter of the type.
func (p *printer) hasParam(t ssa.Type) bool {
	for _, f := range p.m.Funcs {
		for _, v := range f.Params() {
			if v.Type == t {
				return true
			}
		}
	}
	return false
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

// parallel prints an OpFor: a loop over lanes, or two if several can run at once.
func (p *printer) parallel(in *ssa.Instr) {
	if in.Spread {
		p.spread(in)
		return
	}
	if len(in.Args) > 1 {
		p.parallelNest(in)
		return
	}
	n := p.expr(in.Args[0])
	wide := in.WideBlock()
	var at string
	var wideText *writer
	if wide != nil {
		at = p.laneName(wide.Params[0])
		wideText = p.turn(in, wide, at, 1, nil)
	}
	lane := p.laneName(in.Blocks[0].Params[0])
	text := p.turn(in, in.Blocks[0], lane, 1, nil)

	p.before(in)
	p.w.at(in.Stmt)
	header := p.laneHeader(p.typeName(in.Args[0].Type), lane, n.in(precLess+1), in.Args)
	if wide != nil {
		var first string
		first, header = p.d.Block.InLanes(at, lane, n.in(precMul), int(in.Len))
		p.w.line(first)
		p.w.append(wideText)
		p.w.line("}")
	}
	if c, ok := in.Args[0].Const(); wide != nil && ok && c.Int()%int64(in.Len) == 0 {
		return // none remain
	}
	p.laneLoop(in, header, text)
}

// laneLoop prints the loop of an OpFor around its text.
func (p *printer) laneLoop(in *ssa.Instr, header string, text *writer) {
	if hint := p.hint(in.Vector); hint != "" {
		p.w.raw(hint)
	}
	p.w.line(header)
	p.w.append(text)
	p.w.stmt = in.Stmt
	p.w.line("}")
	if in.Async {
		return
	}
	if copiesRows(in) {
		p.need("qd.wait_for_copies")
		p.w.line("qd::wait_for_copies();")
	}
	p.barrier()
}

// before prints a barrier before a loop that is to overwrite what was read.
func (p *printer) before(in *ssa.Instr) {
	if !in.Async {
		p.barrier()
	}
}

// copiesRows reports whether the lanes of a loop copy rows, which may still be on their way when the loop ends.
func copiesRows(in *ssa.Instr) (found bool) {
	in.Blocks[0].Walk(func(x *ssa.Instr) { found = found || x.Op == ssa.OpCopyRow })
	return found
}

// parallelNest prints an OpFor over several indices. It is a loop for each index, or one loop that the threads of a
// block share. In the shared loop, the indices are computed from that of the lane.
func (p *printer) parallelNest(in *ssa.Instr) {
	body := in.Blocks[0]
	indices, sizes := make([]string, len(in.Args)), make([]string, len(in.Args))
	for i, v := range body.Params {
		indices[i] = p.laneName(v)
	}
	for i, a := range in.Args {
		sizes[i] = p.expr(a).in(precLess + 1)
	}
	if p.d.Block.Barrier != "" {
		if slices.ContainsFunc(in.Args, func(v *ssa.Value) bool { return !ssa.IsConst(v) }) {
			panic("BUG: a loop over lanes with several indices, not all of a constant size")
		}
		lane := p.temporary("lane")
		text := p.turn(in, body, lane, 1, func() { p.splitLane(lane, indices, sizes) })
		p.before(in)
		p.w.at(in.Stmt)
		p.laneLoop(in, p.laneHeader("int64", lane, strconv.FormatInt(lanes(in.Args), 10), in.Args), text)
		return
	}
	text := p.turn(in, body, indices[0], len(indices), nil)
	p.w.at(in.Stmt)
	p.nest(indices, sizes, text, in.Vector)
	p.w.stmt = in.Stmt
}

// laneName is the name of an index of an OpFor.
func (p *printer) laneName(v *ssa.Value) string {
	if x := p.held(v); x != nil {
		x.declared = true
		return x.name
	}
	return p.temporary("lane")
}

// turn prints what an OpFor does for a lane, after what first prints, if that is not nil. The text is to stand in so
// many loops.
func (p *printer) turn(in *ssa.Instr, body *ssa.Block, lane string, depth int, first func()) *writer {
	frame := &loopFrame{in: in, plainNext: true}
	p.loops = append(p.loops, frame)
	outer := p.phase
	p.phase = frame
	p.markTails(body, nil)
	if nestedReturn(body, false) {
		frame.next = p.newLabel(in, "next")
	}
	text := p.inner(depth, func() {
		if first != nil {
			first()
		}
		if p.fn.Phased {
			p.laneThread(body, lane)
		}
		if frame.next == "" {
			p.block(body)
			return
		}
		inside := p.inner(0, func() { p.block(body) })
		p.w.line("{") // a jump to the body's end passes no declaration
		p.w.append(inside.indented())
		p.w.line("}")
		p.w.line(frame.next + ":;")
	})
	p.phase = outer
	p.loops = p.loops[:len(p.loops)-1]
	return text
}

// nest prints a loop over lanes in another one for each index.
func (p *printer) nest(indices, sizes []string, text *writer, v ssa.Vector) {
	if len(indices) == 1 {
		if hint := p.hint(v); hint != "" {
			p.w.raw(hint)
		}
	}
	p.w.line(p.d.Block.Loop("int64", indices[0], sizes[0], p.fn.Threads, false))
	if len(indices) == 1 {
		p.w.append(text)
	} else {
		p.w.append(p.inner(1, func() { p.nest(indices[1:], sizes[1:], text, v) }))
	}
	p.w.line("}")
}

// lanes is the number of lanes of a loop over indices, 0 if that is no constant.
func lanes(sizes []*ssa.Value) int64 {
	n := int64(1)
	for _, v := range sizes {
		c, ok := v.Const()
		if !ok {
			return 0
		}
		n *= c.Int()
	}
	return n
}

// laneHeader is the header of a loop over the lanes of a block.
func (p *printer) laneHeader(index, lane, n string, sizes []*ssa.Value) string {
	threads, count := p.fn.Threads, lanes(sizes)
	return p.d.Block.Loop(index, lane, n, threads, count > 0 && count <= int64(threads))
}

// splitLane declares the indices of a lane, the last one the fastest.
func (p *printer) splitLane(lane string, indices, sizes []string) {
	rest := lane
	for i := len(indices) - 1; i > 0; i-- {
		p.w.linef("const int64 %s = %s %% %s;", indices[i], rest, sizes[i])
		rest = "(" + rest + " / " + sizes[i] + ")"
	}
	p.w.linef("const int64 %s = %s;", indices[0], strings.TrimSuffix(strings.TrimPrefix(rest, "("), ")"))
}

// barrier prints a barrier in a Block kernel, for a dialect whose blocks have threads, unless
// one was printed just before.
func (p *printer) barrier() {
	if barrier := p.d.Block.Barrier; barrier != "" && !p.w.endsIn(barrier) {
		p.w.line(barrier)
	}
}

// actOnce prints a statement that one thread executes for all.
func (p *printer) actOnce(in *ssa.Instr) {
	p.barrier()
	p.w.at(in.Stmt)
	changed := p.printed(p.code.Changed(in))
	p.w.declares = p.w.declares || len(changed) > 0
	var memory []string
	for _, x := range changed {
		name := p.temporary(x.name + "_shared")
		memory = append(memory, name)
		p.w.line(p.d.Block.Shared(p.typeName(x.Type) + " " + name))
		if !x.declared {
			x.declared = true
			p.w.line(p.typeName(x.Type) + " " + x.name + ";")
		}
	}
	p.w.line("if (" + p.d.Block.First + ") {")
	p.w.append(p.inner(1, func() {
		p.onceStatement(in)
		for i, x := range changed {
			p.w.linef("%s = %s;", memory[i], x.name)
		}
	}))
	p.w.line("}")
	p.barrier()
	for i, x := range changed {
		p.w.linef("%s = %s;", x.name, memory[i])
	}
}

// onceStatement prints the statement itself; the variables of its results are declared.
func (p *printer) onceStatement(in *ssa.Instr) {
	if len(in.Results) < 2 || p.code.AllUnused(in.Results) {
		p.plainStatement(in)
		return
	}
	all := p.temporary("results")
	p.w.linef("const auto %s = %s;", all, p.callText(in))
	for i, v := range in.Results {
		if x := p.held(v); x != nil {
			p.w.linef("%s = %s.r%d;", x.name, all, i)
		}
	}
}

// nestedReturn reports whether a return stands in a loop in b.
func nestedReturn(b *ssa.Block, inLoop bool) bool {
	for _, in := range b.Instrs {
		if in.Op == ssa.OpReturn && inLoop {
			return true
		}
		for _, nested := range in.Blocks {
			if nestedReturn(nested, inLoop || in.Op == ssa.OpLoop) {
				return true
			}
		}
	}
	return false
}

// laneThread declares the Thread of a lane, in a loop over lanes that asks for it.
func (p *printer) laneThread(body *ssa.Block, lane string) {
	t := p.fn.Params()[0]
	used := false
	body.Walk(func(in *ssa.Instr) {
		for _, a := range in.Args {
			used = used || a == t && in.Op != ssa.OpBlockID && in.Op != ssa.OpBlockDim && in.Op != ssa.OpThreadDim && !p.code.IsDead(in)
		}
	})
	name := ""
	if x := p.held(t); used && x != nil {
		name = x.name
	}
	p.lines(p.d.LaneThread(p.frame, name, lane))
}
