package narrow

import (
	"math"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Facts has what holds of integers in the small launches of a module's kernels.
type Facts struct {
	ranges  map[*ssa.Func]*analysis.Ranges
	bounded map[*ssa.Value]bool // slices whose length is small, as far as it has been asked
}

// index has all that is an index, or a length, in a small launch.
var index = analysis.Interval{Lo: 0, Hi: ssa.SmallLimit - 1}

// FactsOf finds what holds in a module for small launches.
func FactsOf(m *ssa.Module) *Facts {
	k := &Facts{ranges: make(map[*ssa.Func]*analysis.Ranges), bounded: make(map[*ssa.Value]bool)}
	funcs := m.Device().Funcs
	given := make(map[*ssa.Func]*calls)
	for _, f := range m.Funcs {
		host := !slices.Contains(funcs, f)
		f.Body.Walk(func(in *ssa.Instr) {
			// The host calls with what is in no launch, and a recursive call stands in a callee of the one that it calls.
			if in.Callee != nil && (host || in.Op != ssa.OpCall) {
				given[in.Callee] = &calls{any: true}
			}
		})
	}
	for i := len(funcs) - 1; i >= 0; i-- { // callers before callees
		f := funcs[i]
		k.of(f, given[f])
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Callee == nil {
				return
			}
			c := given[in.Callee]
			if c == nil {
				c = new(calls)
				given[in.Callee] = c
			}
			c.add(k, f, in)
		})
	}
	return k
}

// Ranges bounds the integers of a function.
func (k *Facts) Ranges(f *ssa.Func) *analysis.Ranges { return k.ranges[f] }

// calls is what callers give to a function.
type calls struct {
	args    []analysis.Interval
	bounded []bool
	any     bool // there are no facts about a call
}

// add takes account of a call that stands in f.
func (c *calls) add(k *Facts, f *ssa.Func, in *ssa.Instr) {
	if c.any {
		return
	}
	first := c.args == nil
	if first {
		c.args, c.bounded = make([]analysis.Interval, len(in.Args)), make([]bool, len(in.Args))
	}
	for i, a := range in.Args {
		x, bounded := analysis.OfType(a.Type), k.isBounded(a)
		if isWide(a.Type) {
			x = k.ranges[f].Of(a)
		}
		if !first {
			x = join(x, c.args[i])
			bounded = bounded && c.bounded[i]
		}
		c.args[i], c.bounded[i] = x, bounded
	}
}

func join(x, y analysis.Interval) analysis.Interval {
	return analysis.Interval{Lo: min(x.Lo, y.Lo), Hi: max(x.Hi, y.Hi)}
}

// of notes the intervals of the values of a function that is called so.
func (k *Facts) of(f *ssa.Func, c *calls) {
	given := make(map[*ssa.Value]analysis.Interval)
	k.ranges[f] = &analysis.Ranges{Given: given}
	for i, p := range f.Params() {
		switch {
		case f.Kernel:
			k.bounded[p] = true
		case c != nil && !c.any && c.args != nil:
			k.bounded[p] = c.bounded[i]
			if p.Type == ssa.Int64 {
				given[p] = c.args[i]
			}
		}
	}
	small := make(map[ssa.Small]bool)
	for _, s := range f.Small {
		small[s] = true
	}
	number := analysis.Interval{Lo: 1 - ssa.SmallLimit, Hi: ssa.SmallLimit - 1}
	for i, p := range f.Params() {
		if small[ssa.Small{Param: i}] && p.Type == ssa.Int64 {
			given[p] = number
		}
	}
	f.Body.Walk(func(in *ssa.Instr) {
		if len(in.Results) != 1 {
			return
		}
		switch v := in.Results[0]; in.Op {
		case ssa.OpThreadID, ssa.OpBlockID, ssa.OpBlockIndex:
			given[v] = index
		case ssa.OpThreadDim:
			given[v] = analysis.Interval{Lo: 1, Hi: index.Hi}
		case ssa.OpLen:
			if k.isBounded(in.Args[0]) {
				given[v] = index
			}
		case ssa.OpCopy:
			if k.isBounded(in.Args[0]) || k.isBounded(in.Args[1]) {
				given[v] = index
			}
		case ssa.OpField, ssa.OpElem:
			if leaf, ok := leafOf(v); ok && small[leaf] {
				given[v] = number
			}
		}
	})
}

// leafOf is the place of an integer of 64 bits among the parameters of its function, if it is a part of one.
func leafOf(v *ssa.Value) (leaf ssa.Small, ok bool) {
	if v.Type != ssa.Int64 {
		return leaf, false
	}
	for v.Def != nil {
		switch d := v.Def; d.Op {
		case ssa.OpField:
			leaf.Offset += d.Args[0].Type.(*ssa.Struct).Offset(int(d.Index))
		case ssa.OpElem:
			i, ok := d.Args[1].Const()
			a := d.Args[0].Type.(ssa.Array)
			if !ok || i.Int() < 0 || i.Int() >= int64(a.Len) {
				return leaf, false
			}
			leaf.Offset += int(i.Int()) * a.Elem.Size()
		default:
			return leaf, false
		}
		v = v.Def.Args[0]
	}
	if v.Block.Owner != nil {
		return leaf, false
	}
	leaf.Param = v.Index()
	return leaf, true
}

// isBounded reports whether the length of a slice, or of each slice in a value, is small.
func (k *Facts) isBounded(v *ssa.Value) bool {
	if b, ok := k.bounded[v]; ok {
		return b
	}
	k.bounded[v] = false // one that depends on itself
	b := k.bound(v)
	k.bounded[v] = b
	return b
}

func (k *Facts) bound(v *ssa.Value) bool {
	in := v.Def
	if in == nil {
		return false
	}
	switch in.Op {
	case ssa.OpZero:
		return true
	case ssa.OpShared:
		return int64(in.Len) < ssa.SmallLimit
	case ssa.OpSliceOf:
		return in.Args[0].Type.(ssa.Pointer).Elem.(ssa.Array).Len < ssa.SmallLimit
	case ssa.OpField, ssa.OpElem:
		return k.isBounded(in.Args[0])
	case ssa.OpMake:
		for _, a := range in.Args {
			if ssa.HoldsAddress(a.Type) && !k.isBounded(a) {
				return false
			}
		}
		return true
	case ssa.OpSubslice:
		return k.shortens(in)
	case ssa.OpIf:
		for _, b := range in.Blocks {
			if t := b.Terminator(); t.Op == ssa.OpYield && !k.isBounded(t.Args[v.Index()]) {
				return false
			}
		}
		return true
	}
	return false
}

// shortens reports whether the result of an OpSubslice is short. Its end may be behind the end of the slice, where the
// array goes on. The difference of two numbers is small if the larger one is small and the other one is not negative.
func (k *Facts) shortens(in *ssa.Instr) bool {
	hi := in.Args[2]
	if d := hi.Def; d != nil && d.Op == ssa.OpLen && d.Args[0] == in.Args[0] {
		return k.isBounded(in.Args[0])
	}
	return k.ranges[in.Block.Func].Of(hi).Hi <= index.Hi
}

// isWide reports whether a value of the type has 64 bits of an integer.
func isWide(t ssa.Type) bool { return t == ssa.Int64 || t == ssa.Uint64 }

// fits reports whether int32 has all of an interval.
func fits(i analysis.Interval) bool { return i.Lo >= math.MinInt32 && i.Hi <= math.MaxInt32 }
