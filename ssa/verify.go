package ssa

import (
	"errors"
	"fmt"
	"slices"
)

// Verify checks that a module is well formed: that blocks and instructions
// refer to each other rightly, that every block ends in a terminator which may
// stand there, that a value is used only where it is visible, and that every
// operation has operands and results of the types it asks for. It returns all
// violations joined, each with the function, the Go line and the instruction.
//
// A value is visible after its definition, to the end of its block, in the
// blocks nested there too. The parameters of a loop's Cond are visible in Cond
// and in Do; other values of Cond are visible in Cond alone, and none of Cond's
// or Do's in Post, which sees its own parameters and what is outside the loop.
//
// A loop's Cond and Post are left only through their own ends: break, continue
// and return stand in the Do of every loop that they leave or continue. A panic
// does not end them either, but may stand in an If there. What gives a value to
// the outside of a block gives no address of a variable that the block makes.
func Verify(m *Module) error {
	v := verifier{module: m}
	v.verify()
	return errors.Join(v.errs...)
}

type verifier struct {
	module *Module
	errs   []error

	// Of the function being verified.
	fn      *Func
	defs    []*Value // by ID
	visible []bool   // by ID
	roots   Roots
}

// report notes a violation of the function, or of one of its instructions.
func (v *verifier) report(in *Instr, format string, args ...any) {
	where := "module " + v.module.Name
	if v.fn != nil {
		where = v.fn.Name
	}
	if in != nil {
		if in.Pos.Line != 0 {
			where += fmt.Sprintf(" (%s:%d)", in.Pos.File, in.Pos.Line)
		}
		where += ": " + in.String()
	}
	v.errs = append(v.errs, fmt.Errorf("ssa: %s: "+format, append([]any{where}, args...)...))
}

func (v *verifier) verify() {
	names := make(map[string]bool, len(v.module.Funcs))
	earlier := make(map[*Func]threadRanks, len(v.module.Funcs))
	for i, f := range v.module.Funcs {
		v.fn = f
		if f == nil || f.Body == nil {
			v.fn = nil
			v.report(nil, "function %d is missing or has no body", i)
			continue
		}
		if names[f.Name] {
			v.report(nil, "a second function of this name")
		}
		names[f.Name] = true
		v.header(f)
		n := len(v.errs)
		v.defs = make([]*Value, f.nextID)
		v.block(f.Body, nil)
		// What follows relies on the pointers: nothing more to say without them.
		if len(v.errs) == n {
			v.visible = make([]bool, f.nextID)
			v.params(f.Body, true)
			v.scope(f.Body)
			earlier[f] = v.callees(f, earlier)
			v.companions(f)
			v.threads(f)
		} else {
			earlier[f] = 0
		}
	}
}

// header checks what a function says of itself.
func (v *verifier) header(f *Func) {
	for i, p := range f.Body.Params {
		if p == nil {
			continue // reported with the block
		}
		switch {
		case p.Type == Thread && f.Kernel && i > 0:
			v.report(nil, "parameter %d is a second thread", i)
		case p.Type == BlockPlace && f.Kernel && i > 0:
			v.report(nil, "parameter %d is a second block", i)
		case p.Type == String:
			v.report(nil, "parameter %d is a string", i)
		case f.Kernel && !launchable(p.Type) && p.Type != Thread && p.Type != BlockPlace:
			v.report(nil, "parameter %d is %v, which a launch cannot pass", i, p.Type)
		}
	}
	if !f.Kernel {
		if f.Rank != 0 {
			v.report(nil, "a device function with a rank")
		}
		if f.Kind != ThreadKernel {
			v.report(nil, "a device function with a kernel's kind")
		}
		return
	}
	if len(f.Results) > 0 {
		v.report(nil, "a kernel with results")
	}
	first := Type(Thread)
	switch f.Kind {
	case BlockKernel:
		first = BlockPlace
	case GridKernel:
		first = nil
	}
	if n := len(f.Body.Params); first == nil && n > 0 && f.Body.Params[0] != nil {
		if t := f.Body.Params[0].Type; t == Thread || t == BlockPlace {
			v.report(nil, "a kernel for a grid whose first parameter is a %v", t)
		}
	}
	if first != nil && (len(f.Body.Params) == 0 || f.Body.Params[0] == nil || f.Body.Params[0].Type != first) {
		v.report(nil, "a kernel whose first parameter is not a %v", first)
	}
	if f.Rank < 0 || f.Rank > 4 {
		v.report(nil, "a kernel of rank %d", f.Rank)
	}
}

// block checks the pointers of a block and of what is in it, that values are
// defined once, and that the block has one terminator, at its end.
func (v *verifier) block(b *Block, owner *Instr) {
	if b == nil {
		v.report(owner, "a block is missing")
		return
	}
	if b.Owner != owner {
		v.report(owner, "a block of another owner")
		return
	}
	if b.Func != v.fn {
		v.report(owner, "a block of another function")
		return
	}
	for _, p := range b.Params {
		if v.define(p, owner) && (p.Block != b || p.Def != nil) {
			v.report(owner, "%v does not know the block it is a parameter of", p)
		}
	}
	for i, in := range b.Instrs {
		if in == nil {
			v.report(owner, "an instruction is missing")
			continue
		}
		if in.Op == OpInvalid || in.Op >= numOps {
			v.report(in, "an invalid operation")
			continue
		}
		if in.Block != b {
			v.report(in, "does not know the block it stands in")
			continue
		}
		for j, a := range in.Args {
			if a == nil {
				v.report(in, "operand %d is missing", j)
			}
		}
		for _, r := range in.Results {
			if v.define(r, in) && (r.Def != in || r.Block != nil) {
				v.report(in, "%v does not know the instruction it is a result of", r)
			}
		}
		if want := int(ops[in.Op].blocks); len(in.Blocks) != want && (in.Op != OpFor || len(in.Blocks) != 2) {
			v.report(in, "has %d blocks, not %d", len(in.Blocks), want)
			continue
		}
		for _, nested := range in.Blocks {
			v.block(nested, in)
		}
		if last := i == len(b.Instrs)-1; in.Op.IsTerminator() && !last {
			v.report(in, "a terminator before the end of its block")
		}
	}
	if b.Terminator() == nil {
		v.report(owner, "a block without a terminator")
	}
}

// define notes a value's definition and reports whether the value is there.
func (v *verifier) define(x *Value, in *Instr) bool {
	switch {
	case x == nil || x.Type == nil:
		v.report(in, "a value is missing or has no type")
		return false
	case !valid(x.Type):
		v.report(in, "%v has a type that no value has", x)
	case x.ID < 0 || x.ID >= len(v.defs):
		v.report(in, "%v was not numbered by its function", x)
	case v.defs[x.ID] == x:
		v.report(in, "%v is defined twice", x)
	case v.defs[x.ID] != nil:
		v.report(in, "%v has the number of another value, %v", x, v.defs[x.ID])
	default:
		v.defs[x.ID] = x
	}
	return true
}

// params opens or closes the visibility of a block's parameters.
func (v *verifier) params(b *Block, visible bool) {
	for _, p := range b.Params {
		v.visible[p.ID] = visible
	}
}

// scope checks the instructions of a block whose parameters are visible, and
// closes the visibility of the values that they define.
func (v *verifier) scope(b *Block) {
	for _, in := range b.Instrs {
		for i, a := range in.Args {
			switch {
			case a.ID < 0 || a.ID >= len(v.defs) || v.defs[a.ID] != a:
				v.report(in, "operand %d, %v, is not a value of this function", i, a)
			case !v.visible[a.ID]:
				v.report(in, "operand %d, %v, is not visible here", i, a)
			}
		}
		v.types(in)
		switch in.Op {
		case OpIf, OpFor, OpTileMake, OpTileReduce, OpTileScan:
			for _, nested := range in.Blocks {
				v.params(nested, true)
				v.scope(nested)
				v.params(nested, false)
			}
		case OpLoop:
			v.params(in.Cond(), true)
			v.scope(in.Cond())
			v.scope(in.Do())
			v.params(in.Cond(), false)
			v.params(in.Post(), true)
			v.scope(in.Post())
			v.params(in.Post(), false)
		}
		for _, r := range in.Results {
			v.visible[r.ID] = true
		}
	}
	for _, in := range b.Instrs {
		for _, r := range in.Results {
			v.visible[r.ID] = false
		}
	}
}

// threadRanks is the set of ranks above 1 that a function asks of a launch by
// OpThreadID, itself or through what it calls: bit r for rank r.
type threadRanks uint8

// callees checks that the function calls device functions that stand earlier in
// the module, and that the ranks it needs fit its own and each other.
func (v *verifier) callees(f *Func, earlier map[*Func]threadRanks) threadRanks {
	var ranks threadRanks
	f.Body.Walk(func(in *Instr) {
		need := threadRanks(0)
		switch in.Op {
		case OpThreadID:
			if in.Rank > 1 && in.Rank <= 4 {
				need = 1 << in.Rank
			}
		case OpCall:
			of, ok := earlier[in.Callee]
			if !ok {
				v.report(in, "the callee is not among the module's earlier functions")
				return
			}
			if in.Callee.Kernel {
				v.report(in, "the callee is a kernel")
			}
			need = of
		case OpRecur:
			if in.Callee == nil || in.Callee.Kernel || !slices.Contains(v.module.Funcs, in.Callee) {
				v.report(in, "the callee is not among the module's device functions")
			}
			if f.Kernel {
				v.report(in, "stands in a kernel, which nothing calls")
			}
			return
		case OpLaunch:
			if _, ok := earlier[in.Callee]; !ok {
				v.report(in, "the kernel is not among the module's earlier functions")
			}
			return
		default:
			return
		}
		if f.Kernel && need&^(1<<f.LoopRank()) != 0 {
			v.report(in, "needs a launch of another rank than the kernel's, %d", f.LoopRank())
		}
		ranks |= need
		if ranks&(ranks-1) != 0 {
			v.report(in, "needs a launch of another rank than the function already does")
		}
	})
	return ranks
}
