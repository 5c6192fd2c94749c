package emit

import "github.com/qdgen/qd/ssa"

// A plan says how the values of one function are printed. It is made in
// stages; see the package documentation.
//
// Values are numbered by ssa.Value.ID; slices of the plan are indexed by it.
type plan struct {
	fn *ssa.Func

	pos    map[*ssa.Instr]int          // place in the text's order, outer before inner
	writes []int                       // by place: the writes before it
	exits  map[*ssa.Instr][]*ssa.Instr // of a loop: its continues and breaks

	uses  []int               // how often a value is read; of an unused one 0
	users [][]*ssa.Instr      // who reads it
	dead  map[*ssa.Instr]bool // printed nowhere: pure and unused

	inline  []bool                    // printed inside each use
	root    map[*ssa.Instr]*ssa.Instr // of an inlined instruction: the statement it is printed in, nil for several
	logical map[*ssa.Instr]bool       // an If printed as && or ||

	vars []*variable // by value: the variable that holds it, nil when inlined or unused
	all  []*variable // in the order of their first value

	live *liveness
	decl map[*ssa.Instr][]*variable // declared before, or as, the instruction
	head map[*ssa.Instr][]*variable // of a loop: declared in the header of its for

	ranges *ranges
	taken  map[string]bool // names of variables
}

// newPlan plans f. No variable gets a name that avoid reports.
func newPlan(f *ssa.Func, avoid func(string) bool) *plan {
	n := numValues(f)
	p := &plan{
		fn:      f,
		pos:     make(map[*ssa.Instr]int),
		writes:  []int{0},
		exits:   make(map[*ssa.Instr][]*ssa.Instr),
		uses:    make([]int, n),
		users:   make([][]*ssa.Instr, n),
		dead:    make(map[*ssa.Instr]bool),
		inline:  make([]bool, n),
		root:    make(map[*ssa.Instr]*ssa.Instr),
		logical: make(map[*ssa.Instr]bool),
		vars:    make([]*variable, n),
		ranges:  &ranges{make(map[*ssa.Value]interval)},
		taken:   make(map[string]bool),
	}
	p.number()
	p.removeUnused()
	p.decide(f.Body, nil)
	p.live = newLiveness(p)
	p.coalesce()
	p.declare(avoid)
	return p
}

// numValues is one more than the largest ID in f.
func numValues(f *ssa.Func) int {
	n := 0
	count := func(vs []*ssa.Value) {
		for _, v := range vs {
			n = max(n, v.ID+1)
		}
	}
	count(f.Params())
	f.Body.Walk(func(in *ssa.Instr) {
		count(in.Results)
		for _, b := range in.Blocks {
			count(b.Params)
		}
	})
	return n
}

// number fills pos, writes, exits, uses and users.
func (p *plan) number() {
	p.fn.Body.Walk(func(in *ssa.Instr) {
		p.pos[in] = len(p.writes) - 1
		w := p.writes[len(p.writes)-1]
		// What a structured instruction writes is counted inside it.
		if in.Blocks == nil && in.Effect() == ssa.Writes {
			w++
		}
		p.writes = append(p.writes, w)
		switch in.Op {
		case ssa.OpContinue, ssa.OpBreak:
			p.exits[in.Target] = append(p.exits[in.Target], in)
		}
		for _, a := range in.Args {
			p.uses[a.ID]++
			p.users[a.ID] = append(p.users[a.ID], in)
		}
	})
	// A loop that is left by its test gives its variables as its results.
	p.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop {
			for _, v := range in.Cond().Params {
				p.uses[v.ID]++
			}
		}
	})
}

// removeUnused takes away uses by what is itself unused: pure instructions, and
// arguments for block parameters and results that nobody reads. What is left of
// them is a cycle of a loop, which the passes before have removed.
func (p *plan) removeUnused() {
	var work []*ssa.Value
	note := func(vs []*ssa.Value) {
		for _, v := range vs {
			if p.uses[v.ID] == 0 {
				work = append(work, v)
			}
		}
	}
	p.fn.Body.Walk(func(in *ssa.Instr) {
		note(in.Results)
		for _, b := range in.Blocks {
			note(b.Params)
		}
	})
	drop := func(v *ssa.Value) {
		if p.uses[v.ID]--; p.uses[v.ID] == 0 {
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range p.feeders(v) {
			drop(a)
		}
	}
}

// feeders are the values that are only read for the sake of the unused value v.
func (p *plan) feeders(v *ssa.Value) (from []*ssa.Value) {
	if in := v.Def; in != nil {
		k := indexOf(in.Results, v)
		switch {
		case in.Op == ssa.OpIf:
			for _, b := range in.Blocks {
				if t := b.Terminator(); t.Op == ssa.OpYield {
					from = append(from, t.Args[k])
				}
			}
		case in.Op == ssa.OpLoop:
			from = append(from, in.Cond().Params[k])
			for _, t := range p.exits[in] {
				if t.Op == ssa.OpBreak {
					from = append(from, t.Args[k])
				}
			}
		case in.Effect() != ssa.Writes && p.allUnused(in.Results) && !p.dead[in]:
			p.dead[in] = true
			from = in.Args
		}
		return from
	}
	loop := v.Block.Owner
	if loop == nil {
		return nil // a parameter of the function
	}
	k := indexOf(v.Block.Params, v)
	if v.Block == loop.Post() {
		for _, t := range p.exits[loop] {
			if t.Op == ssa.OpContinue {
				from = append(from, t.Args[k])
			}
		}
		return from
	}
	from = append(from, loop.Args[k])
	if t := loop.Post().Terminator(); t.Op == ssa.OpYield {
		from = append(from, t.Args[k])
	}
	return from
}

func (p *plan) used(v *ssa.Value) bool { return p.uses[v.ID] > 0 }

func (p *plan) allUnused(vs []*ssa.Value) bool {
	for _, v := range vs {
		if p.used(v) {
			return false
		}
	}
	return true
}

func indexOf(vs []*ssa.Value, v *ssa.Value) int {
	for i, x := range vs {
		if x == v {
			return i
		}
	}
	panic("BUG: a value is not where it was defined")
}

// decide fills inline, root and logical for the instructions of b, last first, so
// that a value's users are decided before it. If b belongs to an If that is
// tried as && or ||, the If's statement is given as at: what b yields is printed there.
func (p *plan) decide(b *ssa.Block, at *ssa.Instr) {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		if p.dead[in] {
			continue
		}
		if len(in.Results) == 1 {
			p.setInline(in, at, p.canInline(in, at))
		}
		if in.Op == ssa.OpIf {
			// decide may run twice over a block: what it finds replaces what it found.
			if p.logical[in] = p.tryLogical(in); p.logical[in] {
				continue
			}
			if len(in.Results) == 1 {
				p.setInline(in, at, false) // only an expression can be
			}
		}
		for _, nested := range in.Blocks {
			p.decide(nested, nil)
		}
	}
}

// setInline says whether in is printed inside its uses.
func (p *plan) setInline(in *ssa.Instr, at *ssa.Instr, yes bool) {
	p.inline[in.Results[0].ID] = yes
	if yes {
		p.root[in] = p.rootOfUsers(in.Results[0], at)
	} else {
		delete(p.root, in)
	}
}

// canInline reports whether in is printed inside its use.
func (p *plan) canInline(in *ssa.Instr, at *ssa.Instr) bool {
	if len(in.Results) != 1 || in.Op == ssa.OpLoop || in.Op == ssa.OpAtomic {
		return false
	}
	v := in.Results[0]
	switch in.Op {
	case ssa.OpConst:
		return true
	case ssa.OpIndexAddr:
		return v.Name == ""
	case ssa.OpLen, ssa.OpThreadID, ssa.OpThreadDim:
		if v.Name == "" {
			return true // shorter than any name for it
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
		if p.isIndex(v, maxIndex) {
			return true // as often as Go says it
		}
	}
	if v.Name != "" && !p.startsLoop(v) || in.Blocks == nil && in.Effect() == ssa.Writes {
		return false
	}
	if p.uses[v.ID] != 1 {
		return false
	}
	user := p.liveUser(v)
	if user == nil || user.Block != in.Block {
		return false
	}
	switch user.Op {
	case ssa.OpContinue, ssa.OpBreak:
		return false // it is assigned to the loop's variable where it is computed
	case ssa.OpYield:
		if at == nil {
			return false
		}
	case ssa.OpTest, ssa.OpLoop:
		// The loop's header is one statement to the reader.
	default:
		if !sameStmt(in.Stmt, user.Stmt) {
			return false
		}
	}
	root := p.rootOfUsers(v, at)
	if root == nil {
		return false // printed several times
	}
	return !p.reads(in) || p.writes[p.pos[root]] == p.writes[p.pos[in]]
}

// maxIndex is how many operators an index may have that is printed more than once.
const maxIndex = 3

// isIndex reports whether v is an unnamed expression of at most size operators that
// is only used to index slices, or in such expressions. The passes make one
// value of those that are equal; x[i*w+j] in two statements still reads best so.
func (p *plan) isIndex(v *ssa.Value, size int) bool {
	if v.Name != "" || v.Type != ssa.Int64 || size == 0 {
		return false
	}
	for _, u := range p.users[v.ID] {
		if u.Op == ssa.OpIndexAddr && u.Args[1] == v && u.Args[0] != v {
			continue
		}
		if len(u.Results) != 1 || !p.inline[u.Results[0].ID] || !p.isIndex(u.Results[0], size-1) {
			return false
		}
	}
	for _, a := range v.Def.Args {
		if a.Name != "" || a.Def == nil {
			continue
		}
		switch a.Def.Op {
		case ssa.OpConst, ssa.OpLen, ssa.OpThreadID, ssa.OpThreadDim, ssa.OpAdd, ssa.OpSub, ssa.OpMul:
		default:
			return false
		}
	}
	return true
}

// startsLoop reports whether v is the first value of the loop variable that it
// is named after, and nothing else.
func (p *plan) startsLoop(v *ssa.Value) bool {
	user := p.liveUser(v)
	return user != nil && user.Op == ssa.OpLoop && sameStmt(v.Def.Stmt, user.Stmt) &&
		user.Cond().Params[indexOf(user.Args, v)].Name == v.Name
}

// reads reports whether an instruction, which does not write, reads memory.
func (p *plan) reads(in *ssa.Instr) bool {
	if in.Blocks == nil {
		return in.Effect() == ssa.Reads
	}
	found := false
	for _, b := range in.Blocks {
		b.Walk(func(in *ssa.Instr) { found = found || in.Blocks == nil && in.Effect() == ssa.Reads })
	}
	return found
}

// liveUser is the only user of a value that has one use.
func (p *plan) liveUser(v *ssa.Value) *ssa.Instr {
	var user *ssa.Instr
	for _, u := range p.users[v.ID] {
		if p.dead[u] {
			continue
		}
		if user != nil && user != u {
			return nil // a use that does not count, as of an unused parameter
		}
		user = u
	}
	return user
}

// rootOfUsers is the statement that an inlined v is printed in, nil for several.
func (p *plan) rootOfUsers(v *ssa.Value, at *ssa.Instr) *ssa.Instr {
	var root *ssa.Instr
	for _, u := range p.users[v.ID] {
		r := u
		if u.Op == ssa.OpYield && at != nil && u.Block == v.Def.Block {
			r = at
		} else if len(u.Results) == 1 && p.inline[u.Results[0].ID] {
			r = p.root[u]
		}
		if r == nil || root != nil && r != root {
			return nil
		}
		root = r
	}
	return root
}

// tryLogical decides whether an If is Go's && or ||: one of its blocks gives a
// constant, the other one nothing but an expression.
func (p *plan) tryLogical(in *ssa.Instr) bool {
	if len(in.Results) != 1 || in.Results[0].Type != ssa.Bool || !p.used(in.Results[0]) {
		return false
	}
	value, ok := logicalBlock(in)
	if !ok {
		return false
	}
	at := in
	if p.inline[in.Results[0].ID] {
		at = p.root[in]
	}
	if at == nil {
		return false
	}
	p.decide(value, at)
	for _, v := range value.Instrs[:len(value.Instrs)-1] {
		if p.dead[v] {
			continue
		}
		if len(v.Results) != 1 || !p.inline[v.Results[0].ID] {
			return false // decide runs again, without the yield as a place to print in
		}
	}
	return true
}

// logicalBlock finds the block of a boolean If that is the second operand of
// && (then, the other yields false) or of || (else, the other yields true).
func logicalBlock(in *ssa.Instr) (*ssa.Block, bool) {
	yields := func(b *ssa.Block, want bool) bool {
		t := b.Terminator()
		if t.Op != ssa.OpYield {
			return false
		}
		for _, i := range b.Instrs[:len(b.Instrs)-1] {
			if i.Op != ssa.OpConst {
				return false
			}
		}
		c, ok := t.Args[0].Const()
		return ok && c.Bool() == want
	}
	switch {
	case in.Then().Terminator().Op == ssa.OpYield && yields(in.Else(), false):
		return in.Then(), true
	case in.Else().Terminator().Op == ssa.OpYield && yields(in.Then(), true):
		return in.Else(), true
	}
	return nil, false
}

// sameStmt reports whether a and b are one statement to the reader.
func sameStmt(a, b *ssa.Stmt) bool {
	return a == b || a != nil && b != nil && a.Pos.File == b.Pos.File && a.Pos.Line == b.Pos.Line
}

// logicalOperands gives a logical If's operator and operands.
func logicalOperands(in *ssa.Instr) (op string, x, y *ssa.Value) {
	b, _ := logicalBlock(in)
	if b == in.Then() {
		return "&&", in.Args[0], b.Terminator().Args[0]
	}
	return "||", in.Args[0], b.Terminator().Args[0]
}

// leaves calls f for the values that printing v reads: v itself, or the
// operands of the expression that is printed in its place.
func (p *plan) leaves(v *ssa.Value, f func(*ssa.Value)) {
	if !p.inline[v.ID] {
		f(v)
		return
	}
	p.operands(v.Def, f)
}

// operands calls f for the values that printing in reads.
func (p *plan) operands(in *ssa.Instr, f func(*ssa.Value)) {
	if p.logical[in] {
		_, x, y := logicalOperands(in)
		p.leaves(x, f)
		p.leaves(y, f)
		return
	}
	for _, a := range in.Args {
		p.leaves(a, f)
	}
}

// isRoot reports whether in is printed as a statement.
func (p *plan) isRoot(in *ssa.Instr) bool {
	if p.dead[in] {
		return false
	}
	return len(in.Results) != 1 || !p.inline[in.Results[0].ID]
}

// statements calls f for each statement and terminator below b, outer before
// inner, in order.
func (p *plan) statements(b *ssa.Block, f func(*ssa.Instr)) {
	for _, in := range b.Instrs {
		if !p.isRoot(in) {
			continue
		}
		f(in)
		if p.logical[in] {
			continue
		}
		for _, nested := range in.Blocks {
			p.statements(nested, f)
		}
	}
}
