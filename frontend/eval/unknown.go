package eval

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// DemandKnown refuses a value that is not known at compile time. Functions are, whatever
// they capture.
func (b *Unknowns) DemandKnown(e ast.Expr, v *ssa.Value, what string) bool {
	if b.hasPoison(v) || b.AllKnown(v) {
		return true
	}
	why, hint := b.WhyUnknown(e, v)
	if what != "argument of qd.Static" && strings.Contains(hint, "leave out") {
		hint = "compute it from constants, qd.Const parameters and captured values"
	}
	b.Facts.Refuse(e, hint, "%s is not known at compile time: %s", what, why)
	return false
}

// hasPoison reports whether a value is poison, or has a part that is: nothing is said of
// those.
func (b *Env) hasPoison(v *ssa.Value) bool {
	return v == Poison || slices.ContainsFunc(b.frontParts(v), b.hasPoison)
}

// frontParts are the parts of a front-end value that consists of others.
func (b *Env) frontParts(v *ssa.Value) []*ssa.Value {
	if f := FrontOf(v); f != nil {
		return b.partsOf(f)
	}
	return nil
}

// AllKnown reports whether all of a value is known.
func (b *Values) AllKnown(v *ssa.Value) bool {
	if v == Poison {
		return false
	}
	if IsFront(v) {
		return !IsUnknown(v) && !IsA(v, comptime.Pointer) && !slices.ContainsFunc(b.frontParts(v), func(part *ssa.Value) bool { return !b.AllKnown(part) })
	}
	if IsKnown(v) || b.IsSymbolic(v) {
		return true
	}
	_, ok := b.Facts.computed(v)
	return ok
}

// WhyUnknown says why an expression is not known at compile time, and what to do about it. It names the first value in
// the expression that only the running kernel knows.
func (b *Unknowns) WhyUnknown(e ast.Expr, v *ssa.Value) (why, hint string) {
	v = b.unknownPart(v)
	culprit := b.culprit(v, map[*ssa.Value]bool{})
	if culprit == nil {
		culprit = v
	}
	if ssa.IsTile(culprit.Type) {
		name := "a tile"
		if w := b.OneVar(e); w != nil && ssa.IsTile(v.Type) {
			name = w.Name()
		}
		return "the elements of " + name + " are known only when the kernel runs", "leave out qd.Static; the lengths of a tile are always known"
	}
	name := "it"
	switch {
	case culprit.Name != "":
		name = culprit.Name
	case b.OneVar(e) != nil:
		name = b.OneVar(e).Name()
	}
	const once = "assign it once, or under conditions that are known at compile time"
	if IsFront(culprit) {
		return "the value of " + name + " is decided when the kernel runs", once
	}
	if culprit.Def == nil {
		switch owner := culprit.Block.Owner; {
		case owner == nil:
			return name + " is a runtime parameter", "make it a qd.Const parameter, or leave out qd.Static"
		case owner.Op == ssa.OpFor:
			return name + " is an index of a parallel loop", "leave out qd.Static"
		}
		if culprit.Name == "" {
			return "it is the variable of a loop that is not unrolled", "range over qd.Static(n)"
		}
		return name + " is assigned in a loop that is not unrolled", "range over qd.Static(n), or leave out qd.Static"
	}
	switch in := culprit.Def; in.Op {
	case ssa.OpThreadID, ssa.OpLane, ssa.OpBlockID, ssa.OpBlockIndex:
		return of(culprit, "index of the thread"), "leave out qd.Static"
	case ssa.OpThreadDim, ssa.OpBlockDim:
		return of(culprit, "size of the launch"), "leave out qd.Static, or make the size a qd.Const parameter"
	case ssa.OpLen:
		return "the length of " + named(in.Args[0], "a slice") + " is known only when the kernel runs", "use an array, or make the length a qd.Const parameter"
	case ssa.OpLoad:
		return whyLoaded(culprit.Name, in.Args[0])
	case ssa.OpLoop:
		return name + " is assigned in a loop that is not unrolled", "range over qd.Static(n), or leave out qd.Static"
	case ssa.OpIf:
		return name + " is assigned under a condition that is not known at compile time", once
	case ssa.OpCall:
		if why := b.Facts.whyNotMade(in); why != "" {
			return why, "call it with other arguments, or leave out qd.Static"
		}
		return "the result of " + in.Callee.Name + " is computed when the kernel runs", "leave out qd.Static"
	case ssa.OpOpaque:
		return "qd.Dynamic makes it a runtime value", "leave out qd.Dynamic, or qd.Static"
	case ssa.OpAtomic:
		return "it is the result of an atomic operation", "leave out qd.Static"
	case ssa.OpDiv, ssa.OpRem:
		return "it divides by zero", "test the divisor first"
	case ssa.OpShl, ssa.OpShr:
		return "it shifts by a negative number", "test the count first"
	}
	return named(culprit, "it") + " is computed when the kernel runs", "leave out qd.Static"
}

// of names a value after what it is.
func of(v *ssa.Value, what string) string {
	if v.Name == "" {
		return "it depends on the " + what
	}
	return v.Name + " is the " + what
}

// named is a value's name, or another one where it has none.
func named(v *ssa.Value, or string) string {
	if v.Name == "" {
		return or
	}
	return v.Name
}

// whyLoaded is whyUnknown of what is read at an address, perhaps into a variable.
func whyLoaded(name string, addr *ssa.Value) (why, hint string) {
	const leaveOut = "leave out qd.Static"
	for addr.Def != nil && (addr.Def.Op == ssa.OpFieldAddr || addr.Def.Op == ssa.OpElemAddr) {
		addr = addr.Def.Args[0]
	}
	switch {
	case addr.IsLocal():
		return named(addr, "a variable") + " is in memory, because its address is taken or a part of it is assigned", "assign it as a whole"
	case addr.Def != nil && addr.Def.Op == ssa.OpIndexAddr:
		slice := named(addr.Def.Args[0], "a slice")
		if name != "" {
			return name + " is an element of " + slice, leaveOut
		}
		return "the elements of " + slice + " are read when the kernel runs", leaveOut
	}
	return "what " + named(addr, "a pointer") + " points to is read when the kernel runs", leaveOut
}

// culprit is the first value, of those that a value is computed from, which is not
// computed from others; nil where all of them are known.
func (b *Unknowns) culprit(v *ssa.Value, seen map[*ssa.Value]bool) *ssa.Value {
	if seen[v] || IsKnown(v) {
		return nil
	}
	seen[v] = true
	if ssa.IsTile(v.Type) {
		return v
	}
	if v.Def == nil || len(v.Def.Args) == 0 || v.Def.Op.Effect() != ssa.Pure {
		return v
	}
	switch v.Def.Op {
	case ssa.OpThreadID, ssa.OpThreadDim, ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpBlockIndex, ssa.OpLen, ssa.OpOpaque:
		return v
	}
	for _, arg := range v.Def.Args {
		if c := b.culprit(arg, seen); c != nil {
			return c
		}
	}
	return v
}

// unknownPart is the first part of a value that is not known, in the end one that has no
// parts.
func (b *Unknowns) unknownPart(v *ssa.Value) *ssa.Value {
	for {
		parts := b.frontParts(v)
		i := slices.IndexFunc(parts, func(part *ssa.Value) bool { return !b.AllKnown(part) })
		if i < 0 {
			return v
		}
		v = parts[i]
	}
}
