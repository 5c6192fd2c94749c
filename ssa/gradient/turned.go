package gradient

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
)

// This file makes the kernel that gathers: see gather.go.

// turned is the making of a gather.
type turned struct {
	of          *stencil
	r           builder
	offsets     [][]int64
	least, most []int64 // of the offsets, along each axis
	at, size    []*ssa.Value
	sums        map[string]*ssa.Value
	order       []*addition // one for each of sums, as they were come to
	numbers     map[Number]*ssa.Value
}

// make makes the kernel.
func (t *turned) make() *ssa.Func {
	f := ssa.NewFunc(t.of.fn.Name + ".gather")
	f.Kernel, f.Kind, f.Rank, f.Decl = true, t.of.fn.Kind, t.of.fn.Rank, t.of.fn.Decl
	for _, p := range t.of.fn.Params() {
		f.Body.AddParam(p.Type, p.Name)
	}
	t.r = builder{b: f.Body}
	t.sums, t.numbers = make(map[string]*ssa.Value), make(map[Number]*ssa.Value)
	for v := range t.of.polys {
		if n, ok := numberOf(v); ok {
			t.numbers[n] = v // any of them: all are computed alike
		}
	}
	t.place()
	for _, a := range t.of.adds {
		k := a.sumKey()
		if t.sums[k] == nil {
			zero := t.r.zero(at(a.in.Args[0]))
			zero.Name = a.region.root.Name + "Sum" // and so are the sums
			t.sums[k] = t.r.local(zero, zero.Name)
			t.order = append(t.order, a)
		}
	}
	for _, offset := range t.offsets {
		t.from(offset)
	}
	for _, a := range t.order {
		t.addUp(a)
	}
	t.r.append(&ssa.Instr{Op: ssa.OpReturn})
	opt.Promote(f)
	settle(f)
	return f
}

// sumKey tells the elements, and the parts of them, with the same coordinates from each other.
func (a *addition) sumKey() string {
	return fmt.Sprintf("%d%s %d%s", a.region.root.Index(), a.region.path, a.rest, a.leaf)
}

// say has what follows explained.
func (t *turned) say(format string, args ...any) {
	t.r.stmt = &ssa.Stmt{Pos: t.of.fn.Decl.Pos, Text: fmt.Sprintf(format, args...)}
	t.r.pos = t.of.fn.Decl.Pos
}

// place finds the coordinates for which a thread gathers, and the size of the launch of the kernel.
func (t *turned) place() {
	t.least, t.most = slices.Clone(t.offsets[0]), slices.Clone(t.offsets[0])
	for _, o := range t.offsets {
		for axis, d := range o {
			t.least[axis], t.most[axis] = min(t.least[axis], d), max(t.most[axis], d)
		}
	}
	var names []string
	for _, a := range t.of.adds {
		if name := a.region.root.Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	t.say("gather what the threads around add to %s: plain additions, in the same order in each run", strings.Join(names, " and "))
	thread := t.of.fn.Params()[0]
	thread = t.r.b.Params[thread.Index()]
	for axis := range t.of.ids {
		id := t.r.append(&ssa.Instr{Op: ssa.OpThreadID, Axis: int8(axis), Rank: t.of.ids[axis].Def.Rank, Args: []*ssa.Value{thread}}, ssa.Int64).Result()
		size := t.r.append(&ssa.Instr{Op: ssa.OpThreadDim, Axis: int8(axis), Args: []*ssa.Value{thread}}, ssa.Int64).Result()
		at, less := t.r.plus(id, t.least[axis]), t.r.plus(size, t.least[axis]-t.most[axis])
		at.Name, less.Name = t.of.ids[axis].Name, t.of.dims[axis].Name
		t.at, t.size = append(t.at, at), append(t.size, less)
	}
}

// plus is a value plus a constant.
func (r *builder) plus(v *ssa.Value, c int64) *ssa.Value {
	switch {
	case c > 0:
		return r.op(ssa.OpAdd, ssa.Int64, v, r.int(c))
	case c < 0:
		return r.op(ssa.OpSub, ssa.Int64, v, r.int(-c))
	}
	return v
}

// from adds to the sums what the thread adds that is at an offset from here.
func (t *turned) from(offset []int64) {
	var texts []string
	for axis, d := range offset {
		name := t.of.ids[axis].Name
		if name == "" {
			name = fmt.Sprintf("id%d", axis)
		}
		switch {
		case d > 0:
			name += fmt.Sprintf("-%d", d)
		case d < 0:
			name += fmt.Sprintf("+%d", -d)
		}
		texts = append(texts, name)
	}
	t.say("gather from thread %s, if the launch has it", strings.Join(texts, ", "))
	ids := make([]*ssa.Value, len(offset))
	there := t.r.constant(ssa.Bool, ssa.BoolConst(true))
	for axis, d := range offset {
		ids[axis] = t.r.plus(t.at[axis], -d)
		if d > t.least[axis] {
			there = t.r.op(ssa.OpAnd, ssa.Bool, there, t.r.op(ssa.OpGe, ssa.Bool, ids[axis], t.r.int(0)))
		}
		if d < t.most[axis] {
			there = t.r.op(ssa.OpAnd, ssa.Bool, there, t.r.op(ssa.OpLt, ssa.Bool, ids[axis], t.size[axis]))
		}
	}
	in := t.r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{there}})
	then := in.NewBlock()
	els := in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield})
	els.Stmt, els.Pos = t.r.stmt, t.r.pos
	t.of.fn.CopyTo(then, t.r.b.Params)
	then.Terminator().Op = ssa.OpYield
	t.body(then, offset, ids)
}

// body makes of a copy of the kernel's body what adds to the sums.
func (t *turned) body(b *ssa.Block, offset []int64, ids []*ssa.Value) {
	copyOf := make(map[*ssa.Value]*ssa.Value)
	both(t.of.fn.Body, b, func(in, n *ssa.Instr) {
		for k, v := range in.Results {
			copyOf[v] = n.Results[k]
		}
		for i, nested := range in.Blocks {
			for k, p := range nested.Params {
				copyOf[p] = n.Blocks[i].Params[k]
			}
		}
	})
	for i, p := range t.of.fn.Params() {
		copyOf[p] = t.r.b.Params[i]
	}
	adds := t.of.copies(t.of.fn.Body, b)
	for axis := range ids {
		copyOf[t.of.ids[axis]].ForwardTo(ids[axis])
		copyOf[t.of.dims[axis]].ForwardTo(t.size[axis])
	}
	resolve(b)
	edit(b, func(r *builder, in *ssa.Instr) bool {
		a := adds[in]
		switch {
		case a != nil && a.reaches(offset):
			r.stmt, r.pos = in.Stmt, in.Pos
			sum := t.sums[a.sumKey()]
			where := (*ssa.Value)(nil)
			for axis, c := range a.coords {
				if c.isExact() {
					continue
				}
				here := r.op(ssa.OpEq, ssa.Bool, copyOf[c.value].Resolved(), r.plus(t.at[axis], -c.plus))
				if where != nil {
					here = r.op(ssa.OpAnd, ssa.Bool, where, here)
				}
				where = here
			}
			r.addWhere(where, sum, in.Args[1])
			return false
		}
		return !writesParam(in)
	})
}

// reaches reports whether an addition may be to the element at an offset from the thread.
func (a *addition) reaches(offset []int64) bool {
	for axis, c := range a.coords {
		if offset[axis] < c.lo || offset[axis] > c.hi {
			return false
		}
	}
	return true
}

// addWhere adds to a variable if a condition holds; nil always does.
func (r *builder) addWhere(cond, sum, v *ssa.Value) {
	if cond == nil {
		more := r.op(ssa.OpAdd, v.Type, r.load(sum), v)
		more.Name = sum.Name
		r.store(sum, more)
		return
	}
	in := r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}})
	for k := range 2 {
		nested := *r
		nested.b = in.NewBlock()
		if k == 0 {
			nested.addWhere(nil, sum, v)
		}
		nested.append(&ssa.Instr{Op: ssa.OpYield})
	}
}

// addUp adds a sum to the gradient. Where it is 0, nothing may have been added, and the element need not exist.
func (t *turned) addUp(a *addition) {
	t.say("add up what was gathered for %s", a.region.root.Name)
	sum := t.r.load(t.sums[a.sumKey()])
	some := t.r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{t.r.op(ssa.OpNe, ssa.Bool, sum, t.r.zero(sum.Type))}})
	for k := range 2 {
		r := t.r
		r.b = some.NewBlock()
		if k == 0 {
			p := t.address(&r, a)
			r.store(p, r.op(ssa.OpAdd, sum.Type, r.load(p), sum))
		}
		r.append(&ssa.Instr{Op: ssa.OpYield})
	}
}

// address is where the float is that an addition with the coordinates of the thread adds to.
func (t *turned) address(r *builder, a *addition) *ssa.Value {
	var path []*ssa.Instr // from the float to the parameter
	for v := a.in.Args[0]; !isParam(v); v = v.Def.Args[0] {
		path = append(path, v.Def)
	}
	index := t.index(r, a)
	v := t.r.b.Params[a.region.root.Index()]
	for _, in := range slices.Backward(path) {
		switch in.Op {
		case ssa.OpIndexAddr:
			v = r.op(ssa.OpIndexAddr, in.Result().Type, v, index)
		case ssa.OpElemAddr:
			c, _ := in.Args[1].Const()
			v = r.partAddr(v, int(c.Int()))
		case ssa.OpFieldAddr:
			v = r.partAddr(v, int(in.Index))
		default:
			v = r.part(v, int(in.Index))
		}
	}
	return v
}

// index is the index of the element with the coordinates of the thread.
func (t *turned) index(r *builder, a *addition) *ssa.Value {
	number := func(x atom) *ssa.Value {
		if x.Dim {
			if x.Axis < len(t.size) {
				return t.size[x.Axis]
			}
			return r.int(1)
		}
		return t.again(r, t.numbers[x.Number])
	}
	sum := r.polynomial(a.base.plus(constantPoly(a.rest), 1), number)
	for _, axis := range a.order {
		sum = r.op(ssa.OpAdd, ssa.Int64, sum, r.op(ssa.OpMul, ssa.Int64, r.polynomial(a.strides[axis], number), t.at[axis]))
	}
	return sum
}

// again computes a number of the arguments.
func (t *turned) again(r *builder, u *ssa.Value) *ssa.Value {
	if isParam(u) {
		return t.r.b.Params[u.Index()]
	}
	of := t.again(r, u.Def.Args[0])
	return r.append(&ssa.Instr{Op: u.Def.Op, Index: u.Def.Index, Args: []*ssa.Value{of}}, u.Type).Result()
}
