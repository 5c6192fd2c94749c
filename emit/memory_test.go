package emit_test

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
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
	return b.do(ssa.Instr{Op: ssa.OpFieldAddr, Index: int32(i), Args: args(p)}, ssa.Pointer{Elem: t})
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

func TestMemoryGolden(t *testing.T) {
	m := particles()
	verify(t, m)
	forTargets(t, func(t *testing.T, to target) { build(t, to, m) })
	text := compile.CPU.Text(m, emit.Options{}).Source
	start, end := strings.Index(text, "struct Vec {"), strings.Index(text, "extern \"C\"")
	if got := "\n" + strings.TrimRight(text[start:end], "\n") + "\n"; got != particlesText {
		t.Errorf("got%s\nwant%s", got, particlesText)
	}
	// Only the newest NVRTC has __builtin_offsetof.
	if text := compile.CUDA.Text(m, emit.Options{}).Source; !strings.Contains(text, " offset_of(Particle, hist) == 16") || strings.Contains(text, "__builtin_offsetof(") {
		t.Errorf("the offsets of fields are not checked as all versions of NVRTC can:\n%s", text)
	}
}

const particlesText = `
struct Vec {
    float32 x;
    float32 y;
    bool operator==(const Vec& that) const { return x == that.x && y == that.y; }
    bool operator!=(const Vec& that) const { return !(*this == that); }
};
static_assert(sizeof(Vec) == 8, "the host lays it out so");

struct Particle {
    ::Vec Vec;
    uint8 class_;
    array<int64, 4> hist;
    alignas(8) uint8 pad;
};
static_assert(sizeof(Particle) == 56 && __builtin_offsetof(Particle, hist) == 16, "the host lays it out so");

// k.go:1: func scale(v *Vec, s float32) Vec {
static inline Vec scale(Vec* v, float32 s) {
    // k.go:2: v.x *= s
    v->x *= s;
    // k.go:3: return Vec{v.y, v.x}
    return Vec{v->y, v->x};
}

struct step_args {
    int64 dim[4];
    Particle first;
    slice<Particle> q;
    slice<float32> out;
};
static_assert(sizeof(step_args) == 120, "the host lays out the arguments so");

// k.go:10: func step(t qd.Thread, first Particle, q []Particle, out []float32) {
static inline void step_thread(Thread t, Particle first, slice<Particle> q, slice<float32> out) {
    // k.go:11: i := t.ID()
    const int64 i = t.ID();
    // k.go:12: p := q[i]
    Particle p = q[i];
    // k.go:13: p.hist[i&3]++
    p.hist[i & 3]++;
    // k.go:14: first.Vec = scale(&p.Vec, first.y)
    first.Vec = scale(&p.Vec, first.Vec.y);
    // k.go:15: r := &q[i]
    Particle* const r = &q[i];
    // k.go:16: r.class += p.class
    r->class_ += p.class_;
    // k.go:17: q[i].hist = p.hist
    q[i].hist = p.hist;
    // k.go:18: copy(r.hist[:], p.hist[1:])
    go::copy(sliceof(r->hist), subslice(sliceof(p.hist), 1, 4));
    // k.go:19: same := first.Vec == p.Vec
    const bool same = first.Vec == p.Vec;
    // k.go:20: if same {
    if (same) {
        // k.go:21: out[i] = first.x
        out[i] = first.Vec.x;
    }
}
`

// NVRTC takes what has no counterpart in the corpus.
func TestMemoryNVRTC(t *testing.T) {
	testenv.Setup()
	lib, err := nvrtc.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	for _, m := range []*ssa.Module{particles(), randomModule(3, 12), odd()} {
		r, err := testcache.CompileCUDA(lib, compile.CUDA.Text(m, emit.Options{}).Source, "k.cu", nvrtc.Options{Arch: "sm_80"})
		if err != nil {
			t.Errorf("%v", err)
		} else if r.Log != "" && m.Name != "random" {
			t.Errorf("NVRTC says\n%s", r.Log)
		}
	}
}

// odd is a module with types that need care: without size, without names, with names that
// C++ has for itself or that hide each other.
func odd() *ssa.Module {
	f := func(name string, t ssa.Type) ssa.Field { return ssa.Field{Name: name, Type: t} }
	none := ssa.StructOf("none")
	types := []*ssa.Struct{
		none,
		ssa.StructOf("class", f("class", ssa.Int32), f("int", ssa.Bool), f("slice", ssa.Slice{Elem: ssa.Int8}), f("float32", ssa.Float32)),
		ssa.StructOf("geom.Box[float32]", f("min", ssa.Float32), f("max", ssa.Float32)),
		ssa.StructOf("geom_Box_float32", f("_", ssa.Float32), f("_", none), f("_", ssa.Int8)),
		ssa.StructOf("", f("a", none), f("b", ssa.Uint8), f("c", ssa.Array{Elem: ssa.Int64})),
		ssa.StructOf("sin", f("sin", ssa.Float64), f("none", none), f("x", ssa.Int8), f("gap", ssa.Array{Elem: ssa.Int32}), f("y", ssa.Int8), f("that", ssa.Int8)),
		ssa.StructOf("Mass", f("x", ssa.Int8), f("pad", ssa.Int64), f("Mass", none)),
		ssa.StructOf("Ünïcode", f("größe", ssa.Int64), f("array", ssa.Array{Elem: ssa.Array{Elem: none, Len: 3}, Len: 2})),
		ssa.StructOf("pointers", f("p", ssa.Pointer{Elem: none}), f("q", ssa.Pointer{Elem: ssa.Pointer{Elem: ssa.Int32}})),
		ssa.StructOf("array", f("Thread", ssa.Array{Elem: ssa.StructOf("Thread", f("unix", ssa.Int8)), Len: 3})),
	}
	m := &ssa.Module{Name: "odd", Pkg: "example.com/k"}
	k := ssa.NewFunc("odd")
	k.Kernel = true
	t := k.Body.AddParam(ssa.Thread, "t")
	b := &builder{b: k.Body}
	var params []*ssa.Value
	for _, s := range types {
		if s.Name == "pointers" || s.Name == "class" { // which slices passed to a kernel do not hold
			params = append(params, nil, nil)
			continue
		}
		params = append(params, k.Body.AddParam(s, "p"), k.Body.AddParam(ssa.Slice{Elem: s}, s.Name))
	}
	b.at("all")
	i := b.named("i", ssa.Instr{Op: ssa.OpThreadID, Rank: 1, Args: args(t)}, ssa.Int64)
	for n, s := range types {
		value, elems := params[2*n], params[2*n+1]
		if value == nil {
			value = b.do(ssa.Instr{Op: ssa.OpZero}, s)
			zeros := b.local(s.Name, b.do(ssa.Instr{Op: ssa.OpZero}, ssa.Array{Elem: s, Len: 2}))
			elems, i = b.do(ssa.Instr{Op: ssa.OpSliceOf, Args: args(zeros)}, ssa.Slice{Elem: s}), b.int(1)
		}
		p := b.local("p", value)
		for j, field := range s.Fields {
			at := b.field(b.index(elems, i), j)
			b.store(at, b.do(ssa.Instr{Op: ssa.OpField, Index: int32(j), Args: args(value)}, field.Type))
			b.store(b.field(p, j), b.load(at))
		}
		var parts []*ssa.Value
		for j := range s.Fields {
			parts = append(parts, b.load(b.field(p, j)))
		}
		made := b.do(ssa.Instr{Op: ssa.OpMake, Args: parts}, s)
		if ssa.IsComparable(s) {
			same := b.do(ssa.Instr{Op: ssa.OpNe, Args: args(made, b.load(p))}, ssa.Bool)
			b.do(ssa.Instr{Op: ssa.OpPrintf, Args: args(same)})
		}
		b.store(b.index(elems, i), made)
	}
	m.Formats = []ssa.Format{{Text: "%v", Args: []ssa.FormatArg{{Type: ssa.Bool, GoType: "bool"}}}}
	b.do(ssa.Instr{Op: ssa.OpReturn})
	m.Funcs = []*ssa.Func{k}
	return m
}

func TestOddTypes(t *testing.T) {
	m := odd()
	verify(t, m)
	forTargets(t, func(t *testing.T, to target) { build(t, to, m) })
	text := compile.CPU.Text(m, emit.Options{}).Source
	if out, err := gcc(t, text); err != nil {
		t.Errorf("g++: %v\n%s", err, out)
	}
}
