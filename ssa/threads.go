package ssa

import (
	"slices"
	"strconv"
	"strings"
)

// These types say how a target that runs threads in loops runs the threads of a kernel. A target's stages
// make these decisions; emitters only print them.

// Vector says what the C++ compiler is told about a loop over threads or lanes.
type Vector uint8

// VectorUnknown tells it nothing.
const VectorUnknown Vector = 0

// VectorNever, VectorRest and VectorWanted exclude each other; the others come with VectorWanted.
const (
	VectorNever       Vector = 1 << iota // the loop is faster without vectors
	VectorRest                           // the few lanes that vectors leave: no compiler's time is worth them
	VectorWanted                         // it makes vectors, if it finds that no lane uses values that another one writes
	VectorIndependent                    // no lane does
	VectorSeveral                        // several vectors at once: they share the constants
	VectorShort                          // there are few turns: a compiler must not unroll the loop before it makes vectors
)

// vectorWords are the words that the SSA printer writes.
var vectorWords = []struct {
	vector Vector
	word   string
}{
	{VectorNever, "scalar"}, {VectorRest, "rest"}, {VectorWanted, "vectors"},
	{VectorIndependent, "independent"}, {VectorSeveral, "several"}, {VectorShort, "short"},
}

// Has reports whether it is told what is in part, too.
func (v Vector) Has(part Vector) bool { return v&part == part }

// isValid reports whether what it is told makes sense together.
func (v Vector) isValid() bool {
	switch v {
	case VectorUnknown, VectorNever, VectorRest:
		return true
	}
	return v.Has(VectorWanted) && v&(VectorNever|VectorRest) == 0
}

// String is the words that the SSA printer writes.
func (v Vector) String() string {
	var words []string
	for _, w := range vectorWords {
		if v.Has(w.vector) {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, " ")
}

// Storage says who shares the memory of an OpShared, and where it is.
type Storage uint8

const (
	BlockStorage   Storage = iota // the lanes of a block share it
	LaneStorage                   // Fission has made it, with a place for each lane, on the stack: it is not zero at first
	LaneHeap                      // the same, too large for the stack
	ScratchStorage                // the lanes of a block share it: it is not zero at first, and is written before it is read

	// RegisterStorage is a matrix whose elements are in the registers of the threads of a block: see spread.go. It is not
	// zero at first. Nobody uses it but OpMultiply, and the lanes of an OpFor over its elements, each its own one.
	RegisterStorage
)

// Fit says whether the target's own operation is correct for the operands and the result of integer
// arithmetic. It is not needed if that operation does the same as Go's for all operands.
type Fit uint8

const (
	FitUnknown Fit = iota // it may overflow, or the divisor may be 0 or -1
	FitExact              // it does not overflow, and the divisor is neither 0 nor -1
	FitShort              // of a division: both operands are 64-bit integers that fit 32 bits unsigned, where dividing is faster
)

// Rows says that the threads of a kernel that is launched over one dimension run in rows of so many, one row after the
// other. OpThreadID of rank 2 is the row in such a kernel, and the place in it: what the flat index divided by Width is, and
// what remains. It has Rows set, because the launch has no such sizes. Rows that are shorter than Least, or longer
// than Most, are none: their threads run one by one.
type Rows struct {
	Width       *RowValue // made of parameters, sizes of the launch and constants
	Least, Most int64
}

// First is the index of the first thread of a row.
func (r *Rows) First() *RowValue {
	return &RowValue{Op: OpMul, Type: Int64, Args: []*RowValue{{Op: OpThreadID, Type: Int64}, r.Width}}
}

// LoopRank is how many indices the loops over the threads of a kernel have.
func (f *Func) LoopRank() int {
	if f.Rows != nil {
		return 2
	}
	return f.Rank
}

// An Interior is the interior of a row: the indices that are at least all bounds in From and less than all
// bounds in To.
type Interior struct {
	From, To []Bound
	// ShortHead and ShortTail say that only few threads are before and after the interior.
	ShortHead, ShortTail bool
	Inside               *Func // a device function with the kernel's parameters
}

// Wide says how a kernel runs threads that follow each other in a row in the lanes of vectors. See package
// ssa/target/widen.
type Wide struct {
	Lanes int
	By    *Func  // a device function with the kernel's parameters, whose Thread is that of the first lane; nil for none
	Why   string // there is none
	// Twice says that threads may run twice, which then changes nothing, if the slices of each pair in Apart have no memory
	// in common. So the last threads of a row can run in lanes too, with some that have run before.
	Twice bool
	Apart [][2]*RowValue
	// Distinct are pairs of slices that By takes for different memory, or for one: if those of a pair have some memory in
	// common and begin at different places, threads run one by one.
	Distinct [][2]*RowValue
	// Strides are numbers that are 1 most often. By is shorter if they are known to be.
	Strides []*RowValue
	// Unroll is how many times the compiler repeats the code of By in a loop, 0 if it decides.
	Unroll int
}

// A Bound is a number that is the same for all threads of a row, plus a constant.
type Bound struct {
	Base *RowValue // nil for none
	Plus int64
	Cut  bool // Base may be any number: it must be clamped to the range of indices, so that adding cannot wrap
}

// A RowValue is a number that is the same for all threads of a row. It is computed from a kernel's
// parameters, the sizes of the launch and the indices along all axes but the last. If Op is 0, it is the
// parameter at Index after the Thread. Otherwise it is the result of an instruction with these operands.
type RowValue struct {
	Op    Op
	Type  Type
	Index int // of a parameter, of a field
	Axis  int // OpThreadID, OpThreadDim
	Const int64
	Plus  int64 // is added to it; this cannot wrap
	Args  []*RowValue
}

// String is the value in the notation of the SSA printer, in one line. Equal values give equal strings.
func (r *RowValue) String() string {
	var s string
	switch r.Op {
	case OpInvalid:
		s = "param " + strconv.Itoa(r.Index)
	case OpConst:
		s = strconv.FormatInt(r.Const, 10)
	case OpThreadID, OpThreadDim:
		s = r.Op.String() + " axis " + strconv.Itoa(r.Axis)
	default:
		parts := make([]string, len(r.Args))
		for i, a := range r.Args {
			parts[i] = a.String()
		}
		s = r.Op.String() + "(" + strings.Join(parts, ", ") + ")"
		if r.Op == OpField {
			s += "." + strconv.Itoa(r.Index)
		}
	}
	return s + plusText(r.Plus)
}

func plusText(c int64) string {
	switch {
	case c > 0:
		return " + " + strconv.FormatInt(c, 10)
	case c < 0:
		return " - " + strconv.FormatInt(-c, 10)
	}
	return ""
}

// String is the bound in one line.
func (b Bound) String() string {
	switch {
	case b.Base == nil:
		return strconv.FormatInt(b.Plus, 10)
	case b.Cut:
		return "cut(" + b.Base.String() + ")" + plusText(b.Plus)
	}
	return b.Base.String() + plusText(b.Plus)
}

// IsLaunchAdd reports whether an instruction adds to a float that only threads of the launch use, or to one in each
// lane.
func (in *Instr) IsLaunchAdd() bool {
	return (in.Op == OpAtomic || in.Op == OpAtomicLanes) && in.Atomic == AtomicAdd && in.Launch && IsFloat(ElemOf(in.Result().Type))
}

// AddsAlone reports whether the threads of a kernel add to what they share in plain steps where they run one after the
// other.
func (f *Func) AddsAlone() (found bool) {
	if f.Kind != ThreadKernel || f.Phased || f.Interior != nil {
		return false
	}
	f.Body.Walk(func(in *Instr) { found = found || in.IsLaunchAdd() })
	return found
}

// threads writes what is decided about a function's threads.
func (p *printer) threads(f *Func) {
	p.flag(f.ReadsOnly, " reads only")
	p.flag(f.Rare, " rare")
	p.flag(f.InLine, " in line")
	p.flag(f.OutOfLine, " out of line")
	if f.Vector != VectorUnknown {
		p.str(" " + f.Vector.String())
	}
	if w := f.Wide; w != nil {
		if w.By != nil {
			p.str(" in " + strconv.Itoa(w.Lanes) + " lanes by " + w.By.Name)
			p.flag(w.Twice, " twice")
			for _, s := range w.Strides {
				p.str(" [" + s.String() + " most often 1]")
			}
			if w.Unroll != 0 {
				p.str(" unrolled " + strconv.Itoa(w.Unroll))
			}
			for _, pair := range w.Apart {
				p.str(" [" + pair[0].String() + " apart " + pair[1].String() + "]")
			}
			for _, pair := range w.Distinct {
				p.str(" [" + pair[0].String() + " distinct from " + pair[1].String() + "]")
			}
		} else {
			p.str(" in no lanes: " + strconv.Quote(w.Why))
		}
	}
	if r := f.Rows; r != nil {
		p.str(" in rows of [" + r.Width.String() + "] from " + strconv.FormatInt(r.Least, 10) + " to " + strconv.FormatInt(r.Most, 10))
	}
	if in := f.Interior; in != nil {
		p.bounds(" from", in.From)
		p.bounds(" to", in.To)
		p.str(" by " + in.Inside.Name)
	}
}

func (p *printer) bounds(word string, list []Bound) {
	for _, b := range list {
		p.str(word + " [" + b.String() + "]")
	}
}

// decided prints the decisions about an instruction.
func (p *printer) decided(in *Instr) {
	p.flag(in.Rows, " by rows")
	p.str([...]string{"", " per lane", " per lane heap", " scratch", " in registers by " + strconv.Itoa(int(in.Index))}[in.Storage])
	p.str([...]string{"", " exact", " exact short"}[in.Fit])
	if in.Vector != VectorUnknown {
		p.str(" " + in.Vector.String())
	}
	p.flag(in.Once, " once")
	p.flag(in.Spread, " spread")
	p.flag(in.Async && in.Op == OpFor, " without waiting")
	p.str([...]string{"", " of float16", " of bfloat16", " of int8", " of tf32"}[in.Narrow])
	if len(in.Changes) > 0 {
		p.str(" changes ")
		p.list(in.Changes, p.value)
	}
	if in.Number > 0 {
		p.str(" number ")
		p.int(int(in.Number))
	}
}

// threads checks the decisions about a function's threads.
func (v *verifier) threads(f *Func) {
	if !f.Kernel && (f.Vector != VectorUnknown && !v.isInterior(f) || f.Interior != nil) {
		v.report(nil, "a device function with a kernel's loop over threads")
	}
	if !f.Vector.isValid() {
		v.report(nil, "a loop over threads that is told: %v", f.Vector)
	}
	if f.Threads != 0 && (!f.Kernel || f.Kind != BlockKernel) {
		v.report(nil, "%d threads in each block of what is no kernel for a block", f.Threads)
	}
	if r := f.Rows; r != nil && (!f.Kernel || f.Kind != ThreadKernel || f.Phased || f.Rank > 1 || r.Width == nil || r.Width.Type != Int64 || r.Least < 1 || r.Most < r.Least) {
		v.report(nil, "rows of what is no kernel for threads over one dimension, or of no length")
	}
	if f.Interior != nil {
		v.standIn(f, f.Interior.Inside, "an interior")
	}
	if w := f.Wide; w != nil {
		v.wide(f, w)
	}
	v.small(f)
	f.Body.Walk(func(in *Instr) {
		if in.Storage != BlockStorage && in.Op != OpShared {
			v.report(in, "is no array that lanes could have")
		}
		v.fit(in)
		if in.Vector != VectorUnknown && in.Op != OpFor || !in.Vector.isValid() {
			v.report(in, "is no loop over lanes that could be told: %v", in.Vector)
		}
		if in.Spread && (in.Op != OpFor || len(in.Args) != 2 || f.Threads == 0) {
			v.report(in, "is no loop over the elements of a matrix that the threads of a block have in registers")
		}
		v.spread(in)
		if in.Async && (in.Op != OpSync && in.Op != OpFor || in.Len < 0 || f.Kind != BlockKernel) {
			v.report(in, "is no barrier, and no loop over lanes, of threads that wait for their copies")
		}
		if in.Narrow != 0 && in.Op != OpMultiply && in.Op != OpTileMake {
			v.report(in, "has no numbers in fewer bits")
		}
		if in.Rows && in.Op != OpLoad && (in.Op != OpThreadID || in.Rank != 2) {
			v.report(in, "is no load of rows, and no place in one")
		}
		for _, t := range in.Changes {
			if t.Def == nil || t.Def.Op != OpLocal {
				v.report(in, "%v is changed and no variable", t)
			}
		}
		if in.Once && !(f.Kernel && f.Kind == BlockKernel) {
			v.report(in, "is done once for a block by the code of a thread")
		}
	})
}

// isInterior reports whether a function is that of the interior of a kernel's rows.
func (v *verifier) isInterior(f *Func) bool {
	return slices.ContainsFunc(v.module.Funcs, func(k *Func) bool { return k.Interior != nil && k.Interior.Inside == f })
}

// wide checks what runs threads in the lanes of vectors.
func (v *verifier) wide(f *Func, w *Wide) {
	switch {
	case !f.Kernel && !v.isInterior(f):
		v.report(nil, "a device function whose threads run in lanes")
	case w.By == nil && w.Why == "":
		v.report(nil, "no lanes without a reason")
	case w.By == nil:
	case !IsLanes(w.Lanes):
		v.report(nil, "%d lanes", w.Lanes)
	case f.Interior != nil:
		v.report(nil, "lanes in a loop over threads that is split")
	case !w.Twice && len(w.Apart) > 0:
		v.report(nil, "a condition for threads to run twice that may not")
	case slices.ContainsFunc(w.Distinct, func(pair [2]*RowValue) bool { return !sameElements(pair[0].Type, pair[1].Type) }):
		v.report(nil, "distinct slices whose elements have two sizes")
	case w.Twice && slices.ContainsFunc(w.Distinct, func(pair [2]*RowValue) bool { return !HasPair(w.Apart, pair) }):
		v.report(nil, "threads that may run twice where they may not run in lanes")
	default:
		v.standIn(f, w.By, "lanes")
	}
}

// HasPair reports whether a pair of values is in a list, in either order.
func HasPair(list [][2]*RowValue, pair [2]*RowValue) bool {
	a, b := pair[0].String(), pair[1].String()
	return slices.ContainsFunc(list, func(have [2]*RowValue) bool {
		c, d := have[0].String(), have[1].String()
		return a == c && b == d || a == d && b == c
	})
}

// sameElements reports whether two types are slices of elements that take as many bytes.
func sameElements(a, b Type) bool {
	x, isSlice := a.(Slice)
	y, areBoth := b.(Slice)
	return isSlice && areBoth && x.Elem.Size() == y.Elem.Size()
}

// standIn checks that a device function of the module can run threads of a kernel.
func (v *verifier) standIn(f, by *Func, what string) {
	if by == nil || by.Kernel || !slices.Contains(v.module.Funcs, by) {
		v.report(nil, "%s without a device function", what)
		return
	}
	sameType := func(a, b *Value) bool { return a.Type == b.Type }
	if len(by.Results) > 0 || !slices.EqualFunc(by.Params(), f.Params(), sameType) {
		v.report(nil, "%s whose function has other parameters, or results", what)
	}
}

// fit checks what is said of an operation's operands.
func (v *verifier) fit(in *Instr) {
	switch {
	case in.Fit == FitUnknown:
	case len(in.Results) != 1 || !IsInteger(in.Results[0].Type):
		v.report(in, "is no arithmetic of integers that fits")
	case in.Op == OpDiv || in.Op == OpRem:
		if IsConst(in.Args[1]) && !in.Args[1].IsSafeDivisor() {
			v.report(in, "needs care for its divisor")
		}
		if t := in.Results[0].Type; in.Fit == FitShort && t != Int64 && t != Int32 {
			v.report(in, "is no division that could be one of 32 bits without a sign")
		}
	case in.Fit == FitShort:
		v.report(in, "is no division")
	default:
		switch in.Op {
		case OpAdd, OpSub, OpMul, OpNeg:
		default:
			v.report(in, "is no arithmetic of integers that fits")
		}
	}
}
