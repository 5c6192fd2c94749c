package analysis

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Uniformity says whether the threads of a block agree on a value.
type Uniformity uint8

// The kinds of values, from what is proven to be the same in all threads of a block.
const (
	Uniform   Uniformity = iota
	Unknown              // what memory holds, and what depends on it
	Divergent            // it depends on the thread's own index
)

// Divergence says which of a kernel's values are uniform: whether the threads of a block agree on a value
// when they compute it. It is a data-flow analysis like those of compilers for GPUs (Karrenberg and Hack,
// "Whole-Function Vectorization", 2011), simplified by structured control flow.
type Divergence struct {
	class []Uniformity                // by value ID
	order map[*ssa.Instr]int          // of instructions in the text; nil where lanes are asked about
	exits map[*ssa.Instr][]*ssa.Instr // of a loop: the breaks that leave it, to wherever, and its own continues
	funcs map[*ssa.Func][]Uniformity
	again bool
	left  map[*ssa.Instr]Uniformity // of loops: whether threads leave them together
	loads bool                      // what threads load from places that differ is taken to differ
	lanes *Lanes                    // what else is asked where threads run in the lanes of vectors, else nil
}

// NewDivergence analyses a function.
func NewDivergence(f *ssa.Func) *Divergence {
	d := &Divergence{funcs: make(map[*ssa.Func][]Uniformity)}
	d.run(f)
	return d
}

// NewLoadDivergence is NewDivergence for a caller who may not guess: what threads load from places that differ, and what
// atomic operations give them, is divergent and not unknown.
func NewLoadDivergence(f *ssa.Func) *Divergence {
	d := &Divergence{funcs: make(map[*ssa.Func][]Uniformity), loads: true}
	d.run(f)
	return d
}

// run analyses a function, of which some parameters differ between threads.
func (d *Divergence) run(f *ssa.Func, differ ...*ssa.Value) {
	d.class = make([]Uniformity, f.NumValues())
	if d.lanes == nil {
		d.order = make(map[*ssa.Instr]int)
	}
	d.exits = make(map[*ssa.Instr][]*ssa.Instr)
	d.left = make(map[*ssa.Instr]Uniformity)
	f.Body.Walk(func(in *ssa.Instr) {
		if d.order != nil {
			d.order[in] = len(d.order)
		}
		if in.Op != ssa.OpBreak && in.Op != ssa.OpContinue {
			return
		}
		for o := in.Block.Owner; o != nil; o = o.Block.Owner {
			if o.Op == ssa.OpLoop {
				d.exits[o] = append(d.exits[o], in)
			}
			if o == in.Target {
				break
			}
		}
	})
	for _, p := range differ {
		d.class[p.ID] = Divergent
	}
	for d.again = true; d.again; {
		d.again = false
		d.block(f.Body)
		if d.lanes != nil {
			d.lanes.findApart(f)
		}
	}
}

// Of returns the uniformity of a value.
func (d *Divergence) Of(v *ssa.Value) Uniformity { return d.class[v.ID] }

func (d *Divergence) raise(v *ssa.Value, c Uniformity) {
	if c > d.class[v.ID] {
		d.class[v.ID] = c
		d.again = true
	}
}

func (d *Divergence) all(vs []*ssa.Value) Uniformity {
	c := Uniform
	for _, v := range vs {
		c = max(c, d.class[v.ID])
	}
	return c
}

func (d *Divergence) block(b *ssa.Block) {
	for _, in := range b.Instrs {
		for _, nested := range in.Blocks {
			d.block(nested)
		}
		switch in.Op {
		case ssa.OpIf:
			d.merge(in)
		case ssa.OpLoop:
			d.loop(in)
		case ssa.OpCall:
			d.call(in)
		default:
			c := d.all(in.Args)
			switch {
			case d.lanes != nil:
				c = d.lanes.classOf(in, c)
			case in.Op == ssa.OpThreadID || in.Op == ssa.OpLane || in.Op == ssa.OpRecur:
				c = Divergent
			case in.Op.Effect() == ssa.Reads || in.Op == ssa.OpAtomic:
				c = max(c, Unknown)
				switch {
				case d.loads && in.Op == ssa.OpAtomic:
					c = Divergent
				case in.Op == ssa.OpLoad && !d.loads:
					c = Unknown // what lies at different places may be equal all the same
				}
			case in.Op == ssa.OpLocal:
				c = Divergent // each thread has its own
			}
			for _, r := range in.Results {
				d.raise(r, c)
			}
		}
	}
}

// merge handles the results of an If: where two different values meet, the result depends on the condition
// too.
func (d *Divergence) merge(in *ssa.Instr) {
	then, els := in.Then().Terminator(), in.Else().Terminator()
	for k, r := range in.Results {
		switch {
		case then.Op != ssa.OpYield && els.Op != ssa.OpYield: // nobody comes to where it is used
		case then.Op != ssa.OpYield:
			d.raise(r, d.Of(els.Args[k]))
		case els.Op != ssa.OpYield:
			d.raise(r, d.Of(then.Args[k]))
		case then.Args[k] != els.Args[k]:
			d.raise(r, max(d.Of(then.Args[k]), d.Of(els.Args[k]), d.Of(in.Args[0])))
		default:
			d.raise(r, d.Of(then.Args[k]))
		}
	}
}

func (d *Divergence) loop(in *ssa.Instr) {
	cond, post := in.Cond(), in.Post()
	leave := d.Of(cond.Terminator().Args[0])
	var continues []*ssa.Instr
	skipped := Uniform // whether threads agree on skipping the rest of an iteration, so far in the text
	for _, e := range d.exits[in] {
		c, _ := d.way(e, in)
		if e.Op == ssa.OpContinue && e.Target == in {
			continues = append(continues, e)
			skipped = max(skipped, c)
		} else {
			leave = max(leave, c, skipped)
		}
	}
	if d.lanes != nil && d.lanes.leavesApart(in) {
		leave = Divergent
	}
	if leave > d.left[in] {
		d.left[in] = leave
		d.again = true
	}
	for k, param := range cond.Params {
		c := d.Of(in.Args[k])
		if t := post.Terminator(); t != nil && t.Op == ssa.OpYield {
			c = max(c, d.Of(t.Args[k]))
		}
		d.raise(param, c)

		c = Uniform
		for _, e := range continues {
			c = max(c, d.Of(e.Args[k]), d.late(e, e.Args[k]))
			if e.Args[k] != continues[0].Args[k] {
				for _, e := range continues {
					way, _ := d.way(e, in)
					c = max(c, way)
				}
			}
		}
		d.raise(post.Params[k], c)
		if d.lanes != nil { // each is one value of a vector, or both are the same number in all lanes
			d.raise(param, d.Of(post.Params[k]))
			d.raise(post.Params[k], d.Of(param))
		}

		// Threads that leave in different iterations leave with different values.
		c = max(d.Of(param), leave)
		for _, e := range d.exits[in] {
			if e.Op == ssa.OpBreak && e.Target == in {
				c = max(c, d.Of(e.Args[k]))
			}
		}
		d.raise(in.Results[k], c)
	}
}

// call looks into the callee, as if its arguments were uniform. Where lanes are asked about, it is known which are.
func (d *Divergence) call(in *ssa.Instr) {
	if d.lanes != nil {
		for k, c := range d.lanes.ofResults(in) {
			d.raise(in.Results[k], c)
		}
		return
	}
	results, ok := d.funcs[in.Callee]
	if !ok {
		callee := &Divergence{funcs: d.funcs}
		callee.run(in.Callee)
		results = make([]Uniformity, len(in.Callee.Results))
		in.Callee.Body.Walk(func(t *ssa.Instr) {
			if t.Op != ssa.OpReturn {
				return
			}
			way, _ := callee.way(t, nil)
			for k, v := range t.Args {
				results[k] = max(results[k], callee.Of(v), way)
			}
		})
		d.funcs[in.Callee] = results
	}
	c := d.all(in.Args)
	for k, r := range in.Results {
		d.raise(r, max(c, results[k]))
	}
}

// late reports whether threads leave a loop by an exit in different iterations, with a value that is made in the loop:
// they agree on it in each iteration, and still leave with different ones.
func (d *Divergence) late(exit *ssa.Instr, v *ssa.Value) (c Uniformity) {
	for o := exit.Block.Owner; o != nil && o != exit.Target; o = o.Block.Owner {
		if o.Op == ssa.OpLoop && v.IsInside(o) {
			c = max(c, d.Of(Condition(o)), d.left[o])
		}
	}
	return c
}

// way reports whether the threads in a loop (nil for the function) agree on reaching an instruction in it,
// and the If or loop on which they disagree.
func (d *Divergence) way(in, loop *ssa.Instr) (c Uniformity, where *ssa.Instr) {
	for o := in.Block.Owner; o != nil && o != loop; o = o.Block.Owner {
		cond := Uniform
		switch o.Op {
		case ssa.OpIf:
			cond = d.Of(o.Args[0])
		case ssa.OpLoop:
			// Threads that have left it, by its test or in its middle, do not come to the instruction.
			cond = max(d.Of(o.Cond().Terminator().Args[0]), d.left[o])
		}
		if cond > c {
			c, where = cond, o
		}
	}
	return c, where
}

// Sync reports whether all threads of a block that have not returned reach an instruction together, and the
// If or loop on which they disagree.
func (d *Divergence) Sync(in *ssa.Instr) (c Uniformity, where *ssa.Instr) {
	for _, at := range d.Conditions(in) {
		if cond := d.Of(Condition(at)); cond > c {
			c, where = cond, at
		}
	}
	return c, where
}

// Condition is the condition of an If or a loop.
func Condition(in *ssa.Instr) *ssa.Value {
	if in.Op == ssa.OpLoop {
		return in.Cond().Terminator().Args[0]
	}
	return in.Args[0]
}

// UnknownConditions are the Ifs and loops that decide whether the threads of a block reach a barrier
// together, and whose condition is not proven to be uniform. Those that only keep threads from a break that others may not
// come to either are left out: threads may disagree on them in other iterations.
func (d *Divergence) UnknownConditions(f *ssa.Func) (list []*ssa.Instr) {
	for _, sync := range Syncs(f) {
		for _, at := range d.conditions(sync, false) {
			if d.Of(Condition(at)) == Unknown && !slices.Contains(list, at) {
				list = append(list, at)
			}
		}
	}
	return list
}

// Conditions are the Ifs and loops that decide whether a thread reaches an instruction, the innermost first.
func (d *Divergence) Conditions(in *ssa.Instr) []*ssa.Instr { return d.conditions(in, true) }

// conditions are those of Conditions. Without all, those that keep threads from a break are left out, if the break has a
// condition itself.
func (d *Divergence) conditions(in *ssa.Instr, all bool) (list []*ssa.Instr) {
	add := func(o *ssa.Instr) {
		if (o.Op == ssa.OpIf || o.Op == ssa.OpLoop) && !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	note := func(from, to *ssa.Instr) {
		for o := from; o != nil && o != to; o = o.Block.Owner {
			add(o)
		}
	}
	for b := in.Block; b.Owner != nil; b = b.Owner.Block {
		o := b.Owner
		note(o, o.Block.Owner)
		if o.Op != ssa.OpLoop {
			continue
		}
		turns := o.IsTargetOf(ssa.OpContinue)
		for _, e := range d.exits[o] {
			// A thread that leaves the loop, or continues with its next iteration, skips the code after it, but for the
			// post statement if it continues. A thread that leaves also skips the next iterations.
			back := e.Op == ssa.OpContinue && e.Target == o
			if back && b == o.Post() {
				continue
			}
			if d.order[e] < d.order[in] && !Exclusive(e, in) || turns && !back {
				note(e.Block.Owner, o)
			}
			if turns && !back && (all || e.Block.Owner == o) {
				for _, at := range d.keepFrom(e, o) {
					add(at)
				}
			}
		}
	}
	return list
}

// keepFrom are the Ifs and loops that decide whether a thread continues a loop before it comes to an exit that leaves the
// loop. Other threads leave then.
func (d *Divergence) keepFrom(exit, loop *ssa.Instr) (list []*ssa.Instr) {
	around := make(map[*ssa.Block]bool) // the exit
	for b := exit.Block; b.Owner != loop; b = b.Owner.Block {
		around[b] = true
	}
	for _, e := range d.exits[loop] {
		if e.Op != ssa.OpContinue || e.Target != loop || !again(e, exit, loop) && (d.order[e] > d.order[exit] || Exclusive(e, exit)) {
			continue
		}
		var deciding []*ssa.Instr
		for b := e.Block; b.Owner != loop; b = b.Owner.Block {
			// Where a block ends in another exit, nothing in it decides whether threads come to what follows.
			if t := b.Terminator(); t != e && !around[b] && (slices.Contains(d.exits[loop], t) || t.Op == ssa.OpReturn || t.Op == ssa.OpPanic || t.Op == ssa.OpUnreachable) {
				deciding = nil
			}
			deciding = append(deciding, b.Owner)
		}
		list = append(list, deciding...)
	}
	return list
}

// again reports whether two exits of a loop are in one loop in it: an iteration of that may come to either of them.
func again(a, b, loop *ssa.Instr) bool {
	inner := make(map[*ssa.Instr]bool)
	for o := a.Block.Owner; o != loop; o = o.Block.Owner {
		inner[o] = o.IsTargetOf(ssa.OpContinue)
	}
	for o := b.Block.Owner; o != loop; o = o.Block.Owner {
		if inner[o] {
			return true
		}
	}
	return false
}

// Exclusive reports whether two instructions are in different blocks of one If.
func Exclusive(a, b *ssa.Instr) bool {
	blocks := make(map[*ssa.Instr]*ssa.Block) // the Ifs around a
	for at := a.Block; at.Owner != nil; at = at.Owner.Block {
		blocks[at.Owner] = at
	}
	for at := b.Block; at.Owner != nil; at = at.Owner.Block {
		if mine, ok := blocks[at.Owner]; ok {
			return at.Owner.Op == ssa.OpIf && mine != at
		}
	}
	return false
}

// Syncs are the barriers of a function.
func Syncs(f *ssa.Func) (list []*ssa.Instr) {
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpSync {
			list = append(list, in)
		}
	})
	return slices.Clip(list)
}
