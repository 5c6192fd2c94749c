package build

import (
	"encoding/binary"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// Small tests whether a launch is small ([ssa.SmallLimit]), so that it can run a narrow build.
type Small struct {
	Lengths []int // offsets of the lengths of slices in the argument struct
	Numbers []int // and of other numbers that have to be small
}

// Holds reports whether a launch with the arguments that are packed in buf is small. For a Block kernel, threads is the
// number of blocks.
func (s *Small) Holds(threads int, buf []byte) bool {
	ok := threads < ssa.SmallLimit
	for _, at := range s.Lengths {
		ok = ok && binary.NativeEndian.Uint64(buf[at:]) < ssa.SmallLimit
	}
	for _, at := range s.Numbers {
		n := int64(binary.NativeEndian.Uint64(buf[at:]))
		ok = ok && -ssa.SmallLimit < n && n < ssa.SmallLimit
	}
	return ok
}

// SmallOf returns the test for a kernel of a narrow module, nil for other modules.
func SmallOf(m *ssa.Module, k *ssa.Func, layout abi.Layout) *Small {
	if !m.Narrow {
		return nil
	}
	s := new(Small)
	for i, p := range k.Params()[1:] {
		s.add(p.Type, layout.Offsets[i])
	}
	for _, n := range k.Small {
		s.Numbers = append(s.Numbers, layout.Offsets[n.Param-1]+n.Offset)
	}
	return s
}

// add notes the slices in a value of a type, which is at an offset.
func (s *Small) add(t ssa.Type, at int) {
	switch t := t.(type) {
	case ssa.Slice:
		s.Lengths = append(s.Lengths, at+8)
	case *ssa.Struct:
		for i, f := range t.Fields {
			s.add(f.Type, at+t.Offset(i))
		}
	case ssa.Array:
		if !ssa.HoldsAddress(t.Elem) {
			return
		}
		for i := range t.Len {
			s.add(t.Elem, at+i*t.Elem.Size())
		}
	}
}
