package frontend

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// This file lowers what a kernel asks of its block: the place in it, barriers and
// shared memory.

// maxShared is how many bytes of shared memory a kernel may have: what every GPU has
// without asking for more.
const maxShared = 48 << 10

// threads are what a kernel asks of its threads, of its block and of its grid.
type threads struct{ *builder }

// inBlock lowers the methods of qd.Thread that are about its block.
func (b threads) inBlock(e *ast.CallExpr, thread *ssa.Value, name string) []*ssa.Value {
	op := ssa.OpLane
	switch name {
	case "Lane":
	case "BlockID":
		op = ssa.OpBlockID
	case "BlockDim":
		op = ssa.OpBlockDim
	case "Sync":
		b.sync(e)
		return nil
	default:
		return []*ssa.Value{b.noValue("a method " + name + " of qd.Thread")}
	}
	return []*ssa.Value{b.op(e.Pos(), op, ssa.Int64, thread)}
}

// sync lowers a barrier.
func (b threads) sync(e *ast.CallExpr) {
	in := b.emit(e.Pos(), &ssa.Instr{Op: ssa.OpSync})
	if b.m.syncs == nil {
		b.m.syncs = make(map[*ssa.Instr]ast.Node)
	}
	b.m.syncs[in] = e
}

// shared lowers qd.Shared.
func (b threads) shared(e *ast.CallExpr, f *funcValue) *ssa.Value {
	if len(f.targs) == 0 || len(e.Args) != 2 {
		b.exprList(e.Args)
		return b.noValue("a call of Shared without a type argument")
	}
	place := b.expr(e.Args[0])
	elem, ok := b.m.typeOf(f.targs[0])
	if !ok || isPlace(elem) || holdsPointers(elem) || elem.Size() == 0 {
		b.m.refuse(e.Fun, "use numbers, bools, and structs and arrays of them", "shared memory cannot hold elements of type %s", b.m.typeString(f.targs[0]))
		return poison
	}
	length := b.expr(e.Args[1])
	c, ok := b.knownConst(length)
	if !ok {
		b.demandKnown(e.Args[1], length, "the length of shared memory")
		return poison
	}
	n := c.Int()
	switch {
	case n <= 0:
		b.m.refuse(e.Args[1], "the least is 1", "shared memory of %d elements", n)
		return poison
	case !b.fn.Kernel || !b.inBody() && !b.dead:
		b.m.refuse(e, "call it at the top level of the kernel, before the if or the loop", "shared memory that not all threads of a block have")
		return poison
	case n > maxShared || b.f.sharedBytes+int(n)*elem.Size() > maxShared:
		b.m.refuse(e, "use smaller tiles", "the kernel has %d bytes of shared memory with this; a block has at most %d", int64(b.f.sharedBytes)+n*int64(elem.Size()), maxShared)
		return poison
	}
	b.f.sharedBytes += int(n) * elem.Size()
	if place == poison {
		return poison
	}
	cur := b.cur
	if !b.dead && cur != b.fn.Body { // before the segment that it stands in
		at := len(b.fn.Body.Instrs) - 1
		segment := b.fn.Body.Instrs[at]
		b.fn.Body.Instrs = b.fn.Body.Instrs[:at]
		defer func() { b.fn.Body.Instrs = append(b.fn.Body.Instrs, segment) }()
		b.cur = b.fn.Body
	}
	memory := b.emit(e.Pos(), &ssa.Instr{Op: ssa.OpShared, Len: int(n)}, ssa.Slice{Elem: elem}).Result()
	b.cur = cur
	return memory
}

// inBody reports whether all threads come to where something is lowered: whether that is
// the function's own list of statements, or in segments that nothing has left so far.
func (b *Flow) inBody() bool {
	block := b.cur
	for _, s := range slices.Backward(b.segments) {
		if block != s.in.Do() || len(s.exits) > 0 {
			return false
		}
		block = s.outer
	}
	return block == b.fn.Body
}

// cooperates reports whether a function waits for the other threads of the block, or
// shares memory with them, itself or in what it calls. Calls of it are lowered into the kernel.
func (m *Syntax) cooperates(obj *types.Func) bool {
	obj = obj.Origin()
	if known, ok := m.cooperating[obj]; ok {
		return known
	}
	if m.cooperating == nil {
		m.cooperating = make(map[*types.Func]bool)
	}
	src := m.prog.Funcs[obj]
	if src == nil {
		recv := obj.Signature().Recv()
		return obj.Pkg() != nil && obj.Pkg().Path() == load.QDPath &&
			(obj.Name() == "Shared" && recv == nil || obj.Name() == "Sync" && recv != nil && isThread(recv.Type()))
	}
	m.cooperating[obj] = false // as far as the call that leads back to it is concerned
	found := false
	ast.Inspect(src.Decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			if f, ok := m.prog.Info.Uses[id].(*types.Func); ok {
				found = m.cooperates(f)
			}
		}
		return !found
	})
	m.cooperating[obj] = found
	return found
}

// checkSyncs refuses barriers that only some threads of a block come to, where that can be seen.
func (m *module) checkSyncs(fn *ssa.Func) {
	if len(m.syncs) == 0 || m.diags.Err() != nil {
		return
	}
	d := ssa.NewDivergence(fn)
	for _, in := range fn.Syncs() {
		if c, where := d.Sync(in); c == ssa.Divergent {
			m.refuse(m.syncs[in], "move it out, so that all threads of the block come to it; threads that are done may return before",
				"not all threads of a block come to this Sync: the condition at line %d depends on the thread's index", where.Pos.Line)
		}
	}
	if m.opts.Checked && m.diags.Err() == nil {
		d.CheckSyncs(fn)
	}
}

// blockCall lowers the methods of qd.Block.
func (b threads) blockCall(e *ast.CallExpr, block *ssa.Value, name string) []*ssa.Value {
	switch name {
	case "ID":
		return []*ssa.Value{b.op(e.Pos(), ssa.OpBlockID, ssa.Int64, block)}
	case "ID2":
		b.needRank(e, 2)
		ids := make([]*ssa.Value, 2)
		for axis := range ids {
			ids[axis] = b.emit(e.Pos(), &ssa.Instr{Op: ssa.OpBlockIndex, Axis: axis, Rank: 2, Args: []*ssa.Value{block}}, ssa.Int64).Result()
		}
		return ids
	case "For":
		return b.parallelFor(e, name, 1)
	}
	return []*ssa.Value{b.noValue("a method " + name + " of qd.Block")}
}

// checkLanes refuses writes of lanes to variables in memory that are declared outside of
// the parallel loop.
func (m *module) checkLanes(fn *ssa.Func) {
	if fn.Kind != ssa.BlockKernel || m.diags.Err() != nil {
		return
	}
	for _, c := range ssa.LaneWrites(fn) {
		name := c.Value.Name
		if name == "" {
			name = "a variable"
		}
		m.refuseCaptive(m.at(c.In.Pos), name)
	}
	for _, in := range ssa.PrivateResults(fn) {
		m.refuse(m.at(in.Pos), "return a value or an index instead", "a function that writes memory gives a pointer here, which only one thread of the block would get")
	}
}

// isBlock reports whether t is qd.Block.
func isBlock(t types.Type) bool { return isQD(t, "Block") }

// isPlace reports whether a type is that of a kernel's first parameter: there is only
// one value of it.
func isPlace(t ssa.Type) bool { return t == ssa.Thread || t == ssa.BlockPlace }

// onBlock reports whether a function is a method of qd.Block.
func onBlock(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && isBlock(recv.Type())
}
