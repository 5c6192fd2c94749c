package randprog

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"unsafe"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/internal/randprog/harness"
	"github.com/qdgen/qd/internal/runtime/fault"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
)

// Whose tells which stage of the compiler a finding comes from, as far as the SSA
// interpreter can: after which one the launch gives something else than it should.
func (f Finding) Whose() string {
	if f.Want == "" {
		return ""
	}
	var out []string
	last := "right"
	note := func(stage, verdict string) {
		if verdict != last {
			out = append(out, "after "+stage+" the SSA is "+verdict)
			last = verdict
		}
	}
	p := f.Program
	u := &compile.Unit{Pipeline: compile.CPU, Kernel: p.ref(), Options: p.options(), Source: p.sources()}
	u.Observe = func(at compile.At, m *ssa.Module) {
		var got string
		if err := try(func() (err error) { got, err = f.interpret(m); return err }); err != nil {
			got = err.Error()
		}
		verdict := "right"
		if got != f.Want {
			verdict = "wrong: " + got
		}
		note(at.String(), verdict)
	}
	if err := try(func() error { return u.RunTo(context.Background(), compile.Print) }); err != nil {
		note("that", "not to be had: "+err.Error())
	}
	if len(out) == 0 {
		return "the SSA is right after all stages"
	}
	return strings.Join(out, "; ")
}

// interpret gives the outcome of the finding's launch by the SSA interpreter.
func (f Finding) interpret(m *ssa.Module) (string, error) {
	p := f.Program
	launch := p.Launches()[f.Launch]
	args, whole := harness.Args(p.kernelType(), p.Inputs, launch)
	var memory interp.Buffers
	var packed [][]byte
	for _, v := range args {
		size := int(v.Type().Size())
		if v.Kind() != reflect.Slice {
			packed = append(packed, unsafe.Slice((*byte)(v.Addr().UnsafePointer()), size))
			continue
		}
		addr := memory.Add(unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size())))
		packed = append(packed, interp.SliceArg(addr, v.Len()))
	}
	program := interp.Compile(m.Kernels()[0])
	place := interp.Place{Dim: [4]int64{1, 1, 1, 1}}
	for i, d := range launch.Dims {
		place.Dim[i] = int64(d)
	}
	env := &interp.Env{Memory: &memory, Steps: 1 << 24, Shared: memory.AddShared}
	if p.Text != "" {
		place.BlockDim = ssa.DefaultBlockDim
	}
	for flat := range int64(launch.Threads()) {
		if p.Text != "" {
			place.Block = flat // a block of it, with all its lanes
		}
		place.Flat, place.ID = flat, [4]int64{flat}
		if len(launch.Dims) == 2 {
			place.ID = [4]int64{flat / place.Dim[1], flat % place.Dim[1]}
		}
		env.Place = place
		_, err := program.Run(env, packed)
		if stop := (*interp.Fault)(nil); errors.As(err, &stop) {
			return fmt.Sprintf("fault: %s; %x", reason(stop), harness.Sum(whole)), nil
		}
		if err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", harness.Sum(whole)), nil
}

// reason is a fault in the words of the compiled sides.
func reason(f *interp.Fault) string {
	in, kind := f.Instr, "panic"
	if in.Op == ssa.OpCheck {
		kind = in.Check.String()
	}
	pos := in.Pos
	if pos.Line == 0 && in.Stmt != nil {
		pos = in.Stmt.Pos
	}
	var r fault.Record
	var types []string
	for i, v := range f.Values[:min(len(f.Values), len(r.Values))] {
		r.Values[i] = int64(v)
		types = append(types, in.Args[i].Type.String())
	}
	return fmt.Sprintf("%s:%d: %s", filepath.Base(pos.File), pos.Line, r.Reason(kind, in.Message, types))
}

// kernelType is the type of the kernel's function, but for the Thread and for the names
// of types and fields.
func (p *Program) kernelType() reflect.Type {
	if p.Text != "" {
		return reflect.TypeFor[func(int, int, []int32, []float32)]() // see TileKernel
	}
	params := []reflect.Type{reflect.TypeFor[int]()}
	for _, q := range p.Kernel.Params[1:] {
		params = append(params, q.Type.reflected())
	}
	return reflect.FuncOf(params, nil, false)
}

var basics = map[string]reflect.Type{
	"bool": reflect.TypeFor[bool](),
	"int":  reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](),
	"uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
}

// reflected is a type with the layout of t.
func (t *Type) reflected() reflect.Type {
	switch t.Form {
	case Slice:
		return reflect.SliceOf(t.Elem.reflected())
	case Array:
		return reflect.ArrayOf(t.Len, t.Elem.reflected())
	case Struct:
		var fields []reflect.StructField
		for i, f := range t.Fields {
			fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: f.Type.reflected()})
		}
		return reflect.StructOf(fields)
	}
	if t.Base != nil {
		t = t.Base
	}
	return basics[t.Name]
}
