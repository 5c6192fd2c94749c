package analysis

import (
	"cmp"

	"github.com/qdgen/qd/ssa"
)

// Lanes says how a kernel can run the threads of a part of a row together, one in each lane of its vectors: which
// values they agree on, which are a multiple of the lane's number more in each lane, and where they part. A row is
// the threads whose indices differ in the last axis. Of two threads only those are compared that come to a value
// together: a thread that has left a loop waits for the others.
//
// The classes of values are those of Pharr and Mark, "ispc: A SPMD compiler for high-performance CPU programming"
// (2012) and Moll and Hack, "Partial control-flow linearization" (2018).
type Lanes struct {
	*Divergence
	apart   map[*ssa.Instr]bool // loops; nil stands for the function
	kept    map[*ssa.Instr]bool // variables in memory that keep their first value
	strides map[*ssa.Value]linear
	steps   map[*ssa.Value]scaled   // of values without a constant stride
	curved  map[*ssa.Value]bool     // variables of loops that begin with a stride, and lose it
	index   *ssa.Value              // a parameter that is the thread's index in its block, nil if only its Thread tells where it is
	width   int64                   // what the first lane's index is a multiple of, 0 if that is not known yet
	inBlock bool                    // the threads are those of a block
	given   map[*ssa.Value]int64    // strides of parameters that are the arguments'
	results map[called][]Uniformity // shared with the functions that it calls
}

// called is a function and which of its parameters differ between lanes, a byte for each.
type called struct {
	callee  *ssa.Func
	differs string
}

// linear is a fact about an integer: that it is stride more in each lane, if ok is set.
type linear struct {
	stride int64
	ok     bool
}

// scaled is a fact about an integer: that it is stride times another number more in each lane, if ok is set.
type scaled struct {
	linear
	of *ssa.Value // lanes agree on it; nil for 1
}

// NewLanes analyses a function. The functions that it calls are analysed once for each set of parameters that differ
// between lanes.
func NewLanes(f *ssa.Func) *Lanes { return newLanes(f, &Lanes{}) }

// NewLanesOf analyses a function whose last parameter is the index of its thread in a block. The index of the first lane
// is a multiple of width, which is 0 if it is not known.
func NewLanesOf(f *ssa.Func, width int) *Lanes {
	params := f.Params()
	return newLanes(f, &Lanes{index: params[len(params)-1], width: int64(width), inBlock: true})
}

// A Param says what lanes know of a parameter: that they agree on it, that it has a stride, or nothing.
type Param struct {
	Same, Linear bool
	Stride       int64
}

// Arguments is what lanes know of the parameters of a function that a call calls: what they know of the arguments.
func (l *Lanes) Arguments(call *ssa.Instr) (list []Param) {
	for _, a := range call.Args {
		var p Param
		if l.IsUniform(a) {
			p.Same = true
		} else {
			p.Stride, p.Linear = l.Stride(a)
		}
		list = append(list, p)
	}
	return list
}

// OfCallee analyses a function that is called in the code of lanes, of whose parameters something is known.
func (l *Lanes) OfCallee(f *ssa.Func, params []Param) *Lanes {
	given := make(map[*ssa.Value]int64)
	var differ []*ssa.Value
	for i, p := range f.Params() {
		if params[i].Linear {
			given[p] = params[i].Stride
		}
		if !params[i].Same {
			differ = append(differ, p)
		}
	}
	return newLanes(f, &Lanes{inBlock: l.inBlock, given: given, results: l.results}, differ...)
}

// newLanes completes what is known of a function's lanes before it is analysed. Lanes differ in some of its parameters.
func newLanes(f *ssa.Func, l *Lanes, differ ...*ssa.Value) *Lanes {
	l.Divergence = &Divergence{funcs: make(map[*ssa.Func][]Uniformity), lanes: l}
	l.apart, l.strides, l.curved = make(map[*ssa.Instr]bool), make(map[*ssa.Value]linear), make(map[*ssa.Value]bool)
	l.steps = make(map[*ssa.Value]scaled)
	l.kept = unchanged(f)
	if l.results == nil {
		l.results = make(map[called][]Uniformity)
	}
	if l.index != nil {
		differ = append(differ, l.index)
	}
	l.run(f, differ...)
	return l
}

// InBlock reports whether the threads are those of a block.
func (l *Lanes) InBlock() bool { return l.inBlock }

// ofResults is whether lanes agree on the results of a call.
func (l *Lanes) ofResults(call *ssa.Instr) []Uniformity {
	differs, params := make([]byte, len(call.Args)), make([]Param, len(call.Args))
	for i, a := range call.Args {
		if params[i].Same = l.IsUniform(a); !params[i].Same { // strides change nothing here, and are not known yet
			differs[i] = 1
		}
	}
	key := called{call.Callee, string(differs)}
	classes, ok := l.results[key]
	if !ok {
		callee := l.OfCallee(call.Callee, params)
		classes = make([]Uniformity, len(call.Results))
		returns := 0
		call.Callee.Body.Walk(func(in *ssa.Instr) {
			if in.Op != ssa.OpReturn {
				return
			}
			for k, v := range in.Args {
				if classes[k] = max(classes[k], callee.Of(v)); returns > 0 { // which one may differ
					classes[k] = Divergent
				}
			}
			returns++
		})
		l.results[key] = classes
	}
	return classes
}

// InPart is the constant c of the quotient or the remainder of the thread's index and c. If it is a multiple of the
// number of lanes, they agree on the quotient, and the remainder is one more in each than in the one before.
func (l *Lanes) InPart(in *ssa.Instr) (c int64, ok bool) {
	if in.Op != ssa.OpDiv && in.Op != ssa.OpRem || l.index == nil || in.Args[0] != l.index {
		return 0, false
	}
	by, ok := in.Args[1].Const()
	return by.Int(), ok && by.Int() > 0
}

// IsDivided reports whether an instruction is one of those of [Lanes.InPart], and its constant a power of two from 4 on.
// Where the number of lanes is not known yet, it will be a divisor of each such constant.
func (l *Lanes) IsDivided(in *ssa.Instr) (c int64, ok bool) {
	c, ok = l.InPart(in)
	return c, ok && c >= 4 && c&(c-1) == 0
}

// aligned reports whether all lanes are in one part of so many.
func (l *Lanes) aligned(in *ssa.Instr) bool {
	if l.width == 0 {
		_, ok := l.IsDivided(in)
		return ok
	}
	c, ok := l.InPart(in)
	return ok && c%l.width == 0
}

// IsUniform reports whether the threads that come to a value together agree on it.
func (l *Lanes) IsUniform(v *ssa.Value) bool { return l.Of(v) == Uniform }

// Apart reports whether threads may leave or continue a loop, or return from the function (nil), at different
// times.
func (l *Lanes) Apart(loop *ssa.Instr) bool { return l.apart[loop] }

// classOf is what an operation makes of values of a class. A load from one place gives all threads the
// same, because they do it at once. A variable with a value that all threads agree on, and that nobody changes, need not
// be one of each thread's own.
func (l *Lanes) classOf(in *ssa.Instr, c Uniformity) Uniformity {
	switch in.Op {
	case ssa.OpThreadID:
		if in.Axis == in.Rank-1 || l.InBlock() {
			return Divergent
		}
	case ssa.OpLane, ssa.OpAtomic, ssa.OpCopy, ssa.OpRecur:
		return Divergent
	case ssa.OpLocal:
		if !l.kept[in] {
			return Divergent
		}
	case ssa.OpDiv:
		if l.aligned(in) {
			return Uniform
		}
	}
	return c
}

// findApart finds loops that threads leave or continue apart.
func (l *Lanes) findApart(f *ssa.Func) {
	f.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpLoop:
			if l.Of(in.Cond().Terminator().Args[0]) != Uniform {
				l.setApart(in)
			}
		case ssa.OpBreak, ssa.OpContinue, ssa.OpReturn:
			l.exit(in)
		}
	})
}

func (l *Lanes) setApart(loop *ssa.Instr) {
	if !l.apart[loop] {
		l.apart[loop] = true
		l.again = true
	}
}

// exit looks at a terminator that leaves or continues its target: threads do so apart if a condition in the
// target parts them, or a loop. If they do, they leave the loops between apart too.
func (l *Lanes) exit(in *ssa.Instr) {
	apart := l.apart[in.Target]
	for o := in.Block.Owner; o != in.Target; o = o.Block.Owner {
		apart = apart || o.Op == ssa.OpIf && l.Of(o.Args[0]) != Uniform || o.Op == ssa.OpLoop && l.apart[o]
	}
	if in.Op == ssa.OpBreak {
		// A variable that is the same in all lanes as long as the loop runs cannot be another in each when it ends.
		for k, v := range in.Args {
			apart = apart || l.Of(v) != Uniform && l.Of(in.Target.Cond().Params[k]) == Uniform
		}
	}
	if !apart {
		return
	}
	l.setApart(in.Target)
	for o := in.Block.Owner; o != in.Target; o = o.Block.Owner {
		if o.Op == ssa.OpLoop {
			l.setApart(o)
		}
	}
}

// leavesApart reports whether some threads may leave a loop by a break while others stay in it.
func (l *Lanes) leavesApart(loop *ssa.Instr) bool {
	return l.apart[loop] && loop.IsTargetOf(ssa.OpBreak)
}

// Stride is how much an integer is more in each lane than in the one before, if that is a constant.
func (l *Lanes) Stride(v *ssa.Value) (int64, bool) {
	if v.Type != ssa.Int64 {
		return 0, false
	}
	if l.IsUniform(v) {
		return 0, true
	}
	if v == l.index {
		return 1, true
	}
	if stride, ok := l.given[v]; ok {
		return stride, true
	}
	if s, ok := l.strides[v]; ok {
		return s.stride, s.ok
	}
	var s linear
	switch {
	case v.Def == nil:
		s = l.strideOfVariable(v)
	case v.Def.Op == ssa.OpLoop:
		s = l.strideOfResult(v)
	default:
		s = l.stride(v.Def)
	}
	l.strides[v] = s
	return s.stride, s.ok
}

// strideOfVariable returns the stride of a loop variable. It is the stride of the first value, if each iteration keeps
// it. Lanes that have left the loop do not count.
func (l *Lanes) strideOfVariable(v *ssa.Value) linear {
	loop := v.Block.Owner
	if loop == nil || loop.Op != ssa.OpLoop || l.curved[v] {
		return linear{}
	}
	k := v.Index()
	if v.Block == loop.Post() {
		stride, ok := l.Stride(loop.Cond().Params[k])
		return linear{stride, ok}
	}
	stride, ok := l.Stride(loop.Args[k])
	if !ok {
		return linear{}
	}
	s := linear{stride, true}
	l.strides[v] = s // supposed, to see whether the loop leaves it so
	if !l.keeps(loop, k, stride) || l.curved[v] {
		clear(l.strides) // what was found under this supposition is wrong
		l.curved[v] = true
		return linear{}
	}
	return s
}

// keeps reports whether a variable of a loop has a stride wherever the loop sets it.
func (l *Lanes) keeps(loop *ssa.Instr, k int, stride int64) bool {
	has := func(v *ssa.Value) bool {
		s, ok := l.Stride(v)
		return ok && s == stride
	}
	next := loop.Post().Terminator()
	if next == nil || next.Op != ssa.OpYield || !has(next.Args[k]) {
		return false
	}
	continues := loop.Exits(ssa.OpContinue, nil)
	for _, e := range continues { // at one place or another
		if e.Args[k] != continues[0].Args[k] || !has(e.Args[k]) || l.late(e, e.Args[k]) != Uniform {
			return false
		}
	}
	if !l.apart[loop] { // its result is the variable
		for _, e := range loop.Exits(ssa.OpBreak, nil) {
			if !has(e.Args[k]) {
				return false
			}
		}
	}
	return true
}

// strideOfResult is the stride of a result of a loop: that of the variable if lanes leave it together.
func (l *Lanes) strideOfResult(v *ssa.Value) linear {
	if loop := v.Def; !l.apart[loop] {
		stride, ok := l.Stride(loop.Cond().Params[v.Index()])
		return linear{stride, ok}
	}
	return linear{}
}

// Step is how much an integer is more in each lane than in the one before, if that is a constant times a number that lanes
// agree on, or a constant alone: then of is nil.
func (l *Lanes) Step(v *ssa.Value) (c int64, of *ssa.Value, ok bool) {
	if stride, ok := l.Stride(v); ok {
		return stride, nil, true
	}
	if s, ok := l.steps[v]; ok {
		return s.stride, s.of, s.ok
	}
	var s scaled
	if v.Type == ssa.Int64 && v.Def != nil && len(v.Def.Args) == 2 {
		s = l.step(v.Def)
	}
	l.steps[v] = s
	return s.stride, s.of, s.ok
}

// step is the step of what an operation computes.
func (l *Lanes) step(in *ssa.Instr) (s scaled) {
	x, xOf, ok := l.Step(in.Args[0])
	if !ok {
		return scaled{}
	}
	y, yOf, ok := l.Step(in.Args[1])
	if !ok {
		return scaled{}
	}
	isSum := xOf == yOf || xOf == nil && x == 0 || yOf == nil && y == 0
	of := cmp.Or(xOf, yOf)
	switch in.Op {
	case ssa.OpAdd:
		return scaled{linear{x + y, isSum}, of}
	case ssa.OpSub:
		return scaled{linear{x - y, isSum}, of}
	case ssa.OpMul:
		for i := range in.Args {
			n, nOf, b := x, xOf, in.Args[1-i]
			if i == 1 {
				n, nOf = y, yOf
			}
			switch by, isConst := b.Const(); {
			case isConst:
				return scaled{linear{n * by.Int(), true}, nOf}
			case nOf == nil && l.IsUniform(b):
				return scaled{linear{n, true}, b}
			}
		}
	}
	return scaled{}
}

func (l *Lanes) stride(in *ssa.Instr) (s linear) {
	var x, y int64
	ok := false
	if len(in.Args) == 2 {
		x, ok = l.Stride(in.Args[0])
		if ok {
			y, ok = l.Stride(in.Args[1])
		}
	}
	switch {
	case in.Op == ssa.OpThreadID, in.Op == ssa.OpRem && l.aligned(in):
		return linear{1, true}
	case !ok:
	case in.Op == ssa.OpAdd:
		return linear{x + y, true}
	case in.Op == ssa.OpSub:
		return linear{x - y, true}
	case in.Op == ssa.OpMul:
		if c, ok := in.Args[0].Const(); ok {
			return linear{c.Int() * y, true}
		}
		if c, ok := in.Args[1].Const(); ok {
			return linear{x * c.Int(), true}
		}
	}
	return linear{}
}
