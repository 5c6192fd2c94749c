package abi

import "github.com/qdgen/qd/ssa"

// maxValues is how many values a fault record has.
const maxValues = 4

// NoMemory is the number in a fault record for which there is no check: the system has no memory for the arrays of a block's
// lanes. The numbers of checks are below it.
const NoMemory = 1<<20 - 1

// A FaultSite is a check or a panic of a module: what its number in a fault record means.
type FaultSite struct {
	Check   ssa.Check // of a panic none
	Kind    string    // "index", "slice", ..., or "panic"
	Message string    // of an assertion or a panic
	Pos     ssa.Pos
	Types   []string // of the values that are recorded: "int64", "float32", ...
}

// FaultSites are the checks and panics of a module for the device, which have their numbers, in the order of these.
func FaultSites(m *ssa.Module) []FaultSite {
	var sites []FaultSite
	for _, f := range m.Device().Funcs {
		f.Body.Walk(func(in *ssa.Instr) {
			if in.Number == 0 {
				return
			}
			for len(sites) < int(in.Number) {
				sites = append(sites, FaultSite{})
			}
			sites[in.Number-1] = faultSite(in)
		})
	}
	return sites
}

func faultSite(in *ssa.Instr) FaultSite {
	s := FaultSite{Kind: "panic", Message: in.Message, Pos: in.Place()}
	if in.Check != 0 {
		s.Check, s.Kind = in.Check, in.Check.String()
	}
	for _, a := range Recorded(in) {
		s.Types = append(s.Types, ssa.ElemOf(a.Type).String())
	}
	return s
}

// Recorded are the operands of a check or a panic whose values are recorded.
func Recorded(in *ssa.Instr) []*ssa.Value {
	switch {
	case in.Op == ssa.OpPanicLanes:
		return in.Args[1:min(len(in.Args), 1+maxValues)]
	case in.Op == ssa.OpPanic:
		return in.Args[:min(len(in.Args), maxValues)]
	case in.Check == ssa.CheckIndex, in.Check == ssa.CheckSlice, in.Check == ssa.CheckShift:
		return in.Checked()
	}
	return nil
}
