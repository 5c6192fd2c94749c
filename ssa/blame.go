package ssa

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// blame makes the checks in a library's functions those of the calls that user code makes of
// the library: that is where a user can do something about a fault, and where device go
// finds it. A function is lowered once for all of its callers; here each call that
// may fail has a copy of its own, with the place of the call in its checks. Functions
// that do not fail stay as they are, and so does a build without checks.
//
// It runs when the other passes are done: most checks in a library are proven.
func blame(m *Module) bool {
	b := blamer{stops: map[*Func]stops{}, copies: map[*Func][]*Func{}, made: map[blamed]*Func{}, names: map[string]bool{}}
	for _, f := range m.Funcs {
		b.names[f.Name] = true
	}
	for _, f := range m.Funcs { // callees before callers
		b.stops[f] = b.stopsOf(f)
	}
	for _, f := range m.Funcs {
		if !f.Library {
			f.Body.Walk(func(in *Instr) {
				if in.Op == OpCall && in.Callee.Library {
					in.Callee = b.at(in, in.Place())
				}
			})
		}
	}
	if len(b.made) == 0 {
		return false
	}
	var funcs []*Func
	for _, f := range m.Funcs {
		funcs = append(append(funcs, f), b.copies[f]...) // before their callers, as f is
	}
	m.Funcs = funcs
	unreached(m)
	for f, list := range b.copies {
		if !slices.Contains(m.Funcs, f) {
			list[0].Name = f.Name
		}
	}
	return true
}

type blamer struct {
	stops  map[*Func]stops
	copies map[*Func][]*Func
	made   map[blamed]*Func
	names  map[string]bool
}

// blamed is a function of a library, and a call in user code that leads to it.
type blamed struct {
	f  *Func
	at Pos
}

// stops is whether a function may come to a check that fails.
type stops struct {
	may    bool    // whatever it is given
	limits []limit // or only if one of these does not hold
}

// A limit says that a parameter is an index below a number.
type limit struct{ param, below int }

// stopsOf is what is known of a function whose callees are known. A panic alone, which release
// builds have too, is no reason for a copy: that of bits.Div64 is where that function has it.
func (b *blamer) stopsOf(f *Func) (s stops) {
	needs := func(index *Value, below int64) {
		c, known := index.Const()
		switch {
		case known && c.Int() >= 0 && c.Int() < below:
		case !known && index.Block == f.Body:
			s.limits = append(s.limits, limit{slices.Index(f.Params(), index), int(below)})
		default:
			s.may = true
		}
	}
	f.Body.Walk(func(in *Instr) {
		switch in.Op {
		case OpCheck:
			if n, known := in.Args[len(in.Args)-1].Const(); known && in.Check == CheckIndex {
				needs(in.Args[0], n.Int())
			} else {
				s.may = true
			}
		case OpCall:
			s.may = s.may || b.stops[in.Callee].may
			for _, n := range b.stops[in.Callee].limits {
				needs(in.Args[n.param], int64(n.below))
			}
		}
	})
	return s
}

// mayStop reports whether a call may come to a check that fails.
func (b *blamer) mayStop(call *Instr) bool {
	s := b.stops[call.Callee]
	return s.may || slices.ContainsFunc(s.limits, func(n limit) bool {
		c, known := call.Args[n.param].Const()
		return !known || c.Int() < 0 || c.Int() >= int64(n.below)
	})
}

// at is the function of a library that is called, as it is called from a place in user code.
func (b *blamer) at(call *Instr, at Pos) *Func {
	f := call.Callee
	if !b.mayStop(call) {
		return f
	}
	key := blamed{f, at}
	if b.made[key] != nil {
		return b.made[key]
	}
	g := f.clone(b.unique(f.Name))
	g.Library = false // it speaks for the user
	g.Decl.Text += " // called at " + path.Base(strings.ReplaceAll(at.File, `\`, "/")) + ":" + strconv.Itoa(at.Line)
	b.made[key] = g
	b.copies[f] = append(b.copies[f], g)
	g.Body.Walk(func(in *Instr) {
		switch {
		case in.Op == OpCheck || in.Op == OpPanic:
			in.Pos = at
		case in.Op == OpCall && in.Callee.Library:
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

// Place is where an instruction, or else its statement, stands.
func (in *Instr) Place() Pos {
	if in.Pos.Line == 0 && in.Stmt != nil {
		return in.Stmt.Pos
	}
	return in.Pos
}
