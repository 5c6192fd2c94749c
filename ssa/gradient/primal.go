package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file gives the reverse sweep values of the kernel.

// primal is a value of the kernel, in the block where the reverse sweep is.
func (r *sweep) primal(v *ssa.Value) *ssa.Value {
	for s := r.scope; s != nil; s = s.up {
		if again := s.primal[v]; again != nil {
			return again
		}
	}
	if r.joined[v.Home()] {
		r.held[v] = true
		return r.fromAhead(v)
	}
	// It is computed where the kernel has computed it, for all that is there.
	var again *ssa.Value
	home := r.scopeOf(v.Home())
	if loop := r.onceIn(v); loop != nil {
		home = r.scope.around(loop.Do())
		r.back(home, func() { again = r.once(v, loop) })
	} else {
		r.back(home, func() { again = r.repeated(v) })
	}
	if again == nil {
		return r.fromForward(v)
	}
	home.put(v, again)
	return again
}

// scopeOf is the scope in which the reverse sweep goes through a block of the kernel.
func (r *sweep) scopeOf(b *ssa.Block) *scope {
	if b.Owner != nil && b.Owner.Op == ssa.OpLoop {
		b = b.Owner.Do()
	}
	for s := r.scope; s != nil; s = s.up {
		if s.of == b {
			return s
		}
	}
	return r.scope
}

// repeated computes a value once more, or gives nil if it is better kept.
func (r *sweep) repeated(v *ssa.Value) *ssa.Value {
	in := v.Def
	if in == nil {
		return r.variable(v)
	}
	switch {
	case in.Op == ssa.OpLoad && r.isConstant(in.Args[0]), r.isPureCall(in):
	case in.Op == ssa.OpLoad || in.Op.Effect() != ssa.Pure:
		return nil
	}
	args := make([]*ssa.Value, len(in.Args))
	for i, a := range in.Args {
		args[i] = r.primal(a)
	}
	n := copyWith(in, r.b, args)
	r.recomputed[v] = true
	n.Stmt, n.Pos = r.stmt, r.pos
	for k, other := range in.Results {
		r.scope.put(other, n.Results[k])
	}
	return n.Results[slices.Index(in.Results, v)]
}

// variable is a loop's variable, if it follows from the number of the turn.
func (r *sweep) variable(v *ssa.Value) *ssa.Value {
	loop := v.Block.Owner
	k := v.Index()
	if v.Block == loop.Post() {
		return r.primal(loop.Do().Terminator().Args[k])
	}
	turn := r.turn[loop]
	if turn == nil {
		return nil
	}
	if k == len(loop.Args)-1 {
		return turn
	}
	by, ok := r.counts[v]
	if !ok {
		return nil
	}
	steps := turn
	if v.Type != ssa.Int64 {
		steps = r.op(ssa.OpConvert, v.Type, turn)
	}
	if by.of != nil {
		steps = r.op(ssa.OpMul, v.Type, steps, r.primal(by.of))
	}
	n := r.constant(v.Type, ssa.IntConst(v.Type, uint64(by.n)))
	x := r.op(ssa.OpAdd, v.Type, r.primal(loop.Args[k]), r.op(ssa.OpMul, v.Type, steps, n))
	x.Name = v.Name
	return x
}

// turns is how often a loop ran.
func (r *sweep) turns(loop *ssa.Instr) *ssa.Value {
	counted := loop.Results[len(loop.Results)-1]
	if t, ok := r.tripOf(loop); ok {
		return r.turnsOf(t, r.primal)
	}
	return r.primal(counted)
}

// turnsOf is how many turns a trip takes. Value gives values of the kernel where it is needed.
func (r *sweep) turnsOf(t trip, value func(v *ssa.Value) *ssa.Value) *ssa.Value {
	to := r.long(value(t.to))
	if t.isShare() {
		return r.shareOf(value(t.from), r.op(ssa.OpMax, ssa.Int64, to, r.int(0)), value(t.by.of))
	}
	var way *ssa.Value
	if t.from == nil || isInt(t.from, 0) {
		way = r.op(ssa.OpMax, ssa.Int64, to, r.int(0))
	} else {
		from := r.long(value(t.from))
		way = r.op(ssa.OpSub, ssa.Int64, r.op(ssa.OpMax, ssa.Int64, to, from), from)
	}
	if t.by == (step{n: 1}) {
		return way
	}
	by := r.int(t.by.n)
	if t.by.of != nil {
		by = r.times(value(t.by.of), t.by.n)
	}
	more := r.op(ssa.OpSub, ssa.Int64, by, r.int(1))
	return r.op(ssa.OpDiv, ssa.Int64, r.op(ssa.OpAdd, ssa.Int64, way, more), by)
}

// shareOf is how many of n numbers a thread of a block has that takes its own index, and each one that is as far as the
// block is long from the one before: n/dim, and one more if it is among the first n%dim threads. So all threads share
// the division.
func (r *sweep) shareOf(lane, n, dim *ssa.Value) *ssa.Value {
	rest := r.op(ssa.OpRem, ssa.Int64, n, dim)
	more := r.op(ssa.OpMin, ssa.Int64, r.op(ssa.OpMax, ssa.Int64, r.op(ssa.OpSub, ssa.Int64, rest, lane), r.int(0)), r.int(1))
	return r.op(ssa.OpAdd, ssa.Int64, r.op(ssa.OpDiv, ssa.Int64, n, dim), more)
}

// long is an integer as an int64.
func (r *sweep) long(v *ssa.Value) *ssa.Value {
	if v.Type == ssa.Int64 {
		return v
	}
	return r.op(ssa.OpConvert, ssa.Int64, v)
}

// fromForward is a value that the forward sweep keeps. If it does not yet, any value stands in for it, and the sweeps
// are built again.
func (r *sweep) fromForward(v *ssa.Value) *ssa.Value {
	if _, isPointer := v.Type.(ssa.Pointer); isPointer || ssa.HoldsAddress(v.Type) && !r.isGrid() {
		in := v.Def
		if in == nil {
			in = v.Block.Owner
		}
		r.refuse(in, "cannot differentiate a use of memory that a loop chooses", helpAddress)
		return r.zero(v.Type)
	}
	b := v.Home()
	var ifs []*ssa.Instr
	for ; !r.joined[b] && b.Owner.Op == ssa.OpIf; b = b.Owner.Block {
		ifs = append(ifs, b.Owner)
	}
	switch {
	case !r.stored[v]:
		r.stored[v], r.more = true, true
		for _, in := range ifs {
			r.hands[in] = append(r.hands[in], v)
		}
		if !r.joined[b] {
			r.pushes[b.Owner] = append(r.pushes[b.Owner], v)
		}
	case r.more: // it may be new in this build
	case r.joined[b]:
		return r.fromAhead(v)
	default:
		panic("BUG: " + v.String() + " was pushed and not popped")
	}
	return r.zero(v.Type)
}
