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

// flow finds the values that hold an address which comes from one that is a
// source: made from it, chosen by an If or a Loop, or loaded from memory, if one
// such has been stored anywhere in the instructions that walk visits.
func flow(walk func(visit func(*ssa.Instr)), sources origins) (from origins, stored bool) {
	from = maps.Clone(sources)
	var kept origin // of what is stored
	for changed := true; changed; {
		changed = false
		add := func(v *ssa.Value, o origin) {
			if joined := from[v].join(o); joined != from[v] {
				from[v], changed = joined, true
			}
		}
		derive := func(v *ssa.Value, o origin) {
			if o.some && ssa.HoldsAddress(v.Type) {
				add(v, o)
			}
		}
		keep := func(v *ssa.Value) {
			if joined := kept.join(from[v]); joined != kept {
				kept, changed = joined, true
			}
		}
		pass := func(args, to []*ssa.Value) {
			for i, a := range args {
				if i < len(to) {
					derive(to[i], from[a])
				}
			}
		}
		walk(func(in *ssa.Instr) {
			switch in.Op {
			case ssa.OpLoop:
				pass(in.Args, in.Cond().Params)
				pass(in.Args, in.Results)
				pass(in.Cond().Params, in.Results)
			case ssa.OpContinue:
				pass(in.Args, in.Target.Post().Params)
			case ssa.OpBreak:
				pass(in.Args, in.Target.Results)
			case ssa.OpYield:
				switch owner := in.Block.Owner; owner.Op {
				case ssa.OpIf:
					pass(in.Args, owner.Results)
				case ssa.OpLoop:
					pass(in.Args, owner.Cond().Params)
				}
			case ssa.OpStore:
				keep(in.Args[1])
			case ssa.OpLoad:
				derive(in.Results[0], kept)
			case ssa.OpIf:
			case ssa.OpLocal: // another variable, which may hold the address
				keep(in.Args[0])
			default:
				for _, a := range in.Args {
					for _, r := range in.Results {
						derive(r, from[a])
					}
				}
			}
		})
	}
	return from, kept.some
}
