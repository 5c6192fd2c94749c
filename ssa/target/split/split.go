package split

import (
	"math"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A clamping is a clamp or a test of an index that the interior of a row decides.
type clamping struct {
	index int  // the operand that is the index with its offset
	value bool // of a test: what it is in the interior
	once  bool // of a remainder: it is the index less the divisor, once
}

// A bound of an interior.
type bound struct {
	from bool // it begins there, or else ends
	at   uniform
}

// A uniform is an integer that is the same for all threads of a row.
type uniform struct {
	// base is the computation to which offset is added. It is empty if the number is a constant; the constant is then
	// in offset.
	base     *ssa.RowValue
	constant bool
	offset   int64
	// bounded says that base is an index or a size, so that adding cannot wrap. Other values have no offset until
	// they become bounds.
	bounded bool
	size    bool // base is the size of the row, or the length of a slice
	edge    bool // base is the size of the row
}

// A form has the facts about a value.
type form struct {
	kind    formKind
	offset  int64         // of formIndex and formSmall: the least one
	reach   int64         // likewise: how much larger it may be in other iterations of loops
	low     *ssa.RowValue // likewise: is added to it, too, and to the largest one high is; nil for nothing
	high    *ssa.RowValue
	rooms   []*ssa.RowValue // what low and high are made of, which may be any number
	counted bool            // the counter of a loop is in it
	scale   int64           // of formScaled: what the index with all that is multiplied by
	plus    int64           // likewise: what is added to the product
	at      uniform         // of formUniform
	value   *ssa.RowValue   // of formSlice and formStruct: where it is
}

type formKind uint8

const (
	formUnknown formKind = iota
	formIndex            // the index, plus offset
	formScaled           // a multiple of such an index, plus a constant
	formSmall            // the counter of a loop
	formUniform
	formSlice  // a parameter of the kernel, or in one
	formStruct // likewise
)

// Row splits the rows of a kernel: it makes a function of it for the threads in the interior of a row, which has no
// clampings. It reports whether there are any. What is in functions that the kernel calls is not found: see [Kernels].
// If compilers may find vectors of its threads, they are asked for.
func (c *Costs) Row(k *ssa.Func, vectors bool, remarks ssa.Remarks) bool {
	w := c.decided(k)
	if len(w.clampings) == 0 {
		return false
	}
	k.Interior = c.interior(w.bounds)
	k.Interior.Inside = w.inside()
	if vectors {
		k.Vector, k.Interior.Inside.Vector = ssa.VectorWanted, ssa.VectorWanted
	}
	remarks.OnFunc("split", ssa.Done, k, "rows of threads are split: %d clamps and tests of indices are left out in the interior", len(w.clampings))
	return true
}

// decided finds the clampings of a kernel.
func (c *Costs) decided(k *ssa.Func) *forms {
	w := c.formsOf(k)
	k.Body.Walk(w.decide)
	return w
}

// formsOf are the forms of a kernel's values, before any clamping is found.
func (c *Costs) formsOf(k *ssa.Func) *forms {
	w := &forms{table: c, kernel: k, memo: make(map[*ssa.Value]form), clampings: make(map[*ssa.Instr]clamping)}
	if k.Rows != nil {
		w.width = k.Rows.Width.String()
	}
	for i, v := range k.Params()[1:] {
		w.memo[v] = w.known(argument(&ssa.RowValue{Type: v.Type, Index: i}))
	}
	return w
}

// known adds to the form of a number that it is the length of the kernel's own rows, if it is. That is no large number.
func (w *forms) known(f form) form {
	if w.width != "" && f.kind == formUniform && f.at.base != nil && f.at.offset == 0 && f.at.base.String() == w.width {
		f.at.bounded, f.at.size, f.at.edge = true, true, true
	}
	return f
}

// inside is a kernel as a function for the threads in the interior of a row.
func (w *forms) inside() *ssa.Func {
	f := w.kernel.Clone(w.kernel.Name + ".interior")
	f.Kernel, f.Rank, f.Rows, f.Interior = false, 0, nil, nil
	f.Decl.Text += " // in the interior of a row"
	var clampings []*clamping
	w.kernel.Body.Walk(func(in *ssa.Instr) {
		if s, ok := w.clampings[in]; ok {
			clampings = append(clampings, &s)
		} else {
			clampings = append(clampings, nil)
		}
	})
	f.Body.Walk(func(in *ssa.Instr) {
		in.Resolve()
		s := clampings[0]
		clampings = clampings[1:]
		switch {
		case s == nil:
		case in.Op == ssa.OpMin || in.Op == ssa.OpMax:
			in.Result().ForwardTo(in.Args[s.index])
		case in.Op == ssa.OpRem && s.once:
			in.Op, in.Fit = ssa.OpSub, ssa.FitUnknown
		case in.Op == ssa.OpRem:
			in.Result().ForwardTo(in.Args[0])
		default:
			in.Op, in.Args, in.Const = ssa.OpConst, nil, ssa.BoolConst(s.value)
		}
	})
	return f
}

// argument is the form of a kernel's parameter, or of a field of one.
func argument(v *ssa.RowValue) form {
	switch v.Type.(type) {
	case ssa.Slice:
		return form{kind: formSlice, value: v}
	case *ssa.Struct:
		return form{kind: formStruct, value: v}
	case ssa.Basic:
		if ssa.IsInteger(v.Type) {
			return form{kind: formUniform, at: uniform{base: v}}
		}
	}
	return form{}
}

// forms are the forms of a kernel's values.
type forms struct {
	table     *Costs
	kernel    *ssa.Func
	width     string // of the rows that it takes its index apart into, "" for none
	memo      map[*ssa.Value]form
	clampings map[*ssa.Instr]clamping
	bounds    []bound // of the clampings, in the order of the text
}

// decide makes a clamping of an instruction that can be one.
func (w *forms) decide(in *ssa.Instr) {
	switch in.Op {
	case ssa.OpRem:
		if in.Result().Type == ssa.Int64 && !inTest(in) {
			w.decideRemainder(in)
		}
	case ssa.OpMin, ssa.OpMax, ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpGt, ssa.OpGe:
		if in.Args[0].Type != ssa.Int64 || inTest(in) && (w.of(in.Args[0]).counted || w.of(in.Args[1]).counted) {
			return
		}
		if s, b, ok := w.clampingOf(in); ok {
			w.clampings[in] = s
			w.bounds = append(w.bounds, b...)
		}
	}
}

func (w *forms) of(v *ssa.Value) form {
	if f, ok := w.memo[v]; ok {
		return f
	}
	var f form
	if v.Def == nil {
		f = w.counter(v)
	} else {
		f = w.compute(v.Def)
		if parts(f.at.base) > maxBound {
			f = form{}
		}
	}
	f = w.known(f)
	w.memo[v] = f
	return f
}

func (w *forms) compute(in *ssa.Instr) form {
	rank := w.kernel.LoopRank()
	value := func(args ...*ssa.RowValue) *ssa.RowValue {
		return &ssa.RowValue{Op: in.Op, Type: in.Results[0].Type, Index: int(in.Index), Axis: int(in.Axis), Args: args}
	}
	switch in.Op {
	case ssa.OpConst:
		if t := in.Results[0].Type; t == ssa.Int64 {
			return form{kind: formUniform, at: uniform{constant: true, offset: in.Const.Int()}}
		}
	case ssa.OpThreadID:
		switch {
		case in.Rank <= 1 && rank < 2, int(in.Rank) == rank && int(in.Axis) == rank-1:
			return form{kind: formIndex}
		case in.Rank <= 1 && w.kernel.Rows != nil:
			first := w.kernel.Rows.First()
			return form{kind: formIndex, low: first, high: first}
		case int(in.Rank) == rank:
			return form{kind: formUniform, at: uniform{base: value(), bounded: true}}
		}
	case ssa.OpThreadDim:
		last := int(in.Axis) == max(rank-1, 0) && w.kernel.Rows == nil
		return form{kind: formUniform, at: uniform{base: value(), bounded: true, size: last, edge: last}}
	case ssa.OpLen:
		if s := w.of(in.Args[0]); s.kind == formSlice {
			return form{kind: formUniform, at: uniform{base: value(s.value), bounded: true, size: true}}
		}
	case ssa.OpField:
		if s := w.of(in.Args[0]); s.kind == formStruct {
			if in.Results[0].Type.Size() > 0 {
				return argument(value(s.value))
			}
		}
	case ssa.OpConvert:
		x := w.of(in.Args[0])
		if x.kind == formUniform && in.Results[0].Type == ssa.Int64 && ssa.IsInteger(in.Args[0].Type) {
			return form{kind: formUniform, at: uniform{base: value(x.at.value())}}
		}
	case ssa.OpMin, ssa.OpMax:
		if s, ok := w.clampings[in]; ok {
			return w.of(in.Args[s.index])
		}
		return w.arithmetic(in)
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
		return w.arithmetic(in)
	case ssa.OpNeg:
		if x := w.of(in.Args[0]); x.kind == formUniform && !x.at.constant && in.Results[0].Type == ssa.Int64 {
			return form{kind: formUniform, at: uniform{base: difference(nil, x.at.value())}}
		}
	case ssa.OpDiv, ssa.OpRem:
		if _, ok := w.clampings[in]; ok {
			f := w.of(in.Args[0])
			f.low, f.high, f.rooms = nil, nil, nil
			return f
		}
		if in.Args[1].IsSafeDivisor() {
			return w.arithmetic(in)
		}
	}
	return form{}
}

// arithmetic is the form of an operation on two integers.
func (w *forms) arithmetic(in *ssa.Instr) form {
	x, y := w.of(in.Args[0]), w.of(in.Args[1])
	if in.Results[0].Type != ssa.Int64 {
		return form{} // C++ may compute it in another type
	}
	if (in.Op == ssa.OpAdd || in.Op == ssa.OpMul) && (x.at.constant || x.kind != formIndex && y.kind == formIndex) {
		x, y = y, x
	}
	if f, ok := scaled(in.Op, x, y); ok {
		return f
	}
	if x.kind == formIndex || x.kind == formSmall {
		if f, ok := moved(in.Op, x, y); ok {
			return f
		}
	}
	if y.kind == formUniform && y.at.constant && (in.Op == ssa.OpAdd || in.Op == ssa.OpSub) && x.at.bounded {
		c := y.at.offset
		if in.Op == ssa.OpSub {
			c = -c
		}
		f := x
		f.at.offset += c
		if near(c) && near(f.at.offset) {
			return f
		}
	}
	if x.kind != formUniform || y.kind != formUniform || x.at.constant && y.at.constant {
		return form{}
	}
	at := uniform{base: &ssa.RowValue{Op: in.Op, Type: ssa.Int64, Args: []*ssa.RowValue{x.at.value(), y.at.value()}}}
	return form{kind: formUniform, at: at}
}

func near(c int64) bool { return -maxOffset < c && c < maxOffset }

// value is u as it is computed.
func (u uniform) value() *ssa.RowValue {
	if u.constant {
		return &ssa.RowValue{Op: ssa.OpConst, Type: ssa.Int64, Const: u.offset}
	}
	v := *u.base
	v.Plus = u.offset
	return &v
}

// parts is the number of parts of a value that its printed form names.
func parts(v *ssa.RowValue) int {
	if v == nil {
		return 0
	}
	n := 1
	for _, a := range v.Args {
		n += parts(a)
	}
	return n
}

// clampingOf tells whether in is a clamping, and the bounds of the interior that make it one.
func (w *forms) clampingOf(in *ssa.Instr) (clamping, []bound, bool) {
	s, op := clamping{}, in.Op
	x, y := w.of(in.Args[0]), w.of(in.Args[1])
	if x.kind != formIndex && x.kind != formScaled {
		x, y = y, x
		s.index = 1
		op = analysis.Mirrored(op)
	}
	if x.kind == formScaled {
		x, op, y = x.unscaled(op, y)
	}
	if x.kind != formIndex || y.kind != formUniform {
		return s, nil, false
	}
	at := y.at
	if at.constant && at.offset < -maxOffset {
		at.offset = -maxOffset // every index with its offset is above both
	}
	if at.constant && at.offset > math.MaxInt64-2*maxOffset {
		return s, nil, false // and below this, so that there is nothing to split
	}
	small := at.constant && at.offset-x.offset < w.table.nearBegin
	b := bound{from: small}
	skip := int64(0) // 1 if the part that ends at the bound has the bound in it
	switch op {
	case ssa.OpMax:
		b.from = true
	case ssa.OpMin:
		if skip = 1; small {
			return s, nil, false // it would end where it begins
		}
	case ssa.OpLt, ssa.OpGe:
		s.value = (op == ssa.OpLt) != b.from
	case ssa.OpLe, ssa.OpGt:
		s.value = (op == ssa.OpLe) != b.from
		skip = 1
	case ssa.OpEq, ssa.OpNe:
		if !small && !at.size {
			return s, nil, false // it may be in the middle of the row, as a source of heat is
		}
		s.value = op == ssa.OpNe
		if small {
			skip = 1
		}
	}
	at.offset += skip - x.offset
	if !b.from {
		at.offset -= x.reach
	}
	b.at = at
	if x.low == nil && x.high == nil {
		return s, []bound{b}, true
	}
	return x.relative(s, b, y.at)
}

// relative is a clamping of an index to which a number is added that is none of the text, with its bounds. It is compared
// with another number.
func (x form) relative(s clamping, b bound, with uniform) (clamping, []bound, bool) {
	if with.constant && !near(with.offset) {
		return s, nil, false
	}
	added := x.high
	if b.from {
		added = x.low
	}
	if added != nil {
		b.at = uniform{base: difference(b.at.base, added), offset: b.at.offset}
		if parts(b.at.base) > maxBound {
			return s, nil, false
		}
	}
	x.needRoom(with)
	bounds := []bound{b}
	for _, r := range x.rooms {
		bounds = append(bounds, room(r)...)
	}
	return s, bounds, true
}

// interior makes a kernel's bounds one interior: of those that differ in their
// offsets the one that counts.
func (c *Costs) interior(bounds []bound) *ssa.Interior {
	in := &ssa.Interior{ShortHead: true, ShortTail: true}
	type side struct {
		from bool
		base string
	}
	var order []side
	best := make(map[side]uniform)
	for _, b := range bounds {
		s := side{from: b.from}
		if b.at.base != nil {
			s.base = b.at.base.String()
		}
		old, ok := best[s]
		if !ok {
			order = append(order, s)
		}
		if !ok || b.from == (b.at.offset > old.offset) {
			best[s] = b.at
		}
	}
	for _, s := range order {
		u := best[s]
		b := ssa.Bound{Base: u.base, Plus: u.offset, Cut: !u.constant && !u.bounded}
		if s.from {
			in.From = append(in.From, b)
			in.ShortHead = in.ShortHead && u.constant && u.offset <= c.nearBegin
		} else {
			in.To = append(in.To, b)
			in.ShortTail = in.ShortTail && u.edge && u.offset > -c.nearBegin
		}
	}
	return in
}
