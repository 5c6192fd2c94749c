package emit

import (
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// Checks and panics.
//
// A check is a call of the prelude in front of what it guards. Where it fails, it
// fills the module's fault record, an element of qd_fault, unless another thread has done so
// before, and stops the thread; the host reads the record when the launch has ended, and
// sets its state to 0 before the next one:
//
//	struct fault_record {
//	    int32 state;   // 0 none, 1 being written, 2 written
//	    int32 site;    // which check or panic: an index of what [abi.FaultSites] gives
//	    int64 thread;  // the flat index of the thread
//	    uint64 values[4];
//	};
//
// In a text of several modules each has a record, in their order, so that launches of their
// kernels neither wait for each other nor see each other's faults. What a check is called with
// has the number of its module above the bits of its own number.
//
// The texts of modules without checks and panics have nothing of this.

// siteBits are the bits of a check's number in its module, as pieces of the preludes know them too.
const siteBits = 20

// MaxSites is how many checks and panics a module can have, and maxTogether how many modules a text.
const (
	MaxSites    = abi.NoMemory
	maxTogether = 1 << (31 - siteBits)
)

// checkNames are the functions that check, and whether they need the exact types of
// their arguments.
var checkNames = map[ssa.Check]string{
	ssa.CheckIndex: "CheckIndex", ssa.CheckSlice: "CheckSlice", ssa.CheckDivide: "CheckDivide", ssa.CheckShift: "CheckShift",
	ssa.CheckNil: "CheckNil", ssa.CheckAssert: "Assert", ssa.CheckSync: "CheckSync",
}

// check prints a check.
func (p *printer) check(in *ssa.Instr) string {
	name := checkNames[in.Check]
	p.need("qd." + name)
	args := p.arguments(in.Args)
	if in.Check == ssa.CheckDivide || in.Check == ssa.CheckShift {
		args = p.typedArguments(in.Args)
	}
	return "qd::" + name + "(" + args + ", " + p.site(in) + ")"
}

// site is what a check or a panic is called with: its module, if that is not the first one, and its number.
func (p *printer) site(in *ssa.Instr) string {
	number := strconv.Itoa(int(in.Number) - 1)
	if p.behind == 0 {
		return number
	}
	return strconv.Itoa(p.behind) + " << " + strconv.Itoa(siteBits) + " | " + number
}

// siteOfLanes is what a check or a panic in lanes is called with: a site, negated if all lanes are one block to the host.
func (p *printer) siteOfLanes(in *ssa.Instr) string {
	switch {
	case !in.Whole:
		return p.site(in)
	case p.behind == 0:
		return "~" + p.site(in)
	}
	return "~(" + p.site(in) + ")"
}

// advance lets the faults that follow be those of another thread.
func (p *printer) advance(in *ssa.Instr) string {
	p.need("qd.running")
	by, op := in.Args[0], "+="
	if by.Def != nil && by.Def.Op == ssa.OpNeg {
		by, op = by.Def.Args[0], "-="
	}
	return "qd::running.flat " + op + " " + p.expr(by).text
}

// panic prints a panic.
func (p *printer) panic(in *ssa.Instr) string {
	p.need("qd.Panic")
	parts := []string{p.site(in)}
	for _, a := range abi.Recorded(in) {
		parts = append(parts, p.word(a))
	}
	return "qd::Panic(" + strings.Join(parts, ", ") + ")"
}

// checkLanes prints a check in lanes.
func (p *printer) checkLanes(in *ssa.Instr) string {
	name := checkNames[in.Check] + "Lanes"
	p.need("qd." + name)
	text := "qd::" + name + "(" + p.typedArguments(in.Checked()) + ", " + p.siteOfLanes(in)
	if mask := in.Mask(); mask != nil {
		text += ", " + p.expr(mask).text
	}
	return text + ")"
}

// panicLanes prints a panic in lanes.
func (p *printer) panicLanes(in *ssa.Instr) string {
	p.need("qd.PanicLanes")
	parts := []string{p.expr(in.Args[0]).text, p.siteOfLanes(in)}
	for _, a := range abi.Recorded(in) {
		switch t := ssa.ElemOf(a.Type); {
		case ssa.LanesOf(a.Type) == 0:
			parts = append(parts, p.word(a))
		case t == ssa.Bool: // a mask has -1 where it holds
			parts = append(parts, "-"+p.expr(a).in(precPostfix))
		default:
			if ssa.IsFloat(t) {
				p.need("qd.word." + p.typeName(t))
			}
			parts = append(parts, p.expr(a).text)
		}
	}
	return "qd::PanicLanes(" + strings.Join(parts, ", ") + ")"
}

// word is a value that is recorded as a word.
func (p *printer) word(v *ssa.Value) string {
	if ssa.IsFloat(v.Type) {
		p.need("qd.word." + p.typeName(v.Type))
	} else {
		p.need("qd.word")
	}
	return p.typed(v)
}
