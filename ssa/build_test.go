package ssa

// The tests build IR by the few helpers of this file: a builder stands at the
// end of a block, and result types follow from the operands.
type builder struct{ *Block }

// kernelOf is a module of one kernel, whose body is built by build.
func kernelOf(name string, params []*Value, build func(b builder, p []*Value)) *Module {
	m := &Module{Name: name}
	addFunc(m, name, true, append([]*Value{arg(Thread, "t")}, params...), nil, build)
	return m
}

// arg describes a parameter.
func arg(t Type, name string) *Value { return &Value{Type: t, Name: name} }

// addFunc adds a function to a module.
func addFunc(m *Module, name string, kernel bool, params []*Value, results []Type, build func(b builder, p []*Value)) *Func {
	f := NewFunc(name)
	f.Kernel, f.Results = kernel, results
	for _, p := range params {
		f.Body.AddParam(p.Type, p.Name)
	}
	m.Funcs = append(m.Funcs, f)
	build(builder{f.Body}, f.Body.Params)
	return f
}

// op appends an instruction whose result type follows from its operands.
func (b builder) op(op Op, args ...*Value) *Value {
	t := args[0].Type
	switch {
	case ops[op].shape == shapeComparison:
		t = Bool
	case op == OpIsNil:
		t = Bool
	case op == OpLen || op == OpThreadID || op == OpThreadDim || op == OpLane || op == OpBlockID || op == OpBlockDim || op == OpCopy:
		t = Int64
	case op == OpLocal:
		t = Pointer{t}
	case op == OpElem:
		t = t.(Array).Elem
	case op == OpElemAddr:
		t = Pointer{t.(Pointer).Elem.(Array).Elem}
	case op == OpSliceOf:
		t = Slice{t.(Pointer).Elem.(Array).Elem}
	case op == OpLoad:
		t = t.(Pointer).Elem
	case op == OpIndexAddr:
		t = Pointer{t.(Slice).Elem}
	}
	in := b.Append(&Instr{Op: op, Args: args}, t)
	if op == OpThreadID {
		in.Rank = 1
	}
	return in.Result()
}

func (b builder) named(name string, v *Value) *Value { v.Name = name; return v }

func (b builder) int(t Type, x int64) *Value { return b.constant(t, IntConst(t, uint64(x))) }

func (b builder) float(t Type, x float64) *Value { return b.constant(t, FloatConst(t, x)) }

func (b builder) bool(x bool) *Value { return b.constant(Bool, BoolConst(x)) }

func (b builder) constant(t Type, c Const) *Value {
	return b.Append(&Instr{Op: OpConst, Const: c}, t).Result()
}

func (b builder) convert(to Type, v *Value) *Value {
	return b.Append(&Instr{Op: OpConvert, Args: []*Value{v}}, to).Result()
}

func (b builder) bitcast(to Type, v *Value) *Value {
	return b.Append(&Instr{Op: OpBitcast, Args: []*Value{v}}, to).Result()
}

// math appends a function of package math on the float type t.
func (b builder) math(f Math, t Type, args ...*Value) []*Value {
	_, results := f.Signature(t)
	return b.Append(&Instr{Op: OpMath, Math: f, Args: args}, results...).Results
}

func (b builder) store(p, v *Value) { b.Append(&Instr{Op: OpStore, Args: []*Value{p, v}}) }

// set stores at a constant index of a slice.
func (b builder) set(slice *Value, i int64, v *Value) {
	b.store(b.op(OpIndexAddr, slice, b.int(Int64, i)), v)
}

func (b builder) call(f *Func, args ...*Value) []*Value {
	return b.Append(&Instr{Op: OpCall, Callee: f, Args: args}, f.Results...).Results
}

// end appends a terminator.
func (b builder) end(op Op, target *Instr, args ...*Value) {
	b.Append(&Instr{Op: op, Target: target, Args: args})
}

func (b builder) yield(args ...*Value)             { b.end(OpYield, nil, args...) }
func (b builder) ret(args ...*Value)               { b.end(OpReturn, nil, args...) }
func (b builder) brk(loop *Instr, args ...*Value)  { b.end(OpBreak, loop, args...) }
func (b builder) next(loop *Instr, args ...*Value) { b.end(OpContinue, loop, args...) }
func (b builder) unreachable()                     { b.end(OpUnreachable, nil) }

// ifelse appends an If; a nil block only yields.
func (b builder) ifelse(cond *Value, types []Type, then, els func(b builder)) *Instr {
	in := b.Append(&Instr{Op: OpIf, Args: []*Value{cond}}, types...)
	for _, build := range []func(builder){then, els} {
		nb := builder{in.NewBlock()}
		if build == nil {
			build = func(b builder) { b.yield() }
		}
		build(nb)
	}
	return in
}

// loop appends a Loop over variables with the given initial values.
func (b builder) loop(init []*Value, cond func(b builder, v []*Value) *Value,
	do func(b builder, loop *Instr, v []*Value), post func(b builder, v []*Value) []*Value) *Instr {
	in := &Instr{Op: OpLoop, Args: init}
	b.Append(in)
	for range 3 {
		in.NewBlock()
	}
	for _, v := range init {
		in.AddResult(v.Type, v.Name)
	}
	for _, at := range []*Block{in.Cond(), in.Post()} {
		for _, v := range init {
			at.AddParam(v.Type, v.Name)
		}
	}
	c := builder{in.Cond()}
	c.end(OpTest, nil, cond(c, in.Cond().Params))
	do(builder{in.Do()}, in, in.Cond().Params)
	p := builder{in.Post()}
	p.yield(post(p, in.Post().Params)...)
	return in
}

func (b builder) zero(t Type) *Value { return b.Append(&Instr{Op: OpZero}, t).Result() }

func (b builder) make(t Type, parts ...*Value) *Value {
	return b.Append(&Instr{Op: OpMake, Args: parts}, t).Result()
}

func (b builder) field(v *Value, k int) *Value {
	return b.Append(&Instr{Op: OpField, Index: k, Args: []*Value{v}}, v.Type.(*Struct).Fields[k].Type).Result()
}

func (b builder) fieldAddr(p *Value, k int) *Value {
	t := p.Type.(Pointer).Elem.(*Struct).Fields[k].Type
	return b.Append(&Instr{Op: OpFieldAddr, Index: k, Args: []*Value{p}}, Pointer{t}).Result()
}

func (b builder) bits(op BitsOp, v *Value) *Value {
	t := v.Type
	if op.CountsBits() {
		t = Int64
	}
	return b.Append(&Instr{Op: OpBits, Bits: op, Args: []*Value{v}}, t).Result()
}

func (b builder) check(c Check, args ...*Value) { b.Append(&Instr{Op: OpCheck, Check: c, Args: args}) }

func (b builder) panic(message string, args ...*Value) {
	b.Append(&Instr{Op: OpPanic, Message: message, Args: args})
}

// parallel appends an OpFor.
func (b builder) parallel(sizes []*Value, body func(b builder, i []*Value)) *Instr {
	in := b.Append(&Instr{Op: OpFor, Args: sizes})
	nb := builder{in.NewBlock()}
	for range sizes {
		nb.AddParam(Int64, "i")
	}
	body(nb, nb.Params)
	if nb.Terminator() == nil {
		nb.yield()
	}
	return in
}

// vec is a struct type of the tests.
var vec = StructOf("Vec", Field{"x", Float32}, Field{"n", Int64})
