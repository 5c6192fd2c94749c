package target

import (
	"math"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/target/narrow"
)

// A Machine describes how targets differ in implementing Go's arithmetic.
type Machine struct {
	// SignedWraps says that signed integers that overflow wrap, as Go's do.
	SignedWraps bool
	// ShortDivision says that a division of 64-bit integers takes far fewer instructions if the operands fit 32 bits,
	// and a division of 32-bit integers a few less if they are not negative.
	ShortDivision bool
	// Together says that the threads of a block run at once: one may go on behind a parallel loop before others have ended
	// it.
	Together bool
}

// The machines.
var (
	CPU = Machine{SignedWraps: true}
	GPU = Machine{ShortDivision: true, Together: true}
)

// Legalize decides how a module's operations are done that a target does otherwise than Go: which arithmetic
// needs no care for overflow or for its divisor, and which functions may have their aggregates by reference. What
// has no size is no more moved. What only one thread sees is not used by atomic operations.
func Legalize(m *ssa.Module, machine Machine, summaries *analysis.Summaries) {
	for _, f := range m.Device().Funcs {
		changed := dropWeightless(f.Body)
		if !machine.Together && ownAtomics(f) {
			changed = true
		}
		if changed {
			summaries.Changed(f)
		}
	}
	var small *narrow.Facts
	if m.Narrow {
		small = narrow.FactsOf(m)
	}
	for _, f := range m.Device().Funcs {
		f.ReadsOnly = machine.readsOnly(summaries.Of(f).Effects)
		ranges := new(analysis.Ranges)
		if m.Narrow {
			ranges = small.Ranges(f)
		}
		f.Body.Walk(func(in *ssa.Instr) { in.Fit = machine.fit(in, ranges) })
	}
}

// readsOnly reports whether what has these effects leaves memory as it is, except for its own variables, so that
// nobody can tell a copy from what was copied.
//
// A copy of a matrix in memory costs the compiler time, and it forgets what it was told of the loop that the copy is
// made in. On a GPU, an index that is found at run time makes the copy's registers a chain of selections, or memory: a
// table that a launch passes is else read where the driver has put it.
func (t Machine) readsOnly(does analysis.Effects) bool {
	if !t.Together {
		does &^= analysis.Waits
	}
	return !does.Has(analysis.Acts)
}

// fit has the facts about the operands of an instruction.
func (t Machine) fit(in *ssa.Instr, ranges *analysis.Ranges) ssa.Fit {
	if len(in.Results) != 1 || !ssa.IsInteger(in.Results[0].Type) {
		return ssa.FitUnknown
	}
	switch typ := in.Results[0].Type; in.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpNeg:
		if !t.SignedWraps && ssa.IsSigned(typ) && !ranges.MayOverflow(in) {
			return ssa.FitExact
		}
	case ssa.OpDiv, ssa.OpRem:
		y := in.Args[1]
		switch {
		case !y.IsSafeDivisor() && !(ssa.IsSigned(typ) && ranges.Of(y).Lo > 0):
		case t.ShortDivision && (typ == ssa.Int64 || typ == ssa.Int32 && ranges.Given != nil) && isShort(ranges.Of(in.Args[0]), 0) && isShort(ranges.Of(y), 1):
			return ssa.FitShort
		default:
			return ssa.FitExact
		}
	}
	return ssa.FitUnknown
}

// isShort reports whether unsigned integers of 32 bits hold all of an interval, which begins at least at from.
func isShort(i analysis.Interval, from int64) bool { return i.Lo >= from && i.Hi <= math.MaxUint32 }
