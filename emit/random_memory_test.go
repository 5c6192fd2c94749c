package emit_test

import "github.com/qdgen/qd/ssa"

// This file makes what random programs do with aggregates, and with variables in memory.

var (
	emptyType = ssa.StructOf("Tag")
	vecType   = ssa.StructOf("Vec", ssa.Field{Name: "x", Type: ssa.Float32}, ssa.Field{Name: "y", Type: ssa.Float32})
	mixType   = ssa.StructOf("Mix", ssa.Field{Name: "class", Type: ssa.Uint8}, ssa.Field{Name: "Vec", Type: vecType},
		ssa.Field{Name: "_", Type: ssa.Int16}, ssa.Field{Name: "that", Type: ssa.Array{Elem: ssa.Int64, Len: 2}},
		ssa.Field{Name: "Tag", Type: emptyType}, ssa.Field{Name: "ok", Type: ssa.Bool}, ssa.Field{Name: "end", Type: ssa.Array{Elem: ssa.Int32}})
	// aggregates are types that values have in addition to those of randomTypes.
	aggregates = []ssa.Type{vecType, mixType, emptyType, ssa.Array{Elem: ssa.Int64, Len: 2}, ssa.Array{Elem: ssa.Int32, Len: 4}, ssa.Array{Elem: vecType, Len: 2},
		ssa.Array{Elem: ssa.Array{Elem: ssa.Uint8, Len: 2}, Len: 2}, ssa.StructOf("", ssa.Field{Name: "m", Type: mixType}, ssa.Field{Name: "b", Type: ssa.Uint64}),
		ssa.Array{Elem: emptyType, Len: 3}}
)

// make makes a struct or an array of values.
func (g *generator) make(v *visible, t ssa.Type) *ssa.Value {
	var parts []*ssa.Value
	switch t := t.(type) {
	case *ssa.Struct:
		for _, f := range t.Fields {
			parts = append(parts, g.value(v, f.Type))
		}
	case ssa.Array:
		for range t.Len {
			parts = append(parts, g.value(v, t.Elem))
		}
	}
	return g.append(v, &ssa.Instr{Op: ssa.OpMake, Args: parts}, t).Result()
}

// below is an index of an array: a constant, or what follows when the program runs.
func (g *generator) below(v *visible, n int) *ssa.Value {
	if n&(n-1) != 0 || g.IntN(2) == 0 {
		return constant(v.b, ssa.Int64, uint64(g.IntN(n)))
	}
	mask := constant(v.b, ssa.Int64, uint64(n-1))
	i := g.append(v, &ssa.Instr{Op: ssa.OpAnd, Args: []*ssa.Value{g.value(v, ssa.Int64), mask}}, ssa.Int64).Result()
	i.Name = ""
	return i
}

// part adds an expression that makes, takes apart or compares aggregates.
func (g *generator) part(v *visible) {
	t := aggregates[g.IntN(len(aggregates))]
	switch g.IntN(4) {
	case 0:
		g.make(v, t)
	case 1:
		a, b := g.value(v, t), g.value(v, t)
		g.append(v, &ssa.Instr{Op: []ssa.Op{ssa.OpEq, ssa.OpNe}[g.IntN(2)], Args: []*ssa.Value{a, b}}, ssa.Bool)
	default:
		x := g.value(v, t)
		switch t := t.(type) {
		case *ssa.Struct:
			if n := len(t.Fields); n > 0 {
				i := g.IntN(n)
				g.append(v, &ssa.Instr{Op: ssa.OpField, Index: int32(i), Args: []*ssa.Value{x}}, t.Fields[i].Type)
			}
		case ssa.Array:
			g.append(v, &ssa.Instr{Op: ssa.OpElem, Args: []*ssa.Value{x, g.below(v, t.Len)}}, t.Elem)
		}
	}
}

// local adds a variable in memory.
func (g *generator) local(v *visible) {
	x := g.value(v, g.typ())
	g.append(v, &ssa.Instr{Op: ssa.OpLocal, Args: []*ssa.Value{x}}, ssa.Pointer{Elem: x.Type})
}

// somewhere is the address of a variable or an element, or of a part of one; nil if there is none.
func (g *generator) somewhere(v *visible) *ssa.Value {
	var ptr *ssa.Value
	for range 8 {
		if len(v.values) == 0 {
			break
		}
		if x := v.values[g.IntN(len(v.values))]; isPointer(x.Type) {
			ptr = x
		}
	}
	if ptr == nil {
		if g.slices == nil {
			return nil
		}
		ptr = g.address(v, randomTypes[g.IntN(len(randomTypes))])
	}
	for g.IntN(3) > 0 {
		var in *ssa.Instr
		var t ssa.Type
		switch e := ptr.Type.(ssa.Pointer).Elem.(type) {
		case *ssa.Struct:
			if len(e.Fields) == 0 {
				return ptr
			}
			i := g.IntN(len(e.Fields))
			in, t = &ssa.Instr{Op: ssa.OpFieldAddr, Index: int32(i), Args: []*ssa.Value{ptr}}, e.Fields[i].Type
		case ssa.Array:
			if e.Len == 0 {
				return ptr
			}
			in, t = &ssa.Instr{Op: ssa.OpElemAddr, Args: []*ssa.Value{ptr, g.below(v, e.Len)}}, e.Elem
		default:
			return ptr
		}
		ptr = g.append(v, in, ssa.Pointer{Elem: t}).Result()
		if g.IntN(6) > 0 {
			ptr.Name = ""
		}
	}
	return ptr
}

func isPointer(t ssa.Type) bool { _, ok := t.(ssa.Pointer); return ok }

// memory adds an instruction on variables in memory.
func (g *generator) memory(v *visible) {
	if g.IntN(4) == 0 {
		g.local(v)
		return
	}
	if g.checked && g.IntN(6) == 0 {
		g.check(v)
		return
	}
	ptr := g.somewhere(v)
	if ptr == nil {
		return
	}
	t := ptr.Type.(ssa.Pointer).Elem
	switch k := g.IntN(8); {
	case k >= 6:
		g.hazard(v, ptr)
	case k == 0:
		other := g.somewhere(v)
		if other == nil || other.Type != ptr.Type {
			return
		}
		if a, ok := t.(ssa.Array); ok {
			var parts []*ssa.Value
			for _, p := range []*ssa.Value{ptr, other} {
				x := g.append(v, &ssa.Instr{Op: ssa.OpSliceOf, Args: []*ssa.Value{p}}, ssa.Slice{Elem: a.Elem}).Result()
				lo := g.IntN(a.Len + 1)
				bounds := []*ssa.Value{x, constant(v.b, ssa.Int64, uint64(lo)), constant(v.b, ssa.Int64, uint64(lo+g.IntN(a.Len+1-lo)))}
				parts = append(parts, g.append(v, &ssa.Instr{Op: ssa.OpSubslice, Args: bounds}, ssa.Slice{Elem: a.Elem}).Result())
			}
			g.append(v, &ssa.Instr{Op: ssa.OpCopy, Args: parts}, ssa.Int64)
		} else {
			g.append(v, &ssa.Instr{Op: ssa.OpEq, Args: []*ssa.Value{ptr, other}}, ssa.Bool)
		}
	case k == 1 && ssa.IsNumeric(t):
		val, keep := g.value(v, t), g.stmt
		old := g.append(v, &ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{ptr}}, t).Result()
		g.stmt = keep
		old.Name = ""
		sum := g.append(v, &ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{old, val}}, t).Result()
		sum.Name = ""
		g.append(v, &ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{ptr, sum}})
	case k <= 3:
		g.append(v, &ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{ptr, g.value(v, t)}})
	default:
		g.append(v, &ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{ptr}}, t)
	}
}

// hazard reads a place, writes there or elsewhere, and then uses what it has read, all in one
// statement: nothing may be read after the write.
func (g *generator) hazard(v *visible, ptr *ssa.Value) {
	line := &ssa.Stmt{Pos: ssa.Pos{File: "random.go", Line: g.line}, Text: "hazard"}
	add := func(in *ssa.Instr, t ...ssa.Type) *ssa.Value {
		in.Stmt = line
		v.b.Append(in, t...)
		if len(t) == 0 {
			return nil
		}
		return in.Result()
	}
	if g.IntN(3) == 0 {
		t := aggregates[3+g.IntN(2)]
		ptr = add(&ssa.Instr{Op: ssa.OpLocal, Args: []*ssa.Value{g.value(v, t)}}, ssa.Pointer{Elem: t})
	}
	t := ptr.Type.(ssa.Pointer).Elem
	x := add(&ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{ptr}}, t)
	if g.IntN(2) == 0 {
		v.values = append(v.values, x) // it is used later
	}
	to := ptr
	if other, ok := g.pointer(v, ptr.Type); ok && g.IntN(3) == 0 {
		to = other
	}
	switch a, isArray := t.(ssa.Array); {
	case isArray && a.Len > 1 && g.IntN(2) == 0:
		s := add(&ssa.Instr{Op: ssa.OpSliceOf, Args: []*ssa.Value{to}}, ssa.Slice{Elem: a.Elem})
		one, n := constant(v.b, ssa.Int64, 1), constant(v.b, ssa.Int64, uint64(a.Len))
		tail := add(&ssa.Instr{Op: ssa.OpSubslice, Args: []*ssa.Value{s, one, n}}, ssa.Slice{Elem: a.Elem})
		add(&ssa.Instr{Op: ssa.OpCopy, Args: []*ssa.Value{tail, s}}, ssa.Int64)
	default:
		val := g.value(v, t)
		val.Name = ""
		add(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{to, val}})
	}
	for ssa.IsAggregate(t) {
		switch e := t.(type) {
		case *ssa.Struct:
			if len(e.Fields) == 0 {
				return
			}
			i := g.IntN(len(e.Fields))
			t = e.Fields[i].Type
			x = add(&ssa.Instr{Op: ssa.OpField, Index: int32(i), Args: []*ssa.Value{x}}, t)
		case ssa.Array:
			if e.Len == 0 {
				return
			}
			t = e.Elem
			x = add(&ssa.Instr{Op: ssa.OpElem, Args: []*ssa.Value{x, constant(v.b, ssa.Int64, uint64(g.IntN(e.Len)))}}, t)
		}
	}
	if g.slices == nil || g.slices[t] == nil {
		v.values = append(v.values, x)
		return
	}
	at := add(&ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{g.slices[t], g.base}}, ssa.Pointer{Elem: t})
	add(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, x}})
}

// check adds a check that holds, or a panic that is not reached.
func (g *generator) check(v *visible) {
	x := g.value(v, ssa.Bool)
	not := g.append(v, &ssa.Instr{Op: ssa.OpNot, Args: []*ssa.Value{x}}, ssa.Bool).Result()
	switch g.IntN(3) {
	case 0:
		some := g.append(v, &ssa.Instr{Op: ssa.OpOr, Args: []*ssa.Value{x, not}}, ssa.Bool).Result()
		g.append(v, &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckAssert, Args: []*ssa.Value{some}})
	case 1:
		g.append(v, &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckIndex, Args: []*ssa.Value{g.below(v, 4), constant(v.b, ssa.Int64, 4)}})
	case 2:
		none := g.append(v, &ssa.Instr{Op: ssa.OpAnd, Args: []*ssa.Value{x, not}}, ssa.Bool).Result()
		branch := g.append(v, &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{none}})
		then := v.inner(branch.NewBlock())
		g.append(then, &ssa.Instr{Op: ssa.OpPanic, Args: []*ssa.Value{g.value(then, g.basic())}})
		branch.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield})
	}
}

// pointerLike is a pointer of the type of one in sight, nil if there is none.
func (g *generator) pointerLike(v *visible) ssa.Type {
	for _, x := range v.values {
		if isPointer(x.Type) && g.IntN(2) == 0 {
			return x.Type
		}
	}
	return nil
}
