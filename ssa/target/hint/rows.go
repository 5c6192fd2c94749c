package hint

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Rows finds the matrices that are read by whole rows in the kernels of a module.
type Rows struct {
	turned *analysis.BottomUp[uint64] // the parameters of a function of which a column becomes a row
}

// NewRows is one that has found nothing yet. It holds as long as no instruction of the module changes.
func NewRows() *Rows {
	r := new(Rows)
	r.turned = analysis.NewBottomUp(r.findTurned)
	return r
}

// Of makes loads of matrices read whole rows in a kernel. It does so for matrices of four or eight columns that lie far
// apart, if a column of them becomes a row: compilers then turn rows over in registers, and do not pick up the elements
// one by one. Elsewhere the rows would only be copied. Kernels whose threads run in vectors shuffle matrices otherwise.
func (r *Rows) Of(k *ssa.Func) {
	turned := make(map[*ssa.Value]bool)
	r.eachTurned(k, r.turned.Of, func(m *ssa.Value) { turned[m] = true })
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoad && turned[in.Result()] && rowsAreVectors(in.Result().Type) && analysis.IsFar(in.Args[0], numberOf(in.Result().Type).Size()) {
			in.Rows = true
		}
	})
}

// numberOf is the type of the numbers of a matrix.
func numberOf(matrix ssa.Type) ssa.Type { return matrix.(ssa.Array).Elem.(ssa.Array).Elem }

// findTurned finds the parameters of a function of which a column becomes a row, in it or in what it calls: a bit for
// each of the first 64.
func (r *Rows) findTurned(f *ssa.Func, of func(*ssa.Func) uint64) (params uint64) {
	r.eachTurned(f, of, func(m *ssa.Value) {
		if m.Def == nil && m.Block == f.Body {
			params |= 1 << m.Index()
		}
	})
	return params
}

// eachTurned calls do for the matrices in a function of which a column becomes a row.
func (r *Rows) eachTurned(f *ssa.Func, of func(*ssa.Func) uint64, do func(m *ssa.Value)) {
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpMake:
			if m := columnOf(in); m != nil {
				do(m)
			}
		case ssa.OpCall:
			turned := of(in.Callee)
			for i, a := range in.Args {
				if turned>>i&1 != 0 {
					do(a)
				}
			}
		}
	})
}

// columnOf returns the matrix of which an array is a column: its first elements are those of one index in two rows. It
// returns nil if there is none.
func columnOf(in *ssa.Instr) *ssa.Value {
	if len(in.Args) < 2 {
		return nil
	}
	first, second := in.Args[0].Def, in.Args[1].Def
	if !isElem(first) || !isElem(second) || !sameIndex(first.Args[1], second.Args[1]) {
		return nil
	}
	a, b := first.Args[0].Def, second.Args[0].Def
	if !isElem(a) || !isElem(b) || a.Args[0] != b.Args[0] || sameIndex(a.Args[1], b.Args[1]) {
		return nil
	}
	return a.Args[0]
}

// sameIndex reports whether two indices are one value, or the same constant.
func sameIndex(a, b *ssa.Value) bool {
	m, isConst := a.Const()
	n, ok := b.Const()
	return a == b || isConst && ok && m == n
}

func isElem(in *ssa.Instr) bool { return in != nil && in.Op == ssa.OpElem }

// rowsAreVectors reports whether a type is that of matrices whose rows fit vector registers, and are long enough for
// that to pay: rows of 16 bytes are turned over as well without.
func rowsAreVectors(t ssa.Type) bool {
	m, ok := t.(ssa.Array)
	if !ok || m.Len < 2 {
		return false
	}
	row, ok := m.Elem.(ssa.Array)
	if !ok || row.Len != 4 && row.Len != 8 {
		return false
	}
	b, ok := row.Elem.(ssa.Basic)
	return ok && b.Size() >= 4 && row.Size() >= 32
}
