package ssatest

import "github.com/qdgen/qd/ssa"

// A Builder builds IR in few words: it stands at the end of a block, and result types follow from
// the operands.
type Builder struct{ *ssa.Block }

// KernelOf is a module of one kernel, whose body is built by build.
func KernelOf(name string, params []*ssa.Value, build func(b Builder, p []*ssa.Value)) *ssa.Module {
	m := &ssa.Module{Name: name}
	AddFunc(m, name, true, append([]*ssa.Value{Arg(ssa.Thread, "t")}, params...), nil, build)
	return m
}

// Arg describes a parameter.
func Arg(t ssa.Type, name string) *ssa.Value { return &ssa.Value{Type: t, Name: name} }

// AddFunc adds a function to a module.
func AddFunc(m *ssa.Module, name string, kernel bool, params []*ssa.Value, results []ssa.Type, build func(b Builder, p []*ssa.Value)) *ssa.Func {
	f := ssa.NewFunc(name)
	f.Kernel, f.Results = kernel, results
	for _, p := range params {
		f.Body.AddParam(p.Type, p.Name)
	}
	m.Funcs = append(m.Funcs, f)
	build(Builder{f.Body}, f.Body.Params)
	return f
}

// Op appends an instruction whose result type follows from its operands.
func (b Builder) Op(op ssa.Op, args ...*ssa.Value) *ssa.Value {
	t := args[0].Type
	switch {
	case op.IsComparison():
		t = ssa.Bool
	case op == ssa.OpIsNil || op == ssa.OpApart:
		t = ssa.Bool
	case op == ssa.OpLen || op == ssa.OpThreadID || op == ssa.OpThreadDim || op == ssa.OpLane || op == ssa.OpBlockID || op == ssa.OpBlockDim || op == ssa.OpCopy:
		t = ssa.Int64
	case op == ssa.OpLocal:
		t = ssa.Pointer{Elem: t}
	case op == ssa.OpElem:
		t = t.(ssa.Array).Elem
	case op == ssa.OpElemAddr:
		t = ssa.Pointer{Elem: t.(ssa.Pointer).Elem.(ssa.Array).Elem}
	case op == ssa.OpSliceOf:
		t = ssa.Slice{Elem: t.(ssa.Pointer).Elem.(ssa.Array).Elem}
	case op == ssa.OpLoad:
		t = t.(ssa.Pointer).Elem
	case op == ssa.OpIndexAddr:
		t = ssa.Pointer{Elem: t.(ssa.Slice).Elem}
	}
	in := b.Append(&ssa.Instr{Op: op, Args: args}, t)
	if op == ssa.OpThreadID {
		in.Rank = 1
	}
	return in.Result()
}

func (b Builder) Named(name string, v *ssa.Value) *ssa.Value { v.Name = name; return v }

func (b Builder) Int(t ssa.Type, x int64) *ssa.Value {
	return b.Constant(t, ssa.IntConst(t, uint64(x)))
}

func (b Builder) Float(t ssa.Type, x float64) *ssa.Value { return b.Constant(t, ssa.FloatConst(t, x)) }

func (b Builder) Bool(x bool) *ssa.Value { return b.Constant(ssa.Bool, ssa.BoolConst(x)) }

func (b Builder) Constant(t ssa.Type, c ssa.Const) *ssa.Value {
	return b.Append(&ssa.Instr{Op: ssa.OpConst, Const: c}, t).Result()
}

func (b Builder) Convert(to ssa.Type, v *ssa.Value) *ssa.Value {
	return b.Append(&ssa.Instr{Op: ssa.OpConvert, Args: []*ssa.Value{v}}, to).Result()
}

func (b Builder) Bitcast(to ssa.Type, v *ssa.Value) *ssa.Value {
	return b.Append(&ssa.Instr{Op: ssa.OpBitcast, Args: []*ssa.Value{v}}, to).Result()
}

// Math appends a function of package math on the float type t.
func (b Builder) Math(f ssa.Math, t ssa.Type, args ...*ssa.Value) []*ssa.Value {
	_, results := f.Signature(t)
	return b.Append(&ssa.Instr{Op: ssa.OpMath, Math: f, Args: args}, results...).Results
}

func (b Builder) Store(p, v *ssa.Value) {
	b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{p, v}})
}

// Set stores at a constant index of a slice.
func (b Builder) Set(slice *ssa.Value, i int64, v *ssa.Value) {
	b.Store(b.Op(ssa.OpIndexAddr, slice, b.Int(ssa.Int64, i)), v)
}

func (b Builder) Call(f *ssa.Func, args ...*ssa.Value) []*ssa.Value {
	return b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: args}, f.Results...).Results
}

// End appends a terminator.
func (b Builder) End(op ssa.Op, target *ssa.Instr, args ...*ssa.Value) {
	b.Append(&ssa.Instr{Op: op, Target: target, Args: args})
}

func (b Builder) Yield(args ...*ssa.Value)                  { b.End(ssa.OpYield, nil, args...) }
func (b Builder) Return(args ...*ssa.Value)                 { b.End(ssa.OpReturn, nil, args...) }
func (b Builder) Break(loop *ssa.Instr, args ...*ssa.Value) { b.End(ssa.OpBreak, loop, args...) }
func (b Builder) Next(loop *ssa.Instr, args ...*ssa.Value)  { b.End(ssa.OpContinue, loop, args...) }
func (b Builder) Unreachable()                              { b.End(ssa.OpUnreachable, nil) }

// IfElse appends an If; a nil block only yields.
func (b Builder) IfElse(cond *ssa.Value, types []ssa.Type, then, els func(b Builder)) *ssa.Instr {
	in := b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}}, types...)
	for _, build := range []func(Builder){then, els} {
		nb := Builder{in.NewBlock()}
		if build == nil {
			build = func(b Builder) { b.Yield() }
		}
		build(nb)
	}
	return in
}

// Loop appends a Loop over variables with the given initial values.
func (b Builder) Loop(init []*ssa.Value, cond func(b Builder, v []*ssa.Value) *ssa.Value,
	do func(b Builder, loop *ssa.Instr, v []*ssa.Value), post func(b Builder, v []*ssa.Value) []*ssa.Value) *ssa.Instr {
	in := &ssa.Instr{Op: ssa.OpLoop, Args: init}
	b.Append(in)
	for range 3 {
		in.NewBlock()
	}
	for _, v := range init {
		in.AddResult(v.Type, v.Name)
	}
	for _, at := range []*ssa.Block{in.Cond(), in.Post()} {
		for _, v := range init {
			at.AddParam(v.Type, v.Name)
		}
	}
	c := Builder{in.Cond()}
	c.End(ssa.OpTest, nil, cond(c, in.Cond().Params))
	do(Builder{in.Do()}, in, in.Cond().Params)
	p := Builder{in.Post()}
	p.Yield(post(p, in.Post().Params)...)
	return in
}

func (b Builder) Zero(t ssa.Type) *ssa.Value { return b.Append(&ssa.Instr{Op: ssa.OpZero}, t).Result() }

func (b Builder) Make(t ssa.Type, parts ...*ssa.Value) *ssa.Value {
	return b.Append(&ssa.Instr{Op: ssa.OpMake, Args: parts}, t).Result()
}

func (b Builder) Field(v *ssa.Value, k int) *ssa.Value {
	return b.Append(&ssa.Instr{Op: ssa.OpField, Index: int32(k), Args: []*ssa.Value{v}}, v.Type.(*ssa.Struct).Fields[k].Type).Result()
}

func (b Builder) FieldAddr(p *ssa.Value, k int) *ssa.Value {
	t := p.Type.(ssa.Pointer).Elem.(*ssa.Struct).Fields[k].Type
	return b.Append(&ssa.Instr{Op: ssa.OpFieldAddr, Index: int32(k), Args: []*ssa.Value{p}}, ssa.Pointer{Elem: t}).Result()
}

func (b Builder) Bits(op ssa.BitsOp, v *ssa.Value) *ssa.Value {
	t := v.Type
	if op.CountsBits() {
		t = ssa.Int64
	}
	return b.Append(&ssa.Instr{Op: ssa.OpBits, Bits: op, Args: []*ssa.Value{v}}, t).Result()
}

// MulWide appends a product in twice the bits.
func (b Builder) MulWide(x, y *ssa.Value) (hi, lo *ssa.Value) {
	both := b.Append(&ssa.Instr{Op: ssa.OpMulWide, Args: []*ssa.Value{x, y}}, ssa.Uint64, ssa.Uint64).Results
	return both[0], both[1]
}

// DivWide appends a division of a number of 128 bits.
func (b Builder) DivWide(hi, lo, y *ssa.Value) (quo, rem *ssa.Value) {
	both := b.Append(&ssa.Instr{Op: ssa.OpDivWide, Args: []*ssa.Value{hi, lo, y}}, ssa.Uint64, ssa.Uint64).Results
	return both[0], both[1]
}

func (b Builder) Check(c ssa.Check, args ...*ssa.Value) {
	b.Append(&ssa.Instr{Op: ssa.OpCheck, Check: c, Args: args})
}

func (b Builder) Panic(message string, args ...*ssa.Value) {
	b.Append(&ssa.Instr{Op: ssa.OpPanic, Message: message, Args: args})
}

// Parallel appends an OpFor.
func (b Builder) Parallel(sizes []*ssa.Value, body func(b Builder, i []*ssa.Value)) *ssa.Instr {
	in := b.Append(&ssa.Instr{Op: ssa.OpFor, Args: sizes})
	nb := Builder{in.NewBlock()}
	for range sizes {
		nb.AddParam(ssa.Int64, "i")
	}
	body(nb, nb.Params)
	if nb.Terminator() == nil {
		nb.Yield()
	}
	return in
}

// Vec is a struct type of the tests.
var Vec = ssa.StructOf("Vec", ssa.Field{Name: "x", Type: ssa.Float32}, ssa.Field{Name: "n", Type: ssa.Int64})
