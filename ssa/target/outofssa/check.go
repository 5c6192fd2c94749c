package outofssa

import (
	"fmt"
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Check follows which value each variable holds, on all ways through the function, and reports where it is not the one
// that is read. So values that are live at once share no variable, and the steps of an edge mean what its copies mean.
// It also reports an expression whose memory is written between the place where SSA reads it and the statement that
// does; a call that is done behind what follows it; and a variable that is used outside of its scope, or declared where
// no declaration can stand.
func (f *Func) Check(summaries *analysis.Summaries) error {
	c := &checker{
		f:       f,
		t:       &translation{f: f, summaries: summaries, nonEscaping: summaries.NonEscaping(f.fn)},
		headers: make(map[*ssa.Instr]*state),
		exits:   make(map[*ssa.Instr]*state),
		posts:   make(map[*ssa.Instr]*state),
	}
	c.t.number()
	s := &state{holds: make([]*ssa.Value, len(f.Variables)), fresh: make(map[*ssa.Value]bool)}
	for _, v := range f.fn.Params() {
		c.define(v, s)
	}
	c.block(f.fn.Body, s)
	return c.err
}

// A checker follows the ways through one function.
type checker struct {
	f       *Func
	t       *translation          // for what it tells of effects
	headers map[*ssa.Instr]*state // of a loop or a For: what holds in each turn
	posts   map[*ssa.Instr]*state // of a loop: where its continues go
	exits   map[*ssa.Instr]*state // of a loop: behind it
	lanes   *state                // in a For: where a lane ends
	inLane  bool
	at      *ssa.Instr // the statement
	pending *ssa.Instr // a call inside its use, whose statement has not come yet
	err     error
}

// A state is what is known at one place of the function. It is nil where no way leads to.
type state struct {
	holds []*ssa.Value        // by variable: the value in it, nil if that differs
	fresh map[*ssa.Value]bool // reads inside their uses whose memory has not been written since
}

func (s *state) clone() *state {
	if s == nil {
		return nil
	}
	c := &state{holds: slices.Clone(s.holds), fresh: make(map[*ssa.Value]bool, len(s.fresh))}
	for v := range s.fresh {
		c.fresh[v] = true
	}
	return c
}

// meet is what is known where two ways meet, and whether that is less than in s.
func (s *state) meet(o *state) (both *state, less bool) {
	if s == nil || o == nil {
		if s == nil {
			return o.clone(), o != nil
		}
		return s, false
	}
	for i, v := range s.holds {
		if v != nil && o.holds[i] != v {
			s.holds[i], less = nil, true
		}
	}
	for v := range s.fresh {
		if !o.fresh[v] {
			delete(s.fresh, v)
			less = true
		}
	}
	return s, less
}

func (c *checker) report(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %v: %s", c.f.fn.Name, c.at.Op, fmt.Sprintf(format, args...))
	}
}

// define notes that v gets its value.
func (c *checker) define(v *ssa.Value, s *state) {
	if x := c.f.vars[v.ID]; x != nil {
		s.holds[x.Number] = v
	}
}

// visible checks that a variable may be named in a scope.
func (c *checker) visible(x *Variable, in *Scope) {
	for ; in != nil; in = in.Around {
		if in == x.Scope {
			if !x.Param && pos(c.at) < x.Place {
				c.report("%q is used before it is declared", x.Name)
			}
			return
		}
	}
	c.report("%q is used outside of its scope", x.Name)
}

// read checks that evaluating v gives v.
func (c *checker) read(v *ssa.Value, s *state) {
	c.f.Leaves(v, func(leaf *ssa.Value) {
		switch x := c.f.vars[leaf.ID]; {
		case x == nil:
			c.report("%v has no variable", leaf)
		case s.holds[x.Number] != leaf:
			c.report("%v is read from %q, which holds %v", leaf, x.Name, s.holds[x.Number])
		default:
			c.visible(x, c.f.scopes.block[c.at.Block])
		}
	})
	c.readMemory(v, s)
}

// readMemory checks that the memory that v is read from is as it was. What a call inside v reads was checked before.
func (c *checker) readMemory(v *ssa.Value, s *state) {
	if !c.f.inline[v.ID] || c.isCall(v.Def) {
		return
	}
	if c.mayRead(v.Def) && !s.fresh[v] {
		c.report("what %v reads has been written since", v)
	}
	c.readMemoryOf(v.Def, s)
}

func (c *checker) readMemoryOf(in *ssa.Instr, s *state) {
	if c.f.IsLogical(in) {
		_, x, y := LogicalOperands(in)
		c.readMemory(x, s)
		c.readMemory(y, s)
		return
	}
	for _, a := range in.Args {
		c.readMemory(a, s)
	}
}

// isCall reports whether an instruction inside its use does more than to compute its result.
func (c *checker) isCall(in *ssa.Instr) bool { return in.Blocks == nil && c.t.stays(in) }

func (c *checker) mayRead(in *ssa.Instr) bool { return in.Blocks == nil && c.t.reads(in) }

// write notes that an instruction may change memory.
func (c *checker) write(in *ssa.Instr, s *state) {
	if in.Op == ssa.OpLocal || isFault(in) || !c.t.stays(in) {
		return
	}
	for v := range s.fresh {
		if v.Def.Op != ssa.OpLoad || c.t.nonEscaping.MayChange(in, v.Def.Args[0]) {
			delete(s.fresh, v)
		}
	}
}

// block follows a block, and gives what is known at its end, nil if that is not reached.
func (c *checker) block(b *ssa.Block, s *state) *state {
	for _, in := range b.Instrs {
		if s == nil || c.err != nil {
			return nil
		}
		c.at = in
		c.call(in)
		switch {
		case in.Op.IsTerminator():
			return c.terminator(in, s)
		case c.f.IsDead(in):
		case c.f.IsStatement(in):
			s = c.statement(in, s)
		case c.f.IsLogical(in):
			for _, nested := range in.Blocks {
				c.expressions(nested, s)
			}
		default:
			c.expression(in, s)
		}
	}
	return s
}

// call checks that nothing but addresses is evaluated between a call inside its use and the statement of that.
func (c *checker) call(in *ssa.Instr) {
	call := c.pending
	switch {
	case call == nil || c.f.IsDead(in):
	case c.f.IsStatement(in):
		c.pending = nil
		found := false
		c.f.within(in, func(in *ssa.Instr) { found = found || in == call })
		if !found {
			c.report("it is done before %v, a call that it follows", call.Results[0])
		}
	case in.Blocks != nil || c.isCall(in) || c.mayRead(in):
		c.report("it is evaluated with or before %v, a call that it follows", call.Results[0])
	}
}

// expressions passes the expressions of a block of an If that is one.
func (c *checker) expressions(b *ssa.Block, s *state) {
	for _, in := range b.Instrs {
		switch {
		case in.Op.IsTerminator() || c.f.IsDead(in):
		case c.f.IsLogical(in):
			for _, nested := range in.Blocks {
				c.expressions(nested, s)
			}
		default:
			c.expression(in, s)
		}
	}
}

// expression passes an instruction that is inside its use.
func (c *checker) expression(in *ssa.Instr, s *state) {
	if c.isCall(in) {
		c.readMemoryOf(in, s)
		c.write(in, s)
		c.pending = in
		return
	}
	if c.mayRead(in) {
		s.fresh[in.Results[0]] = true
	}
}

func (c *checker) statement(in *ssa.Instr, s *state) *state {
	switch {
	case in.Op == ssa.OpIf && !c.f.IsLogical(in):
		c.steps(c.f.Ahead(in), c.f.scopes.block[in.Block], s)
		c.read(in.Args[0], s)
		then := c.block(in.Then(), s.clone())
		both, _ := then.meet(c.block(in.Else(), s))
		return both
	case in.Op == ssa.OpLoop:
		return c.loop(in, s)
	case in.Op == ssa.OpFor:
		return c.parallel(in, s)
	}
	if c.f.IsLogical(in) {
		for _, nested := range in.Blocks {
			c.expressions(nested, s)
		}
	}
	c.f.Operands(in, func(leaf *ssa.Value) { c.read(leaf, s) })
	c.readMemoryOf(in, s)
	if in.Blocks == nil {
		c.write(in, s)
	}
	for _, v := range in.Results {
		if x := c.f.vars[v.ID]; x != nil && !x.Param {
			c.visible(x, c.f.scopes.block[in.Block])
			if loop := in.Block.Owner; loop != nil && c.f.PostFits(loop) && x.Scope == c.f.scopes.block[loop.Post()] {
				c.report("%q is declared in a header's post part", x.Name)
			}
		}
		c.define(v, s)
	}
	return s
}

// terminator gives what is known where a yield goes to, and at the end of the body behind a test.
func (c *checker) terminator(in *ssa.Instr, s *state) *state {
	switch in.Op {
	case ssa.OpYield:
		c.edge(in, s)
		return s
	case ssa.OpTest:
		c.read(in.Args[0], s)
		loop, out := in.Block.Owner, s.clone()
		c.edge(in, out)
		c.exits[loop], _ = c.exits[loop].meet(out)
		return s
	case ssa.OpContinue:
		c.edge(in, s)
		c.posts[in.Target], _ = c.posts[in.Target].meet(s)
	case ssa.OpBreak:
		c.edge(in, s)
		c.exits[in.Target], _ = c.exits[in.Target].meet(s)
	case ssa.OpReturn, ssa.OpPanic:
		for _, a := range in.Args {
			c.read(a, s)
		}
		if c.inLane && in.Op == ssa.OpReturn {
			c.lanes, _ = c.lanes.meet(s)
		}
	}
	return nil
}

// edge does the copies of a terminator, and checks what comes of them.
func (c *checker) edge(in *ssa.Instr, s *state) {
	c.steps(c.f.Sequence(c.f.Copies(in)), c.f.scopes.block[in.Block], s)
	c.arrive(in, s)
}

// arrive checks that what an instruction gives values to is in its variables.
func (c *checker) arrive(in *ssa.Instr, s *state) {
	from, to := in.Flow()
	for k, v := range to {
		if x := c.f.vars[v.ID]; x != nil && s.holds[x.Number] != from[k] {
			c.report("%v is to be %v, and gets %v", v, from[k], s.holds[x.Number])
		}
	}
	for _, v := range to {
		c.define(v, s)
	}
}

// steps assigns. Afterwards a variable holds the value that it was assigned.
func (c *checker) steps(steps []Step, in *Scope, s *state) {
	var saved []*ssa.Value
	for _, step := range steps {
		value := step.From
		if step.Kind == Restore {
			value, saved = saved[len(saved)-1], saved[:len(saved)-1]
		} else {
			c.read(value, s)
		}
		if step.Kind == Save {
			saved = append(saved, value)
			continue
		}
		c.visible(step.To, in)
		s.holds[step.To.Number] = value
	}
}

func (c *checker) loop(in *ssa.Instr, s *state) *state {
	before, header := c.f.Entry(in)
	c.steps(before, c.f.scopes.block[in.Block], s)
	var declared []Step
	for _, copy := range header {
		declared = append(declared, Step{copy, Assign})
	}
	c.steps(declared, c.f.scopes.header[in], s)
	c.arrive(in, s)
	c.headers[in], _ = c.headers[in].meet(s)
	for c.err == nil {
		if turn := c.block(in.Cond(), c.headers[in].clone()); turn != nil {
			c.block(in.Do(), turn)
		}
		var end *state
		if post := c.posts[in].clone(); post != nil {
			end = c.block(in.Post(), post)
		}
		if end == nil {
			break
		}
		var less bool
		if c.headers[in], less = c.headers[in].meet(end); !less {
			break
		}
	}
	return c.exits[in].clone()
}

func (c *checker) parallel(in *ssa.Instr, s *state) *state {
	for _, a := range in.Args {
		c.read(a, s)
	}
	outer, inLane := c.lanes, c.inLane
	c.headers[in], _ = c.headers[in].meet(s)
	for c.err == nil {
		less := false
		for _, b := range in.Blocks {
			c.lanes, c.inLane = nil, true
			turn := c.headers[in].clone()
			for _, v := range b.Params {
				c.define(v, turn)
			}
			end := c.block(b, turn)
			for _, last := range []*state{end, c.lanes} {
				if last != nil {
					_, l := c.headers[in].meet(last)
					less = less || l
				}
			}
		}
		if !less {
			break
		}
	}
	c.lanes, c.inLane = outer, inLane
	return c.headers[in].clone()
}
