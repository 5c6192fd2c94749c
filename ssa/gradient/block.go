package gradient

import "github.com/qdgen/qd/ssa"

// This file makes the code of a block that of its threads: a Block kernel becomes a kernel of a thread with barriers,
// of which the backward kernel is made. The threads share the indices of a parallel loop. Between the loops each of
// them computes the same. What is done there to memory that all have, the first thread does, between barriers.
//
// The derivatives are right: that of a value that all threads compute is the sum of what each of them does with its
// own.
//
// A launch over n1, n2 blocks becomes one over n1, n2 and the number of threads in a block.

// threadsOf rewrites a Block kernel whose calls have been replaced by bodies.
func (d *differ) threadsOf(f *ssa.Func) {
	f.Kind = ssa.ThreadKernel
	if f.Rank > 0 {
		f.Rank++
	}
	t := &threads{differ: d, place: f.Params()[0]}
	t.place.Type = ssa.Thread
	t.block(f.Body)
	f.Body.Walk(func(in *ssa.Instr) { in.Resolve() })
}

// threads is the rewriting of a Block kernel.
type threads struct {
	*differ
	place *ssa.Value
	b     *ssa.Block // where it appends
	like  *ssa.Instr // whose statement is appended
}

func (t *threads) op(op ssa.Op, typ ssa.Type, args ...*ssa.Value) *ssa.Value {
	return t.append(&ssa.Instr{Op: op, Args: args}, typ).Result()
}

func (t *threads) append(in *ssa.Instr, results ...ssa.Type) *ssa.Instr {
	in.Pos, in.Stmt = t.like.Pos, t.like.Stmt
	return t.b.Append(in, results...)
}

func (t *threads) int(n int64) *ssa.Value {
	return t.append(&ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, uint64(n))}, ssa.Int64).Result()
}

func (t *threads) sync() {
	if n := len(t.b.Instrs); n == 0 || t.b.Instrs[n-1].Op != ssa.OpSync {
		t.append(&ssa.Instr{Op: ssa.OpSync})
	}
}

// block rewrites a block of instructions that stands in no parallel loop.
func (t *threads) block(b *ssa.Block) {
	old := b.Instrs
	b.Instrs = nil
	for _, in := range old {
		for _, nested := range in.Blocks {
			if in.Op != ssa.OpFor {
				t.block(nested)
			}
		}
		t.b, t.like = b, in
		switch in.Op {
		case ssa.OpFor:
			t.sync()
			t.loop(in)
			t.sync()
		case ssa.OpStore, ssa.OpAtomic, ssa.OpCopy, ssa.OpCall:
			t.write(in)
		case ssa.OpBlockIndex:
			in.Results[0].ForwardTo(t.index(int(in.Axis), int(in.Rank)))
		default:
			b.Instrs = append(b.Instrs, in)
		}
	}
}

// index is the block's index along an axis of a launch.
func (t *threads) index(axis, rank int) *ssa.Value {
	id := t.op(ssa.OpBlockID, ssa.Int64, t.place)
	dim := func(axis int) *ssa.Value {
		return t.append(&ssa.Instr{Op: ssa.OpThreadDim, Axis: int8(axis), Args: []*ssa.Value{t.place}}, ssa.Int64).Result()
	}
	for a := rank - 1; a > axis; a-- {
		id = t.op(ssa.OpDiv, ssa.Int64, id, dim(a))
	}
	if axis > 0 {
		id = t.op(ssa.OpRem, ssa.Int64, id, dim(axis))
	}
	return id
}

// write appends what writes memory. If all threads have that, the first of them does it.
func (t *threads) write(in *ssa.Instr) {
	if in.Op == ssa.OpCall {
		if !t.callWrites(in) {
			t.b.Instrs = append(t.b.Instrs, in)
			return
		}
		t.refuse(in, "cannot differentiate a call of "+in.Callee.Name+", which writes memory, in the code of a block outside of its loops", "call it in a parallel loop over one index")
		return
	}
	r, ok := regionOf(in.Args[0])
	if !ok {
		t.refuse(in, "cannot differentiate an access to memory that a loop or other memory chooses", helpAddress)
		return
	}
	if r.isLocal() {
		t.b.Instrs = append(t.b.Instrs, in)
		return
	}
	if in.Op == ssa.OpAtomic && isUsed(t.place.Block.Func, in.Result()) {
		t.refuse(in, "cannot differentiate a kernel that uses the result of an atomic operation: it depends on the order of the blocks", helpOrder)
		return
	}
	if in.Op == ssa.OpCopy {
		in.Result().ForwardTo(t.op(ssa.OpMin, ssa.Int64, t.op(ssa.OpLen, ssa.Int64, in.Args[0]), t.op(ssa.OpLen, ssa.Int64, in.Args[1])))
		in.Results = nil
	}
	t.sync()
	first := t.op(ssa.OpEq, ssa.Bool, t.op(ssa.OpLane, ssa.Int64, t.place), t.int(0))
	once := t.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{first}})
	outer := t.b
	t.b = once.NewBlock()
	in.Block = t.b
	if in.Op == ssa.OpCopy {
		in.AddResult(ssa.Int64, "")
	}
	t.b.Instrs = append(t.b.Instrs, in)
	t.append(&ssa.Instr{Op: ssa.OpYield})
	t.b = once.NewBlock()
	t.append(&ssa.Instr{Op: ssa.OpYield})
	t.b = outer
	t.sync()
}

// loop appends the indices of a parallel loop that are the thread's.
func (t *threads) loop(in *ssa.Instr) {
	zero := t.int(0)
	sizes := make([]*ssa.Value, len(in.Args))
	var total *ssa.Value
	for i, n := range in.Args {
		if sizes[i] = t.op(ssa.OpMax, ssa.Int64, n, zero); total == nil {
			total = sizes[i]
		} else {
			total = t.op(ssa.OpMul, ssa.Int64, total, sizes[i])
		}
	}
	step := t.op(ssa.OpBlockDim, ssa.Int64, t.place)
	body := in.Blocks[0]
	name := body.Params[0].Name
	if len(sizes) > 1 {
		name = "flat"
	}
	loop := t.append(&ssa.Instr{Op: ssa.OpLoop, Args: []*ssa.Value{t.op(ssa.OpLane, ssa.Int64, t.place)}})
	loop.AddResult(ssa.Int64, name)
	outer := t.b
	t.b = loop.NewBlock()
	i := t.b.AddParam(ssa.Int64, name)
	t.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{t.op(ssa.OpLt, ssa.Bool, i, total)}})
	t.b = loop.NewBlock()
	rest := i
	for axis := len(sizes) - 1; axis >= 0; axis-- {
		index := rest
		if axis > 0 {
			index = t.op(ssa.OpRem, ssa.Int64, rest, sizes[axis])
			rest = t.op(ssa.OpDiv, ssa.Int64, rest, sizes[axis])
		}
		body.Params[axis].ForwardTo(index)
	}
	for _, inner := range body.Instrs {
		if inner.Op == ssa.OpYield && inner == body.Terminator() {
			t.append(&ssa.Instr{Op: ssa.OpContinue, Target: loop, Args: []*ssa.Value{i}})
			continue
		}
		inner.Block = t.b
		t.b.Instrs = append(t.b.Instrs, inner)
	}
	t.b = loop.NewBlock()
	next := t.b.AddParam(ssa.Int64, name)
	t.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{t.op(ssa.OpAdd, ssa.Int64, next, step)}})
	t.b = outer
}
