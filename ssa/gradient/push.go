package gradient

import (
	"maps"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file is about where on the stacks the turns of loops keep numbers.
//
// A loop in which no other one pushes to a stack keeps h numbers in each turn: those of turn t are at b+t*h, where b is
// the height of the stack in front of the loop. Behind it the height is b+n*h after n turns. So no turn depends on the one
// before, and the reverse loop has no height of its own: it knows the number of its turn. A loop around such a one reads
// the height from a variable, as nobody can tell how much was pushed before.
//
// Where the threads of a block share the numbers up to a bound, n is the most turns that a thread takes. Then all of them
// have the same heights, and those in the lanes of a vector keep their numbers next to each other. The file even.go is
// about loops around such loops.

// pushed is a loop that pushes to a stack.
type pushed struct {
	loop *ssa.Instr
	s    *stack
}

// numbers is how many numbers of a type each turn of a loop keeps.
func (d *differ) numbers(loop *ssa.Instr, b ssa.Basic) (n int64) {
	for _, v := range d.pushes[loop] {
		for _, other := range numbersOf(v.Type) {
			if other == b {
				n++
			}
		}
	}
	return n
}

// isAlone reports whether no loop within a loop keeps numbers of a type.
func (d *differ) isAlone(loop *ssa.Instr, b ssa.Basic) bool {
	for inner := range d.pushes {
		if inner != loop && inner.Within(loop) && d.numbers(inner, b) > 0 {
			return false
		}
	}
	return true
}

// isStraight reports whether all loops that keep numbers of a type run once, and both sweeps go through them in one
// block. The height is known then.
func (d *differ) isStraight(b ssa.Basic) bool {
	for loop := range d.pushes {
		if !isJoined(loop.Block) && d.numbers(loop, b) > 0 {
			return false
		}
	}
	return true
}

// isJoined reports whether both sweeps over a block stand in one block.
func isJoined(b *ssa.Block) bool {
	return b.Owner == nil || tailOf(b.Owner.Block) == b.Owner && isJoined(b.Owner.Block)
}

// tailOf is the If that a block ends in and that gives nothing on, nil for none.
func tailOf(b *ssa.Block) *ssa.Instr {
	if n := len(b.Instrs); n > 1 && b.Instrs[n-2].Op == ssa.OpIf && len(b.Terminator().Args) == 0 {
		return b.Instrs[n-2]
	}
	return nil
}

// stacksOf are the stacks that the turns of a loop push to, and to which no loop within does.
func (r *sweep) stacksOf(loop *ssa.Instr) (list []*stack) {
	if r.isGrid() || len(r.pushes[loop]) == 0 || r.quiet > 0 {
		return nil
	}
	for _, s := range sortedStacks(r.stacks) {
		if r.numbers(loop, s.elem) > 0 && r.isAlone(loop, s.elem) {
			list = append(list, s)
		}
	}
	return list
}

// heightOf is how many numbers are on a stack, nil for 0.
func (r *sweep) heightOf(s *stack) *ssa.Value {
	if s.top == nil {
		return s.height
	}
	return r.load(s.top)
}

func (r *sweep) orNone(v *ssa.Value) *ssa.Value {
	if v == nil {
		return r.int(0)
	}
	return v
}

// both is the sum of numbers of which nil is 0.
func (r *sweep) both(a, b *ssa.Value) *ssa.Value {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return r.op(ssa.OpAdd, ssa.Int64, a, b)
}

// before notes the heights in front of a loop of the forward sweep.
func (r *sweep) before(loop *ssa.Instr) {
	for _, s := range r.stacksOf(loop) {
		p := pushed{loop, s}
		r.bases[p] = r.heightOf(s)
		if v := r.awaited[p]; v != nil {
			v.ForwardTo(r.orNone(r.bases[p]))
		}
	}
	for _, s := range r.evenStacks(loop) {
		r.bases[pushed{loop, s}] = r.load(s.top)
	}
}

// behind sets the heights behind a loop of the forward sweep.
func (r *sweep) behind(loop *ssa.Instr) {
	for _, s := range r.stacksOf(loop) {
		n := r.times(r.roomForward(loop), r.numbers(loop, s.elem))
		if h := r.both(r.bases[pushed{loop, s}], n); s.top == nil {
			s.height = h
		} else {
			r.store(s.top, h)
		}
	}
	for _, s := range r.evenStacks(loop) {
		n := r.op(ssa.OpMul, ssa.Int64, r.roomForward(loop), r.ofEachTurn(loop, s.elem, r.forwardEnd))
		r.store(s.top, r.op(ssa.OpAdd, ssa.Int64, r.bases[pushed{loop, s}], n))
	}
}

// keepHeights notes the heights that are known. The function that it gives sets them again.
func (r *sweep) keepHeights() (back func()) {
	if len(r.stacks) == 0 {
		return func() {}
	}
	heights := make(map[*stack]*ssa.Value, len(r.stacks))
	for _, s := range r.stacks {
		heights[s] = s.height
	}
	return func() {
		for s, h := range heights {
			s.height = h
		}
	}
}

// risenIn are the stacks whose heights are known and may be others behind an If.
func (r *sweep) risenIn(in *ssa.Instr) (list []*stack) {
	for _, s := range sortedStacks(r.stacks) {
		rises := func(loop *ssa.Instr) bool { return loop.Within(in) && r.numbers(loop, s.elem) > 0 }
		if s.top == nil && slices.ContainsFunc(slices.Collect(maps.Keys(r.pushes)), rises) {
			list = append(list, s)
		}
	}
	return list
}

// beforeBack sets the heights in front of a loop of the reverse sweep to what they were in front of the loop. It takes as
// many turns.
func (r *sweep) beforeBack(loop *ssa.Instr, turns *ssa.Value) {
	room := turns
	if t, ok := r.tripOf(loop); ok && t.isShare() {
		room = r.turnsOf(t.most(), r.primal) // see roomForward
	}
	for _, s := range r.stacksOf(loop) {
		if s.top == nil {
			continue
		}
		base := r.op(ssa.OpSub, ssa.Int64, r.load(s.top), r.times(room, r.numbers(loop, s.elem)))
		r.store(s.top, base)
		r.bases[pushed{loop, s}] = base
	}
	for _, s := range r.evenStacks(loop) {
		n := r.ofEachTurn(loop, s.elem, r.primal)
		base := r.op(ssa.OpSub, ssa.Int64, r.load(s.top), r.op(ssa.OpMul, ssa.Int64, room, n))
		r.store(s.top, r.op(ssa.OpAdd, ssa.Int64, base, r.op(ssa.OpMul, ssa.Int64, turns, n)))
		r.bases[pushed{loop, s}] = base
	}
}

// behindBack sets the heights behind a loop of the reverse sweep.
func (r *sweep) behindBack(loop *ssa.Instr) {
	for _, s := range r.evenStacks(loop) {
		r.store(s.top, r.bases[pushed{loop, s}])
	}
}

// times is a number n times.
func (r *sweep) times(v *ssa.Value, n int64) *ssa.Value {
	if n == 1 {
		return v
	}
	return r.op(ssa.OpMul, ssa.Int64, v, r.int(n))
}

// roomForward is for how many turns a loop of the forward sweep keeps numbers: for those that it has taken, or that
// another thread of the block may have taken.
func (r *sweep) roomForward(loop *ssa.Instr) *ssa.Value {
	t, ok := r.tripOf(loop)
	if !ok {
		return r.forward.get(loop.Results[len(loop.Results)-1])
	}
	return r.turnsOf(t.most(), r.forwardEnd)
}

// forwardEnd is an end of a trip, for the forward sweep.
func (r *sweep) forwardEnd(v *ssa.Value) *ssa.Value {
	if c, ok := v.Const(); ok {
		return r.int(c.Int())
	}
	return r.forward.get(v)
}

// isInt reports whether a value is a constant.
func isInt(v *ssa.Value, x int64) bool {
	c, ok := v.Const()
	return ok && c.Int() == x
}

// turnForward is the number of the turn of the forward sweep that is at its end.
func (r *sweep) turnForward(loop *ssa.Instr) *ssa.Value {
	if t, ok := r.tripOf(loop); ok && isInt(t.from, 0) && t.by == (step{n: 1}) {
		return r.long(r.forward.get(loop.Cond().Terminator().Args[0].Def.Args[0]))
	}
	return r.forward.get(loop.Cond().Params[len(loop.Args)-1])
}

// pushAll pushes all numbers of what a turn of a loop keeps.
func (r *sweep) pushAll(loop *ssa.Instr) {
	if r.quiet > 0 {
		return
	}
	if r.isGrid() {
		for _, v := range r.pushes[loop] {
			r.keeping(v)
			r.append(&ssa.Instr{Op: ssa.OpPush, Args: []*ssa.Value{r.forward.get(v)}})
		}
		return
	}
	places := make(map[*stack]*ssa.Value)
	taken := make(map[*stack]int64)
	alone := r.stacksOf(loop)
	var push func(v *ssa.Value)
	push = func(v *ssa.Value) {
		for i := range parts(v.Type) {
			push(r.part(v, i))
		}
		b, ok := v.Type.(ssa.Basic)
		if !ok {
			return
		}
		s := r.stacks[b]
		counts := s.array == nil && s.memory == nil // and keeps nothing
		switch isAlone := slices.Contains(alone, s); {
		case isAlone && counts:
			return
		case places[s] != nil:
		case isAlone:
			places[s] = r.ofTurn(pushed{loop, s}, r.bases[pushed{loop, s}], r.turnForward(loop))
		default:
			places[s] = r.load(s.top)
		}
		if !counts {
			r.store(r.on(s, r.plus(places[s], taken[s])), v)
		}
		taken[s]++
	}
	for _, v := range r.pushes[loop] {
		r.keeping(v)
		push(r.forward.get(v))
	}
	for _, s := range sortedStacks(r.stacks) {
		if taken[s] > 0 && !slices.Contains(alone, s) {
			r.store(s.top, r.plus(places[s], taken[s]))
		}
	}
}

// ofTurn is where on a stack the numbers of a turn begin that was pushed on a height.
func (r *sweep) ofTurn(p pushed, base, turn *ssa.Value) *ssa.Value {
	return r.both(base, r.times(turn, r.numbers(p.loop, p.s.elem)))
}

// baseBack is the height in front of a loop, for the reverse sweep. It is not known before the forward sweep is made: a
// value without a place stands in for it, unless no other loop pushes to the stack.
func (r *sweep) baseBack(p pushed) *ssa.Value {
	if p.s.top != nil {
		return r.bases[p]
	}
	for other := range r.pushes {
		if other != p.loop && r.numbers(other, p.s.elem) > 0 {
			if r.awaited[p] == nil {
				r.awaited[p] = &ssa.Value{Type: ssa.Int64}
			}
			return r.awaited[p]
		}
	}
	return nil
}

func (r *sweep) plus(v *ssa.Value, n int64) *ssa.Value {
	if n == 0 {
		return v
	}
	return r.op(ssa.OpAdd, ssa.Int64, v, r.int(n))
}

// popAll takes what a turn of a loop has pushed.
func (r *sweep) popAll(loop *ssa.Instr) {
	if len(r.pushes[loop]) == 0 {
		return
	}
	r.taking(loop)
	if r.isGrid() {
		for _, v := range slices.Backward(r.pushes[loop]) {
			x := r.op(ssa.OpPop, v.Type)
			x.Name = v.Name
			r.scope.put(v, x)
		}
		r.at(loop)
		return
	}
	places, taken := make(map[*stack]*ssa.Value), make(map[*stack]int64)
	alone := r.stacksOf(loop)
	var pop func(t ssa.Type) *ssa.Value
	pop = func(t ssa.Type) *ssa.Value {
		b, ok := t.(ssa.Basic)
		if !ok {
			vs := make([]*ssa.Value, parts(t))
			for i := range vs {
				vs[i] = pop(partType(t, i))
			}
			return r.op(ssa.OpMake, t, vs...)
		}
		s := r.stacks[b]
		switch {
		case places[s] != nil:
		case slices.Contains(alone, s):
			places[s] = r.ofTurn(pushed{loop, s}, r.baseBack(pushed{loop, s}), r.turn[loop])
		default:
			places[s] = r.op(ssa.OpSub, ssa.Int64, r.load(s.top), r.int(r.numbers(loop, b)))
			r.store(s.top, places[s])
		}
		x := r.load(r.on(s, r.plus(places[s], taken[s])))
		taken[s]++
		return x
	}
	for _, v := range r.pushes[loop] {
		x := pop(v.Type)
		if x.Name == "" {
			x.Name = v.Name
		}
		r.scope.put(v, x)
	}
	r.at(loop)
}
