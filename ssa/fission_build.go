package ssa

// What fission adds to a kernel: tests of who is still running, and the arrays.

// skipIfLeft ends the turn of a lane that has left.
func (x *fission) skipIfLeft(lane *Value, at *Instr) {
	if x.left == nil {
		return
	}
	n := x.cur.Append(&Instr{Op: OpIf, Args: []*Value{x.emit(OpNe, at, Bool, x.load(x.left, lane, at), x.number8(0, at))}, Pos: at.Pos, Stmt: at.Stmt})
	n.NewBlock().Append(&Instr{Op: OpReturn, Pos: at.Pos, Stmt: at.Stmt})
	n.NewBlock().Append(&Instr{Op: OpYield, Pos: at.Pos, Stmt: at.Stmt})
}

// firstRunning finds the first lane that has not left, or the number of lanes.
func (x *fission) firstRunning(in *Instr) *Value {
	loop := x.cur.Append(&Instr{Op: OpLoop, Args: []*Value{x.constant(0, in)}, Pos: in.Pos, Stmt: in.Stmt})
	outer := x.cur
	x.cur = loop.NewBlock()
	k := x.cur.AddParam(Int64, "first")
	x.cur.Append(&Instr{Op: OpTest, Args: []*Value{x.emit(OpLt, in, Bool, k, x.lanes)}, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = loop.NewBlock()
	x.ifEqual(x.load(x.left, k, in), x.number8(0, in), in, func() {
		x.cur.Append(&Instr{Op: OpBreak, Target: loop, Args: []*Value{k}, Pos: in.Pos, Stmt: in.Stmt})
	})
	x.cur.Append(&Instr{Op: OpContinue, Target: loop, Args: []*Value{k}, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = loop.NewBlock()
	p := x.cur.AddParam(Int64, "first")
	x.cur.Append(&Instr{Op: OpYield, Args: []*Value{x.emit(OpAdd, in, Int64, p, x.constant(1, in))}, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = outer
	return loop.AddResult(Int64, "first")
}

// ifEqual makes an If without an else block; then ends its block.
func (x *fission) ifEqual(a, b *Value, in *Instr, then func()) {
	n := x.cur.Append(&Instr{Op: OpIf, Args: []*Value{x.emit(OpEq, in, Bool, a, b)}, Pos: in.Pos, Stmt: in.Stmt})
	outer := x.cur
	x.cur = n.NewBlock()
	then()
	x.cur = n.NewBlock()
	x.cur.Append(&Instr{Op: OpYield, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = outer
}

// emit makes an instruction with one result for the sake of in.
func (x *fission) emit(op Op, in *Instr, t Type, args ...*Value) *Value {
	return x.cur.Append(&Instr{Op: op, Args: args, Pos: in.Pos, Stmt: in.Stmt}, t).Result()
}

func (x *fission) constant(n uint64, in *Instr) *Value {
	v := x.emit(OpConst, in, Int64)
	v.Def.Const = IntConst(Int64, n)
	return v
}

func (x *fission) number8(n int, in *Instr) *Value {
	v := x.emit(OpConst, in, Uint8)
	v.Def.Const = IntConst(Uint8, uint64(n))
	return v
}

// place is the address of a lane's place in an array.
func (x *fission) place(slot, lane *Value, in *Instr) *Value {
	return x.emit(OpIndexAddr, in, Pointer{slot.Type.(Slice).Elem}, slot, lane)
}

func (x *fission) load(slot, lane *Value, in *Instr) *Value {
	return x.emit(OpLoad, in, slot.Type.(Slice).Elem, x.place(slot, lane, in))
}

func (x *fission) store(slot, lane, v *Value, in *Instr) {
	x.cur.Append(&Instr{Op: OpStore, Args: []*Value{x.place(slot, lane, in), v}, Pos: in.Pos, Stmt: in.Stmt})
}

// forLanes makes a phase of what body makes.
func (x *fission) forLanes(in *Instr, body func(lane *Value)) {
	n := x.cur.Append(&Instr{Op: OpFor, Args: []*Value{x.lanes}, Pos: in.Pos})
	outer := x.cur
	x.cur = n.NewBlock()
	body(x.cur.AddParam(Int64, "lane"))
	if x.cur.Terminator() == nil {
		x.cur.Append(&Instr{Op: OpYield, Pos: in.Pos, Stmt: in.Stmt})
	}
	x.cur = outer
}
