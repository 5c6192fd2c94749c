package analysis

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// Facts about two addresses that have one root (see [ssa.Value.Root]).

// Path is the instructions from an address's root to it.
func Path(addr *ssa.Value) []*ssa.Instr {
	var path []*ssa.Instr
	for root := addr.Root(); addr != root; addr = addr.Def.Args[0] {
		path = append(path, addr.Def)
	}
	slices.Reverse(path)
	return path
}

// Disjoint reports whether two addresses within one root are certain to be of
// different parts: other fields, be it of different elements, or other elements.
func Disjoint(a, b *ssa.Value) bool {
	x, y := Path(a), Path(b)
	for i := range min(len(x), len(y)) {
		s, t := x[i], y[i]
		if s.Op != t.Op {
			return false
		}
		switch s.Op {
		case ssa.OpSubslice:
			return false
		case ssa.OpFieldAddr:
			if s.Index != t.Index {
				return true
			}
		case ssa.OpElemAddr, ssa.OpIndexAddr:
			m, isConst := s.Args[1].Const()
			if n, ok := t.Args[1].Const(); ok && isConst && m != n {
				return true
			}
		}
	}
	return false
}
