package narrow

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// findSmall finds which numbers among the arguments of kernels are to be small in the launches that the narrow kernels
// are for: those that indices are computed of, and those that loops which count indices end at. Other numbers, times
// and seeds for example, may be large in any launch.
func findSmall(m *ssa.Module) {
	s := &smallFinder{marked: make(map[*ssa.Value]bool), leaves: make(map[*ssa.Func]map[ssa.Small]bool)}
	for _, f := range m.Device().Funcs { // callees before callers
		s.function(f)
		if f.Kernel {
			f.Small = s.sorted(f)
		}
	}
}

type smallFinder struct {
	marked map[*ssa.Value]bool // what indices are computed of
	leaves map[*ssa.Func]map[ssa.Small]bool
}

func (s *smallFinder) function(f *ssa.Func) {
	s.leaves[f] = make(map[ssa.Small]bool)
	for n := -1; n != len(s.marked); {
		n = len(s.marked)
		f.Body.Walk(s.look)
	}
}

// look marks what an instruction says to be an index, or to be compared with one.
func (s *smallFinder) look(in *ssa.Instr) {
	switch in.Op {
	case ssa.OpIndexAddr, ssa.OpElemAddr, ssa.OpElem:
		s.mark(in.Args[1])
	case ssa.OpFor:
		for _, a := range in.Args {
			s.mark(a)
		}
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe:
		if s.marked[in.Args[0]] || s.marked[in.Args[1]] {
			s.mark(in.Args[0])
			s.mark(in.Args[1])
		}
	case ssa.OpCall:
		for leaf := range s.leaves[in.Callee] {
			a := in.Args[leaf.Param]
			s.mark(a)
			s.parts(a, leaf.Offset)
		}
	}
}

// parts marks the number at an offset of an aggregate.
func (s *smallFinder) parts(v *ssa.Value, offset int) {
	if offset >= v.Type.Size() { // of a field that has no size, at the place of the next one
		return
	}
	if v.Def == nil && v.Block.Owner == nil && !isWide(v.Type) {
		s.leaf(v.Block.Func, ssa.Small{Param: v.Index(), Offset: offset})
		return
	}
	if v.Def == nil {
		return
	}
	switch d := v.Def; d.Op {
	case ssa.OpMake:
		if t, ok := v.Type.(*ssa.Struct); ok {
			for i, a := range d.Args {
				if at := t.Offset(i); at <= offset && offset < at+max(1, a.Type.Size()) {
					s.mark(a)
					s.parts(a, offset-at)
				}
			}
		}
	case ssa.OpField:
		s.parts(d.Args[0], offset+d.Args[0].Type.(*ssa.Struct).Offset(int(d.Index)))
	}
}

func (s *smallFinder) leaf(f *ssa.Func, l ssa.Small) {
	if s.leaves[f][l] {
		return
	}
	s.leaves[f][l] = true
}

// mark marks a value that an index is computed of.
func (s *smallFinder) mark(v *ssa.Value) {
	if v.Type != ssa.Int64 || s.marked[v] {
		return
	}
	s.marked[v] = true
	if l, ok := leafOf(v); ok {
		s.leaf(home(v), l)
		return
	}
	in := v.Def
	if in == nil {
		s.variable(v, v.Block.Owner)
		return
	}
	switch in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpMin, ssa.OpMax, ssa.OpNeg, ssa.OpDiv:
		for _, a := range in.Args {
			s.mark(a)
		}
	case ssa.OpRem: // what is divided may be a hash
		s.mark(in.Args[1])
	case ssa.OpShl, ssa.OpShr:
		s.mark(in.Args[0])
	case ssa.OpIf:
		for _, b := range in.Blocks {
			if t := b.Terminator(); t.Op == ssa.OpYield {
				s.mark(t.Args[v.Index()])
			}
		}
	case ssa.OpLoop:
		s.variable(v, in)
	}
}

// variable marks what a variable of a loop is set to, or the size that an index of an OpFor is below.
func (s *smallFinder) variable(v *ssa.Value, loop *ssa.Instr) {
	if loop == nil {
		return
	}
	k := v.Index()
	switch loop.Op {
	case ssa.OpFor:
		s.mark(loop.Args[k])
	case ssa.OpLoop:
		s.mark(loop.Args[k])
		s.mark(loop.Cond().Params[k])
		s.mark(loop.Post().Params[k])
		s.mark(loop.Results[k])
		if t := loop.Post().Terminator(); t.Op == ssa.OpYield {
			s.mark(t.Args[k])
		}
		for _, exit := range loop.Exits(ssa.OpContinue, loop.Exits(ssa.OpBreak, nil)) {
			s.mark(exit.Args[k])
		}
	}
}

// sorted are the numbers of a kernel, in order.
func (s *smallFinder) sorted(f *ssa.Func) (list []ssa.Small) {
	for l := range s.leaves[f] {
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b ssa.Small) int {
		if a.Param != b.Param {
			return a.Param - b.Param
		}
		return a.Offset - b.Offset
	})
	return list
}

// home is the function in which a value is.
func home(v *ssa.Value) *ssa.Func { return v.Home().Func }
