package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file appends instructions to the block that a sweep is at.

// A builder appends instructions to a block.
type builder struct {
	b    *ssa.Block // where it is
	stmt *ssa.Stmt  // of what it appends
	pos  ssa.Pos
}

// append appends an instruction of the current statement.
func (r *builder) append(in *ssa.Instr, results ...ssa.Type) *ssa.Instr {
	in.Stmt, in.Pos = r.stmt, r.pos
	return r.b.Append(in, results...)
}

func (r *builder) op(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	in := r.b.AppendOp(op, t, args...)
	in.Stmt, in.Pos = r.stmt, r.pos
	return in.Result()
}

// call calls a function with one result.
func (r *builder) call(f *ssa.Func, args ...*ssa.Value) *ssa.Value {
	return r.append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: args}, f.Results[0]).Result()
}

func (r *builder) constant(t ssa.Type, c ssa.Const) *ssa.Value {
	return r.append(&ssa.Instr{Op: ssa.OpConst, Const: c}, t).Result()
}

func (r *builder) int(x int64) *ssa.Value {
	return r.constant(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(x)))
}

func (r *builder) zero(t ssa.Type) *ssa.Value { return r.b.AppendZero(t) }

func (r *builder) load(p *ssa.Value) *ssa.Value { return r.op(ssa.OpLoad, at(p), p) }

func (r *builder) store(p, v *ssa.Value) {
	r.append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{p, v}})
}

// local makes a variable.
func (r *builder) local(init *ssa.Value, name string) *ssa.Value {
	v := r.op(ssa.OpLocal, ssa.Pointer{Elem: init.Type}, init)
	v.Name = name
	return v
}

// part is part i of a struct or an array.
func (r *builder) part(v *ssa.Value, i int) *ssa.Value {
	t := partType(v.Type, i)
	if _, ok := v.Type.(*ssa.Struct); ok {
		return r.append(&ssa.Instr{Op: ssa.OpField, Index: int32(i), Args: []*ssa.Value{v}}, t).Result()
	}
	return r.op(ssa.OpElem, t, v, r.int(int64(i)))
}

// partAddr is the address of part i of what an address points to.
func (r *builder) partAddr(p *ssa.Value, i int) *ssa.Value {
	t := ssa.Pointer{Elem: partType(at(p), i)}
	if _, ok := at(p).(*ssa.Struct); ok {
		return r.append(&ssa.Instr{Op: ssa.OpFieldAddr, Index: int32(i), Args: []*ssa.Value{p}}, t).Result()
	}
	return r.op(ssa.OpElemAddr, t, p, r.int(int64(i)))
}

// choose is yes where cond holds, else no.
func (r *builder) choose(cond, yes, no *ssa.Value) *ssa.Value {
	in := r.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}}, yes.Type)
	for _, v := range []*ssa.Value{yes, no} {
		yield := in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{v}})
		yield.Stmt, yield.Pos = in.Stmt, in.Pos
	}
	return in.Result()
}

// parts is the number of parts of a struct or an array, 0 of other types.
func parts(t ssa.Type) int {
	switch t := t.(type) {
	case *ssa.Struct:
		return len(t.Fields)
	case ssa.Array:
		return t.Len
	}
	return 0
}

func partType(t ssa.Type, i int) ssa.Type {
	if s, ok := t.(*ssa.Struct); ok {
		return s.Fields[i].Type
	}
	return t.(ssa.Array).Elem
}

// in has f append to another block, in which what f computes again is visible.
func (r *sweep) in(b *ssa.Block, f func()) {
	old := r.b
	r.b, r.scope = b, &scope{up: r.scope, b: b}
	f()
	r.b, r.scope = old, r.scope.up
}

// back has f append to the block of a scope around, before the If or the loop that r is in.
func (r *sweep) back(s *scope, f func()) {
	inner, scope := r.b, r.scope
	if s == scope {
		f()
		return
	}
	owner := inner.Owner
	for owner.Block != s.b {
		owner = owner.Block.Owner
	}
	end := len(s.b.Instrs)
	r.b, r.scope = s.b, s
	f()
	r.b, r.scope = inner, scope
	added := slices.Clone(s.b.Instrs[end:])
	s.b.Instrs = slices.Insert(s.b.Instrs[:end], slices.Index(s.b.Instrs[:end], owner), added...)
}

// each appends a loop over the indices below n.
func (r *sweep) each(n *ssa.Value, do func(i *ssa.Value)) {
	loop := r.append(&ssa.Instr{Op: ssa.OpLoop, Args: []*ssa.Value{r.int(0)}})
	loop.AddResult(ssa.Int64, "i")
	cond, body, post := loop.NewBlock(), loop.NewBlock(), loop.NewBlock()
	i, last := cond.AddParam(ssa.Int64, "i"), post.AddParam(ssa.Int64, "i")
	r.in(cond, func() {
		r.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{r.op(ssa.OpLt, ssa.Bool, i, n)}})
	})
	r.in(body, func() {
		do(i)
		r.append(&ssa.Instr{Op: ssa.OpContinue, Target: loop, Args: []*ssa.Value{i}})
	})
	r.in(post, func() {
		r.append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{r.op(ssa.OpAdd, ssa.Int64, last, r.int(1))}})
	})
}
