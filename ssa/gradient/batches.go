package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// What the threads of a launch keep may be too much for the memory that there is. With [Options.Batches] the backward
// kernel differentiates some of the threads at a time: it is launched over the threads of a batch, in one dimension,
// and has as parameters the first of them and the dimensions of the launch. What it keeps is for the threads of a
// batch.

// batchParams is how many parameters tell a batch.
const batchParams = 5

// batch lets the kernel ask its parameters where in the launch its thread is. It reports whether it can: where the
// thread is in its block it does not tell. Functions with derivatives of their own that are given the thread become
// part of the kernel: they ask, too.
func (r *sweep) batch() bool {
	opt.Inline(r.to, new(analysis.Summaries), isGivenThread)
	own := make(map[*ssa.Instr]bool) // what asks for the thread's place among those that keep
	for _, s := range r.memories {
		for _, v := range []*ssa.Value{s.thread, s.stride} {
			for v.Def != nil && v.Def.Op == ssa.OpMul {
				own[v.Def.Args[1].Def] = true
				v = v.Def.Args[0]
			}
			own[v.Def] = true
		}
	}
	body := r.to.Body
	var asked []*ssa.Instr
	can := true
	body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpThreadID, ssa.OpThreadDim:
			if !own[in] {
				asked = append(asked, in)
			}
		case ssa.OpLane, ssa.OpBlockID, ssa.OpBlockDim, ssa.OpSync, ssa.OpShared:
			can = false
		case ssa.OpCall:
			can = can && !isGivenThread(in)
		}
	})
	if !can {
		return false
	}
	first := body.AddParam(ssa.Int64, "first") // batchParams of them
	var dims [4]*ssa.Value
	for axis := range dims {
		dims[axis] = body.AddParam(ssa.Int64, "dim"+string(rune('0'+axis)))
	}
	// All of it stands at the beginning; what nobody uses goes.
	end := len(body.Instrs)
	r.b, r.stmt, r.pos = body, nil, ssa.Pos{}
	flat := r.op(ssa.OpAdd, ssa.Int64, first, r.flat())
	flat.Name = "flat"
	places := make(map[*ssa.Instr]*ssa.Value)
	for _, in := range asked {
		if in.Op == ssa.OpThreadDim {
			places[in] = dims[in.Axis]
			continue
		}
		index := flat
		for axis := int(in.Rank) - 1; axis > int(in.Axis); axis-- {
			index = r.op(ssa.OpDiv, ssa.Int64, index, dims[axis])
		}
		if in.Axis > 0 {
			index = r.op(ssa.OpRem, ssa.Int64, index, dims[in.Axis])
		}
		places[in] = index
	}
	added := slices.Clone(body.Instrs[end:])
	body.SetInstrs(slices.Concat(added, body.Instrs[:end]))
	r.to.Rank = 1
	for in, v := range places {
		in.Result().ForwardTo(v)
	}
	body.Walk(func(in *ssa.Instr) { in.Resolve() })
	return true
}

// isGivenThread reports whether a call has the thread among its arguments.
func isGivenThread(call *ssa.Instr) bool {
	return slices.ContainsFunc(call.Args, func(v *ssa.Value) bool { return v.Type == ssa.Thread || v.Type == ssa.BlockPlace })
}
