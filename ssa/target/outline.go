package target

import (
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

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
// So a body cannot change a variable outside of it. The front end has refused kernels in which it tries to, or in which
// it is not clear which memory it uses: see [analysis.CapturedBy].
//
// A loop that has been unrolled has copies of a For. Those that are the same launch one kernel.
//
// Outline reports whether it changed something.
func Outline(m *ssa.Module) (changed bool) {
	o := &outliner{seed: maphash.MakeSeed()}
	var funcs []*ssa.Func
	for _, f := range m.Funcs {
		if f.Kernel && f.Kind == ssa.GridKernel {
			o.host, o.kernels, o.alike = f, nil, make(map[uint64][]*ssa.Func)
			o.block(f.Body)
			changed = true
			funcs = append(funcs, o.kernels...)
		}
		funcs = append(funcs, f)
	}
	m.Funcs = funcs
	return changed
}

type outliner struct {
	host    *ssa.Func
	kernels []*ssa.Func
	alike   map[uint64][]*ssa.Func // the kernels by their digests
	seed    maphash.Seed
}

// digest is a number that kernels with the same code share, and others hardly ever: not every kernel has to be compared
// with every other one.
func (o *outliner) digest(k *ssa.Func) uint64 {
	var h maphash.Hash
	h.SetSeed(o.seed)
	maphash.WriteComparable(&h, k.Decl.Pos)
	k.Body.Walk(func(in *ssa.Instr) {
		maphash.WriteComparable(&h, in.Op)
		maphash.WriteComparable(&h, in.Const)
	})
	return h.Sum64()
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
	c := &capture{outliner: o, loop: in, kernel: k, inner: map[*ssa.Value]*ssa.Value{}}
	thread := k.Body.AddParam(ssa.Thread, "")
	body := in.Blocks[0]
	for axis, p := range body.Params {
		id := k.Body.Append(&ssa.Instr{Op: ssa.OpThreadID, Axis: int8(axis), Rank: int8(k.Rank), Args: []*ssa.Value{thread}, Pos: in.Pos, Stmt: in.Stmt}, ssa.Int64)
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
	digest := o.digest(k)
	alike := o.alike[digest]
	if i := slices.IndexFunc(alike, func(made *ssa.Func) bool { return ssa.Same(made, k) }); i >= 0 && !tellsTurn(k) {
		k = alike[i]
		ofNoTurn(k)
	} else {
		o.kernels = append(o.kernels, k)
		o.alike[digest] = append(alike, k)
	}
	launch := &ssa.Instr{Op: ssa.OpLaunch, Callee: k, Rank: int8(k.Rank), Args: append(slices.Clone(in.Args), c.args...), Pos: in.Pos, Stmt: in.Stmt, Block: in.Block}
	return append(c.before, launch)
}

// tellsTurn reports whether a kernel may say in which turn of an unrolled loop it has failed.
func tellsTurn(k *ssa.Func) (tells bool) {
	k.Body.Walk(func(in *ssa.Instr) {
		tells = tells || k.Decl.Turn != "" && (in.Op == ssa.OpCheck || in.Op == ssa.OpPanic)
	})
	return tells
}

// ofNoTurn lets the statements of a kernel be of all turns of the unrolled loops around its For.
func ofNoTurn(k *ssa.Func) {
	turn := k.Decl.Turn
	k.Decl.Turn = ""
	stmts := make(map[*ssa.Stmt]*ssa.Stmt)
	k.Body.Walk(func(in *ssa.Instr) {
		if in.Stmt == nil || turn == "" {
			return
		}
		if stmts[in.Stmt] == nil {
			s := *in.Stmt
			s.Turn = strings.TrimPrefix(strings.TrimPrefix(s.Turn, turn), ", ")
			stmts[in.Stmt] = &s
		}
		in.Stmt = stmts[in.Stmt]
	})
}

// returnEarly lets a body that is a loop with one iteration, for what leaves it early to
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

// value is the kernel's value for a value of the host.
func (c *capture) value(v *ssa.Value) *ssa.Value {
	if x := c.inner[v]; x != nil {
		return x
	}
	x := c.captured(v)
	c.inner[v] = x
	return x
}

func (c *capture) captured(v *ssa.Value) *ssa.Value {
	switch analysis.CaptureOf(v) {
	case analysis.Remade:
		return c.again(v.Def)
	case analysis.Copied:
		def := v.Def
		load := &ssa.Instr{Op: ssa.OpLoad, Args: []*ssa.Value{v}, Pos: c.loop.Pos, Stmt: c.loop.Stmt, Block: c.loop.Block}
		load.AddResult(def.Args[0].Type, v.Name)
		c.before = append(c.before, load)
		local := c.kernel.Body.Append(&ssa.Instr{Op: ssa.OpLocal, Args: []*ssa.Value{c.param(load.Result())}, Pos: def.Pos, Stmt: c.loop.Stmt}, v.Type)
		local.Result().Name = v.Name
		return local.Result()
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
