package frontend

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// frontLit is a literal of a struct or an array that is a front-end value.
func (b composer) frontLit(e *ast.CompositeLit, typ types.Type) *ssa.Value {
	ts := partTypes(typ)
	parts := make([]*ssa.Value, len(ts))
	u, isStruct := typ.Underlying().(*types.Struct)
	bad := false
	next := 0
	for i, elt := range e.Elts {
		at, value := next, elt
		if isStruct {
			at, value = fieldOf(elt, i, u)
			if at >= 0 && at < u.NumFields() && !b.isUnpackedLit(u, at, value) {
				bad = true
				continue
			}
		} else if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if at, ok = b.literalKey(kv); !ok {
				at = -1
			}
			value = kv.Value
		}
		v := b.expr(value)
		if at < 0 || at >= len(ts) {
			return b.noValue("a literal with a part that its type does not have")
		}
		parts[at] = b.coerceTo(value.Pos(), v, ts[at])
		bad = bad || parts[at] == poison || isConst(typ) && !b.demandKnown(value, v, "field V of qd.Const")
		next = at + 1
	}
	if bad {
		return poison
	}
	for i, t := range ts {
		if parts[i] == nil {
			parts[i] = b.zeroOf(e.Pos(), t)
		}
	}
	return b.aggregated(e.Pos(), typ, parts)
}

// listLit is a literal of a slice that is known as a whole.
func (b composer) listLit(e *ast.CompositeLit, typ types.Type) *ssa.Value {
	elem := typ.Underlying().(*types.Slice).Elem()
	parts := map[int]*ssa.Value{}
	n, next := 0, 0
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
			if next, ok = b.literalKey(kv); !ok {
				return b.noValue("a literal with a key that is no index")
			}
		}
		v := b.coerceTo(elt.Pos(), b.expr(elt), elem)
		if v == poison {
			return poison
		}
		parts[next] = v
		next++
		n = max(n, next)
	}
	if n > maxFrontLen {
		b.m.refuse(e, "pass it as an argument", "a slice literal of more than %d elements", maxFrontLen)
		return poison
	}
	elems := make([]*ssa.Value, n)
	for i := range elems {
		if elems[i] = parts[i]; parts[i] == nil {
			if elems[i] = b.zeroOf(e.Pos(), elem); elems[i] == nil {
				return poison
			}
		}
	}
	return list(typ, elems)
}

// mapLit is a literal of a map.
func (b composer) mapLit(e *ast.CompositeLit, typ types.Type) *ssa.Value {
	u := typ.Underlying().(*types.Map)
	type entry struct {
		code string
		key  comptime.Value
		elem *ssa.Value
	}
	var entries []entry
	for _, elt := range e.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return b.noValue("a literal of a map without keys")
		}
		key := b.coerceTo(kv.Key.Pos(), b.expr(kv.Key), u.Key())
		elem := b.coerceTo(kv.Value.Pos(), b.expr(kv.Value), u.Elem())
		if key == poison || elem == poison || !b.demandKnown(kv.Key, key, "the key of a map") {
			return poison
		}
		k, ok := b.known(key, u.Key())
		if !ok {
			return poison
		}
		entries = append(entries, entry{string(k.Append(nil)), k, elem})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.code, b.code) })
	m := &frontValue{kind: comptime.Map, typ: typ}
	for i, entry := range entries {
		if i+1 < len(entries) && entries[i+1].code == entry.code {
			continue // of two with one key the later one counts
		}
		m.keys, m.parts = append(m.keys, entry.key), append(m.parts, entry.elem)
	}
	return frontly(m)
}

// constCall is qd.C(x).
func (b markers) constCall(e *ast.CallExpr, f *funcValue) []*ssa.Value {
	typ := b.goType(e)
	arg := constArg(typ)
	if arg == nil || !b.m.arity(e, 1) {
		b.m.mustBeIllTyped("qd.C without a type")
		return poisons(1)
	}
	v := b.coerceTo(e.Args[0].Pos(), b.expr(e.Args[0]), arg)
	if v == poison || !b.demandKnown(e.Args[0], v, "argument of qd.C") {
		return poisons(1)
	}
	return []*ssa.Value{aggregated(typ, []*ssa.Value{b.asKnown(e.Args[0], v)})}
}

// demandKnown refuses a value that is not known at compile time. Functions are, whatever
// they capture.
func (b *Values) demandKnown(e ast.Expr, v *ssa.Value, what string) bool {
	if b.hasPoison(v) || b.allKnown(v) {
		return true
	}
	why, hint := b.whyUnknown(e, v)
	if what != "argument of qd.Static" && strings.Contains(hint, "leave out") {
		hint = "compute it from constants, qd.Const parameters and captured values"
	}
	b.m.refuse(e, hint, "%s is not known at compile time: %s", what, why)
	return false
}

// hasPoison reports whether a value is poison, or has a part that is: nothing is said of
// those.
func (b *Env) hasPoison(v *ssa.Value) bool {
	return v == poison || slices.ContainsFunc(b.frontParts(v), b.hasPoison)
}

// frontParts are the parts of a front-end value that consists of others.
func (b *Env) frontParts(v *ssa.Value) []*ssa.Value {
	if f := frontOf(v); f != nil {
		return b.partsOf(f)
	}
	return nil
}

// allKnown reports whether all of a value is known.
func (b *Values) allKnown(v *ssa.Value) bool {
	if v == poison {
		return false
	}
	if isFront(v) {
		return !isUnknown(v) && !slices.ContainsFunc(b.frontParts(v), func(part *ssa.Value) bool { return !b.allKnown(part) })
	}
	if isKnown(v) || b.isSymbolic(v) {
		return true
	}
	_, ok := b.m.computed(v)
	return ok
}

// staticExpr evaluates the argument of qd.Static: slices in it are known as a whole.
func (b markers) staticExpr(e ast.Expr) *ssa.Value {
	b.inStatic++
	defer func() { b.inStatic-- }()
	return b.expr(e)
}
