package analysis_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

var (
	floats    = ssa.Slice{Elem: ssa.Float32}
	floatAddr = ssa.Pointer{Elem: ssa.Float32}
	pair      = ssa.StructOf("pair", ssa.Field{Name: "a", Type: floats}, ssa.Field{Name: "n", Type: ssa.Int64})
)

// Through which parameters a kernel writes: x and y are slices, v is a struct with
// one; i is an index and f a number.
func TestWritten(t *testing.T) {
	type env struct {
		b             *ssa.Block
		x, y, v, i, f *ssa.Value
	}
	op := func(e env, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		return e.b.Append(&ssa.Instr{Op: op, Args: args}, t).Result()
	}
	store := func(e env, addr *ssa.Value, v *ssa.Value) {
		e.b.Append(&ssa.Instr{Op: ssa.OpStore, Args: []*ssa.Value{addr, v}})
	}
	at := func(e env, slice *ssa.Value) *ssa.Value { return op(e, ssa.OpIndexAddr, floatAddr, slice, e.i) }

	// first returns the address of an element of its first argument, set writes to one.
	first, set, get := ssa.NewFunc("first"), ssa.NewFunc("set"), ssa.NewFunc("get")
	for _, f := range []*ssa.Func{first, set, get} {
		e := env{b: f.Body, v: f.Body.AddParam(pair, "v"), i: f.Body.AddParam(ssa.Int64, "i"), f: f.Body.AddParam(ssa.Float32, "f")}
		addr := at(e, op(e, ssa.OpField, floats, e.v))
		ret := &ssa.Instr{Op: ssa.OpReturn}
		switch f {
		case first:
			f.Results, ret.Args = []ssa.Type{floatAddr}, []*ssa.Value{addr}
		case set:
			store(e, addr, e.f)
		case get:
			f.Results, ret.Args = []ssa.Type{ssa.Float32}, []*ssa.Value{op(e, ssa.OpLoad, ssa.Float32, addr)}
		}
		f.Body.Append(ret)
	}
	call := func(e env, f *ssa.Func, v *ssa.Value) *ssa.Instr {
		return e.b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: f, Args: []*ssa.Value{v, e.i, e.f}}, f.Results...)
	}

	// keep puts its second argument where its first one points to.
	keep := ssa.NewFunc("keep")
	p, s := keep.Body.AddParam(ssa.Pointer{Elem: floats}, "p"), keep.Body.AddParam(floats, "s")
	store(env{b: keep.Body}, p, s)
	keep.Body.Append(&ssa.Instr{Op: ssa.OpReturn})

	for _, tt := range []struct {
		name string
		body func(e env)
		want string // of the parameters x, y and v
	}{
		{"nothing", func(e env) {}, ""},
		{"load", func(e env) { op(e, ssa.OpLoad, ssa.Float32, at(e, e.x)) }, ""},
		{"store", func(e env) { store(e, at(e, e.x), e.f) }, "x"},
		{"copied number", func(e env) { store(e, at(e, e.y), op(e, ssa.OpLoad, ssa.Float32, at(e, e.x))) }, "y"},
		{"subslice", func(e env) { store(e, at(e, op(e, ssa.OpSubslice, floats, e.y, e.i, e.i)), e.f) }, "y"},
		{"copy", func(e env) { op(e, ssa.OpCopy, ssa.Int64, e.x, e.y) }, "x"},
		{"popped", func(e env) {
			e.b.Append(&ssa.Instr{Op: ssa.OpPush, Args: []*ssa.Value{e.x}})
			store(e, at(e, e.b.Append(&ssa.Instr{Op: ssa.OpPop}, floats).Result()), e.f)
		}, "x"},
		{"atomic", func(e env) {
			e.b.Append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: ssa.AtomicAdd, Args: []*ssa.Value{at(e, e.x), e.f}}, ssa.Float32)
		}, "x"},
		{"field", func(e env) { store(e, at(e, op(e, ssa.OpField, floats, e.v)), e.f) }, "v"},
		{"made", func(e env) {
			made := op(e, ssa.OpMake, pair, e.y, e.i)
			store(e, at(e, op(e, ssa.OpField, floats, made)), e.f)
		}, "y"},
		{"made, read", func(e env) {
			made := op(e, ssa.OpMake, pair, e.y, e.i)
			op(e, ssa.OpLoad, ssa.Float32, at(e, op(e, ssa.OpField, floats, made)))
		}, ""},
		{"local", func(e env) {
			local := op(e, ssa.OpLocal, ssa.Pointer{Elem: pair}, e.v)
			field := op(e, ssa.OpFieldAddr, ssa.Pointer{Elem: floats}, local)
			store(e, at(e, op(e, ssa.OpLoad, floats, field)), e.f)
		}, "v"},
		{"kept in a local", func(e env) {
			local := op(e, ssa.OpLocal, ssa.Pointer{Elem: floats}, op(e, ssa.OpZero, floats))
			store(e, local, e.x)
		}, ""},
		{"kept in a local, and written from there", func(e env) {
			local := op(e, ssa.OpLocal, ssa.Pointer{Elem: floats}, op(e, ssa.OpZero, floats))
			store(e, local, e.x)
			store(e, at(e, op(e, ssa.OpLoad, floats, local)), e.f)
		}, "x"},
		{"kept by a call, and written from there", func(e env) {
			local := op(e, ssa.OpLocal, ssa.Pointer{Elem: floats}, op(e, ssa.OpZero, floats))
			e.b.Append(&ssa.Instr{Op: ssa.OpCall, Callee: keep, Args: []*ssa.Value{local, e.y}})
			store(e, at(e, op(e, ssa.OpLoad, floats, local)), e.f)
		}, "y"},
		{"read by a call", func(e env) { call(e, get, e.v) }, ""},
		{"written by a call", func(e env) { call(e, set, e.v) }, "v"},
		{"address from a call", func(e env) { store(e, call(e, first, e.v).Result(), e.f) }, "v"},
		{"address from a call, read", func(e env) { op(e, ssa.OpLoad, ssa.Float32, call(e, first, e.v).Result()) }, ""},
		{"call of a made one", func(e env) { call(e, set, op(e, ssa.OpMake, pair, e.x, e.i)) }, "x"},
		{"chosen", func(e env) {
			cond := op(e, ssa.OpLt, ssa.Bool, e.i, e.i)
			in := e.b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}}, floats)
			in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{e.x}})
			in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{e.y}})
		}, ""},
		{"chosen, and written", func(e env) {
			cond := op(e, ssa.OpLt, ssa.Bool, e.i, e.i)
			in := e.b.Append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}}, floats)
			in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{e.x}})
			in.NewBlock().Append(&ssa.Instr{Op: ssa.OpYield, Args: []*ssa.Value{e.y}})
			store(e, at(e, in.Result()), e.f)
		}, "xy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := ssa.NewFunc("k")
			k.Kernel = true
			if tt.name == "popped" { // on the stack of a run
				k.Kind = ssa.GridKernel
			} else {
				k.Body.AddParam(ssa.Thread, "t")
			}
			e := env{b: k.Body, x: k.Body.AddParam(floats, "x"), y: k.Body.AddParam(floats, "y"), v: k.Body.AddParam(pair, "v"),
				i: k.Body.AddParam(ssa.Int64, "i"), f: k.Body.AddParam(ssa.Float32, "f")}
			tt.body(e)
			k.Body.Append(&ssa.Instr{Op: ssa.OpReturn})
			m := &ssa.Module{Funcs: []*ssa.Func{first, set, get, keep, k}}
			if err := ssa.Verify(m); err != nil {
				t.Fatal(err)
			}
			got := ""
			uses := new(analysis.Summaries).Memory(k)
			for _, p := range k.Params() {
				if uses.Use(p)&analysis.Written != 0 {
					got += p.Name
				}
			}
			if got != tt.want {
				t.Errorf("written are %q, want %q", got, tt.want)
			}
		})
	}
}
