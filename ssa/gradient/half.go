package gradient

import (
	"github.com/qdgen/qd/ssa"
)

// This file is about floats of 16 bits. To SSA they are structs that hold bits. Their conversions are functions with
// gradients of their own. So an adjoint of such a float is one too. It takes the conversions to add two of them.

// isHalf reports whether a type is one of the floats of 16 bits.
func isHalf(t ssa.Type) bool {
	s, ok := t.(*ssa.Struct)
	return ok && (s.Name == "qd.Float16" || s.Name == "qd.BFloat16")
}

// isLeaf reports whether values of a type are a float, of any size.
func isLeaf(t ssa.Type) bool { return ssa.IsFloat(t) || isHalf(t) }

// halves are the functions for each of the types.
type halves struct {
	widen, narrow map[ssa.Type]*ssa.Func // conversions to float32 and back
	sums, adds    map[ssa.Type]*ssa.Func
}

// findHalves finds the conversions among the functions that a kernel needs.
func (d *differ) findHalves(k *ssa.Func) {
	d.widen, d.narrow = make(map[ssa.Type]*ssa.Func), make(map[ssa.Type]*ssa.Func)
	for _, f := range deviceFuncs(k) {
		if f.Gradient == nil || len(f.Params()) != 1 || len(f.Results) != 1 {
			continue
		}
		switch from, to := f.Params()[0].Type, f.Results[0]; {
		case isHalf(from) && to == ssa.Float32:
			d.widen[from] = f
		case from == ssa.Float32 && isHalf(to):
			d.narrow[to] = f
		}
	}
}

// hasSums reports whether there are the conversions that it takes to add two floats of a type.
func (d *differ) hasSums(t ssa.Type) bool { return d.widen[t] != nil && d.narrow[t] != nil }

// refuseHalf refuses memory of floats that cannot be added up.
func (d *differ) refuseHalf(in *ssa.Instr, t ssa.Type) {
	if isHalf(t) {
		if !d.hasSums(t) {
			d.refuse(in, "cannot differentiate a kernel that only copies elements of type "+t.String(), "convert one of them to float32 and back")
		}
		return
	}
	for i := range parts(t) {
		if a, ok := t.(ssa.Array); ok && i > 0 && a.Len > 0 {
			return
		}
		d.refuseHalf(in, partType(t, i))
	}
}

// sumHalf is the function that adds two floats of 16 bits.
func (d *differ) sumHalf(t ssa.Type) *ssa.Func {
	if d.sums[t] == nil {
		f := ssa.NewFunc("qd.sum" + t.(*ssa.Struct).Name[len("qd."):])
		f.Decl = ssa.Stmt{Text: "the sum of two gradients"}
		x, y := f.Body.AddParam(t, "x"), f.Body.AddParam(t, "y")
		f.Results = []ssa.Type{t}
		end := &ssa.Instr{Op: ssa.OpReturn, Args: []*ssa.Value{d.appendSum(f.Body, x, y)}}
		f.Body.Append(end)
		d.sums[t] = f
	}
	return d.sums[t]
}

func (d *differ) appendSum(b *ssa.Block, x, y *ssa.Value) *ssa.Value {
	t := x.Type
	op := func(in *ssa.Instr, t ssa.Type) *ssa.Value { return b.Append(in, t).Result() }
	wide := func(v *ssa.Value) *ssa.Value {
		return op(&ssa.Instr{Op: ssa.OpCall, Callee: d.widen[t], Args: []*ssa.Value{v}}, ssa.Float32)
	}
	sum := op(&ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{wide(x), wide(y)}}, ssa.Float32)
	return op(&ssa.Instr{Op: ssa.OpCall, Callee: d.narrow[t], Args: []*ssa.Value{sum}}, t)
}

// addHalf is the function that adds to a float of 16 bits in memory, to which other threads may add at the same time:
// it tries until nobody has come between.
func (d *differ) addHalf(t ssa.Type) *ssa.Func {
	if d.adds[t] != nil {
		return d.adds[t]
	}
	f := ssa.NewFunc("qd.atomicAdd" + t.(*ssa.Struct).Name[len("qd."):])
	f.Decl = ssa.Stmt{Text: "an atomic addition to a gradient"}
	p, by := f.Body.AddParam(ssa.Pointer{Elem: t}, "p"), f.Body.AddParam(t, "by")
	op := func(b *ssa.Block, in *ssa.Instr, t ssa.Type) *ssa.Value { return b.Append(in, t).Result() }
	bits := op(f.Body, &ssa.Instr{Op: ssa.OpFieldAddr, Args: []*ssa.Value{p}}, ssa.Pointer{Elem: ssa.Uint16})
	first := op(f.Body, &ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{p}}, t)
	loop := f.Body.Append(&ssa.Instr{Op: ssa.OpLoop, Args: []*ssa.Value{first}})
	loop.AddResult(t, "old")
	cond, do, post := loop.NewBlock(), loop.NewBlock(), loop.NewBlock()
	old, next := cond.AddParam(t, "old"), post.AddParam(t, "old")
	yes := op(cond, &ssa.Instr{Op: ssa.OpConst, Const: ssa.BoolConst(true)}, ssa.Bool)
	cond.Append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{yes}})
	sum := d.appendSum(do, old, by)
	field := func(v *ssa.Value) *ssa.Value {
		return op(do, &ssa.Instr{Op: ssa.OpField, Args: []*ssa.Value{v}}, ssa.Uint16)
	}
	was := field(old)
	seen := op(do, &ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicCAS, Args: []*ssa.Value{bits, was, field(sum)}}, ssa.Uint16)
	same := op(do, &ssa.Instr{Op: ssa.OpEq, Args: []*ssa.Value{seen, was}}, ssa.Bool)
	leave := do.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{same}})
	leave.NewBlock().Append(&ssa.Instr{Op: ssa.OpBreak, Target: loop, Args: []*ssa.Value{old}})
	leave.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield})
	again := op(do, &ssa.Instr{Op: ssa.OpMake, Args: []*ssa.Value{seen}}, t)
	do.Append(&ssa.Instr{Op: ssa.OpContinue, Target: loop, Args: []*ssa.Value{again}})
	post.Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{next}})
	f.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	d.adds[t] = f
	return f
}
