package eval

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// A function literal captures variables. While they live they are variables like any other to its body. One that is
// never assigned again may be gone when the literal is called, by somebody that it has been returned to: the literal
// keeps its value. One that is assigned can be gone as well, as that of an iterator which remembers where it is: the
// first call finds what it held at the end of its block. There is no second, which would need what the first one left.

// A life is that of a variable, from one declaration to the end of the body.
type life struct {
	v     *types.Var
	birth int
}

// A lastValue is what a variable held when the body ended that declares it.
type lastValue struct {
	val  *ssa.Value
	loop *ssa.Instr // the innermost loop around the end of the body
}

// End notes what a variable holds at the end of the body that declares it.
func (b *Variables) End(v *types.Var) {
	val := b.Vars[v]
	if b.Dead || val == nil || b.InMemory[v] {
		return
	}
	if b.ended == nil {
		b.ended = map[life]lastValue{}
	}
	b.ended[life{v, b.Births[v]}] = lastValue{b.Settled(val), b.loopAround()}
}

// loopAround is the innermost loop that is being lowered, or what else runs a block several times.
func (b *Variables) loopAround() *ssa.Instr {
	for o := b.Cur.Owner; o != nil; o = o.Block.Owner {
		if o.Op != ssa.OpIf && !b.Once[o] {
			return o
		}
	}
	return nil
}

// takeLast is what a captured variable held when its body ended. It is given once, and not in a loop that begins later,
// whose iterations are several calls.
func (b *Variables) takeLast(c capture) *ssa.Value {
	of := life{c.v, c.birth}
	last, ok := b.ended[of]
	if !ok || last.loop != b.loopAround() {
		return nil
	}
	delete(b.ended, of)
	return last.val
}

// A capture is a variable that a literal captures.
type capture struct {
	v     *types.Var
	birth int        // which of the variable's lives it is: see Env.Births
	val   *ssa.Value // what it holds if it is never assigned again, else nil
}

// Capture notes what a literal captures.
func (b *Variables) Capture(f *Func) {
	seen := map[*types.Var]bool{}
	for _, v := range freeVars(f) {
		if seen[v] || !b.IsDeclared(v) {
			continue
		}
		seen[v] = true
		c := capture{v: v, birth: b.Births[v]}
		if b.Locals[v] == nil && !b.Facts.Reassigned(f.Scope.Src.Decl, f.Scope.Src.Info)[b.Facts.Original(v)] {
			c.val = b.Value(v)
		}
		f.Captures = append(f.Captures, c)
	}
}

// Rebind gives the variables that a literal has captured the values that they had then,
// where they are gone by now, and gives what undoes it; false if that cannot be.
func (b *Variables) Rebind(at ast.Node, f *Func) (undo func(), ok bool) {
	type saved struct {
		v        *types.Var
		val, raw *ssa.Value
		birth    int
	}
	var olds []saved
	undo = func() {
		for i := len(olds) - 1; i >= 0; i-- {
			o := olds[i]
			b.Births[o.v] = o.birth
			if o.raw == nil {
				delete(b.Vars, o.v)
				continue
			}
			b.Vars[o.v] = o.raw
			if a := AggregateOf(o.val); a != nil {
				b.hold(o.v, a)
			}
		}
	}
	for _, c := range f.Captures {
		alive := b.IsDeclared(c.v) && b.Births[c.v] == c.birth
		if alive && (c.val == nil || b.Locals[c.v] != nil || c.val == Poison) {
			continue
		}
		val := c.val
		if val == nil && !alive {
			val = b.takeLast(c)
		}
		if val != nil {
			val = b.here(at.Pos(), val)
		}
		if alive && val == c.val && b.sameValue(b.Value(c.v), val) {
			continue
		}
		if val == nil {
			b.RefuseCaptured(at, c.v)
			undo()
			return nil, false
		}
		if IsUnknown(val) {
			b.RefuseEnded(at, "the function literal", c.v.Name())
			undo()
			return nil, false
		}
		olds = append(olds, saved{v: c.v, val: b.Value(c.v), raw: b.Vars[c.v], birth: b.Births[c.v]})
		delete(b.Vars, c.v)
		b.Set(c.v, val)
		b.Births[c.v] = c.birth
	}
	return undo, true
}
