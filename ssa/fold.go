package ssa

// fold computes what is known at compile time, applies the identities of
// integers, bools and aggregates, leaves out the checks that hold for constants,
// and resolves control flow on known conditions: the block
// of an If that is taken is spliced in its place, as is the turn of a loop that takes but
// one, a loop whose first test is false leaves only that test behind, and what cannot
// be reached goes.
func fold(f *Func) bool {
	fd := folder{out: make([]*Instr, 0, len(f.Body.Instrs)+16)}
	fd.block(f.Body)
	return fd.changed
}

// folder walks a function in the order of the text.
type folder struct {
	// out holds the new instructions of the blocks that are being folded, those
	// of an inner block after those of an outer one.
	out     []*Instr
	changed bool
}

func (fd *folder) emit(in *Instr) { fd.out = append(fd.out, in) }

// block folds a block of the tree.
func (fd *folder) block(b *Block) {
	base := len(fd.out)
	fd.instrs(b, b.Instrs)
	b.setInstrs(fd.out[base:])
	fd.out = fd.out[:base]
}

// instrs folds instructions into the block b, whose own they are or become. It
// reports whether it ended the block before the end of the list, since what
// follows is never reached: then nothing may be added.
func (fd *folder) instrs(b *Block, ins []*Instr) (ended bool) {
	for i, in := range ins {
		in.Block = b
		in.resolve()
		switch in.Op {
		case OpIf:
			taken := in.takenBlock()
			if taken != nil && (taken.Terminator().Op == OpYield || b.mayLeave()) {
				if fd.spliceIf(b, in, taken) {
					return true
				}
				continue
			}
			fd.block(in.Then())
			fd.block(in.Else())
			fd.ifResults(in)
			if in.Op != OpIf {
				fd.emit(in)
				continue
			}
		case OpLoop:
			test, ok := in.firstTest()
			if ok && test && in.breaksAtEnd() {
				if fd.spliceLoop(b, in) {
					return true
				}
				continue
			}
			if ok && !test {
				fd.changed = true
				for k, p := range in.Cond().Params {
					p.forwardTo(in.Args[k])
				}
				cond := in.Cond().Instrs
				if fd.instrs(b, cond[:len(cond)-1]) {
					return true
				}
				for k, r := range in.Results {
					r.forwardTo(in.Args[k])
				}
				continue
			}
			fd.block(in.Cond())
			fd.block(in.Do())
			fd.block(in.Post())
		case OpFor:
			fd.block(in.Blocks[0])
		case OpCheck:
			if in.holds() {
				fd.changed = true
				continue
			}
		default:
			fd.simple(in)
			continue
		}
		fd.emit(in)
		if !in.fallsThrough() && b.mayLeave() {
			fd.cutOff(in, ins[i+1:])
			return true
		}
	}
	return false
}

// mayLeave reports whether a block may end in a terminator that leaves: the
// Cond and the Post of a loop must come to their own ends.
func (b *Block) mayLeave() bool {
	o := b.Owner
	return o == nil || o.Op != OpLoop || b == o.Do()
}

// takenBlock is the block of an If with a known condition, else nil.
func (in *Instr) takenBlock() *Block {
	c, ok := in.Args[0].Const()
	switch {
	case !ok:
		return nil
	case c.Bool():
		return in.Then()
	}
	return in.Else()
}

// spliceIf folds the taken block of an If in the If's place.
func (fd *folder) spliceIf(b *Block, in *Instr, taken *Block) (ended bool) {
	fd.changed = true
	last := len(taken.Instrs) - 1
	if fd.instrs(b, taken.Instrs[:last]) {
		return true
	}
	t := taken.Instrs[last]
	t.resolve()
	if t.Op != OpYield {
		t.Block = b
		fd.emit(t)
		return true
	}
	for k, r := range in.Results {
		r.forwardTo(t.Args[k])
	}
	return false
}

// breaksAtEnd reports whether a loop that is entered is left by the break at the end of its
// Do and nowhere else, other than for a place further out: it takes one turn.
func (in *Instr) breaksAtEnd() bool {
	t := in.Do().Terminator()
	return t.Op == OpBreak && t.Target == in && len(in.exits(OpBreak, nil)) == 1 && !in.isTargetOf(OpContinue)
}

// spliceLoop folds the only turn of a loop in the loop's place.
func (fd *folder) spliceLoop(b *Block, in *Instr) (ended bool) {
	fd.changed = true
	for k, p := range in.Cond().Params {
		p.forwardTo(in.Args[k])
	}
	cond, do := in.Cond().Instrs, in.Do().Instrs
	if fd.instrs(b, cond[:len(cond)-1]) || fd.instrs(b, do[:len(do)-1]) {
		return true
	}
	t := do[len(do)-1]
	t.resolve()
	for k, r := range in.Results {
		r.forwardTo(t.Args[k])
	}
	return false
}

// cutOff ends a block after an instruction that does not fall through.
func (fd *folder) cutOff(in *Instr, rest []*Instr) {
	if len(rest) == 1 && rest[0].Op == OpUnreachable {
		rest[0].Block = in.Block
		fd.emit(rest[0])
		return
	}
	fd.changed = true
	fd.emit(&Instr{Op: OpUnreachable, Block: in.Block, Pos: in.Pos, Stmt: in.Stmt})
}

// ifResults replaces results of an If that need no If: what both blocks give,
// or the only one that ends by a yield; equal constants; and the condition
// itself, where the blocks give true and false.
func (fd *folder) ifResults(in *Instr) {
	var yields [2]*Instr
	for i, b := range in.Blocks {
		if t := b.Terminator(); t.Op == OpYield {
			yields[i] = t
		}
	}
	for k, r := range in.Results {
		if r.forward != nil {
			continue
		}
		if to := fd.ifResult(in, k, yields); to != nil {
			r.forwardTo(to)
			fd.changed = true
		}
	}
}

// ifResult is what replaces a result of an If, or nil.
func (fd *folder) ifResult(in *Instr, k int, yields [2]*Instr) *Value {
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
		c := in.before(OpConst, t)
		c.Const = a
		fd.emit(c)
		return c.Result()
	case t != Bool:
		return nil
	case a.Bool():
		return in.Args[0]
	}
	not := in.before(OpNot, t)
	not.Args = []*Value{in.Args[0]}
	fd.emit(not)
	return not.Result()
}

// outside is the value if it is defined outside the blocks of an instruction.
func outside(v *Value, in *Instr) *Value {
	for _, b := range in.Blocks {
		if v.home() == b {
			return nil
		}
	}
	return v
}

// before makes an instruction of one result to stand before another.
func (in *Instr) before(op Op, t Type) *Instr {
	n := &Instr{Op: op, Block: in.Block, Pos: in.Pos, Stmt: in.Stmt}
	n.AddResult(t, "")
	return n
}

// simple folds an instruction without blocks.
func (fd *folder) simple(in *Instr) {
	if ops[in.Op].effect != Pure || in.Op == OpConst {
		fd.emit(in)
		return
	}
	if in.isAggregate() {
		if same := fd.aggregate(in); same != nil {
			in.Result().forwardTo(same)
			fd.changed = true
			return
		}
		fd.emit(in)
		return
	}
	var x [3]Const
	known := 0
	for i, a := range in.Args {
		c, ok := a.Const()
		if !ok || i == len(x) {
			break
		}
		x[i] = c
		known++
	}
	if known == len(in.Args) {
		if c, ok := evaluate(in, x[:known]); ok {
			in.become(c)
			fd.changed = true
			fd.emit(in)
			return
		}
		if len(in.Results) == 2 && in.Op == OpMath {
			if a, b, ok := evalPair(in, x[0]); ok {
				fd.pair(in, a, b)
				return
			}
		}
	}
	same, changed := in.simplify()
	if changed {
		fd.changed = true
	}
	if same != nil {
		in.Result().forwardTo(same)
		fd.changed = true
		return
	}
	fd.emit(in)
}

// become turns an instruction of one result into a constant.
func (in *Instr) become(c Const) {
	in.Op, in.Const, in.Args = OpConst, c, nil
}

// pair replaces an instruction of two results by two constants.
func (fd *folder) pair(in *Instr, a, b Const) {
	fd.changed = true
	for i, c := range [2]Const{a, b} {
		n := in.before(OpConst, in.Results[i].Type)
		n.Const = c
		n.Result().Name = in.Results[i].Name
		in.Results[i].forwardTo(n.Result())
		fd.emit(n)
	}
}

// firstTest is the outcome of a loop's test before its first turn, if it is
// known from the constants among the initial values.
func (in *Instr) firstTest() (test, ok bool) {
	const budget = 32 // operands looked at: conditions that can be known are short
	left := budget
	c, ok := in.atFirst(in.Cond().Terminator().Args[0], &left)
	return c.Bool(), ok
}

// atFirst is a value of a loop's Cond before the first turn, if it is known.
func (in *Instr) atFirst(v *Value, left *int) (Const, bool) {
	v = v.resolved()
	if *left--; *left < 0 {
		return Const{}, false
	}
	if c, ok := v.Const(); ok {
		return c, true
	}
	if v.home() != in.Cond() {
		return Const{}, false
	}
	if v.Def == nil {
		return in.Args[v.index()].Const()
	}
	var x [3]Const
	if ops[v.Def.Op].effect != Pure || len(v.Def.Args) > len(x) {
		return Const{}, false
	}
	for i, a := range v.Def.Args {
		c, ok := in.atFirst(a, left)
		if !ok {
			return Const{}, false
		}
		x[i] = c
	}
	return evaluate(v.Def, x[:len(v.Def.Args)])
}
