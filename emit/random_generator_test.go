package emit_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/qdgen/qd/ssa"
)

// A generator makes random functions that end: nested control flow of every
// kind, left in every way, with variables that are swapped, shared and kept.
type generator struct {
	*rand.Rand
	callees []*ssa.Func
	names   []string
	slices  map[ssa.Type]*ssa.Value // of the kernel being made
	base    *ssa.Value              // index of the thread's part of every slice
	loops   []*ssa.Instr
	stmt    *ssa.Stmt
	line    int
	checked bool
	results []ssa.Type // of the function being made
}

// part is how many elements of each slice belong to one thread.
const part = 8

var randomTypes = []ssa.Type{ssa.Int64, ssa.Int32, ssa.Uint8, ssa.Int16, ssa.Uint64, ssa.Float64, ssa.Float32, ssa.Bool, vecType, mixType}

// scope is what a block sees.
type visible struct {
	b      *ssa.Block
	values []*ssa.Value
}

func (v *visible) inner(b *ssa.Block) *visible {
	return &visible{b, append(append([]*ssa.Value(nil), v.values...), b.Params...)}
}

func (g *generator) typ() ssa.Type {
	if g.IntN(4) == 0 {
		return aggregates[g.IntN(len(aggregates))]
	}
	return g.basic()
}

func (g *generator) basic() ssa.Type { return randomTypes[g.IntN(8)] }

func (g *generator) name() string { return g.names[g.IntN(len(g.names))] }

// append adds an instruction, often to the statement of the one before.
func (g *generator) append(v *visible, in *ssa.Instr, results ...ssa.Type) *ssa.Instr {
	if g.stmt == nil || g.IntN(3) == 0 {
		g.line++
		g.stmt = &ssa.Stmt{Pos: ssa.Pos{File: "random.go", Line: g.line}, Text: fmt.Sprintf("statement %d", g.line)}
	}
	in.Stmt = g.stmt
	v.b.Append(in, results...)
	for _, r := range in.Results {
		if g.IntN(2) == 0 {
			r.Name = g.name()
		}
		v.values = append(v.values, r)
	}
	return in
}

func (g *generator) constant(v *visible, t ssa.Type) *ssa.Value {
	if ssa.IsAggregate(t) {
		if g.IntN(3) > 0 && t.Size() > 0 {
			return g.make(v, t)
		}
		z := v.b.Append(&ssa.Instr{Op: ssa.OpZero, Stmt: g.stmt}, t).Result()
		return z
	}
	c := constant(v.b, t, special(t)[g.IntN(len(special(t)))])
	c.Def.Stmt = g.stmt
	return c
}

// pointer is some pointer of a type, if there is one in sight.
func (g *generator) pointer(v *visible, t ssa.Type) (*ssa.Value, bool) {
	var found []*ssa.Value
	for _, x := range v.values {
		if x.Type == t {
			found = append(found, x)
		}
	}
	if found == nil {
		return nil, false
	}
	return found[g.IntN(len(found))], true
}

// value is some value of a type.
func (g *generator) value(v *visible, t ssa.Type) *ssa.Value {
	if isPointer(t) {
		x, _ := g.pointer(v, t)
		return x
	}
	for range 6 {
		if len(v.values) > 0 {
			// Late ones more often.
			i := len(v.values) - 1 - min(g.IntN(len(v.values)), g.IntN(len(v.values)))
			if v.values[i].Type == t {
				return v.values[i]
			}
		}
	}
	return g.constant(v, t)
}

func (g *generator) valuesLike(v *visible, like []*ssa.Value) (out []*ssa.Value) {
	for _, x := range like {
		out = append(out, g.value(v, x.Type))
	}
	return out
}

// pure adds an expression.
func (g *generator) pure(v *visible) {
	if g.IntN(4) == 0 {
		g.part(v)
		return
	}
	t := g.basic()
	a, b := g.value(v, t), g.value(v, t)
	one := func(o ssa.Op, r ssa.Type, args ...*ssa.Value) { g.append(v, &ssa.Instr{Op: o, Args: args}, r) }
	switch k := g.IntN(10); {
	case k == 0:
		one([]ssa.Op{ssa.OpEq, ssa.OpNe}[g.IntN(2)], ssa.Bool, a, b)
	case t == ssa.Bool:
		one([]ssa.Op{ssa.OpAnd, ssa.OpOr, ssa.OpXor}[g.IntN(3)], t, a, b)
	case k == 1:
		one([]ssa.Op{ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe}[g.IntN(4)], ssa.Bool, a, b)
	case k == 2:
		one([]ssa.Op{ssa.OpMin, ssa.OpMax}[g.IntN(2)], t, a, b)
	case k == 3:
		from := g.basic()
		if from != ssa.Bool && from != t {
			one(ssa.OpConvert, t, g.value(v, from))
		}
	case k == 4:
		one([]ssa.Op{ssa.OpNeg, ssa.OpOpaque}[g.IntN(2)], t, a)
	case k == 5 && ssa.IsUnsigned(t):
		kind := ssa.BitsLen + ssa.BitsOp(g.IntN(5))
		r := t
		if kind.CountsBits() {
			r = ssa.Int64
		}
		g.append(v, &ssa.Instr{Op: ssa.OpBits, Bits: kind, Args: []*ssa.Value{a}}, r)
	case k == 6 && t == ssa.Uint64:
		if g.IntN(2) == 0 {
			g.append(v, &ssa.Instr{Op: ssa.OpDivWide, Args: []*ssa.Value{a, b, g.value(v, t)}}, t, t)
			return
		}
		g.append(v, &ssa.Instr{Op: ssa.OpMulWide, Args: []*ssa.Value{a, b}}, t, t)
	case k <= 6 && ssa.IsInteger(t):
		o := []ssa.Op{ssa.OpDiv, ssa.OpRem, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpAndNot, ssa.OpShl, ssa.OpShr}[g.IntN(8)]
		one(o, t, a, b)
	default:
		one([]ssa.Op{ssa.OpAdd, ssa.OpSub, ssa.OpMul}[g.IntN(3)], t, a, b)
	}
}

// address is an element of the thread's part of a slice.
func (g *generator) address(v *visible, t ssa.Type) *ssa.Value {
	offset := constant(v.b, ssa.Int64, uint64(g.IntN(part)))
	i := g.append(v, &ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{g.base, offset}}, ssa.Int64).Result()
	i.Name = ""
	v.values = v.values[:len(v.values)-1]
	ptr := g.append(v, &ssa.Instr{Op: ssa.OpIndexAddr, Args: []*ssa.Value{g.slices[t], i}}, ssa.Pointer{Elem: t}).Result()
	if g.IntN(8) > 0 {
		ptr.Name = ""
	}
	v.values = v.values[:len(v.values)-1]
	return ptr
}

// effect adds an instruction that reads or writes memory.
func (g *generator) effect(v *visible) {
	if g.slices == nil || g.IntN(2) == 0 {
		g.memory(v)
		return
	}
	t := randomTypes[g.IntN(len(randomTypes))]
	switch g.IntN(6) {
	case 0, 1:
		g.append(v, &ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{g.address(v, t)}}, t)
	case 2:
		val := g.value(v, t)
		g.append(v, &ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{g.address(v, t), val}})
	case 3: // x[i] op= y
		if !ssa.IsNumeric(t) {
			return
		}
		val, ptr := g.value(v, t), g.address(v, t)
		keep := g.stmt
		old := g.append(v, &ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{ptr}}, t).Result()
		g.stmt = keep
		old.Name = ""
		sum := g.append(v, &ssa.Instr{Op: []ssa.Op{ssa.OpAdd, ssa.OpSub, ssa.OpMul}[g.IntN(3)], Args: []*ssa.Value{old, val}}, t).Result()
		sum.Name = ""
		v.values = v.values[:len(v.values)-2]
		g.append(v, &ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{ptr, sum}})
	case 4:
		t = []ssa.Type{ssa.Int64, ssa.Int32, ssa.Uint64, ssa.Float64, ssa.Float32}[g.IntN(5)]
		kind := ssa.AtomicAdd + ssa.Atomic(g.IntN(8))
		if ssa.IsFloat(t) && kind >= ssa.AtomicAnd && kind <= ssa.AtomicXor {
			kind = ssa.AtomicAdd
		}
		args := []*ssa.Value{nil, g.value(v, t)}
		if kind == ssa.AtomicCAS {
			args = append(args, g.value(v, t))
		}
		args[0] = g.address(v, t)
		g.append(v, &ssa.Instr{Op: ssa.OpAtomic, Atomic: kind, Args: args}, t)
	case 5:
		g.call(v)
	}
}

func (g *generator) call(v *visible) {
	if len(g.callees) == 0 {
		return
	}
	f := g.callees[g.IntN(len(g.callees))]
	for _, p := range f.Params() {
		if isPointer(p.Type) {
			if _, ok := g.pointer(v, p.Type); !ok {
				return
			}
		}
	}
	g.append(v, &ssa.Instr{Op: ssa.OpCall, Callee: f, Args: g.valuesLike(v, f.Params())}, f.Results...)
}

// body adds instructions and reports whether the block's end is reached.
func (g *generator) body(v *visible, n, depth int) bool {
	for range n {
		switch k := g.IntN(12); {
		case k < 5:
			g.pure(v)
		case k < 8:
			g.effect(v)
		case k < 10 && depth > 0:
			if !g.branch(v, depth-1) {
				v.b.Append(&ssa.Instr{Op: ssa.OpUnreachable})
				return false
			}
		case k < 11 && depth > 0:
			g.loop(v, depth-1)
		case k == 11 && g.IntN(3) == 0 && v.b.Owner != nil && v.b.Owner.Op == ssa.OpIf && g.leave(v):
			return false
		}
	}
	return true
}

// leave ends a block by a break, a continue or a return.
func (g *generator) leave(v *visible) bool {
	if len(g.loops) == 0 || g.IntN(8) == 0 {
		var args []*ssa.Value
		for _, t := range g.results {
			args = append(args, g.value(v, t))
		}
		g.append(v, &ssa.Instr{Op: ssa.OpReturn, Args: args})
		return true
	}
	loop := g.loops[len(g.loops)-1-min(g.IntN(len(g.loops)), g.IntN(len(g.loops)))]
	o := []ssa.Op{ssa.OpBreak, ssa.OpContinue}[g.IntN(2)]
	args := g.variables(v, loop.Cond().Params)
	g.append(v, &ssa.Instr{Op: o, Target: loop, Args: args})
	return true
}

// variables are the next values of a loop's variables: themselves, each other's,
// or anything. The first one, which counts, is itself.
func (g *generator) variables(v *visible, params []*ssa.Value) []*ssa.Value {
	out := append([]*ssa.Value(nil), params...)
	for i := 1; i < len(out); i++ {
		if g.IntN(3) > 0 {
			out[i] = g.value(v, params[i].Type)
		}
		for _, p := range params[1:] {
			if p.Type == params[i].Type && g.IntN(3) == 0 {
				out[i] = p
			}
		}
	}
	return out
}

// branch adds an If, sometimes one that is && or ||, and reports whether its
// end is reached.
func (g *generator) branch(v *visible, depth int) bool {
	in := g.append(v, &ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{g.value(v, ssa.Bool)}})
	var types []ssa.Type
	logical := g.IntN(4) == 0
	if logical {
		types = []ssa.Type{ssa.Bool}
	} else {
		for range g.IntN(4) {
			types = append(types, g.typ())
		}
	}
	if t := g.pointerLike(v); t != nil && !logical && g.IntN(2) == 0 {
		types = append(types, t)
	}
	reached := false
	for side := range 2 {
		inner := v.inner(in.NewBlock())
		var args []*ssa.Value
		switch {
		case logical && side == 1:
			args = []*ssa.Value{constant(inner.b, ssa.Bool, 0)}
		case logical:
			if !g.body(inner, g.IntN(3), 0) {
				continue
			}
			args = []*ssa.Value{g.value(inner, ssa.Bool)}
		default:
			if !g.body(inner, g.IntN(5), depth) {
				continue
			}
			if g.IntN(6) == 0 && g.leave(inner) {
				continue
			}
			for _, t := range types {
				from := inner
				if isPointer(t) {
					from = v // it outlives the block
				}
				args = append(args, g.value(from, t))
			}
		}
		reached = true
		g.append(inner, &ssa.Instr{Op: ssa.OpYield, Args: args})
	}
	for _, t := range types {
		r := in.AddResult(t, "")
		if g.IntN(2) == 0 {
			r.Name = g.name()
		}
		v.values = append(v.values, r)
	}
	return reached
}

// loop adds a loop of a few turns; its first variable counts them.
func (g *generator) loop(v *visible, depth int) {
	types := []ssa.Type{ssa.Int64}
	for range g.IntN(5) {
		types = append(types, g.typ())
	}
	start := []*ssa.Value{constant(v.b, ssa.Int64, 0)}
	for _, t := range types[1:] {
		start = append(start, g.value(v, t))
	}
	in := g.append(v, &ssa.Instr{Op: ssa.OpLoop, Args: start})
	if g.IntN(3) == 0 {
		in.Label = "outer"
	}
	cond, do, post := in.NewBlock(), in.NewBlock(), in.NewBlock()
	for _, t := range types {
		name := ""
		if g.IntN(2) == 0 {
			name = g.name()
		}
		cond.AddParam(t, name)
		post.AddParam(t, name)
	}
	inner := v.inner(cond)
	inner.values = inner.values[:len(inner.values)-len(types)]
	inner.values = append(inner.values, cond.Params[1:]...) // nothing else depends on the count
	g.body(inner, g.IntN(3), 0)
	limit := constant(cond, ssa.Int64, uint64(1+g.IntN(4)))
	test := g.append(inner, &ssa.Instr{Op: ssa.OpLt, Args: []*ssa.Value{cond.Params[0], limit}}, ssa.Bool).Result()
	if g.IntN(2) == 0 {
		other := g.value(inner, ssa.Bool)
		test = g.append(inner, &ssa.Instr{Op: ssa.OpAnd, Args: []*ssa.Value{test, other}}, ssa.Bool).Result()
	}
	g.append(inner, &ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{test}})

	body := v.inner(do)
	body.values = append(body.values, cond.Params[1:]...)
	g.loops = append(g.loops, in)
	if g.body(body, 1+g.IntN(6), depth) {
		g.append(body, &ssa.Instr{Op: ssa.OpContinue, Target: in, Args: g.variables(body, cond.Params)})
	}
	g.loops = g.loops[:len(g.loops)-1]

	after := v.inner(post)
	after.values = append(after.values[:len(after.values)-len(types)], post.Params[1:]...)
	one := constant(post, ssa.Int64, 1)
	next := g.append(after, &ssa.Instr{Op: ssa.OpAdd, Args: []*ssa.Value{post.Params[0], one}}, ssa.Int64).Result()
	after.values = after.values[:len(after.values)-1]
	g.body(after, g.IntN(2), 0)
	args := g.variables(after, post.Params)
	args[0] = next
	g.append(after, &ssa.Instr{Op: ssa.OpYield, Args: args})
	for i, t := range types {
		r := in.AddResult(t, cond.Params[i].Name)
		v.values = append(v.values, r)
	}
}

// function makes a device function.
func (g *generator) function(name string) *ssa.Func {
	f := ssa.NewFunc(name)
	f.Decl = ssa.Stmt{Pos: ssa.Pos{File: "random.go", Line: 1}, Text: "func " + name}
	for range 1 + g.IntN(3) {
		f.Body.AddParam(g.typ(), g.name())
	}
	if g.IntN(2) == 0 {
		f.Body.AddParam(ssa.Pointer{Elem: []ssa.Type{vecType, mixType, ssa.Int64, ssa.Array{Elem: ssa.Int32, Len: 4}}[g.IntN(4)]}, g.name())
	}
	for range 1 + g.IntN(3) {
		f.Results = append(f.Results, g.typ())
	}
	g.results, g.slices = f.Results, nil
	g.finish(f, &visible{f.Body, f.Params()}, 5, 2)
	return f
}

func (g *generator) finish(f *ssa.Func, v *visible, n, depth int) {
	if g.body(v, n, depth) {
		g.loops = nil
		g.leave(v)
	}
}

// kernel makes a kernel with a slice of each type.
func (g *generator) kernel(name string) *ssa.Func {
	f := ssa.NewFunc(name)
	f.Kernel = true
	f.Decl = ssa.Stmt{Pos: ssa.Pos{File: "random.go", Line: 1}, Text: "func " + name}
	thread := f.Body.AddParam(ssa.Thread, "t")
	g.results, g.slices = nil, make(map[ssa.Type]*ssa.Value)
	for _, t := range randomTypes {
		g.slices[t] = f.Body.AddParam(ssa.Slice{Elem: t}, "s_"+t.String())
	}
	v := &visible{f.Body, nil}
	id := op(f.Body, ssa.OpThreadID, ssa.Int64, thread)
	id.Def.Rank = 1
	g.base = op(f.Body, ssa.OpMul, ssa.Int64, id, constant(f.Body, ssa.Int64, part))
	for _, t := range randomTypes {
		if g.IntN(3) == 0 {
			g.local(v)
		}
		g.append(v, &ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{g.address(v, t)}}, t)
	}
	g.finish(f, v, 14, 3)
	return f
}

// randomModule makes kernels and functions that they call.
func randomModule(seed uint64, kernels int) *ssa.Module {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), names: []string{"a", "b", "x", "sum", "int", ""}, checked: seed%4 >= 2}
	m := &ssa.Module{Name: "random", Pkg: "example.com/random"}
	for i := range kernels {
		if i%3 == 0 {
			f := g.function(fmt.Sprintf("f%d", i))
			g.callees = append(g.callees, f)
			m.Funcs = append(m.Funcs, f)
		}
		m.Funcs = append(m.Funcs, g.kernel(fmt.Sprintf("k%d", i)))
	}
	return m
}

// randomMemory is a kernel's slices before it runs.
func randomMemory(r *rand.Rand, threads int) (memory []*array) {
	for _, t := range randomTypes {
		a := newArray(t.Size(), threads*part)
		for i := range threads * part {
			leaves(t, i*a.elem, false, func(t ssa.Type, at int) {
				write(t, a.data[at:], scalar(special(t)[r.IntN(len(special(t)))]))
			})
		}
		memory = append(memory, a)
	}
	return memory
}
