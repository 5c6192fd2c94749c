package opt

import (
	"maps"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Promote replaces local variables in memory by values, if only constant parts of them are loaded and stored. This is
// the construction of SSA by Cytron and others, "Efficiently computing static single assignment form" (1991). In
// structured SSA, the values meet in results of Ifs and in variables of loops. It reports whether there were any.
//
// It is not among the passes of the pipeline, because an array in Go is to be an array in the emitted code.
func Promote(f *ssa.Func) bool {
	return PromoteOnly(f, func(*ssa.Instr) bool { return true })
}

// PromoteOnly is [Promote] for some of the variables.
func PromoteOnly(f *ssa.Func, wanted func(local *ssa.Instr) bool) bool {
	p := promoter{wanted: wanted, vars: make(map[*ssa.Instr]*variable), addr: make(map[*ssa.Value]part), changed: make(map[*ssa.Instr][]place)}
	p.find(f)
	if !slices.ContainsFunc(slices.Collect(maps.Values(p.vars)), func(v *variable) bool { return !v.stays }) {
		return false
	}
	p.block(f.Body, make(map[place]*ssa.Value))
	return true
}

// A variable is a local variable that becomes values: one for each leaf of its type, which is no aggregate.
type variable struct {
	def    *ssa.Instr
	number int  // in the order of the text
	stays  bool // in memory
}

// maxPromoted is how many leaves a variable may have.
const maxPromoted = 64

// A part is some leaves of a variable, from first on, that a value of type t has.
type part struct {
	of    *variable
	first int
	t     ssa.Type
}

// A place is a leaf of a variable.
type place struct {
	of   *variable
	leaf int
}

type promoter struct {
	wanted  func(local *ssa.Instr) bool
	vars    map[*ssa.Instr]*variable
	addr    map[*ssa.Value]part    // of addresses
	changed map[*ssa.Instr][]place // of a loop: what it changes of variables outside of it
}

// leafTypes appends the leaves of a type.
func leafTypes(t ssa.Type, list []ssa.Type) []ssa.Type {
	switch t := t.(type) {
	case ssa.Array:
		for range t.Len {
			list = leafTypes(t.Elem, list)
			if len(list) > maxPromoted {
				break
			}
		}
		return list
	case *ssa.Struct:
		for _, f := range t.Fields {
			list = leafTypes(f.Type, list)
		}
		return list
	}
	return append(list, t)
}

// find finds the variables, where their addresses lead, and what loops change.
func (p *promoter) find(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Op == ssa.OpLocal:
			v := &variable{def: in, number: len(p.vars), stays: !p.wanted(in) || len(leafTypes(in.Args[0].Type, nil)) > maxPromoted}
			p.vars[in] = v
			p.addr[in.Result()] = part{v, 0, in.Args[0].Type}
			p.refuse(in.Args)
		case in.Op == ssa.OpFieldAddr || in.Op == ssa.OpElemAddr:
			if whole, ok := p.addr[in.Args[0]]; ok {
				if inner, ok := whole.part(in); ok {
					p.addr[in.Result()] = inner
					return
				}
			}
			p.refuse(in.Args)
		case in.Op == ssa.OpLoad:
		case in.Op == ssa.OpStore:
			p.refuse(in.Args[1:])
			if to, ok := p.addr[in.Args[0]]; ok && inCond(in) {
				to.of.stays = true // what a loop's Cond computes is not seen in its Do
			}
		default:
			p.refuse(in.Args)
		}
	})
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpStore {
			return
		}
		if to, ok := p.of(in.Args[0]); ok {
			p.changes(in, to)
		}
	})
}

// changes notes that a store changes a part of a variable in the loops that are between the two.
func (p *promoter) changes(store *ssa.Instr, to part) {
	home := to.of.def.Block
	for o := store.Block.Owner; o != nil && o.Block.Inside(home); o = o.Block.Owner {
		if o.Op != ssa.OpLoop {
			continue
		}
		for i := range leafTypes(to.t, nil) {
			if at := (place{to.of, to.first + i}); !slices.Contains(p.changed[o], at) {
				p.changed[o] = append(p.changed[o], at)
			}
		}
	}
}

// part returns the part of a variable that a field address or an element address in this part leads to.
func (w part) part(in *ssa.Instr) (part, bool) {
	first := w.first
	switch t := w.t.(type) {
	case *ssa.Struct:
		for _, f := range t.Fields[:in.Index] {
			first += len(leafTypes(f.Type, nil))
		}
		return part{w.of, first, t.Fields[in.Index].Type}, true
	case ssa.Array:
		c, ok := in.Args[1].Const()
		if !ok || uint64(c.Int()) >= uint64(t.Len) {
			return part{}, false
		}
		return part{w.of, first + int(c.Int())*len(leafTypes(t.Elem, nil)), t.Elem}, true
	}
	return part{}, false
}

// refuse drops the variables whose addresses are used otherwise than by loads and stores.
func (p *promoter) refuse(vs []*ssa.Value) {
	for _, v := range vs {
		if w, ok := p.addr[v]; ok {
			w.of.stays = true
		}
	}
}

// inCond reports whether an instruction stands in a loop's Cond.
func inCond(in *ssa.Instr) bool {
	for b := in.Block; b.Owner != nil; b = b.Owner.Block {
		if b.Owner.Op == ssa.OpLoop && b == b.Owner.Cond() {
			return true
		}
	}
	return false
}

// of returns the part to which an address leads, if it is of a variable that becomes values.
func (p *promoter) of(addr *ssa.Value) (part, bool) {
	w, ok := p.addr[addr]
	return w, ok && !w.of.stays
}

// block replaces loads and stores in a block. The values of variables are in now, before and after.
func (p *promoter) block(b *ssa.Block, now map[place]*ssa.Value) {
	old := b.Instrs
	b.Instrs = make([]*ssa.Instr, 0, len(old))
	for _, in := range old {
		in.Resolve()
		switch in.Op {
		case ssa.OpLocal:
			if v := p.vars[in]; !v.stays {
				set(b, now, part{v, 0, in.Args[0].Type}, in.Args[0])
				continue
			}
		case ssa.OpFieldAddr, ssa.OpElemAddr:
			if _, ok := p.of(in.Result()); ok {
				continue
			}
		case ssa.OpLoad:
			if from, ok := p.of(in.Args[0]); ok {
				in.Result().ForwardTo(get(b, now, from))
				continue
			}
		case ssa.OpStore:
			if to, ok := p.of(in.Args[0]); ok {
				set(b, now, to, in.Args[1])
				continue
			}
		case ssa.OpIf:
			p.branch(in, now)
		case ssa.OpLoop:
			p.loop(in, now)
		case ssa.OpFor:
			p.block(in.Blocks[0], now)
		case ssa.OpBreak, ssa.OpContinue:
			in.Args = slices.Clone(in.Args)
			for _, at := range p.changed[in.Target] {
				in.Args = append(in.Args, now[at])
			}
		}
		b.Instrs = append(b.Instrs, in)
	}
}

// set assigns a value to a part of a variable.
func set(b *ssa.Block, now map[place]*ssa.Value, to part, v *ssa.Value) {
	n := to.first
	var walk func(v *ssa.Value)
	walk = func(v *ssa.Value) {
		switch t := v.Type.(type) {
		case *ssa.Struct:
			for i, f := range t.Fields {
				walk(b.Append(&ssa.Instr{Op: ssa.OpField, Index: int32(i), Args: []*ssa.Value{v}}, f.Type).Result())
			}
		case ssa.Array:
			for i := range t.Len {
				walk(b.AppendOp(ssa.OpElem, t.Elem, v, b.AppendInt(ssa.Int64, int64(i))).Result())
			}
		default:
			now[place{to.of, n}] = v
			n++
		}
	}
	walk(v)
}

// get is the value of a part of a variable.
func get(b *ssa.Block, now map[place]*ssa.Value, from part) *ssa.Value {
	n := from.first
	var walk func(t ssa.Type) *ssa.Value
	walk = func(t ssa.Type) *ssa.Value {
		var parts []*ssa.Value
		switch t := t.(type) {
		case *ssa.Struct:
			for _, f := range t.Fields {
				parts = append(parts, walk(f.Type))
			}
		case ssa.Array:
			for range t.Len {
				parts = append(parts, walk(t.Elem))
			}
		default:
			n++
			return now[place{from.of, n - 1}]
		}
		return b.Append(&ssa.Instr{Op: ssa.OpMake, Args: parts}, t).Result()
	}
	return walk(from.t)
}

// branch replaces what an If does with variables.
func (p *promoter) branch(in *ssa.Instr, now map[place]*ssa.Value) {
	var after [2]map[place]*ssa.Value
	for i, b := range in.Blocks {
		after[i] = maps.Clone(now)
		p.block(b, after[i])
	}
	for _, at := range inOrder(now) {
		passes := false
		for i, b := range in.Blocks {
			passes = passes || b.Terminator().Op == ssa.OpYield && after[i][at] != now[at]
		}
		if !passes {
			continue
		}
		for i, b := range in.Blocks {
			if t := b.Terminator(); t.Op == ssa.OpYield {
				t.Args = append(slices.Clone(t.Args), after[i][at])
			}
		}
		now[at] = in.AddResult(now[at].Type, now[at].Name)
	}
}

// inOrder are the places that have values, in a fixed order.
func inOrder(now map[place]*ssa.Value) []place {
	return slices.SortedFunc(maps.Keys(now), func(a, b place) int {
		if a.of != b.of {
			return a.of.number - b.of.number
		}
		return a.leaf - b.leaf
	})
}

// loop replaces what a loop does with variables: those that it changes become variables of the loop.
func (p *promoter) loop(in *ssa.Instr, now map[place]*ssa.Value) {
	changed := p.changed[in]
	cond, post := maps.Clone(now), maps.Clone(now)
	in.Args = slices.Clone(in.Args)
	for _, at := range changed {
		v := now[at]
		in.Args = append(in.Args, v)
		cond[at] = in.Cond().AddParam(v.Type, v.Name)
		post[at] = in.Post().AddParam(v.Type, v.Name)
	}
	p.block(in.Cond(), maps.Clone(cond))
	p.block(in.Do(), cond)
	p.block(in.Post(), post)
	yield := in.Post().Terminator()
	yield.Args = slices.Clone(yield.Args)
	for _, at := range changed {
		yield.Args = append(yield.Args, post[at])
		now[at] = in.AddResult(now[at].Type, now[at].Name)
	}
}
