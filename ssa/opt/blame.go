package opt

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// Blame moves the position of checks in library functions to the calls of these functions in user code. There the user
// can do something about a fault, and device go reports it there too. A function is lowered once for all of its
// callers. Here each call that may fail gets its own copy of the function, whose checks have the position of the call.
// Functions that cannot fail stay as they are, and so do builds without checks.
//
// It is for optimized modules, in which most checks of a library are proven. It reports whether it changed something.
func Blame(m *ssa.Module) bool {
	b := blamer{stops: map[*ssa.Func]stops{}, copies: map[*ssa.Func][]*ssa.Func{}, made: map[blamed]*ssa.Func{}, names: map[string]bool{}}
	for _, f := range m.Funcs {
		b.names[f.Name] = true
	}
	for _, f := range m.Funcs { // callees before callers
		b.stops[f] = b.stopsOf(f)
	}
	for _, f := range m.Funcs {
		if !f.Library {
			f.Body.Walk(func(in *ssa.Instr) {
				if in.Op == ssa.OpCall && in.Callee.Library {
					in.Callee = b.at(in, in.Place())
				}
			})
		}
	}
	if len(b.made) == 0 {
		return false
	}
	var funcs []*ssa.Func
	for _, f := range m.Funcs {
		funcs = append(append(funcs, f), b.copies[f]...) // before their callers, as f is
	}
	m.Funcs = funcs
	m.DropUnreached()
	for f, list := range b.copies {
		if !slices.Contains(m.Funcs, f) {
			list[0].Name = f.Name
		}
	}
	return true
}

type blamer struct {
	stops  map[*ssa.Func]stops
	copies map[*ssa.Func][]*ssa.Func
	made   map[blamed]*ssa.Func
	names  map[string]bool
}

// blamed is a function of a library, and a call in user code that leads to it.
type blamed struct {
	f  *ssa.Func
	at ssa.Pos
}

// stops is whether a function may come to a check that fails.
type stops struct {
	may    bool    // whatever it is given
	limits []limit // or only if one of these does not hold
}

// A limit says that a parameter is an index below a number.
type limit struct{ param, below int }

// stopsOf returns the facts about a function whose callees have theirs. A function that can only panic needs no copy:
// release builds have panics too, and report them at their own position, such as that of bits.Div64.
func (b *blamer) stopsOf(f *ssa.Func) (s stops) {
	needs := func(index *ssa.Value, below int64) {
		c, isConst := index.Const()
		switch {
		case isConst && c.Int() >= 0 && c.Int() < below:
		case !isConst && index.Block == f.Body:
			s.limits = append(s.limits, limit{slices.Index(f.Params(), index), int(below)})
		default:
			s.may = true
		}
	}
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpCheck:
			if n, isConst := in.Args[len(in.Args)-1].Const(); isConst && in.Check == ssa.CheckIndex {
				needs(in.Args[0], n.Int())
			} else {
				s.may = true
			}
		case ssa.OpRecur:
			s.may = true
		case ssa.OpCall:
			s.may = s.may || b.stops[in.Callee].may
			for _, n := range b.stops[in.Callee].limits {
				needs(in.Args[n.param], int64(n.below))
			}
		}
	})
	return s
}

// mayStop reports whether a call may come to a check that fails.
func (b *blamer) mayStop(call *ssa.Instr) bool {
	s := b.stops[call.Callee]
	return s.may || slices.ContainsFunc(s.limits, func(n limit) bool {
		c, isConst := call.Args[n.param].Const()
		return !isConst || c.Int() < 0 || c.Int() >= int64(n.below)
	})
}

// at is the function of a library that is called, as it is called from a place in user code.
func (b *blamer) at(call *ssa.Instr, at ssa.Pos) *ssa.Func {
	f := call.Callee
	if !b.mayStop(call) {
		return f
	}
	key := blamed{f, at}
	if b.made[key] != nil {
		return b.made[key]
	}
	g := f.Clone(b.unique(f.Name))
	g.Library = false // it speaks for the user
	g.Decl.Text += " // called at " + path.Base(strings.ReplaceAll(at.File, `\`, "/")) + ":" + strconv.Itoa(at.Line)
	b.made[key] = g
	b.copies[f] = append(b.copies[f], g)
	g.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Op == ssa.OpCheck || in.Op == ssa.OpPanic:
			in.Pos = at
		case in.Op == ssa.OpCall && in.Callee.Library:
			in.Callee = b.at(in, at)
		}
	})
	return g
}

// unique makes a name out of that of a function.
func (b *blamer) unique(name string) string {
	for n := 2; ; n++ {
		if numbered := name + "_" + strconv.Itoa(n); !b.names[numbered] {
			b.names[numbered] = true
			return numbered
		}
	}
}
