package target

import "github.com/qdgen/qd/ssa"

// What fission adds to a kernel: tests of who is still running, and the arrays.

// skipIfLeft ends the turn of a lane that has left.
func (x *fission) skipIfLeft(lane *ssa.Value, at *ssa.Instr) {
	if x.left == nil {
		return
	}
	n := x.cur.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{x.emit(ssa.OpNe, at, ssa.Bool, x.load(x.left, lane, at), x.state(running, at))}, Pos: at.Pos, Stmt: at.Stmt})
	n.NewBlock().Append(&ssa.Instr{Op: ssa.OpReturn, Pos: at.Pos, Stmt: at.Stmt})
	n.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Pos: at.Pos, Stmt: at.Stmt})
}

// firstRunning finds the first lane that has not left, or the number of lanes.
func (x *fission) firstRunning(in *ssa.Instr) *ssa.Value {
	loop := x.cur.Append(&ssa.Instr{Op: ssa.OpLoop, Args: []*ssa.Value{x.constant(0, in)}, Pos: in.Pos, Stmt: in.Stmt})
	outer := x.cur
	x.cur = loop.NewBlock()
	k := x.cur.AddParam(ssa.Int64, "first")
	x.cur.Append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{x.emit(ssa.OpLt, in, ssa.Bool, k, x.lanes)}, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = loop.NewBlock()
	x.ifEqual(x.load(x.left, k, in), x.state(running, in), in, func() {
		x.cur.Append(&ssa.Instr{Op: ssa.OpBreak, Target: loop, Args: []*ssa.Value{k}, Pos: in.Pos, Stmt: in.Stmt})
	})
	x.cur.Append(&ssa.Instr{Op: ssa.OpContinue, Target: loop, Args: []*ssa.Value{k}, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = loop.NewBlock()
	p := x.cur.AddParam(ssa.Int64, "first")
	x.cur.Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{x.emit(ssa.OpAdd, in, ssa.Int64, p, x.constant(1, in))}, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = outer
	return loop.AddResult(ssa.Int64, "first")
}

// ifEqual makes an If without an else block; then ends its block.
func (x *fission) ifEqual(a, b *ssa.Value, in *ssa.Instr, then func()) {
	n := x.cur.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{x.emit(ssa.OpEq, in, ssa.Bool, a, b)}, Pos: in.Pos, Stmt: in.Stmt})
	outer := x.cur
	x.cur = n.NewBlock()
	then()
	x.cur = n.NewBlock()
	x.cur.Append(&ssa.Instr{Op: ssa.OpYield, Pos: in.Pos, Stmt: in.Stmt})
	x.cur = outer
}

// emit makes an instruction with one result for the sake of in.
func (x *fission) emit(op ssa.Op, in *ssa.Instr, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return x.cur.Append(&ssa.Instr{Op: op, Args: args, Pos: in.Pos, Stmt: in.Stmt}, t).Result()
}

func (x *fission) constant(n uint64, in *ssa.Instr) *ssa.Value {
	v := x.emit(ssa.OpConst, in, ssa.Int64)
	v.Def.Const = ssa.IntConst(ssa.Int64, n)
	return v
}

// state is what left holds of a lane.
func (x *fission) state(n int, in *ssa.Instr) *ssa.Value {
	t := x.left.Type.(ssa.Slice).Elem
	v := x.emit(ssa.OpConst, in, t)
	v.Def.Const = ssa.IntConst(t, uint64(n))
	return v
}

// place is the address of a lane's place in an array.
func (x *fission) place(slot, lane *ssa.Value, in *ssa.Instr) *ssa.Value {
	return x.emit(ssa.OpIndexAddr, in, ssa.Pointer{Elem: slot.Type.(ssa.Slice).Elem}, slot, lane)
}

func (x *fission) load(slot, lane *ssa.Value, in *ssa.Instr) *ssa.Value {
	return x.emit(ssa.OpLoad, in, slot.Type.(ssa.Slice).Elem, x.place(slot, lane, in))
}

func (x *fission) store(slot, lane, v *ssa.Value, in *ssa.Instr) {
	x.cur.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{x.place(slot, lane, in), v}, Pos: in.Pos, Stmt: in.Stmt})
}

// forLanes makes a phase of what body makes.
func (x *fission) forLanes(in *ssa.Instr, body func(lane *ssa.Value)) {
	n := x.cur.Append(&ssa.Instr{Op: ssa.OpFor, Args: []*ssa.Value{x.lanes}, Pos: in.Pos})
	outer := x.cur
	x.cur = n.NewBlock()
	body(x.cur.AddParam(ssa.Int64, "lane"))
	if x.cur.Terminator() == nil {
		x.cur.Append(&ssa.Instr{Op: ssa.OpYield, Pos: in.Pos, Stmt: in.Stmt})
	}
	x.cur = outer
}
