package shapes

import "github.com/qdgen/qd/ssa"

// readByRows makes loads of matrices read whole rows. It does so for matrices of four or eight columns that would be
// gathered, if a column of them becomes a row: compilers then turn rows over in registers, and do not pick up the
// elements one by one. Elsewhere the rows would only be copied. This is for kernels whose loop over threads is not
// vectorized anyway, for example because a thread has a loop.
func (p *Decider) readByRows(f *ssa.Func) {
	turned := make(map[*ssa.Value]bool)
	p.eachTurned(f, p.turned.Of, func(m *ssa.Value) { turned[m] = true })
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoad && turned[in.Result()] && p.table.gathered(in.Args[0]) > 0 && rowsAreVectors(in.Result().Type) {
			in.Rows = true
		}
	})
}

// findTurned finds the parameters of a function of which a column becomes a row, in it or in what it calls: a bit for
// each of the first 64.
func (p *Decider) findTurned(f *ssa.Func, of func(*ssa.Func) uint64) (params uint64) {
	p.eachTurned(f, of, func(m *ssa.Value) {
		if m.Def == nil && m.Block == f.Body {
			params |= 1 << m.Index()
		}
	})
	return params
}

// eachTurned calls do for the matrices in a function of which a column becomes a row.
func (p *Decider) eachTurned(f *ssa.Func, of func(*ssa.Func) uint64, do func(m *ssa.Value)) {
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
