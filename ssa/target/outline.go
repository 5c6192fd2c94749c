package target

import (
	"slices"
	"strconv"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// Outline makes a kernel of a thread of each parallel For of a module's Grid
// kernels, "step.1", "step.2" and so on for those of step, and a Launch of it in
// its place. What is left of a Grid kernel has no Fors: it is what the host runs.
//
// The values that a For's body takes from outside become the kernel's parameters:
// numbers, slices and aggregates as they are when the launch is reached. A
// variable in memory is loaded in front of the launch, and the kernel has a copy of
// its own. Constants, and addresses and slices that are made of these, are made in
// the kernel again.
//
// So a body cannot change a variable outside of it, and where it tries to, and
// where it is not known which memory it uses, there is a [Captive]: the module is
// then not to be used.
func Outline(m *ssa.Module) []Captive {
	o := new(outliner)
	var funcs []*ssa.Func
	for _, f := range m.Funcs {
		if f.Kernel && f.Kind == ssa.GridKernel {
			o.host, o.kernels = f, nil
			o.shared, o.stored = flow(f, isVariable)
			o.block(f.Body)
			funcs = append(funcs, o.kernels...)
		}
		funcs = append(funcs, f)
	}
	m.Funcs = funcs
	return o.captives
}

// A Captive is memory outside of a parallel For which its body cannot share.
type Captive struct {
	In      *ssa.Instr // the write, or the For
	Value   *ssa.Value // the variable's address, or the address or slice that is not known
	Written bool       // whether the body writes to it
}

// LaneWrites finds the writes of the lanes of a Block kernel to variables in memory that
// are declared outside of their For.
func LaneWrites(f *ssa.Func) []Captive {
	o := new(outliner)
	if !o.mayWriteOutside(f) {
		return nil
	}
	var captives []Captive
	f.Body.Walk(func(local *ssa.Instr) {
		if local.Op != ssa.OpLocal {
			return
		}
		from, _ := flow(f, only(local.Result()))
		f.Body.Walk(func(loop *ssa.Instr) {
			if loop.Op != ssa.OpFor || local.Within(loop) {
				return
			}
			loop.Blocks[0].Walk(func(in *ssa.Instr) {
				if o.writesTo(in, from.any) {
					captives = append(captives, Captive{In: in, Value: local.Result(), Written: true})
				}
			})
		})
	})
	return captives
}

// PrivateResults finds the calls in a Block kernel, outside of its Fors, that write memory and
// give, or leave in a variable, an address that may be one of a variable: one thread makes
// them for all, whose variables are other ones.
func PrivateResults(f *ssa.Func) (calls []*ssa.Instr) {
	var known analysis.Summaries
	from, stored := flow(f, isVariable)
	f.Body.Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpCall || in.InsideFor() || !known.Effects(in).Has(analysis.SeenByOthers) {
			return
		}
		given, gives := false, false
		for _, a := range in.Args {
			given = given || from.any(a)
			if p, ok := a.Type.(ssa.Pointer); ok && from.any(a) {
				gives = gives || stored && ssa.HoldsAddress(p.Elem)
			}
		}
		for _, r := range in.Results {
			gives = gives || ssa.HoldsAddress(r.Type)
		}
		if given && gives {
			calls = append(calls, in)
		}
	})
	return calls
}

// mayWriteOutside reports whether a lane may write to a variable that is not declared in its own For.
func (o *outliner) mayWriteOutside(f *ssa.Func) bool {
	from, _ := flow(f, func(v *ssa.Value) origin {
		at := isVariable(v)
		if !at.some {
			return at
		}
		for in := v.Def.Block.Owner; in != nil && at.of == nil; in = in.Block.Owner {
			if in.Op == ssa.OpFor {
				at.of = in
			}
		}
		return at
	})
	found := false
	f.Body.Walk(func(loop *ssa.Instr) {
		if loop.Op != ssa.OpFor {
			return
		}
		loop.Blocks[0].Walk(func(in *ssa.Instr) {
			found = found || o.writesTo(in, func(v *ssa.Value) bool { return from.any(v) && (from[v].many || from[v].of != loop) })
		})
	})
	return found
}

type outliner struct {
	host     *ssa.Func
	shared   origins // addresses and slices that may be those of the host's variables
	stored   bool    // such a one is kept in memory
	kernels  []*ssa.Func
	captives []Captive
	known    analysis.Summaries
}

// block outlines the Fors in a block of the host, in order.
func (o *outliner) block(b *ssa.Block) {
	var out []*ssa.Instr
	for _, in := range b.Instrs {
		if in.Op != ssa.OpFor {
			for _, nested := range in.Blocks {
				o.block(nested)
			}
			out = append(out, in)
			continue
		}
		out = append(out, o.outline(in)...)
	}
	b.Instrs = out
}

// outline makes a kernel of a For and gives what stands in its place.
func (o *outliner) outline(in *ssa.Instr) []*ssa.Instr {
	k := ssa.NewFunc(o.host.Name + "." + strconv.Itoa(len(o.kernels)+1))
	k.Kernel, k.Kind, k.Rank = true, ssa.ThreadKernel, len(in.Args)
	if in.Stmt != nil {
		k.Decl = *in.Stmt
	}
	o.kernels = append(o.kernels, k)
	c := &capture{outliner: o, loop: in, kernel: k, inner: map[*ssa.Value]*ssa.Value{}}
	thread := k.Body.AddParam(ssa.Thread, "")
	body := in.Blocks[0]
	for axis, p := range body.Params {
		id := k.Body.Append(&ssa.Instr{Op: ssa.OpThreadID, Axis: axis, Rank: k.Rank, Args: []*ssa.Value{thread}, Pos: in.Pos, Stmt: in.Stmt}, ssa.Int64)
		id.Result().Name = p.Name
		c.inner[p] = id.Result()
	}
	returnEarly(body)
	c.defined(body)
	c.uses(body)
	c.move(body, k.Body)
	if end := k.Body.Terminator(); end.Op == ssa.OpYield {
		end.Op = ssa.OpReturn
	}
	c.checkWrites()
	launch := &ssa.Instr{Op: ssa.OpLaunch, Callee: k, Rank: k.Rank, Args: append(slices.Clone(in.Args), c.args...), Pos: in.Pos, Stmt: in.Stmt, Block: in.Block}
	return append(c.before, launch)
}

// returnEarly lets a body that is a loop of one turn, for what leaves it early to
// break out of, return from the kernel that it becomes.
func returnEarly(body *ssa.Block) {
	n := len(body.Instrs) - 2
	if n < 0 || body.Terminator().Op != ssa.OpYield {
		return
	}
	loop := body.Instrs[n]
	if loop.Op != ssa.OpLoop || len(loop.Results) > 0 || loop.IsTargetOf(ssa.OpContinue) {
		return
	}
	if c, ok := loop.Cond().Terminator().Args[0].Const(); !ok || !c.Bool() {
		return
	}
	do := loop.Do()
	do.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpBreak && in.Target == loop {
			in.Op, in.Target = ssa.OpReturn, nil
		}
	})
	body.Instrs = append(body.Instrs[:n:n], do.Instrs...)
}

// A capture is the outlining of one For.
type capture struct {
	*outliner
	loop   *ssa.Instr
	kernel *ssa.Func
	inner  map[*ssa.Value]*ssa.Value // what stands in the kernel for a value of the host
	within map[*ssa.Value]bool       // values that the body defines
	args   []*ssa.Value              // of the launch, for the kernel's parameters after its Thread
	before []*ssa.Instr              // loads in front of the launch
	locals []*ssa.Value              // addresses of the copies of variables in memory, in the kernel
	vars   []*ssa.Value              // those of the variables
}

// defined notes the values that a block and those in it define.
func (c *capture) defined(b *ssa.Block) {
	if c.within == nil {
		c.within = map[*ssa.Value]bool{}
	}
	for _, p := range b.Params {
		c.within[p] = true
	}
	for _, in := range b.Instrs {
		for _, r := range in.Results {
			c.within[r] = true
		}
		for _, nested := range in.Blocks {
			c.defined(nested)
		}
	}
}

// uses captures what a block uses of the host's.
func (c *capture) uses(b *ssa.Block) {
	b.Walk(func(in *ssa.Instr) {
		args := slices.Clone(in.Args)
		for i, a := range args {
			if !c.within[a] || c.inner[a] != nil { // the indices are the Thread's
				args[i] = c.value(a)
			}
		}
		in.Args = args
	})
}

// value is what stands in the kernel for a value of the host.
func (c *capture) value(v *ssa.Value) *ssa.Value {
	if x := c.inner[v]; x != nil {
		return x
	}
	x := c.captured(v)
	c.inner[v] = x
	return x
}

func (c *capture) captured(v *ssa.Value) *ssa.Value {
	switch def := v.Def; {
	case def == nil:
	case def.Op == ssa.OpConst:
		return c.again(def)
	case def.Op == ssa.OpLocal:
		load := &ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{v}, Pos: c.loop.Pos, Stmt: c.loop.Stmt, Block: c.loop.Block}
		load.AddResult(def.Args[0].Type, v.Name)
		c.before = append(c.before, load)
		local := c.kernel.Body.Append(&ssa.Instr{Op: ssa.OpLocal, Args: []*ssa.Value{c.param(load.Result())}, Pos: def.Pos, Stmt: c.loop.Stmt}, v.Type)
		local.Result().Name = v.Name
		if c.stored && ssa.HoldsAddress(load.Result().Type) {
			c.captives = append(c.captives, Captive{In: c.loop, Value: v})
		}
		c.locals, c.vars = append(c.locals, local.Result()), append(c.vars, v)
		return local.Result()
	case ssa.HoldsAddress(v.Type):
		switch def.Op {
		case ssa.OpZero, ssa.OpMake, ssa.OpField, ssa.OpElem, ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpIndexAddr, ssa.OpSliceOf, ssa.OpSubslice:
			return c.again(def)
		}
	}
	if _, isPointer := v.Type.(ssa.Pointer); isPointer || c.shared.any(v) {
		c.captives = append(c.captives, Captive{In: c.loop, Value: v})
	}
	return c.param(v)
}

// again makes an instruction of the host in the kernel too.
func (c *capture) again(def *ssa.Instr) *ssa.Value {
	in := *def
	in.Args = make([]*ssa.Value, len(def.Args))
	for i, a := range def.Args {
		in.Args[i] = c.value(a)
	}
	in.Results, in.Stmt = nil, c.loop.Stmt
	k := c.kernel.Body.Append(&in, def.Result().Type)
	k.Result().Name = def.Result().Name
	return k.Result()
}

// param passes a value of the host to the kernel.
func (c *capture) param(v *ssa.Value) *ssa.Value {
	c.args = append(c.args, v)
	return c.kernel.Body.AddParam(v.Type, v.Name)
}

// move moves the instructions of a block to another, of the kernel, to which
// their values and blocks then belong.
func (c *capture) move(from, to *ssa.Block) {
	for _, in := range from.Instrs {
		in.Block = to
		c.own(in.Results)
		for _, nested := range in.Blocks {
			nested.Func = c.kernel
			c.own(nested.Params)
			c.move(nested, nested)
		}
	}
	if from != to {
		to.Instrs = append(to.Instrs, from.Instrs...)
	}
}

// own numbers values as the kernel's.
func (c *capture) own(vs []*ssa.Value) {
	for _, v := range vs {
		c.kernel.Adopt(v)
	}
}

// checkWrites finds writes to the copies of variables: they would be lost.
func (c *capture) checkWrites() {
	copies := make(map[*ssa.Value]bool)
	for _, local := range c.locals {
		copies[local] = true
	}
	if c.writes(c.kernel, func(v *ssa.Value) origin { return origin{some: copies[v]} }) == nil {
		return // else which variables are written is found out for each
	}
	for i, local := range c.locals {
		if in := c.writes(c.kernel, only(local)); in != nil {
			c.captives = append(c.captives, Captive{In: in, Value: c.vars[i], Written: true})
		}
	}
}

// writes finds a write to memory that addresses or slices lead to, which are the sources; what is
// done with what an address leads to after it was kept in memory counts as one.
func (o *outliner) writes(f *ssa.Func, source func(*ssa.Value) origin) *ssa.Instr {
	from, _ := flow(f, source)
	var found *ssa.Instr
	f.Body.Walk(func(in *ssa.Instr) {
		if found == nil && o.writesTo(in, from.any) {
			found = in
		}
	})
	return found
}

// writesTo reports whether an instruction writes to memory that the addresses
// and slices lead to that from reports.
func (o *outliner) writesTo(in *ssa.Instr, from func(*ssa.Value) bool) bool {
	switch in.Op {
	case ssa.OpStore, ssa.OpAtomic, ssa.OpCopy:
		return from(in.Args[0])
	case ssa.OpCall:
		for i, a := range in.Args {
			if from(a) && o.known.Argument(in, i)&analysis.Written != 0 {
				return true
			}
		}
	}
	return false
}
