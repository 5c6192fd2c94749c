package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// A part of a value is taken while the code is lowered if its value is known then. The parts of a front-end value
// always are, and the parts of a struct or an array are where it was made.

// Field is a field of a struct.
func (b *Code) Field(pos token.Pos, x *ssa.Value, i int, t ssa.Type) *ssa.Value {
	return b.Compute(pos, &ssa.Instr{Op: ssa.OpField, Index: int32(i), Args: []*ssa.Value{x}}, t)
}

// ElemOf is an element of an array that is a value.
func (b *Code) ElemOf(pos token.Pos, x, index *ssa.Value, t ssa.Array) *ssa.Value {
	if AnyPoison([]*ssa.Value{x, index}) {
		return Poison
	}
	return b.Compute(pos, &ssa.Instr{Op: ssa.OpElem, Args: []*ssa.Value{x, index}}, t.Elem)
}

// FrontField is a field of a front-end struct.
func (b *Elements) FrontField(pos token.Pos, x *ssa.Value, i int) *ssa.Value {
	a := AggregateOf(x)
	switch {
	case a != nil && i < a.N:
		return b.partAt(pos, a, i)
	case IsUnknown(x):
		return b.refuseUnknownAt(pos, x)
	}
	return b.NoValue("a field of a " + x.Type.String())
}

// setFront gives a variable a front-end value.
func (b *Variables) setFront(v *types.Var, val *ssa.Value) {
	if a := AggregateOf(val); a != nil {
		b.hold(v, a)
		return
	}
	if t := b.Subst(v.Type()); IsUnknown(val) && FuncOf(val) == nil && (check.IsArray(t) || check.IsStruct(t)) {
		var parts []*ssa.Value
		for _, p := range check.PartTypes(t) {
			parts = append(parts, forgotten(b.ZeroOf(v.Pos(), p), ""))
		}
		b.hold(v, AggregateOf(Aggregated(t, parts)))
		return
	}
	b.Vars[v] = val
}

// renamed is a front-end value as one of a type that it is assigned or converted to.
func (b *Conversions) renamed(v *ssa.Value, t types.Type) *ssa.Value {
	f := FrontOf(v)
	if f == nil || f.Typ == nil || types.Identical(f.Typ, t) {
		return v
	}
	switch f.Kind {
	case comptime.Struct, comptime.Array:
		if len(check.PartTypes(t)) == f.N {
			return Aggregated(t, b.partsOf(f))
		}
	case comptime.Slice, comptime.Map:
		if check.IsSlice(t) && f.Kind == comptime.Slice || check.IsMap(t) && f.Kind == comptime.Map {
			l := *f
			l.Typ = t
			return l.Value()
		}
	}
	return v
}

// refuseUnknownAt reports the use of one of several front-end values.
func (b *Unknowns) refuseUnknownAt(pos token.Pos, v *ssa.Value) *ssa.Value {
	b.RefuseUnknownValue(&ast.BadExpr{From: pos, To: pos + 1}, "the value used here", v)
	return Poison
}

// RefuseUnknownValue reports the use of one of several front-end values by its name: where it is
// used, in the user's source.
func (b *Unknowns) RefuseUnknownValue(n ast.Node, name string, v *ssa.Value) {
	ended, oneOf := "", ""
	if f := FrontOf(v); f != nil {
		if ended, oneOf = f.ended, f.oneOf; f.fn != nil {
			ended, oneOf = f.fn.Ended, f.fn.OneOf
		}
	}
	switch {
	case ended != "":
		b.RefuseEnded(n, name, ended)
		return
	case oneOf != "":
		b.refuseIndex(n, name, oneOf)
		return
	}
	if f := FrontOf(v); f != nil && f.text.isRune() {
		b.Facts.Refuse(b.UsersCall(n), "only compile-time values can be strings", "the contents of %s are not known at compile time", f.text[0].Name)
		return
	}
	if f := FrontOf(v); f != nil && f.text != nil {
		b.Facts.Refuse(b.UsersCall(n), "panic with it, or test an error for nil", "%s is a text that the kernel makes when it runs: it can only be the argument of panic, or a part of one", name)
		return
	}
	hint := "choose between statements that use the value, not between values: if c { y = f(x) } else { y = g(x) }"
	if e, ok := n.(ast.Expr); ok && check.IsBasic(b.GoType(e), types.IsString) {
		hint = "in a loop, use []byte(s) and package bytes, whose values are those of the running kernel; otherwise " + hint
	}
	b.Facts.Refuse(b.UsersCall(n), hint,
		"%s is not known at compile time: it differs between branches or iterations", name)
}

// refuseIndex reports the use of a part of an array's element, where it is not known which element it is.
func (b *Unknowns) refuseIndex(n ast.Node, name, array string) {
	b.Facts.Refuse(b.UsersCall(n), indexAdvice, "%s is not known at compile time, because the index of %s is not", name, array)
}

// materialize is a front-end value where one of the running kernel is needed. A list is
// none: what the kernel wrote to it would be lost.
func (b *Conversions) materialize(pos token.Pos, v *ssa.Value, t ssa.Type) *ssa.Value {
	if w, _ := ViewOf(v); w != nil {
		b.Facts.Refuse(&ast.BadExpr{From: pos, To: pos + 1}, "keep it in a variable that is assigned once, or give it to a function",
			"a pointer that unsafe.Pointer has converted cannot be kept here in a kernel")
		return Poison
	}
	if !IsA(v, comptime.Slice) || t == v.Type {
		return v
	}
	b.Facts.Refuse(&ast.BadExpr{From: pos, To: pos + 1}, "copy its elements into an array, or pass it to the kernel as an argument",
		"a slice that is known at compile time only cannot become a slice of the running kernel")
	return Poison
}

// hold gives a variable a front-end struct or array.
func (b *Variables) hold(v *types.Var, a *FrontValue) {
	parts := slices.Clone(b.partsOf(a)) // they may be this very variable's
	for i, part := range parts {
		w := b.Facts.PartVar(v, a.Typ, i)
		b.Parallel.Declare(w)
		b.Set(w, part)
	}
	b.Vars[v] = (&FrontValue{Kind: a.Kind, Typ: a.Typ, held: v, N: len(parts)}).Value()
}

// partsOf are the parts of a value that only the front end has, as they are now.
func (b *Env) partsOf(a *FrontValue) []*ssa.Value {
	if a.held == nil {
		return a.Parts
	}
	parts := make([]*ssa.Value, a.N)
	for i := range parts {
		parts[i] = b.Value(b.Facts.PartVar(a.held, a.Typ, i))
	}
	return parts
}

// partAt is one of the parts.
func (b *Env) partAt(pos token.Pos, a *FrontValue, i int) *ssa.Value {
	if a.held != nil {
		return b.Vars[b.Facts.PartVar(a.held, a.Typ, i)]
	}
	return b.here(pos, a.Parts[i])
}

// Settled is a value that no assignment to a variable changes any more.
func (b *Env) Settled(v *ssa.Value) *ssa.Value {
	if a := AggregateOf(v); a != nil && a.held != nil {
		return Aggregated(a.Typ, b.partsOf(a))
	}
	return v
}

// AggregateOf is the front-end struct or array that a value is, nil if it is none.
func AggregateOf(v *ssa.Value) *FrontValue {
	if IsA(v, comptime.Struct) || IsA(v, comptime.Array) {
		return FrontOf(v)
	}
	return nil
}

// Expand has the variables of the parts in the place of those that hold front-end
// structs or arrays.
func (b *Env) Expand(vars []*types.Var) []*types.Var {
	if !slices.ContainsFunc(vars, func(v *types.Var) bool { return AggregateOf(b.Vars[v]) != nil }) {
		return vars
	}
	var all []*types.Var
	for _, v := range vars {
		a := AggregateOf(b.Vars[v])
		if a == nil {
			all = append(all, v)
			continue
		}
		for i := range a.N {
			all = append(all, b.Expand([]*types.Var{b.Facts.PartVar(v, a.Typ, i)})...)
		}
	}
	return all
}

// Flatten notes what a variable is to hold, by the variables that expand has for it.
func (b *Variables) Flatten(vals map[*types.Var]*ssa.Value, v *types.Var, val *ssa.Value) {
	held, a := AggregateOf(b.Vars[v]), AggregateOf(val)
	if held == nil || a == nil {
		vals[v] = val
		return
	}
	for i, part := range b.partsOf(a) {
		b.Flatten(vals, b.Facts.PartVar(v, a.Typ, i), part)
	}
}

// here is a value that can be used at this place: a constant of a block that has ended
// is made anew. Of what only that block has, it is unknown.
func (b *Code) here(pos token.Pos, v *ssa.Value) *ssa.Value {
	if f := FuncOf(v); f != nil && f.Recv != nil && !b.Dead && b.here(pos, f.Recv) != f.Recv {
		return (&Func{Unknown: true, Ended: "the receiver that it is bound to"}).Value()
	}
	if b.Dead || v == Poison || v == UntypedNil || v == TheGrid || v.Def == nil && v.Block == nil || VisibleIn(b.Cur, v) {
		return v
	}
	if IsKnown(v) {
		return b.Again(pos, v)
	}
	return (&FrontValue{ended: "a value"}).Value()
}
