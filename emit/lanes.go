package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// This file prints loops over the lanes of a block.

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

// before prints the barrier before a statement, if there is one.
func (p *printer) before(in *ssa.Instr) {
	if p.code.WaitsBefore(in) {
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
	frame := &loopFrame{in: in}
	p.loops = append(p.loops, frame)
	outer := p.phase
	p.phase = frame
	if p.code.HasNext(in, body) {
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

// barrier prints a barrier in a Block kernel, for a dialect whose blocks have threads.
func (p *printer) barrier() {
	if p.d.Block.Barrier != "" {
		p.w.line(p.d.Block.Barrier)
	}
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
