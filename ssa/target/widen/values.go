package widen

import (
	"github.com/qdgen/qd/ssa"
)

// A value replaces a value of the thread. It is one number if all lanes agree on it, otherwise a vector for each number
// or bool in it. For a linear integer, which differs by a constant from lane to lane, or by one that lanes agree on, it
// also has the number of the first lane.
type value struct {
	same  *ssa.Value
	first *ssa.Value
	vecs  []*ssa.Value
}

// A leaf is a number or a bool in a value of some type, and the way to it.
type leaf struct {
	typ  ssa.Basic
	path []step
}

// A step leads to a field of a struct, or to an element of an array.
type step struct {
	field bool
	index int
	typ   ssa.Type // what is there
}

// basicLeaves are the lists of the only leaf of basic types.
var basicLeaves = func() (lists [ssa.BlockPlace + 1][]leaf) {
	for t := range lists {
		lists[t] = []leaf{{typ: ssa.Basic(t)}}
	}
	return lists
}()

// leavesOf are the leaves of a type, in the order of its parts. A type with addresses in it has none: ok is false.
func leavesOf(t ssa.Type) (list []leaf, ok bool) {
	if b, isBasic := t.(ssa.Basic); isBasic {
		return basicLeaves[b], b == ssa.Bool || ssa.IsNumeric(b)
	}
	var walk func(t ssa.Type, path []step) bool
	walk = func(t ssa.Type, path []step) bool {
		into := func(s step) bool {
			return walk(s.typ, append(path[:len(path):len(path)], s))
		}
		switch t := t.(type) {
		case ssa.Basic:
			list = append(list, leaf{t, path})
			return len(list) <= maxLeaves && (t == ssa.Bool || ssa.IsNumeric(t))
		case ssa.Array:
			for i := range t.Len {
				if !into(step{index: i, typ: t.Elem}) {
					return false
				}
			}
			return true
		case *ssa.Struct:
			for i, f := range t.Fields {
				if !into(step{field: true, index: i, typ: f.Type}) {
					return false
				}
			}
			return true
		}
		return false
	}
	ok = walk(t, nil)
	return list, ok
}

// leaves are those of a type that has been accepted.
func leaves(t ssa.Type) []leaf {
	list, ok := leavesOf(t)
	if !ok {
		panic("BUG: no vectors for " + t.String())
	}
	return list
}

// vec is the type of vectors of the function being made.
func (w *widener) vec(t ssa.Type) ssa.Type { return w.vecs(t.(ssa.Basic))[0] }

// vecs is a list of the type of vectors of numbers of a type.
func (w *widener) vecs(b ssa.Basic) []ssa.Type {
	if w.vectors[b] == nil || w.vectors[b][0].(ssa.Vec).Lanes != w.lanes {
		w.vectors[b] = []ssa.Type{ssa.Vec{Elem: b, Lanes: w.lanes}}
	}
	return w.vectors[b]
}

// op appends an instruction of one result to the block being made.
func (w *widener) op(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	in := w.at.AppendOp(op, t, args...)
	if w.in != nil {
		in.Stmt, in.Pos = w.in.Stmt, w.in.Pos
	}
	return in.Result()
}

// append appends an instruction to the block being made. It comes from the statement being translated.
func (w *widener) append(in *ssa.Instr, results ...ssa.Type) *ssa.Instr {
	if w.in != nil {
		in.Stmt, in.Pos = w.in.Stmt, w.in.Pos
	}
	return w.at.Append(in, results...)
}

func (w *widener) number(n int64) *ssa.Value { return w.constant(ssa.Int64, uint64(n)) }

// constant is a number of a type of integers.
func (w *widener) constant(t ssa.Type, n uint64) *ssa.Value {
	return w.append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(t, n)}, t).Result()
}

// convert is a number or a vector as one of another type.
func (w *widener) convert(v *ssa.Value, t ssa.Type) *ssa.Value {
	if v.Type == t {
		return v
	}
	return w.op(ssa.OpConvert, t, v)
}

func (w *widener) truth(b bool) *ssa.Value {
	return w.append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(b)}, ssa.Bool).Result()
}

func (w *widener) splat(v *ssa.Value) *ssa.Value { return w.op(ssa.OpSplat, w.vec(v.Type), v) }

func (w *widener) any(mask *ssa.Value) *ssa.Value { return w.op(ssa.OpAny, ssa.Bool, mask) }

// both is the lanes of two masks, of which the first may be nil for all lanes.
func (w *widener) both(a, b *ssa.Value) *ssa.Value { return w.with(ssa.OpAnd, a, b) }

// without is the lanes of the first mask, or all, that the second one lacks.
func (w *widener) without(a, b *ssa.Value) *ssa.Value { return w.both(a, w.op(ssa.OpNot, b.Type, b)) }

// either is the lanes of one of two masks, of which the first may be nil for none.
func (w *widener) either(a, b *ssa.Value) *ssa.Value { return w.with(ssa.OpOr, a, b) }

// with is an operation on two values of one type, or the second one if there is no first one.
func (w *widener) with(op ssa.Op, a, b *ssa.Value) *ssa.Value {
	if a == nil {
		return b
	}
	return w.op(op, b.Type, a, b)
}

// same is the number, slice or whatever else stands for a value that all lanes agree on.
func (w *widener) same(v *ssa.Value) *ssa.Value {
	have := w.values[v.ID]
	if have.same == nil {
		panic("BUG: lanes do not agree on " + v.String())
	}
	return have.same
}

// firstOf is the first lane's of an integer that has a stride.
func (w *widener) firstOf(v *ssa.Value) *ssa.Value {
	have := w.values[v.ID]
	if have.same != nil {
		return have.same
	}
	return have.first
}

// isLinear reports whether a variable or a result of a loop is an integer of which that of the first lane is enough.
func (w *widener) isLinear(v *ssa.Value) bool {
	_, ok := w.facts.Stride(v)
	return ok && !w.facts.IsUniform(v)
}

// vecsOf are the vectors for a value, one for each leaf.
func (w *widener) vecsOf(v *ssa.Value) []*ssa.Value {
	have := w.values[v.ID]
	if have.same == nil && have.first == nil && have.vecs == nil {
		panic("BUG: nothing stands for " + v.String())
	}
	if have.vecs == nil && have.first != nil {
		stride, _ := w.facts.Stride(v)
		return []*ssa.Value{w.progression(have.first, stride)}
	}
	if have.same == nil {
		return have.vecs
	}
	var list []*ssa.Value
	for _, l := range leaves(v.Type) {
		list = append(list, w.splat(w.leafOf(have.same, l)))
	}
	return list
}

// leafOf is a leaf of a value.
func (w *widener) leafOf(v *ssa.Value, l leaf) *ssa.Value {
	for _, s := range l.path {
		if s.field {
			v = w.append(&ssa.Instr{Op: ssa.OpField, Index: int32(s.index), Args: []*ssa.Value{v}}, s.typ).Result()
		} else {
			v = w.op(ssa.OpElem, s.typ, v, w.number(int64(s.index)))
		}
	}
	return v
}

// ofLeaves is the value of a type that has the first of some leaves, and the leaves behind them.
func (w *widener) ofLeaves(t ssa.Type, list []*ssa.Value) (v *ssa.Value, rest []*ssa.Value) {
	whole := &ssa.Instr{Op: ssa.OpMake}
	part := func(t ssa.Type) {
		v, list = w.ofLeaves(t, list)
		whole.Args = append(whole.Args, v)
	}
	switch t := t.(type) {
	case ssa.Array:
		for range t.Len {
			part(t.Elem)
		}
	case *ssa.Struct:
		for _, f := range t.Fields {
			part(f.Type)
		}
	default:
		return list[0], list[1:]
	}
	return w.append(whole, t).Result(), list
}

func (w *widener) vecOf(v *ssa.Value) *ssa.Value { return w.vecsOf(v)[0] }

// parts returns the form in which a value is passed on. It is one number if the receiver is the same in all lanes, or
// is computed from that of the first lane. Otherwise it is the vectors.
func (w *widener) parts(v, to *ssa.Value) []*ssa.Value {
	if w.facts.IsUniform(to) {
		return []*ssa.Value{w.same(v)}
	}
	if w.isLinear(to) {
		return []*ssa.Value{w.firstOf(v)}
	}
	return w.vecsOf(v)
}

// oneBasic are lists of one basic type.
var oneBasic = func() (lists [ssa.BlockPlace + 1][]ssa.Type) {
	for t := range lists {
		lists[t] = []ssa.Type{ssa.Basic(t)}
	}
	return lists
}()

// partTypes are the types of the parts of what is passed to a value.
func (w *widener) partTypes(to *ssa.Value) (types []ssa.Type) {
	if w.facts.IsUniform(to) {
		if b, isBasic := to.Type.(ssa.Basic); isBasic {
			return oneBasic[b]
		}
		return []ssa.Type{to.Type}
	}
	if w.isLinear(to) {
		return oneBasic[ssa.Int64]
	}
	return w.vecsOfLeaves(to.Type)
}

// vecsOfLeaves are the types of vectors for the leaves of a type.
func (w *widener) vecsOfLeaves(t ssa.Type) (types []ssa.Type) {
	if b, isBasic := t.(ssa.Basic); isBasic {
		return w.vecs(b)
	}
	for _, l := range leaves(t) {
		types = append(types, w.vec(l.typ))
	}
	return types
}

// take lets the first of some parts stand for a value, and gives the others.
func (w *widener) take(v *ssa.Value, parts []*ssa.Value) (rest []*ssa.Value) {
	n := len(w.partTypes(v))
	for _, p := range parts[:n] {
		if p.Name == "" {
			p.Name = v.Name
		}
	}
	switch {
	case w.facts.IsUniform(v):
		w.values[v.ID] = value{same: parts[0]}
	case w.isLinear(v):
		w.values[v.ID] = value{first: parts[0]}
	default:
		w.values[v.ID] = value{vecs: parts[:n:n]}
	}
	return parts[n:]
}

// takeAll does so for several values.
func (w *widener) takeAll(vs, parts []*ssa.Value) (rest []*ssa.Value) {
	for _, v := range vs {
		parts = w.take(v, parts)
	}
	return parts
}

// addParams adds the parts of a value to a block as parameters.
func (w *widener) addParams(b *ssa.Block, v *ssa.Value) {
	for _, t := range w.partTypes(v) {
		b.AddParam(t, v.Name)
	}
}
