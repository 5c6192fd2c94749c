package emit_test

import (
	"testing"

	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/cpp"
	"github.com/qdgen/qd/ssa"
)

// A builder appends instructions to a block, each to a statement of its own
// text unless it is told to go on with the one before.
type builder struct {
	b    *ssa.Block
	line int
	stmt *ssa.Stmt
}

func (b *builder) at(text string) {
	b.line++
	b.stmt = &ssa.Stmt{Pos: ssa.Pos{File: "k.go", Line: b.line}, Text: text}
}

func (b *builder) do(in ssa.Instr, results ...ssa.Type) *ssa.Value {
	in.Stmt = b.stmt
	x := b.b.Append(&in, results...)
	if len(results) == 1 {
		return x.Result()
	}
	return nil
}

func (b *builder) named(name string, in ssa.Instr, result ssa.Type) *ssa.Value {
	v := b.do(in, result)
	v.Name = name
	return v
}

func (b *builder) int(n int64) *ssa.Value {
	return b.do(ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, uint64(n))}, ssa.Int64)
}

func (b *builder) field(p *ssa.Value, i int) *ssa.Value {
	t := p.Type.(ssa.Pointer).Elem.(*ssa.Struct).Fields[i].Type
	return b.do(ssa.Instr{Op: ssa.OpFieldAddr, Index: i, Args: args(p)}, ssa.Pointer{Elem: t})
}

func (b *builder) elem(p, i *ssa.Value) *ssa.Value {
	return b.do(ssa.Instr{Op: ssa.OpElemAddr, Args: args(p, i)}, ssa.Pointer{Elem: p.Type.(ssa.Pointer).Elem.(ssa.Array).Elem})
}

func (b *builder) index(s, i *ssa.Value) *ssa.Value {
	return b.do(ssa.Instr{Op: ssa.OpIndexAddr, Args: args(s, i)}, ssa.Pointer{Elem: s.Type.(ssa.Slice).Elem})
}

func (b *builder) load(p *ssa.Value) *ssa.Value {
	return b.do(ssa.Instr{Op: ssa.OpLoad, Args: args(p)}, p.Type.(ssa.Pointer).Elem)
}

func (b *builder) store(p, v *ssa.Value) { b.do(ssa.Instr{Op: ssa.OpStore, Args: args(p, v)}) }

func (b *builder) bin(o ssa.Op, x, y *ssa.Value) *ssa.Value {
	return b.do(ssa.Instr{Op: o, Args: args(x, y)}, x.Type)
}

func (b *builder) local(name string, v *ssa.Value) *ssa.Value {
	return b.named(name, ssa.Instr{Op: ssa.OpLocal, Args: args(v)}, ssa.Pointer{Elem: v.Type})
}

func args(vs ...*ssa.Value) []*ssa.Value { return vs }

// particles is a module with most forms that places in memory have.
func particles() *ssa.Module {
	vec := ssa.StructOf("Vec", ssa.Field{Name: "x", Type: ssa.Float32}, ssa.Field{Name: "y", Type: ssa.Float32})
	hist := ssa.Array{Elem: ssa.Int64, Len: 4}
	particle := ssa.StructOf("Particle", ssa.Field{Name: "Vec", Type: vec}, ssa.Field{Name: "class", Type: ssa.Uint8},
		ssa.Field{Name: "hist", Type: hist}, ssa.Field{Name: "_", Type: ssa.Array{Elem: ssa.Int64}})
	m := &ssa.Module{Name: "step", Pkg: "example.com/k"}

	// func scale(v *Vec, s float32) Vec
	f := ssa.NewFunc("scale")
	f.Decl = ssa.Stmt{Text: "func scale(v *Vec, s float32) Vec {", Pos: ssa.Pos{File: "k.go", Line: 1}}
	f.Results = []ssa.Type{vec}
	pv, s := f.Body.AddParam(ssa.Pointer{Elem: vec}, "v"), f.Body.AddParam(ssa.Float32, "s")
	b := &builder{b: f.Body, line: 1}
	b.at("v.x *= s")
	x := b.field(pv, 0)
	b.store(x, b.bin(ssa.OpMul, b.load(x), s))
	b.at("return Vec{v.y, v.x}")
	b.do(ssa.Instr{Op: ssa.OpReturn, Args: args(b.do(ssa.Instr{Op: ssa.OpMake, Args: args(b.load(b.field(pv, 1)), b.load(b.field(pv, 0)))}, vec))})
	m.Funcs = append(m.Funcs, f)

	k := ssa.NewFunc("step")
	k.Kernel = true
	k.Decl = ssa.Stmt{Text: "func step(t qd.Thread, first Particle, q []Particle, out []float32) {", Pos: ssa.Pos{File: "k.go", Line: 10}}
	t := k.Body.AddParam(ssa.Thread, "t")
	first := k.Body.AddParam(particle, "first")
	q := k.Body.AddParam(ssa.Slice{Elem: particle}, "q")
	out := k.Body.AddParam(ssa.Slice{Elem: ssa.Float32}, "out")
	b = &builder{b: k.Body, line: 10}
	memory := b.local("first", first)
	b.at("i := t.ID()")
	i := b.named("i", ssa.Instr{Op: ssa.OpThreadID, Rank: 1, Args: args(t)}, ssa.Int64)
	b.at("p := q[i]")
	p := b.local("p", b.load(b.index(q, i)))
	b.at("p.hist[i&3]++")
	at := b.elem(b.field(p, 2), b.bin(ssa.OpAnd, i, b.int(3)))
	b.store(at, b.bin(ssa.OpAdd, b.load(at), b.int(1)))
	b.at("first.Vec = scale(&p.Vec, first.y)")
	b.store(b.field(memory, 0), b.do(ssa.Instr{Op: ssa.OpCall, Callee: f, Args: args(b.field(p, 0), b.load(b.field(b.field(memory, 0), 1)))}, vec))
	b.at("r := &q[i]")
	r := b.index(q, i)
	r.Name = "r"
	b.at("r.class += p.class")
	class := b.field(r, 1)
	b.store(class, b.bin(ssa.OpAdd, b.load(class), b.load(b.field(p, 1))))
	b.at("q[i].hist = p.hist")
	b.store(b.field(b.index(q, i), 2), b.load(b.field(p, 2)))
	b.at("copy(r.hist[:], p.hist[1:])")
	to := b.do(ssa.Instr{Op: ssa.OpSliceOf, Args: args(b.field(r, 2))}, ssa.Slice{Elem: ssa.Int64})
	from := b.do(ssa.Instr{Op: ssa.OpSliceOf, Args: args(b.field(p, 2))}, ssa.Slice{Elem: ssa.Int64})
	from = b.do(ssa.Instr{Op: ssa.OpSubslice, Args: args(from, b.int(1), b.int(4))}, ssa.Slice{Elem: ssa.Int64})
	b.do(ssa.Instr{Op: ssa.OpCopy, Args: args(to, from)}, ssa.Int64)
	b.at("same := first.Vec == p.Vec")
	same := b.named("same", ssa.Instr{Op: ssa.OpEq, Args: args(b.load(b.field(memory, 0)), b.load(b.field(p, 0)))}, ssa.Bool)
	b.at("if same {")
	in := b.do(ssa.Instr{Op: ssa.OpIf, Args: args(same)})
	_ = in
	branch := k.Body.Instrs[len(k.Body.Instrs)-1]
	then, els := branch.NewBlock(), branch.NewBlock()
	inside := &builder{b: then, line: b.line}
	inside.at("out[i] = first.x")
	inside.store(inside.index(out, i), inside.load(inside.field(inside.field(memory, 0), 0)))
	inside.do(ssa.Instr{Op: ssa.OpYield})
	els.Append(&ssa.Instr{Op: ssa.OpYield})
	b.do(ssa.Instr{Op: ssa.OpReturn})
	m.Funcs = append(m.Funcs, k)
	return m
}

func TestShow(t *testing.T) {
	m := particles()
	verify(t, m)
	forTargets(t, func(t *testing.T, to target) { build(t, to, m); t.Log(to.emit(m, emit.Options{}).Source) })
	_ = cpp.Emit
}
