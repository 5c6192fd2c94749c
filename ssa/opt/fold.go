package opt

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// fold computes constants, applies identities of integers, bools and aggregates, and removes checks that hold
// for constants. It also resolves control flow on constant conditions. The taken block of an If replaces the If.
// The body of a loop with only one iteration replaces the loop. Of a loop whose first test is false only that
// test remains. Unreachable code is removed.
func fold(f *ssa.Func, summaries *analysis.Summaries) bool {
	fd := folder{remarks: summaries.Remarks, out: make([]*ssa.Instr, 0, len(f.Body.Instrs)+16)}
	fd.block(f.Body)
	return fd.changed
}

// A folder walks a function in the order of the code.
type folder struct {
	// out holds the new instructions of the blocks that are being folded, those
	// of an inner block after those of an outer one.
	out     []*ssa.Instr
	changed bool
	remarks ssa.Remarks
}

func (fd *folder) emit(in *ssa.Instr) { fd.out = append(fd.out, in) }

// block folds a block of the tree.
func (fd *folder) block(b *ssa.Block) {
	base := len(fd.out)
	fd.instrs(b, b.Instrs)
	b.SetInstrs(fd.out[base:])
	fd.out = fd.out[:base]
}

// instrs folds instructions into the block b, to which they then belong. It reports whether it ended the
// block before the end of the list, because the rest is never reached. Nothing may be added then.
func (fd *folder) instrs(b *ssa.Block, ins []*ssa.Instr) (ended bool) {
	for i, in := range ins {
		in.Block = b
		in.Resolve()
		switch in.Op {
		case ssa.OpIf:
			taken := takenBlock(in)
			if taken != nil && (taken.Terminator().Op == ssa.OpYield || mayLeave(b)) {
				if fd.spliceIf(b, in, taken) {
					return true
				}
				continue
			}
			fd.block(in.Then())
			fd.block(in.Else())
			fd.ifResults(in)
			if in.Op != ssa.OpIf {
				fd.emit(in)
				continue
			}
		case ssa.OpLoop:
			test, ok := firstTest(in)
			if ok && test && breaksAtEnd(in) {
				if fd.spliceLoop(b, in) {
					return true
				}
				continue
			}
			if ok && !test {
				fd.changed = true
				for k, p := range in.Cond().Params {
					p.ForwardTo(in.Args[k])
				}
				cond := in.Cond().Instrs
				if fd.instrs(b, cond[:len(cond)-1]) {
					return true
				}
				for k, r := range in.Results {
					r.ForwardTo(in.Args[k])
				}
				continue
			}
			fd.block(in.Cond())
			fd.block(in.Do())
			fd.block(in.Post())
		case ssa.OpFor:
			fd.block(in.Blocks[0])
		case ssa.OpCheck:
			if holds(in) {
				if fd.remarks != nil {
					fd.remarks.On("checks", ssa.Done, in, "%s: proven by constants", Condition(in))
				}
				fd.changed = true
				continue
			}
		default:
			fd.simple(in)
			continue
		}
		fd.emit(in)
		if !in.FallsThrough() && mayLeave(b) {
			fd.cutOff(in, ins[i+1:])
			return true
		}
	}
	return false
}

// mayLeave reports whether a block may end in a terminator that leaves: the
// Cond and the Post of a loop must come to their own ends.
func mayLeave(b *ssa.Block) bool {
	o := b.Owner
	return o == nil || o.Op != ssa.OpLoop || b == o.Do()
}

// takenBlock is the block of an If with a constant condition, else nil.
func takenBlock(in *ssa.Instr) *ssa.Block {
	c, ok := in.Args[0].Const()
	switch {
	case !ok:
		return nil
	case c.Bool():
		return in.Then()
	}
	return in.Else()
}

// spliceIf folds the taken block of an If and replaces the If by it.
func (fd *folder) spliceIf(b *ssa.Block, in *ssa.Instr, taken *ssa.Block) (ended bool) {
	fd.changed = true
	last := len(taken.Instrs) - 1
	if fd.instrs(b, taken.Instrs[:last]) {
		return true
	}
	t := taken.Instrs[last]
	t.Resolve()
	if t.Op != ssa.OpYield {
		t.Block = b
		fd.emit(t)
		return true
	}
	for k, r := range in.Results {
		r.ForwardTo(t.Args[k])
	}
	return false
}

// breaksAtEnd reports whether a loop, once entered, has only one iteration: it is left only by the break at
// the end of its Do, or for a place outside enclosing blocks.
func breaksAtEnd(in *ssa.Instr) bool {
	t := in.Do().Terminator()
	return t.Op == ssa.OpBreak && t.Target == in && len(in.Exits(ssa.OpBreak, nil)) == 1 && !in.IsTargetOf(ssa.OpContinue)
}

// spliceLoop folds the only iteration of a loop and replaces the loop by it.
func (fd *folder) spliceLoop(b *ssa.Block, in *ssa.Instr) (ended bool) {
	fd.changed = true
	for k, p := range in.Cond().Params {
		p.ForwardTo(in.Args[k])
	}
	cond, do := in.Cond().Instrs, in.Do().Instrs
	if fd.instrs(b, cond[:len(cond)-1]) || fd.instrs(b, do[:len(do)-1]) {
		return true
	}
	t := do[len(do)-1]
	t.Resolve()
	for k, r := range in.Results {
		r.ForwardTo(t.Args[k])
	}
	return false
}

// cutOff ends a block after an instruction that does not fall through.
func (fd *folder) cutOff(in *ssa.Instr, rest []*ssa.Instr) {
	if len(rest) == 1 && rest[0].Op == ssa.OpUnreachable {
		rest[0].Block = in.Block
		fd.emit(rest[0])
		return
	}
	fd.changed = true
	fd.emit(&ssa.Instr{Op: ssa.OpUnreachable, Block: in.Block, Pos: in.Pos, Stmt: in.Stmt})
}

// ifResults replaces results of an If that do not depend on it: a value that both blocks yield, or the only
// block that ends in a yield; equal constants; and the condition itself, if the blocks yield true and false.
func (fd *folder) ifResults(in *ssa.Instr) {
	var yields [2]*ssa.Instr
	for i, b := range in.Blocks {
		if t := b.Terminator(); t.Op == ssa.OpYield {
			yields[i] = t
		}
	}
	for k, r := range in.Results {
		if r.Forward != nil {
			continue
		}
		if to := fd.ifResult(in, k, yields); to != nil {
			r.ForwardTo(to)
			fd.changed = true
		}
	}
}

// ifResult is the replacement for a result of an If, or nil.
func (fd *folder) ifResult(in *ssa.Instr, k int, yields [2]*ssa.Instr) *ssa.Value {
	then, els := yields[0], yields[1]
	switch {
	case then == nil && els == nil:
		return nil
	case then == nil:
		return outside(els.Args[k], in)
	case els == nil:
		return outside(then.Args[k], in)
	case then.Args[k] == els.Args[k]:
		return then.Args[k]
	}
	a, ok1 := then.Args[k].Const()
	b, ok2 := els.Args[k].Const()
	t := in.Results[k].Type
	switch {
	case !ok1 || !ok2:
		return nil
	case a == b:
		c := before(in, ssa.OpConst, t)
		c.Const = a
		fd.emit(c)
		return c.Result()
	case t != ssa.Bool:
		return nil
	case a.Bool():
		return in.Args[0]
	}
	not := before(in, ssa.OpNot, t)
	not.Args = []*ssa.Value{in.Args[0]}
	fd.emit(not)
	return not.Result()
}

// outside is the value if it is defined outside the blocks of an instruction.
func outside(v *ssa.Value, in *ssa.Instr) *ssa.Value {
	for _, b := range in.Blocks {
		if v.Home() == b {
			return nil
		}
	}
	return v
}

// before inserts an instruction with one result before another one.
func before(in *ssa.Instr, op ssa.Op, t ssa.Type) *ssa.Instr {
	n := &ssa.Instr{Op: op, Block: in.Block, Pos: in.Pos, Stmt: in.Stmt}
	n.AddResult(t, "")
	return n
}

// simple folds an instruction without blocks.
func (fd *folder) simple(in *ssa.Instr) {
	if in.Op.Effect() != ssa.Pure || in.Op == ssa.OpConst {
		fd.emit(in)
		return
	}
	if isAggregate(in) {
		if same := fd.aggregate(in); same != nil {
			in.Result().ForwardTo(same)
			fd.changed = true
			return
		}
		fd.emit(in)
		return
	}
	var x [3]ssa.Const
	constants := 0
	for i, a := range in.Args {
		c, ok := a.Const()
		if !ok || i == len(x) {
			break
		}
		x[i] = c
		constants++
	}
	if constants == len(in.Args) {
		if c, ok := ssa.Evaluate(in, x[:constants]); ok {
			become(in, c)
			fd.changed = true
			fd.emit(in)
			return
		}
		if len(in.Results) == 2 {
			if a, b, ok := ssa.EvaluatePair(in, x[:constants]); ok {
				fd.pair(in, a, b)
				return
			}
		}
	}
	same, changed := simplify(in)
	if changed {
		fd.changed = true
	}
	if same != nil {
		in.Result().ForwardTo(same)
		fd.changed = true
		return
	}
	fd.emit(in)
}

// become turns an instruction of one result into a constant.
func become(in *ssa.Instr, c ssa.Const) {
	in.Op, in.Const, in.Args = ssa.OpConst, c, nil
}

// pair replaces an instruction of two results by two constants.
func (fd *folder) pair(in *ssa.Instr, a, b ssa.Const) {
	fd.changed = true
	for i, c := range [2]ssa.Const{a, b} {
		n := before(in, ssa.OpConst, in.Results[i].Type)
		n.Const = c
		n.Result().Name = in.Results[i].Name
		in.Results[i].ForwardTo(n.Result())
		fd.emit(n)
	}
}

// firstTest is the outcome of a loop's test before its first iteration, if it
// follows from the constants among the initial values.
func firstTest(in *ssa.Instr) (test, ok bool) {
	const budget = 32 // operands looked at: conditions that can be constant are short
	left := budget
	c, ok := atFirst(in, in.Cond().Terminator().Args[0], &left)
	return c.Bool(), ok
}

// atFirst is a value of a loop's Cond before the first iteration, if it is a constant.
func atFirst(in *ssa.Instr, v *ssa.Value, left *int) (ssa.Const, bool) {
	v = v.Resolved()
	if *left--; *left < 0 {
		return ssa.Const{}, false
	}
	if c, ok := v.Const(); ok {
		return c, true
	}
	if v.Home() != in.Cond() {
		return ssa.Const{}, false
	}
	if v.Def == nil {
		return in.Args[v.Index()].Const()
	}
	var x [3]ssa.Const
	if v.Def.Op.Effect() != ssa.Pure || len(v.Def.Args) > len(x) {
		return ssa.Const{}, false
	}
	for i, a := range v.Def.Args {
		c, ok := atFirst(in, a, left)
		if !ok {
			return ssa.Const{}, false
		}
		x[i] = c
	}
	return ssa.Evaluate(v.Def, x[:len(v.Def.Args)])
}
