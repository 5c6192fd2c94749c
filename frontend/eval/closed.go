package eval

import (
	"encoding/binary"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A recursive function cannot be lowered into its callers. One that is given function literals which capture variables,
// or interface values, has an instance for these: what they are is known, and the values of the running kernel in them
// are arguments of their own, the leaves. A captured variable in memory is given by its address. One that is a value is
// given as it is when the call is made: nothing that is called assigns to it, else the values are not closed.

// Closed are such arguments of a call, and the values that are made of the parameters in the instance.
type Closed struct {
	Leaves []*ssa.Value // in the caller
	Key    []byte       // tells the instances apart

	b      *Variables // the caller's
	pos    token.Pos
	own    ast.Node // the function's declaration
	args   []opener // by the parameters, with the receiver as the first; nil for those that are not closed
	shared []sharedVar
	lits   []*Func
	within []*Func // the literals around what is being closed
	failed bool
}

// An opener makes a value in the instance.
type opener func(in Opened) *ssa.Value

// An Opened is an instance, with the parameters for the leaves.
type Opened struct {
	B      *Variables
	Leaves []*ssa.Value
}

// A sharedVar is a captured variable that lives while the function runs.
type sharedVar struct {
	v     *types.Var
	birth int
	lit   *Func  // that captures it
	addr  int    // of the leaf that is its address
	val   opener // of one that is a value
}

// Close takes the arguments of a call apart. It is false where that cannot be: such a call is lowered into the caller,
// as [Values.Specialize] says. The other arguments may be known.
func (b *Variables) Close(pos token.Pos, f *Func, args []*ssa.Value) (c *Closed, known KnownArgs, ok bool) {
	src := b.Facts.Prog.Function(f.Obj)
	if src == nil {
		return nil, nil, false
	}
	c = &Closed{b: b, pos: pos, own: src.Decl, args: make([]opener, len(args))}
	rest := slices.Clone(args)
	for i, arg := range args {
		if !IsFront(arg) || arg == UntypedNil || !b.isOpen(f, i, arg) {
			continue
		}
		c.Key = binary.AppendUvarint(append(c.Key, 'a'), uint64(i))
		c.args[i] = c.value(arg)
		rest[i] = UntypedNil // which is never known
		if c.failed {
			return nil, nil, false
		}
	}
	if c.assigned() {
		return nil, nil, false
	}
	known, ok = b.Specialize(f, rest)
	return c, known, ok
}

// isOpen reports whether a front-end value is not known as a whole, or depends on the function that it stands in.
func (b *Variables) isOpen(f *Func, i int, arg *ssa.Value) bool {
	open := false
	b.EachLiteral(arg, func(*Func) { open = true })
	if open {
		return true
	}
	vars := ReceiverAndParams(f.Obj.Signature())
	if i >= len(vars) {
		return false
	}
	_, known := b.Known(arg, b.Facts.With(f.TypeArgs()).Typ(vars[i].Type()))
	return !known
}

// IsClosed reports whether an argument is closed.
func (c *Closed) IsClosed(i int) bool { return c != nil && i < len(c.args) && c.args[i] != nil }

// Literals are the function literals in the values.
func (c *Closed) Literals() []*Func { return c.lits }

func (c *Closed) fail() opener {
	c.failed = true
	return func(Opened) *ssa.Value { return Poison }
}

// number is the same for what is the same.
func (c *Closed) number(kind byte, same func(x any) bool, x any) {
	m := c.b.Facts
	i := slices.IndexFunc(m.closing, same)
	if i < 0 {
		i = len(m.closing)
		m.closing = append(m.closing, x)
	}
	c.Key = binary.AppendUvarint(append(c.Key, kind), uint64(i))
}

func (c *Closed) text(kind byte, s string) {
	c.Key = append(binary.AppendUvarint(append(c.Key, kind), uint64(len(s))), s...)
}

// leaf is a value of the running kernel.
func (c *Closed) leaf(v *ssa.Value) int {
	if v = c.b.here(c.pos, v); v == Poison || c.b.IsSymbolic(v) || v == UntypedNil || IsFront(v) || ssa.IsTile(v.Type) || check.IsPlace(v.Type) && v.Type != ssa.Thread {
		c.failed = true
		return 0
	}
	c.text('v', v.Type.String())
	c.Leaves = append(c.Leaves, v)
	return len(c.Leaves) - 1
}

// value takes a value apart.
func (c *Closed) value(v *ssa.Value) opener {
	if v == nil || c.failed {
		return c.fail()
	}
	f := FrontOf(c.b.Settled(v))
	switch {
	case f == nil && c.isKnown(v):
		doubtful := c.b.IsDoubtful(v)
		return func(in Opened) *ssa.Value {
			w := c.again(in.B, v)
			if doubtful {
				in.B.MarkDoubtful(w)
			}
			return w
		}
	case f == nil:
		n := c.leaf(v)
		return func(in Opened) *ssa.Value { return in.Leaves[n] }
	case f.isUnknown():
		return c.fail()
	case f.fn != nil:
		return c.function(f.fn)
	case f.iface != nil:
		return c.boxed(f.iface)
	case f.Kind == comptime.String:
		c.text('s', f.Str)
		return func(Opened) *ssa.Value { return v }
	case f.Kind != comptime.Struct && f.Kind != comptime.Array && f.Kind != comptime.Slice:
		return c.fail()
	}
	c.text('t', typeName(f.Typ))
	c.Key = binary.AppendUvarint(append(c.Key, byte(f.Kind)), uint64(len(f.Parts)))
	parts := make([]opener, len(f.Parts))
	for i, part := range f.Parts {
		parts[i] = c.value(part)
	}
	if f.isNil {
		c.Key = append(c.Key, '0')
	}
	return func(in Opened) *ssa.Value {
		g := *f
		g.Parts = make([]*ssa.Value, len(parts))
		for i, part := range parts {
			g.Parts[i] = part(in)
		}
		return g.Value()
	}
}

// isKnown reports whether a value of the running kernel is known: the instance is for this one then.
func (c *Closed) isKnown(v *ssa.Value) bool {
	if c.b.IsSymbolic(v) {
		return false
	}
	if k, ok := c.b.KnownConst(v); ok {
		c.text('q', v.Type.String())
		c.Key = binary.LittleEndian.AppendUint64(c.Key, k.Uint())
		return true
	}
	if !IsKnown(v) {
		return false
	}
	c.text('q', v.Type.String())
	c.Key = binary.AppendUvarint(append(c.Key, byte(v.Def.Op)), uint64(len(v.Def.Args)))
	for _, part := range v.Def.Args {
		c.isKnown(part)
	}
	return true
}

// again is a known value in the instance.
func (c *Closed) again(b *Variables, v *ssa.Value) *ssa.Value {
	if k, ok := c.b.KnownConst(v); ok {
		w := b.Constant(c.pos, v.Type, k)
		w.Name = v.Name
		return w
	}
	return b.Again(c.pos, v)
}

// boxed takes an interface value apart.
func (c *Closed) boxed(i *Interface) opener {
	if len(i.may) != 1 {
		return c.fail()
	}
	for _, a := range i.turns {
		if len(a.wrong) > 0 {
			return c.fail()
		}
	}
	c.b.rely(&ast.BadExpr{From: c.pos, To: c.pos + 1}, "the argument", i)
	d := i.may[0]
	c.Key = binary.AppendUvarint(append(c.Key, 'i'), uint64(c.b.Facts.dynamicNumber(d)))
	var val opener
	if d.hasValue() {
		val = c.value(i.val)
	}
	return func(in Opened) *ssa.Value {
		if val == nil {
			return in.B.box(c.pos, d, nil)
		}
		return in.B.box(c.pos, d, val(in))
	}
}

// function takes a function value apart.
func (c *Closed) function(f *Func) opener {
	if f.Lit == nil {
		g := *f
		g.Recv = nil
		c.number('f', func(x any) bool { h, ok := x.(*Func); return ok && g.same(h) }, &g)
		if f.Recv == nil {
			return func(Opened) *ssa.Value { return f.Value() }
		}
		recv := c.value(f.Recv)
		return func(in Opened) *ssa.Value {
			g := g
			g.Recv = recv(in)
			return g.Value()
		}
	}
	if slices.ContainsFunc(c.within, func(g *Func) bool { return f.Lit == g.Lit }) {
		return c.fail() // it captures itself
	}
	c.within = append(c.within, f)
	defer func() { c.within = c.within[:len(c.within)-1] }()
	c.lits = append(c.lits, f)
	c.number('l', func(x any) bool {
		h, ok := x.(*Func)
		return ok && h.Lit == f.Lit && h.Scope.Copy == f.Scope.Copy && check.SameTypeArgs(h.Scope.Targs, f.Scope.Targs)
	}, f)
	if f.Scope.Cooperates(f.Lit.Body) {
		return c.fail() // the threads of a block wait for each other in the kernel itself
	}
	vals := make([]opener, len(f.Captures))
	for i, held := range f.Captures {
		c.Key = binary.AppendUvarint(append(c.Key, 'x'), uint64(held.v.Pos()))
		if c.own.Pos() <= held.v.Pos() && held.v.Pos() < c.own.End() {
			return c.fail() // the function has a variable of its own in its place
		}
		if held.val != nil && c.b.Locals[held.v] == nil {
			c.Key = append(c.Key, 'c')
			vals[i] = c.value(held.val)
		} else {
			c.share(held, f)
		}
	}
	return func(in Opened) *ssa.Value {
		g := *f
		g.Captures = slices.Clone(f.Captures)
		for i, val := range vals {
			g.Captures[i].val = nil
			if val != nil {
				g.Captures[i].val = val(in)
			}
		}
		return g.Value()
	}
}

// share has a captured variable live on in the instance.
func (c *Closed) share(held capture, lit *Func) {
	if !c.b.IsDeclared(held.v) || c.b.Births[held.v] != held.birth {
		c.failed = true
		return
	}
	if slices.ContainsFunc(c.shared, func(s sharedVar) bool { return s.v == held.v }) {
		c.Key = append(c.Key, 'k')
		return
	}
	s := sharedVar{v: held.v, birth: held.birth, lit: lit, addr: -1}
	if addr := c.b.Locals[held.v]; addr != nil {
		if p := c.b.Parallel; p != nil && p.Outside[held.v] {
			c.failed = true
			return
		}
		c.Key = append(c.Key, 'm')
		s.addr = c.leaf(addr)
	} else {
		c.Key = append(c.Key, 'w')
		s.val = c.value(c.b.Value(held.v))
	}
	c.shared = append(c.shared, s)
}

// assigned reports whether a literal assigns to a variable that is given as a value.
func (c *Closed) assigned() (found bool) {
	for _, f := range c.lits {
		f.Scope.EachAssigned(f.Lit.Body, func(v *types.Var) {
			found = found || slices.ContainsFunc(c.shared, func(s sharedVar) bool { return s.v == v && s.addr < 0 })
		})
	}
	return found
}

// Open makes the variables that the literals share, of the parameters for the leaves.
func (c *Closed) Open(in Opened) {
	b := in.B
	for _, s := range c.shared {
		if b.Births == nil {
			b.Births = map[*types.Var]int{}
		}
		b.Births[s.v] = s.birth
		if s.addr >= 0 {
			if b.Locals == nil {
				b.Locals = map[*types.Var]*ssa.Value{}
			}
			b.Locals[s.v] = in.Leaves[s.addr]
			continue
		}
		scope := b.Scope
		b.Scope = s.lit.Scope // for the type of the variable
		b.Set(s.v, s.val(in))
		b.Scope = scope
	}
}

// Arg is an argument in the instance.
func (c *Closed) Arg(i int, in Opened) *ssa.Value { return c.args[i](in) }
