package ssa

// NewFunc returns a function with an empty body.
func NewFunc(name string) *Func {
	f := &Func{Name: name}
	f.Body = &Block{Func: f}
	return f
}

// AddParam adds a parameter to a block.
func (b *Block) AddParam(t Type, name string) *Value {
	v := b.Func.newValue(t, name)
	v.Block = b
	b.Params = append(b.Params, v)
	return v
}

func (f *Func) newValue(t Type, name string) *Value {
	v := new(Value)
	f.init(v, t, name)
	return v
}

func (f *Func) init(v *Value, t Type, name string) {
	v.ID, v.Type, v.Name = f.nextID, t, name
	f.nextID++
}

// Adopt gives a value that comes from another function a number of this one.
func (f *Func) Adopt(v *Value) {
	v.ID = f.nextID
	f.nextID++
}

// NumValues is more than the ID of each value of the function.
func (f *Func) NumValues() int { return f.nextID }

// Append adds an instruction to the end of a block, gives it results of the
// named types and makes it the block's. Fields beyond Op and Args may be set in
// in before, or in the same instruction after.
func (b *Block) Append(in *Instr, results ...Type) *Instr {
	in.Block = b
	for _, t := range results {
		in.AddResult(t, "")
	}
	b.Instrs = append(b.Instrs, in)
	return in
}

// AddResult adds a result to an instruction that stands in a block.
func (in *Instr) AddResult(t Type, name string) *Value {
	// Most instructions have one result: it and the list of it are one object.
	r := new(struct {
		value Value
		list  [1]*Value
	})
	v := &r.value
	in.Block.Func.init(v, t, name)
	v.Def = in
	if in.Results == nil {
		r.list[0] = v
		in.Results = r.list[:]
	} else {
		in.Results = append(in.Results, v)
	}
	return v
}

// AppendCopy adds a copy of an instruction without blocks to the end of a block, with results of its own. Its operands
// are still to be set: there are as many.
func (b *Block) AppendCopy(in *Instr) *Instr {
	n := in.copied()
	n.Block = b
	for i, r := range in.Results {
		b.Func.init(n.Results[i], r.Type, r.Name)
		n.Results[i].Def = n
	}
	b.Instrs = append(b.Instrs, n)
	return n
}

// AppendOp adds an operation with one result to the end of a block.
func (b *Block) AppendOp(op Op, t Type, args ...*Value) *Instr {
	var n *Instr
	if len(args) <= maxSimple {
		n = newSimple(len(args))
	} else {
		n = &Instr{Args: make([]*Value, len(args)), Results: []*Value{new(Value)}}
	}
	copy(n.Args, args)
	n.Op, n.Block = op, b
	b.Func.init(n.Results[0], t, "")
	n.Results[0].Def = n
	b.Instrs = append(b.Instrs, n)
	return n
}

// maxSimple is how many operands a simple instruction has at most.
const maxSimple = 2

// newSimple makes an instruction with few operands and one result, which are to be filled. Most are so. It is one
// object with the result and the lists.
func newSimple(args int) *Instr {
	c := new(struct {
		instr   Instr
		value   Value
		results [1]*Value
		args    [maxSimple]*Value
	})
	c.results[0] = &c.value
	c.instr.Args, c.instr.Results = c.args[:args:args], c.results[:]
	return &c.instr
}

// copied is a copy of an instruction without its blocks, with room for as many operands, and as many results to be
// filled.
func (in *Instr) copied() (n *Instr) {
	if len(in.Results) == 1 && len(in.Args) <= maxSimple {
		n = newSimple(len(in.Args))
		args, results := n.Args, n.Results
		*n = *in
		n.Args, n.Results = args, results
	} else {
		n = new(Instr)
		*n = *in
		n.Args, n.Results = make([]*Value, len(in.Args)), make([]*Value, len(in.Results))
		for i := range n.Results {
			n.Results[i] = new(Value)
		}
	}
	n.Blocks = nil
	return n
}

// blocks is how many blocks an instruction has, as a rule.
func (op Op) blocks() int {
	switch op {
	case OpIf:
		return 2
	case OpLoop:
		return 3
	}
	return 1
}

// NewBlock adds an empty block to an If or a Loop that stands in a block.
func (in *Instr) NewBlock() *Block {
	nb := &Block{Func: in.Block.Func, Owner: in}
	if in.Blocks == nil {
		in.Blocks = make([]*Block, 0, in.Op.blocks())
	}
	in.Blocks = append(in.Blocks, nb)
	return nb
}

// AppendZero adds what computes the zero value of a type to the end of a block.
func (b *Block) AppendZero(t Type) *Value {
	op := OpZero
	if _, basic := t.(Basic); basic {
		op = OpConst // the bits of all that is zero in Go are 0
	}
	return b.AppendOp(op, t).Result()
}

// AppendInt adds an integer constant to the end of a block.
func (b *Block) AppendInt(t Basic, n int64) *Value {
	c := b.AppendOp(OpConst, t)
	c.Const = IntConst(t, uint64(n))
	return c.Result()
}
