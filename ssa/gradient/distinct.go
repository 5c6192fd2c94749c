package gradient

import (
	"strconv"

	"github.com/qdgen/qd/ssa"
)

// mayOverlap reports whether any two of the values that a launch of a Grid kernel is given may lead to the same memory,
// if the kernel's own slices are apart.
func mayOverlap(args []*ssa.Value) bool {
	for i, a := range args {
		for _, b := range args[:i] {
			if ssa.HoldsAddress(a.Type) && ssa.HoldsAddress(b.Type) && !(distinct{}).are(a, b) {
				return true
			}
		}
	}
	return false
}

// distinct proves that values lead to different memory. It has the pairs for which that is being shown: it holds of two
// variables of a loop if it holds at first, and in each turn if it did in the one before.
type distinct map[[2]*ssa.Value]bool

func (d distinct) are(a, b *ssa.Value) bool {
	a, xPath := whole(a)
	b, yPath := whole(b)
	switch {
	case isParam(a) && isParam(b):
		return a != b || len(xPath) == len(yPath) && xPath != yPath
	case a == b:
		return false
	case d[[2]*ssa.Value{a, b}] || d[[2]*ssa.Value{b, a}]:
		return true
	}
	d[[2]*ssa.Value{a, b}] = true
	if deeper(b, a) {
		a, b = b, a
	}
	in := joins(a)
	if in == nil {
		if a, b = b, a; joins(a) == nil {
			if isMade(a) {
				return d.madeOf(a, b)
			}
			return isMade(b) && d.madeOf(b, a)
		}
		in = joins(a)
	}
	k, m := a.Index(), -1
	if joins(b) == in {
		m = b.Index()
	}
	other := func(vs []*ssa.Value) *ssa.Value {
		if m < 0 {
			return b
		}
		return vs[m]
	}
	if in.Op == ssa.OpIf {
		for _, block := range in.Blocks {
			if vs := block.Terminator().Args; !d.are(vs[k], other(vs)) {
				return false
			}
		}
		return true
	}
	next := in.Post().Terminator().Args
	return d.are(in.Args[k], other(in.Args)) && d.are(next[k], other(next))
}

// isMade reports whether a value is made of others, or of nothing.
func isMade(v *ssa.Value) bool {
	return v.Def != nil && (v.Def.Op == ssa.OpMake || v.Def.Op == ssa.OpZero)
}

// madeOf reports whether no part of a value that is made of others leads to the memory of b.
func (d distinct) madeOf(a, b *ssa.Value) bool {
	for _, v := range a.Def.Args {
		if ssa.HoldsAddress(v.Type) && !d.are(v, b) {
			return false
		}
	}
	return true
}

// whole is what a value is a part of, and the fields on the way: of a slice of a slice, of a field of a struct, and of
// a variable behind a turn of a loop the value that it has then.
func whole(v *ssa.Value) (root *ssa.Value, path string) {
	for {
		switch {
		case v.Def != nil && v.Def.Op == ssa.OpSubslice:
			v = v.Def.Args[0]
		case v.Def != nil && v.Def.Op == ssa.OpField:
			path = "." + strconv.Itoa(int(v.Def.Index)) + path
			v = v.Def.Args[0]
		case v.Def == nil && v.Block.Owner != nil && v.Block.Owner.Op == ssa.OpLoop && v.Block == v.Block.Owner.Post():
			v = v.Block.Owner.Do().Terminator().Args[v.Index()]
		default:
			return v, path
		}
	}
}

func isParam(v *ssa.Value) bool { return v.Def == nil && v.Block.Owner == nil }

// joins is the If or the loop of which a value is a result or a variable, nil for none.
func joins(v *ssa.Value) *ssa.Instr {
	switch {
	case v.Def != nil && (v.Def.Op == ssa.OpIf || v.Def.Op == ssa.OpLoop):
		return v.Def
	case v.Def == nil && v.Block.Owner != nil && v.Block.Owner.Op == ssa.OpLoop && v.Block != v.Block.Owner.Do():
		return v.Block.Owner
	}
	return nil
}

// deeper reports whether a value is defined further inside than another.
func deeper(a, b *ssa.Value) bool {
	depth := func(v *ssa.Value) (n int) {
		for o := v.Home().Owner; o != nil; o = o.Block.Owner {
			n++
		}
		return n
	}
	return depth(a) > depth(b)
}
