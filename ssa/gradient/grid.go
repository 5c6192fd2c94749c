package gradient

import (
	"slices"
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file is about Grid kernels: functions that the host runs, and that launch kernels, their parts. The sweeps go
// over the host's function as over that of one thread. The forward sweep launches the parts again. The reverse sweep
// launches their backward kernels, from the last launch to the first.
//
// A backward kernel needs memory as it was when its part was launched. The forward sweep notes that by a snapshot,
// which costs nothing as long as nobody writes there. What the host computes itself, it keeps on a stack of its own. A
// float that the host gives to a part goes through memory, if it has a derivative: the backward kernel adds to its
// gradient there.

// A part is a kernel that a Grid kernel launches.
type part struct {
	forward *ssa.Func // without checks and printing
	back    *Backward // nil of one that does nothing to floats
	cells   []int     // the places of its parameters that are floats with a derivative: the backward kernel has slices for them
	reads   []bool    // by parameter: the backward kernel reads memory that it leads to
}

// isCell reports whether a parameter is in memory of its own.
func (p *part) isCell(param int) bool { return slices.Contains(p.cells, param) }

// grid is what is known of a Grid kernel.
type grid struct {
	given     int // how many parameters it has
	twins     map[*ssa.Value]*ssa.Value
	parts     map[*ssa.Func]*part
	forwards  map[*ssa.Func]bool                // the kernels of the parts, as the forward sweep launches them
	order     []*part                           // as they are first launched
	snapshots map[*ssa.Instr]map[int]*ssa.Value // by launch and parameter of the part
	restores  []*ssa.Func                       // kernels that copy what notes hold back, for strips
}

// isGrid reports whether the kernel is for a grid.
func (d *differ) isGrid() bool { return d.fn.Kind == ssa.GridKernel }

// hostRegion is the memory of a Grid kernel's arguments, all of which is one region: the host's part chooses among
// slices.
func hostRegion(v *ssa.Value) (r region, ok bool) {
	f := v.Home().Func
	if f.Kind != ssa.GridKernel || !f.Kernel || len(f.Params()) == 0 {
		return r, false
	}
	return region{root: f.Params()[0]}, true
}

// plainAtomics makes atomic operations of the host plain: nothing runs beside it.
func plainAtomics(b *ssa.Block) {
	var out []*ssa.Instr
	for _, in := range slices.Clone(b.Instrs) {
		for _, nested := range in.Blocks {
			plainAtomics(nested)
		}
		op, ok := map[ssa.Atomic]ssa.Op{ssa.AtomicAdd: ssa.OpAdd, ssa.AtomicMin: ssa.OpMin, ssa.AtomicMax: ssa.OpMax,
			ssa.AtomicAnd: ssa.OpAnd, ssa.AtomicOr: ssa.OpOr, ssa.AtomicXor: ssa.OpXor}[in.Atomic]
		if in.Op != ssa.OpAtomic || !ok && in.Atomic != ssa.AtomicExch {
			out = append(out, in)
			continue
		}
		p, v := in.Args[0], in.Args[1]
		b.Instrs = out
		old := in.Result()
		in.Op, in.Args = ssa.OpLoad, []*ssa.Value{p}
		b.Instrs = append(b.Instrs, in)
		if ok {
			v = b.Append(&ssa.Instr{Op: op, Args: []*ssa.Value{old, v}, Pos: in.Pos, Stmt: in.Stmt}, v.Type).Result()
		}
		b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{p, v}, Pos: in.Pos, Stmt: in.Stmt})
		out = b.Instrs
	}
	b.Instrs = out
}

// launchCopies makes copies between slices that are apart loops, so that they run on the device both ways.
func (d *differ) launchCopies() {
	kernels := make(map[ssa.Type]*ssa.Func)
	d.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpCopy || d.Overlap || mayOverlap(in.Args) || in.Args[0].Root().IsLocal() || in.Args[1].Root().IsLocal() {
			return
		}
		t := in.Args[0].Type
		k := kernels[t]
		if k == nil {
			k = copyKernel(t.(ssa.Slice), d.name+".copy"+strconv.Itoa(len(kernels)+1), in)
			kernels[t] = k
		}
		b := in.Block
		begin := len(b.Instrs)
		op := func(op ssa.Op, args ...*ssa.Value) *ssa.Value {
			return b.Append(&ssa.Instr{Op: op, Args: args, Pos: in.Pos, Stmt: in.Stmt}, ssa.Int64).Result()
		}
		n := op(ssa.OpMin, op(ssa.OpLen, in.Args[0]), op(ssa.OpLen, in.Args[1]))
		added := slices.Clone(b.Instrs[begin:])
		b.Instrs = slices.Insert(b.Instrs[:begin], slices.Index(b.Instrs, in), added...)
		in.Result().ForwardTo(n)
		in.Op, in.Callee, in.Rank, in.Args, in.Results = ssa.OpLaunch, k, 1, slices.Concat([]*ssa.Value{n}, in.Args), nil
	})
	d.fn.Body.Walk(func(in *ssa.Instr) { in.Resolve() })
}

// copyKernel copies an element of a slice to another one.
func copyKernel(t ssa.Slice, name string, by *ssa.Instr) *ssa.Func {
	k := ssa.NewFunc(name)
	k.Kernel, k.Rank = true, 1
	if by.Stmt != nil {
		k.Decl = *by.Stmt
	}
	b := k.Body
	thread, to, from := b.AddParam(ssa.Thread, ""), b.AddParam(t, "to"), b.AddParam(t, "from")
	op := func(in *ssa.Instr, t ssa.Type) *ssa.Value {
		in.Pos, in.Stmt = by.Pos, by.Stmt
		return b.Append(in, t).Result()
	}
	i := op(&ssa.Instr{Op: ssa.OpThreadID, Rank: 1, Args: []*ssa.Value{thread}}, ssa.Int64)
	at := func(s *ssa.Value) *ssa.Value {
		return op(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{s, i}}, ssa.Pointer(t))
	}
	v := op(&ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{at(from)}}, t.Elem)
	b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at(to), v}, Pos: by.Pos, Stmt: by.Stmt})
	b.Append(&ssa.Instr{Op: ssa.OpReturn, Pos: by.Pos, Stmt: by.Stmt})
	return k
}

// launchedWith is the argument of a launch for a parameter of the part.
func launchedWith(in *ssa.Instr, param int) *ssa.Value { return in.Args[int(in.Rank)+param-1] }

// findParts makes the backward kernels of the parts, and notes which memory each of their launches needs.
func (d *differ) findParts() {
	d.forwards = make(map[*ssa.Func]bool)
	d.parts, d.snapshots = make(map[*ssa.Func]*part), make(map[*ssa.Instr]map[int]*ssa.Value)
	var launches []*ssa.Instr
	cells, overlap := make(map[*ssa.Func][]int), make(map[*ssa.Func]bool)
	d.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpLaunch {
			return
		}
		launches = append(launches, in)
		overlap[in.Callee] = overlap[in.Callee] || d.Overlap || mayOverlap(in.Args[in.Rank:])
		for i := 1; i < len(in.Callee.Params()); i++ {
			if v := launchedWith(in, i); d.isActive(v) && !slices.Contains(cells[in.Callee], i) {
				if ssa.HoldsAddress(v.Type) {
					d.refuse(in, "cannot differentiate a parallel loop that uses a struct with slices and with floats that depend on others", "use the floats and the slices as variables of their own")
				}
				cells[in.Callee] = append(cells[in.Callee], i)
			}
		}
	})
	for _, in := range launches {
		if d.parts[in.Callee] == nil {
			slices.Sort(cells[in.Callee])
			d.addPart(in.Callee, cells[in.Callee], overlap[in.Callee])
		}
	}
	if d.err() != nil {
		return
	}
	for _, in := range launches {
		d.snapshot(in)
	}
}

// addPart makes what there is of a part.
func (d *differ) addPart(k *ssa.Func, cells []int, overlap bool) {
	p := &part{forward: k.Clone(k.Name), cells: cells}
	d.parts[k] = p
	d.order = append(d.order, p)
	d.forwards[p.forward] = true
	drop(p.forward.Body, ssa.OpCheck, ssa.OpPrintf)
	settle(p.forward)
	inner := newDiffer(k, Options{Overlap: overlap, Batches: true, Strip: d.Strip})
	inner.sums, inner.adds = d.sums, d.adds
	back, err := inner.of(withCells(k, cells))
	if err != nil {
		d.refused = append(d.refused, inner.refused...)
		return
	}
	if len(back.Kernel.Body.Instrs) == 1 { // it returns at once
		return
	}
	p.back = back
	if len(back.Tapes) > 0 || len(back.Copies) > 0 {
		back.Kernel.Room = &ssa.Room{Copies: back.Copies, Elems: back.Tapes, Batched: back.Batched, Count: back.Count}
	}
	summaries := new(analysis.Summaries)
	for i := range k.Params() {
		reads := false
		for _, f := range []*ssa.Func{back.Kernel, back.Count} {
			reads = reads || f != nil && summaries.Memory(f).Use(f.Params()[i])&(analysis.Read|analysis.Written) != 0
		}
		p.reads = append(p.reads, reads && !p.isCell(i) && ssa.HoldsAddress(k.Params()[i].Type))
	}
}

// withCells is a kernel with some of its parameters in memory: slices of one element.
func withCells(k *ssa.Func, cells []int) *ssa.Func {
	k = k.Clone(k.Name)
	body := k.Body
	var loads []*ssa.Instr
	for _, i := range cells {
		p := body.Params[i]
		cell := body.AddParam(ssa.Slice{Elem: p.Type}, p.Name)
		body.Params = body.Params[:len(body.Params)-1]
		body.Params[i] = cell
		end := len(body.Instrs)
		zero := body.AppendInt(ssa.Int64, 0)
		at := body.AppendOp(ssa.OpIndexAddr, ssa.Pointer{Elem: p.Type}, cell, zero).Result()
		load := body.AppendOp(ssa.OpLoad, p.Type, at).Result()
		load.Name = p.Name
		p.ForwardTo(load)
		loads = append(loads, body.Instrs[end:]...)
		body.Instrs = body.Instrs[:end]
	}
	body.SetInstrs(slices.Concat(loads, body.Instrs))
	body.Walk(func(in *ssa.Instr) { in.Resolve() })
	return k
}

// snapshot has the memory noted that the backward kernel of a launch reads.
func (d *differ) snapshot(in *ssa.Instr) {
	p := d.parts[in.Callee]
	if p.back == nil {
		return
	}
	d.snapshots[in] = make(map[int]*ssa.Value)
	b := in.Block
	for i, reads := range p.reads {
		if !reads {
			continue
		}
		note := &ssa.Instr{Op: ssa.OpSnapshot, Args: []*ssa.Value{launchedWith(in, i)}, Pos: in.Pos, Stmt: in.Stmt, Block: b}
		d.snapshots[in][i] = note.AddResult(ssa.Int64, "")
		at := slices.Index(b.Instrs, in)
		if slices.Contains(p.back.After, i) {
			at++
		}
		b.Instrs = slices.Insert(b.Instrs, at, note)
	}
}

// isActiveLaunch reports whether a launch has a gradient.
func (d *differ) isActiveLaunch(in *ssa.Instr) bool {
	return in.Op == ssa.OpLaunch && d.parts[in.Callee].back != nil
}

// A cell is memory for a float that the host gives to a part, and for its gradient.
type cell struct{ value, grad *ssa.Value }

// makeCells makes the memory at the beginning of the host's part.
func (r *sweep) makeCells() {
	for _, p := range r.order {
		for _, i := range p.cells {
			if p.back == nil {
				continue
			}
			t := ssa.Slice{Elem: p.forward.Params()[i].Type}
			make := func() *ssa.Value { return r.append(&ssa.Instr{Op: ssa.OpShared, Len: 1}, t).Result() }
			r.cells[p.forward.Params()[i]] = cell{make(), make()}
		}
	}
}

// firstOf is the address of the only element of a cell.
func (r *sweep) firstOf(cell *ssa.Value) *ssa.Value {
	return r.op(ssa.OpIndexAddr, ssa.Pointer{Elem: at(cell)}, cell, r.int(0))
}

// reverseLaunch launches the backward kernel of a part.
func (r *sweep) reverseLaunch(in *ssa.Instr) {
	if !r.isActiveLaunch(in) {
		return
	}
	p := r.parts[in.Callee]
	var args []*ssa.Value
	for _, size := range in.Args[:in.Rank] {
		args = append(args, r.primal(size))
	}
	params := p.forward.Params()
	for i := 1; i < len(params); i++ {
		v := launchedWith(in, i)
		note := r.snapshots[in][i]
		switch {
		case p.isCell(i):
			c := r.cells[params[i]]
			r.store(r.firstOf(c.value), r.primal(v))
			r.store(r.firstOf(c.grad), r.zero(params[i].Type))
			args = append(args, c.value)
		case note != nil:
			args = append(args, r.op(ssa.OpRestore, v.Type, r.primal(note)))
		default:
			args = append(args, r.primal(v))
		}
	}
	for _, i := range p.back.Gradients {
		if p.isCell(i) {
			args = append(args, r.cells[params[i]].grad)
		} else {
			args = append(args, r.shadow(launchedWith(in, i)))
		}
	}
	r.append(&ssa.Instr{Op: ssa.OpLaunch, Callee: p.back.Kernel, Rank: in.Rank, Args: args})
	for _, i := range p.cells {
		r.add(launchedWith(in, i), &adjoint{value: r.load(r.firstOf(r.cells[params[i]].grad))})
	}
}

// gridBackward is the result for a Grid kernel.
func (d *differ) gridBackward() *Backward {
	host := d.last.to
	b := &Backward{Kernel: host}
	for _, p := range d.order {
		b.parts = append(b.parts, p.forward)
		if p.back != nil {
			b.parts = append(b.parts, p.back.kernels()...)
		}
	}
	b.parts = append(b.parts, d.restores...)
	memory := new(analysis.Summaries).Memory(host) // all launches are there still: what one of them writes is to be as it was before
	for i, p := range host.Params()[:d.given] {
		if hasGradient(p.Type) {
			b.Gradients = append(b.Gradients, i)
		}
		if memory.Use(p)&analysis.Written != 0 {
			b.Copies = append(b.Copies, i)
		}
	}
	end := host.Body.Instrs[d.last.turning] // the first one of the reverse sweep
	dropSnapshots(host)
	d.dropLast(host.Body, slices.Index(host.Body.Instrs, end))
	settle(host)
	return b
}

// dropSnapshots removes those that nobody restores.
func dropSnapshots(f *ssa.Func) {
	used := make(map[*ssa.Value]bool)
	f.Body.Walk(func(in *ssa.Instr) {
		for _, a := range in.Args {
			used[a] = true
		}
	})
	var drop func(b *ssa.Block)
	drop = func(b *ssa.Block) {
		for _, in := range b.Instrs {
			for _, nested := range in.Blocks {
				drop(nested)
			}
		}
		b.SetInstrs(slices.DeleteFunc(slices.Clone(b.Instrs), func(in *ssa.Instr) bool {
			return in.Op == ssa.OpSnapshot && !used[in.Result()]
		}))
	}
	drop(f.Body)
}

// dropLast removes the last launches of the forward sweep, which ends before an instruction: what is behind the last
// snapshot and the last value that the host reads, nobody needs. The reverse sweep has the memory as it was before.
func (d *differ) dropLast(b *ssa.Block, end int) {
	needed := 0
	for i, in := range b.Instrs[:end] {
		if d.readsMemory(in) {
			needed = i + 1
		}
	}
	last := slices.Clone(b.Instrs[needed:end])
	for _, in := range last {
		for _, nested := range in.Blocks {
			d.dropForward(nested)
		}
	}
	b.SetInstrs(slices.Concat(b.Instrs[:needed], slices.DeleteFunc(last, d.isForward), b.Instrs[end:]))
}

// isForward reports whether an instruction of the forward sweep launches a part.
func (d *differ) isForward(in *ssa.Instr) bool { return in.Op == ssa.OpLaunch && d.forwards[in.Callee] }

// readsMemory reports whether what is in memory matters to an instruction of the forward sweep, apart from launches.
func (d *differ) readsMemory(in *ssa.Instr) bool {
	found := in.Op == ssa.OpSnapshot || in.Op == ssa.OpLoad || in.Op == ssa.OpCopy || in.Op == ssa.OpAtomic || in.Op == ssa.OpCall
	for _, nested := range in.Blocks {
		nested.Walk(func(in *ssa.Instr) { found = found || d.readsMemory(in) })
	}
	return found
}

// dropForward removes launches of parts from a block.
func (d *differ) dropForward(b *ssa.Block) {
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			d.dropForward(nested)
		}
	}
	b.SetInstrs(slices.DeleteFunc(slices.Clone(b.Instrs), d.isForward))
}
