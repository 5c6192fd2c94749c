package lower

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file lowers what a kernel asks of its block: the place in it, barriers and
// shared memory.

// maxShared is how many bytes of memory qd.Shared may make in a kernel: what every GPU has. Tiles may
// have more beside it.
const maxShared = 48 << 10

// threads lower the calls about a kernel's threads, its block and its grid.
type threads struct{ b *builder }

// inBlock lowers the methods of qd.Thread that are about its block.
func (t threads) inBlock(e *ast.CallExpr, thread *ssa.Value, name string) []*ssa.Value {
	op := ssa.OpLane
	switch name {
	case "Lane":
	case "BlockID":
		op = ssa.OpBlockID
	case "BlockDim":
		op = ssa.OpBlockDim
	case "Sync":
		t.sync(e)
		return nil
	default:
		return []*ssa.Value{t.b.NoValue("a method " + name + " of qd.Thread")}
	}
	return []*ssa.Value{t.b.Op(e.Pos(), op, ssa.Int64, thread)}
}

// sync lowers a barrier.
func (t threads) sync(e *ast.CallExpr) {
	in := t.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpSync})
	if t.b.m.syncs == nil {
		t.b.m.syncs = make(map[*ssa.Instr]ast.Node)
	}
	t.b.m.syncs[in] = e
}

// shared lowers qd.Shared.
func (t threads) shared(e *ast.CallExpr, f *eval.Func) *ssa.Value {
	if len(f.Targs) == 0 || len(e.Args) != 2 {
		t.b.exprList(e.Args)
		return t.b.NoValue("a call of Shared without a type argument")
	}
	place := t.b.expr(e.Args[0])
	elem, ok := t.b.m.TypeOf(f.Targs[0])
	if !ok || check.IsPlace(elem) || check.HoldsPointers(elem) || elem.Size() == 0 {
		t.b.m.Refuse(e.Fun, "use numbers, bools, and structs and arrays of them", "shared memory cannot hold elements of type %s", t.b.m.TypeString(f.Targs[0]))
		return eval.Poison
	}
	length := t.b.expr(e.Args[1])
	c, ok := t.b.KnownConst(length)
	if !ok {
		t.b.DemandKnown(e.Args[1], length, "the length of shared memory")
		return eval.Poison
	}
	n := c.Int()
	switch {
	case n <= 0:
		t.b.m.Refuse(e.Args[1], "the minimum is 1", "shared memory of %d elements", n)
		return eval.Poison
	case !t.b.Func.Kernel || !t.b.inBody() && !t.b.Dead:
		t.b.m.Refuse(e, "call it at the top level of the kernel, before the if or the loop", "this shared memory is not reached by all threads of a block")
		return eval.Poison
	case n > maxShared || t.b.Function.SharedBytes+int(n)*elem.Size() > maxShared:
		t.b.m.Refuse(e, "use smaller tiles", "this brings the shared memory of the kernel to %d bytes; a block has at most %d", int64(t.b.Function.SharedBytes)+n*int64(elem.Size()), maxShared)
		return eval.Poison
	}
	t.b.Function.SharedBytes += int(n) * elem.Size()
	if place == eval.Poison {
		return eval.Poison
	}
	cur := t.b.Cur
	if !t.b.Dead && cur != t.b.Func.Body { // before the segment that it stands in
		at := len(t.b.Func.Body.Instrs) - 1
		segment := t.b.Func.Body.Instrs[at]
		t.b.Func.Body.Instrs = t.b.Func.Body.Instrs[:at]
		defer func() { t.b.Func.Body.Instrs = append(t.b.Func.Body.Instrs, segment) }()
		t.b.Cur = t.b.Func.Body
	}
	memory := t.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpShared, Len: int32(n)}, ssa.Slice{Elem: elem}).Result()
	t.b.Cur = cur
	return memory
}

// inBody reports whether all threads come to where something is lowered: whether that is
// the function's own list of statements, or in segments that nothing has left so far.
func (b *Flow) inBody() bool {
	block := b.Cur
	for _, s := range slices.Backward(b.segments) {
		if block != s.in.Do() || len(s.exits) > 0 {
			return false
		}
		block = s.outer
	}
	return block == b.Func.Body
}

// checkSyncs refuses barriers that only some threads of a block come to, where that can be seen.
func (m *Module) checkSyncs(fn *ssa.Func) {
	if len(m.syncs) == 0 || m.Diags.Err() != nil {
		return
	}
	d := analysis.NewDivergence(fn)
	for _, in := range analysis.Syncs(fn) {
		if c, where := d.Sync(in); c == analysis.Divergent {
			m.Refuse(m.syncs[in], "move it out of the condition, so that all threads of the block reach it; threads that are done may return earlier",
				"not all threads of a block reach this Sync: the condition at line %d depends on the thread's index", where.Pos.Line)
		}
	}
	if m.Opts.Checked && m.Diags.Err() == nil {
		addSyncChecks(fn, d)
	}
}

// addSyncChecks adds a check before conditions that decide whether the threads of a block come to a barrier together.
// It leaves out conditions that are proven to be the same in all threads.
func addSyncChecks(f *ssa.Func, d *analysis.Divergence) {
	for _, at := range d.UnknownConditions(f) {
		before := at
		if at.Op == ssa.OpLoop {
			before = at.Cond().Terminator()
		}
		b := before.Block
		check := &ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckSync, Args: []*ssa.Value{analysis.Condition(at)}, Block: b, Pos: at.Pos, Stmt: at.Stmt}
		b.Instrs = slices.Insert(b.Instrs, slices.Index(b.Instrs, before), check)
	}
}

// blockCall lowers the methods of qd.Block.
func (t threads) blockCall(e *ast.CallExpr, block *ssa.Value, name string) []*ssa.Value {
	switch name {
	case "ID":
		return []*ssa.Value{t.b.Op(e.Pos(), ssa.OpBlockID, ssa.Int64, block)}
	case "ID2", "ID3":
		rank := int(name[2] - '0')
		t.needRank(e, rank)
		ids := make([]*ssa.Value, rank)
		for axis := range ids {
			ids[axis] = t.b.Emit(e.Pos(), &ssa.Instr{Op: ssa.OpBlockIndex, Axis: int8(axis), Rank: int8(rank), Args: []*ssa.Value{block}}, ssa.Int64).Result()
		}
		return ids
	case "For":
		return t.parallelFor(e, name, 1, false)
	case "For2":
		return t.parallelFor(e, name, 2, true)
	}
	return []*ssa.Value{t.b.NoValue("a method " + name + " of qd.Block")}
}

// laneCount is the number of lanes of a loop over two indices, and lanePair what these are in a lane: lanes are
// numbered.
func (t threads) laneCount(pos token.Pos, sizes []*ssa.Value) *ssa.Value {
	zero := t.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, 0))
	n, m := t.b.Op(pos, ssa.OpMax, ssa.Int64, sizes[0], zero), t.b.Op(pos, ssa.OpMax, ssa.Int64, sizes[1], zero)
	return t.b.Op(pos, ssa.OpMul, ssa.Int64, n, m)
}

func (t threads) lanePair(pos token.Pos, lane *ssa.Value, sizes []*ssa.Value) []*ssa.Value {
	return []*ssa.Value{t.b.Op(pos, ssa.OpDiv, ssa.Int64, lane, sizes[1]), t.b.Op(pos, ssa.OpRem, ssa.Int64, lane, sizes[1])}
}

// checkLanes refuses writes of lanes to variables in memory that are declared outside of
// the parallel loop.
func (m *Module) checkLanes(fn *ssa.Func) {
	if fn.Kind != ssa.BlockKernel || m.Diags.Err() != nil {
		return
	}
	for _, c := range analysis.LaneWrites(fn) {
		m.RefuseCaptive(m.At(c.In.Pos), nameOf(c.Value), fn.Kind)
	}
	for _, in := range analysis.AddressResults(fn) {
		m.Refuse(m.At(in.Pos), "return a value or an index instead", "a function that writes memory returns a pointer here, but only one thread of the block would get it")
	}
}
