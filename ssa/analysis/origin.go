package analysis

import (
	"maps"

	"github.com/qdgen/qd/ssa"
)

// An origin says from which sources an address comes: from none, from those of one parallel For, from those outside of
// all Fors, or from several of these.
type origin struct {
	some bool
	of   *ssa.Instr // the For, nil for outside of all
	many bool       // it is not of one
}

func (o origin) join(p origin) origin {
	switch {
	case !o.some:
		return p
	case !p.some || o == p:
		return o
	}
	return origin{some: true, many: true}
}

// origins are those of a function's values.
type origins map[*ssa.Value]origin

// any reports whether a value comes from a source.
func (from origins) any(v *ssa.Value) bool { return from[v].some }

// variablesOf makes sources of the addresses of a function's variables.
func variablesOf(f *ssa.Func) origins {
	sources := make(origins)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLocal {
			sources[in.Result()] = origin{some: true}
		}
	})
	return sources
}

// flow finds the values that may hold an address from a source. Such a value is computed from one, chosen by an If or
// a Loop, or loaded from memory after one was stored anywhere in the instructions that walk visits. stored says whether
// one was.
func flow(walk func(visit func(*ssa.Instr)), sources origins) (from origins, stored bool) {
	f := &addressFlow{from: maps.Clone(sources), changed: true}
	for f.changed {
		f.changed = false
		walk(f.instr)
	}
	return f.from, f.kept.some
}

// addressFlow is the state of flow.
type addressFlow struct {
	from    origins
	kept    origin // of the addresses that were stored
	changed bool
}

// instr follows the addresses through an instruction.
func (f *addressFlow) instr(in *ssa.Instr) {
	switch in.Op {
	case ssa.OpLoop, ssa.OpTest, ssa.OpContinue, ssa.OpBreak, ssa.OpYield:
		f.pass(in.Flow())
	case ssa.OpStore:
		f.keep(in.Args[1])
	case ssa.OpLoad:
		f.derive(in.Results[0], f.kept)
	case ssa.OpIf:
	case ssa.OpLocal: // another variable, which may hold the address
		f.keep(in.Args[0])
	default:
		for _, a := range in.Args {
			for _, r := range in.Results {
				f.derive(r, f.from[a])
			}
		}
	}
}

// derive gives a value the origin of another one from which it is computed.
func (f *addressFlow) derive(v *ssa.Value, o origin) {
	if !o.some || !ssa.HoldsAddress(v.Type) {
		return
	}
	if joined := f.from[v].join(o); joined != f.from[v] {
		f.from[v], f.changed = joined, true
	}
}

// pass hands values on to others.
func (f *addressFlow) pass(from, to []*ssa.Value) {
	for i, v := range to {
		f.derive(v, f.from[from[i]])
	}
}

// keep notes that a value is stored.
func (f *addressFlow) keep(v *ssa.Value) {
	if joined := f.kept.join(f.from[v]); joined != f.kept {
		f.kept, f.changed = joined, true
	}
}
