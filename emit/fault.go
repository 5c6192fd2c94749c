package emit

import (
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// Checks and panics.
//
// A check is a call of the prelude in front of what it guards. Where it fails, it
// fills the module's fault record, qd_fault, unless another thread has done so
// before, and stops the thread; the host reads the record when the launch has ended, and
// sets its state to 0 before the next one:
//
//	struct fault_record {
//	    int32 state;   // 0 none, 1 being written, 2 written
//	    int32 site;    // which check or panic: an index of what Sites gives
//	    int64 thread;  // the flat index of the thread
//	    uint64 values[4];
//	};
//
// The texts of modules without checks and panics have nothing of this.

// maxValues is how many values a fault record has.
const maxValues = 4

// A Site is a check or a panic of a module: what its number in a fault record means.
type Site struct {
	Check   ssa.Check // of a panic none
	Kind    string    // "index", "slice", ..., or "panic"
	Message string    // of an assertion or a panic
	Pos     ssa.Pos
	Func    string   // the function it stands in
	Types   []string // of the values that are recorded: "int64", "float32", ...
}

// Sites are the checks and panics of a module, in the order in which they are numbered.
func Sites(m *ssa.Module) []Site {
	var sites []Site
	eachSite(m.Device(), func(f *ssa.Func, in *ssa.Instr) {
		s := Site{Kind: "panic", Message: in.Message, Pos: in.Place(), Func: f.Name}
		if in.Op == ssa.OpCheck {
			s.Check, s.Kind = in.Check, in.Check.String()
		}
		for _, a := range recorded(in) {
			s.Types = append(s.Types, a.Type.String())
		}
		sites = append(sites, s)
	})
	return sites
}

func eachSite(m *ssa.Module, f func(*ssa.Func, *ssa.Instr)) {
	for _, fn := range m.Funcs {
		fn.Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCheck || in.Op == ssa.OpPanic {
				f(fn, in)
			}
		})
	}
}

// recorded are the operands of a check or a panic whose values are recorded.
func recorded(in *ssa.Instr) []*ssa.Value {
	switch {
	case in.Op == ssa.OpPanic:
		return in.Args[:min(len(in.Args), maxValues)]
	case in.Check == ssa.CheckIndex, in.Check == ssa.CheckSlice, in.Check == ssa.CheckShift:
		return in.Args
	}
	return nil
}

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
	return "qd::" + name + "(" + args + ", " + strconv.Itoa(int(in.Number)-1) + ")"
}

// panic prints a panic.
func (p *printer) panic(in *ssa.Instr) string {
	p.need("qd.Panic")
	parts := []string{strconv.Itoa(int(in.Number) - 1)}
	for _, a := range recorded(in) {
		parts = append(parts, p.word(a))
	}
	return "qd::Panic(" + strings.Join(parts, ", ") + ")"
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
