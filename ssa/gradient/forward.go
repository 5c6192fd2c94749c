package gradient

import "github.com/qdgen/qd/ssa"

// This file is the forward sweep: the kernel once more, without what it writes and does not read, and with what is
// kept.

// again appends what instructions of the kernel compute.
func (r *sweep) again(ins []*ssa.Instr) {
	for _, in := range ins {
		switch in.Op {
		case ssa.OpIf:
			r.againIf(in)
		case ssa.OpLoop:
			r.againLoop(in)
		case ssa.OpStore, ssa.OpCopy, ssa.OpAtomic:
			if r.isRewritten(in.Args[0]) && r.isWrittenAgain(in.Args[0]) {
				copyInstr(in, r.b, r.forward)
			} else if in.Op == ssa.OpCopy {
				r.forward.put(in.Result(), r.copied(r.computed(in.Args)))
			}
		case ssa.OpLaunch:
			copyInstr(in, r.b, r.forward).Callee = r.parts[in.Callee].forward
		case ssa.OpCall:
			call := copyInstr(in, r.b, r.forward)
			if again := in.Callee.Replay; again != nil {
				call.Callee = again
			}
		default:
			copyInstr(in, r.b, r.forward)
		}
	}
}

// copied is how many elements a copy copies.
func (r *sweep) copied(slices []*ssa.Value) *ssa.Value {
	n, m := r.op(ssa.OpLen, ssa.Int64, slices[0]), r.op(ssa.OpLen, ssa.Int64, slices[1])
	return r.op(ssa.OpMin, ssa.Int64, n, m)
}

func (r *sweep) computed(vs []*ssa.Value) []*ssa.Value {
	out := make([]*ssa.Value, len(vs))
	for i, v := range vs {
		out[i] = r.forward.get(v)
	}
	return out
}

// againIf appends an If, which gives what is kept of its blocks too.
func (r *sweep) againIf(in *ssa.Instr) {
	hands := r.hands[in]
	if r.quiet > 0 { // nobody asks for them
		hands = nil
	}
	back := r.keepHeights()
	risen := r.risenIn(in)
	n := r.b.Append(&ssa.Instr{Op: ssa.OpIf, Args: r.computed(in.Args), Pos: in.Pos, Stmt: in.Stmt})
	for k, b := range in.Blocks {
		r.in(n.NewBlock(), func() {
			r.again(b.Instrs[:len(b.Instrs)-1])
			gives := r.computed(b.Terminator().Args)
			for _, v := range hands {
				if v.Home().Inside(in.Blocks[k]) {
					gives = append(gives, r.forward.get(v))
				} else {
					gives = append(gives, r.zero(v.Type))
				}
			}
			for _, s := range risen {
				gives = append(gives, r.orNone(s.height))
			}
			r.b.Append(&ssa.Instr{Op: ssa.OpYield, Args: gives, Pos: in.Pos, Stmt: in.Stmt})
		})
		back()
	}
	for _, v := range append(in.Results[:len(in.Results):len(in.Results)], hands...) {
		r.forward.put(v, n.AddResult(v.Type, v.Name))
	}
	for _, s := range risen {
		s.height = n.AddResult(ssa.Int64, "")
	}
}

// againLoop appends a loop, whose turns push what is kept of them.
func (r *sweep) againLoop(in *ssa.Instr) {
	defer r.enterStrip(in)()
	r.before(in)
	n := r.b.Append(&ssa.Instr{Op: ssa.OpLoop, Args: r.computed(in.Args), Pos: in.Pos, Stmt: in.Stmt})
	for range 3 {
		n.NewBlock()
	}
	for k, v := range in.Cond().Params {
		r.forward.put(v, n.Cond().AddParam(v.Type, v.Name))
		p := in.Post().Params[k]
		r.forward.put(p, n.Post().AddParam(p.Type, p.Name))
	}
	for k, b := range in.Blocks {
		r.in(n.Blocks[k], func() {
			end := b.Terminator()
			r.again(b.Instrs[:len(b.Instrs)-1])
			last := &ssa.Instr{Op: end.Op, Args: r.computed(end.Args), Pos: end.Pos, Stmt: end.Stmt}
			if end.Op == ssa.OpContinue {
				last.Target = n
				r.pushAll(in)
			}
			r.b.Append(last)
		})
	}
	for _, v := range in.Results {
		r.forward.put(v, n.AddResult(v.Type, v.Name))
	}
	r.behind(in)
}
