package lower

import (
	"go/ast"

	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// The copy of a table in a kernel has the elements of its slices, but not what lies behind them in their arrays. In Go,
// x[:n] may be longer than x. A release build has no checks, and would read behind the copy. So there is a check
// wherever a slice may grow that may be of a table.

// A resliced is an expression x[lo:hi] of a slice whose capacity is not known.
type resliced struct {
	part  *ssa.Instr // the OpSubslice
	most  *ssa.Value // of x[lo:hi:most], or nil
	check *ssa.Instr // what stands in front of it in a checked build, or nil
}

// noteSlice takes note of an expression x[lo:hi] or x[lo:hi:most] as v, of a slice whose capacity is not known.
func (b *builder) noteSlice(e *ast.SliceExpr, v, most *ssa.Value) {
	if e.High == nil || v == eval.Poison || v.Def == nil || v.Def.Op != ssa.OpSubslice {
		return
	}
	bound := most
	if bound == nil {
		bound = v.Def.Args[2]
	}
	if hi := bound.Def; hi != nil && hi.Op == ssa.OpLen && hi.Args[0] == v.Def.Args[0] || b.KnowsCapacity(v.Def.Args[0]) && !b.Capacities.Unsure[b.slicedVar(e.X)] {
		return
	}
	r := resliced{part: v.Def, most: most}
	if b.checked() {
		for _, in := range b.Cur.Instrs {
			if in.Op != ssa.OpCheck || in.Check != ssa.CheckSlice || in.Pos != v.Def.Pos {
				continue
			}
			if of, _, _ := ssa.CutBounds(in.Message); of != ssa.OfLowOfThree {
				r.check = in
			}
		}
	}
	b.m.resliced = append(b.m.resliced, r)
}

// checkResliced makes parts of slices that may be of tables end where the copies of the tables do.
func (m *Module) checkResliced() {
	for _, r := range m.resliced {
		x := r.part.Args[0]
		switch {
		case !m.shortened[x.Type.(ssa.Slice)]:
		case r.check != nil:
			r.check.Message = r.message(m, r.check.Args[0], r.check.Args[1])
		default:
			r.insertCheck(m)
		}
	}
}

// message is that of the check of two bounds where the slice is of a table.
func (r resliced) message(m *Module, lo, hi *ssa.Value) string {
	if r.most != nil {
		return ofBounds(m.Facts, ssa.OfCopyMost, lo, hi)
	}
	return ofBounds(m.Facts, ssa.OfCopy, lo, hi)
}

// insertCheck puts a check in front of the OpSubslice.
func (r resliced) insertCheck(m *Module) {
	part := r.part
	lo, hi := part.Args[1], part.Args[2]
	if r.most != nil {
		lo, hi = hi, r.most
	}
	b := part.Block
	at := 0
	for b.Instrs[at] != part {
		at++
	}
	behind := append([]*ssa.Instr(nil), b.Instrs[at:]...)
	b.SetInstrs(b.Instrs[:at])
	length := b.Append(&ssa.Instr{Op: ssa.OpLen, Args: part.Args[:1:1], Pos: part.Pos, Stmt: part.Stmt}, ssa.Int64).Result()
	b.Append(&ssa.Instr{
		Op: ssa.OpCheck, Check: ssa.CheckSlice, Message: r.message(m, lo, hi), Pos: part.Pos, Stmt: part.Stmt,
		Args: []*ssa.Value{lo, hi, length},
	})
	b.SetInstrs(append(b.Instrs, behind...))
}
