package opt

import (
	"slices"
	"sync"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// dce removes code that no effect and no result of the function depends on: instructions, calls and whole Ifs and
// loops without effects, results of Ifs, and loop variables. It also removes loop variables that depend only on
// each other.
//
// It marks the needed instructions, backwards from returns and from instructions with an effect, and removes the
// rest. If only loads of this function can read a local variable, a store to it is needed when one of these loads
// is.
func dce(f *ssa.Func, summaries *analysis.Summaries) bool { return removeDead(f, summaries, nil) }

// spareDead has the memory of runs that have ended, for the next ones: dce runs several times over each function.
var spareDead = sync.Pool{New: func() any { return new(deadCode) }}

func removeDead(f *ssa.Func, summaries *analysis.Summaries, lies func(addr *ssa.Value) (in any, ok bool)) bool {
	d := spareDead.Get().(*deadCode)
	d.live = slices.Grow(d.live, f.NumValues())[:f.NumValues()]
	d.locals, d.summaries, d.lies = summaries.NonEscaping(f), summaries, lies
	changed := d.remove(f)
	clear(d.live)
	clear(d.work[:cap(d.work)])
	clear(d.needed)
	clear(d.regions)
	*d = deadCode{live: d.live[:0], work: d.work[:0], needed: d.needed[:0], regions: d.regions[:0]}
	spareDead.Put(d)
	return changed
}

// DropUnread removes dead code from a function, and treats some memory of others like variables of the function: nobody
// reads this memory when the function has ended. lies says in which memory of this kind an address or a slice lies, and
// whether that is certain. It returns nil for other memory.
func DropUnread(f *ssa.Func, summaries *analysis.Summaries, lies func(addr *ssa.Value) (in any, ok bool)) bool {
	return removeDead(f, summaries, lies)
}

func (d *deadCode) remove(f *ssa.Func) bool {
	d.number(f.Body)
	for _, in := range d.needed {
		d.need(in)
	}
	for len(d.work) > 0 {
		v := d.work[len(d.work)-1]
		d.work = d.work[:len(d.work)-1]
		d.source(v)
	}
	d.sweep(f.Body)
	return d.changed
}

type deadCode struct {
	live      []bool       // values, by ID
	work      []*ssa.Value // live values whose sources are not marked yet
	regions   []region     // Ifs and Loops, by their scratch numbers
	needed    []*ssa.Instr // what has an effect, and the returns
	locals    *analysis.NonEscaping
	uses      map[any]*localUse // of non-escaping variables, by their instructions, and of memory that nobody looks at
	lies      func(addr *ssa.Value) (in any, ok bool)
	summaries *analysis.Summaries
	changed   bool
}

// A region has the facts about an If or a Loop.
type region struct {
	live      bool
	continued bool         // a loop that an OpContinue targets
	exits     []*ssa.Instr // a loop's continues and breaks
}

// number numbers Ifs and Loops, and collects the exits of loops and the instructions that are always needed.
func (d *deadCode) number(b *ssa.Block) {
	for _, in := range b.Instrs {
		switch in.Op {
		case ssa.OpIf, ssa.OpLoop:
			in.Scratch = int32(len(d.regions))
			d.regions = append(d.regions, region{})
			for _, nested := range in.Blocks {
				if in.Op == ssa.OpLoop && nested == in.Post() && !d.regions[in.Scratch].continued {
					break // it never runs
				}
				d.number(nested)
			}
			if in.Op == ssa.OpLoop && !analysis.Finite(in) {
				d.needed = append(d.needed, in)
			}
		case ssa.OpFor:
			in.Scratch = int32(len(d.regions))
			d.regions = append(d.regions, region{})
			d.number(in.Blocks[0])
			d.needed = append(d.needed, in)
		case ssa.OpBreak, ssa.OpContinue:
			r := &d.regions[in.Target.Scratch]
			r.exits = append(r.exits, in)
			r.continued = r.continued || in.Op == ssa.OpContinue
		case ssa.OpReturn, ssa.OpPanic:
			d.needed = append(d.needed, in)
		default:
			if d.acts(in) {
				d.needed = append(d.needed, in)
			} else if isWrite(in) {
				u := d.use(in.Args[0])
				u.stores = append(u.stores, in)
			}
		}
	}
}

// isWrite reports whether an instruction does nothing but write memory: a call may do more.
func isWrite(in *ssa.Instr) bool {
	return in.Op == ssa.OpStore || in.Op == ssa.OpCopy || in.Op == ssa.OpAtomic
}

// localUse has the facts about a non-escaping variable, or other memory that nobody looks at.
type localUse struct {
	stores []*ssa.Instr
	read   bool
}

// use returns the facts about the variable that an address points into. A variable counts as read where a live
// instruction lets its address escape. It is nil for variables with atomics, and for memory that others see.
func (d *deadCode) use(addr *ssa.Value) *localUse {
	var key any
	if local := d.locals.Of(addr); local != nil {
		if d.locals.HasAtomics(local) {
			return nil
		}
		key = local
	} else if d.lies != nil {
		key, _ = d.lies(addr)
	}
	if key == nil {
		return nil
	}
	u := d.uses[key]
	if u == nil {
		if d.uses == nil {
			d.uses = make(map[any]*localUse)
		}
		u = new(localUse)
		d.uses[key] = u
	}
	return u
}

// acts reports whether an instruction without blocks has a visible effect.
func (d *deadCode) acts(in *ssa.Instr) bool {
	switch in.Op {
	case ssa.OpCall:
		return d.summaries.Of(in.Callee).Effects.Level() > ssa.Reads
	case ssa.OpLocal:
		return false
	}
	if isWrite(in) {
		if u := d.use(in.Args[0]); u != nil {
			return u.read
		}
	}
	return in.Op.Effect() == ssa.Writes
}

// need marks an instruction that has an effect.
func (d *deadCode) need(in *ssa.Instr) {
	if in.Op == ssa.OpLoop || in.Op == ssa.OpFor {
		d.enter(in)
		return
	}
	d.reach(in)
	d.operands(in)
}

// reach marks the Ifs and Loops around an instruction that must be reached.
func (d *deadCode) reach(in *ssa.Instr) {
	if o := in.Block.Owner; o != nil {
		d.enter(o)
	}
}

// enter marks an If or a Loop, and the values that control flow in it depends on: for a loop its test, and the Ifs
// around its breaks and continues.
func (d *deadCode) enter(in *ssa.Instr) {
	r := &d.regions[in.Scratch]
	if r.live {
		return
	}
	r.live = true
	d.reach(in)
	if in.Op != ssa.OpLoop {
		for _, a := range in.Args { // an If's condition, the sizes of an OpFor
			d.mark(a)
		}
		return
	}
	d.mark(in.Cond().Terminator().Args[0])
	for _, e := range r.exits {
		d.reach(e)
	}
}

// mark marks a value.
func (d *deadCode) mark(v *ssa.Value) {
	if !d.live[v.ID] {
		d.live[v.ID] = true
		d.work = append(d.work, v)
	}
}

// source marks the operands of a live value.
func (d *deadCode) source(v *ssa.Value) {
	switch in := v.Def; {
	case in == nil:
		if owner := v.Block.Owner; owner != nil && owner.Op == ssa.OpLoop {
			d.variable(owner, v.Index())
		}
	case in.Op == ssa.OpIf:
		d.enter(in)
		k := v.Index()
		for _, b := range in.Blocks {
			if t := b.Terminator(); t.Op == ssa.OpYield {
				d.give(t, k)
			}
		}
	case in.Op == ssa.OpLoop:
		d.variable(in, v.Index())
	default:
		d.operands(in)
	}
}

// give marks an operand: of a live instruction, or for a live result or variable of an If or a loop.
func (d *deadCode) give(in *ssa.Instr, k int) {
	d.mark(in.Args[k])
	if d.locals.LetsEscape(in, k) {
		d.read(d.use(in.Args[k])) // by whoever gets the address
	}
}

// operands marks the operands of a live instruction, and the stores to the memory that it reads.
func (d *deadCode) operands(in *ssa.Instr) {
	for i := range in.Args {
		d.give(in, i)
	}
	d.reads(in)
}

// reads marks the stores to memory that an instruction reads.
func (d *deadCode) reads(in *ssa.Instr) {
	switch in.Op {
	case ssa.OpLoad:
		d.readAt(in.Args[0])
	case ssa.OpCopy:
		d.readAt(in.Args[1])
	case ssa.OpAtomic, ssa.OpCall, ssa.OpRecur, ssa.OpLaunch, ssa.OpSnapshot:
		for _, a := range in.Args {
			if ssa.HoldsAddress(a.Type) {
				d.readAt(a)
			}
		}
	}
}

// readAt marks the stores to the memory in which an address lies.
func (d *deadCode) readAt(addr *ssa.Value) {
	d.read(d.use(addr))
	if d.lies == nil {
		return
	}
	if _, ok := d.lies(addr); !ok {
		for _, u := range d.uses {
			d.read(u)
		}
	}
}

// read marks the stores to a local variable that is loaded.
func (d *deadCode) read(u *localUse) {
	if u == nil || u.read {
		return
	}
	u.read = true
	for _, s := range u.stores {
		d.need(s)
	}
}

// variable marks all positions of a loop variable, because it is kept or removed as a whole.
func (d *deadCode) variable(loop *ssa.Instr, k int) {
	d.enter(loop)
	d.mark(loop.Results[k])
	d.mark(loop.Cond().Params[k])
	d.mark(loop.Post().Params[k])
	d.give(loop, k)
	r := &d.regions[loop.Scratch]
	for _, e := range r.exits {
		d.give(e, k)
	}
	if r.continued {
		d.give(loop.Post().Terminator(), k)
	}
}

// sweep removes unmarked instructions.
func (d *deadCode) sweep(b *ssa.Block) {
	kept := b.Instrs[:0]
	for _, in := range b.Instrs {
		if !d.keeps(in) {
			continue
		}
		switch in.Op {
		case ssa.OpIf:
			d.sweepResults(in)
		case ssa.OpLoop:
			d.sweepVariables(in)
		}
		for _, nested := range in.Blocks {
			d.sweep(nested)
		}
		kept = append(kept, in)
	}
	d.changed = d.changed || len(kept) < len(b.Instrs)
	clear(b.Instrs[len(kept):])
	b.Instrs = kept
}

// keeps reports whether an instruction is needed.
func (d *deadCode) keeps(in *ssa.Instr) bool {
	switch {
	case in.Op == ssa.OpIf || in.Op == ssa.OpLoop || in.Op == ssa.OpFor:
		return d.regions[in.Scratch].live
	case in.Op.IsTerminator() || d.acts(in):
		return true
	}
	return d.anyLive(in.Results)
}

func (d *deadCode) anyLive(vs []*ssa.Value) bool {
	for _, v := range vs {
		if d.live[v.ID] {
			return true
		}
	}
	return false
}

func (d *deadCode) allLive(vs []*ssa.Value) bool {
	for _, v := range vs {
		if !d.live[v.ID] {
			return false
		}
	}
	return true
}

// sweepResults removes the unused results of an If.
func (d *deadCode) sweepResults(in *ssa.Instr) {
	if d.allLive(in.Results) {
		return
	}
	d.changed = true
	for _, b := range in.Blocks {
		if t := b.Terminator(); t.Op == ssa.OpYield {
			t.Args = d.filter(t.Args, in.Results)
		}
	}
	in.Results = d.filter(in.Results, in.Results)
}

// sweepVariables removes the unused variables of a loop, and the Post of a loop
// that is never continued.
func (d *deadCode) sweepVariables(in *ssa.Instr) {
	r := &d.regions[in.Scratch]
	post := in.Post()
	if last := len(post.Instrs) - 1; !r.continued && (last > 0 || !slices.Equal(post.Instrs[last].Args, post.Params)) {
		d.changed = true
		yield := post.Instrs[last]
		yield.Args = slices.Clone(post.Params)
		for _, p := range post.Params {
			p.Forward = nil // it has a use again
		}
		post.SetInstrs(post.Instrs[last:])
	}
	vars := in.Results
	if d.allLive(vars) {
		return
	}
	d.changed = true
	for _, e := range r.exits {
		e.Args = d.filter(e.Args, vars)
	}
	yield := post.Terminator()
	yield.Args = d.filter(yield.Args, vars)
	in.Args = d.filter(in.Args, vars)
	in.Cond().Params = d.filter(in.Cond().Params, vars)
	post.Params = d.filter(post.Params, vars)
	in.Results = d.filter(in.Results, vars)
}

// filter returns the values whose counterpart is live, in a new slice: the old one may be shared with another
// instruction.
func (d *deadCode) filter(vs, by []*ssa.Value) []*ssa.Value {
	var kept []*ssa.Value
	for i, v := range vs {
		if d.live[by[i].ID] {
			kept = append(kept, v)
		}
	}
	return kept
}
