package interp

import (
	"fmt"

	"github.com/qdgen/qd/ssa"
)

// function is a compiled function.
type function struct {
	source  *ssa.Func
	size    int   // of a frame
	places  []int // of values, by ID
	results []int // places of the results
	body    *code
}

// Compile compiles a function and what it calls, which [ssa.Verify] has accepted.
func Compile(f *ssa.Func) *Program { return CompileWatched(f, nil) }

// A Watcher sees what a run computes. It is asked once for each instruction with a result that is a number or a bool,
// but not for branches, loops and calls, and gives what is called after each run of the instruction, nil for nothing: a
// run is not slower for an instruction that nobody looks at. value gives the bits of an operand or a result of such a
// type, as an [ssa.Const] has them.
type Watcher func(in *ssa.Instr) (see func(value func(*ssa.Value) uint64))

// CompileWatched is Compile for runs that are watched, if watch is not nil.
func CompileWatched(f *ssa.Func, watch Watcher) *Program {
	return &Program{(&program{f, make(map[*ssa.Func]*function), watch}).function(f)}
}

// program is what is compiled together.
type program struct {
	entry *ssa.Func // what is run
	done  map[*ssa.Func]*function
	watch Watcher
}

// compiler compiles one function.
type compiler struct {
	*function
	program *program
	loops   map[*ssa.Instr]exit
}

func (p *program) function(f *ssa.Func) *function {
	if fn := p.done[f]; fn != nil {
		return fn
	}
	c := &compiler{function: &function{source: f}, program: p, loops: make(map[*ssa.Instr]exit)}
	p.done[f] = c.function
	for _, t := range f.Results {
		c.results = append(c.results, c.size)
		c.size += room(t)
	}
	c.placeAll(f.Body)
	c.body = c.block(f.Body)
	return c.function
}

// placeAll gives places to the values that a block and those in it define.
func (c *compiler) placeAll(b *ssa.Block) {
	c.placeEach(b.Params)
	for _, in := range b.Instrs {
		c.placeEach(in.Results)
		for _, nested := range in.Blocks {
			c.placeAll(nested)
		}
	}
}

func (c *compiler) placeEach(vs []*ssa.Value) {
	for _, v := range vs {
		for len(c.places) <= v.ID {
			c.places = append(c.places, -1)
		}
		c.places[v.ID] = c.size
		c.size += room(v.Type)
	}
}

func (c *compiler) at(v *ssa.Value) int { return c.places[v.ID] }

func (c *compiler) block(b *ssa.Block) *code {
	out := &code{steps: make([]step, 0, len(b.Instrs))}
	for _, in := range b.Instrs {
		out.locals = out.locals || in.Op == ssa.OpLocal
		out.steps = append(out.steps, c.instr(in))
	}
	return out
}

// plain makes a step of what goes on to the next one.
func plain(do func(fr *frame)) step {
	return func(fr *frame) exit {
		do(fr)
		return next
	}
}

func (c *compiler) instr(in *ssa.Instr) step {
	switch in.Op {
	case ssa.OpIf:
		return c.branch(in)
	case ssa.OpLoop:
		return c.loop(in)
	case ssa.OpFor:
		return c.parallel(in)
	case ssa.OpCall, ssa.OpRecur:
		return c.call(in)
	}
	if in.Op.IsTerminator() {
		return c.terminator(in)
	}
	if c.program.watch != nil && len(in.Results) > 0 && isWord(in.Results[0]) {
		if see := c.program.watch(in); see != nil {
			return c.watched(see, c.simple(in))
		}
	}
	return c.simple(in)
}

// simple compiles what goes on to the next instruction.
func (c *compiler) simple(in *ssa.Instr) step {
	if s := c.vector(in); s != nil {
		return s
	}
	if s := c.tile(in); s != nil {
		return s
	}
	if s := c.memory(in); s != nil {
		return s
	}
	if s := c.outside(in); s != nil {
		return s
	}
	return c.value(in)
}

// isWord reports whether a value is a number or a bool.
func isWord(v *ssa.Value) bool { return v.Type == ssa.Bool || ssa.IsNumeric(v.Type) }

// watched is a step after which see is called.
func (c *compiler) watched(see func(func(*ssa.Value) uint64), s step) step {
	return func(fr *frame) exit {
		e := s(fr)
		m := fr.m
		m.seen.frame, m.seen.compiler = fr, c
		if m.value == nil { // one for the run, and not for each step
			m.value = func(v *ssa.Value) uint64 { return m.seen.frame.get(m.seen.compiler.at(v)) }
		}
		see(m.value)
		return e
	}
}

// moves copies values to the places of others. Where blocks are left and entered the
// places of the new values are never those of old ones.
func (c *compiler) moves(from, to []*ssa.Value) func(fr *frame) {
	return c.movesTo(from, c.placesOf(to))
}

func (c *compiler) placesOf(vs []*ssa.Value) []int {
	places := make([]int, len(vs))
	for i, v := range vs {
		places[i] = c.at(v)
	}
	return places
}

func (c *compiler) movesTo(from []*ssa.Value, to []int) func(fr *frame) {
	type move struct{ from, to, size int }
	var words, blocks []move
	for i, v := range from {
		m := move{c.at(v), to[i], room(v.Type)}
		if m.size == 8 {
			words = append(words, m)
		} else if m.size > 0 {
			blocks = append(blocks, m)
		}
	}
	return func(fr *frame) {
		for _, m := range words {
			fr.set(m.to, fr.get(m.from))
		}
		for _, m := range blocks {
			copy(fr.b[m.to:m.to+m.size], fr.b[m.from:m.from+m.size])
		}
	}
}

func (c *compiler) branch(in *ssa.Instr) step {
	cond, then, els := c.at(in.Args[0]), c.block(in.Then()), c.block(in.Else())
	return func(fr *frame) exit {
		taken := els
		if fr.get(cond) != 0 {
			taken = then
		}
		if e := taken.run(fr); e != yielded {
			return e
		}
		return next
	}
}

func (c *compiler) loop(in *ssa.Instr) step {
	left := exit(firstLoop + 2*len(c.loops))
	c.loops[in] = left
	cond, do, post := c.block(in.Cond()), c.block(in.Do()), c.block(in.Post())
	enter := c.moves(in.Args, in.Cond().Params)
	end := c.moves(in.Cond().Params, in.Results)
	return func(fr *frame) exit {
		enter(fr)
		for {
			if cond.run(fr) == testFalse {
				end(fr)
				return next
			}
			switch e := do.run(fr); e {
			case left:
				return next
			case left + 1:
				post.run(fr)
			default:
				return e
			}
		}
	}
}

// parallel runs the block of an OpFor for one index after the other.
func (c *compiler) parallel(in *ssa.Instr) step {
	body := c.block(in.Blocks[0])
	if wide := in.WideBlock(); wide != nil {
		return c.inLanes(in, body, c.block(wide))
	}
	var sizes, indices []int
	for i, a := range in.Args {
		sizes = append(sizes, c.at(a))
		indices = append(indices, c.at(in.Blocks[0].Params[i]))
	}
	var axis func(fr *frame, k int)
	axis = func(fr *frame, k int) {
		if k == len(sizes) {
			body.run(fr)
			return
		}
		for i, n := int64(0), int64(fr.get(sizes[k])); i < n; i++ {
			fr.set(indices[k], uint64(i))
			axis(fr, k+1)
		}
	}
	return plain(func(fr *frame) { axis(fr, 0) })
}

// inLanes runs the code for several indices as long as there are so many, and then that for one.
func (c *compiler) inLanes(in *ssa.Instr, body, wide *code) step {
	size, one, first, lanes := c.at(in.Args[0]), c.at(in.Blocks[0].Params[0]), c.at(in.WideBlock().Params[0]), int64(in.Len)
	return plain(func(fr *frame) {
		i, n := int64(0), int64(fr.get(size))
		for ; i+lanes <= n; i += lanes {
			fr.set(first, uint64(i))
			wide.run(fr)
		}
		for ; i < n; i++ {
			fr.set(one, uint64(i))
			body.run(fr)
		}
	})
}

func (c *compiler) call(in *ssa.Instr) step {
	callee := c.program.function(in.Callee)
	type move struct{ from, to, size int }
	var give, take []move
	for i, a := range in.Args {
		give = append(give, move{c.at(a), callee.places[callee.source.Params()[i].ID], room(a.Type)})
	}
	for i, r := range in.Results {
		take = append(take, move{callee.results[i], c.at(r), room(r.Type)})
	}
	return plain(func(fr *frame) {
		m := fr.m
		if m.depth++; m.depth > maxDepth {
			fail(in, ErrDepth)
		}
		inner := m.frame(callee.size)
		for _, g := range give {
			copy(inner.b[g.to:g.to+g.size], fr.b[g.from:g.from+g.size])
		}
		callee.body.run(inner)
		for _, t := range take {
			copy(fr.b[t.to:t.to+t.size], inner.b[t.from:t.from+t.size])
		}
		m.stack = m.stack[:len(m.stack)-callee.size]
		m.depth--
	})
}

func (c *compiler) terminator(in *ssa.Instr) step {
	leave := func(e exit) step {
		to := c.results
		if in.Op != ssa.OpReturn {
			to = c.placesOf(in.Receivers())
		}
		if len(to) == 0 {
			return func(fr *frame) exit { return e }
		}
		move := c.movesTo(in.Args, to)
		return func(fr *frame) exit {
			move(fr)
			return e
		}
	}
	switch in.Op {
	case ssa.OpYield:
		return leave(yielded)
	case ssa.OpTest:
		at := c.at(in.Args[0])
		return func(fr *frame) exit {
			if fr.get(at) != 0 {
				return testTrue
			}
			return testFalse
		}
	case ssa.OpBreak:
		return leave(c.loops[in.Target])
	case ssa.OpContinue:
		return leave(c.loops[in.Target] + 1)
	case ssa.OpReturn:
		return leave(returned)
	case ssa.OpPanic:
		fault := c.fault(in, 0)
		return func(fr *frame) exit {
			fault(fr)
			return next
		}
	case ssa.OpUnreachable:
		return func(fr *frame) exit { panic("BUG: unreachable is reached in " + in.Block.Func.Name) }
	}
	panic(fmt.Sprintf("BUG: cannot run %v", in.Op))
}

// fault ends the run with a fault, of a lane.
func (c *compiler) fault(in *ssa.Instr, lane int) func(fr *frame) {
	return func(fr *frame) {
		f := &Fault{Instr: in, Lane: fr.m.lane + lane}
		for _, a := range in.Args {
			f.Values = append(f.Values, fr.get(c.at(a)))
		}
		fail(in, f)
	}
}
