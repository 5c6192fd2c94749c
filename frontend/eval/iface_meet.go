package eval

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file is about interface values where paths meet, and in loops.

// A Meeting is an interface value where paths meet, of those that the paths have.
type Meeting struct {
	form   *ssa.Value
	Leaves [][]*ssa.Value // of each path; see Fill
}

// Meet is the meeting of the interface values of several paths.
func (b *Values) Meet(vals []*ssa.Value) Meeting {
	m := Meeting{form: vals[0]}
	for _, v := range vals[1:] {
		if !b.sameForm(vals[0], v) {
			if m, ok := b.meetNil(vals); ok {
				return m
			}
			m.form = several(vals)
			for _, v := range vals {
				m.Leaves = append(m.Leaves, []*ssa.Value{InterfaceOf(v).tag})
			}
			return m
		}
	}
	for _, v := range vals {
		m.form = joinTurns(m.form, v)
		m.Leaves = append(m.Leaves, leaves(v))
	}
	return m
}

// meetNil is Meet of values that are nil or have one form. Of nil there are no leaves but the tag: see Fill.
func (b *Values) meetNil(vals []*ssa.Value) (m Meeting, ok bool) {
	var one Interface // the other dynamic type, with a value
	joined := Interface{may: []Dynamic{{}}}
	for _, v := range vals {
		i := InterfaceOf(v)
		joined.rely(i.turns)
		rest := slices.DeleteFunc(slices.Clone(i.may), func(d Dynamic) bool {
			if d.Type == nil {
				joined.may[0] = d
			}
			return d.Type == nil
		})
		switch {
		case len(rest) == 0:
			continue
		case len(rest) != 1 || i.val == nil, one.val != nil && !(one.may[0].same(rest[0]) && b.sameForm(one.val, i.val)):
			return m, false
		case one.val == nil:
			one = Interface{may: rest, val: i.val}
		default:
			one.val = joinTurns(one.val, i.val)
		}
	}
	if one.val == nil {
		return m, false
	}
	joined.may, joined.val, joined.tag = append(joined.may, one.may[0]), one.val, InterfaceOf(vals[0]).tag
	m.form = joined.value()
	n := len(leaves(m.form))
	for _, v := range vals {
		of := leaves(v)
		m.Leaves = append(m.Leaves, append(of, make([]*ssa.Value, n-len(of))...))
	}
	return m, true
}

// Fill gives the leaves that a path does not have the zero values of their types, which nothing depends on.
func (m Meeting) Fill(zero func(t ssa.Type) *ssa.Value) {
	for _, list := range m.Leaves {
		for n, leaf := range list {
			if leaf == nil {
				list[n] = zero(leaves(m.form)[n].Type)
			}
		}
	}
}

// joinTurns is a value that relies on what another one of the same form relies on too.
func joinTurns(x, y *ssa.Value) *ssa.Value {
	f, g := FrontOf(x), FrontOf(y)
	switch {
	case x == y || f == nil || len(f.Parts) == 0:
		return x
	case f.iface != nil:
		i := *f.iface
		i.turns = slices.Clip(i.turns)
		i.rely(g.iface.turns)
		if i.val != nil {
			i.val = joinTurns(i.val, g.iface.val)
		}
		return i.value()
	}
	h := *f
	h.Parts = make([]*ssa.Value, len(f.Parts))
	for n := range f.Parts {
		h.Parts[n] = joinTurns(f.Parts[n], g.Parts[n])
	}
	return h.Value()
}

// several is the form of one of several interface values, of which only the tag is left.
func several(vals []*ssa.Value) *ssa.Value {
	i := Interface{tag: InterfaceOf(vals[0]).tag}
	for _, v := range vals {
		i.join(InterfaceOf(v))
	}
	if len(i.may) == 1 && i.may[0].hasValue() { // of one type, but what it holds differs
		i.may = append(i.may, InterfaceOf(vals[len(vals)-1]).may[0])
	}
	return i.value()
}

// join adds what another value may be.
func (i *Interface) join(o *Interface) {
	for _, d := range o.may {
		if !slices.ContainsFunc(i.may, d.same) {
			i.may = append(i.may, d)
		}
	}
	i.rely(o.turns)
}

// rely adds assumptions.
func (i *Interface) rely(turns []*Assumption) {
	for _, a := range turns {
		if !slices.Contains(i.turns, a) {
			i.turns = append(i.turns, a)
		}
	}
}

// Value is the value, of the leaves that have come of those of the paths.
func (m Meeting) Value(leaves []*ssa.Value) *ssa.Value {
	n := 0
	return withLeaves(m.form, func() *ssa.Value { n++; return leaves[n-1] })
}

// A Carried is an interface value that a loop carries from one iteration to the next.
type Carried struct {
	Leaves []*types.Var // a variable for each leaf, which the loop carries like any other
	v      *types.Var   // what holds the value
	form   *ssa.Value   // when the loop begins
	turn   *Assumption
	first  []*ssa.Value // the leaves at the beginning of this part of the loop
	others []*ssa.Value // what it is where control leaves a part of the loop, in other forms
}

// Carry makes the interface values of the variables that a loop assigns to values that the loop carries.
func (b *Values) Carry(vars []*types.Var) (list []*Carried) {
	for _, v := range b.Expand(vars) {
		val := b.Vars[v]
		if InterfaceOf(val) == nil {
			continue
		}
		c := &Carried{v: v, form: val, turn: new(Assumption)}
		for _, leaf := range leaves(val) {
			w := types.NewVar(token.NoPos, v.Pkg(), v.Name(), nil)
			c.Leaves = append(c.Leaves, w)
			b.Vars[w] = leaf
		}
		list = append(list, c)
	}
	return list
}

// BeginTurn gives the variable its value at the beginning of a part of the loop, of the leaves.
func (b *Values) BeginTurn(c *Carried) {
	c.first = nil
	for _, w := range c.Leaves {
		c.first = append(c.first, b.Vars[w])
	}
	i := *InterfaceOf(Meeting{form: c.form}.Value(c.first))
	i.turns = append(slices.Clip(i.turns), c.turn)
	b.Vars[c.v] = i.value()
}

// EndTurn gives the leaves their values where control leaves a part of the loop, with a break or for the next one.
func (b *Values) EndTurn(c *Carried, isBreak bool) {
	val := b.Vars[c.v]
	now := slices.Clone(c.first)
	switch i := InterfaceOf(val); {
	case b.Dead || i == nil:
	case b.sameForm(val, c.form):
		now = leaves(val)
	default:
		now[0] = i.tag
		c.others = append(c.others, val)
		if !isBreak {
			c.turn.wrong = append(c.turn.wrong, i.may...)
		}
	}
	for n, w := range c.Leaves {
		b.Vars[w] = now[n]
	}
}

// EndLoop gives the variable its value after the loop, of the leaves.
func (b *Unknowns) EndLoop(c *Carried) {
	var after []*ssa.Value
	for _, w := range c.Leaves {
		after = append(after, b.Vars[w])
		delete(b.Vars, w)
	}
	c.turn.ended = true
	form := c.form
	if len(c.others) > 0 {
		form = several(append([]*ssa.Value{form}, c.others...))
		after = after[:1]
	}
	if c.turn.isOf != nil && slices.ContainsFunc(c.turn.wrong, func(d Dynamic) bool { return d.withMethod("Is") != nil || d.withMethod("Unwrap") != nil }) {
		b.refuseSeveral(c.turn.isOf, "the error", InterfaceOf(form).may)
	}
	if c.turn.tagged != nil && slices.ContainsFunc(c.turn.wrong, Dynamic.hasValue) {
		b.refuseSeveral(c.turn.tagged, "the left operand", InterfaceOf(form).may)
	}
	if c.turn.relied != nil && len(c.turn.wrong) > 0 {
		b.refuseSeveral(c.turn.relied, c.turn.name, InterfaceOf(form).may)
	}
	b.Vars[c.v] = Meeting{form: form}.Value(after)
}
