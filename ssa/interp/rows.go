package interp

import (
	"encoding/binary"

	"github.com/qdgen/qd/ssa"
)

// inRows gives the thread that runs its row, and its place in that: see [ssa.Rows]. The environment is the caller's, and stays
// as it is.
func (m *machine) inRows(fr *frame, f *function, rows *ssa.Rows) {
	env := *m.env
	width := f.rowValue(fr, rows.Width)
	env.Place.ID = [4]int64{}
	if width != 0 {
		env.Place.ID[0], env.Place.ID[1] = env.Place.Flat/width, env.Place.Flat%width
	}
	m.env = &env
}

// rowValue is a number that is the same for all threads of a launch.
func (f *function) rowValue(fr *frame, v *ssa.RowValue) int64 {
	arg := func(i int) int64 { return f.rowValue(fr, v.Args[i]) }
	n := v.Const
	switch v.Op {
	case ssa.OpConst:
	case ssa.OpThreadDim:
		n = fr.m.env.Place.Dim[v.Axis]
	case ssa.OpConvert:
		n = arg(0)
	case ssa.OpMin:
		n = min(arg(0), arg(1))
	case ssa.OpMax:
		n = max(arg(0), arg(1))
	case ssa.OpAdd:
		n = arg(0) + arg(1)
	case ssa.OpSub:
		n = arg(0) - arg(1)
	case ssa.OpMul:
		n = arg(0) * arg(1)
	case ssa.OpDiv:
		n = arg(0) / arg(1)
	case ssa.OpRem:
		n = arg(0) % arg(1)
	case ssa.OpLen:
		n = int64(fr.get(f.rowPlace(v.Args[0]) + 8))
	default:
		at := f.rowPlace(v)
		t := v.Type.(ssa.Basic)
		var bytes [8]byte
		copy(bytes[:], fr.b[at:at+t.Size()])
		n = int64(extend(t, binary.LittleEndian.Uint64(bytes[:])))
	}
	return n + v.Plus
}

// rowPlace is where a parameter of a kernel is, or a field of one.
func (f *function) rowPlace(v *ssa.RowValue) int {
	if v.Op == ssa.OpField {
		return f.rowPlace(v.Args[0]) + v.Args[0].Type.(*ssa.Struct).Offset(v.Index)
	}
	return f.places[f.source.Params()[v.Index+1].ID]
}
