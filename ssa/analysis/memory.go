package analysis

import (
	"sort"

	"github.com/qdgen/qd/ssa"
)

// Memory has the facts about the memory that the addresses of one function point to. The method is B.
// Steensgaard's points-to analysis ("Points-to analysis in almost linear time", 1996): addresses that may point to
// the same memory are in one class. Each class refers to another class, for the addresses that are stored in its
// memory. A slice counts as an address, and so does an aggregate that contains one.
type Memory struct {
	fn      *ssa.Func
	classes []*class // by the IDs of values that hold an address
	results []*class // of the function
	pushed  class    // of the addresses on the stack of a run
	locals  []*ssa.Instr
	in      map[*class][]int // the numbers of the locals whose memory is of a class, nil if nobody has asked yet
}

// class is a class of addresses, a node of a union-find forest.
type class struct {
	parent  *class // nil for a root
	rank    int
	content *class // of the addresses that are kept in the memory, nil if nobody keeps or reads one
	use     Use
}

// Use is the set of possible uses of memory.
type Use uint8

// The uses of memory.
const (
	Read     Use = 1 << iota
	Written      // or updated in one step
	Kept         // its address is kept in memory, or returned
	Compared     // with another address, which is not nil
)

func (c *class) root() *class {
	for c.parent != nil {
		if c.parent.parent != nil {
			c.parent = c.parent.parent
		}
		c = c.parent
	}
	return c
}

// join merges two classes, and the classes of the addresses in their memory.
func join(a, b *class) {
	for {
		if a, b = a.root(), b.root(); a == b {
			return
		}
		if a.rank < b.rank {
			a, b = b, a
		}
		if a.rank == b.rank {
			a.rank++
		}
		b.parent = a
		a.use |= b.use
		x, y := a.content, b.content
		if x == nil {
			a.content = y
		}
		if x == nil || y == nil {
			return
		}
		a, b = x, y
	}
}

// kept is the class of the addresses that are stored in a class's memory.
func (c *class) kept() *class {
	c = c.root()
	if c.content == nil {
		c.content = new(class)
	}
	return c.content.root()
}

// Memory has the facts about the memory that a function's addresses lead to.
func (s *Summaries) Memory(f *ssa.Func) *Memory {
	if m := s.memory[f]; m != nil {
		return m
	}
	m := &Memory{fn: f, classes: make([]*class, f.NumValues()), results: make([]*class, len(f.Results))}
	for k, t := range f.Results {
		if ssa.HoldsAddress(t) {
			m.results[k] = new(class)
		}
	}
	f.Body.Walk(func(in *ssa.Instr) {
		s.steps++
		if in.Callee != nil && in.Op != ssa.OpRecur {
			s.calls(f, in.Callee)
		}
		m.instr(in, s)
	})
	for _, c := range m.results {
		if c != nil {
			c.root().use |= Kept
		}
	}
	if s.memory == nil {
		s.memory = make(map[*ssa.Func]*Memory)
	}
	s.memory[f] = m
	return m
}

// of is the class of a value, nil if it holds no address.
func (m *Memory) of(v *ssa.Value) *class {
	c := m.classes[v.ID]
	if c == nil {
		if !ssa.HoldsAddress(v.Type) {
			return nil
		}
		c = new(class)
		m.classes[v.ID] = c
	}
	return c.root()
}

// same records that two values may hold the same address.
func (m *Memory) same(v, w *ssa.Value) {
	if a, b := m.of(v), m.of(w); a != nil && b != nil {
		join(a, b)
	}
}

func (m *Memory) all(vs, ws []*ssa.Value) {
	for k, w := range ws {
		m.same(vs[k], w)
	}
}

// keep records that a value is stored in the memory that an address points to.
func (m *Memory) keep(addr, v *ssa.Value) {
	if c := m.of(v); c != nil {
		c.use |= Kept
		join(m.of(addr).kept(), c)
	}
}

func (m *Memory) instr(in *ssa.Instr, summaries *Summaries) {
	switch in.Op {
	case ssa.OpLocal:
		m.locals = append(m.locals, in)
		m.keep(in.Result(), in.Args[0])
	case ssa.OpLoad:
		from := m.of(in.Args[0])
		from.use |= Read
		if c := m.of(in.Result()); c != nil {
			join(from.kept(), c)
		}
	case ssa.OpLoadRow, ssa.OpLoadParts, ssa.OpLoadStrided, ssa.OpGather:
		m.of(in.Args[0]).use |= Read
	case ssa.OpStore:
		m.of(in.Args[0]).use |= Written
		m.keep(in.Args[0], in.Args[1])
	case ssa.OpStoreRow, ssa.OpStoreParts, ssa.OpStoreStrided, ssa.OpScatter:
		m.of(in.Args[0]).use |= Written
	case ssa.OpAtomic, ssa.OpAtomicLanes:
		m.of(in.Args[0]).use |= Read | Written
	case ssa.OpCopyRow:
		m.of(in.Args[0]).use |= Written
		m.of(in.Args[1]).use |= Read
	case ssa.OpMultiply:
		m.of(in.Args[0]).use |= Read | Written
		m.of(in.Args[1]).use |= Read
		m.of(in.Args[2]).use |= Read
	case ssa.OpCopy:
		to, from := m.of(in.Args[0]), m.of(in.Args[1])
		to.use |= Written
		from.use |= Read
		if ssa.HoldsAddress(in.Args[0].Type.(ssa.Slice).Elem) {
			join(to.kept(), from.kept())
		}
	case ssa.OpCall:
		m.call(in, summaries.Memory(in.Callee), in.Args)
	case ssa.OpRecur:
		m.unknown(in)
	case ssa.OpLaunch:
		args := make([]*ssa.Value, 1, len(in.Args)) // there is none for the Thread
		m.call(in, summaries.Memory(in.Callee), append(args, in.Args[in.Rank:]...))
	case ssa.OpSnapshot:
		m.of(in.Args[0]).use |= Read
	case ssa.OpPush:
		if c := m.of(in.Args[0]); c != nil {
			join(&m.pushed, c)
		}
	case ssa.OpPop:
		if c := m.of(in.Result()); c != nil {
			join(&m.pushed, c)
		}
	case ssa.OpReturn:
		for k, v := range in.Args {
			if c := m.of(v); c != nil {
				join(m.results[k], c)
			}
		}
	case ssa.OpEq, ssa.OpNe:
		if x, y := in.Args[0], in.Args[1]; !isNil(x) && !isNil(y) {
			m.compared(x)
			m.compared(y)
		}
	case ssa.OpLen, ssa.OpIsNil, ssa.OpApart, ssa.OpCheck, ssa.OpCheckLanes, ssa.OpPanicLanes, ssa.OpPrintf, ssa.OpIf, ssa.OpFor:
	case ssa.OpLoop, ssa.OpTest, ssa.OpYield, ssa.OpContinue, ssa.OpBreak:
		m.all(in.Flow())
	default: // what is made of an address leads where that does
		for _, r := range in.Results {
			for _, a := range in.Args {
				m.same(r, a)
			}
		}
	}
}

// compared records that a value is compared, which may hold an address.
func (m *Memory) compared(v *ssa.Value) {
	if c := m.of(v); c != nil {
		c.use |= Compared
	}
}

func isNil(v *ssa.Value) bool { return v.Def != nil && v.Def.Op == ssa.OpZero }

// call applies the callee's uses of its parameters' memory to the memory of the arguments.
func (m *Memory) call(in *ssa.Instr, callee *Memory, args []*ssa.Value) {
	here := make(map[*class]*class) // the callee's classes to those of this function
	var replay func(c, to *class)
	replay = func(c, to *class) {
		c = c.root()
		if other := here[c]; other != nil {
			join(other, to)
			return
		}
		here[c] = to
		to.root().use |= c.use
		if c.content != nil {
			replay(c.content, to.kept())
		}
	}
	for i, p := range callee.fn.Params() {
		if c := callee.classes[p.ID]; c != nil && i < len(args) && args[i] != nil { // a launch may make the last ones
			replay(c, m.of(args[i]))
		}
	}
	for k, c := range callee.results {
		if c != nil && k < len(in.Results) {
			replay(c, m.of(in.Results[k]))
		}
	}
}

// unknown applies all that a call can do: it may use the memory that its operands lead to in each way, store them
// there, and return them.
func (m *Memory) unknown(in *ssa.Instr) {
	all := new(class)
	for _, list := range [...][]*ssa.Value{in.Args, in.Results} {
		for _, v := range list {
			if c := m.of(v); c != nil {
				join(all, c)
			}
		}
	}
	all = all.root()
	all.use |= Read | Written | Kept | Compared
	for all.kept() != all {
		join(all, all.kept())
		all = all.root()
	}
}

// Use returns the possible uses of the memory that an address points to, directly and through the addresses that
// are stored there.
func (m *Memory) Use(v *ssa.Value) Use {
	var use Use
	for c := range m.reached(v) {
		use |= c.use
	}
	return use
}

// Variables returns the local variables that an address may point to, directly and through the addresses that are
// stored in them, in the order of the code.
func (m *Memory) Variables(v *ssa.Value) (list []*ssa.Instr) {
	if m.in == nil {
		m.in = make(map[*class][]int)
		for i, local := range m.locals {
			c := m.of(local.Result())
			m.in[c] = append(m.in[c], i)
		}
	}
	var found []int
	for c := range m.reached(v) {
		found = append(found, m.in[c]...)
	}
	sort.Ints(found)
	for _, i := range found {
		list = append(list, m.locals[i])
	}
	return list
}

// reached returns the class of an address, and the classes of the addresses that are stored in its memory.
func (m *Memory) reached(v *ssa.Value) map[*class]bool {
	reached := make(map[*class]bool)
	for c := m.of(v); c != nil && !reached[c]; {
		reached[c] = true
		if c = c.content; c != nil {
			c = c.root()
		}
	}
	return reached
}

// IsOnlyRead reports whether nothing is written to a variable of the function after it was made, and nobody can tell it
// from another one with the same value.
func (m *Memory) IsOnlyRead(local *ssa.Value) bool {
	return m.Use(local)&(Written|Compared) == 0 && !m.Leaves(local)
}

// Leaves reports whether the function may return an address, or keep it in memory that is not its own.
func (m *Memory) Leaves(v *ssa.Value) bool {
	own := m.of(v)
	var leads func(c *class, seen map[*class]bool) bool
	leads = func(c *class, seen map[*class]bool) bool {
		if c == nil || seen[c.root()] {
			return false
		}
		c = c.root()
		seen[c] = true
		return c == own || leads(c.content, seen)
	}
	for _, c := range m.results {
		if leads(c, map[*class]bool{}) {
			return true
		}
	}
	for _, p := range m.fn.Params() {
		if c := m.of(p); c != nil && leads(c.content, map[*class]bool{}) {
			return true
		}
	}
	return false
}

// Argument returns the possible uses that a call makes of the memory of its argument i.
func (s *Summaries) Argument(call *ssa.Instr, i int) Use {
	return s.Memory(call.Callee).Use(call.Callee.Params()[i])
}
