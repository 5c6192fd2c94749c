package interp_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/ssatest"
)

// TestRecur runs a function that calls itself, and one that does not end.
func TestRecur(t *testing.T) {
	m := &ssa.Module{}
	sum := func(ends bool) *ssa.Func {
		return ssatest.AddFunc(m, "sum", false, []*ssa.Value{ssatest.Arg(ssa.Int64, "n")}, []ssa.Type{ssa.Int64}, func(b ssatest.Builder, p []*ssa.Value) {
			n := p[0]
			branch := b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{b.Op(ssa.OpLe, n, b.Int(ssa.Int64, 0))}})
			then, els := ssatest.Builder{Block: branch.NewBlock()}, ssatest.Builder{Block: branch.NewBlock()}
			if ends {
				then.Return(n)
			} else {
				then.Append(&ssa.Instr{Op: ssa.OpYield})
			}
			els.Append(&ssa.Instr{Op: ssa.OpYield})
			rest := b.Append(&ssa.Instr{Op: ssa.OpRecur, Callee: b.Func, Args: []*ssa.Value{b.Op(ssa.OpSub, n, b.Int(ssa.Int64, 1))}}, ssa.Int64).Result()
			b.Return(b.Op(ssa.OpAdd, n, rest))
		})
	}
	run := func(f *ssa.Func) ([][]byte, error) {
		return interp.Compile(f).Run(&interp.Env{}, [][]byte{interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, 10))})
	}
	out, err := run(sum(true))
	if err != nil || !bytes.Equal(out[0], interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, 55))) {
		t.Errorf("%v, %v", out, err)
	}
	if _, err := run(sum(false)); !errors.Is(err, interp.ErrDepth) {
		t.Errorf("endless recursion: %v", err)
	}
}

// fn builds a function: an instruction's results are of the named types.
type fn struct{ *ssa.Block }

func newFunc(params []ssa.Type, results ...ssa.Type) fn {
	f := ssa.NewFunc("f")
	f.Results = results
	for _, t := range params {
		f.Body.AddParam(t, "")
	}
	return fn{f.Body}
}

func (f fn) do(in ssa.Instr, results ...ssa.Type) *ssa.Instr { return f.Append(&in, results...) }

func (f fn) op(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return f.do(ssa.Instr{Op: op, Args: args}, t).Result()
}

func (f fn) int(x int64) *ssa.Value {
	return f.do(ssa.Instr{Op: ssa.OpConst, Const: ssa.IntConst(ssa.Int64, uint64(x))}, ssa.Int64).Result()
}

func (f fn) ret(args ...*ssa.Value) *interp.Program {
	f.do(ssa.Instr{Op: ssa.OpReturn, Args: args})
	return f.program()
}

func (f fn) program() *interp.Program {
	if err := ssa.Verify(&ssa.Module{Name: "m", Funcs: []*ssa.Func{f.Func}}); err != nil {
		panic(err)
	}
	return interp.Compile(f.Func)
}

// times is a loop of n turns around do, whose block goes on to the next iteration.
func (f fn) times(n *ssa.Value, do func(f fn, i *ssa.Value)) *ssa.Instr {
	loop := f.do(ssa.Instr{Op: ssa.OpLoop, Args: []*ssa.Value{f.int(0)}}, ssa.Int64)
	cond, body, post := fn{loop.NewBlock()}, fn{loop.NewBlock()}, fn{loop.NewBlock()}
	i, j := cond.AddParam(ssa.Int64, "i"), post.AddParam(ssa.Int64, "i")
	cond.do(ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{cond.op(ssa.OpLt, ssa.Bool, i, n)}})
	do(body, i)
	body.do(ssa.Instr{Op: ssa.OpContinue, Target: loop, Args: []*ssa.Value{i}})
	post.do(ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{post.op(ssa.OpAdd, ssa.Int64, j, post.int(1))}})
	return loop
}

func int64Bytes(xs ...int64) []byte {
	var p []byte
	for _, x := range xs {
		p = append(p, interp.Scalar(ssa.Int64, ssa.IntConst(ssa.Int64, uint64(x)))...)
	}
	return p
}

var pair = ssa.StructOf("Pair", ssa.Field{Name: "a", Type: ssa.Int8}, ssa.Field{Name: "_", Type: ssa.Float32},
	ssa.Field{Name: "x", Type: ssa.Float64}, ssa.Field{Name: "s", Type: ssa.Slice{Elem: ssa.Int16}})

// TestAggregates puts a struct together, takes it apart and gives it back.
func TestAggregates(t *testing.T) {
	f := newFunc([]ssa.Type{pair, ssa.Int8}, pair, ssa.Int8, ssa.Float64, ssa.Int64)
	p := f.Params
	field := func(k int, t ssa.Type) *ssa.Value {
		return f.do(ssa.Instr{Op: ssa.OpField, Index: int32(k), Args: p[:1]}, t).Result()
	}
	made := f.op(ssa.OpMake, pair, p[1], field(1, ssa.Float32), field(2, ssa.Float64), field(3, ssa.Slice{Elem: ssa.Int16}))
	run := f.ret(made, field(0, ssa.Int8), field(2, ssa.Float64), f.op(ssa.OpLen, ssa.Int64, field(3, ssa.Slice{Elem: ssa.Int16})))

	arg := make([]byte, pair.Size())
	arg[0] = 0xfe
	copy(arg[8:], interp.Scalar(ssa.Float64, ssa.Float64Const(2.5)))
	copy(arg[16:], interp.SliceArg(4096, 7))
	got, err := run.Run(&interp.Env{}, [][]byte{arg, {5}})
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(arg)
	want[0] = 5
	if !slices.Equal(got[0], want) || got[1][0] != 0xfe || interp.ToConst(ssa.Float64, got[2]).Float(ssa.Float64) != 2.5 ||
		!slices.Equal(got[3], int64Bytes(7)) {
		t.Errorf("got %v", got)
	}
	if _, err := run.Run(&interp.Env{}, [][]byte{arg}); err == nil {
		t.Error("an argument is missing and no error comes")
	}
	if _, err := run.Run(&interp.Env{}, [][]byte{arg, {5}, {6}}); err == nil {
		t.Error("an argument is too much and no error comes")
	}
}

// TestEqual compares structs: blank fields do not count, a NaN is not itself.
func TestEqual(t *testing.T) {
	plain := ssa.StructOf("Plain", ssa.Field{Name: "a", Type: ssa.Int8}, ssa.Field{Name: "_", Type: ssa.Int8}, ssa.Field{Name: "x", Type: ssa.Float32})
	two := ssa.Array{Elem: plain, Len: 2}
	f := newFunc([]ssa.Type{two, two}, ssa.Bool, ssa.Bool)
	run := f.ret(f.op(ssa.OpEq, ssa.Bool, f.Params...), f.op(ssa.OpNe, ssa.Bool, f.Params...))
	value := func(a, blank, pad byte, x float32) []byte {
		return append([]byte{a, blank, pad, pad}, interp.Scalar(ssa.Float32, ssa.Float32Const(x))...)
	}
	zero, nan := value(0, 0, 0, 0), float32(math.NaN())
	for _, c := range []struct {
		a, b []byte
		same bool
	}{
		{value(1, 2, 3, 4), value(1, 5, 6, 4), true},
		{value(1, 2, 3, 4), value(2, 2, 3, 4), false},
		{value(1, 2, 3, 4), value(1, 2, 3, 5), false},
		{value(1, 2, 3, 0), value(1, 2, 3, float32(math.Copysign(0, -1))), true},
		{value(1, 2, 3, nan), value(1, 2, 3, nan), false},
	} {
		got, err := run.Run(&interp.Env{}, [][]byte{slices.Concat(zero, c.a), slices.Concat(zero, c.b)})
		if err != nil || (got[0][0] == 1) != c.same || (got[1][0] == 1) == c.same {
			t.Errorf("%v and %v: %v %v", c.a, c.b, got, err)
		}
	}
}

// TestVariables makes a variable in each iteration of a loop: it is new every time, and
// room is given back.
func TestVariables(t *testing.T) {
	big := ssa.Array{Elem: ssa.Int64, Len: 1000}
	slice := ssa.Slice{Elem: ssa.Int64}
	f := newFunc([]ssa.Type{slice, ssa.Int64})
	f.times(f.Params[1], func(b fn, i *ssa.Value) {
		v := b.op(ssa.OpLocal, ssa.Pointer{Elem: big}, b.op(ssa.OpZero, big))
		at := b.op(ssa.OpElemAddr, ssa.Pointer{Elem: ssa.Int64}, v, b.int(999))
		b.do(ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, b.op(ssa.OpAdd, ssa.Int64, b.op(ssa.OpLoad, ssa.Int64, at), b.int(1))}})
		out := b.op(ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Int64}, b.Func.Params()[0], b.int(0))
		sum := b.op(ssa.OpAdd, ssa.Int64, b.op(ssa.OpLoad, ssa.Int64, out), b.op(ssa.OpLoad, ssa.Int64, at))
		b.do(ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{out, sum}})
	})
	run := f.ret()
	var memory interp.Buffers
	out := int64Bytes(0)
	const turns = 100000 // more than all variables at once have room for
	if _, err := run.Run(&interp.Env{Memory: &memory}, [][]byte{interp.SliceArg(memory.Add(out), 1), int64Bytes(turns)}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out, int64Bytes(turns)) {
		t.Errorf("got %v", out)
	}
}

// TestErrors is what ends a run.
func TestErrors(t *testing.T) {
	ints := ssa.Slice{Elem: ssa.Int64}
	pointer := ssa.Pointer{Elem: ssa.Int64}
	load := func(f fn, i int64) {
		f.op(ssa.OpLoad, ssa.Int64, f.op(ssa.OpIndexAddr, pointer, f.Params[0], f.int(i)))
	}
	for _, c := range []struct {
		want  string
		build func(f fn)
	}{
		{"", func(f fn) { load(f, 3) }},
		{"index out of range", func(f fn) { load(f, 4) }},
		{"index out of range", func(f fn) { load(f, -1) }},
		{"", func(f fn) { f.op(ssa.OpIndexAddr, pointer, f.Params[0], f.int(4)) }},
		{"index out of range", func(f fn) {
			part := f.op(ssa.OpSubslice, ints, f.Params[0], f.int(3), f.int(5))
			f.op(ssa.OpLoad, ssa.Int64, f.op(ssa.OpIndexAddr, pointer, part, f.int(0)))
		}},
		{"index out of range", func(f fn) {
			array := ssa.Array{Elem: ssa.Int64, Len: 2}
			v := f.op(ssa.OpLocal, ssa.Pointer{Elem: array}, f.op(ssa.OpZero, array))
			f.op(ssa.OpLocal, pointer, f.int(7))
			f.op(ssa.OpLoad, ssa.Int64, f.op(ssa.OpElemAddr, pointer, v, f.int(2)))
		}},
		{"nil pointer", func(f fn) { f.op(ssa.OpLoad, ssa.Int64, f.op(ssa.OpZero, pointer)) }},
		{"k.go:7:3: check index: 4, 4", func(f fn) {
			f.do(ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckIndex, Args: []*ssa.Value{f.int(4), f.op(ssa.OpLen, ssa.Int64, f.Params[0])},
				Pos: ssa.Pos{File: "k.go", Line: 7, Col: 3}})
		}},
		{"check slice: 2, 1, 4", func(f fn) {
			f.do(ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckSlice, Args: []*ssa.Value{f.int(2), f.int(1), f.int(4)}})
		}},
		{"check divide: 0", func(f fn) { f.do(ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckDivide, Args: []*ssa.Value{f.int(0)}}) }},
		{"check shift: -1", func(f fn) { f.do(ssa.Instr{Op: ssa.OpCheck, Check: ssa.CheckShift, Args: []*ssa.Value{f.int(-1)}}) }},
		{"panic bad: 1, true", func(f fn) {
			f.do(ssa.Instr{Op: ssa.OpPanic, Message: "bad", Args: []*ssa.Value{f.int(1), f.op(ssa.OpEq, ssa.Bool, f.int(1), f.int(1))}})
		}},
		{"too many steps", func(f fn) { f.times(f.int(math.MaxInt64), func(fn, *ssa.Value) {}) }},
		{"nothing here can do this", func(f fn) {
			f.do(ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{f.op(ssa.OpIndexAddr, pointer, f.Params[0], f.int(0)), f.int(1)}}, ssa.Int64)
		}},
	} {
		f := newFunc([]ssa.Type{ints})
		c.build(f)
		var run *interp.Program
		if f.Terminator() == nil {
			run = f.ret()
		} else {
			run = f.program()
		}
		var memory interp.Buffers
		env := &interp.Env{Memory: &memory, Steps: 1000}
		args := [][]byte{interp.SliceArg(memory.Add(int64Bytes(1, 2, 3, 4)), 4)}
		if strings.HasPrefix(c.want, "nothing") {
			env.Memory = nil
		}
		_, err := run.Run(env, args)
		var fault *interp.Fault
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("got %v, want %q", err, c.want)
		case errors.As(err, &fault) != (strings.Contains(c.want, "check") || strings.Contains(c.want, "panic")):
			t.Errorf("%v: is it a fault?", err)
		}
	}
}

// TestGrid runs the host's part of a kernel: launches get sizes and arguments, and
// an error of one ends the run. A parallel for runs for each index.
func TestGrid(t *testing.T) {
	slice := ssa.Slice{Elem: ssa.Int64}
	step := ssa.NewFunc("step")
	step.Kernel = true
	step.Body.AddParam(ssa.Thread, "t")
	step.Body.AddParam(slice, "s")
	step.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
	f := newFunc([]ssa.Type{slice, ssa.Int64})
	f.Func.Kernel, f.Func.Kind = true, ssa.GridKernel
	f.times(f.Params[1], func(b fn, i *ssa.Value) {
		b.do(ssa.Instr{Op: ssa.OpLaunch, Callee: step, Rank: 2, Args: []*ssa.Value{i, b.int(5), b.Func.Params()[0]}})
	})
	loop := f.do(ssa.Instr{Op: ssa.OpFor, Args: []*ssa.Value{f.int(2), f.int(2)}})
	body := fn{loop.NewBlock()}
	i, j := body.AddParam(ssa.Int64, "i"), body.AddParam(ssa.Int64, "j")
	at := body.op(ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Int64}, f.Params[0], body.op(ssa.OpAdd, ssa.Int64, body.op(ssa.OpAdd, ssa.Int64, i, i), j))
	body.do(ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, body.op(ssa.OpSub, ssa.Int64, i, j)}})
	body.do(ssa.Instr{Op: ssa.OpYield})
	f.do(ssa.Instr{Op: ssa.OpReturn})
	if err := ssa.Verify(&ssa.Module{Funcs: []*ssa.Func{step, f.Func}}); err != nil {
		t.Fatal(err)
	}
	run := interp.Compile(f.Func)

	var memory interp.Buffers
	s := int64Bytes(7, 7, 7, 7)
	arg := interp.SliceArg(memory.Add(s), 4)
	var dims [][]int64
	env := &interp.Env{Memory: &memory, Launch: func(in *ssa.Instr, d []int64, args [][]byte) error {
		if in.Callee != step || len(args) != 1 || !slices.Equal(args[0], arg) {
			t.Errorf("launch of %v with %v", in.Callee.Name, args)
		}
		dims = append(dims, d)
		return nil
	}}
	if _, err := run.Run(env, [][]byte{arg, int64Bytes(2)}); err != nil {
		t.Fatal(err)
	}
	if len(dims) != 2 || !slices.Equal(dims[1], []int64{1, 5}) {
		t.Errorf("launched over %v", dims)
	}
	if !slices.Equal(s, int64Bytes(0, -1, 1, 0)) {
		t.Errorf("the parallel for leaves %v", s)
	}
	full := errors.New("no memory left")
	env.Launch = func(*ssa.Instr, []int64, [][]byte) error { return full }
	if _, err := run.Run(env, [][]byte{arg, int64Bytes(2)}); !errors.Is(err, full) {
		t.Errorf("the launch's error comes back as %v", err)
	}
}

// TestWatched sees each number and bool of a run, in a function that is called in a loop too.
func TestWatched(t *testing.T) {
	half := newFunc([]ssa.Type{ssa.Int64}, ssa.Int64)
	half.ret(half.op(ssa.OpDiv, ssa.Int64, half.Params[0], half.int(2)))
	f := newFunc([]ssa.Type{ssa.Int64})
	f.times(f.Params[0], func(f fn, i *ssa.Value) {
		f.do(ssa.Instr{Op: ssa.OpCall, Callee: half.Func, Args: []*ssa.Value{i}}, ssa.Int64)
	})
	f.do(ssa.Instr{Op: ssa.OpReturn})
	var seen []string
	p := interp.CompileWatched(f.Func, func(in *ssa.Instr) func(func(*ssa.Value) uint64) {
		if in.Op == ssa.OpConst {
			return nil
		}
		return func(value func(*ssa.Value) uint64) {
			seen = append(seen, fmt.Sprintf("%v %d %d = %d", in.Op, value(in.Args[0]), value(in.Args[1]), value(in.Result())))
		}
	})
	if _, err := p.Run(&interp.Env{}, [][]byte{int64Bytes(2)}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"lt 0 2 = 1", "div 0 2 = 0", "add 0 1 = 1", "lt 1 2 = 1", "div 1 2 = 0", "add 1 1 = 2", "lt 2 2 = 0"}; !slices.Equal(seen, want) {
		t.Errorf("seen: %q", seen)
	}
}

// TestRunsShare expects that a run uses the memory of one that has ended.
func TestRunsShare(t *testing.T) {
	f := newFunc([]ssa.Type{ssa.Int64})
	f.times(f.Params[0], func(f fn, i *ssa.Value) { f.op(ssa.OpMul, ssa.Int64, i, i) })
	f.do(ssa.Instr{Op: ssa.OpReturn})
	p, env, args := interp.Compile(f.Func), &interp.Env{}, [][]byte{int64Bytes(3)}
	n := testing.AllocsPerRun(100, func() {
		if _, err := p.Run(env, args); err != nil {
			t.Fatal(err)
		}
	})
	if n > 1 { // the frame
		t.Errorf("a run allocates %v times", n)
	}
}

// TestRunsShareNothing expects that a run finds nothing of one before it that has failed in the middle: neither what that
// has pushed, nor its variables.
func TestRunsShareNothing(t *testing.T) {
	local := ssa.Pointer{Elem: ssa.Int64}
	fails := newFunc(nil)
	fails.Func.Kernel, fails.Func.Kind = true, ssa.GridKernel
	fails.op(ssa.OpLocal, local, fails.int(-1))
	fails.do(ssa.Instr{Op: ssa.OpPush, Args: []*ssa.Value{fails.int(-1)}})
	fails.do(ssa.Instr{Op: ssa.OpSnapshot, Args: []*ssa.Value{fails.op(ssa.OpZero, ssa.Slice{Elem: ssa.Int64})}}, ssa.Int64)
	fails.do(ssa.Instr{Op: ssa.OpReturn})

	pops := newFunc(nil)
	pops.Func.Kernel, pops.Func.Kind = true, ssa.GridKernel
	pops.do(ssa.Instr{Op: ssa.OpPop}, ssa.Int64)
	pops.do(ssa.Instr{Op: ssa.OpReturn})

	loads := newFunc(nil, ssa.Int64)
	v := loads.op(ssa.OpLocal, local, loads.int(0))
	reads := loads.ret(loads.op(ssa.OpLoad, ssa.Int64, v))

	run, pop, env := interp.Compile(fails.Func), interp.Compile(pops.Func), new(interp.Env)
	for range 10 { // the race detector has a pool forget some
		if _, err := run.Run(env, nil); err == nil {
			t.Fatal("a snapshot without a callback is no error")
		}
		if _, err := pop.Run(env, nil); err == nil {
			t.Error("a run pops what another has pushed")
		}
		if got, err := reads.Run(env, nil); err != nil || !slices.Equal(got[0], int64Bytes(0)) {
			t.Errorf("a variable that is zero is %v (%v)", got, err)
		}
	}
}

// TestKeeping runs what the host keeps: a stack, and snapshots that the environment takes.
func TestKeeping(t *testing.T) {
	slice := ssa.Slice{Elem: ssa.Int64}
	f := newFunc([]ssa.Type{slice, ssa.Int64})
	f.Func.Kernel, f.Func.Kind = true, ssa.GridKernel
	f.Func.Results = []ssa.Type{slice, ssa.Int8, ssa.Int64}
	s, n := f.Params[0], f.Params[1]
	note := f.do(ssa.Instr{Op: ssa.OpSnapshot, Args: []*ssa.Value{s}}, ssa.Int64).Result()
	small := f.op(ssa.OpConvert, ssa.Int8, n)
	for _, v := range []*ssa.Value{note, s, n, small} {
		f.do(ssa.Instr{Op: ssa.OpPush, Args: []*ssa.Value{v}})
	}
	pop := func(t ssa.Type) *ssa.Value { return f.do(ssa.Instr{Op: ssa.OpPop}, t).Result() }
	byteOf, whole, _ := pop(ssa.Int8), pop(ssa.Int64), pop(slice)
	was := f.do(ssa.Instr{Op: ssa.OpRestore, Args: []*ssa.Value{pop(ssa.Int64)}}, slice).Result()
	f.do(ssa.Instr{Op: ssa.OpReturn, Args: []*ssa.Value{was, byteOf, whole}})
	run := interp.Compile(f.Func)
	arg, other := interp.SliceArg(64, 4), interp.SliceArg(128, 4)
	env := &interp.Env{
		Snapshot: func(_ *ssa.Instr, value []byte) (int64, error) {
			if !slices.Equal(value, arg) {
				t.Errorf("a snapshot of %v", value)
			}
			return 17, nil
		},
		Restore: func(_ *ssa.Instr, number int64) ([]byte, error) {
			if number != 17 {
				t.Errorf("snapshot %d", number)
			}
			return other, nil
		},
	}
	got, err := run.Run(env, [][]byte{arg, int64Bytes(-2)})
	if err != nil || !slices.Equal(got[0], other) || !slices.Equal(got[1], []byte{0xfe}) || !slices.Equal(got[2], int64Bytes(-2)) {
		t.Errorf("%v, %v", got, err)
	}
	full := errors.New("no memory left")
	env.Restore = func(*ssa.Instr, int64) ([]byte, error) { return nil, full }
	if _, err := run.Run(env, [][]byte{arg, int64Bytes(1)}); !errors.Is(err, full) {
		t.Errorf("the error comes back as %v", err)
	}
	if _, err := run.Run(new(interp.Env), [][]byte{arg, int64Bytes(1)}); err == nil || !strings.Contains(err.Error(), "nothing here can do this") {
		t.Errorf("without callbacks: %v", err)
	}
}

// BenchmarkRun is a loop that adds up the elements of a slice; ns/op is of one
// instruction.
func BenchmarkRun(b *testing.B) {
	slice := ssa.Slice{Elem: ssa.Int64}
	f := newFunc([]ssa.Type{slice, ssa.Int64})
	f.times(f.Params[1], func(b fn, i *ssa.Value) {
		index := b.op(ssa.OpRem, ssa.Int64, i, b.int(64))
		at := b.op(ssa.OpIndexAddr, ssa.Pointer{Elem: ssa.Int64}, b.Func.Params()[0], index)
		b.do(ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{at, b.op(ssa.OpAdd, ssa.Int64, b.op(ssa.OpLoad, ssa.Int64, at), i)}})
	})
	run := f.ret()
	const perTurn = 11
	var memory interp.Buffers
	arg := interp.SliceArg(memory.Add(make([]byte, 512)), 64)
	b.ResetTimer()
	if _, err := run.Run(&interp.Env{Memory: &memory}, [][]byte{arg, int64Bytes(int64(b.N / perTurn))}); err != nil {
		b.Fatal(err)
	}
}
