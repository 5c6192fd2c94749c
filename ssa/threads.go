package ssa

import (
	"slices"
	"strconv"
	"strings"
)

// How the threads of a kernel are run by a target that runs them in loops. A target's stages decide that and
// write it down here; emitters print what is written and decide nothing.

// Vector says what a compiler is told of the loop over a kernel's threads.
type Vector uint8

const (
	VectorUnknown     Vector = iota // nothing: it finds out by itself what it may do
	VectorIndependent               // no thread uses what another one writes
	VectorNever                     // the loop is better left as it is
)

// String is the word that the SSA printer writes.
func (v Vector) String() string { return [...]string{"", "independent", "scalar"}[v] }

// Storage says whose memory an OpShared is, and where it is.
type Storage uint8

const (
	BlockStorage Storage = iota // the lanes of a block share it
	LaneStorage                 // it has a place for each lane, which Fission has made, on the stack: it is not zero at first
	LaneHeap                    // the same, with no room on the stack
)

// Fit says how the operands and the result of integer arithmetic fit what a target's own operation can do. Where
// that does as Go does for all operands, nothing has to be known.
type Fit uint8

const (
	FitUnknown Fit = iota // it may overflow, or the divisor may be 0 or -1
	FitExact              // it does not overflow, and the divisor is neither 0 nor -1
	FitShort              // of a division: both operands are 64-bit ones that are better divided as unsigned ones of 32 bits
)

// A Tile says how many threads run at once, with the numbers of the elements that they use transposed. See
// package ssa/target/shapes.
type Tile struct {
	Threads int
	Params  []TileParam // those only read, and then in the order of the writes, for they may be one slice
}

// A TileParam is a slice, a parameter of the kernel, of which each thread uses one element.
type TileParam struct {
	Param  int   // the parameter's place behind the Thread
	Elem   Type  // of the slice
	Number Basic // the type of all numbers in an element
	Loads  bool  // the threads read their elements
	Stores bool  // they write them
}

// An Interior says where the interior of a row is: at each index that is at least
// the numbers in From and less than those in To. There no index is clamped and no test for an edge holds, so that Inside, which has
// neither clamps nor tests, does what the kernel does.
type Interior struct {
	From, To []Bound
	// ShortHead and ShortTail say that few threads are in front of the interior
	// and behind it.
	ShortHead, ShortTail bool
	Inside               *Func // a device function with the kernel's parameters
}

// A Bound is a number that is the same for all threads of a row, plus a constant.
type Bound struct {
	Base *RowValue // nil for none
	Plus int64
	Cut  bool // Base may be any number: it is to be brought near the indices that there are, so that adding cannot wrap
}

// A RowValue is a number that is the same for all threads of a row, as it is computed from a kernel's parameters,
// the sizes of the launch and the indices along the axes that are not the last. Where Op is 0 it is the parameter at Index behind
// the Thread; otherwise what an instruction with these operands gives.
type RowValue struct {
	Op    Op
	Type  Type
	Index int // of a parameter, of a field
	Axis  int // OpThreadID, OpThreadDim
	Const int64
	Plus  int64 // is added to it, where that cannot wrap
	Args  []*RowValue
}

// String is the value in the notation of the SSA printer, in one line. Equal values are equal texts.
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

// threads writes what is decided about a function's threads.
func (p *printer) threads(f *Func) {
	if f.ReadsOnly {
		p.str(" reads only")
	}
	if f.Vector != VectorUnknown {
		p.str(" " + f.Vector.String())
	}
	if t := f.Tile; t != nil {
		p.str(" tile of " + strconv.Itoa(t.Threads))
		for _, q := range t.Params {
			p.str(" [param " + strconv.Itoa(q.Param))
			if q.Loads {
				p.str(" load")
			}
			if q.Stores {
				p.str(" store")
			}
			p.str("]")
		}
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

// decided writes what is decided about an instruction.
func (p *printer) decided(in *Instr) {
	if in.Rows {
		p.str(" by rows")
	}
	p.str([...]string{"", " per lane", " per lane heap"}[in.Storage])
	p.str([...]string{"", " exact", " exact short"}[in.Fit])
	if in.Vector != VectorUnknown {
		p.str(" " + in.Vector.String())
	}
	if in.Once {
		p.str(" once")
	}
	if len(in.Changes) > 0 {
		p.str(" changes ")
		p.list(in.Changes, p.value)
	}
	if in.Number > 0 {
		p.str(" number ")
		p.int(int(in.Number))
	}
}

// threads checks what is decided about a function's threads.
func (v *verifier) threads(f *Func) {
	if !f.Kernel && (f.Vector != VectorUnknown || f.Tile != nil || f.Interior != nil) {
		v.report(nil, "a device function with a kernel's loop over threads")
	}
	if f.Interior != nil {
		v.interior(f, f.Interior.Inside)
	}
	if f.Tile != nil {
		if f.Interior != nil {
			v.report(nil, "a tile in rows that have an interior")
		}
		for _, q := range f.Tile.Params {
			if q.Param < 0 || q.Param+1 >= len(f.Params()) || f.Params()[q.Param+1].Type != (Type)(Slice{q.Elem}) {
				v.report(nil, "parameter %d of a tile is no slice of %v", q.Param, q.Elem)
			}
		}
	}
	f.Body.Walk(func(in *Instr) {
		if in.Storage != BlockStorage && in.Op != OpShared {
			v.report(in, "is no array that lanes could have")
		}
		v.fit(in)
		if in.Vector != VectorUnknown && in.Op != OpFor {
			v.report(in, "is no loop over lanes")
		}
		if in.Rows && in.Op != OpLoad {
			v.report(in, "is no load of rows")
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

// interior checks what runs the threads in the interior of a row.
func (v *verifier) interior(f, inside *Func) {
	if inside == nil || inside.Kernel || !slices.Contains(v.module.Funcs, inside) {
		v.report(nil, "an interior without a device function")
		return
	}
	sameType := func(a, b *Value) bool { return a.Type == b.Type }
	if len(inside.Results) > 0 || !slices.EqualFunc(inside.Params(), f.Params(), sameType) {
		v.report(nil, "an interior whose function has other parameters, or results")
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
		if in.Fit == FitShort && in.Results[0].Type != Int64 {
			v.report(in, "is no division of 64 bits that could be one of 32")
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
