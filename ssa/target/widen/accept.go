package widen

import (
	"github.com/qdgen/qd/ssa"
)

// accept is why there can be no vectors for the code of a thread, "" if there can.
func (w *widener) accept() (why string) {
	w.thread.Body.Walk(func(in *ssa.Instr) {
		if why != "" {
			return
		}
		if why = w.refusal(in); why != "" {
			why = place(in) + why
		}
	})
	if why == "" && w == w.calls.root && w.calls.localBytes() > maxLocals {
		return tooLarge
	}
	return why
}

// refusal is what there are no vectors for in an instruction.
func (w *widener) refusal(in *ssa.Instr) string {
	if w.calls.isInTurn(in) {
		return w.refuseInTurn(in)
	}
	switch in.Op {
	case ssa.OpCall:
		return w.refuseCall(in)
	case ssa.OpLocal:
		if w.uniform(in.Results) {
			return ""
		}
		return w.refuseLocal(in)
	case ssa.OpAtomic:
		return w.refuseAtomic(in)
	case ssa.OpPrintf, ssa.OpFor, ssa.OpSync, ssa.OpShared, ssa.OpLaunch:
		return in.Op.String()
	case ssa.OpCheck, ssa.OpPanic:
		return w.refuseStop(in)
	case ssa.OpStore:
		if !w.uniform(in.Args[:1]) {
			return w.refuseAddress(in.Args[0], in.Args[1].Type)
		}
		if !w.uniform(in.Args[1:]) {
			return refuseType(in.Args[1].Type)
		}
		return ""
	}
	for _, b := range in.Blocks {
		if why := w.refuseValues(b.Params); why != "" {
			return why
		}
	}
	if w.uniform(in.Results) {
		return ""
	}
	switch {
	case in.Op.IsPath():
		return "" // what uses the place tells
	case in.Op == ssa.OpIf || in.Op == ssa.OpLoop:
	case in.Op == ssa.OpLoad:
		return w.refuseAddress(in.Args[0], in.Results[0].Type)
	case in.Op == ssa.OpElem:
		if c, ok := in.Args[1].Const(); !ok || uint64(c.Int()) >= uint64(in.Args[0].Type.(ssa.Array).Len) {
			return "an index of an array that is known only at run time"
		}
	case in.Op == ssa.OpThreadID && in.Rank > 1 && w.facts.InBlock():
		return "an index along an axis of a launch, whose rows may end within a block"
	case in.Op.IsLanewise(), in.Op == ssa.OpMake, in.Op == ssa.OpField, in.Op == ssa.OpThreadID:
	default:
		return in.Op.String()
	}
	for _, a := range in.Args { // of a comparison, say
		if why := refuseType(a.Type); why != "" && a.Type != ssa.Type(ssa.Thread) {
			return why
		}
	}
	return w.refuseValues(in.Results)
}

// refuseValues is why there are no vectors for values.
func (w *widener) refuseValues(vs []*ssa.Value) string {
	for _, v := range vs {
		if !w.facts.IsUniform(v) {
			if why := refuseType(v.Type); why != "" {
				return why
			}
		}
	}
	return ""
}

// refuseType is why there are no vectors for a type.
func refuseType(t ssa.Type) string {
	if _, ok := leavesOf(t); !ok {
		return "a value of type " + t.String() + " that differs between threads"
	}
	return ""
}

// refuseAddress is why an access to what is at an address has no vectors.
func (w *widener) refuseAddress(ptr *ssa.Value, t ssa.Type) string {
	if local, _ := localOf(ptr); local != nil {
		if w.facts.IsUniform(local.Result()) {
			return "an element of a variable that all threads have in common"
		}
		return refuseType(t)
	}
	a, ok := addressOf(ptr)
	if !ok || !w.facts.IsUniform(a.slice) {
		return "an address that differs between threads otherwise than by an index"
	}
	return refuseType(t)
}
