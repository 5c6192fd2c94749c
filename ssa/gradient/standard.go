package gradient

import (
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// standardCalls are calls of functions of the standard library. What is refused in one of these is refused at the call, where
// the user can do something about it.
type standardCalls struct {
	standard map[ssa.Pos]string // by place of a call in the user's code: the name of the function
	within   *ssa.Instr         // the call in the user's code whose function is differentiated as one of its own, nil for none
}

// inline puts functions in the place of their calls.
func (d *differ) inline(f *ssa.Func) {
	wanted := func(call *ssa.Instr) bool {
		if isOwn(call) {
			return false
		}
		d.note(call)
		return true
	}
	opt.InlineAt(f, new(analysis.Summaries), wanted, func(callee *ssa.Func) bool { return callee.Library || callee.Standard })
}

// note notes a call if it is one of a function of the standard library. A call in such a function has the place of the first
// one, and is not noted.
func (c *standardCalls) note(call *ssa.Instr) {
	at := call.Place()
	if !call.Callee.Standard || c.standard[at] != "" {
		return
	}
	if c.standard == nil {
		c.standard = make(map[ssa.Pos]string)
	}
	c.standard[at], _, _ = strings.Cut(call.Callee.Name, "[") // without type arguments
}

// enter notes that the function which is called is differentiated from now on, until leave is called.
func (c *standardCalls) enter(call *ssa.Instr) (leave func()) {
	outer := c.within
	switch {
	case !call.Callee.Standard:
		c.within = nil
	case outer == nil:
		c.note(call)
		c.within = call
	}
	return func() { c.within = outer }
}

// placeOf is where an instruction is refused.
func (c *standardCalls) placeOf(in *ssa.Instr) ssa.Pos {
	if c.within != nil {
		in = c.within
	}
	return in.Place()
}
