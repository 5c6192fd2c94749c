package gradient

import (
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// This file is about long loops in strips ([Options.Strip]). A loop of n turns that would keep something for each of
// them becomes a loop over strips, of at most s turns each:
//
//	for test { body }   becomes   for more := true; more; { turns := 0; for test && turns < s { body; turns++ }; more = turns == s }
//
// The outer loop keeps what is there before each strip: these are the checkpoints. The inner loop, the strip, keeps
// nothing in the forward sweep. The reverse sweep runs it once more, from the checkpoint, keeps what is needed of its
// turns, and goes back through them. So there is memory for n/s checkpoints and s turns, and each turn runs once more.

// A strip is the inner one of the two loops.
type strip struct {
	outer  *ssa.Instr
	locals []local
	arrays []noted // of a Grid kernel

	elements []local         // of slices that the strip reads and writes
	inPlace  map[region]bool // those slices
}

// A local is a variable from outside a strip that the strip uses, and what it holds before the strip.
type local struct{ addr, held *ssa.Value }

// maxHeld is how many numbers of such variables a checkpoint has at most.
const maxHeld = 64

// stripLoops cuts the loops that keep values in memory. It reports whether there is one.
func (d *differ) stripLoops() bool {
	if d.Strip == 0 || !d.isGrid() && len(d.last.memories) == 0 {
		return false
	}
	var loops []*ssa.Instr
	d.fn.Body.Walk(func(in *ssa.Instr) {
		if n, ok := d.limits[in]; in.Op == ssa.OpLoop && len(d.pushes[in]) > 0 && !(ok && n <= int64(d.Strip)) {
			loops = append(loops, in)
		}
	})
	d.strips = make(map[*ssa.Instr]*strip)
	written := d.writtenArrays()
	for _, loop := range loops {
		if why := d.stripLoop(loop, written); why != "" {
			d.say(loop, "keeps something of each turn of this loop, and not only before each strip of turns: %s", why)
		}
	}
	return len(d.strips) > 0
}

// stripLoop cuts a loop, or says why it does not. The arrays are those that a Grid kernel writes.
func (d *differ) stripLoop(in *ssa.Instr, written []*ssa.Value) (why string) {
	s := &strip{inPlace: make(map[region]bool)}
	locals, elements, why := d.rerunnable(in, s.inPlace)
	if why != "" {
		return why
	}
	b, last := in.Block, len(in.Args)-1 // the last variable counts the turns
	end := len(b.Instrs)
	yes := b.Append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(true)}, ssa.Bool).Result()
	s.outer = b.Append(&ssa.Instr{Op: ssa.OpLoop, Args: append(slices.Clone(in.Args[:last]), yes), Pos: in.Pos, Stmt: in.Stmt})
	added := slices.Clone(b.Instrs[end:])
	place := slices.Index(b.Instrs, in)
	b.Instrs = slices.Replace(b.Instrs[:end], place, place+1, added...)

	cond, do, post := s.outer.NewBlock(), s.outer.NewBlock(), s.outer.NewBlock()
	for k, v := range s.outer.Args {
		name := "more"
		if k < last {
			name = in.Cond().Params[k].Name
		}
		s.outer.AddResult(v.Type, name)
		cond.AddParam(v.Type, name)
		post.AddParam(v.Type, name)
	}
	cond.Append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{cond.Params[last]}, Pos: in.Pos, Stmt: in.Stmt})
	post.Append(&ssa.Instr{Op: ssa.OpYield, Args: slices.Clone(post.Params), Pos: in.Pos, Stmt: in.Stmt})
	d.fn.Body.Walk(func(user *ssa.Instr) {
		if user.Within(in) {
			return
		}
		for i, v := range user.Args {
			if v.Def == in {
				user.Args[i] = s.outer.Results[v.Index()]
			}
		}
	})

	for _, addr := range locals {
		held := do.Append(&ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{addr}, Pos: in.Pos, Stmt: in.Stmt}, at(addr)).Result()
		held.Name = addr.Name
		s.locals = append(s.locals, local{addr, held})
	}
	for _, addr := range elements {
		s.elements = append(s.elements, local{addr, holdElement(builder{b: do, stmt: in.Stmt, pos: in.Pos}, addr, in)})
	}
	d.stripTwins(in, s.outer)
	s.arrays = d.noteArrays(written, in, do)
	copy(in.Args, cond.Params[:last])
	in.Block = do
	do.Instrs = append(do.Instrs, in)
	full := do.Append(&ssa.Instr{Op: ssa.OpEq, Args: []*ssa.Value{in.Results[last], d.stripLength(do)}, Pos: in.Pos, Stmt: in.Stmt}, ssa.Bool).Result()
	do.Append(&ssa.Instr{Op: ssa.OpContinue, Target: s.outer, Args: append(slices.Clone(in.Results[:last]), full), Pos: in.Pos, Stmt: in.Stmt})

	test := in.Cond().Terminator()
	in.Cond().Instrs = in.Cond().Instrs[:len(in.Cond().Instrs)-1]
	within := in.Cond().Append(&ssa.Instr{Op: ssa.OpLt, Args: []*ssa.Value{in.Cond().Params[last], d.stripLength(in.Cond())}, Pos: in.Pos, Stmt: in.Stmt}, ssa.Bool).Result()
	test.Args = []*ssa.Value{in.Cond().AppendOp(ssa.OpAnd, ssa.Bool, test.Args[0], within).Result()}
	in.Cond().Instrs = append(in.Cond().Instrs, test)

	for k, p := range in.Cond().Params[:last] {
		if by, ok := d.counts[p]; ok {
			by.n *= int64(d.Strip)
			d.counts[cond.Params[k]] = by
		}
	}
	if n, ok := d.limits[in]; ok {
		d.limits[s.outer] = n/int64(d.Strip) + 1
	}
	d.limits[in] = int64(d.Strip)
	addCounter(s.outer)
	d.strips[in] = s
	return ""
}

// stripLength is the most turns that a strip has.
func (d *differ) stripLength(b *ssa.Block) *ssa.Value {
	return b.AppendInt(ssa.Int64, int64(d.Strip))
}

// rerunnable are the variables from outside that a loop uses, and the elements of slices that it reads and writes, by
// an address of each. What these hold and the loop's variables are all that another run needs; or it says why that
// needs more. It notes the slices.
func (d *differ) rerunnable(loop *ssa.Instr, inPlace map[region]bool) (locals, elements []*ssa.Value, why string) {
	held := 0
	places := make(map[string]bool)
	use := func(addr *ssa.Value) {
		r, _ := regionOf(addr)
		if !r.isLocal() || within(r.root, loop) || slices.Contains(locals, r.root) {
			return
		}
		locals = append(locals, r.root)
		t := at(r.root)
		if ssa.HoldsAddress(t) {
			why = "a variable holds addresses"
		}
		held += countNumbers(t)
	}
	for _, b := range loop.Blocks {
		b.Walk(func(in *ssa.Instr) {
			switch in.Op {
			case ssa.OpSync, ssa.OpShared:
				why = "threads wait for each other in it"
			case ssa.OpCall:
				if !d.isPureCall(in) {
					why = "it calls a function with a gradient of its own that uses memory"
				}
			case ssa.OpLoad, ssa.OpCopy:
				from := in.Args[len(in.Args)-1]
				r, _ := regionOf(from)
				if r.isLocal() || d.isConstant(from) || d.isGrid() {
					break
				}
				if !inPlace[r] && !d.isInPlace(r, loop) {
					why = "it reads memory that the kernel writes, and not always the same elements, which no other thread uses"
					break
				}
				inPlace[r] = true
				if at := place(from); !places[at] {
					places[at] = true
					elements = append(elements, from)
				}
			}
			for _, v := range in.Args {
				if v.Root().IsLocal() {
					use(v)
				}
			}
		})
	}
	if why == "" && held > maxHeld {
		why = "its variables are too large"
	}
	return locals, elements, why
}

// countNumbers is how many numbers a value of a type is made of.
func countNumbers(t ssa.Type) int {
	switch t := t.(type) {
	case ssa.Array:
		return t.Len * countNumbers(t.Elem)
	case *ssa.Struct:
		n := 0
		for _, f := range t.Fields {
			n += countNumbers(f.Type)
		}
		return n
	}
	return 1
}

// enterStrip notes that a loop of the forward sweep begins. A strip keeps nothing, unless it is run once more. The
// function that it gives is called behind the loop.
func (r *sweep) enterStrip(loop *ssa.Instr) (leave func()) {
	if r.strips[loop] == nil || r.rerun == loop {
		return func() {}
	}
	if r.peaks != nil {
		return r.countStrip(loop)
	}
	r.quiet++
	return func() { r.quiet-- }
}

// countStrip counts what one run of a strip keeps, which is there for a while only.
func (r *sweep) countStrip(loop *ssa.Instr) (leave func()) {
	bases := make(map[*stack]*ssa.Value)
	for _, s := range sortedStacks(r.stacks) {
		if s.top != nil {
			bases[s] = r.load(s.top)
		}
	}
	return func() {
		for _, s := range sortedStacks(r.stacks) {
			if peak := r.peaks[inStrip{loop, s.elem}]; peak != nil {
				r.store(peak, r.op(ssa.OpMax, ssa.Int64, r.load(peak), r.op(ssa.OpSub, ssa.Int64, r.load(s.top), bases[s])))
				r.store(s.top, bases[s])
			}
		}
	}
}

// inStrip are the numbers of a type that a run of a strip keeps.
type inStrip struct {
	strip *ssa.Instr
	elem  ssa.Basic
}

// makePeaks makes the variables with how many numbers the runs of strips keep at most.
func (r *sweep) makePeaks() {
	r.peaks = make(map[inStrip]*ssa.Value)
	r.fn.Body.Walk(func(loop *ssa.Instr) {
		if r.strips[loop] == nil {
			return
		}
		for _, s := range sortedStacks(r.stacks) {
			if s.top != nil && (r.numbers(loop, s.elem) > 0 || !r.isAlone(loop, s.elem)) {
				r.peaks[inStrip{loop, s.elem}] = r.local(r.int(0), "peak")
			}
		}
	})
}

// withPeaks is a height and as many numbers as strips may keep at a time.
func (r *sweep) withPeaks(height *ssa.Value, b ssa.Basic) *ssa.Value {
	r.fn.Body.Walk(func(loop *ssa.Instr) {
		if peak := r.peaks[inStrip{loop, b}]; peak != nil {
			height = r.both(height, r.load(peak))
		}
	})
	return height
}

// runStrip runs a strip once more, in front of the reverse loop, and keeps what that needs.
func (r *sweep) runStrip(loop *ssa.Instr) {
	s := r.strips[loop]
	if s == nil {
		return
	}
	m := &rerun{loop: loop, values: make(few)}
	for _, l := range s.locals {
		m.values[l.addr] = r.local(r.primal(l.held), l.addr.Name)
	}
	outside := func(v *ssa.Value) {
		if !within(v, loop) && m.values[v] == nil {
			m.values[v] = r.outsideStrip(m, v)
		}
	}
	for _, v := range loop.Args {
		outside(v)
	}
	for _, b := range loop.Blocks {
		b.Walk(func(in *ssa.Instr) {
			for _, v := range in.Args {
				outside(v)
			}
		})
	}
	r.restoreArrays(s)
	r.restoreElements(loop)
	forward, before := r.forward, r.rerun
	r.forward, r.rerun = m, loop
	begin := len(r.b.Instrs)
	r.againLoop(loop)
	r.tellAgain(loop, r.b.Instrs[begin:])
	r.forward, r.rerun = forward, before
	for _, v := range loop.Results {
		r.scope.put(v, m.values[v])
	}
	r.at(loop)
}

// tellAgain notes in the statements of a strip's other run that it is one.
func (r *sweep) tellAgain(loop *ssa.Instr, run []*ssa.Instr) {
	marked := make(map[*ssa.Stmt]*ssa.Stmt)
	each(loop, func(in *ssa.Instr) {
		if s := in.Stmt; s != nil && marked[s] == nil {
			again := *s
			again.Turn = strings.TrimPrefix(s.Turn+", again", ", ")
			marked[s] = &again
		}
	})
	for _, in := range run {
		each(in, func(in *ssa.Instr) {
			if again := marked[in.Stmt]; again != nil {
				in.Stmt = again
			}
		})
	}
}

// each calls f for an instruction and for all inside of it.
func each(in *ssa.Instr, f func(*ssa.Instr)) {
	f(in)
	for _, b := range in.Blocks {
		b.Walk(f)
	}
}

// A rerun has the values of another run of a strip.
type rerun struct {
	loop   *ssa.Instr
	values few
}

func (m *rerun) get(v *ssa.Value) *ssa.Value { return m.values[v] }
func (m *rerun) put(v, copied *ssa.Value)    { m.values[v] = copied }

// outsideStrip is a value from outside a strip, for another run of it. The addresses of variables lead to those that it
// has for them.
func (r *sweep) outsideStrip(m *rerun, v *ssa.Value) *ssa.Value {
	if again := m.values[v]; again != nil {
		return again
	}
	if !v.Root().IsLocal() {
		return r.primal(v)
	}
	args := make(few)
	args[v.Def.Args[0]] = r.outsideStrip(m, v.Def.Args[0])
	for _, i := range v.Def.Args[1:] {
		args[i] = r.primal(i)
	}
	n := copyInstr(v.Def, r.b, args)
	n.Stmt, n.Pos = r.stmt, r.pos
	return n.Result()
}
