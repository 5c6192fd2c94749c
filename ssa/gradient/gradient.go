package gradient

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/opt"
)

// Options say what is known of the launches that are to be differentiated.
type Options struct {
	// Overlap says that slices of several parameters may share elements, as when one array is given for two
	// parameters.
	Overlap bool

	// Steps are the derivatives to be taken, one after the other: [Reverse] makes the backward kernel, [Tangent] the
	// tangent kernel. "" is [Reverse]. [Check] stands alone.
	Steps string

	// Constants are the arguments that need no gradient, as bits: bit i stands for argument i. The kernel must not
	// write floats in memory that they lead to. The backward kernel has parameters for their gradients all the same,
	// but does not touch these, unless a function with a gradient of its own adds to them. The option applies to the
	// last of several steps, and not to Grid kernels.
	Constants uint64

	// Batches asks for a kernel that differentiates some of the threads of a launch at a time, if it keeps values in
	// memory.
	Batches bool

	// Scatter leaves all additions to gradients to the thread that finds them, so that tests can compare: see [Gather].
	Scatter bool

	// Strip cuts long loops into strips of so many turns, 0 for not at all. What the backward kernel keeps of each turn of
	// a loop, it then keeps for the turns of one strip at a time, and of the others only what is there before each strip:
	// see strip.go.
	Strip int
}

// The steps of [Options].
const (
	Reverse = "g"
	Tangent = "t"
	Check   = "c" // takes none, but finds the faults of the launch: see [Checks]
)

// All are the steps.
func (o Options) All() string { return cmp.Or(o.Steps, Reverse) }

// Last is the last step.
func (o Options) Last() string { return o.All()[len(o.All())-1:] }

// Suffix is what stands behind the name of a kernel in that of what steps make of it.
func Suffix(steps string) string {
	if steps == Reverse {
		return ".gradient" // the usual one
	}
	return strings.NewReplacer(Reverse, ".gradient", Tangent, ".tangent", Check, ".checks").Replace(steps)
}

// Backward has the kernels that differentiate a kernel. The comments describe the backward kernel. A tangent kernel has
// a parameter for the tangent wherever the backward kernel has one for the gradient, and it writes to the memory of the
// parameters what the kernel writes.
type Backward struct {
	// Kernel is the backward kernel. Its parameters are those of the kernel, then one for each of Gradients, then one for
	// each of Tapes.
	Kernel *ssa.Func

	// Gradients are the places, among the kernel's parameters, of those that have a gradient: slices of floats, and what
	// holds such slices. The parameter for the gradient has the same type.
	Gradients []int

	// Copies are the places, among the kernel's parameters, of those whose memory the backward kernel writes, and Count
	// too. Each of the two needs copies of its own, with the contents from before the launch.
	Copies []int

	// After are the places, among the kernel's parameters, of those whose memory the backward kernel needs as it is
	// right after the launch: an atomic minimum or maximum tells by it who has won. All other memory that it reads is
	// the same before and after.
	After []int

	// Tapes are the elements of the slices that the backward kernel keeps values in. A launch of n threads needs slices of
	// n*h elements, where h is the largest number that Count gives for any thread.
	Tapes []ssa.Type

	// Batched is set if the kernel is for a batch of threads. It is launched over these in one dimension, and has five
	// more parameters of type int64: the flat index of the first thread, and the size of the whole launch along each axis.
	// What it keeps is for the threads of the batch. Count is still for the whole launch.
	Batched bool

	// Blocks is set if the kernel is for a block. Kernel and Count are for the threads of its blocks: launched over the
	// number of threads in a block as one more, last dimension.
	Blocks bool

	// Count has the parameters of the kernel, and then one of type []int64 for each of Tapes, for a number for each thread
	// of the launch. It is nil if there are no Tapes.
	Count *ssa.Func

	// Gather is what a launch does instead of Kernel, or before it, so that no additions are atomic where neighbouring
	// threads add to the same gradients. It is nil if there are none, or if they stay atomic.
	Gather *Gather

	Suffix string // what stands in the kernel's name behind that of the kernel which it is made of

	parts []*ssa.Func // the kernels that the backward kernel of a Grid kernel launches
}

// Funcs are the functions that there are: device functions, and the kernels.
func (b *Backward) Funcs() []*ssa.Func {
	kernels := append(slices.Clone(b.parts), b.kernels()...)
	return append(deviceFuncs(kernels...), kernels...)
}

// kernels are the backward kernel, and before it the one that counts what it keeps, and those that gather.
func (b *Backward) kernels() []*ssa.Func {
	var list []*ssa.Func
	if b.Count != nil {
		list = append(list, b.Count)
	}
	if g := b.Gather; g != nil {
		list = append(list, g.Kernel)
		if g.Rest != nil {
			list = append(list, g.Rest)
		}
	}
	return append(list, b.Kernel)
}

// Refused is what has a derivative that this package does not make.
type Refused struct {
	Pos  ssa.Pos
	What string
	Help string
}

func (r *Refused) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s; %s", r.Pos.File, r.Pos.Line, r.Pos.Col, r.What, r.Help)
}

// Of makes what differentiates a kernel, which stays as it is. The error joins all that is [Refused].
func Of(k *ssa.Func, o Options) (*Backward, error) { return Telling(k, o, nil) }

// Pass is the name under which remarks are made. Those of kind [ssa.Missed] are where no gradient goes, which is hardly
// meant.
const Pass = "gradient"

// Telling is [Of], and tells what a backward kernel keeps and what it computes again.
func Telling(k *ssa.Func, o Options, remarks ssa.Remarks) (*Backward, error) {
	b := &Backward{Kernel: k}
	for i, step := range o.All() {
		d := newDiffer(b.Kernel, o)
		if i+1 < len(o.All()) {
			d.Constants, d.intermediate = 0, true
		}
		d.remarks = remarks
		var err error
		switch {
		case string(step) == Tangent:
			b, err = d.tangentOf(b)
		case strings.Contains(o.All()[:i], Reverse):
			b, err = d.ofBackward(b)
		default:
			b, err = d.of(b.Kernel)
		}
		if err != nil {
			return nil, err
		}
	}
	b.Suffix = Suffix(o.All())
	if b.mayGather(k, o) {
		b.gather(len(b.Kernel.Params())-len(b.Gradients), remarks)
	}
	return b, nil
}

// ofBackward is [differ.of] of a backward kernel. That must be all there is: memory that a launch makes for it would
// need a gradient, and what a launch copies for it to write is not what the caller has afterwards.
func (d *differ) ofBackward(first *Backward) (*Backward, error) {
	k := first.Kernel
	what := ""
	switch {
	case k.Kind == ssa.GridKernel:
		what = "of a Grid kernel"
	case first.Blocks:
		what = "of a Block kernel"
	case len(first.Tapes) > 0:
		what = "that keeps values in memory"
	case len(first.Copies) > 0:
		what = "that does again what the kernel does to its arguments"
	case len(first.After) > 0:
		what = "of an atomic minimum or maximum"
	}
	if what != "" {
		d.refuseAt(k.Decl.Pos, "cannot differentiate a backward kernel "+what, "take the gradient of the tangent kernel: Tangent().Gradient()")
		return nil, d.err()
	}
	return d.of(k)
}

func newDiffer(k *ssa.Func, o Options) *differ {
	d := &differ{Options: o, name: k.Name}
	d.callsOwn = make(map[*ssa.Func]bool)
	d.sums, d.adds = make(map[ssa.Type]*ssa.Func), make(map[ssa.Type]*ssa.Func)
	return d
}

func (d *differ) of(k *ssa.Func) (*Backward, error) {
	f := k.Clone(k.Name)
	d.findHalves(f)
	d.replay(f)
	d.inline(f)
	d.calls(f)
	// A launch that is differentiated has passed the checks, or [Checks] does them, and it has printed.
	drop(f.Body, ssa.OpCheck, ssa.OpPrintf)
	if f.Kind == ssa.BlockKernel {
		d.threadsOf(f)
	}
	raiseShared(f)
	if f.Kind == ssa.GridKernel {
		plainAtomics(f.Body)
	}
	settle(f)
	if k.Kind == ssa.ThreadKernel { // the code of a block returns for all its threads
		d.returns(f)
	}
	d.fn, d.counts, d.limits = structure(f)
	settle(d.fn)
	if d.isGrid() {
		d.launchCopies()
		d.addTwins()
	} else if unchoose(d.fn) {
		settle(d.fn)
	}
	if raiseParts(d.fn) {
		settle(d.fn)
	}
	d.depth(k)
	d.barriers()
	countTurns(d.fn.Body)
	d.findMemory()
	if err := d.err(); err != nil {
		return nil, err
	}
	d.findActive()
	if d.isGrid() {
		d.findParts()
	}
	d.keep()
	if d.err() == nil && d.stripLoops() {
		d.findActive()
		d.keep()
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	d.tell()
	d.tellIntegers()
	if d.isGrid() {
		return d.gridBackward(), nil
	}
	b := d.backward()
	b.Blocks = k.Kind == ssa.BlockKernel
	return b, nil
}

// settle optimizes a function.
func settle(f *ssa.Func) { opt.Settle([]*ssa.Func{f}, new(analysis.Summaries), nil) }

// A differ makes the backward kernel of one kernel.
type differ struct {
	Options
	intermediate bool // what is made is differentiated, too
	name         string
	fn           *ssa.Func            // the kernel, structured
	counts       map[*ssa.Value]step  // by variable of a loop: what each turn adds to it
	limits       map[*ssa.Instr]int64 // by loop: how many turns it takes at most, where that is known
	refused      []error
	remarks      ssa.Remarks
	standardCalls
	strips map[*ssa.Instr]*strip // by the inner loop of each loop that is cut
	own
	halves
	memory
	grid
	activity
	kept
}

// refuse notes what has no derivative here.
func (d *differ) refuse(in *ssa.Instr, what, help string) {
	d.refuseAt(d.placeOf(in), what, help)
}

func (d *differ) refuseAt(pos ssa.Pos, what, help string) {
	if name := d.standard[pos]; name != "" {
		what, help = what+", in "+name, "compute it in another way, or in a function with a gradient of its own (//qd:gradient)"
	}
	r := &Refused{pos, what, help}
	for _, old := range d.refused {
		if *old.(*Refused) == *r {
			return
		}
	}
	d.refused = append(d.refused, r)
}

func (d *differ) err() error { return errors.Join(d.refused...) }

// maxDepth is how deep blocks of a kernel may be nested: C++ compilers have limits on that.
const maxDepth = 120

// depth refuses what has become too deep: what follows each exit from a loop is nested in the branch that does not
// leave.
func (d *differ) depth(k *ssa.Func) {
	deep := 0
	d.fn.Body.Walk(func(in *ssa.Instr) {
		n := 0
		for o := in.Block.Owner; o != nil && deep <= maxDepth; o = o.Block.Owner {
			n++
		}
		deep = max(deep, n)
	})
	if deep > maxDepth {
		d.refuseAt(k.Decl.Pos, "cannot differentiate a kernel with so many exits, one after the other", "do not unroll the loop that is left, or leave it in fewer places")
	}
}

// calls refuses the calls that could not be inlined.
func (d *differ) calls(f *ssa.Func) {
	var summaries analysis.Summaries
	f.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Op != ssa.OpCall || isOwn(in):
		case summaries.Of(in.Callee).Recurs:
			d.refuse(in, "cannot differentiate a kernel that calls "+in.Callee.Name+", which calls itself", helpRecursion)
		default:
			d.refuse(in, "cannot differentiate a kernel that calls "+in.Callee.Name+", which never returns", "let it return")
		}
	})
}

// drop removes the instructions of some kinds, which have no results that are used, from a block and from those within.
func drop(b *ssa.Block, ops ...ssa.Op) {
	var left []*ssa.Instr
	for _, in := range b.Instrs {
		if slices.Contains(ops, in.Op) {
			continue
		}
		for _, nested := range in.Blocks {
			drop(nested, ops...)
		}
		left = append(left, in)
	}
	b.SetInstrs(left)
}

// hasFloats reports whether values of the type hold a float that is not behind an address.
func hasFloats(t ssa.Type) bool {
	if isLeaf(t) {
		return true
	}
	switch t := t.(type) {
	case ssa.Array:
		return t.Len > 0 && hasFloats(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if hasFloats(f.Type) {
				return true
			}
		}
	}
	return false
}

// hasGradient reports whether a parameter of the type leads to floats in memory.
func hasGradient(t ssa.Type) bool {
	switch t := t.(type) {
	case ssa.Slice:
		return hasFloats(t.Elem)
	case ssa.Array:
		return t.Len > 0 && hasGradient(t.Elem)
	case *ssa.Struct:
		for _, f := range t.Fields {
			if hasGradient(f.Type) {
				return true
			}
		}
	}
	return false
}
