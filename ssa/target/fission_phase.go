package target

import "github.com/qdgen/qd/ssa"

// block makes the instructions of a split block, in to.
func (x *fission) block(b *ssa.Block, to *ssa.Block) {
	outer := x.cur
	x.cur = to
	defer func() { x.cur = outer }()
	var run []*ssa.Instr
	for _, in := range b.Instrs {
		switch {
		case in.Op.IsTerminator():
			x.end(run, in)
		case x.split[in]:
			x.splitInstr(run, in)
			run = nil
		case x.isOnce(in):
			x.copyOnce(in)
		default:
			run = append(run, in)
		}
	}
}

// copyOnce makes an instruction that is computed once.
func (x *fission) copyOnce(in *ssa.Instr) {
	n := x.shallow(in)
	for _, a := range in.Args {
		n.Args = append(n.Args, x.once[a])
	}
	x.cur.Append(n)
	for _, r := range in.Results {
		x.once[r] = n.AddResult(r.Type, r.Name)
	}
}

// shallow copies an instruction without operands, results and blocks.
func (x *fission) shallow(in *ssa.Instr) *ssa.Instr {
	n := *in
	n.Args, n.Results, n.Blocks, n.Target, n.Block = nil, nil, nil, nil, nil
	return &n
}

// splitInstr makes a barrier, or an If or a Loop that runs once per block.
func (x *fission) splitInstr(run []*ssa.Instr, in *ssa.Instr) {
	switch in.Op {
	case ssa.OpSync:
		x.makePhase(run, nil) // the barrier is that the next phase begins
	case ssa.OpCheck:
		cond := in.Args[0]
		x.makePhase(run, x.give(nil, []*ssa.Value{cond}, []*ssa.Value{cond}))
		x.checkAgreed(cond, in)
	case ssa.OpIf:
		cond := in.Args[0]
		x.makePhase(run, x.give(nil, []*ssa.Value{cond}, []*ssa.Value{cond}))
		n := x.shallow(in)
		n.Args = []*ssa.Value{x.agreed(cond, in)}
		x.cur.Append(n)
		for _, b := range in.Blocks {
			x.block(b, n.NewBlock())
		}
		for _, r := range in.Results {
			if !x.own[r.ID] {
				x.once[r] = n.AddResult(r.Type, r.Name)
			}
		}
	case ssa.OpLoop:
		x.splitLoop(run, in)
	}
}

func (x *fission) splitLoop(run []*ssa.Instr, in *ssa.Instr) {
	cond, post := in.Cond(), in.Post()
	x.makePhase(run, x.give(nil, cond.Params, in.Args))
	n := x.shallow(in)
	n.Args = x.common(cond.Params, in.Args)
	x.cur.Append(n)
	x.loops[in] = n
	x.inside = append(x.inside, in)
	for _, b := range []*ssa.Block{cond, in.Do(), post} {
		to := n.NewBlock()
		for _, p := range b.Params {
			if !x.own[p.ID] {
				x.once[p] = to.AddParam(p.Type, p.Name)
			}
		}
		if b == in.Do() && x.left != nil && x.turns[in] {
			x.ifAllLeft(in, to, x.stop)
		}
		x.block(b, to)
	}
	x.inside = x.inside[:len(x.inside)-1]
	for _, r := range in.Results {
		if !x.own[r.ID] {
			x.once[r] = n.AddResult(r.Type, r.Name)
		}
	}
	if id := x.leave[in]; id != 0 {
		x.rejoin(id, in)
	}
}

// common are the values among from whose targets are computed once.
func (x *fission) common(to, from []*ssa.Value) []*ssa.Value {
	var vs []*ssa.Value
	for k, v := range to {
		if !x.own[v.ID] {
			vs = append(vs, x.once[from[k]])
		}
	}
	return vs
}

// A gift is a value that a lane stores in an array at the end of a phase.
type gift struct{ slot, from *ssa.Value }

// give adds the gifts of an edge. A value that shares the array of what it is for is
// there already.
func (x *fission) give(gifts []gift, to, from []*ssa.Value) []gift {
	for k, v := range to {
		if x.own[v.ID] && x.slots[v] != x.slots[from[k]] {
			gifts = append(gifts, gift{x.slots[v], from[k]})
		}
	}
	return gifts
}

// end makes a terminator of a split block, after the phase before it.
func (x *fission) end(run []*ssa.Instr, in *ssa.Instr) {
	n := x.shallow(in)
	switch in.Op {
	case ssa.OpTest:
		cond := in.Args[0]
		x.makePhase(run, x.give(nil, []*ssa.Value{cond}, []*ssa.Value{cond}))
		n.Args = []*ssa.Value{x.agreed(cond, in)}
	case ssa.OpYield, ssa.OpContinue, ssa.OpBreak:
		to := in.Receivers()
		x.makePhase(run, x.give(nil, to, in.Args))
		if in.Target != nil && x.allMayHaveLeft(in) {
			x.ifAllLeft(in, x.cur, x.goOn)
		}
		if id := x.skips[in.Target]; id != 0 && in.Op == ssa.OpContinue {
			x.rejoin(id, in)
		}
		n.Args, n.Target = x.common(to, in.Args), x.loops[in.Target]
	case ssa.OpReturn:
		if x.pending() {
			x.makePhase(append(run, in), nil)
			x.goOn(n)
			return
		}
		x.makePhase(run, nil)
	case ssa.OpPanic:
		x.makePhase(append(run, in), nil)
		x.goOn(n)
		return
	case ssa.OpUnreachable:
		x.makePhase(run, nil)
		x.goOn(n) // no lane comes here, but the block does if all of them have left
		return
	}
	x.cur.Append(n)
}

// pending reports whether lanes may have left a loop around here that go on after it, or an iteration of one.
func (x *fission) pending() bool {
	for _, loop := range x.inside {
		if x.leave[loop] != 0 || x.skips[loop] != 0 {
			return true
		}
	}
	return false
}

// allMayHaveLeft reports whether the block may come to an exit of a loop, though no lane does: all have left a loop around
// the exit in that loop, or an iteration of it; or the exit is a break, and all have continued the loop.
func (x *fission) allMayHaveLeft(exit *ssa.Instr) bool {
	for i := len(x.inside) - 1; x.inside[i] != exit.Target; i-- {
		if x.leave[x.inside[i]] != 0 || x.skips[x.inside[i]] != 0 {
			return true
		}
	}
	return exit.Op == ssa.OpBreak && x.skips[exit.Target] != 0
}

// goOn makes n the end of a split block in which all lanes have left it by themselves: the innermost loop goes on, if
// lanes may have continued it, or it ends.
func (x *fission) goOn(n *ssa.Instr) {
	if len(x.inside) > 0 {
		in := x.inside[len(x.inside)-1]
		if id := x.skips[in]; id != 0 {
			x.rejoin(id, n)
			n.Op, n.Message, n.Target = ssa.OpContinue, "", x.loops[in]
			n.Args = nil // each lane has its own variables of such a loop
			x.cur.Append(n)
			return
		}
	}
	x.stop(n)
}

// stop makes n the end of the innermost loop, to whose results nobody looks, or of the kernel, where all lanes have left
// it by themselves.
func (x *fission) stop(n *ssa.Instr) {
	n.Op, n.Message = ssa.OpReturn, ""
	if len(x.inside) > 0 {
		in := x.inside[len(x.inside)-1]
		n.Op, n.Target, n.Args = ssa.OpBreak, x.loops[in], x.common(in.Cond().Params, in.Cond().Params)
	}
	x.cur.Append(n)
}

// agreed is the value of a condition on which the lanes agree. It is that of the first lane that has not left. If all
// lanes have left, the value does not matter.
func (x *fission) agreed(cond *ssa.Value, in *ssa.Instr) *ssa.Value {
	if !x.own[cond.ID] {
		return x.once[cond]
	}
	if x.left == nil {
		return x.load(x.slots[cond], x.constant(0, in), in)
	}
	first := x.firstRunning(in)
	n := x.cur.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{x.emit(ssa.OpLt, in, ssa.Bool, first, x.lanes)}, Pos: in.Pos, Stmt: in.Stmt})
	outer := x.cur
	x.cur = n.NewBlock()
	x.cur.Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{x.load(x.slots[cond], first, in)}, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = n.NewBlock()
	no := x.emit(ssa.OpConst, in, ssa.Bool)
	x.cur.Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{no}, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = outer
	return n.AddResult(ssa.Bool, "")
}

// checkAgreed makes a check that the lanes agree on a condition. There is one in any
// case: checks are known by their numbers.
func (x *fission) checkAgreed(cond *ssa.Value, in *ssa.Instr) {
	check := func(same *ssa.Value) {
		n := x.shallow(in)
		n.Args = []*ssa.Value{same}
		x.cur.Append(n)
	}
	if !x.own[cond.ID] {
		yes := x.emit(ssa.OpConst, in, ssa.Bool)
		yes.Def.Const = ssa.BoolConst(true)
		check(yes)
		return
	}
	all := x.agreed(cond, in)
	x.forLanes(in, func(lane *ssa.Value) {
		x.skipIfLeft(lane, in)
		check(x.emit(ssa.OpEq, in, ssa.Bool, x.load(x.slots[cond], lane, in), all))
	})
}

// ifAllLeft ends the block by goOn or stop, at the end of to, if no lane is here any more.
func (x *fission) ifAllLeft(in *ssa.Instr, to *ssa.Block, end func(*ssa.Instr)) {
	outer := x.cur
	x.cur = to
	x.ifEqual(x.firstRunning(in), x.lanes, in, func() { end(x.shallow(&ssa.Instr{Pos: in.Pos, Stmt: in.Stmt})) })
	x.cur = outer
}

// rejoin makes the lanes that have left a loop, or an iteration of it, run again.
func (x *fission) rejoin(id int, in *ssa.Instr) {
	x.forLanes(in, func(lane *ssa.Value) {
		gone := x.load(x.left, lane, in)
		x.ifEqual(gone, x.state(id, in), in, func() {
			x.store(x.left, lane, x.state(running, in), in)
			x.cur.Append(&ssa.Instr{Op: ssa.OpYield, Pos: in.Pos, Stmt: in.Stmt})
		})
	})
}

// makePhase makes a phase of instructions that are not split, after which each lane
// stores the gifts.
func (x *fission) makePhase(run []*ssa.Instr, gifts []gift) {
	if len(run) == 0 && len(gifts) == 0 {
		return
	}
	var at *ssa.Instr
	if len(run) > 0 {
		at = run[0]
	} else {
		at = &ssa.Instr{}
	}
	x.forLanes(at, func(lane *ssa.Value) {
		p := &phase{fission: x, lane: lane, vals: make(map[*ssa.Value]*ssa.Value), instrs: make(map[*ssa.Instr]*ssa.Instr), later: x.phases > 0}
		p.make(run, gifts)
	})
	x.phases++
}

// A phase is the copying of instructions into an OpFor.
type phase struct {
	*fission
	lane   *ssa.Value
	vals   map[*ssa.Value]*ssa.Value
	instrs map[*ssa.Instr]*ssa.Instr // loops, to their copies
	later  bool                      // lanes may have left
}

func (p *phase) make(run []*ssa.Instr, gifts []gift) {
	at := &ssa.Instr{}
	if len(run) > 0 {
		at = run[0]
	}
	if p.later {
		p.skipIfLeft(p.lane, at)
	}
	// What comes from other phases is fetched first: the gifts may replace it.
	defined := make(map[*ssa.Value]bool)
	fetch := func(in *ssa.Instr) {
		for _, a := range in.Args {
			if p.own[a.ID] && !defined[a] {
				p.fetch(a, in)
			}
		}
		for _, r := range in.Results {
			defined[r] = true
		}
		for _, b := range in.Blocks {
			for _, v := range b.Params {
				defined[v] = true
			}
		}
	}
	for _, in := range run {
		fetch(in)
		for _, b := range in.Blocks {
			b.Walk(fetch)
		}
	}
	for _, g := range gifts {
		if p.own[g.from.ID] && !defined[g.from] {
			p.fetch(g.from, at)
		}
	}
	for _, in := range run {
		p.copy(in)
	}
	if p.cur.Terminator() != nil {
		return
	}
	if n := len(run); n > 0 && !run[n-1].FallsThrough() {
		p.cur.Append(&ssa.Instr{Op: ssa.OpUnreachable, Pos: at.Pos, Stmt: at.Stmt})
		return
	}
	p.store(gifts, at)
}

// store gives the gifts.
func (p *phase) store(gifts []gift, in *ssa.Instr) {
	for _, g := range gifts {
		p.fission.store(g.slot, p.lane, p.val(g.from), in)
	}
}

// fetch gets a value of another phase: out of its array, or computed again.
func (p *phase) fetch(v *ssa.Value, in *ssa.Instr) {
	if p.vals[v] != nil {
		return
	}
	slot := p.slots[v]
	switch {
	case slot != nil && v.IsLocal():
		p.vals[v] = p.place(slot, p.lane, in)
	case slot != nil:
		p.vals[v] = p.fission.load(slot, p.lane, in)
		p.vals[v].Name = v.Name
	default:
		for _, a := range v.Def.Args {
			if p.own[a.ID] {
				p.fetch(a, in)
			}
		}
		p.copy(v.Def)
	}
}

// val is the replacement for a value of the kernel here.
func (p *phase) val(v *ssa.Value) *ssa.Value {
	if n := p.vals[v]; n != nil {
		return n
	}
	if n := p.once[v]; n != nil {
		return n
	}
	panic("BUG: fission lost " + v.String() + " of " + p.old.Name)
}

func (p *phase) valsOf(vs []*ssa.Value) []*ssa.Value {
	var list []*ssa.Value
	for _, v := range vs {
		list = append(list, p.val(v))
	}
	return list
}

// copy copies an instruction with its blocks to the end of cur.
func (p *phase) copy(in *ssa.Instr) {
	n := p.shallow(in)
	switch in.Op {
	case ssa.OpLane:
		p.vals[in.Result()] = p.lane
		return
	case ssa.OpCheck:
		if isAgreement(in) { // checks are known by their numbers, so it stays
			yes := p.emit(ssa.OpConst, in, ssa.Bool)
			yes.Def.Const = ssa.BoolConst(true)
			n.Args = []*ssa.Value{yes}
			p.cur.Append(n)
			return
		}
	case ssa.OpReturn, ssa.OpPanic:
		if p.left != nil {
			p.fission.store(p.left, p.lane, p.state(returned, in), in)
		}
		n.Args = p.valsOf(in.Args)
		p.cur.Append(n)
		return
	case ssa.OpBreak, ssa.OpContinue:
		if p.split[in.Target] {
			state := p.leave[in.Target]
			if in.Op == ssa.OpContinue {
				state = p.skips[in.Target]
			}
			p.store(p.give(nil, in.Receivers(), in.Args), in)
			p.fission.store(p.left, p.lane, p.state(state, in), in)
			n.Op = ssa.OpReturn
			p.cur.Append(n)
			return
		}
	case ssa.OpLocal:
		if slot := p.slots[in.Result()]; slot != nil {
			p.vals[in.Result()] = p.place(slot, p.lane, in)
			p.vals[in.Result()].Name = in.Result().Name
			p.cur.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{p.vals[in.Result()], p.val(in.Args[0])}, Pos: in.Pos, Stmt: in.Stmt})
			return
		}
	}
	n.Args = p.valsOf(in.Args)
	if in.Target != nil {
		n.Target = p.instrs[in.Target]
	}
	p.cur.Append(n)
	p.instrs[in] = n
	for _, b := range in.Blocks {
		outer := p.cur
		p.cur = n.NewBlock()
		for _, v := range b.Params {
			p.vals[v] = p.cur.AddParam(v.Type, v.Name)
		}
		for _, nested := range b.Instrs {
			p.copy(nested)
		}
		p.cur = outer
	}
	for _, r := range in.Results {
		p.vals[r] = n.AddResult(r.Type, r.Name)
		if slot := p.slots[r]; slot != nil && p.inSplit(in) && p.at[in] != 0 {
			p.fission.store(slot, p.lane, p.vals[r], in)
		}
	}
}
