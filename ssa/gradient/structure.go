package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// structure gives a kernel one way through. In what it returns all blocks of Ifs end in a yield, all bodies of
// loops in a continue, and the function in its only return. A loop ends by its test.
//
// An exit from within an If is a number that the If yields, with the values for the loop that the exit
// goes to. What follows such an If runs where no exit was taken:
//
//	if c { break L (x) }; rest         v:int32, y = if c { yield 2, x } else { rest; yield 1, z }
//
// A loop that is left by other ways than its test has the number as one more variable, and tests it. A panic
// ends nothing: the backward kernel runs after a launch that did not panic.
//
// A variable to which each turn of the old loop adds the same number has it added in the new one, in all turns that
// there are: counts has the number of each. A loop with a limit takes no more turns than that.
func structure(f *ssa.Func) (g *ssa.Func, counts map[*ssa.Value]step, limits map[*ssa.Instr]int64) {
	rotate(f.Body)
	g = ssa.NewFunc(f.Name)
	g.Kernel, g.Kind, g.Rank, g.Decl = f.Kernel, f.Kind, f.Rank, f.Decl
	s := structurer{values: newMost(f), codes: map[exit]int64{{}: returned},
		choices: make(map[*ssa.Value]choice), counts: make(map[*ssa.Value]step), limits: make(map[*ssa.Instr]int64)}
	for _, p := range f.Params() {
		s.values.put(p, g.Body.AddParam(p.Type, p.Name))
	}
	s.run(f.Body.Instrs, g.Body, nil)
	last := f.Body.Terminator()
	g.Body.Append(&ssa.Instr{Op: ssa.OpReturn, Pos: last.Pos, Stmt: last.Stmt})
	return g, s.counts, s.limits
}

// An exit is a way out of a block that is not through its end: a break or a continue of a loop, or, as the
// zero value, the return.
type exit struct {
	loop *ssa.Instr
	op   ssa.Op
}

// The numbers of the ways on from a block. Breaks and continues of loops have further ones.
const (
	onward   = 0 // through the end of the block
	returned = 1
)

type structurer struct {
	values  *most                 // those of the new function
	choices map[*ssa.Value]choice // numbers of ways on that an If chooses from two
	codes   map[exit]int64        // the numbers of exits
	counts  map[*ssa.Value]step   // by the variable of a new loop
	limits  map[*ssa.Instr]int64  // by new loop: how many turns it takes at most, where that is known
}

// A choice is a number of a way on that depends on a condition only.
type choice struct {
	cond      *ssa.Value
	then, els int64
}

// An outcome is how a sequence of instructions ends, of which the new ones stand in a block without a terminator.
type outcome struct {
	never   bool                        // its end is not reached, for a panic
	falls   bool                        // it may end in the yield of its block
	how     *ssa.Value                  // which way it ends, nil if that is always code
	code    int64                       // the only way
	yields  []*ssa.Value                // if it falls: what it yields
	payload map[*ssa.Instr][]*ssa.Value // by loop: the variables with which it is left or continued
}

// What remains to be done when a block has come to its end.
type rest struct {
	results []*ssa.Value // of the If, which the block's yield gives
	instrs  []*ssa.Instr // what follows the If
	next    *rest
}

func (s *structurer) mapped(vs []*ssa.Value) []*ssa.Value {
	out := make([]*ssa.Value, len(vs))
	for i, v := range vs {
		out[i] = s.values.get(v)
	}
	return out
}

func (s *structurer) bind(old, new []*ssa.Value) {
	for i, v := range old {
		s.values.put(v, new[i])
	}
}

func (s *structurer) code(target *ssa.Instr, op ssa.Op) int64 {
	e := exit{target, op}
	if op == ssa.OpReturn {
		e = exit{}
	}
	if _, ok := s.codes[e]; !ok {
		s.codes[e] = int64(len(s.codes)) + 1
	}
	return s.codes[e]
}

// run appends what instructions do, and what remains behind them, to a block.
func (s *structurer) run(ins []*ssa.Instr, b *ssa.Block, k *rest) outcome {
	for i, in := range ins {
		switch in.Op {
		case ssa.OpYield, ssa.OpTest:
			vs := s.mapped(in.Args)
			if k == nil {
				return outcome{falls: true, yields: vs}
			}
			s.bind(k.results, vs)
			return s.run(k.instrs, b, k.next)
		case ssa.OpBreak, ssa.OpContinue:
			return outcome{code: s.code(in.Target, in.Op), payload: map[*ssa.Instr][]*ssa.Value{in.Target: s.mapped(in.Args)}}
		case ssa.OpReturn:
			return outcome{code: returned}
		case ssa.OpPanic, ssa.OpUnreachable:
			return outcome{never: true}
		case ssa.OpIf:
			if leaves(in) {
				return s.leavingIf(in, b, &rest{in.Results, ins[i+1:], k})
			}
			o := s.branch(in, b, s.values.get(in.Args[0]), func(n int, nb *ssa.Block) outcome { return s.run(in.Blocks[n].Instrs, nb, nil) })
			s.bind(in.Results, o.yields)
		case ssa.OpLoop:
			l := s.loop(in, b)
			if !leaves(in) {
				continue
			}
			out := l.outcome()
			return s.branch(in, b, l.done(b), func(n int, nb *ssa.Block) outcome {
				if n == 1 {
					return out
				}
				return s.run(ins[i+1:], nb, k)
			})
		default:
			copyInstr(in, b, s.values)
		}
	}
	panic("BUG: a block without a terminator")
}

// leaves reports whether an If or a loop has an exit to outside of it.
func leaves(in *ssa.Instr) bool {
	found := false
	for _, b := range in.Blocks {
		b.Walk(func(e *ssa.Instr) {
			switch e.Op {
			case ssa.OpReturn:
				found = true
			case ssa.OpBreak, ssa.OpContinue:
				found = found || !e.Target.Within(in)
			}
		})
	}
	return found
}

// leavingIf appends an If with exits, and what follows it.
func (s *structurer) leavingIf(in *ssa.Instr, b *ssa.Block, k *rest) outcome {
	cond := s.values.get(in.Args[0])
	if in.Then().Terminator().Op != ssa.OpYield || in.Else().Terminator().Op != ssa.OpYield {
		// What follows runs after one of the blocks, or after none.
		return s.branch(in, b, cond, func(n int, nb *ssa.Block) outcome { return s.run(in.Blocks[n].Instrs, nb, k) })
	}
	o := s.branch(in, b, cond, func(n int, nb *ssa.Block) outcome { return s.run(in.Blocks[n].Instrs, nb, nil) })
	s.bind(k.results, o.yields)
	if o.how == nil {
		return s.run(k.instrs, b, k.next)
	}
	return s.branch(in, b, s.is(b, o.how, onward), func(n int, nb *ssa.Block) outcome {
		if n == 0 {
			return s.run(k.instrs, nb, k.next)
		}
		left := s.other(o, onward)
		left.falls, left.yields = false, nil
		return left
	})
}

// branch appends an If whose blocks are made by fill, and joins the ways in which they end.
func (s *structurer) branch(like *ssa.Instr, b *ssa.Block, cond *ssa.Value, fill func(n int, nb *ssa.Block) outcome) outcome {
	in := b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}, Pos: like.Pos, Stmt: like.Stmt})
	var outs [2]outcome
	for n := range outs {
		outs[n] = fill(n, in.NewBlock())
	}
	j := joiner{in: in, outs: outs}
	o := j.join(s.order(outs))
	if o.how != nil && outs[0].how == nil && outs[1].how == nil {
		s.choices[o.how] = choice{cond, outs[0].code, outs[1].code}
	}
	return o
}

// other is an outcome that is known not to be a way on: it may be known which one it is.
func (s *structurer) other(o outcome, code int64) outcome {
	switch c, ok := s.choices[o.how]; {
	case ok && c.then == code:
		o.how, o.code = nil, c.els
	case ok && c.els == code:
		o.how, o.code = nil, c.then
	}
	return o
}

// order lists the loops that outcomes have payloads for, as they were met.
func (s *structurer) order(outs [2]outcome) []*ssa.Instr {
	rank := make(map[*ssa.Instr]int64)
	var loops []*ssa.Instr
	for _, o := range outs {
		for l := range o.payload {
			if _, ok := rank[l]; !ok {
				loops = append(loops, l)
			}
			rank[l] = max(s.codes[exit{l, ssa.OpBreak}], s.codes[exit{l, ssa.OpContinue}])
		}
	}
	slices.SortFunc(loops, func(a, b *ssa.Instr) int { return int(rank[a] - rank[b]) })
	return loops
}

// A joiner ends the blocks of an If.
type joiner struct {
	in    *ssa.Instr
	outs  [2]outcome
	gives [2][]*ssa.Value
}

func (j *joiner) join(loops []*ssa.Instr) outcome {
	x, y := j.outs[0], j.outs[1]
	o := outcome{never: x.never && y.never, falls: x.falls || y.falls, code: x.code}
	if x.never {
		o.code = y.code
	}
	if mixed := x.how != nil || y.how != nil || !x.never && !y.never && x.code != y.code; mixed {
		for n := range j.outs {
			how := j.outs[n].how
			if how == nil {
				how = number(j.in.Blocks[n], j.outs[n].code)
			}
			j.gives[n] = append(j.gives[n], how)
		}
		o.how = j.in.AddResult(ssa.Int32, "exit")
	}
	o.yields = j.both(x.yields, y.yields)
	for _, l := range loops {
		if o.payload == nil {
			o.payload = make(map[*ssa.Instr][]*ssa.Value)
		}
		o.payload[l] = j.both(x.payload[l], y.payload[l])
	}
	for n, b := range j.in.Blocks {
		b.Append(&ssa.Instr{Op: ssa.OpYield, Args: j.gives[n], Pos: j.in.Pos, Stmt: j.in.Stmt})
	}
	return o
}

// both makes results of what the two blocks give: zeros, which nobody reads, if a block gives nothing.
func (j *joiner) both(x, y []*ssa.Value) (results []*ssa.Value) {
	like := x
	if len(x) == 0 {
		like = y
	}
	for i, v := range like {
		for n, from := range [2][]*ssa.Value{x, y} {
			if len(from) == 0 {
				j.gives[n] = append(j.gives[n], j.in.Blocks[n].AppendZero(v.Type))
			} else {
				j.gives[n] = append(j.gives[n], from[i])
			}
		}
		results = append(results, j.in.AddResult(v.Type, v.Name))
	}
	return results
}

// number is the constant of a way on.
func number(b *ssa.Block, code int64) *ssa.Value {
	return b.AppendInt(ssa.Int32, code)
}

// is compares a way on with a number.
func (s *structurer) is(b *ssa.Block, how *ssa.Value, code int64) *ssa.Value {
	switch c, ok := s.choices[how]; {
	case ok && c.then == code:
		return c.cond
	case ok && c.els == code:
		return b.AppendOp(ssa.OpNot, ssa.Bool, c.cond).Result()
	}
	return b.AppendOp(ssa.OpEq, ssa.Bool, how, number(b, code)).Result()
}
