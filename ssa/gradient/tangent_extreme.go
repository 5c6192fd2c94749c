package gradient

import "github.com/qdgen/qd/ssa"

// The constants are the bits of a NaN that stands for the tangent of an element that a thread is changing. No operation
// gives it, nor does package math.
const (
	inChange32 = 0x7fe5a5c3
	inChange64 = 0x7ffca5c35a3c96e1
)

// extreme does an atomic minimum or maximum together with its tangent, so that the element has the tangent of the value
// that has become it. Two words do not change at once: a thread first takes the tangent away and leaves that NaN, for
// which others wait. It puts one back before it turns to anything else, so that threads in lockstep do not wait for
// ever.
func (l *linear) extreme(in *ssa.Instr) {
	l.extremes = append(l.extremes, in)
	v, wins := l.values[in.Args[1]], ssa.OpLe
	if in.Atomic == ssa.AtomicMax {
		wins = ssa.OpGe
	}
	twin, tangent := l.twin(in.Args[0]), l.twinOrZero(in.Args[1])
	word, bits := ssa.Uint64, uint64(inChange64)
	if v.Type == ssa.Float32 {
		word, bits = ssa.Uint32, inChange32
	}
	inChange := l.constant(word, ssa.IntConst(word, bits))
	exchange := func(x *ssa.Value) *ssa.Value {
		return l.append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicExch, Args: []*ssa.Value{twin, x}}, x.Type).Result()
	}
	loop := l.append(&ssa.Instr{Op: ssa.OpLoop, Args: []*ssa.Value{l.constant(ssa.Bool, ssa.BoolConst(true))}})
	loop.AddResult(ssa.Bool, "waits")
	cond, do, post := loop.NewBlock(), loop.NewBlock(), loop.NewBlock()
	waits, next := cond.AddParam(ssa.Bool, "waits"), post.AddParam(ssa.Bool, "waits")
	l.in(cond, func() { l.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{waits}}) })
	l.in(do, func() {
		old := exchange(l.op(ssa.OpBitcast, v.Type, inChange))
		taken := l.op(ssa.OpEq, ssa.Bool, l.op(ssa.OpBitcast, word, old), inChange)
		change := l.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{taken}})
		l.in(change.NewBlock(), func() { l.append(&ssa.Instr{Op: ssa.OpYield}) })
		l.in(change.NewBlock(), func() {
			copyInstr(in, l.b, few(l.values))
			won := l.op(wins, ssa.Bool, v, l.values[in.Result()])
			won.Name = "won"
			exchange(l.choose(won, tangent, old))
			l.append(&ssa.Instr{Op: ssa.OpYield})
		})
		l.append(&ssa.Instr{Op: ssa.OpContinue, Target: loop, Args: []*ssa.Value{taken}})
	})
	l.in(post, func() { l.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{next}}) })
}

// refuseMixed refuses atomic additions to memory in which minima or maxima are found too: the tangent that they add to
// may be away.
func (t *tangents) refuseMixed() {
	for _, add := range t.adds {
		for _, e := range t.extremes {
			if t.mayMeet(add, e) {
				t.refuse(add, "cannot find the tangents of an atomic addition to memory in which the kernel finds an atomic minimum or maximum too", "add in another kernel, or to another array")
			}
		}
	}
}

// mayMeet reports whether two atomic operations on floats may change the same element. Only in the kernel itself do
// parameters tell.
func (t *tangents) mayMeet(a, b *ssa.Instr) bool {
	if a.Result().Type != b.Result().Type {
		return false
	}
	if a.Block.Func != t.root || b.Block.Func != t.root {
		return true
	}
	x, ok := regionOf(a.Args[0])
	y, also := regionOf(b.Args[0])
	apart := !t.Overlap || x.isShared() || y.isShared() || x.isLocal() || y.isLocal()
	return !ok || !also || x == y || !apart
}
