package lower

import (
	"go/ast"
	"go/types"
	"sort"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// frontLit is a literal of a struct or an array that is a front-end value.
func (c composer) frontLit(e *ast.CompositeLit, typ types.Type) *ssa.Value {
	ts := check.PartTypes(typ)
	parts := make([]*ssa.Value, len(ts))
	u, isStruct := typ.Underlying().(*types.Struct)
	bad := false
	next := 0
	for i, elt := range e.Elts {
		at, value := next, elt
		if isStruct {
			at, value = fieldOf(elt, i, u)
			if at >= 0 && at < u.NumFields() && !c.b.IsUnpackedLit(u, at, value) {
				bad = true
				continue
			}
		} else if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if at, ok = c.b.LiteralKey(kv); !ok {
				at = -1
			}
			value = kv.Value
		}
		v := c.b.expr(value)
		if at < 0 || at >= len(ts) {
			return c.b.NoValue("a literal with a part that its type does not have")
		}
		v = c.b.as(value, v, ts[at])
		parts[at] = c.b.CoerceTo(value.Pos(), v, ts[at])
		bad = bad || parts[at] == eval.Poison || check.IsConst(typ) && !c.b.DemandKnown(value, v, "field V of qd.Const")
		next = at + 1
	}
	if bad {
		return eval.Poison
	}
	for i, t := range ts {
		if parts[i] == nil {
			parts[i] = c.b.ZeroOf(e.Pos(), t)
		}
	}
	return c.b.Aggregated(e.Pos(), typ, parts)
}

// listLit is a literal of a slice that is known as a whole.
func (c composer) listLit(e *ast.CompositeLit, typ types.Type) *ssa.Value {
	elem := typ.Underlying().(*types.Slice).Elem()
	parts := map[int]*ssa.Value{}
	n, next := 0, 0
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
			if next, ok = c.b.LiteralKey(kv); !ok {
				return c.b.NoValue("a literal with a key that is no index")
			}
		}
		v := c.b.CoerceTo(elt.Pos(), c.b.as(elt, c.b.expr(elt), elem), elem)
		if v == eval.Poison {
			return eval.Poison
		}
		parts[next] = v
		next++
		n = max(n, next)
	}
	if n > check.MaxFrontLen {
		c.b.m.Refuse(e, "pass it as an argument", "a slice literal of more than %d elements", check.MaxFrontLen)
		return eval.Poison
	}
	elems := make([]*ssa.Value, n)
	for i := range elems {
		if elems[i] = parts[i]; parts[i] == nil {
			if elems[i] = c.b.ZeroOf(e.Pos(), elem); elems[i] == nil {
				return eval.Poison
			}
		}
	}
	return eval.List(typ, elems)
}

// mapLit is a literal of a map.
func (c composer) mapLit(e *ast.CompositeLit, typ types.Type) *ssa.Value {
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
			return c.b.NoValue("a literal of a map without keys")
		}
		key := c.b.CoerceTo(kv.Key.Pos(), c.b.expr(kv.Key), u.Key())
		elem := c.b.CoerceTo(kv.Value.Pos(), c.b.as(kv.Value, c.b.expr(kv.Value), u.Elem()), u.Elem())
		if key == eval.Poison || elem == eval.Poison || !c.b.DemandKnown(kv.Key, key, "the key of a map") {
			return eval.Poison
		}
		k, ok := c.b.Known(key, u.Key())
		if !ok {
			return eval.Poison
		}
		entries = append(entries, entry{string(k.Append(nil)), k, elem})
	}
	sort.SliceStable(entries, func(i, j int) bool { return entries[i].code < entries[j].code })
	m := &eval.FrontValue{Kind: comptime.Map, Typ: typ}
	for i, entry := range entries {
		if i+1 < len(entries) && entries[i+1].code == entry.code {
			continue // of two with one key the later one counts
		}
		m.Keys, m.Parts = append(m.Keys, entry.key), append(m.Parts, entry.elem)
	}
	return m.Value()
}

// constCall is qd.C(x).
func (m markers) constCall(e *ast.CallExpr, f *eval.Func) []*ssa.Value {
	typ := m.b.GoType(e)
	arg := check.ConstArg(typ)
	if arg == nil || !m.b.m.Arity(e, 1) {
		m.b.m.MustBeIllTyped("qd.C without a type")
		return eval.Poisons(1)
	}
	v := m.b.CoerceTo(e.Args[0].Pos(), m.b.expr(e.Args[0]), arg)
	if v == eval.Poison || !m.b.DemandKnown(e.Args[0], v, "argument of qd.C") {
		return eval.Poisons(1)
	}
	return []*ssa.Value{eval.Aggregated(typ, []*ssa.Value{m.b.AsKnown(e.Args[0], v)})}
}

// staticExpr evaluates the argument of qd.Static: slices in it are known as a whole.
func (m markers) staticExpr(e ast.Expr) *ssa.Value {
	m.b.InStatic++
	defer func() { m.b.InStatic-- }()
	return m.b.expr(e)
}
