package emit

import (
	"slices"
	"sort"

	"github.com/qdgen/qd/ssa"
)

// This file tells which reads of memory may be printed after which writes: those
// that the writes cannot change.

// A write is an instruction that may change memory, and its place in the text's order.
type write struct {
	pos int
	in  *ssa.Instr
}

// disturbed reports whether something between two places may change what in reads.
func (p *plan) disturbed(in *ssa.Instr, from, to int) bool {
	i := sort.Search(len(p.writes), func(i int) bool { return p.writes[i].pos >= from })
	for ; i < len(p.writes) && p.writes[i].pos < to; i++ {
		if in.Op != ssa.OpLoad || p.mayChange(p.writes[i].in, in.Args[0]) {
			return true
		}
	}
	return false
}

// mayChange reports whether a write may change what a pointer points to.
func (p *plan) mayChange(w *ssa.Instr, ptr *ssa.Value) bool {
	root := rootOf(ptr)
	switch w.Op {
	case ssa.OpStore, ssa.OpAtomic:
		to := rootOf(w.Args[0])
		switch {
		case to == root:
			return !disjoint(w.Args[0], ptr)
		case isLocal(root) && p.isArgument(to):
			return false
		case isLocal(to):
			return !p.isArgument(root) && !isLocal(root) && p.escapes(to)
		}
	case ssa.OpPrintf:
		return false
	}
	return !isLocal(root) || p.escapes(root)
}

// rootOf is what an address is part of: the variable, the slice or the pointer that it
// was found by.
func rootOf(ptr *ssa.Value) *ssa.Value {
	for ptr.Def != nil {
		switch ptr.Def.Op {
		case ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpIndexAddr, ssa.OpSubslice:
			ptr = ptr.Def.Args[0]
		default:
			return ptr
		}
	}
	return ptr
}

// disjoint reports whether two addresses within one root are certain to be of
// different parts: other fields, be it of different elements, or other elements.
func disjoint(a, b *ssa.Value) bool {
	x, y := steps(a), steps(b)
	for i := range min(len(x), len(y)) {
		s, t := x[i], y[i]
		if s.Op != t.Op || s.Op == ssa.OpSubslice {
			return false
		}
		if s.Op == ssa.OpFieldAddr {
			if s.Index != t.Index {
				return true
			}
			continue
		}
		m, isConst := s.Args[1].Const()
		if n, ok := t.Args[1].Const(); ok && isConst && m != n {
			return true
		}
	}
	return false
}

// steps are the instructions from an address's root to it.
func steps(ptr *ssa.Value) []*ssa.Instr {
	var s []*ssa.Instr
	for root := rootOf(ptr); ptr != root; ptr = ptr.Def.Args[0] {
		s = append(s, ptr.Def)
	}
	slices.Reverse(s)
	return s
}

// isArgument reports whether a root is one that the launch, or the caller, gives: no
// variable of this function is in it.
func (p *plan) isArgument(root *ssa.Value) bool { return root.Def == nil && root.Block == p.fn.Body }

// escapes reports whether a variable may be reached otherwise than by its name: whether its address,
// or one within it, is used for anything but to read and write there.
func (p *plan) escapes(local *ssa.Value) bool {
	known, ok := p.escaping[local]
	if !ok {
		known = p.leaks(local)
		p.escaping[local] = known
	}
	return known
}

func (p *plan) leaks(ptr *ssa.Value) bool {
	for _, u := range p.users[ptr.ID] {
		switch {
		case u.Op == ssa.OpLoad, u.Op == ssa.OpCheck, u.Op == ssa.OpStore && u.Args[1] != ptr, u.Op == ssa.OpAtomic && u.Args[0] == ptr:
		case u.Op == ssa.OpFieldAddr, u.Op == ssa.OpElemAddr:
			if p.leaks(u.Results[0]) {
				return true
			}
		default:
			return true
		}
	}
	return false
}
