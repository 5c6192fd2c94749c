package lower

import (
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A segment is straight-line code that can be left before its end: an unrolled loop, or one of its
// iterations; a switch; a body that is lowered into its caller. It is a Loop with one iteration, and
// leaving it is a break. Unlike the body of a real loop, it sees the variables as they are outside, so
// that known values stay known. If it is left only at its end, the Loop is removed.
type segment struct {
	b     *Flow
	in    *ssa.Instr
	pos   token.Pos
	outer *ssa.Block
	dead  bool // outer is
	was   bool // what gone was before

	vars    []*types.Var        // that it may give new values
	before  []*ssa.Value        // of vars, nil for those that have none yet
	outside map[*types.Var]bool // the variables outside, if there are functions among vars
	exits   []exit              // those that are reached
	left    bool                // by an exit, even in dead code
	mark    int                 // of what is known of memory, before

	touched int // how much of that had been changed
	unsure  int // what it was before
}

// An exit is a place where control leaves a segment.
type exit struct {
	in   *ssa.Instr
	vals []*ssa.Value // of the segment's variables
	mark int          // of what is known of memory
	nth  int          // of all exits

	unsure int // what it was there
}

// openSegment appends and enters a segment that assigns to the given variables, and to those in results,
// which need not have a value before.
func (b *Flow) openSegment(pos token.Pos, label string, vars, results []*types.Var) *segment {
	r := &segment{b: b, pos: pos, outer: b.Cur, dead: b.Dead, was: b.Gone, unsure: b.unsure}
	for _, v := range b.Expand(vars) {
		if val, ok := b.Vars[v]; ok && val != eval.TheGrid && !check.IsPlace(val.Type) {
			r.vars, r.before = append(r.vars, v), append(r.before, val)
		}
	}
	for _, v := range b.Expand(results) {
		if b.Locals[v] == nil {
			r.vars, r.before = append(r.vars, v), append(r.before, b.Vars[v])
		}
	}
	for _, v := range r.vars {
		if r.outside == nil && b.Facts.IsFrontType(b.Subst(v.Type())) {
			r.outside = b.DeclaredVars()
		}
	}
	r.in = b.Emit(pos, &ssa.Instr{Op: ssa.OpLoop, Label: label})
	if b.Once == nil {
		b.Once = map[*ssa.Instr]bool{}
	}
	b.Once[r.in] = true
	b.Cur = r.in.NewBlock()
	b.Emit(pos, &ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{b.Constant(pos, ssa.Bool, ssa.BoolConst(true))}})
	b.Cur, b.Gone = r.in.NewBlock(), false
	r.mark, r.touched = b.Memory.Mark(), len(b.Memory.Touched)
	b.segments = append(b.segments, r)
	return r
}

// leave leaves the segment. results has the values of the variables that exist only outside.
func (r *segment) leave(pos token.Pos, results map[*types.Var]*ssa.Value) {
	b := r.b
	r.left = r.left || !b.Gone
	in := &ssa.Instr{Op: ssa.OpBreak, Target: r.in}
	if !b.Dead {
		b.Exits++
		x := exit{in: in, vals: make([]*ssa.Value, len(r.vars)), mark: b.Memory.Mark(), nth: b.Exits, unsure: b.unsure}
		for i, v := range r.vars {
			x.vals[i] = b.Vars[v]
			if val, ok := results[v]; ok {
				x.vals[i] = val
			}
			if x.vals[i] == nil {
				x.vals[i] = eval.Poison
			}
		}
		r.exits = append(r.exits, x)
	}
	b.Leave(pos, in)
}

// close leaves the segment at its end, if it is reachable, and continues outside.
func (r *segment) close() {
	b := r.b
	if !b.Gone {
		r.leave(r.pos, nil)
	}
	b.segments = b.segments[:len(b.segments)-1]
	b.Cur, b.Dead, b.Gone = r.outer, r.dead || len(r.exits) == 0, r.was || !r.left
	switch {
	case r.dead:
		b.Memory.Undo(r.mark)
		b.Cur = &ssa.Block{Func: b.Func}
	case len(r.exits) == 0: // a segment around it may be left, with what is known of memory
		r.splice(r.in.Do().Instrs)
		b.Cur = &ssa.Block{Func: b.Func}
	case len(r.exits) == 1 && r.exits[0].in.Block == r.in.Do():
		do := r.in.Do().Instrs
		r.splice(do[:len(do)-1])
		b.Memory.Undo(r.exits[0].mark) // what is lowered behind the exit is never done
		for i, v := range r.vars {
			b.Vars[v] = r.exits[0].vals[i]
		}
	default:
		b.Memory.Undo(r.mark)
		for _, addr := range b.Memory.Touched[r.touched:] {
			b.Memory.Set(addr, nil)
		}
		r.merge()
	}
}

// splice replaces the Loop by instructions.
func (r *segment) splice(ins []*ssa.Instr) {
	r.outer.Instrs = append(r.outer.Instrs[:len(r.outer.Instrs)-1], ins...)
	for _, in := range ins {
		in.Block = r.outer
	}
}

// merge gives the Loop a variable for each variable of the segment that has different values at its
// exits.
func (r *segment) merge() {
	b := r.b
	met := r.meetInterfaces()
	cond := r.in.Cond()
	b.Cur = r.in.NewBlock()
	var known []*types.Var
	var merged []int
	for i, v := range r.vars {
		switch val, how := r.meeting(i); how {
		case meetSame:
			b.Vars[v] = val
		case meetKnown:
			b.Vars[v], known = val, append(known, v)
		default:
			merged = append(merged, i)
			cond.AddParam(val.Type, v.Name())
			b.Cur.AddParam(val.Type, v.Name())
		}
	}
	for _, x := range r.exits {
		for _, i := range merged {
			x.in.Args = append(x.in.Args, x.vals[i])
			b.Escape(x.vals[i])
		}
	}
	b.Emit(r.pos, &ssa.Instr{Op: ssa.OpYield, Args: b.Cur.Params})
	r.outer.Instrs = r.outer.Instrs[:len(r.outer.Instrs)-1]
	b.Cur = r.outer
	for n, i := range merged {
		r.in.Args = append(r.in.Args, r.first(i, cond.Params[n].Type))
	}
	r.outer.Instrs = append(r.outer.Instrs, r.in)
	for n, i := range merged {
		b.Vars[r.vars[i]] = r.in.AddResult(cond.Params[n].Type, r.vars[i].Name())
		r.stillKnown(i)
	}
	for _, v := range known {
		b.Vars[v] = b.Again(r.pos, b.Vars[v])
	}
	met.close(b)
}

// first is the initial value of the Loop's variable for variable i. Nothing reads it.
func (r *segment) first(i int, t ssa.Type) *ssa.Value {
	if v := r.before[i]; v != nil && v.Type == t {
		return v
	}
	return r.b.Zero(r.pos, t)
}

// A meeting is the value of a variable where several paths meet.
type meeting uint8

const (
	meetValues meeting = iota // one of several values
	meetSame                  // one value
	meetKnown                 // one known value, which must be made anew
)

// meeting returns the meeting of variable i at the end of the segment, with its value or one of its
// values.
func (r *segment) meeting(i int) (*ssa.Value, meeting) {
	if val, ok := r.tilesMeet(i); ok {
		return val, meetSame
	}
	first := r.exits[0].vals[i]
	same, known := true, true
	for _, x := range r.exits {
		val := x.vals[i]
		if val == eval.Poison || eval.IsFront(val) != eval.IsFront(first) || !eval.IsFront(val) && val.Type != first.Type {
			return eval.Poison, meetSame
		}
		same = same && val == first
		known = known && eval.SameKnown(val, first)
		if eval.IsFront(val) {
			first = r.b.MergeFront(first, r.b.FuncAfter(r.outer, r.outside, val))
		}
	}
	switch {
	case eval.IsFront(first):
		return first, meetSame
	case same && eval.VisibleIn(r.outer, first):
		return first, meetSame
	case known:
		return first, meetKnown
	}
	return first, meetValues
}

// stillKnown marks variable i as symbolic if a kernel is lowered only to find its errors and all values
// of the variable are known: the conditions that select the value may be known in a launch too.
func (r *segment) stillKnown(i int) {
	b := r.b
	if !b.Facts.Opts.Symbolic {
		return
	}
	for _, x := range r.exits {
		if !b.AllKnown(x.vals[i]) {
			return
		}
	}
	b.MarkSymbolic(b.Vars[r.vars[i]])
}
